"""`--versions A,B,…` for traces and browser sessions: the events that one version leaves are where the next begins."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from minrepro.cli.summaries import say
from minrepro.cli.version_chain import PLACE
from minrepro.errors import NotFailing, UsageError
from minrepro.runs.state_folder import SUFFIX
from minrepro.targets.result_file import default_output

_REPLACED = ("check", "origin", "reset")
"""Where a command line names the version: the check of a trace, the address of a session, what resets its server."""


def reduce_events_across_versions(args: argparse.Namespace) -> int:
    """Reduce the events with each version, and return the exit status."""
    named = [name for name in _REPLACED if PLACE in (getattr(args, name, None) or "")]
    if not named:
        where = "CHECK" if hasattr(args, "check") else "--base-url or --before-each"
        raise UsageError(f"--versions: write {PLACE} in {where} where the version belongs")
    if args.report:
        raise UsageError("--versions cannot be combined with --report")
    given = "input" if hasattr(args, "input") else "recording"
    inputs: list[Path] = [getattr(args, given)]
    output: Path = args.output or default_output(inputs[0])
    for version in args.versions:
        told = ""
        for path in reversed(inputs):
            made = _of_version(args, version, named, output)
            setattr(made, given, path)
            if not args.quiet:
                say(f"version {version}, beginning with {path}")
            try:
                status = args.run(made)
            except NotFailing as error:
                if len(inputs) == 1:
                    raise
                told = str(error).partition("\n")[0]
                continue
            if status != 0:
                return int(status)
            inputs.append(made.output)
            break
        else:
            say(f"warning: version {version}: {told}; going on with the next version")
    output.write_bytes(inputs[-1].read_bytes())
    if not args.quiet:
        say(f"result: {output}")
    return 0


def _of_version(args: argparse.Namespace, version: str, named: list[str], output: Path) -> argparse.Namespace:
    """Return the same command line for one version, with a result and a journal of its own."""
    name = re.sub(r"[^\w.+-]+", "_", version)
    path = output.with_name(f"{output.stem}.{name}{output.suffix}")
    replaced: dict[str, Any] = {key: getattr(args, key).replace(PLACE, version) for key in named}
    folder: Path = args.state or output.with_name(output.name + SUFFIX)
    state = folder.with_name(f"{folder.name.removesuffix(SUFFIX)}.{name}{SUFFIX}")
    return argparse.Namespace(**{**vars(args), **replaced, "versions": None, "output": path, "state": state})
