"""`minrepro reduce CHECK INPUT`: the smallest file that still fails."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path

from minrepro.algorithms.catalogue import LIST_ALGORITHMS, list_minimizer
from minrepro.documents.text import CUTTERS, reduce_text
from minrepro.errors import NotFailing, UsageError
from minrepro.invocations import ProcessOracle
from minrepro.notices import everybody
from minrepro.oracles.command import CommandOracle
from minrepro.reducer import default_reducer
from minrepro.run import Result, Run
from minrepro.search import Outcome, Reduction
from minrepro.ui.failing_command import add_failure_options, failure_oracle, has_failing_command
from minrepro.ui.given import Given, given_of, take_words
from minrepro.ui.options import (
    add_check_options,
    add_ddmin_options,
    add_parallel_option,
    budget_of,
    ddmin_options_of,
    exit_status,
    parallel_of,
)
from minrepro.ui.output import ResultFile, default_output, keep_original
from minrepro.ui.progress import shown
from minrepro.ui.workplace import executor_of

_EPILOG = """\
CHECK is run with the path of a candidate, in a fresh folder where the candidate has the input's name. It exits with
  0        the failure still shows
  125      cannot tell (invalid input, another failure)
  other    the failure does not show

examples:
  minrepro reduce ./check.sh crash.c                    the result goes to crash.min.c
  minrepro reduce ./check.sh crash.c -o small.c -j 8    eight checks at a time
  minrepro reduce crash.c -- gcc -O2 @@                 no check: the failing command is watched on crash.c
  minrepro reduce 'python3 check.py --fast' data.bin --units bytes --algorithm ddmin
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "reduce",
        usage="%(prog)s [options] CHECK INPUT\n       %(prog)s [options] INPUT -- COMMAND @@",
        help="find the smallest file that still fails",
        description="Find the smallest version of INPUT for which CHECK still exits with 0. INPUT is not changed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "words",
        metavar="CHECK INPUT",
        nargs="+",
        help="the program that tells whether the failure still shows (none with -- COMMAND), and the file that makes "
        "it fail",
    )
    where = command.add_mutually_exclusive_group()
    where.add_argument(
        "-o", "--output", metavar="OUT", type=Path, help="where the result goes (default: INPUT with .min)"
    )
    where.add_argument("--in-place", action="store_true", help="overwrite INPUT, and keep what it was as INPUT.orig")
    how = command.add_argument_group("how to reduce")
    how.add_argument(
        "--units",
        choices=("lines", "characters", "bytes", "lines-then-characters"),
        help="remove only such units (default: whatever helps; with --algorithm: lines-then-characters)",
    )
    how.add_argument(
        "--algorithm",
        choices=LIST_ALGORITHMS,
        metavar="NAME",
        help=f"one of {', '.join(LIST_ALGORITHMS)} (default: the passes that suit the input; with --units: grouping)",
    )
    add_parallel_option(how)
    add_failure_options(command)
    add_check_options(command)
    add_ddmin_options(command)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Reduce the input, and return the exit status."""
    take_words(args, failing=has_failing_command(args))
    given = given_of(args)
    data = given.data
    reduction = reduction_of(args)
    reducer = default_reducer(args.input, data) if reduction is None else None
    oracle = oracle_of(args, given)
    target = output_of(args)
    result_file = ResultFile(target, args.input.stat().st_mode)
    if args.in_place:
        keep_original(args.input)
    with shown(args.quiet) as progress:
        executor = executor_of(args, oracle, data, progress)
        try:
            reducing: Run[bytes] = Run(
                executor,
                mode=parallel_of(args).mode,
                budget=budget_of(args),
                notify=everybody(result_file, progress),
            )
            if reduction is not None:
                result = reducing.reduce(data, reduction, empty=b"")
            elif reducer is not None:
                result = reducing.reduce_by_edits(data, reducer, empty=b"")
        except NotFailing as error:
            raise explained(error, args.check, args.input) from None
        finally:
            executor.close()
    result_file.write(result.case)  # an interrupt may have come just before this was done
    tell(args, data, result, target)
    return exit_status(result.why)


def oracle_of(args: argparse.Namespace, given: Given) -> ProcessOracle:
    """Return who tells whether a candidate fails: the check, or the failing command."""
    if args.check is not None:
        return CommandOracle.from_text(args.check, given.name, stdin=args.stdin)
    oracle = failure_oracle(args, given)
    args.check = oracle.scenario.text
    if not args.quiet:
        print(f"minrepro: the failure of {textwrap.shorten(args.check, 80)}: {oracle.failure.shown}", file=sys.stderr)
    return oracle


def reduction_of(args: argparse.Namespace) -> Callable[[bytes], Reduction[bytes]] | None:
    """Return the reduction that the options ask for, or None when they leave the choice to us."""
    options = ddmin_options_of(args)
    if args.algorithm is None and args.units is None and not options.given():
        return None
    minimize = list_minimizer(args.algorithm or ("ddmin" if options.given() else "grouping"), options)
    cutters = [CUTTERS[name] for name in (args.units or "lines-then-characters").split("-then-")]
    return partial(reduce_text, minimize=minimize, cutters=cutters)


def output_of(args: argparse.Namespace) -> Path:
    """Return where the result goes."""
    if args.in_place:
        return Path(args.input)
    target: Path = args.output or default_output(args.input)
    if target.exists() and target.samefile(args.input):
        raise UsageError(f"{target} is the input itself.\nGive -o another file, or say --in-place.")
    return target


def explained(error: NotFailing, check: str, path: Path) -> NotFailing:
    """Return the same error in the words of somebody who wrote a check script."""
    if error.verdict is None:
        return error
    if error.wanted is Outcome.PASS:
        return NotFailing(
            f"{check} does not pass on {path} ({error.verdict.reason}), so there is no passing side to compare with.\n"
            f"A check must exit neither with 0 nor with 125 there. Try:  {check} {path}; echo $?"
        )
    return NotFailing(
        f"{check} does not show the failure on {path} ({error.verdict.reason}), so there is nothing to reduce.\n"
        f"A check must exit with 0 while the failure shows. Try:  {check} {path}; echo $?"
    )


def tell(args: argparse.Namespace, data: bytes, result: Result[bytes], target: Path) -> None:
    """Print the summary of a run, for a machine or for a person."""
    tally = result.tally
    if args.json:
        summary = {
            "input": str(args.input),
            "output": str(target),
            "why": result.why,
            "finished": result.finished,
            "bytes_before": len(data),
            "bytes_after": len(result.case),
            "tests": tally.tests,
            "remembered": tally.remembered,
            "outcomes": {outcome.value: count for outcome, count in tally.outcomes.items()},
            "seconds": round(result.seconds, 3),
            "seconds_in_tests": round(tally.seconds_in_tests, 3),
            "warnings": tally.warnings,
        }
        print(json.dumps(summary))
    elif not args.quiet:
        ended = "" if result.finished else f"; {result.why}"
        print(
            f"minrepro: {len(data):,} → {len(result.case):,} bytes in {tally.tests:,} tests "
            f"({tally.remembered:,} saved), {result.seconds:.1f} s{ended}\nminrepro: the result is in {target}",
            file=sys.stderr,
        )
