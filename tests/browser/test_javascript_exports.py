"""Exported scripts are run where Node and their packages are: they fail with the bug and pass without it.

NODE_PATH, or a node_modules folder above, must have `puppeteer-core` and `@playwright/test`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from minrepro.browser.chromium import find_browser
from minrepro.browser.exports import FAILURE, export
from minrepro.browser.recorder_schema import RecorderStep
from minrepro.browser.recording import Recording, of_steps
from minrepro.errors import UsageError
from tests.browser.shop_session import click, key

FAILURES = {
    "error": "error: TypeError: Cannot read properties of undefined (reading 'length') in emptyCart",
    "predicate": "predicate: shop.open && shop.cart.length < 1 && !location.search.includes('fixed')",
}


def shopping(url: str, failure: str) -> Recording:
    """Return a session of the shop with a step of most kinds."""
    steps: list[RecorderStep] = [
        {"type": "setViewport", "width": 1000, "height": 700},
        {"type": "navigate", "url": url},
        {"type": "change", "selectors": ["#search"], "value": "tea"},
        {"type": "change", "selectors": [["#search"]], "value": ""},
        *key("t"),
        *key("Backspace"),
        {"type": "hover", "selectors": ['aria/Empty the cart[role="button"]']},
        {"type": "scroll", "x": 0, "y": 5},
        {"type": "click", "selectors": ["xpath///button[@id='open']"], "offsetX": 3, "offsetY": 3},
        {"type": "waitForElement", "selectors": ["pierce/#products > li"]},
        {"type": "waitForExpression", "expression": "shop.open"},
        {"type": "click", "selectors": ["text/Empty the cart"], "anywhere": True},
    ]
    return of_steps(steps, {"title": "the shop", FAILURE: FAILURES[failure]}, "session")


def node_has(package: str) -> bool:
    node = shutil.which("node")
    if node is None:
        return False
    asked = [node, "-e", f"require.resolve('{package}')"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def status(command: list[str], folder: Path) -> int:
    environment = {**os.environ, "CHROMIUM": find_browser(), "PYTEST_ADDOPTS": ""}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False).returncode


@pytest.mark.parametrize("failure", sorted(FAILURES))
def test_a_puppeteer_script_fails_with_the_bug_only(shop: str, tmp_path: Path, failure: str) -> None:
    if not node_has("puppeteer-core"):
        pytest.skip("there is no puppeteer-core for node")
    path = tmp_path / "script.js"
    for address, expected in ((f"{shop}/", 1), (f"{shop}/?fixed", 0)):
        path.write_text(export(shopping(address, failure), "puppeteer"), encoding="utf-8")
        assert status(["node", str(path)], tmp_path) == expected


def test_a_playwright_test_fails_with_the_bug_only(shop: str, tmp_path: Path) -> None:
    if not node_has("@playwright/test"):
        pytest.skip("there is no @playwright/test for node")
    options = f"{{ executablePath: '{find_browser()}', args: ['--no-sandbox'] }}"
    config = f"module.exports = {{ use: {{ launchOptions: {options} }}, reporter: 'line' }};\n"
    (tmp_path / "playwright.config.js").write_text(config, encoding="utf-8")
    asked = ["node", "-p", "require.resolve('@playwright/test/cli')"]
    cli = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    for address, expected in ((f"{shop}/", 1), (f"{shop}/?fixed", 0)):
        (tmp_path / "shop.spec.js").write_text(export(shopping(address, "error"), "playwright"), encoding="utf-8")
        assert status(["node", cli, "test"], tmp_path) == expected


def test_a_pytest_file_asks_for_a_predicate(shop: str, tmp_path: Path) -> None:
    path = tmp_path / "test_shop.py"
    for address, expected in ((f"{shop}/", 1), (f"{shop}/?fixed", 0)):
        path.write_text(export(shopping(address, "predicate"), "pytest"), encoding="utf-8")
        assert status([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)], tmp_path) == expected


def test_frames_are_gone_into_and_other_windows_are_refused() -> None:
    opening: RecorderStep = {"type": "navigate", "url": "http://127.0.0.1:1/"}
    framed = of_steps([opening, {**click("#a"), "frame": [1, 0]}, click("#b")], {}, "framed")
    assert "user.within([1, 0])" in export(framed, "pytest")
    assert "here = within(page, [1, 0]);" in export(framed, "puppeteer")
    window = of_steps([opening, {**click("#a"), "target": "http://127.0.0.1:1/help"}], {}, "window")
    with pytest.raises(UsageError, match="another window"):
        export(window, "playwright")
    assert export(window, "recorder")
