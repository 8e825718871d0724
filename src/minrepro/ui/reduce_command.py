"""`minrepro reduce INPUT -- COMMAND`: the smallest input that still reproduces the failure."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from minrepro.errors import NotFailing, UsageError
from minrepro.invocations import ProcessOracle
from minrepro.notices import Listener, everybody
from minrepro.oracles.command import CommandOracle
from minrepro.oracles.failure import FailureOracle
from minrepro.run import Result, Run
from minrepro.search import Outcome, Reduction
from minrepro.ui.algorithm_options import add_algorithm_options, reduction_of
from minrepro.ui.effort_options import add_effort_options, reducer_of
from minrepro.ui.failure_options import add_failure_options, has_failing_command
from minrepro.ui.formatting import Formatter, add_format_option, formatter_of
from minrepro.ui.given import Given, given_of, is_folder, result_at, take_words
from minrepro.ui.help_text import CLUSTER, ENVIRONMENT, RESULT, group, move_to_end
from minrepro.ui.language_options import add_language_options
from minrepro.ui.options import (
    add_check_options,
    add_ddmin_options,
    add_parallel_option,
    budget_of,
    exit_status_of,
    parallel_of,
)
from minrepro.ui.output import default_folder, default_output, keep_original, read_input
from minrepro.ui.progress import share, shown
from minrepro.ui.report_options import add_report_options, chronicle_for
from minrepro.ui.safety_options import add_limit_options, add_record_options, add_trust_options
from minrepro.ui.session import Session
from minrepro.ui.state import last_unfinished, state_folder

if TYPE_CHECKING:
    from minrepro.ui.folders import GivenFiles

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
        nargs="+",
        help="CHECK: program that decides (none with -- COMMAND); INPUT: file, files or directory to reduce",
    )
    where = group(command, RESULT).add_mutually_exclusive_group()
    where.add_argument(
        "-o", "--output", metavar="PATH", type=Path, help="Write the result to PATH [default: INPUT with .min]"
    )
    where.add_argument("--in-place", action="store_true", help="Overwrite INPUT, keep the original as INPUT.orig")
    add_report_options(command)
    add_failure_options(command)
    add_check_options(command)
    how = group(command, "Reduction")
    add_effort_options(how)
    add_format_option(how)
    add_language_options(how)
    add_trust_options(command)
    add_record_options(command)
    add_limit_options(command)
    move_to_end(command, CLUSTER)
    add_algorithm_options(command)
    add_parallel_option(command)
    add_ddmin_options(command)
    command.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Reduce the input, and return the exit status."""
    take_words(args, failing=has_failing_command(args))
    target = output_of(args)
    given, kept = original_of(args, target)
    data = given.data
    for text in given.warnings:
        print(f"minrepro: warning: {text}", file=sys.stderr)
    reduction = reduction_of(args, given)
    tidy = tidy_of(args, given)
    result_file = result_at(target, given, args.resume)
    if args.choose:
        from minrepro.ui.failing_command import choices

        print(choices(args, given, hidden_of(args, target)))
        return 0
    oracle = oracle_of(args, given, hidden_of(args, target))
    if args.in_place and kept is None:
        kept = keep_original(args.input)
    chronicle = chronicle_for(args, data)
    with shown(args.quiet) as progress:
        results = {Outcome.FAIL: result_file}
        session = Session(args, oracle, {Outcome.FAIL: data}, args.inputs, results, progress, kept=kept)
        if session.finished is not None:
            result_file.write(session.finished)
            print(f"minrepro: the reduction is already finished; result: {target}", file=sys.stderr)
            return 0
        watching = progress if chronicle is None else everybody(progress, chronicle)
        focus = oracle.failure.lines if isinstance(oracle, FailureOracle) else ()
        result = reduced(args, given, reduction, session, watching, tidy, focus)
    result_file.write_or_rescue(result.case)  # an interrupt may have come just before this was done
    tell(args, given, result, target, session)
    if args.explain or chronicle is not None:
        from minrepro.ui.reporting import hand_over  # few need it, and it takes a while to load

        hand_over(args, given, oracle, chronicle, result)
    return exit_status_of(result) or confirmed(args, given, oracle, result.case)


def reduced(
    args: argparse.Namespace,
    given: Given | GivenFiles,
    reduction: Callable[[bytes], Reduction[bytes]] | None,
    session: Session,
    progress: Listener,
    tidy: Formatter,
    focus: tuple[int, ...] = (),
) -> Result[bytes]:
    """Reduce the input, leaving no check running."""
    try:
        reducing: Run[bytes] = Run(
            session.executor,
            mode=parallel_of(args).mode,
            budget=budget_of(args),
            notify=everybody(session.listener(), progress),
            confirm=session.confirm,
            meanwhile=session.write_results,
            tidy=tidy,
        )
        session.attach(reducing)
        if reduction is not None:
            result = reducing.reduce(given.data, reduction, empty=b"")
        else:
            reducer_for = reducer_of(args, given, focus)
            # Made anew each time that a run begins anew, because what a reducer learnt may have been wrong.
            result = reducing.reduce_by_edits(
                given.data, lambda case, tester, committed: reducer_for(case)(case, tester, committed), empty=b""
            )
        return session.settled(result)
    except NotFailing as error:
        raise explained(error, args.check, args.input, session.printed(given.data)) from None
    finally:
        session.close()


