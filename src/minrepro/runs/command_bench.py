"""A failing command with its input, and where it runs: all that is needed to see how it ends on a content."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import stat
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from minrepro.core.invocations import CANDIDATE, Invocation, ProcessEnd
from minrepro.core.view import View
from minrepro.errors import CheckError
from minrepro.oracles.check_script import Where
from minrepro.oracles.command import find_command, trouble_of
from minrepro.oracles.deriving import Observed
from minrepro.oracles.diagnostics import Context
from minrepro.oracles.scenario import SHELL, Command, Scenario, shell_line
from minrepro.runs.check_once import CheckOnce
from minrepro.runs.folder_views import Placed, place_outside, placed, view_of
from minrepro.runs.state_folder import place_of
from minrepro.settings import FailingCommand
from minrepro.targets.target import InputTarget

PATIENCE = 120.0
"""Seconds after which a command on its input counts as running forever."""
_MOST_STDIN = 64 << 20


@dataclass(frozen=True)
class Bench:
    """A failing command with its input, and where it runs."""

    asked: FailingCommand
    given: InputTarget
    view: View | None
    place: Path | None
    where: Placed
    stdin: bytes
    """What the command reads that is not the candidate."""
    used: list[ProcessEnd] = field(default_factory=list)
    """How all runs until now ended."""

    def run(self, scenario: Scenario, cases: Sequence[bytes], timeout: float, jobs: int = 1) -> list[ProcessEnd]:
        """Return how a scenario ends on each of these contents."""

        def invoked(case: Any) -> Invocation:
            reads = scenario.reads_stdin and scenario.is_plain
            words, files = scenario.words(self.where.place), self.where.files(case)
            stdin: Any = next(iter(files.values())) if reads else self.stdin
            return Invocation(words, files, stdin, {"MINREPRO_CANDIDATE": self.where.place})

        with CheckOnce(timeout, jobs, self.place, self.view, self.asked.execution.containment) as checks:
            endings = checks.run_all([invoked(case) for case in cases])
        self.used.extend(endings)
        return endings

    def on_input(self, scenario: Scenario, times: int = 1) -> list[ProcessEnd]:
        """Return how a scenario ends on the input, or say why that cannot be told."""
        endings = self.run(scenario, [self.given.data] * times, self.asked.execution.timeout or PATIENCE)
        for ending in endings:
            if ending.trouble:
                raise CheckError(trouble_of(scenario.first.text.split()[0], ending.trouble))
            if ending.limit is not None:
                raise CheckError(
                    f"{scenario.text} is still running on {self.given.label} after {ending.limit:g} s\n"
                    "hint: if that is the failure, use --expect-hang SECONDS; otherwise allow more with --timeout"
                )
        return endings


def at_home(bench: Bench, scenario: Scenario) -> ProcessEnd:
    """Return how the command ends on the input in the user's own folder, exactly as it was typed."""
    typed = bench.asked.typed or bench.asked.words
    command = Command.as_typed(typed, str(bench.given.path), bench.given.inputs)
    words = command.words or (SHELL, "-c", command.shell, "minrepro", str(bench.given.path))
    stdin = bench.given.written(bench.given.data) if scenario.reads_stdin else bench.stdin
    began = time.monotonic()
    process = subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=bench.view.folder if bench.view is not None else None,
        start_new_session=True,
    )
    try:
        stdout, stderr = process.communicate(stdin, bench.asked.execution.timeout or PATIENCE)
    except subprocess.TimeoutExpired:
        stdout = stderr = b""
    finally:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)  # also what it has left behind
        process.wait()
    return ProcessEnd(process.returncode, time.monotonic() - began, stdout, stderr)


def bench_of(asked: FailingCommand, given: InputTarget, hidden: Sequence[Path]) -> tuple[Bench, Scenario]:
    """Return a failing command with its input, and what is run."""
    bench = _bench(asked, given, hidden)
    scenario = _scenario(bench)
    if bench.view is not None and _is_for_inside(bench, scenario):
        view = bench.view._replace(folder=bench.view.whole)
        bench = replace(bench, view=view, where=replace(bench.where, place="{folder}"), used=bench.used)
    return bench, scenario


