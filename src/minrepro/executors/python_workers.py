"""Tests by a Python function in processes of their own, so that one that computes gains from every processor.

A worker is forked where that is safe or the only way; a function that another process can import is handed to a fresh
interpreter instead when this process has several threads. A worker may hang or die without harm: its candidate is
unresolved, and another worker takes its place.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any, Literal

from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError, MinreproError, UsageError

Oracle = Callable[[Any], Verdict]

_GRACE = 0.01
"""Seconds that a worker has to end a test that nobody wants any more; killing it takes about as long."""
_DYING = 2.0
"""Seconds that an interpreter which has hung up has to come to its end, so that its exit status is known."""
_DIE_WITH_PARENT = 1
"""The number of Linux's PR_SET_PDEATHSIG."""


class _Worker:
    """A process that tests one case after another."""

    def __init__(self, process: BaseProcess, line: Connection) -> None:
        self.process = process
        self.line = line
        self.job: Job = None
        self.begun = 0.0
        self.wanted = True
        """Whether anybody waits for the test that it is busy with."""

    def end(self) -> str:
        """Kill the process with all that it has started; return how it ended."""
        pid = self.process.pid
        assert pid is not None
        for kill in (os.killpg, os.kill):  # it may not have become the head of a group yet
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
        self.process.join()
        status = self.process.exitcode
        self.process.close()
        self.line.close()
        return _how(status)


