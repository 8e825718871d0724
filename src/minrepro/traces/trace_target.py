"""A failing trace as something to be reduced: its events as JSON lines in journals, as its own format for a check."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from minrepro.core.keys import digest
from minrepro.core.verdicts import Outcome
from minrepro.engine.memory import Memory
from minrepro.errors import InputError
from minrepro.executors.confirmed import Fresh
from minrepro.settings import OutputSettings, RunSettings, SearchSettings
from minrepro.targets.reading import read_input
from minrepro.targets.result_file import ResultFile, ResultStore
from minrepro.targets.target import DDMIN_OPTIONS, SEARCH_OPTIONS, Search
from minrepro.traces import trace_formats
from minrepro.traces.prefix_memory import PrefixMemory
from minrepro.traces.trace_reduction import TraceReduction
from minrepro.traces.user_events import Event, Log, Trace, canonical, numbered

_FRESH = b"fresh\n"
_REFUSED = dict.fromkeys((*SEARCH_OPTIONS, *DDMIN_OPTIONS), "the search in traces of events has no such choice")


class TraceCodec:
    """A trace as a line for each event: where it stood, its name and its arguments."""

    def __init__(self, original: Trace) -> None:
        """What a recording says of an event beside that is taken from the original."""
        self._original = {event.position: event for event in original}

    def encode(self, case: Trace | Fresh) -> bytes:
        """Return the lines of a trace."""
        if isinstance(case, Fresh):
            return _FRESH + self.encode(case.case)
        lines = (canonical([event.position, event.name, *event.args]) for event in case)
        return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")

    def decode(self, data: bytes) -> Trace:
        """Return the trace that lines tell of."""
        return tuple(map(self._event, data.decode("utf-8", "surrogatepass").splitlines()))

    def _event(self, line: str) -> Event:
        position, name, *args = json.loads(line)
        known = self._original.get(position)
        if known is None:
            return Event(name, tuple(args), position)
        return replace(known, name=name, args=tuple(args))


class EventsTarget(ABC):
    """What traces and browser sessions have in common: events in their order, reduced by rules and replays."""

    unit: ClassVar[str] = "events"
    empty: ClassVar[Trace] = ()
    reduction: TraceReduction

    @property
    @abstractmethod
    def label(self) -> str:
        """How it is called when spoken of."""

    @property
    def failure(self) -> str:
        """What fails, where that is known."""
        return ""

    @abstractmethod
    def written(self, case: Trace) -> bytes:
        """Return the events in the format of the original."""

    @property
    @abstractmethod
    def trace(self) -> Trace:
        """The events, numbered."""

    @property
    def originals(self) -> Mapping[Outcome, Trace]:
        """The failing events."""
        return {Outcome.FAIL: self.trace}

    @property
    def codec(self) -> TraceCodec:
        """How events become bytes."""
        return TraceCodec(self.trace)

    def question(self) -> Mapping[str, str]:
        """Return what else the result depends on: rules, algorithm, and what else was chosen."""
        rules = "\n".join(map(str, self.reduction.rules))
        asked = {"--rules": digest(rules.encode()) if rules else "none", "--algorithm": self.reduction.algorithm}
        return asked | self.reduction.choices()

    def search(self, settings: SearchSettings) -> Search:
        """Return the reduction by rules, replays and arguments."""
        return lambda run: self.reduction.carried_out(run, self.trace)

    def size_of(self, encoded: bytes) -> int:
        """Return how many events there are in what stands for them in a journal."""
        return len(self.codec.decode(encoded))

    def measures(self, case: Trace) -> dict[str, int]:
        """Return how many events there are."""
        return {"events": len(case)}


@dataclass(frozen=True)
class TraceTarget(EventsTarget):
    """A trace that fails when it is replayed."""

    path: Path
    log: Log
    kind: trace_formats.Format
    reduction: TraceReduction = field(default_factory=TraceReduction)
    judged_at_end: bool = False
    """Whether only the end of a replay counts, so that nothing can be concluded for the beginnings of a trace."""

    @classmethod
    def read(cls, path: Path) -> TraceTarget:
        """Return a trace, read, or say what is wrong with it."""
        read_input(path)
        log, kind = trace_formats.read(path)
        if not log.trace:
            raise InputError(f"{path} contains no events")
        return cls(path, log, kind)

    @property
    def trace(self) -> Trace:
        """The events of the trace."""
        return numbered(self.log.trace)

    @property
    def label(self) -> str:
        """How it is called when spoken of."""
        return str(self.path)

    @property
    def sources(self) -> Sequence[Path]:
        """The file of the trace."""
        return (self.path,)

    def question(self) -> Mapping[str, str]:
        """Return what else the result depends on, also what is concluded from a replay."""
        return {**super().question(), "--final-state-only": str(self.judged_at_end)}

    def memory(self, steady: bool) -> Memory:
        """Return a memory by prefix, or where that would conclude too much, by whole traces."""
        return PrefixMemory() if steady and not self.judged_at_end else Memory()

    def stores(self, output: OutputSettings, resuming: bool) -> Mapping[Outcome, ResultStore]:
        """Return the result file."""
        return {Outcome.FAIL: ResultFile(output.path, self.path.stat().st_mode)} if output.path is not None else {}

    def written(self, case: Trace) -> bytes:
        """Return a trace in the format of the original."""
        return trace_formats.rendered(case, self.kind, self.log).encode()

    def refused(self, settings: RunSettings) -> Mapping[str, str]:
        """Return what is for files."""
        return _REFUSED

    def shown(self, case: Any) -> str:
        """Return a trace as text."""
        return "\n".join(map(str, case))
