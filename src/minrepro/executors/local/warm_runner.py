"""A check runner that can also run checks by a program that stays loaded.

Used in the supervisor's interpreter: the standard library only.
"""

# ruff: noqa: PTH108, PTH109, PTH118, PTH123

from __future__ import annotations

import os
import select
import signal
import socket
import time
from typing import Any

from minrepro.core.view import View
from minrepro.executors.local.check_runner import (
    DEFAULT_SIGNALS,
    KEPT,
    Capture,
    CheckRunner,
    CoordinatorGone,
    EndMessage,
)
from minrepro.executors.local.cleanup import end_descendants
from minrepro.executors.local.line_server import LineServer
from minrepro.executors.local.sandbox import Sandbox
from minrepro.executors.local.warm_server import Learnt, WarmServer, WarmTrouble, learnt_from

COLD, WARM, TRY, LEARN = range(4)
"""How a check is run: by a fresh process; by a fork of one that stays loaded; by both, the fresh process first and
answered first, and the other answered in a second message; the same after finding out what to load."""

TrialMessage = tuple[int, str, Learnt | None, EndMessage | None]
"""The second answer: the serial number, why there is no warm run, what was learnt, and how the warm run ended."""


class WarmCheckRunner(CheckRunner):
    """Runs the checks that are asked for, each in the way that is asked for."""

    def __init__(self, *place: Any) -> None:
        super().__init__(*place)
        self.view: View | None = place[6]
        self.server = WarmServer(self.nothing, self.ended, self.require_wanted, DEFAULT_SIGNALS)
        self.lines: LineServer | None = None
        self.is_warm = False
        self.report: int | None = None

    @property
    def spared(self) -> tuple[int, ...]:
        """The program that stays loaded."""
        return self.server.pids if self.lines is None else (self.lines.pid,)

    def serve(self) -> None:
        """Answer requests until the coordinator is gone; leave no process and no folder behind."""
        try:
            super().serve()
        finally:
            self.server.stop()
            if self.lines is not None:
                self.lines.stop()

    def handle(self, *check: Any) -> None:
        """Run a check in the way that is asked for, answer, and clean up."""
        *check, (how, learnt) = check  # type: ignore[assignment]
        if learnt is not None and learnt[0] is None:
            self.lines = LineServer(learnt[1], self.require_wanted, DEFAULT_SIGNALS)
        elif learnt is not None:
            self.server.teach(learnt)
        ending = self.run_warm(check) if how == WARM else self.run(*check)
        self.keep_folder(ending)
        self.answer(ending)
        self.clean()
        if how in (TRY, LEARN):
            self.prepare()
            self.answer(self.tried(check, how))
            self.clean()

    def forget_ended(self) -> None:
        """Forget how the processes of a check ended, but not that the program that stays loaded did."""
        self.server.look_at(self.ended)
        super().forget_ended()

    def launch(self, words: list[str], variables: dict[bytes, bytes], streams: list[int]) -> int:
        """Start a check with these standard streams."""
        if not self.is_warm:
            return super().launch(words, variables, streams)
        return self.server.fork(words, variables, os.getcwd(), streams, self.limits.impose, self.report)

    def run_warm(self, check: Any) -> EndMessage:
        """Run one check by the program that stays loaded, or where that is not possible any more by a fresh process."""
        try:
            return self.forked(check)
        except WarmTrouble as trouble:
            self.server.stop()
            self.work.noticed = f"a check was run by a fresh process: {trouble}"
            self.clean()
            self.prepare()
            return self.run(*check)

    def forked(self, check: Any) -> EndMessage:
        """Run one check by the program that stays loaded."""
        _, argv, _, _, environment, _ = check
        if self.lines is not None:
            return self.asked(self.lines, *check)
        self.server.prepare(*self.located(argv, environment), load=self.report is None)
        self.is_warm = True
        try:
            return self.run(*check)
        finally:
            self.is_warm = False

    def asked(
        self,
        lines: LineServer,
        serial: int,
        argv: tuple[str, ...],
        files: Any,
        stdin: bytes,
        environment: dict[str, str],
        limit: float | None,
    ) -> EndMessage:
        """Run one check by a program that answers lines."""
        self.work.write(files)
        paths = [f"{self.place.path}/{name}" for name in ("stdin", "stdout", "stderr")]
        for path, content in zip(paths, (stdin, b"", b""), strict=True):
            with open(path, "wb") as file:
                file.write(content)
        try:
            begin = time.monotonic()
            status = lines.ask([os.getcwd(), *paths, *self.located(argv, environment)[0]], limit)
            seconds = time.monotonic() - begin
            end_descendants(self.ended, self.spared)
            out, err = map(_captured, paths[1:])
        finally:
            for path in paths:
                os.unlink(path)
            self.forget_ended()
        cut = limit if status is None else None
        return serial, -signal.SIGKILL if status is None else status, seconds, out, err, cut, "", "", self.notice()

    def renew(self, sandbox: Sandbox) -> None:
        """Have the sandbox as it was; a program that stays loaded must see the new one."""
        self.server.stop()
        if self.lines is not None:
            self.lines.stop()
        super().renew(sandbox)

    def notice(self) -> str:
        """Return what the user should know, once."""
        return super().notice() or self.server.told()

    def tried(self, check: Any, how: int) -> TrialMessage:
        """Run a check once more by the program that stays loaded, after finding out what to load if that is asked."""
        learnt = None
        try:
            if self.cancelled:
                return check[0], "", None, None
            if how == LEARN:
                learnt = self.learn(check)
                self.server.teach(learnt)
                self.clean()
                self.prepare()
            return check[0], "", learnt, self.forked(check)
        except WarmTrouble as trouble:
            self.server.stop()
            return check[0], str(trouble), None, None

    def learn(self, check: Any) -> Learnt:
        """Return what a check imports, as far as it can be imported in advance."""
        self.report = os.memfd_create("report")
        try:
            self.forked(check)
            text = os.pread(self.report, os.fstat(self.report).st_size, 0).decode("utf-8", "replace")
        finally:
            os.close(self.report)
            self.report = None
        return learnt_from(text, self.of_candidate())

    def of_candidate(self) -> list[str]:
        """Return what belongs to the candidate: files, and folders with all that is in them."""
        view = self.view
        if view is None:
            paths = [self.work.folder]
        else:
            paths = [view.whole] if view.whole else [os.path.join(view.folder, name) for name in view.names]
        return [*paths, *map(os.path.realpath, paths)]

    def require_wanted(self) -> None:
        """Give up when the coordinator is gone."""
        gone = select.select([self.control], [], [], 0)[0] and not self.control.recv(1, socket.MSG_PEEK)
        if gone or (self.coordinator is not None and select.select([self.coordinator], [], [], 0)[0]):
            raise CoordinatorGone


def _captured(path: str) -> bytes:
    """Return what is kept of a file that was printed."""
    capture = Capture()
    with open(path, "rb") as file:
        while piece := file.read(KEPT):
            capture.add(piece)
    return capture.text()
