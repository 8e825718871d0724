"""The tools of node that exported tests are for, which `make test` sets up."""

from __future__ import annotations

from pathlib import Path

NODE = Path(__file__).parents[2] / ".venv" / "node" / "node_modules"
