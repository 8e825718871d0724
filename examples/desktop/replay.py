"""Replays a recorded session: replay.py PROGRAM [ARG...] TRACE

Exits 0 if the program ends on its own during the session, and says at which event; 1 if it is still there at the end.
It runs on a display of its own, which nobody sees.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from desktop import KINDS, key_code, until_a_window_is_there, until_idle, virtual_display
from Xlib.display import Display
from Xlib.ext import xtest


def main() -> None:
    """Replay the session, and exit with the outcome."""
    *command, path = sys.argv[1:]
    events = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    with virtual_display() as name:
        display = Display(name)
        with subprocess.Popen(command, env={**os.environ, "DISPLAY": name}) as program:
            until_a_window_is_there(display, program)
            stopped = 0
            for number, event in enumerate(events, 1):
                fire(display, event["event"], event["args"])
                until_idle(display, program)
                if program.poll() is not None:
                    stopped = number
                    break
            if program.poll() is None:
                program.kill()
    if stopped:
        print(f"minrepro: event {stopped}")
    sys.exit(0 if stopped else 1)


def fire(display: Display, name: str, args: list[Any]) -> None:
    """Do what the user did."""
    if name == "MotionNotify":
        xtest.fake_input(display, KINDS[name], x=args[0], y=args[1])
    else:
        xtest.fake_input(display, KINDS[name], key_code(display, args[0]) if name.startswith("Key") else args[0])


if __name__ == "__main__":
    main()
