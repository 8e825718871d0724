"""Which part of the logged state counts: variables chosen, dropped, or mapped to something coarser.

Rules are only as true as the state can tell: a variable that is left out cannot refute them (Elyasov et al. 2014,
section 2.2.2), one that never comes back to an old value keeps them from being seen at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from minrepro.errors import InputError, UsageError
from minrepro.traces.user_events import Json, canonical

Map = Callable[[Json], Json]


def _length(value: Json) -> Json:
    return len(value) if isinstance(value, str | list | dict) else value


def _sign(value: Json) -> Json:
    return (value > 0) - (value < 0) if isinstance(value, int | float) else bool(value)


def _sorted(value: Json) -> Json:
    return sorted(value, key=canonical) if isinstance(value, list) else value


MAPS: Mapping[str, Map] = {
    "length": _length,
    "truth": bool,
    "sign": _sign,
    "sorted": _sorted,
    "type": lambda value: type(value).__name__,
}
"""The maps that have a name, for the command line; from Python any function will do."""


@dataclass(frozen=True)
class Abstraction:
    """Turns a logged state into the state that rules are about."""

    keep: Collection[str] | None = None
    """The variables that count; None for all."""
    drop: Collection[str] = ()
    maps: Mapping[str, Map] = field(default_factory=dict)

    def __call__(self, state: Mapping[str, Json]) -> Mapping[str, Json]:
        """Return the abstract state."""
        return {
            name: self.maps[name](value) if name in self.maps else value
            for name, value in state.items()
            if (self.keep is None or name in self.keep) and name not in self.drop
        }

    def require_known(self, variables: Collection[str]) -> None:
        """Raise when the abstraction speaks of a variable that no state has."""
        for name in (*(self.keep or ()), *self.drop, *self.maps):
            if name not in variables:
                known = ", ".join(sorted(variables)) or "none"
                raise InputError(f"no logged state has a variable {name!r}\nhint: the variables are {known}")


def map_named(name: str) -> Map:
    """Return one of the maps that have a name."""
    if name not in MAPS:
        raise UsageError(f"unknown map {name!r}\nhint: the maps are {', '.join(MAPS)}")
    return MAPS[name]
