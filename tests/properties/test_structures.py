"""What the reduction of nested data promises, for any data and any check that always answers alike."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.targets.structure import StructureReduction
from minrepro.targets.value_tree import built


@dataclass
class Part:
    left: Any
    right: Any = 0


leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-300, 300),
    st.floats(allow_nan=False, width=16),
    st.text("abZ0 \n", max_size=4),
    st.binary(max_size=3),
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
        st.frozensets(st.integers(0, 9), max_size=3),
        st.builds(Part, inner, inner),
    ),
    max_leaves=12,
)


def check_of(value: Any, salt: int, hardness: int) -> Callable[[Any], bool]:
    """Return a check without any sense that always answers alike, and accepts the value itself."""
    known = repr(value)

    def check(candidate: Any) -> bool:
        text = repr(candidate)
        return text == known or blake2b(f"{salt} {text}".encode(), digest_size=1).digest()[0] % hardness == 0

    return check


def run(value: Any, check: Callable[[Any], bool]) -> tuple[Any, int]:
    reduction = StructureReduction(value)
    asked = [0]

    def test(case: Any) -> Outcome:
        asked[0] += 1
        assert asked[0] < 20_000
        return Outcome.FAIL if check(case.value) else Outcome.PASS

    return solve(reduction(reduction.original), test).value, asked[0]


def smaller_by_one(value: Any) -> Iterator[Any]:
    """Yield the value without each single element, and with each single leaf as simple as it can be."""
    match value:
        case bool():
            yield False
        case int() | float() | str() | bytes():
            yield type(value)()
        case dict():
            for key, item in value.items():
                yield {k: v for k, v in value.items() if k != key}
                yield from ({**value, key: other} for other in smaller_by_one(item))
        case list() | tuple():
            for i, item in enumerate(value):
                yield type(value)([*value[:i], *value[i + 1 :]])
                yield from (type(value)([*value[:i], other, *value[i + 1 :]]) for other in smaller_by_one(item))
        case frozenset():
            yield from (value - {item} for item in value)
        case Part():
            if repr(value.right) != "0":
                yield replace(value, right=0)
                yield from (replace(value, right=other) for other in smaller_by_one(value.right))
            yield from (replace(value, left=other) for other in smaller_by_one(value.left))


def places(value: Any, name: str = "") -> Iterator[tuple[str, type]]:
    """Yield which types stand at which keys and fields."""
    yield name, type(value)
    match value:
        case dict():
            for key, item in value.items():
                yield from places(item, f"{name and 'dict'}[{key}]")
        case list() | tuple() | frozenset():
            for item in value:
                yield from places(item, type(value).__name__)
        case Part():
            for each in fields(value):
                yield from places(getattr(value, each.name), each.name)


@given(values, st.integers(0, 99), st.integers(2, 6))
@settings(max_examples=300, deadline=None)
def test_the_result_fails_and_nothing_single_can_go_from_it(value: Any, salt: int, hardness: int) -> None:
    check = check_of(value, salt, hardness)
    result, _ = run(value, check)
    assert check(result)
    for smaller in smaller_by_one(result):
        if repr(smaller) != repr(result):
            assert not check(smaller)


@given(values, st.integers(0, 99))
@settings(max_examples=200, deadline=None)
def test_the_input_is_not_changed_and_the_result_shares_nothing_with_it(value: Any, salt: int) -> None:
    before = copy.deepcopy(value)
    result, _ = run(value, check_of(value, salt, 3))
    assert repr(value) == repr(before)
    if isinstance(result, list | dict):
        assert result is not value


@given(values, st.integers(0, 99))
@settings(max_examples=200, deadline=None)
def test_types_are_kept(value: Any, salt: int) -> None:
    result, _ = run(value, check_of(value, salt, 3))
    assert type(result) is type(value)
    # The default of a field is an integer, whatever was there.
    assert {each for _, each in places(result)} <= {each for _, each in places(value)} | {int}


@given(values)
@settings(max_examples=200, deadline=None)
def test_data_is_built_as_it_was_read(value: Any) -> None:
    again = built(StructureReduction(value).original.root)
    assert again == value
    assert type(again) is type(value)


@given(values, st.integers(0, 99))
@settings(max_examples=100, deadline=None)
def test_the_same_check_gives_the_same_result(value: Any, salt: int) -> None:
    assert repr(run(value, check_of(value, salt, 4))) == repr(run(value, check_of(value, salt, 4)))
