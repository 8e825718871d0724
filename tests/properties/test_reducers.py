"""What the default reducer promises, whatever the document, the oracle, the workers and what becomes of them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from pathlib import PurePath

from hypothesis import given, settings
from hypothesis import strategies as st

from minrepro.core.edits import apply
from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.documents.snapshot import Snapshot
from minrepro.engine.default_reducer import DefaultReducer, default_reducer
from minrepro.engine.merger import unrepaired
from minrepro.engine.tester import Tester
from minrepro.testing import SimulatedExecutor, fails_if

Fails = Callable[[bytes], bool]

WORDS = [b"alpha", b"beta(", b"x)", b"{", b"}", b"12", b"'text'", b"a, b", b"[1]", b"if", b"\tend", b"\x00\xff"]
WORD = re.compile(rb"\w+")


class MortalWorkers(SimulatedExecutor):
    """Workers that die at random moments, so that their tests begin again elsewhere, and that come and go."""

    def __init__(self, test: Callable[[bytes], Outcome], workers: int, seed: int) -> None:
        super().__init__(test, workers, lambda case: 1 + len(case) % 3)
        self._most = workers
        self._rng = random.Random(seed)
        self.deaths = 0

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        if self._rng.random() < 0.3:
            lost = self._rng.choice(list(self.running))
            self._ends = [(end, number) for end, number in self._ends if number != lost]
            self._ends.append((self.now + 5, lost))
            self._ends.sort()
            self.deaths += 1
        self.capacity = max(len(self.running), self._rng.randint(1, self._most))
        return super().wait(jobs, timeout)


@st.composite
def problems(draw: st.DrawFn) -> tuple[bytes, Fails]:
    """Draw a document of words and lines, and an oracle that fails while some of its words are there."""
    lines = draw(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), min_size=1, max_size=8))
    content = b"\n".join(b" ".join(words) for words in lines) + draw(st.sampled_from([b"", b"\n"]))
    needed = draw(st.lists(st.sampled_from([word for words in lines for word in words]), min_size=1, max_size=3))
    balanced = draw(st.booleans()) and content.count(b"{") == content.count(b"}")

    def fails(case: bytes) -> bool:
        return all(word in case for word in needed) and (not balanced or case.count(b"{") == case.count(b"}"))

    return content, fails


def committed_by(reducer: DefaultReducer, content: bytes, executor: SimulatedExecutor) -> list[bytes]:
    commits = [content]
    result = reducer(content, Tester(executor), lambda case, label, verdict: commits.append(case))
    assert result == commits[-1]
    assert not executor.running
    return commits


@given(problems())
@settings(max_examples=60, deadline=None)
def test_every_word_of_a_text_that_is_left_was_there_before(problem: tuple[bytes, Fails]) -> None:
    content, fails = problem
    text = content.replace(b"\x00\xff", b"")
    if fails(text):
        *_, result = committed_by(default_reducer(PurePath("input"), text), text, SimulatedExecutor(fails_if(fails)))
        assert set(WORD.findall(result)) <= set(WORD.findall(text))


@given(problems(), st.integers(1, 16))
@settings(max_examples=60, deadline=None)
def test_each_step_fails_and_no_single_edit_of_any_pass_is_left(problem: tuple[bytes, Fails], workers: int) -> None:
    content, fails = problem
    reducer = default_reducer(PurePath("input"), content)
    commits = committed_by(reducer, content, SimulatedExecutor(fails_if(fails), workers))
    assert all(map(fails, commits))
    assert all(len(later) <= len(earlier) for earlier, later in pairwise(commits))
    subject = Snapshot(commits[-1])
    for each in reducer.passes:
        join, repair = None if each.glues else subject.join, subject.repair if each.from_lists else unrepaired
        for units in each.propose(subject) if each.tier <= 2 else ():
            for edit in (edit for unit in units for edit in unit.edits):
                candidate = apply(subject.content, repair(edit), join)
                smaller = (len(candidate), candidate) < (len(subject.content), subject.content)
                assert not (smaller and fails(candidate)), (each.name, candidate)


@given(problems(), st.integers(1, 8), st.integers(0, 999))
@settings(max_examples=60, deadline=None)
def test_workers_that_die_come_and_go_lose_nothing(problem: tuple[bytes, Fails], workers: int, seed: int) -> None:
    content, fails = problem
    executor = MortalWorkers(fails_if(fails), workers, seed)
    commits = committed_by(default_reducer(PurePath("input"), content, golf=True), content, executor)
    assert all(map(fails, commits))
    for i, byte in enumerate(commits[-1]):
        assert chr(byte).isspace() or not fails(commits[-1][:i] + commits[-1][i + 1 :])
    undisturbed = committed_by(
        default_reducer(PurePath("input"), content, deterministic=True), content, SimulatedExecutor(fails_if(fails))
    )
    disturbed = committed_by(
        default_reducer(PurePath("input"), content, deterministic=True),
        content,
        MortalWorkers(fails_if(fails), workers, seed),
    )
    assert disturbed == undisturbed


@given(problems(), st.integers(2, 16))
@settings(max_examples=40, deadline=None)
def test_a_deterministic_run_does_not_depend_on_the_number_of_workers(
    problem: tuple[bytes, Fails], workers: int
) -> None:
    content, fails = problem

    def run(number: int) -> list[bytes]:
        reducer = default_reducer(PurePath("input"), content, deterministic=True)
        return committed_by(reducer, content, SimulatedExecutor(fails_if(fails), number, lambda case: len(case) % 7))

    assert run(workers) == run(1)
