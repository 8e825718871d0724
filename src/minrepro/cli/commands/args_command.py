"""`minrepro args -- COMMAND ARG…`: the arguments that a command needs to fail."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from minrepro.cli.check_again import confirmed, printed_by
from minrepro.cli.exit_status import exit_status
from minrepro.cli.help_text import CLUSTER, RESULT, group, move_to_end
from minrepro.cli.options.check_options import add_check_options, add_ddmin_options, add_parallel_option
from minrepro.cli.options.failure_options import add_failure_options, has_failing_command
from minrepro.cli.options.report_options import add_report_options, chronicle_for
from minrepro.cli.options.safety_options import (
    add_keeping_options,
    add_limit_options,
    add_record_options,
    add_trust_options,
)
from minrepro.cli.options.search_options import add_list_algorithm_option, add_refinement_options
from minrepro.cli.oracle_of import explained, oracle_of
from minrepro.cli.places import others_written
from minrepro.cli.progress import shown
from minrepro.cli.settings_of import failing_command_of, history_of, settings_of
from minrepro.cli.summaries import print_json, print_summary, say
from minrepro.core.events import tell_each
from minrepro.core.invocations import ProcessOracle
from minrepro.core.verdicts import Outcome
from minrepro.errors import NotFailing, UsageError
from minrepro.oracles.command import find_command, words_of
from minrepro.oracles.scenario import shell_line
from minrepro.runs.check_once import CheckOnce
from minrepro.runs.executor_stack import folder_of
from minrepro.runs.runner import Runner, RunResult
from minrepro.runs.state_folder import state_folder
from minrepro.settings import RunSettings
from minrepro.targets.arguments import SCRIPT, ArgumentsTarget, encoded
from minrepro.targets.difference import sides_of
from minrepro.targets.target import require_applicable

_PATIENCE = 120.0

_EPILOG = """\
An option goes together with its value where both can go (-o FILE, -I DIR), response files (@FILE) are opened, and lists
in values (--sanitize=a,b,c) become shorter. The first word of COMMAND, the program, is kept. COMMAND runs in a private
version of the current directory: nothing that it writes reaches your files.

CHECK gets the path of a script that runs a candidate. It exits 0 if that reproduces the failure, 125 if this cannot be
decided, and with any other status if it does not.

Examples:
  minrepro args -- gcc -O2 -g -Wall -fwrapv -flto -c crash.c      prints the shortest command that still fails
  minrepro args ./check.sh -- gcc -O2 -ffast-math -o sum sum.c    the failure is what check.sh says
  minrepro args --baseline 'gcc -O0 sum.c' -- gcc -O3 -flto sum.c      the smallest difference to one that works
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    command = commands.add_parser(
        "args",
        usage="%(prog)s [OPTIONS] [CHECK] -- COMMAND ARG...",
        help="Find the arguments that make a command fail",
        description="Find which arguments COMMAND needs to fail, and print the shortest command line that still does.",
        epilog=_EPILOG,
    )
    command.add_argument(
        "words", metavar="CHECK", nargs="*", help="Program that decides [default: COMMAND itself must fail as before]"
    )
    result = group(command, RESULT)
    result.add_argument(
        "-o", "--output", metavar="PATH", type=Path, help="Write the result to PATH [default: PROGRAM.min.sh]"
    )
    result.add_argument(
        "--baseline",
        metavar="COMMAND",
        help="Find the smallest difference to COMMAND, which works; write PROGRAM.passing.sh and PROGRAM.failing.sh "
        "[default: none]",
    )
    add_report_options(command)
    add_failure_options(command, has_input=False)
    add_check_options(command, stdin=False)
    add_trust_options(command)
    add_record_options(command)
    add_keeping_options(command)
    add_limit_options(command)
    move_to_end(command, CLUSTER)
    add_list_algorithm_option(command)
    add_refinement_options(command)
    add_parallel_option(command)
    add_ddmin_options(command)
    command.set_defaults(run=run, stdin=False)


def run(args: argparse.Namespace) -> int:
    """Reduce the arguments, and return the exit status."""
    target = target_of(args)
    output = output_of(args, target)
    settings = settings_of(args, output)
    require_applicable(settings, target)
    target.search(settings.search)  # says what contradicts itself before anything is run
    if args.choose:
        from minrepro.runs.observe_command import choices

        print(choices(failing_command_of(args), target, hidden_of(args, target, output)))
        return 0
    oracle = arguments_oracle(args, target, hidden_of(args, target, output))
    target = replace(opened(target, oracle, settings), tell=(lambda text: None) if args.quiet else say)
    chronicle = chronicle_for(args, target.data)
    stores = target.stores(settings.output, settings.history.resume)
    with shown(args.quiet, json_lines=args.json_lines, render=target.shown) as progress:
        watching = progress if chronicle is None else tell_each(progress, chronicle)
        try:
            result = Runner(settings, listener=watching, words=args.typed).run(target, oracle, stores)
        except NotFailing as error:
            if error.wanted is Outcome.PASS:
                raise NotFailing(f"the command of --baseline does not work: {args.baseline}\n{error}") from None
            printed = printed_by(settings, oracle, target.data)
            raise explained(error, args.check, Path(SCRIPT), printed) from None
    _tell(args, target, result, output)
    others = [] if result.had_finished else others_written(target, result, stores)
    if others and not args.quiet:
        say(f"other results: {', '.join(map(str, others))}")
    if not result.case:
        say(f"warning: {target.program} reproduces the failure without any arguments")
    if args.explain or chronicle is not None:
        from minrepro.cli.hand_over import hand_over  # few need it, and it takes a while to load

        hand_over(args, target, oracle, chronicle, result)
    return exit_status(result.end) or (0 if result.had_finished else confirmed(args, target, oracle, result.case))


