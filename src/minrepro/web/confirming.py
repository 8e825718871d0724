"""Confirms in a fresh context whatever a reduction accepts after a quick reset, while the search goes on.

A quick reset might leave something of an earlier replay behind, and then a session fails that does not fail on its own.
So each session that a search accepts is replayed once more from nothing, in the order of their acceptance, by a thread
beside those of the search. When one is refuted the run is taken back to the last confirmed one.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Mapping

from minrepro.executors import Executor, Job, TakenBack
from minrepro.notices import Accepted, Notice
from minrepro.search import Outcome, Verdict
from minrepro.traces.events import Trace


class Confirming:
    """Stands before an executor, and listens to its run for what is accepted."""

    def __init__(self, executor: Executor, confirm: Callable[[Trace], bool], known: Trace) -> None:
        """`confirm` tells whether a session fails in a fresh context; `known` is a session that does."""
        self._executor = executor
        self._confirm = confirm
        self.good = known
        """The last session that was accepted and confirmed."""
        self.confirmed = 0
        """How many were."""
        self._refuted = False
        self._error: BaseException | None = None
        self._waiting: queue.Queue[Trace | None] = queue.Queue()
        self._thread: threading.Thread | None = None

    @property
    def capacity(self) -> int:
        """How many tests may be under way now."""
        return self._executor.capacity

    def start(self, case: Trace) -> Job:
        """Begin the test of a session."""
        return self._executor.start(case)

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return verdicts, or raise `TakenBack` when something that was accepted has been refuted."""
        self._heed()
        return self._executor.wait(jobs, timeout)

    def cancel(self, job: Job) -> None:
        """End a test."""
        self._executor.cancel(job)

    def close(self) -> None:
        """End all tests; what still waits to be confirmed is left."""
        self._executor.close()
        if self._thread is not None:
            self._refuted = True
            self._waiting.put(None)
            self._thread.join()

    def __call__(self, notice: Notice) -> None:
        """Take notice of what was accepted: that is to be confirmed."""
        if isinstance(notice, Accepted) and notice.outcome is Outcome.FAIL and notice.case != self.good:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="minrepro confirmation", daemon=True)
                self._thread.start()
            self._waiting.put(notice.case)

    def confirm(self, case: Trace) -> None:
        """Wait until all that was accepted is confirmed; raise `TakenBack` when something is refuted."""
        self._waiting.join()
        self._heed()

    def settled(self, case: Trace) -> Trace:
        """Return a session that a run ended with, or where it is refuted the last one before it that was confirmed."""
        self._waiting.join()
        return self.good if self._refuted or self._error is not None else case

    def _heed(self) -> None:
        if self._error is not None:
            raise self._error
        if self._refuted:
            self._waiting.join()  # all that waits came of what was refuted
            self._refuted = False
            raise TakenBack(self.good, Verdict(Outcome.FAIL, "reproduces in a fresh context"))

    def _work(self) -> None:
        while (case := self._waiting.get()) is not None:
            try:
                if not self._refuted and self._error is None:
                    self._look_at(case)
            except BaseException as error:  # handed to whoever waits, whatever it is
                self._error = error
            finally:
                self._waiting.task_done()
        self._waiting.task_done()

    def _look_at(self, case: Trace) -> None:
        if self._confirm(case):
            self.good = case
            self.confirmed += 1
        else:
            self._refuted = True
