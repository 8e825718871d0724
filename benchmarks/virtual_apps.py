"""Small applications without a browser: sessions of any length that end in an injected bug, replayed in microseconds.

Each application has state that events need (a catalogue that must be open, lines of a cart by their place, a history to
undo), events that cancel each other, and bugs that need few of them. A session is played at random, without the bug,
up to the length that is wanted; then whatever provokes the bug is mixed with more random events.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from minrepro.traces.app_replay import CannotFire
from minrepro.traces.user_events import Event, Trace, numbered


class Bug(Exception):
    """The injected bug showed."""


class App(ABC):
    """An application that can be brought to a fresh start and be sent events; it has one of its bugs."""

    bugs: int
    """How many bugs there are to choose from."""

    def __init__(self, bug: int) -> None:
        self.bug = bug
        self.reset()

    @abstractmethod
    def reset(self) -> None:
        """Begin afresh."""

    @abstractmethod
    def events(self, rng: random.Random) -> list[Event]:
        """Return some events that are possible now, as a user would choose them."""

    @abstractmethod
    def provocation(self, rng: random.Random) -> Iterator[Event]:
        """Yield what provokes the bug, each event when the one before was fired; other events may come between."""

    @property
    @abstractmethod
    def state(self) -> dict[str, Any]:
        """What a log says of the application."""

    def fire(self, event: Event) -> None:
        """Do what an event says."""
        act: Callable[..., None] = getattr(self, f"do_{event.name}")
        act(*event.args)


def need(condition: bool) -> None:
    """Say that an event is not possible now unless a condition holds."""
    if not condition:
        raise CannotFire


class Shop(App):
    """A catalogue that can be searched, a cart with lines, wishes, coupons, undo and a form."""

    bugs = 6
    products = range(12)

    def reset(self) -> None:
        """Begin with an empty cart and a closed catalogue."""
        self.open = self.wishing = self.paying = False
        self.cart: list[list[int]] = []
        self.wishes: list[int] = []
        self.past: list[Any] = []
        self.search = self.code = self.coupon = self.name = self.zip = ""
        self.extras: set[str] = set()

    @property
    def state(self) -> dict[str, Any]:
        """All but the history."""
        seen = ("open", "wishing", "paying", "cart", "wishes", "search", "code", "coupon", "name", "zip")
        return {**{key: deepcopy(getattr(self, key)) for key in seen}, "extras": sorted(self.extras)}

    def shown(self) -> list[int]:
        """Return the products that the search leaves."""
        return [i for i in self.products if not self.search or i % 3 == len(self.search) % 3]

    def events(self, rng: random.Random) -> list[Event]:
        """Return what a user may do now."""
        some = [
            Event(name) for name in ("catalogue", "wishlist", "undo", "empty", "hover", "scroll", "drop", "checkout")
        ]
        some += [Event("coupon", (rng.choice(("SPRING", "LEAF", "x")),)), Event("apply")]
        if self.open:
            some += [Event("search", (rng.choice(("", "a", "te", "pan")),)), Event("focus")]
            some += [Event(what, (i,)) for i in self.shown() for what in ("add", "wish")]
        lines = range(len(self.cart))
        some += [Event(what, (i,)) for i in lines for what in ("more", "less", "remove", "remove", "up")]
        some += [Event("quantity", (i, rng.choice(("2", "7", "x")))) for i in lines]
        if self.wishing:
            some += [Event(what, (i,)) for i in range(len(self.wishes)) for what in ("forget", "move")]
        if self.paying:
            some += [
                Event("name", (rng.choice(("Ann", "")),)),
                Event("zip", (rng.choice(("1234", "x")),)),
                Event("back"),
            ]
            some += [Event("tick", (what,)) for what in ("gift", "express", "invoice")] + [Event("order")]
        return some

    def provocation(self, rng: random.Random) -> Iterator[Event]:
        """Yield the way to the bug, whatever state the session is in."""
        if not self.open:
            yield Event("catalogue")
        if self.bug in (1, 6):
            yield Event("search", ("te",))
            if self.bug == 6:
                yield Event("wish", (self.shown()[0],))
            while self.cart:
                yield Event("remove", (0,))
            yield from [Event("wishlist")] * (1 + self.wishing) if self.bug == 6 else [Event("empty")]
            return
        yield Event("search", ("",))
        yield Event("add", (3,))
        yield Event("add", (5,))
        if self.bug == 2:
            yield Event("coupon", ("SPRING",))
            yield Event("apply")
            while self.cart:
                yield Event("remove", (len(self.cart) - 1,))
        elif self.bug == 3:
            yield Event("quantity", (0, "0,5"))
        elif self.bug == 4:
            yield Event("up", (1,))
            yield Event("undo")
        else:
            yield Event("checkout")
            yield Event("name", ("Bob",))
            yield Event("zip", ("1234",))
            for what in ("gift", "express"):
                if what not in self.extras:
                    yield Event("tick", (what,))
            yield Event("order")

    def _remember(self) -> None:
        self.past = [*self.past[-30:], deepcopy(self.cart)]

    def do_catalogue(self) -> None:
        self.open = not self.open

    def do_wishlist(self) -> None:
        self.wishing = not self.wishing
        if self.bug == 6 and self.wishing and self.open and self.wishes and not self.cart:
            raise Bug("nothing to suggest")

    def do_hover(self) -> None:
        """Change nothing."""

    def do_scroll(self) -> None:
        """Change nothing."""

    def do_focus(self) -> None:
        need(self.open)

    def do_undo(self) -> None:
        if self.past:
            self.cart = self.past.pop()
            if self.cart is None:
                raise Bug("a move cannot be undone")

    def do_empty(self) -> None:
        if self.bug == 1 and self.open and self.search and not self.cart:
            raise Bug("no best match")
        if self.cart:
            self._remember()
        self.cart, self.coupon = [], ""

    def do_drop(self) -> None:
        self.coupon = ""

    def do_checkout(self) -> None:
        self.paying = bool(self.cart)

    def do_back(self) -> None:
        need(self.paying)
        self.paying = False

    def do_coupon(self, text: str) -> None:
        self.code = text

    def do_apply(self) -> None:
        if self.cart and self.code in ("SPRING", "LEAF"):
            self.coupon = self.code

    def do_search(self, text: str) -> None:
        need(self.open)
        self.search = text

    def do_add(self, i: int) -> None:
        need(self.open and i in self.shown())
        self._remember()
        line = next((line for line in self.cart if line[0] == i), None)
        if line is None:
            self.cart.append([i, 1])
        else:
            line[1] += 1

    def do_wish(self, i: int) -> None:
        need(self.open and i in self.shown())
        self.wishes = [one for one in self.wishes if one != i] if i in self.wishes else [*self.wishes, i]

    def do_forget(self, at: int) -> None:
        need(self.wishing and at < len(self.wishes))
        del self.wishes[at]

    def do_move(self, at: int) -> None:
        need(self.wishing and at < len(self.wishes))
        self._remember()
        self.cart.append([self.wishes.pop(at), 1])

    def do_more(self, at: int) -> None:
        need(at < len(self.cart))
        self._remember()
        self.cart[at][1] += 1

    def do_less(self, at: int) -> None:
        need(at < len(self.cart))
        self._remember()
        self.cart[at][1] -= 1
        if not self.cart[at][1]:
            self._removed(at)

    def do_remove(self, at: int) -> None:
        need(at < len(self.cart))
        self._remember()
        self._removed(at)

    def _removed(self, at: int) -> None:
        del self.cart[at]
        if self.bug == 2 and self.coupon and not self.cart:
            raise Bug("no line for the rebate")

    def do_up(self, at: int) -> None:
        need(at < len(self.cart))
        if at:
            self._remember()
            self.cart[at - 1], self.cart[at] = self.cart[at], self.cart[at - 1]
            if self.bug == 4:
                self.past[-1] = None

    def do_quantity(self, at: int, text: str) -> None:
        need(at < len(self.cart))
        self._remember()
        if text.isdecimal():
            self.cart[at][1] = int(text)
        elif self.bug == 3 and text.startswith("0,"):
            raise Bug("a leading zero")

    def do_name(self, text: str) -> None:
        need(self.paying)
        self.name = text

    def do_zip(self, text: str) -> None:
        need(self.paying)
        self.zip = text

    def do_tick(self, what: str) -> None:
        need(self.paying)
        self.extras ^= {what}

    def do_order(self) -> None:
        need(self.paying)
        if self.cart and self.name and self.zip.isdecimal():
            if self.bug == 5 and len(self.extras) > 1:
                raise Bug("two extras")
            self.cart, self.past, self.coupon, self.paying = [], [], "", False


class Board(App):
    """Columns of cards with titles and labels, a selection, and a history that can be undone and redone."""

    bugs = 4

    def reset(self) -> None:
        """Begin with three empty columns."""
        self.columns: list[list[dict[str, Any]]] = [[], [], []]
        self.past: list[Any] = []
        self.future: list[Any] = []
        self.chosen: tuple[int, int] | None = None
        self.made = 0

    @property
    def state(self) -> dict[str, Any]:
        """What is shown."""
        return {"columns": deepcopy(self.columns), "chosen": self.chosen}

    def events(self, rng: random.Random) -> list[Event]:
        """Return what a user may do now."""
        some = [Event("new", (i, rng.choice("abc"))) for i in range(3)] + [Event("undo"), Event("redo"), Event("look")]
        cards = [(i, j) for i, column in enumerate(self.columns) for j in range(len(column))]
        some += [Event("choose", card) for card in cards]
        some += [Event("shift", (i, j, rng.randrange(3))) for i, j in cards]
        if self.chosen is not None:
            some += [Event("label", (rng.choice(("red", "blue", "green")),)) for _ in range(3)]
            some += [Event("title", (rng.choice(("one", "two")),)), Event("delete"), Event("leave")]
        return some

    def provocation(self, rng: random.Random) -> Iterator[Event]:
        """Yield the way to the bug."""
        yield Event("new", (0, "a"))
        here = (0, len(self.columns[0]) - 1)
        yield Event("choose", here)
        if self.bug == 1:
            yield from (Event("label", (color,)) for color in ("red", "blue", "green"))
            yield Event("delete")
        elif self.bug == 2:
            yield Event("delete")
            yield Event("undo")
            yield Event("redo")
        elif self.bug == 3:
            yield Event("shift", (*here, 2))
            yield Event("undo")
            yield Event("title", ("one",))
        else:
            yield Event("new", (1, "b"))
            yield Event("choose", (1, len(self.columns[1]) - 1))
            yield Event("label", ("red",))
            yield Event("shift", (1, len(self.columns[1]) - 1, 0))
            yield Event("choose", (0, len(self.columns[0]) - 1))
            yield Event("label", ("red",))

    def _changing(self) -> None:
        self.past = [*self.past[-20:], deepcopy(self.columns)]
        self.future = []

    def _card(self) -> dict[str, Any]:
        need(self.chosen is not None)
        assert self.chosen is not None
        i, j = self.chosen
        if j >= len(self.columns[i]):
            if self.bug == 3:
                raise Bug("the chosen card is gone")
            raise CannotFire
        return self.columns[i][j]

    def do_look(self) -> None:
        """Change nothing."""

    def do_new(self, i: int, title: str) -> None:
        self._changing()
        self.columns[i].append({"title": title, "labels": []})

    def do_choose(self, i: int, j: int) -> None:
        need(0 <= j < len(self.columns[i]))
        self.chosen = (i, j)

    def do_leave(self) -> None:
        need(self.chosen is not None)
        self.chosen = None

    def do_shift(self, i: int, j: int, to: int) -> None:
        need(0 <= j < len(self.columns[i]))
        self._changing()
        self.columns[to].append(self.columns[i].pop(j))

    def do_label(self, color: str) -> None:
        card = self._card()
        self._changing()
        card = self._card()
        if color in card["labels"]:
            if self.bug == 4 and self.chosen and self.chosen[0] == 0 and len(self.columns[0]) > 1:
                raise Bug("a label of another column")
            card["labels"].remove(color)
        else:
            card["labels"].append(color)

    def do_title(self, text: str) -> None:
        card = self._card()
        self._changing()
        card = self._card()
        card["title"] = text

    def do_delete(self) -> None:
        card = self._card()
        if self.bug == 1 and len(card["labels"]) > 2:
            raise Bug("three labels")
        self._changing()
        assert self.chosen is not None
        del self.columns[self.chosen[0]][self.chosen[1]]
        if self.bug != 3:
            self.chosen = None

    def do_undo(self) -> None:
        if self.past:
            self.future.append(deepcopy(self.columns))
            self.columns = self.past.pop()
            if self.bug != 3:
                self.chosen = None

    def do_redo(self) -> None:
        if self.future:
            self.past.append(deepcopy(self.columns))
            self.columns = self.future.pop()
            if self.bug == 2 and sum(map(len, self.columns)) < sum(map(len, self.past[-1])):
                raise Bug("a deleted card is redone")


class Chain(App):
    """Different events all the time, of which some depend on earlier ones; the bug needs a few, anywhere."""

    bugs = 8

    def reset(self) -> None:
        """Begin with nothing done."""
        self.done: set[int] = set()

    @property
    def state(self) -> dict[str, Any]:
        """What was done."""
        return {"done": sorted(self.done)}

    def events(self, rng: random.Random) -> list[Event]:
        """Return an event that depends on one before it, or on nothing."""
        number = max(self.done, default=-1) + 1
        before = rng.choice(sorted(self.done)) if self.done and rng.random() < 0.2 else -1
        return [Event("step", (number, before))]

    def provocation(self, rng: random.Random) -> Iterator[Event]:
        """Yield the failing event: it needs as many others as the bug says."""
        yield Event("fail", tuple(sorted(rng.sample(sorted(self.done), min(self.bug, len(self.done))))))

    def do_step(self, number: int, before: int) -> None:
        need(before < 0 or before in self.done)
        self.done.add(number)

    def do_fail(self, *needed: int) -> None:
        if self.done.issuperset(needed):
            raise Bug("all that is needed was done")


APPS: tuple[type[App], ...] = (Shop, Board, Chain)


def session(make: Callable[[int], App], bug: int, length: int, seed: int) -> Trace:
    """Return a session of about so many events that ends in a bug."""
    rng = random.Random(f"{bug} {length} {seed}")
    while True:
        trace = _played(make(bug), length, rng)
        if trace is not None:
            return trace


def _played(app: App, length: int, rng: random.Random) -> Trace | None:
    """Play at random, and from some event on towards the bug; return None where that takes too long."""
    trace: list[Event] = []
    begin = length - 2 - rng.randrange(1 + length // 3)
    way: Iterator[Event] | None = None
    while len(trace) < 2 * length + 40:
        if way is None and len(trace) >= begin:
            way = app.provocation(rng)
        wanted = next(way, None) if way is not None and rng.random() < 0.4 else None
        chosen = wanted or rng.choice(app.events(rng))
        before = deepcopy(app)
        try:
            app.fire(chosen)
        except CannotFire:  # what was fired between has made the way impossible
            app, way = before, None
        except Bug:
            if way is not None:
                return numbered([*trace, chosen])
            app = before
        else:
            trace.append(chosen)
    return None
