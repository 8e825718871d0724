"""Where the checks of a run are carried out on a worker of a cluster: the tasks that `worker_pool.py` sends there.

A check runs through the same local process code as without a cluster, so with the same limits and the same clean-up.
Dask cannot interrupt a task, but it notes at once when a task is no longer wanted: cancelled, its client gone, the
worker closing. Each task looks at that note many times a second and then ends its check with all that it started.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import socket
import stat
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from minrepro.core.containment import OFF, Containment
from minrepro.core.invocations import Invocation, ProcessEnd, ProcessOracle
from minrepro.core.limits import Limits
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.adaptive_timeout import LONGEST
from minrepro.executors.cluster.case_packing import CasePacker
from minrepro.executors.local.process_pool import Processes

FIRST_LOOK, SELDOM = 0.1, 0.5
"""Seconds between two looks at whether a check is still wanted: at first, and when it has been running for a while."""
OVERDUE = 30.0
"""Seconds after its time limit when a check that has not been ended counts as hung together with its check runner."""
SLOT_KEPT, SITE_KEPT = 5.0, 600.0
"""Seconds without a check after which its helper processes end, and after which all of a run is forgotten."""
LEAST_SPACE = 8 << 20
"""With fewer bytes free on the disk nothing that a check says is believed."""

ReplyKind = Literal["verdict", "trouble", "unknown", "unwanted"]
WorkerReply = tuple[ReplyKind, Verdict | None, str]
"""A verdict and a warning, or why there is none: what is wrong here, the run is not known here, nobody wants it."""


@dataclass(frozen=True)
class SentFile:
    """A file of the check, as it was where the run was started."""

    path: str
    mode: int
    content: bytes


@dataclass(frozen=True)
class RunBundle:
    """What a worker must know of a run: sent to each once."""

    run: str
    oracle: ProcessOracle
    input: Invocation
    files: tuple[SentFile, ...]
    limits: Limits
    containment: Containment


class _Hung(Exception):
    """A check was not ended in time, so its check runner must be stuck."""


class _Slot(Processes):
    """Runs one check at a time, each with the time limit that came with it."""

    told = LONGEST

    @property
    def limit(self) -> float:
        return self.told


@dataclass(frozen=True)
class _Rebuilt:
    """An oracle whose cases are invocations."""

    oracle: ProcessOracle

    def invocation(self, case: Invocation) -> Invocation:
        return case

    def judge(self, ending: ProcessEnd) -> Verdict:
        return self.oracle.judge(ending)


class WorkerSide:
    """One run on one worker: the files of the check and the slots in which it runs."""

    def __init__(self, run_bundle: RunBundle, place: Path) -> None:
        self.packer = CasePacker(run_bundle.input)
        self._oracle = _Rebuilt(run_bundle.oracle)
        self._limits = run_bundle.limits
        self._containment = run_bundle.containment
        self._told = False
        self._place = place
        self._folder = tempfile.mkdtemp(prefix="minrepro-check-", dir=place)
        self._located = dict(located(run_bundle.files, Path(self._folder)))
        self._lock = threading.Lock()
        self._warnings: list[str] = []
        self._idle: list[tuple[float, _Slot]] = []
        self._busy = 0
        self._last = time.monotonic()
        self._open = True

    def test(self, invocation: Invocation, limit: float, wanted: Callable[[], bool]) -> WorkerReply:
        """Run one check, as long as it is wanted."""
        here = replace(invocation, argv=tuple(self._located.get(word, word) for word in invocation.argv))
        with self._lock:
            self._busy += 1
            slot = self._idle.pop()[1] if self._idle else self._new_slot()
        slot.told = limit
        usable = True
        answer: WorkerReply
        try:
            answer = self._watched(slot, here, wanted)
        except _Hung:
            usable = False
            answer = "trouble", None, "the supervisor of the check hangs"
        except Exception as error:  # whatever it is, it is no verdict, and another worker may do better
            answer = "trouble", None, str(error)
        with self._lock:
            self._busy -= 1
            self._last = time.monotonic()
            usable = usable and self._open
            if usable:
                self._idle.append((self._last, slot))
        if not usable:
            threading.Thread(target=slot.close, name="minrepro closing", daemon=True).start()
        return answer

    def _new_slot(self) -> _Slot:
        return _Slot(
            self._oracle,
            place=self._place,
            limits=self._limits,
            warn=self._warnings.append,
            containment=self._containment,
        )

    def _watched(self, slot: _Slot, invocation: Invocation, wanted: Callable[[], bool]) -> WorkerReply:
        began = time.monotonic()
        full = disk_full(self._place)
        if full:
            return "trouble", None, full
        if self._containment.mode != OFF and not self._told:
            self._told = True
            if slot.why_open:
                self._warnings.append(f"checks run without a sandbox on {socket.gethostname()}: {slot.why_open}")
        job = slot.start(invocation)
        try:
            while True:
                running = time.monotonic() - began
                done = slot.wait([job], min(max(FIRST_LOOK, running / 4), SELDOM))
                full = disk_full(self._place)
                if full:
                    return "trouble", None, full
                if done:
                    return "verdict", done[job], self._warnings.pop() if self._warnings else ""
                if not wanted():
                    return "unwanted", None, ""
                if running > slot.told + OVERDUE:
                    raise _Hung
        finally:
            slot.cancel(job)

    def tidy(self) -> bool:
        """End what has not been used for a while; return whether anything is left."""
        now = time.monotonic()
        with self._lock:
            unused = [entry for entry in self._idle if now - entry[0] > SLOT_KEPT]
            self._idle = [entry for entry in self._idle if entry not in unused]
            forgotten = not self._busy and now - self._last > SITE_KEPT
        for _, slot in unused:
            slot.close()
        if forgotten:
            self.close()
        return self._open

    def close(self) -> None:
        """End all slots that are not in use and remove the files of the check; the others end after their check."""
        with self._lock:
            self._open = False
            idle, self._idle = self._idle, []
        for _, slot in idle:
            slot.close()
        shutil.rmtree(self._folder, ignore_errors=True)


_sites: dict[tuple[str, str], WorkerSide] = {}
"""By worker and run: several workers may live in one process."""
_sites_lock = threading.Lock()


def reply(topic: str, number: int, function: Callable[..., WorkerReply], arguments: tuple[Any, ...]) -> None:
    """Call a function on this worker, and send what it answers to whoever listens to the topic."""
    # Sent, not returned: what a task returns stays with the worker and must be fetched, which takes twice the time and
    # hangs, together with what else is fetched then, when the worker does.
    from distributed import get_worker

    kind, verdict, text = function(*arguments)
    told = verdict and (verdict.outcome.value, *astuple(verdict)[1:])
    get_worker().log_event(topic, ("minrepro", number, kind, told, text))


def answer_in(message: Any) -> tuple[int, WorkerReply] | None:
    """Return the number of a call and its answer, if that is what a message is."""
    if not isinstance(message, (tuple, list)) or message[0] != "minrepro":
        return None
    _, number, kind, told, text = message
    return number, (kind, told and Verdict(Outcome(told[0]), *told[1:]), text)


def introduce(bundle_sent: bytes, limit: float) -> WorkerReply:
    """Make a run known on this worker, and test its input here."""
    from distributed import get_worker

    run_bundle: RunBundle = pickle.loads(zlib.decompress(bundle_sent))
    worker = get_worker()
    name = (worker.address, run_bundle.run)
    try:
        with _sites_lock:
            if name not in _sites:
                _sites[name] = WorkerSide(run_bundle, Path(worker.local_directory))
                threading.Thread(target=_tidy, args=(name,), name="minrepro tidy", daemon=True).start()
            site = _sites[name]
    except OSError as error:
        return "trouble", None, str(error)
    return site.test(run_bundle.input, limit, _wanted())


def check(run: str, packed_case: bytes, limit: float) -> WorkerReply:
    """Test one case of a run that is known here."""
    from distributed import get_worker

    site = _sites.get((get_worker().address, run))
    if site is None:
        return "unknown", None, ""
    return site.test(site.packer.unpack(packed_case), limit, _wanted())


def forget(run: str) -> WorkerReply:
    """End all that is here of a run."""
    from distributed import get_worker

    site = _sites.pop((get_worker().address, run), None)
    if site is not None:
        site.close()
    return "unknown", None, ""


def located(files: Iterable[SentFile], folder: Path) -> Iterable[tuple[str, str]]:
    """Yield where the files of the check are that are not here in their own places: in the folder, once written."""
    for number, file in enumerate(files):
        if not _is_here(file):
            path = folder / Path(file.path).name
            if path.exists():
                (folder / str(number)).mkdir()
                path = folder / str(number) / path.name
            path.write_bytes(file.content)
            path.chmod(file.mode)
            yield file.path, str(path)


def disk_full(*places: Path) -> str:
    """Return a text about a disk that is full, among those where checks write; nothing when there is space."""
    for place in (*places, Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError):
            disk = os.statvfs(place)
            if disk.f_bavail * disk.f_frsize < LEAST_SPACE or (disk.f_files and not disk.f_favail):
                return f"the disk of {place} is full"
    return ""


def _is_here(file: SentFile) -> bool:
    path = Path(file.path)
    try:
        return stat.S_IMODE(path.stat().st_mode) == file.mode and path.read_bytes() == file.content
    except OSError:
        return False


def _wanted() -> Callable[[], bool]:
    """Return a function that tells whether somebody still waits for the task in which it was made."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        alive = worker.status.name in ("running", "paused", "closing_gracefully")
        return alive and task is not None and task.state == "executing"

    return wanted


def _tidy(name: tuple[str, str]) -> None:
    while (site := _sites.get(name)) is not None and site.tidy():
        time.sleep(1.0)
    _sites.pop(name, None)
