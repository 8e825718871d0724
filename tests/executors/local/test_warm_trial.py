"""When checks are warm: the input and five candidates end alike both ways, and much faster in a loaded program."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from minrepro.core.invocations import ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.core.view import COPY, View
from minrepro.executors.local.warm_runner import COLD, LEARN, TRY, WARM
from minrepro.executors.local.warm_trial import CANDIDATES, WarmTrial, differing, why_not_warm

LEARNT = ((("json", "/json.py"),), ())
WORDS = ("python3", "x.py")


def ended(
    seconds: float, status: int = 1, text: bytes = b"", outcome: Outcome = Outcome.FAIL
) -> tuple[ProcessEnd, Verdict]:
    return ProcessEnd(status, seconds, text), Verdict(outcome, "", seconds)


def tried(trial: WarmTrial, warm: float, candidates: int = CANDIDATES) -> None:
    """Have the input and some candidates run both ways."""
    for number in range(candidates + 1):
        assert trial.how(number, WORDS) == (TRY if number else LEARN)
        trial.compare("", None if number else LEARNT, ended(1.0), ended(warm))


def test_checks_are_warm_after_the_input_and_five_candidates() -> None:
    told: list[str] = []
    trial = WarmTrial("auto", told.append, "tool")
    tried(trial, 0.25)
    assert trial.on
    assert told == ["checks are warm: tool stays loaded, which makes them 4.0 times as fast"]
    assert trial.how("another", WORDS) == WARM
    with trial.fresh():
        assert trial.how("the result", WORDS) == COLD


def test_what_is_hardly_faster_is_left_alone_unless_asked_for() -> None:
    told: list[str] = []
    tried(trial := WarmTrial("auto", told.append, "tool"), 0.7)
    assert not trial.on
    assert told == ["checks run in fresh processes: tool that stays loaded is only 1.4 times as fast"]
    assert trial.how("another", WORDS) == COLD
    tried(asked := WarmTrial("on", told.append), 0.7)
    assert asked.on


def test_while_something_is_found_out_other_candidates_are_run_by_fresh_processes() -> None:
    trial = WarmTrial("auto", print)
    assert [trial.how(number, WORDS) for number in range(3)] == [LEARN, COLD, COLD]
    trial.compare("", LEARNT, ended(1.0), ended(0.1))
    assert [trial.how(number, WORDS) for number in range(3, 10)] == [TRY] * CANDIDATES + [COLD, COLD]


def test_the_same_candidate_is_not_tried_twice_nor_another_program() -> None:
    trial = WarmTrial("auto", print)
    tried(trial, 0.1, candidates=1)
    assert trial.how(1, WORDS) == COLD
    assert trial.how(2, ("true",)) == COLD
    assert trial.how(2, WORDS) == TRY


@pytest.mark.parametrize(
    ("warm", "reason"),
    [
        (ended(0.1, outcome=Outcome.PASS), "another outcome"),
        (ended(0.1, status=2), "another exit status"),
        (ended(0.1, text=b"other"), "prints something else"),
    ],
)
def test_one_check_that_ends_otherwise_turns_them_off(warm: tuple[ProcessEnd, Verdict], reason: str) -> None:
    told: list[str] = []
    trial = WarmTrial("on", told.append)
    tried(trial, 0.1, candidates=2)
    trial.how(9, WORDS)
    trial.compare("", None, ended(1.0), warm)
    assert trial.how(10, WORDS) == COLD
    assert reason in told[0]


def test_times_and_addresses_may_differ() -> None:
    one, other = ended(1, text=b"at 0x7f12ab in 0.53 s of 12345"), ended(1, text=b"at 0x7f00cd in 0.01 s of 23456")
    assert differing(one, other) == ""
    assert differing(ended(1, text=b"1 error"), ended(1, text=b"2 errors")) != ""


def test_a_check_that_is_cut_short_or_cancelled_says_nothing() -> None:
    trial = WarmTrial("auto", print)
    assert trial.how(0, WORDS) == LEARN
    trial.compare("", None, None, None)
    assert trial.how(1, WORDS) == LEARN
    trial.compare("", LEARNT, (ProcessEnd(-9, 5.0, limit=5.0), Verdict(Outcome.UNRESOLVED, "")), ended(0.1))
    assert trial.how(2, WORDS) == TRY


def test_python_programs_are_recognized_by_name_and_by_their_first_line(tmp_path: Path) -> None:
    script = tmp_path / "tool"
    script.write_text("#!/usr/bin/env python3\n")
    long = tmp_path / "long"
    long.write_text("#!/bin/sh\n'''exec' /a/long/path/python \"$0\" \"$@\"\n' '''\n")
    shell = tmp_path / "shell"
    shell.write_text("#!/bin/sh\necho hello\necho python\n")
    for path in (script, long, shell):
        path.chmod(0o755)
    for words in ((sys.executable, "x.py"), (str(script),), (str(long),), ("env", "A=b", sys.executable, "-m", "x")):
        assert why_not_warm(words, None) == ""
    for words in ((str(shell),), ("/bin/true",), ("no-such-program",), (sys.executable,), ("env",)):
        assert why_not_warm(words, None) != ""
    assert "ignores" in why_not_warm((sys.executable, "-I", "x.py"), None)
    assert "copy" in why_not_warm((sys.executable, "x.py"), View("/a", ("/a",), kind=COPY))
