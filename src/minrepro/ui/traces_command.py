"""`minrepro traces rules|rewrite|reduce`: learn which events cancel each other, and shorten a failing sequence."""

from __future__ import annotations

import argparse
import difflib
import sys
from dataclasses import replace
from pathlib import Path

from minrepro.errors import InputError, NotFailing, UsageError
from minrepro.notices import everybody
from minrepro.oracles.command import CommandOracle
from minrepro.runs.runner import Runner, RunResult
from minrepro.search import Outcome
from minrepro.targets.result_file import default_output
from minrepro.traces import formats
from minrepro.traces.abstraction import Abstraction
from minrepro.traces.check import TraceCheck
from minrepro.traces.events import Log, Trace, positions
from minrepro.traces.mine import mine
from minrepro.traces.reduction import EventTally, TraceReduction
from minrepro.traces.rewrite import rewrite
from minrepro.traces.rules_text import parse_rules, write_pat, write_rules
from minrepro.traces.trace_target import TraceTarget
from minrepro.traces.witnesses import sessions, witnesses_of
from minrepro.ui.options import add_check_options
from minrepro.ui.progress import shown
from minrepro.ui.reduce_command import explained
from minrepro.ui.safety_options import add_limit_options, add_record_options, add_trust_options
from minrepro.ui.settings_of import settings_of
from minrepro.ui.summaries import exit_status_of, print_json, print_summary
from minrepro.ui.traces_options import abstraction_of, add_mining, add_rules_or_logs, learnt, rules_of

_RULES_EPILOG = """\
examples:
  minrepro traces rules good/*.jsonl -o shop.rules
  minrepro traces rules good/*.jsonl --drop clock --map cart=length --confidence 0.99
  minrepro traces rules good/*.jsonl --explain '[add(i); delete(i)] ≡ []'
"""

