"""`minrepro traces rules|rewrite|reduce`: learn which events cancel each other, and reduce a failing sequence."""

from __future__ import annotations

import argparse
import difflib
import sys
from dataclasses import replace
from pathlib import Path

from minrepro.cli.exit_status import exit_status
from minrepro.cli.help_text import RESEARCH, RESULT, group, move_to_end
from minrepro.cli.options.check_options import add_check_options, result_path
from minrepro.cli.options.report_options import add_report_options, chronicle_for
from minrepro.cli.options.rule_options import (
    abstraction_of,
    add_mining,
    add_rules_or_logs,
    add_trace_algorithm,
    learnt,
    rules_of,
)
from minrepro.cli.options.safety_options import add_limit_options, add_record_options, add_trust_options
from minrepro.cli.options.search_options import add_versions_option
from minrepro.cli.oracle_of import explained
from minrepro.cli.progress import shown
from minrepro.cli.settings_of import settings_of
from minrepro.cli.summaries import print_json, print_summary
from minrepro.core.events import ignore, tell_each
from minrepro.core.plurals import counted
from minrepro.core.verdicts import Outcome
from minrepro.errors import InputError, NotFailing, UsageError
from minrepro.oracles.command import CommandOracle
from minrepro.oracles.stop_marker import TraceCheck
from minrepro.runs.runner import Runner, RunResult
from minrepro.targets.result_file import default_output
from minrepro.traces import trace_formats
from minrepro.traces.mining import mine
from minrepro.traces.rewriting import rewrite
from minrepro.traces.rule_syntax import parse_rules, write_pat, write_rules
from minrepro.traces.state_abstraction import Abstraction
from minrepro.traces.trace_reduction import EventTally, Reason, TraceReduction
from minrepro.traces.trace_target import TraceTarget
from minrepro.traces.user_events import Event, Log, Trace, positions
from minrepro.traces.witnesses import sessions, witnesses_of

_RULES_EPILOG = """\
Examples:
  minrepro traces rules good/*.jsonl -o shop.rules
  minrepro traces rules good/*.jsonl --state-drop clock --state-map cart=length --confidence 0.99
  minrepro traces rules good/*.jsonl --evidence '[add(i); delete(i)] ≡ []'
"""

