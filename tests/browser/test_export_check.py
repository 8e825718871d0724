"""Exported tests are run before they are handed over: red with the bug for its reason, green without it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir

import pytest

from minrepro.browser.static_server import served
from tests.browser.conftest import SHOP
from tests.browser.node_tools import NODE
from tests.browser.shop_session import key
from tests.cli.command_line import CommandLine

FILES = {"pytest": "test_shop.py", "playwright": "shop.spec.ts", "puppeteer": "shop.js", "selenium": "test_shop.py"}


@pytest.fixture(scope="module")
def fixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The origin of a shop without the bug."""
    folder = tmp_path_factory.mktemp("fixed")
    for path in filter(Path.is_file, SHOP.iterdir()):
        text = path.read_text(encoding="utf-8").replace("if (shop.open && !fixed)", "if (false)")
        (folder / path.name).write_text(text, encoding="utf-8")
    with served(folder) as origin:
        yield origin


@pytest.fixture
def shell(tmp_path: Path) -> CommandLine:
    """A command line whose temporary files are where a browser's names for them are not too long."""
    line = CommandLine(tmp_path)
    line.environment["TMPDIR"] = gettempdir()
    line.environment.pop("NODE_PATH", None)
    return line


def shopping(url: str) -> str:
    """Return a session of the shop with a step of most kinds, and with selectors that find nothing."""
    steps = [
        {"type": "setViewport", "width": 1000, "height": 700},
        {"type": "navigate", "url": url},
        {"type": "change", "selectors": ["#gone", "#search"], "value": "te'a\"\\`${1}"},
        {"type": "change", "selectors": [["#search"]], "value": ""},
        *key("t"),
        *key("Backspace"),
        {"type": "hover", "selectors": ['aria/Empty the cart[role="button"]']},
        {"type": "scroll", "x": 0, "y": 5},
        {"type": "click", "selectors": ["#nothing", "aria/Open the catalogue"], "offsetX": 3, "offsetY": 3},
        {"type": "waitForElement", "selectors": ["pierce/#products > li"], "count": 5, "operator": "=="},
        {"type": "waitForExpression", "expression": "shop.open"},
        {"type": "click", "selectors": ["text/Empty the cart"], "anywhere": True},
    ]
    return json.dumps({"title": "the shop", "steps": steps})


@pytest.mark.parametrize("to", sorted(FILES))
def test_a_test_fails_with_the_bug_for_its_reason_and_passes_without_it(
    to: str, shop: str, fixed: str, shell: CommandLine
) -> None:
    shell.write("session.json", shopping(f"{shop}/"))
    (shell.folder / "node_modules").symlink_to(NODE)
    done = shell.run("web", "export", "session.json", "--to", to, "-o", FILES[to], "--fixed", fixed)
    assert done.status == 0, done.stderr
    assert f"the {to} test fails with the bug: error: TypeError" in done.stderr
    assert f"the {to} test passes at {fixed}" in done.stderr
    assert (shell.folder / FILES[to]).exists()


def test_a_test_that_stays_red_without_the_bug_is_not_written(shop: str, shell: CommandLine) -> None:
    shell.write("session.json", shopping(f"{shop}/"))
    done = shell.run("web", "export", "session.json", "--to", "pytest", "-o", "test_shop.py", "--fixed", shop)
    assert done.status != 0
    assert "also fails at the fixed address" in done.stderr
    assert not (shell.folder / "test_shop.py").exists()


def test_a_tool_that_is_missing_is_told(shop: str, shell: CommandLine) -> None:
    shell.write("session.json", shopping(f"{shop}/"))
    done = shell.run("web", "export", "session.json", "--to", "puppeteer", "-o", "shop.js")
    assert done.status == 0
    assert "was not run: puppeteer-core is not installed (npm install puppeteer-core)" in done.stderr
    assert Path(shell.folder / "shop.js").exists()
