"""Golden cases of what the command line looks like: options, keys of `--json`, exit statuses of bad input."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks.golden import traces
from benchmarks.golden.commands import ALONE, FAILS, ISOLATED, WORKS, Place, isolate_words, new_place, trace_words
from benchmarks.golden.names import COMMANDS, Command, Option
from benchmarks.golden.records import Case, Record

CHECK, INPUT = "./check.sh", "in.txt"
REDUCE = (*Command.REDUCE, CHECK, INPUT)
ISOLATE = (*Command.ISOLATE, CHECK)
BAD: dict[str, tuple[str, ...]] = {
    "no command": (),
    "no such command": ("no-such-command",),
    "no such option": (*REDUCE, "--no-such-option"),
    "no input": (*Command.REDUCE, CHECK),
    "missing input": (*Command.REDUCE, CHECK, "missing.txt"),
    "empty input": (*Command.REDUCE, CHECK, "empty.txt"),
    "missing check": (*Command.REDUCE, "./missing.sh", INPUT),
    "check not executable": (*Command.REDUCE, "./plain.sh", INPUT),
    "check is a folder": (*Command.REDUCE, ".", INPUT),
    "check does not fail": (*Command.REDUCE, "false", INPUT),
    "check cannot tell": (*Command.REDUCE, "sh -c 'exit 125'", INPUT),
    "command does not fail": (*Command.REDUCE, INPUT, "--", "true"),
    "output is a folder": (*REDUCE, Option.OUTPUT, "."),
    "output in a missing folder": (*REDUCE, Option.OUTPUT, "no/such/out"),
    "output is the input": (*REDUCE, Option.OUTPUT, INPUT),
    "output and in place": (*REDUCE, Option.OUTPUT, "x", Option.IN_PLACE),
    "no workers": (*REDUCE, Option.JOBS, "0"),
    "no such algorithm": (*REDUCE, Option.ALGORITHM, "magic"),
    "factor of grouping": (*REDUCE, Option.ALGORITHM, "grouping", Option.FACTOR, "3"),
    "race of grouping": (*REDUCE, Option.ALGORITHM, "grouping", Option.PARALLEL, "race"),
    "negative time-out": (*REDUCE, Option.TIMEOUT, "-1"),
    "isolate the same": (*ISOLATE, INPUT, INPUT),
    "isolate a passing side that fails": (*ISOLATE, INPUT, "other.txt"),
    "isolate a failing side that passes": (*ISOLATE, "other.txt", "empty.txt"),
    "resume nothing": (*Command.RESUME, "nothing"),
    "show nothing": (*Command.SHOW, "nothing"),
    "trace is missing": (*Command.TRACES_REDUCE, CHECK, "missing.jsonl"),
    "trace does not fail": (*Command.TRACES_REDUCE, "false", "trace.jsonl"),
    "rules of a missing log": (*Command.TRACES_RULES, "missing.jsonl"),
    "session is missing": (*Command.WEB_REDUCE, "missing.json"),
    "export of what is no recording": (*Command.WEB_EXPORT, INPUT),
}
"""Command lines that are refused."""


def bad_case(words: tuple[str, ...]) -> Record:
    """Run a command line that is refused, and return its exit status and what it left behind."""
    with new_place() as place:
        place.check('grep -q needle "$1"')
        place.write("plain.sh", "#!/bin/sh\n")
        place.write(INPUT, "a\nneedle\nb\n")
        place.write("other.txt", "a\nneedle\n")
        place.write("empty.txt", "")
        place.write("trace.jsonl", traces.failing_text())
        before = set(place.files("."))
        done = place.run(*words)
        said = {"traceback": "Traceback" in done.stderr, "stdout": bool(done.stdout), "stderr": bool(done.stderr)}
        return {"status": done.status, **said, "left": sorted(set(place.files(".")) - before)}


def options_case(command: str) -> Record:
    """Return the options that the help of a command lists, and the status of asking for it."""
    with new_place() as place:
        done = place.run(*command.split(), Option.ALL_HELP)
        heads = (re.split(r"\s{2,}", line.strip())[0] for line in done.stdout.splitlines() if re.match(r" +-", line))
        found = {option for head in heads for option in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", head)}
        return {"status": done.status, "options": sorted(found)}


def keys_in(value: Any, deep: bool = True) -> list[str]:
    """Return the keys of what was printed for a machine, with those of the records in it."""
    if isinstance(value, list):
        return sorted({key for each in value for key in keys_in(each, deep)})
    if not isinstance(value, dict):
        return []
    found = list(value)
    if deep:
        found += [f"{name}.{key}" for name, each in value.items() for key in keys_in(each, deep=False)]
    return sorted(found)


def _reduce(place: Place) -> tuple[str, ...]:
    place.check('grep -q "port6" "$1"')
    place.write(INPUT, FAILS)
    return (*REDUCE, *ALONE, Option.QUIET, Option.JSON)


def _folder(place: Place) -> tuple[str, ...]:
    place.check("grep -q needle a.txt")
    place.write("here/a.txt", "x\nneedle\n")
    place.write("here/b.txt", "y\n")
    return (*Command.REDUCE, CHECK, "here", *ALONE, Option.QUIET, Option.JSON)


def _isolate(place: Place) -> tuple[str, ...]:
    place.check(ISOLATED)
    place.write("works.txt", WORKS)
    place.write("fails.txt", FAILS)
    return isolate_words(CHECK, "works.txt", "fails.txt")


def _show(place: Place) -> tuple[str, ...]:
    place.run(*_reduce(place))
    return (*Command.SHOW, f"{INPUT}.minrepro", Option.JSON)


def _tree(place: Place) -> tuple[str, ...]:
    place.write("a.json", '{"a": [1, 2]}\n')
    return ("tree", "a.json", Option.JSON)


def _languages(place: Place) -> tuple[str, ...]:
    return ("languages", Option.JSON)


PRINTED: dict[str, Callable[[Place], tuple[str, ...]]] = {
    "reduce": _reduce,
    "reduce a folder": _folder,
    "isolate": _isolate,
    "show": _show,
    "tree": _tree,
    "languages": _languages,
    "traces reduce": trace_words,
}
"""What prepares a command that prints something for machines, and returns its words."""


def keys_case(command: str) -> Record:
    """Return the keys that a command prints for machines."""
    with new_place() as place:
        done = place.run(*PRINTED[command](place))
        try:
            printed = [json.loads(done.stdout)]
        except ValueError:
            printed = [json.loads(line) for line in done.stdout.splitlines()]
        return {"status": done.status, "keys": keys_in(printed)}


def cases() -> Iterator[tuple[str, Case]]:
    """Yield the cases."""
    for name, words in BAD.items():
        yield f"status/{name}", partial(bad_case, words)
    for command in ("", *COMMANDS):
        yield f"options/{command or 'minrepro'}", partial(options_case, command)
    for command in PRINTED:
        yield f"keys/{command}", partial(keys_case, command)
