"""`minrepro languages`: the languages in which inputs can be reduced as trees."""

from __future__ import annotations

import argparse
import json

from minrepro.documents.languages import endings_of


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "languages",
        help="List supported languages",
        description="List supported languages and the file names they are detected from.",
        epilog="Example:\n  minrepro languages py        languages with py in their name or file names",
    )
    command.add_argument(
        "part", metavar="TEXT", nargs="?", default="", help="List only languages with TEXT in a name [default: all]"
    )
    command.add_argument("--json", action="store_true", help="Print the list as JSON")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the list, and return the exit status."""
    from minrepro.documents.syntax.bundled_grammars import known_languages  # takes a while to load
    from minrepro.documents.syntax.open_tree import has_stand_ins

    known = known_languages()
    rows = {language: endings_of(language, known) for language in sorted(known)}
    wanted = args.part.lower()
    found = {name: files for name, files in rows.items() if wanted in " ".join((name, *files)).lower()}
    if args.json:
        table = [
            {"language": name, "files": list(files), "stand_ins": has_stand_ins(name)} for name, files in found.items()
        ]
        print(json.dumps(table))
        return 0
    for name, files in found.items():
        print(f"{name:<18} {' '.join(files)}".rstrip())
    if not found:
        print(f"no language has {args.part!r} in its name or file names; use --grammar FILE for a grammar of your own")
        return 1
    return 0
