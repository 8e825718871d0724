"""The toolkit as functions."""

from __future__ import annotations

import asyncio
import doctest
import subprocess
import sys
import textwrap
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest

import minrepro
from minrepro import (
    Budget,
    CheckError,
    DdminOptions,
    NotFailing,
    Outcome,
    Progress,
    UsageError,
    Verdict,
    api,
    explain,
    isolate,
    reduce,
)
from minrepro.algorithms.algorithm_registry import LIST_ALGORITHMS
from minrepro.core.events import RunEvent, Started


def test_every_public_name_is_there() -> None:
    for name in minrepro.__all__:
        assert getattr(minrepro, name) is not None


def test_text_is_reduced_by_lines_and_then_by_characters() -> None:
    text = "first line\nsecond with a needle in it\nthird\n"
    result = reduce(text, lambda text: "needle" in text, algorithm="grouping")
    assert result.case == "needle"
    assert result.finished


def test_bytes_stay_bytes() -> None:
    assert reduce(b"\xff\x00needle\n\r\n", lambda data: b"\x00n" in data).case == b"\x00n"


def test_text_with_lone_surrogates_is_no_trouble() -> None:
    assert reduce("a\ud800b€", lambda text: "\ud800" in text, units="characters").case == "\ud800"


def test_any_sequence_can_be_reduced_also_of_units_that_cannot_be_hashed() -> None:
    units = [{"n": n} for n in range(10)]
    result = reduce(units, lambda chosen: {"n": 3} in chosen and {"n": 7} in chosen)
    assert result.case == [{"n": 3}, {"n": 7}]


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

    assert reduce("abxc", outcome, minify=True).case == reduce("abxc", verdict, minify=True).case == "x"


def test_options_of_ddmin_can_be_given() -> None:
    options = DdminOptions(factor=4, split="balanced", reduce="complements only", complement_order="random", seed=3)
    assert reduce(range(20), lambda chosen: 13 in chosen, algorithm="ddmin", options=options).case == (13,)


def test_a_budget_gives_the_best_so_far() -> None:
    result = reduce(range(1000), lambda chosen: 13 in chosen, budget=Budget(tests=5))
    assert not result.finished
    assert 13 in result.case
    assert len(result.case) < 1000


def test_listeners_hear_what_happens() -> None:
    heard: list[RunEvent] = []
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


# What follows is about data of all kinds, and about where checks run.


@dataclass
class Order:
    number: int
    note: str = ""


PROGRAM = """import os
import sys


def helper(value):
    return [value, value + 1]


class Shop:
    def total(self, items):
        return sum(item / 0 for item in items)


print(helper(3), os.name, sys.argv)
"""


def divides_by_zero(text: str) -> bool:
    try:
        compile(text, "bug.py", "exec")
    except (SyntaxError, ValueError):
        return False
    return "/ 0" in text


def squares(numbers: list[int]) -> bool:
    return sum(number * number for number in numbers) > 100


def test_the_examples_of_the_docstrings_run() -> None:
    failed, attempted = doctest.testmod(api)
    assert attempted >= 8
    assert failed == 0


def test_text_goes_through_the_default_reducer_with_its_language() -> None:
    by_path = reduce(PROGRAM, divides_by_zero, path="bug.py")
    by_language = reduce(PROGRAM, divides_by_zero, language="python")
    assert by_path.reduced == by_language.reduced
    assert divides_by_zero(by_path.reduced)
    assert len(by_path.reduced) < 12
    assert reduce(PROGRAM.encode(), lambda data: divides_by_zero(data.decode()), path="bug.py").reduced.decode() == (
        by_path.reduced
    )


@pytest.mark.parametrize("workers", [1, 3])
def test_how_fast_a_check_is_makes_no_difference(workers: int) -> None:
    def slow(text: str) -> bool:
        time.sleep(0.002 + 0.004 * (len(text) % 3))
        return divides_by_zero(text)

    quick = reduce(PROGRAM, divides_by_zero, path="bug.py", workers=workers)
    other = reduce(PROGRAM, slow, path="bug.py", workers=workers)
    assert other.reduced == quick.reduced
    assert other.stats.checks == quick.stats.checks
    assert other.stats.outcomes == quick.stats.outcomes


def test_the_same_check_asks_for_the_same_candidates_every_time() -> None:
    def asked() -> list[str]:
        seen: list[str] = []

        def check(text: str) -> bool:
            seen.append(text)
            return divides_by_zero(text)

        reduce(PROGRAM, check, path="bug.py")
        return seen

    assert asked() == asked()


