"""Which lines of what programs print are errors, warnings, summaries or nothing, told by their shape and their words.

No table of programs: a line is an error by a severity, a place in a file, an exception, or by its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from minrepro.oracles.records import readable

Kind = Literal["crash", "error", "place", "words", "warning", "note", "summary", "other", ""]
"""What broke down, which takes several lines; an error by its severity, its place in a file or its words; less than
one; a summary; anything else; nothing."""
LONGEST_LINE = 2000
MOST_LINES = 4000
COLOR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")
_LEVEL = re.compile(
    r"(?i)(?:^|(?<=[\s:\[(\]>|-]))(?P<level>fatal error|fatal|errors?|err|panic|exception|emerg|alert|crit|critical"
    r"|severe|issue|warning|warn|note|notice|info|hint|help|suggestion|style|convention|refactor|deprecated|debug)\b"
    r"(?:\[[\w:-]+\]|[\s-]+[A-Z]+[-_]?\d+)?\s*(?:\([^()]*\))?(?:\s*[:;\]]|\s--?\s|\)\s*:)"
)
_LETTER = re.compile(r"^(?P<level>[EFWICRDN]): \S")
_FIRST_WORD = re.compile(r"(?i)^(?:\w+ )?(?P<level>warn(?:ing)?|err!|(?<=npm )error)(?= )")
_COLUMNS = re.compile(r"^\s*\d+:\d+\s+(?P<level>error|warning|info)\s")
_TABLE_OF_CODES = re.compile(r"\^-*\^? (?:SC|[A-Z]{1,4})\d+ \((?P<level>error|warning|info|style)\):")
_WARNINGS = frozenset({"w", "c", "r", "warning", "warn", "style", "convention", "refactor", "deprecated"})
_NOTES = frozenset({"i", "d", "n", "note", "notice", "info", "hint", "help", "suggestion", "debug"})
_EXCEPTION = re.compile(
    r"^\s*(?:Exception in thread \"[^\"]*\" |Unhandled exception\. |Uncaught |error: |\[)?"
    r"(?:[\w$]+[./:])*[A-Z][\w$]*(?:Error|Exception|Failure|Fault|Rejection|Exit|Interrupt|Panic)\b(?: \[\w+\])?(?::|$)"
)
_MARKED = re.compile(
    r"(?<!\*)\*\*\* |^\*\* \(|^! |^\s*[●✕✗✘✖×] \S|^E {3,}(?![+\s])\S"
    r"|^\s*Caused by: |^panic: |panicked at |^not ok |^terminate called "
)
_PLACED = re.compile(
    r"^\s*(?:[\w./+-]+: )?(?:"
    r"(?:[A-Za-z]:)?[^\s:()\"',;]+(?:\.\w+|/[\w.-]+|<input>):\d+(?:[:.]\d+)*(?:-\d+(?:[.:]\d+)?)?: ?"  # gcc and many
    r"|[^\s:()\"',;]+\(\d+(?:[,:-]\d+)*\) ?: "  # tsc
    r"|[^\s:]+: line \d+: |[^\s:]+: \d+: "  # shells
    r"|\"?[^\s\"]+\"?, line \d+:? "
    r"|[^\s:()]+:\(\.\w+\+0x[0-9a-f]+\): "  # ld
    r"|(?:at )?line \d+[ ,:]"
    r")(?=\S*[A-Za-z\"'`‘<(\[])"
)
_PLACED_BEHIND = re.compile(r"\w{2,}\W.*(?:\bat|\bin|,) \S+(?: on)?,? line \d+\.?$|\bin \S+:\d+$")
_WORDS = re.compile(
    r"(?i)\b(?:errors?|fatal|fail(?:s|ed|ure|ures|ing)?|exceptions?|panic\w*|abort\w*|cannot|can't|could ?n[o']t"
    r"|couldn't|can not|unable|undefined|undeclared|unknown|unexpected|unterminated|unmatched"
    r"|unbalanced|unclosed|unpars\w*"
    r"|unhandled|unrecogni[sz]ed|unsupported|unresolved|unbound|invalid|illegal|incorrect|malformed|bad|corrupt\w*"
    r"|not (?:found|defined|declared|allowed|valid|permitted|a|an|of)|no such|no rule|not been|missing|mismatch\w*"
    r"|expected|expecting|denied|refused|rejected|duplicate\w*|redefin\w*|violat\w*"
    r"|overflow|underflow|divi\w+ by zero|out of (?:range|bounds|memory)|must (?:be|have|not)|does not|doesn't|is not"
    r"|isn't|already|too (?:many|few|long|large|deep)|conflict\w*|wrong|FAIL)\b"
)
_FINE = re.compile(r"\bPASS(?:ED)?\b|^\s*[✓✔√] |^ok \d|\.\.\. ok$")
_SUMMARY = re.compile(
    r"(?i)^\W*(?:\d+|no|an?|some|one)?\s*(?:(?:previous|fatal|validation|fixable|style) )?"
    r"(?:errors?|warnings?|problems?|failures?|issues?|violations?)(?: generated| found| emitted| occurred)?\W*$"
    r"|^\W*\d+ (?:errors?|warnings?|problems?|failures?|issues?|failed|passed|failing|passing|tests?|specs?|examples?"
    r"|files?|assertions?|skipped|pending|suites?)\b(?!.*\bhunks?\b)"
    r"|^\W*(?:found|total|ran|checked|tests?:|suites?:|failures?:|summary|result|finished|done\b|compiled) .*\d"
    r"|^\W*tests? (?:suites|run|failed)\b|^\W*failed tests?:"
    r"|aborting due to|ld returned \d+|compilation (?:failed|terminated|aborted)|could not compile"
    r"|build (?:failed|stopped)|returned (?:a )?non-zero|exit(?:ed)?(?: with)? (?:status|code)|command failed"
    r"|^\W*validation failed: |^(?:aborted|killed|segmentation fault)(?: \(core dumped\))?$"
    r"|^aborted with \d|\btoo many (?:errors|warnings)\b|^errors while running|errors? occurred!?$"
    r"|incomplete, errors|^FAILED \(|^\d+ out of \d+ \w+ failed\b"
    r"|^(?:BUILD )?FAIL(?:ED|URE)?[\s!.]*$|^FAIL\s+\S+\s+[\d.]+s$"
    r"|^\S+: \*\*\* \[.*\] Error \d+|^\W*Errors?:?\W*$"
    r"|^(?:for more (?:information|details)|try|see|usage|run with|note: run|rerun|use) |oh no!"
    r"|^npm (?:ERR!|error) (?:code|errno|syscall|path|command|cwd|workspace|location|a complete|to see|did you)"
    r"|^=+ .* =+$|^_+ .* _+$|\*\*\*Failed|\bUse --\w"
    r"|^[-=_*~ ]{6,}$|would (?:be )?reformat|left unchanged|\(see above\)|^[^\s:]+ failed\.?$"
)
_FRAME = re.compile(
    r"^\s+at |^Traceback \(most recent|^\d+: \(|^\$[0-9A-F]+ |^# +at |^\s+from |^\s*File \"|^\s*#\d+\s"
    r"|^\s+\.\.\. \d+ more|^\s*\[Previous line repeated|^goroutine \d+"
    r"|^\s*[+-] (?:expected|actual|received)\W+(?:expected|actual|received)$"
    r"|^\s*\*{3}\s+(?:at|in) |^\S+:\d+: in [\w.<>]+$"
    r"|^\t|^stack (?:traceback|backtrace)|^\s+while executing|^\s+invoked from|^\s*\(procedure|^\s+--> |^\s+::: "
)
_REMARK = re.compile(r"(?i)(?:[,;:] |^)(?:ignoring|ignored|skipping|skipped)\b|\bis not (?:safe|secure|recommended)\b")
"""What a program goes on after having said it."""
_CARET = re.compile(r"^[\s|>0-9]*[\^~][\s^~-]*(?:here)?[\s|]*$|^\s*\d*\s*\|\s*(?:\||[\^~_-]).*$")
_CARET_WITH_WORDS = re.compile(r"^(?:\S+: )?\S+:\d+:\s+\^ \S")
_GUTTER = re.compile(r"^(?:\[\w+\])?\s*(?:>\s*)?\d*\s*[|│]|^\s*>\s+\d+\s")


@dataclass(frozen=True)
class Line:
    """A line that a program printed."""

    text: str
    kind: Kind
    stderr: bool = True


def read_lines(text: str, stderr: bool = True) -> list[Line]:
    """Return the lines of an output, each with what kind of line it is."""
    lines = [COLOR.sub("", line.rstrip())[:LONGEST_LINE] for line in readable(text).splitlines()]
    if len(lines) > MOST_LINES:
        lines = lines[: MOST_LINES // 2] + lines[-MOST_LINES // 2 :]
    found: list[Line] = []
    for number, line in enumerate(lines):
        kind = _kind(line, lines[number + 1] if number + 1 < len(lines) else "")
        if kind == "place" and line[:1].isspace() and found and found[-1].kind in ("warning", "note"):
            kind = "note"  # where a warning is
        found.append(Line(line, kind, stderr))
    return found


def _kind(line: str, below: str) -> Kind:
    if not line.strip():
        return ""
    if _TABLE_OF_CODES.search(line):
        return "warning" if "error" not in line[: line.index(":")] else "error"
    if _CARET.match(line) or _GUTTER.match(line) or (_CARET.match(below) and not _LEVEL.search(line[:200])):
        return ""
    if _CARET_WITH_WORDS.match(below) and _PLACED.match(line):
        return ""  # the line of the input to which the caret below points
    if _SUMMARY.search(line):
        return "summary"
    if _FRAME.match(line):
        return ""
    if _REMARK.search(line):
        return "warning"
    if match := _COLUMNS.match(line) or _LETTER.match(line) or _LEVEL.search(line[:240]) or _FIRST_WORD.match(line):
        level = match["level"].lower()
        return "note" if level in _NOTES else "warning" if level in _WARNINGS else "error"
    if _MARKED.search(line) or _EXCEPTION.match(line) or re.search(r"\bError at \S+:\d+", line):
        return "error"
    if _PLACED.match(line) or _PLACED_BEHIND.search(line):
        return "place"
    return "words" if _WORDS.search(line) and not _FINE.search(line) else "other"


def lines_of(stdout: bytes, stderr: bytes) -> Iterator[Line]:
    """Yield the lines of both streams, errors first."""
    yield from read_lines(stderr.decode("utf-8", "replace"))
    yield from read_lines(stdout.decode("utf-8", "replace"), stderr=False)
