"""Random sessions find the bug of the shop by themselves, and what they record fails again."""

from __future__ import annotations

from minrepro.web.browser import Chromium
from minrepro.web.explore import explore
from minrepro.web.replay import Replayer


def test_a_random_session_finds_the_bug_and_its_recording_shows_it_again(chromium: Chromium, shop: str) -> None:
    sessions = (chromium.run(explore(chromium, f"{shop}/", seed=seed, events=30)) for seed in range(12))
    session = next(session for session in sessions if session.failed)
    replayer = Replayer(chromium, session.recording)
    assert replayer.choose().functions == ("emptyCart",)
    replayer.close()


def test_the_same_seed_gives_the_same_session(chromium: Chromium, shop: str) -> None:
    one, other = (chromium.run(explore(chromium, f"{shop}/?fixed", seed=5, events=8)) for _ in range(2))
    assert one.recording.trace == other.recording.trace
    assert not one.failed
