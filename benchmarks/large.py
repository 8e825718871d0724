"""Large inputs: what is left after 10, 20, 40 and 60 checks, and what a check costs minrepro itself.

    python -m benchmarks.large [NAME...]

The inputs are generated: a log, a dump of a database, minified JavaScript, and one line of JSON. The checks are
functions that read the candidate. Each reduction has one worker and ends after 60 checks. Beside it stands simple
bisection: halves of the lines, or of the bytes where there are few lines, then quarters and so on, each removed if that
reproduces the failure. Processor time is that of minrepro alone, checks excluded;
"first" is that before the first candidate, and memory is the largest that the process had, checks included.
"""

from __future__ import annotations

import json
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.report import keep, machine, table
from minrepro.core.verdicts import Outcome
from minrepro.engine.default_reducer import default_reducer
from minrepro.engine.run import Run
from minrepro.settings import Budget
from minrepro.testing import SimulatedExecutor

MARKS = (10, 20, 40, 60)
CHECKS = 60
Check = Callable[[bytes], bool]
_WORDS = b"order item price user total stock cart login query cache index retry batch event shard lease".split()


def log(size: int) -> tuple[str, bytes, Check]:
    """A request that is opened, loses its lease and is answered all the same: three lines of a log."""
    rng, lines, length = random.Random(1), list[bytes](), 0
    while length < size:
        word, other = rng.choice(_WORDS), rng.choice(_WORDS)
        line = b"2026-03-%02d %02d:%02d [%s] request %06x: %s ok in %d ms" % (
            *(rng.randint(1, 28), rng.randint(0, 23), rng.randint(0, 59), word, rng.getrandbits(24), other),
            rng.randint(1, 999),
        )
        lines.append(line)
        length += len(line) + 1
    for place, what in ((0.2, b"opened"), (0.55, b"lease lost"), (0.9, b"answered")):
        lines[int(place * len(lines))] = b"2026-03-01 00:00 [lease] request beef42: " + what
    needed = re.compile(rb"beef42: opened(?s:.*)beef42: lease lost(?s:.*)beef42: answered")
    return "server.log", b"\n".join(lines) + b"\n", lambda case: needed.search(case) is not None


def dump(size: int) -> tuple[str, bytes, Check]:
    """One row of one table makes the import fail, as long as its table is created and the statement is whole."""
    rng, parts, length = random.Random(2), list[bytes](), 0
    for table_name in _WORDS:
        columns = b",\n  ".join(b"`%s_%d` varchar(40) DEFAULT NULL" % (word, i) for i, word in enumerate(_WORDS[:6]))
        parts.append(b"CREATE TABLE `%s` (\n  `id` int NOT NULL,\n  %s\n);\n" % (table_name, columns))
        table_size = 0
        while table_size < size // len(_WORDS):
            rows = b",".join(
                b"(%d,'%s','%s',NULL,'%x','a','b')"
                % (rng.randint(1, 10**6), rng.choice(_WORDS), rng.choice(_WORDS), rng.getrandbits(40))
                for _ in range(200)
            )
            if table_name == b"cart" and table_size < size // 40 < table_size + len(rows):
                rows = rows.replace(b"(", b"(7,'x','y','broken \\u0000','z',NULL,NULL),(", 1)
            parts.append(b"INSERT INTO `%s` VALUES %s;\n" % (table_name, rows))
            table_size += len(rows)
        length += table_size
    statement = re.compile(rb"INSERT INTO `cart` VALUES [^;]*\([^()]*'broken \\u0000'[^()]*\)[^;]*;")

    def fails(case: bytes) -> bool:
        at = case.find(b"CREATE TABLE `cart`")
        return at >= 0 and statement.search(case, at) is not None

    return "dump.sql", b"".join(parts), fails


def javascript(size: int) -> tuple[str, bytes, Check]:
    """Modules in one line; the failure needs two of them, one of which requires the other, and whole brackets."""
    rng, parts, length, number = random.Random(3), list[bytes](), 0, 0
    while length < size:
        body = b"".join(
            b"function %s%d(e,t){if(e>%d){return[t,e.%s,{%s:1}]}for(var n=0;n<e.length;n++)t+=r(%d)(e[n]);return t}"
            % (rng.choice(_WORDS), i, rng.randint(1, 99), rng.choice(_WORDS), rng.choice(_WORDS), rng.randrange(900))
            for i in range(rng.randint(2, 30))
        )
        extra = {500: b"t.bad=function(){return r(40).worse(1)};", 40: b"t.worse=function(e){throw e};"}.get(
            number, b""
        )
        parts.append(b"%d:function(e,t,r){'use strict';%s%s}" % (number, body, extra))
        length += len(parts[-1])
        number += 1
    content = b"!function(e){e[500]({},{},e)}({" + b",".join(parts) + b"});\n"
    needed = (
        b"!function(e){",
        b"t.bad=function(){return r(40).worse(1)}",
        b"40:function(",
        b"t.worse=function(e){throw e}",
    )

    def fails(case: bytes) -> bool:
        return all(each in case for each in needed) and balanced(case)

    return "bundle.min.js", content, fails


