"""A text as the list of its tokens: the leaves of its tree, or words and signs where no grammar is known."""

from __future__ import annotations

import re
from collections.abc import Sequence

from minrepro.core.edits import Cut, Join, apply
from minrepro.documents.syntax.open_tree import grammar_for
from minrepro.documents.syntax.spacing import separator_for, span_with_space
from minrepro.documents.syntax.tree import NO_NODE, ROOT, Mark, Tree

_PLAIN = re.compile(rb"[\w\x80-\xff]+|[^\w\s\x80-\xff]")


class TokenList:
    """The tokens of a text; a configuration is the positions of those that are kept."""

    def __init__(self, tree: Tree, join: Join | None) -> None:
        self.tree = tree
        self.leaves = [leaf for leaf in tree.leaves if tree.size(leaf)]
        self._join = join

    def __len__(self) -> int:
        return len(self.leaves)

    def render(self, config: Sequence[int]) -> bytes:
        """Return the tokens that are kept, with the space between them as it was; no two become one."""
        if len(config) == len(self.leaves):
            return self.tree.data
        cuts: list[Cut] = []
        expected = 0
        for position in (*config, len(self.leaves)):
            if position > expected:
                cuts.append(self._cut(expected, position))
            expected = position + 1
        return apply(self.tree.data, cuts, self._join)

    def _cut(self, first: int, behind: int) -> Cut:
        tree, leaves = self.tree, self.leaves
        before = leaves[first - 1] if first else NO_NODE
        following = leaves[behind] if behind < len(leaves) else NO_NODE
        return span_with_space(tree, tree.start[leaves[first]], tree.end[leaves[behind - 1]], before, following)


def tokens(data: bytes, language: str | None = None) -> TokenList:
    """Cut a text into the tokens of its language, or into words and signs."""
    if language is not None:
        known = grammar_for(language, data)
        return TokenList(known.tree(data), known.join)
    tree = Tree(data, ("text", "token"))
    tree.add(0, Mark.NAMED, NO_NODE, 0, len(data))
    for match in _PLAIN.finditer(data):
        tree.close(tree.add(1, Mark.NAMED, ROOT, *match.span()))
    tree.close(ROOT)
    return TokenList(tree, separator_for(()))
