"""The toolkit as functions: reduce or isolate bytes, text, or any sequence, with a Python predicate."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, TypeVar, overload

from minrepro.algorithms.catalogue import DDMIN, list_minimizer
from minrepro.algorithms.isolate import dd
from minrepro.documents.text import CUTTERS, reduce_text
from minrepro.errors import UsageError
from minrepro.executors import Executor
from minrepro.executors.inline import Inline
from minrepro.executors.threads import Threads
from minrepro.notices import Listener, nobody
from minrepro.oracles.function import FunctionOracle
from minrepro.run import Result, Run
from minrepro.search import Outcome, Reduction, Verdict, embed
from minrepro.settings import Budget, DdminOptions, Mode

U = TypeVar("U")

Test = Callable[[Any], bool | Outcome | Verdict]
Units = Literal["lines", "characters", "bytes", "lines then characters"]


@overload
def reduce(
    failing: bytes,
    test: Callable[[bytes], bool | Outcome | Verdict],
    *,
    units: Units = ...,
    algorithm: str = ...,
    options: DdminOptions | None = ...,
    workers: int = ...,
    mode: Mode = ...,
    budget: Budget | None = ...,
    notify: Listener = ...,
) -> Result[bytes]: ...
@overload
def reduce(
    failing: str,
    test: Callable[[str], bool | Outcome | Verdict],
    *,
    units: Units = ...,
    algorithm: str = ...,
    options: DdminOptions | None = ...,
    workers: int = ...,
    mode: Mode = ...,
    budget: Budget | None = ...,
    notify: Listener = ...,
) -> Result[str]: ...
@overload
def reduce(
    failing: Sequence[U],
    test: Callable[[tuple[U, ...]], bool | Outcome | Verdict],
    *,
    algorithm: str = ...,
    options: DdminOptions | None = ...,
    workers: int = ...,
    mode: Mode = ...,
    budget: Budget | None = ...,
    notify: Listener = ...,
) -> Result[tuple[U, ...]]: ...


def reduce(
    failing: Any,
    test: Test,
    *,
    units: Units | None = None,
    algorithm: str = "grouping",
    options: DdminOptions | None = None,
    workers: int = 1,
    mode: Mode = "in order",
    budget: Budget | None = None,
    notify: Listener = nobody,
) -> Any:
    """Return a 1-minimal part of `failing` for which `test` is still true (or `Outcome.FAIL`)."""
    minimize = list_minimizer(algorithm, options)
    if mode == "race" and algorithm not in DDMIN:
        raise UsageError(f"a race is for {', '.join(DDMIN)}: {algorithm} builds questions on the answers before them.")
    names = (units or "lines then characters").split(" then ")
    if isinstance(failing, str):
        if "bytes" in names:
            raise UsageError("text has characters, not bytes: encode it first, or choose other units.")
        reduce_str = partial(_reduce_str, minimize=minimize, names=names)
        return _run(_executor(test, workers), mode, budget, notify, failing, reduce_str, "")
    if isinstance(failing, bytes):
        reduce_bytes = partial(reduce_text, minimize=minimize, cutters=[CUTTERS[name] for name in names])
        return _run(_executor(test, workers), mode, budget, notify, failing, reduce_bytes, b"")
    if units is not None:
        raise UsageError("units are for bytes and text: the units of another sequence are its elements.")
    sequence = tuple(failing)
    executor = _executor(test, workers, lambda case: case.units)
    sequence_reduction = partial(_reduce_sequence, minimize=minimize)
    result = _run(executor, mode, budget, notify, _Case(sequence), sequence_reduction, _Case(()))
    return Result(result.case.units, result.why, result.tally, result.seconds, lost=result.lost)


def isolate(
    passing: Sequence[U],
    failing: Sequence[U],
    test: Callable[[tuple[U, ...]], bool | Outcome | Verdict],
    *,
    workers: int = 1,
    budget: Budget | None = None,
    notify: Listener = nobody,
) -> tuple[tuple[U, ...], tuple[U, ...]]:
    """Return a passing and a failing configuration between the two given ones whose difference is 1-minimal.

    `passing` must be a subsequence of `failing`.
    """
    universe, inside = tuple(failing), tuple(passing)
    case = partial(_Case.of, universe)
    executor = _executor(test, workers, lambda case: case.units)
    try:
        run: Run[_Case] = Run(executor, budget=budget, notify=notify)
        positions = _inside(inside, universe)
        result = run.isolate(
            case(positions), case(range(len(universe))), _isolate_sequence(case, len(universe), positions)
        )
    finally:
        executor.close()
    assert result.passing is not None
    return result.passing.units, result.case.units


class _Case:
    """A tuple of any units as a case: told apart by positions, so that units need not be hashable."""

    __slots__ = ("positions", "units")

    def __init__(self, units: tuple[Any, ...], positions: Sequence[int] | None = None) -> None:
        self.units = units
        self.positions = tuple(range(len(units)) if positions is None else positions)

    @classmethod
    def of(cls, universe: tuple[Any, ...], positions: Sequence[int]) -> _Case:
        return cls(tuple(universe[i] for i in positions), positions)

    def __len__(self) -> int:
        return len(self.units)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Case) and self.positions == other.positions

    def __hash__(self) -> int:
        return hash(self.positions)


def _reduce_str(text: str, minimize: Callable[..., Reduction[tuple[int, ...]]], names: list[str]) -> Reduction[str]:
    for name in names:
        units = re.findall(r"[^\n]*\n|[^\n]+", text) if name == "lines" else text
        join = partial(_joined, units)
        text = join((yield from embed(minimize(range(len(units))), into=join)))
    return text


def _joined(units: Sequence[str], config: Sequence[int]) -> str:
    return "".join(map(units.__getitem__, config))


def _reduce_sequence(case: _Case, minimize: Callable[..., Reduction[tuple[int, ...]]]) -> Reduction[_Case]:
    kept = yield from embed(minimize(range(len(case))), into=partial(_Case.of, case.units))
    return _Case.of(case.units, kept)


def _isolate_sequence(
    case: Callable[[Sequence[int]], _Case], size: int, inside: Sequence[int]
) -> Reduction[tuple[_Case, _Case]]:
    passing, failing = yield from embed(dd(range(size), inside), into=case)
    return case(passing), case(failing)


def _inside(part: tuple[Any, ...], whole: tuple[Any, ...]) -> list[int]:
    positions, start = [], 0
    for unit in part:
        try:
            start = whole.index(unit, start) + 1
        except ValueError:
            raise UsageError(
                f"the passing configuration is not a part of the failing one: it lacks {unit!r}, or has it elsewhere."
            ) from None
        positions.append(start - 1)
    return positions


def _executor(test: Test, workers: int, decode: Callable[[Any], Any] | None = None) -> Executor:
    judge = FunctionOracle(test if decode is None else lambda case: test(decode(case)))
    return Inline(judge) if workers == 1 else Threads(judge, workers)


def _run(
    executor: Executor,
    mode: Mode,
    budget: Budget | None,
    notify: Listener,
    case: Any,
    reduction: Callable[[Any], Reduction[Any]],
    empty: Any,
) -> Result[Any]:
    try:
        run: Run[Any] = Run(executor, mode=mode, budget=budget, notify=notify)
        return run.reduce(case, reduction, empty=empty)
    finally:
        executor.close()
