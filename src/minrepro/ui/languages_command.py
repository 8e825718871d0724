"""`minrepro languages`: the languages that inputs can be reduced in as trees."""

from __future__ import annotations

import argparse
import json

from minrepro.documents.languages import endings_of
from minrepro.documents.opening import has_stand_ins
from minrepro.documents.treesitter import known_languages


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "languages",
        help="list the languages that are known",
        description="List the languages that are known by their grammar, and the file names that they are told from.",
        epilog="example:\n  minrepro languages py        the languages with py in their name or their endings",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("part", metavar="PART", nargs="?", default="", help="only names or endings with this in them")
    command.add_argument("--json", action="store_true", help="print them for a machine")
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the list, and return the exit status."""
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
        print(f"no language has {args.part!r} in its name or its endings; another may be given as --grammar FILE")
        return 1
    return 0
