"""Which target an input is: one that an installed package brings for it, a folder, or a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from minrepro.errors import UsageError
from minrepro.plugins import brought
from minrepro.targets.file import FileTarget
from minrepro.targets.folder import FolderTarget, read_files
from minrepro.targets.target import InputTarget


def target_at(paths: Sequence[Path]) -> InputTarget:
    """Return the input at these paths, read, or say what is wrong with it."""
    claiming = {name: kind for name, kind in brought("targets").items() if len(paths) == 1 and kind.claims(paths[0])}
    if len(claiming) > 1:
        raise UsageError(f"{paths[0]} is claimed by several packages: {', '.join(sorted(claiming))}. Uninstall one.")
    for name, kind in claiming.items():
        if not issubclass(kind, FileTarget | FolderTarget):
            raise UsageError(f"{name} of minrepro.targets is no minrepro.targets.file.FileTarget.")
        found: InputTarget = kind.read(paths[0])
        return found
    return read_files(paths) if is_folder(paths) else FileTarget.read(paths[0])


def is_folder(paths: Sequence[Path]) -> bool:
    """Tell whether inputs are a folder, or several files, which are reduced as one."""
    return len(paths) > 1 or paths[0].is_dir()
