"""Runs the console blocks of a Markdown page and writes what they print under each command.

python -m tests.documentation.consoles README.md docs/quickstart.md      brings pages up to date
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[2]
_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_SEPARATOR = "--- end of the output of a command ---"


def rewritten(page: str) -> str:
    """Return the page with every console block as it comes out now, run in a copy of the examples."""
    blocks = _BLOCK.findall(page)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(PROJECT / "examples", Path(folder, "examples"))
        fresh = iter(list(_run(blocks, Path(folder))))
    return _BLOCK.sub(lambda block: next(fresh), page)


def _run(blocks: list[str], folder: Path) -> Iterator[str]:
    """Run all commands of a page in one shell, as a reader would who types them one after another."""
    commands = [_commands(block) for block in blocks]
    lines = [f"{command}\necho; echo '{_SEPARATOR}'" for block in commands for command in block]
    shell = subprocess.run(
        ["bash"],
        input="\n".join(["exec 2>&1", *lines]),
        cwd=folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    outputs = iter(shell.stdout.split(f"{_SEPARATOR}\n"))
    for block in commands:
        yield "".join(f"$ {command}\n{_tidy(next(outputs))}" for command in block)


def _commands(block: str) -> list[str]:
    """Return the commands of a block; one continues after a line that ends with a backslash."""
    commands: list[str] = []
    going_on = False
    for line in block.splitlines():
        if going_on:
            commands[-1] += f"\n{line}"
        elif line.startswith("$ "):
            commands.append(line[2:])
        going_on = (going_on or line.startswith("$ ")) and line.endswith("\\")
    return commands


def _tidy(output: str) -> str:
    output = re.sub(r"^minrepro: [\d,]+ bytes \(.*\) after .*\n", "", output, flags=re.MULTILINE)  # progress varies
    output = re.sub(r"^minrepro: checks (?:are warm|run in fresh processes): .*\n", "", output, flags=re.MULTILINE)
    output = output.rstrip("\n")
    return f"{output}\n" if output else ""


def without_times(page: str) -> str:
    """Return the page without what differs from run to run: how many tests ran ahead, how long it took."""
    page = re.sub(r"; checks run in a sandbox|; checks run without a sandbox \(not possible here.*", "", page)
    page = re.sub(r', "checks_ran": "[^"]*"', "", page)
    page = re.sub(r"[\d.]+ s; [\d,]+ checks?, [\d,]+ cache hits?", "N s; N checks, N cache hits", page)
    counts = "checks|check_runs|cancelled_runs|content|cache_hits|seconds|seconds_in_tests|iterations"
    counts += "|not_reproduced|reproduced|unresolved|runs"
    return re.sub(rf'"({counts})": [\d.]+', r'"\1": N', page)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        page = rewritten(path.read_text(encoding="utf-8"))
        if "Traceback" in page:
            sys.exit(f"{name} is left as it was: a command on it ended with a traceback.")
        path.write_text(page, encoding="utf-8")
