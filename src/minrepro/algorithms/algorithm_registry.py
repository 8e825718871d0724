"""The list minimisers by name, as the command line and the library offer them; each is loaded when it is used."""

from __future__ import annotations

import math
import random
from functools import partial
from importlib import import_module
from typing import Any

from minrepro.core.search import ListMinimizer
from minrepro.errors import UsageError
from minrepro.settings import DdminOptions, Factor

SPLITS = {"zeller": "ddmin:zeller_split", "balanced": "ddmin:balanced_split"}
PLAIN = {
    "grouping": "group_testing:grouping",
    "halving": "halving:halving",
    "probdd": "probabilistic:probdd",
    "cdd": "probabilistic:cdd",
}
DDMIN = {"ddmin": "ddmin:ddmin", "ddmin*": "ddmin:ddmin_star", "onemin": "ddmin:onemin"}
LIST_ALGORITHMS = (*PLAIN, *DDMIN)


def _loaded(place: str) -> Any:
    """Return a function by its module among the list algorithms and its name."""
    module, name = place.split(":")
    return getattr(import_module(f"minrepro.algorithms.lists.{module}"), name)


def _arguments(options: DdminOptions) -> dict[str, Any]:
    """Return what was chosen, as the keyword arguments of ddmin."""
    given = options.given()
    if "split" in given:
        given["split"] = _loaded(SPLITS[given["split"]])
    if "restart" in given:
        given["resume_behind"] = not given.pop("restart")
    return given


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
        plain: ListMinimizer = _loaded(PLAIN[name])
        return plain
    if name not in DDMIN:
        raise UsageError(f"unknown algorithm {name!r}; choose from {', '.join(LIST_ALGORITHMS)}")
    chosen, rng = _loaded(DDMIN[name]), random.Random(options.seed)
    if name == "ddmin*":
        return partial(chosen, minimize=partial(_loaded(DDMIN["ddmin"]), **given, rng=rng))
    allowed = {"complement_order", "resume_behind", "loops"}
    if name == "onemin" and set(given) - allowed:
        raise UsageError(
            f"{', '.join(sorted(set(given) - allowed))} cannot be combined with onemin\nhint: --algorithm ddmin"
        )
    return partial(chosen, **given, rng=rng)


def split_factor(text: str) -> Factor:
    """Read a split factor: a whole number from 2 on, inf for single units at once, or auto."""
    if text.lower() == "auto":
        return "auto"
    if text.lower() in ("inf", "infinity", "∞"):
        return math.inf
    if not text.isdecimal() or int(text) < 2:
        raise ValueError(f"{text!r} is neither a whole number of at least 2 nor inf or auto")
    return int(text)
