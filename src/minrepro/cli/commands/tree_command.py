"""`minrepro tree FILE`: the syntax tree of a file, with the nodes that can be removed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from minrepro.cli.options.check_options import positive
from minrepro.cli.options.language_options import add_language_options
from minrepro.cli.settings_of import search_of
from minrepro.documents.syntax.tree import ROOT
from minrepro.documents.syntax.tree_document import TreeDocument
from minrepro.errors import InputError
from minrepro.targets.file import document_of
from minrepro.targets.reading import read_input

_DEEPEST_INDENT = 40


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "tree",
        help="Show the syntax tree of a file",
        description="Show the syntax tree of FILE: node types, sizes, and which nodes can be removed.",
        epilog="A node is optional, replaceable by the text shown, or required. Syntax errors are nodes, too.\n\n"
        "Example:\n  minrepro tree crash.c --depth 3",
    )
    command.add_argument("file", metavar="FILE", type=Path, help="File to parse")
    command.add_argument("--depth", type=positive, metavar="N", default=5, help="Show N levels [default: %(default)s]")
    command.add_argument(
        "--tokens", action="store_true", help="Show brackets, keywords and punctuation, too [default: named nodes only]"
    )
    command.add_argument("--json", action="store_true", help="Print one JSON object per node")
    add_language_options(command)
    command.set_defaults(run=run)


@dataclass(frozen=True)
class _Row:
    """What is shown of one node."""

    depth: int
    kind: str
    field: str
    start: int
    bytes: int
    tokens: int
    status: str
    text: str


def run(args: argparse.Namespace) -> int:
    """Show the tree, and return the exit status."""
    data = read_input(args.file)
    document = document_of(search_of(args), args.file, data)
    if document is None:
        raise InputError(f"the language of {args.file} is unknown\nhint: minrepro tree {args.file} --language NAME")
    for row in _rows(document, args.depth, args.tokens):
        print(json.dumps(asdict(row)) if args.json else _line(row))
    errors = document.allowed[0]
    if errors and not args.json:
        print(f"minrepro: warning: {errors} syntax errors in {args.file}", file=sys.stderr)
    return 0


def _rows(document: TreeDocument, deepest: int, with_tokens: bool) -> Iterator[_Row]:
    tree = document.tree
    waiting = [(ROOT, 0)]
    while waiting:
        node, depth = waiting.pop()
        text = tree.text(node)[:80].decode("utf-8", "replace")
        yield _Row(
            depth,
            tree.name(node),
            tree.field_name(node),
            tree.start[node],
            tree.size(node),
            tree.weight(node),
            _status(document, node),
            " ".join(text.split()),
        )
        if depth < deepest:
            children = [child for child in tree.children(node) if with_tokens or tree.is_named(child)]
            waiting += [(child, depth + 1) for child in reversed(children)]


def _status(document: TreeDocument, node: int) -> str:
    """Return whether a node can be removed, and what would take its place."""
    if node == ROOT:
        return "root"
    if not document.removable(node):
        return "required"
    error = "error, " if document.tree.is_error(node) else ""
    if document.vanishes(node):
        return f"{error}optional"
    stand_in = next((cut.text for cut in document.without((node,)) if cut.text), b"")
    return f"{error}may be {stand_in.decode('utf-8', 'replace')!r}"


def _line(row: _Row) -> str:
    indent = "  " * row.depth if row.depth <= _DEEPEST_INDENT else f"{'  ' * _DEEPEST_INDENT}…{row.depth} "
    name = f"{indent}{row.field + ': ' if row.field else ''}{row.kind}"
    return f"{name:<44} {row.bytes:>9,} B  {row.status:<14} {row.text[:48]}".rstrip()
