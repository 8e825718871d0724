"""`minrepro completion SHELL`: a script with which a shell completes commands and options."""

from __future__ import annotations

import argparse

from minrepro.cli.command_outline import outlines
from minrepro.cli.shell_completion import SCRIPTS

_EPILOG = """\
Examples:
  minrepro completion bash > ~/.local/share/bash-completion/completions/minrepro
  minrepro completion zsh > ~/.zfunc/_minrepro                  with ~/.zfunc in $fpath
  minrepro completion fish > ~/.config/fish/completions/minrepro.fish
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "completion",
        help="Print a completion script for a shell",
        description="Print a script with which SHELL completes the commands and options of minrepro.",
        epilog=_EPILOG,
    )
    command.add_argument("shell", metavar="SHELL", choices=list(SCRIPTS), help="bash, zsh or fish")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script, and return the exit status."""
    from minrepro.cli.main import parser

    print(SCRIPTS[args.shell](list(outlines(parser()))), end="")
    return 0
