"""What the pages show is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import rivals

from tests.documentation.consoles import PROJECT, rewritten, without_times

PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("**/*.md"))]


def named(page: Path) -> str:
    return str(page.relative_to(PROJECT))


@pytest.mark.processes
@pytest.mark.parametrize(
    "page", [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")], ids=named
)
def test_every_command_prints_what_the_page_shows(page: Path) -> None:
    shown = page.read_text(encoding="utf-8")
    assert without_times(rewritten(shown)) == without_times(shown)


@pytest.mark.processes
@pytest.mark.parametrize("page", [page for page in PAGES if "```python" in page.read_text(encoding="utf-8")], ids=named)
def test_every_python_example_runs(page: Path, tmp_path: Path) -> None:
    for example in re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        subprocess.run([sys.executable, "-c", example], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)


@pytest.mark.processes
def test_the_example_of_the_readme_finds_what_it_says() -> None:
    example = re.search(r"^```python\n(.*?)^```$", PAGES[0].read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert example is not None
    printed = subprocess.run([sys.executable, "-c", example[1]], check=True, capture_output=True, text=True).stdout
    assert re.fullmatch(r"\[ \d+\n\{'items': \[\{'price': -1.0\}\]\}\n\{'-unsafe'\}\n", printed)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_to_another_page_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{target} in {named(page)}"


@pytest.mark.processes
def test_the_demo_shows_before_progress_and_after() -> None:
    environment_path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    demo = subprocess.run(
        ["sh", str(PROJECT / "examples" / "demo.sh")],
        env={"PATH": environment_path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "RecursionError" in demo.stdout
    assert "minrepro: result: shop.min.conf" in demo.stderr
    assert re.search(r"\[(\w+)\]\n(\w+) = \$\{\1\.\2\}$", demo.stdout.rstrip())


def test_the_comparison_is_what_its_runs_give() -> None:
    assert rivals.TABLE.read_text("utf-8") == rivals.table()


def test_the_readme_tells_the_figures_of_the_comparison() -> None:
    lines = rivals.table().splitlines()
    tokens, _, calls = lines[-2].split()[-3:]
    without = lines[-1].split()[-1]
    told = " ".join(PAGES[0].read_text(encoding="utf-8").split())
    assert f"on each of {lines[0].split()[0]} real failing inputs, it leaves {tokens} times the tokens" in told
    assert f"({without} times without three inputs" in told
    assert lines[-1].startswith("without the 3 ")
    assert f"as small after {calls} times the checks" in told
