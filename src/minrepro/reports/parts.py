"""The parts of a result that are explained: words, operators, and whole nodes in place of their quotes and brackets."""

from __future__ import annotations

import re

from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.tree import Tree
from minrepro.passes.tokens import bracket_pairs, token_spans

Span = tuple[int, int]

STRING = re.compile(rb"""(?s)"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`""")
_QUOTE = re.compile(rb"""[rRbBuUfFL]{0,2}("{3}|'{3}|["'`])""")
_BRACKET = re.compile(rb"[()\[\]{}]|</?|/?>|\$\{|\{\{|\}\}")
_SEPARATOR = re.compile(rb"[,;]|\s+")


def part_spans(subject: Snapshot) -> list[Span]:
    """Return where parts begin and end: two have nothing in common, or one is inside the other and comes later."""
    document = subject.document
    spans = _spans_of_text(subject) if document is None else _spans_of_tree(document.tree)
    everything = len(subject.content.strip())
    inner = {span for span in spans if span[1] - span[0] < everything} or spans
    return sorted(inner, key=lambda span: (span[0], -span[1]))


def _spans_of_tree(tree: Tree) -> set[Span]:
    spans: set[Span] = set()
    node = 0
    while node < len(tree):
        children = tree.children_of(node)
        if not children:
            text = tree.text(node)
            if text and not any(kind.fullmatch(text) for kind in (_QUOTE, _BRACKET, _SEPARATOR)):
                spans.add((tree.start[node], tree.end[node]))
            node += 1
            continue
        is_literal = len(children) > 1 and _QUOTE.fullmatch(tree.text(children[0])) is not None
        if node and (is_literal or any(_BRACKET.fullmatch(tree.text(child)) for child in children)):
            spans.add((tree.start[node], tree.end[node]))
        node = tree.after[node] if is_literal else node + 1
    return spans


def _spans_of_text(subject: Snapshot) -> set[Span]:
    strings = {match.span() for match in STRING.finditer(subject.content)}
    rest = Snapshot(STRING.sub(lambda match: b" " * len(match[0]), subject.content))
    pairs = bracket_pairs(rest)
    ends = {at for start, end in pairs for at in (start, end - 1)}
    return strings | set(pairs) | {span for span in token_spans(rest) if span[0] not in ends}
