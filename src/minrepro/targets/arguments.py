"""A failing command line as something to be reduced: which of its arguments does the failure need?

A case is the arguments, quoted as for a shell, one in a line. A check runs them as a small script in the folder where
the command was typed.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from minrepro.algorithms.arguments import CUTS, Cut, Words, option_groups, reduce_words
from minrepro.core.search import ListMinimizer, Reduction, Refine, embed
from minrepro.core.verdicts import Outcome
from minrepro.documents.text import Text
from minrepro.engine.run import Result, Run
from minrepro.errors import InputError, UsageError
from minrepro.settings import OutputSettings, RunSettings, SearchSettings
from minrepro.targets.difference import isolate_texts, sides_of
from minrepro.targets.file import FileTarget
from minrepro.targets.list_search import all_texts, minimizer_of, refinement_of
from minrepro.targets.result_file import ResultFile, ResultStore
from minrepro.targets.target import DDMIN_OPTIONS, REFINEMENTS, Search

SCRIPT = ".minrepro-args.sh"
"""The file that a check runs."""
_MOST_BYTES = 1 << 20
"""Kernels refuse longer command lines."""
_MOST_FILES = 100
"""A response file may name itself."""
_TWO_SIDES = "--baseline isolates a difference by dd, which has no such choice"
_BOTH_SIDES = "--baseline isolates a difference, both sides of which must always answer alike"


def encoded(words: Sequence[str]) -> bytes:
    """Return the case that words are."""
    return b"".join(os.fsencode(shlex.quote(word)) + b"\n" for word in words)


def decoded(case: bytes) -> Words:
    """Return the words of a case; of one that is torn, a word for each line."""
    text = os.fsdecode(case)
    try:
        return tuple(shlex.split(text))
    except ValueError:
        return tuple(text.splitlines())


@dataclass(frozen=True)
class ArgumentsLayout:
    """A script that runs a program with the arguments of a case."""

    program: str
    place: ClassVar[str] = "{folder}/" + SCRIPT

    def files(self, case: Any) -> Mapping[str, Any]:
        """Return the script."""
        return {SCRIPT: os.fsencode(f"exec {shlex.join((self.program, *decoded(case)))}\n")}


@dataclass(frozen=True)
class ArgumentsTarget(FileTarget):
    """The arguments of a failing command."""

    program: str = ""
    passing: bytes | None = None
    """The arguments with which it works, where the difference is wanted."""

    @classmethod
    def of(cls, words: Sequence[str], baseline: Sequence[str] | None = None) -> ArgumentsTarget:
        """Return the arguments of a command, or say what is wrong with them."""
        if len(words) < 2:
            raise InputError(f"{words[0]} has no arguments to leave out")
        passing = None
        if baseline is not None:
            if list(baseline[:1]) != list(words[:1]):
                raise UsageError(f"--baseline must run the same program as the failing command, {words[0]}")
            passing = encoded(baseline[1:])
            if passing == encoded(words[1:]):
                raise UsageError("--baseline is the failing command itself")
        return cls(Path(SCRIPT), encoded(words[1:]), program=words[0], passing=passing)

    @property
    def label(self) -> str:
        """How it is called when spoken of."""
        return "command line"

    @property
    def short_name(self) -> str:
        """The name of the program, without its folder."""
        return Path(self.program).name

    @property
    def layout(self) -> ArgumentsLayout:  # type: ignore[override]
        """How a candidate is laid out for a check."""
        return ArgumentsLayout(self.program)

    @property
    def originals(self) -> Mapping[Outcome, bytes]:
        """The failing arguments, and those that work."""
        found = {Outcome.FAIL: self.data}
        return found if self.passing is None else {**found, Outcome.PASS: self.passing}

    @property
    def sources(self) -> Sequence[Path]:
        """What names the journal: no file is read."""
        return (Path(self.short_name),)

    def question(self) -> Mapping[str, str]:
        """Return the program, which is no part of a case."""
        return {"program": self.program}

    def stores(self, output: OutputSettings, resuming: bool) -> Mapping[Outcome, ResultStore]:
        """Return the script that the result is, or one for each side."""
        if output.path is None:
            return {}
        if self.passing is None:
            return {Outcome.FAIL: ResultFile(output.path, 0o755)}
        return {outcome: ResultFile(path, 0o755) for outcome, path in sides_of(output.path).items()}

    def opened(self, case: bytes, is_same: Callable[[Words], bool]) -> bytes:
        """Return a case with its response files opened, as far as the command is the same with them."""
        return encoded(with_response_files_opened((self.program, *decoded(case)), is_same)[1:])

    def line(self, case: bytes) -> str:
        """Return a case as a command that can be pasted."""
        return shlex.join((self.program, *decoded(case)))

    def written(self, case: bytes) -> bytes:
        """Return the script that runs a case."""
        return os.fsencode(f"#!/bin/sh\n{self.line(case)}\n")

    def shown(self, case: bytes) -> str:
        """Return a case as text."""
        return self.line(case) + "\n"

    def measures(self, case: bytes) -> dict[str, int]:
        """Return how many arguments there are, and how many bytes in them."""
        return {"arguments": len(decoded(case)), "bytes": len(case)}

    def refused(self, settings: RunSettings) -> Mapping[str, str]:
        """Return what is for other searches."""
        by_config = {"--cache": "arguments are remembered by content"} if settings.search.cache == "config" else {}
        if self.passing is None:
            return {**super().refused(settings), **by_config}
        refused = by_config | dict.fromkeys(("--algorithm", *REFINEMENTS, *DDMIN_OPTIONS), _TWO_SIDES)
        return refused | dict.fromkeys(("--flaky", "--initial-runs"), _BOTH_SIDES)

    def search(self, settings: SearchSettings) -> Search:
        """Return the reduction, or the isolation of the difference."""
        if (good := self.passing) is not None:
            return lambda run: run.isolate(good, self.data, isolate_texts(good, self.data, [*map(_cutter, CUTS)]))
        minimize = minimizer_of(settings)

        def work(run: Run[bytes]) -> Result[bytes]:
            refine = refinement_of(settings, run, self.tell)
            if settings.all:
                return run.reduce(self.data, lambda case: self._all(case, minimize, refine))
            return run.reduce(self.data, lambda case: reduce_case(case, minimize, refine))

        return work

    def _all(self, case: bytes, minimize: ListMinimizer, refine: Refine | None) -> Reduction[bytes]:
        """Find the different results, and return the smallest."""
        causes = yield from all_texts(case, minimize, _cutter(partial(option_groups, most=1)))
        for number, cause in enumerate(causes):
            causes[number] = yield from reduce_case(cause, minimize, refine)
        return self.smallest_of(causes)


def reduce_case(case: bytes, minimize: ListMinimizer, refine: Refine | None = None) -> Reduction[bytes]:
    """Return the case of the arguments that are needed."""

    def refined(minimize: ListMinimizer, render: Callable[[Any], Words]) -> ListMinimizer:
        return minimize if refine is None else refine(minimize, lambda config: encoded(render(config)))

    words = yield from embed(reduce_words(decoded(case), minimize, refined), into=encoded)
    return encoded(words)


def _cutter(cut: Cut) -> Callable[[bytes], Text]:
    """Return what cuts a case as its words are cut."""

    def cut_case(case: bytes) -> Text:
        bounds = [0]
        for unit in cut(decoded(case)):
            bounds.append(bounds[-1] + len(encoded(unit)))
        return Text(case, bounds)

    return cut_case


def with_response_files_opened(words: Sequence[str], is_same: Callable[[Words], bool]) -> Words:
    """Return a command with the words of each `@FILE` in its place, as far as the command is the same with them."""
    current, closed, opened = tuple(words), 1, 0
    while closed < len(current):
        inside = _response(current[closed]) if opened < _MOST_FILES else None
        candidate = (*current[:closed], *(inside or ()), *current[closed + 1 :])
        if inside is not None and len(encoded(candidate)) <= _MOST_BYTES and is_same(candidate):
            current, opened = candidate, opened + 1
        else:
            closed += 1
    return current


def _response(word: str) -> Words | None:
    """Return the words in a response file."""
    if len(word) < 2 or word[0] != "@":
        return None
    try:
        return tuple(shlex.split(Path(word[1:]).read_text(errors="surrogateescape")))
    except (OSError, ValueError):
        return None
