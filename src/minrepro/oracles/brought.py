"""Checks that installed packages know how to ask: `NAME:TEXT` in place of a command."""

from __future__ import annotations

from typing import Any

from minrepro.core.invocations import ProcessOracle
from minrepro.plugins import brought


def brought_oracle(check: str, layout: Any) -> ProcessOracle | None:
    """Return the oracle that a package brings for a check such as `NAME:TEXT`; None where none is meant."""
    name, colon, text = check.partition(":")
    if not colon or not name.isidentifier() or name not in brought("oracles"):
        return None
    made: ProcessOracle = brought("oracles")[name](text, layout)
    return made
