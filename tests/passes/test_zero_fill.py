"""What a binary content must have, but whatever it is, becomes zeros."""

from __future__ import annotations

from minrepro.core.edits import apply
from minrepro.core.verdicts import Outcome
from minrepro.documents.snapshot import Snapshot
from minrepro.engine.default_reducer import DefaultReducer
from minrepro.engine.tester import Tester
from minrepro.passes.default_passes import passes_for
from minrepro.passes.zero_fill import zeros
from minrepro.testing import SimulatedExecutor


def test_a_stretch_becomes_zeros_of_its_length() -> None:
    content = b"\xff" * 300
    (units,) = zeros(Snapshot(content))
    assert [apply(content, unit.edits[0]) for unit in units] == [
        bytes(256) + b"\xff" * 44,
        b"\xff" * 256 + bytes(44),
    ]


def test_shorter_stretches_follow_where_a_long_one_stays() -> None:
    (units,) = zeros(Snapshot(b"\xff" * 256))
    assert units[0].below is not None
    (below,) = units[0].below()
    assert [unit.weight for unit in below] == [64, 64, 64, 64]


def test_zeros_are_left_alone() -> None:
    assert zeros(Snapshot(bytes(300))) == []


def test_text_is_left_alone() -> None:
    assert zeros(Snapshot(b"just text")) == []


def test_a_reduction_leaves_zeros_where_only_the_length_matters() -> None:
    content = bytes(range(1, 256)) * 2

    def fails(case: bytes) -> Outcome:
        return Outcome.FAIL if len(case) == len(content) and case[100] == 101 else Outcome.PASS

    tester = Tester(SimulatedExecutor(fails))
    accepted: list[bytes] = []
    reduced = DefaultReducer(passes_for(None))(content, tester, lambda case, label, verdict: accepted.append(case))
    assert reduced == bytes(100) + b"\x65" + bytes(len(content) - 101)
    assert accepted[-1] == reduced
