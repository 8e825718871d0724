"""`minrepro grammar check FILE`: whether a grammar of one's own is fit for use."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from minrepro.core.plurals import counted
from minrepro.documents.grammars.grammar_check import Findings, check_grammar
from minrepro.documents.grammars.reading_grammars import notation_of, read_grammar, text_of
from minrepro.targets.reading import read_input

_MOST = 8

_EPILOG = """\
Prints the rules that no input needs, the places where a parser that looks one token ahead cannot decide, and with
--on INPUT the parts of INPUT that can be parsed in more than one way. The exit status is 0 unless FILE has errors or
INPUT does not match.

Examples:
  minrepro grammar check query.g4
  minrepro grammar check query.y --on crash.query
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "grammar",
        help="Check a grammar of your own",
        description="Check a grammar for --grammar.",
        epilog="Example:\n  minrepro grammar check query.g4 --on crash.query",
    )
    actions = command.add_subparsers(
        dest="action", metavar="COMMAND", title="Commands", required=True, help="what to do with a grammar"
    )
    check = actions.add_parser(
        "check",
        help="Show what is ambiguous, unreachable or not parsed",
        description="Check FILE, a grammar in Lark, ANTLR 4, YACC, ABNF or W3C EBNF.",
        epilog=_EPILOG,
    )
    check.add_argument("file", metavar="FILE", type=Path, help="Grammar to check")
    check.add_argument("--on", metavar="INPUT", type=Path, help="Parse INPUT with it, too [default: none]")
    check.add_argument(
        "--start",
        metavar="RULE",
        help="Start parsing at RULE of the grammar [default: start for Lark, else the first rule]",
    )
    check.add_argument(
        "--json", action="store_true", help="Print one JSON object, with the shortest string of each rule"
    )
    check.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check a grammar, and return the exit status."""
    notation = notation_of(args.file, text_of(args.file))
    grammar = read_grammar(args.file, args.start)
    findings = check_grammar(grammar, read_input(args.on) if args.on is not None else None)
    if args.json:
        print(json.dumps({"notation": notation, **asdict(findings)}, ensure_ascii=False))
    else:
        _tell(args, notation, findings)
    return 0


def _tell(args: argparse.Namespace, notation: str, findings: Findings) -> None:
    sizes = f"{counted(findings.rules, 'rules')}, {counted(findings.tokens, 'tokens')}"
    print(f"{args.file}: {notation}, {sizes}, starts with {findings.start}")
    print(f"shortest input: {findings.shortest[findings.start]!r}")
    _list("unreachable", findings.unreachable)
    _list("not decided by one token ahead", findings.undecided)
    if args.on is not None:
        print(f"{args.on}: parsed, {counted(findings.nodes or 0, 'nodes')}")
        _list("ambiguous", [f"{each.rule} in line {each.line}: {each.text}" for each in findings.ambiguous])


def _list(head: str, items: Sequence[str]) -> None:
    for item in items[:_MOST]:
        print(f"{head}: {item}")
    if len(items) > _MOST:
        print(f"{head}: and {len(items) - _MOST} more")
