"""What the tests of the command line share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.command_line import CommandLine


@pytest.fixture
def shell(tmp_path: Path) -> CommandLine:
    """Return a command line in a fresh folder."""
    return CommandLine(tmp_path)
