"""A minimiser for sequences that fail at their end: few tests, and of these the short ones first.

A test of a sequence costs as many units as are carried out. So of a long one what is near both ends is tried alone
first, in growing lengths: a session fails at its end, and often needs what it began with. What is left is cut into
halves, and each half into halves again; every part is tried away once at each size, back to front, so that uses go
before what they need. Of two halves of a part that is needed, the second is not tried when the first could go. Single
units close that. The result is 1-minimal for any oracle that always answers alike.

Whoever carries out a sequence may leave out what cannot be done, and need not go on behind the failure: `cut` returns
what was carried out of a sequence that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from minrepro.core.search import Candidate, Reduction, first

U = TypeVar("U")
Cut = Callable[[tuple[Any, ...]], tuple[Any, ...]]
Kin = Callable[[Any, Any], bool]

_SHORT = 32
"""Of so few units, more than the first and the last save nothing."""


def whole(config: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return all of a sequence: nothing is known of what was carried out."""
    return config


@dataclass(frozen=True)
class _Without(Candidate[tuple[Any, ...]]):
    """A sequence without the part or unit of this number."""

    number: int = 0


@dataclass(eq=False, slots=True)
class _Part:
    """Some units side by side, the other half of what they were cut from, and whether that tells that they stay."""

    units: tuple[Any, ...]
    twin: _Part | None = None
    needed: bool = False


def sequences(config: Sequence[U], *, cut: Cut = whole, joined: Collection[int] = ()) -> Reduction[tuple[U, ...]]:
    """Return a 1-minimal failing part of a sequence; units with an identity among the joined go with the one before."""
    units = yield from both_ends(tuple(config), cut)
    units = yield from parts(units, cut, joined)
    return (yield from singles(units, cut))


def both_ends(units: tuple[U, ...], cut: Cut) -> Reduction[tuple[U, ...]]:
    """Return the first of few units from both ends that fail, or all of them."""
    while len(units) > 3:
        longest = len(units).bit_length() if len(units) > _SHORT else 1
        lengths = [1 << i for i in range(0, longest, 2) if 4 << i <= len(units)]
        found = yield from first((Candidate((*units[:size], *units[-size:])) for size in lengths), "ends")
        if found is None:
            break
        units = cut(found.config)
    return units


def parts(units: tuple[U, ...], cut: Cut, joined: Collection[int] = ()) -> Reduction[tuple[U, ...]]:
    """Return what is left when parts that can go have gone, from halves down to single units."""
    divided = _halves(_Part(units), joined)
    while True:
        at = len(divided) - 1
        while (found := (yield from first(_without_one(divided, at), "parts"))) is not None:
            left = set(map(id, cut(found.config)))
            gone, before = divided[found.number], divided[: found.number]
            if gone.twin is not None:
                # One half could go, both could not: what is left of them stays.
                gone.twin.needed = all(id(unit) in left for unit in gone.twin.units)
            for part in divided:
                part.units = tuple(unit for unit in part.units if id(unit) in left)
            at = sum(1 for part in before if part.units) - 1
            divided = [part for part in divided if part.units]
        if all(len(part.units) == 1 for part in divided):
            return tuple(chain.from_iterable(part.units for part in divided))
        divided = [half for part in divided for half in _halves(part, joined)]


def _without_one(divided: list[_Part], last: int) -> Iterator[_Without]:
    """Yield the sequence without each part in turn, back to front from the last that was not tried."""
    for number in range(last, -1, -1) if len(divided) > 1 else ():
        if not divided[number].needed:
            rest = chain(divided[:number], divided[number + 1 :])
            yield _Without(tuple(chain.from_iterable(part.units for part in rest)), number=number)


def _halves(part: _Part, joined: Collection[int]) -> list[_Part]:
    """Return the halves of a part, or the part if it is a single unit; what is joined is parted only from itself."""
    units = part.units
    if len(units) == 1:
        return [_Part(units, needed=False)]
    middle = len(units) // 2
    places = [i for i in range(1, len(units)) if id(units[i]) not in joined] or [middle]
    place = min(places, key=lambda i: abs(i - middle))
    one, other = _Part(units[:place]), _Part(units[place:])
    one.twin, other.twin = other, one
    return [one, other]


def singles(units: tuple[U, ...], cut: Cut) -> Reduction[tuple[U, ...]]:
    """Return what is left when no single unit can go."""
    begin, untried = len(units) - 1, len(units)
    while untried > 0 and len(units) > 1:
        tried = [(begin - i) % len(units) for i in range(min(untried, len(units)))]
        without = (_Without((*units[:i], *units[i + 1 :]), number=i) for i in tried)
        found = yield from first(without, "singles")
        if found is None:
            break
        left = cut(found.config)
        here = set(map(id, left))
        begin = sum(1 for unit in units[: found.number] if id(unit) in here) - 1
        units, untried = left, len(left)
    return units
