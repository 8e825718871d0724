"""A passing and a failing file, of which the smallest difference is wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from minrepro.algorithms.lists.dd import dd
from minrepro.core.search import Reduction, embed
from minrepro.core.verdicts import Outcome
from minrepro.documents.differences import Changes
from minrepro.documents.text import CUTTERS, Cutter
from minrepro.engine.memory import Memory
from minrepro.errors import InputError, UsageError
from minrepro.settings import OutputSettings, RunSettings, SearchSettings
from minrepro.targets.file import PLAIN, FileLayout, language_for
from minrepro.targets.reading import read_input
from minrepro.targets.result_file import ResultFile, ResultStore
from minrepro.targets.target import DDMIN_OPTIONS, REFINEMENTS, SEARCH_OPTIONS, Codec, PlainBytes, Search

_TWO_SIDES = "a difference has two sides, and both must always answer alike"
_LANGUAGE = ("--language", "--grammar", "--start")
_BY_SYNTAX = ("tree", "tokens")
"""The units that need a language."""
_OTHERS = [option for option in SEARCH_OPTIONS if option != "--units" and option not in _LANGUAGE]
_REFUSED = {
    **dict.fromkeys(("--flaky", "--initial-runs"), _TWO_SIDES),
    **dict.fromkeys(
        (*_OTHERS, *DDMIN_OPTIONS, *REFINEMENTS), "a difference is isolated by dd, which has no such choice"
    ),
}

Isolation = Reduction[tuple[bytes, bytes]]
"""The search for the smallest difference, which ends with both sides."""


class ChangeList(Protocol):
    """What leads from one text to another, as a list of changes."""

    def __len__(self) -> int: ...

    def render(self, config: Sequence[int]) -> bytes:
        """Return the old text with these changes applied."""
        ...


@dataclass(frozen=True)
class DifferenceTarget:
    """Two files that a check tells apart."""

    good: Path
    bad: Path
    passing: bytes
    failing: bytes
    isolation: Callable[[], Isolation] | None = None
    """How the difference is isolated where neither lines nor a language say it."""

    unit: ClassVar[str] = "bytes"
    empty: ClassVar[None] = None
    codec: ClassVar[Codec[bytes]] = PlainBytes()

    @classmethod
    def read(cls, good: Path, bad: Path) -> DifferenceTarget:
        """Return two files, read, or say what is wrong with them."""
        failing, passing = read_input(bad), read_input(good, may_be_empty=True)
        if passing == failing:
            raise InputError(f"{good} and {bad} are identical")
        return cls(good, bad, passing, failing)

    @property
    def label(self) -> str:
        """How it is called when spoken of."""
        return str(self.bad)

    @property
    def layout(self) -> FileLayout:
        """How a candidate is laid out for a check: under the name of the failing file."""
        return FileLayout(self.bad.name)

    @property
    def originals(self) -> Mapping[Outcome, bytes]:
        """Both files."""
        return {Outcome.FAIL: self.failing, Outcome.PASS: self.passing}

    @property
    def sources(self) -> Sequence[Path]:
        """Both files, the failing one first."""
        return (self.bad, self.good)

    def question(self) -> Mapping[str, str]:
        """Return nothing: contents, check and settings say it all."""
        return {}

    def memory(self, steady: bool) -> Memory:
        """Return a memory by content."""
        return Memory()

    def stores(self, output: OutputSettings, resuming: bool) -> Mapping[Outcome, ResultStore]:
        """Return a file for each side."""
        if output.path is None:
            return {}
        mode = self.bad.stat().st_mode
        return {outcome: ResultFile(path, mode) for outcome, path in sides_of(output.path).items()}

    def written(self, case: bytes) -> bytes:
        """Return the case."""
        return case

    def refused(self, settings: RunSettings) -> Mapping[str, str]:
        """Return what is for one side, or for another search."""
        refused = _REFUSED
        if settings.search.cache == "config":
            refused = refused | {"--cache": "a difference is remembered by content"}
        if settings.search.units in _BY_SYNTAX:
            return refused
        units = settings.search.units or PLAIN
        return refused | dict.fromkeys(_LANGUAGE, f"{units} are the same in every language; add --units tree or tokens")

    def search(self, settings: SearchSettings) -> Search:
        """Return the isolation of the units that the settings name."""
        isolation = self.isolation or self._by_units(settings)
        return lambda run: run.isolate(self.passing, self.failing, isolation())

    def _by_units(self, settings: SearchSettings) -> Callable[[], Isolation]:
        if settings.units in _BY_SYNTAX:
            changes = self._by_syntax(settings)
            return lambda: isolate_changes(changes)
        cutters = [CUTTERS[name] for name in (settings.units or PLAIN).split("-then-")]
        return lambda: isolate_texts(self.passing, self.failing, cutters)

    def _by_syntax(self, settings: SearchSettings) -> ChangeList:
        from minrepro.documents.syntax.open_tree import grammar_for
        from minrepro.documents.syntax.tree_differences import TokenChanges, TreeChanges

        language = language_for(settings, self.bad, self.failing)
        if language is None:
            raise UsageError(
                f"--units {settings.units}: the language of {self.bad} is unknown\n"
                "hint: --language NAME or --grammar FILE"
            )
        grammar = grammar_for(language, self.failing)
        old, new = grammar.tree(self.passing), grammar.tree(self.failing)
        return TreeChanges(old, new) if settings.units == "tree" else TokenChanges(old, new, grammar.join)


def sides_of(base: Path) -> dict[Outcome, Path]:
    """Return where the two sides go, given the name that they are made of."""
    return {
        outcome: base.with_name(f"{base.stem}.{outcome.value}ing{base.suffix}")
        for outcome in (Outcome.PASS, Outcome.FAIL)
    }


def isolate_changes(changes: ChangeList) -> Isolation:
    """Isolate among the changes that lead from one text to another."""
    less, more = yield from embed(dd(range(len(changes))), into=changes.render)
    return changes.render(less), changes.render(more)


def isolate_texts(passing: bytes, failing: bytes, cutters: Sequence[Cutter]) -> Isolation:
    """Isolate by the units of each cutter in turn, the two sides left by one being the inputs of the next."""
    for cut in cutters:
        passing, failing = yield from isolate_changes(Changes(passing, failing, cut))
    return passing, failing
