"""The package of docs/extending.md, installed outside the tree, is used from the command line and from Python."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documentation.consoles import PROJECT

pytestmark = pytest.mark.processes

PAGE = (PROJECT / "docs" / "extending.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the package of the page is installed."""
    folder = tmp_path_factory.mktemp("site")
    for name, text in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE, re.DOTALL):
        (folder / name).write_text(text, encoding="utf-8")
    points = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert points is not None
    text = re.sub(r'\[project\.entry-points\."([\w.]+)"\]', r"[\1]", points[1]).replace('"', "")
    about = folder / "minrepro_more-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: minrepro-more\nVersion: 1\n")
    (about / "entry_points.txt").write_text(text)
    return folder


def run(site: Path, here: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{PROJECT / 'src'}"}
    command = [sys.executable, "-m", "minrepro", *words]
    done = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_a_file_is_reduced_as_the_target_that_claims_it(site: Path, tmp_path: Path) -> None:
    (tmp_path / "a.rec").write_text("".join(f"record {number}\nof two lines\n\n" for number in range(20)))
    run(site, tmp_path, "reduce", "grep -q 'record 7'", "a.rec", "-j", "1")
    assert (tmp_path / "a.min.rec").read_text() == "record 7\nof two lines\n\n"


def test_checks_are_run_by_the_executor_that_is_named(site: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("a\nneedle\nb\n")
    done = run(site, tmp_path, "reduce", "grep -q needle", "in.txt", "--executor", "logged", "--json", "-q")
    logged = (tmp_path / "outcomes.log").read_text().split()
    assert len(logged) >= json.loads(done.stdout)["checks"] > 0
    assert set(logged) == {"fail", "pass"}


def test_a_check_can_be_an_oracle_of_the_package(site: Path, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("a\nneedle\nb\n")
    run(site, tmp_path, "reduce", "says:needle=cat", "in.txt", "--units", "lines")
    assert (tmp_path / "in.min.txt").read_text() == "needle\n"


def test_a_container_of_the_package_is_opened_and_closed_for_each_check(site: Path, tmp_path: Path) -> None:
    lines = b"".join(b"line %d of many\n" % number for number in range(200))
    (tmp_path / "in.gz").write_bytes(gzip.compress(lines))
    run(site, tmp_path, "reduce", "zgrep -q 'line 77 '", "in.gz")
    assert gzip.decompress((tmp_path / "in.min.gz").read_bytes()).strip() == b"line 77"


def test_all_of_them_are_used_from_python_too(site: Path, tmp_path: Path) -> None:
    (tmp_path / "a.rec").write_text("".join(f"record {number}\n\n" for number in range(20)))
    (tmp_path / "in.gz").write_bytes(gzip.compress(b"".join(b"line %d of many\n" % number for number in range(50))))
    script = (
        "import gzip\n"
        "from minrepro import reduce_path\n"
        "from minrepro.settings import ExecutionSettings, RunSettings\n"
        "logged = RunSettings(execution=ExecutionSettings(executor='logged'))\n"
        "print(reduce_path('a.rec', 'says:record 7=cat', settings=logged).reduced)\n"
        "print(gzip.decompress(reduce_path('in.gz', \"zgrep -q 'line 7 '\").reduced).strip())\n"
    )
    environment = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{PROJECT / 'src'}"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.splitlines() == ["b'record 7\\n\\n'", "b'line 7'"], done.stderr
    assert (tmp_path / "outcomes.log").exists()


def test_an_executor_that_nobody_brings_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("a\n")
    command = [sys.executable, "-m", "minrepro", "reduce", "true", "in.txt", "--executor", "moon"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "--executor moon: there is no such executor" in done.stderr
