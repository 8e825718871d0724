"""Tests on a Dask cluster: the executor that hands cases to the workers of `worker_pool.py`, and the run bundle they
are sent first.

Dask lives in an event loop in a thread of its own; this side only posts cases there and waits for verdicts.
"""

from __future__ import annotations

import asyncio
import contextlib
import stat
import uuid
import zlib
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from minrepro.core.containment import Containment, in_words
from minrepro.core.events import Listener, Resized, Warned, ignore
from minrepro.core.invocations import Invocation, ProcessOracle
from minrepro.core.limits import Limits
from minrepro.core.protocols import Job
from minrepro.core.verdicts import Verdict
from minrepro.errors import UsageError
from minrepro.executors.adaptive_timeout import AdaptiveTimeout
from minrepro.executors.cluster.case_packing import CasePacker
from minrepro.executors.cluster.connection import Connection
from minrepro.executors.cluster.worker_pool import WorkerPool
from minrepro.executors.cluster.worker_side import RunBundle, SentFile
from minrepro.executors.collecting import Collecting


class _Test:
    """A case under way."""

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.cancelled = False


class Cluster:
    """Runs the processes that an oracle asks for on the workers of a Dask cluster."""

    def __init__(
        self,
        where: str,
        oracle: ProcessOracle,
        case: Any,
        *,
        jobs: int | None = None,
        timeout: float | None = None,
        limits: Limits = Limits(),  # noqa: B008 - it never changes
        containment: Containment = Containment(),  # noqa: B008 - it never changes
        files: Iterable[Path] = (),
        wait: float = 60.0,
        silence: float = 15.0,
        notify: Listener = ignore,
    ) -> None:
        """Connect to `tcp://host:port`, to the scheduler of a file, or start `local:N`; the case is the failing input.

        `files` go to the workers beside the check. After `wait` seconds without a scheduler or a usable worker the run
        ends; a worker that gives no sign of life for `silence` seconds is passed over.
        """
        self._oracle = oracle
        self._jobs = jobs
        self.containment = in_words(containment)
        """In words, what keeps checks from all that is not theirs; a worker that cannot have it says so."""
        self._notify = notify
        self._adaptive_timeout = AdaptiveTimeout(timeout)
        invocation = oracle.invocation(case)
        self._packer = CasePacker(invocation)
        self._tests = Collecting(self._adaptive_timeout.learn)
        self._refused: SimpleQueue[tuple[str, str]] = SimpleQueue()
        self._warnings: SimpleQueue[str] = SimpleQueue()
        self._warned: set[str] = set()
        self._size = (0, 0)
        self._closed = False
        self._dask = Connection(where)
        try:
            joining = self._join(invocation, files, limits, containment, wait, silence)
            self._worker_pool: WorkerPool = self._dask.do(joining)
        except BaseException:
            self._dask.close()
            raise

    @property
    def capacity(self) -> int:
        """How many tests may be under way now: one for each thread of the workers that are trusted, within bounds."""
        slots = self._worker_pool.worker_registry.slots
        return max(1, slots if self._jobs is None else min(slots, self._jobs))

    @property
    def limit(self) -> float:
        """The seconds that a check which starts now may take."""
        return self._adaptive_timeout.limit

    def learn(self, verdict: Verdict) -> None:
        """Take into account how long a check took that was run before."""
        self._adaptive_timeout.learn(verdict)

    def start(self, case: Any) -> Job:
        """Begin the test of a case, on whichever worker has a free slot."""
        test = _Test()
        packed_case = self._packer.pack(self._oracle.invocation(case))
        self._tests.begin(test)
        self._dask.post(self._begin, test, packed_case)
        return test

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first."""
        return self._tests.wait(jobs, timeout, pause=1.0, meanwhile=self._tell)

    def cancel(self, job: Job) -> None:
        """End a test with all that it started, wherever it runs."""
        self._tests.abandon(job)
        if isinstance(job, _Test):
            self._dask.post(self._end, job)

    def close(self) -> None:
        """End all that is still under way on the cluster, and leave it."""
        if not self._closed:
            self._closed = True
            for job in self._tests.under_way:
                self.cancel(job)
            self._tests.abandon_all()
            self._dask.close(self._worker_pool.close())

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    async def _join(
        self,
        invocation: Invocation,
        files: Iterable[Path],
        limits: Limits,
        containment: Containment,
        wait: float,
        silence: float,
    ) -> WorkerPool:
        cloudpickle = import_module("cloudpickle")  # comes with Dask
        run = uuid.uuid4().hex[:12]
        sent = tuple(sent_files(invocation.argv, files))
        run_bundle = RunBundle(run, self._oracle, invocation, sent, limits, containment)
        worker_pool = WorkerPool(
            self._dask.client,
            run,
            zlib.compress(cloudpickle.dumps(run_bundle), 1),
            self._packer.pack(invocation),
            self._adaptive_timeout,
            wait=wait,
            silence=silence,
            tell_refused=lambda worker, reason: self._refused.put((worker, reason)),
            warn=self._warnings.put,
        )
        worker_pool.join(await self._dask.first_client())
        return worker_pool

    def _begin(self, test: _Test, packed_case: bytes) -> None:
        if not test.cancelled:
            test.task = asyncio.get_running_loop().create_task(self._carry_out(test, packed_case))

    def _end(self, test: _Test) -> None:
        test.cancelled = True
        if test.task is not None:
            test.task.cancel()

    async def _carry_out(self, test: _Test, packed_case: bytes) -> None:
        try:
            self._tests.end(test, await self._worker_pool.test(packed_case))
        except BaseException as error:  # handed to whoever waits, whatever it is
            self._tests.end(test, error)
            if isinstance(error, asyncio.CancelledError):
                raise

    def _tell(self) -> None:
        """Tell of workers that have come, gone, or been left out since the last time."""
        left_out: dict[str, list[str]] = {}
        with contextlib.suppress(Empty):
            while True:
                worker, reason = self._refused.get_nowait()
                left_out.setdefault(reason, []).append(worker)
        for reason, names in left_out.items():
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            self._notify(Warned(f"not using worker {', '.join(names[:3])}{more}: {reason}"))
        while not self._warnings.empty():
            text = self._warnings.get()
            if text not in self._warned:  # every worker may have the same to say
                self._warned.add(text)
                self._notify(Warned(text))
        size = len(self._worker_pool.worker_registry.workers), self._worker_pool.worker_registry.slots
        if size != self._size:
            self._size = size
            self._notify(Resized(*size))


def sent_files(argv: Sequence[str], files: Iterable[Path]) -> Iterable[SentFile]:
    """Yield the files that travel with a check: scripts among its words, and those that were asked for."""
    words = [Path(word) for word in argv]
    asked_for = [path.absolute() for path in files]
    for path in dict.fromkeys([*(word for word in words if word.is_absolute() and word.is_file()), *asked_for]):
        try:
            content = path.read_bytes()
            mode = stat.S_IMODE(path.stat().st_mode)
        except OSError as error:
            raise UsageError(f"cannot copy {path} to the cluster: {error.strerror}") from error
        # A compiled program needs libraries and more that only an installation brings.
        if path in asked_for or not content.startswith(b"\x7fELF"):
            yield SentFile(str(path), mode, content)
