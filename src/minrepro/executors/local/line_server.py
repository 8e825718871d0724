"""A program of the user's that stays loaded and answers each check with a line: a line in, a line out.

Used in the check runners, which are bare interpreters: the standard library only. A line that asks has fields with tabs
between them: the directory, the files for standard input, output and error, and the words of the check. The answer is
the exit status. The page on warm checks says the same to those who write such a program.
"""

# A bare interpreter.

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable, Sequence

from minrepro.executors.local.warm_server import WarmTrouble

_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


class LineServer:
    """The program that answers lines; started when it is first asked."""

    def __init__(self, words: Sequence[str], gone: Callable[[], None], signals: Sequence[int] = ()) -> None:
        """`gone` raises when nobody wants an answer any more; the signals are those that a program handles as usual."""
        self._words = list(words)
        self._gone = gone
        self._signals = signals
        self._ask = self._answer = -1
        self.pid = 0

    def ask(self, words: Sequence[str], limit: float | None) -> int | None:
        """Return the exit status that is the answer to these words; None when it does not come in time."""
        if not self.pid:
            self._start()
        line = "\t".join("".join(_ESCAPES.get(sign, sign) for sign in word) for word in words) + "\n"
        deadline = None if limit is None else time.monotonic() + limit
        answer = b""
        try:
            os.write(self._ask, os.fsencode(line))
            while not answer.endswith(b"\n"):
                if deadline is not None and time.monotonic() >= deadline:
                    self.stop()
                    return None
                if select.select([self._answer], [], [], 0.1)[0]:
                    piece = os.read(self._answer, 1024)
                    if not piece:
                        raise BrokenPipeError
                    answer += piece
                else:
                    self._gone()
            return int(answer)
        except OSError:
            self.stop()
            raise WarmTrouble("the program that answers lines has ended") from None
        except ValueError:
            self.stop()
            raise WarmTrouble(
                f"the program that answers lines said {answer[:60]!r} instead of an exit status"
            ) from None

    def stop(self) -> None:
        """End the program with all that it has started in its group."""
        if self.pid:
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
            with contextlib.suppress(OSError):
                os.waitpid(self.pid, 0)
            os.close(self._ask)
            os.close(self._answer)
        self.pid = 0

    def _start(self) -> None:
        (questions, self._ask), (self._answer, answers) = os.pipe(), os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, questions, 0), (os.POSIX_SPAWN_DUP2, answers, 1)]
        try:
            self.pid = os.posix_spawnp(
                self._words[0],
                self._words,
                os.environ,
                file_actions=[*actions, (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)],
                setpgroup=0,
                setsigdef=self._signals,
            )
        except OSError as error:
            raise WarmTrouble(f"{self._words[0]} cannot be started: {error.strerror}") from None
        finally:
            os.close(questions)
            os.close(answers)
