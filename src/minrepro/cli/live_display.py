"""The live display of a run on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.text import Text

from minrepro.cli.keyboard import keys_heard
from minrepro.cli.progress_state import ProgressState
from minrepro.cli.size_chart import size_chart
from minrepro.core.events import Accepted, Noted, RunEvent, Warned
from minrepro.core.plurals import counted, named
from minrepro.core.prefixes import common_prefix, common_suffix
from minrepro.core.verdicts import Outcome

_PER_SECOND = 3
"""How often it is drawn: often enough to be alive, seldom enough to cost nothing."""
_CHART_HEIGHT = 4
_MOST_PASSES = 4
_MOST_SHOWN = 20_000
"""What is larger is not turned into text several times a second, for the few lines that can be shown."""
_CONTEXT = 2

Render = Callable[[Any], str]


class Display:
    """Shows a run on a terminal, redrawn in place a few times a second, and does what keys ask for."""

    def __init__(self, state: ProgressState, console: Console, unit: str, render: Render | None) -> None:
        self._state = state
        self._console = console
        self._unit = unit
        self._render = render
        self._cases: tuple[Any, Any] = (None, None)
        """What the best so far was before, and is now."""
        self._difference = False
        self._paused = False
        self.has_keys = False

    def __call__(self, notice: RunEvent) -> None:
        self._state(notice)
        if isinstance(notice, Warned):  # stays there when all else goes
            self._console.print(Text(f"minrepro: warning: {notice.text}", style="yellow"))
        elif isinstance(notice, Noted):
            self._console.print(Text(f"minrepro: {notice.text}"))
        elif isinstance(notice, Accepted) and notice.smallest and notice.outcome is Outcome.FAIL:
            self._cases = self._cases[1], notice.case

    def press(self, key: str) -> None:
        """Do what a key means; others mean nothing."""
        control = self._state.control
        if key == "d":
            self._difference = not self._difference
        elif key == "p" and control is not None:
            self._paused = not self._paused
            control.pause(self._paused)
        elif key == "q" and control is not None:
            control.stop("stopped by q")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width, height = console.size
        lines = self._head(width)
        room = height - len(lines) - 2  # the keys, and the line where the cursor stays
        lines += self._content(width, room) if room >= 3 else []
        lines.append(self._foot())
        for line in lines[: height - 1]:
            line.truncate(width - 1, overflow="ellipsis")
            yield line

    def _head(self, width: int) -> list[Text]:
        """Return the lines that are always there: sizes, curve, checks, workers, passes."""
        state, per_second = self._state, self._state.tally.tests / max(self._state.seconds, 0.001)
        lines = [Text.assemble((f"{state.now:,}", "bold"), f" of {counted(state.before, self._unit)} ({state.share})")]
        lines += [
            Text(line, style="cyan")
            for line in size_chart(state.points, state.tally.tests, min(width - 1, 100), _CHART_HEIGHT)
        ]
        hits = counted(state.tally.remembered, "cache hits")
        contained = f"; {state.containment}" if state.containment else ""
        lines += [
            Text(f"checks   {state.tally.tests:,} ({per_second:.1f} per second), {hits}{contained}"),
            Text(f"         {state.outcomes}"),
        ]
        if state.cluster:
            lines.append(Text(f"cluster  {state.cluster}"))
        lines.append(Text(f"running  {self._under_way()}"))
        lines.append(Text(f"removed  {self._gains()}"))
        return lines

    def _under_way(self) -> str:
        state = self._state
        under_way = state.control.under_way() if state.control is not None else []
        shown = ", ".join(f"{label} ({size:,})" for label, size in under_way[:_MOST_PASSES])
        more = f" and {len(under_way) - _MOST_PASSES} more" if len(under_way) > _MOST_PASSES else ""
        return f"{len(under_way)}: {shown}{more}" if under_way else state.label

    def _gains(self) -> str:
        gains = sorted(self._state.passes.items(), key=lambda item: -item[1].removed)
        shown = [
            f"{label} {gain.removed:,} in {counted(gain.checks, 'checks')}" for label, gain in gains if gain.removed > 0
        ]
        return ", ".join(shown[:_MOST_PASSES]) or "nothing yet"

    def _content(self, width: int, room: int) -> list[Text]:
        """Return as many lines of the best so far, or of what it lost last, as there is room for."""
        before, now = self._cases
        if self._render is None or now is None:
            return []
        if len(before or now) > _MOST_SHOWN:
            title, lines = "best so far", [Text("shown when it is smaller", style="dim")]
        elif self._difference and before is not None:
            title, lines = "last difference", _difference(self._shown(before), self._shown(now))
        else:
            title, lines = "best so far", [Text(line) for line in self._shown(now).splitlines()]
        left = len(lines) - room + 1
        if left > 0:
            lines = [*lines[: room - 2], Text(f"… {left + 1:,} more {named(left + 1, 'lines')}", style="dim")]
        return [Text(f"── {title} ".ljust(min(width - 1, 100), "─"), style="dim"), *lines]

    def _shown(self, case: Any) -> str:
        assert self._render is not None
        return "".join(
            character if character.isprintable() or character == "\n" else " " if character == "\t" else "·"
            for character in self._render(case)
        )

    def _foot(self) -> Text:
        if not self.has_keys:
            return Text(f"{self._state.seconds:.0f} s; Ctrl-C stops with the best so far", style="dim")
        pause = "p continue" if self._paused else "p pause"
        shown = "d result" if self._difference else "d difference"
        state = "paused" if self._paused else f"{self._state.seconds:.0f} s"
        return Text(f"{state}   {shown}   {pause}   q stop and keep the best so far", style="dim")


def _difference(before: str, after: str) -> list[Text]:
    """Return the lines that were removed and added, with a little around them."""
    old, new = before.splitlines(), after.splitlines()
    start = common_prefix(old, new)
    tail = common_suffix(old, new, min(len(old), len(new)) - start)
    context = old[max(0, start - _CONTEXT) : start]
    return [
        *(Text(f"  {line}", style="dim") for line in context),
        *(Text(f"+ {line}", style="green") for line in new[start : len(new) - tail]),
        *(Text(f"- {line}", style="red") for line in old[start : len(old) - tail]),
    ]


@contextmanager
def displayed(state: ProgressState, unit: str, stream: TextIO, render: Render | None = None) -> Iterator[Display]:
    """Yield a listener that shows a run on a terminal as long as it lasts."""
    console = Console(file=stream, highlight=False)
    display = Display(state, console, unit, render)
    live = Live(display, console=console, refresh_per_second=_PER_SECOND, transient=True, vertical_overflow="crop")
    with keys_heard(display.press) as display.has_keys, live:
        yield display
