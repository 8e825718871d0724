"""Recordings of Playwright's own recorder are read as steps."""

from __future__ import annotations

import json

import pytest

from minrepro.browser.recording import parse
from minrepro.errors import InputError

OPTIONS = {"browserName": "chromium", "launchOptions": {}, "contextOptions": {}}


def written(*actions: dict[str, object]) -> str:
    return "\n".join(json.dumps(line) for line in (OPTIONS, *actions)) + "\n"


def test_actions_become_steps() -> None:
    recording = parse(
        written(
            {"name": "openPage", "url": "about:blank", "pageGuid": "p"},
            {"name": "navigate", "url": "http://127.0.0.1:1/", "pageGuid": "p"},
            {"name": "click", "selector": 'internal:role=button[name="Open \\"it\\""i]', "button": "left"},
            {"name": "fill", "selector": 'internal:label="Search"i', "text": "tea"},
            {"name": "press", "selector": 'internal:label="Search"i', "key": "a", "modifiers": 2},
            {"name": "click", "selector": '#list >> internal:text="Add"i', "clickCount": 2},
            {"name": "select", "selector": "select", "options": ["x"]},
            {"name": "closePage", "pageGuid": "p"},
        ),
        "actions.jsonl",
    )
    steps = [step for step in recording.steps() if step["type"] != "navigate"]
    assert [step["type"] for step in steps] == [
        "click", "change", "keyDown", "keyDown", "keyUp", "keyUp", "doubleClick", "change",
    ]  # fmt: skip
    assert steps[0]["selectors"] == ['aria/Open "it"[role="button"]']
    assert steps[1]["selectors"] == ["aria/Search"]
    assert steps[6]["selectors"] == [["#list", "text/Add"]]


def test_what_cannot_be_replayed_is_refused_with_its_line() -> None:
    with pytest.raises(InputError, match="line 2: 'setInputFiles' is not supported"):
        parse(written({"name": "setInputFiles", "selector": "input", "files": ["a"]}), "a.jsonl")
    with pytest.raises(InputError, match="line 2: the selector 'nth=3' is not supported"):
        parse(written({"name": "click", "selector": "li >> nth=3"}), "a.jsonl")
