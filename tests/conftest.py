"""What holds for all tests."""

from __future__ import annotations

import os
import signal
from collections import Counter
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

WORKERS_FOR = {"browser": 2, "cluster": 1}
"""In how many workers at most the tests with one of these markers run: each worker starts a browser or cluster once."""


def pytest_configure(config: pytest.Config) -> None:
    """Leave out what takes minutes unless it is asked for by name, by marker, or as the whole folder `tests`."""
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    if not named and not config.option.markexpr:
        config.option.markexpr = QUICK


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many tests run at a time: those that start something wait for it more than they compute."""
    processors = os.cpu_count() or 1
    return processors if config.option.markexpr == QUICK else processors + 2


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by what they use, and begin with those that take long, so that none of them runs alone at the end."""
    count: Counter[str] = Counter()
    for item in items:
        for name in item.fixturenames if isinstance(item, pytest.Function) else ():
            if name in TIERS:
                item.add_marker(TIERS[name])
        for name, workers in WORKERS_FOR.items():
            if item.get_closest_marker(name) is not None:
                item.add_marker(pytest.mark.xdist_group(f"{name} {count[name] % workers}"))
                count[name] += 1
                break
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    """Return the tier of a test by how long those in it take: a browser's first, then a cluster's, then processes."""
    order = [*WORKERS_FOR, "processes"]
    return next((place for place, name in enumerate(order) if item.get_closest_marker(name) is not None), len(order))


@pytest.fixture
def shell(tmp_path: Path) -> CommandLine:
    """Return a command line in a fresh folder."""
    return CommandLine(tmp_path)


@pytest.fixture
def sandboxes() -> None:
    """Leave a test out where there can be no sandboxes."""
    if why := why_none():
        pytest.skip(f"there can be no sandbox here: {why}")
