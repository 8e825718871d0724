"""The best so far on disk: only what is smallest and has the outcome of its place."""

from __future__ import annotations

from pathlib import Path

from minrepro.core.best import Best
from minrepro.core.events import Accepted, StepKind
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.runs.results import Results
from minrepro.targets.result_file import ResultFile

FAILS = Verdict(Outcome.FAIL)


def results(folder: Path, told: list[str], best: Best[bytes]) -> Results:
    stores = {Outcome.FAIL: ResultFile(folder / "out")}
    return Results(stores, best, lambda case: bytes(case), [folder / "in"], told.append)


def test_only_the_smallest_failing_case_is_written(tmp_path: Path) -> None:
    best: Best[bytes] = Best()
    keeping = results(tmp_path, [], best)
    keeping(best.move(b"other side", Outcome.PASS, "step"))
    keeping.write()
    assert list(tmp_path.iterdir()) == []
    for case in (b"small", b"less", b"larger"):
        keeping(best.accept(case, "step", FAILS))
    keeping.write()
    assert (tmp_path / "out").read_bytes() == b"less"


def test_an_input_that_takes_long_to_write_is_not_written_where_it_is_the_result(tmp_path: Path) -> None:
    best: Best[bytes] = Best()
    keeping = results(tmp_path, [], best)
    keeping.stores[Outcome.FAIL].seconds_between_writes = 60.0
    keeping(best.accept(b"folder", "input", FAILS, StepKind.INPUT))
    keeping.write(at_once=True)
    assert list(tmp_path.iterdir()) == []
    keeping(best.accept(b"input", "input", FAILS))
    keeping.write(at_once=True)
    assert (tmp_path / "out").read_bytes() == b"input"


def test_a_source_that_changes_meanwhile_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"input")
    told: list[str] = []
    keeping = results(tmp_path, told, Best())
    (tmp_path / "in").write_bytes(b"changed!")
    for size in (5, 4):
        keeping._looked = 0.0
        keeping(Accepted(b"x" * size, size, "step"))
    assert len(told) == 1
    assert f"another process changed {tmp_path / 'in'}" in told[0]
