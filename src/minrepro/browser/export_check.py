"""Runs exported tests before they are handed over: red with the bug, for its reason, and green without it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from minrepro.browser.chromium import find_browser
from minrepro.browser.exports import FAILURE, Replayed, export, failure_of
from minrepro.browser.recording import Recording, of_steps
from minrepro.browser.replay_page import ReplayPage
from minrepro.browser.session_replay import Replayer
from minrepro.browser.session_units import steps_of
from minrepro.errors import NotFailing, UsageError
from minrepro.traces.user_events import Event

OCCURRED = "the failure occurred: "
"""What every exported test says when it fails for its reason."""
_LONGEST = 180.0


def replayed(replayer: Replayer, wanted: str | None = None) -> tuple[Recording, Replayed]:
    """Replay a session, and return it with the selectors that found its elements, and what a test must know of it."""
    recording = replayer.recording
    failure = replayer.choose(wanted or failure_of(recording) or None)
    found: dict[int, list[list[str | list[str]]]] = {}

    async def after(number: int, event: Event | None, tab: ReplayPage) -> None:
        found[number], tab.ways = tab.ways or [], []

    seen = replayer.observe(recording.trace, after=after)
    exact = next((other for other in seen.failures if other.signature == failure.signature), failure)
    steps = list(recording.opening)
    for number, event in enumerate(recording.trace, 1):
        ways = iter(found.get(number, []))
        steps += [_with_ways(step, ways) for step in steps_of(event)]
    head = {**recording.head, FAILURE: failure.signature}
    made = replace(of_steps(steps, head, recording.name), before=recording.before)
    return made, Replayed(exact, replayer.manners.timer, replayer.manners.late * 1.5 + 0.5)


def _with_ways(step: dict[str, Any], ways: Any) -> dict[str, Any]:
    """Return a step with all ways to its element, the one that found it first."""
    if step["type"] in ("click", "doubleClick", "hover", "change"):
        return {**step, "selectors": next(ways, step["selectors"])}
    given = step.get("parameters") or {}
    names = [name for name in ("from", "at", "to") if name in given]
    if step["type"] == "customStep" and names:
        return {**step, "parameters": {**given, **{name: next(ways, given[name]) for name in names}}}
    return step


@dataclass(frozen=True)
class Tested:
    """An exported test, and what is told of how it was run."""

    text: str
    told: tuple[str, ...]


def tested(
    replayer: Replayer, to: str, near: Path, fixed: str | None, wanted: str | None = None, browser: str | None = None
) -> Tested:
    """Return a test for a session that was run: red with the bug for its reason, and green where that is fixed."""
    if replayer.stored:
        raise UsageError("an exported test cannot start with a storageState\nhint: use a recorded login for --before")
    right, shown = replayed(replayer, wanted)
    text, check = export(right, to, shown), check_for(to, near)
    if isinstance(check, str):
        return Tested(text, (f"warning: the test was not run: {check}",))
    told = []
    for base in ("", *([fixed] if fixed else [])):
        replayer.reset_server()
        refuse_unless_right(run(text, to, check, near, base, browser), to, fixed=bool(base))
        what = f"passes at {base}" if base else f"fails with the bug: {failure_of(right)}"
        told.append(f"the {to} test {what}")
    return Tested(text, tuple(told))


@dataclass(frozen=True)
class Check:
    """How an exported test is run."""

    command: tuple[str, ...]
    file: str
    setup: Mapping[str, str]
    """Other files that are beside it."""


def check_for(to: str, near: Path) -> Check | str:
    """Return how a test of this form is run here, or why it cannot be."""
    if to in ("pytest", "selenium"):
        asked = "import pytest, playwright" if to == "pytest" else "import pytest, selenium"
        if subprocess.run([sys.executable, "-c", asked], capture_output=True, check=False).returncode:
            return f"{asked.removeprefix('import ')} are not installed (pip install {asked.split()[-1]} pytest)"
        if to == "selenium" and shutil.which("chromedriver") is None:
            return "chromedriver is not installed (apt install chromium-driver)"
        command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=.", "test_session.py")
        return Check(command, "test_session.py", {"pytest.ini": "[pytest]\naddopts =\n"})
    package = "@playwright/test" if to == "playwright" else "puppeteer-core"
    node, modules = shutil.which("node"), node_modules(near, package)
    if node is None:
        return "node is not installed (apt install nodejs)"
    if modules is None:
        return f"{package} is not installed (npm install {package})"
    if to == "puppeteer":
        return Check((node, "session.js"), "session.js", {})
    config = "module.exports = { testDir: '.', reporter: 'line', retries: 0, timeout: 120000 };\n"
    cli = str(modules / "@playwright" / "test" / "cli.js")
    return Check((node, cli, "test"), "session.spec.ts", {"playwright.config.js": config})


def node_modules(near: Path, package: str) -> Path | None:
    """Return the folder of node packages that has one, from a folder upwards, then from NODE_PATH."""
    here = near.resolve()
    folders = [place / "node_modules" for place in (here, *here.parents)]
    folders += [Path(place) for place in os.environ.get("NODE_PATH", "").split(os.pathsep) if place]
    return next((folder for folder in folders if (folder / package).is_dir()), None)


def run(text: str, to: str, check: Check, near: Path, base: str = "", browser: str | None = None) -> tuple[int, str]:
    """Run a test at a base address, and return its status with what it said."""
    with tempfile.TemporaryDirectory(prefix="minrepro-export-") as folder:
        for name, content in {check.file: text, **check.setup}.items():
            (Path(folder) / name).write_text(content, encoding="utf-8")
        package = "@playwright/test" if to == "playwright" else "puppeteer-core"
        modules = node_modules(near, package) if to in ("playwright", "puppeteer") else None
        if modules is not None:
            (Path(folder) / "node_modules").symlink_to(modules)
        environment = {**os.environ, "CHROMIUM": find_browser(browser, headed=to == "selenium"), "PYTEST_ADDOPTS": ""}
        environment |= {"BASE_URL": base} if base else {}
        environment.pop("PYTEST_CURRENT_TEST", None)
        try:
            done = subprocess.run(
                check.command, cwd=folder, env=environment, capture_output=True, timeout=_LONGEST, check=False
            )
        except subprocess.TimeoutExpired:
            return 124, f"not finished after {_LONGEST:g} seconds"
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def reason(said: str) -> str:
    """Return the line of a test's output that says why it failed."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    marks = ("Error", "error", "no visible element", "timed out", "not finished")
    return next((line for line in lines if any(mark in line for mark in marks)), lines[-1] if lines else "")[:300]


def refuse_unless_right(told: tuple[int, str], to: str, fixed: bool) -> None:
    """Say what is wrong with an exported test that does not fail for its reason, or fails without the bug."""
    status, said = told
    if fixed and status:
        raise NotFailing(
            f"the {to} test also fails at the fixed address: {reason(said)}\n"
            "hint: is the bug fixed there? --no-run writes the test as it is"
        )
    if not fixed and (status == 0 or OCCURRED not in said):
        what = "passes, although the bug is there" if status == 0 else f"fails for another reason: {reason(said)}"
        raise NotFailing(f"the {to} test {what}\nhint: --no-run writes it as it is, unchecked")
