"""A Python program that stays loaded beside a check runner, and forks for each check; see `warm_site/sitecustomize.py`.

Used in the check runners, which are bare interpreters: the standard library only. The program is started with the very
words of a check, so whatever leads to an interpreter (a path, a `#!` line, `env`) leads there as for a check. Forked
checks are children of the check runner like all others, so they are limited, watched and ended as those are.
"""

# A bare interpreter, and every warm check passes through here: functions on strings take half the time of `Path`.
# ruff: noqa: PTH100, PTH118, PTH120

from __future__ import annotations

import contextlib
import marshal
import os
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from minrepro.executors.local.cleanup import reap

_SITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "warm_site")
_LENGTH = 8
PATIENCE = 60.0
"""Seconds in which a program must have come to where it waits, and in which its modules must be loaded."""

_REPLACED = "the process that keeps the program of the checks loaded was killed, and was replaced"

Learnt = tuple[tuple[tuple[str, str], ...] | None, tuple[str, ...]]
"""The modules to import in advance, each with where it is, and those that must not be; or None, and the words of a
program that answers lines."""


class WarmTrouble(Exception):
    """A program cannot be kept loaded, for this reason."""


class _Start(NamedTuple):
    """What a server was started for; a check with anything else needs another one."""

    words: tuple[str, ...]
    environment: Mapping[bytes, bytes]


