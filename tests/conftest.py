"""What holds for all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from tests.cli.command_line import CommandLine
from tests.executors.sandboxes import why_none

# Machines have moods: how long an example takes says nothing about whether it is right.
settings.register_profile("calm", deadline=None)
settings.load_profile("calm")

# Who runs tests in the background may have Ctrl-C ignored; processes that are to be interrupted must not inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

QUICK = "not processes and not cluster and not browser"
"""Which tests `pytest` runs when neither a file nor a marker is named."""

TIERS = {
    "shell": "processes",
    "sandboxes": "processes",
    "cluster": "cluster",
    "steady": "cluster",
    "chromium": "browser",
    "browser": "browser",
    "shop": "browser",
    "display": "browser",
}
"""The marker of every test that uses a fixture."""

SHARED = ("browser", "cluster")
"""Tests with one of these markers run in one worker: what they start is expensive, and several at a time are slow."""


def pytest_configure(config: pytest.Config) -> None:
    """Leave out what takes minutes unless it is asked for by name, by marker, or as the whole folder `tests`."""
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    if not named and not config.option.markexpr:
        config.option.markexpr = QUICK


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many tests run at a time: those that start something wait for it more than they compute."""
    processors = os.cpu_count() or 1
    return processors if config.option.markexpr == QUICK else processors + 1


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test by what it uses, before anybody asks for its markers."""
    for name in item.fixturenames if isinstance(item, pytest.Function) else ():
        if name in TIERS:
            item.add_marker(TIERS[name])
    for name in SHARED:
        if item.get_closest_marker(name) is not None:
            item.add_marker(pytest.mark.xdist_group(name))
            break


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that take long, so that none of them runs alone at the end."""
    items.sort(key=lambda item: all(item.get_closest_marker(tier) is None for tier in TIERS.values()))


@pytest.fixture
def shell(tmp_path: Path) -> CommandLine:
    """Return a command line in a fresh folder."""
    return CommandLine(tmp_path)


@pytest.fixture
def sandboxes() -> None:
    """Leave a test out where there can be no sandboxes."""
    if why := why_none():
        pytest.skip(f"there can be no sandbox here: {why}")
