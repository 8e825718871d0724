"""What the commands of `minrepro web` need for a replay, from their options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from minrepro.browser.recording import Recording, read, stored_state
from minrepro.errors import InputError

if TYPE_CHECKING:  # this needs the browser's extra, which is asked for when a command needs it
    from minrepro.browser.chromium import Chromium

REPLAY = "minrepro web replay"
"""Shows the failures of a recording."""


@contextmanager
def browser_of(args: argparse.Namespace, url: str, *, headed: bool = False, slow: float = 0) -> Iterator[Chromium]:
    """Start the browser that a command asks for, in which pages reach what they may."""
    from minrepro.browser.chromium import Chromium, has_display, host_of

    if headed and not has_display():
        raise InputError("no display to open a window on (DISPLAY is not set)")
    hosts = None if args.allow_network else [host_of(url)] if host_of(url) else []
    with Chromium(args.browser, hosts=hosts, headed=headed, slow=slow) as chromium:
        yield chromium


def recording_of(args: argparse.Namespace) -> Recording:
    """Return the recording that a command is about."""
    recording = read(args.recording)
    if args.before is not None and stored_state(args.before) is None:
        recording = recording.after(read(args.before))
    return recording.at(args.origin) if args.origin else recording


def stored_of(args: argparse.Namespace) -> Mapping[str, Any] | None:
    """Return what a context has in it from the start, if a command says so."""
    return None if args.before is None else stored_state(args.before)
