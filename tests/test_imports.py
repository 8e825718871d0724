"""Imports point one way: what a module may know is said here, and nothing else is imported."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import minrepro

ROOT = Path(minrepro.__file__).parent
MODULES = sorted(path for path in ROOT.rglob("*.py"))

FOUNDATION = {"search", "errors", "invocations"}
"""What everybody may import: words that are shared, without any machinery."""

FORBIDDEN = {
    "search": {"*"},
    "errors": {"*"},
    "invocations": {"*"},
    "algorithms": {"run", "schedule", "merge", "memory", "notices", "executors", "oracles", "ui", "api", "tester"},
    "documents": {"run", "schedule", "merge", "memory", "notices", "executors", "oracles", "ui", "api", "tester"},
    "passes": {"run", "schedule", "merge", "memory", "notices", "executors", "oracles", "ui", "api", "tester"},
    "edits": {"run", "schedule", "merge", "memory", "notices", "executors", "oracles", "ui", "api", "tester"},
    "oracles": {"documents", "executors", "algorithms", "run", "schedule", "merge", "ui", "api"},
    "executors": {"documents", "oracles", "algorithms", "run", "schedule", "merge", "ui", "api"},
    "memory": {"run", "schedule", "merge", "executors", "oracles", "documents", "algorithms", "ui", "api"},
    "notices": {"run", "schedule", "merge", "executors", "oracles", "documents", "algorithms", "ui", "api"},
    "schedule": {"run", "oracles", "documents", "algorithms", "passes", "ui", "api"},
    "merge": {"run", "oracles", "documents", "algorithms", "passes", "ui", "api"},
    "run": {"oracles", "documents", "algorithms", "passes", "ui", "api"},
    "traces": {"ui"},
    "targets": {"run", "schedule", "executors", "oracles", "reports", "ui", "api"},
    "reports": {"run", "oracles", "targets", "ui", "api"},
    "api": {"ui", "traces", "web"},
}
"""Of each room, the rooms that it must not know; every room not named here may know all but `ui`."""

ALLOWED_EXCEPTIONS = {("search", "search"), ("errors", "search"), ("invocations", "search")}


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    """Return the rooms of this package that a module imports, at whatever place in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports by relative name"
            module = node.module or ""
            names |= {f"{module}.{name.name}" for name in node.names} if module == "minrepro" else {module}
        elif isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
    return {name.split(".")[1] for name in names if name.startswith("minrepro.")}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_knows_only_what_lies_below_it(path: Path) -> None:
    here = room(path)
    if here in ("__init__", "__main__", "ui"):
        return
    forbidden = FORBIDDEN.get(here, {"ui"})
    for there in imported_rooms(path) - {here}:
        if (here, there) not in ALLOWED_EXCEPTIONS:
            assert there not in forbidden and "*" not in forbidden, f"{here} must not know {there}"


def test_algorithms_do_no_input_or_output_start_no_process_and_read_no_clock() -> None:
    for path in (ROOT / "algorithms").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules = {name.name.split(".")[0] for name in node.names}
                assert not modules & {"os", "sys", "time", "subprocess", "threading", "pathlib", "io"}, path.name
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"open", "print", "input"}, path.name


def test_randomness_in_algorithms_comes_from_a_generator_with_a_seed() -> None:
    for path in [*(ROOT / "algorithms").glob("*.py"), *(ROOT / "passes").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
                assert node.attr == "Random", f"{path.name}: random.{node.attr}"


def test_every_module_says_what_it_is_for() -> None:
    for path in MODULES:
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert docstring, path


def test_no_file_grows_beyond_what_can_be_read_at_once() -> None:
    too_long = {str(path.relative_to(ROOT)) for path in MODULES if len(path.read_text("utf-8").splitlines()) > 400}
    assert too_long == set()
