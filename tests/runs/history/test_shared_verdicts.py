"""Verdicts that runs share: found by content and check, by several writers at once, within a bound."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import OutputError
from minrepro.runs.history import shared_verdicts
from minrepro.runs.history.shared_executor import SharedExecutor
from minrepro.runs.history.shared_verdicts import SharedVerdicts
from minrepro.testing import SimulatedExecutor, fails_if

FAIL, PASS = Verdict(Outcome.FAIL, "exit 0", 0.25, None, "SIGSEGV"), Verdict(Outcome.PASS, "exit 1")
CHECK = {"words": "check", "file check": "abc"}


@pytest.fixture(autouse=True)
def look_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_verdicts, "_SECONDS_BETWEEN_LOOKS", -1.0)


def test_another_run_finds_what_one_has_shared(tmp_path: Path) -> None:
    one, other = SharedVerdicts(tmp_path, CHECK), SharedVerdicts(tmp_path, CHECK)
    one.share("a", FAIL)
    assert other.recall("a", None) == FAIL
    other.share("b", PASS)
    assert one.recall("b", None) == PASS
    assert one.recall("c", None) is None


def test_another_check_finds_nothing(tmp_path: Path) -> None:
    SharedVerdicts(tmp_path, CHECK).share("a", FAIL)
    assert SharedVerdicts(tmp_path, {**CHECK, "file check": "edited"}).recall("a", None) is None


def test_a_time_out_counts_only_for_limits_like_its_own(tmp_path: Path) -> None:
    shared = SharedVerdicts(tmp_path, CHECK)
    shared.share("a", Verdict(Outcome.UNRESOLVED, "time-out", 2.0, 2.0))
    assert shared.recall("a", 2.5) is not None
    assert shared.recall("a", 10.0) is None


def test_half_a_record_of_a_killed_run_is_read_when_it_is_whole(tmp_path: Path) -> None:
    one = SharedVerdicts(tmp_path, CHECK)
    one.share("a", FAIL)
    path = one._file.path
    content = path.read_bytes()
    path.write_bytes(content[:-5])
    other = SharedVerdicts(tmp_path, CHECK)
    assert other.recall("a", None) is None
    path.write_bytes(content)
    assert other.recall("a", None) == FAIL


def test_many_processes_share_at_once(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from minrepro.runs.history.shared_verdicts import SharedVerdicts; "
        "from minrepro.core.verdicts import Outcome, Verdict\n"
        f"shared = SharedVerdicts(Path(sys.argv[1]), {CHECK!r})\n"
        "for i in range(300): shared.share(f'{sys.argv[2]}-{i}', Verdict(Outcome.PASS))"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(n)]) for n in range(4)]
    assert [writer.wait() for writer in writers] == [0] * 4
    shared = SharedVerdicts(tmp_path, CHECK)
    assert all(shared.recall(f"{n}-{i}", None) for n in range(4) for i in range(300))


def test_the_folder_stays_within_its_bound(tmp_path: Path) -> None:
    for run in range(10):
        shared = SharedVerdicts(tmp_path, {"run": str(run)}, bound=40_000)
        for i in range(1000):
            shared.share(f"{i}", PASS)
        shared.close()
    last = SharedVerdicts(tmp_path, {"run": "last"}, bound=40_000)
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= 40_000
    assert SharedVerdicts(tmp_path, {"run": "9"}).recall("0", None) == PASS
    last.close()


def test_many_old_files_become_one(tmp_path: Path) -> None:
    for run in range(70):
        shared = SharedVerdicts(tmp_path, CHECK)
        shared.share(f"{run}", PASS)
        shared.close()
        os.utime(shared._file.path, (1, 1))
    shared = SharedVerdicts(tmp_path, CHECK)
    assert all(shared.recall(f"{run}", None) for run in range(70))
    assert len(list(shared.folder.iterdir())) < 10


def test_a_check_found_flaky_is_shared_no_more(tmp_path: Path) -> None:
    one, other = SharedVerdicts(tmp_path, CHECK), SharedVerdicts(tmp_path, CHECK)
    one.share("a", FAIL)
    assert other.recall("a", None) == FAIL
    one.withdraw()
    assert not other.usable
    assert SharedVerdicts(tmp_path, CHECK).recall("a", None) is None


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot use /proc/nowhere as a cache"):
        SharedVerdicts(tmp_path / "file" / "cache", CHECK)


def test_an_executor_runs_only_what_nobody_has_found_and_a_repeat_always(tmp_path: Path) -> None:
    def run(case: bytes, times: int = 1) -> tuple[int, int]:
        simulated = SimulatedExecutor(fails_if(lambda case: b"x" in case), 2)
        executor = SharedExecutor(simulated, SharedVerdicts(tmp_path, CHECK))
        for _ in range(times):
            job = executor.start(case)
            assert executor.wait([job])[job].outcome is (Outcome.FAIL if b"x" in case else Outcome.PASS)
        return simulated.started, executor.found

    assert run(b"x") == (1, 0)
    assert run(b"x") == (0, 1)
    assert run(b"x", times=3) == (2, 1)
    assert run(b"y") == (1, 0)
