"""Formats a result, if it still reproduces the failure then."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from minrepro.errors import UsageError

FORMATTERS: dict[str, tuple[str, ...]] = {
    "c": ("clang-format --assume-filename=@@",),
    "cpp": ("clang-format --assume-filename=@@",),
    "css": ("prettier --stdin-filepath @@",),
    "go": ("gofmt",),
    "html": ("prettier --stdin-filepath @@",),
    "java": ("clang-format --assume-filename=@@",),
    "javascript": ("prettier --stdin-filepath @@", "clang-format --assume-filename=@@"),
    "json": ("jq .", "python3 -m json.tool", "prettier --stdin-filepath @@"),
    "markdown": ("prettier --stdin-filepath @@",),
    "python": ("ruff format --stdin-filename @@ -", "black --quiet -"),
    "rust": ("rustfmt",),
    "typescript": ("prettier --stdin-filepath @@",),
    "xml": ("xmllint --format -",),
    "yaml": ("prettier --stdin-filepath @@",),
}
"""What `--formatter auto` takes, the first that is installed; each reads standard input and prints the result."""

_PATIENCE = 60.0
"""How many seconds a formatter may take."""

Formatter = Callable[[bytes], bytes]


def formatter_of(command: str, path: Path, data: bytes, language: str | None = None) -> Formatter:
    """Return the formatter that was asked for, or say why there is none."""
    if command == "auto":
        from minrepro.documents.syntax.bundled_grammars import language_of  # takes a while to load

        language = language or language_of(path, data)
        known = FORMATTERS.get(language or "", ())
        command = next((each for each in known if shutil.which(each.split()[0])), "")
        if not known:
            raise UsageError(
                f"--formatter auto: no formatter is known for {language or path.name}\nhint: --formatter COMMAND"
            )
        if not command:
            names = " or ".join(each.split()[0] for each in known)
            raise UsageError(f"--formatter auto: {names} formats {language}, but is not installed")
    words = [word.replace("@@", path.name) for word in shlex.split(command)]
    if not words or shutil.which(words[0]) is None:
        raise UsageError(f"--formatter: command {(words or [''])[0]!r} not found; is it installed?")
    return lambda case: _formatted(words, case)


def _formatted(words: list[str], case: bytes) -> bytes:
    """Return what a formatter makes of a case; the case itself when the formatter cannot cope with it."""
    with tempfile.TemporaryDirectory(prefix="minrepro-") as folder:
        try:
            done = subprocess.run(words, input=case, capture_output=True, cwd=folder, timeout=_PATIENCE, check=True)
        except (OSError, subprocess.SubprocessError):
            return case
    return done.stdout or case
