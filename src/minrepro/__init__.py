"""Takes something that makes a program fail and finds the smallest version that still fails."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from minrepro.errors import (
        CheckError,
        GrammarError,
        InputError,
        MinreproError,
        MissingExtra,
        NotFailing,
        OutputError,
        SyntaxMismatch,
        UsageError,
    )
    from minrepro.library import isolate, reduce
    from minrepro.run import Result
    from minrepro.search import Outcome, Verdict
    from minrepro.settings import Budget, DdminOptions

__all__ = [
    "Budget",
    "CheckError",
    "DdminOptions",
    "GrammarError",
    "InputError",
    "MinreproError",
    "MissingExtra",
    "NotFailing",
    "Outcome",
    "OutputError",
    "Result",
    "SyntaxMismatch",
    "UsageError",
    "Verdict",
    "isolate",
    "reduce",
]

_HOMES = {
    "DdminOptions": "settings",
    "isolate": "library",
    "reduce": "library",
    "Budget": "settings",
    "Result": "run",
    "Outcome": "search",
    "Verdict": "search",
}
"""Where each name is at home, if not among the errors."""


def __getattr__(name: str) -> Any:
    """Load a name when it is first asked for: the command needs few of them, and all take a while."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'errors')}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
