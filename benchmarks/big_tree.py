"""A JSON document of a million nodes: what it costs to have it as a tree, and what each test costs us.

    python -m benchmarks.big_tree [NODES]

The check is a function that looks for a marker, so that what is measured is our own cost: processor seconds, of which
other processes on the machine take nothing. Every algorithm runs in a process of its own, whose memory is its peak.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time

from benchmarks.report import keep, machine, table
from minrepro.algorithms.trees.tree_registry import TREE_ALGORITHMS, reduce_tree
from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.open_tree import open_tree

NODES = 1_000_000
NEEDED = 5
ALGORITHMS = ("tree", "groups", "hdd")


def records(nodes: int) -> bytes:
    """Return a table of records, nested a little, of about so many nodes."""
    chosen = random.Random(1)
    per_record = 79
    rows = [
        {
            "id": i,
            "name": f"item {i}",
            "tags": [f"t{chosen.randrange(100)}" for _ in range(4)],
            "place": {"x": chosen.random(), "y": chosen.random(), "on": chosen.random() < 0.5},
        }
        for i in range(nodes // per_record)
    ]
    return json.dumps({"version": 1, "rows": rows}, indent=1).encode()


def measured(algorithm: str, nodes: int) -> dict[str, float]:
    """Reduce the document to a few of its names, counting tests, seconds and memory."""
    data = records(nodes)
    count = data.count(b'"id"')
    wanted = [b'"item %d"' % (i * count // NEEDED + 7) for i in range(NEEDED)]
    began = time.process_time()
    document = open_tree(data, "json")
    ready = time.process_time()
    spent = 0.0
    cases: dict[int, Outcome] = {}

    def test(case: bytes) -> Outcome:
        nonlocal spent
        start = time.process_time()
        key = hash(case)
        if key not in cases:
            cases[key] = Outcome.FAIL if all(word in case for word in wanted) else Outcome.PASS
        spent += time.process_time() - start
        return cases[key]

    result = solve(reduce_tree(document, TREE_ALGORITHMS[algorithm]), test)
    seconds = time.process_time() - ready - spent
    assert all(word in result for word in wanted)
    return {
        "nodes": len(document.tree),
        "bytes": len(data),
        "ready": ready - began,
        "tests": len(cases),
        "each": 1000 * seconds / len(cases),
        "left": len(result),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    nodes = int(sys.argv[1]) if len(sys.argv) > 1 else NODES
    if len(sys.argv) > 2:
        print(json.dumps(measured(sys.argv[2], nodes)))
        return
    rows, title = [], ""
    for algorithm in ALGORITHMS:
        words = [sys.executable, "-m", "benchmarks.big_tree", str(nodes), algorithm]
        found = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
        title = f"A JSON document of {found['nodes']:,} nodes and {found['bytes']:,} bytes; {NEEDED} names are needed."
        figures = (f"{found['ready']:.1f}", f"{found['tests']}", f"{found['each']:.2f}", f"{found['memory']:.0f}")
        rows.append([algorithm, *figures, f"{found['left']}"])
        print(rows[-1], file=sys.stderr)
    head = ["", "s to be ready", "tests", "ms of ours per test", "peak MB", "bytes left"]
    note = f"Processor seconds; the check itself is not counted. {machine()}"
    keep("big_tree", [title + "\n" + note, table(head, rows)])


if __name__ == "__main__":
    main()
