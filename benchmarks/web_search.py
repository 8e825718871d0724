"""The search for sequences beside ddmin: sessions of small applications of 20 to 5,000 events, without and with rules.

    python benchmarks/web_search.py [--lengths 20 100 1000] [--seeds N] [-o RESULTS]

The applications and their bugs are those of `virtual_apps.py`. ddmin is as web_sessions compares it: complements only,
from the first part again after each that could go, with a memory of whole candidates, and a replay that ends at the
failure or at the first event that cannot be fired. Both count the first replay, and every event that was tried. The
rules are mined from sessions without a bug. "more" is the share of sessions on which a way is worse than ddmin.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.virtual_apps import APPS, App, Bug, session
from minrepro.core.verdicts import Outcome
from minrepro.traces.app_replay import CannotFire, ReplayOracle
from minrepro.traces.rules import Rule
from minrepro.traces.trace_api import learn_rules, reduce_events
from minrepro.traces.user_events import Entry, Log, Trace

_LOGS, _LOGGED = 6, 150
"""So many sessions without a bug, of so many events, are logged for rules."""


@dataclass(frozen=True)
class Spent:
    """What a way left of a session, and what it took."""

    units: int
    replays: int
    events: int


def ddmin(app: App, trace: Trace) -> Spent:
    """Reduce as the paper does, complements only."""
    oracle, known = ReplayOracle.of(app), dict[Trace, bool]()
    events = 0

    def fails(some: Trace) -> bool:
        nonlocal events
        if some not in known:
            verdict = oracle(some)
            events += verdict.stopped_at or 0
            known[some] = verdict.outcome is Outcome.FAIL
        return known[some]

    assert fails(trace)
    left, parts = trace, 2
    while len(left) >= 2:
        size = math.ceil(len(left) / parts)
        rests = (left[:begin] + left[begin + size :] for begin in range(0, len(left), size))
        found = next((rest for rest in rests if fails(rest)), None)
        if found is not None:
            left, parts = found, max(parts - 1, 2)
        elif parts >= len(left):
            break
        else:
            parts = min(len(left), 2 * parts)
    return Spent(len(left), len(known), events)


def ours(app: App, trace: Trace, rules: Sequence[Rule] = ()) -> Spent:
    """Reduce as `traces reduce` does."""
    result = reduce_events(trace, app, rules=rules, arguments=False)
    return Spent(len(result.trace), result.run.tally.tests, result.events_fired)


def rules_of(make: type[App]) -> tuple[Rule, ...]:
    """Return what sessions without a bug teach."""
    logs = []
    for seed in range(_LOGS):
        rng, app = random.Random(seed), make(0)
        entries = [Entry(None, app.state)]
        while len(entries) <= _LOGGED:
            event = rng.choice(app.events(rng))
            try:
                app.fire(event)
            except (CannotFire, Bug):
                continue
            entries.append(Entry(event, app.state))
        logs.append(Log(tuple(entries), f"{make.__name__} {seed}"))
    return learn_rules(logs)


def mean(numbers: Sequence[float]) -> float:
    """Return the geometric mean."""
    return math.exp(sum(math.log(number) for number in numbers) / len(numbers))


def line(label: str, rows: Sequence[tuple[Spent, Spent]]) -> str:
    """Return the means of a way's shares of ddmin's, and how often it is worse."""
    told = [f"{label:<30}{len(rows):>5}"]
    for name in ("units", "replays", "events"):
        shares = [getattr(way, name) / getattr(plain, name) for plain, way in rows]
        more = sum(share > 1 for share in shares) / len(shares)
        told.append(f"{mean(shares):>8.2f}{more:>6.0%}{max(shares):>7.2f}")
    return " |".join(told)


def table(lengths: Sequence[int], seeds: int) -> Iterator[str]:
    """Yield the lines of the table."""
    head = " |".join(f"{name + ' (mean, more, worst)':>21}" for name in ("units", "replays", "events"))
    yield f"{'':<30}{'':>5} |{head}"
    rows: dict[str, list[tuple[Spent, Spent]]] = {}
    for make in APPS:
        rules = rules_of(make)
        for bug in range(1, make.bugs + 1):
            for length in lengths:
                for seed in range(seeds):
                    app, trace = make(bug), session(make, bug, length, seed)
                    plain = ddmin(app, trace)
                    for way, spent in (("no rules", ours(app, trace)), ("rules", ours(app, trace, rules))):
                        for label in (f"{way}, {make.__name__}", f"{way}, {length:,} events", f"{way}, all"):
                            rows.setdefault(label, []).append((plain, spent))
    yield from (line(label, rows[label]) for label in sorted(rows, key=lambda label: (label[0] != "n", label)))


def main() -> None:
    """Print the table, and keep it where asked."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lengths", type=int, nargs="+", default=[20, 50, 100, 300], metavar="N")
    options.add_argument("--seeds", type=int, default=3, metavar="N", help="sessions for each bug and length")
    options.add_argument("-o", "--output", type=Path, metavar="RESULTS", help="also write the table here")
    args = options.parse_args()
    lines = [f"Shares of what ddmin leaves and takes, {args.seeds} sessions for each bug and length.", ""]
    for told in table(args.lengths, args.seeds):
        print(told, flush=True)
        lines.append(told)
    if args.output:
        args.output.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
