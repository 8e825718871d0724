"""Exit statuses, for who started the command."""

from __future__ import annotations

import signal

from minrepro.cli.exit_status import SIGNALLED, exit_status
from minrepro.core.events import End


def test_who_stops_a_run_by_a_signal_is_told_which() -> None:
    assert {name: exit_status(end) for name, end in SIGNALLED.items()} == {
        signal.SIGTERM: 143,
        signal.SIGHUP: 129,
        signal.SIGXCPU: 3,
    }
    assert exit_status(End.INTERRUPTED) == 130


def test_only_what_nobody_asked_for_is_a_failure() -> None:
    assert exit_status(End.EXECUTOR_LOST) == 3
    assert {exit_status(end) for end in (End.FINISHED, End.TESTS_SPENT, End.SECONDS_SPENT, End.STOPPED)} == {0}
