"""The inputs of the golden check: small texts of many languages, made from fixed seeds, and what each must keep."""

from __future__ import annotations

import ast
import configparser
import csv
import io
import json
import random
import re
import shlex
import tomllib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from xml.etree import ElementTree

WORDS = [
    "alpha",
    "bravo",
    "cart",
    "delta",
    "event",
    "folder",
    "grid",
    "hash",
    "index",
    "join",
    "key",
    "list",
    "map",
    "node",
    "order",
    "parse",
    "queue",
    "row",
    "set",
    "table",
]


@dataclass(frozen=True)
class Need:
    """A regular expression, as `grep -E` and Python understand it alike, and how many lines it must match."""

    regex: str
    lines: int = 1


@dataclass(frozen=True)
class Sample:
    """An input with what makes it fail; where it must still parse, anything else is unresolved."""

    name: str
    content: bytes
    needs: tuple[Need, ...]
    parse: Callable[[bytes], object] | None = None

    def fails(self, case: bytes) -> bool:
        """Tell whether the failure shows, as the script does."""
        lines = case.split(b"\n")
        return all(
            sum(re.search(need.regex.encode(), line) is not None for line in lines) >= need.lines for need in self.needs
        )

    def parses(self, case: bytes) -> bool:
        """Tell whether a case is still something that its program would read."""
        assert self.parse is not None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.parse(case)
        except (ValueError, SyntaxError, RecursionError, MemoryError, configparser.Error, csv.Error):
            return False
        return True

    def script(self) -> str:
        """Return the check as a script of sh."""
        count = 'LC_ALL=C grep -aEc {} "$1"'
        tests = (f'[ "$({count.format(shlex.quote(need.regex))})" -ge {need.lines} ]' for need in self.needs)
        return "#!/bin/sh\n" + " && ".join(tests) + "\n"


def _c(rng: random.Random) -> str:
    parts = ["#include <stdio.h>\n#include <stdlib.h>\n#define LIMIT 64\n\nstruct item { int id; char *name; };\n"]
    for n, word in enumerate(rng.sample(WORDS, 6)):
        parts.append(
            f"/* counts what is in the {word} */\nstatic int {word}_{n}(struct item *items, int count) {{\n"
            f"    int total = {rng.randint(1, 99)};\n    for (int i = 0; i < count; i++) {{\n"
            f"        if (items[i].id > {n}) total += items[i].id * {n + 2};\n    }}\n    return total;\n}}\n"
        )
    parts.append(
        "int main(int argc, char **argv) {\n    struct item items[LIMIT] = {{1, 0}};\n    int *where = NULL;\n"
        '    while (argc-- > 0) { printf("%s\\n", argv[argc]); }\n'
        "    if (items[0].id) { *where = overflow(items, 7); }\n    return 0;\n}\n"
    )
    return "\n".join(parts)


def _cpp(rng: random.Random) -> str:
    classes = "\n".join(
        f"template <typename T>\nclass {word.title()} : public Base<T> {{\n"
        f" public:\n  explicit {word.title()}(T v) : v_(v) {{}}\n"
        f"  T get() const {{ return v_ + {rng.randint(1, 9)}; }}\n private:\n  T v_;\n}};\n"
        for word in rng.sample(WORDS, 5)
    )
    return (
        f"#include <vector>\n#include <string>\nnamespace shop {{\ntemplate <typename T> struct Base {{}};\n{classes}\n"
        "auto pick = [](auto &&...args) { return (args + ...); };\n}  // namespace shop\n"
        'int main() {\n  std::vector<std::string> names{"a", "b"};\n  for (const auto &n : names) { (void)n; }\n'
        "  return static_cast<int>(shop::pick(1, 2, boom<3>()));\n}\n"
    )


def _python(rng: random.Random) -> str:
    functions = "\n\n".join(
        f'def {word}(items, limit={rng.randint(1, 50)}):\n    """Return what the {word} holds."""\n    found = []\n'
        f"    for n, item in enumerate(items):\n        if n > limit and item is not None:\n"
        f"            found.append((n, item))\n        else:\n            continue\n    return found\n"
        for word in rng.sample(WORDS, 5)
    )
    return (
        f"import os\nimport sys\nfrom dataclasses import dataclass\n\n\n{functions}\n\n@dataclass\nclass Order:\n"
        "    id: int\n    total: float = 0.0\n\n    def pay(self, *, rate=1.5):\n"
        "        with open(os.devnull) as sink:\n"
        "            print(self.total / (rate - rate), file=sink)\n"
        "        return [x for x in range(self.id) if x % 2]\n\n\n"
        'if __name__ == "__main__":\n    sys.exit(Order(3).pay())\n'
    )


