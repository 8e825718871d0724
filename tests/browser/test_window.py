"""Recording and slow replay in a real window, on a display of the test's own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from minrepro.browser.recording import read
from tests.browser.display import LISTENING, PATIENCE, display, tool, type_keys, until_there
from tests.browser.pages import Open, page
from tests.browser.shop_session import click
from tests.started import started

__all__ = ["display", "page"]


def test_what_a_user_does_in_a_window_is_recorded_until_it_is_closed(
    display: dict[str, str], page: Open, tmp_path: Path
) -> None:
    file, log = tmp_path / "session.json", tmp_path / "log.jsonl"
    command = [sys.executable, "-m", "minrepro", "web", "record", page(LISTENING).url, "-o", str(file)]
    command += ["--app-state", "{keys: keys.length}", "--log", str(log)]
    with started(command, env=display, stderr=subprocess.PIPE) as recording:
        assert recording.stderr is not None
        assert "close the window" in recording.stderr.readline()
        type_keys(display, until_there(display, "no focus|heard"), "Tab", "Return", "Tab", "t")
        tool(display, "key", "ctrl+w")
        _, said = recording.communicate(timeout=PATIENCE)
    assert recording.returncode == 0, said
    assert [event.name for event in read(file).trace] == ["press Tab", "press Enter", "press Tab", "press t"]
    states = [json.loads(line).get("state") for line in log.read_text(encoding="utf-8").splitlines()]
    assert states[0] == {"keys": 0}
    assert any(state and state["keys"] for state in states)


def test_a_session_is_replayed_slowly_in_a_window(display: dict[str, str], shop: str, tmp_path: Path) -> None:
    file = tmp_path / "session.json"
    steps = [{"type": "navigate", "url": f"{shop}/"}, click("#open"), click("#empty")]
    file.write_text(json.dumps({"steps": steps}), encoding="utf-8")
    command = [sys.executable, "-m", "minrepro", "web", "replay", str(file), "--headed"]
    with started(command, env=display, stdout=subprocess.PIPE) as replaying:
        until_there(display, "A small shop")
        said, _ = replaying.communicate(timeout=PATIENCE)
    assert replaying.returncode == 1
    assert "! error: TypeError" in said
