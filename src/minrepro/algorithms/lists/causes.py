"""All the different causes of a failure: after each minimal result, the failure is looked for without it.

Hildebrandt & Zeller (2000), section 9: where several parts fail independently, each of them can be simplified.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from minrepro.core.search import Candidate, ListMinimizer, Reduction, first

MOST = 100
"""So many are looked for; what fails everywhere has as many causes as units."""

Units = tuple[Any, ...]


def all_minimal(config: Sequence[Any], minimize: ListMinimizer) -> Reduction[list[Units]]:
    """Return minimal failing parts, none of which has all of another; when it ends, nothing fails without them.

    First all causes so far are left out together; then all but one, and of that one a unit, because causes may overlap.
    """
    whole = tuple(config)
    causes: list[Units] = [tuple((yield from minimize(whole)))]
    while len(causes) < MOST:
        rest = yield from first(_without(whole, causes), "without the causes so far")
        if rest is None:
            break
        causes.append(tuple((yield from minimize(rest.config))))
    return causes


def _without(whole: Units, causes: Sequence[Units]) -> Iterator[Candidate[Units]]:
    units = {unit for cause in causes for unit in cause}
    exclusions = [units]
    for cause in causes:
        others = units.difference(cause)
        exclusions += [others | {unit} for unit in cause]
    for excluded in exclusions:
        if len(excluded) < len(whole):
            yield Candidate(tuple(unit for unit in whole if unit not in excluded))
