"""The site is built from the same pages, and every link in it leads somewhere, without a network."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from minrepro.cli.main import parsed
from tests.documentation.consoles import PROJECT
from tests.documentation.test_pages import PAGES, named


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", folder],
        cwd=PROJECT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        check=True,
    )
    return folder


@pytest.mark.processes
def test_every_link_of_the_site_leads_to_a_page_and_a_heading_of_it(site: Path) -> None:
    for page in site.rglob("*.html"):
        if page.name == "404.html":
            continue
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'src="https?:|<link[^>]*href="https?:', text), f"{page.name} loads something"
        for target in re.findall(r'(?:href|src)="([^"]*)"', text):
            if target.startswith(("https:", "javascript:")) or target in ("", "."):
                continue
            path, _, anchor = target.partition("#")
            there = (page.parent / path).resolve() if path else page
            assert there.exists(), f"{target} in {page.name}"
            if anchor and not anchor.startswith("__"):
                assert f'id="{anchor}"' in there.read_text(encoding="utf-8"), f"{target} in {page.name}"


@pytest.mark.processes
def test_the_reference_has_every_option(site: Path) -> None:
    text = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    for option in ("--max-time", "--json-lines", "--ddmin-factor", "--cluster-upload"):
        assert option in text


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_command_in_the_text_is_one_that_minrepro_understands(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for words in re.findall(r"`minrepro ([^`\n]+)`|^ {4}minrepro (.+)$", text, re.MULTILINE):
        typed = shlex.split("".join(words), comments=True)
        if len(typed) > 2 and not re.search(r"[A-Z]{3}|…|\.\.\.|[\[\]|]", " ".join(typed)):
            assert parsed(typed).command == typed[0]
