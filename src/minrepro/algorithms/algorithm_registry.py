"""The list minimisers by name, as the command line and the library offer them."""

from __future__ import annotations

import math
import random
from functools import partial
from typing import Any

from minrepro.algorithms.lists.ddmin import balanced_split, ddmin, ddmin_star, onemin, zeller_split
from minrepro.algorithms.lists.group_testing import grouping
from minrepro.algorithms.lists.halving import halving
from minrepro.algorithms.lists.probabilistic import cdd, probdd
from minrepro.core.search import ListMinimizer
from minrepro.errors import UsageError
from minrepro.settings import DdminOptions

SPLITS = {"zeller": zeller_split, "balanced": balanced_split}


def _arguments(options: DdminOptions) -> dict[str, Any]:
    """Return what was chosen, as the keyword arguments of ddmin."""
    given = options.given()
    if "split" in given:
        given["split"] = SPLITS[given["split"]]
    if "restart" in given:
        given["resume_behind"] = not given.pop("restart")
    return given


PLAIN: dict[str, ListMinimizer] = {"grouping": grouping, "halving": halving, "probdd": probdd, "cdd": cdd}
DDMIN = ("ddmin", "ddmin*", "onemin")
LIST_ALGORITHMS = (*PLAIN, *DDMIN)


def list_minimizer(name: str, options: DdminOptions | None = None) -> ListMinimizer:
    """Return the list minimiser of that name, with the options of ddmin where it is one of that family."""
    options = options or DdminOptions()
    given = _arguments(options)
    if name in PLAIN:
        if given:
            raise UsageError(
                f"{', '.join(sorted(given))} cannot be combined with {name}, only with the ddmin family\n"
                "hint: --algorithm ddmin"
            )
        return PLAIN[name]
    if name == "ddmin":
        return partial(ddmin, **given, rng=random.Random(options.seed))
    if name == "ddmin*":
        return partial(ddmin_star, minimize=partial(ddmin, **given, rng=random.Random(options.seed)))
    if name == "onemin":
        allowed = {"complement_order", "resume_behind", "loops"}
        if set(given) - allowed:
            raise UsageError(
                f"{', '.join(sorted(set(given) - allowed))} cannot be combined with onemin\nhint: --algorithm ddmin"
            )
        return partial(onemin, **given, rng=random.Random(options.seed))
    raise UsageError(f"unknown algorithm {name!r}; choose from {', '.join(LIST_ALGORITHMS)}")


def split_factor(text: str) -> float:
    """Read a split factor: a whole number from 2 on, or inf for single units at once."""
    if text.lower() in ("inf", "infinity", "∞"):
        return math.inf
    if not text.isdecimal() or int(text) < 2:
        raise ValueError(f"{text!r} is neither a whole number of at least 2 nor inf")
    return int(text)
