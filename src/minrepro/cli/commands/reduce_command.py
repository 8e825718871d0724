"""`minrepro reduce INPUT -- COMMAND`: the smallest input that still reproduces the failure."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from minrepro.cli.check_again import confirmed, printed_by
from minrepro.cli.command_words import take_words
from minrepro.cli.exit_status import exit_status
from minrepro.cli.help_text import CLUSTER, ENVIRONMENT, REDUCTION, RESULT, group, move_to_end
from minrepro.cli.options.check_options import add_check_options, add_ddmin_options, add_parallel_option, result_path
from minrepro.cli.options.effort_options import add_effort_options, add_format_option
from minrepro.cli.options.failure_options import add_failure_options, has_failing_command
from minrepro.cli.options.language_options import add_language_options
from minrepro.cli.options.report_options import add_report_options, chronicle_for
from minrepro.cli.options.safety_options import (
    add_keeping_options,
    add_limit_options,
    add_record_options,
    add_trust_options,
)
from minrepro.cli.options.search_options import add_algorithm_options, add_refinement_options, add_versions_option
from minrepro.cli.oracle_of import explained, focus_of, oracle_of
from minrepro.cli.places import hidden_of, original_of, others_written, output_of
from minrepro.cli.progress import shown
from minrepro.cli.settings_of import failing_command_of, settings_of
from minrepro.cli.summaries import print_json, print_summary, say
from minrepro.core.events import tell_each
from minrepro.errors import NotFailing, UsageError
from minrepro.runs.formatter import Formatter, formatter_of
from minrepro.runs.runner import Runner, RunResult
from minrepro.settings import RunSettings
from minrepro.targets.file import FileTarget
from minrepro.targets.result_file import keep_original
from minrepro.targets.target import InputTarget, require_applicable

_EPILOG = """\
CHECK is called with the path of a candidate, in an empty temporary directory. The candidate has the file name of INPUT.
It exits with
  0        the candidate reproduces the failure
  125      this cannot be decided (invalid input, another failure)
  other    the candidate does not reproduce the failure

Examples:
  minrepro reduce crash.json -- python3 load.py crash.json     no script needed; writes crash.min.json
  minrepro reduce ./check.sh crash.c -o small.c -j 8           eight checks in parallel
  minrepro reduce ./check.sh project/                          a directory; the check runs in a copy of it
  minrepro reduce 'python3 check.py --fast' data.bin           a check with arguments of its own

"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "reduce",
        usage="%(prog)s [OPTIONS] INPUT... -- COMMAND [ARG...]\n       %(prog)s [OPTIONS] CHECK INPUT...",
        help="Make a failing file or directory as small as possible",
        description="Make INPUT (a file, several files or a directory) as small as possible while it still reproduces "
        "the failure. INPUT itself is not modified.",
        epilog=_EPILOG + ENVIRONMENT,
    )
    command.add_argument(
        "words",
        metavar="CHECK INPUT",
        nargs="*",
        help="CHECK: program that decides (none with -- COMMAND); INPUT: file, files or directory to reduce",
    )
    where = group(command, RESULT).add_mutually_exclusive_group()
    where.add_argument(
        "-o", "--output", metavar="PATH", type=result_path, help="Write the result to PATH [default: INPUT with .min]"
    )
    where.add_argument("--in-place", action="store_true", help="Overwrite INPUT, keep the original as INPUT.orig")
    add_report_options(command)
    add_failure_options(command)
    add_check_options(command)
    add_versions_option(command)
    how = group(command, REDUCTION)
    add_effort_options(how)
    add_format_option(how)
    add_language_options(how)
    how.add_argument(
        "--encoding",
        metavar="NAME",
        help="Read and write INPUT as text in this encoding, such as utf-16 or latin-1 [default: utf-8, or any bytes]",
    )
    add_trust_options(command)
    add_record_options(command)
    add_keeping_options(command)
    add_limit_options(command)
    move_to_end(command, CLUSTER)
    add_algorithm_options(command)
    add_refinement_options(command)
    add_parallel_option(command)
    add_ddmin_options(command)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Reduce the input, and return the exit status."""
    take_words(args, failing=has_failing_command(args))
    output = output_of(args)
    settings = settings_of(args, output)
    target, kept = original_of(args, output)
    for text in target.warnings:
        print(f"minrepro: warning: {text}", file=sys.stderr)
    require_applicable(settings, target)
    if args.stdin and not isinstance(target, FileTarget):
        raise UsageError("--stdin: several files cannot be given on standard input.")
    target.search(settings.search)  # says what contradicts itself before anything is run
    tidy = tidy_of(settings, target)
    stores = target.stores(settings.output, settings.history.resume)
    if args.choose:
        from minrepro.runs.observe_command import choices

        print(choices(failing_command_of(args), target, hidden_of(args, output)))
        return 0
    oracle = oracle_of(args, target, hidden_of(args, output))
    if args.in_place and kept is None:
        kept = keep_original(args.input)
    if isinstance(target, FileTarget):
        tell = (lambda text: None) if args.quiet else say
        target = replace(target, focus=focus_of(oracle), tell=tell)
    chronicle = chronicle_for(args, target.data)
    with shown(args.quiet, verbose=args.verbose, json_lines=args.json_lines, render=target.shown) as progress:
        watching = progress if chronicle is None else tell_each(progress, chronicle)
        runner = Runner(settings, listener=watching, words=args.typed, kept=kept, tidy=tidy)
        try:
            result = runner.run(target, oracle, stores)
        except NotFailing as error:
            raise explained(error, args.check, args.input, printed_by(settings, oracle, target.data)) from None
    if result.had_finished:
        print(f"minrepro: the reduction is already finished; result: {output}", file=sys.stderr)
        return 0
    _tell(args, target, result, output, others_written(target, result, stores))
    if args.explain or chronicle is not None:
        from minrepro.cli.hand_over import hand_over  # few need it, and it takes a while to load

        hand_over(args, target, oracle, chronicle, result)
    return exit_status(result.end) or confirmed(args, target, oracle, result.case)


def _tell(
    args: argparse.Namespace,
    target: InputTarget,
    result: RunResult[bytes],
    output: Path,
    others: Sequence[Path] = (),
) -> None:
    """Print the summary of a run, for a machine or for a person."""
    before, after = target.measures(target.data), target.measures(result.case)
    if args.json:
        sizes = {f"{unit}_before": before[unit] for unit in before} | {f"{unit}_after": after[unit] for unit in after}
        first: dict[str, object] = {"input": str(args.input), "output": str(output)}
        if others:
            first["other_outputs"] = list(map(str, others))
        print_json(result, first, sizes, as_event=args.json_lines)
    elif not args.quiet:
        print_summary(result, before, after)
        if others:
            say(f"other results: {', '.join(map(str, others))}")


def tidy_of(settings: RunSettings, target: InputTarget) -> Formatter:
    """Return the formatter that has its say at the end; without one everything stays as it is."""
    if settings.output.formatter is None:
        return lambda case: case
    return formatter_of(settings.output.formatter, target.path, target.data, settings.search.language)
