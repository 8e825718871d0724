"""What installed packages bring: passes, targets, executors, oracles and containers, announced by entry points."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from minrepro.errors import UsageError

GROUPS = {
    "passes": "minrepro.passes",
    "targets": "minrepro.targets",
    "executors": "minrepro.executors",
    "oracles": "minrepro.oracles",
    "containers": "minrepro.containers",
}
"""The groups of entry points, by what they bring."""


@cache
def brought(what: str) -> dict[str, Any]:
    """Return what installed packages bring of a kind, by the names they give it."""
    group = GROUPS[what]
    if group not in _announced():
        return {}
    from importlib.metadata import entry_points  # takes a while to load

    found: dict[str, Any] = {}
    for point in entry_points(group=group):
        try:
            found[point.name] = point.load()
        except Exception as error:
            raise UsageError(f"cannot load {point.name} of {group} ({point.value}): {error}") from error
    return found


def require(what: str, name: str, kind: type) -> Any:
    """Return something that is brought, or say that it is not what it should be."""
    found = brought(what)[name]
    if not isinstance(found, kind):
        raise UsageError(f"{name} of {GROUPS[what]} is not a {kind.__module__}.{kind.__qualname__}")
    return found


@cache
def _announced() -> frozenset[str]:
    """Return the groups that any installed package mentions; looked up once, and faster than by the library."""
    texts = [
        point.read_text("utf-8", "replace")
        for folder in map(Path, sys.path)
        if folder.is_dir()
        for name in os.listdir(folder)  # noqa: PTH208 - takes a fraction of the time
        if name.endswith((".dist-info", ".egg-info")) and (point := folder / name / "entry_points.txt").is_file()
    ]
    return frozenset(group for group in GROUPS.values() if any(f"[{group}]" in text for text in texts))


def forget() -> None:
    """Look again for what is installed."""
    brought.cache_clear()
    _announced.cache_clear()
