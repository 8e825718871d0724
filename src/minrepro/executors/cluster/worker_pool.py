"""Tests on the workers of a Dask cluster, and what to do when one of them is lost.

A worker is trusted once the input has failed there, so that one that lacks the program under test cannot answer for it.
Every test is sent to a worker chosen here, not by Dask: at most as many as it has threads, and again to another one
when it dies, falls silent, or says that something is wrong with it. All of this runs in one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError, ExecutorLost
from minrepro.executors.adaptive_timeout import AdaptiveTimeout
from minrepro.executors.cluster.connection import Outbox, closed
from minrepro.executors.cluster.worker_registry import Worker, WorkerRegistry
from minrepro.executors.cluster.worker_side import WorkerReply, answer_in, check, forget, introduce, reply

POLL = 1.0
"""Seconds between two looks at who is there, in a small cluster."""
UNANSWERED = 10.0
"""Seconds after which a scheduler that has not answered is asked again."""
FAREWELL = 5.0
"""Seconds within which workers should end what is left; what they do not end now ends by itself a little later."""
INTRODUCTIONS = 8
"""How many workers are told about the run at a time: all that they are told is held by the scheduler meanwhile."""
SECOND_LOOK, LATEST_LOOK = 5.0, 300.0
"""Seconds until a worker that is not trusted is tried again; then twice as many, and so on, up to the second figure."""
SETTLED = 3.0
"""Seconds without news after which it counts that no worker is trusted."""
DOUBTFUL = 30
"""After so many verdicts in a row without the failure a worker may have lost the program: the input is tested again."""
TROUBLES, DEATHS = 3, 10
"""How many workers may have trouble with a case, or die with it, before the case is to blame."""


class _Refused(Exception):
    """No worker is trusted: the verdict that the input has on one of them, or why it has none."""

    def __init__(self, verdict: Verdict | None, text: str) -> None:
        super().__init__(text)
        self.verdict = verdict


class WorkerPool:
    """Tests cases on the workers of a cluster."""

    def __init__(
        self,
        connect: Callable[[], Coroutine[Any, Any, Any]],
        run: str,
        run_bundle: bytes,
        input_packed: bytes,
        adaptive_timeout: AdaptiveTimeout,
        *,
        wait: float,
        silence: float,
        tell_refused: Callable[[str, str], None],
        warn: Callable[[str], None],
    ) -> None:
        """`wait` is how many seconds may pass without a scheduler or a usable worker."""
        self.worker_registry = WorkerRegistry(silence, asyncio.get_running_loop().create_future)
        self._connect = connect
        self._run = run
        self._run_bundle = run_bundle
        self._input_packed = input_packed
        self._input_verdict: Verdict | None = None
        """The verdict of the input on the first worker that was trusted, until somebody asks for it."""
        self._adaptive_timeout = adaptive_timeout
        self._wait = wait
        self._tell_refused = tell_refused
        self._warn = warn
        self._client: Any = None
        self._comm: Any = None
        self._answers: dict[int, asyncio.Future[WorkerReply]] = {}
        self._over: ExecutorLost | None = None
        self._numbers = count()
        self._ever_trusted = False
        self._introducing = asyncio.Semaphore(INTRODUCTIONS)
        self._introductions: set[asyncio.Task[None]] = set()
        self._second_looks: set[asyncio.Task[None]] = set()
        self._poll_now = asyncio.Event()
        self._changed = asyncio.Event()

    def join(self, client: Any) -> None:
        """Begin to keep up with who is there."""
        self._listen_to(client)
        self._supervision = asyncio.create_task(self._supervise())

    async def test(self, packed_case: bytes) -> Verdict:
        """Return the verdict of a packed case, from whichever worker has one."""
        troubles = deaths = 0
        while True:
            try:
                worker = await self._take_worker()
            except _Refused as refused:
                if refused.verdict is None or packed_case != self._input_packed:
                    raise CheckError(str(refused)) from None
                return refused.verdict
            try:
                if self._input_verdict is not None and packed_case == self._input_packed:
                    known, self._input_verdict = self._input_verdict, None
                    return known
                answer = await self._ask(worker, check, self._run, packed_case, self._adaptive_timeout.limit)
                kind, verdict, text = answer or ("unwanted", None, "")
                doubted = verdict is not None and await self._is_doubted(worker, verdict)
            finally:
                self.worker_registry.give_back(worker)
            if doubted:
                continue
            if verdict is not None:
                if text:
                    self._warn(text)
                return verdict
            if kind == "trouble":
                troubles += 1
                if troubles == TROUBLES:
                    raise CheckError(text)
                self._refuse(worker, None, text)
            elif answer is None:
                deaths += worker.lost.done() and worker.lost.result()
                if deaths == DEATHS:
                    raise CheckError(f"{DEATHS} workers died while checking the same candidate")
            elif worker.trusted:  # it was restarted, or is about to close
                self.worker_registry.distrust(worker)
                self._introduce(worker, 0.0 if kind == "unknown" else POLL)

    async def _is_doubted(self, worker: Worker, verdict: Verdict) -> bool:
        """Tell whether a verdict without the failure comes from a worker that may be unable to show it any more."""
        if verdict.outcome is Outcome.FAIL:
            worker.without_failure = 0
            return False
        worker.without_failure += 1
        if worker.without_failure >= DOUBTFUL:
            async with worker.in_doubt:  # what else it says meanwhile waits here
                if worker.trusted and worker.without_failure >= DOUBTFUL:
                    await self._test_input_again(worker)
        return not worker.trusted

    async def _test_input_again(self, worker: Worker) -> None:
        """Go on trusting a worker only if the input still fails there."""
        for _ in range(2):  # the failure may be one that does not always show
            answer = await self._ask(worker, check, self._run, self._input_packed, self._adaptive_timeout.limit)
            verdict = answer and answer[1]
            if verdict is None:
                return
            if verdict.outcome is Outcome.FAIL:
                worker.without_failure = 0
                return
        self._refuse(worker, verdict, "")
        self._warn(
            f"up to {DOUBTFUL - 1} outcomes of {worker.name} may be wrong, because the input no longer reproduces the "
            "failure there; the result may be larger than necessary: reduce it once more"
        )

    async def close(self) -> None:
        """End all that there is of this run on the cluster, and leave it."""
        for task in (*self._introductions, *self._second_looks):
            task.cancel()
        with contextlib.suppress(TimeoutError):
            farewells = [self._ask(worker, forget, self._run) for worker in self.worker_registry.workers.values()]
            await asyncio.wait_for(asyncio.gather(*farewells), FAREWELL)
        self._supervision.cancel()
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(Exception):
                client.unsubscribe_topic(client.id)
            await closed(client, FAREWELL)

    async def _supervise(self) -> None:
        """Keep up with workers that come and go, until the scheduler or all workers are lost for too long."""
        heard = hope = time.monotonic()
        unanswered = max(1.0, min(UNANSWERED, self._wait))
        while self._over is None:
            try:
                if not self._is_heard():
                    await self._reconnect(unanswered)
                    hope = time.monotonic()
                identity = await asyncio.wait_for(self._client.scheduler.identity(), unanswered)
                heard = time.monotonic()
                for worker in self.worker_registry.update(identity["workers"]):
                    self._introduce(worker)
            except Exception as error:
                usual = isinstance(error, OSError)
                if not usual:  # Dask has assertions that a connection lost at a bad moment breaks: begin anew
                    self._comm = None
                if time.monotonic() - heard > self._wait:
                    more = "" if usual else f" ({type(error).__name__}: {error})"
                    self._end(f"lost the cluster's scheduler for {self._wait:g} seconds{more}")
            if (
                self._introductions
                or self.worker_registry.slots
                or (self.worker_registry.refusals and not self._ever_trusted)
            ):
                hope = time.monotonic()
            elif time.monotonic() - hope > self._wait:
                self._end(f"no usable worker on the cluster for {self._wait:g} seconds")
            self._tell_changed()
            self._poll_now.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._poll_now.wait(), max(POLL, len(self.worker_registry.workers) / 500))

    def _is_heard(self) -> bool:
        """Tell whether workers' answers reach the client over the connection that it had from the beginning."""
        # A client that loses its connection makes another by itself, but the scheduler there, if it is a new one, does
        # not know what the client has subscribed to: it seems well and never hears an answer.
        client, comm = self._client, self._comm
        return None not in (client, comm) and client.scheduler_comm is comm and not comm.closed()

    def _end(self, why: str) -> None:
        self._over = self._over or ExecutorLost(why)
        self.worker_registry.clear()

    async def _reconnect(self, timeout: float) -> None:
        self.worker_registry.clear()
        client, self._client = self._client, None
        if client is not None:
            await closed(client, 1.0)
        self._listen_to(await asyncio.wait_for(self._connect(), timeout))

    def _tell_changed(self) -> None:
        """Have all who wait for a worker look again."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def _introduce(self, worker: Worker, pause: float = 0.0) -> None:
        """Have a worker told about the run, after a while."""
        task = asyncio.create_task(self._introduction(worker, pause))
        tasks = self._second_looks if pause else self._introductions
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async def _introduction(self, worker: Worker, pause: float) -> None:
        """Tell a worker about the run, and trust it if the input fails there."""
        if pause:
            await asyncio.wait([worker.lost], timeout=pause)
        async with self._introducing:
            if worker.lost.done() or worker.trusted:
                return
            answer = await self._ask(worker, introduce, self._run_bundle, self._adaptive_timeout.limit)
        kind, verdict, text = answer or ("unwanted", None, "")
        if verdict is not None and verdict.outcome is Outcome.FAIL:
            self._adaptive_timeout.learn(verdict)
            if not self._ever_trusted:
                self._ever_trusted, self._input_verdict = True, verdict
            worker.without_failure = 0
            self.worker_registry.trust(worker)
            self._tell_changed()
        elif kind != "unwanted":
            self._refuse(worker, verdict, text, 2 * pause)
        elif not worker.lost.done():
            self._introduce(worker, POLL)

    def _refuse(self, worker: Worker, verdict: Verdict | None, text: str, pause: float = 0.0) -> None:
        """Leave a worker alone for a while."""
        if not worker.lost.done():
            reason = self.worker_registry.refuse(worker, verdict, text)
            if reason:
                self._tell_refused(worker.name, reason)
            self._introduce(worker, min(max(pause, SECOND_LOOK), LATEST_LOOK))

    async def _take_worker(self) -> Worker:
        """Return the worker on which the next test should run, when there is one."""
        while (worker := self.worker_registry.take()) is None:
            if self._over is not None:
                raise self._over
            settled = time.monotonic() - self.worker_registry.last_change > SETTLED and not self._introductions
            if settled and self.worker_registry.refusals and not self._ever_trusted:
                raise _Refused(*next(iter(self.worker_registry.refusals.values())))
            await self._changed.wait()
        return worker

    async def _ask(self, worker: Worker, function: Callable[..., WorkerReply], *arguments: Any) -> WorkerReply | None:
        """Return a worker's answer, or None when it cannot give one any more."""
        if self._client is None or worker.lost.done():
            return None
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        key, topic = f"minrepro-{self._run}-{number}", self._client.id
        try:
            future = await self._outbox.submit(key, worker.address, reply, topic, number, function, arguments)
            try:
                return await self._answer(worker, future, self._answers[number])
            finally:
                future.release()
        except OSError:  # the client has lost the scheduler, and can send nothing
            self._poll_now.set()
            return None
        finally:
            del self._answers[number]

    async def _answer(self, worker: Worker, future: Any, answer: asyncio.Future[WorkerReply]) -> WorkerReply | None:
        ended = asyncio.ensure_future(future.exception())
        try:
            await asyncio.wait({answer, ended, worker.lost}, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
            if future.status == "error":
                return "trouble", None, f"{type(ended.result()).__name__}: {ended.result()}"
            if future.status == "cancelled":  # by somebody else: the scheduler was lost, or all workers restarted
                self.worker_registry.clear()
                self._poll_now.set()
            return None
        finally:
            ended.cancel()

    def _listen_to(self, client: Any) -> None:
        self._client, self._outbox, self._comm = client, Outbox(client), client.scheduler_comm
        # Its own topic is the one of which Dask forgets what was said when the client has gone.
        client.subscribe_topic(client.id, self._hear)

    def _hear(self, event: tuple[float, Any]) -> None:
        heard = answer_in(event[1])
        if heard is not None and heard[0] in self._answers:
            self._answers[heard[0]].set_result(heard[1])
