"""Group testing on trees: the fewest tests for a document with structure.

The lists of children wait by weight, the heaviest first. In a list, groups are tried back to front that may go with an
even chance; a refused group is halved by weight, and what follows from two answers is not asked. How dense the needed
children lie is learnt for each kind of parent. Names tell of a refused group which of its parts nothing else uses:
these are tried first, together. Where nothing goes from a long list of large parts, their brackets are emptied first,
in groups as well: parts that refer to each other may go once they are empty. Then nodes become parts of themselves
where that drops only what could not go alone. In the end every node that is left is tried alone, so that the result is
1-tree-minimal whatever the guesses were.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from minrepro.algorithms.hdd import breadth_first
from minrepro.algorithms.hoist import drops_only_what_cannot_go_alone, hoist
from minrepro.algorithms.refusals import run_scan
from minrepro.documents.hollowing import hollow
from minrepro.documents.names import Names
from minrepro.documents.tree import ROOT
from minrepro.documents.treedocument import TreeDocument
from minrepro.edits import NONE, Cuts, unite
from minrepro.search import Candidate, Reduction, first

_MOST_LEAVES = 200_000
"""Up to this many leaves names are looked at; in larger documents that costs more than the tests it saves."""

_FEWEST = 8
"""In lists of so many parts at least it is tried to empty them."""
_MOST_HOLLOWED = 1024
"""In longer lists to empty the parts costs more than the tests it saves."""
_TOO_MANY = 3
"""After so many refusals in a row it is tried to empty the parts of a list."""


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
    hollowing: bool = False
    """Whether they are to be emptied, not to go."""
    hollowed: bool = False
    """Whether it was tried already to empty them."""
    refusals: int = 0
    """How many groups of their list were refused in a row."""


@dataclass(frozen=True)
class _Groups:
    """A state of the search; it is always one in which something can be proposed, or the last."""

    document: TreeDocument = field(repr=False)
    names: Names | None = field(repr=False)
    config: Cuts
    segments: tuple[_Segment, ...] = ()
    waiting: tuple[tuple[int, int], ...] = ()
    """Nodes to be looked into, by weight, the heaviest last."""
    counts: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """For each kind of parent how many children were needed, of how many; as ~kind, how many could not be emptied."""
    barren: Mapping[int, int] = field(default_factory=dict)
    """For each kind of parent how often nothing could be emptied since something could."""
    group: tuple[int, ...] = ()
    """What is proposed to go now: from the end of the last segment."""
    proposed: Cuts = NONE

    def proposal(self) -> Cuts | None:
        """Return the cuts to try now, or None when all is decided."""
        return self.proposed if self.group else None

    def refused(self) -> _Groups:
        """Go on knowing that one of the group at least is needed."""
        segment = replace(self.segments[-1], refusals=self.segments[-1].refusals + 1)
        if segment.refusals == _TOO_MANY and not (segment.hollowing or segment.hollowed):
            hollowing = self._hollowing(segment)
            if hollowing is not None:
                return hollowing._ready()
        rest = segment.nodes[: -len(self.group)]
        below = (replace(segment, nodes=rest, suspect=False),) if rest else ()
        suspects = replace(segment, nodes=self.group, suspect=True)
        state = replace(self, segments=(*self.segments[:-1], *below, suspects))
        return (state._without_luck(segment.kind) if segment.hollowing else state)._ready()

    def accepted(self) -> _Groups:
        """Go on without the group, or with it empty."""
        segment = self.segments[-1]
        rest = segment.nodes[: -len(self.group)]
        counts = self._counted(~segment.kind if segment.hollowing else segment.kind, 0, len(self.group))
        segments = (*self.segments[:-1], replace(segment, nodes=rest, refusals=0))
        barren = {**self.barren, segment.kind: 0} if segment.hollowing else self.barren
        return replace(self, config=self.proposed, segments=segments, counts=counts, barren=barren)._ready()

    def _hollowing(self, segment: _Segment) -> _Groups | None:
        """Go on with emptying what is left of a list, and begin with it anew then; None if that is not worth it."""
        tree, kind = self.document.tree, segment.kind
        parent = tree.parent[segment.nodes[0]]
        at = len(self.segments)
        while at and tree.parent[self.segments[at - 1].nodes[0]] == parent:
            at -= 1
        nodes = tuple(sorted(node for part in self.segments[at:] for node in part.nodes))
        if not _FEWEST <= len(nodes) <= _MOST_HOLLOWED or self.barren.get(kind, 0) >= _patience(len(nodes)):
            return None
        emptied = sum(cut.end - cut.start for node in nodes for cut in hollow(tree, node))
        if 2 * emptied < sum(map(tree.size, nodes)):
            return None
        begun = (_Segment(nodes, kind, hollowed=True), _Segment(nodes, kind, hollowing=True))
        return replace(self, segments=(*self.segments[:at], *begun))

    def _without_luck(self, kind: int) -> _Groups:
        """Note that a group could not be emptied; after a few in a row no more are tried."""
        barren = self.barren.get(kind, 0) + 1
        segments = self.segments
        removal = next(segment for segment in reversed(segments) if not segment.hollowing)
        while barren >= _patience(len(removal.nodes)) and segments[-1].hollowing:
            segments = segments[:-1]
        return replace(self, segments=segments, barren={**self.barren, kind: barren})

    def _counted(self, kind: int, needed: int, seen: int) -> Mapping[int, tuple[int, int]]:
        before = self.counts.get(kind, (0, 0))
        return {**self.counts, kind: (before[0] + needed, before[1] + seen)}

    def _ready(self) -> _Groups:
        """Do all that needs no test, and choose what to propose next."""
        state = replace(self, group=(), proposed=NONE)
        while True:
            if state.segments:
                segment = state.segments[-1]
                if not segment.nodes:
                    state = replace(state, segments=state.segments[:-1])
                elif segment.suspect and len(segment.nodes) == 1 and segment.hollowing:
                    state = replace(state, segments=state.segments[:-1], counts=state._counted(~segment.kind, 1, 1))
                elif segment.suspect and len(segment.nodes) == 1:
                    counts = state._counted(segment.kind, 1, 1)
                    state = replace(state, segments=state.segments[:-1], counts=counts)._awaiting(segment.nodes)
                else:
                    state = state._choosing(segment)
                    if state.group:
                        return state
            elif state.waiting:
                state = replace(state, waiting=state.waiting[:-1])._opening(state.waiting[-1][1])
            else:
                return state

    def _awaiting(self, nodes: Iterable[int]) -> _Groups:
        waiting = list(self.waiting)
        for node in nodes:
            if not self.document.tree.is_leaf(node):
                insort(waiting, (self.document.tree.weight(node), node))
        return replace(self, waiting=tuple(waiting))

    def _opening(self, node: int) -> _Groups:
        """Make a segment of the children of a node that may go; those that may not are looked into as well."""
        document, tree = self.document, self.document.tree
        if node != ROOT and not document.is_alive(node, self.config):
            return self
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

    def _choosing(self, segment: _Segment) -> _Groups:
        """Choose a group from the end of a segment; of a refused one first what nothing outside of it uses."""
        if segment.hollowing:
            group = segment.nodes[-self._size(segment) :]
            emptied = (cut for node in group for cut in hollow(self.document.tree, node))
            return replace(self, group=group, proposed=unite(self.config, emptied))
        free = self._unused(segment) if segment.suspect and not segment.split_by_names else ()
        if 0 < len(free) < len(segment.nodes):
            chosen = set(free)
            kept = tuple(node for node in segment.nodes if node not in chosen)
            segment = replace(segment, nodes=(*kept, *free), split_by_names=True)
            state = replace(self, segments=(*self.segments[:-1], segment))
            return replace(state, group=free, proposed=self.document.without(free, self.config))
        group = segment.nodes[-self._size(segment) :]
        return replace(self, group=group, proposed=self.document.without(group, self.config))

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
        total = self._weight_from(nodes, 0)
        if segment.suspect:
            return min(self._reaching(nodes, total / 2), len(nodes) - 1)
        needed, seen = self.counts.get(~segment.kind if segment.hollowing else segment.kind, (0, 0))
        rate = min((needed + 1) / (seen + max(len(nodes), 2) + 1), 0.9)
        return self._reaching(nodes, math.log(2) / -math.log1p(-rate) * total / len(nodes))

    def _weight_from(self, nodes: tuple[int, ...], at: int) -> int:
        """Return how much the nodes from one on weigh, with all that stands between them."""
        tree = self.document.tree
        return tree.leaves_before[nodes[-1]] + tree.weight(nodes[-1]) - tree.leaves_before[nodes[at]]

    def _reaching(self, nodes: tuple[int, ...], target: float) -> int:
        """Return how many nodes from the end weigh about so much, one at least."""
        low, high = 0, len(nodes) - 1
        while low < high:
            middle = (low + high) // 2
            if self._weight_from(nodes, middle) <= target:
                high = middle
            else:
                low = middle + 1
        # The node before the first that fits is taken too if that comes closer.
        if low and self._weight_from(nodes, low - 1) - target <= target - self._weight_from(nodes, low):
            low -= 1
        return len(nodes) - low


def _patience(length: int) -> int:
    """Return how many groups in a row that cannot be emptied are enough for a list so long."""
    return length.bit_length() + 1


def treegroups(document: TreeDocument, *, hints: bool = True) -> Reduction[Cuts]:
    """Return 1-tree-minimal cuts with about as few tests as any algorithm needs."""
    document.collapsing = True
    names = Names(document.tree) if hints and len(document.tree.leaves) < _MOST_LEAVES else None
    started = _Groups(document, names, NONE, waiting=((document.tree.weight(ROOT), ROOT),))
    scan = yield from run_scan(started._ready(), "tree")
    before, cuts = None, scan.config
    while cuts != before:
        before = cuts
        cuts = yield from hoist(document, cuts, promising=drops_only_what_cannot_go_alone)
        cuts = yield from sweep_backward(document, cuts)
    return cuts


@dataclass(frozen=True)
class _Single(Candidate[Cuts]):
    position: int = 0


def sweep_backward(document: TreeDocument, cuts: Cuts) -> Reduction[Cuts]:
    """Try to remove single nodes, from the end of the document to its begin, until a whole round changes nothing."""
    changed = True
    while changed:
        changed = False
        nodes = sorted(breadth_first(document, cuts))
        position = len(nodes)
        while position:
            found = yield from first(_backward(document, nodes, position, cuts), "sweep")
            if found is None:
                break
            cuts, position, changed = found.config, found.position, True
        while (cleared := (yield from first(map(Candidate, document.without_stand_ins(cuts)), "sweep"))) is not None:
            cuts, changed = cleared.config, True
    return cuts


def _backward(document: TreeDocument, nodes: list[int], position: int, cuts: Cuts) -> Iterator[_Single]:
    for at in range(position - 1, -1, -1):
        if document.is_alive(nodes[at], cuts) and document.removable(nodes[at], cuts):
            yield _Single(document.without((nodes[at],), cuts), position=at)
