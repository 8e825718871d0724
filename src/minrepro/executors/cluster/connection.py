"""A connection to a Dask cluster, or a cluster started for the occasion, in an event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import os
import pickle
import threading
from collections.abc import Callable, Coroutine
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from minrepro.errors import ClusterError, MissingExtra, UsageError

T = TypeVar("T")

CONNECTING = 10.0
"""Seconds within which a scheduler must answer."""
SILENT = logging.CRITICAL + 1
_LARGE = 1 << 20
"""From so many bytes on Dask might warn of a large graph, which a large input is not."""
_MOMENT = 0.002
"""Seconds for which a call waits for others."""
LEAVING = 15.0
"""Seconds after which nobody waits any longer for a cluster that should be left."""


class Connection:
    """An event loop in which a cluster can be talked to."""

    def __init__(self, where: str) -> None:
        """Say `tcp://host:port`, the path of a scheduler file, or `local:N`."""
        try:
            self._distributed: Any = import_module("distributed")
        except ModuleNotFoundError as error:
            raise MissingExtra(
                "--cluster requires the package distributed, which is not installed\n"
                "hint: pip install 'minrepro[cluster]'"
            ) from error
        self._where = where
        self._slots, self._address = _read(where)
        self._local: Any = None
        # What Dask has to say of lost workers and schedulers is said in the progress, once and in fewer words.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(SILENT)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="minrepro cluster", daemon=True)
        self._thread.start()

    def do(self, work: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Return what a coroutine returns in the event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout)

    def post(self, function: Callable[..., None], *arguments: Any) -> None:
        """Have a function called in the event loop."""
        with contextlib.suppress(RuntimeError):  # the loop has been closed
            self._loop.call_soon_threadsafe(function, *arguments)

    async def client(self) -> Any:
        """Return a new client of the cluster, which is started first where that is asked for."""
        if self._slots and self._local is None:
            self._local = await self._distributed.LocalCluster(**_shape(self._slots), asynchronous=True)
        where = self._address or {"address": self._local}
        client = self._distributed.Client(**where, asynchronous=True, timeout=CONNECTING, set_as_default=False)
        try:
            return await client
        except BaseException:
            await closed(client, 1.0)
            raise

    async def first_client(self) -> Any:
        """Return a client, or say why there is none."""
        try:
            return await asyncio.wait_for(self.client(), 2 * CONNECTING + self._slots)
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            reason = str(error).partition("\n")[0] or "timed out"
            raise ClusterError(
                f"no Dask scheduler responds at {self._where}: {reason}\n"
                "hint: use the address that `dask scheduler` prints, its scheduler file, or local:N"
            ) from error

    def close(self, farewell: Coroutine[Any, Any, None] | None = None) -> None:
        """Say farewell, end a cluster that was started here, and end the thread."""
        with contextlib.suppress(concurrent.futures.TimeoutError):
            self.do(self._leave(farewell), LEAVING)
        # From here on Dask's own timers end unheard, and nobody need read of it.
        self._loop.set_exception_handler(lambda loop, context: None)
        self.post(self._loop.stop)
        self._thread.join(LEAVING)
        if not self._thread.is_alive():
            self._loop.close()

    async def _leave(self, farewell: Coroutine[Any, Any, None] | None) -> None:
        if farewell is not None:
            await farewell
        if self._local is not None:
            await self._local.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=1.0)


async def closed(client: Any, timeout: float) -> None:
    """Close a client, whatever state it is in."""
    try:
        with contextlib.suppress(Exception):
            await client.close(timeout=timeout)
    finally:
        client.status = "closed"  # otherwise it begins to close once more, unheard, when Python discards it


class _Call:
    """A function with its arguments that is called where it is unpickled."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._call = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._call


class Outbox:
    """Hands calls to a scheduler, all that come within a moment together: each hand-over costs it more than a call."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._waiting: dict[str, list[tuple[str, bytes, asyncio.Future[Any]]]] = {}

    async def submit(self, key: str, address: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the future of a call on one worker and no other."""
        # Pickled by us, so that the scheduler, which looks into what it passes on, need not have this package.
        call = pickle.dumps(_Call(function, arguments), protocol=5)
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_later(_MOMENT, self._hand_over)
        promise: asyncio.Future[Any] = loop.create_future()
        self._waiting.setdefault(address, []).append((key, call, promise))
        return await promise

    def _hand_over(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for address, entries in waiting.items():
            wanted = [entry for entry in entries if not entry[2].done()]
            if not wanted:
                continue
            keys, calls, promises = zip(*wanted, strict=True)
            try:
                for promise, future in zip(promises, self._sent(address, keys, calls), strict=True):
                    promise.set_result(future)
            except Exception as error:  # Dask has several for a client that was closed meanwhile
                for promise in promises:
                    promise.set_exception(OSError(str(error)))

    def _sent(self, address: str, keys: tuple[str, ...], calls: tuple[bytes, ...]) -> list[Any]:
        quiet: Any = contextlib.nullcontext()
        if sum(map(len, calls)) > _LARGE:
            quiet = import_module("dask").config.set({"distributed.admin.large-graph-warning-threshold": "1TB"})
        with quiet:
            futures: list[Any] = self._client.map(
                pickle.loads, list(calls), key=list(keys), workers=[address], pure=False
            )
            return futures


def _read(where: str) -> tuple[int, dict[str, Any]]:
    """Return the slots of a cluster to be started, or how to find one."""
    kind, _, number = where.partition(":")
    if kind == "local":
        if not number.isdecimal() or int(number) < 1:
            raise UsageError(
                f"--cluster {where} lacks a number of workers\nhint: --cluster local:{os.cpu_count() or 1}"
            )
        return int(number), {}
    if "://" in where:
        return 0, {"address": where}
    if Path(where).is_file():
        return 0, {"scheduler_file": where}
    if where.endswith(".json") or "/" in where:
        raise ClusterError(f"no scheduler file {where}\nhint: dask scheduler --scheduler-file {where}")
    return 0, {"address": f"tcp://{where}"}


def _shape(slots: int) -> dict[str, Any]:
    """Return a local cluster with so many slots, in as many processes as there are cores or fewer."""
    cores = os.cpu_count() or 1
    workers = max(number for number in range(1, cores + 1) if slots % number == 0)
    return {
        "n_workers": workers,
        "threads_per_worker": slots // workers,
        "processes": True,
        "host": "127.0.0.1",
        "dashboard_address": "127.0.0.1:0",  # there is no way to have none, but it need not be at a known port
        "memory_limit": 0,  # the checks take the memory, not the workers that start them
        "silence_logs": SILENT,
        "preload": ["minrepro.executors.cluster.ignore_interrupt"],
    }
