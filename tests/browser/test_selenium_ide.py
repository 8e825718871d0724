"""Selenium IDE projects as recordings, and recordings as projects."""

from __future__ import annotations

import json

import pytest

from minrepro.browser.exports import export
from minrepro.browser.recording import parse
from minrepro.errors import InputError


def project(*commands: dict[str, object]) -> str:
    return json.dumps({"id": "1", "name": "shop", "url": "http://127.0.0.1:1", "tests": [{"commands": commands}]})


def command(name: str, target: str = "", value: str = "", **more: object) -> dict[str, object]:
    return {"command": name, "target": target, "value": value, **more}


def test_commands_become_steps() -> None:
    text = project(
        command("open", "/page.html"),
        command("setWindowSize", "800x600"),
        command("click", "id=open", targets=[["css=#open", "css:finder"], ["linkText=Open", "linkText"]]),
        command("type", "name=q", "tea"),
        command("sendKeys", "css=input", "a${KEY_ENTER}"),
        command("click", "id=skipped", skip=True),
        command("assertElementPresent", "xpath=//b"),
    )
    recording = parse(text, "shop.side")
    assert recording.url == "http://127.0.0.1:1/page.html"
    assert recording.opening[0] == {"type": "setViewport", "width": 800, "height": 600}
    assert [str(event) for event in recording.trace] == [
        'click [id="open"]',
        'change [name="q"]("tea")',
        "click input",
        "press a",
        "press Enter",
        "waitForElement xpath///b",
    ]
    assert recording.steps()[2]["selectors"] == ['[id="open"]', "#open", "text/Open"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (command("storeValue", "id=a", "b"), "'storeValue' is not supported"),
        (command("click", "somewhere"), "is not a locator"),
        (command("sendKeys", "id=a", "${KEY_NONE}"), "unknown key"),
        (command("setWindowSize", "big"), "is not a window size"),
    ],
)
def test_what_cannot_be_replayed_is_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse(project(command("open", "/"), given), "bad.side")


def test_an_exported_project_can_be_read_again() -> None:
    text = project(command("open", "/"), command("click", "css=#a"), command("type", "css=#b", "x"))
    again = parse(export(parse(text, "a"), "side"), "b")
    assert [str(event) for event in again.trace] == ["click #a", 'change #b("x")']


def test_frames_are_gone_into_and_out_of() -> None:
    commands = [
        {"command": "open", "target": "/"},
        {"command": "selectFrame", "target": "index=1"},
        {"command": "click", "target": "id=a"},
        {"command": "selectFrame", "target": "index=0"},
        {"command": "click", "target": "id=b"},
        {"command": "selectFrame", "target": "relative=parent"},
        {"command": "click", "target": "id=c"},
        {"command": "selectFrame", "target": "relative=top"},
        {"command": "click", "target": "id=d"},
    ]
    project = {"url": "http://127.0.0.1:1", "tests": [{"commands": commands}]}
    clicks = [step for step in parse(json.dumps(project), "p.side").steps() if step["type"] == "click"]
    assert [step.get("frame") for step in clicks] == [[1], [1, 0], [1], None]