def _is_for_inside(bench: Bench, scenario: Scenario) -> bool:
    """Tell whether a command that does not name the input's folder is meant to run inside it."""
    if bench.view is None or not bench.view.whole or bench.view.whole == bench.view.folder:
        return False
    if scenario.differs or scenario.first.named:
        return False
    ending, empty = bench.run(
        replace(scenario, whiles=()), [bench.given.data, b""], bench.asked.execution.timeout or PATIENCE
    )
    return not differ(ending, empty)


def _bench(asked: FailingCommand, given: InputTarget, hidden: Sequence[Path]) -> Bench:
    folder = os.path.realpath(Path.cwd())
    roots = [folder, os.path.realpath(given.path.parent)]
    place = place_outside([place_of(asked.execution), None, Path("/var/tmp")], roots)
    view = None if asked.execution.cluster.address else view_of(given, folder, place, hidden)
    where = bare(given) if view is None else placed(given, folder)
    return Bench(asked, given, view, place, where, _standard_input(given))


def bare(given: InputTarget) -> Placed:
    """Return where a candidate is when a check sees nothing but it."""
    return Placed(given.layout.place, CANDIDATE, given.name, table=given.table, layout=given.layout)


def _standard_input(given: InputTarget) -> bytes:
    """Return what the command was to read, if that is a file and not the input itself."""
    try:
        seen = os.fstat(0)
        if not stat.S_ISREG(seen.st_mode) or seen.st_size > _MOST_STDIN or is_standard_input(given):
            return b""
        return os.pread(0, _MOST_STDIN, 0)
    except OSError:
        return b""


def is_standard_input(given: InputTarget) -> bool:
    """Tell whether the input was put on our own standard input, as in `minrepro reduce a.sql -- sqlite3 < a.sql`."""
    try:
        seen, path = os.fstat(0), given.path.stat()
        return given.table is None and (seen.st_ino, seen.st_dev) == (path.st_ino, path.st_dev)
    except OSError:
        return False


def _scenario(bench: Bench) -> Scenario:
    asked, given = bench.asked, bench.given

    def of_text(text: str) -> Command:
        if bench.view is None:
            return Command.of_text(text, given.inputs)
        return Command.as_typed([text] if shell_line([text]) else shlex.split(text), bench.where.typed, given.inputs)

    whiles = tuple(map(of_text, asked.requires))
    if asked.compares:
        return Scenario(None, whiles, differs=tuple(map(of_text, asked.compares)), stdin=bool(given.name))
    if shell_line(asked.words) is None:
        find_command(asked.words[0])  # says what is wrong with a program that is not there
    if bench.view is None:
        main = Command.of_words(asked.words, given.inputs)
    else:
        main = Command.as_typed(asked.words, bench.where.typed, given.inputs)
    if asked.typed:
        main = replace(main, text=shlex.join(asked.typed))
    return Scenario(main, whiles, asked.hangs, stdin=bool(given.name))


def differ(one: ProcessEnd, other: ProcessEnd) -> bool:
    return (one.status, one.stdout, one.stderr) != (other.status, other.stdout, other.stderr)


def context_of(bench: Bench, observed: Observed) -> Context:
    """Return what is known of the input and of where the command runs."""
    given, view = bench.given, bench.view
    names = [Path(name).name for name in ([given.name] if given.table is None else given.table.names)]
    roots = {os.path.realpath(Path.cwd())}
    if view is not None:
        roots |= {*view.roots, view.folder, *filter(None, [view.whole])}
    context = Context.of(given.data, names, sorted(roots, key=len, reverse=True))
    return context.seeing(ending.stdout + ending.stderr for ending in observed.runs)


def copied_by_check(bench: Bench) -> Where:
    """Return the folder of which a saved check makes a copy."""
    if bench.view is None or len(bench.view.roots) != 1:
        return Where()
    root = bench.view.roots[0]
    place = bench.where.place.replace("{folder}", bench.view.folder)
    return Where(root, os.path.relpath(bench.view.folder, root), os.path.relpath(place, root))