def _json(rng: random.Random) -> str:
    orders = [
        {"id": n, "customer": {"name": rng.choice(WORDS), "tags": rng.sample(WORDS, 3)}, "paid": n % 2 == 0}
        for n in range(8)
    ]
    orders[5]["total"] = {"currency": "EUR", "amount": -0.0}
    return json.dumps({"version": 3, "orders": orders, "next": None}, indent=2) + "\n"


def _xml(rng: random.Random) -> str:
    items = "\n".join(
        f'  <item id="{n}" kind="{rng.choice(WORDS)}">\n    <name>{rng.choice(WORDS)} {n}</name>\n'
        f'    <price currency="EUR">{rng.randint(1, 900)}.00</price>\n  </item>'
        for n in range(9)
    )
    return (
        f'<?xml version="1.0"?>\n<!-- what is sold -->\n<catalogue>\n{items}\n'
        '  <group><item id="x" kind="broken"><name>bad &amp; good</name></item></group>\n</catalogue>\n'
    )


def _sql(rng: random.Random) -> str:
    tables = "\n".join(
        f"CREATE TABLE {word} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INT DEFAULT {rng.randint(0, 9)});\n"
        f"INSERT INTO {word} (id, name) VALUES (1, 'a'), (2, 'b''c'), ({rng.randint(3, 99)}, NULL);"
        for word in rng.sample(WORDS, 5)
    )
    return (
        f"-- the shop\n{tables}\nSELECT a.id, count(*) AS n FROM node AS a LEFT JOIN list AS b ON a.id = b.id\n"
        "WHERE a.size > 3 AND b.name LIKE '%x%' GROUP BY a.id HAVING count(*) > 1 ORDER BY n DESC LIMIT 10;\n"
        "UPDATE node SET name = upper(name) WHERE id IN (SELECT id FROM list);\n"
    )


def _javascript(rng: random.Random) -> str:
    functions = "\n".join(
        f"export function {word}Of(items, {{ limit = {rng.randint(1, 40)} }} = {{}}) {{\n"
        f"  const found = items.filter((x) => x.{word} > limit).map((x) => ({{ ...x, seen: true }}));\n"
        f"  return found.length ? found : null;\n}}"
        for word in rng.sample(WORDS, 6)
    )
    return (
        f"'use strict';\nimport {{ request }} from './net.js';\n{functions}\n"
        "async function load(url) {\n  try {\n    const answer = await request(`${url}/orders?page=${1}`);\n"
        "    return answer.items.reduce((sum, x) => sum + x.price.amount, 0);\n  } catch (error) {\n"
        "    console.log('failed', error);\n  }\n}\nload('http://127.0.0.1');\n"
    )


def _toml(rng: random.Random) -> str:
    tables = "\n".join(
        f"[{word}]\nenabled = {rng.choice(['true', 'false'])}\nlimits = [{rng.randint(1, 9)}, {rng.randint(10, 99)}]\n"
        f'path = "/srv/{word}"\nwhen = 2024-05-0{n + 1}T10:00:00Z\n'
        for n, word in enumerate(rng.sample(WORDS, 7))
    )
    servers = '[[server]]\nname = "one"\n\n[[server]]\nname = "two"\nretry = { count = 3, wait = 0.5 }\n'
    return f'title = "settings"\n\n{tables}\n{servers}'


def _ini(rng: random.Random) -> str:
    sections = "\n".join(
        f"[{word}]\n; how {word} behaves\nname = {rng.choice(WORDS)}\nlevel = {rng.randint(1, 9)}\nurl = http://{word}.example/%(name)s\n"
        for word in rng.sample(WORDS, 8)
    )
    return f"{sections}\n[last]\nlevel = 99\nloop = %(loop)s\n"


def _markdown(rng: random.Random) -> str:
    chapters = "\n".join(
        f"## {word.title()}\n\nThe *{word}* is `{rng.choice(WORDS)}`, see [there](#{rng.choice(WORDS)}).\n\n"
        f"- one {rng.randint(1, 99)}\n- two\n  1. inner\n  2. **bold**\n\n```sh\n{word} --help\n```\n"
        for word in rng.sample(WORDS, 5)
    )
    return f"# The manual\n\n{chapters}\n| a | b |\n|---|---|\n| 1 | ![picture](broken.png) |\n\n> quoted\n"


