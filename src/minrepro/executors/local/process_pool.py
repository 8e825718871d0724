"""Tests in local processes: each in a fresh folder, with a time limit, and with nothing of it left afterwards.

Each of the slots has a check runner, a small process that runs the checks of that slot (see `check_runner.py`); this
file hands out cases and collects answers. Starting a check costs no thread and no fork of this process, however big it
has grown.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import secrets
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from minrepro.core.invocations import Invocation, ProcessEnd, ProcessOracle
from minrepro.core.limits import Limits
from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.core.view import View
from minrepro.errors import CheckError
from minrepro.executors.adaptive_timeout import AdaptiveTimeout
from minrepro.executors.local.check_runner import LENGTH, READABLE
from minrepro.executors.local.cleanup import PERSISTENCE, SEPARATE
from minrepro.executors.local.supervisor import ORDER, STARTED

ATTEMPTS = 3
"""How often a test is begun whose check runner is killed each time."""

# The supervisor imports a few modules of this package and nothing else of it: the packages around them are empty
# stand-ins.
BOOT = """
import sys, types
for name, folder in zip(("minrepro", "minrepro.executors", "minrepro.executors.local"), sys.argv[3:6]):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
from minrepro.executors.local.supervisor import main
main()
"""


@dataclass(eq=False, slots=True)
class _Test:
    """A case under way, with all that is needed to begin it again."""

    serial: int
    invocation: Invocation
    attempts: int = 0


@dataclass(eq=False, slots=True)
class _Slot:
    """A check runner as seen from here, and the test that it runs."""

    number: int
    socket: socket.socket
    check_runner: int
    serial: int = 0
    test: _Test | None = None
    """The test whose answer is awaited; None while idle and while a cancelled test is being ended."""
    received: bytearray = field(default_factory=bytearray)


class _Supervisor:
    """The process that starts check runners, as seen from here."""

    def __init__(self, place: Path | None, limits: Limits, view: View | None) -> None:
        where = Path(tempfile.gettempdir()) if place is None else place
        if not (where.is_dir() and os.access(where, os.W_OK | os.X_OK)):
            raise CheckError(f"cannot create temporary directories in {where}\nhint: --work-dir DIR")
        # The supervisor makes the folder, because it outlives this process and removes it.
        self.folder = str(where.absolute() / f"minrepro-{secrets.token_hex(6)}")
        self.socket, other = socket.socketpair()
        package = Path(__file__).parent
        words = [
            "-I",
            "-S",
            "-c",
            BOOT,
            str(os.getpid()),
            self.folder,
            *map(str, (package.parents[1], package.parent, package)),
        ]
        words.append(marshal.dumps((tuple(limits), view and tuple(view))).hex())
        try:
            self.pid = os.posix_spawn(
                sys.executable,
                [sys.executable, *words],
                os.environ,
                file_actions=[(os.POSIX_SPAWN_DUP2, other.fileno(), 0)],
                setsigmask=(),
                **SEPARATE,
            )
        except OSError as error:
            self.socket.close()
            shutil.rmtree(self.folder, ignore_errors=True)
            raise CheckError(f"cannot start {sys.executable} to run checks: {error.strerror}") from error
        finally:
            other.close()

    def check_runner(self, number: int, replaced: int = 0) -> tuple[socket.socket, int, int]:
        """Start a check runner, in the place of a dead one; return its socket, its process id and how the dead one
        ended."""
        ours, theirs = socket.socketpair()
        try:
            socket.send_fds(self.socket, [ORDER.pack(number, replaced)], [theirs.fileno()])
            answer = self.socket.recv(STARTED.size, socket.MSG_WAITALL)
            if len(answer) < STARTED.size:
                raise ConnectionResetError
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        return ours, *STARTED.unpack(answer)

    def close(self) -> None:
        """Wait until the supervisor has swept up and ended."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)
            self.socket.settimeout(3 * PERSISTENCE)
            self.socket.recv(1)
        self.socket.close()
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)  # it has ended, or it hangs
            os.waitpid(self.pid, 0)
        shutil.rmtree(self.folder, ignore_errors=True)


