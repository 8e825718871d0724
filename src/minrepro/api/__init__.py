"""The toolkit as functions: reduce, isolate or explain Python values with a Python function as the check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import is_dataclass
from functools import partial
from pathlib import PurePath
from typing import Any, AnyStr, Literal, TypeVar, Unpack, overload

from minrepro.api.execution import Algorithm, Check, Content, Execution, Mode, Place, Running, Units, same
from minrepro.api.results import Explanation, Progress, Result
from minrepro.core.events import Listener, ignore
from minrepro.core.search import embed
from minrepro.core.verdicts import Outcome
from minrepro.engine.run import Result as RunResult
from minrepro.engine.run import Run
from minrepro.errors import NotFailing, UsageError
from minrepro.settings import Budget, DdminOptions, Effort, SearchSettings

T = TypeVar("T")
U = TypeVar("U")


@overload
def reduce(data: bytes, check: Check[bytes], **how: Unpack[Content]) -> Result[bytes]: ...
@overload
def reduce(data: str, check: Check[str], **how: Unpack[Content]) -> Result[str]: ...
@overload
def reduce(data: T, check: Check[T], *, structure: Literal[True], **how: Unpack[Execution]) -> Result[T]: ...
@overload
def reduce(data: list[U], check: Check[list[U]], **how: Unpack[Algorithm]) -> Result[list[U]]: ...
@overload
def reduce(data: Sequence[U], check: Check[tuple[U, ...]], **how: Unpack[Algorithm]) -> Result[tuple[U, ...]]: ...
@overload
def reduce(data: T, check: Check[T], **how: Unpack[Execution]) -> Result[T]: ...


def reduce(
    data: Any,
    check: Check[Any],
    *,
    path: str | PurePath | None = None,
    language: str | None = None,
    effort: Effort = "normal",
    minify: bool = False,
    structure: bool | None = None,
    units: Units | None = None,
    algorithm: str | None = None,
    options: Any = None,
    mode: Mode = "in-order",
    minimality: int = 1,
    monotone: bool = False,
    smallest: bool = False,
    workers: int = 1,
    workers_in: Place | None = None,
    timeout: float | None = None,
    unresolved: tuple[type[Exception], ...] = (),
    budget: Budget | None = None,
    progress: Callable[[Progress[Any]], None] | None = None,
    notify: Listener = ignore,
) -> Any:
    """Return the smallest version of `data` for which `check` is still true.

    >>> reduce("let x = (1 + [2, 3);", lambda text: text.count("[") > text.count("]")).reduced
    '['

    Lists and tuples lose elements; other sequences are reduced as tuples.

    >>> reduce(list(range(1000)), lambda numbers: 17 in numbers and 99 in numbers).reduced
    [17, 99]

    Dicts, dataclasses and whatever is in them lose keys and elements, and their values shrink; types are kept. For a
    list, `structure=True` reduces what is in the elements too.

    >>> order = {"user": {"name": "Ann", "age": 41}, "items": [{"id": 7, "price": 3.5}, {"id": 8, "price": -2.25}]}
    >>> reduce(order, lambda o: any(item.get("price", 0) < 0 for item in o.get("items", []))).reduced
    {'items': [{'price': -1.0}]}

    `check` returns True while the failure reproduces, False when it does not, or an `Outcome`. Exceptions named in
    `unresolved` mean that it cannot tell; any other one ends the reduction with a `CheckError` that names the
    candidate. It may be an `async def`.

    `path` or `language` tell how bytes and text are to be read; `effort` and `minify` are those of the command.
    `algorithm` (`ddmin`, `probdd`, …) and `units` choose a published list algorithm instead of the default reducer.
    With `minimality=2`, no two units of the result can be removed together; `monotone=True` skips parts of what did not
    fail; `smallest=True` goes on with the smallest of several failing subsets.

    `workers` checks run at a time: in threads, in processes (`workers_in="processes"`), or as coroutines. A check that
    takes longer than `timeout` seconds is unresolved; one in this process cannot be stopped, so that it needs processes
    or `async`. `budget`, or Ctrl-C, ends the reduction with the best so far. `progress` is called after each check.
    """
    running = Running(check, workers, workers_in, timeout, unresolved, budget, progress, notify, mode)
    ddmin = DdminOptions() if options is None else options
    search = SearchSettings(
        algorithm=algorithm, ddmin=ddmin, minimality=minimality, monotone=monotone, smallest=smallest
    )
    is_chosen = search != SearchSettings() or options is not None or mode == "race"
    of_content = path is not None or language is not None or minify or effort != "normal"
    if isinstance(data, bytes | str):
        if structure:
            raise UsageError("bytes and text have no structure of Python data: leave structure out.")
        if not is_chosen and units is None:
            return _reduce_content(data, path, language, effort, minify, running)
        if of_content:
            raise UsageError("path, language, effort and minify are for the default reducer: leave algorithm out.")
        return _reduce_by_units(data, units, search, running)
    if of_content:
        raise UsageError("path, language, effort and minify are for bytes and text.")
    if units is not None:
        raise UsageError("units are for bytes and text: the units of another sequence are its elements.")
    if not (structure or (structure is None and _is_structured(data))):
        return _reduce_sequence(data, search, running)
    if is_chosen:
        raise UsageError("algorithms are for sequences: nested data is reduced in a way of its own.")
    return _reduce_structure(data, running)


@overload
def isolate(
    passing: AnyStr, failing: AnyStr, check: Check[AnyStr], *, units: Units | None = ..., **how: Unpack[Execution]
) -> tuple[AnyStr, AnyStr]: ...
@overload
def isolate(
    passing: Sequence[U], failing: list[U], check: Check[list[U]], **how: Unpack[Execution]
) -> tuple[list[U], list[U]]: ...
@overload
def isolate(
    passing: Sequence[U], failing: Sequence[U], check: Check[tuple[U, ...]], **how: Unpack[Execution]
) -> tuple[tuple[U, ...], tuple[U, ...]]: ...


def isolate(
    passing: Any,
    failing: Any,
    check: Check[Any],
    *,
    units: Units | None = None,
    **how: Unpack[Execution],
) -> Any:
    """Return a passing and a failing version between the two given ones whose difference is as small as possible.

    >>> works, fails = isolate([], ["-O2", "-fast", "-unsafe", "-v"], lambda options: "-unsafe" in options)
    >>> set(fails) - set(works)
    {'-unsafe'}

    Of two sequences, `passing` must be a part of `failing`. Bytes and text are compared by lines, then by characters,
    and need have nothing in common.

    >>> isolate("x = 2\\n", "x = 2\\ny = 0\\nz = 3\\n", lambda text: "= 0" in text, units="lines")
    ('x = 2\\n', 'x = 2\\ny = 0\\n')

    The arguments that say how checks run are those of `reduce`.
    """
    running = Running(check, **how)
    if isinstance(failing, bytes | str):
        if type(passing) is not type(failing):
            raise UsageError("text can only be compared with text, and bytes with bytes.")
        return _isolate_content(passing, failing, units, running)
    if units is not None:
        raise UsageError("units are for bytes and text: the units of another sequence are its elements.")
    from minrepro.targets.sequence import SequenceCase, isolate_sequence, part_of

    whole = SequenceCase.whole(failing)
    part = part_of(whole, passing)
    show = _shown_as(failing)
    result = running.run(show, lambda run: run.isolate(part, whole, isolate_sequence(whole, part)))
    assert result.passing is not None
    return show(result.passing), show(result.case)


def reduce_all(
    data: Sequence[U], check: Check[Any], *, algorithm: str | None = None, **how: Unpack[Execution]
) -> list[Any]:
    """Return different minimal versions of a failing sequence, each without something of those before it.

    >>> reduce_all([1, -2, 3, 0, -5], lambda numbers: any(number < 0 for number in numbers) or 0 in numbers)
    [[-2], [0], [-5]]

    After each one, the failure is looked for without it, until nothing fails. Text and bytes are reduced by lines. The
    arguments that say how checks run are those of `reduce`.
    """
    from minrepro.algorithms.lists.causes import all_minimal
    from minrepro.targets.sequence import SequenceCase

    is_text = isinstance(data, bytes | str)
    whole = SequenceCase.whole(data.splitlines(keepends=True) if is_text else data)  # type: ignore[attr-defined]
    show: Callable[[Any], Any] = _shown_as(data)
    if is_text:
        show = lambda case: data[:0].join(case.units)  # type: ignore[attr-defined] # noqa: E731
    running, causes = Running(check, **how), list[Any]()
    minimize = _minimizer(SearchSettings(algorithm=algorithm), running.mode)

    def reduction(case: SequenceCase) -> Any:
        found = yield from embed(all_minimal(case.positions, minimize), into=whole.of)
        causes[:] = [whole.of(cause) for cause in found]
        return min(causes, key=len)

    running.run(show, lambda run: run.reduce(whole, reduction, empty=whole.of(())))
    return [show(cause) for cause in causes]


def reduce_arguments(
    command: Sequence[str], check: Check[list[str]], *, algorithm: str | None = None, **how: Unpack[Execution]
) -> Result[list[str]]:
    """Return the shortest version of a command line for which `check` is still true, as `minrepro args` finds it.

    >>> command = ["cc", "-O2", "-I", "include", "-fsanitize=address,undefined", "-o", "a.out", "a.c"]
    >>> reduce_arguments(command, lambda words: "a.c" in words and "undefined" in " ".join(words)).reduced
    ['cc', '-fsanitize=undefined', 'a.c']

    The first word is kept. An option goes together with its value where both can go. The arguments that say how checks
    run are those of `reduce`.
    """
    from minrepro.targets.arguments import decoded, encoded, reduce_case

    search, running = SearchSettings(algorithm=algorithm), Running(check, **how)
    minimize = _minimizer(search, running.mode)

    def work(run: Run[Any]) -> RunResult[Any]:
        return run.reduce(encoded(command[1:]), lambda case: reduce_case(case, minimize, _refinement(search, run)))

    return running.reduced(lambda case: [command[0], *decoded(case)], work)


def explain(
    data: AnyStr,
    check: Check[AnyStr],
    *,
    path: str | PurePath | None = None,
    language: str | None = None,
    **how: Unpack[Execution],
) -> Explanation[AnyStr]:
    """Return which parts of a small failing input are needed, which can be anything, and what makes it pass.

    >>> found = explain("print(1/0)", lambda text: "/0" in text, language="python")
    >>> [part.content for part in found.parts if part.needed]
    ['(1/0)', '/', '0']

    The arguments that say how checks run are those of `reduce`; budgets and progress are not for explanations.
    """
    from minrepro.engine.tester import Tester
    from minrepro.reports.explanation import asking
    from minrepro.reports.explanation import explain as explained
    from minrepro.targets import content as contents

    running = Running(check, **how)
    if running.budget is not None or running.progress is not None:
        raise UsageError("an explanation that is stopped says nothing: leave budget and progress out.")
    show: Any = contents.decoded if isinstance(data, str) else None
    content = contents.encoded(data) if isinstance(data, str) else data
    found_language = contents.language_for(content, path, language)
    executor = running.executor(show)
    try:
        tester = Tester(executor)
        ask = asking(tester)
        verdict = ask([content])[0]
        if verdict.outcome is not Outcome.FAIL:
            raise NotFailing(f"the input does not fail: {verdict.outcome.value} ({verdict.reason})", verdict=verdict)
        found = explained(content, found_language, ask)
        return Explanation.of(found, contents.decoded_in_part if show else bytes, tester.tests)  # type: ignore[arg-type]
    finally:
        executor.close()


def _reduce_content(
    data: Any, path: str | PurePath | None, language: str | None, effort: Effort, minify: bool, running: Running
) -> Result[Any]:
    from minrepro.targets.content import content_reducer, decoded, encoded

    is_text = isinstance(data, str)
    content = encoded(data) if is_text else data

    def work(run: Run[Any]) -> RunResult[Any]:
        reducer = content_reducer(
            content,
            is_text=is_text,
            path=path,
            language=language,
            effort=effort,
            golf=minify,
            workers=running.workers,
        )
        return run.reduce_by_edits(content, reducer, empty=b"")

    return running.reduced(decoded if is_text else None, work)


def _reduce_by_units(data: Any, units: Units | None, search: SearchSettings, running: Running) -> Result[Any]:
    from minrepro.documents.text import reduce_text

    is_text = isinstance(data, str)
    minimize, cutters = _minimizer(search, running.mode), _cutters(units, is_text)
    content = data.encode("utf-8", "surrogatepass") if is_text else data

    def work(run: Run[Any]) -> RunResult[Any]:
        refine = _refinement(search, run)
        return run.reduce(content, lambda case: reduce_text(case, minimize, cutters, refine), empty=b"")

    return running.reduced(_DECODED if is_text else None, work)


def _isolate_content(passing: Any, failing: Any, units: Units | None, running: Running) -> Any:
    from minrepro.targets.difference import isolate_texts

    is_text = isinstance(failing, str)
    less, more = [side.encode("utf-8", "surrogatepass") if is_text else side for side in (passing, failing)]
    show: Any = _DECODED if is_text else None
    cutters = _cutters(units, is_text)
    result = running.run(show, lambda run: run.isolate(less, more, isolate_texts(less, more, cutters)))
    return tuple((show or same)(side) for side in (result.passing, result.case))


def _reduce_sequence(data: Iterable[Any], search: SearchSettings, running: Running) -> Result[Any]:
    from minrepro.targets.sequence import SequenceReduction

    minimize = _minimizer(search, running.mode)

    def work(run: Run[Any]) -> RunResult[Any]:
        reduction = SequenceReduction(data, minimize, _refinement(search, run))
        return run.reduce(reduction.original, reduction, empty=reduction.empty)

    return running.reduced(_shown_as(data), work)


def _reduce_structure(data: Any, running: Running) -> Result[Any]:
    from minrepro.targets.structure import StructureReduction

    work = StructureReduction(data)
    return running.reduced(lambda case: case.value, lambda run: run.reduce(work.original, work))


def _minimizer(search: SearchSettings, mode: Mode) -> Any:
    from minrepro.algorithms.algorithm_registry import DDMIN
    from minrepro.targets.list_search import list_algorithm, minimizer_of

    name = list_algorithm(search)
    if mode == "race" and name not in DDMIN:
        raise UsageError(f"a race is for {', '.join(DDMIN)}: {name} builds questions on the answers before them.")
    return minimizer_of(search)


def _refinement(search: SearchSettings, run: Run[Any]) -> Any:
    from minrepro.targets.list_search import refinement_of

    return refinement_of(search, run, run.warn)


def _cutters(units: Units | None, is_text: bool) -> list[Any]:
    from minrepro.documents.text import CUTTERS, text_characters

    names = (units or "lines-then-characters").split("-then-")
    if is_text and "bytes" in names:
        raise UsageError("text has characters, not bytes: encode it first, or choose other units.")
    return [text_characters if is_text and name == "characters" else CUTTERS[name] for name in names]


def _is_structured(data: Any) -> bool:
    """Tell whether data is reduced with its structure unless it is said otherwise."""
    is_named_tuple = isinstance(data, tuple) and hasattr(data, "_fields")
    return (
        is_named_tuple
        or is_dataclass(data)
        or not isinstance(data, Iterable)
        or isinstance(data, dict | set | frozenset)
    )


def _shown_as(data: Any) -> Callable[[Any], Any]:
    """Return what shows a case of a sequence: a list as a list of its own, all else as a tuple."""
    return (lambda case: case.as_list()) if isinstance(data, list) else (lambda case: case.units)


_DECODED: Callable[[bytes], str] = partial(str, encoding="utf-8", errors="surrogatepass")
