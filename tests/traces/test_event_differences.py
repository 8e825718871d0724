"""The smallest difference between two traces."""

from __future__ import annotations

from pathlib import Path

import pytest

from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.errors import InputError
from minrepro.targets.difference import DifferenceTarget
from minrepro.traces.event_differences import by_events


def written(path: Path, *events: str) -> Path:
    path.write_text("".join(f'{{"event": "{event}"}}\n' for event in events))
    return path


def test_the_event_that_makes_the_difference_is_found(tmp_path: Path) -> None:
    good = written(tmp_path / "good.jsonl", "open", "add", "pay")
    bad = written(tmp_path / "bad.jsonl", "open", "look", "add", "empty", "close", "pay")
    target = by_events(DifferenceTarget.read(good, bad))
    assert target.isolation is not None
    passing, failing = solve(
        target.isolation(), lambda case: Outcome.FAIL if b'"empty"' in case and b'"open"' in case else Outcome.PASS
    )
    assert set(failing.splitlines()) - set(passing.splitlines()) == {b'{"event": "empty"}'}


def test_traces_with_the_same_events_are_refused(tmp_path: Path) -> None:
    good = written(tmp_path / "good.jsonl", "open", "add")
    bad = tmp_path / "bad.jsonl"
    bad.write_text(good.read_text() + "\n")
    with pytest.raises(InputError, match="have the same events"):
        by_events(DifferenceTarget.read(good, bad))
