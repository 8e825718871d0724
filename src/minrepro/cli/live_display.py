"""The live display of a run on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from minrepro.cli.progress_state import ProgressState
from minrepro.core.events import RunEvent, Warned


class Display:
    """Shows a run on a terminal, redrawn in place a few times a second."""

    def __init__(self, story: ProgressState, console: Console, unit: str) -> None:
        self._story = story
        self._console = console
        self._unit = unit

    def __call__(self, notice: RunEvent) -> None:
        self._story(notice)
        if isinstance(notice, Warned):  # stays there when all else goes
            self._console.print(Text(f"minrepro: warning: {notice.text}", style="yellow"))

    def __rich__(self) -> Table:
        story = self._story
        table = Table.grid(padding=(0, 2))
        table.add_row("size", f"[bold]{story.now:,}[/] {self._unit} ({story.share})  [dim]{story.sizes()}[/]")
        table.add_row("checks", f"{story.tally.tests:,}, {story.tally.remembered:,} cache hits")
        table.add_row("outcomes", story.outcomes)
        if story.cluster:
            table.add_row("cluster", story.cluster)
        table.add_row("step", f"{story.label}   [dim]{story.seconds:.0f} s; Ctrl-C stops with the best so far[/]")
        return table


@contextmanager
def displayed(story: ProgressState, unit: str, stream: TextIO) -> Iterator[Display]:
    """Yield a listener that shows a run on a terminal as long as it lasts."""
    console = Console(file=stream)
    display = Display(story, console, unit)
    with Live(display, console=console, refresh_per_second=8, transient=True):
        yield display
