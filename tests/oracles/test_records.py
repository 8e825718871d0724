"""Diagnostics in JSON are read as those in lines."""

from __future__ import annotations

import json

from minrepro.oracles.records import readable

UNDEFINED = {"ruleId": "no-undef", "severity": 2, "message": "'fromat' is not defined.", "line": 85, "column": 34}
UNUSED = {"ruleId": "no-unused-vars", "severity": 1, "message": "'width' is never used.", "line": 9, "column": 3}


def test_each_diagnostic_is_a_line_and_the_source_beside_them_is_none() -> None:
    printed = json.dumps([{"filePath": "report.js", "messages": [UNUSED, UNDEFINED], "source": "fromat()\n" * 99}])
    assert readable(printed).splitlines() == [
        "warning: 'width' is never used. [no-unused-vars]",
        "error: 'fromat' is not defined. [no-undef]",
    ]


def test_diagnostics_of_one_line_each_are_read_beside_other_lines() -> None:
    printed = json.dumps({"level": "error", "message": "no such depot", "code": "E1"}) + "\nall seen\n"
    assert readable(printed).splitlines() == ["error: no such depot [E1]", "all seen"]


def test_a_message_may_be_a_record_of_its_own() -> None:
    result = {"ruleId": "R7", "level": "warning", "message": {"text": "a wide\nload"}}
    assert readable(json.dumps({"runs": [{"results": [result]}]})) == "warning: a wide load [R7]"


def test_other_output_stays_as_it_is() -> None:
    for text in ("plain\n", '{"total": 3}\n', "[1, 2\n", "{broken\n", '["message"]'):
        assert readable(text).strip() == text.strip()
