"""Rewrite rules between sequences of events: `[add(i); delete(i)] ≡ []`.

Elyasov, Prasetya & Hage, *Reduce first, debug later* (2014), section 2.2: two sequences are equivalent when they lead
from equal states to equal states wherever both can be run. Beyond the original, arguments are unified: a variable that
occurs twice stands for equal arguments, `where i ≠ j` for different ones, and a JSON value for itself. `*p` stands for
all arguments of an event, however many.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from minrepro.traces.user_events import Event, Json, canonical


class RuleKind(Enum):
    """The shapes that rules have; the value is the name in the original's files."""

    SKIP = "Skip"
    INVERSE = "Inv"
    ZERO = "Zero"
    IDEMPOTENCE = "Idemp"
    COMMUTATIVITY = "Com"
    GENERAL = "General"


PLAIN_NAME = re.compile(r"[^\W\d][\w.-]*")
"""Names of events and variables that need no quotes in a rule."""


@dataclass(frozen=True, slots=True)
class Variable:
    """Stands for one argument, or with `rest` for all arguments of an event."""

    name: str
    rest: bool = False

    def __str__(self) -> str:
        return f"*{self.name}" if self.rest else self.name


@dataclass(frozen=True, slots=True)
class Constant:
    """Stands for one argument that is this very JSON value, given as its canonical text."""

    text: str

    def __str__(self) -> str:
        return self.text


Term = Variable | Constant


class Symbol(NamedTuple):
    """What events must share to be matched by one pattern: the name and how many arguments; -1 for any number."""

    name: str
    arity: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """One event of a rule: its name, and a term for each argument."""

    name: str
    terms: tuple[Term, ...] = ()

    def __str__(self) -> str:
        name = self.name if PLAIN_NAME.fullmatch(self.name) else json.dumps(self.name, ensure_ascii=False)
        return f"{name}({', '.join(map(str, self.terms))})" if self.terms else name

    @property
    def symbol(self) -> Symbol:
        """What an event must have for this pattern to be tried on it."""
        rest = any(isinstance(term, Variable) and term.rest for term in self.terms)
        return Symbol(self.name, -1 if rest else len(self.terms))


def symbols_of(event: Event) -> tuple[Symbol, Symbol]:
    """Return the two symbols under which rules about an event are found."""
    return Symbol(event.name, len(event.args)), Symbol(event.name, -1)


Bindings = dict[Variable, str]
"""What each variable stands for: the canonical text of one argument, or of a list of them."""


@dataclass(frozen=True, slots=True)
class RuleEvidence:
    """Why a rule is believed: witnesses for and against it in the logs, or the rules that it follows from."""

    positive: int = 0
    negative: int = 0
    source: str = ""
    """Where a rule stands that was read, or what one was derived from; empty for one that was mined."""

    @property
    def confidence(self) -> float:
        """1 - 2^-positives as long as nothing speaks against it; 0 otherwise."""
        return 0.0 if self.negative else 1 - 0.5**self.positive


