"""The regular expression by which an exported test knows its failure: the message and the functions, nothing else."""

from __future__ import annotations

import re

from minrepro.browser.page_failures import LONGEST, PageFailure

_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
_NUMBER = r"\d+(?:\.\d+)?"
_PLACE = re.compile(r" in ([\w$#]+(?: < [\w$#]+)*)$")


def pattern(signature: str, seen: PageFailure | None = None) -> str:
    """Return the expression for a signature, more exactly where the failure itself was seen."""
    kind, _, text = signature.partition(": ")
    if not text:
        return "."
    if kind == "predicate":
        return f"^{_escaped(text)}$"
    place = _PLACE.search(text) if kind == "error" else None
    message = text[: place.start()] if place else text
    functions = _escaped(place[0]).replace("#", r"(?:#|\d+)") if place else ""
    # In a signature, a number is # and an address URL; either may also stand there as it is.
    varied = re.sub(r"#|URL", lambda found: rf"(?:#|{_NUMBER})" if found[0] == "#" else r"\S+", _escaped(message))
    if seen is not None and seen.signature == signature:
        varied = _exactly(seen.text)
    cut = ".*" if len(message) >= LONGEST else ""
    return f"^{varied}{cut}{functions}$"


def functions_in(signature: str) -> int:
    """Return how many functions of the stack a signature has."""
    place = _PLACE.search(signature) if signature.startswith("error:") else None
    return place[1].count(" < ") + 1 if place else 0


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: "\\" + found[0], text)


def _exactly(text: str) -> str:
    """Return the expression for a message as it was seen, in which only numbers and addresses may be others."""
    plain = " ".join(text.split())[:LONGEST]
    parts = re.split(r"(\b(?:https?|file|blob|data):[^\s'\")]+|\d+(?:\.\d+)?)", plain)
    made = [_escaped(part) if i % 2 == 0 else _NUMBER if part[0].isdigit() else r"\S+" for i, part in enumerate(parts)]
    return "".join(made)
