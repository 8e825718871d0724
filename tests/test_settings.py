"""Settings say by which option they are set, and what a journal must compare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from minrepro.core.limits import Limits
from minrepro.settings import DdminOptions, ExecutionSettings, HistorySettings, RunSettings, SearchSettings


def leaves(settings: Any) -> Iterator[Field[Any]]:
    """Yield the fields of settings that are no groups themselves."""
    for each in fields(settings):
        value = getattr(settings, each.name)
        if is_dataclass(value):
            yield from leaves(value)
        else:
            yield each


def test_every_setting_names_its_option_and_says_whether_it_is_asked() -> None:
    told = {each.name: each.metadata for each in leaves(RunSettings())}
    silent = {name for name, metadata in told.items() if not {"option", "question"} <= set(metadata)}
    assert silent == {"keep", "since"}  # only the library leaves journals out; nobody chooses when time begins
    assert all(metadata["option"].startswith("-") for name, metadata in told.items() if name not in silent)


def test_nothing_is_asked_beside_what_is_not_as_usual() -> None:
    assert RunSettings().question() == {}
    assert RunSettings().given() == []
    search = SearchSettings(effort="fast", ddmin=DdminOptions(factor=4), mode="race")
    settings = RunSettings(search=search, execution=ExecutionSettings(workers=7, timeout=3.0, limits=Limits(cpu=2.0)))
    asked = {
        "--effort": "fast",
        "--ddmin-factor": "4",
        "--parallel-mode": "race",
        "--timeout": "3.0",
        "--limit-cpu": "2.0",
    }
    assert settings.question() == asked
    assert set(settings.given()) == {*asked, "-j"}


@pytest.mark.parametrize("history", [HistorySettings(resume=True), HistorySettings(state=Path("x"), shared=Path("y"))])
def test_where_a_run_is_recorded_is_no_part_of_its_question(history: HistorySettings) -> None:
    assert replace(RunSettings(), history=history).question() == {}
