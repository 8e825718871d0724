"""Flaky checks, slippage, shared verdicts, limits and tampering, seen from the command line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile

import pytest

from tests.cli.command_line import CommandLine
from tests.documents.test_containers import pdf, png


def archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as written:
        written.writestr("first.txt", "unused")
        written.writestr("second.txt", "hello")
    return buffer.getvalue()


INPUT = "".join(f"line {number}\n" for number in range(20)) + "needle\n"


def test_a_flaky_check_is_told_of_and_the_rate_is_stated(shell: CommandLine) -> None:
    # Misses every third failure; one byte appended is one step, whatever runs at the same time.
    count = shell.folder.parent / "count"
    shell.check(f'grep -q needle "$1" || exit 1; printf x >> {count}; [ $(( $(wc -c < {count}) % 3 )) -ne 0 ]')
    shell.write("in.txt", INPUT)
    words = ("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "1", "--sandbox", "off")
    done = shell.run(*words, "--json", "--flaky", "0.3")
    assert done.status == 0, done.stderr
    told = json.loads(done.stdout)
    assert (shell.folder / "in.min.txt").read_text() == "needle\n"
    assert told["reproduction_rate"]["low"] < 2 / 3 < told["reproduction_rate"]["high"]
    assert told["check_runs"] > told["checks"]
    done = shell.run(*words)
    assert "warning: flaky:" in done.stderr
    assert "the result reproduced in" in done.stderr


def test_a_failure_that_shows_less_often_than_asked_is_refused(shell: CommandLine) -> None:
    count = shell.folder.parent / "count"
    shell.check(f"printf x >> {count}; [ $(( $(wc -c < {count}) % 10 )) -eq 0 ]")
    shell.write("in.txt", INPUT)
    done = shell.run("reduce", "./check.sh", "in.txt", "-j", "1", "--flaky", "80%", "--sandbox", "off")
    assert done.status == 1
    assert "reproduced in 2 of 20 check runs" in done.stderr


SLIPPING = (
    'grep -q needle "$1" && { echo "error: needle at line $(wc -l < "$1")" >&2; exit 0; }; '
    'grep -q "line 7" "$1" && { echo "error: seven" >&2; exit 0; }; exit 1'
)


def test_another_failure_is_told_of_and_both_are_kept(shell: CommandLine) -> None:
    shell.check(SLIPPING)
    # The first half holds only the other failure, and is what remains when the second goes first.
    shell.write("in.txt", INPUT)
    done = shell.run("reduce", "./check.sh", "in.txt", "--algorithm", "ddmin", "--units", "lines", "-j", "1")
    assert done.status == 0, done.stderr
    assert (shell.folder / "in.min.txt").read_text() == "line 7\n"
    assert "the failure changed from “" in done.stderr
    assert "needle at line <number>” to “" in done.stderr
    assert "needle" in (shell.folder / "in.min.same.txt").read_text()


def test_another_failure_of_a_folder_is_kept_as_a_folder(shell: CommandLine) -> None:
    # The needle counts only among many lines, so that something smaller can only have the other failure.
    shell.check(
        '[ "$(cat * | wc -l)" -ge 12 ] && grep -q needle * && { echo "error: needle" >&2; exit 0; }; '
        'grep -q seven * && { echo "error: seven" >&2; exit 0; }; exit 1'
    )
    folder = shell.folder / "in"
    folder.mkdir()
    for name, last in (("a.txt", "seven"), ("b.txt", "needle"), ("c.txt", "line 9")):
        (folder / name).write_text("".join(f"line {number}\n" for number in range(8)) + last)
    done = shell.run("reduce", "./check.sh", "in", "-j", "1")
    assert done.status == 0, done.stderr
    assert {path.name: path.read_text() for path in (shell.folder / "in.min").iterdir()} == {"a.txt": "seven"}
    assert "smallest candidate with the original failure: in.min.same;" in done.stderr
    same = {path.name: path.read_text() for path in (shell.folder / "in.min.same").iterdir()}
    assert "needle" in "".join(same.values())
    assert same.keys() <= {"a.txt", "b.txt", "c.txt"}


CONTAINERS = {"zip": archive(), "pdf": pdf(), "png": png()}


@pytest.mark.parametrize(("kind", "content"), CONTAINERS.items(), ids=CONTAINERS)
@pytest.mark.parametrize("more", [[], ["--deterministic"]], ids=["merged", "deterministic"])
def test_a_failure_that_stays_is_not_told_to_have_changed_in_a_container(
    shell: CommandLine, kind: str, content: bytes, more: list[str]
) -> None:
    shell.check('grep -qa hello "$1" || exit 1; echo "error: no greeting, please" >&2')
    shell.write(f"in.{kind}", content)
    done = shell.run("reduce", "./check.sh", f"in.{kind}", "-j", "2", "--json", *more)
    assert done.status == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["bytes_after"] < told["bytes_before"]
    assert "the failure changed" not in done.stderr
    assert (told["warnings"], told.get("slipped_to")) == ([], None)
    assert not [name for name in shell.names() if ".same." in name]


def test_a_failure_that_becomes_another_in_a_container_is_told_of(shell: CommandLine) -> None:
    # The first failure needs both files, so that with one of them only the other is left.
    shell.check(
        'grep -qa hello "$1" || exit 1; grep -qa unused "$1" && { echo "error: both" >&2; exit 0; }; '
        'echo "error: hello" >&2'
    )
    shell.write("in.zip", archive())
    done = shell.run("reduce", "./check.sh", "in.zip", "-j", "1")
    assert done.status == 0, done.stderr
    assert "the failure changed from “both” to “hello”" in done.stderr
    assert b"unused" in (shell.folder / "in.min.same.zip").read_bytes()


def test_a_failure_that_stays_is_not_told_to_have_changed_by_a_formatter(shell: CommandLine) -> None:
    shell.check('grep -q needle "$1" || exit 1; echo "error: a needle" >&2')
    shell.write("in.txt", INPUT)
    words = ("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "1", "--formatter", "sed s/^/formatted:/")
    done = shell.run(*words)
    assert done.status == 0, done.stderr
    assert (shell.folder / "in.min.txt").read_text() == "formatted:needle\n"
    assert "the failure changed" not in done.stderr


def test_same_failure_accepts_no_other(shell: CommandLine) -> None:
    shell.check(SLIPPING)
    shell.write("in.txt", INPUT)
    words = ("reduce", "./check.sh", "in.txt", "--algorithm", "ddmin", "--units", "lines", "-j", "1", "--same-failure")
    done = shell.run(*words)
    assert done.status == 0, done.stderr
    assert (shell.folder / "in.min.txt").read_text() == "needle\n"
    assert "the failure changed" not in done.stderr


BY_DDMIN = ("reduce", "./check.sh", "in.txt", "--algorithm", "ddmin", "--units", "lines")


def test_same_failure_accepts_no_other_on_a_cluster_nor_from_its_shared_verdicts(shell: CommandLine) -> None:
    shell.check(SLIPPING)
    shell.write("in.txt", INPUT)
    words = (*BY_DDMIN, "--same-failure", "--cache-dir", str(shell.folder.parent / "cache"))
    for number, where in enumerate((["--cluster", "local:2"], ["-j", "1"])):
        done = shell.run(*words, *where, "-o", f"out{number}.txt")
        assert done.status == 0, done.stderr
        assert (shell.folder / f"out{number}.txt").read_text() == "needle\n"
        assert "the failure changed" not in done.stderr


def test_another_failure_is_told_of_on_a_cluster(shell: CommandLine) -> None:
    shell.check(SLIPPING)
    shell.write("in.txt", INPUT)
    done = shell.run(*BY_DDMIN, "--cluster", "local:2", "-j", "1")
    assert done.status == 0, done.stderr
    assert (shell.folder / "in.min.txt").read_text() == "line 7\n"
    assert "needle at line <number>” to “" in done.stderr
    assert "needle" in (shell.folder / "in.min.same.txt").read_text()


def test_a_check_edited_during_a_run_on_a_cluster_ends_it(shell: CommandLine) -> None:
    check = shell.check('grep -q needle "$1" || { echo "# edited" >> "$0"; exit 1; }')
    shell.write("in.txt", INPUT)
    done = shell.run(*BY_DDMIN, "--cluster", "local:2", "--sandbox", "off")
    assert done.status == 2
    assert f"{check.name} changed during the reduction" in done.stderr
    assert "needle\n" in (shell.folder / "in.min.txt").read_text()


def test_shared_verdicts_say_which_failure_was_seen_not_what_became_of_it(shell: CommandLine) -> None:
    shell.check(SLIPPING)
    words = (*BY_DDMIN, "-j", "1", "--initial-runs", "1", "--cache-dir", str(shell.folder.parent / "cache"))
    needle, seven = "line 7\nneedle\n", "line 7\nline 8\n"
    for content, option, expected in (
        (needle, "--same-failure", "needle\n"),
        (seven, "--same-failure", "line 7\n"),
        (needle, "--quiet", "line 7\n"),
        (needle, "--same-failure", "needle\n"),
    ):
        shell.write("in.txt", content)
        done = shell.run(*words, option)
        assert done.status == 0, done.stderr
        assert (shell.folder / "in.min.txt").read_text() == expected, (content, option)


def test_shared_verdicts_save_another_run_its_checks(shell: CommandLine) -> None:
    count = shell.folder.parent / "count"
    shell.check(f'printf x >> {count}; grep -q needle "$1"')
    shell.write("in.txt", INPUT)
    cache = str(shell.folder.parent / "cache")
    words = ("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "1", "--cache-dir", cache, "--sandbox", "off")
    assert shell.run(*words).status == 0
    first = count.stat().st_size
    assert shell.run(*words).status == 0
    again = count.stat().st_size - first
    assert again <= 12 < first  # only the repeats that make sure, and nothing of the search
    assert (shell.folder / "in.min.txt").read_text() == "needle\n"
    shell.check(f'printf y >> {count}; grep -q needle "$1"')
    before = count.stat().st_size
    assert shell.run(*words).status == 0
    assert count.stat().st_size - before == first  # an edited check starts with nothing


HOSTILE = {
    "a fork bomb": ("bomb() { sleep 0.4; bomb & bomb & wait; }; bomb", ["--limit-processes", "12"]),
    "ten gigabytes": ("exec head -c 10000000000 /dev/zero", ["--limit-output", "1M"]),
    "a bomb of files": ("i=0; while :; do i=$((i+1)); echo x > f$i; done", ["--limit-disk", "1M"]),
    "computing for ever": ("while :; do :; done", ["--limit-cpu", "1"]),
    "ignoring SIGTERM": ("trap '' TERM HUP INT; while :; do sleep 1; done", ["--timeout", "3"]),
    "sleeping for ever": ("sleep 100000", ["--timeout", "3"]),
    "a daemon by double fork": ("(setsid sleep 100000 &); exit 1", []),
}


@pytest.mark.parametrize(("script", "options"), HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_check_is_ended_and_leaves_nothing(shell: CommandLine, script: str, options: list[str]) -> None:
    shell.check(f'grep -q needle "$1" && exit 0\n{script}')
    shell.write("in.txt", "a\nneedle\n")
    done = shell.run("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "2", *options)
    assert done.status == 0, done.stderr
    assert (shell.folder / "in.min.txt").read_text() == "needle\n"
    shell.assert_nothing_is_left()


def test_where_checks_cannot_be_kept_from_the_network_the_run_is_refused(shell: CommandLine) -> None:
    shell.check("exit 0")
    shell.write("in.txt", INPUT)
    script = (
        "import sys; from minrepro.runs import executor_stack; from minrepro.cli import main as cli\n"
        "executor_stack.why_network_stays = lambda: 'Operation not permitted'\n"
        "sys.exit(cli.main(['reduce', './check.sh', 'in.txt', '--no-network']))\n"
    )
    words = [sys.executable, "-c", script]
    done = subprocess.run(words, cwd=shell.folder, env=shell.environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "--no-network: checks cannot be kept from the network here: Operation not permitted." in done.stderr
    assert shell.names() == {"check.sh", "in.txt"}
    shell.assert_nothing_is_left()


def test_a_check_that_writes_into_the_input_or_the_result_is_told_of(shell: CommandLine) -> None:
    spoil = f"echo spoilt >> {shell.folder}/in.txt; echo spoilt >> {shell.folder}/in.min.txt"
    shell.check(f'grep -q needle "$1" || exit 1; {spoil}')
    shell.write("in.txt", INPUT)
    done = shell.run("reduce", "./check.sh", "in.txt", "--units", "lines", "-j", "1", "--sandbox", "off")
    assert done.status == 0, done.stderr
    assert "another process changed in.txt during the reduction" in done.stderr
    assert "another process changed the result in.min.txt" in done.stderr
    assert (shell.folder / "in.min.txt").read_text() == "needle\n"


def test_a_check_that_writes_into_a_folder_that_is_the_input_is_told_of(shell: CommandLine) -> None:
    (shell.folder / "in" / "deep").mkdir(parents=True)
    (shell.folder / "in" / "deep" / "a.txt").write_text("needle\nother\n")
    shell.check(f"grep -q needle deep/a.txt || exit 1; echo spoilt >> {shell.folder}/in/deep/a.txt")
    done = shell.run("reduce", "./check.sh", "in", "-j", "1", "--sandbox", "off")
    assert done.status == 0, done.stderr
    assert "another process changed in during the reduction" in done.stderr
    assert (shell.folder / "in.min" / "deep" / "a.txt").read_text() == "needle\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--flaky", "1.5"], "is not a rate above 0 and up to 1"),
        (["--limit-memory", "much"], "is not a size such as 500M or 2G"),
        (["--initial-runs", "0"], "is not a whole number of at least 1"),
        (["--work-dir", "/proc/nowhere"], "hint: --work-dir DIR"),
        (["--cache-dir", "/proc/nowhere"], "cannot use /proc/nowhere as a cache"),
    ],
)
def test_bad_words_are_told_of(shell: CommandLine, words: list[str], told: str) -> None:
    shell.check("exit 0")
    shell.write("in.txt", INPUT)
    done = shell.run("reduce", "./check.sh", "in.txt", *words)
    assert done.status == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
