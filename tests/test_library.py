"""The toolkit as functions."""

from __future__ import annotations

import threading
import time

import pytest

import minrepro
from minrepro import Budget, CheckError, DdminOptions, NotFailing, Outcome, UsageError, Verdict, isolate, reduce
from minrepro.algorithms.catalogue import LIST_ALGORITHMS
from minrepro.notices import Notice, Started


def test_every_public_name_is_there() -> None:
    for name in minrepro.__all__:
        assert getattr(minrepro, name) is not None


def test_text_is_reduced_by_lines_and_then_by_characters() -> None:
    result = reduce("first line\nsecond with a needle in it\nthird\n", lambda text: "needle" in text)
    assert result.case == "needle"
    assert result.finished


def test_bytes_stay_bytes() -> None:
    assert reduce(b"\xff\x00needle\n\r\n", lambda data: b"\x00n" in data).case == b"\x00n"


def test_text_with_lone_surrogates_is_no_trouble() -> None:
    assert reduce("a\ud800b€", lambda text: "\ud800" in text, units="characters").case == "\ud800"


def test_any_sequence_can_be_reduced_also_of_units_that_cannot_be_hashed() -> None:
    units = [{"n": n} for n in range(10)]
    result = reduce(units, lambda chosen: {"n": 3} in chosen and {"n": 7} in chosen)
    assert result.case == ({"n": 3}, {"n": 7})


@pytest.mark.parametrize("algorithm", LIST_ALGORITHMS)
@pytest.mark.parametrize("workers", [1, 3])
def test_every_algorithm_gives_the_same_for_any_number_of_workers(algorithm: str, workers: int) -> None:
    result = reduce(range(40), lambda chosen: {5, 31} <= set(chosen), algorithm=algorithm, workers=workers)
    assert result.case == (5, 31)


def test_units_restrict_what_is_removed() -> None:
    text = "ab\ncd\nef\n"
    assert reduce(text, lambda t: "d" in t, units="lines").case == "cd\n"
    assert reduce(text, lambda t: "d" in t, units="characters").case == "d"
    assert reduce("größe".encode(), lambda data: b"\xc3" in data, units="bytes").case == b"\xc3"


def test_a_test_may_answer_with_an_outcome_or_a_verdict() -> None:
    def outcome(text: str) -> Outcome:
        return Outcome.FAIL if "x" in text else Outcome.UNRESOLVED

    def verdict(text: str) -> Verdict:
        return Verdict(outcome(text), "because")

    assert reduce("abxc", outcome).case == reduce("abxc", verdict).case == "x"


def test_options_of_ddmin_can_be_given() -> None:
    options = DdminOptions(factor=4, split="balanced", reduce="complements only", complement_order="random", seed=3)
    assert reduce(range(20), lambda chosen: 13 in chosen, algorithm="ddmin", options=options).case == (13,)


def test_a_budget_gives_the_best_so_far() -> None:
    result = reduce(range(1000), lambda chosen: 13 in chosen, budget=Budget(tests=5))
    assert not result.finished
    assert 13 in result.case
    assert len(result.case) < 1000


def test_listeners_hear_what_happens() -> None:
    heard: list[Notice] = []
    reduce("abc", lambda text: "b" in text, notify=heard.append)
    assert heard[0] == Started(3)


def test_what_does_not_fail_is_refused() -> None:
    with pytest.raises(NotFailing):
        reduce("abc", lambda text: False)


def test_a_test_that_raises_or_answers_nonsense_is_told_of() -> None:
    def raises(text: str) -> bool:
        raise ZeroDivisionError("oh")

    with pytest.raises(CheckError, match="ZeroDivisionError"):
        reduce("abc", raises)
    with pytest.raises(CheckError, match="returned str"):
        reduce("abc", lambda text: "yes")  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("workers", [1, 3])
def test_no_thread_is_left_when_a_test_raises(workers: int) -> None:
    before = threading.active_count()

    def raises_late(chosen: tuple[int, ...]) -> bool:
        if len(chosen) < 10:
            raise ZeroDivisionError
        return True

    with pytest.raises(CheckError):
        reduce(range(40), raises_late, workers=workers)
    deadline = time.monotonic() + 60
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)  # a function that is being called cannot be ended from outside
    assert threading.active_count() <= before  # threads of earlier tests may have ended meanwhile


def test_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(UsageError, match="units"):
        reduce([1, 2], lambda chosen: True, units="lines")  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="encode it first"):
        reduce("ab", lambda text: True, units="bytes")
    with pytest.raises(UsageError, match="a race is for ddmin"):
        reduce("ab", lambda text: True, mode="race")
    with pytest.raises(UsageError, match="unknown algorithm 'magic'"):
        reduce("ab", lambda text: True, algorithm="magic")
    with pytest.raises(UsageError, match="factor"):
        reduce("ab", lambda text: True, algorithm="cdd", options=DdminOptions(factor=3))


def test_isolation_finds_the_unit_that_makes_the_difference() -> None:
    works, fails = isolate([1], [0, 1, 2, 3, 4], lambda chosen: {1, 3} <= set(chosen))
    assert set(fails) - set(works) == {3}
    assert 1 in works


def test_isolation_copes_with_tests_that_cannot_tell() -> None:
    def test(chosen: tuple[str, ...]) -> Outcome:
        if ("a" in chosen) != ("b" in chosen):
            return Outcome.UNRESOLVED
        return Outcome.FAIL if "b" in chosen else Outcome.PASS

    works, fails = isolate("", "xxaxbxx", test)
    assert set(fails) - set(works) == {"a", "b"}


def test_isolation_refuses_a_passing_side_that_is_not_inside_the_failing_one() -> None:
    with pytest.raises(UsageError, match="lacks 9"):
        isolate([9], [1, 2], lambda chosen: True)
