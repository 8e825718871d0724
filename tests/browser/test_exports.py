"""Exports: each form has all steps, nothing in a recording breaks out of a script, and tests name their failure."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from minrepro.browser.exports import EXPORTS, FAILURE, LANGUAGES, Replayed, export
from minrepro.browser.failure_patterns import pattern
from minrepro.browser.page_failures import PageFailure
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording, of_steps, parse
from minrepro.errors import UsageError

NASTY = """it's "quoted" \\ `${1}` */ \n</script> 🙂 $calls %% é"""


@pytest.fixture
def recording() -> Recording:
    steps: list[RecorderStep] = [
        {"type": "navigate", "url": "http://127.0.0.1:1/shop?q=1"},
        {"type": "click", "selectors": [["#a"]], "offsetX": 1, "offsetY": 2, "button": "secondary"},
        {"type": "change", "selectors": ['aria/Name[role="textbox"]', "#name"], "value": NASTY},
        {"type": "keyDown", "key": "Enter"},
        {"type": "keyUp", "key": "Enter"},
        {"type": "click", "selectors": ["#ask"], "anywhere": True, "dialogs": [{"accept": True, "text": "Ann"}]},
        {"type": "customStep", "name": "drag", "parameters": {"from": ["#a"], "to": ["xpath///b"]}},
        {"type": "scroll", "x": 0, "y": 50},
        {"type": "navigate", "url": "http://127.0.0.1:1/shop", "history": "back"},
        {"type": "click", "selectors": ["#b"], "frame": [1, 0], "anywhere": True},
        {"type": "click", "selectors": ["#c"], "target": "http://127.0.0.1:1/help", "anywhere": True},
    ]
    return of_steps(steps, {"title": NASTY, FAILURE: "error: TypeError: a (reading '#') in f"}, "r")


@pytest.mark.parametrize("to", ["pytest", "selenium"])
def test_the_python_tests_have_all_steps(recording: Recording, to: str) -> None:
    calls = [ast.unparse(node) for node in ast.walk(ast.parse(export(recording, to))) if isinstance(node, ast.Call)]
    words = {"pytest": "'role=textbox[name=\"Name\"]'", "selenium": "[['css', '#name']]"}
    assert f"user.fill({words[to]}, {NASTY!r})" in calls
    assert "user.go(BASE + '/shop?q=1')" in calls
    assert "user.answers.append((True, 'Ann'))" in calls
    assert "user.history('back')" in calls
    assert "user.within([1, 0], None)" in calls
    assert "user.within([], BASE + '/help')" in calls
    assert len([call for call in calls if call.startswith("user.") and "rest" not in call]) >= 14


@pytest.mark.processes
@pytest.mark.parametrize("to", ["playwright", "puppeteer"])
def test_the_scripts_are_javascript(recording: Recording, to: str, tmp_path: Path) -> None:
    text = export(recording, to)
    if to == "playwright":  # what this node cannot read: the types
        text = re.sub(r"(?s)^.*?(?=\ntest\()", "const test = 1, REST = 1, User = 1, expect = 1;", text)
    path = tmp_path / "script.js"
    path.write_text(text, encoding="utf-8")
    assert subprocess.run(["node", "--check", str(path)], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("to", sorted(LANGUAGES))
def test_a_test_brings_only_the_helpers_that_it_uses(to: str) -> None:
    steps: list[RecorderStep] = [{"type": "navigate", "url": "http://127.0.0.1:1/"}, {"type": "close"}]
    text = export(of_steps(steps, {}, "r"), to)
    assert "close(" in text
    assert not re.search(r"\b(upload|drag|wheel|paste|history)\(", text)


def test_recorder_json_comes_back_as_it_was(recording: Recording) -> None:
    assert parse(export(recording, "recorder"), "again").steps() == recording.steps()


def test_the_text_is_for_people(recording: Recording) -> None:
    lines = export(recording, "text").splitlines()
    assert lines[:2] == ["1. open http://127.0.0.1:1/shop?q=1", "2. right-click #a"]
    assert lines[-1] == "Failure: error: TypeError: a (reading '#') in f"


def test_an_unknown_form_is_refused(recording: Recording) -> None:
    with pytest.raises(UsageError, match="choose from recorder"):
        export(recording, "fax")
    assert set(EXPORTS) == {"recorder", "pytest", "playwright", "puppeteer", "selenium", "side", "text"}


def test_a_signature_is_found_whatever_its_numbers_are_and_in_its_function_only() -> None:
    found = pattern("error: TypeError: row # of URL (reading '#') in f < g")
    assert re.search(found, "TypeError: row 17 of http://127.0.0.1/a.js (reading '0') in f < g")
    assert not re.search(found, "TypeError: row 17 of http://127.0.0.1/a.js (reading '0') in f < h")
    assert not re.search(found, "TypeError: row x of http://127.0.0.1/a.js (reading '0') in f < g")
    assert not re.search(found, "TypeError: something else")


def test_a_failure_that_was_seen_is_named_exactly() -> None:
    seen = PageFailure("error", "Error: #1 of URL (a.b*) [c]", ("f",))
    found = pattern(seen.signature, seen)
    assert re.search(found, "Error: #2 of URL (a.b*) [c] in f")
    assert not re.search(found, "Error: 12 of URL (a.b*) [c] in f")
    assert not re.search(found, "Error: #2 of http://a (a.b*) [c] in f")
    assert repr(found)[1:-1] in export(
        of_steps([{"type": "navigate", "url": "http://a/"}], {FAILURE: seen.signature}, "r"), "pytest", Replayed(seen)
    )
