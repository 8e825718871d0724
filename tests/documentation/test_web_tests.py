"""The page for testers: each of its commands works, in the order of the page, from a clone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from socket import socket

import pytest

from tests.documentation.consoles import PROJECT

PAGE = PROJECT / "docs" / "web-tests.md"


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


@pytest.mark.browser
def test_the_page_leads_from_a_recording_to_a_test_that_is_red_and_green(tmp_path: Path) -> None:
    ports = {"8001": str(free_port()), "8002": str(free_port())}
    shutil.copytree(PROJECT / "examples", tmp_path / "examples")
    for file in (tmp_path / "examples" / "board").glob("*.json"):
        file.write_text(file.read_text(encoding="utf-8").replace("8001", ports["8001"]), encoding="utf-8")
    page = re.sub("8001|8002", lambda found: ports[found[0]], PAGE.read_text(encoding="utf-8"))
    commands = [line.strip() for line in page.splitlines() if line.startswith("    ")]
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": programs, "PYTEST_ADDOPTS": ""}
    servers = []
    said = {}
    try:
        for command in commands:
            if "server.py" in command.split("--before")[0] and "--reset" not in command:
                words = ["exec", command]
                server = subprocess.Popen(
                    " ".join(words), shell=True, cwd=tmp_path, env=environment, stdout=subprocess.PIPE
                )
                servers.append(server)
                assert server.stdout is not None
                assert b"the board" in server.stdout.readline()
            elif " record " not in command:
                done = subprocess.run(
                    command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
                )
                said[command.split()[2]] = done.returncode, done.stdout + done.stderr
                assert done.returncode == (1 if " replay " in command else 0), (command, done.stdout, done.stderr)
    finally:
        for server in servers:
            server.terminate()
            server.communicate()
    assert "(reading 'text') in autosave" in said["replay"][1]
    assert "6 → 2 events" in said["reduce"][1]
    assert "1. open" in said["export"][1]
