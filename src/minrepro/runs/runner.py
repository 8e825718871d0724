"""The runner: carries out one reduction of any target, with journal, limits, trust and the result on disk.

Files, folders, differences, traces and browser sessions all come through here, so each of them can be resumed after a
crash, keeps its best so far on disk, shares verdicts, notices flaky checks and failures that change.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from minrepro._version import VERSION
from minrepro.core.best import Best
from minrepro.core.events import End, Ended, Listener, RunEvent, Started, Tally, ignore, tell_each
from minrepro.core.keys import digest
from minrepro.core.verdicts import Outcome
from minrepro.engine.memory import Memory, NoMemory
from minrepro.engine.publisher import Publisher
from minrepro.engine.run import Result, Run
from minrepro.executors.confirmed import Fresh, Unsteady
from minrepro.executors.flaky_statistics import Observations
from minrepro.runs.executor_stack import ExecutorStack, Oracle, is_process, oracle_identity
from minrepro.runs.history.journal import Journal
from minrepro.runs.history.recorded_run import RecordedRun, RunCounts, RunQuestion
from minrepro.runs.results import Results
from minrepro.runs.slippage import SlippageWatch
from minrepro.runs.state_folder import last_finished, last_unfinished, state_folder, unfinished_hint
from minrepro.settings import RunSettings
from minrepro.targets.result_file import ResultStore
from minrepro.targets.target import Target, require_applicable

C = TypeVar("C")

MEASURED = 6
"""So many tests of the input give a rate where it turns out, in the middle of a run, not to fail every time."""
LOWEST_RATE = 0.05


@dataclass(frozen=True)
class RunResult(Generic[C]):
    """What a run gives back, and all there is to tell about it."""

    case: C
    why: str
    tally: Tally
    seconds: float
    passing: C | None = None
    """The passing side, when a difference was isolated."""
    end: End = End.FINISHED
    had_finished: bool = False
    """Whether there was nothing left to do for the run that was to be resumed."""
    outputs: Mapping[Outcome, Path] | None = None
    journal: Path | None = None
    hint: str = ""
    """A line for the user about an earlier run."""
    reused: int = 0
    """How many verdicts came from the journal."""
    counts: RunCounts = field(default_factory=RunCounts)
    """What it did."""
    rate: Observations | None = None
    """How often the result failed when it was run again in the end."""
    input_rate: Observations | None = None
    """How often the input failed when that turned out, in the middle of the run, not to be every time."""
    flaky: bool = False
    changed_failure: str = ""
    """What the failure of the result looks like, when it is not that of the input."""
    confirmed: int = 0
    """How many accepted cases, the result among them, were confirmed from nothing."""
    containment: str = ""
    """In words, what kept checks from all that was not theirs."""
    memory: Memory | None = None
    """What the run remembers of its verdicts."""

    @property
    def finished(self) -> bool:
        """Whether the algorithm came to its end, so that the result has the minimality it promises."""
        return self.end is End.FINISHED

    @property
    def lost(self) -> bool:
        """Whether it ended, unasked, because no test could be run any more."""
        return self.end is End.EXECUTOR_LOST


class Runner:
    """Carries out runs with the same settings."""

    def __init__(
        self,
        settings: RunSettings,
        *,
        listener: Listener = ignore,
        words: Sequence[str] = (),
        kept: Path | None = None,
        tidy: Callable[[Any], Any] = lambda case: case,
    ) -> None:
        """The words are those with which the run can be begun again; `kept` is where an overwritten input is.

        What `tidy` makes of the smallest case is the result if it fails too.
        """
        self._settings = settings
        self._listener = listener
        self._words = words
        self._kept = kept
        self._tidy = tidy
        self._hint = ""

    def run(
        self, target: Target[C], oracle: Oracle, stores: Mapping[Outcome, ResultStore] | None = None
    ) -> RunResult[C]:
        """Make a target smaller as long as the oracle says that it fails."""
        settings = self._settings
        require_applicable(settings, target)
        search = target.search(settings.search)
        if stores is None:
            stores = target.stores(settings.output, settings.history.resume)
        publisher = Publisher()
        folder = settings.history.state
        if folder is None and target.sources:
            folder = state_folder(settings.history, target.sources[0], _path_of(stores))
        asked = self._asked(target, oracle)
        if settings.history.resume and folder is not None and last_unfinished(folder, asked) is None:
            story = last_finished(folder)
            if story is not None and not story.asked.differences(asked):
                return self._as_it_ended(target, story, stores)
        journal = self._open_journal(folder, asked, target, publisher.warn)
        memory = target.memory(steady=settings.trust.reproduction is None)
        if settings.search.cache == "none":
            memory = NoMemory()
        best: Best[Any] = Best(_former(journal, target), confirmed=target.originals[Outcome.FAIL])
        try:
            stack = ExecutorStack(
                settings, target, oracle, journal, best, self._listener, publisher.warn, memory.distrust
            )
        except BaseException:
            if journal is not None:
                journal.close()
            raise
        best.replaying = lambda: stack.replaying
        results = Results(stores, best, target.written, target.sources, publisher.warn)
        running = _Running(settings, target, oracle, search, stack, journal, best, results, publisher, memory)
        return running.carried_out(self._listener, self._tidy, self._hint)

    def _asked(self, target: Target[Any], oracle: Oracle) -> RunQuestion:
        """Return what the run is asked to do."""
        encode, nothing = target.codec.encode, target.codec.decode(b"")
        return RunQuestion(
            words=list(self._words),
            folder=str(Path.cwd()),
            program=VERSION,
            inputs={f"that {outcome.value}s": digest(encode(case)) for outcome, case in target.originals.items()},
            check=oracle_identity(oracle, nothing),
            options={**self._settings.question(), **target.question()},
            kept=str(self._kept.absolute()) if self._kept is not None else "",
            unit=target.unit,
        )

    def _open_journal(
        self, folder: Path | None, asked: RunQuestion, target: Target[Any], warn: Callable[[str], None]
    ) -> Journal | None:
        history, encode = self._settings.history, target.codec.encode
        if not history.keep or folder is None:
            return None
        originals = {outcome: encode(case) for outcome, case in target.originals.items()}
        jobs = self._settings.execution.workers or os.cpu_count() or 1
        if history.resume and (story := last_unfinished(folder, asked)) is not None:
            return Journal.resume(story.path, asked, originals, jobs, encode)
        try:
            self._hint = unfinished_hint(folder, asked)
            return Journal.begin(folder, asked, originals, jobs, encode)
        except OSError as error:
            warn(
                f"no journal is kept, because {folder} cannot be written ({error.strerror}); "
                "use --state-dir DIR for another directory"
            )
            return None

    def _as_it_ended(
        self, target: Target[C], story: RecordedRun, stores: Mapping[Outcome, ResultStore]
    ) -> RunResult[C]:
        """Return the result of a run that is to be resumed and has nothing left to do."""
        codec = target.codec
        best = {
            outcome: codec.decode(story.best(codec.encode(original), outcome))
            for outcome, original in target.originals.items()
        }
        for outcome, store in stores.items():
            store.write(target.written(best[outcome]))
        case, passing = best[Outcome.FAIL], best.get(Outcome.PASS)
        return RunResult(case, "finished", Tally(), 0.0, passing, had_finished=True, outputs=_paths(stores))


def _former(journal: Journal | None, target: Target[Any]) -> Any:
    """Return the best that a journal knows; None where nothing was accepted, or two sides are wanted."""
    if journal is None or not journal.story.steps or Outcome.PASS in target.originals:
        return None
    codec = target.codec
    return codec.decode(journal.story.best(codec.encode(target.originals[Outcome.FAIL])))


class _Running(Generic[C]):
    """One run under way."""

    def __init__(
        self,
        settings: RunSettings,
        target: Target[C],
        oracle: Oracle,
        search: Callable[[Run[Any]], Result[Any]],
        stack: ExecutorStack,
        journal: Journal | None,
        best: Best[Any],
        results: Results,
        publisher: Publisher,
        memory: Memory,
    ) -> None:
        self._settings = settings
        self._target = target
        self._oracle = oracle
        self._search = search
        self._stack = stack
        self._journal = journal
        self._best = best
        self._results = results
        self._publisher = publisher
        self._slippage = SlippageWatch(publisher.warn, results.keep_same)
        self._memory = memory
        self._input_rate: Observations | None = None
        self._tally = Tally()

    def carried_out(self, listener: Listener, tidy: Callable[[Any], Any], hint: str) -> RunResult[C]:
        """Return the result, leaving no test running and no journal open."""
        with self._closing():
            try:
                result = self._reduced(listener, tidy)
            except Unsteady:
                self._begin_anew()
                result = self._reduced(listener, tidy)
            self._best.settle(result.case)
            if self._stack.confirmed is not None and not result.lost:
                self._stack.confirmed.settle()
        self._results.settle()  # an interrupt may have come just before this was done
        return self._told(result, hint)

    def _reduced(self, listener: Listener, tidy: Callable[[Any], Any]) -> Result[Any]:
        settings = self._settings
        listeners: list[Listener] = [self._results, self._count, *self._stack.listeners]
        if is_process(self._oracle):
            listeners.insert(1, self._slippage)
        run: Run[Any] = Run(
            self._stack.executor,
            mode=settings.search.mode,
            budget=settings.budget,
            notify=tell_each(*listeners, self._telling(listener)),
            memory=self._memory,
            best=self._best,
            publisher=self._publisher,
            confirm=self._stack.confirm,
            meanwhile=self._results.write,
            tidy=tidy,
        )
        self._tally = run.tally
        return self._search(run)

    def _telling(self, listener: Listener) -> Listener:
        """Return a listener that hears with the beginning of the run what contains its checks."""

        def tell(notice: RunEvent) -> None:
            listener(replace(notice, containment=self._stack.containment) if isinstance(notice, Started) else notice)

        return tell

    def _counts(self, tally: Tally) -> RunCounts:
        stack = self._stack
        kinds = {
            self._settings.search.cache: tally.remembered,
            "journal": 0 if stack.recorded is None else stack.recorded.replayed,
            "cache_dir": stack.shared,
        }
        hits = {kind: count for kind, count in kinds.items() if count}
        return RunCounts(
            tally.tests, hits, stack.counted.ended - stack.shared, stack.counted.cancelled, tally.iterations
        )

    def _begin_anew(self) -> None:
        """Go back to the input, and test each case as often as is needed: the failure does not show every time."""
        failing = self._target.originals[Outcome.FAIL]
        executor = self._stack.confirmed.inner if self._stack.confirmed is not None else self._stack.executor
        self._best.start_over()
        seen = self._input_rate = Observations()
        while seen.runs < MEASURED:
            job = executor.start(Fresh(failing))
            while not (done := executor.wait([job])):
                pass
            seen.add(done[job])
        self._publisher.warn(
            f"flaky: {seen.hits} of {seen.runs} replays reproduced the failure; each candidate is replayed repeatedly"
        )
        self._oracle.trust_fresh_only()  # type: ignore[union-attr]
        # What one test shows says nothing certain of another, so only whole cases are remembered.
        self._memory = self._target.memory(steady=False)
        self._stack.repeat(max(LOWEST_RATE, seen.hits / seen.runs / 2))

    def _count(self, notice: RunEvent) -> None:
        """Have the journal know what was done, before it hears that the run is over."""
        if isinstance(notice, Ended) and self._journal is not None:
            self._journal.count(self._counts(self._tally))

    @contextmanager
    def _closing(self) -> Iterator[None]:
        try:
            yield
        finally:
            try:
                self._results.write(at_once=True)
            finally:
                try:
                    self._stack.close()
                finally:
                    if self._journal is not None:
                        self._journal.close()

    def _told(self, result: Result[Any], hint: str) -> RunResult[C]:
        stack, repeated = self._stack, self._stack.repeated
        case = self._best.result
        assert case is not None
        return RunResult(
            case,
            result.why,
            result.tally,
            result.seconds,
            result.passing,
            result.end,
            outputs=_paths(self._results.stores),
            journal=None if self._journal is None else self._journal.story.path,
            hint=hint,
            reused=0 if stack.recorded is None else stack.recorded.replayed,
            counts=self._counts(result.tally),
            rate=None if repeated is None else repeated.measured,
            input_rate=self._input_rate,
            flaky=repeated is not None and repeated.flaky,
            changed_failure=self._slippage.slipped_to,
            confirmed=0 if stack.confirmed is None else stack.confirmed.confirmed,
            containment=stack.containment,
            memory=self._memory,
        )


def _path_of(stores: Mapping[Outcome, ResultStore]) -> Path | None:
    return stores[Outcome.FAIL].path if Outcome.FAIL in stores else None


def _paths(stores: Mapping[Outcome, ResultStore]) -> dict[Outcome, Path]:
    return {outcome: store.path for outcome, store in stores.items()}
