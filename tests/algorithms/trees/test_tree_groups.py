"""Group testing on trees."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import islice

import pytest

from minrepro.algorithms.trees.hdd import hdd_star
from minrepro.algorithms.trees.tree_registry import TREE_ALGORITHMS, TreeMinimizer, reduce_tree, tree_minimizer
from minrepro.core.search import Candidate, solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.open_tree import open_tree
from minrepro.errors import UsageError

PROGRAM = b"".join(
    b"int f%d(int a) {\n    int t = a + %d;\n    return f%d(t) * 2;\n}\n\n" % (i, i, max(i - 1, 0)) for i in range(60)
)


def counted(text: bytes, language: str, algorithm: TreeMinimizer, fails: Callable[[bytes], bool]) -> tuple[bytes, int]:
    cases: dict[bytes, Outcome] = {}

    def test(case: bytes) -> Outcome:
        return cases.setdefault(case, Outcome.FAIL if fails(case) else Outcome.PASS)

    return solve(reduce_tree(open_tree(text, language), algorithm), test), len(cases)


def keeps_sum(case: bytes) -> bool:
    return b"a + 41" in case


@pytest.mark.parametrize("name", TREE_ALGORITHMS)
def test_every_algorithm_finds_the_one_function_that_matters(name: str) -> None:
    result, _ = counted(PROGRAM, "c", TREE_ALGORITHMS[name], keeps_sum)
    assert keeps_sum(result)
    assert len(result) < 80


def test_a_1_tree_minimal_result_costs_fewer_tests_than_by_levels() -> None:
    def keeps_some(case: bytes) -> bool:
        return all(b"a + %d;" % i in case for i in (3, 17, 18, 30, 41, 55))

    _, groups = counted(PROGRAM, "c", TREE_ALGORITHMS["tree"], keeps_some)
    _, levels = counted(PROGRAM, "c", hdd_star, keeps_some)
    assert groups < levels


def test_names_save_tests_where_definitions_are_used() -> None:
    def compiles(case: bytes) -> bool:
        calls = {int(word[1:-1]) for word in re.findall(rb"f\d+\(", case.replace(b"int f", b""))}
        return b"f39(t)" in case and all(b"int f%d(" % call in case for call in calls)

    with_names, with_tests = counted(PROGRAM, "c", TREE_ALGORITHMS["tree"], compiles)
    without_names, without_tests = counted(PROGRAM, "c", TREE_ALGORITHMS["groups"], compiles)
    assert b"f39(t)" in with_names
    assert b"f39(t)" in without_names
    assert with_tests <= 2 * without_tests


def test_an_unknown_algorithm_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"hdd\*"):
        tree_minimizer("best")


def test_parts_that_refer_to_each_other_are_emptied_together() -> None:
    names = [f"T{i}" for i in range(60)]
    text = json.dumps({name: {"uses": names, "about": ["x"] * 9} for name in names}, indent=1).encode()

    def fails(case: bytes) -> bool:
        try:
            value = json.loads(case)
        except ValueError:
            return False
        if not isinstance(value, dict) or not all(isinstance(part, dict) for part in value.values()):
            return False
        used = {str(name) for part in value.values() for name in part.get("uses") or ()}
        return "T41" in value and used <= set(value)

    result, tests = counted(text, "json", TREE_ALGORITHMS["tree"], fails)
    assert list(json.loads(result)) == ["T41"]
    assert tests < 60


@pytest.mark.parametrize("name", TREE_ALGORITHMS)
@pytest.mark.parametrize("workers", [2, 5])
def test_the_result_is_the_same_for_any_number_of_workers(name: str, workers: int) -> None:
    text = PROGRAM[: len(PROGRAM) // 5].rpartition(b"\n\n")[0]

    def fails(case: bytes) -> Outcome:
        return Outcome.FAIL if b"a + 7" in case and b"f2(t)" in case else Outcome.PASS

    def ahead(case_tester: Callable[[bytes], Outcome]) -> bytes:
        """Answer searches as so many workers do: candidates are taken ahead before the first is decided."""
        reduction = reduce_tree(open_tree(text, "c"), TREE_ALGORITHMS[name])
        answer: Candidate[bytes] | None = None
        try:
            search = next(reduction)
            while True:
                candidates, answer = iter(search.candidates), None
                taken = list(islice(candidates, workers))
                while taken and answer is None:
                    candidate = taken.pop(0)
                    answer = candidate if case_tester(candidate.config) is candidate.wanted else None
                    taken += islice(candidates, 1)
                search = reduction.send(answer)
        except StopIteration as end:
            return bytes(end.value)

    assert ahead(fails) == solve(reduce_tree(open_tree(text, "c"), TREE_ALGORITHMS[name]), fails)


def test_a_loop_becomes_what_it_repeats_where_the_loop_is_not_needed() -> None:
    text = b"int f(int a) {\n    int t = 0;\n    while (t < 9) {\n        t += a + 6;\n    }\n    return t;\n}\n"
    result, _ = counted(text, "c", TREE_ALGORITHMS["tree"], lambda case: b"t += a + 6;" in case)
    assert b"while" not in result


def test_a_nested_document_becomes_its_innermost_part() -> None:
    text = b'{"a": {"b": [1, {"c": [{"d": "needle"}, 2]}]}}'
    result, _ = counted(text, "json", TREE_ALGORITHMS["tree"], lambda case: b"needle" in case)
    assert result.strip() == b'"needle"'


@pytest.mark.parametrize(
    ("language", "text", "needed"),
    [
        ("json", b"[" * 100_000 + b"1" + b"]" * 100_000, b"1"),
        ("json", b'{"a":' * 2000 + b"1" + b"}" * 2000, b"1"),
        ("c", b"int f(void) { return " + b"(" * 2000 + b"x" + b")" * 2000 + b"; }\n", b"x"),
        ("javascript", b"a = " + b"(" * 2000 + b"x" + b")" * 2000 + b";\n", b"x"),
        ("xml", b"<a>" * 300 + b"x" + b"</a>" * 300, b"<a>x"),
    ],
)
def test_a_deep_nest_goes_in_a_few_dozen_tests(language: str, text: bytes, needed: bytes) -> None:
    result, tests = counted(text, language, TREE_ALGORITHMS["tree"], lambda case: needed in case)
    assert len(result) < 12
    assert tests < 24


def test_as_many_levels_of_a_nest_stay_as_are_needed() -> None:
    text = b"[" * 3000 + b"1" + b"]" * 3000
    result, tests = counted(text, "json", TREE_ALGORITHMS["tree"], lambda case: case.count(b"[") >= 30)
    assert result.count(b"[") == 30
    assert tests < 90


def test_of_a_long_sum_the_terms_stay_that_are_needed() -> None:
    text = b"x = " + b" + ".join(b"a%d" % i for i in range(500)) + b";\n"

    def fails(case: bytes) -> bool:
        return {b"a123", b"a400"} <= set(re.findall(rb"a\d+", case))

    result, tests = counted(text, "javascript", TREE_ALGORITHMS["tree"], fails)
    assert result.strip() == b"a123 + a400"
    assert tests < 60


def test_elements_of_xml_with_space_between_them_go_in_groups() -> None:
    lines = (b'  <g id="g%d"><path d="M%d,3"/><text>label %d</text></g>\n' % (i, i, i) for i in range(60))
    text = b'<svg width="100">\n' + b"".join(lines) + b"</svg>\n"
    result, tests = counted(text, "xml", TREE_ALGORITHMS["tree"], lambda case: b"label 31<" in case)
    assert result.strip() == b"<text>label 31</text>"
    assert tests < 30


def test_what_may_go_is_asked_again_where_little_is_left() -> None:
    text = b"int f(int a) { int t; t += a + 6; }\n"

    def fails(case: bytes) -> bool:
        return re.match(rb"(int )?f\((int )?a\)", case) is not None and b"t += a + 6;" in case

    result, _ = counted(text, "c", TREE_ALGORITHMS["tree"], fails)
    assert result.startswith(b"f(a)")  # without a type only if there is none between its brackets either


def test_an_application_becomes_what_it_is_applied_to() -> None:
    text = b'(assert (in (str (- 1)) (star (plus (range "a" "b")))))\n(check)\n'

    def fails(case: bytes) -> bool:
        return re.fullmatch(rb'\(assert \(in \(str (\(- )?1\)?\) (\(\w+ )*\(range "a" "b"\)+\s*', case) is not None

    result, _ = counted(text, "scheme", TREE_ALGORITHMS["tree"], lambda case: fails(case) or case == text)
    assert result.strip() == b'(assert (in (str 1) (range "a" "b")))'