class PythonWorkers:
    """Calls a function in several processes; a call that takes longer than the limit is killed, and unresolved."""

    def __init__(
        self, oracle: Oracle, jobs: int, limit: float | None = None, begin: Literal["fork", "spawn"] | None = None
    ) -> None:
        """Say how a worker begins, or have it chosen; what is spawned imports the function by its name."""
        self.capacity = jobs
        self.limit = limit
        self._oracle = oracle
        self._context = multiprocessing.get_context(begin) if begin else _context_for(oracle)
        self._numbers = count()
        self._workers: list[_Worker] = []
        self._decided: dict[Job, Verdict] = {}

    def learn(self, verdict: Verdict) -> None:
        """Learn nothing: the time limit is the one that was given."""

    def start(self, case: Any) -> Job:
        """Hand a case to a worker."""
        try:
            message = pickle.dumps(case, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise UsageError(
                f"a candidate cannot be sent to a worker process: {type(error).__name__}: {error}.\n"
                "Have the check run in threads instead."
            ) from error
        job = next(self._numbers)
        while True:
            worker = self._free()
            try:
                worker.line.send_bytes(message)
            except OSError:  # it died while it had nothing to do
                self._replace(worker)
                continue
            worker.job, worker.begun, worker.wanted = job, time.monotonic(), True
            return job

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first."""
        wanted = set(jobs)
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            finished = {job: self._decided.pop(job) for job in wanted if job in self._decided}
            busy = [worker for worker in self._workers if worker.wanted and worker.job in wanted]
            if finished or not busy:
                return finished
            if deadline is not None and time.monotonic() >= deadline:
                return {}
            self._listen(busy, deadline)

    def cancel(self, job: Job) -> None:
        """Give a test up; its worker is killed when it is needed for another one before it is done."""
        self._decided.pop(job, None)
        for worker in self._workers:
            if worker.job == job:
                worker.wanted = False

    def close(self) -> None:
        """Kill all workers with all that they have started."""
        while self._workers:
            self._workers.pop().end()
        self._decided.clear()

    def _listen(self, busy: list[_Worker], deadline: float | None) -> None:
        """Take in what workers say, until one has said something or a limit has passed."""
        ends = [deadline] if deadline is not None else []
        if self.limit is not None:
            ends += [worker.begun + self.limit for worker in busy]
        patience = max(0.0, min(ends) - time.monotonic()) if ends else None
        speaking = wait([worker.line for worker in busy], patience)
        now = time.monotonic()
        for worker in busy:
            if worker.line in speaking:
                self._hear(worker)
            elif self.limit is not None and now >= worker.begun + self.limit:
                text = f"timed out after {self.limit:g} s"
                self._decided[worker.job] = Verdict(Outcome.UNRESOLVED, text, now - worker.begun, limit=self.limit)
                self._replace(worker)

    def _hear(self, worker: _Worker) -> None:
        """Take in what a worker says: a verdict, why there is none, or nothing any more."""
        job, wanted = worker.job, worker.wanted
        try:
            answer = pickle.loads(worker.line.recv_bytes())
        except (EOFError, OSError):
            seconds = time.monotonic() - worker.begun
            worker.process.join(_DYING)
            text = f"the worker process {self._replace(worker)}"
            if wanted:
                self._decided[job] = Verdict(Outcome.UNRESOLVED, text, seconds)
            return
        worker.job = None
        if wanted and isinstance(answer, BaseException):
            raise answer
        if wanted:
            self._decided[job] = answer

    def _free(self) -> _Worker:
        """Return a worker that has nothing to do: an idle one, a new one, or one whose test nobody wants."""
        for worker in self._workers:
            if worker.job is None:
                return worker
        if len(self._workers) >= self.capacity:
            given_up = [worker for worker in self._workers if not worker.wanted]
            for line in wait([worker.line for worker in given_up], _GRACE):
                self._hear(next(worker for worker in given_up if worker.line is line))
            idle = next((worker for worker in self._workers if worker.job is None), None)
            if idle is not None:
                return idle
            if len(self._workers) >= self.capacity:
                self._replace(next(worker for worker in self._workers if not worker.wanted))
        return self._begun()

    def _replace(self, worker: _Worker) -> str:
        """Take a worker out of service; return how it ended."""
        self._workers.remove(worker)
        return worker.end()

    def _begun(self) -> _Worker:
        here, there = self._context.Pipe()
        lines = [here, *(worker.line for worker in self._workers)]
        if self._context.get_start_method() == "fork":
            what: Any = (self._oracle, [line.fileno() for line in lines])
        else:
            what = (pickle.dumps(self._oracle), [])
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_serve, args=(there, os.getpid(), *what), name="minrepro check"
        )
        with warnings.catch_warnings():
            # Python warns of forks beside threads; here there is no other way to hand over this function.
            warnings.simplefilter("ignore", DeprecationWarning)
            process.start()
        there.close()
        worker = _Worker(process, here)
        self._workers.append(worker)
        return worker


def _context_for(oracle: Oracle) -> BaseContext:
    """Return how to begin a process that has the function."""
    can_fork = "fork" in multiprocessing.get_all_start_methods()
    if can_fork and threading.active_count() == 1:
        return multiprocessing.get_context("fork")
    try:
        named = b"__main__" not in pickle.dumps(oracle)
    except Exception as error:
        if not can_fork:
            raise UsageError(
                f"the check cannot be sent to a worker process: {error}.\n"
                "Define it at the top level of a module, or have it run in threads."
            ) from error
        named = False
    # A fork could hold a lock that a thread of this process had at that moment, and nobody would ever open it.
    return multiprocessing.get_context("spawn" if named or not can_fork else "fork")


def _serve(line: Connection, parent: int, oracle: Oracle | bytes, inherited: list[int]) -> None:
    """Test case after case in a worker, until nobody speaks to it any more."""
    os.setsid()  # what a check starts is killed with it, and Ctrl-C reaches the reducer alone
    _die_with(parent)
    for number in inherited:  # each line has two ends only: its worker must hear when the other one is closed
        os.close(number)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            case = line.recv_bytes()
            try:
                if isinstance(oracle, bytes):
                    oracle = _loaded(oracle)
                answer: object = oracle(pickle.loads(case))
            except MinreproError as error:
                cause = error.__cause__ or error
                error.add_note("In a worker process:\n" + "".join(traceback.format_exception(cause)).rstrip())
                answer = error
            except Exception as error:
                answer = CheckError(f"a candidate cannot be read in a worker process: {type(error).__name__}: {error}.")
            line.send_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))


def _loaded(pickled: bytes) -> Oracle:
    try:
        oracle: Oracle = pickle.loads(pickled)
    except Exception as error:
        raise CheckError(f"the check cannot be imported in a worker process: {error}.") from error
    return oracle


def _die_with(parent: int) -> None:
    """Have the system kill this process when its parent is gone, where it can."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _how(status: int | None) -> str:
    if status is not None and status < 0:
        with contextlib.suppress(ValueError):
            return f"was killed by {signal.Signals(-status).name}"
    return f"ended with exit status {status}"
