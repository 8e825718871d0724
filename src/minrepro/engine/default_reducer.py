"""The default reducer: passes of edits, the most promising first, until none finds anything on the final content."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath

from minrepro.algorithms.lists.group_testing import Density
from minrepro.core.keys import key_of
from minrepro.core.tuning import TUNING
from minrepro.core.units import Unit
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.documents.containers import Container, container_of
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.bundled_grammars import badness, grammar, language_of
from minrepro.engine.merger import Merger, Screen, unrepaired
from minrepro.engine.plan import Plan
from minrepro.engine.syntax_screen import SyntaxScreen
from minrepro.engine.tester import Tester
from minrepro.passes import Pass
from minrepro.passes.default_passes import COMMENTS, SUBTREES, passes_for
from minrepro.passes.focus import around
from minrepro.passes.priority import END, PREPROCESSED
from minrepro.settings import Effort

Commit = Callable[[bytes, str, Verdict], None]
"""Is told of each content that is committed: what it is, which pass led there, and the verdict that allowed it."""


@dataclass
class _Record:
    """What is known about a pass from its runs so far."""

    density: Density | None = None
    refused: set[Hashable] = field(default_factory=set)
    """The texts of what was refused lately: not tried again before much else has changed."""
    level: Level | None = None
    size: int = 0
    """How large the content was, and on which level, when the first of them was refused."""
    refuted: bytes | None = None
    """The content on which it found nothing, each unit tried alone."""
    look: int = TUNING.stretch
    """How many tests it has at first to find something; fewer after it has found nothing."""


@dataclass(frozen=True)
class Level:
    """Which passes have their turn, and how much they must earn before another has."""

    tiers: int
    worth: float
    """The share of the content that a stretch of tests must save."""
    least: float
    """The share of what is left that a list of units must have."""
    alternatives: int | None = None
    hints: bool = False
    """Whether what a needed unit names is taken as needed."""
    thorough: bool = False


_QUICK = (
    Level(0, worth=0.02, least=0.02, alternatives=2, hints=True),
    Level(1, worth=0.005, least=0.002, alternatives=4),
)
ROOTS = Level(0, worth=0.0, least=0.0)
_GROUPED = Level(3, worth=0.0, least=0.0)
"""What goes before each pass that tries every unit alone: many needless units of a long list go in few tests."""
EFFORTS: dict[Effort, tuple[Level, ...]] = {
    "fast": _QUICK,
    "normal": (*_QUICK, Level(2, worth=0.0, least=0.0, thorough=True)),
    "thorough": (*_QUICK, Level(2, worth=0.0, least=0.0, thorough=True), Level(3, 0.0, 0.0, thorough=True)),
}
"""How far to go: quick successes only; until each unit of each pass was tried alone in vain; longer windows as well."""


@dataclass
class DefaultReducer:
    """Makes a content smaller by passes: the quick successes of all of them first, the last unit of each at the end."""

    passes: Sequence[Pass]
    language: str | None = None
    width: int | None = None
    effort: Effort = "normal"
    focus: tuple[int, ...] = ()
    """Lines of the content in which the failure is said to be."""
    records: dict[str, _Record] = field(default_factory=dict)
    _subject: Snapshot | None = None

    def __call__(self, content: bytes, tester: Tester, committed: Commit) -> bytes:
        """Return the smallest content that the passes lead to."""
        container = container_of(content)
        if container is not None:
            content = self._reduced_open(container, content, tester, committed)
        return self._reduced(content, tester, committed)

    def _reduced_open(self, container: Container, content: bytes, tester: Tester, committed: Commit) -> bytes:
        """Reduce what is in a container, which is closed for every test, if it still fails once it was opened."""
        inside = tester.through(container.close, container.name)
        opened = container.open(content)
        if not _fails(inside, opened):
            return content

        def close(case: bytes, label: str, verdict: Verdict) -> None:
            committed(container.close(case), label, verdict)

        opened = self._reduced(opened, inside, close)
        return min(content, container.close(opened), key=len)

    def _reduced(self, content: bytes, tester: Tester, committed: Commit) -> bytes:
        merger = Merger(tester, committed, self.screen(content, tester.seconds_per_test), self.width)
        content = self.prepared(content, merger)
        for level in EFFORTS[self.effort]:
            content = self._run_level(level, content, merger)
        return content

    def prepared(self, content: bytes, merger: Merger) -> bytes:
        """Return what the levels begin with: without what only stands in the way of all else."""
        if self.focus and self.language is not None:
            content = self._run_first(around(self.focus), content, merger)
        for _ in range(TUNING.rounds):
            before = content
            for each in PREPROCESSED:
                content = self._run_first(each, content, merger)
            if content == before:
                break
        if self.language is None or len(content) < TUNING.long:
            return content
        content = self.run_pass(COMMENTS, _QUICK[0], content, merger, TUNING.most_worth)
        size = len(content)
        content = self.run_pass(SUBTREES, _QUICK[0], content, merger, TUNING.most_worth)
        if len(content) < TUNING.stuck * size:
            return content
        content = self._run_first(END, content, merger, ROOTS, _QUICK[0].worth)
        return self._run_first(SUBTREES, content, merger, _QUICK[0], TUNING.most_worth)

    def _run_first(self, each: Pass, content: bytes, merger: Merger, level: Level = ROOTS, worth: float = 0.0) -> bytes:
        """Run a pass with one test after the other: where each part needs those before it, all others are in vain."""
        self.records.pop(each.name, None)  # what was refused may go now, however little has changed
        return self.run_pass(each, level, content, merger, worth, one_by_one=True)

    def screen(self, content: bytes, tested: Callable[[], float]) -> Screen:
        """Return what turns down candidates that are not worth a test."""
        if self.language is None:
            return lambda candidate, committed: True
        # A deterministic run must not depend on how long anything takes.
        return SyntaxScreen(self.language, content, tested if self.width is None else lambda: math.inf)

    def opened(self, content: bytes) -> Snapshot:
        """Return a content as what the passes look at."""
        return Snapshot(content, self.language)

    def _run_level(self, level: Level, content: bytes, merger: Merger) -> bytes:
        """Run the passes of a level until none is worth its while, or on a thorough one until none finds anything."""
        passes = [each for each in self.passes if each.tier <= level.tiers]
        if level.thorough:
            while True:
                before = content
                for each in passes:
                    content = self.run_pass(each, _GROUPED, content, merger, 0.0)
                    content = self.run_pass(each, level, content, merger, 0.0)
                if content == before:
                    return content
        rates = dict.fromkeys((each.name for each in passes), math.inf)
        sizes: dict[str, int] = {}
        while passes and content:
            # Where much has gone since a pass had its turn, it may find more than then.
            rates |= {name: math.inf for name, size in sizes.items() if len(content) < TUNING.much * size}
            each = max(passes, key=lambda each: rates[each.name])
            if rates[each.name] * TUNING.stretch < level.worth:
                return content
            others = [rate for name, rate in rates.items() if name != each.name and rate < math.inf]
            # Go on with it until another one has earned twice as much with as many tests.
            worth = max(level.worth, min(TUNING.most_worth, TUNING.stretch * max(others, default=0.0) / 2))
            tests, size = merger.tester.tests, len(content)
            content = self.run_pass(each, level, content, merger, worth)
            sizes[each.name] = len(content)
            rates[each.name] = (1 - len(content) / size) / max(merger.tester.tests - tests, TUNING.stretch / 2)
        return content

    def run_pass(
        self, each: Pass, level: Level, content: bytes, merger: Merger, worth: float, *, one_by_one: bool = False
    ) -> bytes:
        """Run a pass once on a content, unless it is known to find nothing there."""
        record = self.records.setdefault(each.name, _Record())
        if record.refuted == content:
            return content
        if not level.thorough and (record.level is not level or len(content) < TUNING.stale * record.size):
            record.refused.clear()
            record.level, record.size = level, len(content)
        if self._subject is None or self._subject.content != content:
            self._subject = self.opened(content)
        subject = self._subject
        lists = each.propose(subject)
        if record.density is None:
            record.density = _expecting(each.optimism, lists)
        plan = Plan(
            lists,
            record.density,
            hints=level.hints,
            thorough=level.thorough,
            least=level.least,
            alternatives=level.alternatives,
            refused=record.refused,
            identify=partial(_text_of, content),
        )
        after = merger.carry_out(
            plan,
            content,
            join=None if each.glues else subject.join,
            repair=subject.repair if each.from_lists else unrepaired,
            label=each.name,
            worth=worth,
            look=record.look,
            screened=not (level.thorough and each.beyond_syntax and len(content) <= TUNING.small),
            one_by_one=one_by_one,
        )
        # Most of what a finished plan has left is needed.
        record.density = Density(begun=1.0, seen=4.0) if plan.finished else plan.density
        record.look = TUNING.stretch if after != content else max(TUNING.shortest_look, record.look // 2)
        if after == content and level.thorough:
            record.refuted = content
        return after


def default_reducer(
    path: PurePath,
    content: bytes,
    *,
    language: str | None = None,
    effort: Effort = "normal",
    deterministic: bool = False,
    golf: bool = False,
    focus: tuple[int, ...] = (),
) -> DefaultReducer:
    """Return the reducer that suits a file, by its language, which its name and content tell unless it is given."""
    language = language or language_of(path, content)
    broken = 0.0 if language is None else _broken_share(language, content)
    if broken > TUNING.mostly_broken:
        language = None
    passes = passes_for(language, golf, understood=broken <= TUNING.somewhat_broken)
    return DefaultReducer(passes, language, TUNING.width if deterministic else None, effort, focus)


def is_understood(language: str, content: bytes) -> bool:
    """Tell whether a content is mostly what its language's grammar says."""
    return _broken_share(language, content) <= TUNING.mostly_broken


def _broken_share(language: str, content: bytes) -> float:
    """Return the share of a content that its language's grammar does not understand."""
    _, size = badness(grammar(language).parse(content))
    return size / max(1, len(content))


def _text_of(content: bytes, unit: Unit) -> Hashable:
    """Return what tells units apart from one content to the next: what they take out, and what they put there."""
    return hash(tuple((content[cut.start : cut.end], cut.text) for cut in unit.edits[0]))


def _fails(tester: Tester, case: bytes) -> bool:
    key = key_of(case)
    known = tester.recall(key)
    if known is None:
        job = tester.start(case, key, "opened")
        try:
            while not (done := tester.wait()):
                pass
        finally:
            tester.cancel([job])
        known = done[job]
    return known.outcome is Outcome.FAIL


def _expecting(needed: float, lists: list[list[Unit]]) -> Density:
    """Return a first guess of how dense needed units are: so many of all, by weight."""
    total = sum(unit.weight for units in lists for unit in units)
    return Density(begun=1.0, seen=max(20.0, total / needed))
