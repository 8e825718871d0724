"""What recording and replaying have in common: a display, and the names of keys."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from Xlib import XK, X
from Xlib.display import Display

PATIENCE = 60.0
KINDS = {name: getattr(X, name) for name in ("KeyPress", "KeyRelease", "ButtonPress", "ButtonRelease", "MotionNotify")}
"""The events that a user causes, and their numbers in the protocol."""

XK.load_keysym_group("xf86")
_KEYSYMS = {name[3:]: number for name, number in vars(XK).items() if name.startswith("XK_")}
_NAMES = {number: name for name, number in reversed(_KEYSYMS.items())}


@contextmanager
def virtual_display() -> Iterator[str]:
    """Start a display that nobody sees; the value is its name."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        try:
            yield f":{number}"
        finally:
            server.terminate()


def key_name(display: Display, code: int) -> str:
    """Return the name of a key, such as Return, or its number."""
    return _NAMES.get(display.keycode_to_keysym(code, 0), str(code))


def key_code(display: Display, name: str) -> int:
    """Return the number of a key on this keyboard."""
    return display.keysym_to_keycode(_KEYSYMS[name]) if name in _KEYSYMS else int(name)


def until_a_window_is_there(display: Display, program: subprocess.Popen[bytes]) -> None:
    """Wait until a program shows a window and waits for the user."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and program.poll() is None:
        windows = display.screen().root.query_tree().children
        if any(window.get_attributes().map_state == X.IsViewable for window in windows):
            until_idle(display, program)
            return
        time.sleep(0.01)
    raise SystemExit("no window came up")


def until_idle(display: Display, program: subprocess.Popen[bytes]) -> None:
    """Wait until a program has seen to all events that were sent, or has ended."""
    for _ in range(2):  # the second answer comes after the server has sent what the events before the first one caused
        display.sync()
    end = time.monotonic() + PATIENCE
    while program.poll() is None and time.monotonic() < end:
        try:
            state = Path(f"/proc/{program.pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state == "S":
            return
        time.sleep(0.001)
