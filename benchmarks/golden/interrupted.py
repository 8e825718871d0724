"""Golden cases of runs that are killed at three moments and resumed."""

from __future__ import annotations

import shlex
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from benchmarks.golden.commands import (
    ALONE,
    DEADLINE,
    FAILS,
    ISOLATED,
    STATE,
    WORKS,
    Place,
    counted,
    isolate_words,
    isolated,
    new_place,
)
from benchmarks.golden.inputs import SAMPLES
from benchmarks.golden.names import Command, Option
from benchmarks.golden.records import Broken, Case, Record, merged


class Killed:
    """A run that is killed in its middle, as often as it is told, and resumed."""

    def __init__(self, place: Place, script: str) -> None:
        self._place = place
        self._runs = place.folder.parent / "runs"
        self._runs.touch()
        self.check = place.check(f"#!/bin/sh\nprintf x >> {shlex.quote(str(self._runs))}\n{script}\n")

    @property
    def runs(self) -> int:
        """How many checks were begun."""
        return self._runs.stat().st_size

    def words(self, of_check: Callable[[str], Sequence[str]]) -> Sequence[str]:
        """Return the words of a run in which checks are counted, which they do outside their sandbox."""
        return (*of_check(self.check), Option.WRITABLE, str(self._runs))

    def kill(self, after: int, *words: str) -> None:
        """Start a run and kill it, as no program can prevent, when so many checks were begun."""
        with self._place.start(*words) as process:
            end = time.monotonic() + DEADLINE
            while self.runs < after and process.poll() is None and time.monotonic() < end:
                time.sleep(0.005)
            if process.poll() is not None:
                raise Broken(f"it was over before it could be killed: {process.communicate()[1][-500:]}")
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=DEADLINE)


SHARES = (0.2, 0.5, 0.85)
"""When runs are killed: after these shares of the checks that they take."""


def _interrupted(
    words: Callable[[str], Sequence[str]], inputs: Mapping[str, bytes], script: str, result: Callable[[Place], Record]
) -> Record:
    """Run undisturbed, and killed at three moments; what comes out and how must be the same."""
    records = {}
    with new_place() as place:
        for name, content in inputs.items():
            place.write(name, content)
        calm = Killed(place, script)
        done = place.run(*calm.words(words))
        records["calm"] = {**counted(done.summary), **result(place), "steps": place.steps()}
        all_runs = calm.runs
    with new_place() as place:
        for name, content in inputs.items():
            place.write(name, content)
        killed = Killed(place, script)
        again: Sequence[str] = killed.words(words)
        for share in SHARES:
            killed.kill(int(share * all_runs), *again)
            again = (*Command.RESUME, STATE)
        done = place.run(*again)
        if done.status != 0:
            raise Broken(f"resumed with exit status {done.status}: {done.stderr[-500:]}")
        records["killed"] = {**records["calm"], **result(place), "steps": place.steps()}
        if killed.runs > all_runs + 3 * len(SHARES) + 3:
            raise Broken(f"{killed.runs} runs of the check after three kills, {all_runs} undisturbed")
    return merged(records, tuple(records["killed"]))


def killed_reduction() -> Record:
    """Kill and resume the reduction of a file."""
    sample = SAMPLES["log.txt"]
    how = (*Command.REDUCE, *ALONE, Option.DETERMINISTIC, Option.STATE, STATE, Option.JSON, Option.QUIET)
    script = sample.script().splitlines()[1]
    return _interrupted(
        lambda check: (*how, Option.OUTPUT, "out", check, sample.name),
        {sample.name: sample.content},
        script,
        lambda place: place.content("out"),
    )


def killed_isolation() -> Record:
    """Kill and resume an isolation."""
    inputs = {"works.txt": WORKS.encode(), "fails.txt": FAILS.encode()}
    return _interrupted(lambda check: isolate_words(check, *inputs), inputs, ISOLATED, isolated)


def cases() -> Iterator[tuple[str, Case]]:
    """Yield the cases."""
    yield "resume/reduce", killed_reduction
    yield "resume/isolate", killed_isolation
