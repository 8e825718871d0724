"""The failing command as oracle: what it takes to be the same failure."""

from __future__ import annotations

import re
import signal
from typing import Any

import pytest

from minrepro.core.invocations import ProcessEnd
from minrepro.core.verdicts import Outcome
from minrepro.errors import CheckError
from minrepro.oracles.deriving import Observed, failure_of, possible_failures
from minrepro.oracles.diagnostics import Context
from minrepro.oracles.failure import FailureOracle, FailureSpec, crash_of
from minrepro.oracles.scenario import NOTE, Command, Scenario

CONTEXT = Context.of(b"int f() { return alpha; }", ["bug.c"])
ASSERTION = b"tool: rank.c:13: put: Assertion `n < an' failed.\n"


def ending(status: int, stderr: bytes = b"", stdout: bytes = b"") -> ProcessEnd:
    return ProcessEnd(status, 0.1, stdout, stderr)


def derived(*endings: ProcessEnd, context: Context = CONTEXT, allow_others: bool = False) -> FailureSpec:
    observed = Observed(endings, {})
    possible = possible_failures(observed, context)
    return failure_of(observed, possible[0] if possible else None, context, allow_others=allow_others)


def oracle(failure: FailureSpec, scenario: Scenario | None = None) -> FailureOracle:
    return FailureOracle(
        scenario or Scenario(Command.of_words(["true", "@@"], lambda word: None)), failure, "{folder}/bug.c", files
    )


def files(case: Any) -> dict[str, Any]:
    return {"bug.c": case}


def test_the_signal_and_the_message_must_both_be_the_same() -> None:
    judge = oracle(derived(ending(-signal.SIGABRT, ASSERTION))).judge
    assert judge(ending(-signal.SIGABRT, ASSERTION)).outcome is Outcome.FAIL
    assert judge(ending(134, b"Warning\n" + ASSERTION)).outcome is Outcome.FAIL
    assert judge(ending(-signal.SIGABRT, b"free(): invalid pointer\n")).outcome is Outcome.UNRESOLVED
    assert judge(ending(-signal.SIGSEGV, ASSERTION)).outcome is Outcome.UNRESOLVED
    assert judge(ending(0)).outcome is Outcome.PASS


def test_the_exit_status_must_stay() -> None:
    judge = oracle(derived(ending(3, b"panic! (the 'impossible' happened)\n"))).judge
    assert judge(ending(3, b"panic! (the 'impossible' happened)\n")).outcome is Outcome.FAIL
    assert judge(ending(7, b"panic! (the 'impossible' happened)\n")).outcome is Outcome.UNRESOLVED
    assert judge(ending(0, b"panic! (the 'impossible' happened)\n")).outcome is Outcome.PASS


def test_a_crash_that_is_told_with_exit_status_0_counts() -> None:
    judge = oracle(derived(ending(0, b"panicked at 'no', src/a.rs:1:2\n"))).judge
    assert judge(ending(0, b"panicked at 'no', src/a.rs:1:2\n")).outcome is Outcome.FAIL
    assert judge(ending(0, b"fine\n")).outcome is Outcome.PASS


def test_without_a_message_the_exit_status_decides() -> None:
    judge = oracle(derived(ending(3))).judge
    assert judge(ending(3)).outcome is Outcome.FAIL
    assert judge(ending(4)).outcome is Outcome.UNRESOLVED


def test_an_error_that_the_input_does_not_show_is_another_failure() -> None:
    broken = b"bug.c:1:2: internal compiler error: in pop, at cp/name.cc:51\n"
    judge = oracle(derived(ending(1, broken))).judge
    assert judge(ending(1, broken)).outcome is Outcome.FAIL
    verdict = judge(ending(1, b"bug.c:1:1: error: expected ';'\n" + broken))
    assert (verdict.outcome, "another error first: bug.c:1:1: error" in verdict.reason) == (Outcome.UNRESOLVED, True)
    tolerant = oracle(derived(ending(1, broken), allow_others=True)).judge
    assert tolerant(ending(1, b"bug.c:1:1: error: expected ')'\n" + broken)).outcome is Outcome.FAIL


