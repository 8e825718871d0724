"""`minrepro reduce --versions A,B,…`: one version of the failing program after another, from result to result.

Iterative delta debugging (Artho 2011; Elyasov and others 2014, section 4.2): the smallest input for one version is
where the next one begins. Where that does not fail any more, the larger inputs before it are tried.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from minrepro.cli.command_words import take_words
from minrepro.cli.exit_status import exit_status
from minrepro.cli.options.failure_options import has_failing_command
from minrepro.cli.oracle_of import focus_of, oracle_of
from minrepro.cli.places import hidden_of, output_of
from minrepro.cli.progress import shown
from minrepro.cli.settings_of import settings_of
from minrepro.cli.summaries import print_json, print_summary, say
from minrepro.core.plurals import counted
from minrepro.core.verdicts import Outcome
from minrepro.errors import NotFailing, UsageError
from minrepro.runs.runner import Runner, RunResult
from minrepro.runs.state_folder import SUFFIX, state_folder
from minrepro.settings import HistorySettings
from minrepro.targets.choosing import target_at
from minrepro.targets.file import FileTarget
from minrepro.targets.result_file import ResultFile
from minrepro.targets.target import require_applicable

PLACE = "{version}"
"""Stands for the version in a check or a command."""
_ALONE = ("in_place", "explain", "report", "markdown", "choose", "all")


def reduce_across_versions(args: argparse.Namespace) -> int:
    """Reduce the input with each version, and return the exit status."""
    words: Sequence[str] = args.failing or args.words[:1]
    if not any(PLACE in word for word in words):
        raise UsageError(f"--versions: write {PLACE} in the check or the command where the version belongs")
    for name in _ALONE:
        if getattr(args, name):
            raise UsageError(
                f"--versions cannot be combined with --{name.replace('_', '-').replace('markdown', 'report')}"
            )
    chain = _Chain(args)
    for version in args.versions:
        chain.go_on(version)
    return chain.end()


class _Chain:
    """The reductions with one version after another."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        first = _of_version(args, args.versions[0])
        self._output = output_of(first)
        target = target_at(first.inputs)
        if not isinstance(target, FileTarget):
            raise UsageError("--versions: only one file can be reduced with one version after another")
        self._target = target
        self._inputs = [target.data]
        """What a version can begin with, the smallest last."""
        self._failure = ""
        self._reduced: list[tuple[str, Path]] = []
        self._last: RunResult[bytes] | None = None

    def go_on(self, version: str) -> None:
        """Reduce with the next version what is smallest and fails with it."""
        if self._last is not None and not self._last.finished:
            return
        for data in reversed(self._inputs):
            try:
                self._last = self._run(version, replace(self._target, data=data))
            except NotFailing as error:
                if len(self._reduced) == 0:
                    raise
                told = str(error).partition("\n")[0]
                continue
            if self._last.case not in self._inputs:
                self._inputs.append(self._last.case)
            return
        say(f"warning: version {version}: {told}; going on with the next version")

    def end(self) -> int:
        """Write the result of the last version that fails, and return the exit status."""
        assert self._last is not None
        result, args = self._last, self._args
        ResultFile(self._output, self._target.path.stat().st_mode).write(result.case)
        before, after = self._target.measures(self._target.data), self._target.measures(result.case)
        if args.json:
            first = {"input": str(self._target.path), "output": str(self._output)}
            versions = {version: str(path) for version, path in self._reduced}
            sizes = {"bytes_before": before["bytes"], "bytes_after": after["bytes"]}
            print_json(result, {**first, "versions": versions}, sizes, as_event=args.json_lines)
        elif not args.quiet:
            say(f"result of version {self._reduced[-1][0]}: {self._output}")
        return exit_status(result.end)

    def _run(self, version: str, target: FileTarget) -> RunResult[bytes]:
        args = _of_version(self._args, version)
        name = re.sub(r"[^\w.+-]+", "_", version)
        output = self._output.with_name(f"{self._output.stem}.{name}{self._output.suffix}")
        settings = settings_of(args, output)
        folder = state_folder(HistorySettings(state=args.state), target.path, output)
        state = folder.with_name(f"{folder.name.removesuffix(SUFFIX)}.{name}{SUFFIX}")
        settings = replace(settings, history=replace(settings.history, state=state))
        require_applicable(settings, target)
        if not args.quiet:
            say(f"version {version}, {counted(len(target.data), 'bytes')}")
        oracle: Any = oracle_of(args, target, [*hidden_of(args, output), self._output, state])
        failure = getattr(getattr(oracle, "failure", None), "shown", "")
        if self._failure and failure != self._failure:
            say(f"warning: version {version} fails in another way: {failure}")
        self._failure = self._failure or failure
        tell = (lambda text: None) if args.quiet else say
        target = replace(target, focus=focus_of(oracle), tell=tell)
        with shown(args.quiet, json_lines=args.json_lines) as progress:
            result = Runner(settings, listener=progress, words=args.typed).run(target, oracle)
        if not args.quiet and not args.json:
            print_summary(result, target.measures(target.data), target.measures(result.case))
        self._reduced.append((version, (result.outputs or {}).get(Outcome.FAIL, output)))
        return result


def _of_version(args: argparse.Namespace, version: str) -> argparse.Namespace:
    """Return the same command line for one version."""
    made = argparse.Namespace(**vars(args))
    made.began = time.monotonic()
    made.failing = [word.replace(PLACE, version) for word in args.failing]
    made.words = list(args.words)
    if not made.failing:
        made.words[0] = made.words[0].replace(PLACE, version)
    take_words(made, failing=has_failing_command(made))
    return made
