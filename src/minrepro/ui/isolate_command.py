"""`minrepro isolate GOOD BAD -- COMMAND`: the smallest difference between a good and a bad file."""

from __future__ import annotations

import argparse
import json
import sys
from difflib import unified_diff
from pathlib import Path

from minrepro.documents.changes import isolate_texts
from minrepro.documents.text import CUTTERS
from minrepro.errors import InputError, NotFailing, UsageError
from minrepro.invocations import ProcessOracle
from minrepro.notices import everybody
from minrepro.run import Result, Run
from minrepro.search import Outcome
from minrepro.ui.failure_options import add_failure_options, has_failing_command
from minrepro.ui.given import Given
from minrepro.ui.help_text import CLUSTER, RESEARCH, RESULT, group, move_to_end
from minrepro.ui.options import add_check_options, budget_of, exit_status_of
from minrepro.ui.output import ResultFile, read_input
from minrepro.ui.progress import shown
from minrepro.ui.reduce_command import explained, oracle_of
from minrepro.ui.safety_options import add_limit_options, add_record_options
from minrepro.ui.session import Session
from minrepro.ui.state import state_folder

_EPILOG = """\
COMMAND is the failing command, as typed for BAD. CHECK exits 0 if a candidate reproduces the failure, 125 if that
cannot be decided, and with any other status if it does not. Two files are written, as close to each other as possible:
only one of them reproduces the failure. Their difference is printed. Directories cannot be isolated.

Examples:
  minrepro isolate works.json fails.json -- python3 load.py fails.json
  minrepro isolate ./check.sh works.json fails.json     writes fails.passing.json and fails.failing.json
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "isolate",
        usage="%(prog)s [OPTIONS] GOOD BAD -- COMMAND [ARG...]\n       %(prog)s [OPTIONS] CHECK GOOD BAD",
        help="Find the smallest difference between a good and a bad file",
        description="Find the smallest difference between GOOD and BAD that makes the failure appear.",
        epilog=_EPILOG,
    )
    command.add_argument(
        "words",
        metavar="CHECK GOOD BAD",
        nargs="+",
        help="CHECK: program that decides (none with -- COMMAND); GOOD: file without the failure; BAD: file with it",
    )
    group(command, RESULT).add_argument(
        "-o",
        "--output",
        metavar="OUT",
        type=Path,
        help="Write OUT.passing and OUT.failing, with the extension of OUT [default: BAD]",
    )
    add_failure_options(command)
    add_check_options(command)
    add_record_options(command)
    add_limit_options(command)
    move_to_end(command, CLUSTER)
    group(command, RESEARCH).add_argument(
        "--units",
        choices=("lines", "characters", "bytes", "lines-then-characters"),
        default="lines-then-characters",
        help="Compare the files by these units [default: %(default)s]",
    )
    command.set_defaults(run=run, reproduction=None, repeats=1, same_failure=False)


def run(args: argparse.Namespace) -> int:
    """Isolate the difference, and return the exit status."""
    _take_words(args, has_failing_command(args))
    failing = read_input(args.bad)
    passing = read_input(args.good, may_be_empty=True)
    if passing == failing:
        raise InputError(f"{args.good} and {args.bad} are identical")
    base: Path = args.output or args.bad
    sides = {
        outcome: base.with_name(f"{base.stem}.{outcome.value}ing{base.suffix}")
        for outcome in (Outcome.PASS, Outcome.FAIL)
    }
    if args.choose:
        from minrepro.ui.failing_command import choices

        print(choices(args, Given(args.bad, failing)))
        return 0
    hidden = [*sides.values(), state_folder(args, args.bad, sides[Outcome.FAIL])]
    oracle = oracle_of(args, Given(args.bad, failing), hidden, {"good": passing})
    return isolated(args, oracle, failing, passing, sides)


def _take_words(args: argparse.Namespace, failing: bool) -> None:
    """Tell the check from the two files among the words of a command line."""
    words: list[str] = args.words
    if len(words) != (2 if failing else 3):
        raise UsageError(
            f"expected {2 if failing else 3} arguments, not {len(words)}\n"
            "hint: minrepro isolate GOOD BAD -- COMMAND, or minrepro isolate CHECK GOOD BAD"
        )
    args.check = None if failing else words[0]
    args.good, args.bad = (Path(word) for word in words[-2:])
    args.input, args.inputs = args.bad, [args.bad]


def isolated(
    args: argparse.Namespace, oracle: ProcessOracle, failing: bytes, passing: bytes, paths: dict[Outcome, Path]
) -> int:
    """Find the smallest difference, write both sides, and return the exit status."""
    mode = args.bad.stat().st_mode
    sides = {outcome: ResultFile(path, mode, outcome) for outcome, path in paths.items()}
    originals = {Outcome.FAIL: failing, Outcome.PASS: passing}
    with shown(args.quiet) as progress:
        session = Session(args, oracle, originals, [args.bad, args.good], sides, progress)
        try:
            notify = everybody(session.listener(), progress)
            isolating: Run[bytes] = Run(
                session.executor, budget=budget_of(args), notify=notify, meanwhile=session.write_results
            )
            session.attach(isolating)
            cutters = [CUTTERS[name] for name in args.units.split("-then-")]
            result = isolating.isolate(passing, failing, isolate_texts(passing, failing, cutters))
        except NotFailing as error:
            raise explained(error, args.check, args.bad if error.wanted is Outcome.FAIL else args.good) from None
        finally:
            session.close()
    assert result.passing is not None
    for side, case in zip(sides.values(), (result.passing, result.case), strict=True):
        side.write_or_rescue(case)  # an interrupt may have come just before this was done
    _tell(args, result, result.passing, sides)
    return exit_status_of(result)


def _tell(args: argparse.Namespace, result: Result[bytes], passing: bytes, sides: dict[Outcome, ResultFile]) -> None:
    if args.json:
        summary = {
            "passing": str(sides[Outcome.PASS].path),
            "failing": str(sides[Outcome.FAIL].path),
            "why": result.why,
            "finished": result.finished,
            "tests": result.tally.tests,
            "remembered": result.tally.remembered,
            "seconds": round(result.seconds, 3),
        }
        print(json.dumps(summary))
    elif not args.quiet:
        before, after = (side.decode("utf-8", "backslashreplace").splitlines() for side in (passing, result.case))
        names = (str(sides[outcome].path) for outcome in (Outcome.PASS, Outcome.FAIL))
        print("\n".join(unified_diff(before, after, next(names), next(names), lineterm="", n=1)))
        ended = "" if result.finished else f"; {result.why}"
        print(f"minrepro: {result.tally.tests:,} tests ({result.tally.remembered:,} saved){ended}", file=sys.stderr)