@pytest.mark.parametrize(
    "text", ["größe 🙂\n" * 20 + "ß🙂 needle\n", "\ud800a\udfff needle \ude00\n", "naïve\x00 needle"]
)
@pytest.mark.parametrize("minify", [False, True])
def test_a_check_of_text_never_sees_half_a_character(text: str, minify: bool) -> None:
    def check(candidate: str) -> bool:
        assert isinstance(candidate, str)
        assert set(candidate) <= set(text) | {"\x00", "a", "0"}
        return "needle" in candidate

    result = reduce(text, check, minify=minify)
    assert "needle" in result.reduced
    assert len(result.reduced) < len(text)


def test_bytes_are_reduced_as_bytes_whatever_they_are() -> None:
    data = bytes(range(256)) * 4
    assert reduce(data, lambda candidate: b"\x80\x81" in candidate, minify=True).reduced == b"\x80\x81"


def test_sequences_keep_the_type_that_they_were_given_as() -> None:
    def check(chosen: Sequence[int]) -> bool:
        return 5 in chosen

    def is_list(chosen: list[int]) -> bool:
        assert type(chosen) is list
        chosen.append(0)  # a candidate of its own
        return 5 in chosen

    assert reduce([4, 5, 6], is_list).reduced == [5]
    assert reduce((4, 5, 6), check).reduced == (5,)
    assert reduce(range(10), check).reduced == (5,)
    assert reduce(deque([4, 5]), check).reduced == (5,)


def test_nested_data_is_reduced_with_its_structure() -> None:
    order = {"id": 77, "lines": [Order(1, "x"), Order(25, "gift for Bob")], "tags": {"a", "b"}}

    def check(candidate: dict[str, Any]) -> bool:
        return any("Bob" in line.note for line in candidate.get("lines", ()))

    assert reduce(order, check).reduced == {"lines": [Order(0, "Bob")]}
    assert reduce(Order(300, "text"), lambda o: o.number > 99).reduced == Order(100)
    assert reduce({3, 4, 5}, lambda s: 4 in s).reduced == {4}
    assert reduce(4321, lambda n: n > 20).reduced == 21


def test_a_list_is_taken_apart_when_its_structure_is_asked_for() -> None:
    rows: list[dict[str, Any]] = [{"a": 1, "b": [1, 2]}, {"a": 2}]

    def check(candidate: list[dict[str, Any]]) -> bool:
        return any("b" in row for row in candidate)

    assert reduce(rows, check).reduced == [{"a": 1, "b": [1, 2]}]
    assert reduce(rows, check, structure=True).reduced == [{"b": []}]


@pytest.mark.processes
@pytest.mark.parametrize("data", [list(range(40)), {"a": list(range(12)), "b": "text"}, b"one two three four " * 4])
def test_worker_processes_give_the_same_as_one_thread(data: Any) -> None:
    def check(candidate: Any) -> bool:
        return "3" in repr(candidate) or b"three" in candidate

    one = reduce(data, check)
    assert reduce(data, check, workers_in="processes").reduced == one.reduced
    assert reduce(list(range(40)), squares, workers=3, workers_in="processes").reduced == (
        reduce(list(range(40)), squares).reduced
    )


def test_an_async_check_is_awaited_several_times_at_once() -> None:
    most = under_way = 0

    async def check(chosen: list[int]) -> bool:
        nonlocal most, under_way
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001)
        under_way -= 1
        return 17 in chosen

    assert reduce(list(range(300)), check, workers=4).reduced == [17]
    assert most > 1


def test_an_object_with_an_async_call_is_an_async_check() -> None:
    class Check:
        async def __call__(self, chosen: list[int]) -> bool:
            return 3 in chosen

    assert reduce([1, 2, 3], Check()).reduced == [3]


@pytest.mark.processes
def test_a_check_that_takes_too_long_leaves_its_candidate_unresolved() -> None:
    def check(chosen: list[int]) -> bool:
        if 5 not in chosen:
            time.sleep(600)
        return 5 in chosen

    result = reduce([4, 5, 6], check, workers_in="processes", timeout=0.3)
    assert result.reduced == [5]
    assert result.stats.outcomes["unresolved"] > 0


def test_an_exception_names_the_candidate_and_the_cause() -> None:
    def check(chosen: list[str]) -> bool:
        if len(chosen) < 3:
            raise KeyError("price")
        return True

    with pytest.raises(CheckError, match=r"KeyError: 'price'\nfor the candidate \[.*length") as caught:
        reduce(list("abcdef"), check)
    assert isinstance(caught.value.__cause__, KeyError)


def test_exceptions_that_mean_it_cannot_tell_are_unresolved() -> None:
    def check(chosen: list[str]) -> bool:
        if "a" not in chosen:
            raise KeyError("a")
        return "c" in chosen

    result = reduce(list("abcdef"), check, unresolved=(KeyError,))
    assert result.reduced == ["a", "c"]
    assert result.stats.outcomes["unresolved"] > 0


