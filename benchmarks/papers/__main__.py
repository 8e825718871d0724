"""All tables of the five documents beside the published figures, and plots of them.

    python -m benchmarks.papers [NAME ...] [--flexstore FOLDER]

NAME is simplifying (2000), hierarchical (2007), reduce_first (2014), parallel_loops (2016) or split_factor (2020); all
of them take some minutes. The tables are kept as results/papers.txt, the plots in benchmarks/plots. With --flexstore,
the session and the rules of the study of 2014 are used, which are not part of this project.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.papers import hierarchical, parallel_loops, reduce_first, simplifying, split_factor
from benchmarks.report import keep


def main() -> None:
    """Print the tables that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", metavar="NAME", nargs="*", help="documents (default: all)")
    parser.add_argument("--flexstore", metavar="FOLDER", type=Path, help="the data of the study of 2014")
    args = parser.parse_args()
    reports: dict[str, Callable[[], list[str]]] = {
        "simplifying": simplifying.report,
        "hierarchical": hierarchical.report,
        "reduce_first": partial(reduce_first.report, args.flexstore),
        "parallel_loops": parallel_loops.report,
        "split_factor": split_factor.report,
    }
    if unknown := set(args.names) - reports.keys():
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; choose from {', '.join(reports)}")
    parts = [part for name, report in reports.items() if name in (args.names or reports) for part in report()]
    if args.names:
        print("\n\n".join(parts))
    else:
        keep("papers", parts)


if __name__ == "__main__":
    main()
