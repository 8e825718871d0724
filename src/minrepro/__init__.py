"""Takes something that makes a program fail and finds the smallest version that still fails."""

from minrepro.algorithms.catalogue import DdminOptions
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
from minrepro.run import Budget, Result
from minrepro.search import Outcome, Verdict

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
