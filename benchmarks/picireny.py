"""The tree search beside Picireny on JSON and C: calls of the check, and tokens left.

    python -m benchmarks.picireny --picireny COMMAND --antlr JAR [--limit SECONDS] [--stop SECONDS]

The inputs are generated here and small, because a parser that ANTLR writes in Python takes minutes for large ones. The
checks are scripts: the text must be valid (Python's json, a compiler) and hold what the failure needs. Picireny runs
with a cache by content, complements only and backward, which is its cheapest, in both of its searches (HDD, HDDr), each
with pruning alone and with pruning and hoisting, which leaves less. Of the four the fewest calls count, and of the four
the fewest tokens. What benchmarks/results/picireny.txt has already of Picireny is not run again.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from math import exp, log
from pathlib import Path

from benchmarks.report import RESULTS, keep, machine, table
from benchmarks.trees import Row, by_tree, input_of, measured, tokens_of

_GRAMMARS = {".json": ("JSON.g4", "json"), ".c": ("C.g4", "compilationUnit")}
_WAYS = {f"{hdd} {phase}": (hdd, phase) for hdd in ("hdd", "hddr") for phase in ("prune", "prune+hoist")}

_JSON_CHECK = """#!/bin/sh
exec python3 -S -c '
import json, sys
text = open(sys.argv[1], encoding="utf-8").read()
value = json.loads(text)
sys.exit(0 if {condition} else 1)' "$1" 2>/dev/null
"""

_C_CHECK = """#!/bin/sh
tr -d ' \\n\\t' <"$1" | grep -q '{pattern}' || exit 1
{more}exec cc -std=gnu89 -w -fsyntax-only -x c "$1" 2>/dev/null
"""


def _rows(count: int) -> list[dict[str, object]]:
    return [
        {"id": i, "name": f"item {i}", "tags": [f"t{i % 7}", f"u{i % 3}"], "at": {"x": i, "y": -i}}
        for i in range(count)
    ]


def json_inputs() -> Iterator[tuple[str, str, str]]:
    """Yield names, texts and checks of JSON documents."""

    def case(name: str, value: object, condition: str) -> tuple[str, str, str]:
        return name, json.dumps(value, indent=1), _JSON_CHECK.format(condition=condition)

    yield case("one record of 40", {"rows": _rows(40)}, '"item 27" in text')
    yield case("two records of 40", {"rows": _rows(40)}, '"item 8\\"" in text and "item 31" in text')
    settings = {f"part{i}": {f"key{j}": {"on": j % 2 == 0, "list": list(range(j))} for j in range(6)} for i in range(8)}
    yield case("settings", settings, 'value["part5"]["key4"]["list"][-1] == 3')
    deep: object = {"needle": [1, 2, {"x": None}]}
    for i in range(5):
        deep = {"left": [i, {"a": i}], "down": deep, "right": {"b": [i, i]}}
    yield case("nested", deep, '"needle" in text and "null" in text')
    types = {f"T{i}": {"fields": [{"type": f"T{j}"} for j in range(i + 1, min(i + 3, 9))]} for i in range(9)}
    defined = 'all(f["type"] in value for t in value.values() for f in t["fields"]) and "T5" in value'
    yield case("types that refer to each other", types, f'{defined} and value["T5"]["fields"]')


def c_inputs() -> Iterator[tuple[str, str, str]]:
    """Yield names, texts and checks of C programs."""

    def case(name: str, text: str, pattern: str, more: str = "") -> tuple[str, str, str]:
        return name, text, _C_CHECK.format(pattern=pattern, more=more)

    functions = [
        f"int f{i}(int a, int b)\n{{\n    int t = a * {i};\n    if (t > b) {{\n        t = t - b;\n    }}\n"
        f"    while (t < {i + 9}) {{\n        t += a + {i};\n    }}\n    return t;\n}}\n\n"
        for i in range(10)
    ]
    yield case("one function of 10", "".join(functions), "t+=a+6;")
    yield case("two functions of 10", "".join(functions), "a+2;", "tr -d ' \\n' <\"$1\" | grep -q 't=t-b' || exit 1\n")
    loop = (
        "double scale(double v[], int n)\n{\n    int k;\n    int m;\n    k = 0;\n"
        "    for (m = 0; m < n; m++) {\n        k = k + m + 2;\n        v[k] = v[k] / (v[1] - 0);\n    }\n"
        "    return v[n];\n}\n\n"
    )
    yield case(
        "a loop",
        "".join(functions[:3]) + loop + "".join(functions[3:5]),
        r"k=k+m+2;v\\[k\\]=v\\[k\\]/(v\\[1\\]-0)".replace("\\\\", "\\"),
    )
    structs = "".join(
        f"struct s{i} {{\n    int a;\n    char *name;\n    struct s{max(i - 1, 0)} *next;\n}};\n\n" for i in range(8)
    )
    yield case(
        "structures", structs + "int main(void)\n{\n    struct s5 v;\n    v.a = 1;\n    return v.a;\n}\n", "v.a=1"
    )
    calls = ["int g0(int x) { return x + 1; }\n"]
    calls += [f"int g{i}(int x)\n{{\n    int y = g{i - 1}(x);\n    return y * {i};\n}}\n" for i in range(1, 7)]
    yield case(
        "calls", "".join(calls), "g4(x)", 'cc -std=gnu89 -Werror=implicit -w -fsyntax-only -x c "$1" || exit 1\n'
    )


def written(folder: Path, name: str, text: str, check: str, suffix: str) -> Path:
    """Write a case as a folder with an input and its check."""
    case = folder / name.replace(" ", "-")
    case.mkdir()
    (case / f"input{suffix}").write_text(text, encoding="utf-8")
    script = case / "check.sh"
    script.write_text(check, encoding="utf-8")
    script.chmod(0o755)
    return case


def peer(case: Path, command: list[str], antlr: str, way: str, limit: float) -> Row | None:
    """Run Picireny on a case in one of its ways; None where it does not end in time."""
    source = input_of(case)
    grammar, start = _GRAMMARS[source.suffix]
    hdd, phase = _WAYS[way]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        calls, test = folder / "calls", folder / "check.sh"
        test.write_text(f'#!/bin/sh\necho x >>{calls}\nexec {shlex.quote(str(case / "check.sh"))} "$1"\n')
        test.chmod(0o755)
        shutil.copy(source, folder / source.name)
        grammar_path = Path(__file__).parent / "grammars" / grammar
        words = [*command, "--input", source.name, "--test", str(test), "--out", str(folder / "out")]
        words += ["--hdd", hdd, "--phase", phase]
        words += ["--grammar", str(grammar_path), "--start", start, "--antlr", antlr, "--build-hidden-tokens"]
        words += ["--cache", "content", "--subset-iterator", "skip", "--complement-iterator", "backward"]
        words += ["--skip-whitespace", "--sys-recursion-limit", "100000", "--quiet"]
        try:
            subprocess.run(words, cwd=folder, timeout=limit, capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            return None
        out = folder / "out" / source.name
        if not out.exists():
            return None
        result = out.read_bytes()
        return Row(len(calls.read_text()) // 2, len(result), tokens_of(result))


Cells = dict[str, tuple[int, int] | None]
"""For each who took part the calls and the tokens left, or None without a result in time."""

_COLUMNS = ("tree", *_WAYS)
_NO_RESULT = "no result"


def read(text: str) -> dict[str, Cells]:
    """Return what a report has already, by the names and sizes of the inputs."""
    rows: dict[str, Cells] = {}
    for line in text.splitlines():
        name, *cells = re.split(r" {2,}", line)
        if re.fullmatch(r"(json|c): .*", name):
            pairs = [tuple(map(int, cell.split("/"))) if cell != _NO_RESULT else None for cell in cells if cell != "-"]
            rows[name] = dict(zip(_COLUMNS, pairs, strict=False))  # type: ignore[arg-type]  # pairs of two numbers
    return rows


def report(rows: dict[str, Cells], limit: float) -> list[str]:
    """Return the parts of a report: all runs, and how ours compares with the best of the others."""
    lines: list[list[str]] = []
    calls: list[float] = []
    tokens: list[float] = []
    for name, cells in rows.items():
        shown = [f"{cell[0]}/{cell[1]}" if cell else _NO_RESULT for cell in cells.values()]
        ours, theirs = cells["tree"], [cell for way, cell in cells.items() if way != "tree" and cell is not None]
        if ours is not None and theirs:
            calls.append(ours[0] / min(cell[0] for cell in theirs))
            tokens.append(ours[1] / min(cell[1] for cell in theirs))
        lines.append([name, *shown, *["-"] * (len(_COLUMNS) - len(shown))])
    means = [f"{mean(calls):.2f} of the calls (at most {max(calls):.2f})"] if calls else []
    means += [f"{mean(tokens):.2f} of the tokens (at most {max(tokens):.2f})"] if tokens else []
    title = f"At most {limit:g} seconds for each run. {machine()}"
    head = ("calls/tokens left", "tree", *(f"picireny {way}" for way in _WAYS))
    summary = f"tree against the best of picireny's, geometric means of {len(calls)} inputs: {', '.join(means)}"
    return [title, table(head, lines), summary]


def mean(ratios: list[float]) -> float:
    """Return the geometric mean of ratios."""
    return exp(sum(map(log, ratios)) / len(ratios))


def main() -> None:
    """Run what the report does not have yet, and keep it after each run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picireny", required=True, help="the command of Picireny, with its options")
    parser.add_argument("--antlr", required=True, help="a complete ANTLR jar for it")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for each run")
    parser.add_argument("--stop", type=float, default=float("inf"), help="seconds after which no further run begins")
    args = parser.parse_args()
    of_json = ((*case, ".json", "json") for case in json_inputs())
    of_c = ((*case, ".c", "c") for case in c_inputs())
    file = RESULTS / "picireny.txt"
    rows = read(file.read_text("utf-8")) if file.exists() else {}
    end = time.monotonic() + args.stop
    with tempfile.TemporaryDirectory() as folder:
        for name, text, check, suffix, language in chain.from_iterable(zip(of_c, of_json, strict=True)):
            case = written(Path(folder), name, text, check, suffix)
            cells = rows.setdefault(f"{language}: {name}, {len(text):,} bytes", {})
            ways: dict[str, Callable[[], Row | None]] = {
                way: partial(peer, case, shlex.split(args.picireny), args.antlr, way, args.limit) for way in _WAYS
            }
            ways["tree"] = partial(
                measured, case, partial(by_tree, language=language, algorithm="tree"), limit=args.limit
            )
            for column in _COLUMNS:
                if time.monotonic() > end:
                    return
                if column not in cells or column == "tree":
                    row = ways[column]()
                    cells[column] = (row.calls, row.tokens) if row is not None else None
                    keep("picireny", report(rows, args.limit))


if __name__ == "__main__":
    main()
