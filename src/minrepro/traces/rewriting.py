"""Rewrites a trace with rules, offline, and remembers which events survived and which rule removed each of the others.

Elyasov, Prasetya & Hage (2014), section 2.2, with the strategy of their tool: commutativity is never applied as a step,
it only says which events may be looked past. Hence every step removes an event and rewriting ends, whatever the rules.
What stands at the left and right of a gap meets when each event between them commutes with one of the two.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from minrepro.traces.rules import Rule, Symbol, symbols_of
from minrepro.traces.user_events import Event, Trace, numbered


@dataclass(frozen=True, slots=True)
class RuleApplication:
    """One step: the rule, the events it matched, and those that it removed."""

    rule: Rule
    matched: Trace
    removed: Trace


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What rewriting left of a trace, and the steps that led there."""

    kept: Trace
    applications: tuple[RuleApplication, ...]


class RuleIndex:
    """Rules by the last event of their left side, and which events commute."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._ending: defaultdict[Symbol, list[Rule]] = defaultdict(list)
        self._swaps: defaultdict[tuple[Symbol, Symbol], list[Rule]] = defaultdict(list)
        for rule in rules:
            if rule.kept is not None:
                self._ending[rule.left[-1].symbol].append(rule)
            elif rule.swaps and len(rule.left) == 2:
                first, second = (pattern.symbol for pattern in rule.left)
                self._swaps[first, second].append(rule)
                self._swaps[second, first].append(rule)
        self._partners = {
            symbol: frozenset(rule.left[0].name for rule in rules if len(rule.left) == 2)
            for symbol, rules in self._ending.items()
        }
        self._known: dict[tuple[str, str], bool] = {}

    def ending_with(self, event: Event) -> Iterator[Rule]:
        """Yield the rules whose left side may end with an event, in the order in which they were given."""
        for symbol in symbols_of(event):
            yield from self._ending.get(symbol, ())

    def partners(self, event: Event) -> frozenset[str]:
        """Return the names of events that a rule of two events may remove together with, or because of, this one."""
        exact, general = (self._partners.get(symbol, frozenset()) for symbol in symbols_of(event))
        return exact | general

    def commute(self, first: Event, second: Event) -> bool:
        """Return whether two events may change places."""
        key = (first.key, second.key)
        if key not in self._known:
            self._known[key] = first == second or any(
                rule.match(pair) is not None
                for one in symbols_of(first)
                for other in symbols_of(second)
                for rule in self._swaps.get((one, other), ())
                for pair in ((first, second), (second, first))
            )
        return self._known[key]


def rewrite(trace: Iterable[Event], rules: Iterable[Rule], protected: Collection[int] = ()) -> Rewriting:
    """Return the trace as short as the rules make it; events at protected positions are never removed."""
    events = numbered(trace)
    index, applications = RuleIndex(rules), []
    kept: list[Event] = []
    todo = list(reversed(events))
    while todo:
        kept.append(todo.pop())
        while (step := _step(kept, index, protected)) is not None:
            applications.append(step)
            gone = {event.position for event in step.removed}
            # What stood behind a removed event has lost a neighbour: look at it again.
            first = bisect_left(kept, step.removed[0].position or 0, key=lambda event: event.position or 0)
            todo.extend(event for event in reversed(kept[first:]) if event.position not in gone)
            del kept[first:]
            if not todo:
                break
            kept.append(todo.pop())
    return Rewriting(tuple(kept), tuple(applications))


def _step(kept: Sequence[Event], index: RuleIndex, protected: Collection[int]) -> RuleApplication | None:
    """Return the first rule that applies to the last of these events and what is before it."""
    for rule in index.ending_with(kept[-1]):
        matched = kept[-len(rule.left) :]
        if (step := _applied(rule, matched, protected)) is not None:
            return step
    return _step_across(kept, index, protected)


def _step_across(kept: Sequence[Event], index: RuleIndex, protected: Collection[int]) -> RuleApplication | None:
    """Return the first rule of two events that applies to the last event and an earlier one, past events between."""
    last, partners = kept[-1], index.partners(kept[-1])
    if not partners:
        return None
    # The last event may move left as far as this.
    reach = len(kept) - 1
    while reach > 0 and index.commute(kept[reach - 1], last):
        reach -= 1
    for i in range(len(kept) - 3, -1, -1):
        earlier = kept[i]
        if earlier.name in partners and all(index.commute(earlier, kept[j]) for j in range(i + 1, reach)):
            for rule in index.ending_with(last):
                if len(rule.left) == 2 and (step := _applied(rule, (earlier, last), protected)) is not None:
                    return step
    return None


def _applied(rule: Rule, matched: Sequence[Event], protected: Collection[int]) -> RuleApplication | None:
    if rule.match(matched) is None:
        return None
    kept = rule.kept or ()
    removed = tuple(event for i, event in enumerate(matched) if i not in kept)
    if any(event.position in protected for event in removed):
        return None
    return RuleApplication(rule, tuple(matched), removed)
