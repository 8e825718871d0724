"""Mines rules from logs of sessions: which short sequences of events lead from the same state to the same state.

Elyasov, Prasetya & Hage, *Guided algebraic specification mining for failure simplification* (2013): candidates are the
patterns filled with the events of the logs; every pair of segments that start in equal states is a witness for a rule
when they end in equal states, and against it otherwise; one witness against a rule is enough.

Where they let arguments differ or ignored them, a rule here says as much about arguments as its witnesses do: what was
always equal gets one variable, what was always different a `≠`. A rule that has witnesses against it is tried again for
each relation of its arguments, and for each constant. Candidates are looked up and not tried, so that the time grows
with the logs and not with the number of pairs of events.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations

from minrepro.traces.rewriting import rewrite
from minrepro.traces.rules import (
    Constant,
    Pattern,
    Rule,
    RuleEvidence,
    RuleKind,
    Symbol,
    Term,
    Variable,
    variable_name,
    variables,
)
from minrepro.traces.witnesses import Deeds, Ends, LoggedSession, compared, segments_by_start

NAMED = frozenset(RuleKind) - {RuleKind.GENERAL}
"""The patterns of the original."""

Arguments = tuple[str, ...]
"""The arguments of a left side and, where it has events of its own, of a right side, as canonical texts."""

Table = dict[Arguments, tuple[int, int]]
"""Witnesses for and against, by the arguments they had."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """A candidate without its arguments: the left side, and the right side as places on the left or of its own."""

    left: tuple[Symbol, ...]
    places: tuple[int, ...]
    foreign: tuple[Symbol, ...] = ()


def mine(ready: Sequence[LoggedSession], kinds: Collection[RuleKind] = NAMED, longest: int = 2) -> tuple[Rule, ...]:
    """Return every rule of these kinds that has a witness, with what speaks for and against it."""
    tables: defaultdict[_Shape, Table] = defaultdict(dict)
    length = longest if RuleKind.GENERAL in kinds else min(longest, 2)
    for start, done in segments_by_start(ready, length).items():
        for left, ends in done.items():
            for shape, args, (positive, negative) in _compared_at(start, left, ends, done, kinds):
                before = tables[shape].get(args, (0, 0))
                tables[shape][args] = (before[0] + positive, before[1] + negative)
    domains = _domains(ready)
    found = (rule for shape, table in tables.items() for rule in _generalised(shape, table, domains))
    return tuple({rule.statement: rule for rule in found}.values())


def witnessed(rules: Iterable[Rule], confidence: float = 0.9) -> tuple[Rule, ...]:
    """Return all rules that nothing speaks against and enough for, also those that follow from others.

    This is how the study counts its 99 rules: those of the kinds Skip and Zero, from the names of events alone.
    """
    return tuple(rule for rule in rules if rule.evidence.positive and rule.evidence.confidence >= confidence)


def accepted(rules: Iterable[Rule], confidence: float = 0.9) -> tuple[Rule, ...]:
    """Return the rules that nothing speaks against and enough for, without those that follow from shorter ones.

    As the original's guide has it, no other rule is about an event that a rule says changes nothing.
    """
    enough = list(witnessed(rules, confidence))
    # Of two right sides for one left side, which would contradict each other, the better witnessed stays, then the one
    # that removes less.
    enough.sort(key=lambda rule: (len(rule.left), -rule.evidence.positive, -len(rule.right), str(rule)))
    skips = [rule for rule in enough if rule.kind is RuleKind.SKIP]
    chosen = list(skips)
    lefts: set[object] = set()
    for rule in enough:
        left, right = rule.instance()
        same_left = (rule.renamed().left, rule.renamed().distinct, rule.swaps)
        if rule.kind is RuleKind.SKIP or same_left in lefts or rewrite(left + right, skips).applications:
            continue
        shorter = [known for known in chosen if len(known.left) < len(rule.left)] if len(rule.left) > 2 else []
        if not shorter or rewrite(left, shorter).kept != rewrite(right, shorter).kept:
            chosen.append(rule)
            lefts.add(same_left)
    return tuple(chosen)


def _compared_at(
    start: int, left: Deeds, ends: Ends, done: Mapping[Deeds, Ends], kinds: Collection[RuleKind]
) -> Iterator[tuple[_Shape, Arguments, tuple[int, int]]]:
    """Yield every candidate that has this left side in this state, with its arguments and witnesses."""
    symbols = tuple(symbol for symbol, _ in left)
    args = tuple(arg for _, arguments in left for arg in arguments)
    for places in _selections(symbols, kinds):
        right = tuple(left[i] for i in places)
        if right == left or (len(places) == len(left) and right < left and len(left) == 2):
            continue  # nothing changes places, or the pair is seen from its other side
        other = done.get(right) if right else {start: 1}
        if other:
            yield _Shape(symbols, places), args, compared(ends, other)
    if RuleKind.GENERAL in kinds:
        for right, other in done.items():
            if len(right) < len(left) and not {symbol for symbol, _ in right} <= set(symbols):
                own = tuple(arg for _, arguments in right for arg in arguments)
                yield _Shape(symbols, (), tuple(symbol for symbol, _ in right)), args + own, compared(ends, other)


def _selections(symbols: tuple[Symbol, ...], kinds: Collection[RuleKind]) -> Iterator[tuple[int, ...]]:
    """Yield the right sides that the patterns have for a left side, as places on it."""
    size = len(symbols)
    if size == 1:
        if RuleKind.SKIP in kinds:
            yield ()
    elif RuleKind.GENERAL in kinds:
        for count in range(size):
            yield from combinations(range(size), count)
        yield from (order for order in permutations(range(size)) if order != tuple(range(size)))
    elif size == 2:
        if RuleKind.INVERSE in kinds:
            yield ()
        if (RuleKind.IDEMPOTENCE if symbols[0].name == symbols[1].name else RuleKind.ZERO) in kinds:
            yield (1,)
        if RuleKind.COMMUTATIVITY in kinds:
            yield (1, 0)


def _domains(ready: Iterable[LoggedSession]) -> dict[tuple[Symbol, int], set[str]]:
    """Return the values that each argument of each event has had."""
    found: defaultdict[tuple[Symbol, int], set[str]] = defaultdict(set)
    for session in ready:
        for symbol, args in session.deeds:
            for i, arg in enumerate(args):
                found[symbol, i].add(arg)
    return found


def _generalised(shape: _Shape, table: Table, domains: Mapping[tuple[Symbol, int], set[str]]) -> Iterator[Rule]:
    """Yield the rules that a candidate's witnesses are for: in general, and where that is refuted in particular."""
    related = _related(shape, domains)
    whole = _rule(shape, table, related)
    if whole is not None:
        yield whole
    if not any(negative for _, negative in table.values()):
        return
    classes: defaultdict[tuple[int, ...], Table] = defaultdict(dict)
    for args, counts in table.items():
        classes[tuple(args.index(arg) for arg in args)][args] = counts
    for relation, rows in classes.items():
        if len(classes) > 1 and (rule := _rule(shape, rows, related)) is not None:
            yield rule
        if any(negative for _, negative in rows.values()):
            yield from _with_constants(shape, rows, related, sorted(set(relation)))


