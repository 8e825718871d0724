"""Completes a set of rules with what follows from it, and finds rules that contradict each other.

From Elyasov, Prasetya & Hage (2013): an event absorbed by one that is itself absorbed is absorbed by the last; an event
absorbed by one that changes nothing changes nothing; an event that commutes with the one that absorbs it is absorbed
from behind as well. Only rules that hold for all arguments are combined.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from minrepro.errors import InputError
from minrepro.traces.rewriting import rewrite
from minrepro.traces.rules import Pattern, Rule, RuleEvidence, RuleKind, Symbol, Variable, variables


def complete(rules: Iterable[Rule], refuted: Callable[[Rule], bool] = lambda rule: False) -> tuple[Rule, ...]:
    """Return the rules with all that follow from them, as far as these are not refuted."""
    known = {rule.statement: rule for rule in rules}
    general = [rule for rule in known.values() if _holds_for_all_arguments(rule)]
    skips = {rule.left[0].symbol: rule for rule in general if rule.kind is RuleKind.SKIP}
    zeros: dict[tuple[Symbol, Symbol], Rule] = {}
    for rule in general:
        if rule.kind in (RuleKind.ZERO, RuleKind.IDEMPOTENCE) and rule.kept == (1,):
            zeros[rule.left[0].symbol, rule.left[1].symbol] = rule
    derived = [*_skips_from(skips, zeros), *_zeros_from(zeros)]
    for rule in general:
        if rule.kind is RuleKind.COMMUTATIVITY:
            pair = rule.left[0].symbol, rule.left[1].symbol
            for absorbed, absorber in (pair, pair[::-1]):
                if (zero := zeros.get((absorbed, absorber))) is not None and absorbed != absorber:
                    derived.append(_general((absorber, absorbed), (0,), (zero, rule)))
    for rule in derived:
        if rule.statement not in known and not refuted(rule):
            known[rule.statement] = rule
    return tuple(known.values())


def require_consistent(rules: Iterable[Rule], name: str) -> None:
    """Raise when two rules turn the same events into things that the rules together do not make one."""
    every = tuple(rules)
    by_left: defaultdict[object, list[Rule]] = defaultdict(list)
    for rule in every:
        if not rule.swaps:
            by_left[rule.renamed().left, rule.renamed().distinct].append(rule)
    for same in by_left.values():
        ends = {rewrite(rule.renamed().instance()[1], every).kept: rule for rule in same}
        if len(ends) > 1:
            one, other, *_ = ends.values()
            places = " and ".join(rule.evidence.source for rule in (one, other) if rule.evidence.source) or name
            raise InputError(
                f"{places}: these rules contradict each other: {one} and {other}\n"
                "hint: the same events cannot become two different things; remove one of the rules"
            )


def _holds_for_all_arguments(rule: Rule) -> bool:
    """Whether nothing is asked of the arguments: each term of the left side is a variable of its own."""
    terms = [term for pattern in rule.left for term in pattern.terms]
    return not rule.distinct and len(set(variables(rule.left))) == len(terms)


def _skips_from(skips: dict[Symbol, Rule], zeros: dict[tuple[Symbol, Symbol], Rule]) -> list[Rule]:
    derived = []
    absorbed_by: defaultdict[Symbol, list[tuple[Symbol, Rule]]] = defaultdict(list)
    for (absorbed, absorber), zero in zeros.items():
        absorbed_by[absorber].append((absorbed, zero))
    todo = list(skips.items())
    seen = set(skips)
    while todo:
        nothing, why = todo.pop()
        for absorbed, zero in absorbed_by.get(nothing, ()):
            if absorbed not in seen:
                seen.add(absorbed)
                rule = _general((absorbed,), (), (why, zero))
                derived.append(rule)
                todo.append((absorbed, rule))
    return derived


def _zeros_from(zeros: dict[tuple[Symbol, Symbol], Rule]) -> list[Rule]:
    """Return the transitive closure of absorption, without what is there already."""
    absorbers: defaultdict[Symbol, list[tuple[Symbol, Rule]]] = defaultdict(list)
    for (absorbed, absorber), zero in zeros.items():
        absorbers[absorbed].append((absorber, zero))
    derived = []
    for first in list(absorbers):
        reached = {symbol for symbol, _ in absorbers[first]}
        todo = list(absorbers[first])
        while todo:
            middle, why = todo.pop()
            for last, zero in absorbers.get(middle, ()):
                if last not in reached:
                    reached.add(last)
                    rule = _general((first, last), (1,), (why, zero))
                    derived.append(rule)
                    todo.append((last, rule))
    return derived


def _general(symbols: tuple[Symbol, ...], kept: tuple[int, ...], reasons: tuple[Rule, Rule]) -> Rule:
    """Return the rule about all arguments of these events that follows from two others."""
    left = tuple(
        Pattern(
            symbol.name,
            (Variable(f"v{i}", rest=True),)
            if symbol.arity < 0
            else tuple(Variable(f"v{i}.{j}") for j in range(symbol.arity)),
        )
        for i, symbol in enumerate(symbols)
    )
    positive = min(rule.evidence.positive for rule in reasons)
    source = f"follows from {reasons[0]} and {reasons[1]}"
    return Rule(left, tuple(left[i] for i in kept), evidence=RuleEvidence(positive, 0, source)).renamed()
