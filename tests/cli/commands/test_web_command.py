"""`minrepro web`: a session in, a shorter one out, and bad input in a line or two."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from itertools import count
from pathlib import Path

import pytest

from minrepro.browser.recording import read
from minrepro.browser.session_replay import Replayer
from minrepro.browser.static_server import served
from minrepro.cli.main import main
from minrepro.core.verdicts import Verdict
from minrepro.errors import ExecutorLost, JournalError
from minrepro.runs.history.journal import journals_in
from minrepro.runs.history.recorded_run import read_story
from minrepro.traces.user_events import Trace
from tests.browser.conftest import SHOP
from tests.browser.shop_session import click, session
from tests.started import started


@pytest.mark.browser
def test_a_session_is_reduced_replayed_and_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with served(SHOP) as origin:
        path, small = tmp_path / "session.json", tmp_path / "small.json"
        path.write_text(session("http://127.0.0.1:1/").text(), encoding="utf-8")
        words = ["web", "reduce", str(path), "--base-url", origin, "-o", str(small), "--json", "-q"]
        assert main([*words, "--report", str(tmp_path / "at.md"), "--state-dir", str(tmp_path / "state")]) == 0
        assert main(["report", str(tmp_path / "state"), "-o", str(tmp_path / "later.md"), "-q"]) == 0
        for report in ("at.md", "later.md"):
            told = (tmp_path / report).read_text()
            assert "44 → 2 events" in told and small.read_text().strip() in told and "error: TypeError" in told
            assert "run `minrepro web replay session.json`" in told
        summary = json.loads(capsys.readouterr().out)
        assert (summary["events_before"], summary["events_after"], summary["finished"]) == (44, 2, True)
        assert main(["web", "replay", str(small)]) == 1
        shown = capsys.readouterr().out
        assert "click #open" in shown and "! error: TypeError" in shown
    assert main(["web", "export", str(small), "--to", "text"]) == 0
    assert "Failure: error: TypeError" in capsys.readouterr().out


@pytest.mark.browser
def test_a_reduction_that_loses_the_browser_keeps_the_best_so_far_and_says_so_by_its_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried, replays = Replayer.tried, count(1)

    def tried_until_the_browser_is_lost(replayer: Replayer, trace: Trace) -> Verdict:
        if next(replays) > 4:
            raise ExecutorLost("the browser keeps exiting")
        return tried(replayer, trace)

    monkeypatch.setattr(Replayer, "tried", tried_until_the_browser_is_lost)
    with served(SHOP) as origin:
        path, small = tmp_path / "session.json", tmp_path / "small.json"
        path.write_text(session(origin).text(), encoding="utf-8")
        assert main(["web", "reduce", str(path), "-o", str(small), "--json", "-q", "-j", "1"]) == 3
    summary = json.loads(capsys.readouterr().out)
    assert (summary["stop_reason"], summary["finished"]) == ("the browser keeps exiting", False)
    assert len(read(small).trace) == summary["events_after"] >= 2


@pytest.mark.browser
def test_a_reduction_that_is_killed_is_resumed_without_replaying_what_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, small = tmp_path / "session.json", tmp_path / "small.json"
    with served(SHOP) as origin:
        path.write_text(session(f"{origin}/").text(), encoding="utf-8")
        words = ["web", "reduce", str(path), "-o", str(small), "--json", "-q", "-j", "1"]
        assert main(words) == 0
        calm, undisturbed = json.loads(capsys.readouterr().out), small.read_bytes()
        small.unlink()
        words += ["--state-dir", str(tmp_path / "state")]
        killed = subprocess.Popen([sys.executable, "-m", "minrepro", *words], stdout=subprocess.DEVNULL)
        while len(steps := recorded(tmp_path / "state")) < 3:
            assert killed.poll() is None
        killed.kill()
        killed.wait()
        assert small.exists()  # the best so far is on disk
        assert main([*words, "--resume"]) == 0
    resumed = json.loads(capsys.readouterr().out)
    assert resumed["reused_from_journal"] >= len(steps)
    assert (resumed["kept"], resumed["finished"], small.read_bytes()) == (calm["kept"], True, undisturbed)


def recorded(folder: Path) -> list[object]:
    """Return the steps that the newest journal in a folder tells of; none before the first is there."""
    journals = journals_in(folder)
    try:
        return list(read_story(journals[-1])[0].steps) if journals else []
    except JournalError:
        return []


@pytest.mark.browser
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["reduce", "missing.json"], "cannot read"),
        (["reduce", "bad.json"], "not JSON"),
        (["reduce", "good.json", "--browser", "no-such-browser"], "no browser"),
        (["reduce", "good.json"], "cannot open"),
        (["replay", "good.json", "--base-url", "nonsense"], "is not an address such as"),
        (["record", "http://127.0.0.1:9/", "-o", "x.json", "--log", "y"], "--log requires --app-state"),
        (["replay", "good.json", "--base-url", "ftp://127.0.0.1"], "is not an address such as"),
        (["record", "http://127.0.0.1:9/", "-o", "x.json"], "no display"),
        (["explore", "http://127.0.0.1:9/", "-o", "bad.json"], "cannot create directory"),
        (["explore", "http://127.0.0.1:9/", "-o", "sessions"], "cannot open"),
        (["explore", "http://nowhere.invalid/", "-o", "sessions"], "net::ERR_NAME_NOT_RESOLVED"),
        (["ui", "bad.json/work", "--no-open"], "cannot create directory"),
        (["ui", "work", "--no-open", "--host", "192.0.2.1"], "cannot listen on"),
        (["reduce", "good.json", "--browser", "true"], "cannot start"),
    ],
)
def test_bad_input_is_explained_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    Path("bad.json").write_text("{", encoding="utf-8")
    steps = [{"type": "navigate", "url": "http://127.0.0.1:9/"}, click("#a")]
    Path("good.json").write_text(json.dumps({"steps": steps}), encoding="utf-8")
    assert main(["web", *words]) == 2
    assert said in capsys.readouterr().err


def test_without_a_browser_the_package_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "good.json"
    steps = [{"type": "navigate", "url": "http://127.0.0.1:9/"}, click("#a")]
    path.write_text(json.dumps({"steps": steps}), encoding="utf-8")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["web", "reduce", str(path)]) == 2
    assert "apt install chromium" in capsys.readouterr().err


@pytest.mark.processes
def test_the_debugger_is_served_at_the_address_that_is_printed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "minrepro", "web", "ui", str(tmp_path / "work"), "--no-open"]
    with started(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().rpartition(" ")[2].strip()
            with urllib.request.urlopen(address, timeout=60) as answer:
                assert "<title>minrepro" in answer.read().decode()
            with pytest.raises(urllib.error.HTTPError):
                urllib.request.urlopen(address.partition("?")[0], timeout=60)
        finally:
            server.terminate()