_REDUCE_EPILOG = """\
CHECK is called with the path of a candidate, in the format of TRACE. It exits with
  0        the candidate reproduces the failure
  125      this cannot be decided (an event that cannot be fired, another failure)
  other    the candidate does not reproduce the failure
The last line of its output may be `minrepro: event K`, the number (from 1) of the event at which it stopped.
A line `minrepro: skipped 2 5` says that it left out events 2 and 5, because they could not be fired.

Examples:
  minrepro traces reduce ./replay.sh failing.jsonl --logs good/*.jsonl
  minrepro traces reduce ./replay.sh failing.jsonl --rules shop.rules --explain
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    traces = commands.add_parser(
        "traces",
        help="Reduce failing sequences of events",
        description="Learn from logs which events cancel or absorb each other, and reduce a failing sequence.",
        epilog="Example:\n  minrepro traces reduce ./replay.sh failing.jsonl --logs good/*.jsonl",
    )
    parts = traces.add_subparsers(
        title="Commands", dest="part", metavar="COMMAND", required=True, help="what to do with traces"
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
    )


def _add_rules(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(parts, "rules", "Mine rules from logs of events and the states after them", _RULES_EPILOG)
    command.add_argument(
        "logs", metavar="LOG", type=Path, nargs="+", help="Log of events and states: .jsonl, .json, .xml or .log"
    )
    command.add_argument(
        "-o", "--output", metavar="OUT", type=Path, help="Write the rules to OUT [default: print them]"
    )
    command.add_argument(
        "--evidence",
        dest="explain",
        metavar="RULE",
        help="Show the log lines for and against RULE instead [default: mine rules]",
    )
    command.add_argument(
        "--all",
        action="store_true",
        help="Show also rules with little evidence or some against them [default: reliable rules]",
    )
    command.add_argument(
        "--keep-implied",
        action="store_true",
        help="Keep rules that follow from others, and add none that only follow [default: the rules that are needed]",
    )
    add_mining(command)
    command.set_defaults(run=run_rules)


def _add_rewrite(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(parts, "rewrite", "Shorten a trace with rules, without replaying it")
    command.add_argument("trace", metavar="TRACE", type=Path, help="Trace to rewrite")
    command.add_argument("-o", "--output", metavar="OUT", type=Path, help="Write the result to OUT [default: print it]")
    command.add_argument("--explain", action="store_true", help="Show which rule removed each event")
    command.add_argument("--keep-last", action="store_true", help="Never remove the last event [default: rules decide]")
    add_rules_or_logs(command)
    command.set_defaults(run=run_rewrite)


def _add_reduce(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(parts, "reduce", "Find the shortest trace that still reproduces the failure", _REDUCE_EPILOG)
    command.add_argument("check", metavar="CHECK", help="Program that replays a trace")
    command.add_argument("input", metavar="TRACE", type=Path, help="Failing trace")
    result = group(command, RESULT)
    result.add_argument(
        "-o", "--output", metavar="OUT", type=result_path, help="Write the result to OUT [default: TRACE with .min]"
    )
    add_report_options(command, explained="Show why each event was kept or removed")
    command.add_argument(
        "--keep-arguments",
        dest="no_arguments",
        action="store_true",
        help="Do not simplify the arguments of events [default: simplify them]",
    )
    command.add_argument(
        "--final-state-only",
        dest="judged_at_end",
        action="store_true",
        help="CHECK inspects only the final state; do not infer outcomes from prefixes [default: infer them]",
    )
    add_check_options(command)
    add_versions_option(command, "CHECK")
    add_trace_algorithm(command)
    add_rules_or_logs(command)
    add_record_options(command)
    add_trust_options(command)
    add_limit_options(command)
    move_to_end(command, RESEARCH)
    command.set_defaults(run=run_reduce)


def run_rules(args: argparse.Namespace) -> int:
    """Mine rules, and return the exit status."""
    logs = [trace_formats.read(path)[0] for path in args.logs]
    abstraction = abstraction_of(args)
    if args.explain is not None:
        return _explain_rule(args, logs, abstraction)
    if args.all:
        rules = mine(sessions(logs, abstraction, not args.ignore_arguments), args.patterns, args.longest)
    else:
        rules = learnt(args, logs)
    events = sum(len(log.trace) for log in logs)
    title = f"{counted(len(rules), 'rules')} from {counted(len(logs), 'sessions')} with {counted(events, 'events')}"
    title += f", confidence {args.confidence:g}"
    if args.output is None:
        print(write_rules(rules, title), end="")
    else:
        trace_formats.write(
            args.output, write_pat(rules) if args.output.suffix == ".pat" else write_rules(rules, title)
        )
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
    text = trace_formats.rendered(rewriting.kept, kind, log)
    if args.output is not None:
        trace_formats.write(args.output, text)
    elif not args.explain:
        print(text, end="")
    left = counted(len(rewriting.kept), "events")
    print(f"minrepro: {len(trace):,} → {left}: {positions(rewriting.kept)}", file=sys.stderr)
    return 0


def run_reduce(args: argparse.Namespace) -> int:
    """Reduce a trace by replays, and return the exit status."""
    target = TraceTarget.read(args.input)
    reduction = TraceReduction(rules_of(args, target.trace), args.algorithm, not args.no_arguments)
    target = replace(target, reduction=reduction, judged_at_end=args.judged_at_end)
    output: Path = args.output or default_output(args.input)
    if output.exists() and output.samefile(args.input):
        raise UsageError(f"the result would overwrite the trace {output}\nhint: choose another file with -o")
    settings = settings_of(args, output)
    oracle = TraceCheck(CommandOracle.from_text(args.check, args.input.name, stdin=args.stdin), target.written)
    tally = EventTally()
    chronicle = chronicle_for(args, target.codec.encode(target.trace), target.codec.encode, target.size_of)
    with shown(args.quiet, "events", verbose=args.verbose, json_lines=args.json_lines, render=target.shown) as progress:
        watching = tell_each(progress, tally, chronicle or ignore)
        runner = Runner(settings, listener=watching, words=args.typed)
        try:
            result = runner.run(target, oracle)
        except NotFailing as error:
            raise explained(error, args.check, args.input) from None
    if result.had_finished:
        print(f"minrepro: the reduction is already finished; result: {output}", file=sys.stderr)
        return 0
    found = reduction.why(target.trace, result.case)
    reasons = [_line(event, why) for event, why in zip(target.trace, found, strict=True)]
    _tell(args, target, result, tally.events, reasons)
    if chronicle is not None:
        from minrepro.cli.hand_over import events_report, write_reports  # few need it, and it takes a while to load

        why = "" if result.finished else result.why
        encoded = target.codec.encode(result.case)
        kept = [(reason.kept, line) for reason, line in zip(found, reasons, strict=True)]
        about = events_report(target, chronicle, encoded, why, args.check, kept, with_original=args.with_original)
        write_reports(args, about)
    return exit_status(result.end)


def _line(event: Event, reason: Reason) -> str:
    """Return why an event was kept or removed, as a line."""
    return f"{reason.position:>5}  {' ' if reason.kept else '-'} {event!s:<40} {reason.text}"


def _tell(
    args: argparse.Namespace, target: TraceTarget, result: RunResult[Trace], fired: int, reasons: list[str]
) -> None:
    trace = target.trace
    if args.explain:
        print("\n".join(reasons))
    if args.json:
        sizes = {"events_before": len(trace), "events_after": len(result.case), "kept": positions(result.case)}
        outputs = result.outputs or {}
        where = {"input": str(args.input), "output": str(outputs[Outcome.FAIL])}
        print_json(result, where, {**sizes, "events_fired": fired}, as_event=args.json_lines)
    elif not args.quiet:
        events = f" of {counted(fired, 'events')}"
        print_summary(result, target.measures(trace), target.measures(result.case), checks="replays", each=events)


def _trace(path: Path) -> tuple[Log, trace_formats.Format]:
    log, kind = trace_formats.read(path)
    if not log.trace:
        raise InputError(f"{path} has no events")
    return log, kind


def _explain_rule(args: argparse.Namespace, logs: list[Log], abstraction: Abstraction) -> int:
    rules = parse_rules(args.explain, "--evidence")
    ready = sessions(logs, abstraction, not args.ignore_arguments)
    names = {event.name for log in logs for event in log.trace}
    for rule in rules:
        for pattern in rule.left:
            if pattern.name not in names:
                close = difflib.get_close_matches(pattern.name, names, 1)
                hint = f"did you mean {close[0]!r}?" if close else f"the events are {', '.join(sorted(names))}"
                raise InputError(f"no log has an event {pattern.name!r}\nhint: {hint}")
        found = list(witnesses_of(rule, ready))
        against = sum(not witness.positive for witness in found)
        print(f"{rule}   ({len(found) - against}, {against})")
        for witness in found:
            print(witness)
    return 0
