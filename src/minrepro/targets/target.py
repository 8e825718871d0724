"""What a run needs to know of the thing that it makes smaller: the one protocol behind every kind of reduction.

A target reads what it is about, gives the bytes that stand for a case, lays a case out for a check, begins the search,
and says where the result goes. It starts no check, keeps no journal and shows no progress: that is the runner's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from minrepro.core.containment import OFF
from minrepro.core.verdicts import Outcome
from minrepro.documents.packed_files import PackedFiles
from minrepro.engine.memory import Memory
from minrepro.engine.run import Result, Run
from minrepro.errors import UsageError
from minrepro.settings import OutputSettings, RunSettings, SearchSettings
from minrepro.targets.result_file import ResultStore

C = TypeVar("C")

Search = Callable[[Run[Any]], Result[Any]]
"""Carries out a reduction with a run."""


class Codec(Protocol[C]):
    """Turns cases into the bytes that stand for them in journals and shared verdicts, and back."""

    def encode(self, case: C) -> bytes:
        """Return the bytes that stand for a case."""
        ...

    def decode(self, data: bytes) -> C:
        """Return the case that bytes stand for."""
        ...


class PlainBytes:
    """Cases that are bytes already."""

    def encode(self, case: bytes) -> bytes:
        """Return the case, known by its content alone."""
        return case if type(case) is bytes else bytes(case)

    def decode(self, data: bytes) -> bytes:
        """Return the case."""
        return data


class Layout(Protocol):
    """How a case is laid out for a process; small and picklable, for it travels with the check."""

    @property
    def place(self) -> str:
        """Where a check finds the candidate; `{folder}` stands for the folder it runs in."""
        ...

    def files(self, case: Any) -> Mapping[str, Any]:
        """Return the files that a case is made of."""
        ...


@dataclass(frozen=True)
class TextPart(Generic[C]):
    """A text in a case: its name, its content, and what the case is with another content in its place."""

    name: str
    content: bytes
    put: Callable[[bytes], C]


class Target(Protocol[C]):
    """Something to be made smaller."""

    @property
    def label(self) -> str:
        """How it is called when spoken of."""
        ...

    @property
    def unit(self) -> str:
        """What sizes are counted in."""
        ...

    @property
    def originals(self) -> Mapping[Outcome, C]:
        """The failing case, and where a difference is looked for, the passing one."""
        ...

    @property
    def empty(self) -> C | None:
        """The case with nothing in it, tested beside the input; None where that makes no sense."""
        ...

    @property
    def codec(self) -> Codec[C]:
        """How cases become bytes, for journals, shared verdicts and clusters."""
        ...

    @property
    def sources(self) -> Sequence[Path]:
        """The files that nobody may change meanwhile; the first names the journal."""
        ...

    def refused(self, settings: RunSettings) -> Mapping[str, str]:
        """Return the options that have no meaning here, given the others, with the reason."""
        ...

    def question(self) -> Mapping[str, str]:
        """Return what its verdicts or results depend on beside content, check and settings."""
        ...

    def search(self, settings: SearchSettings) -> Search:
        """Return what carries out the reduction, or say which of the settings contradict each other."""
        ...

    def memory(self, steady: bool) -> Memory:
        """Return a memory for verdicts; without steadiness one test says nothing certain of another."""
        ...

    def stores(self, output: OutputSettings, resuming: bool) -> Mapping[Outcome, ResultStore]:
        """Return where results go, by the outcome they have; nowhere without a path."""
        ...

    def written(self, case: C) -> bytes:
        """Return the content of the result that a case is."""
        ...


class InputTarget(Target[bytes], Protocol):
    """A file, a folder or several files, which a command can be given."""

    @property
    def path(self) -> Path:
        """The path that was given, or the first of several."""
        ...

    @property
    def data(self) -> bytes:
        """Its content, with all its files as one."""
        ...

    @property
    def warnings(self) -> Sequence[str]:
        """What the user should know about how it was read."""
        ...

    @property
    def name(self) -> str:
        """The name of the file that a check is shown; empty where that is a folder."""
        ...

    @property
    def layout(self) -> Layout:
        """How a candidate is laid out for a check."""
        ...

    @property
    def root(self) -> Path:
        """The folder in which its files are."""
        ...

    @property
    def table(self) -> PackedFiles | None:
        """The table of several files; None where it is one file."""
        ...

    def measures(self, case: bytes) -> dict[str, int]:
        """Return how large a candidate is, by what is counted."""
        ...

    def shown(self, case: bytes) -> str:
        """Return a candidate as text."""
        ...

    def texts(self, case: bytes) -> Sequence[TextPart[bytes]]:
        """Return the texts in a candidate."""
        ...

    def inputs(self, word: str) -> str | None:
        """Return what stands for a word of a command that is the path of the input, or of something in it."""
        ...


SEARCH_OPTIONS = (
    "--units",
    "--algorithm",
    "--effort",
    "--minify",
    "--deterministic",
    "--language",
    "--grammar",
    "--start",
)
"""The options that say how something is made smaller, beside those of ddmin."""
DDMIN_OPTIONS = (
    "--ddmin-factor",
    "--ddmin-split",
    "--ddmin-steps",
    "--ddmin-subset-order",
    "--ddmin-complement-order",
    "--ddmin-restart",
    "--ddmin-seed",
    "--parallel-mode",
)
"""The options of the ddmin family."""
REFINEMENTS = ("--minimality", "--monotone", "--smallest", "--all")
"""The options that ask more of an algorithm for lists."""


def require_applicable(settings: RunSettings, target: Target[Any]) -> None:
    """Refuse an option that has no meaning for a target: it would be ignored otherwise."""
    refused = {**_without_a_cluster(settings), **target.refused(settings)}
    if settings.execution.sandbox == OFF:
        refused.setdefault("--writable", "without a sandbox, checks may write everywhere")
    for option in settings.given():
        if option in refused:
            raise UsageError(f"{option}: {refused[option]}")


def _without_a_cluster(settings: RunSettings) -> Mapping[str, str]:
    """Return what has no meaning where checks run."""
    if settings.execution.cluster.address:
        return {"--work-dir": "where checks have their folders on a cluster is settled by its workers"}
    here = "requires --cluster"
    return {"--cluster-upload": here, "--cluster-timeout": here}
