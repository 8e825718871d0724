"""Exports: each form has all steps, and what is in a recording cannot break out of a script."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from minrepro.browser.exports import EXPORTS, FAILURE, export
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording, of_steps, parse
from minrepro.browser.script_calls import message_of
from minrepro.errors import UsageError

NASTY = """it's "quoted" \\ `${1}` */ \n</script>"""


@pytest.fixture
def recording() -> Recording:
    steps: list[RecorderStep] = [
        {"type": "navigate", "url": "http://127.0.0.1:1/"},
        {"type": "click", "selectors": [["#a"]], "offsetX": 1, "offsetY": 2, "button": "secondary"},
        {"type": "change", "selectors": ['aria/Name[role="textbox"]'], "value": NASTY},
        {"type": "keyDown", "key": "Enter"},
        {"type": "keyUp", "key": "Enter"},
        {"type": "customStep", "name": "drag", "parameters": {"from": ["#a"], "to": ["xpath///b"]}},
        {"type": "scroll", "x": 0, "y": 50},
    ]
    return of_steps(steps, {"title": NASTY, FAILURE: "error: TypeError: a (reading '#') in f"}, "r")


def test_the_pytest_file_is_python_with_all_steps(recording: Recording) -> None:
    text = export(recording, "pytest")
    tree = ast.parse(text)
    calls = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert f"user.fill('role=textbox[name=\"Name\"]', {NASTY!r})" in calls
    assert "user.drag('#a', 'xpath=//b')" in calls
    assert "user.click('#a', 1, 2, 'right', 1)" in calls


@pytest.mark.parametrize("to", ["playwright", "puppeteer"])
def test_the_scripts_are_javascript(recording: Recording, to: str, tmp_path: Path) -> None:
    text = export(recording, to)
    assert json.dumps(NASTY, ensure_ascii=False) in text
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to read them")
    path = tmp_path / "script.js"
    path.write_text(text, encoding="utf-8")
    assert subprocess.run([node, "--check", str(path)], capture_output=True, check=False).returncode == 0


def test_recorder_json_comes_back_as_it_was(recording: Recording) -> None:
    assert parse(export(recording, "recorder"), "again").steps() == recording.steps()


def test_the_text_is_for_people(recording: Recording) -> None:
    lines = export(recording, "text").splitlines()
    assert lines[:2] == ["1. open http://127.0.0.1:1/", "2. right-click #a"]
    assert lines[-1] == "Failure: error: TypeError: a (reading '#') in f"


def test_an_unknown_form_is_refused(recording: Recording) -> None:
    with pytest.raises(UsageError, match="choose from recorder"):
        export(recording, "fax")
    assert set(EXPORTS) == {"recorder", "pytest", "playwright", "puppeteer", "side", "text"}


def test_the_message_in_a_signature_is_found_whatever_its_numbers_are() -> None:
    pattern = message_of("error: TypeError: row # of URL (reading '#') in f < g")
    assert re.search(pattern, "TypeError: row 17 of http://127.0.0.1/a.js (reading '0')")
    assert not re.search(pattern, "TypeError: something else")
