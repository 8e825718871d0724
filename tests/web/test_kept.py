"""Verdicts on disk: a reduction that was cut short goes on without the replays it has behind it."""

from __future__ import annotations

from pathlib import Path

from minrepro.search import Outcome, Verdict
from minrepro.web.kept import KeptMemory
from tests.web.test_arguments import trace_of


def test_verdicts_come_back_from_the_file_and_a_torn_line_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    trace = trace_of("#a", "#b", "#c")
    KeptMemory(path).remember(trace[:2], Verdict(Outcome.FAIL, "event 2: it fails", stopped_at=2))
    with path.open("a", encoding="utf-8") as file:
        file.write('[["torn')
    memory = KeptMemory(path)
    memory.restore(trace)
    assert memory.restored == 1
    known = memory.recall(trace)
    assert known is not None and (known.outcome, known.reason) == (Outcome.FAIL, "event 2: it fails")
    memory.forget()
    assert memory.recall(trace) is None
    assert not path.exists()


def test_verdicts_about_another_session_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.jsonl"
    KeptMemory(path).remember(trace_of("#a"), Verdict(Outcome.PASS, stopped_at=1))
    memory = KeptMemory(path)
    memory.restore(trace_of("#other"))
    assert (memory.restored, len(memory)) == (0, 0)
