"""Candidates that were checked can be looked at, and do not fill the disk."""

from __future__ import annotations

from pathlib import Path

from minrepro.core.verdicts import Outcome
from minrepro.executors.inline import Inline
from minrepro.executors.kept_candidates import KeptCandidates
from minrepro.oracles.function import FunctionOracle


def write(path: Path, case: bytes) -> int:
    return path.write_bytes(case)


def check(case: bytes) -> Outcome:
    return {0: Outcome.FAIL, 1: Outcome.PASS, 2: Outcome.UNRESOLVED}[len(case) % 3]


def kept(folder: Path, sizes: range, most: int = 100, most_bytes: int = 10_000) -> list[str]:
    executor = KeptCandidates(Inline(FunctionOracle(check)), folder, ".c", write, most, most_bytes)
    for size in sizes:
        executor.wait([executor.start(b"x" * size)])
    return sorted(path.name for path in folder.iterdir())


def test_each_candidate_has_its_outcome_in_its_name(tmp_path: Path) -> None:
    assert kept(tmp_path, range(3, 6)) == [
        "000001-reproduces.c",
        "000002-does-not-reproduce.c",
        "000003-unresolved.c",
    ]
    assert (tmp_path / "000003-unresolved.c").read_bytes() == b"xxxxx"


def test_the_oldest_go_when_there_are_too_many_or_too_large_ones(tmp_path: Path) -> None:
    assert [name[:6] for name in kept(tmp_path, range(10), most=4)] == ["000007", "000008", "000009", "000010"]
    (tmp_path / "other").mkdir()
    assert len(kept(tmp_path / "other", range(90, 100), most_bytes=300)) == 3


def test_what_an_earlier_run_has_kept_stays(tmp_path: Path) -> None:
    kept(tmp_path, range(2))
    (tmp_path / "mine.txt").write_text("mine")
    assert len(kept(tmp_path, range(9), most=3)) == 2 + 1 + 3
