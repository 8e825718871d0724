"""Where the checks of a command run: in processes here, or on a cluster (--cluster)."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from minrepro.cli.help_text import CHECKS, CLUSTER, SANDBOX, WARM, group
from minrepro.settings import SANDBOX_MODES, WARM_NAMES


def existing(text: str) -> Path:
    """Read a path at which there is something."""
    path = Path(text)
    if not path.exists():
        raise argparse.ArgumentTypeError(f"there is no {text}")
    return path


def add_workplace_options(
    command: argparse.ArgumentParser, positive: Callable[[str], int], seconds: Callable[[str], float]
) -> None:
    """Add how many checks run in parallel, and where."""
    group(command, CHECKS).add_argument(
        "-j",
        "--jobs",
        type=positive,
        metavar="N",
        help="Run N checks in parallel [default: number of CPUs; with --cluster: threads of its workers]",
    )
    group(command, CHECKS).add_argument(
        "--executor",
        metavar="NAME",
        help="Run checks by an executor that an installed package provides [default: local processes]",
    )
    group(command, WARM).add_argument(
        "--warm",
        choices=WARM_NAMES,
        default="auto",
        help="Keep a Python program loaded and fork it for each check; auto: if that is 1.5 times as fast and the "
        "first candidates end like in fresh processes [default: auto]",
    )
    group(command, WARM).add_argument(
        "--warm-server",
        metavar="COMMAND",
        help="Start COMMAND once per worker and have it answer a line for each check, if that is as with --warm auto "
        "[default: none]",
    )
    group(command, SANDBOX).add_argument(
        "--sandbox",
        choices=SANDBOX_MODES,
        default="on",
        metavar="MODE",
        help="Let checks change only their own directory and private copies of /tmp and your home (on), take away the "
        "network too (strict), or let them do all that you may do (off) [default: on]",
    )
    group(command, SANDBOX).add_argument(
        "--writable",
        metavar="PATH",
        type=existing,
        action="append",
        default=[],
        help="Let checks in the sandbox also write to PATH, a directory or a file (repeatable) [default: none]",
    )
    cluster = group(command, CLUSTER)
    cluster.add_argument(
        "--cluster",
        metavar="WHERE",
        help="Run checks on a Dask cluster: its address (tcp://host:8786), its scheduler file, or local:N to start one "
        "here with N workers [default: run them here, without a cluster]",
    )
    cluster.add_argument(
        "--cluster-upload",
        dest="cluster_file",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="Also copy FILE to the workers, next to the check (repeatable) [default: the check's own files]",
    )
    cluster.add_argument(
        "--cluster-timeout",
        dest="cluster_wait",
        metavar="SECONDS",
        type=seconds,
        default=60.0,
        help="Stop after SECONDS without a scheduler or a usable worker, with the best so far [default: 60]",
    )
