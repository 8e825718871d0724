"""All that a run is told, typed and frozen: what to search for, where checks run, what is trusted, what is kept.

Every field says by which option it is set, and whether it is part of the question that a journal answers: verdicts and
results of a run with another value could be others, so such a run cannot be resumed.
"""

# ruff: noqa: RUF009  # the functions give fields with metadata, not values that are shared

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args

from minrepro.core.containment import Containment
from minrepro.core.limits import Limits

Effort = Literal["fast", "normal", "thorough"]
EFFORT_NAMES: tuple[Effort, ...] = get_args(Effort)
Mode = Literal["in order", "race"]
Reduce = Literal["subsets first", "complements first", "complements only"]
Factor = float | Literal["auto"]
"""The split factor of ddmin, or its choice by the number of units."""
PartOrder = Literal["forward", "backward", "random"]
CacheKind = Literal["none", "config", "content"]
CACHE_KINDS: tuple[CacheKind, ...] = get_args(CacheKind)
Loops = Literal["ahead", "combined", "separate"]
Warm = Literal["auto", "on", "off"]
WARM_NAMES: tuple[Warm, ...] = get_args(Warm)
SandboxMode = Literal["off", "on", "strict"]
SANDBOX_MODES: tuple[SandboxMode, ...] = get_args(SandboxMode)


def _asked(option: str, default: Any = None) -> Any:
    """Return a field that is part of the question."""
    return field(default=default, metadata={"option": option, "question": True})


def _aside(option: str, default: Any = None) -> Any:
    """Return a field that changes neither a verdict nor an undisturbed result."""
    return field(default=default, metadata={"option": option, "question": False})


@dataclass(frozen=True)
class Budget:
    """How much a run may spend; None is without end."""

    tests: int | None = _aside("--max-tests")
    seconds: float | None = _aside("--max-time")
    since: float | None = None
    """When the seconds began, if that was before the run did: a failing command is observed first."""


