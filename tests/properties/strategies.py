"""Random oracles and all list minimisers, for the properties that must hold for every input."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

from hypothesis import strategies as st

from minrepro.algorithms.lists.ddmin import balanced_split, ddmin, ddmin_star, onemin, weighted_split, zeller_split
from minrepro.algorithms.lists.group_testing import grouping
from minrepro.algorithms.lists.halving import halving
from minrepro.algorithms.lists.probabilistic import cdd, probdd
from minrepro.core.search import Reduction
from minrepro.core.verdicts import Outcome

Minimizer = Callable[[Sequence[int]], Reduction[tuple[int, ...]]]


def _weight(unit: int) -> float:
    return 1.0 + unit % 5


MINIMIZERS: dict[str, Minimizer] = {
    "grouping": grouping,
    "grouping by weight": partial(grouping, weight=_weight),
    "halving": halving,
    "probdd": probdd,
    "probdd by weight": partial(probdd, weight=_weight),
    "cdd": cdd,
    "onemin": onemin,
    "onemin backward": partial(onemin, complement_order="backward", resume_behind=True),
    "ddmin*": ddmin_star,
    "ddmin by weight": partial(ddmin, split=weighted_split(_weight)),
}
_splits: dict[str, Any] = {"zeller": zeller_split, "balanced": balanced_split}
for _reduce, _order, _factor, (_name, _split), _behind, _loops in product(
    ("subsets first", "complements first", "complements only"),
    ("forward", "backward", "random"),
    (2, 3, math.inf),
    _splits.items(),
    (True, False),
    ("ahead", "combined", "separate"),
):
    MINIMIZERS[f"ddmin {_reduce}, {_order}, ν={_factor}, {_name}, behind={_behind}, {_loops}"] = partial(
        ddmin,
        reduce=_reduce,
        subset_order=_order,
        complement_order=_order,
        factor=_factor,
        split=_split,
        resume_behind=_behind,
        loops=_loops,
    )


@st.composite
def oracles(draw: st.DrawFn, largest: int = 12) -> tuple[range, Callable[[Sequence[int]], Outcome]]:
    """Draw units and an oracle that is as ill-behaved as it likes, but fails on the whole and not on nothing."""
    units = range(draw(st.integers(1, largest)))
    needed = draw(st.frozensets(st.sampled_from(units), max_size=4))
    salt = draw(st.integers(0, 2**16))
    density = draw(st.sampled_from([0, 1, 3, 8]))  # of 8 subsets that hold what is needed, how many do not fail

    def test(config: Sequence[int]) -> Outcome:
        if len(config) == len(units):
            return Outcome.FAIL
        if not config or not needed.issubset(config):
            return Outcome.PASS
        drawn = hash((salt, *config)) % 16
        if drawn >= 2 * density:
            return Outcome.FAIL
        return Outcome.UNRESOLVED if drawn % 2 else Outcome.PASS

    return units, test


minimizers = st.sampled_from(sorted(MINIMIZERS)).map(lambda name: MINIMIZERS[name])
