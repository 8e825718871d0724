"""Trees from a user's own grammar, written for Lark."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from lark import Lark, Token
from lark import Tree as Parse
from lark.exceptions import GrammarError as LarkGrammarError
from lark.exceptions import LarkError, UnexpectedInput
from lark.exceptions import UnexpectedEOF as _End

from minrepro.documents.syntax.shortest_strings import minimal_strings, shortest_match, spelled, stand_ins, underivable
from minrepro.documents.syntax.spacing import separator_for, stripped
from minrepro.documents.syntax.tree import NO_NODE, Badness, Mark, Tree
from minrepro.documents.syntax.tree_document import TreeDocument
from minrepro.errors import GrammarError, SyntaxMismatch

_UNKNOWN = "�"
"""Stands for a terminal whose shortest text cannot be told; a stand-in with it is of no use."""


class LarkGrammar:
    """A grammar for Lark: parses texts, and knows the shortest strings of its rules."""

    def __init__(self, text: str, start: str = "start", source: str = "the grammar") -> None:
        self._source, self._start = source, start
        self._lark = self._built(text)
        rules = self._lark.rules
        self.productions: dict[str, list[list[str]]] = {}
        origins: dict[str, str] = {}
        for rule in rules:
            body = [symbol.name for symbol in rule.expansion]
            self.productions.setdefault(str(rule.origin.name), []).append(body)
            if rule.alias:
                origins[str(rule.alias)] = str(rule.origin.name)
        terminals = {
            terminal.name: shortest_match(terminal.pattern.to_regexp()) or _UNKNOWN for terminal in self._lark.terminals
        }
        self.shortest = minimal_strings(self.productions, terminals)
        if hopeless := underivable(self.productions, self.shortest):
            raise GrammarError(
                f"{source}: no finite string can be derived from {', '.join(map(str, hopeless))}\n"
                "hint: give each rule an alternative that does not lead back to itself"
            )
        texts = (text for text in terminals.values() if text != _UNKNOWN)
        self.join = separator_for(texts)
        found = stand_ins(self.productions, self.shortest)
        self._stand_ins = {
            kind: tuple(spelled(tokens, self.join) for tokens in strings if _UNKNOWN not in tokens)
            for kind, strings in found.items()
        }
        for alias, origin in origins.items():
            self._stand_ins.setdefault(alias, self._stand_ins[origin])

    def _built(self, text: str) -> Lark:
        """Build the parser: the quick one where the grammar allows it, else one for every grammar."""
        options: dict[str, Any] = {"start": self._start, "keep_all_tokens": True, "propagate_positions": True}
        options["maybe_placeholders"] = False
        try:
            try:
                return Lark(text, parser="lalr", **options)
            except LarkGrammarError as conflict:
                if "Reduce" not in str(conflict) and "collision" not in str(conflict).lower():
                    raise
                return Lark(text, parser="earley", **options)
        except LarkError as error:
            reason = str(error).strip().splitlines()[0]
            if "undefined" in reason.lower() and self._start in reason:
                reason = f"no rule {self._start!r} to start with\nhint: --start RULE"
            raise GrammarError(f"{self._source}: {reason}") from None

    def minimal(self, rule: str) -> bytes:
        """Return a shortest text of a rule."""
        return spelled(self.shortest[rule], self.join)

    def replacements(self, kind: str) -> Sequence[bytes]:
        """Return the texts that may stand where a node of this kind stands, the shortest first."""
        return self._stand_ins.get(kind, ())

    def parse(self, data: bytes) -> Tree:
        """Return the tree of a text, or say where the text stops matching the grammar."""
        text = data.decode("utf-8", "surrogateescape")
        try:
            parsed = self._lark.parse(text)
        except UnexpectedInput as error:
            raise SyntaxMismatch(_where(error, text, self._source)) from None
        return _arrays(data, text, parsed)

    def open(self, data: bytes) -> TreeDocument:
        """Return a text of this grammar as a document that can be pruned."""
        tree = self.parse(data)
        return TreeDocument(tree, LarkSyntax(self), join=self.join, replacements=self.replacements)


def read_grammar(path: Path, start: str = "start") -> LarkGrammar:
    """Read a grammar from a file."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise GrammarError(f"cannot read grammar {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise GrammarError(f"cannot read grammar {path}: not UTF-8 text") from None
    return LarkGrammar(text, start, str(path))


class LarkSyntax:
    """Tells whether texts match a grammar, by parsing them whole."""

    def __init__(self, grammar: LarkGrammar) -> None:
        self._grammar = grammar
        self._last: tuple[bytes, Tree | None] | None = None

    def _tree(self, data: bytes) -> Tree | None:
        if self._last is None or self._last[0] != data:
            try:
                self._last = data, self._grammar.parse(data)
            except SyntaxMismatch:
                self._last = data, None
        return self._last[1]

    def badness(self, data: bytes) -> Badness:
        """Return nothing wrong where the text matches, and all of it where it does not."""
        return (0, 0) if self._tree(data) is not None else (1, len(data))

    def spans(self, data: bytes, start: int, end: int) -> Sequence[str]:
        """Return the kinds of all named nodes of a text that span exactly these bytes, but for space at their ends."""
        tree = self._tree(data)
        if tree is None:
            return ()
        start, end = stripped(data, start, end)
        at = bisect_left(tree.start, start)
        kinds = []
        while at < len(tree) and tree.start[at] == start:
            if tree.end[at] == end and tree.is_named(at):
                kinds.append(tree.name(at))
            at += 1
        return kinds


def _where(error: UnexpectedInput, text: str, source: str) -> str:
    if isinstance(error, _End) or error.pos_in_stream is None or error.pos_in_stream < 0:
        return f"the input does not match {source}: unexpected end"
    line = text.count("\n", 0, error.pos_in_stream) + 1
    column = error.pos_in_stream - (text.rfind("\n", 0, error.pos_in_stream) + 1)
    shown = text.splitlines()[line - 1] if text.splitlines() else ""
    return (
        f"the input does not match {source} at line {line}, column {column + 1}:\n"
        f"  {shown[max(0, column - 40) : column]}>>>{shown[column : column + 40]}"
    )


def _arrays(data: bytes, text: str, parsed: Parse[Token]) -> Tree:
    """Write a parse tree as arrays; parts that match nothing have no place and are left out."""
    offsets = None if len(text) == len(data) else list(accumulate(map(_byte_count, text), initial=0))
    numbers: dict[str, int] = {}
    kinds: list[str] = []
    tree = Tree(data, kinds)
    waiting: list[tuple[Parse[Token] | Token | None, int]] = [(parsed, NO_NODE)]
    while waiting:
        item, parent = waiting.pop()
        if item is None:  # all below the node whose number stands here was written
            tree.close(parent)
            continue
        span = (0, len(text)) if parent == NO_NODE else _span(item)
        if span is None:
            continue
        name = str(item.type if isinstance(item, Token) else item.data)
        if name not in numbers:
            numbers[name] = len(kinds)
            kinds.append(name)
        start, end = span if offsets is None else (offsets[at] for at in span)
        node = tree.add(numbers[name], 0 if isinstance(item, Token) else Mark.NAMED, parent, start, end)
        waiting.append((None, node))
        if not isinstance(item, Token):
            waiting.extend((child, node) for child in reversed(item.children))
    return tree


def _span(item: Parse[Token] | Token) -> tuple[int, int] | None:
    if isinstance(item, Token):
        return item.start_pos or 0, item.end_pos or 0
    return None if item.meta.empty else (item.meta.start_pos, item.meta.end_pos)


def _byte_count(character: str) -> int:
    return len(character.encode("utf-8", "surrogateescape"))
