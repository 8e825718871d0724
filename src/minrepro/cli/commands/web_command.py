"""`minrepro web reduce|record|replay|explore|export|ui`: failing sessions in a real browser."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from minrepro.browser.page_failures import printable
from minrepro.browser.recording import Recording
from minrepro.browser.session_units import as_rules_see
from minrepro.browser.step_descriptions import compared, described, plainly
from minrepro.cli.exit_status import exit_status
from minrepro.cli.help_text import FLAKY, RESEARCH, RESULT, group
from minrepro.cli.options.check_options import add_stop_options, add_summary_options, positive, result_path
from minrepro.cli.options.report_options import add_report_options, chronicle_for
from minrepro.cli.options.rule_options import add_rules_or_logs, add_trace_algorithm, rules_of
from minrepro.cli.options.safety_options import add_record_options
from minrepro.cli.options.search_options import add_versions_option
from minrepro.cli.options.web_options import add_app_state, add_before_each, add_browser_options, add_replay_options
from minrepro.cli.progress import shown
from minrepro.cli.settings_of import settings_of
from minrepro.cli.summaries import print_json, print_summary
from minrepro.cli.web_exports import add_export
from minrepro.cli.web_replays import REPLAY, browser_of, recording_of, stored_of
from minrepro.core.events import tell_each
from minrepro.core.plurals import counted
from minrepro.core.verdicts import Outcome
from minrepro.errors import InputError, NotFailing, OutputError, UsageError
from minrepro.runs.runner import RunResult
from minrepro.targets.result_file import default_output
from minrepro.traces import trace_formats
from minrepro.traces.trace_reduction import Reason
from minrepro.traces.user_events import Event, Trace, positions

if TYPE_CHECKING:  # these need the browser's extra, which is asked for when a command needs it
    from minrepro.browser.session_reduction import WebResult
    from minrepro.browser.session_replay import Replayer

_EPILOG = """\
Examples:
  minrepro web reduce session.json
  minrepro web reduce session.json --logs good/*.jsonl --explain
  minrepro web export session.min.json --to pytest -o test_session.py
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add this command to the command line."""
    web = commands.add_parser(
        "web",
        help="Record, replay and reduce failing browser sessions",
        description="Record, replay and reduce failing sessions in a real browser (Chromium).",
        epilog=_EPILOG,
    )
    parts = web.add_subparsers(
        title="Commands", dest="part", metavar="COMMAND", required=True, help="what to do with recordings"
    )
    _add_reduce(parts)
    _add_replay(parts)
    _add_record(parts)
    _add_explore(parts)
    add_export(parts)
    _add_serve(parts)


def _command(
    parts: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary: str, more: str = ""
) -> argparse.ArgumentParser:
    return parts.add_parser(name, help=summary, description=f"{summary}.{more}")


def _add_reduce(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(parts, "reduce", "Find the shortest recording that still reproduces the failure")
    result = group(command, RESULT)
    result.add_argument(
        "-o", "--output", metavar="OUT", type=result_path, help="Write the result to OUT [default: RECORDING with .min]"
    )
    add_report_options(command, explained="Show why each event was kept or removed")
    add_summary_options(command)
    add_replay_options(command)
    replay = group(command, "Replay")
    replay.add_argument("-j", "--jobs", type=positive, metavar="N", help="Replay in N pages in parallel [default: 1]")
    group(command, FLAKY).add_argument(
        "--initial-runs",
        dest="repeat",
        type=positive,
        default=1,
        metavar="N",
        help="Replay the whole recording N times to measure the reproduction rate [default: 1]",
    )
    replay.add_argument(
        "--keep-arguments",
        dest="no_arguments",
        action="store_true",
        help="Do not simplify indices, texts and positions [default: simplify them]",
    )
    add_stop_options(command, "replays")
    add_versions_option(command, "--base-url or --before-each", RESEARCH)
    add_trace_algorithm(command)
    add_rules_or_logs(command)
    add_record_options(command, shared=False)
    command.set_defaults(run=run_reduce)


def _add_replay(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(parts, "replay", "Replay a recording once and show its failures; exits 1 if there are any")
    add_replay_options(command)
    command.add_argument(
        "--headed", dest="slow", action="store_true", help="Replay in a window, slowly [default: without a window]"
    )
    command.set_defaults(run=run_replay)


def _add_record(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(parts, "record", "Record events in a browser window until it is closed")
    command.add_argument("url", metavar="URL", help="Page to open")
    command.add_argument("-o", "--output", metavar="OUT", type=Path, required=True, help="Write the recording to OUT")
    add_app_state(command)
    command.add_argument("--log", metavar="FILE", type=Path, help="Write a log with the states to FILE [default: none]")
    command.add_argument(
        "--passwords", action="store_true", help="Record passwords as they are typed [default: mask them]"
    )
    command.add_argument(
        "--no-replay", action="store_true", help="Do not replay the recording afterwards [default: replay it once]"
    )
    add_before_each(command)
    add_browser_options(command)
    command.set_defaults(run=run_record)


def _add_explore(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(parts, "explore", "Play random events in a page, to find failures and to log states")
    command.add_argument("url", metavar="URL", help="Page to open")
    command.add_argument("-o", "--output", metavar="DIR", type=Path, required=True, help="Write the recordings to DIR")
    command.add_argument("--sessions", type=positive, default=10, metavar="N", help="Play N sessions [default: 10]")
    command.add_argument("--events", type=positive, default=40, metavar="N", help="Play N events each [default: 40]")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="Seed the first session with N [default: 0]")
    add_app_state(command)
    add_browser_options(command)
    command.set_defaults(run=run_explore)


def _add_serve(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = _command(parts, "ui", "Open the debugger as a page in your own browser")
    command.add_argument(
        "workspace", metavar="DIR", type=Path, help="Directory for its files; a reduction there can be resumed"
    )
    command.add_argument("--host", default="127.0.0.1", help="Listen on this address [default: 127.0.0.1]")
    command.add_argument("--port", type=int, default=0, metavar="N", help="Listen on port N [default: a free one]")
    add_before_each(command)
    command.add_argument("--no-open", action="store_true", help="Print the address only [default: open it]")
    add_browser_options(command)
    command.set_defaults(run=run_serve)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot create directory {folder}: {error.strerror}") from None


def run_reduce(args: argparse.Namespace) -> int:
    """Reduce a session, and return the exit status."""
    recording = recording_of(args)
    if not recording.trace:
        raise InputError(f"{args.recording} has no events after opening its page")
    rules = rules_of(args, recording.trace, as_rules_see)
    target: Path = args.output or default_output(args.recording)
    if target.exists() and target.samefile(args.recording):
        raise UsageError(f"the result would overwrite the recording {target}\nhint: choose another file with -o")
    with browser_of(args, recording.url) as chromium:
        from minrepro.browser.session_reduction import WebReduction, reduce_session
        from minrepro.browser.session_replay import Replayer
        from minrepro.browser.session_target import SessionTarget

        options = {"predicate": args.predicate, "reset_command": args.reset, "always_fresh": args.fresh}
        replayer = Replayer(
            chromium, recording, frames=args.frames, hang=args.timeout, stored=stored_of(args), **options
        )
        failure = replayer.choose(args.signature, args.repeat)
        if not args.quiet:
            print(f"minrepro: target failure: {failure.signature}", file=sys.stderr)
        settings = settings_of(args, target)
        if args.reset:  # there is one server, and its state is reset before each replay
            settings = replace(settings, execution=replace(settings.execution, workers=1))
        session = SessionTarget(recording, WebReduction(), failure.signature, args.recording)
        encode = session.codec.encode
        chronicle = chronicle_for(args, encode(session.trace), encode, session.size_of)
        with shown(args.quiet, "events", verbose=args.verbose, json_lines=args.json_lines) as progress:
            found = reduce_session(
                replayer,
                reduction=WebReduction(rules, args.algorithm, not args.no_arguments),
                repeat=args.repeat,
                notify=progress if chronicle is None else tell_each(progress, chronicle),
                settings=settings,
                path=args.recording,
                words=args.typed,
            )
        result = found.result.run
        assert isinstance(result, RunResult)
        pictures = _pictures(replayer, result.case) if chronicle is not None and not result.had_finished else []
        replayer.close()
    if result.had_finished:
        print(f"minrepro: the reduction is already finished; result: {target}", file=sys.stderr)
        return 0
    reasons = [_line(event, why) for event, why in zip(recording.trace, found.result.reasons, strict=True)]
    _tell(args, recording, found, result, failure.signature, reasons)
    if chronicle is not None:
        from minrepro.cli.hand_over import events_report, write_reports  # few need it, and it takes a while to load

        why = "" if result.finished else result.why
        kept = [(reason.kept, line) for reason, line in zip(found.result.reasons, reasons, strict=True)]
        encoded, original = encode(result.case), args.with_original
        write_reports(args, events_report(session, chronicle, encoded, why, REPLAY, kept, pictures, original))
    return exit_status(result.end)


def _pictures(replayer: Replayer, trace: Trace) -> list[tuple[str, bytes]]:
    """Return how the page looked after each event, with what was done."""
    from minrepro.browser.step_through import pictures_of

    found = pictures_of(replayer, trace)
    return [("the page is opened" if event is None else described(event), picture) for event, picture in found]


def _line(event: Event, reason: Reason) -> str:
    """Return why an event was kept or removed, as a line."""
    mark = " " if reason.kept else "-"
    return f"{reason.position + 1:>4}  {mark} {described(event):<50} {plainly(reason.text)}"


def _tell(
    args: argparse.Namespace,
    recording: Recording,
    found: WebResult,
    result: RunResult[Trace],
    failure: str,
    reasons: list[str],
) -> None:
    trace, fired = recording.trace, found.result.events_fired
    if args.explain:
        print("\n".join(reasons))
    if args.json:
        outputs = result.outputs or {}
        sizes = {"events_before": len(trace), "events_after": len(result.case), "kept": positions(result.case)}
        more = {"events_fired": fired, "other_failures": list(found.finds), "confirmed": found.confirmed}
        more |= {"replays": found.all_replays, "pages_opened": found.pages_opened}
        more["failed_replays"] = [found.failed, found.replays]
        where = {"output": str(outputs[Outcome.FAIL]), "failure": failure}
        print_json(result, where, {**sizes, **more}, as_event=args.json_lines)
    elif not args.quiet:
        for number, event in enumerate(result.case, 1):
            print(f"{number:>4}  {described(event)}")
        notes = [f"another failure came up meanwhile: {other}" for other in found.finds]
        replays, each = ("replays", "") if found.measured is None else ("tests", ", each of several replays,")
        measures = {"events": len(trace)}, {"events": len(result.case)}
        replayed = f"{counted(found.all_replays, 'replays')} of {counted(fired, 'events')} in all"
        spent = f"{replayed}, {counted(found.pages_opened, 'pages')} opened"
        print_summary(result, *measures, checks=replays, each=each, more=[spent, *notes])


def run_replay(args: argparse.Namespace) -> int:
    """Replay a recording, and return 1 if there was a failure."""
    recording = recording_of(args)
    with browser_of(args, recording.url, headed=args.slow, slow=400 if args.slow else 0) as chromium:
        from minrepro.browser.session_replay import Replayer

        options = {"predicate": args.predicate, "reset_command": args.reset}
        replayer = Replayer(
            chromium, recording, frames=args.frames, hang=args.timeout, stored=stored_of(args), **options
        )
        seen = replayer.observed_late()
        replayer.close()
    for number, event in enumerate(recording.trace[: seen.fired], 1):
        print(f"{number:>4}  {described(event)}")
        for at, failure in seen.seen:
            if at == number:
                print(f"      ! {failure.signature}")
    if seen.impossible:
        why = f"cannot replay event {seen.fired} of {len(recording.trace)}: {printable(seen.impossible)}"
        instead = f"\n{printable(seen.instead)}" if seen.instead else ""
        if seen.picture is not None:
            picture = Path(f"{args.recording.stem}.event-{seen.fired}.jpg")
            picture.write_bytes(seen.picture)
            instead += f"\nhint: {picture} shows the page"
        raise NotFailing(why + instead)
    if not seen.failures:
        late = f"; a timer of {seen.pending:g} s was pending" if seen.pending else ""
        print(f"minrepro: no failure{late}", file=sys.stderr)
    return 1 if seen.failures else 0


def run_record(args: argparse.Namespace) -> int:
    """Record a session, and return the exit status."""
    if args.log is not None and args.state is None:
        raise UsageError("--log requires --app-state JS")
    with browser_of(args, args.url, headed=True) as chromium:
        from minrepro.browser.live_recorder import Recorder

        recorder = Recorder(args.url, state=args.state, passwords=args.passwords)
        page = chromium.run(recorder.open(chromium))
        print("minrepro: recording; close the window after the failure", file=sys.stderr)
        chromium.run(page.wait_for_event("close", timeout=0))
    recording = recorder.recording()
    trace_formats.write(args.output, recording.text())
    if args.log is not None:
        trace_formats.write(args.log, recorder.log())
    print(f"minrepro: recorded {counted(len(recording.trace), 'events')} in {args.output}", file=sys.stderr)
    if any(step.get("masked") for step in recording.steps()):
        print("minrepro: passwords are masked; --passwords records them", file=sys.stderr)
    if recording.trace and not args.no_replay:
        with browser_of(args, recording.url) as chromium:
            from minrepro.browser.session_replay import Replayer

            replayer = Replayer(chromium, recording, reset_command=args.reset)
            print(f"minrepro: {compared(recording, recorder.failures, replayer.observed_late())}", file=sys.stderr)
            replayer.close()
    return 0


def run_explore(args: argparse.Namespace) -> int:
    """Play random sessions, and return the exit status."""
    _make(args.output)
    with browser_of(args, args.url) as chromium:
        from minrepro.browser.random_sessions import explore

        for seed in range(args.seed, args.seed + args.sessions):
            session = chromium.run(explore(chromium, args.url, seed=seed, events=args.events, state=args.state))
            name = f"{'fail' if session.failed else 'pass'}-{seed}"
            trace_formats.write(args.output / f"{name}.json", session.recording.text())
            if args.state is not None:
                trace_formats.write(args.output / f"{name}.jsonl", session.log)
            print(f"{name}: {counted(len(session.recording.trace), 'events')}", file=sys.stderr)
    return 0


def run_serve(args: argparse.Namespace) -> int:
    """Serve the debugger until it is interrupted."""
    from minrepro.browser.debugger.debug_server import DebugServer
    from minrepro.browser.debugger.debug_session import Debugger

    _make(args.workspace)
    options = {"browser": args.browser, "allow_network": args.allow_network, "reset_command": args.reset}
    debugger = Debugger(args.workspace, **options)
    try:
        site = DebugServer(debugger, args.host, args.port)
        if args.host not in ("127.0.0.1", "localhost", "::1"):
            print("minrepro: warning: whoever can read the address, token included, can use it", file=sys.stderr)
        print(f"minrepro: debugger: {site.url}", flush=True)
        if not args.no_open:
            webbrowser.open(site.url)
        site.run()
    finally:
        debugger.close()
    return 0
