"""What failures look like in the outputs of programs of many languages."""

from __future__ import annotations

import pytest

from minrepro.oracles.failure_shapes import Frame, telling_of

REQUIRED = "at java.util.Objects.requireNonNull(Objects.java:209)"
UNDEFINED = "TypeError: Cannot read properties of undefined (reading '0')"
PYTHON = """\
Traceback (most recent call last):
  File "/opt/tool/main.py", line 3, in parse
    return first(text)
  File "/opt/tool/reader.py", line 30, in first
    return text[0]
IndexError: string index out of range
"""

FIRST = 'File "/opt/tool/reader.py", line 30, in first'
CASES = {
    "AddressSanitizer": (
        "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x602\n"
        "SUMMARY: AddressSanitizer: heap-use-after-free src/list.c:40:7 in drop\n",
        ("sanitizer", "AddressSanitizer: heap-use-after-free src/list.c:40:7 in drop", ""),
    ),
    "UndefinedBehaviorSanitizer": (
        "a.c:3:9: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n",
        (
            "sanitizer",
            "runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'",
            "",
        ),
    ),
    "assert in C": (
        "tool: rank.c:13: install: Assertion `n <= an' failed.\nAborted\n",
        ("assertion", "rank.c:13: install: Assertion `n <= an' failed.", ""),
    ),
    "C++ exception": (
        "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check\n",
        ("exception", "terminate called after throwing an instance of 'std::out_of_range'", ""),
    ),
    "gcc": (
        "bug.ii:8:5: internal compiler error: in pop, at cp/name.cc:51\n0x7f main\n",
        ("internal error", "internal compiler error: in pop, at cp/name.cc:51", ""),
    ),
    "glibc": (
        "*** buffer overflow detected ***: terminated\n",
        ("abort", "*** buffer overflow detected ***: terminated", ""),
    ),
    "heap of glibc": ("free(): invalid pointer\nAborted\n", ("abort", "free(): invalid pointer", "")),
    "Rust": (
        "thread 'main' (77) panicked at src/color.rs:32:12:\ninternal error: entered unreachable code\nnote:\n",
        ("panic", "panicked at src/color.rs:32:12", ""),
    ),
    "older Rust": (
        "thread 'main' panicked at 'index 2 out of range', src/block.rs:159:36\n",
        ("panic", "panicked at 'index 2 out of range', src/block.rs:159:36", ""),
    ),
    "Go": (
        "panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV]\n\n"
        "goroutine 1 [running]:\nexample.com/tool/check.(*Checker).grammar(0xc0, 0x1)\n\tcheck.go:93 +0x3ea\n"
        "main.main()\n\tmain.go:10 +0x13\n",
        (
            "panic",
            "panic: runtime error: invalid memory address or nil pointer dereference",
            "check.(*Checker).grammar",
        ),
    ),
    "Java": (
        'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "A.b()"\n'
        "\tat java.util.Objects.requireNonNull(Objects.java:209)\n\tat org.tool.Parser.parse(Parser.java:12)\n",
        ("exception", 'java.lang.NullPointerException: Cannot invoke "A.b()"', REQUIRED),
    ),
    "JavaScript": (
        "/opt/plugin.js:11\n  return base[0];\n             ^\n\n"
        "TypeError: Cannot read properties of undefined (reading '0')\n    at reflect (/opt/plugin.js:11:3)\n"
        "    at /opt/plugin.js:8:2\n",
        ("exception", UNDEFINED, "at reflect (/opt/plugin.js:11:3)"),
    ),
    "C#": (
        "Unhandled exception. System.IndexOutOfRangeException: Index was outside the bounds of the array.\n"
        "   at Tool.Reader.Next() in /src/Reader.cs:line 12\n",
        (
            "exception",
            "System.IndexOutOfRangeException: Index was outside the bounds of the array.",
            "at Tool.Reader.Next() in /src/Reader.cs:line 12",
        ),
    ),
    "Python": (PYTHON, ("exception", "IndexError: string index out of range", FIRST)),
    "Python, while another was handled": (
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in get\nKeyError: 'zero'\n\n"
        "During handling of the above exception, another exception occurred:\n\n" + PYTHON,
        ("exception", "IndexError: string index out of range", FIRST),
    ),
    "Python, with its cause": (
        PYTHON + "\nThe above exception was the direct cause of the following exception:\n\n"
        'Traceback (most recent call last):\n  File "b.py", line 2, in lint\ntool.ToolError\n',
        ("exception", "tool.ToolError", FIRST),
    ),
    "Python, too deep": (
        'Traceback (most recent call last):\n  File "/opt/sql.py", line 21, in flatten\n    yield from t.flatten()\n'
        '  [Previous line repeated 987 more times]\n  File "/opt/sql.py", line 2, in last\n'
        "RecursionError: maximum recursion depth exceeded\n",
        ("exception", "RecursionError: maximum recursion depth exceeded", ", in flatten"),
    ),
    "Ruby": (
        "bug.rb:3:in `fetch': key not found: :a (KeyError)\n\tfrom bug.rb:9:in `<main>'\n",
        ("exception", "key not found: :a (KeyError)", "bug.rb:3:in `fetch"),
    ),
    "PHP": (
        "PHP Fatal error:  Uncaught TypeError: f(): Argument #1 must be of type int in /a/b.php:3\n",
        ("exception", "PHP Fatal error:  Uncaught TypeError: f(): Argument #1 must be of type int", ""),
    ),
    "OCaml": ('Fatal error: exception Failure("hd")\n', ("exception", 'Fatal error: exception Failure("hd")', "")),
    "Elixir": ("** (ArgumentError) argument error\n", ("exception", "** (ArgumentError) argument error", "")),
    "PostgreSQL": (
        'TRAP: FailedAssertion("!(n > 0)", File: "plan.c", Line: 40)\n',
        ("assertion", 'TRAP: FailedAssertion("!(n > 0)", File: "plan.c", Line: 40)', ""),
    ),
    "error of PostgreSQL": (
        "psql:a.sql:3: ERROR:  unrecognized node type: 315\n",
        ("error", "ERROR:  unrecognized node type: 315", ""),
    ),
    "MySQL": ("ERROR 1064 (42000) at line 1: You have\n", ("error", "ERROR 1064 (42000) at line 1: You have", "")),
    "DuckDB": ("INTERNAL Error: Failed to bind\n", ("internal error", "INTERNAL Error: Failed to bind", "")),
    "ClickHouse": (
        "Code: 49. DB::Exception: Bad cast. (LOGICAL_ERROR)\n",
        ("internal error", "DB::Exception: Bad cast. (LOGICAL_ERROR)", ""),
    ),
    "a compiler's complaint": ("p.c:26: error: ',' expected (got \")\")\n", ("error", "',' expected (got \")\")", "")),
}


