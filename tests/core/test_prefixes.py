"""What two sequences have in common."""

from __future__ import annotations

from itertools import takewhile

from hypothesis import given
from hypothesis import strategies as st

from minrepro.core.prefixes import alike_from, common_prefix, common_suffix

texts = st.lists(st.sampled_from(b"ab"), max_size=200).map(bytes)


def counted(one: bytes, other: bytes) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@given(texts, texts, texts)
def test_what_both_begin_with_is_found_wherever_they_differ(same: bytes, one: bytes, other: bytes) -> None:
    one, other = same + one, same + other
    assert common_prefix(one, other) == counted(one, other)
    assert common_prefix(list(one), list(other)) == counted(one, other)


@given(texts, texts, texts, st.integers(0, 50))
def test_what_both_end_with_is_found_up_to_a_bound(same: bytes, one: bytes, other: bytes, most: int) -> None:
    one, other = one + same, other + same
    most = min(most, len(one), len(other))
    assert common_suffix(one, other, most) == min(most, counted(one[::-1], other[::-1]))


@given(texts, texts, texts, st.sampled_from([1, 2, 64]))
def test_what_follows_two_places_alike_is_found_whatever_the_first_step(
    before: bytes, same: bytes, behind: bytes, step: int
) -> None:
    one, other = before + same + behind, same + b"b" + behind
    assert alike_from(one, len(before), other, 0, step) == counted(one[len(before) :], other)
