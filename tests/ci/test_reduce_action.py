"""The script of the action, on a small repository, cut off and resumed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".github" / "actions" / "reduce" / "reduce.sh"

LOADER = """\
import sys
for line in open(sys.argv[1]):
    if "needle" in line:
        raise ValueError("a needle")
"""


def job(folder: Path, options: str = "") -> dict[str, object]:
    """Run the script as a job of its own, and return the summary."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "INPUT": "hay.txt",
        "COMMAND": "python3 load.py hay.txt",
        "OPTIONS": options,
        "GITHUB_OUTPUT": str(folder / "outputs"),
    }
    done = subprocess.run(["sh", SCRIPT], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    summary: dict[str, object] = json.loads((folder / ".minrepro" / "summary.json").read_text())
    return summary


@pytest.mark.processes
def test_a_job_that_is_cut_off_is_continued_by_the_next(tmp_path: Path) -> None:
    (tmp_path / "load.py").write_text(LOADER)
    (tmp_path / "hay.txt").write_text("".join(f"line {n} of the hay\n" for n in range(300)) + "one needle\nlast\n")
    first = job(tmp_path, "--max-tests 12")
    assert first["finished"] is False
    assert "Not finished yet" in (tmp_path / "minrepro-out" / "comment.md").read_text()
    last = job(tmp_path)
    assert last["finished"] is True
    assert last["reused_from_journal"]
    assert (tmp_path / "minrepro-out" / "hay.txt").read_text().strip() == "needle"
    comment = (tmp_path / "minrepro-out" / "comment.md").read_text()
    assert "ValueError: a needle" in comment
    assert "Not finished" not in comment
    assert "result=minrepro-out/hay.txt" in (tmp_path / "outputs").read_text()
    assert (tmp_path / "minrepro-out" / "report.html").stat().st_size
