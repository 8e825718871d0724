"""The page about a run, opened in a real browser; the text of a bug report; explanations on the terminal."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.node_tools import NODE
from tests.cli.command_line import CommandLine

BROWSERS = ("chromium", "chromium-headless-shell", "google-chrome")
BROWSER = next((path for path in map(shutil.which, BROWSERS) if path), None)
NARROW = {"width": 390, "height": 844}
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
SOURCE = """\
#include <stdio.h>

struct point { int x; int y; };

/* adds */
static int add(int one, int other) { return one + other; }

int main(void) {
    struct point here = { 1, 2 };
    printf("%d\\n", add(here.x, here.y));
    crash(42, "some text");
    return 0;
}
"""
TOOL = """\
if grep -Eq 'crash\\([0-9]+' "$1"; then echo 'tool.c:9: parse: Assertion `depth < 3'"'"' failed.' >&2; kill -ABRT $$; fi
"""


@pytest.fixture
def tool(shell: CommandLine) -> CommandLine:
    shell.write("bug.c", SOURCE)
    shell.check(TOOL, "tool")
    return shell


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if BROWSER is None:
        pytest.skip("there is no Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS.split())
        yield chromium
        chromium.close()


def opened(browser: Any, path: Path, **how: Any) -> tuple[Any, list[str]]:
    """Open a page without a network, and return it with all that goes wrong there."""
    context = browser.new_context(offline=True, **{"viewport": {"width": 1100, "height": 900}, **how})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(path.as_uri())
    return page, wrong


def drawn(page: Any) -> int:
    """Return how many different colours the curve has."""
    return int(
        page.evaluate(
            """() => { const c = document.querySelector("#chart canvas");
            const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, seen = new Set();
            for (let i = 0; i < d.length; i += 4) seen.add([d[i], d[i + 1], d[i + 2], d[i + 3]].join());
            return seen.size; }"""
        )
    )


def make_file(tool: CommandLine) -> Path:
    done = tool.run("reduce", "bug.c", "--report", "report.html", "--", "./tool", "@@")
    assert done.status == 0, done.stderr
    return tool.folder / "report.html"


def make_check(tool: CommandLine) -> Path:
    tool.check('grep -q "crash" "$1"')
    done = tool.run("reduce", "./check.sh", "bug.c", "--units", "lines", "--algorithm", "ddmin")
    assert done.status == 0, done.stderr
    done = tool.run("report", "bug.c.minrepro", "-o", "report.html", "--explain")
    assert done.status == 0, done.stderr
    return tool.folder / "report.html"


def make_folder(tool: CommandLine) -> Path:
    folder = tool.folder / "project"
    folder.mkdir()
    (folder / "bug.c").write_text(SOURCE)
    (folder / "notes.txt").write_text("nothing\n" * 30)
    done = tool.run("reduce", "project", "--report", "report.html", "--", "./tool", "project/bug.c")
    assert done.status == 0, done.stderr
    return tool.folder / "report.html"


@pytest.mark.parametrize("make", [make_file, make_check, make_folder])
def test_the_page_shows_the_run_and_answers_to_the_mouse(tool: CommandLine, browser: Any, make: Any) -> None:
    page, wrong = opened(browser, make(tool))
    assert "crash" in page.locator("#result").inner_text()
    assert not page.locator("#whole").is_visible()
    assert "add(int one" not in page.content()
    assert drawn(page) > 3
    page.select_option("#axis", "seconds")
    assert "seconds" in page.locator("#chart").inner_text() + page.evaluate("data.seconds_mean")
    assert drawn(page) > 3
    steps = int(page.get_attribute("#slider", "max"))
    assert steps >= 1
    texts = set()
    for number in range(1, steps + 1):
        page.locator("#slider").fill(str(number))
        assert f"step {number} of {steps}" in page.locator("#step").inner_text()
        assert page.locator("#diff del, #diff ins").count() > 0
        texts.add(page.locator("#diff").inner_text())
    assert len(texts) == steps
    assert page.evaluate(f"contentAt({steps})") == page.evaluate("data.result")
    page.locator("#result .part").first.hover()
    assert re.search(r"\n(Without it|Can be|Not needed)", page.locator("#tip").inner_text())
    assert page.locator("#result pre").first.inner_text().strip() in page.evaluate("data.result")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#passes tr").count() > 1
    assert "minrepro" in page.locator("#environment").inner_text()
    assert wrong == []


@pytest.mark.parametrize("make", [make_file, make_folder])
@pytest.mark.parametrize("how", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"viewport": NARROW}], ids=str)
def test_everybody_can_read_the_page(tool: CommandLine, browser: Any, make: Any, how: dict[str, Any]) -> None:
    axe = NODE / "axe-core" / "axe.min.js"
    if not axe.exists():
        pytest.skip("axe-core is not installed")
    page, wrong = opened(browser, make(tool), **how)
    page.evaluate(axe.read_text("utf-8"))
    found = page.evaluate("axe.run().then((found) => found.violations.map((one) => [one.id, one.nodes[0].html]))")
    assert found == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert wrong == []


def test_the_page_can_be_used_without_a_mouse(tool: CommandLine, browser: Any) -> None:
    page, wrong = opened(browser, make_file(tool))
    page.locator("#result pre").first.focus()
    seen = set()
    for _ in range(page.locator("#result .part").count()):
        page.keyboard.press("ArrowRight")
        seen.add(page.locator("#tip").inner_text())
    assert len(seen) >= 3
    page.keyboard.press("Escape")
    assert not page.locator("#tip").is_visible()
    page.locator("#slider").focus()
    page.keyboard.press("ArrowRight")
    assert "step 1 of" in page.locator("#step").inner_text()
    assert wrong == []


def test_what_is_copied_reproduces_the_failure(tool: CommandLine, browser: Any) -> None:
    page, wrong = opened(browser, make_file(tool))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".copy[data-from=reproduce]").click()
    page.get_by_text("Copied").wait_for()
    commands = page.evaluate("navigator.clipboard.readText()")
    done = subprocess.run(["sh", "-c", commands], cwd=tool.folder, capture_output=True, text=True, check=False)
    assert "Assertion `depth < 3' failed" in done.stderr
    assert (tool.folder / "bug.c").read_text() != SOURCE
    assert wrong == []


def test_the_original_is_handed_over_only_on_request(tool: CommandLine, browser: Any) -> None:
    tool.write("bug.c", SOURCE + "/* ann.miller@shop-online.de wrote this */\n")
    words = ("reduce", "bug.c", "--report", "r.html", "--report", "r.md")
    assert tool.run(*words, "--", "./tool", "@@").status == 0
    texts = [(tool.folder / name).read_text() for name in ("r.html", "r.md")]
    assert all("miller" not in text and "printf" not in text for text in texts)
    done = tool.run(*words, "--with-original", "--", "./tool", "@@")
    assert "warning: the report shows what looks private:\n  original, line 14: e-mail address ann.…\n" in done.stderr
    page, wrong = opened(browser, tool.folder / "r.html")
    assert "miller" in page.locator("#original").inner_text()
    assert "miller" in page.evaluate("data.first")
    assert wrong == []


def test_what_looks_private_in_the_result_is_said_before_the_report_is_written(tool: CommandLine) -> None:
    tool.write("bug.c", SOURCE.replace("some text", "ann.miller@shop-online.de"))
    tool.check('grep -qF "ann.miller@shop-online.de" "$1"')
    done = tool.run("reduce", "./check.sh", "bug.c", "--report", "r.md", "-q")
    assert re.fullmatch(
        r"minrepro: warning: the report shows what looks private:\n  bug.min.c, line 1: e-mail address ann.…\n",
        done.stderr,
    )
    told = tool.run("report", "bug.c.minrepro", "-o", "r.html").stderr
    assert told.index("looks private") < told.index("minrepro: report: ")


def test_the_page_is_light_or_dark_and_can_be_printed(tool: CommandLine, browser: Any) -> None:
    path = make_file(tool)
    back = "getComputedStyle(document.body).backgroundColor"
    light, wrong = opened(browser, path, color_scheme="light")
    dark, also_wrong = opened(browser, path, color_scheme="dark")
    assert light.evaluate(back) == "rgb(255, 255, 255)" != dark.evaluate(back)
    light.click("#theme")
    assert light.evaluate(back) == dark.evaluate(back)
    dark.emulate_media(media="print")
    assert not dark.locator("#slider").is_visible()
    assert len(dark.pdf()) > 10_000
    assert wrong + also_wrong == []


def test_nothing_of_the_input_becomes_part_of_the_page_itself(shell: CommandLine, browser: Any) -> None:
    shell.write("in.txt", "</script><script>document.title='taken'</script>\n$title ${data} crash\n")
    shell.check('grep -q "taken.*</script>" "$1"')
    assert shell.run("reduce", "./check.sh", "in.txt", "--units", "lines", "--report", "r.html").status == 0
    page, wrong = opened(browser, shell.folder / "r.html")
    assert page.title() == "minrepro: in.txt"
    assert "</script>" in page.locator("#result").inner_text()
    assert wrong == []


def test_the_text_of_a_bug_report(tool: CommandLine) -> None:
    assert tool.run("reduce", "bug.c", "--report", "issue.md", "--", "./tool", "@@").status == 0
    text = (tool.folder / "issue.md").read_text()
    assert "Assertion `depth < 3' failed" in text.splitlines()[0]
    assert "run `./tool bug.c`" in text
    assert "```\ncrash(" in text
    assert "⟨any integer⟩" in text
    assert "- minrepro: " in text


def test_an_issue_fits_into_a_tracker(tool: CommandLine) -> None:
    tool.write("bug.c", "".join(f"line {number} is needed\n" for number in range(4000)) + "crash(1);\n")
    tool.check('test "$(wc -l < "$1")" -gt 4000 && grep -q crash "$1"')
    assert tool.run("reduce", "./check.sh", "bug.c", "--units", "lines", "--max-tests", "20").status == 0
    done = tool.run("report", "bug.c.minrepro", "--issue")
    assert done.stderr == f"minrepro: report: {tool.folder / 'issue.md'}\n"
    text = (tool.folder / "issue.md").read_text()
    assert len(text) < 65_000
    assert "Attached: `bug.min.c`. Use it as `bug.c` and run:" in text
    assert "./check.sh bug.c" in text
    assert tool.run("report", "--issue", "-o", "r.html").status == 2


def test_what_explain_claims_holds(tool: CommandLine) -> None:
    assert tool.run("reduce", "bug.c", "-o", "small.c", "--", "./tool", "@@").status == 0
    done = tool.run("explain", "small.c", "--json", "-q", "--", "./tool", "@@")
    assert done.status == 0, done.stderr
    told = json.loads(done.stdout)
    content = (tool.folder / "small.c").read_bytes()
    for part in told["parts"]:
        fails = re.search(rb"crash\([0-9]+", content[: part["start"]] + content[part["end"] :]) is not None
        assert fails is not part["needed"]
    assert any(free["kind"] == "any integer" for free in told["free"])
    assert re.search(r"crash\([0-9]+", told["passes"]) is None


def test_the_explanation_is_a_listing_with_notes(tool: CommandLine) -> None:
    done = tool.run("reduce", "bug.c", "-q", "--explain", "--", "./tool", "@@")
    assert "1 │ crash(" in done.stdout
    assert "any integer" in done.stdout
    assert "small change that makes the failure disappear: " in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["report"], "minrepro: error: no *.minrepro directory here"),
        (["report", "nowhere"], "minrepro: error: cannot read nowhere"),
        (["explain", "./tool"], "minrepro: error: a check, but no input"),
        (["explain", "./tool", "bug.c"], "minrepro: error: ./tool does not reproduce the failure"),
        (
            ["reduce", "bug.c", "--report", "no/where.html", "--", "./tool", "@@"],
            "minrepro: error: cannot write no/where.html",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_line_or_two(tool: CommandLine, words: list[str], told: str) -> None:
    done = tool.run(*words)
    assert done.status == (1 if "does not reproduce" in told else 2)
    assert done.stderr.splitlines()[-2:][0].startswith(told) or done.stderr.splitlines()[-1].startswith(told)
    assert len(done.stderr.splitlines()) <= 3


def test_a_report_of_an_input_that_has_changed_is_refused(tool: CommandLine) -> None:
    assert tool.run("reduce", "bug.c", "--", "./tool", "@@").status == 0
    tool.write("bug.c", SOURCE + "\n")
    done = tool.run("report", "bug.c.minrepro")
    assert done.stderr.startswith("minrepro: error: bug.c changed after the reduction")
