"""Record what failing programs print on their input and on probes in its place.

A case is a folder with `case.json` and, beside it, the input and the other files that the command needs:

    python tests/oracles/recorded/record.py --tools /tmp/recorded-tools CASES [NAME ...]

`case.json` has the keys program, version (the command that prints it), command, name, stdin, derived and not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
HOME = "/home/ann"
PROJECT = f"{HOME}/project"
TOOLS = "/opt/tools"
DEFAULT_TOOLS = Path("/tmp/minrepro-command-tools")
BINARIES = ("venv/bin", "node/node_modules/.bin")
LIMIT = 8192
SECONDS = 120


def probes(text: str) -> dict[str, str]:
    """Return what takes the input's place, by the probe's name."""
    lines = text.splitlines(keepends=True)
    half = len(lines) // 2
    shuffled = lines.copy()
    random.Random(0).shuffle(shuffled)
    return {
        "empty": "",
        "word": "x\n",
        "first half": "".join(lines[:half]),
        "second half": "".join(lines[half:]),
        "shuffled": "".join(shuffled),
    }


class Recorder:
    """Runs commands with some tools in the path and tells what they print, free of this machine's paths."""

    def __init__(self, tools: list[Path]) -> None:
        """Take the folders of the tools."""
        self._tools = tools
        path = [str(folder / part) for folder in tools for part in BINARIES]
        path.append(os.environ["PATH"])
        self._environment = {"HOME": str(Path.home()), "PATH": ":".join(path), "LC_ALL": "C.UTF-8"}

    def version(self, command: str) -> str:
        """Return the first line with a digit in what a command prints."""
        run = self._run(command, Path("/"), None)
        lines = f"{run['stdout']}\n{run['stderr']}".splitlines()
        return next((line.strip() for line in lines if re.search(r"\d", line)), "")

    def run(self, folder: Path, case: dict[str, Any], text: str) -> dict[str, Any]:
        """Run a case's command in a fresh copy of its folder with a text as its input."""
        with tempfile.TemporaryDirectory(prefix="recorded-") as temporary:
            copy = Path(temporary).resolve() / "project"
            shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("case.json"), symlinks=True)
            (copy / case["name"]).write_bytes(text.encode())
            return self._run(case["command"], copy, text.encode() if case["stdin"] else b"")

    def _run(self, command: str, folder: Path, stdin: bytes | None) -> dict[str, Any]:
        ended = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=folder,
            input=stdin,
            capture_output=True,
            env=self._environment | {"PWD": str(folder)},
            timeout=SECONDS,
            check=False,
        )
        return {
            "status": ended.returncode,
            "stdout": self._told(ended.stdout, folder),
            "stderr": self._told(ended.stderr, folder),
        }

    def _told(self, output: bytes, folder: Path) -> str:
        text = output.decode(errors="replace")
        places = {str(folder): PROJECT} if len(folder.parts) > 1 else {}
        for tool in self._tools:
            places |= {str(tool): TOOLS, os.path.relpath(tool, folder): os.path.relpath(TOOLS, PROJECT)}
        places[str(Path.home())] = HOME
        for place, told in places.items():
            text = re.sub(rf"{re.escape(place)}(?![\w-])", told, text)
        return text.encode()[:LIMIT].decode(errors="ignore")


def recorded(folder: Path, recorder: Recorder) -> dict[str, Any]:
    """Return a case with what its command printed."""
    case = json.loads((folder / "case.json").read_text())
    text = (folder / case["name"]).read_text()
    others = sorted(path for path in folder.rglob("*") if path.is_file())
    left_out = {folder / "case.json", folder / case["name"]}
    runs: dict[str, Any] = {"input": [recorder.run(folder, case, text) for _ in range(2)]}
    runs |= {name: recorder.run(folder, case, probe) for name, probe in probes(text).items()}
    return {
        "program": case["program"],
        "version": recorder.version(case["version"]),
        "command": case["command"],
        "name": case["name"],
        "stdin": case["stdin"],
        "input": text,
        "neighbours": {str(path.relative_to(folder)): path.read_text() for path in others if path not in left_out},
        "runs": runs,
        "derived": case["derived"],
        "not": case["not"],
    }


def collapsed(run: dict[str, Any]) -> str:
    """Return all that a run printed with each stretch of white space as one blank."""
    return " ".join(f"{run['stdout']}\n{run['stderr']}".split())


def complaints(recording: dict[str, Any]) -> list[str]:
    """Return what is wrong with a recording."""
    found: list[str] = []
    derived = " ".join(recording["derived"].split())
    runs = recording["runs"]
    if not recording["version"]:
        found.append("no version")
    for number, run in enumerate(runs["input"], 1):
        if run["status"] == 0:
            found.append(f"run {number} of the input ends with status 0")
        if not derived or derived not in collapsed(run):
            found.append(f"run {number} of the input does not print what is derived: {derived}")
        found += [
            f"run {number} of the input does not print: {other}"
            for other in recording["not"]
            if " ".join(other.split()) not in collapsed(run)
        ]
    if derived in collapsed(runs["empty"]):
        found.append("the empty probe prints it too")
    found += [f"{place} is told" for place in ("/work", "/root", "recorded-") if place in json.dumps(recording)]
    return found


def main() -> int:
    """Record the cases of a folder, all or those named, and return 1 if one is no good."""
    parser = argparse.ArgumentParser(description="Record what failing programs print.")
    parser.add_argument("cases", type=Path, help="folder with one folder per case")
    parser.add_argument("names", nargs="*", help="the cases to record (default: all)")
    parser.add_argument("--tools", type=Path, action="append", help=f"folder of tools (default: {DEFAULT_TOOLS})")
    parser.add_argument("--to", type=Path, default=HERE, help="folder for the recordings (default: beside the script)")
    arguments = parser.parse_args()
    recorder = Recorder([tool.resolve() for tool in arguments.tools or [DEFAULT_TOOLS]])
    names = arguments.names or sorted(path.parent.name for path in arguments.cases.glob("*/case.json"))
    bad = False
    for name in names:
        recording = recorded(arguments.cases / name, recorder)
        (arguments.to / f"{name}.json").write_text(json.dumps(recording, indent=1, ensure_ascii=False) + "\n")
        for complaint in complaints(recording):
            bad = True
            print(f"{name}: {complaint}", file=sys.stderr)
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
