"""What of a line that a program printed may change with every candidate, and what may not.

Positions, addresses, times and temporary paths change; names and quoted words do not, because a message about
another thing is another failure. Where a message repeats a long piece of the input, that piece may become shorter,
but not turn into something else.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from minrepro.oracles.kinds import COLOR, LONGEST_LINE, MOST_LINES, Kind, Line

INPUT = "<input>"
"""Stands for the path of the candidate, with any position in it."""
ANY_ORDER = ""
"""Comes before pieces of a list that is printed in another order in every run."""
_TOKEN = re.compile(r"[\w.+~@%/<>-]*[./][\w.+~@%/<>-]*|[\w.+~@%<>-]+")
_POSITION_OF_INPUT = re.compile(rf"(?:{INPUT})(?::*\d+(?:[:.,-]\d+)*|\(\d+(?:[,:-]\d+)*\))")
_ADDRESS = re.compile(r"\b0[xX][0-9a-fA-F]+\b|\b(?=[0-9a-fA-F]*\d)(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{8,}\b")
_NUMBER = re.compile(r"(?<![\w.$])[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?(?:ms|s|m|h|%|[kKMG]i?B)?(?!\w)")
_POSITION_WORD = re.compile(
    r"(?i)(?:\b(?:lines?|ln|columns?|cols?|char(?:acter)?s?|offset|pos(?:ition)?|row|bytes?)[\s:=#(\"']{1,3}"
    r"|[:#\[(,@.-])$"
)
_PLAIN_POSITION = re.compile(r"(?i)\b(?:line|ln|column|col|char(?:acter)?|offset|pos(?:ition)?|byte)[\s:=#(]{1,2}(\d+)")
_VALUE = re.compile(r"(?i)^[\s#+-]*(?:(?:expected|wanted|received|actual|got)\s*[:=])?\s*$")
_ORDINAL = re.compile(r"(?i)\b(?:at|near|index|record|item|element|entry|test|case|step|argument|arg|#)[\s:=#(]{0,2}$")
_OTHER_PLACE = re.compile(r"(?:[\w>)]\.[A-Za-z]\w*(?::\d+)?:|\.[A-Za-z]\w*[\"']?,? (?:on |at )?line )$")
_UNSOUND = re.compile(
    r"(?i)reaches end of non-void|no return statement|should return a value|with no value|uninitiali[sz]ed"
    r"|implicit declaration|undefined behaviou?r|without a cast|incompatible|out of bounds"
    r"|(?:too few|expects a matching) argument"
)
"""What a compiler only warns of, and what makes a program do anything when it runs."""
_ABOUT_INPUT = re.compile(rf"{INPUT}\S*:{{1,2}} ?\S.*[^:]$")
"""Something is said of the input; not only where the next line is about, as in `bug.c: In function ‘main’:`."""
_PIECE = re.compile(r"\w+|[^\w\s]")
_CLOSING = {'"': '"', "'": "'", "`": "`'", "‘": "’", "“": "”", "(": ")", "[": "]", "{": "}"}
_LINE_OF_FILE = re.compile(
    r"(?P<file>[\w.+~@%/-]+)(?:[\"']?,? (?:on |at )?line |: line |: |:|\()(?P<line>\d+)(?=[\s:.,)-]|$)"
)
_MOST_POSITIONS = 12
_LONG_ECHO = 100
"""A shorter piece of the input in a message is a name, and stays."""


@dataclass(frozen=True)
class Context:
    """What is known of the input and of where the command runs, so that what changes can be told from what stays."""

    names: frozenset[str] = frozenset()
    """How the files of the input are called."""
    roots: tuple[str, ...] = ()
    """The folders that the user works in, whose paths say nothing."""
    text: str = field(default="", repr=False)
    """The input, white space collapsed."""
    fixed: frozenset[str] = frozenset()
    """Paths below a folder for temporary files that every run of the command prints."""
    named: frozenset[str] = frozenset()
    """Paths that the command prints because the input has them."""
    kept: frozenset[str] = frozenset()
    """Numbers that are no positions: quoted in the message, or also in the input."""
    level: Kind = "error"
    """What kind of line the failure is: where it is no more than a warning or a note, others of these count as well,
    and where a program breaks down, warnings of what would make it break down otherwise."""

    @classmethod
    def of(cls, content: bytes, names: Iterable[str], roots: Sequence[str] = ()) -> Context:
        """Return what is known of an input in files of these names, used in these folders."""
        return cls(frozenset(names), tuple(roots), " ".join(content[: 4 << 20].decode("utf-8", "replace").split()))

    def is_own(self, file: str) -> bool:
        """Tell whether a file is one of the input's."""
        return file.rsplit("/", 1)[-1] in self.names or file in ("<stdin>", "-", "stdin", INPUT)

    def normalised(self, line: str) -> str:
        """Return a line without what may be another for every candidate."""
        return _normalised(self.names, self.roots, self.fixed, self.named, self.kept, line)

    def placed(self, line: str) -> str:
        """Return a line without what may be another for every candidate but its positions."""
        positions = (match[1] for match in _PLAIN_POSITION.finditer(COLOR.sub("", line)))
        return " ".join([self.normalised(line), *positions])

    def is_error(self, line: Line, in_stdout: bool = False) -> bool:
        """Tell whether a line is an error that may not appear for a candidate unless it did for the input.

        Words alone are not enough on standard output, unless the command writes its errors there.
        """
        if line.kind in ("error", "place") or (line.kind == "words" and (line.stderr or in_stdout)):
            return True
        if line.kind in ("warning", "note") and self.level in ("note", line.kind):
            return True
        if line.kind == "warning" and self.level == "crash" and _UNSOUND.search(line.text):
            return True
        return line.kind == "other" and bool(_ABOUT_INPUT.match(self.normalised(line.text)))

    def lines_in(self, text: str) -> tuple[int, ...]:
        """Return the lines of the input that an output speaks of, in its order."""
        found: dict[int, None] = {}
        for line in COLOR.sub("", text).splitlines()[:MOST_LINES]:
            for match in _LINE_OF_FILE.finditer(line):
                if self.is_own(match["file"]):
                    found[int(match["line"])] = None
        return tuple(found)[:_MOST_POSITIONS]

    def seeing(self, outputs: Iterable[bytes]) -> Context:
        """Return this with the paths that all of some outputs have in common, and those that come from the input."""
        printed = [output.decode("utf-8", "replace") for output in outputs]
        if not printed:
            return self
        paths = [set(_TEMPORARY_PATH.findall(text)) for text in printed]
        named = {path for text in printed for path in _ABSOLUTE_PATH.findall(text) if path in self.text}
        return replace(self, fixed=frozenset(set.intersection(*paths)), named=frozenset(named))

    def keeping(self, fragments: Iterable[str]) -> Context:
        """Return this with the numbers of a message that come from the input: those count."""
        kept = set()
        for fragment in fragments:
            for match in _NUMBER.finditer(fragment):
                number, before = match[0].lstrip("+-"), fragment[: match.start()]
                value = not _POSITION_WORD.search(before) and (len(number) > 1 or not _ORDINAL.search(before))
                in_input = rf"(?<![\w.]){re.escape(number)}(?![\w.]\d|\w)"
                alone = _VALUE.match(before) and not fragment[match.end() :].strip()
                if alone or _is_quoted(before) or (value and re.search(in_input, self.text)):
                    kept.add(number)
        return replace(self, kept=frozenset(kept))

    def fragment(self, text: str) -> Fragment:
        """Return what must be found of a text that was printed."""
        collapsed = " ".join(COLOR.sub("", text)[:LONGEST_LINE].split())
        parts: list[str] = []
        echoes: list[tuple[str, ...] | None] = []
        position = 0
        for start, end in self._echoes(collapsed):
            parts.append(self._piece(collapsed[position:start], position > 0, end=False))
            echoes.append(tuple(_PIECE.findall(self.normalised(collapsed[start:end]))))
            position = end
        last = self._piece(collapsed[position:], position > 0, end=True)
        return Fragment((*parts, last), tuple(echoes))

    def _piece(self, text: str, behind_echo: bool, *, end: bool) -> str:
        """Return a part of a line, normalised, with the white space at its ends."""
        before = " " if behind_echo and text.startswith(" ") else ""
        after = " " if not end and text.endswith(" ") else ""
        return before + self.normalised(text) + after

    def _echoes(self, text: str) -> list[tuple[int, int]]:
        """Return where a text repeats a long piece of the input."""
        for match in re.finditer(r": (?=\S)", text):
            if len(text) - match.end() >= _LONG_ECHO and text[match.end() :] in self.text:
                return [(match.end(), len(text))]
        found = []
        for start, end in _quoted(text):
            words = [word for word in _PIECE.findall(text[start:end]) if word[0].isalnum()]
            known = sum(word in self.text for word in words)
            if end - start >= _LONG_ECHO and len(words) > 3 and 2 * known > len(words):
                found.append((start, end))
        return found


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the insides of quotes and brackets are, the outermost only."""
    position = 0
    while position < len(text):
        opening, before = text[position], text[position - 1 : position]
        closing = _CLOSING.get(opening, "")
        end = -1
        if closing == opening:
            end = -1 if before.isalnum() else text.find(closing, position + 1)
        elif closing:
            depth = 0
            for at in range(position, len(text)):
                depth += (text[at] == opening) - (text[at] in closing)
                if not depth:
                    end = at
                    break
        if end > position:
            yield position + 1, end
            position = end
        position += 1


@lru_cache(maxsize=4096)
def _normalised(
    names: frozenset[str],
    roots: tuple[str, ...],
    fixed: frozenset[str],
    named: frozenset[str],
    kept: frozenset[str],
    line: str,
) -> str:
    line = COLOR.sub("", line)[:LONGEST_LINE]
    for root in roots:
        line = line.replace(f"{root}/", "")
    line = _TOKEN.sub(lambda match: match[0] if match[0].rstrip(".") in named else _path(match[0], names, fixed), line)
    line = _POSITION_OF_INPUT.sub(INPUT, line)
    line = _ADDRESS.sub("0x#", line)
    line = _NUMBER.sub(lambda match: _number(match, kept), line)
    return " ".join(line.split())


def _path(token: str, names: frozenset[str], fixed: frozenset[str]) -> str:
    bare = token.rstrip(".")
    base = bare.rsplit("/", 1)[-1]
    if base in names or token in ("<stdin>",):
        return INPUT + token[len(bare) :]
    if token.startswith(_TEMPORARY) and bare not in fixed:
        return "<temporary>"
    return base + token[len(bare) :] if token.startswith("/") and base else token


def _number(match: re.Match[str], kept: frozenset[str]) -> str:
    before = match.string[: match.start()]
    place = _OTHER_PLACE.search(before)
    if place and INPUT not in before[-len(INPUT) - 12 :]:
        return match[0]  # a position in the program that fails tells failures apart
    if match[0].lstrip("+-") in kept and (_is_quoted(before) or not _POSITION_WORD.search(before)):
        return match[0]
    return "#"


def _is_quoted(before: str) -> bool:
    """Tell whether what comes behind a text is inside quotes."""
    if before.count('"') % 2 or before.rfind("‘") > before.rfind("’") or before.rfind("“") > before.rfind("”"):
        return True
    return before.rfind("`") > before.rfind("'") or len(re.findall(r"(?<!\w)'|'(?!\w)", before)) % 2 == 1


_TEMPORARY = tuple(
    dict.fromkeys(["/tmp/", "/var/tmp/", "/dev/shm/", os.environ.get("TMPDIR", "/tmp").rstrip("/") + "/"])
)
_TEMPORARY_PATH = re.compile(rf"(?:{'|'.join(map(re.escape, _TEMPORARY))})[\w.+~@%/-]*[\w+~@%/-]")
_ABSOLUTE_PATH = re.compile(r"(?<![\w.+~@%<>/-])/[\w.+~@%/-]*[\w+~@%/-]")


@dataclass(frozen=True)
class Fragment:
    """A piece of a line that must be printed: parts that stay as they are, and between them what may change."""

    parts: tuple[str, ...]
    echoes: tuple[tuple[str, ...] | None, ...] = ()
    """Pieces that may become fewer, in their order or behind a sign in any; None for what is another in every run."""

    @property
    def text(self) -> str:
        """The fragment, for a person."""
        between = (" ".join(filter(None, echo)) if echo else "…" for echo in self.echoes)
        return self.parts[0] + "".join(a + b for a, b in zip(between, self.parts[1:], strict=True))

    def is_in(self, normal: str, *, whole: bool = False) -> bool:
        """Tell whether a line, normalised, has this fragment in it, or is this and nothing else."""
        if not self.echoes:
            return normal == self.parts[0] if whole else self.parts[0] in normal
        match = _compiled(self.parts).search(normal)
        if match is None or (whole and (match.start() or match.end() < len(normal))):
            return False
        return all(
            echo is None or _is_part(_PIECE.findall(seen), echo)
            for seen, echo in zip(match.groups(), self.echoes, strict=True)
        )


def merged(one: str, other: str) -> Fragment | None:
    """Return what two lines, normalised, have in common where a few words differ; None when they are two things.

    The same words in another order are the same thing: a list of what is missing, as sets are printed.
    """
    words, others = one.split(), other.split()
    same = [a == b for a, b in zip(words, others, strict=False)]
    reordered = any(same) and sorted(_PIECE.findall(one)) == sorted(_PIECE.findall(other))
    if len(words) != len(others) or (2 * sum(same) < len(same) and not reordered):
        return None
    if reordered and not all(same):
        first, last = same.index(False), len(same) - same[::-1].index(False)
        while first and words[first - 1].endswith((",", ";")):
            first -= 1  # what happens to be in its place in both is one of the list
        while last < len(same) and words[last - 1].endswith((",", ";")):
            last += 1
        before, after = " ".join([*words[:first], ""]), " ".join(["", *words[last:]]).rstrip()
        return Fragment((before, after), ((ANY_ORDER, *sorted(_PIECE.findall(" ".join(words[first:last])))),))
    parts, text = [], ""
    for number, (word, equal) in enumerate(zip(words, same, strict=True)):
        blank = " " if number else ""
        if equal:
            text += blank + word
        else:
            parts.append(text + blank)
            text = ""
    return Fragment((*parts, text), (None,) * len(parts))


@lru_cache(maxsize=1024)
def _compiled(parts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("(.+)".join(map(re.escape, parts)) + ("$" if not parts[-1] else ""))


def _is_part(pieces: Sequence[str], of: Sequence[str]) -> bool:
    if of[:1] == (ANY_ORDER,):
        return set(pieces) <= set(of)
    rest = iter(of)
    return all(piece in rest for piece in pieces)