_REDUCE_EPILOG = """\
CHECK is run with the path of a candidate trace, in the format of TRACE. It exits with
  0        the failure still shows
  125      cannot tell (an event that cannot be fired, another failure)
  other    the failure does not show
The last line of its output may be `minrepro: event K`, the number (from 1) of the event at which it stopped.

examples:
  minrepro traces reduce ./replay.sh failing.jsonl --logs good/*.jsonl
  minrepro traces reduce ./replay.sh failing.jsonl --rules shop.rules --explain
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    traces = commands.add_parser(
        "traces",
        help="reduce a failing sequence of user events",
        description="Learn from logs which events cancel or absorb each other, and reduce a failing sequence of them.",
        epilog="example:\n  minrepro traces reduce ./replay.sh failing.jsonl --logs good/*.jsonl",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = traces.add_subparsers(
        title="commands", dest="part", metavar="COMMAND", required=True, help="what to do with traces"
    )
    _add_rules(parts)
    _add_rewrite(parts)
    _add_reduce(parts)


def _command(
    parts: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary: str, epilog: str = ""
) -> argparse.ArgumentParser:
    return parts.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_rules(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(parts, "rules", "mine rules from logs of events and the states after them", _RULES_EPILOG)
    command.add_argument("logs", metavar="LOG", type=Path, nargs="+", help="a session: .jsonl, .json, .xml or .log")
    command.add_argument("-o", "--output", metavar="OUT", type=Path, help="where the rules go (default: shown)")
    command.add_argument("--explain", metavar="RULE", help="show the log lines for and against a rule instead")
    command.add_argument("--all", action="store_true", help="also show rules with too few witnesses, or some against")
    add_mining(command)
    command.set_defaults(run=run_rules)


def _add_rewrite(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(parts, "rewrite", "shorten a trace with rules, without replaying it")
    command.add_argument("trace", metavar="TRACE", type=Path, help="the trace to be rewritten")
    command.add_argument("-o", "--output", metavar="OUT", type=Path, help="where the result goes (default: shown)")
    command.add_argument("--explain", action="store_true", help="show which rule removed each event instead")
    command.add_argument("--keep-last", action="store_true", help="never remove the last event")
    add_rules_or_logs(command)
    command.set_defaults(run=run_rewrite)


def _add_reduce(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(parts, "reduce", "find the shortest trace that still fails when it is replayed", _REDUCE_EPILOG)
    command.add_argument("check", metavar="CHECK", help="the program that replays a trace")
    command.add_argument("input", metavar="TRACE", type=Path, help="the trace that fails")
    command.add_argument("-o", "--output", metavar="OUT", type=Path, help="where the result goes (default: with .min)")
    command.add_argument(
        "--algorithm",
        choices=("guided", "rddmin", "ddmin", "grouping"),
        default="guided",
        help="guided (default) and rddmin use the rules, ddmin and grouping do not",
    )
    command.add_argument("--no-arguments", action="store_true", help="leave the arguments of events as they are")
    command.add_argument(
        "--judged-at-end",
        action="store_true",
        help="CHECK looks at the end of a replay only: conclude nothing for the beginnings of a trace",
    )
    command.add_argument("--explain", action="store_true", help="show why each event was kept or removed")
    add_rules_or_logs(command)
    add_check_options(command)
    add_record_options(command)
    add_trust_options(command)
    add_limit_options(command)
    command.set_defaults(run=run_reduce)


def run_rules(args: argparse.Namespace) -> int:
    """Mine rules, and return the exit status."""
    logs = [formats.read(path)[0] for path in args.logs]
    abstraction = abstraction_of(args)
    if args.explain is not None:
        return _explain_rule(args, logs, abstraction)
    if args.all:
        rules = mine(sessions(logs, abstraction, not args.ignore_arguments), args.patterns, args.longest)
    else:
        rules = learnt(args, logs)
    events = sum(len(log.trace) for log in logs)
    title = f"{len(rules)} rules from {len(logs)} sessions with {events} events, confidence {args.confidence:g}"
    if args.output is None:
        print(write_rules(rules, title), end="")
    else:
        formats.write(args.output, write_pat(rules) if args.output.suffix == ".pat" else write_rules(rules, title))
        print(f"minrepro: {title}, in {args.output}", file=sys.stderr)
    return 0


def run_rewrite(args: argparse.Namespace) -> int:
    """Rewrite a trace, and return the exit status."""
    log, kind = _trace(args.trace)
    trace = log.trace
    rules = rules_of(args, trace)
    rewriting = rewrite(trace, rules, protected={len(trace) - 1} if args.keep_last else ())
    if args.explain:
        why = {event.position: step for step in rewriting.applications for event in step.removed}
        for event in trace:
            step = why.get(event.position)
            print(f"{event.position:>5}  {'-' if step else ' '} {event!s:<40} {step.rule if step else ''}".rstrip())
    text = formats.rendered(rewriting.kept, kind, log)
    if args.output is not None:
        formats.write(args.output, text)
    elif not args.explain:
        print(text, end="")
    print(f"minrepro: {len(trace)} → {len(rewriting.kept)} events: {positions(rewriting.kept)}", file=sys.stderr)
    return 0


def run_reduce(args: argparse.Namespace) -> int:
    """Reduce a trace by replays, and return the exit status."""
    target = TraceTarget.read(args.input)
    reduction = TraceReduction(rules_of(args, target.trace), args.algorithm, not args.no_arguments)
    target = replace(target, reduction=reduction, judged_at_end=args.judged_at_end)
    output: Path = args.output or default_output(args.input)
    if output.exists() and output.samefile(args.input):
        raise UsageError(f"{output} is the trace itself.\nGive -o another file.")
    settings = settings_of(args, output)
    oracle = TraceCheck(CommandOracle.from_text(args.check, args.input.name, stdin=args.stdin), target.written)
    tally = EventTally()
    with shown(args.quiet, "events") as progress:
        runner = Runner(settings, listener=everybody(progress, tally), words=args.typed)
        try:
            result = runner.run(target, oracle)
        except NotFailing as error:
            raise explained(error, args.check, args.input) from None
    if result.had_finished:
        print(f"minrepro: the run is finished already; the result is in {output}", file=sys.stderr)
        return 0
    _tell(args, target, result, tally.events)
    return exit_status_of(result)


def _tell(args: argparse.Namespace, target: TraceTarget, result: RunResult[Trace], fired: int) -> None:
    trace = target.trace
    if args.explain:
        for event, reason in zip(trace, target.reduction.why(trace, result.case), strict=True):
            print(f"{reason.position:>5}  {' ' if reason.kept else '-'} {event!s:<40} {reason.text}")
    if args.json:
        sizes = {"events_before": len(trace), "events_after": len(result.case), "kept": positions(result.case)}
        outputs = result.outputs or {}
        where = {"input": str(args.input), "output": str(outputs[Outcome.FAIL])}
        print_json(result, where, {**sizes, "events_fired": fired})
    elif not args.quiet:
        replays = f"replays of {fired:,} events"
        print_summary(result, target.measures(trace), target.measures(result.case), checks=replays)


def _trace(path: Path) -> tuple[Log, formats.Format]:
    log, kind = formats.read(path)
    if not log.trace:
        raise InputError(f"{path} holds no event: there is nothing to shorten.")
    return log, kind


def _explain_rule(args: argparse.Namespace, logs: list[Log], abstraction: Abstraction) -> int:
    rules = parse_rules(args.explain, "--explain")
    ready = sessions(logs, abstraction, not args.ignore_arguments)
    names = {event.name for log in logs for event in log.trace}
    for rule in rules:
        for pattern in rule.left:
            if pattern.name not in names:
                close = difflib.get_close_matches(pattern.name, names, 1)
                hint = f"Is {close[0]!r} meant?" if close else f"The events are: {', '.join(sorted(names))}"
                raise InputError(f"no log has an event {pattern.name!r}.\n{hint}")
        found = list(witnesses_of(rule, ready))
        against = sum(not witness.positive for witness in found)
        print(f"{rule}   ({len(found) - against}, {against})")
        for witness in found:
            print(witness)
    return 0
