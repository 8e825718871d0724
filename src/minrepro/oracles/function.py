"""A Python callable as oracle."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from minrepro.errors import CheckError
from minrepro.search import Outcome, Verdict


class FunctionOracle:
    """Turns a case into a verdict by a function that returns a bool (True: it fails), an Outcome or a Verdict."""

    def __init__(
        self,
        function: Callable[[Any], bool | Outcome | Verdict],
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
        except self._unresolved as error:
            return Verdict(Outcome.UNRESOLVED, _named(error), time.perf_counter() - begin)
        except CheckError:
            raise
        except Exception as error:
            raise CheckError(
                f"the check function raised {_named(error)}\n"
                "hint: it must return True or False; list exceptions that mean unresolved in unresolved="
            ) from error
        seconds = time.perf_counter() - begin
        if isinstance(answer, Verdict):
            return answer if answer.seconds else replace(answer, seconds=seconds)
        if isinstance(answer, Outcome):
            return Verdict(answer, seconds=seconds)
        if isinstance(answer, bool):
            return Verdict(Outcome.FAIL if answer else Outcome.PASS, seconds=seconds)
        raise CheckError(
            f"the check function returned {type(answer).__name__}\n"
            "hint: it must return True if the candidate reproduces the failure, and False if not"
        )


def _named(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__