class Processes:
    """Runs the processes that an oracle asks for, several at a time."""

    def __init__(
        self,
        oracle: ProcessOracle,
        jobs: int = 1,
        timeout: float | None = None,
        place: Path | None = None,
        limits: Limits = Limits(),  # noqa: B008 - it never changes
        warn: Callable[[str], None] = lambda text: None,
        view: View | None = None,
    ) -> None:
        """Without a timeout the limit adapts to what is seen; the place is where the checks' folders are made.

        With a view, checks run in a private version of the user's folder instead of an empty one.
        """
        self._limits = limits
        self._view = view
        self._warn = warn
        self.capacity = jobs
        self._oracle = oracle
        self._adaptive_timeout = AdaptiveTimeout(timeout)
        self._place = place
        self._serials = count(1)
        self._numbers = count(1)
        # Begun at once, so that whoever has something else to prepare need not wait for it afterwards.
        self._supervisors = [_Supervisor(place, limits, view)]
        self._slots: dict[int, _Slot] = {}
        self._idle: list[_Slot] = []
        self._under_way: dict[Job, _Slot] = {}
        self._finished: dict[Job, Verdict] = {}
        self._poller = select.poll()

    @property
    def limit(self) -> float:
        """The seconds that a check which starts now may take."""
        return self._adaptive_timeout.limit

    def learn(self, verdict: Verdict) -> None:
        """Take into account how long a check took that was run before."""
        self._adaptive_timeout.learn(verdict)

    def start(self, case: Any) -> Job:
        """Begin the test of a case, as soon as a slot is free."""
        test = _Test(next(self._serials), self._oracle.invocation(case))
        while not self._idle and len(self._slots) >= self.capacity:
            self._collect(None)
        self._send(self._idle.pop() if self._idle else self._add_slot()[0], test)
        return test

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of all that are finished, at least one unless the timeout passes first."""
        wanted = list(jobs)
        deadline = None if timeout is None else time.monotonic() + timeout
        if any(job in self._finished for job in wanted):
            self._collect(0)
        while True:
            finished = {job: self._finished.pop(job) for job in wanted if job in self._finished}
            if finished or not any(job in self._under_way for job in wanted):
                return finished
            remaining = None if deadline is None else deadline - time.monotonic()
            if remaining is not None and remaining <= 0:
                return {}
            self._collect(remaining)

    def cancel(self, job: Job) -> None:
        """End a test with all that it started; its slot becomes free when that is done."""
        self._finished.pop(job, None)
        slot = self._under_way.pop(job, None)
        if slot is not None:
            slot.test = None
            with contextlib.suppress(OSError):  # a dead check runner is noticed when its slot is read
                slot.socket.sendall(_framed(marshal.dumps((slot.serial,))))

    def close(self) -> None:
        """End all that is still under way; return when no process and no folder of it is left."""
        slots, supervisors = list(self._slots.values()), self._supervisors
        self._slots, self._idle, self._supervisors = {}, [], []
        self._under_way, self._finished, self._poller = {}, {}, select.poll()
        try:
            for slot in slots:
                with contextlib.suppress(OSError):
                    slot.socket.shutdown(socket.SHUT_WR)
            for slot in slots:
                with contextlib.suppress(OSError):
                    slot.socket.settimeout(2 * PERSISTENCE)
                    while slot.socket.recv(1 << 16):
                        pass
        finally:
            for slot in slots:
                slot.socket.close()
            for supervisor in supervisors:
                supervisor.close()

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _add_slot(self, number: int = 0, replaced: int = 0) -> tuple[_Slot, int]:
        """Start a check runner, in the place of a dead one; return its slot and the wait status of the dead one."""
        number = number or next(self._numbers)
        try:
            if not self._supervisors:
                self._supervisors.append(_Supervisor(self._place, self._limits, self._view))
            try:
                connection, check_runner, status = self._supervisors[-1].check_runner(number, replaced)
            except OSError:  # the supervisor was killed; the check runners that it started can do without it
                self._supervisors.append(_Supervisor(self._place, self._limits, self._view))
                connection, check_runner, status = self._supervisors[-1].check_runner(number)
        except KeyboardInterrupt:
            self.close()  # otherwise the answer to this order would be taken for that to the next
            raise
        slot = _Slot(number, connection, check_runner)
        self._slots[connection.fileno()] = slot
        self._poller.register(connection, READABLE)
        return slot, status

    def _drop_slot(self, slot: _Slot) -> None:
        """Forget a check runner; should it live, it ends by itself when its socket is closed."""
        descriptor = slot.socket.fileno()
        self._poller.unregister(descriptor)
        del self._slots[descriptor]
        if slot in self._idle:
            self._idle.remove(slot)
        if slot.test is not None:
            del self._under_way[slot.test]
        slot.socket.close()

    def _send(self, slot: _Slot, test: _Test) -> None:
        run = test.invocation
        request = (test.serial, run.argv, dict(run.files), run.stdin, dict(run.environment), self.limit)
        slot.serial, slot.test = test.serial, test
        self._under_way[test] = slot
        try:
            slot.socket.sendall(_framed(marshal.dumps(request)))
        except OSError:
            self._revive(slot)
        except BaseException:
            self._drop_slot(slot)  # half a request is on its way
            raise

    def _collect(self, timeout: float | None) -> None:
        """Take in what the check runners say, waiting for the first to say something."""
        for descriptor, _ in self._poller.poll(None if timeout is None else timeout * 1000):
            slot = self._slots[descriptor]
            try:
                piece = slot.socket.recv(1 << 16)
            except OSError:
                piece = b""
            if not piece:
                self._revive(slot)
                continue
            slot.received += piece
            if len(slot.received) >= LENGTH.size:
                (length,) = LENGTH.unpack_from(slot.received)
                if len(slot.received) >= LENGTH.size + length:
                    answer = marshal.loads(memoryview(slot.received)[LENGTH.size :])
                    slot.received = bytearray()
                    self._take(slot, ProcessEnd(*answer[1:]))

    def _take(self, slot: _Slot, ending: ProcessEnd) -> None:
        """Free a slot, and keep the verdict unless nobody wants it any more."""
        test, slot.test = slot.test, None
        self._idle.append(slot)
        if test is not None:
            del self._under_way[test]
            if ending.noticed:
                self._warn(ending.noticed)
            if ending.exceeded:
                verdict = Verdict(Outcome.UNRESOLVED, ending.exceeded, ending.seconds)
            else:
                verdict = self._oracle.judge(ending)
                self._adaptive_timeout.learn(verdict)
            self._finished[test] = verdict

    def _revive(self, slot: _Slot) -> None:
        """Replace a check runner that was killed, and begin its test again."""
        test = slot.test
        self._drop_slot(slot)
        fresh, status = self._add_slot(slot.number, slot.check_runner)
        if test is not None:
            test.attempts += 1
            if test.attempts < ATTEMPTS:
                self._send(fresh, test)
                return
        self._idle.append(fresh)
        if test is not None:
            raise CheckError(
                f"the supervisor of the check was killed {ATTEMPTS} times on the same candidate ({_how(status)})\n"
                "hint: does the check kill processes that are not its own, or does the system run out of memory?"
            )


def _framed(message: bytes) -> bytes:
    return LENGTH.pack(len(message)) + message


def _how(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit {code}"
