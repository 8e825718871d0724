"""What docs/design.md names is there: modules, packages, and the classes and functions of its walks."""

from __future__ import annotations

import ast
import re

import pytest

from tests.documentation.consoles import PROJECT

PAGE = (PROJECT / "docs" / "design.md").read_text(encoding="utf-8")
SOURCE = PROJECT / "src" / "minrepro"
QUOTED = sorted(set(re.findall(r"`([^`\n]+)`", PAGE)))
PATHS = [name for name in QUOTED if re.fullmatch(r"[\w/-]+(/|\.py|\.txt)", name)]
WALKS = PAGE.partition("## The walks")[2].partition("\n## ")[0]
NAMES = sorted({name for name in re.findall(r"`([\w.]+)`", WALKS) if not name.endswith(".py")})


def defined() -> dict[str, set[str]]:
    """Return what each module and each class defines; the key `""` holds what any module does."""
    found: dict[str, set[str]] = {"": set()}
    for path in SOURCE.rglob("*.py"):
        module = path.parent.name if path.name == "__init__.py" else path.stem
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                found.setdefault(module, set()).add(node.name)
                found[""].add(node.name)
            if isinstance(node, ast.ClassDef):
                methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
                found.setdefault(node.name, set()).update(methods)
    return found


DEFINED = defined()


@pytest.mark.parametrize("name", PATHS)
def test_every_file_and_folder_that_is_named_exists(name: str) -> None:
    places = [PROJECT / name, SOURCE / name, *SOURCE.rglob(name)]
    assert any(path.exists() for path in places)


@pytest.mark.parametrize("name", NAMES)
def test_every_step_of_a_walk_is_defined_where_it_is_said_to_be(name: str) -> None:
    where, _, what = name.rpartition(".")
    assert what in DEFINED.get(where, ()), name


def test_the_walks_are_those_of_all_kinds_of_reductions() -> None:
    begun = re.findall(r"^- \*\*(?:`minrepro(?: (\w+(?: reduce)?)|\.(\w+))|(A directory))", WALKS, re.MULTILINE)
    kinds = [
        "reduce",
        "reduce",
        "A directory",
        "isolate",
        "args",
        "traces reduce",
        "web reduce",
        "reduce_path",
        "reduce",
    ]
    assert ["".join(each) for each in begun] == kinds
