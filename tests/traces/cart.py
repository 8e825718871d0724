"""The shopping cart of *Reduce first, debug later* (2014), figures 1 and 2, with the failure of its section 2.1."""

from __future__ import annotations

from minrepro.traces.app_replay import CannotFire
from minrepro.traces.rule_syntax import parse_rules
from minrepro.traces.rules import Rule
from minrepro.traces.user_events import Entry, Event, Json, Log, Trace, numbered


def event(name: str, *args: Json) -> Event:
    return Event(name, args)


FAILING: Trace = numbered(
    [
        event("open"),
        event("add", 1),
        event("empty"),
        event("add", 2),
        event("add", 3),
        event("delete", 2),
        event("delete", 3),
        event("empty"),
    ]
)
"""Sequence (1) of the paper."""

_FIGURE_2: list[tuple[Event, int, int]] = [
    (event("init"), 0, 0),
    (event("open"), 0, 1),
    (event("add", 1), 1, 1),
    (event("empty"), 0, 1),
    (event("empty"), 0, 1),
    (event("add", 2), 1, 1),
    (event("add", 3), 2, 1),
    (event("delete", 3), 1, 1),
    (event("delete", 2), 0, 1),
    (event("add", 3), 1, 1),
    (event("add", 2), 2, 1),
]

FIGURE_2 = Log(
    tuple(Entry(deed, {"N": items, "C": opened}, line) for line, (deed, items, opened) in enumerate(_FIGURE_2, 1)),
    "figure 2",
)


def rules(*texts: str) -> tuple[Rule, ...]:
    return parse_rules("\n".join(texts), "rules")


R1_TO_R4 = (
    "[add(i); empty] ≡ [empty]",
    "[add(i); delete(i)] ≡ []",
    "[empty; empty] ≡ [empty]",
    "[add(i); add(j)] ≡ [add(j); add(i)]",
)
R5 = "[open] ≡ []"


def says_the_same(one: Rule, text: str) -> bool:
    return one.statement == rules(text)[0].statement


class Cart:
    """Figure 1: to empty a cart that is empty, with the catalogue open, fails."""

    def __init__(self) -> None:
        self.items: list[Json] = []
        self.opened = False
        self.resets = 0

    def reset(self) -> None:
        self.items, self.opened = [], False
        self.resets += 1

    def fire(self, event: Event) -> None:
        match event.name, event.args:
            case "open", _:
                self.opened = True
            case _ if not self.opened:
                raise CannotFire("the catalogue is closed")
            case "add", (item,):
                self.items.append(item)
            case "delete", (item,) if item in self.items:
                self.items.remove(item)
            case "empty", _ if self.items:
                self.items = []
            case "empty", _:
                raise ValueError("the cart is empty")
            case _:
                raise CannotFire(f"{event} is not possible")