def _rust(rng: random.Random) -> str:
    functions = "\n\n".join(
        f"/// Returns the {word}.\nfn {word}(items: &[u32], limit: usize) -> Option<u32> {{\n"
        f"    let mut total = {rng.randint(1, 99)}u32;\n    for (n, item) in items.iter().enumerate().take(limit) {{\n"
        f"        match n % 3 {{ 0 => total += item, 1 => continue, _ => total ^= 1 }}\n    }}\n    Some(total)\n}}"
        for word in rng.sample(WORDS, 5)
    )
    return (
        f"use std::collections::HashMap;\n\n{functions}\n\nimpl<'a, T: Clone + 'a> Holder<'a, T> {{\n"
        "    fn take(&self) -> &'a T { unsafe { self.inner.get().unwrap_unchecked() } }\n}\n\n"
        'fn main() {\n    let map: HashMap<String, u32> = HashMap::new();\n    println!("{:?}", map);\n}\n'
    )


def _text(rng: random.Random) -> str:
    return "".join(
        f"{n:03} {' '.join(rng.choice(WORDS) for _ in range(7))}; took {rng.randint(1, 999)} ms\n" for n in range(50)
    )


def _csv(rng: random.Random) -> str:
    rows = "".join(f'{n},"{rng.choice(WORDS)}, {rng.choice(WORDS)}",{rng.randint(1, 999)},yes\n' for n in range(40))
    return f'id,name,amount,paid\n{rows}41,"quoted ""twice""",-1,no\n'


def _binary(rng: random.Random) -> bytes:
    blocks = [rng.randbytes(24) + b"BLK" + bytes([n, 0, 0]) for n in range(16)]
    return b"\x7fGOLD\x00" + b"".join(blocks[:9]) + b"MAGIC\xff\x01" + b"".join(blocks[9:]) + b"\x00END"


def _sample(
    name: str,
    make: Callable[[random.Random], str | bytes],
    *needs: str | Need,
    parse: Callable[[bytes], object] | None = None,
) -> Sample:
    made = make(random.Random(name))
    content = made.encode() if isinstance(made, str) else made
    sample = Sample(name, content, tuple(need if isinstance(need, Need) else Need(need) for need in needs), parse)
    assert sample.fails(content) and (parse is None or sample.parses(content)), name
    return sample


def _parse_ini(case: bytes) -> object:
    parser = configparser.ConfigParser()
    parser.read_string(case.decode())
    return parser


def _parse_xml(case: bytes) -> object:
    return ElementTree.fromstring(case)


def _parse_csv(case: bytes) -> object:
    return list(csv.reader(io.StringIO(case.decode()), strict=True))


SAMPLES = {
    sample.name: sample
    for sample in (
        _sample("pointer.c", _c, r"\*where = .*overflow\(", "struct item", Need("int", 2)),
        _sample("templates.cpp", _cpp, r"template <typename T>", r"boom<3>\(\)", r"\[\]\(auto"),
        _sample("order.py", _python, "class Order", r"/ \(rate - rate\)", "def pay", parse=ast.parse),
        _sample("orders.json", _json, '"amount": -0.0', '"orders"', Need('"name"', 2), parse=json.loads),
        _sample("catalogue.xml", _xml, 'kind="broken"', "&amp;", Need("<price", 2), parse=_parse_xml),
        _sample("shop.sql", _sql, "LEFT JOIN list", "HAVING count", "CREATE TABLE"),
        _sample("orders.js", _javascript, r"await request\(", r"\.reduce\(", "filter"),
        _sample(
            "settings.toml",
            _toml,
            r"retry = \{",
            r"\[\[server\]\]",
            "limits",
            parse=lambda b: tomllib.loads(b.decode()),
        ),
        _sample("settings.ini", _ini, r"%\(loop\)s", Need(r"^\[", 2), parse=_parse_ini),
        _sample("manual.md", _markdown, r"!\[picture\]", r"\*\*bold", "^# "),
        _sample("holder.rs", _rust, "unwrap_unchecked", "impl<'a", "match n % 3"),
        _sample("log.txt", _text, "^017 .*; took", Need("took", 3), Need("0.*ms$", 2)),
        _sample("table.csv", _csv, '""twice""', "^id,", Need("yes$", 2), parse=_parse_csv),
        _sample("blocks.bin", _binary, "MAGIC", "GOLD", Need("BLK", 1)),
    )
}
