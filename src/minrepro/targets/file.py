"""One file as something to be reduced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from minrepro.algorithms.algorithm_names import TREE_NAMES
from minrepro.algorithms.algorithm_registry import list_minimizer
from minrepro.core.invocations import CANDIDATE
from minrepro.core.search import Reduction
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.documents.text import CUTTERS, ListDocument, reduce_text
from minrepro.engine.memory import Memory
from minrepro.engine.run import Result, Run
from minrepro.engine.scheduler import Scheduler
from minrepro.engine.tester import Tester
from minrepro.errors import UsageError
from minrepro.settings import OutputSettings, RunSettings, SearchSettings
from minrepro.targets.list_search import all_texts, minimizer_of, refinement_of
from minrepro.targets.reading import read_input
from minrepro.targets.result_file import ResultFile, ResultStore
from minrepro.targets.target import Codec, PlainBytes, Search, TextPart

if TYPE_CHECKING:
    from minrepro.documents.syntax.tree_document import TreeDocument
    from minrepro.engine.default_reducer import DefaultReducer

T = TypeVar("T")

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
    results: list[bytes] = field(default_factory=list, compare=False)
    """All different results, where they are wanted, as they are found."""

    unit: ClassVar[str] = "bytes"
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
        is_tree = search.units == "tree" or search.algorithm in TREE_NAMES
        if search.cache == "config" and (is_tree or self._is_by_passes(search)):
            refused["--cache"] = "only lists of units have configurations; choose --units, or --algorithm ddmin"
        if self._is_by_passes(search):
            if (search.minimality > 1 or search.all) and _is_container(self.data):
                refused |= dict.fromkeys(("--minimality", "--all"), "the content of this format is no list of units")
            return refused
        refused |= dict.fromkeys(("--effort", "--minify"), "an algorithm was chosen, and it is for the default passes")
        if search.units is not None and search.units not in ("tree", "tokens"):
            refused["--language"] = f"{search.units} are the same in every language"
        return refused

    def search(self, settings: SearchSettings) -> Search:
        """Return the reduction that the settings ask for: by passes, unless they choose units or an algorithm."""
        require_one_language(settings)
        if settings.grammar is not None:
            language_in(settings, self.data)  # what does not match is said before anything begins
        reduction = self._reduction(settings)
        if reduction is not None:
            return lambda run: run.reduce(self.data, partial(reduction, run), empty=b"")
        return lambda run: self._by_passes(run, settings)

    def _by_passes(self, run: Run[bytes], settings: SearchSettings) -> Result[bytes]:
        def reducer(case: bytes, tester: Tester, committed: Callable[[bytes, str, Verdict], None]) -> bytes:
            scheduler, refine = Scheduler.with_tester(tester), refinement_of(settings, run, self.tell)

            def carried_out(reduction: Reduction[T]) -> T:
                return scheduler.run(reduction, lambda found, label, verdict: committed(found.config, label, verdict))

            def by_passes(case: bytes) -> bytes:
                # Made anew each time that a run begins anew, because what a reducer learnt may have been wrong.
                case = self._reducer(case, settings)(case, tester, committed)
                if settings.minimality == 1:
                    return case
                cutters = self._cutters(replace(settings, units="tokens"))
                return carried_out(reduce_text(case, minimizer_of(settings), cutters, refine))

            if not settings.all:
                return by_passes(case)
            units = "lines" if len(CUTTERS["lines"](case)) > 1 else "tokens"
            cut = self._cutters(replace(settings, units=units))[0]
            causes = carried_out(all_texts(case, minimizer_of(settings), cut))
            return self.smallest_of(map(by_passes, causes))

        return run.reduce_by_edits(self.data, reducer, empty=b"")

    def smallest_of(self, results: Iterable[bytes]) -> bytes:
        """Return the smallest of different results, after noting all of them."""
        self.results.clear()
        for result in results:
            if result not in self.results:
                self.results.append(result)
        return min(self.results, key=len)

    def _reducer(self, case: bytes, settings: SearchSettings) -> DefaultReducer:
        """Return the default reducer for a case, and tell where it is not reduced as a tree, and why."""
        from minrepro.engine.default_reducer import (
            default_reducer,  # takes a while to load, and not every reduction needs it
        )

        whole = case == self.data
        reducer = default_reducer(
            self.path,
            case,
            language=language_in(settings),
            focus=self.focus if whole else (),  # the lines are those of the whole input
            effort=settings.effort,
            deterministic=settings.deterministic,
            golf=settings.golf,
        )
        if reducer.language is None and whole and settings.grammar is None:
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

    def _reduction(self, settings: SearchSettings) -> Callable[[Run[bytes], bytes], Reduction[bytes]] | None:
        """Return the reduction that units or algorithm ask for, or None when they leave the choice to us."""
        algorithm, units = settings.algorithm, settings.units
        if settings.grammar is not None and units not in (None, "tree", "tokens"):
            raise UsageError(f"--grammar cannot be combined with --units {units}: a grammar says nothing about them")
        if self._is_by_passes(settings):
            return None
        if algorithm in TREE_NAMES or units == "tree" or (settings.grammar is not None and units is None):
            reduction = self._tree_reduction(settings)
            return lambda run, data: reduction(data)
        minimize, cutters = minimizer_of(settings), self._cutters(settings)
        by_config = settings.cache == "config"

        def reduction_in(run: Run[bytes], data: bytes) -> Reduction[bytes]:
            refine = refinement_of(settings, run, self.tell)
            if not settings.all:
                return (yield from reduce_text(data, minimize, cutters, refine, by_config=by_config))
            causes = yield from all_texts(data, minimize, cutters[0], refine)
            for number, cause in enumerate(causes):
                causes[number] = yield from reduce_text(cause, minimize, cutters[1:], refine)
            return self.smallest_of(causes)

        return reduction_in

    @staticmethod
    def _is_by_passes(settings: SearchSettings) -> bool:
        """Tell whether the choice of units and algorithm is left to us."""
        return (
            settings.algorithm is None
            and settings.units is None
            and not (settings.ddmin.given() or settings.monotone or settings.smallest)
        )

    def _tree_reduction(self, settings: SearchSettings) -> Callable[[bytes], Reduction[bytes]]:
        if settings.units not in (None, "tree"):
            raise UsageError(
                f"--algorithm {settings.algorithm} works on trees and cannot be combined with --units {settings.units}"
            )
        asked = {
            "--minimality": settings.minimality > 1,
            "--monotone": settings.monotone,
            "--smallest": settings.smallest,
            "--all": settings.all,
        }
        if options := [option for option, given in asked.items() if given]:
            raise UsageError(f"{', '.join(options)}: this is asked of algorithms for lists, not for trees")
        from minrepro.algorithms.trees.tree_registry import (  # takes a while to load
            BEYOND_GRAMMAR,
            DEFAULT,
            WITHOUT_DDMIN,
            reduce_tree,
            tree_minimizer,
        )

        name = settings.algorithm or DEFAULT
        if name not in TREE_NAMES:
            raise UsageError(
                f"--algorithm {name} works on lists and cannot be combined with --units tree or --grammar\n"
                f"hint: algorithms for trees are {', '.join(TREE_NAMES)}"
            )
        given = settings.ddmin.given()
        if given and name in WITHOUT_DDMIN:
            raise UsageError(
                f"{', '.join(sorted(given))} cannot be combined with the algorithm {name}, which does not use ddmin\n"
                "hint: --algorithm hdd or one of its family"
            )
        minimize = list_minimizer("ddmin", settings.ddmin) if given else None
        document = document_of(settings, self.path, self.data)
        if document is None:
            self.tell(
                f"warning: the language of {self.path} is unknown; removing lines, then characters instead\n"
                "hint: state it with --language NAME"
            )
            return partial(reduce_text, minimize=list_minimizer("grouping"), cutters=_cutters(PLAIN))
        if 2 * document.allowed[1] > len(self.data):
            self.tell(f"warning: most of {self.path} cannot be parsed; is it in another language?")
        return lambda data: reduce_tree(document, tree_minimizer(name, minimize), beyond=name in BEYOND_GRAMMAR)

    def _cutters(self, settings: SearchSettings) -> list[Callable[[bytes], ListDocument]]:
        if settings.units != "tokens":
            return _cutters(settings.units or PLAIN)
        from minrepro.documents.syntax.bundled_grammars import language_of
        from minrepro.documents.tokenized import tokens

        language = language_in(settings, self.data) or language_of(self.path, self.data)
        return [partial(tokens, language=language)]


def _is_container(data: bytes) -> bool:
    from minrepro.documents.containers import container_of

    return container_of(data) is not None


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
    from minrepro.documents.syntax.open_tree import open_tree

    language = language_for(settings, path, data)
    return open_tree(data, language) if language else None


def language_for(settings: SearchSettings, path: Path, data: bytes) -> str | None:
    """Return the language of a file by the settings or its name, or None if none is known."""
    require_one_language(settings)
    from minrepro.documents.syntax.bundled_grammars import language_of

    return language_in(settings, data) or language_of(path, data)


def language_in(settings: SearchSettings, data: bytes | None = None) -> str | None:
    """Return the language that the settings name, or that of the grammar in them, which must match a text if given."""
    if settings.grammar is None:
        return settings.language
    from minrepro.documents.grammars.reading_grammars import read_grammar
    from minrepro.documents.syntax.open_tree import offer

    grammar = read_grammar(settings.grammar, settings.start)
    if data is not None:
        grammar.parse(data)
    return offer(grammar)
