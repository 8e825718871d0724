"""What a message says in more than one line: a headline, and below it what tells one failure from another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from minrepro.oracles.diagnostics import INPUT, Context
from minrepro.oracles.kinds import Line

_MOST_BELOW = 16
"""What comes further below a headline is not about it."""
_QUOTED = re.compile(r"[\"'`‘“][^\"'`]*\w")
_VERDICT = re.compile(r"(?:\||\s{2})\s*(?:FAIL(?:ED|URE)?|ERROR)[\s|]*$")
_ANY_VERDICT = re.compile(r"(?i)\b(?:ok|pass(?:ed)?|fail(?:ed)?|error|skip(?:ped)?)\W*$")
_TEST = re.compile(r"^\s*(?:[●✕✗✘✖×] |not ok |#\s+Failed test |--- FAIL: |FAIL(?:ED)?: )")
_CONTINUED = re.compile(r"^\t(?!(?:at|from|in|\.\.\.|eval) )[A-Za-z\"'`(]\S* \S")
"""More of a message, where a stack would be indented like that, too."""
_EXPECTED = re.compile(r"(?i)^[\s#+-]*(?:expected|want(?:ed)?|expect)\b[^:=]{0,20}[:=] *(?P<value>\S?)")
_RECEIVED = re.compile(r"(?i)^[\s#+-]*(?:received|actual|got|found|but was)\b[^:=]{0,20}[:=] *(?P<value>\S?)")


_LISTED = re.compile(r"^\s*[✕✗✘✖×] (?P<name>\S.*?)(?: \(?[\d.]+ ?m?s\)?)?$")


def is_told_again(line: Line, below: Sequence[Line]) -> bool:
    """Tell whether a line only lists a test that failed, of which more is told below."""
    listed = _LISTED.match(line.text)
    return listed is not None and any(other.text.strip().endswith(listed["name"]) for other in below)


def is_excerpt(line: Line, context: Context) -> bool:
    """Tell whether a line is one of the input."""
    text = " ".join(line.text.split())
    return len(text) > 3 and line.kind in ("words", "other") and text in context.text


def with_details(lines: Sequence[Line], number: int, context: Context) -> list[str]:
    """Return a line that may be a headline, with what says more below it: its cause, its details, or its label."""
    headline = lines[number]
    if headline.kind not in ("error", "place", "words"):
        return [headline.text]
    below = [line for line in lines[number + 1 : number + _MOST_BELOW] if line.stderr is headline.stderr]
    for above, line in pairwise(below):
        if above.text.strip() == "Caused by:" and line.text.strip():
            return [line.text, headline.text]
    if details := [*_below(headline, below, context), *_compared(below)]:
        return [*dict.fromkeys(details), headline.text]
    if not is_specific(headline.text, context):
        block = list(takewhile(lambda line: line.text.strip(), below))
        for line in block:
            if match := re.search(r"\^+[-^~ ]* (?P<label>\w.*[`'‘\"].*)$", line.text):
                return [headline.text, match["label"]]
        for line in block:
            if line.kind == "words" and not is_excerpt(line, context) and is_specific(line.text, context):
                return [headline.text, line.text]
    return [headline.text]


def _below(headline: Line, below: Sequence[Line], context: Context) -> list[str]:
    """Return the line below a headline that ends as if more followed, or is marked as where it was noticed."""
    ends = headline.text
    rest = list(below)
    while rest and _is_wrapped(ends):
        ends = f"{ends} {rest.pop(0).text}"
    following = next((line for line in rest[:2] if line.text.strip()), None)
    if following is None or (is_specific(headline.text, context) and is_excerpt(following, context)):
        return []
    deeper = _indent(following.text) > _indent(headline.text)
    last = ends.rstrip()[-1:]
    if following.kind in ("words", "other", "place") and (last == ":" or (last == "." and deeper)):
        return [following.text]
    if last == ":" and _CONTINUED.match(following.text):
        return [following.text]
    about = following.kind in ("words", "other") and not _ANY_VERDICT.search(following.text)
    if about and _VERDICT.search(headline.text):
        return [following.text]
    quoted = map(_QUOTED.search, (headline.text, following.text))
    if following.kind == "words" and [bool(each) for each in quoted] == [False, True]:
        return [following.text]  # the first says where, and the second what
    if deeper and following.kind == "place":
        # What a test logs looks like what it fails with, which comes last.
        block = takewhile(lambda line: _indent(line.text) > _indent(headline.text), rest)
        placed = [line.text for line in block if line.kind == "place"]
        return list(dict.fromkeys([following.text, placed[-1]]))
    return []


def _compared(below: Sequence[Line]) -> list[str]:
    """Return what a test expected and what it got instead, behind these words or below them."""
    rest = [line.text for line in takewhile(lambda line: not _TEST.match(line.text), below)]
    found: dict[str, str] = {}
    for number, text in enumerate(rest):
        for shape in (_EXPECTED, _RECEIVED):
            if match := shape.match(text):
                value = text if match["value"] else next(filter(str.strip, rest[number + 1 :]), "")
                found.setdefault(shape.pattern, value)
    return list(filter(None, found.values())) if len(found) == 2 else []


def _is_wrapped(text: str) -> bool:
    """Tell whether a line goes on in the next one, as a bracket is not closed yet."""
    return any(text.count(opening) > text.count(closing) for opening, closing in ("<>", "()", "[]", "{}"))


_COMMON = frozenset(
    {
        "line",
        "file",
        "error",
        "errors",
        "with",
        "from",
        "this",
        "that",
        "have",
        "value",
        "name",
        "type",
        "table",
        "test",
    }
    | {"element", "entry", "found", "failed", "read", "section", "list", "item", "items", "function", "main", "version"}
)


def is_specific(text: str, context: Context) -> bool:
    """Tell whether a line names something: in quotes, or by words of the input that no other message would have."""
    if _QUOTED.search(text):
        return True
    words = set(re.findall(r"[A-Za-z_]\w{2,}", context.normalised(text).replace(INPUT, ""))) - _COMMON
    return any(re.search(rf"\b{re.escape(word)}\b", context.text) for word in words)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