@pytest.mark.parametrize("name", CASES)
def test_a_failure_is_known_by_its_shape(name: str) -> None:
    text, (kind, message, place) = CASES[name]
    telling = telling_of("some output before it\n" + text)
    assert telling is not None
    assert (telling.kind, telling.message[0]) == (kind, message)
    assert [frame.text for frame in telling.frames[:1]] == ([place] if place else [])


def test_a_complaint_about_the_input_is_no_crash() -> None:
    telling = telling_of("p.c:1: error: expected identifier\n")
    assert telling is not None and not telling.crash


def test_ordinary_output_tells_of_nothing() -> None:
    assert telling_of("compiled 3 files\nall good, 0 errors\n") is None


def test_a_stack_is_read_from_its_innermost_call() -> None:
    telling = telling_of(PYTHON)
    assert telling is not None
    assert [frame.file for frame in telling.frames] == ["/opt/tool/reader.py", "/opt/tool/main.py"]


def test_an_exception_is_told_with_its_cause_and_where_that_was_raised() -> None:
    telling = telling_of(
        'Exception in thread "main" java.lang.RuntimeException: cannot load\n\tat Main.main(Main.java:3)\n'
        "Caused by: java.io.IOException: no such key\n\tat Store.get(Store.java:9)\n\t... 1 more\n"
    )
    assert telling is not None
    assert telling.message == ("java.lang.RuntimeException: cannot load", "java.io.IOException: no such key")
    assert telling.frames == (Frame("at Store.get(Store.java:9)", "Store.java"),)


def test_a_message_of_several_lines_is_read_whole() -> None:
    telling = telling_of(
        'Traceback (most recent call last):\n  File "/opt/load.py", line 3, in load\n'
        "yaml.parser.ParserError: while parsing a block mapping\n"
        '  in "ci.yml", line 45, column 5\nexpected <block end>, but found \'-\'\n  in "ci.yml", line 79, column 6\n'
    )
    assert telling is not None
    assert telling.message == (
        "yaml.parser.ParserError: while parsing a block mapping",
        "expected <block end>, but found '-'",
    )


def test_colours_are_no_part_of_a_message() -> None:
    telling = telling_of("\x1b[31mp.c:1: error: \x1b[0mexpected `)'\n")
    assert telling is not None and telling.message == ("expected `)'",)


def test_the_first_of_several_tests_that_fail_is_the_failure() -> None:
    first, second = (
        f"{'=' * 70}\nFAIL: test_{name} (tests.T)\n{'-' * 70}\nTraceback (most recent call last):\n"
        f'  File "/home/ann/tests.py", line {line}, in test_{name}\n    self.fail()\nAssertionError: {name}\n\n'
        for name, line in (("apple", 3), ("pear", 7))
    )
    telling = telling_of(first + second + "Ran 2 tests in 0.001s\n\nFAILED (failures=2)\n")
    assert telling is not None and telling.message == ("AssertionError: apple",)


def test_what_an_exception_says_in_an_indented_line_is_part_of_its_message() -> None:
    telling = telling_of(
        'Traceback (most recent call last):\n  File "/usr/lib/python3/configparser.py", line 9, in _read\n    raise e\n'
        "configparser.ParsingError: Source contains parsing errors: 'c.ini'\n\t[line  3]: '[b\\n'\n"
    )
    assert telling is not None
    assert telling.message[1:] == ("\t[line  3]: '[b\\n'",)
