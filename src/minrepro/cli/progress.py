"""How progress is shown: a live display on a terminal, plain lines elsewhere. Listeners of a run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from minrepro.cli.event_lines import EventLines
from minrepro.cli.progress_state import ProgressState
from minrepro.core.events import Accepted, Listener, Noted, Resized, RunEvent, Started, Warned
from minrepro.core.plurals import counted

_SECONDS_BETWEEN_LINES = 2.0


class Lines:
    """Reports progress in plain lines, a few seconds apart, or a line for every accepted step."""

    def __init__(self, stream: TextIO, unit: str = "bytes", every_step: bool = False) -> None:
        self._story = ProgressState()
        self._stream = stream
        self._unit = unit
        self._last = 0.0
        self._pause = 0.0 if every_step else _SECONDS_BETWEEN_LINES

    def __call__(self, notice: RunEvent) -> None:
        story = self._story
        story(notice)
        if isinstance(notice, Started):
            contained = f"; checks run {story.containment}" if story.containment else ""
            self._say(f"input: {counted(story.before, self._unit)}{contained}")
        elif isinstance(notice, Warned):
            self._say(f"warning: {notice.text}")
        elif isinstance(notice, Noted):
            self._say(notice.text)
        elif isinstance(notice, Resized):
            self._say(story.cluster)
        elif isinstance(notice, Accepted) and story.seconds - self._last >= self._pause:
            self._last = story.seconds
            size = f"{counted(story.now, self._unit)} ({story.share})"
            taken = f"{counted(story.tally.tests, 'checks')}, {counted(story.tally.remembered, 'cache hits')}"
            self._say(f"{size} after {story.seconds:.0f} s; {taken}; {story.label}")

    def _say(self, line: str) -> None:
        print(f"minrepro: {line}", file=self._stream, flush=True)


class Warnings:
    """Reports nothing but warnings."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, notice: RunEvent) -> None:
        if isinstance(notice, Warned):
            print(f"minrepro: warning: {notice.text}", file=self._stream, flush=True)


@contextmanager
def shown(
    quiet: bool,
    unit: str = "bytes",
    stream: TextIO | None = None,
    verbose: bool = False,
    json_lines: bool = False,
    render: Callable[[Any], str] | None = None,
) -> Iterator[Listener]:
    """Yield a listener that shows a run as the stream allows (standard error, unless another is given).

    What `render` makes of the best so far is shown too, where there is room for it.
    """
    stream = stream or sys.stderr
    if json_lines:
        yield EventLines(sys.stdout, unit)
    elif quiet:
        yield Warnings(stream)
    elif stream.isatty() and not verbose:
        from minrepro.cli.live_display import displayed  # what draws on terminals takes a while to load

        with displayed(ProgressState(), unit, stream, render) as display:
            yield display
    else:
        yield Lines(stream, unit, every_step=verbose)
