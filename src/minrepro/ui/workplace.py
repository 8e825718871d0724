"""Where the checks of a command run: in processes here, or on a cluster (--cluster)."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path


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
    checks.add_argument("--executor", metavar="NAME", help="run checks by an executor that an installed package brings")
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
