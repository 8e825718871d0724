"""Nested Python data: whole subtrees go first, then parts take the place of what holds them, then values shrink.

Types are kept everywhere: a dict stays a dict, an integer an integer, a dataclass its class, and only a part of the
same type takes the place of another. The result is 1-minimal: no single key, element or field with a default can go,
and no value can become the simplest of its type. Each phase is group testing, so that much goes in few checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from minrepro.algorithms.value_shrinking import keep_few, rank, shrink, simplest
from minrepro.core.search import Candidate, Reduction, Search, T, first
from minrepro.targets.value_tree import Kind, Node, Path, ValueTree, built

_CONTAINERS = (Kind.MAPPING, Kind.SEQUENCE, Kind.SET)


class StructureCase:
    """A candidate: told apart by its content, built for whoever asks."""

    __slots__ = ("root",)

    def __init__(self, root: Node) -> None:
        self.root = root

    @property
    def value(self) -> Any:
        """The data itself, made afresh."""
        return built(self.root)

    @property
    def can_be_built(self) -> bool:
        """Whether the classes of the data accept it."""
        if not self.root.fallible:
            return True
        try:
            built(self.root)
        except Exception:
            return False
        return True

    @property
    def memory_key(self) -> int:
        """What stands for the case where verdicts are remembered."""
        return self.root.number

    def __len__(self) -> int:
        return self.root.size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StructureCase) and self.root.number == other.root.number

    def __hash__(self) -> int:
        return self.root.number


@dataclass(frozen=True)
class _Inside(Candidate[StructureCase]):
    inner: Candidate[Any] | None = None


@dataclass(frozen=True)
class _Hoisted(Candidate[StructureCase]):
    turn: int = 0
    """Which of the nodes was replaced."""


class StructureReduction:
    """Reduces one value: `original` is its case, and a call of it with a case is a reduction."""

    def __init__(self, value: object) -> None:
        self._tree = ValueTree()
        self.original = StructureCase(self._tree.read(value))

    def __call__(self, case: StructureCase) -> Reduction[StructureCase]:
        """Return the smallest case that all phases lead to, each of which found nothing more in it."""
        root = case.root
        while True:
            before = root.number
            for phase in (self._drop, self._hoist, self._simplify, self._shrink):
                root = yield from phase(root)
            if root.number == before:
                return StructureCase(root)

    def _drop(self, root: Node) -> Reduction[Node]:
        """Drop what is not needed, level by level from the top: what goes with its parent is never asked for."""
        depth = 0
        while (items := self._droppable(root, depth)) is not None:
            if items:
                at_level, sizes = root, [node.size for _, node, _ in items]

                def without(kept: Sequence[int], root: Node = at_level, items: Any = items) -> Node:
                    stays = set(kept)
                    gone = ((path, instead) for i, (path, _, instead) in enumerate(items) if i not in stays)
                    return self._tree.edited(root, gone)

                kept = yield from self._embed(keep_few(len(items), _same, sizes.__getitem__), without, "drop")
                root = without(kept)
            depth += 1
        return root

    def _droppable(self, root: Node, depth: int) -> list[tuple[Path, Node, Node | None]] | None:
        """Return what can go from containers at a depth, with what comes instead; None where it ends."""
        holders = [(path, node) for path, node in self._tree.nodes(root) if len(path) == depth]
        if not holders:
            return None
        items: list[tuple[Path, Node, Node | None]] = []
        for path, node in holders:
            defaults = self._tree.defaults(type(node.value)) if node.kind is Kind.RECORD else {}
            for i, child in enumerate(node.children):
                if node.kind in _CONTAINERS:
                    items.append(((*path, i), child, None))
                elif node.keys[i] in defaults and not self._tree.at_default(node, i):
                    items.append(((*path, i), child, defaults[node.keys[i]]))
        return items

    def _hoist(self, root: Node) -> Reduction[Node]:
        """Put the nearest parts of the same type in the place of what holds them."""
        turn = 0
        while True:
            found = yield from first(self._hoists(root, turn), "hoist")
            if found is None:
                return root
            root, turn = found.config.root, found.turn

    def _hoists(self, root: Node, begin: int) -> Iterator[_Hoisted]:
        holders = [(path, node) for path, node in self._tree.nodes(root) if node.children]
        for turn in range(begin, len(holders)):
            path, node = holders[turn]
            for part in _nearest(node):
                case = StructureCase(self._tree.edited(root, [(path, part)]))
                if len(case) < root.size and case.can_be_built:
                    yield _Hoisted(case, turn=turn)

    def _leaves(self, root: Node) -> list[tuple[Path, Node]]:
        """Return the values that are not yet the simplest of their type."""
        nodes = self._tree.nodes(root)
        return [
            (path, node)
            for path, node in nodes
            if node.kind is Kind.LEAF and rank(node.value) != rank(simplest(node.value))
        ]

    def _simplify(self, root: Node) -> Reduction[Node]:
        """Make as many values as possible the simplest of their type."""
        leaves = self._leaves(root)

        def simpler(kept: Sequence[int]) -> Node:
            stays = set(kept)
            plain = ((p, self._tree.leaf(simplest(n.value))) for i, (p, n) in enumerate(leaves) if i not in stays)
            return self._tree.edited(root, plain)

        return simpler((yield from self._embed(keep_few(len(leaves), _same), simpler, "simplest values")))

    def _shrink(self, root: Node) -> Reduction[Node]:
        """Shrink one value after the other."""
        for path, node in self._leaves(root):
            here = root

            def with_value(value: Any, root: Node = here, path: Path = path) -> Node:
                return self._tree.edited(root, [(path, self._tree.leaf(value))])

            root = with_value((yield from self._embed(shrink(node.value), with_value, "values")))
        return root

    def _embed(self, reduction: Reduction[T], into: Callable[[Any], Node], label: str) -> Reduction[T]:
        """Run a reduction of a part inside the whole; what the classes of the data do not accept is passed over."""
        try:
            search = next(reduction)
            while True:
                found = yield Search(self._embedded(search.candidates, into), label)
                search = reduction.send(found.inner if isinstance(found, _Inside) else None)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _embedded(self, candidates: Iterable[Candidate[Any]], into: Callable[[Any], Node]) -> Iterator[_Inside]:
        for candidate in candidates:
            case = StructureCase(into(candidate.config))
            if case.can_be_built:
                yield _Inside(case, candidate.wanted, candidate)


def _same(kept: Sequence[int]) -> Sequence[int]:
    return kept


def _nearest(node: Node) -> Iterator[Node]:
    """Yield the parts of a node that have its type, without what is inside them."""
    todo = list(reversed(node.children))
    while todo:
        part = todo.pop()
        if type(part.value) is type(node.value) and part.kind is node.kind:
            yield part
        else:
            todo.extend(reversed(part.children))
