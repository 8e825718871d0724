"""A grammar that a user brings: it parses texts into trees, and knows the shortest strings of its rules."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from minrepro.core.edits import Join
from minrepro.documents.grammars.earley_parser import EarleyParser
from minrepro.documents.grammars.grammar_form import GrammarForm, Ranges, TokenRule
from minrepro.documents.grammars.lalr_parser import Conflict, LalrParser, Node, ParseError, Token
from minrepro.documents.grammars.productions import Bnf, Symbols, productions_of
from minrepro.documents.grammars.token_lexer import TokenLexer
from minrepro.documents.syntax.shortest_strings import minimal_strings, shortest_match, spelled, stand_ins, underivable
from minrepro.documents.syntax.spacing import separator_for, stripped
from minrepro.documents.syntax.tree import NO_NODE, Badness, Mark, Tree
from minrepro.documents.syntax.tree_document import TreeDocument
from minrepro.errors import GrammarError, SyntaxMismatch

_UNKNOWN = "�"
"""Stands for a token whose shortest text cannot be told; a stand-in with it is of no use."""
_SKIPPED = "skipped"


@dataclass
class Notion:
    """What a grammar in any notation comes down to."""

    source: str
    start: str
    bodies: Mapping[str, Sequence[Symbols]]
    tokens: Sequence[TokenRule]
    parse: Callable[[str], Node]
    origins: Mapping[str, str] = field(default_factory=dict)
    """The rules behind the other names that nodes may have."""
    hidden: set[str] = field(default_factory=set)
    leaves: set[str] = field(default_factory=set)
    list_steps: set[tuple[int, int]] = field(default_factory=set)
    conflicts: Sequence[Conflict] = ()
    """Where one token ahead does not tell how to go on."""
    ranked: frozenset[str] = frozenset()
    """Rules whose alternatives are ranked, which settles how operators group."""


class FormParser:
    """Parses texts by a grammar in the one form: by tables where they suffice, else by keeping all possibilities."""

    def __init__(self, form: GrammarForm, bnf: Bnf) -> None:
        self._form, self._bnf = form, bnf
        self._classes = bnf.classes
        self._class_of: dict[str, str | None] = {}
        self._lexer = None if form.by_characters else TokenLexer(bnf.tokens, form.source)
        self._tables = LalrParser(bnf, form.precedence)
        self.every = EarleyParser(bnf)

    @property
    def conflicts(self) -> Sequence[Conflict]:
        """Where the tables had to choose."""
        return self._tables.conflicts

    def parse(self, text: str) -> Node:
        """Return the tree of a text."""
        tokens = self.tokens(text)
        try:
            return self._tables.parse(tokens, len(text))
        except ParseError:
            if self._form.as_yacc or not self.conflicts:
                raise
        return self.every.parse(tokens, len(text))

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of a text, which are its characters where there is no lexer."""
        if self._lexer is not None:
            return self._lexer.tokens(text)
        found = []
        for at, character in enumerate(text):
            if character not in self._class_of:
                self._class_of[character] = _class_with(character, self._classes)
            name = self._class_of[character]
            if name is None:
                raise ParseError(at, ())
            found.append(Token(name, at, at + 1))
        return found


def _class_with(character: str, classes: Sequence[tuple[Ranges, str]]) -> str | None:
    code = ord(character)
    return next((name for ranges, name in classes if any(low <= code <= high for low, high in ranges)), None)


def notion_of(form: GrammarForm) -> Notion:
    """Return what a grammar in the one form comes down to."""
    bnf = productions_of(form)
    parser = FormParser(form, bnf)
    return Notion(
        form.source,
        bnf.start,
        bnf.bodies(),
        bnf.tokens,
        parser.parse,
        hidden=bnf.hidden,
        leaves=bnf.leaves,
        list_steps=bnf.list_steps(),
        conflicts=parser.conflicts,
        ranked=frozenset(each.left for each in bnf.productions if each.rank is not None),
    )


