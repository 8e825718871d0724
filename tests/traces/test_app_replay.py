from __future__ import annotations

import os
import time

from minrepro.core.verdicts import Outcome
from minrepro.traces.app_replay import IsolatedReplay, ReplayOracle
from minrepro.traces.user_events import Event
from tests.traces.cart import FAILING, Cart, event


def test_the_failure_is_what_the_first_trace_ends_with() -> None:
    oracle = ReplayOracle.of(Cart())
    verdict = oracle(FAILING)
    assert (verdict.outcome, verdict.stopped_at) == (Outcome.FAIL, 8)
    assert oracle.failure == "ValueError: the cart is empty"


def test_an_impossible_or_unknown_event_is_unresolved() -> None:
    oracle = ReplayOracle.of(Cart())
    for trace in ((event("add", 1),), (event("open"), event("fly"))):
        verdict = oracle(trace)
        assert (verdict.outcome, verdict.stopped_at) == (Outcome.UNRESOLVED, len(trace))
    assert oracle.failure is None


def test_another_failure_is_unresolved() -> None:
    oracle = ReplayOracle.of(Cart(), failure="some other error")
    verdict = oracle(FAILING)
    assert verdict.outcome is Outcome.UNRESOLVED
    assert verdict.reason == "event 8: ValueError: the cart is empty"


def test_every_trace_begins_afresh() -> None:
    cart = Cart()
    oracle = ReplayOracle.of(cart)
    assert [oracle(FAILING[:3]).outcome for _ in range(2)] == [Outcome.PASS, Outcome.PASS]
    assert cart.resets == 2


class Fragile:
    """An application that can hang, and die."""

    def reset(self) -> None:
        pass

    def fire(self, event: Event) -> None:
        if event.name == "hang":
            time.sleep(3600)
        if event.name == "die":
            os._exit(7)


def test_a_replay_that_dies_is_told_with_its_event_and_the_next_one_goes_on() -> None:
    replay = IsolatedReplay(Fragile, limit=20.0)
    try:
        died = replay((event("go"), event("die"), event("go")))
        assert (died.fired, died.signature) == (2, "died with exit status 7")
        assert replay((event("go"),)).signature == ""
    finally:
        replay.close()


def test_a_replay_that_hangs_is_ended() -> None:
    replay = IsolatedReplay(Fragile, limit=20.0)
    try:
        assert replay((event("go"),)).fired == 1  # the process has started: from here on only the event can be slow
        replay._limit = 0.2
        hung = replay((event("hang"), event("go")))
        assert (hung.fired, hung.signature) == (1, "hung for 0.2 s")
    finally:
        replay.close()


def test_the_death_of_the_application_can_be_the_failure() -> None:
    replay = IsolatedReplay(Fragile, limit=20.0)
    oracle = ReplayOracle(replay)
    try:
        assert oracle((event("go"), event("die"))).outcome is Outcome.FAIL
        assert oracle((event("die"),)).outcome is Outcome.FAIL
    finally:
        replay.close()


def test_when_skipping_what_cannot_be_fired_is_left_out_and_told() -> None:
    oracle = ReplayOracle.of(Cart(), skipping=True)
    verdict = oracle((event("add", 1), event("open"), event("delete", 7), event("empty")))
    assert (verdict.outcome, verdict.stopped_at, verdict.skipped) == (Outcome.FAIL, 4, (0, 2))
    last = oracle((event("open"), event("delete", 7)))
    assert (last.outcome, last.skipped) == (Outcome.UNRESOLVED, (1,))
