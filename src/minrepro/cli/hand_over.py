"""What is handed over when a run is over: an explanation, a page, a text for a bug report."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from minrepro.cli.settings_of import execution_of
from minrepro.core.events import ignore
from minrepro.core.invocations import ProcessOracle
from minrepro.core.verdicts import Outcome
from minrepro.errors import NotFailing
from minrepro.oracles.failure import FailureOracle
from minrepro.reports.explanation import Explanation
from minrepro.reports.html_page import page
from minrepro.reports.issue import issue
from minrepro.reports.listing import explanations_of, print_all
from minrepro.reports.report import Report
from minrepro.reports.sensitive import finds_in
from minrepro.reports.timeline import Timeline
from minrepro.runs.executor_stack import base_executor, warm_trial
from minrepro.runs.runner import RunResult
from minrepro.targets.arguments import ArgumentsTarget
from minrepro.targets.file import FileTarget
from minrepro.targets.folder import FolderTarget
from minrepro.targets.result_file import ResultFile
from minrepro.targets.target import InputTarget
from minrepro.traces.trace_target import EventsTarget

LARGEST_EXPLAINED = 4000
"""A result of more bytes is not explained in a report unless that is asked for: it would take as long as the run."""
_MOST_FINDS = 10


def hand_over(
    args: argparse.Namespace,
    given: InputTarget,
    oracle: ProcessOracle,
    chronicle: Timeline | None,
    result: RunResult[bytes],
) -> None:
    """Explain the result, and write the reports that are wanted."""
    explanations: dict[str, Explanation] = {}
    case = result.case
    small = chronicle is not None and can_be_explained(given) and len(case) <= LARGEST_EXPLAINED
    if result.lost and args.explain:
        print("minrepro: warning: cannot explain the result, because no check can be run anymore", file=sys.stderr)
    elif case and (args.explain or small) and not result.lost:
        explanations = explanations_for(args, given, oracle, case)
        if args.explain and not args.json:
            print_all(explanations)
    if chronicle is not None:
        why = "" if result.finished else result.why
        output = str((result.outputs or {}).get(Outcome.FAIL, ""))
        write_reports(args, report_of(args, given, oracle, chronicle, case, why, explanations, output))


def can_be_explained(given: InputTarget) -> bool:
    """Tell whether what is reduced is made of texts whose parts can be removed."""
    return isinstance(given, FileTarget | FolderTarget)


def report_of(
    args: argparse.Namespace,
    given: InputTarget,
    oracle: ProcessOracle,
    chronicle: Timeline,
    result: bytes,
    why: str,
    explanations: Mapping[str, Explanation],
    output: str = "",
) -> Report:
    """Return all that is told about a run."""
    failing = isinstance(oracle, FailureOracle)
    command = given if isinstance(given, ArgumentsTarget) else None
    program = oracle.scenario.first.words[:1] if isinstance(oracle, FailureOracle) else ()
    # A failing command was typed beside the folder, and a check runs in it.
    prefix = f"{given.path}/" if failing and given.table is not None and len(given.sources) == 1 else ""
    return Report(
        name=command.short_name if command else given.name or given.path.name,
        check=args.check.replace("@@", given.name or ".") if failing else f"{args.check} {given.name or '.'}",
        failure=oracle.failure.shown if isinstance(oracle, FailureOracle) else "",
        chronicle=chronicle,
        result=result,
        why=why,
        program=command.program if command else "".join(program),
        explanation=explanations.get(given.name) if given.table is None else None,
        explanations={} if given.table is None else explanations,
        output=output,
        with_original=args.with_original,
        rendered=given.shown,
        size=lambda case: given.measures(case)["bytes"],
        files=lambda case: {prefix + name: file for name, file in given.layout.files(case).items()},
        command=command.line(result) if command else "",
    )


def events_report(
    target: EventsTarget,
    chronicle: Timeline,
    result: bytes,
    why: str,
    check: str,
    reasons: Sequence[tuple[bool, str]] = (),
    pictures: Sequence[tuple[str, bytes]] = (),
    with_original: bool = False,
) -> Report:
    """Return all that is told about the reduction of a trace or a session; the result is encoded."""
    name, decode = Path(target.label).name, target.codec.decode
    return Report(
        name=name,
        check=f"{check} {name}",
        failure=target.failure,
        chronicle=chronicle,
        result=result,
        why=why,
        rendered=lambda data: target.written(decode(data)).decode("utf-8", "backslashreplace"),
        size=chronicle.measure,
        unit=target.unit,
        reasons=reasons,
        pictures=pictures,
        with_original=with_original,
        files=lambda data: {name: target.written(decode(data))},
    )


def write_reports(args: argparse.Namespace, report: Report) -> None:
    """Say what looks private in the reports that are wanted, then write them."""
    finds = finds_in(report.texts)
    if finds:
        more = [f"and {len(finds) - _MOST_FINDS:,} more"] if len(finds) > _MOST_FINDS else []
        lines = "".join(f"\n  {find}" for find in [*finds[:_MOST_FINDS], *more])
        print(f"minrepro: warning: the report shows what looks private:{lines}", file=sys.stderr)
    for path, text in ((args.report, page), (args.markdown, issue)):
        if path is not None:
            ResultFile(path).write(text(report).encode("utf-8", "surrogatepass"))
            if not args.quiet:
                print(f"minrepro: report: {path}", file=sys.stderr)


def explanations_for(
    args: argparse.Namespace, given: InputTarget, oracle: ProcessOracle, result: bytes
) -> dict[str, Explanation]:
    """Return the explanations of the files of a result; none when it does not fail any more."""
    execution = execution_of(args)
    warm = warm_trial(execution, oracle, result, ignore)
    executor = base_executor(execution, oracle, result, ignore, warm=warm)
    try:
        return explanations_of(given, result, executor)
    except NotFailing as error:  # it did a moment ago: the check is flaky, and nothing can be claimed
        print(f"minrepro: warning: cannot explain the result: {error}", file=sys.stderr)
        return {}
    finally:
        executor.close()
