"""How far a reduction by passes goes."""

from __future__ import annotations

from typing import Literal, get_args

Effort = Literal["fast", "normal", "thorough"]
EFFORT_NAMES: tuple[Effort, ...] = get_args(Effort)