def original_of(args: argparse.Namespace, target: Path) -> tuple[Given | GivenFiles, Path | None]:
    """Return the input, and if it was overwritten by a run that is to be resumed, where it was kept."""
    if args.in_place and args.resume:
        story = last_unfinished(state_folder(args, args.input, target))
        if story is not None and story.asked.kept:
            kept = Path(story.asked.kept)
            return Given(args.input, read_input(kept)), kept
    return given_of(args), None


def hidden_of(args: argparse.Namespace, target: Path) -> list[Path]:
    """Return what this reduction writes next to the input, which a failing command must not come across."""
    written = [target, state_folder(args, args.input, target)]
    return [path for path in written if not args.in_place or path != args.input]


def oracle_of(
    args: argparse.Namespace,
    given: Given | GivenFiles,
    hidden: Sequence[Path] = (),
    passing: Mapping[str, bytes] | None = None,
) -> ProcessOracle:
    """Return what decides whether a candidate reproduces the failure: the check, or the failing command."""
    if args.check is not None:
        return CommandOracle.from_text(args.check, given.name, stdin=args.stdin, files=given.files)
    from minrepro.ui.failing_command import failure_oracle  # all the shapes of failures take a while to load

    oracle = failure_oracle(args, given, hidden, passing)
    args.check = oracle.scenario.text
    if not args.quiet:
        print(f"minrepro: target failure: {oracle.failure.shown}", file=sys.stderr)
    return oracle


def confirmed(args: argparse.Namespace, given: Given | GivenFiles, oracle: ProcessOracle, case: bytes) -> int:
    """Run the failing command once more on the result, show both messages, and return the exit status."""
    if not isinstance(oracle, FailureOracle) or oracle.original is None or args.cluster:
        return 0
    from minrepro.ui.failing_command import message_in, seen_again

    ending = seen_again(args, given, oracle, case)
    before, after = message_in(oracle.failure, oracle.original), message_in(oracle.failure, ending)
    if different := oracle.failure.difference(ending):
        print(
            f"minrepro: error: the result does not reproduce the failure when it is checked again ({different})\n"
            f"  original: {before}\n  result:   {after}",
            file=sys.stderr,
        )
        return 1
    if not args.quiet and before:
        same = " (the same message)" if before == after else ""
        lines = [f"minrepro: original failure: {before}"] * (before != after) + [
            f"minrepro: failure of the result: {after}{same}"
        ]
        print("\n".join(lines), file=sys.stderr)
    return 0


def tidy_of(args: argparse.Namespace, given: Given | GivenFiles) -> Formatter:
    """Return the formatter that has its say at the end; without one everything stays as it is."""
    if args.format is None:
        return lambda case: case
    if not isinstance(given, Given):
        raise UsageError("--formatter applies to a single file, not to directories or several files")
    return formatter_of(args.format, given.path, given.data, args.language)


def output_of(args: argparse.Namespace) -> Path:
    """Return where the result goes."""
    if args.in_place and is_folder(args):
        raise UsageError("--in-place applies to a single file, not to directories or several files")
    if args.in_place:
        return Path(args.input)
    target: Path = args.output or (default_folder(args.input) if is_folder(args) else default_output(args.input))
    if target.exists() and target.samefile(args.input):
        raise UsageError(
            f"the result would overwrite the input {target}\nhint: choose another file with -o, or use --in-place"
        )
    return target


def explained(error: NotFailing, check: str, path: Path, printed: str = "") -> NotFailing:
    """Return the same error in the words of somebody who wrote a check."""
    if error.verdict is None:
        return error
    if error.wanted is Outcome.PASS:
        return NotFailing(
            f"{check} reproduces the failure on {path}, or cannot decide: {error.verdict.reason}\n"
            f"hint: on GOOD a check must exit neither 0 nor 125; run: {check} {path}; echo $?"
        )
    return NotFailing(
        f"{check} does not reproduce the failure on {path}: {error.verdict.reason}{printed}\n"
        f"hint: a check must exit 0 if the failure reproduces; run: {check} {path}; echo $?"
    )


def tell(
    args: argparse.Namespace, given: Given | GivenFiles, result: Result[bytes], target: Path, session: Session
) -> None:
    """Print the summary of a run, for a machine or for a person."""
    tally = result.tally
    folder = not isinstance(given, Given)
    before, after = given.size(given.data), given.size(result.case)
    if args.json:
        summary = {
            "input": str(args.input),
            "output": str(target),
            "why": result.why,
            "finished": result.finished,
            "bytes_before": before,
            "bytes_after": after,
            **({"files_before": given.count(given.data), "files_after": given.count(result.case)} if folder else {}),
            "tests": tally.tests,
            "remembered": tally.remembered,
            "outcomes": {outcome.value: count for outcome, count in tally.outcomes.items()},
            "seconds": round(result.seconds, 3),
            "seconds_in_tests": round(tally.seconds_in_tests, 3),
            "warnings": tally.warnings,
            **session.summary(),
        }
        print(json.dumps(summary))
    elif not args.quiet:
        ended = "" if result.finished else f"; {result.why}"
        files = f"{given.count(given.data):,} → {given.count(result.case):,} files, " if folder else ""
        told = "".join(f"minrepro: {line}\n" for line in session.lines(result.finished))
        print(
            f"{told}minrepro: {files}{before:,} → {after:,} bytes ({share(after, before)}) in {result.seconds:.1f} s; "
            f"{tally.tests:,} checks, {tally.remembered:,} cache hits{ended}\nminrepro: result: {target}",
            file=sys.stderr,
        )
