"""Pins what minrepro does, so that code can be moved, split and renamed without changing it.

    python -m benchmarks.golden record [NAME…]     write what happens now into benchmarks/results/golden.json
    python -m benchmarks.golden check [NAME…]      run again, tell which cases differ in what, and exit with 1 if any do
    python -m benchmarks.golden list [NAME…]       print the names of cases

NAME is a case, or the beginning of several (`engine/`, `command/reduce/`). One line stands for each case: digest and
size of the result, how many checks were run and how many answers were remembered, the accepted steps as `pass sizes`,
and for runs in this process a digest of all that was asked, in its order (`asked`). Where several numbers of workers
do not agree, a field has a value for each.

What is called what is in `benchmarks/golden/names.py`: when a module moves or an option is renamed, that file alone has
to follow. Some things must hold whatever was recorded (one worker or many, killed or not: the same result); they are
checked as well. A change that is meant is recorded anew, and the difference of golden.json belongs into its commit.
The results depend on the Python and the grammars installed, which are the first line.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from itertools import chain

from benchmarks.golden import browser, commands, engine, interrupted, surface
from benchmarks.golden.records import Case, Record, Unavailable, differences
from benchmarks.report import RESULTS

GOLDEN = RESULTS / "golden.json"
INSTALLED = "installed"
"""The name of the line that says with what the others were recorded."""
_LONG = 20.0
"""From so many seconds on a case is named while the others go on."""


def all_cases() -> dict[str, Case]:
    """Return all cases by name, the quickest kinds first."""
    return dict(chain.from_iterable(part.cases() for part in (engine, surface, commands, interrupted, browser)))


def chosen(names: Sequence[str]) -> dict[str, Case]:
    """Return the cases that are named, or whose names begin so."""
    cases = all_cases()
    for name in names:
        if not any(each.startswith(name) for each in cases):
            sys.exit(f"there is no case {name}")
    return {name: case for name, case in cases.items() if not names or name.startswith(tuple(names))}


def installed() -> Record:
    """Return what the results depend on besides this repository."""
    packages = {name: version(name) for name in ("tree-sitter", "tree-sitter-language-pack")}
    return {"python": ".".join(platform.python_version_tuple()[:2]), **packages}


def read() -> dict[str, Record]:
    """Return what was recorded."""
    if not GOLDEN.exists():
        return {}
    records: dict[str, Record] = json.loads(GOLDEN.read_text("utf-8"))
    return records


def write(records: dict[str, Record]) -> None:
    """Write what is recorded, a line for each case."""
    names = [INSTALLED, *sorted(records.keys() - {INSTALLED})]
    lines = (f"{json.dumps(name)}: {json.dumps(records[name], sort_keys=True, ensure_ascii=False)}" for name in names)
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def outcomes(cases: dict[str, Case]) -> Iterator[tuple[str, Record | str]]:
    """Run cases, and yield what each gives, or in words why it gives nothing."""
    in_process = dict(engine.cases()).keys()
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        alone = (outcome(*item) for item in cases.items() if item[0] in in_process)
        yield from (found for found in alone if found is not None)
        # What starts processes mostly waits for them, so several such cases can go on at a time.
        beside = [workers.submit(outcome, *item) for item in cases.items() if item[0] not in in_process]
        for each in beside:
            if (found := each.result()) is not None:
                yield found


def outcome(name: str, case: Case) -> tuple[str, Record | str] | None:
    """Run a case; return its name and what it gives, or in words why it fails, or nothing if it cannot be run here."""
    began = time.monotonic()
    found: Record | str
    try:
        found = json.loads(json.dumps(case()))
    except Unavailable as why:
        print(f"{name}: left out, {why}", file=sys.stderr)
        return None
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    if (seconds := time.monotonic() - began) > _LONG:
        print(f"  {name} took {seconds:.0f} s", file=sys.stderr)
    return name, found


def record(names: Sequence[str]) -> int:
    """Write down what the named cases give now; keep all others, unless all were asked for."""
    cases = chosen(names)
    records, broken = read() if names else {}, 0
    for name, found in outcomes(cases):
        if isinstance(found, str):
            broken += 1
            print(f"{name}: {found}")
        else:
            records[name] = found
    write({**records, INSTALLED: installed()})
    return 1 if broken else 0


def check(names: Sequence[str]) -> int:
    """Compare what the named cases give now with what was recorded."""
    records, cases, different, began = read(), chosen(names), 0, time.monotonic()
    if records.get(INSTALLED) != installed():
        print(f"note: recorded with {records.get(INSTALLED)}, now {installed()}", file=sys.stderr)
    for name, found in outcomes(cases):
        known = records.get(name)
        if known is None:
            lines = ["it is not recorded"]
        else:
            lines = [found] if isinstance(found, str) else differences(known, found)
        different += bool(lines)
        for line in lines:
            print(f"{name}: {line}", flush=True)
    if not names:
        for name in sorted(records.keys() - cases.keys() - {INSTALLED}):
            different += 1
            print(f"{name}: it is recorded, but there is no such case")
    print(f"{different} of {len(cases)} cases differ ({time.monotonic() - began:.0f} s)", file=sys.stderr)
    return 1 if different else 0


def main() -> int:
    """Do what the words say, and return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.golden", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["record", "check", "list"])
    parser.add_argument("names", metavar="NAME", nargs="*")
    args = parser.parse_args()
    if args.what == "list":
        print("\n".join(chosen(args.names)))
        return 0
    return record(args.names) if args.what == "record" else check(args.names)


if __name__ == "__main__":
    sys.exit(main())
