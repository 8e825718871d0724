"""The executor that a run uses: what runs tests, and all that stands before it, built in one place.

From the check upwards, here, on a cluster and in a browser alike: the oracle signs failures; a check that is edited
ends the run; shared verdicts save tests; failures are compared with that of the input; the journal records every
verdict and on resuming answers from it; accepted cases are confirmed, or tests are repeated where a check is flaky.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from minrepro.core.best import Best
from minrepro.core.containment import OFF, STRICT, TRIAL, Containment
from minrepro.core.events import Listener, Noted
from minrepro.core.invocations import ProcessOracle
from minrepro.core.limits import Limits
from minrepro.core.protocols import Executor
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import OutputError, UsageError
from minrepro.executors.confirmed import Confirmable, ConfirmedRuns
from minrepro.executors.counted import CountedRuns
from minrepro.executors.flaky_statistics import FIRST_LOOK
from minrepro.executors.inline import Inline
from minrepro.executors.kept_candidates import KeptCandidates
from minrepro.executors.known_first import KnownFirst
from minrepro.executors.local.process_pool import Processes
from minrepro.executors.local.resource_limits import why_network_stays
from minrepro.executors.local.warm_trial import WarmTrial, why_not_warm
from minrepro.executors.repeated import RepeatedRuns
from minrepro.executors.same_failure import SameFailure
from minrepro.executors.threads import Threads
from minrepro.executors.tried_outside import TriedOutside
from minrepro.executors.unchanged_check import UnchangedCheck
from minrepro.oracles.command import CommandOracle, Folder, find_command, located, words_of
from minrepro.oracles.failure import FailureOracle
from minrepro.oracles.identity import VARIABLES, CheckFiles, identity_of
from minrepro.oracles.signature import Signed
from minrepro.plugins import brought
from minrepro.runs.check_once import CheckOnce
from minrepro.runs.history.journal import Journal
from minrepro.runs.history.recorded_run import key_text
from minrepro.runs.history.replaying import ReplayingExecutor
from minrepro.runs.history.shared_executor import SharedExecutor
from minrepro.runs.history.shared_verdicts import SharedVerdicts
from minrepro.runs.state_folder import place_of
from minrepro.settings import ExecutionSettings, OutputSettings, RunSettings
from minrepro.targets.target import Target

MOST_PROCESSES = 1000
"""How many processes a check may have in a strict sandbox, unless another limit is set."""
Oracle = ProcessOracle | Callable[[Any], Any]
"""Tells whether a case fails: by a process that is run for it, or by a call."""


def is_process(oracle: Oracle) -> bool:
    """Tell whether an oracle is asked by running a process."""
    return hasattr(oracle, "invocation")


def oracle_identity(oracle: Oracle, empty: Any, more: tuple[str, ...] = ()) -> dict[str, str]:
    """Return all that makes an oracle the one it is, by name."""
    if is_process(oracle):
        return identity_of(oracle, more, empty)  # type: ignore[arg-type]
    identity = getattr(oracle, "identity", None)
    return dict(identity()) if identity is not None else {}


def folder_of(oracle: Oracle) -> Folder:
    """Return where the checks of an oracle run, if it says so."""
    return oracle.folder if isinstance(oracle, FailureOracle | CommandOracle) else Folder()


def base_executor(
    execution: ExecutionSettings,
    oracle: Oracle,
    case: Any,
    notify: Listener,
    warn: Callable[[str], None] = lambda text: None,
    sources: Sequence[Path] = (),
    warm: WarmTrial | None = None,
) -> Executor:
    """Return what runs the tests of an oracle, where the settings say; the case is the failing input, from sources.

    `warm` is what `warm_trial` gives for the same.
    """
    cluster = execution.cluster
    if cluster.files and not cluster.address:
        raise UsageError("--cluster-upload requires --cluster")
    if execution.executor is not None:
        return _brought_executor(execution, oracle, case)
    if not is_process(oracle):
        if cluster.address:
            raise UsageError("--cluster: a function of this process cannot be called on other machines.")
        # One more for those who confirm what was accepted while the search goes on.
        jobs = (execution.workers or 1) + isinstance(oracle, Confirmable)
        return Inline(oracle) if jobs == 1 else Threads(oracle, jobs)  # type: ignore[arg-type]
    signed = Signed(oracle)  # type: ignore[arg-type]
    limits, containment = execution.limits, execution.containment
    if containment.mode == STRICT:
        limits = limits._replace(network=False, processes=limits.processes or MOST_PROCESSES)
    if cluster.address:
        from minrepro.executors.cluster.cluster_executor import Cluster

        return Cluster(
            cluster.address,
            signed,
            case,
            jobs=execution.workers,
            timeout=execution.timeout,
            limits=limits,
            containment=containment,
            files=list(cluster.files),
            wait=cluster.wait,
            notify=notify,
        )
    folder = folder_of(oracle)
    place: Path | None = folder.place if folder.view else place_of(execution)
    jobs = execution.workers or os.cpu_count() or 1
    if execution.no_cleanup:
        keep = tempfile.mkdtemp(prefix="minrepro-kept-", dir=execution.place)
        warn(f"the directories of check runs are kept in {keep}")
        containment = containment._replace(writable=(*containment.writable, keep), keep=keep)
    inside = Processes(signed, jobs, execution.timeout, place, limits, warn, folder.view, containment, warm)
    if containment.mode == OFF:
        return inside

    def outside() -> Executor:
        # In a view the input is out of reach anyway, and a candidate is written in its place.
        protected = () if folder.view else tuple(str(path.resolve()) for path in sources if path.exists())
        trial = Containment(TRIAL, protected=protected)
        return Processes(signed, 1, execution.timeout, place, execution.limits, warn, folder.view, trial)

    def told() -> str:
        with CheckOnce(inside.limit, 1, place, folder.view, containment) as checks:
            ending = checks.run(signed.invocation(case))
        return (ending.stderr + ending.stdout).decode("utf-8", "replace")

    return TriedOutside(inside, case, outside, told)


def warm_trial(execution: ExecutionSettings, oracle: Oracle, case: Any, notify: Listener) -> WarmTrial | None:
    """Return what tries out whether the program of the checks can stay loaded; None where that is out of question."""
    if execution.warm == "off":
        if execution.warm_server is not None:
            raise UsageError("--warm-server cannot be combined with --warm off.")
        return None
    server: list[str] = []
    if execution.cluster.address or execution.executor is not None:
        why, name = "checks do not run in local processes", ""
    elif not is_process(oracle):
        why, name = "the check is a function", ""
    else:
        words = oracle.invocation(case).argv  # type: ignore[union-attr]
        name = Path(words[0]).name
        if execution.warm_server is None:
            why = why_not_warm(words, folder_of(oracle).view)
        else:
            first, *others = words_of(execution.warm_server)
            server, name = [find_command(first), *map(located, others)], Path(first).name
            why = "" if execution.limits == Limits() else "the limits of a check cannot be kept in it"
    if not why:
        return WarmTrial(execution.warm, lambda text: notify(Noted(text)), name, server)
    if execution.warm == "on" or execution.warm_server is not None:
        raise UsageError(f"{'--warm on' if execution.warm_server is None else '--warm-server'}: {why}.")
    return None


def _brought_executor(execution: ExecutionSettings, oracle: Oracle, case: Any) -> Executor:
    """Return an executor that an installed package brings; it is asked to run signed verdicts as ours are."""
    known = brought("executors")
    if execution.executor not in known:
        there = f"installed are: {', '.join(sorted(known))}" if known else "no package that is installed brings one"
        raise UsageError(f"--executor {execution.executor}: there is no such executor; {there}.")
    if execution.cluster.address:
        raise UsageError(f"--executor {execution.executor} and --cluster: checks can run in one place only.")
    made: Executor = known[execution.executor](Signed(oracle) if is_process(oracle) else oracle, execution, case)  # type: ignore[arg-type]
    return made


def _observed(oracle: FailureOracle, execution: ExecutionSettings) -> Verdict | None:
    """Return the verdict on the input, if that was run in the same way to see what the failure is."""
    if execution.cluster.address or execution.executor is not None or execution.limits != Limits():
        return None
    if oracle.original is None or not oracle.scenario.is_plain:
        return None
    return Signed(oracle).judge(oracle.original)


def _keeping(executor: Executor, folder: Path, target: Target[Any]) -> Executor:
    """Return an executor that keeps every candidate in a folder, as the result is kept."""
    suffix = target.sources[0].suffix if target.sources else ""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"--keep-candidates: cannot create {folder}: {error.strerror}") from None
    store = target.stores(OutputSettings(path=folder / f"candidate{suffix}"), resuming=False)[Outcome.FAIL]

    def write(path: Path, case: Any) -> int:
        content = target.written(case)
        store.at(path).write(content)
        return len(content)

    return KeptCandidates(executor, folder, store.path.suffix, write)


class ExecutorStack:
    """What runs tests, with all that saves, compares, records and repeats them before it."""

    def __init__(
        self,
        settings: RunSettings,
        target: Target[Any],
        oracle: Oracle,
        journal: Journal | None,
        best: Best[Any],
        notify: Listener,
        warn: Callable[[str], None],
        distrust: Callable[[], None] = lambda: None,
    ) -> None:
        """`distrust` is called as soon as the check is found to be flaky."""
        self._best = best
        self._warn = warn
        self._distrust = distrust
        self._journal = journal
        self._shared: SharedVerdicts | None = None
        self._sharing: SharedExecutor | None = None
        self.recorded: ReplayingExecutor | None = None
        self.repeated: RepeatedRuns | None = None
        self.confirmed: ConfirmedRuns | None = None
        execution, failing = settings.execution, target.originals[Outcome.FAIL]
        if not execution.limits.network and (why := why_network_stays()):
            raise UsageError(f"--no-network: checks cannot be kept from the network here: {why}.")
        nothing = target.codec.decode(b"")
        self._warm = warm_trial(execution, oracle, failing, notify)
        executor = base_executor(execution, oracle, failing, notify, warn, target.sources, self._warm)
        self.containment = str(getattr(executor, "containment", ""))
        """In words, what keeps checks from all that is not theirs; empty where they are no processes."""
        if isinstance(oracle, FailureOracle) and self._warm is None and (first := _observed(oracle, execution)):
            # Where a program may stay loaded the input is run again, to compare.
            executor = KnownFirst(executor, failing, first)
        if execution.keep_candidates is not None:
            executor = _keeping(executor, execution.keep_candidates, target)
        if is_process(oracle):
            executor = UnchangedCheck(executor, CheckFiles(oracle, nothing).require_unchanged)  # type: ignore[arg-type]
        if settings.history.shared is not None:
            identity = oracle_identity(oracle, nothing, VARIABLES)
            identity |= {"limits": repr(execution.limits), "verdicts": "signed"}
            self._shared = SharedVerdicts(settings.history.shared, identity)
            executor = self._sharing = SharedExecutor(executor, self._shared, target.codec.encode)
        if is_process(oracle):
            # What is shared says which failure was seen, and not whether it is that of this run's input.
            seen = self._signatures(target.codec.encode(failing))
            look = settings.trust.repeats or (1 if isinstance(oracle, FailureOracle) else FIRST_LOOK)
            executor = SameFailure(executor, failing, look, demanded=settings.trust.same_failure, seen=seen)
        if journal is not None:
            journal.warn = warn
            executor = self.recorded = ReplayingExecutor(executor, journal)
        executor = self.counted = CountedRuns(executor)
        self.executor: Executor = executor
        rate = settings.trust.reproduction
        if isinstance(oracle, Confirmable) and rate is None:
            self.executor = self.confirmed = ConfirmedRuns(executor, best, oracle, warn)
        elif Outcome.PASS not in target.originals and (is_process(oracle) or rate is not None):
            self.executor = self.repeated = RepeatedRuns(
                executor,
                best,
                reproduction=rate,
                first_look=settings.trust.repeats or 1,
                warn=self._found_flaky,
                warm=self._warm,
                distrust=self._found_outage,
            )

    def repeat(self, reproduction: float) -> None:
        """From now on test each case as often as is needed to be sure that it fails at this rate."""
        executor = self.executor if self.confirmed is None else self.confirmed.inner
        self.confirmed = None
        self.executor = self.repeated = RepeatedRuns(
            executor, self._best, reproduction=reproduction, warn=self._found_flaky
        )

    def confirm(self, case: Any) -> None:
        """Make sure that a result is one."""
        for each in (self.confirmed, self.repeated):
            if each is not None:
                each.confirm(case)

    @property
    def listeners(self) -> list[Listener]:
        """Those who must hear what a run accepts."""
        return [each for each in (self._journal, self.confirmed, self.repeated) if each is not None]

    @property
    def shared(self) -> int:
        """How many verdicts came from other runs."""
        return 0 if self._sharing is None else self._sharing.found

    @property
    def replaying(self) -> bool:
        """Whether all that happens is still what the journal tells."""
        return self.recorded is not None and self.recorded.replaying

    def close(self) -> None:
        """End all tests."""
        self.executor.close()

    def _found_flaky(self, text: str) -> None:
        self._warn(text)
        self._distrust()
        if self._journal is not None:
            self._journal.note(text)
        if self._shared is not None:
            self._shared.withdraw()

    def _found_outage(self) -> None:
        """Have no other run rely on what this one has seen: nobody knows since when it was wrong."""
        if self._shared is not None:
            self._shared.withdraw()

    def _signatures(self, encoded: bytes) -> list[str]:
        """Return what the recorded failures of a case looked like."""
        if self._journal is None:
            return []
        key = key_text(encoded)
        answers = [answer for group in self._journal.story.groups for answer in group if answer.key == key]
        return [answer.verdict.signature for answer in answers if answer.verdict.outcome is Outcome.FAIL]
