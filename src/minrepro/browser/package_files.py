"""Files of this package that are not Python."""

from __future__ import annotations

from importlib.resources import files


def script(name: str) -> str:
    """Return the text of a script that runs in a page, or of a template."""
    return files("minrepro.browser").joinpath(name).read_text(encoding="utf-8")


def page_script() -> str:
    """Return what every page is given before its own scripts run."""
    return script("rest.js") + script("watch.js").replace("PREPARE", script("prepare.js").strip().rstrip(";"))
