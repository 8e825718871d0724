"""Who is there in a cluster, who of them is trusted, and who has a slot free: bookkeeping that knows no Dask."""

from __future__ import annotations

import time
from asyncio import Future, Lock
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from minrepro.core.verdicts import Verdict


@dataclass(eq=False)
class Worker:
    """A worker of the cluster; another one when it has been away."""

    address: str
    name: str
    slots: int
    heartbeat: float
    """When the scheduler last heard of it, by the scheduler's clock."""
    heard: float
    """When that was noticed here."""
    lost: Future[bool]
    """Done when nothing more is expected from it; true when it seems to have died."""
    trusted: bool = False
    under_way: int = 0
    without_failure: int = 0
    """How many verdicts it has given since it last showed the failure."""
    in_doubt: Lock = field(default_factory=Lock)
    """Held while it is found out whether it still can."""


@dataclass
class WorkerRegistry:
    """The workers of a cluster. `silence` is how many seconds one may give no sign of life."""

    silence: float
    promise: Callable[[], Future[bool]]
    clock: Callable[[], float] = time.monotonic
    workers: dict[str, Worker] = field(default_factory=dict)
    refusals: dict[str, tuple[Verdict | None, str]] = field(default_factory=dict)
    """Those that are not trusted: the verdict that the input has there, or what is wrong."""
    slots: int = 0
    """How many tests those that are trusted can run at a time."""
    last_change: float = 0.0
    _silent: dict[str, float] = field(default_factory=dict)
    _free: dict[Worker, None] = field(default_factory=dict)
    """Workers with a free slot, those that have waited longest first."""

    def update(self, present: Mapping[str, Mapping[str, Any]]) -> list[Worker]:
        """Notice who has gone and who gives no sign of life; return who has come."""
        for worker in list(self.workers.values()):
            if worker.address not in present:
                self.remove(worker, died=True)
        for address, heartbeat in list(self._silent.items()):
            if address not in present or present[address]["last_seen"] != heartbeat:
                del self._silent[address]
        return [new for address, entry in present.items() if (new := self._look_at(address, entry)) is not None]

    def _look_at(self, address: str, entry: Mapping[str, Any]) -> Worker | None:
        known, now = self.workers.get(address), self.clock()
        running = entry.get("status", "running") == "running"
        if known is None:
            if not running or address in self._silent:
                return None
            new = Worker(address, str(entry["name"]), int(entry["nthreads"]), entry["last_seen"], now, self.promise())
            self.workers[address] = new
            self.last_change = now
            return new
        if not running:
            self.remove(known)
        elif entry["last_seen"] != known.heartbeat:
            known.heartbeat, known.heard = entry["last_seen"], now
        # The more workers there are, the less often does Dask let each of them give a sign.
        elif now - known.heard > self.silence + len(self.workers) / 40:
            self._silent[address] = known.heartbeat
            self.remove(known)
        return None

    def trust(self, worker: Worker) -> None:
        """Let a worker be given tests."""
        self.refusals.pop(worker.address, None)
        if not worker.trusted:
            worker.trusted = True
            self.slots += worker.slots
            self._free[worker] = None

    def distrust(self, worker: Worker) -> None:
        """Give a worker no more tests for now."""
        if worker.trusted:
            worker.trusted = False
            self.slots -= worker.slots
            self._free.pop(worker, None)

    def refuse(self, worker: Worker, verdict: Verdict | None, text: str) -> str:
        """Give a worker no more tests for this reason; return the reason in words if it is new."""
        self.distrust(worker)
        known = worker.address in self.refusals
        self.refusals[worker.address] = verdict, text
        self.last_change = self.clock()
        if known:
            return ""
        return text if verdict is None else f"the input does not reproduce the failure there ({verdict.reason})"

    def remove(self, worker: Worker, died: bool = False) -> None:
        """Expect nothing more from a worker."""
        self.distrust(worker)
        del self.workers[worker.address]
        self.refusals.pop(worker.address, None)
        worker.lost.set_result(died)
        self.last_change = self.clock()

    def clear(self) -> None:
        """Expect nothing more from anybody."""
        for worker in list(self.workers.values()):
            self.remove(worker)

    def take(self) -> Worker | None:
        """Return a trusted worker for one more test: with a free slot, or else the least busy; None without any."""
        while self._free:
            worker = next(iter(self._free))
            del self._free[worker]
            if worker.under_way < worker.slots:
                break
        else:
            trusted = [worker for worker in self.workers.values() if worker.trusted]
            if not trusted:
                return None
            worker = min(trusted, key=lambda worker: worker.under_way / worker.slots)
        worker.under_way += 1
        if worker.under_way < worker.slots:
            self._free[worker] = None
        return worker

    def give_back(self, worker: Worker) -> None:
        """Note that a worker has finished a test."""
        worker.under_way -= 1
        if worker.trusted and worker.under_way < worker.slots:
            self._free[worker] = None
