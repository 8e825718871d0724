"""`minrepro isolate CHECK PASSING FAILING`: the smallest difference between a file that passes and one that fails."""

from __future__ import annotations

import argparse
import json
import sys
from difflib import unified_diff
from pathlib import Path

from minrepro.documents.changes import isolate_texts
from minrepro.documents.text import CUTTERS
from minrepro.errors import InputError, NotFailing
from minrepro.notices import everybody
from minrepro.oracles.command import CommandOracle
from minrepro.run import Result, Run
from minrepro.search import Outcome
from minrepro.ui.options import add_check_options, budget_of, exit_status
from minrepro.ui.output import ResultFile, read_input
from minrepro.ui.progress import shown
from minrepro.ui.reduce_command import explained
from minrepro.ui.safety_options import add_limit_options, add_record_options
from minrepro.ui.session import Session

_EPILOG = """\
CHECK exits with 0 while the failure shows, with 125 when it cannot tell, with anything else when it does not show.
Two files come out, as close to each other as possible: one passes, the other fails. Their difference is printed.

example:
  minrepro isolate ./check.sh works.json fails.json     gives fails.passing.json and fails.failing.json
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "isolate",
        help="find the smallest difference between a passing and a failing file",
        description="Find the smallest difference between PASSING and FAILING that makes CHECK fail.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("check", metavar="CHECK", help="the program that tells whether the failure shows")
    command.add_argument("passing", metavar="PASSING", type=Path, help="a file without the failure")
    command.add_argument("failing", metavar="FAILING", type=Path, help="a file with the failure")
    command.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        type=Path,
        help="name the results OUT.passing and OUT.failing, before OUT's suffix (default: FAILING)",
    )
    command.add_argument(
        "--units",
        choices=("lines", "characters", "bytes", "lines-then-characters"),
        default="lines-then-characters",
        help="what is compared (default: %(default)s)",
    )
    add_check_options(command)
    add_record_options(command)
    add_limit_options(command)
    command.set_defaults(run=run, reproduction=None, repeats=1, same_failure=False)


def run(args: argparse.Namespace) -> int:
    """Isolate the difference, and return the exit status."""
    failing = read_input(args.failing)
    passing = read_input(args.passing, may_be_empty=True)
    if passing == failing:
        raise InputError(f"{args.passing} and {args.failing} are the same: there is no difference to isolate.")
    oracle = CommandOracle.from_text(args.check, args.failing.name, stdin=args.stdin)
    base: Path = args.output or args.failing
    mode = args.failing.stat().st_mode
    sides = {
        outcome: ResultFile(base.with_name(f"{base.stem}.{outcome.value}ing{base.suffix}"), mode, outcome)
        for outcome in (Outcome.PASS, Outcome.FAIL)
    }
    originals = {Outcome.FAIL: failing, Outcome.PASS: passing}
    with shown(args.quiet) as progress:
        session = Session(args, oracle, originals, [args.failing, args.passing], sides, progress)
        try:
            notify = everybody(session.listener(), progress)
            isolating: Run[bytes] = Run(
                session.executor, budget=budget_of(args), notify=notify, meanwhile=session.write_results
            )
            session.attach(isolating)
            cutters = [CUTTERS[name] for name in args.units.split("-then-")]
            result = isolating.isolate(passing, failing, isolate_texts(passing, failing, cutters))
        except NotFailing as error:
            raise explained(error, args.check, args.failing if error.wanted is Outcome.FAIL else args.passing) from None
        finally:
            session.close()
    assert result.passing is not None
    for side, case in zip(sides.values(), (result.passing, result.case), strict=True):
        side.write_or_rescue(case)  # an interrupt may have come just before this was done
    _tell(args, result, result.passing, sides)
    return exit_status(result.why)


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
