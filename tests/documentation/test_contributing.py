"""What CONTRIBUTING.md and SECURITY.md name is there."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.conftest import TIERS
from tests.documentation.consoles import PROJECT

PAGE = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECURITY = (PROJECT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:src|tests|docs|tools|benchmarks|examples)/[\w./-]*)`", PAGE)))


@pytest.mark.parametrize("name", NAMED)
def test_every_file_and_folder_that_is_named_exists(name: str) -> None:
    assert (PROJECT / name).is_dir() if name.endswith("/") else (PROJECT / name).is_file()


@pytest.mark.parametrize("page", [PAGE, SECURITY], ids=["CONTRIBUTING.md", "SECURITY.md"])
def test_every_link_leads_somewhere(page: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page):
        assert (PROJECT / target).exists(), target


def test_every_package_is_on_the_map() -> None:
    source = PROJECT / "src"
    packages = {f"{path.parent.relative_to(PROJECT)}/" for path in source.rglob("__init__.py")}
    assert packages <= set(NAMED)


def test_every_command_of_make_that_is_named_exists() -> None:
    rules = re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"^    make ([a-z]+)", PAGE, re.MULTILINE)) <= set(rules)


def test_every_marker_and_every_fixture_that_is_marked_is_named() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    markers = [line.partition(":")[0] for line in settings["tool"]["pytest"]["ini_options"]["markers"]]
    assert [name for name in (*markers, *TIERS) if f"`{name}`" not in PAGE] == []
