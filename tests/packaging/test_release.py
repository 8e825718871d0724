"""What is released can be installed in an empty folder, and works there on a newcomer's first failures."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.documentation.consoles import PROJECT

pytest.importorskip("hatchling")
pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("release")]

SECONDS = "1700000000"


def built(folder: Path) -> list[Path]:
    """Build the sdist and the wheel from a copy of what belongs to the project."""
    words = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(
        words, cwd=PROJECT, env={**os.environ, "SOURCE_DATE_EPOCH": SECONDS}, check=True, capture_output=True
    )
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return built(tmp_path_factory.mktemp("release"))


class Newcomer:
    """A folder and an environment with what was released, its dependencies, and nothing else of this project."""

    def __init__(self, folder: Path, package: Path) -> None:
        self.folder = folder / "home"
        self.folder.mkdir()
        self.bin = folder / "environment" / "bin"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.bin.parent], check=True)
        words = ["install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", str(package)]
        site = next(self.bin.parent.glob("lib/python*/site-packages"))
        # The dependencies are those of this environment; its own minrepro, which is linked, cannot be seen from there.
        (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
        python = str(self.bin / "python")
        subprocess.run([sys.executable, "-m", "pip", "--python", python, *words], check=True, capture_output=True)

    def run(self, command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run what somebody types."""
        environment = {"PATH": f"{self.bin}:/usr/local/bin:/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8"}
        words = {"cwd": folder or self.folder, "env": environment, "capture_output": True, "text": True}
        return subprocess.run(["bash", "-c", command], check=False, **words)  # type: ignore[call-overload, no-any-return]


@pytest.fixture(scope="module")
def newcomer(release: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Newcomer:
    (wheel,) = (path for path in release if path.suffix == ".whl")
    return Newcomer(tmp_path_factory.mktemp("newcomer"), wheel)


def test_two_builds_are_the_same(release: list[Path], tmp_path: Path) -> None:
    again = built(tmp_path)
    assert [path.name for path in again] == [path.name for path in release]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in release]


def test_the_commands_of_the_readme_work_from_what_was_released(
    newcomer: Newcomer, release: list[Path], tmp_path: Path
) -> None:
    (sdist,) = (path for path in release if path.name.endswith(".tar.gz"))
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    settings = next(tmp_path.iterdir()) / "examples" / "settings"
    version = newcomer.run("minrepro --version").stdout.split()[-1]
    assert version in sdist.name
    first = newcomer.run(
        "minrepro reduce shop.conf -j 1 -- python3 settings.py shop.conf && cat shop.min.conf", settings
    )
    assert first.stdout.startswith("[log]\n"), first.stderr
    second = newcomer.run("minrepro reduce ./check.sh shop.conf -j 1 -o small.conf && cat small.conf", settings)
    assert second.stdout == first.stdout, second.stderr
    assert "no problems found" in newcomer.run("minrepro lint ./check.sh shop.conf", settings).stderr
    assert newcomer.run("minrepro reduce --help").stdout.startswith("Usage: minrepro reduce")
    assert (newcomer.bin.parent / "share" / "man" / "man1" / "minrepro.1").exists()


def test_the_source_can_be_installed_as_well(release: list[Path], tmp_path: Path) -> None:
    (sdist,) = (path for path in release if path.name.endswith(".tar.gz"))
    assert "minrepro" in Newcomer(tmp_path, sdist).run("minrepro --version").stdout


PRICES = 'import json, sys\nfor item in json.load(open(sys.argv[1]))["items"]:\n    print(1 / item["price"])\n'
ITEMS = ", ".join(f'{{"id": {n}, "name": "thing {n}", "price": {n % 7}}}' for n in range(30, 60))
FIRST: dict[str, tuple[Mapping[str, str], str, str, str]] = {
    "a Python script": (
        {"bug.py": "import os\n\n" + "".join(f"def f{n}(x):\n    return x + {n}\n\n" for n in range(20)) + "f3('a')\n"},
        "minrepro reduce bug.py -j 2 -- python3 bug.py",
        "bug_min.py",
        "def ",
    ),
    "an error of a C compiler": (
        {
            "bug.c": "#include <stdio.h>\n"
            + "".join(f"int f{n}(void) {{ return {n}; }}\n" for n in range(20))
            + "int x = y;\n"
        },
        "minrepro reduce bug.c -j 2 -- cc -c bug.c -o /dev/null",
        "bug.min.c",
        "y",
    ),
    "a tool that reads JSON": (
        {"prices.py": PRICES, "shop.json": f'{{"items": [{ITEMS}]}}\n'},
        "minrepro reduce shop.json -j 2 -- python3 prices.py shop.json",
        "shop.min.json",
        '"price": 0',
    ),
    "a shell script": (
        {"job.sh": "".join(f"echo step {n}\n" for n in range(30)) + 'set -u\necho "$folder"\n' + "echo done\n" * 9},
        "minrepro reduce job.sh -j 2 -- bash job.sh",
        "job.min.sh",
        "$folder",
    ),
    "a directory": (
        {"all/main.py": "import helper\nprint(helper.f())\n", "all/helper.py": "def f():\n    return {}['key']\n"}
        | {f"all/other{n}.py": f"value = {n}\n" for n in range(8)},
        "minrepro reduce all -j 2 -- python3 all/main.py",
        "all.min",
        "",
    ),
}


@pytest.mark.parametrize("kind", FIRST)
def test_the_first_failure_of_a_newcomer_becomes_small(newcomer: Newcomer, kind: str) -> None:
    files, command, result, kept = FIRST[kind]
    if "cc -c" in command and shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    for name, text in files.items():
        path = newcomer.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    done = newcomer.run(command)
    assert done.returncode == 0, done.stderr
    assert "minrepro: target failure: " in done.stderr
    found = newcomer.folder / result
    texts = [path.read_text() for path in (sorted(found.rglob("*.py")) if found.is_dir() else [found])]
    assert kept in "".join(texts)
    assert 0 < sum(map(len, texts)) < sum(map(len, files.values())) / 3


USES = """\
from minrepro import reduce

def has_two(case: list[int]) -> bool:
    return 2 in case

result = reduce([1, 2, 3], has_two)
reveal_type(result.reduced)
wrong: str = result.reduced
"""


def test_the_types_are_seen_by_who_uses_the_package(newcomer: Newcomer) -> None:
    program = newcomer.folder / "uses.py"
    program.write_text(USES)
    python = str(newcomer.bin / "python")
    words = ["--strict", "--python-executable", python, "--cache-dir", str(newcomer.folder / "types"), "uses.py"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words], cwd=newcomer.folder, capture_output=True, text=True, check=False
    )
    assert 'note: Revealed type is "list[int]"' in done.stdout.replace("builtins.", ""), done.stdout
    assert "Incompatible types in assignment" in done.stdout
    assert "Found 1 error" in done.stdout
