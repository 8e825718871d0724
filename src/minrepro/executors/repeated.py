"""An executor for checks that do not always answer alike: one test is as many runs as it takes to be sure.

A check is trusted, one run to a test, until it contradicts itself: in a run of what was accepted last, which is made
after a row of refusals and now and then after a success, or in those of the result at the end. From then on every test
is a sequential trial (see `flaky_statistics.py`) whose runs are spread over the free workers, what was accepted is
watched, and where its rate turns out too low the run is sent back to the last case that can be trusted. No algorithm
and no scheduler knows of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from minrepro.core.best import Best
from minrepro.core.events import Accepted, RunEvent
from minrepro.core.keys import Key, key_of
from minrepro.core.protocols import Executor, Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError, Retracted
from minrepro.executors.flaky_statistics import FIRST_LOOK, Observations, Trial, bounds, runs_to_see
from minrepro.executors.outage import Outage, Reasons
from minrepro.executors.quick_way import QuickWay
from minrepro.executors.wrapper import ExecutorWrapper

LAST_LOOK = 2
"""So often at least is the result run again."""
FIRST_WATCH = 4
"""After so many successes what was accepted is run again, and then after twice as many."""
MEASURED = 20
"""How many runs give a rate to go on with."""
STATED = 60
"""How many runs give the rate that is stated for the result."""
PATIENCE = 12
"""After so many refusals in a row what was accepted is run again; each time it fails as it must, twice as many."""
LONGEST_PATIENCE = 192
"""However often it has failed as it must."""
SHARE = 10
"""One run in so many watches what was accepted, once the check is known to be flaky."""
EXCUSES = 3
"""So many runs that the time limit cut short are made again: a busy machine is no flaky check."""
RETREATS = 12
GONE = 5
"""So many runs without the failure, of the best so far and of the input, are an outage and no flaky check."""


@dataclass(eq=False, slots=True)
class _Test:
    """A test that was asked for: a case, what its runs have shown, and how many of them are under way."""

    case: Any
    evidence: Observations
    running: set[Job] = field(default_factory=set)
    verdict: Verdict | None = None
    """Known only for the input, whose verdict settles how the others are found."""


class RepeatedRuns(ExecutorWrapper):
    """Stands before an executor and repeats what must be repeated; a listener of its run."""

    def __init__(
        self,
        executor: Executor,
        best: Best[Any] | None = None,
        *,
        reproduction: float | None = None,
        first_look: int = 1,
        warn: Callable[[str], None] = lambda text: None,
        warm: QuickWay | None = None,
        begin_outage: Callable[[Callable[[str], None]], Outage] = Outage,
        distrust: Callable[[], None] = lambda: None,
    ) -> None:
        """`best` is what is watched; with a wanted reproduction rate the check is taken to be flaky from the start.

        Where there is a quick way of testing, what was accepted is run again without it. `distrust` is called when
        outcomes of the last time, perhaps shared with other runs, turn out to be worth nothing.
        """
        super().__init__(executor)
        self._best: Best[Any] = best if best is not None else Best()
        self._floor = reproduction
        self._first_look = first_look
        self._warn = warn
        self._warm = warm
        self._trial: Trial | None = None
        self._input: _Test | None = None
        self._tests: dict[_Test, None] = {}  # in the order of their start, on which a replay relies
        self._running: dict[Job, _Test] = {}
        self._evidence: dict[Key, Observations] = {}
        self._watch: _Test | None = None
        self._runs_until_watch = PATIENCE
        self._patience = PATIENCE
        self._accepted = 0
        self._next_watch = FIRST_WATCH
        self._looks = first_look - 1
        self._retreats = 0
        self._excuses = EXCUSES
        self._reasons = Reasons()
        self._outage: Outage | None = None
        self._begin_outage = begin_outage
        self._distrust = distrust
        self.runs = 0
        """How many runs there were, whatever they were for."""
        self.measured: Observations | None = None
        """How often the result failed when it was run again in the end."""

    @property
    def flaky(self) -> bool:
        """Whether the check is known, or was said, to be flaky."""
        return self._trial is not None

    def start(self, case: Any) -> Job:
        """Begin the test of a case; the first is taken to be the input."""
        known = self._evidence.setdefault(key_of(case), Observations()) if self.flaky else Observations()
        test = _Test(case, known)
        if self._input is None:
            self._input = test
        self._tests[test] = None
        self._fill()
        return test

    def wait(self, jobs: Iterable[Job], timeout: float | None = None) -> Mapping[Job, Verdict]:
        """Return the verdicts of tests that are decided, at least one unless the timeout passes first."""
        if self._outage is not None:
            self._sit_out(self._outage, timeout)
            return {}
        wanted = [job for job in jobs if isinstance(job, _Test) and job in self._tests]
        while wanted:
            decided: dict[Job, Verdict] = {}
            for test in wanted:
                verdict = self._decision(test)
                if verdict is not None:
                    decided[test] = verdict
                    self.cancel(test)
            if decided:
                return decided
            self._fill()
            done = self._executor.wait(list(self._running), timeout)
            if not done:
                break
            for job, seen in done.items():
                if job in self._running:
                    self._take(job, seen)
            if self._outage is not None:
                break
        return {}

    def cancel(self, job: Job) -> None:
        """End a test with all its runs; what they have shown is kept."""
        if isinstance(job, _Test):
            self._tests.pop(job, None)
            for run in job.running:
                del self._running[run]
                self._executor.cancel(run)
            job.running.clear()

    def __call__(self, notice: RunEvent) -> None:
        """Take notice of what was accepted: that is what must go on failing."""
        if isinstance(notice, Accepted) and notice.outcome is Outcome.FAIL and notice.smallest:
            if self._watch is not None and notice.case != self._watch.case:
                self._watch = None
            self._accepted += 1
            if not self.flaky:
                self._runs_until_watch = self._patience
                if self._accepted == self._next_watch:
                    self._runs_until_watch, self._next_watch = 0, 2 * self._next_watch

    def confirm(self, case: Any) -> None:
        """Make sure that the result fails, and how often; raise `Retracted` when it does not fail often enough."""
        # In all, what must fail is run again as often as it takes to find a check that misses every other failure.
        last = max(LAST_LOOK, FIRST_LOOK - 1 - self._looks)
        measured = self._runs_of(case, last if self._trial is None else STATED)
        if self._is_too_rare(measured):
            self._miss(measured.misses)
            while self._outage is not None:
                self._sit_out(self._outage, None)
        self.measured = measured

    def _decision(self, test: _Test) -> Verdict | None:
        evidence = test.evidence
        if test is self._input:
            if test.verdict is None:
                test.verdict = self._decide_input(evidence)
            return test.verdict
        if self._trial is None:
            return evidence.verdict(evidence.hits > 0) if evidence.runs else None
        fails = self._trial.decided(evidence.hits, evidence.misses)
        return None if fails is None else evidence.verdict(fails)

    def _decide_input(self, evidence: Observations) -> Verdict | None:
        """Return the verdict on the input, and settle how checks are to be run."""
        if evidence.runs < self._first_look_now(evidence):
            return None
        if evidence.hits and (evidence.misses or self._floor is not None):
            if evidence.misses:
                self._tell(evidence)
            trial = self._begin_trials(evidence)
            return evidence.verdict(bounds(evidence.hits, evidence.runs)[1] >= trial.floor)
        return evidence.verdict(evidence.hits > 0)

    def _first_look_now(self, evidence: Observations) -> int:
        """Return how many runs of the input are needed, given what those so far have shown."""
        if self._floor is not None:
            return max(MEASURED, runs_to_see(self._floor, 0.999) if not evidence.hits else 0)
        if not evidence.misses:
            return self._first_look
        return MEASURED if evidence.hits else max(self._first_look, FIRST_LOOK)

    def _trial_after(self, evidence: Observations) -> Trial:
        rate = evidence.hits / evidence.runs
        floor = self._floor if self._floor is not None else max(rate / 2, 0.01)
        return Trial(max(rate, floor), floor, lucky=1e-3 * 0.1**self._retreats)

    def _begin_trials(self, evidence: Observations) -> Trial:
        self._trial = self._trial_after(evidence)
        self._runs_until_watch = SHARE
        return self._trial

    def _tell(self, evidence: Observations) -> None:
        self._warn(
            f"flaky: the same candidate reproduced in {evidence.hits} of {evidence.runs} check runs; "
            f"each candidate is now checked repeatedly, about {self._trial_after(evidence).runs_to_accept:.0f} times "
            "until it is accepted"
        )

    def _fill(self) -> None:
        """Give every free worker a run: the watch if it is due, then each test one, then those that need more."""
        if self._outage is not None:
            return
        free = self._executor.capacity - len(self._running)
        if free > 0 and self._runs_until_watch <= 0 and (self._watch is None or not self._watch.running):
            if self._watch is None:
                self._watch = _Test(self._best.trail[-1], Observations())
            self._begin(self._watch, fresh=True)
            free -= 1
        for test in [test for test in self._tests if not test.running and self._decision(test) is None][: max(free, 0)]:
            self._begin(test)
            free -= 1
        for test in list(self._tests):
            while free > 0 and len(test.running) < self._useful_runs(test):
                self._begin(test)
                free -= 1

    def _useful_runs(self, test: _Test) -> int:
        """Return how many runs of a test may be under way at a time without being wasted."""
        evidence = test.evidence
        if test is self._input:
            return self._first_look_now(evidence) - evidence.runs
        if self._trial is None or self._trial.decided(evidence.hits, evidence.misses) is not None:
            return 1
        return self._trial.at_least(evidence.hits, evidence.misses)

    def _begin(self, test: _Test, *, fresh: bool = False) -> None:
        with self._warm.fresh() if fresh and self._warm is not None else nullcontext():
            job = self._executor.start(test.case)
        self.runs += 1
        test.running.add(job)
        self._running[job] = test

    def _take(self, job: Job, verdict: Verdict) -> None:
        test = self._running.pop(job)
        test.running.discard(job)
        if test is self._watch and self._is_excused(verdict):
            return
        test.evidence.add(verdict)
        if test is self._watch:
            self._look_at_watch(test.evidence)
        elif test is not self._input and (self.flaky or verdict.outcome is not Outcome.FAIL):
            self._runs_until_watch -= 1
            if not self.flaky and self._reasons.is_strange(verdict):
                self._runs_until_watch = 0

    def _look_at_watch(self, seen: Observations) -> None:
        if self._is_too_rare(seen):
            self._miss(seen.misses)
        elif self._trial is None:
            self._looks += 1
            self._reasons.works()
            self._patience = min(2 * self._patience, LONGEST_PATIENCE)
            self._runs_until_watch = self._patience
        else:
            self._runs_until_watch = SHARE

    def _is_too_rare(self, seen: Observations) -> bool:
        """Tell whether what was accepted does not reproduce as often as it must."""
        if self._trial is None:
            return seen.misses > 0
        return bounds(seen.hits, seen.runs, 0.99)[1] < self._trial.floor

    def _miss(self, times: int) -> None:
        """Find out whether what was accepted was luck, or nothing reproduces for the time being."""
        self._end_all()
        outage = self._begin_outage(self._warn)
        outage.misses = times
        if not self._look_for_end(outage):
            self._distrust()
            self._outage = outage
            outage.begins()

    def _sit_out(self, outage: Outage, timeout: float | None) -> None:
        """Ask for what was accepted when it is time to."""
        if (self._best.replaying() or outage.is_due(timeout)) and not self._look_for_end(outage):
            outage.goes_on()

    def _look_for_end(self, outage: Outage) -> bool:
        """Return False if nothing reproduces; else raise `Retracted` to have the run go on."""
        case, first = self._best.trail[-1], self._best.trail[0]
        seen = self._looked_for(case)
        if not seen.hits:
            if not self._looked_for(first).hits:
                return False
            seen = self._looked_for(case)  # it may have come back in between
        self._outage = None
        # One miss among many hits is what a flaky check does; some misses and then hits only is what an outage does.
        outage.misses += seen.misses
        is_over = outage.begun or outage.misses > 1
        if self._trial is None:
            is_over = is_over and not self._runs_of(case, GONE).misses
        if seen.hits and is_over:
            outage.ends()
            self._runs_until_watch = PATIENCE
            raise Retracted(case, seen.verdict(True))
        self._doubt()
        return True

    def _looked_for(self, case: Any) -> Observations:
        """Run a case until it fails, or as often as it takes to be rather sure that it does not fail at all."""
        most = GONE if self._trial is None else runs_to_see(self._trial.floor, 0.99)
        seen = Observations()
        while not seen.hits and seen.runs < most:
            self._runs_of(case, min(most, seen.runs + self._executor.capacity), seen)
        return seen

    def _end_all(self) -> None:
        """End all that is under way."""
        for test in {*self._running.values()}:
            self.cancel(test)
        self._tests.clear()
        self._watch = None

    def _doubt(self) -> None:
        """Find the last accepted case that fails often enough, and send the run back there."""
        self._end_all()
        self._retreats += 1
        if self._retreats > RETREATS:
            raise CheckError(
                f"the check contradicted itself {RETREATS} times after it was found to be flaky\n"
                "hint: the check depends on something that changes; accept a lower rate with --flaky 0.3"
            )
        if not self.flaky and self._warm is not None and self._warm.on:
            self._leave_quick_way(self._warm)
        trail = self._best.trail
        first = self._runs_of(trail[0], MEASURED)
        if not self.flaky:
            self._tell(first if first.misses else Observations(first.hits, first.misses + 1))
        trial = self._begin_trials(first)
        back = 1
        while back < len(trail):
            seen = self._runs_of(trail[-back], MEASURED)
            if seen.hits >= trial.floor * seen.runs:
                break
            back *= 2
        else:
            back, seen = len(trail), first
        self._evidence.clear()
        raise Retracted(trail[-back], seen.verdict(seen.hits > 0))

    def _leave_quick_way(self, warm: QuickWay) -> None:
        """Send the run back to the last accepted case that fails in a fresh process, unless the input does not."""
        text = "a candidate that reproduced the failure in a warm check does not in a fresh process"
        warm.turn_off(text)
        trail = self._best.trail
        back, first = 1, self._runs_of(trail[0], LAST_LOOK)
        if first.misses:
            return
        while back < len(trail) and self._runs_of(trail[-back], LAST_LOOK).misses:
            back *= 2
        self._warn(text)
        raise Retracted(trail[-min(back, len(trail))], first.verdict(True))

    def _runs_of(self, case: Any, number: int, known: Observations | None = None) -> Observations:
        """Run a case, on all workers, until it was run a number of times."""
        test = _Test(case, Observations() if known is None else known)
        while test.evidence.runs < number:
            while len(self._running) < self._executor.capacity and test.evidence.runs + len(test.running) < number:
                self._begin(test, fresh=True)
            for job, verdict in self._executor.wait(list(test.running)).items():
                del self._running[job]
                test.running.discard(job)
                if not self._is_excused(verdict):
                    test.evidence.add(verdict)
        return test.evidence

    def _is_excused(self, verdict: Verdict) -> bool:
        """Tell whether a run of something that was accepted says nothing, because it was cut short."""
        if verdict.limit is None or not self._excuses:
            return False
        self._excuses -= 1
        return True
