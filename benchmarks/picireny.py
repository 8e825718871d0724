"""The tree search beside Picireny on JSON and C: calls of the check, and tokens left.

    python -m benchmarks.picireny --picireny COMMAND --antlr JAR [--limit SECONDS] [--only NAME...]

The inputs are generated here and small, because a parser that ANTLR writes in Python takes minutes for large ones. The
checks are scripts: the text must be valid (Python's json, a compiler) and hold what the failure needs. Of Picireny's
two searches the better counts, with its best options.
"""

from __future__ import annotations

import argparse
import json
import shlex
import tempfile
from collections.abc import Iterator
from functools import partial
from math import exp, log
from pathlib import Path

from benchmarks.report import keep, machine, table
from benchmarks.trees import by_tree, measured, peer

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
    for i in range(12):
        deep = {"left": [i, {"a": i}], "down": deep, "right": {"b": [i, i]}}
    yield case("nested", deep, '"needle" in text and "null" in text')
    types = {f"T{i}": {"fields": [{"type": f"T{j}"} for j in range(i + 1, min(i + 3, 20))]} for i in range(20)}
    defined = 'all(f["type"] in value for t in value.values() for f in t["fields"]) and "T12" in value'
    yield case("types that refer to each other", types, f'{defined} and value["T12"]["fields"]')


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
    chain = ["int g0(int x) { return x + 1; }\n"]
    chain += [f"int g{i}(int x)\n{{\n    int y = g{i - 1}(x);\n    return y * {i};\n}}\n" for i in range(1, 12)]
    yield case(
        "calls", "".join(chain), "g7(x)", 'cc -std=gnu89 -Werror=implicit -w -fsyntax-only -x c "$1" || exit 1\n'
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picireny", required=True, help="the command of Picireny, with its options")
    parser.add_argument("--antlr", required=True, help="a complete ANTLR jar for it")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for each run")
    parser.add_argument("--only", nargs="*", help="names of inputs")
    args = parser.parse_args()
    of_json = ((*case, ".json", "json") for case in json_inputs())
    of_c = ((*case, ".c", "c") for case in c_inputs())
    inputs = [case for pair in zip(of_c, of_json, strict=True) for case in pair]
    rows: list[list[str]] = []
    ratios: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, text, check, suffix, language in inputs:
            if args.only and name not in args.only:
                continue
            case = written(Path(folder), name, text, check, suffix)
            ours = measured(case, partial(by_tree, language=language, algorithm="tree"), args.limit)
            peers = [peer(case, shlex.split(args.picireny), args.antlr, hdd, args.limit) for hdd in ("hdd", "hddr")]
            ended = [row for row in peers if row is not None]
            if ended:
                ratios.append(ours.calls / min(row.calls for row in ended))
            cells = [f"{row.calls}/{row.tokens}" if row is not None else "no result" for row in (ours, *peers)]
            rows.append([f"{language}: {name}", str(len(text)), *cells, f"{ratios[-1]:.2f}" if ended else "-"])
            kept(rows, ratios, args.limit)


def kept(rows: list[list[str]], ratios: list[float], limit: float) -> None:
    """Write down what there is so far."""
    mean = exp(sum(map(log, ratios)) / len(ratios)) if ratios else float("nan")
    head = ["calls/tokens left", "bytes", "tree", "picireny hdd", "picireny hddr", "calls against the better"]
    title = f"At most {limit:g} seconds for each run. {machine()}"
    keep("picireny", [title, table(head, rows), f"geometric mean of the calls: {mean:.2f} ({len(ratios)} inputs)"])


if __name__ == "__main__":
    main()
