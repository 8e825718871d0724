"""Imports point one way: what a module may know is said here, and nothing else is imported."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1] / "src" / "minrepro"


def name_of(path: Path) -> str:
    """Return the name of a module without that of the package, which itself is `minrepro`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "minrepro"


MODULES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}

WORDS = ("core", "errors")
FIRST = (*WORDS, "settings", "plugins", "_version")
REDUCING = ("documents", "algorithms", "passes", "engine")
KINDS = ("targets.target", "targets.result_file")
ALL = ("executors", "oracles", "runs", "reports", "targets")

MAY_KNOW: dict[str, tuple[str, ...]] = {
    "core": (),
    "errors": ("core.verdicts", "core.events"),
    "_version": (),
    "settings": WORDS,
    "plugins": WORDS,
    "documents": (*WORDS, "plugins"),
    # These know nothing of syntax, so that they load in a moment.
    "documents.text": (*WORDS, "plugins", "-documents.syntax"),
    "documents.containers": (*WORDS, "plugins", "-documents.syntax"),
    "documents.packed_files": (*WORDS, "plugins", "-documents.syntax"),
    "documents.languages": (*WORDS, "plugins", "-documents.syntax"),
    "documents.differences": (*WORDS, "plugins", "-documents.syntax"),
    "algorithms": FIRST,
    "algorithms.lists": FIRST,
    "algorithms.trees": (*FIRST, "documents"),
    "passes": (*FIRST, "documents"),
    "oracles": FIRST,
    "executors": (*FIRST, "-executors.local", "-executors.cluster"),
    "executors.local": (*FIRST, "-executors.cluster"),
    "executors.cluster": FIRST,
    "engine": (*FIRST, *REDUCING),
    "runs.history": (*WORDS, "executors.wrapper", "_version", "-runs"),
    "targets": (*FIRST, *REDUCING, "oracles", "executors"),
    "runs": (*FIRST, *REDUCING, "oracles", "executors", *KINDS),
    "reports": (*FIRST, *REDUCING, "oracles", "executors", "runs.history", *KINDS),
    "traces": (*FIRST, *REDUCING, *ALL),
    "browser": (*FIRST, *REDUCING, *ALL, "traces"),
    "api": (*FIRST, *REDUCING, *ALL),
    "testing": WORDS,
    "cli": (*FIRST, *REDUCING, *ALL, "traces", "browser", "api", "-cli.commands"),
    "cli.commands": (*FIRST, *REDUCING, *ALL, "traces", "browser", "api", "cli"),
    "minrepro": (*FIRST, *REDUCING, *ALL, "api"),
    "entry": ("cli",),
    "__main__": ("entry",),
}
"""What each room may know besides itself; `-` is what it may not know of itself. The longest name that fits counts."""

LAZY = {
    "ctypes",
    "distributed",
    "importlib",
    "importlib.metadata",
    "minrepro.algorithms.algorithm_registry",
    "minrepro.algorithms.lists.causes",
    "minrepro.algorithms.lists.refinements",
    "minrepro.algorithms.trees.tree_registry",
    "minrepro.browser.chromium",
    "minrepro.browser.debugger.debug_server",
    "minrepro.browser.debugger.debug_session",
    "minrepro.browser.live_recorder",
    "minrepro.browser.random_sessions",
    "minrepro.browser.session_reduction",
    "minrepro.browser.session_replay",
    "minrepro.browser.export_check",
    "minrepro.browser.session_target",
    "minrepro.browser.step_through",
    "minrepro.cli.hand_over",
    "minrepro.cli.live_display",
    "minrepro.cli.main",
    "minrepro.cli.events_version_chain",
    "minrepro.cli.version_chain",
    "minrepro.documents.containers",
    "minrepro.documents.syntax.bundled_grammars",
    "minrepro.documents.grammars.lark_reader",
    "minrepro.documents.grammars.reading_grammars",
    "minrepro.documents.syntax.open_tree",
    "minrepro.documents.syntax.tree_differences",
    "minrepro.documents.text",
    "minrepro.documents.tokenized",
    "minrepro.engine.default_reducer",
    "minrepro.engine.files_reducer",
    "minrepro.engine.tester",
    "minrepro.executors.cluster.cluster_executor",
    "minrepro.executors.coroutines",
    "minrepro.executors.python_workers",
    "minrepro.oracles.failure_shapes",
    "minrepro.reports.explanation",
    "minrepro.reports.listing",
    "minrepro.reports.timeline",
    "minrepro.runs.observe_command",
    "minrepro.targets.arguments",
    "minrepro.targets.content",
    "minrepro.targets.difference",
    "minrepro.targets.encoded_file",
    "minrepro.targets.list_search",
    "minrepro.targets.sequence",
    "minrepro.targets.structure",
}
"""What is imported inside functions: packages that are optional or slow to load, and what needs them."""