class GivenGrammar:
    """A user's grammar as a language like the bundled ones."""

    def __init__(self, notion: Notion) -> None:
        self.notion = notion
        self.name = notion.source
        self.productions = notion.bodies
        texts = {token.name: _shortest(token) for token in notion.tokens if not token.skip}
        self._fixed = {token.name for token in notion.tokens if token.fixed is not None}
        self.shortest = minimal_strings(self.productions, texts)
        if hopeless := underivable(self.productions, self.shortest):
            shown = [name for name in hopeless if name not in notion.hidden]
            raise GrammarError(
                f"{notion.source}: no finite string can be derived from {', '.join(map(str, shown))}\n"
                "hint: give each rule an alternative that does not lead back to itself"
            )
        self.join: Join | None = None
        if any(token.skip and _matches(token, " ") for token in notion.tokens):
            self.join = separator_for(text for text in texts.values() if text != _UNKNOWN)
        between = self.join or (lambda left, right: b"")
        self._stand_ins = {
            kind: tuple(spelled(tokens, between) for tokens in strings if _UNKNOWN not in tokens)
            for kind, strings in stand_ins(self.productions, self.shortest).items()
        }
        for alias, origin in notion.origins.items():
            self._stand_ins.setdefault(alias, self._stand_ins[origin])

    @property
    def start(self) -> str:
        """The rule that a text begins with."""
        return self.notion.start

    def minimal(self, rule: str) -> bytes:
        """Return a shortest text of a rule."""
        return spelled(self.shortest[rule], self.join or (lambda left, right: b""))

    def replacements(self, kind: str) -> Sequence[bytes]:
        """Return the texts that may stand where a node of this kind stands, the shortest first."""
        return self._stand_ins.get(kind, ())

    def parse(self, data: bytes) -> Tree:
        """Return the tree of a text, or say where the text stops matching the grammar."""
        text = data.decode("utf-8", "surrogateescape")
        try:
            parsed = self.notion.parse(text)
        except ParseError as error:
            raise SyntaxMismatch(_where(error, text, self.notion.source)) from None
        return _Arrays(self.notion, self._fixed, data, text).tree(parsed)

    def tree(self, data: bytes) -> Tree:
        """Return the tree of a text, which is a single error where it does not match."""
        try:
            return self.parse(data)
        except SyntaxMismatch:
            tree = Tree(data, ("ERROR",))
            tree.close(tree.add(0, Mark.NAMED | Mark.ERROR, NO_NODE, 0, len(data)))
            return tree

    def badness(self, data: bytes) -> Badness:
        """Return nothing wrong where the text matches, and all of it where it does not."""
        return self.syntax(data).badness(data)

    def syntax(self, data: bytes) -> GivenSyntax:
        """Return what tells how badly texts parse that are like this one."""
        return GivenSyntax(self)

    def open(self, data: bytes) -> TreeDocument:
        """Return a text as a document that can be pruned, or say where it does not match."""
        self.parse(data)
        return self.document(data)

    def document(self, data: bytes) -> TreeDocument:
        """Return a text as a document that can be pruned."""
        return TreeDocument(self.tree(data), self.syntax(data), join=self.join, replacements=self.replacements)


def _shortest(token: TokenRule) -> str:
    if token.minimal is not None:
        return token.minimal
    if token.fixed is not None:
        return token.fixed
    found = [text for text in map(shortest_match, token.patterns) if text]
    return min(found, key=len, default=_UNKNOWN)


def _matches(token: TokenRule, text: str) -> bool:
    return any(re.fullmatch(pattern, text) for pattern in token.patterns)


class GivenSyntax:
    """Tells whether texts match a grammar, by parsing them whole."""

    def __init__(self, grammar: GivenGrammar) -> None:
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
        return (0, 0) if self._tree(data) is not None else (1, max(1, len(data)))

    def spans(self, data: bytes, start: int, end: int) -> Sequence[str]:
        """Return the kinds of all named nodes of a text that span exactly these bytes, but for space at their ends."""
        tree = self._tree(data)
        if tree is None:
            return ()
        start, end = stripped(data, start, end)
        # Where there is no lexer, space belongs to nodes: it does not count at the ends of these either.
        first, behind = len(data[:start].rstrip()), end + len(data[end:]) - len(data[end:].lstrip())
        at = bisect_left(tree.start, first)
        kinds = []
        while at < len(tree) and tree.start[at] <= start:
            if end <= tree.end[at] <= behind and tree.is_named(at):
                kinds.append(tree.name(at))
            at += 1
        return kinds

    def move_to(self, data: bytes) -> None:
        """Take this text as the one that the next is compared with."""


