"""Misherghi, *Hierarchical Delta Debugging* (2007): its examples, and its tables repeated on inputs of today."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable

import pytest

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.algorithms.trees.hdd import hdd, hdd_plus, hdd_star
from minrepro.algorithms.trees.hoisting import hdd_with_hoisting
from minrepro.algorithms.trees.tree_registry import TreeMinimizer, reduce_tree
from minrepro.core.search import Reduction, solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.grammars.reading_grammars import grammar_from_text
from minrepro.documents.syntax.bundled_grammars import badness, grammar
from minrepro.documents.syntax.open_tree import open_tree
from minrepro.documents.syntax.shortest_strings import minimal_strings
from minrepro.documents.syntax.tree_document import TreeDocument
from minrepro.documents.text import characters, reduce_text

ARITHMETIC = """
start: e
e: e "*" e | e "/" e | e "+" e | e "-" e | "(" e ")" | N
N: /[1-9]/
"""

SMALL_C = """
start: function*
function: TYPE? NAME "(" ")" block
block: "{" statement* "}"
?statement: declaration | if | while | return | assignment | block
declaration: TYPE NAME ";"
if: "if" "(" condition ")" block else?
else: "else" block
while: "while" "(" condition ")" block
return: "return" expression? ";"
assignment: NAME "=" expression ";" | NAME "--" ";"
?condition: expression "!=" expression | expression
?expression: NUMBER | NAME
TYPE.2: "void" | "int"
NAME: /[a-z]\\w*/
NUMBER: /[0-9]+/
%ignore /\\s+/
"""

FIGURE_2_1 = b"""void f()
{
   int x; int y;
   if (x!=0) { y= x; } else { return 0; }
   while (y!=0) { y--; }
   return y;
}
"""


class Counted:
    """An oracle on bytes that counts the different cases it was asked about, and keeps them."""

    def __init__(self, test: Callable[[bytes], bool]) -> None:
        self.cases: dict[bytes, Outcome] = {}
        self._test = test

    def __call__(self, case: bytes) -> Outcome:
        if case not in self.cases:
            self.cases[case] = Outcome.FAIL if self._test(case) else Outcome.PASS
        return self.cases[case]

    @property
    def tests(self) -> int:
        return len(self.cases)


def reduced(document: TreeDocument, algorithm: TreeMinimizer, oracle: Counted) -> bytes:
    return solve(reduce_tree(document, algorithm, leak=0), oracle)


def squeezed(case: bytes) -> str:
    return re.sub(r"\s+", "", case.decode())


def divides_by_zero(case: bytes) -> bool:
    try:
        eval(case)
    except ZeroDivisionError:
        return True
    return False


def decrements_a_declared_y(case: bytes) -> bool:
    """Tell whether a compiler would come to `y--` in a loop: the names that are used must be declared."""
    text = case.decode()
    return bool(re.search(r"while.*y--", text, re.DOTALL)) and all(
        re.search(rf"int {name}\b", text) for name in set(re.findall(r"\b[xy]\b", re.sub(r"int [xy]", "", text)))
    )


def test_figure_2_1_keeps_the_decrement_its_loop_and_the_declaration_it_needs() -> None:
    oracle = Counted(decrements_a_declared_y)
    document = grammar_from_text(SMALL_C).open(FIGURE_2_1)
    assert squeezed(reduced(document, hdd_star, oracle)) == "f(){inty;while(0){y--;}}"


def test_the_minimal_string_of_an_expression_of_figure_5_2_is_a_number() -> None:
    operators = [["E", operator, "E"] for operator in "*/+-"]
    productions = {"E": [*operators, ["(", "E", ")"], ["N"]]}
    assert minimal_strings(productions, {symbol: symbol for symbol in "*/+-()N"})["E"] == ("N",)
    assert grammar_from_text(ARITHMETIC).minimal("e") == b"1"


def test_the_expression_of_section_5_3_becomes_that_of_figure_5_4() -> None:
    document = grammar_from_text(ARITHMETIC).open(b"((1+(2*3))/(2-2))+(3*5)")
    assert reduced(document, hdd, Counted(divides_by_zero)) == b"(1/(2-2))+1"


def test_hoisting_leaves_the_division_alone() -> None:
    document = grammar_from_text(ARITHMETIC).open(b"((1+(2*3))/(2-2))+(3*5)")
    assert reduced(document, hdd_with_hoisting, Counted(divides_by_zero)) == b"1/(2-2)"


LIKE_FIGURE_4_1 = b"""double smooth( double v[], int size )
{
    int k;
    int m;
    for (m = 1; m < size; m++) {
        k = k + m + 2;
        v[k]=v[k]/(v[1]-0);
    }
    return v[size];
}

