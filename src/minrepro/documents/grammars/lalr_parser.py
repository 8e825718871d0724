"""An LALR(1) parser for productions: tables once, then a few steps for each token.

DeRemer & Pennello, *Efficient computation of LALR(1) look-ahead sets* (1982). Where a table could both shift and
reduce, the ranks of operators decide, else it shifts; between two reductions the first production wins. Whatever such a
parser accepts is right; what it turns down may still be right where there were such decisions to make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from minrepro.documents.grammars.grammar_form import Precedence
from minrepro.documents.grammars.productions import Bnf, Production

END = "the end"
Item = tuple[int, int]
"""A production, and how much of it was seen."""


@dataclass
class Node:
    """A rule with its parts, or a token where there are no parts."""

    symbol: str
    start: int
    end: int
    parts: list[Node] | None = None
    production: int = -1


@dataclass(frozen=True)
class Token:
    """A token and where it is."""

    symbol: str
    start: int
    end: int


class ParseError(Exception):
    """No token can follow at a place, or none but these."""

    def __init__(self, position: int, expected: Sequence[str]) -> None:
        super().__init__(position)
        self.position, self.expected = position, expected


@dataclass(frozen=True)
class Conflict:
    """A place where a table had to choose."""

    token: str
    chosen: str
    productions: tuple[Production, ...]


class LalrParser:
    """Parses sequences of tokens by tables."""

    def __init__(self, bnf: Bnf, precedence: Mapping[str, Precedence]) -> None:
        self._rules = [Production("", (bnf.start,)), *bnf.productions]
        self._precedence = precedence
        self.conflicts: list[Conflict] = []
        self._by_left: dict[str, list[int]] = {}
        for number, rule in enumerate(self._rules):
            self._by_left.setdefault(rule.left, []).append(number)
        self._states: list[dict[str, int]] = []
        self._kernels: list[frozenset[Item]] = []
        self._find_states()
        self._actions, self._gotos = self._tables(self._lookaheads())

    def parse(self, tokens: Sequence[Token], end: int) -> Node:
        """Return the tree of a sequence of tokens whose text ends there."""
        states, values = [0], list[Node]()
        at = 0
        while True:
            symbol = tokens[at].symbol if at < len(tokens) else END
            action = self._actions[states[-1]].get(symbol)
            if action is None:
                place = tokens[at].start if at < len(tokens) else end
                raise ParseError(place, sorted(self._actions[states[-1]]))
            if action >= 0:
                states.append(action)
                values.append(Node(symbol, tokens[at].start, tokens[at].end))
                at += 1
                continue
            number = ~action
            if number == 0:
                return values[0]
            rule = self._rules[number]
            count = len(rule.right)
            parts = values[len(values) - count :]
            del values[len(values) - count :], states[len(states) - count :]
            place = tokens[at].start if at < len(tokens) else end
            values.append(
                Node(
                    rule.left, parts[0].start if parts else place, parts[-1].end if parts else place, parts, number - 1
                )
            )
            states.append(self._gotos[states[-1]][rule.left])

    def _find_states(self) -> None:
        numbers: dict[frozenset[Item], int] = {}

        def number_of(kernel: frozenset[Item]) -> int:
            if kernel not in numbers:
                numbers[kernel] = len(self._kernels)
                self._kernels.append(kernel)
            return numbers[kernel]

        number_of(frozenset({(0, 0)}))
        at = 0
        while at < len(self._kernels):
            following: dict[str, set[Item]] = {}
            for rule, dot in self._closure(self._kernels[at]):
                right = self._rules[rule].right
                if dot < len(right):
                    following.setdefault(right[dot], set()).add((rule, dot + 1))
            self._states.append({symbol: number_of(frozenset(items)) for symbol, items in following.items()})
            at += 1

    def _closure(self, kernel: frozenset[Item]) -> list[Item]:
        items = sorted(kernel)
        seen: set[str] = set()
        for rule, dot in items:
            right = self._rules[rule].right
            if dot < len(right) and right[dot] in self._by_left and right[dot] not in seen:
                seen.add(right[dot])
                items += [(number, 0) for number in self._by_left[right[dot]]]
        return list(dict.fromkeys(items))

    def _nullable(self) -> set[str]:
        found: set[str] = set()
        while True:
            fresh = {rule.left for rule in self._rules if found.issuperset(rule.right)} - found
            if not fresh:
                return found
            found |= fresh

    def _lookaheads(self) -> dict[tuple[int, int], int]:
        """Return for each state and production that ends there the tokens that may follow, as bits."""
        self._bits = {END: 1}
        nullable = self._nullable()
        moves = [(state, symbol) for state, to in enumerate(self._states) for symbol in to if symbol in self._by_left]
        follow: dict[tuple[int, str], int] = {}
        flows: dict[tuple[int, str], list[tuple[int, str]]] = {move: [] for move in moves}
        for state, symbol in moves:
            to = self._states[state][symbol]
            known = 1 if (state, symbol) == (0, self._rules[0].right[0]) else 0
            for token in self._states[to]:
                if token not in self._by_left:
                    known |= self._bits.setdefault(token, 1 << len(self._bits))
                elif token in nullable:
                    flows[to, token].append((state, symbol))
            follow[state, symbol] = known
        _spread(follow, flows)
        backs: list[tuple[int, int, tuple[int, str]]] = []
        flows = {move: [] for move in moves}
        for state, symbol in moves:
            for number in self._by_left[symbol]:
                here, right = state, self._rules[number].right
                for place, part in enumerate(right):
                    if part in self._by_left and nullable.issuperset(right[place + 1 :]):
                        flows[state, symbol].append((here, part))
                    here = self._states[here][part]
                backs.append((here, number, (state, symbol)))
        _spread(follow, flows)
        ahead: dict[tuple[int, int], int] = {}
        for state, number, move in backs:
            ahead[state, number] = ahead.get((state, number), 0) | follow[move]
        final = self._states[0][self._rules[0].right[0]]
        ahead[final, 0] = 1
        return ahead

    def _tables(self, ahead: dict[tuple[int, int], int]) -> tuple[list[dict[str, int]], list[dict[str, int]]]:
        actions = [{s: to for s, to in state.items() if s not in self._by_left} for state in self._states]
        gotos = [{s: to for s, to in state.items() if s in self._by_left} for state in self._states]
        for (state, number), bits in sorted(ahead.items()):
            for token, bit in self._bits.items():
                if not bits & bit:
                    continue
                known = actions[state].get(token)
                if known is None:
                    actions[state][token] = ~number
                elif known < 0:
                    self._note(token, "the first", ~known, number)
                else:
                    self._shift_or_reduce(actions[state], state, token, number)
        return actions, [*gotos]

    def _shift_or_reduce(self, actions: dict[str, int], state: int, token: str, number: int) -> None:
        reduced = self._rules[number]
        following = self._kernels[self._states[state][token]]
        shifted = [self._rules[rule] for rule, _ in sorted(following)]
        choice = self._ranked(reduced, token, shifted)
        if choice is None:
            self._note(token, "shift", number, *(rule for rule, _ in sorted(following)))
        elif choice == "reduce":
            actions[token] = ~number
        elif choice == "neither":
            del actions[token]

    def _ranked(self, reduced: Production, token: str, shifted: Sequence[Production]) -> str | None:
        """Return what the ranks of operators say about going on with a token or ending a production before it."""
        if reduced.rank is None:
            return None
        if reduced.rank.token is None:  # the order of the alternatives ranks them, within one rule
            levels = {each.rank.level for each in shifted if each.rank is not None and each.left == reduced.left}
            if len(levels) != 1 or any(each.left != reduced.left for each in shifted):
                return None
            (level,), group = levels, "right" if reduced.rank.right else "left"
        elif token in self._precedence:
            level, group = self._precedence[token].level, self._precedence[token].group
        else:
            return None
        if level != reduced.rank.level:
            return "shift" if level > reduced.rank.level else "reduce"
        return {"left": "reduce", "right": "shift", "nonassoc": "neither"}[group]

    def _note(self, token: str, chosen: str, *numbers: int) -> None:
        self.conflicts.append(Conflict(token, chosen, tuple(self._rules[number] for number in dict.fromkeys(numbers))))


def _spread(known: dict[tuple[int, str], int], flows: Mapping[tuple[int, str], Sequence[tuple[int, str]]]) -> None:
    """Add to each what flows into it, until nothing changes."""
    waiting = list(known)
    while waiting:
        here = waiting.pop()
        for there in flows[here]:
            if known[here] | known[there] != known[there]:
                known[there] |= known[here]
                waiting.append(there)