@dataclass(frozen=True, slots=True)
class Rule:
    """Two sequences of events that lead to the same state; the left one is never the shorter."""

    left: tuple[Pattern, ...]
    right: tuple[Pattern, ...]
    distinct: frozenset[frozenset[Term]] = frozenset()
    """Pairs of variables, or of a variable and a value, that must be different arguments."""
    evidence: RuleEvidence = RuleEvidence()

    def __str__(self) -> str:
        left, right = ("[" + "; ".join(map(str, side)) + "]" for side in (self.left, self.right))
        pairs = sorted(" ≠ ".join(map(str, sorted(pair, key=_variables_first))) for pair in self.distinct)
        return f"{left} ≡ {right}" + (f" where {', '.join(pairs)}" if pairs else "")

    @property
    def kind(self) -> RuleKind:
        """The shape that the rule has."""
        match len(self.left), self.kept:
            case 1, ():
                return RuleKind.SKIP
            case 2, ():
                return RuleKind.INVERSE
            case 2, (_,) if self.left[0].name == self.left[1].name:
                return RuleKind.IDEMPOTENCE
            case 2, (_,):
                return RuleKind.ZERO
        return RuleKind.COMMUTATIVITY if len(self.left) == 2 and self.swaps else RuleKind.GENERAL

    @property
    def kept(self) -> tuple[int, ...] | None:
        """Which events of the left side the right side keeps, in order; None when it is no shorter subsequence.

        Of several ways the one that keeps the latest is taken: the failure is at the end.
        """
        if len(self.right) >= len(self.left):
            return None
        found, i = [], len(self.left) - 1
        for pattern in reversed(self.right):
            while i >= 0 and self.left[i] != pattern:
                i -= 1
            if i < 0:
                return None
            found.append(i)
            i -= 1
        return tuple(reversed(found))

    @property
    def swaps(self) -> bool:
        """Whether the right side has the events of the left side in another order."""
        return len(self.left) == len(self.right) > 1 and sorted(map(repr, self.left)) == sorted(map(repr, self.right))

    def match(self, events: Sequence[Event]) -> Bindings | None:
        """Return what the variables stand for when the left side is these events; None when it is not."""
        if len(events) != len(self.left):
            return None
        bound: Bindings = {}
        for pattern, event in zip(self.left, events, strict=True):
            if pattern.name != event.name or not _bind(pattern.terms, event.args, bound):
                return None
        for pair in self.distinct:
            if len({bound.get(term) if isinstance(term, Variable) else term.text for term in pair}) < 2:
                return None
        return bound

    def instance(self) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
        """Return both sides as events, with a value of its own for every variable."""
        return tuple(map(_instance, self.left)), tuple(map(_instance, self.right))

    def renamed(self) -> Rule:
        """Return the rule with its variables named in the order in which they occur: equal rules become equal."""
        names: dict[Variable, Variable] = {}
        for variable in variables((*self.left, *self.right)):
            names.setdefault(variable, Variable(variable_name(len(names)), variable.rest))
        distinct = frozenset(
            frozenset(names.get(term, term) if isinstance(term, Variable) else term for term in pair)
            for pair in self.distinct
        )
        return Rule(_renamed(self.left, names), _renamed(self.right, names), distinct, self.evidence)

    @property
    def statement(self) -> tuple[object, ...]:
        """What the rule says, without why: equal for rules that say the same."""
        same = self.renamed()
        return same.left, same.right, same.distinct


def variable_name(number: int) -> str:
    """Return i, j, k, ..., then x1, x2, ...: the names that people give."""
    return "ijklmnpq"[number] if number < 8 else f"x{number - 7}"


def variables(patterns: Iterable[Pattern]) -> Iterator[Variable]:
    """Yield the variables of patterns in the order in which they occur, as often as they do."""
    return (term for pattern in patterns for term in pattern.terms if isinstance(term, Variable))


def _variables_first(term: Term) -> tuple[bool, str]:
    return isinstance(term, Constant), str(term)


def _bind(terms: tuple[Term, ...], args: tuple[Json, ...], bound: Bindings) -> bool:
    if len(terms) == 1 and isinstance(terms[0], Variable) and terms[0].rest:
        text = canonical(list(args))
        return bound.setdefault(terms[0], text) == text
    if len(terms) != len(args):
        return False
    for term, arg in zip(terms, args, strict=True):
        text = canonical(arg)
        if (bound.setdefault(term, text) if isinstance(term, Variable) else term.text) != text:
            return False
    return True


def _instance(pattern: Pattern) -> Event:
    # No logged argument is such an object, so that no constant of a rule can match it by accident.
    args = ({"any": str(term)} if isinstance(term, Variable) else json.loads(term.text) for term in pattern.terms)
    return Event(pattern.name, tuple(args))


def _renamed(patterns: Iterable[Pattern], names: Mapping[Variable, Variable]) -> tuple[Pattern, ...]:
    return tuple(Pattern(p.name, tuple(names[t] if isinstance(t, Variable) else t for t in p.terms)) for p in patterns)
