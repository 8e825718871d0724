"""The command `minrepro` from its first instruction to its last: signals and broken streams end it in good order.

Nothing of this package is loaded before signals are handled, since loading takes as long as a hasty person.
"""

from __future__ import annotations

import os
import signal
import sys
from io import BufferedWriter, FileIO, TextIOWrapper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

LEAVING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Stream(FileIO):
    """A standard stream that says which one it is when it cannot be written, or says nothing at all."""

    def __init__(self, descriptor: int, title: str) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._title = title

    def write(self, data: Any) -> int:
        """Write as much as can be written."""
        try:
            return super().write(data)
        except OSError as error:
            if not self._title:
                return len(data)
            error.filename = self._title
            raise

    def give_up(self) -> None:
        """Take what is written from now on for written."""
        self._title = ""


def main() -> int:
    """Run the command, and return its exit status."""
    leave_at_signals()
    _open_closed_streams()
    output = _Stream(1, "standard output")
    sys.stdout = _text(output, sys.stdout, by_line=output.isatty())
    sys.stderr = _text(_Stream(2, ""), sys.stderr, by_line=True)  # a message that nobody can read is no reason to end
    try:
        from minrepro.cli.main import main as command

        status = _ended(command, output)
    finally:
        leave_at_signals()
    return status


def leave_at_signals() -> None:
    """Have signals end the process at once, as long as nothing is under way that must be put in order."""
    for number in LEAVING:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` has it
            signal.signal(number, _leave)


def _leave(number: int, frame: FrameType | None) -> None:
    word = "interrupted" if number == signal.SIGINT else f"stopped by {signal.Signals(number).name}"
    try:
        os.write(2, f"minrepro: {word}\n".encode())
    finally:
        os._exit(128 + number)


def _open_closed_streams() -> None:
    """Have something behind the standard descriptors: else the next file that is opened is taken for one of them."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _text(stream: _Stream, model: Any, by_line: bool) -> TextIOWrapper:
    """Return a stream of text like the one that Python has made; by line, each is seen at once."""
    encoding = getattr(model, "encoding", "utf-8")
    return TextIOWrapper(BufferedWriter(stream), encoding, "backslashreplace", line_buffering=by_line)


def _ended(command: Any, output: _Stream) -> int:
    """Return the exit status of a command, after all that it printed was written."""
    try:
        try:
            status = int(command())
        except SystemExit as end:  # usage errors and help
            status = end.code if isinstance(end.code, int) else 0
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output went away
        status = 128 + signal.SIGPIPE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"minrepro: error: {where}{error.strerror or repr(error)}", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        status = 128 + signal.SIGINT
    except MemoryError:
        print("minrepro: error: out of memory", file=sys.stderr)
        status = 3
    output.give_up()
    sys.stderr.flush()
    return status
