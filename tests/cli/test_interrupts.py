"""Ctrl-C and its relatives: the best so far is on disk, and nothing goes on running."""

from __future__ import annotations

import signal

import pytest

from tests.cli.command_line import CommandLine, ended, until

HAYSTACK = "".join(f"line {number}\n" for number in range(40)) + "needle\n"
SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]


@pytest.mark.parametrize(("number", "status"), SIGNALS)
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_a_signal_ends_the_run_with_the_best_so_far(shell: CommandLine, number: int, status: int, jobs: str) -> None:
    marker = shell.folder / "asleep"
    # From 20 lines on the check takes for ever, in a child that a signal to its group would not reach.
    shell.check(
        'grep -q needle "$1" || exit 1; '
        f'[ "$(wc -l < "$1")" -gt 20 ] || {{ setsid sh -c "touch {marker}; sleep 1000" & wait; }}'
    )
    shell.write("hay.txt", HAYSTACK)
    process = shell.start("reduce", "./check.sh", "hay.txt", "--sandbox", "off", "-j", jobs, "--units", "lines")
    until(marker.exists)
    process.send_signal(number)
    done = ended(process)
    assert done.status == status, done.stderr
    result = (shell.folder / "hay.min.txt").read_text()
    assert "needle" in result
    assert 20 < len(result.splitlines()) < len(HAYSTACK.splitlines())
    assert "result: hay.min.txt" in done.stderr
    assert "Traceback" not in done.stderr
    shell.assert_nothing_is_left()


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_signal_before_the_failure_was_seen_leaves_no_result(shell: CommandLine, number: int, status: int) -> None:
    marker = shell.folder / "asleep"
    shell.check(f"touch {marker}; sleep 1000")
    shell.write("hay.txt", HAYSTACK)
    process = shell.start("reduce", "./check.sh", "hay.txt", "--sandbox", "off")
    until(marker.exists)
    process.send_signal(number)
    done = ended(process)
    assert done.status == status
    assert "Traceback" not in done.stderr
    assert "hay.min.txt" not in shell.names()
    shell.assert_nothing_is_left()


def test_the_best_so_far_is_on_disk_during_the_run(shell: CommandLine) -> None:
    marker = shell.folder / "asleep"
    shell.check(f'grep -q needle "$1" || exit 1; [ "$(wc -l < "$1")" -gt 20 ] || {{ touch {marker}; sleep 1000; }}')
    shell.write("hay.txt", HAYSTACK)
    process = shell.start("reduce", "./check.sh", "hay.txt", "--sandbox", "off", "-j", "1", "--units", "lines")
    until(marker.exists)
    during = (shell.folder / "hay.min.txt").read_text()
    process.kill()
    ended(process)
    assert "needle" in during
    assert len(during) < len(HAYSTACK)
    assert (shell.folder / "hay.min.txt").read_text() == during
    until(lambda: not list(shell.temporary.iterdir()))  # even a killed run is swept up, by what watched its checks
    shell.assert_nothing_is_left()


@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_a_signal_ends_isolation_with_two_sides_that_are_true(shell: CommandLine, number: int, status: int) -> None:
    marker = shell.folder / "asleep"
    shell.check(f'[ "$(wc -l < "$1")" -eq 41 ] && exit 0; [ -s "$1" ] || exit 1; touch {marker}; sleep 1000')
    shell.write("hay.txt", HAYSTACK)
    shell.write("empty.txt", "")
    process = shell.start("isolate", "./check.sh", "empty.txt", "hay.txt", "--sandbox", "off")
    until(marker.exists)
    process.send_signal(number)
    assert ended(process).status == status
    assert (shell.folder / "hay.failing.txt").read_text() == HAYSTACK
    assert (shell.folder / "hay.passing.txt").read_text() == ""
    shell.assert_nothing_is_left()
