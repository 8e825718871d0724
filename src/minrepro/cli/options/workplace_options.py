"""Where the checks of a command run: in processes here, or on a cluster (--cluster)."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from minrepro.cli.help_text import CHECKS, CLUSTER, group


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
