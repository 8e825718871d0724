"""A passing and a failing file, of which the smallest difference is wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from minrepro.algorithms.lists.dd import dd
from minrepro.core.search import Reduction, embed
from minrepro.core.verdicts import Outcome
from minrepro.documents.differences import Changes
from minrepro.documents.text import CUTTERS, Cutter
from minrepro.engine.memory import Memory
from minrepro.errors import InputError
from minrepro.settings import OutputSettings, RunSettings, SearchSettings
from minrepro.targets.file import PLAIN, FileLayout
from minrepro.targets.reading import read_input
from minrepro.targets.result_file import ResultFile, ResultStore
from minrepro.targets.target import DDMIN_OPTIONS, SEARCH_OPTIONS, Codec, PlainBytes, Search

_TWO_SIDES = "a difference has two sides, and both must always answer alike"
_REFUSED = {
    **dict.fromkeys(("--flaky", "--initial-runs"), _TWO_SIDES),
    **dict.fromkeys((*SEARCH_OPTIONS[1:], *DDMIN_OPTIONS), "a difference is isolated by dd, which has no such choice"),
}


@dataclass(frozen=True)
class DifferenceTarget:
    """Two files that a check tells apart."""

    good: Path
    bad: Path
    passing: bytes
    failing: bytes

    unit: ClassVar[str] = "bytes"
    first_look: ClassVar[int] = 1
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
        return _REFUSED

    def search(self, settings: SearchSettings) -> Search:
        """Return the isolation of the units that the settings name."""
        cutters = [CUTTERS[name] for name in (settings.units or PLAIN).split("-then-")]
        return lambda run: run.isolate(self.passing, self.failing, isolate_texts(self.passing, self.failing, cutters))


def sides_of(base: Path) -> dict[Outcome, Path]:
    """Return where the two sides go, given the name that they are made of."""
    return {
        outcome: base.with_name(f"{base.stem}.{outcome.value}ing{base.suffix}")
        for outcome in (Outcome.PASS, Outcome.FAIL)
    }


def isolate_texts(passing: bytes, failing: bytes, cutters: Sequence[Cutter]) -> Reduction[tuple[bytes, bytes]]:
    """Isolate by the units of each cutter in turn, the two sides left by one being the inputs of the next."""
    for cut in cutters:
        changes = Changes(passing, failing, cut)
        render: Callable[[Sequence[int]], bytes] = changes.render
        less, more = yield from embed(dd(range(len(changes))), into=render)
        passing, failing = render(less), render(more)
    return passing, failing
