"""Many neighbours that go together, taken out as one span: thousands of elements must not cost a step for each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from minrepro.core.edits import Cut
from minrepro.core.prefixes import alike_from
from minrepro.documents.syntax.separated_lists import SeparatedList
from minrepro.documents.syntax.spacing import span_with_space, with_space
from minrepro.documents.syntax.tree import NO_NODE, Tree

SHORTEST = 16
"""Fewer neighbours than this are looked at one by one."""


def runs(nodes: Sequence[int], siblings: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the nodes, sorted, as runs of neighbours; nodes that are none of the siblings are in no run."""
    # Slices are compared, which must be of one type; lists are taken as they are, for they may be long.
    nodes, siblings = (each if isinstance(each, list) else list(each) for each in (nodes, siblings))
    done = 0
    while done < len(nodes):
        at = bisect_left(siblings, nodes[done])
        length = alike_from(nodes, done, siblings, at)
        if length:
            yield nodes[done : done + length]
        done += max(length, 1)


def cuts_of(tree: Tree, run: Sequence[int], separated: SeparatedList | None) -> list[Cut]:
    """Return the cuts that take neighbours out, with the separators that are theirs."""
    first, last = run[0], run[-1]
    cuts = [span_with_space(tree, tree.start[first], tree.end[last], tree.leaf_before(first), tree.leaf_behind(last))]
    if separated is not None:
        outer = first if separated.leading else last
        separator = separated.separators[bisect_left(separated.elements, outer)]
        if separator != NO_NODE:
            cuts.append(with_space(tree, separator))
    return cuts
