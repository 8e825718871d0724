"""Commands of a shell that write files byte for byte, so that a failure can be reproduced from a report alone."""

from __future__ import annotations

import base64
import os
import re
import shlex
import stat
from collections.abc import Mapping
from pathlib import PurePath

from minrepro.core.invocations import File

_UNSHOWN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
"""What is not seen, or is changed, when it is pasted."""


def shown_as_it_is(content: bytes) -> bool:
    """Tell whether a content can be pasted as a text."""
    try:
        return not _UNSHOWN.search(content.decode())
    except UnicodeDecodeError:
        return False


def commands_for(files: Mapping[str, File]) -> list[str]:
    """Return the commands that write files."""
    folders = sorted({str(PurePath(name).parent) for name in files} - {"."})
    commands = [f"mkdir -p {shlex.join(folders)}"] if folders else []
    for name, file in files.items():
        mode, content = file if isinstance(file, tuple) else (0, file)
        if stat.S_ISLNK(mode):
            commands.append(f"ln -s {shlex.quote(os.fsdecode(content))} {shlex.quote(name)}")
        elif stat.S_ISDIR(mode):
            commands.append(f"mkdir -p {shlex.quote(name)}")
        else:
            commands.append(_written(shlex.quote(name), content))
            if mode & 0o111:
                commands.append(f"chmod +x {shlex.quote(name)}")
    return commands


def _written(name: str, content: bytes) -> str:
    if not shown_as_it_is(content):
        lines = base64.encodebytes(content).decode()
        return f"base64 -d > {name} <<'EOF'\n{lines}EOF"
    text = content.decode()
    if text and not text.endswith("\n"):
        return f"printf %s {shlex.quote(text)} > {name}"
    end = "EOF"
    while end in text.splitlines():
        end += "_"
    return f"cat > {name} <<'{end}'\n{text}{end}"
