"""Which language a file is in by the options, and the file as a tree of that language."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_language_options(command: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add what says which language a file is in."""
    command.add_argument(
        "--language",
        metavar="NAME",
        help="Parse the file as this language (see: minrepro languages) [default: detected from the file name]",
    )
    command.add_argument(
        "--grammar",
        metavar="FILE",
        type=Path,
        help="Parse the file with a grammar of your own: Lark, ANTLR 4, YACC, ABNF or W3C EBNF [default: none]",
    )
    command.add_argument(
        "--start",
        metavar="RULE",
        help="Start parsing at RULE of the grammar [default: start for Lark, else the first rule]",
    )
