"""Takes something that makes a program fail and finds the smallest version that still fails."""

TYPE_CHECKING = False  # without `typing`: the command handles signals as soon as this is loaded
if TYPE_CHECKING:
    from typing import Any

    from minrepro.api import explain, isolate, reduce, reduce_all, reduce_arguments
    from minrepro.api.paths import reduce_path
    from minrepro.api.results import Explanation, Progress, Result, Stats
    from minrepro.core.verdicts import Outcome, Verdict
    from minrepro.errors import (
        CheckError,
        ClusterError,
        GrammarError,
        InputError,
        JournalError,
        MinreproError,
        MissingExtra,
        NotFailing,
        OutputError,
        SyntaxMismatch,
        UsageError,
    )
    from minrepro.settings import Budget, DdminOptions

__all__ = [
    "Budget",
    "CheckError",
    "ClusterError",
    "DdminOptions",
    "Explanation",
    "GrammarError",
    "InputError",
    "JournalError",
    "MinreproError",
    "MissingExtra",
    "NotFailing",
    "Outcome",
    "OutputError",
    "Progress",
    "Result",
    "Stats",
    "SyntaxMismatch",
    "UsageError",
    "Verdict",
    "explain",
    "isolate",
    "reduce",
    "reduce_all",
    "reduce_arguments",
    "reduce_path",
]

_HOMES = {
    "DdminOptions": "settings",
    "Budget": "settings",
    "explain": "api",
    "isolate": "api",
    "reduce": "api",
    "reduce_all": "api",
    "reduce_arguments": "api",
    "reduce_path": "api.paths",
    "Explanation": "api.results",
    "Progress": "api.results",
    "Result": "api.results",
    "Stats": "api.results",
    "Outcome": "core.verdicts",
    "Verdict": "core.verdicts",
}
"""Where each name is at home, if not among the errors."""


def __getattr__(name: str) -> "Any":
    """Load a name when it is first asked for: the command needs few of them, and all take a while."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'errors')}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
