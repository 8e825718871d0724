"""The small shop served on this machine, and one Chromium for all tests that do it no harm."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from minrepro.browser.chromium import Chromium
from minrepro.browser.static_server import served

SHOP = Path(__file__).parents[2] / "examples" / "shop"


@pytest.fixture(scope="session")
def shop() -> Iterator[str]:
    """The origin of the shop."""
    with served(SHOP) as origin:
        yield origin


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """A browser whose pages reach this machine only."""
    with Chromium(hosts=[]) as browser:
        yield browser
