"""How help is laid out: few words of usage, options in named groups that several modules fill."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable
from itertools import chain
from typing import Any

RESULT = "Result"
FAILURE = "Failure, with -- COMMAND"
REDUCTION = "Reduction"
CHECKS = "Check runs"
STOP = "Stop early"
CLUSTER = "Cluster"
WARM = "Warm checks"
RESEARCH = "Research options"
STATE = "Logged state"
BROWSER = "Browser"
JOURNAL = "Journal and cache"
FLAKY = "Flaky checks"
LIMITS = "Limits of each check run"
SANDBOX = "Sandbox"
_FAILURE_OPTIONS = """\
--choose            List what the failure could be (then --failure N)
--expect-exit N, --expect-signal NAME, --expect-hang SECONDS
--expect-stdout REGEX, --expect-stderr REGEX
--require COMMAND   Also require that COMMAND exits 0 on the candidate"""
DETAILS = (CLUSTER, SANDBOX, WARM, LIMITS, JOURNAL, FLAKY, RESEARCH, STATE, BROWSER)
"""Groups that `-h` leaves out."""

ENVIRONMENT = """\
Environment:
  TMPDIR                Create temporary directories there [default: RAM disk if available]
  NO_COLOR              Print no colors
  MINREPRO_VIEW         Show a failing command your directory as an overlay, a copy, or not at all (copy, none)
                        [default: overlay where the system allows it]
Set for each check run:
  MINREPRO_CANDIDATE    The path of the candidate
"""


def group(command: argparse.ArgumentParser, title: str, description: str | None = None) -> argparse._ArgumentGroup:
    """Return the group of options with this title, which is made if there is none yet."""
    for each in command._action_groups:
        if each.title == title:
            return each
    return command.add_argument_group(title, description)


def move_to_end(command: argparse.ArgumentParser, title: str) -> None:
    """Show a group after all others that are there now."""
    moved = group(command, title)
    command._action_groups.remove(moved)
    command._action_groups.append(moved)


class Layout(argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of examples as they are written, and does not repeat every option in the usage."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        """Add the usage: what must be given, and `[OPTIONS]` for the rest."""
        if usage is None:
            words = [self._word(action) for action in actions if action.required or not action.option_strings]
            usage = " ".join(["%(prog)s [OPTIONS]", *words])
        super().add_usage(usage, actions, groups, "Usage: " if prefix is None else prefix)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = text.splitlines()
        wrapped = [[line] if line.startswith(" ") else textwrap.wrap(line, width) or [""] for line in lines]
        return "\n".join(indent + line for line in chain.from_iterable(wrapped))

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"

    def _word(self, action: argparse.Action) -> str:
        metavar = self._format_args(action, self._get_default_metavar_for_positional(action))
        return " ".join([*action.option_strings[:1], metavar])


def short_help(parser: argparse.ArgumentParser) -> str:
    """Return the help of a parser without its rarer options."""
    formatter = parser._get_formatter()
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups)
    formatter.add_text(parser.description)
    left_out = False
    for each in parser._action_groups:
        if each.title in DETAILS:
            left_out = True
            continue
        formatter.start_section(each.title)
        if each.title == FAILURE:
            left_out = True
            formatter.add_text(_FAILURE_OPTIONS)
        else:
            formatter.add_arguments(each._group_actions)
        formatter.end_section()
    formatter.add_text("'--help' shows all options." if left_out else parser.epilog)
    return formatter.format_help()
