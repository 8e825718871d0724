"""A tree with its parser: what is left of a document under some cuts, and whether that still parses.

The parser alone knows its grammar in every state, so that what is right is asked of it, not guessed. In a large text
the answer for one place is the answer for all places of the same shape, so that a few hundred questions tell about a
million nodes; a candidate that combines several cuts is parsed as a whole before it is proposed, unless it is very
large.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import neg
from typing import Protocol

from minrepro.core.edits import NONE, Cut, Cuts, Join, apply, covered, moved, unite
from minrepro.documents.syntax.excerpt import far_from
from minrepro.documents.syntax.separated_lists import SeparatedList, separated_list
from minrepro.documents.syntax.tree import ROOT, Badness, Tree

MANY = 512
"""From this many siblings on, they are looked at by their kinds, not one by one."""

_VERY_LARGE = 1 << 17
"""From this many bytes on, cuts whose shapes are each known to be right are taken to be right together."""

_SMALL = 2048
"""Up to this many bytes it costs little to ask about each place, and shapes never tell all."""

_BROKEN = 5
"""If more than one in so many bytes is in errors, errors elsewhere tell nothing about what may go."""

_REMEMBERED = 512
"""For how many sets of cuts it is remembered how badly the document parses with them."""


class Syntax(Protocol):
    """A parser that is asked how badly texts parse which differ little from each other."""

    def badness(self, data: bytes) -> Badness:
        """Return the number of errors in a text, and the bytes in them."""
        ...

    def spans(self, data: bytes, start: int, end: int) -> Sequence[str]:
        """Return the kinds of all named nodes of a text that span exactly these bytes, but for space at their ends."""
        ...


class ParsedTree:
    """A tree together with its syntax; a configuration is the set of cuts made so far."""

    def __init__(self, tree: Tree, syntax: Syntax | None = None, *, join: Join | None = None) -> None:
        self.tree = tree
        self.syntax = syntax
        self.allowed = syntax.badness(tree.data) if syntax is not None else (0, 0)
        self.strict = syntax is not None and _BROKEN * self.allowed[1] <= len(tree.data)
        """Whether candidates must parse no worse than the input; without a parser that knows its language all do."""
        self.join = join
        self._lists: dict[int, SeparatedList | None] = {}
        self._forms: dict[object, int | None] = {}
        self._measured: dict[Cuts, Badness] = {}
        self._here: tuple[Cuts, dict[object, int | None]] = (NONE, {})
        self._sized: tuple[Cuts, int] = (NONE, len(tree.data))

    def render(self, cuts: Cuts) -> bytes:
        """Return the document without what is cut; what a cut brings together is kept from becoming one token."""
        return apply(self.tree.data, cuts, self.join)

    def is_alive(self, node: int, cuts: Cuts) -> bool:
        """Tell whether anything of a node is still there as it was."""
        return not covered(cuts, self.tree.start[node], self.tree.end[node])

    def alive_children(self, node: int, cuts: Cuts) -> Iterator[int]:
        """Yield the children of a node that are not cut, from left to right.

        Of a node that became a part far inside of it, that part: nothing is left of what is in between.
        """
        tree = self.tree
        if self.is_untouched(tree.start[node], tree.end[node], cuts):
            yield from tree.children(node)
        elif node != ROOT and tree.parent[core := self._core(node, cuts)] != node != core:
            yield core
        elif tree.after[node] - node < MANY:
            yield from (child for child in tree.children(node) if self.is_alive(child, cuts))
        else:
            yield from self._alive_of_many(tree.children_of(node), cuts)

    def _alive_of_many(self, children: Sequence[int], cuts: Cuts) -> Iterator[int]:
        """Yield the children that are not cut, stepping over each cut at once."""
        at = 0
        while at < len(children):
            child = children[at]
            cut = bisect_right(cuts, self.tree.start[child], key=start_of) - 1
            if cut >= 0 and self.tree.end[child] <= cuts[cut].end and self.tree.start[child] < cuts[cut].end:
                at = bisect_right(children, cuts[cut].end, lo=at + 1, key=self.tree.end.__getitem__)
                continue
            if self.is_alive(child, cuts):
                yield child
            at += 1

    def _core(self, node: int, cuts: Cuts) -> int:
        """Return the part that a node became when all around it was cut, or the node itself."""
        tree = self.tree
        start, end = tree.start[node], tree.end[node]
        before = bisect_right(cuts, start, key=start_of) - 1
        behind = bisect_left(cuts, end, key=_end_of)
        if before >= 0 and start < cuts[before].end and not cuts[before].text:
            start = cuts[before].end
        if behind < len(cuts) and cuts[behind].start < end and not cuts[behind].text:
            end = cuts[behind].start
        if start >= end:
            return node
        # Nodes that begin at one place stand inside each other, so that where they end tells which it is.
        first = bisect_left(tree.start, start, node, tree.after[node])
        last = bisect_right(tree.start, start, first, tree.after[node])
        part = bisect_left(tree.end, -end, first, last, key=neg)
        if part < last and tree.end[part] == end:
            return part
        # None begins there: then the smallest that begins where the node does and holds all that is left.
        last = bisect_right(tree.start, tree.start[node], node, tree.after[node])
        return bisect_right(tree.end, -end, node, last, key=neg) - 1

    def is_untouched(self, start: int, end: int, cuts: Cuts) -> bool:
        """Tell whether nothing of a span is cut."""
        at = bisect_right(cuts, start, key=start_of)
        return (at == 0 or cuts[at - 1].end <= start) and (at == len(cuts) or cuts[at].start >= end)

    def parses(self, cuts: Cuts) -> bool:
        """Tell whether the document with these cuts parses no worse than it did."""
        return not self.strict or self.no_worse(cuts, self.allowed)

    def no_worse(self, cuts: Cuts, allowed: Badness) -> bool:
        """Tell whether the document with these cuts parses no worse than this."""
        count, size = self.badness_of(cuts)
        return count <= allowed[0] and size <= allowed[1]

    @property
    def _parser(self) -> Syntax:
        assert self.syntax is not None, "only who is strict asks a parser"
        return self.syntax

    def badness_of(self, cuts: Cuts) -> Badness:
        """Return how badly the document with these cuts parses, which is remembered: searches ask again."""
        known = self._measured.get(cuts)
        if known is None:
            if len(self._measured) >= _REMEMBERED:
                self._measured.clear()
            known = self._measured[cuts] = self._parser.badness(self.render(cuts))
        return known

    def may_be_proposed(self, cuts: Cuts) -> bool:
        """Tell whether a candidate parses no worse than the input, as far as that can be known at a small cost."""
        return not self.strict or self.is_very_large(cuts) or self.parses(cuts)

    def settle(self, cuts: Cuts) -> None:
        """Note that the document is now this one, so that the next candidates must parse no worse than it does."""
        if self.syntax is not None and not self.is_very_large(cuts):
            self.allowed = min(self.allowed, self.badness_of(cuts))

    @property
    def knowledge(self) -> int:
        """How many shapes the parser was asked about."""
        return len(self._forms)

    def forget_behind(self, knowledge: int) -> None:
        """Forget all that was learnt since so much was known."""
        while len(self._forms) > knowledge:
            self._forms.popitem()

    def learn(
        self, place: object, cuts: Cuts, shape_of: Callable[[], object], ask: Callable[[], int | None]
    ) -> int | None:
        """Return the answer for a shape, asking only the first time; where little is left, for this very place."""
        if self._size(cuts) < _SMALL:
            if self._here[0] is not cuts:
                self._here = cuts, {}
            answers = self._here[1]
            if place not in answers:
                answers[place] = ask()
            return answers[place]
        shape = shape_of()
        if shape not in self._forms:
            answer = ask()  # which may learn about other shapes on the way
            self._forms[shape] = answer
        return self._forms[shape]

    def separated(self, parent: int) -> SeparatedList | None:
        """Return the list that the children of a node make up, if something separates them."""
        if parent not in self._lists:
            self._lists[parent] = separated_list(self.tree, parent)
        return self._lists[parent]

    def asked_about(self, node: int, cuts: Cuts) -> Cuts:
        """Return the cuts of the text in which the parser is asked about a node: of a very large one a miniature."""
        if not self.is_very_large(cuts):
            return cuts
        far = far_from(self.tree, node, self.separated, lambda other: self.is_alive(other, cuts))
        small = unite(cuts, far)
        return small if not self.is_very_large(small) and self.badness_of(small) <= self.allowed else cuts

    def is_very_large(self, cuts: Cuts) -> bool:
        """Tell whether what is left of the document is too large to be parsed as a whole again and again."""
        return self._size(cuts) >= _VERY_LARGE

    def _size(self, cuts: Cuts) -> int:
        """Return how many bytes of the document are left, remembered for the cuts that were asked about last."""
        if self._sized[0] is not cuts:
            self._sized = cuts, len(self.tree.data) - sum(cut.end - cut.start for cut in cuts)
        return self._sized[1]

    def kinds_in_place_of(self, node: int, cuts: Cuts) -> Sequence[str]:
        """Return the kinds of the nodes that are now exactly what is left of a node."""
        span = (moved(self.tree.data, cuts, at, self.join) for at in (self.tree.start[node], self.tree.end[node]))
        return self._parser.spans(self.render(cuts), *span)

    def only_child_kinds(self, node: int, cuts: Cuts) -> list[str]:
        """Return the kinds of what is left below a node as long as it is only one part: their spans are its own."""
        kinds: list[str] = []
        while len(children := list(islice(self.alive_children(node, cuts), 2))) == 1:
            node = children[0]
            kinds.append(self.tree.name(node))
        return kinds


def start_of(cut: Cut) -> int:
    """Return where a cut begins."""
    return cut.start


def _end_of(cut: Cut) -> int:
    return cut.end
