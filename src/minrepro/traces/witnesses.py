"""Segments of logs by the state they start in: what rules are mined from, and what speaks for and against a rule.

A segment is a run of consecutive events of one session with the state before it and the state after it. Segments that
start in the same state, do the same and end in the same state are counted together, so that comparing all pairs of
segments costs no more than comparing all kinds of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from minrepro.errors import InputError
from minrepro.traces.rules import Bindings, Rule, Symbol
from minrepro.traces.state_abstraction import Abstraction
from minrepro.traces.user_events import Entry, Event, Log, canonical

State = int
"""Equal abstract states have equal numbers."""

Deeds = tuple[tuple[Symbol, tuple[str, ...]], ...]
"""What a segment does: for each event its symbol and its arguments as canonical texts."""


@dataclass(frozen=True, slots=True)
class LoggedSession:
    """A log made ready: its events with the states around them; `states` has one more than `events`."""

    log: Log
    entries: tuple[Entry, ...]
    deeds: Deeds
    states: tuple[State, ...]


class Segment(NamedTuple):
    """A run of consecutive events of a session."""

    session: LoggedSession
    begin: int
    end: int

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the segment."""
        return tuple(entry.event for entry in self.session.entries[self.begin : self.end] if entry.event is not None)

    @property
    def compared(self) -> tuple[Event, ...]:
        """The events as rules see them: without arguments where these are ignored."""
        deeds = self.session.deeds[self.begin : self.end]
        return tuple(
            Event(event.name) if deed[0].arity < 0 else event for event, deed in zip(self.events, deeds, strict=True)
        )

    @property
    def start_state(self) -> State:
        """The state before its first event."""
        return self.session.states[self.begin]

    @property
    def end_state(self) -> State:
        """The state after its last event."""
        return self.session.states[self.end]

    def __str__(self) -> str:
        name, entries = self.session.log.name, self.session.entries[self.begin : self.end]
        return f"{name}:{entries[0].line}: {'; '.join(map(str, self.events))}" if entries else f"{name}: nothing"


def sessions(
    logs: Iterable[Log], abstraction: Abstraction | None = None, with_arguments: bool = True
) -> tuple[LoggedSession, ...]:
    """Return logs made ready for mining; the event that ended a session may lack a state, no other."""
    numbers: dict[str, State] = {}
    logs = tuple(logs)
    abstraction = abstraction or Abstraction()
    abstraction.require_known({name for log in logs for entry in log.entries for name in entry.state or ()})
    ready = tuple(_session(log, abstraction, numbers, with_arguments) for log in logs)
    if not any(session.deeds for session in ready):
        names = ", ".join(log.name for log in logs) or "no log given"
        raise InputError(f"cannot mine rules from {names}: rules need at least two logged states in a row")
    return ready


def _session(log: Log, abstraction: Abstraction, numbers: dict[str, State], with_arguments: bool) -> LoggedSession:
    entries = log.entries
    if not entries:
        raise InputError(f"{log.name} is empty; every line of a log has an event and the state after it")
    if entries[-1].state is None and len(entries) > 1:
        entries = entries[:-1]  # a session that ended in its failure
    states = []
    for i, entry in enumerate(entries):
        if entry.state is None:
            raise InputError(
                f"{log.name}:{entry.line}: no state after {entry.event}\n"
                "hint: only the last event of a log may lack a state"
            )
        if entry.event is None and i:
            raise InputError(f"{log.name}:{entry.line}: only the first line may have a state without an event")
        try:
            text = canonical(abstraction(entry.state))
        except RecursionError:
            raise InputError(f"{log.name}:{entry.line}: the state is nested too deeply to be compared") from None
        states.append(numbers.setdefault(text, len(numbers)))
    # The state after the first entry is the first that is known: its event starts from nowhere.
    deeds = tuple(_deed(entry.event, with_arguments) for entry in entries[1:] if entry.event is not None)
    return LoggedSession(log, entries[1:], deeds, tuple(states))


def _deed(event: Event, with_arguments: bool) -> tuple[Symbol, tuple[str, ...]]:
    if not with_arguments:
        return Symbol(event.name, -1), ()
    return Symbol(event.name, len(event.args)), tuple(map(canonical, event.args))


Ends = Mapping[State, int]
"""How often each state was the end."""


def segments_by_start(ready: Iterable[LoggedSession], longest: int) -> dict[State, dict[Deeds, Counter[State]]]:
    """Return for each state what was done from there, in up to so many events, and how often it led where."""
    found: dict[State, dict[Deeds, Counter[State]]] = defaultdict(lambda: defaultdict(Counter))
    for session in ready:
        for begin in range(len(session.deeds)):
            here = found[session.states[begin]]
            for end in range(begin + 1, min(begin + longest, len(session.deeds)) + 1):
                here[session.deeds[begin:end]][session.states[end]] += 1
    return found


def compared(left: Ends, right: Ends) -> tuple[int, int]:
    """Return how many pairs of a left and a right segment end alike, and how many do not."""
    alike = sum(count * right.get(state, 0) for state, count in left.items())
    return alike, sum(left.values()) * sum(right.values()) - alike


class RuleWitness(NamedTuple):
    """Two segments that start alike, do the two sides of a rule, and end alike (for the rule) or not (against it)."""

    left: Segment
    right: Segment | None
    """None when the right side of the rule is empty: the left one should change nothing."""
    positive: bool

    def __str__(self) -> str:
        right = str(self.right) if self.right is not None else "(nothing)"
        return f"{'for    ' if self.positive else 'against'}  {self.left}\n         {right}"


def witnesses_of(rule: Rule, ready: Sequence[LoggedSession]) -> Iterator[RuleWitness]:
    """Yield what speaks for and against a rule in logs, in the order of the logs."""
    rights: dict[State, list[tuple[Segment, Bindings]]] = defaultdict(list)
    mirrored = Rule(rule.right, rule.left) if rule.right else None
    if mirrored is not None:
        for segment in _segments(ready, len(mirrored.left)):
            bound = mirrored.match(segment.compared)
            if bound is not None:
                rights[segment.start_state].append((segment, bound))
    for segment in _segments(ready, len(rule.left)):
        bound = rule.match(segment.compared)
        if bound is None:
            continue
        if mirrored is None:
            yield RuleWitness(segment, None, segment.start_state == segment.end_state)
            continue
        for other, others in rights.get(segment.start_state, ()):
            if all(bound.get(variable) == text for variable, text in others.items()):
                yield RuleWitness(segment, other, segment.end_state == other.end_state)


def _segments(ready: Iterable[LoggedSession], length: int) -> Iterator[Segment]:
    for session in ready:
        for begin in range(len(session.deeds) - length + 1):
            yield Segment(session, begin, begin + length)
