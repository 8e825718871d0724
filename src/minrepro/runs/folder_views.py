"""Where a failing command runs: a private view of the folder in which it was typed, with the candidate in it."""

# Paths are compared as strings, as check runners do.
# ruff: noqa: PTH100, PTH110, PTH111, PTH120

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minrepro.core.view import COPY, OVERLAY, View
from minrepro.documents.packed_files import PackedFiles
from minrepro.executors.local.folder_copies import is_small
from minrepro.executors.local.view_folders import why_no_overlay
from minrepro.targets.target import InputTarget, Layout

KIND = "MINREPRO_VIEW"
"""The variable that says what a view is made by where an overlay does harm: `overlay`, `copy` or `none`."""
_REPOSITORIES = (".git", ".hg", ".svn")


@dataclass(frozen=True)
class Placed:
    """Where a candidate belongs in the folder of a check; it holds names, never contents, so it can be sent."""

    place: str
    """Where the command finds the candidate: `{folder}` and what comes behind it, or a path."""
    typed: str
    """What `@@` stands for."""
    name: str = ""
    """The only file, as it is called from the folder where the command was typed."""
    prefix: str = ""
    """Comes before the names of several files."""
    table: PackedFiles | None = None
    layout: Layout | None = None
    """What makes the only file of a candidate, where it is not the candidate as it is."""

    def files(self, case: Any) -> Mapping[str, Any]:
        """Return the files that a candidate is made of."""
        if self.table is None:
            return (
                {self.name: case}
                if self.layout is None
                else dict.fromkeys([self.name], *self.layout.files(case).values())
            )
        return {self.prefix + name: content for name, content in self.table.unpacked(case).items()}


def placed(given: InputTarget, folder: str) -> Placed:
    """Return where candidates belong when a command runs in a view of this folder."""
    if given.table is None:
        name = _from(folder, os.path.realpath(given.path))
        return Placed(_place(name), str(given.path), name, layout=given.layout)
    whole = len(given.sources) == 1
    prefix = "" if whole else _prefix(folder, str(given.root))
    return Placed(_place(_from(folder, str(given.root))), str(given.path), prefix=prefix, table=given.table)


def view_of(given: InputTarget, folder: str, place: Path | None, hidden: Sequence[Path]) -> View | None:
    """Return how checks see the folder where the command was typed; None where they can see no view of it."""
    roots = {_project(folder)}
    names: tuple[str, ...] = ()
    whole = ""
    if given.table is None:
        path = os.path.realpath(given.path)
        roots.add(os.path.dirname(path))
        names = (_from(folder, path),)
    elif len(given.sources) == 1:
        whole = str(given.root)
    else:
        roots.add(str(given.root))
        names = tuple(_prefix(folder, str(given.root)) + name for name in given.table.names)
    outermost = tuple(sorted(root for root in roots if not any(_inside(root, other) for other in roots)))
    view = View(folder, outermost, names, whole, hidden=tuple(os.path.abspath(path) for path in hidden))
    kind = os.environ.get(KIND, OVERLAY)
    if kind == OVERLAY:
        scratch = tempfile.mkdtemp(prefix="minrepro-", dir=place)
        try:
            if "/" not in outermost and not why_no_overlay(view, scratch):
                return view
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return view._replace(kind=COPY) if kind != "none" and is_small(outermost) else None


def place_outside(places: Sequence[Path | None], roots: Sequence[str]) -> Path | None:
    """Return the first place for the folders of checks that is in none of the user's folders."""
    for place in places:
        path = os.path.realpath(place or tempfile.gettempdir())
        if not any(path == root or _inside(path, root) for root in roots):
            return place
    return places[0]


def _project(folder: str) -> str:
    """Return the folder around this one that has the history of versions, or this one."""
    path = folder
    while path not in ("/", os.path.expanduser("~")):
        if any(os.path.exists(f"{path}/{name}") for name in _REPOSITORIES):
            return path
        path = os.path.dirname(path)
    return folder


def _from(folder: str, path: str) -> str:
    """Return a path as seen from a folder, if it is inside that."""
    if path == folder:
        return "."
    return path[len(folder.rstrip("/")) + 1 :] if _inside(path, folder) else path


def _prefix(folder: str, root: str) -> str:
    """Return what comes before the names of files in a folder when they are seen from another."""
    seen = _from(folder, root)
    return "" if seen == "." else f"{seen}/"


def _place(name: str) -> str:
    if name.startswith("/"):
        return name
    return "{folder}" if name == "." else "{folder}/" + name


def _inside(path: str, folder: str) -> bool:
    return path != folder and path.startswith(folder.rstrip("/") + "/")
