"""Makes single values smaller: numbers towards 0, text and bytes shorter and plainer.

Every candidate comes before the value it replaces in a well-founded order (`rank`), so that shrinking ends. `smaller`
is for JSON, where a number is a number; `shrink` keeps the type of a Python value.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from minrepro.algorithms.lists.group_testing import grouping
from minrepro.core.search import Candidate, Reduction, embed, first

Leaf = bool | int | float | str | bytes | bytearray
"""What can be shrunk; values of any other type, and of subclasses of these, are left alone."""
Json = Any

T = TypeVar("T")

_DIGITS = re.compile(r"\d+")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_MOST_DIGITS = 19
"""A longer row of digits is no number but text."""
_ENDLESS = 1000
"""Ranks infinity and not-a-number behind all other numbers."""
_SIMPLEST: dict[type, Any] = {bool: False, int: 0, float: 0.0, str: "", bytes: b"", bytearray: bytearray()}


def is_leaf(value: object) -> bool:
    """Tell whether a value can be shrunk."""
    return type(value) in _SIMPLEST


def simplest(value: Leaf) -> Leaf:
    """Return the simplest value of the same type."""
    found: Leaf = _SIMPLEST[type(value)]
    return bytearray() if isinstance(found, bytearray) else found


def size_of(value: Leaf) -> int:
    """Return how much there is of a value; never more for a value of lower rank."""
    if isinstance(value, float):
        return int(rank(value)[0])
    if isinstance(value, int):
        return 1 + value.bit_length() // 4 + (value < 0)
    return 1 + len(value)


def rank(value: Leaf) -> tuple[Any, ...]:
    """Return what orders the values of a type from the simplest on."""
    match value:
        case float():
            finite = math.isfinite(value)
            size = len(repr(value)) if finite else _ENDLESS
            return size, abs(value) if finite else 0.0, math.copysign(1, value) < 0, repr(value)
        case int():
            return abs(value), value < 0
        case str():
            return len(value), sum(map(_is_fancy, value)), value
        case _:
            return len(value), len(value) - value.count(0), bytes(value)


def shrink(value: Leaf) -> Reduction[Any]:
    """Return a value of the same type that no simple change makes smaller; the simplest is tried first."""
    if rank(value) == rank(simplest(value)):
        return value
    found = yield from first([Candidate(simplest(value))], "simplest value")
    if found is not None:
        return found.config
    match value:
        case str():
            return (yield from _shrink_text(value))
        case bytes() | bytearray():
            return (yield from _shrink_bytes(value))
        case _:
            return (yield from _descend(value, _simpler_numbers))


def keep_few(
    count: int, into: Callable[[Sequence[int]], Any], weight: Callable[[int], float] | None = None
) -> Reduction[tuple[int, ...]]:
    """Return which of so many things must be kept: none if possible, else a 1-minimal part found by group testing."""
    if not count:
        return ()
    found = yield from first([Candidate(into(()))], "none")
    if found is not None:
        return ()
    return (yield from embed(grouping(range(count), weight=weight), into=into))


def _descend(value: T, smaller_ones: Callable[[Any], Iterator[Any]]) -> Reduction[T]:
    """Go from a value to the first smaller one that will do, as long as there is one."""
    while True:
        candidates = (Candidate(other) for other in _below(value, smaller_ones(value)))
        found = yield from first(candidates, "value")
        if found is None:
            return value
        value = found.config


def _below(value: Any, others: Iterator[Any]) -> Iterator[Any]:
    limit, seen = rank(value), set()
    for other in others:
        place = rank(other)
        if place < limit and place not in seen:
            seen.add(place)
            yield other


def _simpler_numbers(value: int | float) -> Iterator[int | float]:
    """Yield numbers of the same type: 0 and 1, the positive one, fewer digits, then ever nearer to what there is."""
    kind, sign = type(value), -1 if value < 0 else 1
    yield from (kind(0), kind(1), kind(-1))
    if _is_endless(value):
        yield kind("inf")
        return
    yield -value
    size = abs(int(value))
    if size < 10**_MOST_DIGITS:
        yield from (kind(sign * int(str(size)[:count])) for count in range(1, len(str(size))))
    else:
        yield from (kind(sign * 10**digits) for digits in (1, 2, 4, 8, 16))
    if isinstance(value, float):
        yield from (round(value, digits) for digits in range(_MOST_DIGITS))
    yield from (kind(sign * number) for number in _nearer(size))


def _is_endless(value: int | float) -> bool:
    return isinstance(value, float) and not math.isfinite(value)  # a large int cannot be asked


def _nearer(size: int) -> Iterator[int]:
    gap = size
    while gap:  # 0 first, then ever nearer to what there is
        yield size - gap
        gap //= 2


def _shrink_text(text: str) -> Reduction[str]:
    rows = _LINES.findall(text)
    if len(rows) > 1:
        text = yield from _fewest(rows, "".join)
    text = yield from _fewest(text, "".join)
    fancy = [i for i, character in enumerate(text) if _is_fancy(character)]
    plainer = partial(_with_plain, text, fancy)
    text = plainer((yield from keep_few(len(fancy), plainer)))
    return (yield from _descend(text, _smaller_numbers_in))


def _shrink_bytes(value: bytes | bytearray) -> Reduction[bytes | bytearray]:
    kind = type(value)
    value = yield from _fewest(value, kind)
    filled = [i for i, byte in enumerate(value) if byte]
    zeroed = partial(_with_zeros, value, filled)
    return zeroed((yield from keep_few(len(filled), zeroed)))


def _fewest(units: Sequence[Any], join: Callable[[Any], Any]) -> Reduction[Any]:
    """Return what is left of units that do not all go, joined again."""

    def kept(config: Sequence[int]) -> Any:
        return join([units[i] for i in config])

    return kept((yield from embed(grouping(range(len(units))), into=kept)))


def _is_fancy(character: str) -> bool:
    """Tell whether an `a` would be simpler than a character."""
    return character not in "a0123456789" and (character > "a" or character.isupper() or not character.isascii())


def _with_plain(text: str, fancy: Sequence[int], kept: Sequence[int]) -> str:
    plain = set(fancy) - {fancy[i] for i in kept}
    return "".join("a" if i in plain else character for i, character in enumerate(text))


def _with_zeros(value: bytes | bytearray, filled: Sequence[int], kept: Sequence[int]) -> bytes | bytearray:
    zeroed = bytearray(value)
    for i in set(filled) - {filled[i] for i in kept}:
        zeroed[i] = 0
    return type(value)(zeroed)


def smaller(value: Json) -> Iterator[Json]:
    """Yield simpler JSON than this, the simplest first; what is inside a list or an object stays as it is."""
    match value:
        case bool():
            if value:
                yield False
        case int() | float():
            yield from _smaller_numbers(value)
        case str():
            yield from _smaller_texts(value)
        case list():
            yield from _shorter(value)
        case dict():
            for key in sorted(value):
                yield {name: item for name, item in value.items() if name != key}


def _smaller_numbers(value: int | float) -> Iterator[int | float]:
    if _is_endless(value):
        yield 0
        return
    if value < 0:
        yield -value
    if isinstance(value, float) and value != int(value):
        yield int(value)
        return
    sign = -1 if value < 0 else 1
    yield from (sign * number for number in _nearer(abs(int(value))))


def _smaller_texts(value: str) -> Iterator[str]:
    seen = {value}
    for text in (*_shorter(value), *_smaller_numbers_in(value), *_plainer(value)):
        if text not in seen:
            seen.add(text)
            yield text


def _shorter(value: Any) -> Iterator[Any]:
    """Yield a text or a list without parts of it: all, halves, quarters, and so on to single elements."""
    size = len(value)
    while size:
        for start in range(0, len(value), size):
            yield value[:start] + value[start + size :]
        size //= 2


def _smaller_numbers_in(value: str) -> Iterator[str]:
    for match in _DIGITS.finditer(value):
        if len(match[0]) < _MOST_DIGITS:
            for number in _smaller_numbers(int(match[0])):
                yield f"{value[: match.start()]}{number}{value[match.end() :]}"


def _plainer(value: str) -> Iterator[str]:
    """Yield the text with one character made an `a`, where that is simpler."""
    for i, character in enumerate(value):
        if _is_fancy(character):
            yield f"{value[:i]}a{value[i + 1 :]}"
