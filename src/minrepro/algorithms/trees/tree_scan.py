"""Which parts of a tree to try next: groups of neighbours, decided list by list, the heaviest first.

The lists of children wait by weight. In a list, groups are tried back to front that may go with an even chance; a
refused group is halved by weight, and what follows from two answers is not asked. How dense the needed children lie is
learnt for each kind of parent. Names tell of a refused group which of its parts nothing else uses: these are tried
first, together. Where nothing goes from a long list of large parts, their brackets are emptied first, in groups as
well: parts that refer to each other may go once they are empty. The levels of a deep nest are a list like others.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import pairwise

from minrepro.core.edits import NONE, Cuts, unite
from minrepro.documents.syntax.bracket_bodies import bracket_body_cuts
from minrepro.documents.syntax.name_index import Names
from minrepro.documents.syntax.nested_chains import Nests, level
from minrepro.documents.syntax.tree import NO_NODE, ROOT
from minrepro.documents.syntax.tree_document import TreeDocument

_FEWEST = 8
"""In lists of so many parts at least it is tried to empty them."""
_MOST_HOLLOWED = 1024
"""In longer lists to empty the parts costs more than the tests it saves."""
_FEWEST_LEVELS = 4
"""Nests of fewer levels are no list: they become parts of themselves in the end, if they may."""
_TOO_MANY = 3
"""After so many refusals in a row it is tried to empty the parts of a list."""


class _Aim(Enum):
    """What is to become of the nodes of a list."""

    REMOVE = auto()
    EMPTY = auto()
    UNNEST = auto()
    """Each becomes the next one inside it."""


@dataclass(frozen=True)
class _Segment:
    """Neighbours in a list that are still to be decided."""

    nodes: tuple[int, ...]
    kind: int
    """The kind of their parent."""
    suspect: bool = False
    """Whether one of them at least is needed."""
    split_by_names: bool = False
    """Whether names have said already which of them nothing else uses."""
    aim: _Aim = _Aim.REMOVE
    hollowed: bool = False
    """Whether it was tried already to empty them."""
    refusals: int = 0
    """How many groups of their list were refused in a row."""


@dataclass(frozen=True)
class TreeScan:
    """A state of the search; it is always one in which something can be proposed, or the last."""

    document: TreeDocument = field(repr=False)
    names: Names | None = field(repr=False)
    nests: Nests = field(repr=False)
    config: Cuts = NONE
    segments: tuple[_Segment, ...] = ()
    waiting: tuple[tuple[int, int], ...] = ()
    """Nodes to be looked into, by weight, the heaviest last."""
    counts: Mapping[tuple[_Aim, int], tuple[int, int]] = field(default_factory=dict)
    """For each kind of parent how many nodes were needed as they are, of how many."""
    barren: Mapping[int, int] = field(default_factory=dict)
    """For each kind of parent how often nothing could be emptied since something could."""
    unnested: frozenset[int] = frozenset()
    """The outermost nodes of the nests that were looked at."""
    inside: Mapping[int, int] = field(default_factory=dict, repr=False)
    """What the levels of the nest that is looked at become."""
    group: tuple[int, ...] = ()
    """What is proposed to go now: from the end of the last segment."""
    proposed: Cuts = NONE

    @classmethod
    def of(cls, document: TreeDocument, names: Names | None) -> TreeScan:
        """Return the begin of a scan of a whole document."""
        started = cls(document, names, Nests(document.tree, _FEWEST_LEVELS))
        return started._awaiting((ROOT,))._ready()

    def proposal(self) -> Cuts | None:
        """Return the cuts to try now, or None when all is decided."""
        return self.proposed if self.group else None

    def refused(self) -> TreeScan:
        """Go on knowing that one of the group at least is needed."""
        segment = replace(self.segments[-1], refusals=self.segments[-1].refusals + 1)
        if segment.refusals == _TOO_MANY and segment.aim is _Aim.REMOVE and not segment.hollowed:
            hollowing = self._hollowing(segment)
            if hollowing is not None:
                return hollowing._ready()
        rest = segment.nodes[: -len(self.group)]
        below = self._with_rest(replace(segment, nodes=rest, suspect=False)) if rest else self.segments[:-1]
        suspects = replace(segment, nodes=self.group, suspect=True)
        state = replace(self, segments=(*below, suspects))
        return (state._without_luck(segment.kind) if segment.aim is _Aim.EMPTY else state)._ready()

    def _with_rest(self, rest: _Segment) -> tuple[_Segment, ...]:
        """Return the segments below the last with a rest of which nothing is known, as one with others of its list."""
        below = self.segments[:-1]
        last = below[-1] if below and below[-1].nodes and not below[-1].suspect else None
        if last is None or self._list_of(last) != self._list_of(rest):
            return (*below, rest)
        return (*below[:-1], replace(rest, nodes=last.nodes + rest.nodes))

    def _list_of(self, segment: _Segment) -> tuple[_Aim, int]:
        """Return what tells lists apart: the aim, and the parent; of nests only one is looked at."""
        parent = NO_NODE if segment.aim is _Aim.UNNEST else self.document.tree.parent[segment.nodes[0]]
        return segment.aim, parent

    def accepted(self) -> TreeScan:
        """Go on with the group gone, empty, or become what is inside."""
        segment = self.segments[-1]
        rest = segment.nodes[: -len(self.group)]
        counts = self._counted(segment, 0, len(self.group))
        segments = (*self.segments[:-1], replace(segment, nodes=rest, refusals=0))
        barren = {**self.barren, segment.kind: 0} if segment.aim is _Aim.EMPTY else self.barren
        return replace(self, config=self.proposed, segments=segments, counts=counts, barren=barren)._ready()

    def _hollowing(self, segment: _Segment) -> TreeScan | None:
        """Go on with emptying what is left of a list, and begin with it anew then; None if that is not worth it."""
        tree, kind = self.document.tree, segment.kind
        parent = tree.parent[segment.nodes[0]]
        at = len(self.segments)
        while at and tree.parent[self.segments[at - 1].nodes[0]] == parent:
            at -= 1
        nodes = tuple(sorted(node for part in self.segments[at:] for node in part.nodes))
        if not _FEWEST <= len(nodes) <= _MOST_HOLLOWED or self.barren.get(kind, 0) >= _patience(len(nodes)):
            return None
        emptied = sum(cut.end - cut.start for node in nodes for cut in bracket_body_cuts(tree, node))
        if 2 * emptied < sum(map(tree.size, nodes)):
            return None
        begun = (_Segment(nodes, kind, hollowed=True), _Segment(nodes, kind, aim=_Aim.EMPTY))
        return replace(self, segments=(*self.segments[:at], *begun))

    def _without_luck(self, kind: int) -> TreeScan:
        """Note that a group could not be emptied; after a few in a row no more are tried."""
        barren = self.barren.get(kind, 0) + 1
        segments = self.segments
        removal = next(segment for segment in reversed(segments) if segment.aim is _Aim.REMOVE)
        while barren >= _patience(len(removal.nodes)) and segments[-1].aim is _Aim.EMPTY:
            segments = segments[:-1]
        return replace(self, segments=segments, barren={**self.barren, kind: barren})

    def _counted(self, segment: _Segment, needed: int, seen: int) -> Mapping[tuple[_Aim, int], tuple[int, int]]:
        of = segment.aim, segment.kind
        before = self.counts.get(of, (0, 0))
        return {**self.counts, of: (before[0] + needed, before[1] + seen)}

    def _ready(self) -> TreeScan:
        """Do all that needs no test, and choose what to propose next."""
        state = replace(self, group=(), proposed=NONE)
        while True:
            if state.segments:
                segment = state.segments[-1]
                if not segment.nodes:
                    state = replace(state, segments=state.segments[:-1])
                elif segment.suspect and len(segment.nodes) == 1:
                    state = replace(state, segments=state.segments[:-1], counts=state._counted(segment, 1, 1))
                    if segment.aim is _Aim.REMOVE:
                        state = state._awaiting(segment.nodes)
                else:
                    state = state._choosing(segment)
                    if state.group:
                        return state
            elif state.waiting:
                state = replace(state, waiting=state.waiting[:-1])._opening(state.waiting[-1][1])
            else:
                return state

    def _awaiting(self, nodes: Iterable[int]) -> TreeScan:
        waiting = list(self.waiting)
        for node in nodes:
            if not self.document.tree.is_leaf(node):
                insort(waiting, (self.document.tree.weight(node), node))
        return replace(self, waiting=tuple(waiting))

    def _opening(self, node: int) -> TreeScan:
        """Make a segment of the children of a node that may go; those that may not are looked into as well."""
        document, tree = self.document, self.document.tree
        if node != ROOT and not document.is_alive(node, self.config):
            return self
        if node not in self.unnested and (nest := self.nests.at(node)):
            return self._unnesting(node, nest)
        children = [child for child in document.alive_children(node, self.config) if tree.size(child)]
        if len(children) == 1 and tree.size(children[0]) == tree.size(node) and node != ROOT:
            return self._awaiting(children)  # to remove it is to remove the node, which was refused
        free = document.removable_of(children, self.config)
        known = set(free)
        state = self._awaiting(child for child in children if child not in known)
        if not free:
            return state
        suspect = node != ROOT and len(free) == len(children)
        return replace(state, segments=(*state.segments, _Segment(free, tree.kind[node], suspect)))

    def _unnesting(self, node: int, nest: Sequence[int]) -> TreeScan:
        """Make a segment of the levels of a nest, before what is inside the node at its top."""
        left = [level for level in nest if self.document.is_alive(level, self.config)]
        state = replace(self, unnested=self.unnested | {node})._awaiting((node,))
        if len(left) <= _FEWEST_LEVELS:
            return state
        levels = _Segment(tuple(left[:-1]), self.document.tree.kind[node], aim=_Aim.UNNEST)
        return replace(state, segments=(*state.segments, levels), inside=dict(pairwise(left)))

    def _choosing(self, segment: _Segment) -> TreeScan:
        """Choose a group from the end of a segment; of a refused one first what nothing outside of it uses."""
        by_names = segment.aim is _Aim.REMOVE and segment.suspect and not segment.split_by_names
        free = self._unused(segment) if by_names else ()
        if 0 < len(free) < len(segment.nodes):
            chosen = set(free)
            kept = tuple(node for node in segment.nodes if node not in chosen)
            segment = replace(segment, nodes=(*kept, *free), split_by_names=True)
            state = replace(self, segments=(*self.segments[:-1], segment))
            return replace(state, group=free, proposed=self.document.without(free, self.config))
        group = segment.nodes[-self._size(segment) :]
        return replace(self, group=group, proposed=self._proposed(group, segment.aim))

    def _proposed(self, group: tuple[int, ...], aim: _Aim) -> Cuts:
        """Return the cuts with a group gone, empty, or become what is inside of all of it."""
        tree = self.document.tree
        if aim is _Aim.REMOVE:
            return self.document.without(group, self.config)
        if aim is _Aim.UNNEST:
            return unite(self.config, level(tree, group[0], self.inside[group[-1]]))
        return unite(self.config, (cut for node in group for cut in bracket_body_cuts(tree, node)))

    def _unused(self, segment: _Segment) -> tuple[int, ...]:
        """Return the nodes of a segment that define no name which is used outside of those returned."""
        free = segment.nodes if self.names is not None else ()
        while free and self.names is not None:
            cuts = self.document.without(free, self.config)
            unused = tuple(node for node in free if not self.names.still_used(node, cuts))
            if len(unused) == len(free):
                break
            free = unused
        return free

    def _size(self, segment: _Segment) -> int:
        """Return how many children at the end of a segment may go together with an even chance."""
        nodes = segment.nodes
        if len(nodes) == 1:
            return 1
        total = self._weight_from(segment, 0)
        if segment.suspect:
            return min(self._reaching(segment, total / 2), len(nodes) - 1)
        needed, seen = self.counts.get((segment.aim, segment.kind), (0, 0))
        rate = min((needed + 1) / (seen + max(len(nodes), 2) + 1), 0.9)
        return self._reaching(segment, math.log(2) / -math.log1p(-rate) * total / len(nodes))

    def _weight_from(self, segment: _Segment, at: int) -> int:
        """Return how much the nodes from one on weigh, with all that stands between them."""
        tree, first, last = self.document.tree, segment.nodes[at], segment.nodes[-1]
        if segment.aim is _Aim.UNNEST:
            return tree.weight(first) - tree.weight(self.inside[last])
        return tree.leaves_before[last] + tree.weight(last) - tree.leaves_before[first]

    def _reaching(self, segment: _Segment, target: float) -> int:
        """Return how many nodes from the end weigh about so much, one at least."""
        low, high = 0, len(segment.nodes) - 1
        while low < high:
            middle = (low + high) // 2
            if self._weight_from(segment, middle) <= target:
                high = middle
            else:
                low = middle + 1
        # The node before the first that fits is taken too if that comes closer.
        if low and self._weight_from(segment, low - 1) - target <= target - self._weight_from(segment, low):
            low -= 1
        return len(segment.nodes) - low


def _patience(length: int) -> int:
    """Return how many groups in a row that cannot be emptied are enough for a list so long."""
    return length.bit_length() + 1