def _where(error: ParseError, text: str, source: str) -> str:
    wanted = [name for name in error.expected if not name.startswith("_")][:6]
    more = f"\n  expected {' or '.join(wanted)}" if 0 < len(error.expected) <= len(wanted) else ""
    at = error.position
    if at >= len(text):
        return f"the input does not match {source}: unexpected end{more}"
    line = text.count("\n", 0, at) + 1
    begin = text.rfind("\n", 0, at) + 1
    shown = text[begin:].partition("\n")[0]
    column = at - begin
    return (
        f"the input does not match {source} at line {line}, column {column + 1}:\n"
        f"  {shown[max(0, column - 40) : column]}>>>{shown[column : column + 40]}{more}"
    )


class _Arrays:
    """Writes parse trees as arrays; parts that match nothing have no place and are left out."""

    def __init__(self, notion: Notion, fixed: set[str], data: bytes, text: str) -> None:
        self._notion, self._fixed, self._text = notion, fixed, text
        self._offsets = None if len(text) == len(data) else list(accumulate(map(_byte_count, text), initial=0))
        self._numbers: dict[str, int] = {}
        self._tree = Tree(data, list[str]())

    def tree(self, root: Node) -> Tree:
        """Return a tree; what stands between tokens and is no space, such as comments, is a leaf of its own."""
        waiting: list[tuple[Node | None, int]] = [(root, NO_NODE)]
        while waiting:
            node, parent = waiting.pop()
            if node is None:  # all below the node whose number stands here was written
                self._tree.close(parent)
                continue
            is_root = parent == NO_NODE
            start, end = (0, len(self._text)) if is_root else (node.start, node.end)
            number = self._add(node.symbol, self._marks(node), parent, start, end)
            waiting.append((None, number))
            if node.parts is not None and node.symbol not in self._notion.leaves:
                parts = self._with_skipped(self._visible(node), start, end)
                waiting.extend((part, number) for part in reversed(parts))
        return self._tree

    def _visible(self, node: Node) -> list[Node]:
        """Return the parts of a node that show, with those of helper rules and of the rest of a list in their place."""
        notion, found = self._notion, list[Node]()
        waiting = [(node, True)]
        while waiting:
            here, opened = waiting.pop()
            if not opened and here.symbol not in notion.hidden:
                found.append(here)
                continue
            parts = enumerate(here.parts or ())
            shown = [(part, (here.production, at) in notion.list_steps) for at, part in parts if part.start < part.end]
            waiting += reversed(shown)
        return found

    def _with_skipped(self, parts: list[Node], start: int, end: int) -> list[Node]:
        found: list[Node] = []
        for part in (*parts, None):
            until = end if part is None else part.start
            between = self._text[start:until]
            if between and not between.isspace():
                blank = len(between) - len(between.lstrip())
                found.append(Node(_SKIPPED, start + blank, until - len(between) + len(between.rstrip())))
            if part is not None:
                found.append(part)
                start = part.end
        return found

    def _marks(self, node: Node) -> int:
        if node.symbol == _SKIPPED and node.parts is None:
            return Mark.NAMED | Mark.EXTRA
        return 0 if node.symbol in self._fixed or node.symbol.startswith('"') else Mark.NAMED

    def _add(self, name: str, marks: int, parent: int, start: int, end: int) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self._numbers)
            self._tree.kinds.append(name)  # type: ignore[attr-defined]  # a list until the tree is complete
        if self._offsets is not None:
            start, end = self._offsets[start], self._offsets[end]
        return self._tree.add(self._numbers[name], marks, parent, start, end)


def _byte_count(character: str) -> int:
    return len(character.encode("utf-8", "surrogateescape"))
