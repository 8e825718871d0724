"""What belongs to a message of several lines."""

from __future__ import annotations

import pytest

from minrepro.oracles.diagnostics import Context
from minrepro.oracles.headlines import is_told_again, with_details
from minrepro.oracles.kinds import read_lines

CONTEXT = Context.of(b"", ["depot.test.js"])


@pytest.mark.parametrize(
    ("printed", "wanted"),
    [
        pytest.param(
            "● depot › is sorted\n\n    expect(received).toBe(expected)\n\n    Expected: 26\n    Received: 14\n",
            ["    Expected: 26", "    Received: 14", "● depot › is sorted"],
            id="what a test expected and got",
        ),
        pytest.param(
            "● depot › is sorted\n\n    no depot\n\n● depot › is open\n\n    Expected: 26\n    Received: 14\n",
            ["● depot › is sorted"],
            id="not what the next test expected",
        ),
        pytest.param(
            "Failed example:\n    depot(3)\nExpected:\n    20\nGot:\n    21\n",
            ["    depot(3)", "    20", "    21", "Failed example:"],
            id="what a test expected and got, below these words",
        ),
        pytest.param(
            "--- FAIL: TestClamp (0.00s)\n    depot_test.go:8: clamp is used\n    depot_test.go:11: too high\nFAIL\n",
            ["    depot_test.go:8: clamp is used", "    depot_test.go:11: too high", "--- FAIL: TestClamp (0.00s)"],
            id="what a test logs first and what it fails with last",
        ),
        pytest.param(
            "./main.go:9:3: cannot use Crate{…} as type Box:\n\tCrate does not implement Box (wrong method)\n",
            ["\tCrate does not implement Box (wrong method)", "./main.go:9:3: cannot use Crate{…} as type Box:"],
            id="the reason behind a tab",
        ),
        pytest.param(
            "java.io.IOException: no depot:\n\tat Main.main(Main.java:3)\n",
            ["java.io.IOException: no depot:"],
            id="no frame behind a tab",
        ),
        pytest.param(
            "Bob has a password        | FAIL |\nNo keyword with name 'Lenght' found.\n",
            ["No keyword with name 'Lenght' found.", "Bob has a password        | FAIL |"],
            id="below a verdict",
        ),
        pytest.param(
            "Unhandled UNDEFINED-FUNCTION in thread #<THREAD\n      {10013}>:\n  COUNT is undefined.\n",
            ["  COUNT is undefined.", "Unhandled UNDEFINED-FUNCTION in thread #<THREAD"],
            id="below a headline that is wrapped",
        ),
    ],
)
def test_a_headline_comes_with_what_says_more(printed: str, wanted: list[str]) -> None:
    assert with_details(read_lines(printed), 0, CONTEXT) == wanted


def test_a_test_that_is_only_listed_is_told_again_where_it_is_explained() -> None:
    lines = read_lines("  ✕ is sorted (3 ms)\n  ✕ is open\n\n  ● depot › is sorted\n")
    assert [is_told_again(line, lines[number + 1 :]) for number, line in enumerate(lines[:2])] == [True, False]
