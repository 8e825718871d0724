"""A grammar's rules as plain productions, which parsers and the search for shortest strings work on.

Options and repetitions are multiplied out as far as that stays small, because a parser that looks one token ahead can
then put off more of its decisions; the rest becomes helper rules, whose nodes never show in a tree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product

from minrepro.documents.grammars.grammar_form import (
    Alt,
    Chars,
    Except,
    Expr,
    GrammarForm,
    Ranges,
    Ranked,
    Ref,
    Repeat,
    Seq,
    Text,
    TokenRule,
    characters_of,
    common,
    references,
    united,
    within,
)
from minrepro.errors import GrammarError

_MOST_OPTIONS = 32
"""From this many sequences on, an expression is not multiplied out."""

Symbols = tuple[str, ...]


@dataclass(frozen=True)
class Production:
    """A rule that becomes a sequence of symbols; ranked where it is an operator's."""

    left: str
    right: Symbols
    rank: Ranked | None = None


@dataclass
class Bnf:
    """Productions, with what a tree needs to know about their symbols."""

    start: str
    productions: list[Production]
    tokens: list[TokenRule]
    """The tokens of the lexer, or one for each class of characters."""
    hidden: set[str] = field(default_factory=set)
    """Helper rules: their parts stand in the tree where they would."""
    leaves: set[str] = field(default_factory=set)
    """Rules that are words: they have no parts in the tree."""
    classes: list[tuple[Ranges, str]] = field(default_factory=list)
    """The characters of each class with its name, for a grammar without a lexer."""

    def bodies(self) -> dict[str, list[Symbols]]:
        """Return the sequences of symbols that each rule may become."""
        found: dict[str, list[Symbols]] = {}
        for each in self.productions:
            found.setdefault(each.left, []).append(each.right)
        return found

    def list_steps(self) -> set[tuple[int, int]]:
        """Return the places in productions that only continue a list: `args: args ',' arg`, or the same reversed."""
        recursive: dict[str, list[int]] = {}
        for number, each in enumerate(self.productions):
            if each.left in each.right:
                recursive.setdefault(each.left, []).append(number)
        found: set[tuple[int, int]] = set()
        for left, numbers in recursive.items():
            right = self.productions[numbers[0]].right
            if len(numbers) == 1 and 2 <= len(right) <= 3 and right.count(left) == 1 and right[1:-1] != (left,):
                found.add((numbers[0], right.index(left)))
        return found


def productions_of(form: GrammarForm) -> Bnf:
    """Return the productions of a grammar, or say what is wrong with it."""
    start = form.start or next(iter(form.rules), None)
    if start is None:
        raise GrammarError(f"{form.source}: there are no rules in it")
    if start not in form.rules:
        raise GrammarError(f"{form.source}: no rule {start!r} to start with\nhint: --start RULE")
    _require_defined(form)
    return _Builder(form).built(start)


def _require_defined(form: GrammarForm) -> None:
    known = form.rules.keys() | {token.name for token in form.tokens}
    for name, expr in form.rules.items():
        missing = sorted({ref.name for ref in references(expr)} - known)
        if missing:
            line = next(ref.line for ref in references(expr) if ref.name == missing[0]) or form.lines.get(name, 0)
            where = f":{line}" if line else ""
            raise GrammarError(f"{form.source}{where}: {missing[0]} is not defined (rule {name})")


