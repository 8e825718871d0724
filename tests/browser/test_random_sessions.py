"""Random sessions find the bug of the shop by themselves, and what they record fails again."""

from __future__ import annotations

from minrepro.browser.chromium import Chromium
from minrepro.browser.random_sessions import explore
from minrepro.browser.session_replay import Replayer
from tests.browser.pages import Open, page

__all__ = ["page"]


def test_a_random_session_finds_the_bug_and_its_recording_shows_it_again(chromium: Chromium, shop: str) -> None:
    sessions = (chromium.run(explore(chromium, f"{shop}/", seed=seed, events=30)) for seed in range(12))
    session = next(session for session in sessions if session.failed)
    assert session.failure is not None and session.failure.functions == ("emptyCart",)
    replayer = Replayer(chromium, session.recording)
    assert replayer.choose().functions == ("emptyCart",)
    replayer.close()


def test_the_same_seed_gives_the_same_session(chromium: Chromium, shop: str) -> None:
    one, other = (chromium.run(explore(chromium, f"{shop}/?fixed", seed=5, events=8)) for _ in range(2))
    assert one.recording.trace == other.recording.trace
    assert not one.failed


def test_an_answer_with_an_error_ends_a_session_and_a_dialog_does_not(chromium: Chromium, page: Open) -> None:
    bare = page("<button onclick=\"alert('hello'); fetch('', {method: 'POST'})\">b</button>")
    session = chromium.run(explore(chromium, bare.url, seed=1, events=5))
    assert session.failure is not None and session.failure.kind == "http"  # the server knows no POST: 501
    assert len(session.recording.trace) == 1
