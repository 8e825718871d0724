"""Grammars for Lark, which are parsed by Lark itself: by tables where the grammar allows it, else as every grammar."""

from __future__ import annotations

from typing import Any

from lark import Lark
from lark import Token as LarkToken
from lark import Tree as Parse
from lark.exceptions import GrammarError as LarkGrammarError
from lark.exceptions import LarkError, UnexpectedEOF, UnexpectedInput
from lark.lexer import PatternStr

from minrepro.documents.grammars.given_grammar import Notion
from minrepro.documents.grammars.grammar_form import TokenRule
from minrepro.documents.grammars.lalr_parser import Node, ParseError
from minrepro.errors import GrammarError


def read_lark(text: str, source: str, start: str = "start") -> Notion:
    """Read a grammar for Lark."""
    parser = _built(text, source, start)
    bodies: dict[str, list[tuple[str, ...]]] = {}
    origins: dict[str, str] = {}
    for rule in parser.rules:
        bodies.setdefault(str(rule.origin.name), []).append(tuple(str(symbol.name) for symbol in rule.expansion))
        if rule.alias:
            origins[str(rule.alias)] = str(rule.origin.name)
    tokens = [
        TokenRule(
            each.name,
            (each.pattern.to_regexp(),),
            fixed=each.pattern.value if isinstance(each.pattern, PatternStr) and not each.pattern.flags else None,
            skip=each.name in parser.ignore_tokens,
        )
        for each in parser.terminals
    ]

    def parse(text: str) -> Node:
        try:
            return _nodes(parser.parse(text))
        except UnexpectedInput as error:
            at = error.pos_in_stream
            ends = isinstance(error, UnexpectedEOF) or at is None or at < 0
            raise ParseError(len(text) if ends or at is None else at, ()) from None

    return Notion(source, start, bodies, tokens, parse, origins)


def _built(text: str, source: str, start: str) -> Lark:
    options: dict[str, Any] = {"start": start, "keep_all_tokens": True, "propagate_positions": True}
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
        if "undefined" in reason.lower() and start in reason:
            reason = f"no rule {start!r} to start with\nhint: --start RULE"
        raise GrammarError(f"{source}: {reason}") from None


def _nodes(parsed: Parse[LarkToken]) -> Node:
    """Return a tree of Lark's as nodes; what matches nothing has no place."""
    root = Node(str(parsed.data), 0, 0, [])
    waiting: list[tuple[Parse[LarkToken], Node]] = [(parsed, root)]
    while waiting:
        tree, node = waiting.pop()
        parts: list[Node] = []
        for child in tree.children:
            if isinstance(child, LarkToken):
                parts.append(Node(str(child.type), child.start_pos or 0, child.end_pos or 0))
            elif not child.meta.empty:
                part = Node(str(child.data), child.meta.start_pos, child.meta.end_pos, [])
                parts.append(part)
                waiting.append((child, part))
        node.parts = parts
    return root
