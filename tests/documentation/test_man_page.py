"""The manual page: it says what the help says, and man can show it."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from tools.man_page import PAGE, man_page

from minrepro.cli.command_outline import outlines
from minrepro.cli.main import parser


def test_the_manual_page_is_that_of_the_commands_as_they_are() -> None:
    assert PAGE.read_text(encoding="utf-8") == man_page(list(outlines(parser()))), "run: make docs"


@pytest.mark.processes
def test_groff_has_nothing_to_complain_about() -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    shown = subprocess.run(["groff", "-man", "-Tutf8", "-ww", PAGE], capture_output=True, text=True, check=True)
    assert shown.stderr == ""
    assert "minrepro reduce [OPTIONS] INPUT... -- COMMAND [ARG...]" in shown.stdout
