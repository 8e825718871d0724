"""The options of `minrepro traces` that say where rules come from, and what they mean."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from minrepro.cli.help_text import RESEARCH, STATE, group
from minrepro.cli.options.check_options import positive
from minrepro.errors import UsageError
from minrepro.targets.reading import read_input
from minrepro.traces import trace_formats
from minrepro.traces.mining import NAMED
from minrepro.traces.rule_completion import require_consistent
from minrepro.traces.rule_syntax import parse_rules
from minrepro.traces.rules import Rule, RuleKind
from minrepro.traces.state_abstraction import Abstraction, map_named
from minrepro.traces.trace_api import learn_rules
from minrepro.traces.trace_reduction import Algorithm
from minrepro.traces.user_events import Event, Log, Trace

_KINDS = {
    "skip": RuleKind.SKIP,
    "inverse": RuleKind.INVERSE,
    "zero": RuleKind.ZERO,
    "idempotence": RuleKind.IDEMPOTENCE,
    "commutativity": RuleKind.COMMUTATIVITY,
    "general": RuleKind.GENERAL,
}


def add_rules_or_logs(command: argparse.ArgumentParser) -> None:
    """Add where rules come from."""
    source = command.add_mutually_exclusive_group()
    source.add_argument(
        "--rules", metavar="FILE", type=Path, help="Use the rules in FILE, text or .pat [default: none]"
    )
    source.add_argument(
        "--logs", metavar="LOG", type=Path, nargs="+", default=[], help="Mine rules from these logs [default: none]"
    )
    add_mining(command)


def add_trace_algorithm(command: argparse.ArgumentParser) -> None:
    """Add the choice among the algorithms for sequences of events."""
    group(command, RESEARCH).add_argument(
        "--algorithm",
        choices=get_args(Algorithm),
        default="default",
        help="Use this algorithm; default and rddmin use the rules, the others do not; hdd removes from the top down: "
        "pages, forms, actions, keys, events [default: default]",
    )


def add_mining(command: argparse.ArgumentParser) -> None:
    """Add how rules are mined from logs."""
    state = group(command, STATE)
    state.add_argument(
        "--state-keep",
        dest="keep",
        metavar="VARIABLE",
        action="append",
        help="Compare only this variable of a state (repeatable) [default: all]",
    )
    state.add_argument(
        "--state-drop",
        dest="drop",
        metavar="VARIABLE",
        action="append",
        default=[],
        help="Ignore this variable of a state (repeatable) [default: none]",
    )
    state.add_argument(
        "--state-map",
        dest="map",
        metavar="VARIABLE=MAP",
        action="append",
        default=[],
        help="Compare only the length, truth, sign, sorted or type of this variable (repeatable) [default: the value]",
    )
    mining = group(command, RESEARCH)
    mining.add_argument(
        "--confidence",
        type=_share,
        default=0.9,
        metavar="C",
        help="Use rules with this confidence, 1 - 2^-witnesses [default: 0.9]",
    )
    mining.add_argument(
        "--rule-kinds",
        dest="patterns",
        metavar="KINDS",
        type=_kinds,
        default=NAMED,
        help=f"Mine these kinds of rules: {','.join(_KINDS)} [default: all but general]",
    )
    mining.add_argument(
        "--max-rule-length",
        dest="longest",
        type=positive,
        default=3,
        metavar="N",
        help="Mine general rules of up to N events [default: 3]",
    )
    mining.add_argument(
        "--names-only",
        dest="ignore_arguments",
        action="store_true",
        help="Mine rules from the names of events, without arguments [default: with arguments]",
    )
    mining.add_argument(
        "--no-completion", action="store_true", help="Leave out rules that follow from others [default: add them]"
    )


def _share(text: str) -> float:
    number = float(text)
    if not 0 <= number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a confidence of at least 0 and below 1")
    return number


def _kinds(text: str) -> frozenset[RuleKind]:
    try:
        return frozenset(_KINDS[name.strip()] for name in text.split(","))
    except KeyError as error:
        raise argparse.ArgumentTypeError(f"unknown kind {error}; choose from {', '.join(_KINDS)}") from None


def abstraction_of(args: argparse.Namespace) -> Abstraction:
    """Return the abstraction of states that the options ask for."""
    maps = {}
    for item in args.map:
        variable, equals, name = item.partition("=")
        if not equals:
            raise UsageError(f"--state-map {item} lacks a map\nhint: --state-map {item}=length")
        maps[variable] = map_named(name)
    return Abstraction(args.keep, args.drop, maps)


def learnt(args: argparse.Namespace, logs: list[Log]) -> tuple[Rule, ...]:
    """Return the rules that are mined from logs as the options ask."""
    return learn_rules(
        logs,
        confidence=args.confidence,
        kinds=args.patterns,
        longest=args.longest,
        abstraction=abstraction_of(args),
        with_arguments=not args.ignore_arguments,
        completed=not args.no_completion,
        implied=getattr(args, "keep_implied", False),
    )


def rules_of(
    args: argparse.Namespace, trace: Trace, seen: Callable[[Event], Event] = lambda event: event
) -> tuple[Rule, ...]:
    """Return the rules that the options give, and warn if they cannot apply to this trace.

    Rules are mined from the events of logs as they are seen.
    """
    if args.rules is not None:
        text = read_input(args.rules).decode("utf-8", "replace")
        rules = parse_rules(text, str(args.rules))
        if args.rules.suffix != ".pat":
            require_consistent(rules, str(args.rules))
    elif args.logs:
        rules = learnt(args, [trace_formats.read(path)[0].seen(seen) for path in args.logs])
    else:
        return ()
    names = {name for event in trace for name in (event.name, seen(event).name)}
    spoken = {pattern.name for rule in rules for pattern in rule.left}
    if spoken.isdisjoint(names):
        print("minrepro: warning: no rule applies to an event of this trace", file=sys.stderr)
    for name in sorted(spoken - names) if args.rules is not None and len(spoken - names) < 3 else ():
        close = difflib.get_close_matches(name, names, 1, 0.8)
        if close:
            print(f"minrepro: warning: the trace has no event {name!r}; did you mean {close[0]!r}?", file=sys.stderr)
    return rules
