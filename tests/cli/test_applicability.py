"""Every option of every command is applied, or refused with a reason, for every kind of input: none is ignored."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from minrepro.browser.recording import read as read_recording
from minrepro.browser.session_reduction import WebReduction
from minrepro.browser.session_target import SessionTarget
from minrepro.cli.main import parsed, parser
from minrepro.cli.settings_of import settings_of
from minrepro.errors import MinreproError
from minrepro.targets.arguments import ArgumentsTarget
from minrepro.targets.difference import DifferenceTarget
from minrepro.targets.file import FileTarget
from minrepro.targets.folder import read_files
from minrepro.targets.target import Target, require_applicable
from minrepro.traces.trace_target import TraceTarget
from tests.browser.shop_session import session

SHOWN = {"json", "json_lines", "quiet", "verbose"}
"""Read by every command when it tells of its result."""
FAILURE = {"choose", "failure_number", "allow_other_errors", "exit", "signal", "stderr", "stdout", "hangs", "whiles"}
FAILURE |= {"differs", "save_check"}
"""Describe a failing command; refused by the command where there is none."""
RULES = {
    "rules",
    "logs",
    "confidence",
    "patterns",
    "longest",
    "ignore_arguments",
    "no_completion",
    "keep",
    "drop",
    "map",
}
"""Say which rules there are; the trace is reduced with them."""


@dataclass(frozen=True)
class Kind:
    """A command with a kind of input."""

    words: tuple[str, ...]
    target: Callable[[Path], Target[Any]]
    own: frozenset[str]
    """What the command itself reads, by the names of its attributes."""


def folder(place: Path) -> Target[Any]:
    (place / "in").mkdir()
    (place / "in" / "a.txt").write_text("a\n")
    return read_files([place / "in"])


def file(place: Path) -> Target[Any]:
    return FileTarget(place / "in.c", b"int x;\n")


def difference(place: Path) -> Target[Any]:
    return DifferenceTarget(place / "good", place / "bad", b"", b"x\n")


def arguments(place: Path) -> Target[Any]:
    return ArgumentsTarget.of(["cc", "-O2", "a.c"])


def trace(place: Path) -> Target[Any]:
    (place / "t.jsonl").write_text('{"event": "a"}\n')
    return TraceTarget.read(place / "t.jsonl")


def recording(place: Path) -> Target[Any]:
    (place / "r.json").write_text(session("http://127.0.0.1:1/").text())
    return SessionTarget(read_recording(place / "r.json"), WebReduction(), "error: x")


REDUCE = frozenset(SHOWN | FAILURE | {"output", "stdin", "explain", "report", "with_original", "versions"})
KINDS = {
    "a file": Kind(("reduce", "check", "in.c"), file, REDUCE),
    "a folder": Kind(("reduce", "check", "in"), folder, REDUCE),
    "a difference": Kind(
        ("isolate", "check", "good", "bad"), difference, frozenset(SHOWN | FAILURE | {"output", "stdin"})
    ),
    "a command line": Kind(
        ("args",),
        arguments,
        frozenset(SHOWN | FAILURE - {"differs"} | {"output", "explain", "report", "with_original", "baseline"}),
    ),
    "a trace": Kind(
        ("traces", "reduce", "check", "t.jsonl"),
        trace,
        frozenset(
            SHOWN
            | RULES
            | {"output", "stdin", "explain", "report", "with_original", "algorithm", "no_arguments", "judged_at_end"}
            | {"versions"}
        ),
    ),
    "a browser session": Kind(
        ("web", "reduce", "r.json"),
        recording,
        frozenset(SHOWN | RULES | {"output", "explain", "report", "with_original", "no_arguments", "repeat"})
        | {
            "before",
            "versions",
            "origin",
            "signature",
            "predicate",
            "algorithm",
            "frames",
            "reset",
            "fresh",
            "browser",
            "allow_network",
        },
    ),
}


def actions(words: tuple[str, ...]) -> Iterator[argparse.Action]:
    """Yield the options of a command."""
    command = parser()
    for word in words:
        for action in command._actions:
            if isinstance(action, argparse._SubParsersAction) and word in action.choices:
                command = action.choices[word]
                break
    yield from (action for action in command._actions if action.option_strings and action.dest not in ("help", "h"))


def sample(action: argparse.Action) -> list[str]:
    """Return a value for an option that is not the usual one."""
    if action.nargs == 0:
        return []
    if action.choices:
        return [str(next(choice for choice in action.choices if choice != action.default))]
    for text in ("7", "0.5", "skip", "x=length", "x", "/"):
        try:
            read = text if action.type is None else action.type(text)  # type: ignore[operator]
        except (argparse.ArgumentTypeError, ValueError):
            continue
        if read != action.default:
            return [text] * (action.nargs if isinstance(action.nargs, int) else 1)
    raise AssertionError(f"no sample for {action.option_strings}")


CASES = [
    pytest.param(kind, action.option_strings[-1], id=f"{name}, {action.option_strings[-1]}")
    for name, kind in KINDS.items()
    for action in actions(kind.words)
]


@pytest.mark.parametrize(("kind", "option"), CASES)
def test_an_option_is_applied_or_refused_with_a_reason(kind: Kind, option: str, tmp_path: Path) -> None:
    action = next(each for each in actions(kind.words) if option in each.option_strings)
    args = parser().parse_args([*kind.words, option, *sample(action)])
    settings = settings_of(args, tmp_path / "out")
    target = kind.target(tmp_path)
    try:
        require_applicable(settings, target)
        target.search(settings.search)
    except MinreproError as error:  # refused as an option, or for its value, which names nothing that is there
        assert any(name in str(error) for name in (*action.option_strings, *sample(action))), error
        return
    applied = set(settings.given()) & set(action.option_strings)
    assert applied or action.dest in kind.own, f"{option} is read by nobody"


MISSING = [
    pytest.param(kind, option, id=f"{name}, {option}")
    for name, kind in KINDS.items()
    for option in sorted(
        {action.option_strings[-1] for action in actions(KINDS["a file"].words)}
        - {action.option_strings[-1] for action in actions(kind.words)}
    )
]


@pytest.mark.parametrize(("kind", "option"), MISSING)
def test_an_option_that_only_reduce_has_is_refused_with_a_reason(
    kind: Kind, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parsed([*kind.words, option])
    command = " ".join(kind.words[: 2 if kind.words[0] in ("traces", "web") else 1])
    assert f"minrepro {command} has no {option}: " in capsys.readouterr().err


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_what_a_command_is_said_to_read_itself_it_has_an_option_for(kind: Kind) -> None:
    assert kind.own <= {action.dest for action in actions(kind.words)}
