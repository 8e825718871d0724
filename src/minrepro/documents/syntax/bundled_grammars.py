"""Trees for about 170 languages: the grammars of `tree-sitter-language-pack`, read by tree-sitter.

A broken input gets a tree as well: what the parser cannot make sense of is a node like others, marked as an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import PurePath
from typing import Protocol, get_args

from tree_sitter import Language, Node, Parser, Query, QueryCursor, TreeCursor
from tree_sitter import Tree as Parse
from tree_sitter_language_pack import SupportedLanguage, get_language

from minrepro.core.edits import Join
from minrepro.core.prefixes import common_prefix, common_suffix
from minrepro.documents.languages import language_of_name, language_of_shebang
from minrepro.documents.syntax.spacing import separator_for, stripped
from minrepro.documents.syntax.tree import NO_NODE, Badness, Mark, Tree
from minrepro.errors import InputError

_ERROR = 65535
_EXTRA, _BAD = int(Mark.EXTRA), int(Mark.ERROR)  # plain numbers: this is asked for every node
_UNSAFE = {"cobol"}
"""Grammars whose own code never returns on some texts, the empty one among them."""
_INCREMENTAL = 4096
"""From this many bytes on it pays to re-parse only around what was changed."""
_MUCH_SMALLER = 4
"""A text so many times smaller than the last one is parsed anew."""


def known_languages() -> frozenset[str]:
    """Return the names of all languages that have a grammar."""
    return frozenset(get_args(SupportedLanguage)) - _UNSAFE


def language_of(path: str | PurePath, data: bytes = b"") -> str | None:
    """Return the language of a file by its name or its first line, or None."""
    known = known_languages()
    return language_of_name(PurePath(path), known) or language_of_shebang(data, known)


@cache
def grammar(language: str) -> Grammar:
    """Return the grammar of a language by its name."""
    if language not in known_languages():
        alike = get_close_matches(language.lower(), sorted(known_languages()), cutoff=0.7)
        hint = f"; did you mean {' or '.join(alike)}?" if alike else ""
        raise InputError(f"unknown language {language!r}{hint}\nhint: minrepro languages")
    return Grammar(language)


class Reparsing(Protocol):
    """Tells how badly texts parse that differ little from each other."""

    def badness(self, data: bytes) -> Badness:
        """Return how badly a text parses."""
        ...

    def spans(self, data: bytes, start: int, end: int) -> Sequence[str]:
        """Return the kinds of all named nodes of a text that span exactly these bytes, but for space at their ends."""
        ...

    def move_to(self, data: bytes) -> None:
        """Take this text as the one that the next is compared with."""
        ...


class Grammar:
    """One of the bundled languages: parses, counts errors, and knows its fixed tokens."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.language = get_language(name)  # type: ignore[arg-type]  # checked by `grammar`
        count = self.language.node_kind_count
        kinds = [self.language.node_kind_for_id(kind) or "" for kind in range(count)]
        named = [self.language.node_kind_is_named(kind) for kind in range(count)]
        self._marks = [int(Mark.NAMED) if is_named else 0 for is_named in named]
        self.error_kind, self.text_kind = count, count + 1
        self.kinds: Sequence[str] = (*kinds, "ERROR", "text")
        fields = (self.language.field_name_for_id(i) or "" for i in range(1, self.language.field_count + 1))
        self.fields: Sequence[str] = ("", *fields)
        self.join: Join = separator_for(kind for kind, is_named in zip(kinds, named, strict=True) if not is_named)
        self._parser = Parser(self.language)

    def parse(self, data: bytes, old: Parse | None = None) -> Parse:
        """Parse a text, using what is still right in the parse of an older one."""
        return self._parser.parse(data, old) if old is not None else self._parser.parse(data)

    def badness(self, data: bytes) -> Badness:
        """Return how badly a text parses."""
        return badness(self.parse(data))

    def syntax(self, data: bytes) -> Reparsing:
        """Return what tells how badly texts parse that are like this one."""
        return Reparser(self, data, self.parse(data))

    def tree(self, data: bytes, parse: Parse | None = None) -> Tree:
        """Return the tree of a text as arrays, by one walk."""
        tree = Tree(data, self.kinds, self.fields)
        cursor = (parse or self.parse(data)).walk()
        # Space at the begin and what comes behind the root belong to no node: the root is made to span all.
        path = [tree.add(*self._kind_and_marks(_here(cursor)), NO_NODE, 0, len(data))]
        told = [0]  # for each node of the path, up to where its children are there
        if not cursor.goto_first_child():
            tree.close(path.pop())
            return tree
        while True:
            node = _here(cursor)
            kind, marks = self._kind_and_marks(node)
            self._add_text(tree, path[-1], told[-1], node.start_byte)
            number = tree.add(kind, marks, path[-1], node.start_byte, node.end_byte, cursor.field_id or 0)
            told[-1] = node.end_byte
            if cursor.goto_first_child():
                path.append(number)
                told.append(node.start_byte)
                continue
            tree.close(number)
            while not cursor.goto_next_sibling():
                self._add_text(tree, path[-1], told.pop(), tree.end[path[-1]])
                tree.close(path.pop())
                if not path:
                    return tree
                cursor.goto_parent()

    def _add_text(self, tree: Tree, parent: int, start: int, end: int) -> None:
        """Add a leaf for what stands between two children, unless it is space: grammars hide some of their tokens."""
        if start < end and not tree.data[start:end].isspace():
            start, end = stripped(tree.data, start, end)
            tree.close(tree.add(self.text_kind, Mark.NAMED, parent, start, end))

    def _kind_and_marks(self, node: Node) -> tuple[int, int]:
        kind = node.kind_id
        if kind == _ERROR:
            return self.error_kind, Mark.NAMED | Mark.ERROR
        marks = self._marks[kind]
        if node.is_extra:
            marks |= _EXTRA
        return kind, marks | _BAD if node.is_missing else marks


