"""What can go wrong in a page, and the signature by which a failure is known again.

A signature is the kind, the name and the message of what was seen, with addresses, positions and numbers made equal,
and the functions it was thrown in: the same failure looks alike after other events, at another row, on another port.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

HARD = ("error", "crash", "hang", "http", "predicate")
"""What no page should ever show."""

_ADDRESS = re.compile(r"\b(?:https?|file|blob|data):[^\s'\")]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FRAME = re.compile(r"^\s*at (?:async )?(?:new )?([^\s(]+) \(", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_OURS = "__minrepro"
LONGEST = 300


@dataclass(frozen=True, slots=True)
class PageFailure:
    """Something that went wrong in a page."""

    kind: str
    text: str
    functions: tuple[str, ...] = ()
    """The functions it was thrown in, the innermost first."""

    @property
    def signature(self) -> str:
        """What stays the same when the failure shows again."""
        if self.kind == "predicate":  # an expression, in which numbers count
            return f"{self.kind}: {self.text}"
        place = f" in {' < '.join(self.functions)}" if self.functions else ""
        return f"{self.kind}: {normalised(self.text)}{place}"


def printable(text: str) -> str:
    """Return a text of a page or a recording in which nothing moves the cursor of a terminal."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def normalised(text: str) -> str:
    """Return a message without what differs from one time to the next."""
    one_line = printable(" ".join(text.split())[:LONGEST])
    return _NUMBER.sub("#", _ADDRESS.sub("URL", one_line))


def functions_of(stack: str, number: int) -> tuple[str, ...]:
    """Return the innermost named functions of a JavaScript stack."""
    names = (match[1].rpartition(".")[2] for match in _FRAME.finditer(stack or ""))
    return tuple(name for name in names if _OURS not in name and "<" not in name)[:number]


def chosen(seen: Iterable[PageFailure], wanted: str | None = None) -> PageFailure | None:
    """Return the failure that a session is about: the first that has the wanted text, or the first hard one."""
    failures = list(seen)
    if wanted is not None:
        return next((failure for failure in failures if matches(wanted, failure)), None)
    hard = [failure for failure in failures if failure.kind in HARD]
    console = [failure for failure in failures if failure.kind == "console"]
    return next(iter((*hard, *console, *failures)), None)


def matches(wanted: str, failure: PageFailure) -> bool:
    """Tell whether a text that a user gave is found in a failure."""
    whole = f"{failure.kind}: {failure.text}"
    return wanted in failure.signature or wanted in whole or normalised(wanted) in failure.signature


def first_watched(seen: Iterable[PageFailure], kinds: Collection[str]) -> PageFailure | None:
    """Return the first failure of a kind that counts."""
    return next((failure for failure in seen if failure.kind in kinds), None)
