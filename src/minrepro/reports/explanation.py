"""Why a result is what it is: what happens without each part, which parts may be anything, and what makes it pass.

Whether a part may be anything is found as in DDSET (Gopinath and others, *Abstracting failure-inducing inputs*, 2020),
with a few fresh values in place of random derivations of a grammar: every claim was seen on each value that is named
with it, and all claims together were seen in one test. What cannot be claimed with the rest is not claimed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from minrepro.algorithms.lists.dd import dd
from minrepro.core.edits import Cut, apply
from minrepro.core.keys import key_of
from minrepro.core.search import embed, solve
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.documents.snapshot import Snapshot
from minrepro.engine.tester import Tester
from minrepro.passes.names import names
from minrepro.passes.tokens import token_spans
from minrepro.reports.parts import STRING, part_spans

MOST_TOKENS = 400
"""A content with more tokens is explained line by line."""

_NUMBER = re.compile(rb"(?<![\w.])(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?)(?![\w.])")
_INTEGERS = (b"0", b"7", b"2024", b"100000")
_FLOATS = (b"0.5", b"7.25", b"1000.125")
_TEXTS = (b"", b"q", b"some words", b"Z9_z")
_NAMES = (b"q%d", b"someName%d", b"a_rather_long_name_%d")
_EXPRESSIONS = (b"0", b"(1 + 2)", b'"text"')


@dataclass(frozen=True)
class Part:
    """A stretch of a result: what came of removing it, and what else it may be."""

    start: int
    end: int
    without: Verdict
    may_be: str = ""
    """What it may be, such as `any integer`; empty when it must be what it is, as far as was tried."""
    tried: tuple[bytes, ...] = ()
    """What stood in its place and failed all the same."""

    @property
    def needed(self) -> bool:
        """Whether the failure is gone, or another one, without it."""
        return self.without.outcome is not Outcome.FAIL


@dataclass(frozen=True)
class FreePart:
    """Places whose text may be anything of a kind, all of them the same at a time."""

    kind: str
    places: tuple[tuple[int, int], ...]
    values: tuple[bytes, ...]

    def cuts(self, number: int) -> list[Cut]:
        """Return what puts one of the values into all places."""
        return [Cut(start, end, self.values[number % len(self.values)]) for start, end in self.places]


@dataclass(frozen=True)
class Explanation:
    """What is known about every part of a result."""

    content: bytes
    parts: tuple[Part, ...]
    freedoms: tuple[FreePart, ...] = ()
    passing: bytes | None = None
    """A content close to the result that passes: the smallest change that was found."""
    change: tuple[Cut, ...] = ()
    """What makes it pass."""
    tests: int = 0

    @property
    def abstract(self) -> bytes:
        """The content with what may be anything shown as its kind."""
        cuts: list[Cut] = []
        number = 0
        for one in self.freedoms:
            number += one.kind == "any name"
            # Two places with the same name must keep the same one.
            shown = f"⟨{one.kind} {number}⟩" if one.kind == "any name" else f"⟨{one.kind}⟩"
            cuts += [Cut(start, end, shown.encode()) for start, end in one.places]
        return apply(self.content, sorted(cuts))


Ask = Callable[[Sequence[bytes]], list[Verdict]]


def explain(content: bytes, language: str | None, ask: Ask) -> Explanation:
    """Return what is known about a failing content after asking for the verdicts of changed ones."""
    subject = Snapshot(content, language)
    spans = _spans(subject)
    verdicts = ask([apply(content, [Cut(start, end)]) for start, end in spans])
    parts = [Part(start, end, verdict) for (start, end), verdict in zip(spans, verdicts, strict=True)]
    free, passing_replacements = _free(content, list(_candidates(subject)), ask)
    freedoms = _together(content, free, ask)
    for one in freedoms:
        for start, end in one.places:
            quotes = one.kind == "any text"  # the text between them is free, and they are shown with it
            parts = [
                replace(part, may_be=one.kind, tried=one.values)
                if start - quotes <= part.start and part.end <= end + quotes
                else part
                for part in parts
            ]
    change = _change(content, parts, _disjoint(subject), passing_replacements, ask)
    passing = apply(content, change) if change else None
    return Explanation(content, tuple(parts), tuple(freedoms), passing, change)


def _spans(subject: Snapshot) -> list[tuple[int, int]]:
    return part_spans(subject) if len(token_spans(subject)) <= MOST_TOKENS else _line_spans(subject.content)


def _disjoint(subject: Snapshot) -> list[tuple[int, int]]:
    """Return pieces of which any can be kept: no one is inside another."""
    tokens = token_spans(subject)
    return tokens if len(tokens) <= MOST_TOKENS else _line_spans(subject.content)


def _line_spans(content: bytes) -> list[tuple[int, int]]:
    lines, start = [], 0
    for line in content.splitlines(keepends=True):
        if line.strip():
            lines.append((start, start + len(line)))
        start += len(line)
    return lines


def _candidates(subject: Snapshot) -> Iterator[FreePart]:
    """Yield what might be anything: expressions, then names, numbers and texts."""
    content = subject.content
    strings = [match.span() for match in STRING.finditer(content)]
    document = subject.document
    if document is not None:
        tree = document.tree
        for node in range(1, len(tree)):
            if tree.name(node).endswith("expression") and not tree.is_leaf(node) and tree.size(node) < 200:
                yield FreePart("any expression", ((tree.start[node], tree.end[node]),), _EXPRESSIONS)
    for number, places in enumerate(names(subject).values()):
        outside = tuple(place for place in places if not any(s < place[0] and place[1] < e for s, e in strings))
        if outside:
            yield FreePart("any name", outside, tuple(name % number for name in _NAMES))
    for start, end in strings:
        yield FreePart("any text", ((start + 1, end - 1),), _TEXTS)
    for match in _NUMBER.finditer(content):
        if not any(start < match.start() < end for start, end in strings):
            values = (_FLOATS, "any number") if b"." in match[0] else (_INTEGERS, "any integer")
            yield FreePart(values[1], (match.span(),), values[0])


def _free(content: bytes, candidates: list[FreePart], ask: Ask) -> tuple[list[FreePart], list[tuple[Cut, ...]]]:
    """Return those of which every value fails, and the replacements with which it passes."""
    changes = [tuple(one.cuts(i)) for one in candidates for i in range(len(one.values))]
    verdicts = dict(zip(changes, ask([apply(content, cuts) for cuts in changes]), strict=True))
    free: list[FreePart] = []
    for one in candidates:
        outcomes = {verdicts[tuple(one.cuts(i))].outcome for i in range(len(one.values))}
        places = [place for other in free for place in other.places]
        inside = any(start <= a and b <= end for start, end in places for a, b in one.places)
        if outcomes == {Outcome.FAIL} and not inside:
            free.append(one)
    return free, [cuts for cuts in changes if verdicts[cuts].outcome is Outcome.PASS]


def _together(content: bytes, free: list[FreePart], ask: Ask) -> list[FreePart]:
    """Return as many of them as may be anything at the same time, the first ones first."""
    together: list[FreePart] = []
    if _all_fail(content, free, ask):
        return free
    for one in free:
        if _all_fail(content, [*together, one], ask):
            together.append(one)
    return together


def _all_fail(content: bytes, free: Sequence[FreePart], ask: Ask) -> bool:
    cases = [apply(content, sorted(cut for one in free for cut in one.cuts(i))) for i in (1, 2)]
    return all(verdict.outcome is Outcome.FAIL for verdict in ask(cases))


def _change(
    content: bytes,
    parts: Sequence[Part],
    pieces: Sequence[tuple[int, int]],
    replacements: Sequence[tuple[Cut, ...]],
    ask: Ask,
) -> tuple[Cut, ...]:
    """Return the smallest change that makes it pass: one part less or replaced, or a difference that dd isolates."""
    removals = [(Cut(part.start, part.end),) for part in parts if part.without.outcome is Outcome.PASS]
    if removals or replacements:
        return min([*removals, *replacements], key=_extent)
    if not pieces or ask([_keeping(content, pieces, ())])[0].outcome is not Outcome.PASS:
        return ()
    positions = range(len(pieces))
    isolation = embed(dd(positions), into=lambda kept: _keeping(content, pieces, kept))
    inside, outside = solve(isolation, lambda case: ask([case])[0].outcome)
    failing, passed = set(outside), set(inside)
    if len(failing) < len(pieces):  # the failing side is smaller than the result, so the result was not minimal
        return tuple(Cut(*pieces[i]) for i in positions if i not in passed)
    return tuple(Cut(*pieces[i]) for i in sorted(failing - passed))


def _extent(change: tuple[Cut, ...]) -> tuple[int, int, int]:
    return len(change), sum(cut.end - cut.start + len(cut.text) for cut in change), change[0].start


def _keeping(content: bytes, pieces: Sequence[tuple[int, int]], kept: Sequence[int]) -> bytes:
    keep = set(kept)
    return apply(content, [Cut(*piece) for i, piece in enumerate(pieces) if i not in keep])


def asking(tester: Tester) -> Ask:
    """Return what tests several contents at once, each only once."""
    known: dict[Any, Verdict] = {}

    def ask(cases: Sequence[bytes]) -> list[Verdict]:
        keys = [key_of(case) for case in cases]
        waiting = {key: case for key, case in zip(keys, cases, strict=True) if key not in known}
        under_way: dict[Any, Any] = {}
        try:
            while waiting or under_way:
                while waiting and tester.running < tester.capacity:
                    key, case = waiting.popitem()
                    under_way[tester.start(case, key, "explain")] = key
                for job, verdict in tester.wait().items():
                    known[under_way.pop(job)] = verdict
        finally:
            tester.cancel(under_way)
        return [known[key] for key in keys]

    return ask
