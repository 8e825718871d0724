"""What carrying out plans of edits promises, whatever the oracle, the edits, the workers and their speed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from minrepro.core.edits import Cut, apply
from minrepro.core.units import Unit
from minrepro.core.verdicts import Outcome
from minrepro.engine.merger import Merger
from minrepro.engine.plan import Plan
from minrepro.engine.tester import Tester
from minrepro.testing import SimulatedExecutor

Oracle = Callable[[bytes], Outcome]


@st.composite
def oracles(draw: st.DrawFn) -> tuple[bytes, Oracle]:
    """Draw a content of single letters and an oracle that fails on it, monotone or not, with one cause or several."""
    size = draw(st.integers(1, 14))
    content = bytes(range(97, 97 + size))
    letters = st.sampled_from(list(content))
    causes = draw(st.lists(st.frozensets(letters, max_size=3), min_size=1, max_size=3))
    whims = draw(st.sampled_from([0, 0, 2, 6]))  # of 16 contents that hold a cause, how many do not fail all the same
    salt = draw(st.integers(0, 2**16))

    def test(case: bytes) -> Outcome:
        if case == content:
            return Outcome.FAIL
        if not any(cause <= set(case) for cause in causes):
            return Outcome.PASS
        return Outcome.UNRESOLVED if hash((salt, case)) % 16 < whims else Outcome.FAIL

    return content, test


@st.composite
def edits(draw: st.DrawFn, content: bytes) -> list[list[Unit]]:
    """Draw lists of units: cuts of any span, some with alternatives or smaller units below, some that write letters."""
    position = st.integers(0, len(content) - 1)

    def unit() -> Unit:
        alternatives = []
        for _ in range(draw(st.integers(1, 2))):
            start = draw(position)
            end = draw(st.integers(start + 1, len(content)))
            text = b"A" if end - start > 1 and draw(st.booleans()) else b""
            alternatives.append((Cut(start, end, text),))
        below = None
        if draw(st.integers(0, 3)) == 0:
            lists = [[unit()]]
            below = lambda: lists  # noqa: E731
        return Unit(tuple(alternatives), draw(st.sampled_from([1.0, 2.0, 9.0])), below)

    return [[unit() for _ in range(draw(st.integers(0, 5)))] for _ in range(draw(st.integers(1, 3)))]


def singles(content: bytes) -> list[list[Unit]]:
    return [[Unit(((Cut(i, i + 1),),)) for i in range(len(content))]]


class Bench:
    """A merger on a virtual clock that writes down what it commits."""

    def __init__(self, test: Oracle, workers: int, width: int | None = None, salt: int = 0) -> None:
        self.executor = SimulatedExecutor(test, workers, lambda case: 1 + hash((salt, case)) % 5)
        self.tester = Tester(self.executor)
        self.commits: list[bytes] = []
        self.merger = Merger(self.tester, lambda content, label, verdict: self.commits.append(content), width=width)

    def run(self, content: bytes, propose: Callable[[bytes], list[list[Unit]]], *, thorough: bool = False) -> bytes:
        after = self.merger.carry_out(Plan(propose(content), thorough=thorough), content)
        assert not self.executor.running
        return after

    def minimize(self, content: bytes) -> bytes:
        """Run single cuts until a thorough plan finds nothing."""
        content = self.run(content, singles)
        while (after := self.run(content, singles, thorough=True)) != content:
            content = after
        return content


workers = st.integers(1, 16)


@given(oracles(), st.data(), workers, st.integers(0, 99), st.booleans())
@settings(max_examples=300)
def test_all_that_is_committed_fails_and_is_ever_smaller(
    problem: tuple[bytes, Oracle], data: st.DataObject, workers: int, salt: int, thorough: bool
) -> None:
    content, test = problem
    lists = data.draw(edits(content))
    bench = Bench(test, workers, salt=salt)
    result = bench.run(content, lambda _: lists, thorough=thorough)
    assert all(test(commit) is Outcome.FAIL for commit in bench.commits)
    order = [(len(commit), commit) for commit in [content, *bench.commits]]
    assert all(later < earlier for earlier, later in pairwise(order))
    assert result == (bench.commits or [content])[-1]


@given(oracles(), workers, st.integers(0, 99))
@settings(max_examples=300)
def test_the_final_content_is_1_minimal(problem: tuple[bytes, Oracle], workers: int, salt: int) -> None:
    content, test = problem
    result = Bench(test, workers, salt=salt).minimize(content)
    assert test(result) is Outcome.FAIL
    for i in range(len(result)):
        assert test(apply(result, [Cut(i, i + 1)])) is not Outcome.FAIL


@given(oracles(), st.data(), st.integers(2, 16), st.integers(0, 99))
@settings(max_examples=200)
def test_with_a_fixed_width_the_result_does_not_depend_on_the_workers(
    problem: tuple[bytes, Oracle], data: st.DataObject, workers: int, salt: int
) -> None:
    content, test = problem
    lists = data.draw(edits(content))
    one = Bench(test, 1, width=16)
    many = Bench(test, workers, width=16, salt=salt)
    assert one.run(content, lambda _: lists) == many.run(content, lambda _: lists)
    assert one.commits == many.commits
    assert one.minimize(content) == many.minimize(content)


@given(oracles(), workers)
@settings(max_examples=200)
def test_two_causes_that_exclude_each_other_end_in_one_of_them(problem: tuple[bytes, Oracle], workers: int) -> None:
    content, _ = problem
    first, last = content[:1], content[-1:]

    def either(case: bytes) -> Outcome:
        return Outcome.FAIL if (first in case) != (last in case) or case == content else Outcome.PASS

    result = Bench(either, workers).minimize(content)
    assert either(result) is Outcome.FAIL
    assert len(result) <= 2
