"""One file as something to be reduced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from minrepro.algorithms.algorithm_names import TREE_NAMES
from minrepro.algorithms.algorithm_registry import list_minimizer
from minrepro.core.invocations import CANDIDATE
from minrepro.core.search import Reduction
from minrepro.core.verdicts import Outcome
from minrepro.documents.text import CUTTERS, ListDocument, reduce_text
from minrepro.engine.memory import Memory
from minrepro.engine.run import Result, Run
from minrepro.errors import UsageError
from minrepro.executors.flaky_statistics import FIRST_LOOK
from minrepro.settings import OutputSettings, RunSettings, SearchSettings
from minrepro.targets.reading import read_input
from minrepro.targets.result_file import ResultFile, ResultStore
from minrepro.targets.target import Codec, PlainBytes, Search, TextPart

if TYPE_CHECKING:
    from minrepro.documents.syntax.tree_document import TreeDocument
    from minrepro.engine.default_reducer import DefaultReducer

PLAIN = "lines-then-characters"
"""The units where nothing is known about a text."""


@dataclass(frozen=True)
class FileLayout:
    """A file of this name."""

    name: str

    @property
    def place(self) -> str:
        """Where a check finds the candidate."""
        return "{folder}/" + self.name

    def files(self, case: Any) -> Mapping[str, Any]:
        """Return the only file."""
        return {self.name: case}


@dataclass(frozen=True)
class FileTarget:
    """One input file."""

    path: Path
    data: bytes
    warnings: tuple[str, ...] = ()
    focus: tuple[int, ...] = ()
    """The lines in which the failure is said to be."""
    tell: Callable[[str], None] = field(default=lambda text: None, compare=False)
    """Hears what the user may like to know about how it is reduced."""

    unit: ClassVar[str] = "bytes"
    first_look: ClassVar[int] = FIRST_LOOK
    empty: ClassVar[bytes] = b""
    codec: ClassVar[Codec[bytes]] = PlainBytes()
    table: ClassVar[None] = None

    @classmethod
    def read(cls, path: Path) -> FileTarget:
        """Return a file, read, or say what is wrong with it."""
        return cls(path, read_input(path))

    @property
    def label(self) -> str:
        """How it is called when spoken of."""
        return str(self.path)

    @property
    def name(self) -> str:
        """The name of the file that a check is shown."""
        return self.path.name

    @property
    def root(self) -> Path:
        """The folder in which the file is."""
        return self.path.parent

    @property
    def layout(self) -> FileLayout:
        """How a candidate is laid out for a check."""
        return FileLayout(self.name)

    @property
    def originals(self) -> Mapping[Outcome, bytes]:
        """The failing content."""
        return {Outcome.FAIL: self.data}

    @property
    def sources(self) -> Sequence[Path]:
        """The file."""
        return (self.path,)

    def question(self) -> Mapping[str, str]:
        """Return nothing: content, check and settings say it all."""
        return {}

    def memory(self, steady: bool) -> Memory:
        """Return a memory by content."""
        return Memory()

    def stores(self, output: OutputSettings, resuming: bool) -> Mapping[Outcome, ResultStore]:
        """Return the result file."""
        return {Outcome.FAIL: ResultFile(output.path, self.path.stat().st_mode)} if output.path is not None else {}

    def written(self, case: bytes) -> bytes:
        """Return the case."""
        return case

    def measures(self, case: bytes) -> dict[str, int]:
        """Return how many bytes a candidate has."""
        return {"bytes": len(case)}

    def shown(self, case: bytes) -> str:
        """Return a candidate as text."""
        return case.decode("utf-8", "backslashreplace")

    def texts(self, case: bytes) -> Sequence[TextPart[bytes]]:
        """Return the only text."""
        return (TextPart(self.name, case, lambda content: content),)

    def inputs(self, word: str) -> str | None:
        """Return what stands for a word of a command that is the path of the input."""
        try:
            return CANDIDATE if word and Path(word).samefile(self.path) else None
        except (OSError, ValueError):
            return None

    def refused(self, settings: RunSettings) -> Mapping[str, str]:
        """Return the options of passes where an algorithm was chosen, and those of ddmin where it was not."""
        search = settings.search
        refused: dict[str, str] = {}
        if "random" not in (search.ddmin.subset_order, search.ddmin.complement_order):
            refused["--ddmin-seed"] = "only a random order has a seed"
        if self._is_by_passes(search):
            return refused
        refused |= dict.fromkeys(("--effort", "--minify"), "an algorithm was chosen, and it is for the default passes")
        if search.units is not None and search.units not in ("tree", "tokens"):
            refused["--language"] = f"{search.units} are the same in every language"
        return refused

    def search(self, settings: SearchSettings) -> Search:
        """Return the reduction that the settings ask for: by passes, unless they choose units or an algorithm."""
        require_one_language(settings)
        reduction = self._reduction(settings)
        if reduction is not None:
            return lambda run: run.reduce(self.data, reduction, empty=b"")
        return lambda run: self._by_passes(run, settings)

    def _by_passes(self, run: Run[bytes], settings: SearchSettings) -> Result[bytes]:
        # Made anew each time that a run begins anew, because what a reducer learnt may have been wrong.
        return run.reduce_by_edits(
            self.data,
            lambda case, tester, committed: self._reducer(case, settings)(case, tester, committed),
            empty=b"",
        )

    def _reducer(self, case: bytes, settings: SearchSettings) -> DefaultReducer:
        """Return the default reducer for a case, and tell where it is not reduced as a tree, and why."""
        from minrepro.engine.default_reducer import (
            default_reducer,  # takes a while to load, and not every reduction needs it
        )

        whole = case == self.data
        reducer = default_reducer(
            self.path,
            case,
            language=settings.language,
            focus=self.focus if whole else (),  # the lines are those of the whole input
            effort=settings.effort,
            deterministic=settings.deterministic,
            golf=settings.golf,
        )
        if reducer.language is None and whole:
            from minrepro.documents.containers import container_of
            from minrepro.documents.syntax.bundled_grammars import language_of

            language = settings.language or language_of(self.path, case)
            why = (
                f"most of {self.path} is not valid {language}"
                if language
                else f"the language of {self.path} is unknown"
            )
            if container_of(case) is None:
                self.tell(f"{why}; reducing it as plain text (--language NAME changes that)")
        return reducer

    def _reduction(self, settings: SearchSettings) -> Callable[[bytes], Reduction[bytes]] | None:
        """Return the reduction that units or algorithm ask for, or None when they leave the choice to us."""
        algorithm, units, options = settings.algorithm, settings.units, settings.ddmin
        if settings.grammar is not None and units not in (None, "tree"):
            raise UsageError(f"--grammar cannot be combined with --units {units}: a grammar reduces trees")
        if self._is_by_passes(settings):
            return None
        if algorithm in TREE_NAMES or units == "tree" or (settings.grammar is not None and units is None):
            return self._tree_reduction(settings)
        minimize = list_minimizer(algorithm or ("ddmin" if options.given() else "grouping"), options)
        return partial(reduce_text, minimize=minimize, cutters=self._cutters(settings))

    @staticmethod
    def _is_by_passes(settings: SearchSettings) -> bool:
        """Tell whether the choice of units and algorithm is left to us."""
        chosen = (settings.algorithm, settings.units, settings.grammar)
        return all(each is None for each in chosen) and not settings.ddmin.given()

    def _tree_reduction(self, settings: SearchSettings) -> Callable[[bytes], Reduction[bytes]]:
        if settings.units not in (None, "tree"):
            raise UsageError(
                f"--algorithm {settings.algorithm} works on trees and cannot be combined with --units {settings.units}"
            )
        if given := settings.ddmin.given():
            raise UsageError(f"{', '.join(sorted(given))} cannot be chosen for trees: take --algorithm ddmin for it.")
        from minrepro.algorithms.trees.tree_registry import (  # takes a while to load
            DEFAULT,
            reduce_tree,
            tree_minimizer,
        )

        name = settings.algorithm or DEFAULT
        if name not in TREE_NAMES:
            raise UsageError(
                f"--algorithm {name} works on lists and cannot be combined with --units tree or --grammar\n"
                f"hint: algorithms for trees are {', '.join(TREE_NAMES)}"
            )
        document = document_of(settings, self.path, self.data)
        if document is None:
            self.tell(
                f"warning: the language of {self.path} is unknown; removing lines, then characters instead\n"
                "hint: state it with --language NAME"
            )
            return partial(reduce_text, minimize=list_minimizer("grouping"), cutters=_cutters(PLAIN))
        if 2 * document.allowed[1] > len(self.data):
            self.tell(f"warning: most of {self.path} cannot be parsed; is it in another language?")
        return lambda data: reduce_tree(document, tree_minimizer(name))

    def _cutters(self, settings: SearchSettings) -> list[Callable[[bytes], ListDocument]]:
        if settings.units != "tokens":
            return _cutters(settings.units or PLAIN)
        from minrepro.documents.syntax.bundled_grammars import language_of
        from minrepro.documents.tokenized import tokens

        return [partial(tokens, language=settings.language or language_of(self.path, self.data))]


def _cutters(units: str) -> list[Callable[[bytes], ListDocument]]:
    return [CUTTERS[name] for name in units.split("-then-")]


def require_one_language(settings: SearchSettings) -> None:
    """Refuse settings about the language that contradict each other or name one that nobody knows."""
    if settings.start is not None and settings.grammar is None:
        raise UsageError(f"--start {settings.start} requires --grammar FILE")
    if settings.grammar is not None and settings.language is not None:
        raise UsageError(f"--grammar {settings.grammar} cannot be combined with --language {settings.language}")
    if settings.language is not None:
        from minrepro.documents.syntax.bundled_grammars import grammar  # few need it, and it takes a while to load

        grammar(settings.language)


def document_of(settings: SearchSettings, path: Path, data: bytes) -> TreeDocument | None:
    """Return a file as a tree in the language that the settings or its name tell, or None if none is known."""
    require_one_language(settings)
    if settings.grammar is not None:
        from minrepro.documents.syntax.lark_grammar import read_grammar

        return read_grammar(settings.grammar, settings.start or "start").open(data)
    from minrepro.documents.syntax.bundled_grammars import language_of
    from minrepro.documents.syntax.open_tree import open_tree

    language = settings.language or language_of(path, data)
    return open_tree(data, language) if language else None
