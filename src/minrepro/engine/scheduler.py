"""Answers searches: tests ahead on all workers, and decides in order.

*In order*: the first candidate of the stream with its wanted outcome is found, whatever finishes first; the answer does
not depend on the number of workers, for every algorithm and any oracle that always answers alike. *Race*: the first to
finish is found, which is the parallel loop of Hodován & Kiss (2016): quicker with many workers, not reproducible.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from minrepro.core.events import Listener, ignore
from minrepro.core.keys import Key, key_of
from minrepro.core.protocols import Executor, Job
from minrepro.core.search import Candidate, Reduction, Search
from minrepro.core.verdicts import Verdict
from minrepro.engine.memory import Memory
from minrepro.engine.tester import Tester
from minrepro.settings import Mode

T = TypeVar("T")


@dataclass(slots=True)
class _Asked:
    """A candidate whose verdict is known, or being found out by a job."""

    candidate: Candidate[Any]
    key: Key
    size: int
    verdict: Verdict | None = None
    job: Job = None

    @property
    def found(self) -> bool:
        return self.verdict is not None and self.verdict.outcome is self.candidate.wanted


class Scheduler:
    """Answers the searches of a reduction with the verdicts of an executor."""

    def __init__(
        self,
        executor: Executor,
        *,
        memory: Memory | None = None,
        mode: Mode = "in order",
        notify: Listener = ignore,
        permit_test: Callable[[], None] = lambda: None,
        permit_wait: Callable[[], float | None] = lambda: None,
        size_of: Callable[[Any], int] = len,
        count: Callable[[Verdict, bool], None] | None = None,
    ) -> None:
        """What is given is for the tester."""
        self.tester = Tester(
            executor,
            memory=memory,
            notify=notify,
            permit_test=permit_test,
            permit_wait=permit_wait,
            size_of=size_of,
            count=count,
        )
        self._mode = mode

    @classmethod
    def with_tester(cls, tester: Tester) -> Scheduler:
        """Return a scheduler that answers in order with a tester that is there already."""
        scheduler = cls.__new__(cls)
        scheduler.tester, scheduler._mode = tester, "in order"
        return scheduler

    def run(self, reduction: Reduction[T], found: Callable[[Candidate[Any], str, Verdict], None]) -> T:
        """Return what a reduction returns, telling of each candidate that was found, with its verdict."""
        try:
            search = next(reduction)
            while True:
                winner = self._winner(search)
                if winner is not None and winner.verdict is not None:
                    found(winner.candidate, search.label, winner.verdict)
                search = reduction.send(None if winner is None else winner.candidate)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def test(self, case: Any, label: str = "") -> Verdict:
        """Return the verdict of one case."""
        key = key_of(case)
        known = self.tester.recall(key)
        if known is not None:
            self.tester.tell_remembered(known, self.tester.size_of(case), label)
            return known
        job = self.tester.start(case, key, label)
        try:
            while not (done := self.tester.wait()):
                pass
        finally:
            self.tester.cancel([job])
        return done[job]

    def answer(self, search: Search) -> Candidate[Any] | None:
        """Return the candidate that a search finds, or None."""
        winner = self._winner(search)
        return None if winner is None else winner.candidate

    def _winner_at_once(self, search: Search) -> _Asked | None:
        """Test one candidate after another in this thread: nothing is ahead, so nothing has to be kept in order."""
        verdict_of, label = self.tester.verdict_at_once, search.label
        for candidate in search.candidates:
            verdict = verdict_of(candidate.config, label)
            if verdict.outcome is candidate.wanted:
                return _Asked(candidate, None, 0, verdict)
        return None

    def _winner(self, search: Search) -> _Asked | None:
        if self.tester.answers_at_once is not None:
            return self._winner_at_once(search)
        asked: deque[_Asked] = deque()
        stream = iter(search.candidates)
        running: dict[Job, list[_Asked]] = {}
        try:
            while True:
                exhausted = self._fill(asked, stream, running, search.label)
                winner = self._decide(asked)
                if winner is not None:
                    return winner
                if running:
                    self._collect(running, search.label)
                elif exhausted:
                    return None
        finally:
            self.tester.cancel(running)

    def _fill(
        self, asked: deque[_Asked], stream: Iterator[Candidate[Any]], running: dict[Job, list[_Asked]], label: str
    ) -> bool:
        """Ask ahead until all workers are busy or something asked has been found; tell whether the stream has ended."""
        tester = self.tester
        being_tested = {entry.key: entry for entry in asked if entry.verdict is None}
        capacity = tester.capacity
        found = any(entry.found for entry in asked)  # what lies behind it need not be asked
        # Candidates that need no test wait behind the first that does: keep them few, each may be large.
        while len(running) < capacity and len(asked) < 4 * capacity and not found:
            candidate = next(stream, None)
            if candidate is None:
                return True
            entry = _Asked(candidate, key_of(candidate.config), tester.size_of(candidate.config))
            asked.append(entry)
            entry.verdict = tester.recall(entry.key)
            twin = being_tested.get(entry.key)
            if entry.verdict is not None:
                tester.tell_remembered(entry.verdict, entry.size, label)
                found = entry.found
                _drop_refused(asked)
            elif twin is not None:
                entry.job = twin.job
                running[twin.job].append(entry)
            else:
                entry.job = tester.start(candidate.config, entry.key, label)
                running[entry.job] = [entry]
                being_tested[entry.key] = entry
        return False

    def _decide(self, asked: deque[_Asked]) -> _Asked | None:
        if self._mode == "race":
            winner = next((entry for entry in asked if entry.found), None)
            if winner is not None:
                return winner
        _drop_refused(asked)
        return asked[0] if asked and asked[0].found else None

    def _collect(self, running: dict[Job, list[_Asked]], label: str) -> None:
        for job, verdict in self.tester.wait().items():
            first, *twins = running.pop(job)
            first.verdict = verdict
            for twin in twins:
                twin.verdict = verdict
                self.tester.tell_remembered(verdict, twin.size, label)


def _drop_refused(asked: deque[_Asked]) -> None:
    while asked and asked[0].verdict is not None and not asked[0].found:
        asked.popleft()
