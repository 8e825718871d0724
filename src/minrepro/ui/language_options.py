"""Which language a file is in, as the options tell, and the file as a tree of that language."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_language_options(command: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add what tells which language a file is in."""
    command.add_argument("--language", metavar="NAME", help="the language of the file (see: minrepro languages)")
    command.add_argument("--grammar", metavar="GRAMMAR", type=Path, help="a grammar of your own, written for Lark")
    command.add_argument("--start", metavar="RULE", help="the rule of GRAMMAR to start with (default: start)")