class WarmServer:
    """The loaded program of a check runner; started when it is first needed."""

    def __init__(
        self, nothing: int, ended: dict[int, int], gone: Callable[[], None], signals: Sequence[int] = ()
    ) -> None:
        """`nothing` is a descriptor of /dev/null, `ended` where the check runner notes its dead children.

        `gone` raises when nobody wants an answer any more. The signals are those that a check handles as usual.
        """
        self._nothing = nothing
        self._ended = ended
        self._gone = gone
        self._signals = signals
        self._socket: socket.socket | None = None
        self._start: _Start | None = None
        self._learnt: Learnt | None = None
        self._loaded = False
        self.pid = 0
        self._replaced = ""

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that outlive a check."""
        return (self.pid,) if self.pid else ()

    def teach(self, learnt: Learnt) -> None:
        """Say what is to be imported in advance."""
        self._learnt = learnt

    def fork(
        self,
        words: Sequence[str],
        environment: Mapping[bytes, bytes],
        folder: str,
        descriptors: Sequence[int],
        impose: Callable[[int], None],
        report: int | None = None,
    ) -> int:
        """Start a check as a fork, impose its limits, and let it run; return its process id.

        The descriptors are its standard streams; into `report` it writes what it imports.
        """
        for attempt in (1, 2):
            self.prepare(words, environment, load=report is None)
            gate, opens = os.pipe()
            try:
                sent = [*descriptors, gate] + ([] if report is None else [report])
                (pid,) = self._ask(("run", folder, dict(environment)), sent)
                if not pid:
                    raise WarmTrouble("a process could not be started")
                impose(pid)
                return int(pid)
            except OSError:
                self.stop()
                if attempt == 2:
                    raise WarmTrouble("the process that keeps it loaded was killed twice") from None
                self._replaced = _REPLACED
            finally:
                os.close(gate)
                os.close(opens)
        raise AssertionError

    def prepare(self, words: Sequence[str], environment: Mapping[bytes, bytes], *, load: bool) -> None:
        """Have the program started, and loaded if that is asked."""
        start = _Start(tuple(words), dict(environment))
        if self._start != start or self._socket is None:
            self.stop()
            self._begin(start)
        if load and self._learnt is not None and not self._loaded:
            self._load(self._learnt)

    def look_at(self, ended: Mapping[int, int]) -> None:
        """Take notice of the server's own death."""
        if self.pid in ended:
            self.pid, self._replaced = 0, _REPLACED
            self.stop()

    def told(self) -> str:
        """Return what there is to tell, once, of a server that died."""
        told, self._replaced = self._replaced, ""
        return told

    def stop(self) -> None:
        """End the server."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self.pid:
            with contextlib.suppress(OSError):
                os.kill(self.pid, signal.SIGKILL)
            if self.pid not in self._ended:
                with contextlib.suppress(OSError):
                    os.waitpid(self.pid, 0)
            self._ended.pop(self.pid, None)
        self.pid, self._loaded, self._start = 0, False, None

    def _begin(self, start: _Start) -> None:
        """Start the program, and wait until it says that it waits."""
        ours, theirs = socket.socketpair()
        paths = os.fsdecode(start.environment.get(b"PYTHONPATH", b""))
        variables = dict(start.environment)
        variables[b"PYTHONPATH"] = os.fsencode(_SITE + (f":{paths}" if paths else ""))
        variables[b"MINREPRO_WARM"] = os.fsencode(f"{theirs.fileno()}:{paths}")
        # Whether a stream is a pipe decides how it is buffered, and that is settled before the program waits.
        outputs = os.pipe()
        os.set_inheritable(theirs.fileno(), True)
        try:
            self.pid = os.posix_spawnp(
                start.words[0],
                list(start.words),
                variables,
                file_actions=[(os.POSIX_SPAWN_DUP2, self._nothing, 0)]
                + [(os.POSIX_SPAWN_DUP2, outputs[1], number) for number in (1, 2)],
                setpgroup=0,
                setsigdef=self._signals,
            )
        finally:
            theirs.close()
            os.close(outputs[1])
            os.close(outputs[0])
        self._socket, self._start = ours, start
        ours.settimeout(0.2)
        try:
            pid, kind = self._hear()
        except OSError:
            pid, kind = 0, ""
        if pid != self.pid or kind != "cpython":
            raise WarmTrouble("it is not a Python program that can be stopped before its first line")

    def _load(self, learnt: Learnt) -> None:
        """Have modules imported in advance."""
        try:
            (trouble,) = self._ask(("load", *learnt), [])
        except OSError:
            raise WarmTrouble("importing its modules ends the process") from None
        if trouble:
            raise WarmTrouble(trouble)
        self._loaded = True

    def _ask(self, message: tuple[Any, ...], descriptors: Sequence[int]) -> tuple[Any, ...]:
        assert self._socket is not None
        data = marshal.dumps(message, 2)
        framed = memoryview(len(data).to_bytes(_LENGTH, "little") + data)
        sent = socket.send_fds(self._socket, [framed], list(descriptors)) if descriptors else 0
        while sent < len(framed):
            with contextlib.suppress(TimeoutError):
                sent += self._socket.send(framed[sent:])
            self._require_alive()
        return self._hear()

    def _hear(self) -> tuple[Any, ...]:
        answer: tuple[Any, ...] = marshal.loads(self._exactly(int.from_bytes(self._exactly(_LENGTH), "little")))
        return answer

    def _exactly(self, length: int) -> bytes:
        assert self._socket is not None
        data, waits = b"", int(PATIENCE / 0.2)
        while len(data) < length:
            try:
                piece = self._socket.recv(length - len(data))
            except TimeoutError:
                self._gone()
                self._require_alive()
                waits -= 1
                if not waits:
                    raise WarmTrouble(f"it is not loaded after {PATIENCE:g} s") from None
                continue
            if not piece:
                raise ConnectionResetError
            data += piece
        return data

    def _require_alive(self) -> None:
        reap(self._ended)
        if self.pid in self._ended:
            raise ConnectionResetError


def learnt_from(report: str, forbidden: Sequence[str]) -> Learnt:
    """Return what can be imported in advance, given the report of a check; raise when one of it does more than load.

    What is in a forbidden folder belongs to the candidate.
    """
    order: dict[str, None] = {}
    origins: dict[str, str] = {}
    deeds: dict[str, str] = {}
    for line in report.splitlines():
        kind, name, text = line.split("\t", 2)
        if kind == "begin":
            order[name] = None
        elif kind == "end":
            origins[name] = text
        else:
            deeds[name] = text
    apart = {
        name
        for name, origin in origins.items()
        if origin == "?" or any(origin == path or origin.startswith(f"{path}/") for path in forbidden)
    }
    for name, deed in deeds.items():
        if name in origins and name not in apart:
            raise WarmTrouble(f"importing {name} {deed}")
    wanted = tuple((name, origins[name]) for name in order if name in origins and name not in apart)
    return wanted, tuple(sorted(apart))