class _Builder:
    def __init__(self, form: GrammarForm) -> None:
        self._form = form
        self._bnf = Bnf("", [], list(form.tokens))
        self._fixed: dict[str, str] = {}
        for token in form.tokens:
            if token.fixed is not None and not token.skip and not token.more:
                self._fixed.setdefault(token.fixed, token.name)
        self._literals: list[TokenRule] = []
        self._helpers: dict[Expr, str] = {}
        self._single = _single_characters(form) if form.by_characters else {}
        self._class_names: dict[Ranges, str] = {}
        self._made: set[str] = set()

    def built(self, start: str) -> Bnf:
        form, bnf = self._form, self._bnf
        bnf.start = start
        if form.by_characters:
            self._find_classes()
            bnf.leaves |= {name for name in form.rules if _is_word(form, name, self._single)}
        for name, expr in form.rules.items():
            self._add(name, expr)
        bnf.tokens[:0] = self._literals
        return bnf

    def _add(self, name: str, expr: Expr) -> None:
        for option in expr.options if isinstance(expr, Alt) else (expr,):
            rank = option if isinstance(option, Ranked) else None
            body = option.part if isinstance(option, Ranked) else option
            self._bnf.productions += dict.fromkeys(Production(name, right, rank) for right in self._options(body))

    def _options(self, expr: Expr) -> list[Symbols]:
        """Return the sequences of symbols that an expression may be."""
        if isinstance(expr, Ref):
            return [(expr.name,)]
        if isinstance(expr, Text | Chars):
            return [self._terminal(expr)]
        if isinstance(expr, Except):
            ranges = characters_of(_resolved(expr, self._single))
            if ranges is None:
                raise GrammarError(
                    f"{self._form.source}:{expr.line}: an exception (-) between more than single characters"
                    " cannot be read"
                )
            return [self._characters(ranges)]
        if isinstance(expr, Ranked):
            return self._options(expr.part)
        if isinstance(expr, Alt):
            return list(dict.fromkeys(right for option in expr.options for right in self._options(option)))
        if isinstance(expr, Seq):
            return self._sequences([self._options(part) for part in expr.parts], expr.parts)
        return self._repeated(expr)

    def _sequences(self, options: list[list[Symbols]], parts: Sequence[Expr]) -> list[Symbols]:
        total = 1
        for place, each in enumerate(options):
            if total * len(each) > _MOST_OPTIONS:
                options[place] = each = [(self._helper(parts[place], each),)]
            total *= len(each)
        return list(dict.fromkeys(tuple(symbol for part in parts for symbol in part) for parts in product(*options)))

    def _repeated(self, expr: Repeat) -> list[Symbols]:
        part = self._options(expr.part)
        if len(part) > _MOST_OPTIONS // 2:
            part = [(self._helper(expr.part, part),)]
        if expr.most == 1:
            return part if expr.least else list(dict.fromkeys([(), *part] if not expr.greedy else [*part, ()]))
        if expr.most is None:
            solid = [right for right in part if right]
            many = self._many(expr.part, solid)
            least: Expr = Seq((expr.part,) * max(0, expr.least - 1))
            rest: list[Symbols] = [(many,), ()] if expr.least == 0 or len(solid) < len(part) else [(many,)]
            return self._sequences([*([part] * (expr.least - 1)), rest], (*parts_of_seq(least), expr))
        optional: Expr = Seq(())
        for _ in range(expr.most - expr.least):
            optional = Repeat(Seq((expr.part, optional)), 0, 1)
        required = (expr.part,) * expr.least
        rest = self._options(optional)
        if len(rest) > 4:
            rest = [(self._helper(optional, rest),)]
        return self._sequences([*([part] * expr.least), rest], (*required, optional))

    def _many(self, expr: Expr, options: list[Symbols]) -> str:
        """Return the helper rule for one or more of something."""
        key = Repeat(expr, 1)
        if key not in self._helpers:
            name = self._helpers[key] = f"_{len(self._helpers)}"
            self._bnf.hidden.add(name)
            self._bnf.productions += [Production(name, right) for right in options]
            self._bnf.productions += [Production(name, (name, *right)) for right in options]
        return self._helpers[key]

    def _helper(self, expr: Expr, options: list[Symbols]) -> str:
        if expr not in self._helpers:
            name = self._helpers[expr] = f"_{len(self._helpers)}"
            self._bnf.hidden.add(name)
            self._bnf.productions += [Production(name, right) for right in options]
        return self._helpers[expr]

    def _terminal(self, expr: Text | Chars) -> Symbols:
        if self._form.by_characters:
            ranges = characters_of(expr)
            return self._characters(ranges) if ranges is not None else self._spelled(expr)
        assert isinstance(expr, Text), "only a grammar without a lexer goes down to characters"
        if not expr.text:
            return ()
        if expr.text not in self._fixed:
            name = self._fixed[expr.text] = f"'{expr.text}'"
            self._literals.append(TokenRule(name, (re.escape(expr.text),), fixed=expr.text))
        return (self._fixed[expr.text],)

    def _spelled(self, expr: Expr) -> Symbols:
        """Return the leaf for a text of several characters."""
        assert isinstance(expr, Text)
        if not expr.text:
            return ()
        name = f'"{expr.text}"'
        if name not in self._made:
            self._made.add(name)
            self._bnf.leaves.add(name)
            letters = [characters_of(Text(letter, expr.ignore_case)) or () for letter in expr.text]
            self._bnf.productions.append(Production(name, tuple(s for each in letters for s in self._characters(each))))
        return (name,)

    def _characters(self, ranges: Ranges) -> Symbols:
        if ranges not in self._class_names:
            classes = [name for members, name in self._bnf.classes if common(members, ranges)]
            if len(classes) == 1:
                self._class_names[ranges] = classes[0]
            else:
                helper = self._class_names[ranges] = f"_{len(self._helpers)}"
                self._helpers[Chars(ranges)] = helper
                self._bnf.hidden.add(helper)
                self._bnf.productions += [Production(helper, (name,)) for name in classes]
        return (self._class_names[ranges],)

    def _find_classes(self) -> None:
        """Divide the characters into classes that no set of the grammar cuts through."""
        sets: dict[Ranges, None] = {}
        for expr in self._form.rules.values():
            for part in within(expr):
                if isinstance(part, Text):
                    found = [characters_of(Text(letter, part.ignore_case)) for letter in part.text]
                elif isinstance(part, Except):
                    found = [characters_of(_resolved(part, self._single))]
                else:
                    found = [part.ranges] if isinstance(part, Chars) else []
                sets |= dict.fromkeys(ranges for ranges in found if ranges)
        edges = sorted({edge for ranges in sets for low, high in ranges for edge in (low, high + 1)})
        members: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for low, behind in pairwise(edges):
            inside = tuple(n for n, ranges in enumerate(sets) if common(ranges, ((low, low),)))
            if inside:
                members.setdefault(inside, []).append((low, behind - 1))
        for ranges in map(united, members.values()):
            name = _class_name(ranges)
            self._bnf.classes.append((ranges, name))
            pattern = "".join(f"{re.escape(chr(low))}-{re.escape(chr(high))}" for low, high in ranges)
            fixed = chr(ranges[0][0]) if ranges[0][0] == ranges[-1][1] else None
            self._bnf.tokens.append(TokenRule(name, (f"[{pattern}]",), fixed=fixed))


