"""How a run is shown while it goes on."""

from __future__ import annotations

import io

from minrepro.cli.progress import shown
from minrepro.core.events import Accepted, Ended, Listener, Started, Tested, Warned
from minrepro.core.verdicts import Outcome, Verdict


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def play(listener: Listener) -> None:
    listener(Started(1000))
    listener(Tested(Verdict(Outcome.FAIL), 1000, "input"))
    listener(Accepted(b"", 1000, "input"))
    listener(Warned("[odd] text"))
    for size in (500, 300, 42):
        listener(Tested(Verdict(Outcome.FAIL), size, "grouping"))
        listener(Accepted(b"", size, "grouping"))
    listener(Tested(Verdict(Outcome.PASS), 20, "sweep", remembered=True))
    listener(Ended("finished", 42))


def test_a_file_gets_plain_lines() -> None:
    stream = io.StringIO()
    with shown(quiet=False, stream=stream) as listener:
        play(listener)
    assert stream.getvalue().splitlines()[:2] == ["minrepro: input: 1,000 bytes", "minrepro: warning: [odd] text"]
    assert "\x1b" not in stream.getvalue()


def test_a_terminal_gets_a_display_with_sizes_tests_outcomes_and_step() -> None:
    stream = Terminal()
    with shown(quiet=False, stream=stream) as listener:
        play(listener)
    text = stream.getvalue()
    for words in ("42", "1,000 → 500 → 300 → 42", "4, 1 cache hits", "4 reproduced", "sweep", "Ctrl-C"):
        assert words in text
    assert "warning: [odd] text" in text


def test_quiet_shows_nothing_but_warnings() -> None:
    stream = Terminal()
    with shown(quiet=True, stream=stream) as listener:
        play(listener)
    assert stream.getvalue() == "minrepro: warning: [odd] text\n"
