"""The commands with their options, read off the parser: completions and the manual page are made from it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """One option as a person types it."""

    flags: tuple[str, ...]
    value: str
    """The name of what follows it; empty where nothing does."""
    choices: tuple[str, ...]
    help: str


@dataclass(frozen=True)
class Section:
    """Options under a common title."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Outline:
    """A command, or the whole of them."""

    words: tuple[str, ...]
    """How it is called, without the program's name: `("web", "reduce")`."""
    usage: str
    description: str
    epilog: str
    commands: dict[str, str]
    """The commands below it, each with a line about it."""
    choices: tuple[str, ...]
    """The words that its argument may be, where these are few."""
    sections: tuple[Section, ...]

    @property
    def next_words(self) -> dict[str, str]:
        """What may come next, other than options and files, each with a line about it."""
        return self.commands | dict.fromkeys(self.choices, "")

    @property
    def options(self) -> list[Option]:
        """All its options, in the order of the help."""
        return [option for section in self.sections for option in section.options]


def outlines(parser: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[Outline]:
    """Yield the outline of a parser, and of every command below it."""
    below = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    yield Outline(
        words,
        parser.format_usage().removeprefix("Usage: ").strip(),
        parser.description or "",
        parser.epilog or "",
        {choice.dest: choice.help or "" for each in below for choice in each._choices_actions},
        tuple(word for each in parser._actions if _is_choice(each) for word in each.choices or ()),
        tuple(
            Section(group.title or "", options)
            for group in parser._action_groups
            if (options := tuple(_option(parser, each) for each in group._group_actions if each.option_strings))
        ),
    )
    for each in below:
        for name, command in each.choices.items():
            yield from outlines(command, (*words, name))


def _is_choice(action: argparse.Action) -> bool:
    return not action.option_strings and not isinstance(action, argparse._SubParsersAction)


def _option(parser: argparse.ArgumentParser, action: argparse.Action) -> Option:
    choices = tuple(map(str, action.choices or ()))
    value = "" if action.nargs == 0 else str(action.metavar or "|".join(choices) or action.dest.upper())
    if isinstance(action.metavar, tuple):
        value = " ".join(action.metavar)
    explained = parser._get_formatter()._expand_help(action) if action.help else ""
    return Option(tuple(action.option_strings), value, choices, explained)
