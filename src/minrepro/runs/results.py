"""The best so far on disk, and an eye on the files that nobody may change meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from minrepro.core.best import Best
from minrepro.core.events import Accepted, Ended, RunEvent, StepKind
from minrepro.core.verdicts import Outcome
from minrepro.errors import OutputError
from minrepro.targets.result_file import ResultStore, file_state

_SECONDS_BETWEEN_LOOKS = 2.0
"""An input may be a folder of many files."""


class Results:
    """Keeps what a run accepts where its results go; a listener of the run."""

    def __init__(
        self,
        stores: Mapping[Outcome, ResultStore],
        best: Best[Any],
        written: Callable[[Any], bytes],
        sources: Sequence[Path],
        warn: Callable[[str], None],
    ) -> None:
        """`written` gives the content that a case is."""
        self.stores = stores
        self._best = best
        self._written = written
        self._warn = warn
        self._behind: set[Outcome] = set()
        self._same: ResultStore | None = None
        for store in stores.values():
            store.warn = warn
        places = [store.path.absolute() for store in stores.values()]
        watched = [path for path in sources if not any(each.is_relative_to(path.absolute()) for each in places)]
        self._states = {path: file_state(path) for path in watched}
        self._looked = 0.0

    def __call__(self, notice: RunEvent) -> None:
        if isinstance(notice, Ended) or time.monotonic() - self._looked > _SECONDS_BETWEEN_LOOKS:
            self._look_at_sources()
        if isinstance(notice, Accepted) and notice.smallest and not self._best.replaying():
            store = self.stores.get(notice.outcome)
            # The input is there already, and to copy a folder of many files takes as long as a test.
            if store is not None and (store.seconds_between_writes == 0.0 or notice.kind is not StepKind.INPUT):
                self._behind.add(notice.outcome)

    def write(self, at_once: bool = False) -> None:
        """Bring the results on disk up to date; those that take long to write only now and then, unless at once."""
        # Done while the next checks run: putting a file in another's place takes as long as a short check.
        for outcome in [outcome for outcome in self._behind if self.stores[outcome].due or at_once]:
            if (case := self._best.of(outcome)) is not None:  # not while a run begins anew
                self._behind.discard(outcome)
                self.stores[outcome].keep(self._written(case))

    def settle(self) -> None:
        """Write the last word."""
        for outcome, store in self.stores.items():
            store.write_or_rescue(self._written(self._best.of(outcome)))

    def keep_same(self, case: Any) -> str:
        """Keep the smallest case with the original failure beside a result that has another; return where."""
        if Outcome.FAIL not in self.stores:
            return "no file"
        try:
            if self._same is None:
                self._same = self.stores[Outcome.FAIL].beside("same")
            self._same.write(self._written(case))
            return str(self._same.path)
        except OutputError as error:
            return f"no file ({error})"

    def _look_at_sources(self) -> None:
        self._looked = time.monotonic()
        for path, state in list(self._states.items()):
            if file_state(path) != state:
                del self._states[path]
                self._warn(f"another process changed {path} during the reduction; does the check write there?")
