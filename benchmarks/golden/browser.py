"""A golden case in a real browser: a session in the bundled shop."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from benchmarks.golden.commands import ALONE, EXAMPLES, new_place
from benchmarks.golden.names import Command, Key, Option
from benchmarks.golden.records import Case, Record, Unavailable, of_content

BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Say nothing of requests."""


@contextmanager
def served_shop() -> Iterator[str]:
    """Serve the bundled shop, and give its origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(EXAMPLES / "shop"))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def _click(selector: str) -> dict[str, Any]:
    return {"type": "click", "target": "main", "selectors": [[selector]], "anywhere": True}


def session() -> str:
    """Return a recording that opens the catalogue and, long after, empties an empty cart."""
    steps: list[dict[str, Any]] = [
        {"type": "setViewport", "width": 1000, "height": 700},
        {"type": "navigate", "url": "http://127.0.0.1:1/"},
        *map(_click, ("#empty", "#search")),
    ]
    for key in ("t", "e", "Backspace", "Backspace"):
        steps += [{"type": kind, "target": "main", "key": key} for kind in ("keyDown", "keyUp")]
    steps.append(_click("#open"))
    for n in range(4):
        added = [_click(f"#products > li:nth-of-type({i}) > button") for i in (1 + n % 5, 2, 1)]
        steps += [*added, _click("#cart > li:nth-of-type(1) > button"), _click("#empty")]
    return json.dumps({"title": "the shop", "steps": [*steps, _click("#empty"), _click("#open")]})


def shop_case(*words: str) -> Record:
    """Reduce the session; only what does not depend on how fast pages are is pinned."""
    if not any(map(shutil.which, BROWSERS)):
        raise Unavailable("no browser")
    with served_shop() as origin, new_place() as place:
        place.write("session.json", session())
        told = (Option.JSON, Option.QUIET, Option.OUTPUT, "out.json")
        summary = place.run(*Command.WEB_REDUCE, "session.json", Option.ORIGIN, origin, *ALONE, *told, *words).summary
        text = (place.folder / "out.json").read_text("utf-8").replace(origin, "ORIGIN")
        fields = {"finished": Key.FINISHED, "before": Key.EVENTS_BEFORE, "after": Key.EVENTS_AFTER, "kept": Key.KEPT}
        counts = {"tests": Key.TESTS, "remembered": Key.REMEMBERED}
        steps = json.loads(text)["steps"]
        return {
            **{name: summary[key] for name, key in {**fields, **counts}.items()},
            **of_content(json.dumps(steps).encode()),
        }


def cases() -> Iterator[tuple[str, Case]]:
    """Yield the cases."""
    yield "web/shop", shop_case
    yield "web/shop-no-arguments", partial(shop_case, Option.NO_ARGUMENTS)