double total(double from[], int size)
{
    double sum = 0.0;
    int rest = size % 4;
    while (rest-- > 0)
        sum += *from++;
    switch (size / 4) {
        case 0: return sum;
        case 1: sum += from[0] + from[1];
        case 2: sum += from[2] * 0.5;
        default: sum = sum / (size + 1.0);
    }
    if (sum > 100.0) {
        sum = 100.0;
    } else if (sum < -100.0) {
        sum = -100.0;
    }
    return sum + smooth(from, 3);
}

int main( int count, char *words[] )
{
    double values[30], other[30];
    int i;
    for (i = 0; i < 30; i++) {
        values[i] = i * (count + 1.5);
        other[i] = values[i] - 2;
    }
    return (int) (total(values, 30) - total(other, 29));
}
"""

DECLARED = {"k": r"\bint k\b", "m": r"\bint m\b", "v": r"\bdouble v\b|\bdouble \*\s?v\b"}


def crashes_the_optimiser(case: bytes) -> bool:
    """Stand in for the compiler: valid C with the loop that crashed it, every variable of it declared."""
    if badness(grammar("c").parse(case)) > badness(grammar("c").parse(LIKE_FIGURE_4_1)):
        return False
    text = case.decode("utf-8", "replace")
    if not re.search(r"for\(.*k=k\+m\+2;v\[k\]=v\[k\]/\(v\[1\]-0\);", squeezed(case)):
        return False
    return all(re.search(declaration, text) for declaration in DECLARED.values())


def tokens_in(case: bytes) -> int:
    return len(re.findall(rb"\w+|[^\w\s]", case))


@pytest.fixture(scope="module")
def by_characters() -> Counted:
    oracle = Counted(crashes_the_optimiser)

    def reduction() -> Reduction[bytes]:
        return reduce_text(LIKE_FIGURE_4_1, ddmin, [characters])

    assert oracle(solve(reduction(), oracle)) is Outcome.FAIL
    return oracle


def test_table_4_1_hdd_needs_a_fifth_of_the_tests_of_ddmin(by_characters: Counted) -> None:
    oracle = Counted(crashes_the_optimiser)
    result = reduced(open_tree(LIKE_FIGURE_4_1, "c"), hdd, oracle)
    assert 5 * oracle.tests <= by_characters.tests
    assert tokens_in(result) <= 55
    assert "for(;;)" in squeezed(result)


@pytest.mark.parametrize("algorithm", [hdd_plus, hdd_star])
def test_table_4_1_a_1_tree_minimal_result_costs_little_more(algorithm: TreeMinimizer) -> None:
    greedy, thorough = Counted(crashes_the_optimiser), Counted(crashes_the_optimiser)
    reduced(open_tree(LIKE_FIGURE_4_1, "c"), hdd, greedy)
    result = reduced(open_tree(LIKE_FIGURE_4_1, "c"), algorithm, thorough)
    assert 2 * thorough.tests <= 5 * greedy.tests
    assert tokens_in(result) <= 55


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_table_4_1_holds_with_a_real_compiler_too() -> None:
    def compiles(case: bytes) -> bool:
        if not crashes_the_optimiser(case):
            return False
        words = ["gcc", "-std=gnu89", "-w", "-fsyntax-only", "-xc", "-"]
        return subprocess.run(words, input=case, capture_output=True, check=False).returncode == 0

    greedy, thorough = Counted(compiles), Counted(compiles)
    assert tokens_in(reduced(open_tree(LIKE_FIGURE_4_1, "c"), hdd, greedy)) <= 55
    assert tokens_in(reduced(open_tree(LIKE_FIGURE_4_1, "c"), hdd_star, thorough)) <= 55
    assert 2 * thorough.tests <= 5 * greedy.tests


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_figure_4_2_comes_out_step_by_step_with_the_return_type_last() -> None:
    accepted: list[str] = []

    def crashes(case: bytes) -> Outcome:
        pattern = r"for\(.*\)\{k=k\+m\+2;v\[k\]=v\[k\]/\(v\[1\]-0\);"
        if not re.search(pattern, squeezed(case)) or case.count(b"{") != case.count(b"}"):
            return Outcome.PASS
        words = ["gcc", "-std=gnu89", "-w", "-fsyntax-only", "-xc", "-"]
        if subprocess.run(words, input=case, capture_output=True, check=False).returncode:
            return Outcome.UNRESOLVED
        accepted.append(squeezed(case))
        return Outcome.FAIL

    result = squeezed(solve(reduce_tree(open_tree(LIKE_FIGURE_4_1, "c"), hdd_star, beyond=True), crashes))
    alone = next(n for n, case in enumerate(accepted) if "total" not in case and "main" not in case)
    without_return = next(n for n, case in enumerate(accepted) if "return" not in case)
    empty_loop = next(n for n, case in enumerate(accepted) if "for(;;)" in case)
    without_type = next(n for n, case in enumerate(accepted) if case.startswith("smooth("))
    assert alone < without_return < empty_loop < without_type  # figures (a), (b) and (c); the type is dropped last
    assert result.startswith("smooth(double")
    assert result.endswith("for(;;){k=k+m+2;v[k]=v[k]/(v[1]-0);}}")


def java_with_a_division_by_zero() -> bytes:
    """Return a class of more than 10,000 characters, rounds of a digest written out, with one `/ 0` in it."""
    rounds = [
        f"        t = rotate(a, {i % 31 + 1}) + ((b & c) ^ (~b & d)) + e + w[{i}] + (K[{i // 20}] >>> {i % 7});\n"
        f"        e = d; d = c; c = rotate(b, 30); b = a; a = t{' / 0' if i == 57 else ''};\n"
        f'        if (a == {i}) {{ trace("round {i}", a, b); }} else {{ count++; }}\n'
        for i in range(80)
    ]
    return (
        "package digest;\n\nimport java.util.Arrays;\n\n"
        "public final class Digest implements Cloneable {\n"
        "    private static final int[] K = { 1518500249, 1859775393, -1894007588, -899497514 };\n"
        "    private int count = 0;\n\n"
        "    private static int rotate(int x, int n) { return (x << n) | (x >>> (32 - n)); }\n\n"
        "    private void trace(String s, int... v) { System.out.println(s + Arrays.toString(v)); }\n\n"
        "    public int block(int[] w, int a, int b, int c, int d, int e) {\n        int t = 0;\n"
        f"{''.join(rounds)}        return a + b + c + d + e;\n    }}\n}}\n"
    ).encode()


JAVA_TOP_LEVEL = {"package_declaration", "import_declaration", "class_declaration", "interface_declaration"}


def is_java(case: bytes) -> bool:
    """Tell whether a text is a compilation unit; the bundled grammar alone lets statements stand outside of classes."""
    root = grammar("java").parse(case).root_node
    return not root.has_error and all(child.type in JAVA_TOP_LEVEL for child in root.children)


def is_java_with_a_division_by_zero(case: bytes) -> bool:
    return re.search(rb"/\s*0\s*[;)]", case) is not None and is_java(case)


def test_table_5_1_hdd_reduces_a_java_file_without_one_syntax_error() -> None:
    text = java_with_a_division_by_zero()
    assert len(text) > 10_000
    oracle = Counted(is_java_with_a_division_by_zero)
    result = reduced(open_tree(text, "java"), hdd, oracle)
    assert re.search(rb"/\s*0", result)
    assert oracle.tests < 200
    assert all(map(is_java, oracle.cases))


def test_table_5_1_ddmin_needs_thirty_times_the_tests() -> None:
    text = java_with_a_division_by_zero()
    greedy, flat = Counted(is_java_with_a_division_by_zero), Counted(is_java_with_a_division_by_zero)
    reduced(open_tree(text, "java"), hdd, greedy)
    enough = 30 * greedy.tests

    class Enough(Exception):
        pass

    def limited(case: bytes) -> Outcome:
        if flat.tests >= enough:
            raise Enough
        return flat(case)

    with pytest.raises(Enough):
        solve(reduce_text(text, ddmin, [characters]), limited)