def parts_of_seq(expr: Expr) -> tuple[Expr, ...]:
    """Return the parts of a sequence."""
    return expr.parts if isinstance(expr, Seq) else (expr,)


def _class_name(ranges: Ranges) -> str:
    first = ranges[0][0]
    return f"'{chr(first)}'" if ranges == ((first, first),) else f"character from {chr(first)!r}"


def _single_characters(form: GrammarForm) -> dict[str, Ranges]:
    """Return the rules that are always one character, with the characters that they may be."""
    found: dict[str, Ranges] = {}
    while True:
        fresh = {
            name: ranges
            for name, expr in form.rules.items()
            if name not in found and (ranges := characters_of(_resolved(expr, found)))
        }
        if not fresh:
            return found
        found |= fresh


def _resolved(expr: Expr, single: dict[str, Ranges]) -> Expr:
    """Return an expression with the rules that are single characters put in."""
    if isinstance(expr, Ref) and expr.name in single:
        return Chars(single[expr.name])
    if isinstance(expr, Alt):
        return Alt(tuple(_resolved(option, single) for option in expr.options))
    if isinstance(expr, Seq):
        return Seq(tuple(_resolved(part, single) for part in expr.parts))
    if isinstance(expr, Except):
        return Except(_resolved(expr.part, single), _resolved(expr.without, single), expr.line)
    return expr


def _is_word(form: GrammarForm, name: str, single: dict[str, Ranges]) -> bool:
    """Tell whether a rule is made of single characters alone, as names and numbers are."""
    return name not in single and all(
        not isinstance(part, Ref | Text | Except) or characters_of(_resolved(part, single)) is not None
        for part in within(form.rules[name])
    )
