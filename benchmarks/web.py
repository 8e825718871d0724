"""Real failures of web libraries reduced in Chromium, beside a plain ddmin with fresh contexts in the same run.

    python benchmarks/web.py FOLDER [--only CASE] [-o RESULTS]

FOLDER has a folder for each case: `page.html`, the files it needs and `recording.json`. Both ways replay with the same
code and look for the same failure. The plain one is ddmin as published, with a memory of verdicts, a fresh context for
each test and one page at a time. Each result is replayed in a fresh context again, as it is and without each unit.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

from minrepro.executors.inline import Inline
from minrepro.memory import Memory
from minrepro.search import Outcome
from minrepro.traces.events import Trace
from minrepro.traces.reduction import TraceReduction, TraceResult, reduce_trace
from minrepro.web.browser import Chromium
from minrepro.web.recording import Recording, read
from minrepro.web.reduction import WebReduction, reduce_session
from minrepro.web.replay import Replayer
from minrepro.web.serving import served


@dataclass(frozen=True)
class Row:
    """One way on one case."""

    way: str
    before: int
    after: int
    tests: int
    events: int
    seconds: float
    check: str

    def __str__(self) -> str:
        rate = self.seconds / max(1, self.tests)
        return (
            f"{self.way:<26}{self.before:>5}{self.after:>7}{self.tests:>7}{self.events:>8}"
            f"{self.seconds:>9.1f}{rate:>9.2f}   {self.check}"
        )


HEADER = f"{'':<26}{'units':>5}{'result':>7}{'tests':>7}{'events':>8}{'seconds':>9}{'s/test':>9}"


def minimality(replayer: Replayer, trace: Trace) -> str:
    """Say whether a trace fails in a fresh context, and no longer does without any single unit."""
    if replayer.judge(trace, fresh=True).outcome is not Outcome.FAIL:
        return "does not fail"
    without = (trace[:i] + trace[i + 1 :] for i in range(len(trace)))
    failing = sum(replayer.judge(shorter, fresh=True).outcome is Outcome.FAIL for shorter in without)
    return f"{failing} units can go" if failing else "1-minimal, confirmed"


def row(way: str, replayer: Replayer, result: TraceResult, seconds: float) -> Row:
    """Return what is told of one way."""
    tests = result.run.tally.tests
    before, after = len(replayer.recording.trace), len(result.trace)
    return Row(way, before, after, tests, result.events_fired, seconds, minimality(replayer, result.trace))


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
    result = reduce_session(replayer, reduction=WebReduction(arguments=arguments)).result
    seconds = time.monotonic() - begin
    told = row("minrepro, with arguments" if arguments else "minrepro", replayer, result, seconds)
    replayer.close()
    return told, result.trace


def case(folder: Path) -> list[str]:
    """Return the lines about one case."""
    lines = [folder.name]
    with served(folder) as origin, Chromium(hosts=[]) as chromium:
        recording = read(folder / "recording.json").at(origin)
        Replayer(chromium, recording).choose()  # the browser and its caches are warm before the clock runs
        quick, trace = ours(chromium, recording, False)
        slow = plain(chromium, recording)
        shrunk, smallest = ours(chromium, recording, True)
    lines += [f"  {line}" for line in (quick, slow, shrunk)]
    shares = [f"{way.seconds / slow.seconds:.0%}" for way in (quick, shrunk)]
    lines.append(f"  minrepro takes {shares[0]} of the time of plain ddmin, {shares[1]} with arguments")
    lines += [f"    {event}" for event in trace]
    if smallest != trace:
        lines += ["  with smaller arguments:", *(f"    {event}" for event in smallest)]
    return [*lines, ""]


def main() -> None:
    """Reduce all cases and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args()
    text = f"  {HEADER}\n"
    print(text, end="", flush=True)
    for path in sorted(args.folder.glob("*/recording.json")):
        if args.only in path.parent.name:
            told = "\n".join(case(path.parent)) + "\n"
            print(told, end="", flush=True)
            text += told
    if args.output is not None:
        args.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
