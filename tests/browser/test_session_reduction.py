"""The whole way in a real browser: a failing session of the shop becomes the two events of the paper's figure 1."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from minrepro.browser.chromium import Chromium
from minrepro.browser.exports import FAILURE, export
from minrepro.browser.random_sessions import explore
from minrepro.browser.recording import parse
from minrepro.browser.session_reduction import WebReduction, reduce_session
from minrepro.browser.session_replay import Replayer
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.inline import Inline
from minrepro.traces import trace_formats
from minrepro.traces.app_replay import CannotFire, ReplayOracle
from minrepro.traces.trace_api import learn_rules
from minrepro.traces.trace_reduction import reduce_trace
from minrepro.traces.user_events import Event, Trace, numbered
from tests.browser.shop_session import session

STATE = "{items: shop.cart, open: shop.open, search: document.getElementById('search').value}"


def test_a_long_session_is_logged_mined_and_reduced_to_its_two_events_and_exported(
    chromium: Chromium, shop: str, tmp_path: Path
) -> None:
    sessions = [
        chromium.run(explore(chromium, f"{shop}/?fixed", seed=seed, events=25, state=STATE)) for seed in range(3)
    ]
    logs = [trace_formats.parse(one.log, f"session {i}")[0] for i, one in enumerate(sessions)]
    rules = learn_rules(logs, confidence=0.5)
    assert rules

    recording = session(f"{shop}/")
    assert len(recording.trace) >= 40
    replayer = Replayer(chromium, recording)
    failure = replayer.choose()
    assert failure.signature == "error: TypeError: Cannot read properties of undefined (reading 'length') in emptyCart"
    found = reduce_session(replayer, rules=rules, jobs=2)
    assert [str(event) for event in found.result.trace] == ["click #open", "click #empty"]
    assert found.failed == found.replays
    assert {reason.kept for reason in found.result.reasons} == {True, False}

    reduced = parse(recording.text(found.result.trace, **{FAILURE: failure.signature}), "reduced")
    exported = tmp_path / "test_session.py"
    exported.write_text(export(reduced, "pytest"), encoding="utf-8")
    assert _pytest(exported) == 1
    exported.write_text(export(reduced, "pytest").replace("BASE + '/'", "BASE + '/?fixed'"), encoding="utf-8")
    assert _pytest(exported) == 0
    replayer.close()


def _pytest(path: Path) -> int:
    """Return the exit status of pytest: 1 when a test failed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    environment = {**os.environ, "PYTEST_ADDOPTS": ""}
    return subprocess.run(command, cwd=path.parent, env=environment, capture_output=True, check=False).returncode


def test_the_same_session_passes_in_the_shop_without_the_bug(chromium: Chromium, shop: str) -> None:
    recording = session(f"{shop}/?fixed")
    replayer = Replayer(chromium, recording)
    seen = replayer.observe(recording.trace)
    assert (seen.fired, seen.seen, seen.impossible) == (len(recording.trace), [], "")
    replayer.close()


def test_an_element_that_is_not_there_is_unresolved_at_once_and_nothing_survives_a_reset(
    chromium: Chromium, shop: str
) -> None:
    recording = session(f"{shop}/")
    replayer = Replayer(chromium, recording)
    replayer.choose()
    closed = tuple(event for event in recording.trace if event.name != "click #open")
    for _ in range(2):
        verdict = replayer.judge(closed)
        assert verdict.outcome is Outcome.UNRESOLVED
        assert "no element #products" in verdict.reason
    assert replayer.judge(recording.trace).outcome is Outcome.FAIL
    replayer.close()


@pytest.mark.parametrize(("pinned", "left"), [({4}, "bde"), ({0, 4}, "abde"), ({0}, "abd"), (set(), "bd")])
def test_what_is_pinned_stays_and_all_else_is_reduced(pinned: set[int], left: str) -> None:
    trace = numbered(Event(name) for name in "abcdee")

    def fails(given: Trace) -> Verdict:
        names = "".join(event.name for event in given)
        return Verdict(Outcome.FAIL if re.search("b.*d", names) else Outcome.PASS)

    result = reduce_trace(trace, Inline(fails), WebReduction(pinned=frozenset(pinned)))
    assert "".join(event.name for event in result.trace) == left
    assert {reason.position for reason in result.reasons if reason.text == "pinned"} == pinned


class Cart:
    """The shop without a browser: to empty a cart that is empty, with the catalogue open, fails."""

    def reset(self) -> None:
        self.items, self.opened = 0, False

    def fire(self, event: Event) -> None:
        what = event.name.removeprefix("click ").partition(" ")[0]
        if (what == "#products" and not self.opened) or (what == "#cart" and self.items < event.args[0]):
            raise CannotFire(str(event))
        if what == "#empty" and self.opened and not self.items:
            raise ValueError("the cart is empty")
        self.opened |= what == "#open"
        self.items = 0 if what == "#empty" else self.items + (what == "#products") - (what == "#cart")


@pytest.mark.parametrize(("skipping", "left"), [(True, 3), (False, 5)])
def test_what_undoes_something_goes_with_it_beside_a_pinned_event(skipping: bool, left: int) -> None:
    trace = session("http://x/").trace
    way = WebReduction(pinned=frozenset({1}), arguments=False)
    result = reduce_trace(trace, Inline(ReplayOracle.of(Cart(), skipping=skipping)), way)
    assert str(result.trace[0]) == "click #search"
    assert len(result.trace) == left


@pytest.mark.parametrize(
    ("pinned", "left"),
    [(1, ["#search", "#open", "#empty"]), (10, ["#open", "#products", "#cart", "#empty"])],
)
def test_a_pinned_event_is_never_left_out_while_others_are(
    chromium: Chromium, shop: str, pinned: int, left: list[str]
) -> None:
    replayer = Replayer(chromium, session(f"{shop}/"))
    replayer.choose()
    found = reduce_session(replayer, reduction=WebReduction(pinned=frozenset({pinned}), arguments=False))
    assert [event.name.split()[1] for event in found.result.trace] == left
    assert pinned in [event.position for event in found.result.trace]
    replayer.close()
