"""What is run to see a failure: the failing command, what must go on to succeed beside it, or two commands to compare.

One command alone is run as it is. Anything more becomes a small shell script, in which the failing command comes first
and the rest is run only if that ended as it should; a last line on standard error tells what the rest has shown.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from minrepro.core.invocations import CANDIDATE, ProcessEnd
from minrepro.errors import UsageError
from minrepro.oracles.command import find_command, located, words_of

NOTE = "minrepro-note:"
"""Begins the last line on standard error, where a scenario of several commands says what they have shown."""
Inputs = Callable[[str], str | None]
"""Returns what stands for a word that is the path of an input: `@@`, or its path in the folder of a check."""

_SHELL = re.compile(r"[|&;<>()$`\n*?#~=%{}]")
_OPERATORS = frozenset({"|", "||", "&&", ";", "<", ">", ">>", "2>", "2>&1", "&>", "|&", "<<<"})
_ARGUMENT = re.compile(r"\$(?:1|\{1\})|\$(?:@|\*)")
SHELL = "/bin/bash" if os.access("/bin/bash", os.X_OK) else "/bin/sh"


@dataclass(frozen=True)
class Command:
    """A command in which `@@` stands for the candidate; without it, the candidate is on standard input."""

    text: str
    """As it was typed."""
    shell: str
    """As a shell would run it, with $MINREPRO_CANDIDATE for the candidate."""
    words: tuple[str, ...] = ()
    """The same as words, where it needs no shell."""
    named: bool = False
    """Whether the input's own path is among its words, which a view of the user's folder leaves as they are."""

    @property
    def names_candidate(self) -> bool:
        """Whether the candidate is among its words."""
        return self.named or "$MINREPRO_CANDIDATE" in self.shell

    @classmethod
    def of_words(cls, words: Sequence[str], inputs: Inputs) -> Command:
        """Return the command made of these words; a word that is the path of an input means its candidate."""
        shown, found = [words[0]], [find_command(words[0])]
        for word in words[1:]:
            meant = inputs(word)  # a path in the folder of a check, which must not be taken for one that is here
            shown.append(meant or word)
            found.append(meant or (word if CANDIDATE in word else located(word)))
        return cls(shlex.join(shown), " ".join(map(_quoted, found)), tuple(found))

    @classmethod
    def as_typed(cls, words: Sequence[str], path: str, inputs: Inputs) -> Command:
        """Return the command that is run where it was typed: only `@@` becomes the path of the input."""
        line = shell_line(words)
        if line is not None:
            text = line.replace(CANDIDATE, shlex.quote(path))
            named = text != line or bool(_ARGUMENT.search(line)) or any(map(inputs, _words_in(line)))
            return cls(line, text, named=named)
        found = [word.replace(CANDIDATE, path) for word in words]
        named = any(CANDIDATE in word or inputs(word) or inputs(word.partition("=")[2]) for word in words[1:])
        return cls(shlex.join(words), shlex.join(found), tuple(found), bool(named or inputs(words[0])))

    @classmethod
    def of_text(cls, text: str, inputs: Inputs) -> Command:
        """Return the command that was typed as one text: words, or a line of shell where it has signs of one."""
        if not text.strip():
            raise UsageError("empty command")
        if not _SHELL.search(text):
            return cls.of_words(words_of(text), inputs)
        return cls(text, text.replace(CANDIDATE, '"$MINREPRO_CANDIDATE"'))


@dataclass(frozen=True)
class Scenario:
    """The commands to be run for a candidate."""

    main: Command | None
    whiles: tuple[Command, ...] = ()
    """These must go on to succeed."""
    hangs: float | None = None
    """The failing command must still be running after so many seconds."""
    differs: tuple[Command, ...] = ()
    """The outputs of these two must differ."""
    stdin: bool = True
    """Whether a command that does not name the candidate reads it on standard input."""

    @property
    def first(self) -> Command:
        """The command whose output is looked at."""
        return self.main or self.differs[0]

    @property
    def text(self) -> str:
        """What is run, in a line."""
        if self.differs:
            return " versus ".join(command.text for command in self.differs)
        return self.first.text

    @property
    def is_plain(self) -> bool:
        """Whether it is one command that can be run without a shell."""
        return bool(self.first.words) and not (self.whiles or self.hangs or self.differs)

    @property
    def reads_stdin(self) -> bool:
        """Whether the command whose output is looked at reads the candidate on standard input."""
        return self.stdin and not self.first.names_candidate

    def words(self, case: str, status: int | None = None) -> tuple[str, ...]:
        """Return what to run for a candidate at that path.

        What must go on to succeed is run only if the failing command ends with this status.
        """
        if self.is_plain:
            return tuple(word.replace(CANDIDATE, case) for word in self.first.words)
        return (SHELL, "-c", self._script(status), "minrepro", case)

    def _script(self, status: int | None) -> str:
        lines = list(self._compared() if self.differs else self._failing())
        if self.whiles:
            lines.append("[ $s -ne 0 ] || exit 0" if status is None else f"[ $s -eq {status} ] || exit $s")
            lines += [
                f"{self.run_in_shell(command)} >/dev/null 2>&1 || {{ echo '{NOTE} while {number}' >&2; exit 125; }}"
                for number, command in enumerate(self.whiles)
            ]
        return "\n".join([*lines, "exit $s"])

    def _failing(self) -> list[str]:
        limit = "" if self.hangs is None else f"timeout -k 1 {self.hangs:g} "
        if limit and not self.first.words:
            return [f"{limit}sh -c {shlex.quote(self.first.shell)}{self._stdin(self.first)}", "s=$?"]
        return [limit + self.run_in_shell(self.first), "s=$?"]

    def _compared(self) -> list[str]:
        one, other = self.differs
        return [
            f"{self.run_in_shell(one)} >.minrepro-1 2>.minrepro-2; s=$?",
            f"{self.run_in_shell(other)} >.minrepro-3 2>/dev/null; t=$?",
            "cat .minrepro-1; cat .minrepro-2 >&2",
            f"if cmp -s .minrepro-1 .minrepro-3; then echo '{NOTE} same' $s $t >&2",
            f"else echo '{NOTE} differ' $s $t >&2; fi",
        ]

    def run_in_shell(self, command: Command) -> str:
        return (command.shell if command.words else f"{{ {command.shell}; }}") + self._stdin(command)

    def _stdin(self, command: Command) -> str:
        return ' <"$MINREPRO_CANDIDATE"' if self.stdin and not command.names_candidate else " </dev/null"


def shell_line(words: Sequence[str]) -> str | None:
    """Return the line of shell that the words of a command are, if they are one: typed in quotes, or with operators."""
    if len(words) == 1 and not _there(words[0]) and re.search(r"\s", words[0].strip()):
        return words[0]
    if _OPERATORS & set(words):
        return " ".join(word if word in _OPERATORS else shlex.quote(word) for word in words)
    return None


def _words_in(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def _there(word: str) -> bool:
    try:
        return Path(word).exists()
    except (OSError, ValueError):
        return False


def note_of(ending: ProcessEnd) -> list[str]:
    """Return what the last line of a scenario says, as words; nothing when there is no such line."""
    last = ending.stderr.rstrip().rsplit(b"\n", 1)[-1].decode("utf-8", "replace")
    return last.removeprefix(NOTE).split() if last.startswith(NOTE) else []


def _quoted(word: str) -> str:
    if CANDIDATE not in word:
        return shlex.quote(word)
    return '"$MINREPRO_CANDIDATE"'.join(shlex.quote(part) if part else "" for part in word.split(CANDIDATE))