def target_of(args: argparse.Namespace) -> ArgumentsTarget:
    """Return what a command line is about, and tell the check from the failing command."""
    words: Sequence[str] = args.failing
    if not words:
        raise UsageError("no command\nhint: minrepro args [CHECK] -- COMMAND ARG...")
    if len(args.words) > 1:
        raise UsageError(f"unexpected argument {args.words[1]}\nhint: minrepro args [CHECK] -- COMMAND ARG...")
    if shell_line(words) is not None:
        raise UsageError("the command must be a program with its arguments, not a line of shell\nhint: write a check")
    find_command(words[0])  # says what is wrong with a program that is not there
    args.check = args.words[0] if args.words else None
    args.failing = []  # the failure options are for a command that is no check
    if args.check is not None:
        has_failing_command(args)
    args.failing, args.typed_command = ["sh", SCRIPT], list(words)
    baseline = None if args.baseline is None else words_of(args.baseline)
    target = ArgumentsTarget.of(words, baseline)
    args.input = Path(target.short_name)
    return target


def output_of(args: argparse.Namespace, target: ArgumentsTarget) -> Path:
    """Return where the result goes."""
    path: Path = args.output or Path(f"{target.short_name}.{'min.' * (target.passing is None)}sh")
    return path


def hidden_of(args: argparse.Namespace, target: ArgumentsTarget, output: Path) -> list[Path]:
    """Return what is written while checks run, which they must not see."""
    return [output, *sides_of(output).values(), state_folder(history_of(args), target.sources[0], output)]


def arguments_oracle(args: argparse.Namespace, target: ArgumentsTarget, hidden: Sequence[Path]) -> ProcessOracle:
    """Return what decides whether a command line reproduces the failure."""
    if args.check is None:
        passing = {} if target.passing is None else {"good": target.passing}
        return oracle_of(args, target, hidden, passing)
    from minrepro.runs.observe_command import oracle_in_view

    return oracle_in_view(args.check, failing_command_of(args), target, hidden)


def opened(target: ArgumentsTarget, oracle: ProcessOracle, settings: RunSettings) -> ArgumentsTarget:
    """Return the same with response files opened, as far as that changes no outcome."""

    def is_same(wanted: Outcome, words: Sequence[str]) -> bool:
        ending = checks.run(oracle.invocation(encoded(words[1:])))
        return oracle.judge(ending).outcome is wanted

    if settings.execution.cluster.address:
        return target  # the files are here, and checks run elsewhere
    folder = folder_of(oracle)
    with CheckOnce(settings.execution.timeout or _PATIENCE, place=folder.place, view=folder.view) as checks:
        data = target.opened(target.data, lambda words: is_same(Outcome.FAIL, words))
        good = target.passing
        if good is not None:
            good = target.opened(good, lambda words: is_same(Outcome.PASS, words))
    return replace(target, data=data, passing=good)


def _tell(args: argparse.Namespace, target: ArgumentsTarget, result: RunResult[bytes], output: Path) -> None:
    """Print the command line that is the result, and a summary."""
    lines = {Outcome.FAIL: target.line(result.case)}
    if result.passing is not None:
        lines = {Outcome.PASS: target.line(result.passing), **lines}
    if args.json:
        before, after = target.measures(target.data), target.measures(result.case)
        sizes = {f"{unit}_before": before[unit] for unit in before} | {f"{unit}_after": after[unit] for unit in after}
        sides = {"works": lines[Outcome.PASS]} if Outcome.PASS in lines else {}
        first = {"command": shlex.join(args.typed_command), "result": lines[Outcome.FAIL], **sides}
        print_json(result, {**first, "output": str(output)}, sizes, as_event=args.json_lines)
        return
    if result.had_finished:
        print("minrepro: the reduction is already finished", file=sys.stderr)
    elif not args.quiet:
        sizes_of = target.measures if result.passing is None else lambda case: {}
        print_summary(result, sizes_of(target.data), sizes_of(result.case))
    for outcome, line in lines.items():
        print(line if result.passing is None else f"{'works' if outcome is Outcome.PASS else 'fails'}: {line}")
