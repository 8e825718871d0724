"""How a run is shown while it goes on."""

from __future__ import annotations

import io
import json

import pytest

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


def test_a_terminal_gets_a_display_with_size_curve_checks_and_what_each_step_removed() -> None:
    stream = Terminal()
    with shown(quiet=False, stream=stream, render=lambda case: "the content") as listener:
        play(listener)
    text = stream.getvalue()
    told = (" of 1,000 bytes (4.2%)", "█", "4 (", "1 cache hit", "4 reproduced", "grouping 958 in 3 checks")
    for words in (*told, "the content", "Ctrl-C"):
        assert words in text
    assert "1 cache hits" not in text
    assert "warning: [odd] text" in text


def test_verbose_shows_every_accepted_step_in_a_line_of_its_own_also_on_a_terminal() -> None:
    stream = Terminal()
    with shown(quiet=False, stream=stream, verbose=True) as listener:
        play(listener)
    steps = [line.split()[1] for line in stream.getvalue().splitlines() if "cache hit" in line]
    assert steps == ["1,000", "500", "300", "42"]


def test_quiet_shows_nothing_but_warnings() -> None:
    stream = Terminal()
    with shown(quiet=True, stream=stream) as listener:
        play(listener)
    assert stream.getvalue() == "minrepro: warning: [odd] text\n"


def test_programs_get_one_object_per_event(capsys: pytest.CaptureFixture[str]) -> None:
    with shown(quiet=True, json_lines=True) as listener:
        play(listener)
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[0] == {"event": "started", "schema": 1, "unit": "bytes", "size": 1000}
    assert events[2] == {"event": "warning", "text": "[odd] text"}
    assert [event["size"] for event in events if event["event"] == "accepted"] == [1000, 500, 300, 42]
    assert {"event", "size", "checks", "cache_hits", "seconds", "step"} == set(events[-1])
