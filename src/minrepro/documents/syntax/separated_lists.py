"""Lists in trees: which children of a node are elements, and which separator belongs to which element.

`f(a, b, c)` without `b` is `f(a, c)`, without `c` it is `f(a, b)`: a separator goes with the element before it, and
where the last element goes, the one behind the element that is then the last. Lists whose separators come first
(`| A | B`) are known too.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from minrepro.core.edits import NONE, Cut, Cuts, covered, unite
from minrepro.documents.syntax.tree import NO_NODE, Tree

_BRACKETS = frozenset("()[]{}\"'`")


@dataclass(frozen=True)
class SeparatedList:
    """The elements of a list and the separator of each (NO_NODE for none)."""

    elements: Sequence[int]
    separators: Sequence[int]
    leading: bool
    """Whether the separators stand before their elements."""

    def separators_to_cut(self, gone: Set[int], cuts: Cuts, tree: Tree, spans: Sequence[Cut] = NONE) -> Iterator[int]:
        """Yield the separators that go when some more elements go, besides what is cut already.

        Elements in one of the spans go together with their separators, which are not yielded.
        """
        last_gone = NO_NODE
        if spans:
            last_gone = bisect_left(self.elements, max(span.end for span in spans), key=tree.start.__getitem__) - 1
            cuts = unite(cuts, spans)
        for element in gone:
            place = bisect_left(self.elements, element)
            last_gone = max(last_gone, place)
            if self.separators[place] != NO_NODE:
                yield self.separators[place]
        if self.leading or self.separators[-1] != NO_NODE:
            return
        # The list ended without a separator, and must do so again.
        last = len(self.elements) - 1
        while last >= 0:
            if self.elements[last] in gone:
                last -= 1
            elif covered(cuts, tree.start[self.elements[last]], tree.end[self.elements[last]]):
                cut = cuts[bisect_right(cuts, tree.start[self.elements[last]], key=_start) - 1]
                last = min(last, bisect_left(self.elements, cut.start, key=tree.start.__getitem__)) - 1
            else:
                break
        if 0 <= last < last_gone:
            yield self.separators[last]


def separated_list(tree: Tree, parent: int) -> SeparatedList | None:
    """Return the list that the children of a node make up, if something separates them."""
    children = [child for child in tree.children(parent) if not tree.is_extra(child)]
    kind = _separator_kind(tree, children)
    if kind is None:
        return None
    at = [i for i, child in enumerate(children) if _is_fixed(tree, child) and tree.kind[child] == kind]
    leading = at[0] == 0 or not _may_be_element(tree, children[at[0] - 1], kind)
    elements: list[int] = []
    separators: list[int] = []
    for i in at:
        element = i + 1 if leading else i - 1
        if not 0 <= element < len(children) or not _may_be_element(tree, children[element], kind):
            return None
        if separators and separators[-1] != children[i - 2]:  # more than one child between two separators
            return None
        elements.append(children[element])
        separators.append(children[i])
    if not leading and at[-1] + 1 < len(children) and _may_be_element(tree, children[at[-1] + 1], kind):
        elements.append(children[at[-1] + 1])
        separators.append(NO_NODE)
    return SeparatedList(elements, separators, leading)


def _separator_kind(tree: Tree, children: Sequence[int]) -> int | None:
    """Return the kind of fixed text that stands most often between two children that are none."""
    counts: Counter[int] = Counter()
    for i, child in enumerate(children):
        if _is_fixed(tree, child) and tree.kinds[tree.kind[child]] not in _BRACKETS:
            kind = tree.kind[child]
            if i > 0 and _may_be_element(tree, children[i - 1], kind):
                counts[kind] += 1
            if i + 1 < len(children) and _may_be_element(tree, children[i + 1], kind):
                counts[kind] += 1
    most = counts.most_common(1)
    return most[0][0] if most and most[0][1] > 1 else None


def _is_fixed(tree: Tree, node: int) -> bool:
    return not tree.is_named(node) and tree.is_leaf(node)


def _may_be_element(tree: Tree, node: int, separator: int) -> bool:
    return tree.kind[node] != separator and tree.name(node) not in _BRACKETS and tree.size(node) > 0


def _start(cut: Cut) -> int:
    return cut.start
