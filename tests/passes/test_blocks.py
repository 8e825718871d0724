"""A content of megabytes is cut without being parsed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from minrepro.core.tuning import TUNING
from minrepro.core.verdicts import Outcome
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax import bundled_grammars
from minrepro.engine.default_reducer import default_reducer
from minrepro.engine.run import Run
from minrepro.passes.blocks import bracket_blocks, line_blocks
from minrepro.settings import Budget
from minrepro.testing import SimulatedExecutor

MODULES = [b"%d:function(e){if(e){return[e,{a:1}]}}" % number for number in range(30_000)]
BUNDLE = b"!function(e){e[500]()}({" + b",".join(MODULES) + b"});"


def test_blocks_in_brackets_leave_whole_brackets() -> None:
    [units] = bracket_blocks(Snapshot(BUNDLE))
    assert len(units) > 30
    for unit in units:
        [cut] = unit.edits[0]
        assert BUNDLE[cut.start : cut.end].count(b"{") == BUNDLE[cut.start : cut.end].count(b"}")


def test_blocks_of_lines_begin_and_end_with_lines() -> None:
    content = b"".join(b"line %d\n" % number for number in range(500_000))
    [units] = line_blocks(Snapshot(content))
    assert all(content[unit.edits[0][0].end - 1 : unit.edits[0][0].end] == b"\n" for unit in units)
    assert units[0].below is not None
    assert len(units[0].below()[0]) > 1


def test_a_short_content_has_no_blocks_below() -> None:
    [units] = line_blocks(Snapshot(b"a\nb\nc\n"))
    assert all(unit.below is None for unit in units)


def test_what_is_long_is_not_parsed_before_most_of_it_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []
    parse = bundled_grammars.Grammar.parse

    def watched(self: bundled_grammars.Grammar, data: bytes, *more: Any) -> Any:
        parsed.append(len(data))
        return parse(self, data, *more)

    monkeypatch.setattr(bundled_grammars.Grammar, "parse", watched)
    assert len(BUNDLE) > TUNING.huge
    executor = SimulatedExecutor(
        lambda case: Outcome.FAIL if b"{e[500]()}" in case and b"20000:function" in case else Outcome.PASS,
        1,
        lambda case: 1.0,
    )
    run: Run[bytes] = Run(executor, budget=Budget(tests=60))
    result = run.reduce_by_edits(BUNDLE, default_reducer(Path("bundle.js"), BUNDLE), empty=b"")
    assert len(result.case) < len(BUNDLE) / 10
    assert all(size <= TUNING.huge for size in parsed)
