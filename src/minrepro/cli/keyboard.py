"""Single keys that a person presses while a reduction runs."""

from __future__ import annotations

import os
import select
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def keys_heard(press: Callable[[str], None]) -> Iterator[bool]:
    """Call a function for each key, from a thread, as long as the block lasts; yield whether there is a keyboard.

    Ctrl-C still interrupts. A process in the background leaves the terminal alone.
    """
    try:
        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
        foreground = os.tcgetpgrp(keyboard) == os.getpgrp()
    except (OSError, ValueError, AttributeError, termios.error):
        foreground = False
    if not foreground:
        yield False
        return
    over, wake = os.pipe()
    listening = threading.Thread(target=_listen, args=(keyboard, over, press), daemon=True)
    tty.setcbreak(keyboard)
    try:
        listening.start()
        yield True
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
        os.close(wake)
        listening.join()
        os.close(over)


def _listen(keyboard: int, over: int, press: Callable[[str], None]) -> None:
    while True:
        ready, _, _ = select.select([keyboard, over], [], [])
        if over in ready:
            return
        typed = os.read(keyboard, 16)
        if not typed:  # the terminal has gone
            return
        for key in typed.decode("utf-8", "ignore"):
            press(key)
