"""The failing command as oracle: what it takes to be the same failure."""

from __future__ import annotations

import re
import signal
from typing import Any

import pytest

from minrepro.errors import CheckError
from minrepro.invocations import Ending
from minrepro.oracles.failure import Failure, FailureOracle, crash_of, derived
from minrepro.oracles.patterns import Known
from minrepro.oracles.scenario import NOTE, Command, Scenario
from minrepro.search import Outcome

KNOWN = Known.of(b"int f() { return alpha; }", ["bug.c"])
ASSERTION = b"tool: rank.c:13: put: Assertion `n < an' failed.\n"


def ending(status: int, stderr: bytes = b"", stdout: bytes = b"") -> Ending:
    return Ending(status, 0.1, stdout, stderr)


def failure_of(*endings: Ending) -> Failure:
    failure = derived(endings, KNOWN)
    assert failure is not None
    return failure


def oracle(failure: Failure, scenario: Scenario | None = None) -> FailureOracle:
    return FailureOracle(
        scenario or Scenario(Command.of_words(["true", "@@"], lambda word: None)), failure, "{folder}/bug.c", files
    )


def files(case: Any) -> dict[str, Any]:
    return {"bug.c": case}


def test_the_signal_and_the_message_must_both_be_the_same() -> None:
    judge = oracle(failure_of(ending(-signal.SIGABRT, ASSERTION))).judge
    assert judge(ending(-signal.SIGABRT, ASSERTION)).outcome is Outcome.FAIL
    assert judge(ending(134, b"Warning\n" + ASSERTION)).outcome is Outcome.FAIL
    assert judge(ending(-signal.SIGABRT, b"free(): invalid pointer\n")).outcome is Outcome.UNRESOLVED
    assert judge(ending(-signal.SIGSEGV, ASSERTION)).outcome is Outcome.UNRESOLVED
    assert judge(ending(0)).outcome is Outcome.PASS


def test_with_a_message_any_exit_status_but_success_will_do() -> None:
    judge = oracle(failure_of(ending(3, b"panic! (the 'impossible' happened)\n"))).judge
    assert judge(ending(7, b"panic! (the 'impossible' happened)\n")).outcome is Outcome.FAIL
    assert judge(ending(0, b"panic! (the 'impossible' happened)\n")).outcome is Outcome.PASS


def test_a_crash_that_is_told_with_exit_status_0_counts() -> None:
    judge = oracle(failure_of(ending(0, b"panicked at 'no', src/a.rs:1:2\n"))).judge
    assert judge(ending(0, b"panicked at 'no', src/a.rs:1:2\n")).outcome is Outcome.FAIL
    assert judge(ending(0, b"fine\n")).outcome is Outcome.PASS


def test_without_a_message_the_exit_status_decides() -> None:
    judge = oracle(failure_of(ending(3, b"oh\n"))).judge
    assert judge(ending(3)).outcome is Outcome.FAIL
    assert judge(ending(4)).outcome is Outcome.UNRESOLVED


def test_a_bare_crash_is_known_by_the_last_error_before_it() -> None:
    judge = oracle(failure_of(ending(139, b"bug.c:3: Errors in table\nSegmentation fault\n"))).judge
    assert judge(ending(139, b"bug.c:99: Errors in table\nSegmentation fault\n")).outcome is Outcome.FAIL
    assert judge(ending(139, b"Segmentation fault\n")).outcome is Outcome.UNRESOLVED


def test_a_compiler_that_broke_down_on_valid_input_may_not_complain_about_a_candidate() -> None:
    broken = b"bug.c:1:2: internal compiler error: in pop, at cp/name.cc:51\n"
    judge = oracle(failure_of(ending(1, broken))).judge
    assert judge(ending(1, broken)).outcome is Outcome.FAIL
    assert judge(ending(1, b"bug.c:1:1: error: expected ';'\n" + broken)).outcome is Outcome.UNRESOLVED
    tolerant = oracle(failure_of(ending(1, b"bug.c:1:1: error: expected ';'\n" + broken))).judge
    assert tolerant(ending(1, b"bug.c:1:1: error: expected ')'\n" + broken)).outcome is Outcome.FAIL


def test_the_class_of_an_exception_is_never_left_open() -> None:
    known = Known.of(b"raise TypeError", ["a.py"])
    failure = derived([ending(1, b"Traceback (most recent call last):\nTypeError: no\n")], known)
    assert failure is not None and failure.messages == ("TypeError: no",)


def test_what_differs_from_run_to_run_does_not_count() -> None:
    one, other = (f"panic: oh\n\ngoroutine 1 [running]:\nx/tool.{name}(0x1)\n\ta.go:1\n".encode() for name in "fg")
    failure = failure_of(ending(2, one), ending(2, other))
    assert failure.messages == ("panic: oh",)


def test_runs_that_fail_in_different_ways_have_nothing_in_common() -> None:
    assert derived([ending(1), ending(2)], KNOWN) is None
    assert derived([ending(1), ending(0)], KNOWN) is None
    assert derived([ending(-11), ending(-6)], KNOWN) is None


def test_success_is_no_failure_whatever_it_complains_about() -> None:
    assert derived([ending(0, b"a.c:1: error: no\n")], KNOWN) is None


def test_another_command_must_still_succeed() -> None:
    true = Command.of_words(["true", "@@"], lambda word: None)
    scenario = Scenario(true, whiles=(true,))
    judge = oracle(Failure(status=3), scenario).judge
    assert judge(ending(3)).outcome is Outcome.FAIL
    verdict = oracle(Failure(messages=("panic",)), scenario).judge(ending(125, f"panic\n{NOTE} while 0\n".encode()))
    assert (verdict.outcome, verdict.reason) == (Outcome.UNRESOLVED, "fails: true @@")


def test_two_outputs_must_differ_and_both_commands_end_as_before() -> None:
    judge = oracle(Failure(statuses=(0, 1))).judge
    assert judge(ending(0, f"{NOTE} differ 0 1\n".encode())).outcome is Outcome.FAIL
    assert judge(ending(0, f"{NOTE} differ 0 0\n".encode())).outcome is Outcome.PASS
    assert judge(ending(0, f"{NOTE} same 0 1\n".encode())).outcome is Outcome.PASS


def test_a_time_out_is_unresolved_and_trouble_is_told() -> None:
    judge = oracle(Failure(status=1)).judge
    assert judge(Ending(-9, 5.0, limit=5.0)).outcome is Outcome.UNRESOLVED
    with pytest.raises(CheckError):
        judge(Ending(127, 0.0, trouble="EACCES: Permission denied"))


def test_an_exit_status_of_a_shell_that_tells_of_a_signal_counts_as_the_signal() -> None:
    assert [crash_of(status) for status in (-11, 139, 134, 1, 129, -2)] == [
        "SIGSEGV",
        "SIGSEGV",
        "SIGABRT",
        "",
        "",
        "SIGINT",
    ]


def test_a_stated_pattern_must_match_the_output_it_speaks_of() -> None:
    failure = Failure(stdout=("^abc$",))
    assert failure.difference(ending(0, stdout=b"x\nabc\n")) == ""
    assert failure.difference(ending(0, stderr=b"abc\n")) == "another message"
    assert re.compile(failure.stdout[0])