BARE = {
    "core.containment",
    "core.limits",
    "core.view",
    "executors.local.assembled_folder",
    "executors.local.cgroups",
    "executors.local.check_runner",
    "executors.local.cleanup",
    "executors.local.folder_copies",
    "executors.local.line_server",
    "executors.local.overlay_mounts",
    "executors.local.portable",
    "executors.local.resource_limits",
    "executors.local.run_folder",
    "executors.local.sandbox",
    "executors.local.seccomp",
    "executors.local.supervisor",
    "executors.local.system_calls",
    "executors.local.view_folders",
    "executors.local.warm_runner",
    "executors.local.warm_server",
    "executors.local.work_folders",
    "executors.local.work_place",
}
"""What the supervisor's interpreter loads: these, and the standard library."""


GUEST = "executors.local.warm_site.sitecustomize"
"""Runs in the interpreter of the user's program, where it loads nothing before it knows what is there."""


class Import(NamedTuple):
    """One import of a module."""

    module: str
    inside: bool
    """Whether it stands in a function."""


def imports(path: Path) -> Iterator[Import]:
    """Yield what a module imports at whatever place in it, also for the type checker alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports by relative name"
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                is_module = whole.removeprefix("minrepro.") in MODULES and whole.startswith("minrepro.")
                yield Import(whole if is_module else node.module or "", id(node) in inside)
        elif isinstance(node, ast.Import):
            for name in node.names:
                yield Import(name.name, id(node) in inside)


def ours(path: Path) -> set[str]:
    """Return the modules of this package that a module imports."""
    found = {each.module for each in imports(path) if each.module.split(".")[0] == "minrepro"}
    return {name.removeprefix("minrepro.") for name in found}


def is_in(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


def room_of(module: str) -> str | None:
    """Return the room with the longest name that a module is in."""
    return max((room for room in MAY_KNOW if is_in(module, room)), key=len, default=None)


def may_know(here: str, there: str) -> bool:
    """Return whether a module may import another one."""
    room = room_of(here)
    if room is None:
        return False
    allowed = MAY_KNOW[room]
    for name in (name[1:] for name in allowed if name.startswith("-")):
        if is_in(there, name) and not (is_in(room, name) and is_in(there, room)):
            return False
    return is_in(there, here.split(".")[0]) or any(is_in(there, name) for name in allowed)


def violations() -> set[tuple[str, str]]:
    """Return all imports that the table does not allow."""
    edges = {(here, there) for here, path in MODULES.items() for there in ours(path)}
    return {(here, there) for here, there in edges if here != there and not may_know(here, there)}


def cycles() -> set[frozenset[str]]:
    """Return the groups of modules each of which knows all others, perhaps through others."""
    reach = {name: ours(path) & MODULES.keys() - {name} for name, path in MODULES.items()}
    changed = True
    while changed:
        changed = False
        for name, known in reach.items():
            wider = known.union(*(reach[other] for other in known))
            if wider != known:
                reach[name], changed = wider, True
    return {frozenset(b for b in MODULES if b in reach[a] and a in reach[b]) for a in MODULES if a in reach[a]}


def test_every_module_is_in_a_room() -> None:
    assert [name for name in MODULES if room_of(name) is None] == []


def test_a_module_knows_only_what_its_room_may_know() -> None:
    assert violations() == set(), "these must not be imported"


def test_commands_share_what_is_beside_them_and_do_not_know_each_other() -> None:
    commands = {name: path for name, path in MODULES.items() if name.startswith("cli.commands.")}
    assert {(here, there) for here, path in commands.items() for there in ours(path) & commands.keys()} == set()


def test_no_modules_know_each_other() -> None:
    assert cycles() == set()


def test_imports_inside_functions_are_of_what_is_optional_or_slow() -> None:
    own = [path for name, path in MODULES.items() if name != GUEST]
    inside = {each.module for path in own for each in imports(path) if each.inside}
    assert inside - LAZY == set(), "these belong at the head of their file"
    assert LAZY - inside == set(), "these have gone: take them off the list"


def test_the_supervisor_loads_nothing_but_the_standard_library() -> None:
    assert set(BARE) <= MODULES.keys()
    for name in BARE:
        for module in {each.module for each in imports(MODULES[name])}:
            known = module.removeprefix("minrepro.") in BARE or module.split(".")[0] in sys.stdlib_module_names
            assert known, f"{name} imports {module}"


def test_algorithms_do_no_input_or_output_start_no_process_and_read_no_clock() -> None:
    for path in (ROOT / "algorithms").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules = {name.name.split(".")[0] for name in node.names}
                assert not modules & {"os", "sys", "time", "subprocess", "threading", "pathlib", "io"}, path.name
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"open", "print", "input"}, path.name


def test_randomness_in_algorithms_comes_from_a_generator_with_a_seed() -> None:
    for path in [*(ROOT / "algorithms").rglob("*.py"), *(ROOT / "passes").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
                assert node.attr == "Random", f"{path.name}: random.{node.attr}"


def test_every_module_says_what_it_is_for() -> None:
    for path in MODULES.values():
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert docstring, path


def test_no_file_grows_beyond_what_can_be_read_at_once() -> None:
    long = [path for path in MODULES.values() if len(path.read_text("utf-8").splitlines()) > 400]
    assert [str(path.relative_to(ROOT)) for path in long] == []