def data(size: int) -> tuple[str, bytes, Check]:
    """One line of JSON in which one price is negative: the checker parses it."""
    rng, orders, length = random.Random(4), list[object](), 0
    while length < size:
        order = {
            "id": rng.randrange(10**9),
            "user": {"name": rng.choice(_WORDS).decode(), "tags": [word.decode() for word in rng.sample(_WORDS, 3)]},
            "items": [
                {"sku": f"{rng.getrandbits(32):x}", "price": rng.random() * 100} for _ in range(rng.randint(1, 8))
            ],
        }
        orders.append(order)
        length += 120 + 45 * len(order["items"])  # type: ignore[arg-type]
    orders[len(orders) * 2 // 3] = {"id": 1, "user": None, "items": [{"sku": "broken", "price": -1}]}
    content = json.dumps({"version": 2, "orders": orders}, separators=(",", ":")).encode()

    def fails(case: bytes) -> bool:
        try:
            return any(item["price"] < 0 for order in json.loads(case)["orders"] for item in order["items"])
        except (ValueError, KeyError, TypeError, IndexError):
            return False

    return "orders.json", content, fails


MEGABYTE = 1_000_000
INPUTS: dict[str, Callable[[], tuple[str, bytes, Check]]] = {
    "log, 20 MB": lambda: log(20 * MEGABYTE),
    "SQL dump, 5 MB": lambda: dump(5 * MEGABYTE),
    "JavaScript, 5 MB": lambda: javascript(5 * MEGABYTE),
    "JSON, 5 MB": lambda: data(5 * MEGABYTE),
}


def balanced(case: bytes) -> bool:
    """Tell whether as many brackets of each kind are closed as are opened."""
    return all(case.count(pair[:1]) == case.count(pair[1:]) for pair in (b"()", b"[]", b"{}"))


def bisection(content: bytes, fails: Check) -> list[int]:
    """Return how much is left after each check of simple bisection: halves, then quarters, and so on."""
    parts = content.splitlines(keepends=True)
    if len(parts) < 1000:
        step = max(1, len(content) // 65536)
        parts = [content[i : i + step] for i in range(0, len(content), step)]
    left: list[int] = []
    size = len(parts) // 2
    while size and len(left) < CHECKS:
        at = len(parts)
        while at > 0 and len(left) < CHECKS:
            candidate = parts[: max(0, at - size)] + parts[at:]
            joined = b"".join(candidate)
            if fails(joined):
                parts = candidate
            left.append(sum(map(len, parts)))
            at -= size
        size //= 2
    return left


def measured(name: str) -> dict[str, object]:
    """Reduce an input and return what it cost."""
    path, content, check = INPUTS[name]()
    in_checks = 0.0

    def timed(case: bytes) -> bool:
        nonlocal in_checks
        began = time.process_time()
        failed = check(case)
        in_checks += time.process_time() - began
        return failed

    sizes: list[int] = []
    best = len(content)
    began = time.process_time()
    first = 0.0

    def tested(case: bytes) -> Outcome:
        nonlocal best, first
        if len(sizes) == 1:
            first = time.process_time() - began - in_checks
        failed = timed(case)
        best = min(best, len(case)) if failed else best
        sizes.append(best)
        return Outcome.FAIL if failed else Outcome.PASS

    run: Run[bytes] = Run(SimulatedExecutor(tested, 1, lambda case: 1.0), budget=Budget(tests=CHECKS))
    run.reduce_by_edits(content, default_reducer(Path(path), content), empty=b"")
    own = time.process_time() - began - in_checks
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    bisected = bisection(content, check)
    return {
        "name": name,
        "bytes": len(content),
        "left": [sizes[min(mark, len(sizes) - 1)] for mark in MARKS],
        "bisected": bisected[min(MARKS[-1], len(bisected)) - 1],
        "first": first,
        "each": 1000 * (own - first) / max(1, len(sizes) - 2),
        "memory": memory,
    }


def main() -> None:
    """Measure each input in a process of its own, and write the table."""
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measured(sys.argv[2])))
        return
    rows = []
    for name in sys.argv[1:] or INPUTS:
        words = [sys.executable, "-m", "benchmarks.large", "--one", name]
        row = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
        sizes = (f"{number:,}" for number in (row["bytes"], *row["left"], row["bisected"]))
        cost = (f"{row['first']:.1f}", f"{row['each']:.1f}", f"{row['memory'] / MEGABYTE:.0f}")
        rows.append([name, *sizes, *cost])
        print(*rows[-1], file=sys.stderr)
    heads = ["", "bytes", *(f"after {mark}" for mark in MARKS), "bisection", "first s", "ms/check", "MB"]
    title = f"Large inputs: bytes left after so many checks, beside bisection after {MARKS[-1]}. {machine()}"
    keep("large", [title, table(heads, rows)])


if __name__ == "__main__":
    main()
