from __future__ import annotations

import pytest

from minrepro.core.invocations import ProcessEnd
from minrepro.core.verdicts import Outcome
from minrepro.oracles.command import CommandOracle
from minrepro.oracles.stop_marker import TraceCheck, stopped_at
from minrepro.traces.json_lines import write
from minrepro.traces.user_events import Entry, Trace
from tests.traces.cart import event


def check() -> TraceCheck[Trace]:
    def render(trace: Trace) -> bytes:
        return write(Entry(event, None) for event in trace).encode()

    return TraceCheck(CommandOracle(["true"], "trace.jsonl"), render)


def test_the_check_finds_the_trace_in_a_file() -> None:
    invocation = check().invocation((event("add", 1), event("empty")))
    assert invocation.files == {"trace.jsonl": b'{"event": "add", "args": [1]}\n{"event": "empty"}\n'}
    assert invocation.argv[-1] == "{folder}/trace.jsonl"


def test_a_check_may_say_which_events_it_left_out() -> None:
    verdict = check().judge(ProcessEnd(0, 0.1, stdout=b"minrepro: skipped 2 5\nminrepro: event 7\n"))
    assert (verdict.outcome, verdict.stopped_at, verdict.skipped) == (Outcome.FAIL, 7, (1, 4))
    assert check().judge(ProcessEnd(1, 0.1, stderr=b"minrepro: skipped 3\n")).skipped == (2,)
    assert check().judge(ProcessEnd(0, 0.1, stdout=b"minrepro: skipped 0 x\n")).skipped == ()


@pytest.mark.parametrize(
    ("status", "output", "outcome", "fired"),
    [
        (0, b"replaying\nminrepro: event 3\n", Outcome.FAIL, 3),
        (0, b"minrepro: event 3\nbye\n", Outcome.FAIL, None),
        (0, b"minrepro: event 0\n", Outcome.FAIL, None),
        (125, b"minrepro: event 1", Outcome.UNRESOLVED, 1),
        (1, b"minrepro: event 2\n", Outcome.PASS, None),
        (-11, b"", Outcome.UNRESOLVED, None),
    ],
)
def test_status_and_last_line_make_the_verdict(status: int, output: bytes, outcome: Outcome, fired: int | None) -> None:
    verdict = check().judge(ProcessEnd(status, 0.1, stdout=output))
    assert (verdict.outcome, verdict.stopped_at) == (outcome, fired)


def test_a_check_that_hangs_is_unresolved() -> None:
    verdict = check().judge(ProcessEnd(-9, 5.0, limit=5.0))
    assert (verdict.outcome, verdict.limit) == (Outcome.UNRESOLVED, 5.0)


def test_the_last_line_may_stand_on_standard_error() -> None:
    assert stopped_at(ProcessEnd(0, 0.1, stdout=b"hello\n", stderr=b"minrepro: event 12\n")) == 12
