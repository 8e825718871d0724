"""Readable results: of what a pass proposes, what lets whole words or signs go and makes no new word of what is left.

The fewest tokens come first, then what a person would read, then bytes. What only makes a name, a number or a text
shorter saves none of the first and costs the second.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from minrepro.core.edits import Cut, Cuts, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.spacing import stripped, with_blanks
from minrepro.passes import Pass, Propose
from minrepro.passes.hoists import without_idle
from minrepro.passes.zero_fill import is_binary

_TOKEN = re.compile(rb"[\w\x80-\xff]+|[^\w\s\x80-\xff]")
_WITHIN_WORD = re.compile(rb"[\w\x80-\xff]{2}")


def readable(each: Pass) -> Pass:
    """Return a pass that proposes of what another does only what leaves a result readable."""
    return replace(each, propose=partial(_proposed, each.propose))


def _proposed(propose: Propose, subject: Snapshot) -> list[list[Unit]]:
    lists = propose(subject)
    nobody_reads = subject.language is None and is_binary(subject.content)
    return lists if nobody_reads else _readable(subject.content, lists)


def _readable(content: bytes, lists: list[list[Unit]]) -> list[list[Unit]]:
    return [kept for units in lists for kept in without_idle([_only_readable(content, unit) for unit in units])]


def _only_readable(content: bytes, unit: Unit) -> Unit:
    kept = (edit for edit in unit.edits if lets_tokens_go(content, edit))
    tidy = dict.fromkeys(unite(_tidy(content, cut) for cut in edit) for edit in kept)
    below = None if unit.below is None else partial(_readable_below, content, unit.below)
    return replace(unit, edits=tuple(tidy), below=below)


def _readable_below(content: bytes, below: Callable[[], list[list[Unit]]]) -> list[list[Unit]]:
    return _readable(content, below())


def _tidy(content: bytes, cut: Cut) -> Cut:
    """Return a cut that leaves line breaks and indentation as they are."""
    start, end = stripped(content, cut.start, cut.end)
    return cut if cut.text or start == end else with_blanks(content, start, end)


def lets_tokens_go(content: bytes, cuts: Cuts) -> bool:
    """Tell whether cuts save words or signs, and neither take a part of a word nor make one word of two."""
    saved = 0
    for start, end, text, _ in cuts:
        before, behind = content[max(0, start - 1) : start], content[end : end + 1]
        seams = before + content[start : start + 1], content[end - 1 : end] + behind, before + behind
        if not text and any(map(_WITHIN_WORD.fullmatch, seams)):
            return False
        saved += len(_TOKEN.findall(content, start, end)) - len(_TOKEN.findall(text))
    return saved > 0
