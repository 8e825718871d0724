"""What is told when a run is over, for a person and for a machine: the same for every kind of reduction."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from minrepro.cli.event_lines import SCHEMA
from minrepro.cli.progress_state import share
from minrepro.core.plurals import counted
from minrepro.core.verdicts import Outcome
from minrepro.executors.flaky_statistics import bounds
from minrepro.runs.runner import RunResult

NAMES = {
    Outcome.FAIL: "reproduced",
    Outcome.PASS: "not_reproduced",
    Outcome.UNRESOLVED: "unresolved",
}


def say(text: str) -> None:
    """Tell the user something on standard error."""
    print(f"minrepro: {text}", file=sys.stderr)


def print_json(
    result: RunResult[Any], first: Mapping[str, object], more: Mapping[str, object] = {}, *, as_event: bool = False
) -> None:
    """Print a summary for a machine, with what only this kind of reduction has to tell."""
    tally = result.tally
    summary: dict[str, object] = {
        **({"event": "ended"} if as_event else {}),
        "schema": SCHEMA,
        **first,
        "stop_reason": result.why,
        "finished": result.finished,
        **more,
        "checks": tally.tests,
        "cache_hits": tally.remembered,
        "outcomes": {NAMES[outcome]: count for outcome, count in tally.outcomes.items()},
        "seconds": round(result.seconds, 3),
        "seconds_in_tests": round(tally.seconds_in_tests, 3),
        "warnings": tally.warnings,
    }
    if result.journal is not None:
        summary |= {"journal": str(result.journal), "reused_from_journal": result.reused}
    if result.containment:
        summary["checks_ran"] = result.containment
    counts = result.counts
    summary |= {"check_runs": counts.check_runs, "cancelled_runs": counts.cancelled_runs}
    summary["cache_hits_by_kind"] = counts.cache_hits
    if counts.iterations:
        summary["iterations"] = counts.iterations
    if result.rate is not None:
        low, high = bounds(result.rate.hits, result.rate.runs)
        rate = {"hits": result.rate.hits, "runs": result.rate.runs, "low": round(low, 4), "high": round(high, 4)}
        summary["reproduction_rate"] = rate
    if result.changed_failure:
        summary["changed_failure"] = result.changed_failure
    print(json.dumps(summary))


def print_summary(
    result: RunResult[Any],
    before: Mapping[str, int],
    after: dict[str, int],
    *,
    checks: str = "checks",
    each: str = "",
    more: Sequence[str] = (),
) -> None:
    """Print a summary for a person: measures before and after, what it took, and where the result is.

    What `each` says of the checks stands behind their number.
    """
    sizes = ", ".join(f"{before[unit]:,} → {counted(after[unit], unit)}" for unit in after)
    unit = next(reversed(after), "")
    left = f" ({share(after[unit], before[unit])})" if unit and before[unit] else ""
    ended = "" if result.finished else f"; {result.why}"
    tally = result.tally
    taken = f"{counted(tally.tests, checks)}{each}, {counted(tally.remembered, 'cache hits')}"
    spent = f"{result.seconds:.1f} s; {taken}"
    lines = [*_lines(result), *more, f"{sizes}{left} in {spent}{ended}" if sizes else f"{spent}{ended}"]
    lines += _places(result)
    print("\n".join(f"minrepro: {line}" for line in lines), file=sys.stderr)


def _places(result: RunResult[Any]) -> list[str]:
    outputs = result.outputs or {}
    return [f"result: {' and '.join(map(str, outputs.values()))}"] if outputs else []


def _lines(result: RunResult[Any]) -> list[str]:
    """Return what there is to tell about trust."""
    told = [result.hint] if result.hint else []
    if not result.finished and result.journal is not None:
        told.append(f"to continue: minrepro resume {result.journal.parent}")
    if result.reused:
        told.append(f"{counted(result.reused, 'outcomes')} reused from the journal")
    if result.flaky and result.rate is not None:
        low, high = bounds(result.rate.hits, result.rate.runs)
        told.append(
            f"the result reproduced in {result.rate.hits} of {counted(result.rate.runs, 'check runs')}: "
            f"the rate is between {low:.0%} and {high:.0%} (95% confidence); "
            f"{counted(result.counts.check_runs, 'check runs')} in all"
        )
    return told
