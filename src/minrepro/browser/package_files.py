"""Files of this package that are not Python."""

from __future__ import annotations

from importlib.resources import files


def script(name: str) -> str:
    """Return the text of a script that runs in a page, or of a template."""
    return files("minrepro.browser").joinpath(name).read_text(encoding="utf-8")
