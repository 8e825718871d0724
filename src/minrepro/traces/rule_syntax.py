"""Rules as text that people read and edit, one a line; and the `.pat` files of the original.

    # adding and deleting the same item changes nothing
    [add(i); delete(i)] ≡ []                        (12, 0)
    [select(i); select(j)] ≡ [select(j)] where i ≠ j
    ["click #clear"] ≡ ε
    [filter("all"); x(*p)] -> [x(*p)]

`~` and `==` may stand for `≡`, `!=` for `≠`, `ε` for `[]`. `≡` may be written either way round and is applied towards
the shorter side; `->` is applied as it stands, and must shorten. The numbers are the witnesses for and against; all
behind `#` is a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

from minrepro.errors import InputError
from minrepro.traces.rules import PLAIN_NAME, Constant, Pattern, Rule, RuleEvidence, RuleKind, Term, Variable, variables
from minrepro.traces.user_events import canonical

_SPACE = re.compile(r"[\s]*")
_NUMBER = re.compile(r"\d+")
_RELATIONS = ("≡", "==", "~", "->", "→")
_KINDS = frozenset(kind.value for kind in RuleKind)
_LITERALS = frozenset({"true", "false", "null"})


def parse_rules(text: str, name: str) -> tuple[Rule, ...]:
    """Return the rules of a text, or raise with the line and column where it is wrong."""
    lines = (_Line(line, f"{name}:{number}", name.endswith(".pat")) for number, line in enumerate(text.split("\n"), 1))
    return tuple(rule for line in lines if (rule := line.rule()) is not None)


def write_rules(rules: Iterable[Rule], title: str = "") -> str:
    """Return the text of rules, kind by kind, the best witnessed first."""
    lines = [f"# {line}" for line in title.splitlines()]
    listed = sorted(rules, key=lambda rule: (list(RuleKind).index(rule.kind), -rule.evidence.positive, str(rule)))
    for before, rule in pairwise((None, *listed)):
        assert rule is not None
        if before is None or before.kind is not rule.kind:
            lines.extend(["", f"# {rule.kind.name.capitalize()}"])
        evidence = rule.evidence
        why = f"({evidence.positive}, {evidence.negative})" if evidence.positive or evidence.negative else ""
        note = f"# {evidence.source}" if evidence.source else ""
        lines.append(f"{rule!s:<60} {why:<8} {note}".rstrip())
    return "\n".join([*lines, ""])


def write_pat(rules: Iterable[Rule]) -> str:
    """Return rules as the original wrote them, which has one letter for all arguments of an event."""
    lines = []
    for rule in rules:
        letters = dict(zip(dict.fromkeys(rule.left), "pqrstuvw", strict=False))
        left, right = (
            "[" + ";".join(f"{p.name}({letters.get(p, 'p')})" for p in side) + "]" for side in (rule.left, rule.right)
        )
        lines.append(f"{left} ~ {right} ({rule.evidence.positive},{rule.evidence.negative}) {rule.kind.value}")
    return "\n".join([*lines, ""])


@dataclass
class _Line:
    """One line under the eye of the parser."""

    text: str
    where: str
    original: bool
    """Whether it is of a `.pat` file: names may be several strings, and a letter stands for all arguments."""
    at: int = field(default=0)

    def wrong(self, expected: str) -> InputError:
        found = self.text[self.at : self.at + 20].strip() or "the end of the line"
        return InputError(f"{self.where}:{self.at + 1}: expected {expected}, found {found}")

    def skip(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def take(self, *words: str) -> str:
        """Go behind the first of these words that stands here, and return it; the empty text when none does."""
        self.skip()
        for word in words:
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return word
        return ""

    def need(self, *words: str) -> str:
        if not (found := self.take(*words)):
            raise self.wrong(" or ".join(map(repr, words)))
        return found

    def rule(self) -> Rule | None:
        self.skip()
        if self.at == len(self.text) or self.text[self.at] == "#":
            return None
        left = self.side()
        relation = self.need(*_RELATIONS)
        right_at, right = self.at, self.side()
        distinct = self.distinct({*variables(left), *variables(right)})
        positive, negative = self.counts()
        self.take(*(f'"{kind}"' for kind in _KINDS), *_KINDS)
        self.skip()
        if self.at < len(self.text) and self.text[self.at] != "#":
            raise self.wrong("the end of the rule")
        source = self.where if not positive and not negative else ""
        rule = Rule(left, right, distinct, RuleEvidence(positive, negative, source))
        self.at = right_at
        return self.directed(rule, relation in ("->", "→"))

    def directed(self, rule: Rule, as_written: bool) -> Rule:
        """Return the rule with its longer side on the left, or raise when it cannot be applied or never ends."""
        if not as_written and len(rule.right) > len(rule.left):
            rule = replace(rule, left=rule.right, right=rule.left)
        if rule.left == rule.right:
            raise self.wrong("a right side that differs from the left one")
        free = set(variables(rule.right)) - set(variables(rule.left))
        if free:
            raise self.wrong(f"only variables of the other side, not {', '.join(sorted(map(str, free)))}")
        if len(rule.right) > len(rule.left) or (len(rule.right) == len(rule.left) and not rule.swaps):
            raise InputError(
                f"{self.where}:{self.at + 1}: rewriting with this rule would not end: {rule} does not shorten\n"
                "hint: a rule must remove an event, or swap events"
            )
        return rule

    def side(self) -> tuple[Pattern, ...]:
        if self.take("ε"):
            return ()
        self.need("[")
        if self.take("]"):
            return ()
        patterns = [self.pattern()]
        while self.need(";", "]") == ";":
            patterns.append(self.pattern())
        return tuple(patterns)

    def pattern(self) -> Pattern:
        name = self.name("the name of an event")
        while self.original and self.text.startswith('"', self.at):
            name += self.name("the rest of the name")
        terms: list[Term] = []
        if self.take("(") and not self.take(")"):
            terms.append(self.term())
            while self.need(",", ")") == ",":
                terms.append(self.term())
        if len(terms) > 1 and any(isinstance(term, Variable) and term.rest for term in terms):
            raise self.wrong(f"*{terms[-1]} alone, because it stands for all arguments of {name}")
        return Pattern(name, tuple(terms))

    def name(self, what: str) -> str:
        self.skip()
        if self.text.startswith('"', self.at):
            value = self.value()
            if isinstance(value, str) and value:
                return value
        if match := PLAIN_NAME.match(self.text, self.at):
            self.at = match.end()
            return match[0]
        raise self.wrong(what)

    def term(self) -> Term:
        if self.take("*"):
            return Variable(self.name("the name of a variable"), rest=True)
        self.skip()
        match = PLAIN_NAME.match(self.text, self.at)
        if match and match[0] not in _LITERALS:
            self.at = match.end()
            return Variable(match[0], rest=self.original)
        return Constant(canonical(self.value()))

    def value(self) -> object:
        try:
            value, self.at = json.JSONDecoder().raw_decode(self.text, self.at)
        except (json.JSONDecodeError, RecursionError):
            raise self.wrong("a variable or a JSON value") from None
        return value

    def distinct(self, known: set[Variable]) -> frozenset[frozenset[Term]]:
        if not self.take("where"):
            return frozenset()
        pairs = set()
        while True:
            pair: list[Term] = []
            for end in ("≠", ""):
                self.skip()
                begun, term = self.at, self.term()
                if term not in known and (isinstance(term, Variable) or len(pair) == 0):
                    self.at = begun
                    raise self.wrong("a variable of this rule")
                pair.append(term)
                if end:
                    self.need("≠", "!=")
            pairs.add(frozenset(pair))
            if not self.take(","):
                return frozenset(pairs)

    def counts(self) -> tuple[int, int]:
        if not self.take("("):
            return 0, 0
        numbers = []
        for end in (",", ")"):
            self.skip()
            match = _NUMBER.match(self.text, self.at)
            if not match:
                raise self.wrong("a number of witnesses")
            self.at = match.end()
            numbers.append(int(match[0]))
            self.need(end)
        return numbers[0], numbers[1]
