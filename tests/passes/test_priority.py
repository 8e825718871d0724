"""What comes last in a program goes first: headers go as wholes, once the code that needs them is gone."""

from __future__ import annotations

import re
from pathlib import PurePath

from minrepro.core.edits import apply
from minrepro.core.events import Tally
from minrepro.core.tuning import TUNING
from minrepro.documents.snapshot import Snapshot
from minrepro.engine.default_reducer import default_reducer
from minrepro.engine.tester import Tester
from minrepro.passes.priority import END, PREPROCESSED, headers_of
from minrepro.testing import SimulatedExecutor, fails_if

OWN_CODE, HEADERS = (each for each, _ in PREPROCESSED)

INNER = b'# 1 "/usr/include/inner.h" 1 3\nint inner(void);\n# 4 "/usr/include/outer.h" 2 3\n'
OUTER = b'# 1 "/usr/include/outer.h" 1 3\nint outer(void);\n' + INNER + b'# 2 "main.c" 2\n'
OTHER = b'# 1 "other.h" 1\nint other(void);\n# 3 "main.c" 2\n'
OWN = b"int main(void) { return outer(); }\n"
FILE = b'# 0 "main.c"\n# 1 "main.c"\n' + OUTER + OTHER + OWN


def header(number: int, functions: int = 60) -> bytes:
    """Return a header as the preprocessor leaves it, with functions that call those of the header before."""
    called = f"h{number - 1}_0" if number else "0"
    text = "".join(f"int h{number}_{n}(void) {{ return {called if n else 0}; }}\n" for n in range(functions))
    return f'# 1 "h{number}.h" 1 3\n{text}# {number + 2} "main.c" 2\n'.encode()


def test_headers_are_found_with_those_inside_them() -> None:
    outer, other = headers_of(FILE)
    assert FILE[outer.start : outer.end] == OUTER
    assert FILE[other.start : other.end] == OTHER
    (inner,) = outer.inside
    assert FILE[inner.start : inner.end] == INNER


def test_a_file_that_ends_inside_a_header_ends_it_too() -> None:
    (only,) = headers_of(OUTER[:60])
    assert (only.start, only.end) == (0, 60)


def test_lines_that_only_look_like_marks_are_none() -> None:
    assert headers_of(b'#define A 1\n# 1 "a.c"\nputs("\\n# 1 \\"b.h\\" 1\\n");\n') == []


def test_a_header_that_cannot_go_may_lose_what_it_includes() -> None:
    (units,) = HEADERS.propose(Snapshot(FILE, "c"))
    assert [apply(FILE, unit.edits[0]) for unit in units] == [FILE.replace(OUTER, b""), FILE.replace(OTHER, b"")]
    assert units[0].below is not None
    ((inner,),) = units[0].below()
    assert apply(FILE, inner.edits[0]) == FILE.replace(INNER, b"")


def test_own_code_is_what_stands_behind_the_last_header() -> None:
    headers, own = 20 * OUTER, b"int two(void);\nint three(void);\nint four(void);\n"
    (units,) = OWN_CODE.propose(Snapshot(headers + own, "c"))
    assert all(unit.edits[0][0].start >= len(headers) for unit in units)
    without = [apply(headers + own, unit.edits[0]) for unit in units]
    assert headers + own.replace(b"int three(void);\n", b"") in without
    assert OWN_CODE.propose(Snapshot(OUTER, "c")) == []


def test_own_code_that_is_much_of_all_is_not_reduced_first() -> None:
    assert OWN_CODE.propose(Snapshot(FILE + 5 * FILE.replace(b"#", b"//"), "c")) == []


def test_the_end_of_a_program_is_its_last_parts() -> None:
    content = b"".join(b"int f%d(void) { return g(%d); }\n" % (n, n) for n in range(1000))
    ((*units,),) = END.propose(Snapshot(content, "c"))
    assert b"f999(" in content[units[-1].edits[0][0].start :]
    assert all(unit.edits[0][-1].end > len(content) - 2000 for unit in units)


def test_the_end_of_a_program_may_be_inside_a_long_part() -> None:
    inside = b"".join(b"  function f%d() { return g(%d); }\n" % (n, n) for n in range(1000))
    content = b"var first = 1;\n(function () {\n" + inside + b"})();\n"
    ((*units,),) = END.propose(Snapshot(content, "javascript"))
    assert len(units) > 10
    assert all(unit.edits[0][-1].end > len(content) - 2000 for unit in units)


def test_data_has_no_end_that_needs_what_came_before() -> None:
    assert END.propose(Snapshot(b"[" + b'{"a": 1}, ' * 5000 + b"0]", "json")) == []


def test_a_long_program_whose_end_uses_everything_becomes_small_with_few_tests() -> None:
    library = b"".join(b"int f%d(int n) { return n ? f%d(n - 1) : %d; }\n" % (n + 1, n, n) for n in range(600))
    main = b"int main(void) {\n" + b"".join(b"  f%d(1);\n" % n for n in range(1, 601, 3)) + b"  crash();\n}\n"
    content = b"int f0(int n) { return 0; }\n" + library + main
    assert len(content) > TUNING.long

    def fails(case: bytes) -> bool:
        used = set(re.findall(rb"[ ;](f\d+)\((?!int)", case))
        return b"crash();" in case and used <= set(re.findall(rb"int (f\d+)\(", case))

    tally = Tally()
    result = default_reducer(PurePath("main.c"), content)(
        content, Tester(SimulatedExecutor(fails_if(fails)), notify=tally), lambda case, label, verdict: None
    )
    assert result.split() == [b"crash();"]
    assert tally.tests < 250


def test_a_program_goes_first_and_all_its_headers_with_few_tests() -> None:
    own = b"".join(b"int f%d(void) { return h%d_3(); }\n" % (n, n) for n in range(8)) + b"int bad(void) { crash(); }\n"
    content = b"".join(map(header, range(8))) + own

    def fails(case: bytes) -> bool:
        # As a compiler does, it refuses calls of what is not declared before.
        declared = all(b"int h%d_0(" % n in case for n in range(8) if b"h%d_" % n in case.replace(b"int h", b""))
        return b"crash()" in case and declared

    tally = Tally()
    executor = SimulatedExecutor(fails_if(fails))
    steps: list[tuple[str, int]] = []
    default_reducer(PurePath("main.i"), content)(
        content, Tester(executor, notify=tally), lambda case, label, verdict: steps.append((label, len(case)))
    )
    assert steps[0][0] == "own-code"
    assert next(size for label, size in steps if label == "headers") < 30
