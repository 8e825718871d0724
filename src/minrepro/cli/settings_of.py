"""From the words of a command line to the settings of a run: the one place that reads them."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

from minrepro.cli.options.check_options import ddmin_options_of, parallel_of
from minrepro.core.limits import Limits
from minrepro.settings import (
    Budget,
    ClusterSettings,
    ExecutionSettings,
    FailingCommand,
    HistorySettings,
    OutputSettings,
    RunSettings,
    SearchSettings,
    TrustSettings,
)


def settings_of(args: argparse.Namespace, output: Path | None = None) -> RunSettings:
    """Return the settings that a command line asks for; what a command has no option for is as usual."""
    return RunSettings(
        budget=Budget(
            getattr(args, "max_tests", None), getattr(args, "max_seconds", None), since=getattr(args, "began", None)
        ),
        execution=execution_of(args),
        trust=TrustSettings(
            reproduction=getattr(args, "reproduction", None),
            repeats=getattr(args, "repeats", None),
            same_failure=getattr(args, "same_failure", False),
        ),
        history=history_of(args),
        output=OutputSettings(
            path=output, in_place=getattr(args, "in_place", False), formatter=getattr(args, "format", None)
        ),
        search=search_of(args),
    )


def execution_of(args: argparse.Namespace) -> ExecutionSettings:
    """Return where checks run."""
    return ExecutionSettings(
        workers=args.jobs,
        cluster=ClusterSettings(
            address=getattr(args, "cluster", None) or "",
            files=tuple(getattr(args, "cluster_file", ())),
            wait=getattr(args, "cluster_wait", 60.0),
        ),
        executor=getattr(args, "executor", None),
        timeout=args.timeout,
        warm=getattr(args, "warm", "auto"),
        warm_server=getattr(args, "warm_server", None),
        place=getattr(args, "place", None),
        limits=limits_of(args) if hasattr(args, "memory") else Limits(),
        sandbox=getattr(args, "sandbox", "on"),
        writable=tuple(getattr(args, "writable", ())),
        keep_candidates=getattr(args, "keep_candidates", None),
        no_cleanup=getattr(args, "no_cleanup", False),
    )


def failing_command_of(args: argparse.Namespace) -> FailingCommand:
    """Return the failing command, and what is said of its failure."""
    return FailingCommand(
        words=tuple(args.failing),
        typed=tuple(getattr(args, "typed_command", ())),
        number=args.failure_number,
        allow_other_errors=args.allow_other_errors,
        exit=args.exit,
        signal=args.signal,
        stdout=tuple(args.stdout or ()),
        stderr=tuple(args.stderr or ()),
        hangs=args.hangs,
        requires=tuple(args.whiles or ()),
        compares=tuple(args.differs or ()),
        execution=execution_of(args),
        seconds=getattr(args, "max_seconds", None),
    )


def history_of(args: argparse.Namespace) -> HistorySettings:
    """Return where a run is recorded."""
    return HistorySettings(
        state=getattr(args, "state", None),
        resume=getattr(args, "resume", False),
        shared=getattr(args, "cache", None),
    )


def limits_of(args: argparse.Namespace) -> Limits:
    """Return what a check may use up."""
    return Limits(args.memory, args.cpu, args.files, args.printed, args.processes, not args.no_network)


def search_of(args: argparse.Namespace) -> SearchSettings:
    """Return how something is to be made smaller."""
    names = [each.name for each in fields(SearchSettings) if each.name not in ("algorithm", "ddmin", "mode")]
    given = {name: getattr(args, name) for name in names if hasattr(args, name) and name != "cache"}
    if hasattr(args, "cache_kind"):
        given["cache"] = args.cache_kind
    if not hasattr(args, "factor"):  # a command with few of these options
        return SearchSettings(**given)
    return SearchSettings(algorithm=args.algorithm, ddmin=ddmin_options_of(args), mode=parallel_of(args).mode, **given)