@pytest.mark.parametrize("data", [list(range(100)), {"rows": list(range(100))}, "".join(f"{n}\n" for n in range(100))])
def test_an_interruption_gives_the_best_so_far(data: Any) -> None:
    calls = 0

    def check(candidate: Any) -> bool:
        nonlocal calls
        calls += 1
        if calls == 8:
            raise KeyboardInterrupt
        return "77" in str(candidate)

    result = reduce(data, check)
    assert result.stop_reason == "interrupted"
    assert not result.finished
    assert "77" in str(result.reduced)
    assert len(str(result.reduced)) < len(str(data))


def test_an_interruption_before_the_first_answer_is_passed_on() -> None:
    def check(candidate: str) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reduce("abc", check)


def test_progress_is_told_after_each_check() -> None:
    told: list[Progress[list[int]]] = []
    result = reduce(list(range(50)), lambda chosen: 7 in chosen, progress=told.append)
    assert told[-1].best == [7]
    assert told[-1].checks == result.stats.checks
    assert all(later.size <= earlier.size for earlier, later in pairwise(told))
    assert told[0].original_size == 50
    assert "50" in repr(told[0])


def test_progress_of_text_shows_text() -> None:
    told: list[Progress[str]] = []
    reduce("ü one\ntwo\n", lambda text: "ü" in text, progress=told.append)
    assert all(isinstance(progress.best, str) for progress in told)


def test_a_result_tells_what_was_done() -> None:
    result = reduce(list(range(64)), lambda chosen: 3 in chosen and 50 in chosen)
    assert result.finished
    assert result.stop_reason == "finished"
    assert sum(result.stats.outcomes.values()) == result.stats.checks
    assert result.stats.accepted > 0
    assert result.seconds > 0
    assert result.stats.warnings == ()
    assert "accepts every input" in reduce([1, 2], lambda chosen: True).stats.warnings[0]


def test_what_cannot_apply_is_refused_with_a_reason() -> None:
    def check(data: Any) -> bool:
        return True

    refused: list[tuple[Any, dict[str, Any], str]] = [
        ([1, 2], {"path": "x.py"}, "are for bytes and text"),
        ({"a": 1}, {"algorithm": "ddmin"}, "algorithms are for sequences"),
        ("ab", {"algorithm": "ddmin", "language": "python"}, "default reducer"),
        ("ab", {"structure": True}, "no structure"),
        ("ab", {"timeout": 1.0}, "cannot be stopped"),
        ("ab", {"workers": 0}, "0 workers"),
        ("ab", {"timeout": 0.0, "workers_in": "processes"}, "within 0 seconds"),
    ]
    for data, options, reason in refused:
        with pytest.raises(UsageError, match=reason):
            reduce(data, check, **options)

    async def awaited(data: Any) -> bool:
        return True

    with pytest.raises(UsageError, match="event loop"):
        reduce("ab", awaited, workers_in="processes")


def test_isolation_of_text_and_bytes_needs_nothing_in_common() -> None:
    works, fails = isolate("x = 1\ny = 2\n", "x = 1\ny = 0\nz = 3\n", lambda text: "= 0" in text)
    assert "= 0" in fails
    assert "= 0" not in works
    assert abs(len(fails) - len(works)) == 1
    assert isolate(b"", b"\xff\x00\n", lambda data: b"\xff" in data, units="bytes") == (b"", b"\xff")
    with pytest.raises(UsageError, match="only be compared"):
        isolate(b"", "a", lambda data: True)


def test_an_explanation_speaks_of_text_in_characters() -> None:
    found = explain("ü = 10 / 0", lambda text: "/ 0" in text, language="python")
    assert found.content == "ü = 10 / 0"
    assert all(found.content[part.start : part.end] == part.content for part in found.parts)
    assert [part.content for part in found.parts if part.needed] == ["/", "0"]
    assert found.passing is not None
    assert "/ 0" not in found.passing
    assert found.checks > 0
    assert explain(b"1 / 0", lambda data: b"/ 0" in data, path="a.py").parts[0].content == b"1"
    with pytest.raises(NotFailing):
        explain("abc", lambda text: False)


@pytest.mark.processes
def test_importing_the_package_loads_nothing_and_lists_need_no_grammar() -> None:
    script = """
        import sys
        import minrepro
        assert not any(name.startswith("minrepro.") for name in sys.modules), sorted(sys.modules)
        minrepro.reduce([1, 2, 3], lambda chosen: 2 in chosen)
        minrepro.reduce({"a": 1}, lambda chosen: "a" in chosen)
        assert not any(name.startswith(("tree_sitter", "rich", "asyncio", "multiprocessing")) for name in sys.modules)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)
