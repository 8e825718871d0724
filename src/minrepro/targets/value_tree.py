"""Nested Python data as a tree of parts that is never changed: read once, edited by path, built anew for every check.

Whatever a check does with a candidate, neither the input nor any other candidate sees it: containers are built afresh.
Only what cannot be taken apart, such as an object of a class of the user's, is the very object that was given.
"""

from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping
from enum import Enum, auto
from typing import Any

from minrepro.algorithms.value_shrinking import is_leaf, size_of
from minrepro.errors import InputError

Path = tuple[int, ...]
"""Where a node is: which child to take, from the root on."""


class Kind(Enum):
    """What can be done with a node."""

    ATOM = auto()
    LEAF = auto()
    MAPPING = auto()
    SEQUENCE = auto()
    SET = auto()
    RECORD = auto()
    """A dataclass or a named tuple: fields are never removed, but may go back to their defaults."""


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A part of the data: equal parts of one tree have the same number."""

    kind: Kind
    value: Any
    """A leaf or an atom itself; of a container, one that has its type."""
    number: int
    size: int
    keys: tuple[Any, ...] = ()
    children: tuple[Node, ...] = ()
    fallible: bool = False
    """Whether building it runs code of the user's, which may refuse."""


class ValueTree:
    """Makes the nodes of one input."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._atoms: list[object] = []  # kept alive: an atom is known by its address
        self._defaults: dict[type, dict[str, Node]] = {}

    def read(self, value: object) -> Node:
        """Return a value as a tree."""
        try:
            return self._read(value, set())
        except RecursionError:
            raise InputError("the data is nested too deeply to be taken apart.") from None

    def _read(self, value: object, around: set[int]) -> Node:
        if id(value) in around:
            raise InputError(
                f"a {type(value).__name__} contains itself: only data without such cycles can be taken apart."
            )
        if is_leaf(value):
            return self.leaf(value)
        parts = _parts(value)
        if parts is None:
            return self._atom(value)
        kind, keys, items = parts
        around.add(id(value))
        children = tuple(self._read(item, around) for item in items)
        around.discard(id(value))
        node = self._container(kind, value, keys, children)
        return node if kind is not Kind.RECORD or self._is_rebuilt(node) else self._atom(value)

    def leaf(self, value: Any) -> Node:
        """Return a value that has no parts as a node."""
        told_apart = (float, repr(value)) if type(value) is float else (type(value), _frozen(value))
        return Node(Kind.LEAF, value, self._number(told_apart), size_of(value))

    def _atom(self, value: object) -> Node:
        self._atoms.append(value)
        return Node(Kind.ATOM, value, self._number(("atom", id(value))), 1)

    def _container(self, kind: Kind, like: Any, keys: tuple[Any, ...], children: tuple[Node, ...]) -> Node:
        of = type(like)
        # Two values of another class may differ in more than what they contain, such as what a defaultdict makes.
        own = 0 if of in _BUILT_IN or kind is Kind.RECORD else id(like)
        named = tuple((type(key), key) for key in keys) if kind is Kind.MAPPING else ()
        number = self._number((of, own, named, tuple(child.number for child in children)))
        fallible = dataclasses.is_dataclass(of) or any(child.fallible for child in children)
        if kind is Kind.RECORD:
            defaults = self.defaults(of)
            size = 1 + sum(
                0 if key in defaults and defaults[key].number == child.number else 1 + child.size
                for key, child in zip(keys, children, strict=True)
            )
        else:
            size = 1 + sum(child.size for child in children)
        return Node(kind, like, number, size, keys, children, fallible)

    def _number(self, content: Hashable) -> int:
        return self._numbers.setdefault(content, len(self._numbers))

    def defaults(self, of: type) -> Mapping[str, Node]:
        """Return the defaults of the fields of a class."""
        if of not in self._defaults:
            self._defaults[of] = {}  # a class may be its own default
            self._defaults[of] = {name: self.read(value) for name, value in _defaults(of)}
        return self._defaults[of]

    def _is_rebuilt(self, node: Node) -> bool:
        """Tell whether building a record from its fields gives the same fields again."""
        try:
            parts = _parts(built(node))
        except Exception:
            return False
        assert parts is not None
        return all(
            item is child.value or self._read(item, set()).number == child.number
            for item, child in zip(parts[2], node.children, strict=True)
        )

    def at_default(self, node: Node, index: int) -> bool:
        """Tell whether a child is what it would be if nothing were said of it."""
        if node.kind is not Kind.RECORD:
            return False
        default = self.defaults(type(node.value)).get(node.keys[index])
        return default is not None and default.number == node.children[index].number

    def edited(self, root: Node, edits: Iterable[tuple[Path, Node | None]]) -> Node:
        """Return the tree with other nodes at some places, None meaning nothing; no place may be inside another."""
        branches: dict[int, Any] = {}
        for path, node in edits:
            if not path:
                assert node is not None
                return node
            here = branches
            for index in path[:-1]:
                here = here.setdefault(index, {})
            here[path[-1]] = node
        return self._edited(root, branches)

    def _edited(self, node: Node, branches: dict[int, Any]) -> Node:
        if not branches:
            return node
        keys: list[Any] = []
        children: list[Node] = []
        for i, child in enumerate(node.children):
            if i in branches:
                change = branches[i]
                if change is None:
                    continue
                child = change if isinstance(change, Node) else self._edited(child, change)
            children.append(child)
            if node.keys:
                keys.append(node.keys[i])
        return self._container(node.kind, node.value, tuple(keys), tuple(children))

    def nodes(self, root: Node, within: Path = ()) -> Iterator[tuple[Path, Node]]:
        """Yield all nodes with their places, the outer before the inner; what is as by default is passed over."""
        todo = [(within, root)]
        while todo:
            path, node = todo.pop()
            yield path, node
            todo.extend(
                ((*path, i), node.children[i])
                for i in range(len(node.children) - 1, -1, -1)
                if not self.at_default(node, i)
            )


_BUILT_IN = (dict, list, tuple, set, frozenset)


def _parts(value: object) -> tuple[Kind, tuple[Any, ...], Iterable[object]] | None:
    """Return the kind of a container, the names of what is in it, and what that is; None for all else."""
    match value:
        case Enum() | type():
            return None
        case dict():
            return Kind.MAPPING, tuple(value), value.values()
        case tuple() if hasattr(value, "_fields") and hasattr(value, "_make"):
            return Kind.RECORD, tuple(value._fields), value
        case list() | deque():
            return Kind.SEQUENCE, (), value
        case tuple() if type(value) is tuple:
            return Kind.SEQUENCE, (), value
        case set() | frozenset() if type(value) in _BUILT_IN:
            # A set has no order of its own that would be the same the next time.
            return Kind.SET, (), sorted(value, key=lambda item: (type(item).__name__, repr(item)))
    if dataclasses.is_dataclass(value):
        names = tuple(field.name for field in dataclasses.fields(value) if field.init)
        return Kind.RECORD, names, [getattr(value, name) for name in names]
    return None


def _defaults(of: Any) -> Iterator[tuple[str, object]]:
    if not dataclasses.is_dataclass(of):
        yield from getattr(of, "_field_defaults", {}).items()
        return
    for field in dataclasses.fields(of):
        if field.init and field.default is not dataclasses.MISSING:
            yield field.name, field.default
        elif field.init and field.default_factory is not dataclasses.MISSING:
            yield field.name, field.default_factory()


def _frozen(value: Any) -> Hashable:
    return bytes(value) if isinstance(value, bytearray) else value


def built(node: Node) -> Any:
    """Return the data that a tree stands for, made afresh."""
    match node.kind:
        case Kind.LEAF:
            return bytearray(node.value) if isinstance(node.value, bytearray) else node.value
        case Kind.ATOM:
            return node.value
    items = [built(child) for child in node.children]
    of = type(node.value)
    if node.kind is Kind.RECORD:
        if dataclasses.is_dataclass(of):
            return dataclasses.replace(node.value, **dict(zip(node.keys, items, strict=True)))
        return of._make(items)
    if node.kind is Kind.MAPPING:
        entries = zip(node.keys, items, strict=True)
        return dict(entries) if of is dict else _refilled(node.value, entries)
    if of in _BUILT_IN:
        return of(items)
    other = copy.copy(node.value)
    other.clear()
    other.extend(items)
    return other


def _refilled(mapping: Any, entries: Iterable[tuple[Any, Any]]) -> Any:
    """Return a mapping of the same class with other entries; `update` of a Counter would add to them."""
    other = copy.copy(mapping)
    other.clear()
    for key, item in entries:
        other[key] = item
    return other