def test_an_error_may_not_become_more_frequent() -> None:
    error = b"bug.c:1:2: error: 'alpha' undeclared\n"
    judge = oracle(derived(ending(1, error + b"bug.c:9:9: error: 'beta' undeclared\n"))).judge
    assert judge(ending(1, error)).outcome is Outcome.FAIL
    assert judge(ending(1, error + error)).outcome is Outcome.UNRESOLVED


def test_a_message_about_another_thing_is_another_failure() -> None:
    judge = oracle(derived(ending(1, b"ld: bug.c: undefined reference to `alpha'\n"))).judge
    assert judge(ending(1, b"ld: bug.c: undefined reference to `alpha'\n")).outcome is Outcome.FAIL
    assert judge(ending(1, b"ld: bug.c: undefined reference to `main'\n")).outcome is Outcome.UNRESOLVED


def test_the_place_in_the_program_counts_and_that_in_the_candidate_does_not() -> None:
    frames = "Traceback (most recent call last):\n  File \"/p/load.py\", line {}, in read\nKeyError: 'a'\n"
    context = Context.of(b"a", ["data.csv"], ["/p"])
    judge = oracle(derived(ending(1, frames.format(14).encode()), context=context)).judge
    assert judge(ending(1, frames.format(14).encode())).outcome is Outcome.FAIL
    assert judge(ending(1, frames.format(15).encode())).outcome is Outcome.UNRESOLVED
    own = oracle(derived(ending(1, frames.format(14).encode()), context=Context.of(b"a", ["load.py"], ["/p"]))).judge
    assert own(ending(1, frames.format(3).encode())).outcome is Outcome.FAIL


def test_what_differs_from_run_to_run_does_not_count() -> None:
    one, other = (f"panic: oh\n\ngoroutine 1 [running]:\nx/tool.{name}(0x1)\n\ta.go:1\n".encode() for name in "fg")
    failure = derived(ending(2, one), ending(2, other))
    assert [fragment.text for fragment in failure.required] == ["panic: oh"]
    named = derived(ending(1, b"error: job 8f31c2aa91 is lost\n"), ending(1, b"error: job kq77zt is lost\n"))
    assert named.difference(ending(1, b"error: job hh8812 is lost\n")) == ""
    assert named.difference(ending(1, b"error: the queue is full\n")) != ""


def test_another_command_must_still_succeed() -> None:
    true = Command.of_words(["true", "@@"], lambda word: None)
    scenario = Scenario(true, whiles=(true,))
    judge = oracle(FailureSpec(status=3), scenario).judge
    assert judge(ending(3)).outcome is Outcome.FAIL
    verdict = oracle(FailureSpec(required=(CONTEXT.fragment("panic"),)), scenario).judge(
        ending(125, f"panic\n{NOTE} while 0\n".encode())
    )
    assert (verdict.outcome, verdict.reason) == (Outcome.UNRESOLVED, "fails: true @@")


def test_two_outputs_must_differ_and_both_commands_end_as_before() -> None:
    judge = oracle(FailureSpec(statuses=(0, 1))).judge
    assert judge(ending(0, f"{NOTE} differ 0 1\n".encode())).outcome is Outcome.FAIL
    assert judge(ending(0, f"{NOTE} differ 0 0\n".encode())).outcome is Outcome.PASS
    assert judge(ending(0, f"{NOTE} same 0 1\n".encode())).outcome is Outcome.PASS


def test_a_timeout_is_unresolved_and_trouble_is_told() -> None:
    judge = oracle(FailureSpec(status=1)).judge
    assert judge(ProcessEnd(-9, 5.0, limit=5.0)).outcome is Outcome.UNRESOLVED
    with pytest.raises(CheckError):
        judge(ProcessEnd(127, 0.0, trouble="EACCES: Permission denied"))


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
    failure = FailureSpec(stdout=("^abc$",))
    assert failure.difference(ending(0, stdout=b"x\nabc\n")) == ""
    assert failure.difference(ending(0, stderr=b"abc\n")) == "another message"
    assert re.compile(failure.stdout[0])
