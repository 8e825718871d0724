"""What is wrong with a check although it shows the failure: each rule runs it once more and looks at what it did.

A check that accepts the empty input accepts everything; one that depends on where it is run finds other files than the
candidate; one that leaves processes behind disturbs the tests after it; one that needs much longer on candidates than
on the input makes a run slow, and its time limit hard to choose.
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable
from dataclasses import dataclass

from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict

MARK = "MINREPRO_LINT"
SLOWER = 5.0
"""A check that takes so many times as long on a candidate as on the input needs much longer."""
_NOTICEABLE = 0.5
"""Seconds below which nobody minds."""
_LEFT = "minrepro-left-behind:"

RunCheck = Callable[[Invocation], ProcessEnd]


@dataclass(frozen=True)
class CheckUnderLint:
    """A check to be looked at: what it runs for a case, what an ending means, and two cases."""

    invocation: Callable[[bytes], Invocation]
    judge: Callable[[ProcessEnd], Verdict]
    case: bytes
    half: bytes
    """A candidate as a reduction may try: half of the input."""


def findings(check: CheckUnderLint, run: RunCheck, elsewhere: RunCheck) -> list[str]:
    """Return the problems of a check, each as a phrase; `elsewhere` runs it in another directory."""
    shown = run(check.invocation(check.case))
    if check.judge(shown).outcome is not Outcome.FAIL:
        found = ["does not reproduce the failure on the input in an empty directory"]
        if check.judge(elsewhere(check.invocation(check.case))).outcome is Outcome.FAIL:
            found.append("reproduces it in the current directory, so it depends on files here: use absolute paths")
        return found
    found = []
    if check.judge(run(check.invocation(b""))).outcome is Outcome.FAIL:
        found.append("accepts the empty input, so it probably accepts every input; does it read its first argument?")
    if check.judge(elsewhere(check.invocation(check.case))).outcome is not Outcome.FAIL:
        found.append("depends on the working directory: does not reproduce the failure elsewhere")
    if left := _left_behind(check, run):
        found.append(
            f"leaves processes behind ({left}); minrepro kills them, but they may disturb other checks before that"
        )
    seconds = run(check.invocation(check.half)).seconds
    if seconds > _NOTICEABLE and seconds > SLOWER * shown.seconds:
        found.append(
            f"takes {seconds:.1f} s on half of the input, but {shown.seconds:.1f} s on all of it; "
            "limit the program with `timeout`"
        )
    return found


def _left_behind(check: CheckUnderLint, run: RunCheck) -> str:
    """Return the names of processes that are still there when the check has ended."""
    asked = check.invocation(check.case)
    # All that a check starts inherits its environment, by which it is found again; the shell that looks has it too.
    mark = secrets.token_hex(8)  # somebody else may be looking at a check at the same time
    script = (
        f"{shlex.join(asked.argv)}; sleep 0.2; for p in /proc/[0-9]*; do [ $p = /proc/$$ ] && continue; "
        f"tr '\\0' '\\n' <$p/environ 2>/dev/null | grep -q '^{MARK}={mark}$' && "
        f"[ \"$(sed -n 's/^PPid:[[:space:]]*//p' $p/status 2>/dev/null)\" != $$ ] && "
        f'echo "{_LEFT}$(cat $p/comm 2>/dev/null)" >&2; done; true'
    )
    ending = run(
        Invocation(("/bin/sh", "-c", script), asked.files, asked.stdin, {**asked.environment, MARK: mark}),
    )
    lines = ending.stderr.decode("utf-8", "replace").splitlines()
    names = [line.removeprefix(_LEFT) for line in lines if line.startswith(_LEFT)]
    return ", ".join(dict.fromkeys(name for name in names if name))
