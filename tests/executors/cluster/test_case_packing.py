"""What travels to a worker arrives as it was, in few bytes."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from minrepro.core.invocations import Invocation
from minrepro.executors.cluster.case_packing import CasePacker, pack, unpack

LINES = [b"value %d = f(%d)\n" % (i, i * i) for i in range(2000)]
TEXT = b"".join(LINES)

letters = st.binary(max_size=200) | st.text("ab", max_size=200).map(str.encode)


@given(letters, letters)
def test_any_content_arrives_whatever_the_base(content: bytes, base: bytes) -> None:
    assert unpack(pack(content, base), base) == content


@given(st.text("abc\n", max_size=300).map(str.encode), st.data())
def test_a_part_of_the_base_arrives(base: bytes, data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(base), max_size=len(base)))
    content = bytes(byte for byte, keep in zip(base, kept, strict=True) if keep)
    assert unpack(pack(content, base), base) == content


def test_a_part_left_out_costs_a_few_bytes() -> None:
    content = b"".join(LINES[:700] + LINES[900:])
    assert len(pack(content, TEXT)) < 20


def test_a_hundred_scattered_parts_left_out_cost_a_few_bytes_each() -> None:
    gone = set(random.Random(1).sample(range(len(LINES)), 100))
    content = b"".join(line for number, line in enumerate(LINES) if number not in gone)
    assert len(pack(content, TEXT)) < 700 < len(content)


def test_an_edit_that_puts_something_in_is_sent_with_what_is_new() -> None:
    content = TEXT.replace(b"value 700 =", b"v =")
    packed = pack(content, TEXT)
    assert unpack(packed, TEXT) == content
    assert len(packed) < 40


def test_what_has_nothing_of_the_base_is_sent_as_it_is() -> None:
    content = random.Random(2).randbytes(5000)
    packed = pack(content, TEXT)
    assert unpack(packed, TEXT) == content
    assert len(packed) <= len(content) + 2


def test_thousands_of_parts_do_not_make_a_parcel_larger_than_the_content() -> None:
    content = TEXT[::2]
    packed = pack(content, TEXT)
    assert unpack(packed, TEXT) == content
    assert len(packed) <= len(content) + 2


def test_an_invocation_arrives_with_all_that_differs_from_that_of_the_input() -> None:
    packer = CasePacker(Invocation(("check", "{folder}/a"), {"a": TEXT}, b"", {"X": "1"}))
    other = Invocation(("check", "{folder}/b"), {"a": TEXT[9:], "d/b": b"new"}, b"read", {"X": "2"})
    assert packer.unpack(packer.pack(other)) == other


def test_the_modes_of_files_arrive() -> None:
    link, program = (0o120777, b"a"), (0o100755, TEXT[5:])
    packer = CasePacker(Invocation(("check",), {"a": (0o100644, TEXT), "b": program}, b""))
    other = Invocation(("check",), {"a": (0o100600, TEXT[:-9]), "b": (0o100755, b""), "c": link}, TEXT[:-9])
    assert packer.unpack(packer.pack(other)) == other


def test_standard_input_that_repeats_a_file_is_sent_once() -> None:
    content = random.Random(3).randbytes(4000)
    packer = CasePacker(Invocation(("check",), {"a": TEXT}, TEXT))
    both = Invocation(("check",), {"a": content}, content)
    packed_case = packer.pack(both)
    assert packer.unpack(packed_case) == both
    assert len(packed_case) < 5000
