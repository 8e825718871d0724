"""The sessions of the golden check: a shopping cart that fails when it is emptied empty, and logs of it that do not."""

from __future__ import annotations

import json
import random
from typing import Any

from benchmarks.golden import names

Fired = tuple[str, list[int]]

CHECK = """\
import json, sys
opened, items = False, []
for number, line in enumerate(open(sys.argv[1]), 1):
    record = json.loads(line)
    name, args = record["event"], record.get("args", [])
    if name == "open": opened = True
    elif not opened or (name == "delete" and args[0] not in items):
        print("minrepro: event", number); sys.exit(125)
    elif name == "add": items.append(args[0])
    elif name == "delete": items.remove(args[0])
    elif items: items = []
    else:
        print("minrepro: event", number); sys.exit(0)
sys.exit(1)
"""
"""Replays a trace as the cart would, and says at which event it stopped."""


class Cart:
    """The application itself: an event that is not possible cannot be fired."""

    def reset(self) -> None:
        self.items: list[Any] = []
        self.opened = False

    def fire(self, event: Any) -> None:
        name, args = event.name, event.args
        if name == "open":
            self.opened = True
        elif not self.opened or (name == "delete" and args[0] not in self.items):
            raise names.CannotFire(f"{event} is not possible")
        elif name == "add":
            self.items.append(args[0])
        elif name == "delete":
            self.items.remove(args[0])
        elif self.items:
            self.items = []
        else:
            raise ValueError("the cart is empty")


def session(rng: random.Random, length: int) -> list[tuple[Fired, dict[str, int]]]:
    """Return events that are possible one after the other without a failure, each with the state after it."""
    items: list[int] = []
    fired: list[tuple[Fired, dict[str, int]]] = [(("open", []), {"N": 0, "C": 1})]
    while len(fired) < length:
        name = rng.choice(["add", "add", "delete", "empty", "open"])
        if name in ("delete", "empty") and not items:
            continue
        args = [rng.randint(1, 4)] if name == "add" else [rng.choice(items)] if name == "delete" else []
        if name == "add":
            items.append(args[0])
        elif name == "delete":
            items.remove(args[0])
        elif name == "empty":
            items = []
        fired.append(((name, args), {"N": len(items), "C": 1}))
    return fired


def failing() -> list[Fired]:
    """Return the failing session: a long one, and at its end the cart is emptied twice."""
    events = [fired for fired, _ in session(random.Random("failing"), 30)]
    return [*events, ("add", [2]), ("empty", []), ("open", []), ("empty", [])]


def logs() -> dict[str, str]:
    """Return the logs of sessions that did not fail, by file name."""
    return {f"good{n}.jsonl": _text(session(random.Random(f"good {n}"), 40)) for n in range(3)}


def failing_text() -> str:
    """Return the failing session as a file."""
    return "".join(json.dumps({"event": name, "args": args}) + "\n" for name, args in failing())


def _text(entries: list[tuple[Fired, dict[str, int]]]) -> str:
    return "".join(json.dumps({"event": name, "args": args, "state": state}) + "\n" for (name, args), state in entries)
