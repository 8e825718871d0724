"""A failing session in a browser as something to be reduced, and the oracle that replays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from minrepro.browser.exports import FAILURE
from minrepro.browser.recording import Recording
from minrepro.browser.session_replay import Replayer
from minrepro.core.keys import digest
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.memory import Memory
from minrepro.executors.confirmed import Fresh
from minrepro.settings import OutputSettings, RunSettings
from minrepro.targets.result_file import ResultFile, ResultStore
from minrepro.targets.target import DDMIN_OPTIONS, SEARCH_OPTIONS
from minrepro.traces.prefix_memory import PrefixMemory
from minrepro.traces.trace_reduction import TraceReduction
from minrepro.traces.trace_target import EventsTarget
from minrepro.traces.user_events import Trace, canonical, numbered

_NO_PROCESS = "a session is replayed by a browser, not by a check of yours"
_REFUSED = {
    **dict.fromkeys(("--cluster", "--executor", "--same-failure", "--cache-dir", "--work-dir"), _NO_PROCESS),
    **dict.fromkeys(("--sandbox", "--writable"), _NO_PROCESS),
    **dict.fromkeys((*SEARCH_OPTIONS, *DDMIN_OPTIONS), "the search in sessions of events has no such choice"),
}


class SessionOracle:
    """Replays sessions, in the quickest way that can be trusted, or in a fresh context."""

    def __init__(self, replayer: Replayer) -> None:
        self._replayer = replayer

    def __call__(self, case: Trace | Fresh) -> Verdict:
        """Return the verdict on a session."""
        if isinstance(case, Fresh):
            return self._replayer.judge(case.case, fresh=True)
        return self._replayer.tried(case)

    def trust_fresh_only(self) -> None:
        """Replay in fresh contexts only from now on."""
        self._replayer.always_fresh = True
        self._replayer.skipping = False

    def identity(self) -> Mapping[str, str]:
        """Return what makes its verdicts the ones they are."""
        replayer = self._replayer
        opening = canonical([dict(step) for step in replayer.recording.opening])
        return {"opening": digest(opening.encode()), "failure": replayer.signature, **replayer.choices}


@dataclass(frozen=True)
class SessionTarget(EventsTarget):
    """A recording whose replay fails."""

    recording: Recording
    reduction: TraceReduction
    signature: str
    """What every failing replay must show."""
    path: Path | None = None
    known: Sequence[tuple[Trace, Verdict]] = field(default=(), compare=False)
    """What was replayed already."""

    @property
    def failure(self) -> str:
        """What every failing replay shows."""
        return self.signature

    @property
    def label(self) -> str:
        """How it is called when spoken of."""
        return str(self.path or "the session")

    @property
    def trace(self) -> Trace:
        """The events of the session."""
        return numbered(self.recording.trace)

    @property
    def sources(self) -> Sequence[Path]:
        """The file of the recording, if it came from one."""
        return () if self.path is None else (self.path,)

    def memory(self, steady: bool) -> Memory:
        """Return a memory by prefix that knows what was replayed already, or an empty one by whole sessions."""
        if not steady:
            return Memory()
        memory = PrefixMemory()
        for trace, verdict in self.known:
            memory.remember(trace, verdict)
        return memory

    def stores(self, output: OutputSettings, resuming: bool) -> Mapping[Outcome, ResultStore]:
        """Return the file of the result."""
        return {Outcome.FAIL: ResultFile(output.path)} if output.path is not None else {}

    def written(self, case: Trace) -> bytes:
        """Return a session as a recording that says what fails in it."""
        return self.recording.text(case, **{FAILURE: self.signature}).encode()

    def refused(self, settings: RunSettings) -> Mapping[str, str]:
        """Return what is for files or processes."""
        return _REFUSED
