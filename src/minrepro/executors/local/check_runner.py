"""The process beside a check: a check runner runs one check at a time and lets nothing of it survive.

Check runners are forked by the supervisor (see `supervisor.py`) and spoken to by `process_pool.py`; they import the
standard library only. A check runner ends by itself, after cleaning up, when the coordinator is gone.
"""

# Every test passes through here, and functions on strings take half the time of those on `Path`.

from __future__ import annotations

import contextlib
import errno
import marshal
import os
import select
import signal
import socket
import struct
import time
from typing import Any

from minrepro.core.view import View
from minrepro.executors.local.cgroups import held_back
from minrepro.executors.local.cleanup import end_check, reap
from minrepro.executors.local.folder_copies import keep_folder
from minrepro.executors.local.portable import LINUX
from minrepro.executors.local.resource_limits import EnforcedLimits
from minrepro.executors.local.run_folder import RunFolder
from minrepro.executors.local.sandbox import Sandbox
from minrepro.executors.local.work_folders import WorkFolder, work_folder
from minrepro.executors.local.work_place import Place, PlaceLost, write_fully

LENGTH = struct.Struct("<Q")
"""Before each message between coordinator and check runner: how long it is."""

KEPT = 64 * 1024
"""How many bytes are kept of the beginning, and again of the end, of what a check prints."""
IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Signals that ask for an end; check runners and supervisor end when the coordinator does, after cleaning up."""
DEFAULT_SIGNALS = (*IGNORED, signal.SIGPIPE, signal.SIGXFSZ)
"""What the interpreter of a check runner ignores, and a check does not."""
OUT_OF_TIME = "out of time"
CONTINUED = "something stopped the process that supervises a check; it was continued"
READABLE = select.POLLIN | select.POLLHUP | select.POLLERR

EndMessage = tuple[int, int, float, bytes, bytes, float | None, str, str, str]
"""The serial number of a request, then the fields of a `ProcessEnd`."""


class CoordinatorGone(Exception):
    """Nobody is left who wants an answer."""


class Capture:
    """The beginning and the end of a stream of any length."""

    def __init__(self) -> None:
        self.head = b""
        self.tail = b""
        self.left_out = 0
        self.ended = False
        """Whether all who could write have closed their end."""

    def add(self, chunk: bytes) -> None:
        """Take the next piece of the stream; an empty one is its end."""
        self.ended = not chunk
        room = KEPT - len(self.head)
        if room > 0:
            self.head += chunk[:room]
            chunk = chunk[room:]
        if chunk:
            kept = (self.tail + chunk)[-KEPT:]
            self.left_out += len(self.tail) + len(chunk) - len(kept)
            self.tail = kept

    @property
    def length(self) -> int:
        """How long the stream was until now."""
        return len(self.head) + self.left_out + len(self.tail)

    def text(self) -> bytes:
        """Return what was kept, with a line where something was left out."""
        gap = b"\n[%d bytes left out]\n" % self.left_out if self.left_out else b""
        return self.head + gap + self.tail


class CheckRunner:
    """Runs the checks that are asked for over its socket, one after another."""

    def __init__(
        self,
        control: socket.socket,
        coordinator: int | None,
        run: RunFolder,
        number: int,
        limits: EnforcedLimits,
        group: str = "",
        view: View | None = None,
        sandbox: Sandbox | None = None,
        keep: str = "",
    ) -> None:
        """The folder of the run has one for this check runner, named by its number."""
        self.keep = keep
        """Where all that checks leave is kept; empty when it is removed."""
        self.control = control
        self.group = group
        self.limits = limits
        self.coordinator = coordinator
        self.run_folder = run
        self.number = number
        self.sandbox = sandbox
        self.stopped = False
        self.work: WorkFolder = work_folder(view, sandboxed=sandbox is not None)
        self.environment = dict(os.environb)
        self.ended: dict[int, int] = {}
        self.cancelled = False
        """Whether the last check was ended because nobody wanted its answer any more."""
        self.opened: list[int] = []
        self.pipes: list[tuple[int, int]] = []
        self.nothing = os.open(os.devnull, os.O_RDWR)
        self.deaths, wake = os.pipe()
        os.set_blocking(self.deaths, False)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.signal(signal.SIGCONT, self.continued)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self.poller = select.poll()
        for descriptor in (self.deaths, control.fileno(), coordinator):
            if descriptor is not None:
                self.poller.register(descriptor, READABLE)

    def settle(self) -> None:
        """Enter the sandbox, if there is to be one, and open the folder of this check runner; raise OSError if not."""
        path = f"{self.run_folder.path}/{self.number}"
        if self.sandbox is not None:
            self.sandbox.enter()
        self.settle_in(path)

    def settle_in(self, path: str) -> None:
        """Open the folder of this check runner by its path, which must lead there."""
        place = Place.opened(path)
        made = os.stat(str(self.number), dir_fd=self.run_folder.descriptor)
        if not os.path.samestat(os.fstat(place.descriptor), made):
            raise PlaceLost(f"another folder is at {path}")
        if self.sandbox is not None:
            place = place._replace(scratch=self.sandbox.scratch)
        self.place = place
        self.work.settle(place)

    def serve(self) -> None:
        """Answer requests until the coordinator is gone; leave no folder behind."""
        with contextlib.suppress(CoordinatorGone, ConnectionError, PlaceLost):
            while True:
                self.prepare()
                self.handle(*self.request())
        self.work.remove()
        if self.sandbox is not None:
            self.sandbox.leave()
        with contextlib.suppress(OSError):
            os.rmdir(str(self.number), dir_fd=self.run_folder.descriptor)

    def continued(self, number: int, frame: object) -> None:
        """Take note that this process had been stopped."""
        self.stopped = True

    @property
    def spared(self) -> tuple[int, ...]:
        """Processes beside the checks, which outlive them."""
        return ()

    def prepare(self) -> None:
        """Have all that the next check needs."""
        self.work.prepare()
        self.pipes = self.pipes or [os.pipe(), os.pipe()]

    def handle(self, *check: Any) -> None:
        """Run a check, answer, and clean up."""
        # The answer goes first: while the coordinator thinks there is time to clean, and to prepare.
        ending = self.run(*check)
        self.keep_folder(ending)
        self.answer(ending)
        self.clean()

    def keep_folder(self, ending: EndMessage) -> None:
        """Keep all that a check left, if that is wanted."""
        if self.keep:
            keep_folder(self.work.written, f"{self.keep}/{ending[0]:06}-exit-{ending[1]}")

    def answer(self, message: tuple[Any, ...]) -> None:
        """Send a message to the coordinator."""
        data = marshal.dumps(message)
        self.control.sendall(LENGTH.pack(len(data)) + data)

    def clean(self) -> None:
        """Leave nothing of a check."""
        self.close_files()
        self.work.clean()
        if self.sandbox is not None and not self.sandbox.is_clean():
            self.work.remove()
            self.renew(self.sandbox)
            os.close(self.place.descriptor)
            self.settle_in(self.place.path)

    def renew(self, sandbox: Sandbox) -> None:
        """Have the sandbox as it was."""
        sandbox.renew()

    def request(self) -> tuple[Any, ...]:
        """Wait for the next check to run."""
        while True:
            ready = [descriptor for descriptor, _ in self.poller.poll()]
            if self.control.fileno() in ready:
                message = self.message()
                if len(message) > 1:
                    return message
                # Otherwise it is the cancelling of a check whose answer was already on its way.
            elif self.coordinator in ready:
                raise CoordinatorGone
            else:
                self.reap()

    def message(self) -> tuple[Any, ...]:
        """Return the next message of the coordinator: a request, or only the serial number of one to cancel."""
        (length,) = LENGTH.unpack(self.receive(LENGTH.size))
        message: tuple[Any, ...] = marshal.loads(self.receive(length))
        return message

    def receive(self, length: int) -> bytes:
        """Return the next bytes from the coordinator, this many."""
        pieces = []
        while length:
            piece = self.control.recv(length)
            if not piece:
                raise CoordinatorGone
            pieces.append(piece)
            length -= len(piece)
        return b"".join(pieces)

    def reap(self) -> None:
        """Note all that has ended since the last time."""
        with contextlib.suppress(BlockingIOError):
            while len(os.read(self.deaths, 4096)) == 4096:
                pass
        reap(self.ended)

    def run(
        self,
        serial: int,
        argv: tuple[str, ...],
        files: dict[str, bytes | tuple[int, bytes]],
        stdin: bytes,
        environment: dict[str, str],
        limit: float | None,
    ) -> EndMessage:
        """Run one check to its end, with everything that it starts."""
        outputs: dict[int, Capture] = {}
        held = held_back(self.group)
        self.cancelled = False
        try:
            self.work.write(files)
            source = self.standard_input(stdin)
            words, variables = self.located(argv, environment)
            begin = time.monotonic()
            pid = self.spawn(words, variables, source, outputs)
            try:
                why = self.watch(pid, serial, outputs, None if limit is None else begin + limit)
                seconds = time.monotonic() - begin
            finally:
                end_check(pid, self.ended, self.spared)
            status = os.waitstatus_to_exitcode(self.ended.get(pid, signal.SIGKILL))
            out, err = (
                self.work.in_output(self.drained(descriptor, capture)) for descriptor, capture in outputs.items()
            )
            cut = limit if why == OUT_OF_TIME else None
            exceeded = self.limits.told_by(status) if why in ("", OUT_OF_TIME) else why
            if not exceeded and held_back(self.group) > held:
                exceeded = self.limits.too_many_processes
            return serial, status, seconds, out, err, cut, "", exceeded, self.notice()
        except (OSError, ValueError) as error:
            name = errno.errorcode.get(getattr(error, "errno", 0), type(error).__name__)
            trouble = f"{name}: {getattr(error, 'strerror', None) or error}"
            return serial, 127, 0.0, b"", b"", None, trouble, "", self.notice()
        finally:
            self.forget_ended()

    def forget_ended(self) -> None:
        """Forget how the processes of a check ended."""
        self.ended.clear()

    def notice(self) -> str:
        """Return what the user should know, once."""
        noticed, self.work.noticed = self.work.noticed, ""
        if self.stopped:
            self.stopped, noticed = False, CONTINUED
        return noticed

    def close_files(self) -> None:
        """Close all that was opened for a check."""
        opened, self.opened = self.opened, []
        for descriptor in opened:
            with contextlib.suppress(KeyError):
                self.poller.unregister(descriptor)
            os.close(descriptor)

    def standard_input(self, content: bytes) -> int:
        """Return a descriptor from which a check reads this content."""
        if not content:
            return self.nothing
        if LINUX:
            descriptor = os.memfd_create("stdin")
        else:
            name, folder = f"stdin-{time.monotonic_ns()}", self.place.descriptor
            descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=folder)
            os.unlink(name, dir_fd=folder)
        self.opened.append(descriptor)
        write_fully(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor

    def located(self, argv: tuple[str, ...], environment: dict[str, str]) -> tuple[list[str], dict[bytes, bytes]]:
        """Return the words and the environment of a check as they are in the folder where it runs."""
        variables = self.environment.copy()
        for name, value in environment.items():
            variables[os.fsencode(name)] = os.fsencode(self.work.in_words(value))
        return [self.work.in_words(word) for word in argv], variables

    def spawn(self, words: list[str], variables: dict[bytes, bytes], stdin: int, outputs: dict[int, Capture]) -> int:
        """Start a check in its own process group and begin to listen to its outputs."""
        pipes, self.pipes = self.pipes, []
        try:
            for read, _ in pipes:
                self.opened.append(read)
                os.set_blocking(read, False)
                outputs[read] = Capture()
                self.poller.register(read, READABLE)
            return self.launch(words, variables, [stdin, *(write for _, write in pipes)])
        finally:
            for _, write in pipes:
                os.close(write)

    def launch(self, words: list[str], variables: dict[bytes, bytes], streams: list[int]) -> int:
        """Start a check with these standard streams."""
        actions = [(os.POSIX_SPAWN_DUP2, stream, number) for number, stream in enumerate(streams)]
        pid = os.posix_spawnp(words[0], words, variables, file_actions=actions, setpgroup=0, setsigdef=DEFAULT_SIGNALS)
        self.limits.impose(pid)
        return pid

    def watch(self, pid: int, serial: int, outputs: dict[int, Capture], deadline: float | None) -> str:
        """Listen to a check until it ends or is cancelled, or return why it must be ended."""
        control, remaining = self.control.fileno(), None
        look = time.monotonic() + self.limits.look if self.limits.must_look else None
        while True:
            if deadline is not None or look is not None:
                now = time.monotonic()
                if deadline is not None and deadline <= now:
                    return OUT_OF_TIME
                if look is not None and look <= now:
                    exceeded = self.limits.exceeded(self.written(), self.spared)
                    if exceeded:
                        return exceeded
                    look = time.monotonic() + self.limits.look
                remaining = (min(moment for moment in (deadline, look) if moment is not None) - now) * 1000
            for descriptor, _ in self.poller.poll(remaining):
                if descriptor in outputs:
                    chunk = os.read(descriptor, KEPT)
                    outputs[descriptor].add(chunk)
                    if not chunk:
                        self.poller.unregister(descriptor)
                    elif self.printed_too_much(outputs):
                        return f"more than {self.limits.printed:,} bytes printed"
                elif descriptor == self.deaths:
                    self.reap()
                    if pid in self.ended:
                        return ""
                elif descriptor != control:
                    raise CoordinatorGone
                elif self.message()[0] == serial:
                    self.cancelled = True
                    return ""

    def written(self) -> list[str]:
        """Return the folders that hold what a check wrote."""
        return [self.work.written, *([] if self.sandbox is None else self.sandbox.written)]

    def printed_too_much(self, outputs: dict[int, Capture]) -> bool:
        """Tell whether a check has printed more than it may."""
        return self.limits.printed is not None and sum(each.length for each in outputs.values()) > self.limits.printed

    def drained(self, descriptor: int, capture: Capture) -> bytes:
        """Return what was kept of an output whose writers have ended."""
        with contextlib.suppress(BlockingIOError):
            for _ in range(64):  # somebody outside may have been handed the other end and write for ever
                if capture.ended:
                    break
                capture.add(os.read(descriptor, KEPT))
        return capture.text()
