"""The recording of the terminal shows what the README shows."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from tools.record_terminal import PICTURE, recording

from tests.documentation.consoles import PROJECT


def texts(picture: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    return ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_recording_has_the_first_example_line_by_line() -> None:
    page = "words\n```console\n$ one <a>\ntwo & three\n$ four\n```\n```console\n$ five\n```\n"
    assert texts(recording(page)) == ["$ one <a>", "two & three", "$ four"]


def test_the_kept_recording_has_the_commands_of_the_readme() -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    first = re.search(r"^```console\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert first is not None
    shown = [line for line in texts(PICTURE.read_text(encoding="utf-8")) if line.startswith("$ ")]
    assert shown == [line for line in first[1].splitlines() if line.startswith("$ ")]
