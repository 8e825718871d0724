"""How much two sequences have in common at a beginning or at an end, found by comparing slices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

S = TypeVar("S", bound=Sequence[object])


def common_prefix(one: S, other: S) -> int:
    """Return how long two sequences are alike from their beginning, by comparing ever smaller slices.

    The time is that of comparing both once, wherever they begin to differ.
    """
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(one: S, other: S, most: int) -> int:
    """Return how long two sequences are alike at their end, at most so long."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def alike_from(one: S, begin: int, other: S, at: int, step: int = 1) -> int:
    """Return how long two sequences are alike from two places on, by comparing ever larger slices, the first of `step`.

    The time is that of comparing what is alike, however long both are.
    """
    most = min(len(one) - begin, len(other) - at)
    known = 0
    while known < most:
        step = min(step, most - known)
        if one[begin + known : begin + known + step] == other[at + known : at + known + step]:
            known, step = known + step, 2 * step
        elif step == 1:
            break
        else:
            most, step = known + step - 1, step // 2  # they differ somewhere in between
    return known
