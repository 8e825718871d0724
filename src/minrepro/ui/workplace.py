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
from minrepro.ui.help_text import CHECKS, CLUSTER, group
from minrepro.view import View


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
            raise UsageError("--cluster-upload requires --cluster")
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
