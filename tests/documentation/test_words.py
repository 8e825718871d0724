"""What people read has one word for each thing: phrases that were replaced do not come back."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from minrepro.cli.help_text import short_help
from minrepro.cli.main import parser
from minrepro.cli.short_help import SHORT
from tests.documentation.consoles import PROJECT

AVOIDED = re.compile(
    r"\bin vain\b|\bgone on with\b|\b(?:go|goes|going) on with\b|\bat the begin\b|\bso many (?:checks|tests|times)\b"
    r"|\bbeside\b|\b(?:is|are) told of\b|\btime-out|\bwhite space\b|\bnow and then\b|\bwhat succeeds\b"
    r"|\bmay go\b|\bfolders?\b|\bminimis|\blicence\b|\bMINREPRO_CASE\b|\bbegin anew\b|\bfailure shows\b",
    re.IGNORECASE,
)
"""Phrases that say less than the words of the glossary: directory, timeout, whitespace, reproduces, resume."""

RENAMED = re.compile(
    r"(?<![\w-])--(?:golf|format|max-seconds|reproduction|repeats?|memory|cpu|printed|processes|markdown|place|"
    r"cluster-file|cluster-wait|parallel|longest|patterns|no-arguments|ignore-arguments|judged-at-end|origin|"
    r"signature|predicate|frames|reset|fresh|slow)(?![\w-])"
)
"""Options that have another name now."""

PAGES = [*sorted(PROJECT.glob("*.md")), *sorted((PROJECT / "docs").glob("*.md"))]
SHOWN = sorted((PROJECT / "src" / "minrepro" / "ui").glob("*/*/index.html")) + sorted(
    (PROJECT / "src" / "minrepro" / "ui").glob("*/page.html")
)


def commands(whole: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of all commands below it."""
    yield whole
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from commands(command)


COMMANDS = {command.prog: command for command in commands(parser())}


def prose(page: Path) -> str:
    """Return what a page says, without names of files, of code, and of links to them."""
    text = page.read_text(encoding="utf-8")
    if page.name == "CHANGELOG.md":  # it says what the old names were
        text = re.sub(r"^  - .*(?:\n    .*)*|^- The environment variable.*", "", text, flags=re.MULTILINE)
    text = re.sub(r"```.*?```|^    .*$|\]\([^)]*\)|<[^>]*>", " ", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*(?:folder|/)[^`\n]*`", " ", text)


@pytest.mark.parametrize("page", [*PAGES, *SHOWN], ids=lambda page: str(page.relative_to(PROJECT)))
def test_pages_use_the_words_of_the_glossary(page: Path) -> None:
    text = " ".join(prose(page).split())
    assert AVOIDED.findall(text) == []
    if page.name != "moving-over.md":  # it has the names of other tools
        assert RENAMED.findall(text) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_uses_the_words_of_the_glossary(name: str) -> None:
    command = COMMANDS[name]
    text = " ".join((command.format_help() + SHORT.get(name, "")).split())
    assert AVOIDED.findall(text) == []
    assert RENAMED.findall(text) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_starts_with_a_verb_and_says_its_default(name: str) -> None:
    for action in COMMANDS[name]._actions:
        if action.option_strings:
            help = action.help or ""
            assert help[:1].isupper(), action.option_strings
            takes_a_value = action.nargs != 0 and not action.required
            stated = action.container.title == "Failure, with -- COMMAND"  # type: ignore[attr-defined]
            assert not takes_a_value or stated or "[default: " in help, action.option_strings


@pytest.mark.parametrize("name", COMMANDS)
def test_the_short_help_of_every_command_fits_on_a_screen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    shown = SHORT.get(name) or short_help(COMMANDS[name])
    assert len(shown.splitlines()) <= 50
    assert shown.startswith(f"Usage: {name}")
