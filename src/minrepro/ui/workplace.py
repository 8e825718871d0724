"""Where the checks of a command run: in processes here, or on a cluster (--cluster)."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from minrepro.errors import UsageError
from minrepro.executors import Executor
from minrepro.executors.limits import Limits
from minrepro.executors.processes import Processes
from minrepro.invocations import ProcessOracle
from minrepro.notices import Listener
from minrepro.oracles.failure import FailureOracle, Folder
from minrepro.view import View


def add_workplace_options(
    checks: argparse._ActionsContainer, positive: Callable[[str], int], seconds: Callable[[str], float]
) -> None:
    """Add how many checks run at a time, and where."""
    checks.add_argument(
        "-j",
        "--jobs",
        type=positive,
        metavar="N",
        help=f"run so many checks at a time (default: the number of cores, {os.cpu_count() or 1}; with --cluster: as "
        "many as its workers have threads)",
    )
    checks.add_argument(
        "--cluster",
        metavar="WHERE",
        help="run checks on a Dask cluster: the address of its scheduler (tcp://host:8786), a scheduler file, or "
        "local:N for one on this machine with N slots; see docs/cluster.md",
    )
    checks.add_argument(
        "--cluster-file",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="send this file to the workers too, where it will be beside the check; may be repeated",
    )
    checks.add_argument(
        "--cluster-wait",
        metavar="S",
        type=seconds,
        default=60.0,
        help="end with the best so far after S seconds without a scheduler or a usable worker (default: 60)",
    )


def executor_of(
    args: argparse.Namespace,
    oracle: ProcessOracle,
    case: Any,
    notify: Listener,
    *,
    place: Path | None = None,
    limits: Limits | None = None,
    warn: Callable[[str], None] = lambda text: None,
    view: View | None = None,
) -> Executor:
    """Return what runs the checks of an oracle, where the options say; the case is the failing input."""
    if args.cluster is None:
        if args.cluster_file:
            raise UsageError("--cluster-file is for --cluster: here all files are where they are.")
        return Processes(oracle, args.jobs or os.cpu_count() or 1, args.timeout, place, limits or Limits(), warn, view)
    from minrepro.executors.cluster import Cluster

    return Cluster(
        args.cluster,
        oracle,
        case,
        jobs=args.jobs,
        timeout=args.timeout,
        limits=limits or Limits(),
        files=args.cluster_file,
        wait=args.cluster_wait,
        notify=notify,
    )


def folder_of(oracle: ProcessOracle) -> Folder:
    """Return where the checks of an oracle run, if it says so."""
    return oracle.folder if isinstance(oracle, FailureOracle) else Folder()
