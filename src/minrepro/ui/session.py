"""All that stands around a run to make it trustworthy: journal, shared verdicts, repeats, signatures, limits.

From the check upwards, here and on a cluster alike: the oracle signs failures; the processes keep their limits; a check
that is edited ends the run; shared verdicts save runs; failures are compared with that of the input; the journal
records every verdict and on resuming answers from it; repeats make one test of several runs where a check is flaky.
What a command sees of it is an executor and a few listeners.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from minrepro.cache import SharedVerdicts
from minrepro.errors import OutputError, UsageError
from minrepro.executors import Executor
from minrepro.executors.cached import Cached
from minrepro.executors.limits import why_network_stays
from minrepro.executors.recorded import Recorded
from minrepro.executors.repeated import FIRST_LOOK, Repeated
from minrepro.executors.same_failure import SameFailure
from minrepro.executors.unchanged_check import UnchangedCheck
from minrepro.invocations import ProcessOracle
from minrepro.journal import Journal
from minrepro.memory import key_of
from minrepro.notices import Accepted, Ended, Listener, Notice, everybody
from minrepro.oracles.command import CommandOracle
from minrepro.oracles.failure import FailureOracle
from minrepro.oracles.identity import VARIABLES, CheckFiles, identity_of
from minrepro.oracles.signature import Signed
from minrepro.oracles.slippage import SlippageWatch
from minrepro.reproduction import bounds
from minrepro.run import Result, Run
from minrepro.search import Outcome
from minrepro.story import key_text
from minrepro.ui.check_once import CheckOnce
from minrepro.ui.output import ResultFile, file_state
from minrepro.ui.safety_options import limits_of
from minrepro.ui.state import asked_of, last_finished, last_unfinished, place_of, state_folder, unfinished_hint
from minrepro.ui.workplace import executor_of, folder_of

_PATIENCE = 60.0
"""Seconds after which a check that is run for its output is ended, unless it has a shorter limit."""
_MOST_LINES = 5
_SECONDS_BETWEEN_LOOKS = 2.0
"""An input may be a folder of many files."""


class Session:
    """One run of a command, with all that it keeps and watches."""

    def __init__(
        self,
        args: argparse.Namespace,
        oracle: ProcessOracle,
        originals: dict[Outcome, bytes],
        sources: list[Path],
        results: dict[Outcome, ResultFile],
        progress: Listener,
        *,
        kept: Path | None = None,
    ) -> None:
        """The originals are the inputs by what they must do; `kept` is where the one is that its result overwrites."""
        self._warnings: list[str] = []
        self._warn: Callable[[str], None] = self._warnings.append
        self._results = results
        self._oracle = oracle if isinstance(oracle, CommandOracle) and args.cluster is None else None
        self._jobs = args.jobs or os.cpu_count() or 1
        self._patience = min(args.timeout or _PATIENCE, _PATIENCE)
        self.hint = ""
        """A line for the user about an earlier run."""
        self.finished: bytes | None = None
        """The result of the run that was to be resumed, when there is nothing left to do."""
        limits, identity, folder = limits_of(args), identity_of(oracle, VARIABLES), folder_of(oracle)
        if not limits.network and (why := why_network_stays()):
            raise UsageError(f"--no-network: checks cannot be kept from the network here: {why}.")
        look = args.repeats or (1 if isinstance(oracle, FailureOracle) else FIRST_LOOK)
        target = results[Outcome.FAIL].path
        self.journal = self._open_journal(args, oracle, originals, state_folder(args, sources[0], target), kept)
        self._former: bytes | None = None
        if self.journal is not None and self.journal.story.steps and Outcome.PASS not in originals:
            self._former = self.journal.best
        self._shared: SharedVerdicts | None = None
        self.recorded: Recorded | None = None
        self.repeated: Repeated | None = None
        try:
            files = CheckFiles(oracle)
            runs = executor_of(
                args,
                Signed(oracle),
                originals[Outcome.FAIL],
                progress,
                place=folder.place if folder.view else place_of(args),
                limits=limits,
                warn=self.warn,
                view=folder.view,
            )
            runs = UnchangedCheck(runs, files.require_unchanged)
            identity |= {"limits": repr(limits), "verdicts": "signed"}
            self.executor = self._stacked(args, runs, identity, originals, look)
        except BaseException:
            if self.journal is not None:
                self.journal.close()
            raise
        self._slippage = SlippageWatch(self.warn, self._keep_same)
        self._formatted = False
        self._unwritten: dict[Outcome, Accepted] = {}
        for result in results.values():
            result.warn = self.warn
        written = [result.path.absolute() for result in results.values()]
        alien = [path for path in sources if not any(each.is_relative_to(path.absolute()) for each in written)]
        self._untouched = {path: file_state(path) for path in alien}
        self._looked = 0.0
        self._same: ResultFile | None = None

    def _stacked(
        self,
        args: argparse.Namespace,
        executor: Executor,
        identity: dict[str, str],
        originals: dict[Outcome, bytes],
        look: int,
    ) -> Executor:
        """Return an executor with all before it that saves, compares, records and repeats runs."""
        if args.cache is not None:
            self._shared = SharedVerdicts(args.cache, identity)
            executor = Cached(executor, self._shared)
        # What is shared says which failure was seen, and not whether it is that of this run's input.
        failing = originals[Outcome.FAIL]
        seen = self._signatures(failing)
        executor = SameFailure(executor, failing, look, demanded=args.same_failure, seen=seen)
        if self.journal is not None:
            self.journal.warn = self.warn
            executor = self.recorded = Recorded(executor, self.journal)
        if Outcome.PASS not in originals:
            executor = self.repeated = Repeated(
                executor, reproduction=args.reproduction, first_look=look, warn=self._found_flaky
            )
        return executor

    def listener(self) -> Listener:
        """Return who listens to the run: results on disk, the journal, and those who watch."""
        others = [each for each in (self.journal, self.repeated) if each is not None]
        return everybody(self._note_result, self._slippage, *others)

    def write_results(self, at_once: bool = False) -> None:
        """Bring the results on disk up to date; those that take long to write only now and then, unless at once."""
        # Done while the next checks run: putting a file in another's place takes as long as a short check.
        for outcome in [outcome for outcome in self._unwritten if self._results[outcome].due or at_once]:
            self._results[outcome](self._unwritten.pop(outcome))

    def attach(self, run: Run[Any]) -> None:
        """Tell through this run whatever is to be told, also what came up before it began."""
        self._warn = run.warn
        for text in self._warnings:
            run.warn(text)

    def confirm(self, case: Any) -> None:
        """Make sure that a result is one."""
        if self.repeated is not None:
            self.repeated.confirm(case)

    def settled(self, result: Result[bytes]) -> Result[bytes]:
        """Return the result, or what an earlier session found if that was smaller."""
        if self._former is not None and len(self._former) < len(result.case) and not self._formatted:
            return replace(result, case=self._former)
        return result

    def printed(self, case: bytes) -> str:
        """Return the last lines that the check prints for a case, for a person who wonders why it says no."""
        if self._oracle is None:
            return ""
        with CheckOnce(self._patience) as checks:
            ending = checks.run(self._oracle.invocation(case))
        lines = (ending.stdout + ending.stderr).decode("utf-8", "replace").strip().splitlines()
        return "\nIt prints:\n" + "\n".join(f"  {line}" for line in lines[-_MOST_LINES:]) if lines else ""

    def close(self) -> None:
        """End the checks and close the journal."""
        try:
            self.write_results(at_once=True)
        finally:
            self._end_checks()

    def _end_checks(self) -> None:
        try:
            self.executor.close()
        finally:
            if self.journal is not None:
                self.journal.close()

    def summary(self) -> dict[str, object]:
        """Return what there is to tell about trust, for a machine."""
        told: dict[str, object] = {}
        if self.journal is not None:
            told["journal"] = str(self.journal.story.path)
        if self.recorded is not None:
            told["replayed"] = self.recorded.replayed
        if self.repeated is not None:
            told["runs"] = self.repeated.runs
            seen = self.repeated.measured
            if seen is not None:
                low, high = bounds(seen.hits, seen.runs)
                rate = {"hits": seen.hits, "runs": seen.runs, "low": round(low, 4), "high": round(high, 4)}
                told["reproduction"] = rate
        if self._slippage.slipped_to:
            told["slipped_to"] = self._slippage.slipped_to
        return told

    def lines(self, finished: bool) -> list[str]:
        """Return what there is to tell about trust, for a person."""
        told = [self.hint] if self.hint else []
        if not finished and self.journal is not None:
            told.append(f"to continue: minrepro resume {self.journal.story.path.parent}")
        if self.recorded is not None and self.recorded.replayed:
            told.append(f"{self.recorded.replayed:,} outcomes reused from the journal")
        if self.repeated is not None and self.repeated.flaky and (seen := self.repeated.measured) is not None:
            low, high = bounds(seen.hits, seen.runs)
            told.append(
                f"the result fails in {seen.hits} of {seen.runs} runs: "
                f"the rate is between {low:.0%} and {high:.0%} (95 % confidence); {self.repeated.runs:,} runs in all"
            )
        return told

    def warn(self, text: str) -> None:
        """Tell the user something that does not end the run."""
        self._warn(text)

    def _found_flaky(self, text: str) -> None:
        self.warn(text)
        if self.journal is not None:
            self.journal.note(text)
        if self._shared is not None:
            self._shared.withdraw()

    def _signatures(self, case: bytes) -> list[str]:
        """Return what the recorded failures of a case looked like."""
        if self.journal is None:
            return []
        key = key_text(key_of(case))
        answers = [answer for group in self.journal.story.groups for answer in group if answer.key == key]
        return [answer.verdict.signature for answer in answers if answer.verdict.outcome is Outcome.FAIL]

    def _open_journal(
        self,
        args: argparse.Namespace,
        oracle: ProcessOracle,
        originals: dict[Outcome, bytes],
        folder: Path,
        kept: Path | None,
    ) -> Journal | None:
        asked = asked_of(args, oracle, originals, kept)
        if args.resume:
            if (story := last_unfinished(folder, asked)) is not None:
                return Journal.resume(story.path, asked, originals, self._jobs)
            if (story := last_finished(folder)) is not None and not story.asked.differences(asked):
                self.finished = story.best(originals[Outcome.FAIL])
                return None
        try:
            self.hint = unfinished_hint(folder, asked)
            return Journal.begin(folder, asked, originals, self._jobs)
        except OSError as error:
            self.warn(
                f"no journal is kept, because {folder} cannot be written ({error.strerror}); "
                "choose another with --state-dir"
            )
            return None

    def _look_at_inputs(self) -> None:
        self._looked = time.monotonic()
        for path, state in list(self._untouched.items()):
            if file_state(path) != state:
                del self._untouched[path]
                self.warn(f"something has changed {path} during the run: does the check write there?")

    def _keep_same(self, case: Any) -> str:
        """Keep the smallest case with the original failure beside the result that has another."""
        try:
            if self._same is None:
                self._same = self._results[Outcome.FAIL].beside("same")
            self._same.write(case)
            return str(self._same.path)
        except OutputError as error:
            return f"no file ({error})"

    def _note_result(self, notice: Notice) -> None:
        """Have an accepted case written, unless it is behind what the result holds already."""
        if isinstance(notice, Ended) or time.monotonic() - self._looked > _SECONDS_BETWEEN_LOOKS:
            self._look_at_inputs()
        if isinstance(notice, Accepted):
            if self.recorded is not None and self.recorded.replaying:
                return
            if notice.label == "taken back":
                self._former = None
            self._formatted = notice.label == "formatted"
            if notice.smallest and (self._formatted or self._former is None or notice.size <= len(self._former)):
                self._unwritten[notice.outcome] = notice
