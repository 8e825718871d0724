"""`--versions` for events: the trace that one version leaves is where the next begins."""

from __future__ import annotations

import json
import shlex
import sys

import pytest

from tests.cli.command_line import CommandLine

REPLAY = """
import json, sys
version, path = sys.argv[1:]
done = set()
for line in open(path):
    done.add(json.loads(line)["event"])
needed = {"old": {"empty"}, "new": {"empty", "open"}, "fixed": {"nothing"}}
sys.exit(0 if done >= needed[version] else 1)
"""


@pytest.fixture
def shop(shell: CommandLine) -> CommandLine:
    shell.write("replay.py", REPLAY)
    names = ["look", "open", "add", "look", "empty", "look"]
    shell.write("t.jsonl", "".join(f'{{"event": "{name}"}}\n' for name in names))
    return shell


def replay(shop: CommandLine, version: str = "{version}") -> str:
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(shop.folder / 'replay.py'))} {version}"


def events(shop: CommandLine, name: str) -> list[str]:
    return [json.loads(line)["event"] for line in (shop.folder / name).read_text().splitlines()]


def test_each_version_begins_with_the_shortest_trace_that_fails_with_it(shop: CommandLine) -> None:
    done = shop.run("traces", "reduce", replay(shop), "t.jsonl", "--versions", "old,fixed,new", "-j", "1", "--json")
    assert done.status == 0, done.stderr
    assert events(shop, "t.min.old.jsonl") == ["empty"]
    assert events(shop, "t.min.new.jsonl") == events(shop, "t.min.jsonl") == ["open", "empty"]
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["input"], one["output"]) for one in told] == [
        ("t.jsonl", "t.min.old.jsonl"),
        ("t.jsonl", "t.min.new.jsonl"),  # what the old version leaves does not fail with the new one
    ]
    assert "warning: version fixed: " in done.stderr
    back = shop.run("traces", "reduce", replay(shop), "t.jsonl", "--versions", "new,old", "-j", "1", "--json")
    assert [json.loads(line)["input"] for line in back.stdout.splitlines()] == ["t.jsonl", "t.min.new.jsonl"]
    assert events(shop, "t.min.jsonl") == ["empty"]
    shop.assert_nothing_is_left()


@pytest.mark.parametrize(
    ("versions", "check", "more", "told"),
    [
        ("old,new", "old", (), "write {version} in CHECK"),
        ("old,old", "{version}", (), "different versions"),
        ("fixed,old", "{version}", (), "does not reproduce"),
        ("old,new", "{version}", ("--report", "r.html"), "--report"),
    ],
)
def test_what_is_wrong_is_told(shop: CommandLine, versions: str, check: str, more: tuple[str, ...], told: str) -> None:
    done = shop.run("traces", "reduce", replay(shop, check), "t.jsonl", "--versions", versions, *more)
    assert done.status in (1, 2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_the_algorithm_for_the_hierarchy_of_events_is_there(shop: CommandLine) -> None:
    done = shop.run("traces", "reduce", replay(shop, "new"), "t.jsonl", "--algorithm", "hdd", "-j", "1")
    assert done.status == 0, done.stderr
    assert events(shop, "t.min.jsonl") == ["open", "empty"]
