"""A parser for every context-free grammar, also an ambiguous one.

Earley, *An efficient context-free parsing algorithm* (1970), with the empty rules of Aycock & Horspool (2002). Of
several trees the first that is found is taken; where there were others can be told.
"""

from __future__ import annotations

from collections.abc import Sequence

from minrepro.documents.grammars.lalr_parser import END, Node, ParseError, Token
from minrepro.documents.grammars.productions import Bnf, Production

State = tuple[int, int, int]
"""A production, how much of it was seen, and where it began."""
Step = tuple[State, int, State | None]
"""How a state came about: from which one, that ended where, and by which whole production; None: by a token."""


class EarleyParser:
    """Parses sequences of tokens by keeping all that they may still become."""

    def __init__(self, bnf: Bnf) -> None:
        self._rules = [Production("", (bnf.start,)), *bnf.productions]
        self._by_left: dict[str, list[int]] = {}
        for number, rule in enumerate(self._rules):
            self._by_left.setdefault(rule.left, []).append(number)
        self._empty: dict[str, int] = {}
        changed = True
        while changed:
            changed = False
            for number, rule in enumerate(self._rules):
                if rule.left not in self._empty and all(part in self._empty for part in rule.right):
                    self._empty[rule.left] = number
                    changed = True
        self.ambiguous: dict[tuple[str, int, int], None] = {}
        """The rules that had more than one tree in the last text, and from which token to which."""

    def parse(self, tokens: Sequence[Token], end: int) -> Node:
        """Return a tree of a sequence of tokens whose text ends there."""
        self.ambiguous = {}
        sets: list[dict[State, Step | None]] = [{(0, 0, 0): None}]
        waiting_for: list[dict[str, list[State]]] = []
        for at in range(len(tokens) + 1):
            here = sets[at]
            waiting_for.append({})
            self._complete(at, sets, waiting_for)
            if at < len(tokens):
                symbol = tokens[at].symbol
                found = {
                    (rule, dot + 1, begun): ((rule, dot, begun), at, None)
                    for rule, dot, begun in waiting_for[at].get(symbol, ())
                }
                sets.append(dict(found))
                if not found:
                    break
            elif (0, 1, 0) in here:
                return self._tree(sets, tokens, end)
        expected = {symbol for symbol in waiting_for[-1] if symbol not in self._by_left}
        if (0, 1, 0) in sets[len(waiting_for) - 1]:
            expected.add(END)
        at = len(waiting_for) - 1
        raise ParseError(tokens[at].start if at < len(tokens) else end, sorted(expected))

    def _complete(
        self, at: int, sets: list[dict[State, Step | None]], waiting_for: list[dict[str, list[State]]]
    ) -> None:
        """Add all that follows from the states of a set without reading a token."""
        here, wants = sets[at], waiting_for[at]
        done: dict[tuple[str, int], State] = {}
        agenda = list(here)
        predicted: set[str] = set()

        def add(state: State, step: Step | None) -> None:
            if state not in here:
                here[state] = step
                agenda.append(state)
            elif step is not None and here[state] is not None and here[state] != step and step[2] is not None:
                self._note(state, at)

        for state in agenda:
            rule, dot, begun = state
            right = self._rules[rule].right
            if dot == len(right):
                left = self._rules[rule].left
                if (left, begun) in done:
                    self._note(state, at)
                    continue
                done[left, begun] = state
                for other in waiting_for[begun].get(left, ()):
                    add((other[0], other[1] + 1, other[2]), (other, begun, state))
                continue
            symbol = right[dot]
            wants.setdefault(symbol, []).append(state)
            if symbol not in self._by_left:
                continue
            if symbol not in predicted:
                predicted.add(symbol)
                for number in self._by_left[symbol]:
                    add((number, 0, at), None)
            ended = done.get((symbol, at))
            if ended is not None:
                add((rule, dot + 1, begun), (state, at, ended))
            elif symbol in self._empty:
                add((rule, dot + 1, begun), (state, at, (self._empty[symbol], -1, at)))

    def _note(self, state: State, at: int) -> None:
        if state[2] < at:
            self.ambiguous[self._rules[state[0]].left, state[2], at] = None

    def _tree(self, sets: list[dict[State, Step | None]], tokens: Sequence[Token], end: int) -> Node:
        """Return the tree that the steps lead to, built from its last token to its first."""
        root = Node("", 0, end, [])
        waiting: list[tuple[State, int, Node]] = [((0, 1, 0), len(tokens), root)]
        while waiting:
            state, at, node = waiting.pop()
            parts: list[Node] = []
            while state[1] > 0:
                step = sets[at][state]
                assert step is not None
                before, middle, whole = step
                if whole is None:
                    token = tokens[middle]
                    parts.append(Node(token.symbol, token.start, token.end))
                else:
                    part = Node(self._rules[whole[0]].left, 0, 0, [], whole[0] - 1)
                    part.start = tokens[middle].start if middle < len(tokens) else end
                    part.end = tokens[at - 1].end if at > middle else part.start
                    parts.append(part)
                    if whole[1] >= 0:
                        waiting.append((whole, at, part))
                state, at = before, middle
            parts.reverse()
            node.parts = parts
        assert root.parts is not None
        return root.parts[0]
