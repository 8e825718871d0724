"""The default reducer: passes of edits, the most promising first, until none finds anything more."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from minrepro.algorithms.lists.group_testing import Density
from minrepro.core.keys import key_of
from minrepro.core.tuning import TUNING
from minrepro.core.units import Unit
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.documents.containers import Container, container_of
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.bundled_grammars import language_of
from minrepro.documents.syntax.open_tree import grammar_for
from minrepro.engine.merger import Merger, Screen
from minrepro.engine.plan import Plan
from minrepro.engine.refusals import Refusals
from minrepro.engine.syntax_screen import SyntaxScreen
from minrepro.engine.tester import Tester
from minrepro.passes import Pass
from minrepro.passes.default_passes import BLOCKS, COMMENTS, SUBTREES, passes_for
from minrepro.passes.focus import around
from minrepro.passes.plain_text import is_noise
from minrepro.passes.priority import END, PREPROCESSED
from minrepro.settings import Effort

Commit = Callable[[bytes, str, Verdict], None]
"""Is told of each content that is committed: what it is, which pass led there, and the verdict that allowed it."""


@dataclass
class _Record:
    """What is known about a pass from its runs so far."""

    density: Density | None = None
    inferred: dict[Hashable, int] = field(default_factory=dict)
    """What edits were refused without a test of their own."""
    level: Level | None = None
    """On which level it had its last turn."""
    refuted: bytes | None = None
    """The content on which it found nothing, each unit tried alone or known to be refused so."""
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
    doubts: bool = False
    """Whether in the end each refusal counts only where it was made on the very content that is left."""


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
    "thorough": (
        *_QUICK,
        Level(2, worth=0.0, least=0.0, thorough=True),
        Level(3, 0.0, 0.0, thorough=True, doubts=True),
    ),
}
"""How far to go: quick successes only; until each unit of each pass was tried alone in vain; in the end all
of them on the very result, and windows of tokens as well."""


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
    refused: dict[Hashable, int] = field(default_factory=dict)
    """What edits of any pass were refused alone."""
    _subject: Snapshot | None = None

    def __call__(self, content: bytes, tester: Tester, committed: Commit) -> bytes:
        """Return the smallest content that the passes lead to; what was learnt of another one does not count."""
        self.records.clear()
        self.refused.clear()
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
        content = self._blocks_removed(content, Merger(tester, committed, lambda candidate, before: True, self.width))
        merger = Merger(tester, committed, self.screen(content, tester.seconds_per_test), self.width)
        content = self.prepared(content, merger)
        for level in EFFORTS[self.effort]:
            content = self._run_level(level, content, merger)
        return content

    def _blocks_removed(self, content: bytes, merger: Merger) -> bytes:
        """Return what is left of a long content without blocks that can go; what earns most goes on."""
        ways = list(BLOCKS)
        while ways and len(content) > TUNING.huge:
            size = len(content)
            each = ways.pop(0)
            self.records[each.name] = _Record(look=TUNING.first_look)
            content = self.run_pass(each, ROOTS, content, merger, TUNING.block_worth)
            if len(content) < (1 - TUNING.block_worth) * size:
                ways = [each, *(other for other in BLOCKS if other is not each)]
        self._subject = None
        return content

    def prepared(self, content: bytes, merger: Merger) -> bytes:
        """Return what the levels begin with: without what only stands in the way of all else."""
        if self.focus and self.language is not None:
            content = self._run_first(around(self.focus), content, merger)
        for _ in range(TUNING.rounds):
            before = content
            for each, worth in PREPROCESSED:
                content = self._run_first(each, content, merger, worth=worth(content))
            if len(content) > (1 - TUNING.header_worth) * len(before):
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
            return self._polished(passes, level, content, merger)
        if len(passes) == 1:
            return self.run_pass(passes[0], _GROUPED, content, merger, 0.0)  # no other could earn more meanwhile
        rates = dict.fromkeys((each.name for each in passes), math.inf)
        sizes: dict[str, int] = {}
        while passes and content:
            # Where much has gone since a pass had its turn, it may find more than then.
            rates |= {name: math.inf for name, size in sizes.items() if len(content) < TUNING.much * size}
            first, *others = sorted(passes, key=lambda each: -rates[each.name])
            if rates[first.name] * TUNING.stretch < level.worth:
                return content
            known = [rates[each.name] for each in others if rates[each.name] < math.inf]
            # Go on with it until another one has earned twice as much with as many tests.
            worth = max(level.worth, min(TUNING.most_worth, TUNING.stretch * max(known, default=0.0) / 2))
            content = self.run_passes([first, *others], level, content, merger, worth, rates=rates)
            sizes |= dict.fromkeys((each.name for each in passes if rates[each.name] < math.inf), len(content))
        return content

    def _polished(self, passes: Sequence[Pass], level: Level, content: bytes, merger: Merger) -> bytes:
        """Run passes until none finds anything, those that seldom do only where no other does."""
        tier, doubted = min(1, level.tiers), not level.doubts
        while True:
            before = content
            chosen = [each for each in passes if each.tier <= tier]
            for each in chosen:
                content = self.run_pass(each, _GROUPED, content, merger, 0.0)
            content = self.run_passes(chosen, level, content, merger, 0.0)
            if content != before:
                tier, doubted = min(1, level.tiers), not level.doubts
            elif tier < level.tiers:
                tier += 1
            elif doubted:
                return content
            else:  # what was refused in another content is tried once in this one
                doubted = True
                self.refused.clear()
                self.records.clear()

    def run_pass(
        self, each: Pass, level: Level, content: bytes, merger: Merger, worth: float, *, one_by_one: bool = False
    ) -> bytes:
        """Run a pass once on a content, unless it is known to find nothing there."""
        return self.run_passes([each], level, content, merger, worth, one_by_one=one_by_one)

    def run_passes(
        self,
        passes: Sequence[Pass],
        level: Level,
        content: bytes,
        merger: Merger,
        worth: float,
        *,
        one_by_one: bool = False,
        rates: dict[str, float] | None = None,
    ) -> bytes:
        """Run a pass once on a content, and others as far as workers would be idle; on a thorough level, one by one.

        What each has earned with a test is noted in `rates`.
        """
        if self._subject is None or self._subject.content != content:
            self._subject = self.opened(content)
        subject = self._subject
        plans: dict[str, Plan] = {}

        def planned() -> Iterator[Plan]:
            for each in passes:
                record = self.records.setdefault(each.name, _Record())
                if record.refuted == content:
                    if rates is not None:
                        rates[each.name] = 0.0
                    continue
                plans[each.name] = self._plan(each, record, level, subject)
                yield plans[each.name]

        ahead = planned()
        plan = next(ahead, None)
        if plan is None:
            return content
        look = self.records[plan.label].look
        after = merger.carry_out(
            plan,
            content,
            ahead=ahead,
            join=subject.join,
            repair=subject.repair,
            worth=worth,
            look=look,
            one_by_one=one_by_one,
        )
        for plan in plans.values():
            record = self.records[plan.label]
            # Most of what a finished plan has left is needed.
            record.density = Density(begun=1.0, seen=4.0) if plan.finished else plan.density
            record.look = TUNING.stretch if plan.saved else max(TUNING.shortest_look, record.look // 2)
            if after == content and level.thorough:
                record.refuted = content
            if rates is not None:
                rates[plan.label] = plan.saved / len(content) / max(plan.tests, TUNING.stretch / 2)
        return after

    def _plan(self, each: Pass, record: _Record, level: Level, subject: Snapshot) -> Plan:
        """Return what a pass has to try on a level."""
        if record.level is not level:
            record.inferred.clear()
            record.level = level
        lists = each.propose(subject)
        if record.density is None:
            record.density = _expecting(each.optimism, lists)
        return Plan(
            lists,
            record.density,
            hints=level.hints,
            thorough=level.thorough,
            least=level.least,
            alternatives=level.alternatives,
            refusals=Refusals(self.refused, subject.content, record.inferred),
            label=each.name,
            glues=each.glues,
            screened=not (level.thorough and each.beyond_syntax and len(subject.content) <= TUNING.small),
        )


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
    # What is too long to be parsed at once is taken to be what its name says.
    broken = 0.0 if language is None or len(content) > TUNING.huge else _broken_share(language, content)
    if broken > TUNING.mostly_broken:
        language = None
    noise = language is None and is_noise(content)
    passes = passes_for(language, golf, understood=broken <= TUNING.somewhat_broken, noise=noise)
    return DefaultReducer(passes, language, TUNING.width if deterministic else None, effort, focus)


def is_understood(language: str, content: bytes) -> bool:
    """Tell whether a content is mostly what its language's grammar says."""
    return _broken_share(language, content) <= TUNING.mostly_broken


def _broken_share(language: str, content: bytes) -> float:
    """Return the share of a content that its language's grammar does not understand."""
    _, size = grammar_for(language, content).badness(content)
    return size / max(1, len(content))


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
    trust = TUNING.trust_in_guess
    return Density(begun=trust, seen=trust * max(20.0, total / needed))
