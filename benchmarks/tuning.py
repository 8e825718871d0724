"""How much each number that steers the default reducer matters: each is halved and doubled, and all else kept.

python -m benchmarks.tuning              writes benchmarks/results/tuning.txt
python -m benchmarks.tuning NAME ...     measures some numbers only

The inputs are a third of the generated ones of the golden check, each with a check that takes everything and one that
cannot tell about what does not parse; a preprocessed program and a folder of files are added for the numbers that only
matter there. All runs are on a virtual clock with 1 and 16 workers, so every figure is the same on any machine. A
number whose halves and doubles make no difference has not been chosen by this table: what it guards against does not
occur in these inputs.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from minrepro.core.tuning import TUNING, Tuning

RESULTS = Path(__file__).parent / "results" / "tuning.txt"
WORKERS = (1, 16)
FACTORS = (0.5, 2.0)


def changed(name: str, factor: float) -> float:
    """Return another value of a number; a share stays below 1."""
    value: float = getattr(TUNING, name)
    if isinstance(value, int):
        return max(1, round(value * factor))
    return value * factor if factor < 1 or 2 * value < 1 else (1 + value) / 2


def set_to(name: str, value: float) -> None:
    """Change a number for this process, before anything that reads it is loaded."""
    object.__setattr__(TUNING, name, value)


def preprocessed() -> bytes:
    """Return a program as a preprocessor leaves it: headers of many declarations, and a little code of its own."""
    lines = []
    for header in range(12):
        lines.append(f'# 1 "/usr/include/header{header}.h" 1 3 4')
        lines += [f"extern int function_{header}_{i}(struct type_{header}_{i} *p, long n);" for i in range(60)]
        lines += [f"typedef struct {{ int field_{i}; char *name_{i}; }} record_{header}_{i};" for i in range(30)]
    lines.append('# 7 "bug.c" 2')
    lines += [f"static int helper_{i}(int x) {{ return function_0_{i}(0, x) + {i}; }}" for i in range(20)]
    lines += [
        "int main(void) {",
        "  record_3_7 r = {0, 0};",
        "  int crash = helper_3(1);",
        "  return crash + r.field_7;",
        "}",
    ]
    return "\n".join(lines).encode() + b"\n"


def measured() -> dict[str, list[float]]:
    """Return checks, virtual seconds and bytes of the result of every run, by the name of its input."""
    from benchmarks.golden import names
    from benchmarks.golden.engine import FOLDER, _reduced_by_edits, folder_fails, judged, seconds
    from benchmarks.golden.inputs import SAMPLES
    from benchmarks.golden.names import Outcome

    found: dict[str, list[float]] = {}

    def run(title: str, content: bytes, test: Any, reducer: Any) -> None:
        for workers in WORKERS:
            executor = names.SimulatedExecutor(test, workers, seconds)
            running: Any = names.Run(executor)
            result = _reduced_by_edits(content, reducer(), running)
            found[f"{title}, {workers}"] = [result.tally.tests, executor.now, len(result.case) + 1]

    def default(name: str, content: bytes, **options: Any) -> Any:
        return lambda: names.default_reducer(Path(name), content, **options)

    for sample in list(SAMPLES.values())[::3]:  # a third of them takes a second per number
        for strict in (False, True)[: 1 + (sample.parse is not None)]:
            test = judged(sample, strict)
            run(f"{sample.name} {strict}", sample.content, test, default(sample.name, sample.content))
    sample = SAMPLES["orders.json"]
    run("deterministic", sample.content, judged(sample, True), default(sample.name, sample.content, deterministic=True))
    content = preprocessed()
    wanted = (b"record_3_7 r", b"helper_3(1)")
    run(
        "preprocessed",
        content,
        lambda case: Outcome.FAIL if all(each in case for each in wanted) else Outcome.PASS,
        default("bug.i", content),
    )
    table, packed = names.PackedFiles.packed({name: (0o100644, data) for name, data in FOLDER.items()})

    def unpacked(case: bytes) -> Outcome:
        kept = {name: data for name, (_, data) in table.unpacked(case).items()}
        return Outcome.FAIL if folder_fails(kept) else Outcome.PASS

    run("folder", packed, unpacked, lambda: names.files_reducer(table, packed))
    return found


def asked(case: tuple[str, float]) -> dict[str, list[float]]:
    """Return what is measured with one number changed; in a process of its own, since it stays changed."""
    set_to(case[0], changed(*case))
    return measured()


def shares(usual: dict[str, list[float]], other: dict[str, list[float]]) -> tuple[list[float], int]:
    """Return the geometric means of checks, seconds and bytes as shares of the usual ones, and how many runs differ."""
    means = []
    for i in range(3):
        logs = [math.log(other[each][i] / usual[each][i]) for each in usual]
        means.append(math.exp(sum(logs) / len(logs)))
    return means, sum(other[each] != usual[each] for each in usual)


def told(name: str, factor: float, usual: dict[str, list[float]], other: dict[str, list[float]]) -> str:
    """Return what a change makes of checks, seconds and bytes, as a line."""
    (checks, seconds, size), differ = shares(usual, other)
    value, tried = getattr(TUNING, name), changed(name, factor)
    return f"{name:<16} {value:>8g} {tried:>9g} {checks:>8.3f} {seconds:>8.3f} {size:>8.3f} {differ:>15}"


def table(names: Sequence[str]) -> str:
    """Return the figures of some numbers as text, each line told as soon as it is known."""
    cases = [(name, factor) for name in names for factor in FACTORS]
    lines = []
    with get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        found = pool.imap(asked, [("hopeless", 1.0), *cases], 1)
        usual = next(found)
        for case, other in zip(cases, found, strict=True):
            lines.append(told(*case, usual, other))
            print(lines[-1], file=sys.stderr, flush=True)
    return (
        "Checks, virtual seconds and bytes of the result with one number of Tuning changed, as shares of those with\n"
        f"the usual one: geometric means over {len(usual)} runs ({len(usual) // 2} inputs, 1 and 16 workers), and how\n"
        "many of them differ at all. Below 1 is better.\n\n"
        f"{'number':<16} {'usual':>8} {'changed':>9} {'checks':>8} {'seconds':>8} {'bytes':>8} {'differing runs':>15}\n"
        + "".join(f"{line}\n" for line in lines)
    )


def main() -> None:
    """Measure with each number changed, or with those that are named."""
    names = sys.argv[1:]
    text = table(names or [field.name for field in fields(Tuning)])
    print(text)
    if not names:
        RESULTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
