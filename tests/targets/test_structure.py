"""Nested Python data becomes small with its structure and its types."""

from __future__ import annotations

import json
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from enum import Enum, IntEnum
from typing import Any

import pytest

from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.errors import InputError
from minrepro.targets.structure import StructureReduction


def reduced(value: Any, fails: Callable[[Any], bool]) -> Any:
    reduction = StructureReduction(value)
    case = solve(reduction(reduction.original), lambda case: Outcome.FAIL if fails(case.value) else Outcome.PASS)
    return case.value


def checks(value: Any, fails: Callable[[Any], bool]) -> int:
    asked = []

    def counted(value: Any) -> bool:
        asked.append(value)
        return fails(value)

    reduced(value, counted)
    return len(asked)


@dataclass
class Item:
    name: str
    price: float = 1.0
    tags: list[str] = field(default_factory=lambda: ["new"])


@dataclass(frozen=True)
class Folder:
    name: str
    folders: tuple[Folder, ...] = ()


class Color(Enum):
    RED = "red"


class Level(IntEnum):
    HIGH = 9


Point = namedtuple("Point", "x y z", defaults=[5])


REQUEST = {
    "method": "POST",
    "headers": {"accept": "*/*", "cookie": "session=123"},
    "body": {"items": [{"id": i, "price": 1.5 * i, "tags": ["a", "b"]} for i in range(60)]},
}


def test_whole_subtrees_go_and_what_is_left_keeps_its_place() -> None:
    result = reduced(REQUEST, lambda r: any(i.get("price", 0) > 70 for i in r.get("body", {}).get("items", ())))
    assert result == {"body": {"items": [{"price": 70.5}]}}


def test_a_long_list_takes_few_checks() -> None:
    assert checks({"rows": list(range(10_000))}, lambda d: 7777 in d.get("rows", ())) < 80


def test_a_part_takes_the_place_of_what_holds_it_where_the_type_is_the_same() -> None:
    deep = {"a": {"b": [{"c": {"needle": 1}}]}}
    assert reduced(deep, lambda d: "needle" in json.dumps(d)) == {"needle": 0}
    assert reduced([[1], [[2, 3]]], lambda d: "3" in str(d)) == [3]
    tree = Folder("root", (Folder("left"), Folder("right", (Folder("bad"),))))
    assert reduced(tree, lambda f: "bad" in str(f)) == Folder("bad")


def test_a_dict_is_not_replaced_by_a_list_nor_a_number_by_a_text() -> None:
    result = reduced({"a": [1, 2, 3]}, lambda d: "2" in json.dumps(d))
    assert result == {"a": [2]}


def test_a_dataclass_keeps_its_class_and_fields_go_back_to_their_defaults() -> None:
    item = Item("Lamp", 99.5, ["sale", "blue", "large"])
    assert reduced(item, lambda i: i.price > 50) == Item("", 51.0)
    assert reduced(item, lambda i: "blue" in i.tags) == Item("", 1.0, ["blue"])
    assert reduced(item, lambda i: i.name != "") == Item("a")


def test_a_default_is_simpler_than_anything_else() -> None:
    assert reduced(Item("x", 0.0, []), lambda i: True) == Item("")


def test_what_a_class_does_not_accept_is_not_tried() -> None:
    seen: list[str] = []

    @dataclass
    class Named:
        name: str

        def __post_init__(self) -> None:
            if len(self.name) < 3:
                raise ValueError("too short")

    def fails(value: Any) -> bool:
        seen.append(value["user"].name if "user" in value else "none")
        return "user" in value

    assert reduced({"user": Named("Robert")}, fails)["user"] == Named("aaa")
    assert all(len(name) >= 3 for name in seen)


def test_objects_that_cannot_be_made_from_their_fields_are_left_alone() -> None:
    @dataclass
    class Doubled:
        n: int

        def __post_init__(self) -> None:
            self.n *= 2

    @dataclass
    class Opened:
        name: str
        mode: InitVar[str]

    doubled, opened = Doubled(4), Opened("file", "r")
    result = reduced([doubled, opened, 5], lambda v: len(v) == 3)
    assert result[0] is doubled
    assert result[1] is opened
    assert result[2] == 0


def test_a_named_tuple_keeps_its_fields() -> None:
    assert reduced(Point(10, 20, 30), lambda p: p.y > 7) == Point(0, 8, 5)
    assert type(reduced({"p": Point(1, 2, 3)}, lambda d: "p" in d)["p"]) is Point


def test_enums_none_and_objects_of_other_classes_are_left_alone() -> None:
    other = object()
    value = [Color.RED, Level.HIGH, None, other, 3 + 4j]
    assert reduced(value, lambda v: len(v) == 5) == value


def test_sets_and_bytes_and_booleans_become_small() -> None:
    value = {"s": {3, 1, 2}, "f": frozenset("abc"), "b": b"abc", "t": True, "u": (1, 2)}
    result = reduced(value, lambda v: 3 in v.get("s", ()) and "b" in v.get("f", ()) and b"c" in v.get("b", b""))
    assert result == {"s": {3}, "f": frozenset("b"), "b": b"c"}
    assert reduced({"t": True}, lambda v: "t" in v) == {"t": False}


def test_collections_keep_their_classes() -> None:
    groups = defaultdict(list, {"x": [1, 2], "y": [3]})
    result = reduced(groups, lambda v: 3 in v["y"])
    assert result == {"y": [3]}
    assert result["new"] == []
    assert reduced(Counter("aab"), lambda v: v["a"] > 1) == Counter({"a": 2})
    assert type(reduced(OrderedDict(a=1, b=2), lambda v: "b" in v)) is OrderedDict
    assert reduced(deque([1, 2, 3], maxlen=5), lambda v: len(v) > 1) == deque([0, 0])


def test_a_check_that_changes_its_candidate_changes_nothing_else() -> None:
    value = {"rows": [{"n": 1}, {"n": 2}, {"n": 3}], "size": 3}

    def destroys(candidate: Any) -> bool:
        found = any(row.get("n") == 2 for row in candidate.get("rows", ()))
        for row in candidate.get("rows", ()):
            row.clear()
        candidate.clear()
        return found

    assert reduced(value, destroys) == {"rows": [{"n": 2}]}
    assert value == {"rows": [{"n": 1}, {"n": 2}, {"n": 3}], "size": 3}


def test_data_that_contains_itself_is_refused_and_shared_data_is_not() -> None:
    circle: list[Any] = [1]
    circle.append({"again": circle})
    with pytest.raises(InputError, match="a list contains itself"):
        StructureReduction(circle)
    shared = {"n": 1}
    assert reduced([shared, shared], lambda v: len(v) == 2) == [{}, {}]


def test_data_that_is_nested_too_deeply_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError, match="too deeply"):
        StructureReduction(deep)
    while deep:  # Python's own clean-up of such a list is recursive
        deep = deep.pop()


def test_candidates_that_are_equal_are_known_to_be_and_others_are_not() -> None:
    reduction = StructureReduction([0.0, -0.0, 1, True, 1.0])
    numbers = {node.number for node in reduction.original.root.children}
    assert len(numbers) == 5
