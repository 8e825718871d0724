"""Python callables as oracles."""

from __future__ import annotations

from typing import Any

import pytest

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError
from minrepro.oracles.function import FunctionOracle


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (True, Outcome.FAIL),
        (False, Outcome.PASS),
        (Outcome.UNRESOLVED, Outcome.UNRESOLVED),
        (Verdict(Outcome.FAIL, "as seen"), Outcome.FAIL),
    ],
)
def test_bools_outcomes_and_verdicts_are_understood(answer: Any, outcome: Outcome) -> None:
    assert FunctionOracle(lambda case: answer)(b"").outcome is outcome


def test_a_verdict_keeps_its_reason_and_its_seconds() -> None:
    verdict = Verdict(Outcome.FAIL, "as seen", seconds=3)
    assert FunctionOracle(lambda case: verdict)(b"") == verdict


def test_the_time_of_the_call_is_noted() -> None:
    assert FunctionOracle(lambda case: Verdict(Outcome.PASS, "quick"))(b"").seconds > 0


def test_the_function_is_given_the_case() -> None:
    assert FunctionOracle(lambda case: case == b"this")(b"this").outcome is Outcome.FAIL


def test_an_exception_ends_the_run_and_is_named() -> None:
    def check(case: bytes) -> bool:
        raise KeyError("colour")

    with pytest.raises(CheckError, match=r"KeyError: 'colour'") as caught:
        FunctionOracle(check)(b"")
    assert isinstance(caught.value.__cause__, KeyError)


def test_chosen_exceptions_count_as_unresolved() -> None:
    def check(case: bytes) -> bool:
        raise ValueError("not a number:\n x")

    verdict = FunctionOracle(check, unresolved=(ValueError,))(b"")
    assert verdict.outcome is Outcome.UNRESOLVED
    assert verdict.reason == "ValueError: not a number: x"


def test_other_exceptions_than_the_chosen_ones_still_end_the_run() -> None:
    def check(case: bytes) -> bool:
        raise KeyError("colour")

    with pytest.raises(CheckError, match="KeyError"):
        FunctionOracle(check, unresolved=(ValueError,))(b"")


@pytest.mark.parametrize("answer", [None, 1, "yes", []])
def test_any_other_answer_is_refused(answer: Any) -> None:
    with pytest.raises(CheckError, match=type(answer).__name__):
        FunctionOracle(lambda case: answer)(b"")