def _with_constants(
    shape: _Shape, rows: Table, related: frozenset[tuple[int, int]], slots: Sequence[int]
) -> Iterator[Rule]:
    for slot in slots:
        by_value: defaultdict[str, Table] = defaultdict(dict)
        for args, counts in rows.items():
            by_value[args[slot]][args] = counts
        for value, some in by_value.items():
            if len(by_value) > 1 and not any(negative for _, negative in some.values()):
                rule = _rule(shape, some, related, {slot: value})
                if rule is not None:
                    yield rule


def _related(shape: _Shape, domains: Mapping[tuple[Symbol, int], set[str]]) -> frozenset[tuple[int, int]]:
    """Return the pairs of arguments that ever had a value in common: to say that others differ would say nothing."""
    slots = [(symbol, i) for symbol in (*shape.left, *shape.foreign) for i in range(max(symbol.arity, 0))]
    return frozenset(
        (a, b)
        for a, b in combinations(range(len(slots)), 2)
        if not domains.get(slots[a], set()).isdisjoint(domains.get(slots[b], set()))
    )


def _rule(
    shape: _Shape, rows: Table, related: frozenset[tuple[int, int]], constants: Mapping[int, str] | None = None
) -> Rule | None:
    """Return the rule that says of its arguments what all its witnesses share; None when none can be written."""
    positive, negative = (sum(counts[i] for counts in rows.values()) for i in (0, 1))
    known = list(rows)
    terms: list[Term] = []
    distinct: set[frozenset[Term]] = set()
    for b in range(len(known[0])):
        equal = next((a for a in range(b) if all(args[a] == args[b] for args in known)), None)
        if equal is not None:
            terms.append(terms[equal])
            continue
        here = Constant(constants[b]) if constants and b in constants else Variable(variable_name(b))
        distinct |= {
            frozenset((term, here))
            for a, term in enumerate(terms)
            if (a, b) in related
            and all(args[a] != args[b] for args in known)
            and not (isinstance(term, Constant) and isinstance(here, Constant))
        }
        terms.append(here)
    left, used = _patterns(shape.left, terms, 0)
    right = _patterns(shape.foreign, terms, used)[0] if shape.foreign else tuple(left[i] for i in shape.places)
    if left == right or not {*variables(right)} <= {*variables(left)}:
        return None
    told = frozenset(pair for pair in distinct if not _says_nothing(left, right, pair))
    return Rule(left, right, told, RuleEvidence(positive, negative)).renamed()


def _patterns(symbols: Iterable[Symbol], terms: Sequence[Term], used: int) -> tuple[tuple[Pattern, ...], int]:
    patterns = []
    for number, symbol in enumerate(symbols):
        if symbol.arity < 0:
            patterns.append(Pattern(symbol.name, (Variable(f"x{number}", rest=True),)))
        else:
            patterns.append(Pattern(symbol.name, tuple(terms[used : used + symbol.arity])))
            used += symbol.arity
    return tuple(patterns), used


def _says_nothing(left: Sequence[Pattern], right: Sequence[Pattern], pair: frozenset[Term]) -> bool:
    """Return whether both sides are the same when two variables are: then nothing is lost by leaving that in."""
    one, other = pair

    def merged(side: Sequence[Pattern]) -> list[Pattern]:
        return [replace(p, terms=tuple(one if term == other else term for term in p.terms)) for p in side]

    return merged(left) == merged(right)
