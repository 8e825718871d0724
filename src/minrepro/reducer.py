"""The default reducer: passes of edits, the most promising first, until none finds anything on the final content."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath

from minrepro.algorithms.grouping import Density
from minrepro.documents.treesitter import Reparser, badness, grammar, language_of
from minrepro.merge import Merger
from minrepro.passes import Pass
from minrepro.passes.catalogue import PLAIN, TREE
from minrepro.plan import Plan, Unit
from minrepro.subject import Subject
from minrepro.tester import Tester

_MOSTLY_BROKEN = 0.5
"""From this share of bytes in errors on, a grammar is no help."""
_LEAK = 30
"""One in so many candidates that parse worse is tested all the same: the failure may live in broken syntax."""


class SyntaxScreen:
    """Turns down candidates that parse worse than the content they would replace, until one of them fails."""

    def __init__(self, language: str, content: bytes) -> None:
        known = grammar(language)
        self._reparser = Reparser(known, content, known.parse(content))
        self._content = content
        self._allowed = self._reparser.badness(content)
        self._turned_down = 0
        self.strict = True

    def __call__(self, candidate: bytes, committed: bytes) -> bool:
        """Tell whether a candidate is worth a test."""
        if not self.strict:
            return True
        if committed is not self._content:
            self._move_to(committed)
            if not self.strict:
                return True
        count, size = self._reparser.badness(candidate)
        if count <= self._allowed[0] and size <= self._allowed[1]:
            return True
        self._turned_down += 1
        return self._turned_down % _LEAK == 0

    def _move_to(self, committed: bytes) -> None:
        badness = self._reparser.badness(committed)
        # What was let through although it parses worse has failed: syntax is no guide here.
        self.strict = badness <= self._allowed
        self._reparser.move_to(committed)
        self._content, self._allowed = committed, badness


@dataclass
class _Record:
    """What a pass has earned so far."""

    density: Density | None = None
    seconds: float = 0.0
    saved: int = 0
    refuted: bytes | None = None
    """The content on which it found nothing, each unit tried alone."""


@dataclass
class DefaultReducer:
    """Makes a content smaller by passes."""

    passes: list[Pass]
    language: str | None = None
    width: int | None = None
    clock: Callable[[], float] = time.monotonic
    records: dict[str, _Record] = field(default_factory=dict)

    def __call__(self, content: bytes, tester: Tester, committed: Callable[[bytes, str], None]) -> bytes:
        """Return the smallest content that the passes lead to."""
        screen = SyntaxScreen(self.language, content) if self.language else (lambda candidate, committed: True)
        merger = Merger(tester, committed, screen, self.width)
        while True:
            before = content
            for each in self.passes:
                content = self._run(each, content, merger)
            if content == before:
                return content

    def _run(self, each: Pass, content: bytes, merger: Merger) -> bytes:
        """Run a pass until it finds nothing more."""
        record = self.records.setdefault(each.name, _Record())
        while record.refuted != content:
            before, began = content, self.clock()
            content = self._once(each, record, content, merger)
            record.seconds += self.clock() - began
            record.saved += len(before) - len(content)
        return content

    def _once(self, each: Pass, record: _Record, content: bytes, merger: Merger) -> bytes:
        subject = Subject(content, self.language)
        lists = each.propose(subject)
        thorough = record.density is not None
        if record.density is None:
            record.density = _expecting(each.optimism, lists)
        plan = Plan(lists, record.density, thorough=thorough)
        after = merger.carry_out(plan, content, join=subject.join, repair=subject.repair, label=each.name)
        record.density = plan.density
        if after == content and thorough:
            record.refuted = content
        return after


def default_reducer(path: PurePath, content: bytes) -> DefaultReducer:
    """Return the reducer that suits a file, by its name and content."""
    language = language_of(path, content)
    if language is not None and not is_understood(language, content):
        language = None
    return DefaultReducer(TREE if language else PLAIN, language)


def is_understood(language: str, content: bytes) -> bool:
    """Tell whether a content is mostly what its language's grammar says."""
    count, size = badness(grammar(language).parse(content))
    return size <= _MOSTLY_BROKEN * len(content)


def _expecting(needed: float, lists: list[list[Unit]]) -> Density:
    """Return a first guess of how dense needed units are: so many of all, by weight."""
    total = sum(unit.weight for units in lists for unit in units)
    return Density(begun=1.0, seen=max(20.0, total / needed))
