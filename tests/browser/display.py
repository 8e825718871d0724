"""A display that nobody sees, and a user at its keyboard."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

PATIENCE = 120.0


@contextmanager
def virtual_display() -> Iterator[dict[str, str]]:
    """Start a display that nobody sees; the value is the environment in which windows open there."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1300x900x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        try:
            yield {**os.environ, "DISPLAY": f":{number}"}
        finally:
            server.terminate()


@pytest.fixture
def display() -> Iterator[dict[str, str]]:
    """The environment in which windows open on a display that nobody sees."""
    with virtual_display() as environment:
        yield environment


def tool(display: dict[str, str], *words: str) -> str:
    """Do something as the user, and return what is told."""
    done = subprocess.run(["xdotool", *words], env=display, capture_output=True, text=True, check=False)
    return done.stdout.strip()


LISTENING = """<!doctype html><link rel=icon href=data:,><title>no focus</title><button>b</button><input><script>
  window.keys = [];
  const look = () => { document.title = document.hasFocus() ? `heard ${keys.length}` : 'no focus' };
  addEventListener('keydown', (event) => { keys.push(event.key); look(); });
  setInterval(look, 50);
</script>"""
"""A page whose title tells whether it has the focus and how many keys it has heard, so that nobody types too early."""


def type_keys(display: dict[str, str], window: str, *keys: str) -> None:
    """Type into the window of a listening page, each key when the one before has been heard."""
    tool(display, "windowfocus", "--sync", window)
    for count, key in enumerate(keys):
        until_there(display, f"heard {count}")
        tool(display, "key", key)
    until_there(display, f"heard {len(keys)}")


def until_there(display: dict[str, str], name: str) -> str:
    """Return the window whose title has a text in it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := tool(display, "search", "--onlyvisible", "--name", name).split():
            return found[0]
        time.sleep(0.2)
    raise AssertionError(f"no window {name!r} came up")
