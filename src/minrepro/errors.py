"""Every exception of this package, as a tree; each message says what was seen, what it means, and what to do.

MinreproError
├── NotFailing        the input does not show the failure
├── CheckError        the check cannot be run, or contradicts itself
├── InputError        the input cannot be read or makes no sense
│   └── SyntaxMismatch    the input does not match the grammar it is said to have
├── GrammarError      a grammar has errors
├── OutputError       the result cannot be written
├── UsageError        options that contradict each other
├── ClusterError      a cluster cannot be reached
├── JournalError      a journal cannot be used: damaged, of another version, in use, or of another question
├── MissingExtra      an optional dependency is not installed
├── Stopped           a run must end now
├── ExecutorLost      no test can be run any more
└── Retracted         what was accepted was luck
"""

from __future__ import annotations

from typing import Any

from minrepro.core.events import End
from minrepro.core.verdicts import Outcome, Verdict


class MinreproError(Exception):
    """Anything that this package reports to its user in a line or two."""


class NotFailing(MinreproError):
    """The input does not have the outcome it must have, so there is nothing to reduce or to isolate."""

    def __init__(self, text: str, wanted: Outcome = Outcome.FAIL, verdict: Verdict | None = None) -> None:
        super().__init__(text)
        self.wanted = wanted
        self.verdict = verdict


class CheckError(MinreproError):
    """The check cannot be run, or contradicts itself."""


class InputError(MinreproError):
    """The input cannot be read, or cannot be what it is said to be."""


class SyntaxMismatch(InputError):
    """The input does not match the grammar it is said to have."""


class GrammarError(MinreproError):
    """A grammar has errors."""


class OutputError(MinreproError):
    """The result cannot be written."""


class UsageError(MinreproError):
    """Options that contradict each other."""


class ClusterError(MinreproError):
    """A cluster cannot be reached, or cannot be started."""


class JournalError(MinreproError):
    """A journal cannot be used: it is damaged, of another version, in use, or tells of something else."""


class MissingExtra(MinreproError):
    """An optional dependency is not installed."""


class Stopped(MinreproError):
    """The run must end now, for the reason given; reaches the caller only when there is nothing to give back yet."""

    def __init__(self, text: str, end: End = End.STOPPED) -> None:
        super().__init__(text)
        self.end = end


class ExecutorLost(MinreproError):
    """No test can be run any more, for the reason given; a run then ends with the best so far."""


class Retracted(MinreproError):
    """What was accepted was luck: a run goes on from this case and its verdict, and knows nothing else it has seen."""

    def __init__(self, case: Any, verdict: Verdict) -> None:
        super().__init__("the failure no longer showed often enough")
        self.case = case
        self.verdict = verdict
