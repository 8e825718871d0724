"""Random sessions that look for failures by themselves, in the small shop and in other pages, by seeds.

    python benchmarks/web_sessions.py [FOLDER ...] [-o RESULTS]

The shop is that of `examples/shop`; each FOLDER has a `page.html`. So many sessions of so many actions are played in
each, whatever they find. The first that fails is then reduced: a failure of a few events that nobody has recorded.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from minrepro.browser.chromium import Chromium
from minrepro.browser.random_sessions import RandomSession, explore
from minrepro.browser.session_reduction import reduce_session
from minrepro.browser.session_replay import Replayer
from minrepro.browser.static_server import served
from minrepro.browser.step_descriptions import described
from minrepro.errors import NotFailing

SHOP = Path(__file__).parents[1] / "examples" / "shop"


def reduced(chromium: Chromium, session: RandomSession) -> list[str]:
    """Return the lines about the reduction of a failing session."""
    replayer = Replayer(chromium, session.recording)
    begin = time.monotonic()
    try:
        failure = replayer.choose()
    except NotFailing as error:
        return [f"    its recording does not fail again: {error}"]
    found = reduce_session(replayer)
    seconds = time.monotonic() - begin
    replayer.close()
    before, after, tests = len(session.recording.trace), len(found.result.trace), found.result.run.tally.tests
    told = f"  the first is reduced from {before} to {after} events in {tests} replays, {seconds:.1f} s: "
    return [told + failure.signature, *(f"    {described(event)}" for event in found.result.trace)]


def looked_at(name: str, folder: Path, file: str, sessions: int, actions: int) -> list[str]:
    """Return the lines about one page."""
    with served(folder) as origin, Chromium(hosts=[]) as chromium:
        begin, played, failing = time.monotonic(), [], []
        until_first = (0, 0, 0.0)
        for seed in range(sessions):
            session = chromium.run(explore(chromium, f"{origin}/{file}", seed=seed, events=actions))
            played.append(len(session.recording.trace))
            if session.failed:
                failing.append(session)
                if len(failing) == 1:
                    until_first = len(played), sum(played), time.monotonic() - begin
        seconds = time.monotonic() - begin
        lines = [name]
        told = f"{sessions} sessions of at most {actions} actions, {sum(played)} events, {seconds:.1f} s"
        lines.append(f"  {told}: {len(failing)} failed")
        if failing:
            count, events, first = until_first
            lines.append(f"  the first failure came in session {count}, after {events} events and {first:.1f} s")
            kinds = Counter(session.failure.signature for session in failing if session.failure)
            lines += [f"    {number} times {failure}" for failure, number in kinds.most_common()]
            lines += reduced(chromium, failing[0])
    return [*lines, ""]


def main() -> int:
    """Look at all pages and write what was found; return 1 if there is one in which nothing was."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="*", metavar="FOLDER")
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--actions", type=int, default=40)
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args()
    pages = [("the shop", SHOP, "index.html"), *((folder.name, folder, "page.html") for folder in args.folders)]
    text, status = "", 0
    for name, folder, file in pages:
        lines = looked_at(name, folder, file, args.sessions, args.actions)
        status |= lines[1].endswith(" 0 failed")
        told = "\n".join(lines) + "\n"
        print(told, end="", flush=True)
        text += told
        if args.output is not None:
            args.output.write_text(text, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