def _here(cursor: TreeCursor) -> Node:
    node = cursor.node
    assert node is not None
    return node


_TOO_LENIENT = {"python": "(block) @part", "starlark": "(block) @part"}
"""Parts that must not be empty though the bundled grammar lets them, by the name of the language."""


@cache
def _may_be_hollow(language: Language) -> Query | None:
    pattern = _TOO_LENIENT.get(language.name or "")
    return Query(language, pattern) if pattern else None


def _hollow_parts(parse: Parse) -> int:
    query = _may_be_hollow(parse.language)
    if query is None:
        return 0
    parts = QueryCursor(query).captures(parse.root_node).get("part", ())
    return sum(1 for part in parts if part.start_byte == part.end_byte)


def badness(parse: Parse) -> Badness:
    """Return how many nodes of a parse are errors or were invented, and how many bytes are in them."""
    count = size = _hollow_parts(parse)
    if not parse.root_node.has_error:
        return count, size
    cursor = parse.walk()
    while True:
        node = _here(cursor)
        if node.is_error or node.is_missing:
            count += 1
            size += node.end_byte - node.start_byte
        if node.has_error and cursor.goto_first_child():
            continue
        if not _next_in_preorder(cursor):
            return count, size


def _next_in_preorder(cursor: TreeCursor) -> bool:
    while not cursor.goto_next_sibling():
        if not cursor.goto_parent():
            return False
    return True


class Reparser:
    """Tells how badly texts parse that differ little from each other, by parsing only around the differences."""

    def __init__(self, grammar: Grammar, data: bytes, parse: Parse) -> None:
        self._grammar = grammar
        self._data = data
        self._parse = parse

    def badness(self, data: bytes) -> Badness:
        """Return how badly a text parses."""
        return badness(self._parsed(data))

    def spans(self, data: bytes, start: int, end: int) -> Sequence[str]:
        """Return the kinds of all named nodes of a text that span exactly these bytes, but for space at their ends."""
        start, end = stripped(data, start, end)
        node = self._parsed(data).root_node.descendant_for_byte_range(start, end)
        kinds: list[str] = []
        while node is not None and not (data[node.start_byte : start] + data[end : node.end_byte]).strip():
            if node.is_named:
                kinds.append(node.type)
            node = node.parent
        return kinds

    def move_to(self, data: bytes) -> None:
        """Take this text as the one that the next is compared with."""
        self._parsed(data)

    def _parsed(self, data: bytes) -> Parse:
        """Parse a text; it is then the one that the next is compared with."""
        if self._data != data:
            anew = min(len(data), len(self._data)) < _INCREMENTAL or _MUCH_SMALLER * len(data) < len(self._data)
            self._parse = self._grammar.parse(data) if anew else self._reparse(data)
            self._data = data
        return self._parse

    def _reparse(self, data: bytes) -> Parse:
        start = common_prefix(self._data, data)
        most = min(len(self._data), len(data)) - start
        behind = common_suffix(self._data, data, most)
        old_end, new_end = len(self._data) - behind, len(data) - behind
        edited = self._parse.copy()
        begin = self._point(start)
        edited.edit(start, old_end, new_end, begin, self._point(old_end), _moved(begin, data, start, new_end))
        return self._grammar.parse(data, edited)

    def _point(self, offset: int) -> tuple[int, int]:
        row = self._data.count(b"\n", 0, offset)
        return row, offset - (self._data.rfind(b"\n", 0, offset) + 1)


def _moved(begin: tuple[int, int], data: bytes, start: int, end: int) -> tuple[int, int]:
    rows = data.count(b"\n", start, end)
    return (begin[0] + rows, end - data.rfind(b"\n", start, end) - 1) if rows else (begin[0], begin[1] + end - start)
