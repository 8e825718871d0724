"""The list minimizer that settings ask for, and what else they ask of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minrepro.algorithms.algorithm_registry import DDMIN, list_minimizer
from minrepro.core.keys import key_of
from minrepro.core.search import ListMinimizer, Reduction, Refine, embed
from minrepro.core.verdicts import Outcome
from minrepro.documents.text import ListDocument
from minrepro.engine.run import Run
from minrepro.errors import UsageError
from minrepro.settings import SearchSettings


def list_algorithm(settings: SearchSettings) -> str:
    """Return the name of the algorithm for lists, or say which of the settings contradict each other."""
    name = settings.algorithm or ("ddmin" if settings.ddmin.given() or settings.smallest else "grouping")
    if settings.smallest and (name not in ("ddmin", "ddmin*") or settings.ddmin.reduce == "complements only"):
        raise UsageError("--smallest chooses among subsets, and only ddmin has them\nhint: --algorithm ddmin")
    if settings.monotone and settings.cache == "none":
        raise UsageError("--monotone concludes from earlier outcomes, and --cache none forgets them")
    return name


def minimizer_of(settings: SearchSettings) -> ListMinimizer:
    """Return the minimizer for lists."""
    return list_minimizer(list_algorithm(settings), settings.ddmin)


def refinement_of(settings: SearchSettings, run: Run[Any], tell: Callable[[str], None]) -> Refine | None:
    """Return what makes minimizers do all that the settings ask for in a run; None if they ask for nothing."""
    counts = list_algorithm(settings) in DDMIN
    if not (counts or settings.monotone or settings.minimality > 1):
        return None
    from minrepro.algorithms.lists.refinements import Refinement

    def outcome_of(case: Any) -> Outcome | None:
        verdict = run.memory.recall(key_of(case))
        return None if verdict is None else verdict.outcome

    def iterated(count: int) -> None:
        run.tally.iterations += count

    return Refinement(
        settings.minimality,
        settings.monotone,
        settings.smallest,
        outcome_of=outcome_of,
        tell=tell,
        iterated=iterated if counts else None,
    ).of


def all_texts(
    data: bytes, minimize: ListMinimizer, cut: Callable[[bytes], ListDocument], refine: Refine | None = None
) -> Reduction[list[bytes]]:
    """Return the different causes of a failure in a text, in units of one kind."""
    from minrepro.algorithms.lists.causes import all_minimal

    document = cut(data)
    refined = minimize if refine is None else refine(minimize, document.render)
    causes = yield from embed(all_minimal(range(len(document)), refined), into=document.render)
    return [document.render(cause) for cause in causes]
