"""Which language a file is in by the options, and the file as a tree of that language."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from minrepro.errors import UsageError

if TYPE_CHECKING:
    from minrepro.documents.treedocument import TreeDocument


def add_language_options(command: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Add what says which language a file is in."""
    command.add_argument(
        "--language",
        metavar="NAME",
        help="Parse the file as this language (see: minrepro languages) [default: detected from the file name]",
    )
    command.add_argument(
        "--grammar", metavar="FILE", type=Path, help="Parse the file with a Lark grammar of your own [default: none]"
    )
    command.add_argument("--start", metavar="RULE", help="Start parsing at RULE of the grammar [default: start]")


def check_language(args: argparse.Namespace) -> None:
    """Refuse options about the language that contradict each other or name an unknown one."""
    if args.start is not None and args.grammar is None:
        raise UsageError(f"--start {args.start} requires --grammar FILE")
    if args.grammar is not None and args.language is not None:
        raise UsageError(f"--grammar {args.grammar} cannot be combined with --language {args.language}")
    if args.language is not None:
        from minrepro.documents.treesitter import grammar  # few need it, and it takes a while to load

        grammar(args.language)


def document_of(args: argparse.Namespace, path: Path, data: bytes) -> TreeDocument | None:
    """Return a file as a tree in the language that the options or its name give, or None if it is unknown."""
    check_language(args)
    if args.grammar is not None:
        from minrepro.documents.grammar import read_grammar

        return read_grammar(args.grammar, args.start or "start").open(data)
    from minrepro.documents.opening import open_tree
    from minrepro.documents.treesitter import language_of

    language = args.language or language_of(path, data)
    return open_tree(data, language) if language else None
