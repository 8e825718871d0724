"""The default reducer makes real inputs small, with few tests, whatever language they are in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import PurePath

import pytest

from minrepro.core.events import Tally
from minrepro.core.verdicts import Outcome
from minrepro.engine.default_reducer import default_reducer
from minrepro.engine.tester import Tester
from minrepro.settings import Effort
from minrepro.testing import SimulatedExecutor

C_FILE = b"""\
/* a comment */
#include <stdio.h>
struct point { int x; int y; };
static int unused(int a, int b) { return a + b; }
int helper(int n) { int i, s = 0; for (i = 0; i < n; i++) { s += i; } return s; }
int main(int argc, char **argv) {
    struct point p = {1, 2};
    printf("%d\\n", helper(p.x));
    if (argc > 1) { while (p.y) { p.y--; crash(p.y); } }
    return 0;
}
"""


def reduced(
    name: str,
    content: bytes,
    fails: Callable[[bytes], bool],
    *,
    workers: int = 1,
    effort: Effort = "normal",
    deterministic: bool = False,
    golf: bool = False,
) -> tuple[bytes, Tally]:
    tally = Tally()
    executor = SimulatedExecutor(
        lambda case: Outcome.FAIL if fails(case) else Outcome.PASS, workers, lambda case: 1 + len(case) % 3
    )
    reducer = default_reducer(PurePath(name), content, effort=effort, deterministic=deterministic, golf=golf)
    result = reducer(content, Tester(executor, notify=tally), lambda case, label, verdict: None)
    assert not executor.running
    return result, tally


def test_a_c_file_becomes_the_call_that_crashes() -> None:
    result, tally = reduced("a.c", C_FILE, lambda case: b"crash(" in case)
    assert result.strip() == b"crash("
    assert tally.tests < 150


def test_what_a_name_stands_for_goes_once_a_number_stands_in_its_place() -> None:
    def fails(case: bytes) -> bool:
        code = case.decode()
        made = "x, y = make(2, flag)" in code or "x, y = make(2)" in code
        # With the flag a variable does as well, without it only a number.
        return made and "crash(" in code and ("crash(0)" in code or ("crash(x)" in code and "flag" in code))

    result, _ = reduced("a.py", b"x, y = make(2, flag)\ncrash(x)\n", fails, golf=True)
    assert result.split() == b"x, y = make(2)\ncrash(0)".split()


def test_a_schema_becomes_small_although_its_texts_speak_of_its_keys() -> None:
    def fails(case: bytes) -> bool:
        try:
            schema = json.loads(case)
            for key in schema["$ref"].removeprefix("#/").split("/"):
                schema = schema[key]
        except (ValueError, KeyError, TypeError, AttributeError):
            return False
        return b"$ref" in case and schema == {"$ref": "recursive"}

    parts = {f"part{i}": {"type": "number"} for i in range(9)} | {"discount": {"$ref": "recursive"}}
    content = json.dumps({"$ref": "#/definitions/discount", "definitions": parts}, indent=2).encode()
    result, _ = reduced("schema.json", content, fails)
    assert json.loads(result)["definitions"] == {"discount": {"$ref": "recursive"}}
    golfed, _ = reduced("schema.json", content, fails, golf=True)
    assert b"definitions" not in golfed and b"discount" not in golfed


def test_where_depth_or_breadth_would_do_what_stands_beside_a_nest_goes_before_its_levels() -> None:
    def fails(case: bytes) -> bool:
        try:
            return len(json.dumps(json.loads(case), indent=100)) > 60_000
        except ValueError:
            return False

    beside = "".join(f'"key{i}": {{"enabled": true, "rate": {i}}}, ' for i in range(20))
    content = f'{{{beside}"deep": {"[" * 100}1{"]" * 100}}}'.encode()
    result, _ = reduced("a.json", content, fails)
    assert b"key" not in result and result.count(b"[") == 24


@pytest.mark.parametrize("name", ["a.c", "a.txt", "a.bin"])
def test_where_everything_fails_nothing_is_left(name: str) -> None:
    assert reduced(name, C_FILE, lambda case: True, workers=2)[0] == b""


def test_syntax_that_must_stay_valid_costs_no_tests() -> None:
    def valid(case: bytes) -> bool:
        return b"crash(" in case and case.count(b"{") == case.count(b"}") and case.count(b"(") == case.count(b")")

    result, tally = reduced("a.c", C_FILE, valid)
    assert valid(result)
    assert len(result) <= len(b"crash()\n;")
    assert tally.tests < 200


@pytest.mark.parametrize(
    ("name", "content", "needed"),
    [
        ("a.py", b"import os\n\ndef f(x):\n    if x:\n        return g(x)\n    return 1\n\nprint(f(2))\n", b"g(x)"),
        ("a.json", b'{"a": [1, 2, {"b": null}], "c": {"d": "e", "f": [true, false]}, "g": 3}', b"null"),
        ("a.js", b"function f(a, b) { return a ? b : [1, 2, 3].map(x => x * 2); }\nf(1, 2);\n", b"=>"),
        ("a.html", b"<html><body><p>one</p><ul><li>two</li><li><b>three</b></li></ul></body></html>", b"<b>"),
        ("a.xyz", b"first line\nsecond (with [brackets]) line\n\nthird line\n" * 5, b"["),
        ("a.bin", bytes(range(256)) * 3, b"\x80"),
    ],
)
def test_only_what_is_needed_stays(name: str, content: bytes, needed: bytes) -> None:
    result, _ = reduced(name, content, lambda case: needed in case)
    assert needed in result
    assert len(result.strip()) <= len(needed) + 2


def test_every_single_character_of_the_result_is_needed() -> None:
    def fails(case: bytes) -> bool:
        return b"printf" in case and b"while" in case and case.find(b"printf") < case.find(b"while")

    result, _ = reduced("a.c", C_FILE, fails)
    for i in range(len(result)):
        if not result[i : i + 1].isspace():
            assert not fails(result[:i] + result[i + 1 :])


def test_the_last_character_goes_although_a_list_ends_there() -> None:
    content = b"[log]\nfolder = ${log.folder}/backup"
    result, _ = reduced("a.conf", content, lambda case: b"[log]\nfolder = ${log.folder}" in case)
    assert result == b"[log]\nfolder = ${log.folder}"


def test_a_character_inside_a_word_goes_where_every_byte_counts() -> None:
    def fails(case: bytes) -> bool:
        return b"e" in case and b"am" in case

    assert reduced("a.py", b"name = 'abcdef'\n", fails)[0] == b"name\n"
    result, _ = reduced("a.py", b"name = 'abcdef'\n", fails, golf=True)
    assert b"".join(result.split()).replace(b"'", b"") in (b"ame", b"eam", b"am=e", b"ame=0")


def test_a_deterministic_run_has_one_result_for_any_number_of_workers() -> None:
    def fails(case: bytes) -> bool:
        return (b"helper" in case) != (b"unused" in case) or case == C_FILE

    results = {reduced("a.c", C_FILE, fails, workers=n, deterministic=True)[0] for n in (1, 2, 3, 8, 16)}
    assert len(results) == 1


def test_lines_go_where_a_grammar_does_not_understand_them() -> None:
    strange = b"".join(b"%d ]] strange [[ line %d )\n" % (i, i) for i in range(40))
    content = C_FILE + strange
    smallest, tally = reduced("strange.c", content, lambda case: b"crash" in case and b"line 17" in case)
    assert smallest.split() == [b"crash", b"line", b"17"] or len(smallest) <= len(b"crash line 17") + 1
    assert tally.tests < 400


def test_fast_takes_fewer_tests_than_normal_and_is_never_smaller() -> None:
    def fails(case: bytes) -> bool:
        return b"crash" in case and b"s += i" in case and case.count(b"{") == case.count(b"}")

    fast, few = reduced("a.c", C_FILE, fails, effort="fast")
    normal, more = reduced("a.c", C_FILE, fails)
    assert few.tests < more.tests
    assert len(normal) <= len(fast)


def test_white_space_that_somebody_would_write_is_kept_unless_every_byte_counts() -> None:
    content = b"alpha beta\n\n\n    gamma   delta\n"

    def fails(case: bytes) -> bool:
        return case.split()[:4] == [b"alpha", b"beta", b"gamma", b"delta"]

    assert reduced("a.txt", content, fails)[0].strip() == b"alpha beta\n    gamma delta"
    assert len(reduced("a.txt", content, fails, golf=True)[0].strip()) == len(b"alpha beta gamma delta")


def test_names_that_have_nothing_to_do_with_each_other_stay_apart() -> None:
    content = b"import os\n\nfor number, folder in enumerate(folders):\n    if number > 10:\n        visit(folder)\n"

    def fails(case: bytes) -> bool:
        return bool(re.search(rb"for (\w+), (\w+) in enumerate\((\w+)\):\n +(\w+)\n", case))

    assert reduced("a.py", content, fails)[0] == b"for number, folder in enumerate(folders):\n    0\n"
    assert len(reduced("a.py", content, fails, golf=True)[0]) < 36


def test_what_stays_keeps_its_names_numbers_and_layout() -> None:
    def fails(case: bytes) -> bool:
        code = b"".join(case.split())
        return b"while(p.y)" in code and b"p={1,2}" in code and code.count(b"{") == code.count(b"}")

    result, _ = reduced("a.c", C_FILE, fails)
    assert result == b"p = {1, 2}\nwhile (p.y)\n"


def test_a_reducer_that_is_asked_again_for_what_it_knows_to_be_small_comes_to_an_end() -> None:
    executor = SimulatedExecutor(lambda case: Outcome.FAIL if b"needle" in case else Outcome.PASS)
    reducer = default_reducer(PurePath("a.txt"), b"hay needle hay", deterministic=True)
    once = reducer(b"hay needle hay", Tester(executor), lambda case, label, verdict: None)
    assert reducer(once, Tester(executor), lambda case, label, verdict: None) == once == b"needle"
