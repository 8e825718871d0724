"""A Python callable as oracle, plain or `async`."""

from __future__ import annotations

import reprlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 120
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = _SHORT.maxset = 8


class FunctionOracle:
    """Turns a case into a verdict by a function that returns a bool (True: it fails), an Outcome or a Verdict."""

    def __init__(
        self,
        function: Callable[[Any], Any],
        unresolved: tuple[type[Exception], ...] = (),
    ) -> None:
        """Exceptions of the unresolved types count as that outcome; any other one ends the run as a CheckError."""
        self._function = function
        self._unresolved = unresolved

    def __call__(self, case: Any) -> Verdict:
        """Return the verdict on a case."""
        begin = time.perf_counter()
        try:
            answer: object = self._function(case)
        except Exception as error:
            return self._raised(error, case, time.perf_counter() - begin)
        if answer is True:  # almost every answer is one of these two
            return Verdict(Outcome.FAIL, "", time.perf_counter() - begin)
        if answer is False:
            return Verdict(Outcome.PASS, "", time.perf_counter() - begin)
        return self._answered(answer, case, time.perf_counter() - begin)

    async def judge(self, case: Any) -> Verdict:
        """Return the verdict on a case by a function that must be awaited."""
        begin = time.perf_counter()
        try:
            coming: Awaitable[object] = self._function(case)
            answer = await coming
        except Exception as error:
            return self._raised(error, case, time.perf_counter() - begin)
        return self._answered(answer, case, time.perf_counter() - begin)

    def _raised(self, error: Exception, case: Any, seconds: float) -> Verdict:
        if isinstance(error, self._unresolved):
            return Verdict(Outcome.UNRESOLVED, _named(error), seconds)
        if isinstance(error, CheckError):
            raise error
        raise CheckError(
            f"the check function raised {_named(error)}\n"
            f"for the candidate {_shown(case)}\n"
            "hint: it must return True or False; list exceptions that mean unresolved in unresolved="
        ) from error

    def _answered(self, answer: object, case: Any, seconds: float) -> Verdict:
        if isinstance(answer, Verdict):
            return answer if answer.seconds else replace(answer, seconds=seconds)
        if isinstance(answer, Outcome):
            return Verdict(answer, seconds=seconds)
        if isinstance(answer, bool):
            return Verdict(Outcome.FAIL if answer else Outcome.PASS, seconds=seconds)
        raise CheckError(
            f"the check function returned {type(answer).__name__}\n"
            f"for the candidate {_shown(case)}\n"
            "hint: it must return True if the candidate reproduces the failure, and False if not"
        )


def _named(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__


def _shown(case: Any) -> str:
    try:
        shown = _SHORT.repr(case)
    except Exception:  # a repr of the user's may fail too
        shown = f"<{type(case).__name__}>"
    try:
        return f"{shown} (length {len(case):,})"
    except Exception:
        return shown