@dataclass(frozen=True)
class DdminOptions:
    """The options of ddmin; None is the variant's own default."""

    factor: Factor | None = _asked("--ddmin-factor")
    split: str | None = _asked("--ddmin-split")
    reduce: Reduce | None = _asked("--ddmin-steps")
    subset_order: PartOrder | None = _asked("--ddmin-subset-order")
    complement_order: PartOrder | None = _asked("--ddmin-complement-order")
    restart: bool | None = _asked("--ddmin-restart")
    loops: Loops | None = _asked("--parallel-mode")
    seed: int = _asked("--ddmin-seed", 0)

    def given(self) -> dict[str, Any]:
        """Return what was chosen, by name."""
        chosen = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "seed"}
        return {name: value for name, value in chosen.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class ClusterSettings:
    """Which cluster checks run on."""

    address: str = _aside("--cluster", "")
    files: Sequence[Path] = _aside("--cluster-upload", ())
    wait: float = _aside("--cluster-timeout", 60.0)


@dataclass(frozen=True, kw_only=True)
class ExecutionSettings:
    """Where checks run, how many at a time, how long, and what each may use up."""

    workers: int | None = _aside("-j")
    """None: as many as there are processors, or threads of a cluster's workers."""
    cluster: ClusterSettings = ClusterSettings()
    executor: str | None = _aside("--executor")
    """The name of an executor that an installed package brings."""
    timeout: float | None = _asked("--timeout")
    warm: Warm = _aside("--warm", "auto")
    """Whether the program of the checks stays loaded between them."""
    warm_server: str | None = _aside("--warm-server")
    """A program that stays loaded and answers in the place of the checks."""
    place: Path | None = _aside("--work-dir")
    limits: Limits = _asked("--limit-memory", Limits())
    sandbox: SandboxMode = _asked("--sandbox", "on")
    writable: Sequence[Path] = _asked("--writable", ())
    keep_candidates: Path | None = _aside("--keep-candidates")
    """The folder where every candidate that is checked is kept."""
    no_cleanup: bool = _aside("--no-cleanup", False)
    """Whether the folders in which checks ran are left for the user to look at."""

    @property
    def containment(self) -> Containment:
        """What checks may reach."""
        return Containment(self.sandbox, tuple(str(path.resolve()) for path in self.writable))


@dataclass(frozen=True, kw_only=True)
class FailingCommand:
    """A failing command, what is said of its failure, and how it may be run."""

    words: Sequence[str] = ()
    typed: Sequence[str] = ()
    """What the user typed, where the words only run what the candidate is."""
    number: int | None = None
    """Which of the failures that could be meant; None: the first."""
    allow_other_errors: bool = False
    exit: int | None = None
    signal: str | None = None
    stdout: Sequence[str] = ()
    stderr: Sequence[str] = ()
    hangs: float | None = None
    requires: Sequence[str] = ()
    """Other commands that must succeed on a candidate."""
    compares: Sequence[str] = ()
    """Two commands whose outputs must differ, in place of the failing one."""
    execution: ExecutionSettings = ExecutionSettings()
    seconds: float | None = None
    """How long the whole run may take."""


@dataclass(frozen=True, kw_only=True)
class TrustSettings:
    """How far a check is trusted."""

    reproduction: float | None = _asked("--flaky")
    repeats: int | None = _asked("--initial-runs")
    same_failure: bool = _asked("--same-failure", False)


@dataclass(frozen=True, kw_only=True)
class HistorySettings:
    """Where a run is recorded, and what it may know from elsewhere."""

    keep: bool = True
    state: Path | None = _aside("--state-dir")
    resume: bool = _aside("--resume", False)
    shared: Path | None = _aside("--cache-dir")


@dataclass(frozen=True, kw_only=True)
class OutputSettings:
    """Where the result goes, and how it should look."""

    path: Path | None = _aside("-o")
    """None: nowhere; it is only given back."""
    in_place: bool = _aside("--in-place", False)
    formatter: str | None = _aside("--formatter")


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How something is made smaller."""

    units: str | None = _asked("--units")
    algorithm: str | None = _asked("--algorithm")
    ddmin: DdminOptions = DdminOptions()
    mode: Mode = _asked("--parallel-mode", "in order")
    effort: Effort = _asked("--effort", "normal")
    golf: bool = _asked("--minify", False)
    deterministic: bool = _asked("--deterministic", False)
    language: str | None = _asked("--language")
    grammar: Path | None = _asked("--grammar")
    start: str | None = _asked("--start")
    encoding: str | None = _asked("--encoding")
    minimality: int = _asked("--minimality", 1)
    monotone: bool = _asked("--monotone", False)
    smallest: bool = _asked("--smallest", False)
    all: bool = _asked("--all", False)
    cache: CacheKind = _asked("--cache", "content")


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """All that one run is told."""

    budget: Budget = Budget()
    execution: ExecutionSettings = ExecutionSettings()
    trust: TrustSettings = TrustSettings()
    history: HistorySettings = HistorySettings()
    output: OutputSettings = OutputSettings()
    search: SearchSettings = SearchSettings()

    def question(self) -> Mapping[str, str]:
        """Return by option what verdicts and results depend on, as far as it is not as usual."""
        return {option: str(value) for option, value, asked in _given(self) if asked}

    def given(self) -> Sequence[str]:
        """Return the options whose value is not the usual one."""
        return [option for option, _, _ in _given(self)]


def _given(settings: Any) -> Iterator[tuple[str, Any, bool]]:
    """Yield option, value and whether it is asked, of all fields that differ from their defaults, groups included."""
    for each in fields(settings):
        value = getattr(settings, each.name)
        if isinstance(value, Limits):
            yield from _limits(value)
        elif hasattr(value, "__dataclass_fields__"):
            yield from _given(value)
        elif "option" in each.metadata and value != _default(each):
            yield each.metadata["option"], value, each.metadata["question"]


_LIMIT_OPTIONS = {
    "memory": "--limit-memory",
    "cpu": "--limit-cpu",
    "files": "--limit-disk",
    "printed": "--limit-output",
    "processes": "--limit-processes",
    "network": "--no-network",
}


def _limits(limits: Limits) -> Iterator[tuple[str, Any, bool]]:
    for name, value in limits._asdict().items():
        if value != Limits._field_defaults[name]:
            yield _LIMIT_OPTIONS[name], value, True


def _default(each: Field[Any]) -> Any:
    return each.default
