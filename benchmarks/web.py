"""Real failures of web libraries reduced in Chromium, beside a plain ddmin with fresh contexts in the same run.

    python benchmarks/web.py FOLDER [--only CASE] [-o RESULTS]

FOLDER has a folder for each case: `page.html`, the files it needs and `recording.json`. Both ways replay with the same
code and look for the same failure. The plain one is ddmin as published, with a memory of verdicts, a fresh context for
each test and one page at a time. Each result is replayed in a fresh context again, as it is and without each unit.
"confirmed" are the results on the way that were accepted, each of which was replayed in a fresh context beside the
search; that time is in the seconds, those replays are not among the tests.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from minrepro.browser.chromium import Chromium
from minrepro.browser.recording import Recording, read
from minrepro.browser.session_reduction import WebReduction, reduce_session
from minrepro.browser.session_replay import Replayer
from minrepro.browser.static_server import served
from minrepro.core.verdicts import Outcome
from minrepro.engine.memory import Memory
from minrepro.errors import MinreproError
from minrepro.executors.inline import Inline
from minrepro.traces.trace_reduction import TraceReduction, TraceResult, reduce_trace
from minrepro.traces.user_events import Trace


@dataclass(frozen=True)
class Row:
    """One way on one case."""

    way: str
    before: int
    after: int
    tests: int
    events: int
    seconds: float
    confirmed: int | None
    check: str

    def __str__(self) -> str:
        rate = self.seconds / max(1, self.tests)
        return (
            f"{self.way:<26}{self.before:>5}{self.after:>7}{self.tests:>7}{self.events:>8}"
            f"{self.seconds:>9.1f}{rate:>9.2f}{'' if self.confirmed is None else self.confirmed:>10}   {self.check}"
        )


HEADER = f"{'':<26}{'units':>5}{'result':>7}{'tests':>7}{'events':>8}{'seconds':>9}{'s/test':>9}{'confirmed':>10}"


def minimality(replayer: Replayer, trace: Trace) -> str:
    """Say whether a trace fails in a fresh context, and no longer does without any single unit."""
    if replayer.judge(trace, fresh=True).outcome is not Outcome.FAIL:
        return "does not fail"
    without = (trace[:i] + trace[i + 1 :] for i in range(len(trace)))
    failing = sum(replayer.judge(shorter, fresh=True).outcome is Outcome.FAIL for shorter in without)
    return f"{failing} units can go" if failing else "1-minimal, confirmed"


def row(way: str, replayer: Replayer, result: TraceResult, seconds: float, confirmed: int | None = None) -> Row:
    """Return what is told of one way."""
    tests = result.run.tally.tests
    before, after = len(replayer.recording.trace), len(result.trace)
    check = minimality(replayer, result.trace) if result.run.finished else result.run.why
    return Row(way, before, after, tests, result.events_fired, seconds, confirmed, check)


def plain(chromium: Chromium, recording: Recording) -> Row:
    """Reduce with ddmin alone."""
    replayer = Replayer(chromium, recording, always_fresh=True)
    begin = time.monotonic()
    replayer.choose()
    reduction = TraceReduction(algorithm="ddmin", arguments=False, memory=Memory())
    result = reduce_trace(recording.trace, Inline(replayer.tried), reduction)
    seconds = time.monotonic() - begin
    told = row("plain ddmin", replayer, result, seconds)
    replayer.close()
    return told


def ours(chromium: Chromium, recording: Recording, arguments: bool) -> tuple[Row, Trace]:
    """Reduce as `minrepro web reduce` does."""
    replayer = Replayer(chromium, recording)
    begin = time.monotonic()
    replayer.choose()
    found = reduce_session(replayer, reduction=WebReduction(arguments=arguments))
    seconds = time.monotonic() - begin
    way = "minrepro" if arguments else "minrepro --no-arguments"
    told = row(way, replayer, found.result, seconds, found.confirmed)
    replayer.close()
    return told, found.result.trace


def case(folder: Path) -> list[str]:
    """Return the lines about one case."""
    load = os.getloadavg()[0]
    with served(folder) as origin, Chromium(hosts=[]) as chromium:
        recording = read(folder / "recording.json").at(origin)
        Replayer(chromium, recording).choose()  # the browser and its caches are warm before the clock runs
        ours_row, smallest = ours(chromium, recording, True)
        plain_row = plain(chromium, recording)
        without_row, trace = ours(chromium, recording, False)
    # Two pages at a time gain nothing where others keep the processors busy, so that is told.
    lines = [f"{folder.name} (load of the machine: {load:.1f} before, {os.getloadavg()[0]:.1f} after)"]
    lines += [f"  {line}" for line in (ours_row, plain_row, without_row)]
    shares = [f"{way.seconds / plain_row.seconds:.0%}" for way in (ours_row, without_row)]
    lines.append(f"  minrepro takes {shares[0]} of the time of plain ddmin, {shares[1]} without arguments")
    lines += [f"    {event}" for event in smallest]
    if smallest != trace:
        lines += ["  without making arguments smaller:", *(f"    {event}" for event in trace)]
    return [*lines, ""]


def main() -> int:
    """Reduce all cases and write the table; return 1 if one could not be measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args()
    text = f"  {HEADER}\n"
    print(text, end="", flush=True)
    status = 0
    for path in sorted(args.folder.glob("*/recording.json")):
        if args.only in path.parent.name:
            try:
                lines = case(path.parent)
            except MinreproError as error:
                lines, status = [path.parent.name, f"  not measured: {error}", ""], 1
            told = "\n".join(lines) + "\n"
            print(told, end="", flush=True)
            text += told
            if args.output is not None:  # after each case: what is measured is kept whatever comes
                args.output.write_text(text, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
