"""Tests in local processes: each in a fresh folder, with a time limit, and with nothing of it left afterwards.

Each of the slots has a check runner, a small process that runs the checks of that slot (see `check_runner.py`); this
file hands out cases and collects answers. Starting a check costs no thread and no fork of this process, however big it
has grown.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from minrepro.core.containment import OFF, Containment, in_words
from minrepro.core.invocations import Invocation, ProcessEnd, ProcessOracle
from minrepro.core.keys import key_of
from minrepro.core.limits import Limits
from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.core.view import View
from minrepro.errors import CheckError, ExecutorLost, UsageError
from minrepro.executors.adaptive_timeout import AdaptiveTimeout
from minrepro.executors.local.check_runner import CONTINUED, LENGTH, READABLE
from minrepro.executors.local.cleanup import PERSISTENCE
from minrepro.executors.local.supervisor_process import LOOK, SupervisorProcess
from minrepro.executors.local.warm_runner import COLD, LEARN, TRY
from minrepro.executors.local.warm_server import PATIENCE, Learnt
from minrepro.executors.local.warm_trial import WarmTrial

ATTEMPTS = 3
"""How often a test is begun whose check runner is killed each time."""
OVERDUE = 30.0
"""Seconds after its time limit when a check that has not been ended counts as hung together with its check runner."""


@dataclass(eq=False, slots=True)
class _Test:
    """A case under way, with all that is needed to begin it again."""

    serial: int
    invocation: Invocation
    how: int = COLD
    attempts: int = 0
    overdue: float = 0.0
    """The moment at which its check runner counts as hung."""


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
    how: int = COLD
    """How the test is run that was begun last."""
    is_second: bool = False
    """Whether its second answer is awaited, the one of the program that stays loaded."""
    tried: tuple[ProcessEnd, Verdict] | None = None
    """The first answer to it."""
    is_taught: bool = False
    """Whether the check runner knows what to load."""


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
        containment: Containment = Containment(),  # noqa: B008 - it never changes
        warm: WarmTrial | None = None,
    ) -> None:
        """Without a timeout the limit adapts to what is seen; the place is where the checks' folders are made.

        With a view, checks run in a private version of the user's folder instead of an empty one. What decides whether
        the program of the checks stays loaded is `warm`; without it each check is a fresh process.
        """
        self._warm = warm
        self._limits = limits
        self._view = view
        self._containment = containment
        self._why_open = ""
        self._warn = warn
        self.capacity = jobs
        self._oracle = oracle
        self._adaptive_timeout = AdaptiveTimeout(timeout)
        self._place = place
        self._serials = count(1)
        self._numbers = count(1)
        # Begun at once, so that whoever has something else to prepare need not wait for it afterwards.
        self._supervisors = [self._new_supervisor()]
        self._slots: dict[int, _Slot] = {}
        self._idle: list[_Slot] = []
        self._under_way: dict[Job, _Slot] = {}
        self._finished: dict[Job, Verdict] = {}
        self._poller = select.poll()

    @property
    def limit(self) -> float:
        """The seconds that a check which starts now may take."""
        return self._adaptive_timeout.limit

    @property
    def containment(self) -> str:
        """In words, what keeps checks from all that is not theirs."""
        return in_words(self._containment, "" if self._containment.mode == OFF else self.why_open)

    @property
    def why_open(self) -> str:
        """Why there is no sandbox although one was asked for; empty if there is."""
        if not self._slots:
            self._idle.append(self._add_slot()[0])
        return self._why_open

    def learn(self, verdict: Verdict) -> None:
        """Take into account how long a check took that was run before."""
        self._adaptive_timeout.learn(verdict)

    def start(self, case: Any) -> Job:
        """Begin the test of a case, as soon as a slot is free."""
        run = self._oracle.invocation(case)
        how = COLD if self._warm is None else self._warm.how(key_of(case), run.argv)
        test = _Test(next(self._serials), run, how)
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

    def _new_supervisor(self) -> SupervisorProcess:
        return SupervisorProcess(self._place, self._limits, self._view, self._containment)

    def _add_slot(self, number: int = 0, replaced: int = 0) -> tuple[_Slot, int]:
        """Start a check runner, in the place of a dead one; return its slot and the wait status of the dead one."""
        number = number or next(self._numbers)
        try:
            if not self._supervisors:
                self._supervisors.append(self._new_supervisor())
            try:
                connection, check_runner, status, why = self._supervisors[-1].check_runner(number, replaced)
            except OSError:  # the supervisor was killed; the check runners that it started can do without it
                self._supervisors.append(self._new_supervisor())
                try:
                    connection, check_runner, status, why = self._supervisors[-1].check_runner(number)
                except OSError:
                    raise ExecutorLost(
                        "the process that supervises checks ends as soon as it is started; is there enough memory, "
                        "and may as many files be open as it needs?"
                    ) from None
        except KeyboardInterrupt:
            self.close()  # otherwise the answer to this order would be taken for that to the next
            raise
        self._why_open = why
        if not check_runner:
            connection.close()
            raise UsageError(f"--sandbox strict: not possible here: {why}")
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
        run, limit = test.invocation, self.limit
        learnt = None if self._warm is None or slot.is_taught or test.how == COLD else self._warm.learnt
        slot.is_taught = slot.is_taught or learnt is not None
        how = test.how, learnt
        request = (test.serial, run.argv, dict(run.files), run.stdin, dict(run.environment), limit, how)
        # A loaded program may have to be started first.
        test.overdue = time.monotonic() + limit + OVERDUE + (0.0 if test.how == COLD else 2 * PATIENCE)
        slot.serial, slot.test, slot.how = test.serial, test, test.how
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
        ready = self._poller.poll(1000 * (LOOK if timeout is None else min(LOOK, timeout)))
        if not ready:
            self._look_after()
        for descriptor, _ in ready:
            slot = self._slots[descriptor]
            try:
                piece = slot.socket.recv(1 << 16)
            except OSError:
                piece = b""
            if not piece:
                self._revive(slot)
                continue
            slot.received += piece
            while len(slot.received) >= LENGTH.size:
                (length,) = LENGTH.unpack_from(slot.received)
                if len(slot.received) < LENGTH.size + length:
                    break
                answer = marshal.loads(bytes(slot.received[LENGTH.size : LENGTH.size + length]))
                del slot.received[: LENGTH.size + length]
                self._take(slot, answer)

    def _look_after(self) -> None:
        """Continue a supervisor that something has stopped, and replace check runners that hang."""
        for supervisor in self._supervisors:
            if supervisor.continue_stopped():
                self._warn(CONTINUED)
        now = time.monotonic()
        for slot in [slot for slot in self._slots.values() if slot.test is not None and slot.test.overdue < now]:
            self._warn("the process that supervises a check did not answer; it was replaced")
            self._revive(slot)

    def _take(self, slot: _Slot, answer: tuple[Any, ...]) -> None:
        """Keep a verdict unless nobody wants it any more, and free the slot unless a second answer will come."""
        if slot.is_second:
            slot.is_second = False
            self._idle.append(slot)
            self._compare(slot, *answer[1:])
            return
        ending, test, slot.test = ProcessEnd(*answer[1:]), slot.test, None
        slot.is_second, slot.tried = slot.how in (TRY, LEARN), None
        if not slot.is_second:
            self._idle.append(slot)
        if test is not None:
            del self._under_way[test]
            if ending.noticed:
                self._warn(ending.noticed)
            verdict = self._judged(ending)
            if not ending.exceeded:
                self._adaptive_timeout.learn(verdict)
            slot.tried = ending, verdict
            self._finished[test] = verdict

    def _judged(self, ending: ProcessEnd) -> Verdict:
        """Return what the end of a check means."""
        if ending.exceeded:
            return Verdict(Outcome.UNRESOLVED, ending.exceeded, ending.seconds)
        return self._oracle.judge(ending)

    def _compare(self, slot: _Slot, trouble: str, learnt: Learnt | None, ended: tuple[Any, ...] | None) -> None:
        """Take in how a check that was run by a fresh process ended in the program that stays loaded."""
        assert self._warm is not None
        slot.is_taught = slot.is_taught or learnt is not None
        warm = None
        if ended is not None and slot.tried is not None:
            ending = ProcessEnd(*ended[1:])
            trouble = trouble or ending.trouble
            warm = None if trouble else (ending, self._judged(ending))
        self._warm.compare(trouble, learnt, slot.tried, warm)

    def _revive(self, slot: _Slot) -> None:
        """Replace a check runner that was killed, and begin its test again."""
        test = slot.test
        self._drop_slot(slot)
        if slot.is_second:
            self._compare(slot, "the process beside the checks was killed", None, None)
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
