"""The one form that every notation of grammars is read into: rules made of expressions, and tokens with patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Ranges = tuple[tuple[int, int], ...]
"""A set of characters as ranges of their numbers, in order and apart from each other."""

LAST = 0x10FFFF


@dataclass(frozen=True)
class Ref:
    """A rule or a token, by its name."""

    name: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Text:
    """Fixed text."""

    text: str
    ignore_case: bool = False


@dataclass(frozen=True)
class Chars:
    """One character of a set."""

    ranges: Ranges


@dataclass(frozen=True)
class Seq:
    """One part after the other."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class Alt:
    """One of several options, the first of them preferred."""

    options: tuple[Expr, ...]


@dataclass(frozen=True)
class Repeat:
    """A part, repeated."""

    part: Expr
    least: int
    most: int | None = None
    greedy: bool = True


@dataclass(frozen=True)
class Except:
    """What one expression matches and another does not."""

    part: Expr
    without: Expr
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Ranked:
    """An alternative of a rule with operators: which of two wins where both could go on."""

    part: Expr
    level: int
    """The higher binds the tighter."""
    right: bool = False
    """Whether operators of one level group from the right."""
    token: str | None = None
    """The token that gives the alternative its level; None: the level is its own."""


Expr = Ref | Text | Chars | Seq | Alt | Repeat | Except | Ranked
NOTHING = Seq(())


@dataclass(frozen=True)
class TokenRule:
    """A kind of token: what it looks like, and what the lexer does with it."""

    name: str
    patterns: tuple[str, ...]
    """Python's regular expressions; the longest match counts."""
    minimal: str | None = None
    """Its shortest text where the grammar says so."""
    fixed: str | None = None
    """Its text where it has only one."""
    skip: bool = False
    more: bool = False
    """Whether what it matches is only the begin of the token that follows."""
    mode: str = ""
    """The mode of the lexer in which it is looked for."""
    steps: tuple[str, ...] = ()
    """What it does to the stack of modes: `pop`, `push NAME`, `to NAME`."""
    line: int = 0


@dataclass(frozen=True)
class Precedence:
    """How tightly a token binds, and how operators of its level group: `left`, `right` or `nonassoc`."""

    level: int
    group: str


@dataclass
class GrammarForm:
    """A grammar: the rules by name, the first of them to start with, and the tokens in the order of the lexer."""

    source: str
    rules: dict[str, Expr]
    tokens: list[TokenRule] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    """Where each rule stands."""
    start: str | None = None
    by_characters: bool = False
    """Whether rules go down to single characters, without a lexer."""
    precedence: Mapping[str, Precedence] = field(default_factory=dict)
    as_yacc: bool = False
    """Whether conflicts are decided for good as YACC decides them, even where that turns texts down."""


def parts_of(expr: Expr) -> Sequence[Expr]:
    """Return the expressions directly in an expression."""
    if isinstance(expr, Seq):
        return expr.parts
    if isinstance(expr, Alt):
        return expr.options
    if isinstance(expr, Repeat | Ranked):
        return (expr.part,)
    return (expr.part, expr.without) if isinstance(expr, Except) else ()


def within(expr: Expr) -> Iterator[Expr]:
    """Yield an expression and all in it."""
    waiting = [expr]
    while waiting:
        here = waiting.pop()
        yield here
        waiting += reversed(parts_of(here))


def references(expr: Expr) -> Iterator[Ref]:
    """Yield the rules and tokens that an expression names."""
    return (part for part in within(expr) if isinstance(part, Ref))


def united(ranges: Sequence[tuple[int, int]]) -> Ranges:
    """Return ranges in order, those that touch as one."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return tuple(found)


def all_but(ranges: Ranges) -> Ranges:
    """Return the characters that are in none of some ranges."""
    found, at = [], 0
    for low, high in united(ranges):
        if at < low:
            found.append((at, low - 1))
        at = high + 1
    return (*found, (at, LAST)) if at <= LAST else tuple(found)


def common(one: Ranges, other: Ranges) -> Ranges:
    """Return the characters that are in both."""
    both = ((max(a, c), min(b, d)) for a, b in one for c, d in other)
    return united([(low, high) for low, high in both if low <= high])


def characters_of(expr: Expr) -> Ranges | None:
    """Return the characters that an expression matches if it is always exactly one, or None."""
    if isinstance(expr, Chars):
        return expr.ranges
    if isinstance(expr, Text) and len(expr.text) == 1:
        texts = {expr.text.lower(), expr.text.upper()} if expr.ignore_case else {expr.text}
        return united([(ord(text), ord(text)) for text in texts if len(text) == 1])
    if isinstance(expr, Alt):
        found = [characters_of(option) for option in expr.options]
        return united([each for ranges in found for each in ranges or ()]) if all(found) else None
    if isinstance(expr, Seq) and len(expr.parts) == 1:
        return characters_of(expr.parts[0])
    if isinstance(expr, Except):
        part, without = characters_of(expr.part), characters_of(expr.without)
        return None if part is None or without is None else common(part, all_but(without))
    return None


def seq(parts: Sequence[Expr]) -> Expr:
    """Return parts one after the other."""
    return parts[0] if len(parts) == 1 else Seq(tuple(parts))


def alt(options: Sequence[Expr]) -> Expr:
    """Return one of some options."""
    return options[0] if len(options) == 1 else Alt(tuple(options))
