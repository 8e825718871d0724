"""A failing file or folder reduced from Python as by the command: by a check, a failing command or a function."""

from __future__ import annotations

import shlex
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from minrepro.api.results import Result, Stats
from minrepro.core.events import Listener, ignore
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import UsageError
from minrepro.oracles.brought import brought_oracle
from minrepro.oracles.command import CommandOracle
from minrepro.oracles.failure import FailureOracle
from minrepro.oracles.function import FunctionOracle
from minrepro.runs.executor_stack import Oracle
from minrepro.runs.runner import Runner
from minrepro.settings import Budget, ExecutionSettings, FailingCommand, HistorySettings, OutputSettings, RunSettings
from minrepro.targets.choosing import target_at
from minrepro.targets.file import FileTarget
from minrepro.targets.result_folder import write_folder
from minrepro.targets.target import InputTarget

PathCheck = str | Sequence[str] | Callable[[Path], bool | Outcome | Verdict]


def reduce_path(
    path: str | Path | Sequence[str | Path],
    check: PathCheck | None = None,
    *,
    command: str | Sequence[str] | None = None,
    output: str | Path | None = None,
    state: str | Path | None = None,
    resume: bool = False,
    workers: int | None = None,
    timeout: float | None = None,
    budget: Budget | None = None,
    settings: RunSettings | None = None,
    notify: Listener = ignore,
) -> Result[Any]:
    """Return the smallest version of a failing file, folder or several files, as `minrepro reduce` finds it.

    The check is a program (its path, or a command with its words), which gets the path of a candidate and exits 0 while
    the failure reproduces; or a function of that path. Or give the failing `command` itself, as it would be typed: the
    failure is learnt from it.

    The result is `bytes` for a file, and a dict of names to bytes for several. With `output` it is also on disk, the
    best so far at any time. With `state`, a folder, the run is recorded and `resume=True` continues it. The `settings`
    are all that the command has options for; the other arguments are short for the most usual of them.
    """
    paths = [Path(path)] if isinstance(path, str | Path) else [Path(each) for each in path]
    target = target_at(paths)
    whole = settings or RunSettings()
    whole = replace(
        whole,
        budget=replace(budget or whole.budget, since=time.monotonic()),
        execution=_execution(whole.execution, workers, timeout),
        history=HistorySettings(keep=state is not None, state=None if state is None else Path(state), resume=resume),
        output=OutputSettings(path=Path(output)) if output is not None else whole.output,
    )
    oracle = _oracle(target, check, command, whole)
    if isinstance(oracle, FailureOracle) and isinstance(target, FileTarget):
        target = replace(target, focus=oracle.failure.lines)
    result = Runner(whole, listener=notify).run(target, oracle)
    reduced: bytes | Mapping[str, bytes] = result.case
    if target.table is not None:
        reduced = {name: content for name, (_, content) in target.table.unpacked(result.case).items()}
    return Result(reduced, result.why, Stats.of(result.tally), result.seconds, result.finished)


def _execution(settings: ExecutionSettings, workers: int | None, timeout: float | None) -> ExecutionSettings:
    return replace(settings, workers=workers or settings.workers, timeout=timeout or settings.timeout)


def _oracle(
    target: InputTarget, check: PathCheck | None, command: str | Sequence[str] | None, settings: RunSettings
) -> Oracle:
    if (check is None) == (command is None):
        raise UsageError("say how the failure is recognized: give a check, or the failing command, and not both.")
    if command is not None:
        from minrepro.runs.observe_command import failure_oracle  # all the shapes of failures take a while to load

        words = [command] if isinstance(command, str) else list(command)
        seconds = settings.budget.seconds
        return failure_oracle(FailingCommand(words=words, execution=settings.execution, seconds=seconds), target)
    if callable(check):
        return _CalledWithPath(FunctionOracle(check), target)
    assert check is not None
    text = check if isinstance(check, str) else shlex.join(check)
    return brought_oracle(text, target.layout) or CommandOracle.from_text(text, target.name, files=target.layout.files)


class _CalledWithPath:
    """Calls a function with the path of a candidate, in a folder that is gone afterwards."""

    def __init__(self, call: Callable[[Path], Verdict], target: InputTarget) -> None:
        self._call = call
        self._target = target

    def __call__(self, case: bytes) -> Verdict:
        """Return the verdict on a candidate."""
        with tempfile.TemporaryDirectory(prefix="minrepro-") as folder:
            place = Path(folder)
            if self._target.table is None:
                place = place / self._target.name
                place.write_bytes(case)
            else:
                write_folder(place, self._target.table.unpacked(case))
            return self._call(place)
