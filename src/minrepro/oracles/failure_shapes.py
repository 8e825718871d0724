"""What failures look like in the output of programs: the shapes of sanitizers, assertions, panics and exceptions.

A failure is recognized by a few fragments of what was printed: the message, and where a stack is printed too its
frames, because `TypeError: Cannot read properties of undefined` alone could be any of a thousand failures. Shapes are
tried from the surest to the vaguest. Lines of the candidate itself and of its place are no part of a fragment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_LONGEST_LINE = 2000
"""What follows in a longer line is rather the input than the failure."""


@dataclass(frozen=True)
class Frame:
    """One call of a stack, as it was printed."""

    text: str
    file: str = ""


@dataclass(frozen=True)
class FailureText:
    """What tells of a failure: its kind, and fragments of the lines that were printed."""

    kind: str
    message: tuple[str, ...]
    """Fragments of one line or two."""
    frames: tuple[Frame, ...] = ()
    """The stack, innermost call first."""
    crash: bool = True
    """Whether a program that prints this has failed, whatever its exit status."""


def telling_of(text: str) -> FailureText | None:
    """Return what tells most surely of a failure in an output, or None."""
    lines = [_COLOUR.sub("", line.rstrip())[:_LONGEST_LINE] for line in text.splitlines()]
    return next((telling for shape in _SHAPES for telling in shape(lines)), None)


Shape = Callable[[Sequence[str]], Iterator[FailureText]]


def _line(kind: str, *patterns: str, crash: bool = True) -> Shape:
    """Return the shape of one line that says it all: the fragment is the group `it`, or all that was matched."""
    compiled = [re.compile(pattern) for pattern in patterns]

    def found(lines: Sequence[str]) -> Iterator[FailureText]:
        for pattern in compiled:
            for line in lines:
                if match := pattern.search(line):
                    it = match["it"] if "it" in pattern.groupindex else match[0]
                    if it.strip():
                        yield FailureText(kind, (it.strip(),), crash=crash)

    return found


_FRAME_OF_PYTHON = re.compile(r'^\s*(?P<text>File "(?P<file>[^"]*)", line \d+, in (?P<name>.+))$')
_EXCEPTION_OF_PYTHON = re.compile(r"^(?:\w+\.)*[A-Za-z_]\w*(?:: .*|:)?$")
_GROUPED = re.compile(r"^\s+(?:\||\+-*)(?: |$)")
_LEFT_OUT = re.compile(r"\[\d+ bytes left out\]$")
_MORE_TOLD = re.compile(r"^\t\S.*['\"]")
_FAILED_TEST = re.compile(r"^(?:FAIL|ERROR): \S")
_CAUSE = "The above exception was the direct cause of the following exception:"


def _python(lines: Sequence[str]) -> Iterator[FailureText]:
    """The exception that nobody caught, with the one that caused it; not those that were being handled meanwhile."""
    found: list[FailureText] = []
    caused = False
    if any("Exception Group Traceback" in line for line in lines):
        lines = [_GROUPED.sub("", line) for line in lines]
    for number, line in enumerate(lines):
        if line.strip() == _CAUSE:
            caused = True
        elif "Traceback (most recent call last)" in line:
            telling = _traceback(lines[number + 1 :])
            if telling is not None and caused and found:
                found[-1] = replace(found[-1], message=(*telling.message, *found[-1].message))
            elif telling is not None:
                found.append(telling)
            caused = False
    # Tests fail one after another; elsewhere what comes last is what nobody caught.
    yield from found if any(map(_FAILED_TEST.match, lines)) else reversed(found)


def _traceback(lines: Sequence[str]) -> FailureText | None:
    frames: list[Frame] = []
    for number, line in enumerate(lines):
        stripped = line.strip()
        if frame := _FRAME_OF_PYTHON.match(line):
            if not frame["file"].startswith("<"):
                frames.append(Frame(frame["text"], frame["file"]))
        elif stripped.startswith("[Previous line repeated") and frames:
            # What calls itself is the failure, not where the stack happened to be full.
            name = frames[-1].text.rpartition(", in ")[2]
            return _exception(lines[number + 1 :], [Frame(f", in {name}", frames[-1].file)])
        elif line[:1].strip() and _EXCEPTION_OF_PYTHON.match(line):
            # Where the stack happened to be full says nothing.
            return _exception(lines[number:], [] if "RecursionError" in line else frames)
        elif _LEFT_OUT.match(line):
            continue
        elif line[:1].strip() and not stripped.startswith("|"):
            return None
    return None


def _exception(lines: Sequence[str], frames: Sequence[Frame]) -> FailureText:
    """Return the exception that ends a traceback, with the lines of its message that say more."""
    begin = next((n for n, line in enumerate(lines) if line[:1].strip() and _EXCEPTION_OF_PYTHON.match(line)), 0)
    more = takewhile(lambda line: line.strip(), lines[begin + 1 : begin + 12])
    other = ("Traceback", "During", "The above", "? ")
    told = [line for line in more if (line[:1].strip() or _MORE_TOLD.match(line)) and not line.startswith(other)]
    return FailureText("exception", (lines[begin].strip(), *told[:2]), tuple(reversed(frames)))


_FRAME_WITH_AT = re.compile(r"^\W*(?:\[\w+\])?\s+(?P<text>at (?:async |new )?(?P<rest>\S.*))$")
_FILE_OF_FRAME = re.compile(r"\(?(?P<file>[^()\s]*?)(?::line \d+|(?::\d+){1,2})?\)?(?: \{)?$")
_THROWN = re.compile(
    r"(?:Exception in thread \"[^\"]*\" |Unhandled exception\. |Uncaught )?"
    r"(?P<it>(?:[\w.$]*(?:Error|Exception|Failure|Fault|Rejection)\b|ERROR|Error)(?: \[\w+\])?(?::.*)?)$"
)


def _with_at(lines: Sequence[str]) -> Iterator[FailureText]:
    """Java, JavaScript, C# and all others that print `at` before each frame below the message."""
    found: list[FailureText] = []
    for number, line in enumerate(lines[1:], 1):
        if not _FRAME_WITH_AT.match(line) or _FRAME_WITH_AT.match(lines[number - 1]):
            continue
        thrown = _THROWN.search(lines[number - 1])
        if thrown is None:
            continue
        frames = [frame for frame in takewhile(bool, map(_FRAME_WITH_AT.match, lines[number:])) if frame]
        stack = tuple(Frame(frame["text"].removesuffix(" {"), _file_of(frame["rest"])) for frame in frames)
        full = re.search(r"StackOverflow|Maximum call stack", thrown["it"])
        telling = FailureText("exception", (thrown["it"].strip(),), () if full else stack)
        if found and lines[number - 1].lstrip().startswith("Caused by:"):
            found[-1] = replace(telling, message=(found[-1].message[0], *telling.message))
        else:
            found.append(telling)
    yield from found


def _file_of(frame: str) -> str:
    match = _FILE_OF_FRAME.search(frame)
    return match["file"] if match else ""


def _ruby(lines: Sequence[str]) -> Iterator[FailureText]:
    """The message with its class, below the function in which it was raised."""
    for line in lines:
        if match := re.match(r"(?P<file>[^:\s]+):\d+:in [`'][^']*': (?P<it>.* \([\w:]+\))$", line):
            yield FailureText("exception", (match["it"],), (Frame(line.partition("': ")[0], match["file"]),))
        elif match := re.match(r"(?P<file>[^:\s]+):\d+:in [`'][^']*': (?P<it>.* \([\w:]+)$", line):
            yield FailureText("exception", (match["it"],))


def _rust(lines: Sequence[str]) -> Iterator[FailureText]:
    """A panic: the place stands behind the message in older versions and above it in newer ones."""
    for number, line in enumerate(lines):
        if match := re.search(r"panicked at '(?P<text>.*)', (?P<place>\S+\.rs:\d+(?::\d+)?)", line):
            yield FailureText("panic", (f"panicked at '{match['text']}', {match['place']}",))
        elif match := re.search(r"panicked at (?P<place>\S+\.rs:\d+(?::\d+)?):?$", line):
            message = lines[number + 1].strip() if number + 1 < len(lines) else ""
            yield FailureText("panic", (f"panicked at {match['place']}", *([message] if message else [])))


_FRAME_OF_GO = re.compile(
    r"^\s*(?P<name>[\w./*()-]*?[\w)]\.[\w.()*]+?)(?:\([^()]*\)| \([\w./-]+:\d+\)| in goroutine.*)$"
)


def _go(lines: Sequence[str]) -> Iterator[FailureText]:
    for number, line in enumerate(lines):
        match = re.search(r"(?:^|\] )(?P<it>(?:panic|fatal error): (?!.*recovered).+)", line)
        if match is None:
            continue
        below = lines[number + 1 : number + 60]
        if not any("goroutine " in text or re.search(r"\.go:\d+", text) for text in below):
            continue
        raised = max((i for i, text in enumerate(below) if re.match(r"^\s*panic ?\(", text)), default=-1)
        frames = (_FRAME_OF_GO.match(text) for text in below[raised + 1 :])
        names = (frame["name"].rsplit("/", 1)[-1] for frame in frames if frame is not None)
        own = next((name for name in names if not name.startswith(("runtime.", "panic", "main.main", "debug."))), "")
        yield FailureText("panic", (match["it"],), (Frame(own),) if own else ())


def _cplusplus(lines: Sequence[str]) -> Iterator[FailureText]:
    for number, line in enumerate(lines):
        if "terminate called" in line and (thrown := re.search(r"terminate called .*", line)):
            what = lines[number + 1].strip() if number + 1 < len(lines) else ""
            yield FailureText("exception", (thrown[0], what) if what.startswith("what():") else (thrown[0],))


_PLACE = r"[\w./+-]+\.\w+:\d+"
_DIAGNOSTIC = re.compile(r"^(?:[^:\s][^:]*:\d+(?::\d+)?: |[\w./+-]+: )?(?:fatal )?error(?:\[\w+\])?: (?P<it>.*)")

_SHAPES: Sequence[Shape] = (
    _line("sanitizer", r"SUMMARY: (?P<it>\w+Sanitizer: .*)"),
    _line("sanitizer", r":\d+:\d+: (?P<it>runtime error: .*)"),
    _python,
    _with_at,
    _ruby,
    _rust,
    _go,
    _line(
        "assertion",
        rf"(?P<it>{_PLACE}: [^:]+: Assertion [`'\"].*)",
        r"(?P<it>TRAP: (?:Failed ?Assertion|failed Assert)\(.*)",
        rf"(?P<it>{_PLACE}: failed assertion .*)",
        r"(?P<it>Invariant failure\b.*)",
        r"(?P<it>(?i:assertion) .*(?i:failed).*)",
        r"(?P<it>(?i:assertion failed).*)",
    ),
    _cplusplus,
    _line(
        "internal error",
        r"(?P<it>(?:major )?internal compiler error: in .*)",
        r"(?P<it>(?:major )?internal compiler error: .*)",
        r"(?P<it>UNREACHABLE executed.*)",
        r"(?P<it>LLVM ERROR: .*|fatal error: error in backend: .*)",
        r"(?P<it>panic! \(the 'impossible' happened\).*)",
        r"(?P<it>DB::Exception: .*)",
        r"(?P<it>(?:PANIC|FATAL): {1,2}.*)",
        r"(?P<it>Internal Bug at .*)",
        r"(?P<it>(?i:internal (?:compiler )?(?:error|bug|failure))\b.*)",
        r"(?<!\w)(?P<it>(?:major )?compiler error: .*)",
    ),
    _line(
        "abort",
        r"(?P<it>\*\*\* (?:buffer overflow|stack smashing|bit out of range) .*)",
        r"(?P<it>(?:free|malloc|realloc|munmap_chunk|corrupted)\(?\)?[:( ].*(?:invalid|corrupt|unaligned|size).*)",
        r"(?P<it>double free or corruption.*)",
    ),
    _line(
        "exception",
        r"(?P<it>Fatal error: exception .*)",  # OCaml
        r"(?P<it>(?:PHP )?Fatal error:  ?.*?)(?: in \S+:\d+)?$",
        r"(?P<it>\*\* \([\w.]+\) .*)",  # Elixir
        r"(?P<it>Uncaught .*(?:Error|Exception)\b.*)",
        r"(?P<it>Unhandled exception.*)",
        r"(?P<it>ERROR: LoadError: .*)",  # Julia
        r"(?P<it>Error in .* : ?.*)",  # R
        r"(?P<it>Linting panicked.*)",
        r"^E\s+(?P<it>\w+(?:Error|Exception|Failure)\b.*)",  # pytest
        r"^(?P<it>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)(?::.*)?)$",
        r"(?P<it>(?:Runtime|Parse) error near line .*)",  # SQLite
    ),
    _line(
        "error",
        r"(?P<it>ERROR \d+ \(\w+\).*)",  # MySQL
        r"(?P<it>ERROR:  .*)",  # PostgreSQL
        r"(?P<it>Error: near line .*)",
        _DIAGNOSTIC.pattern,
        r"(?P<it>(?<![\w-])(?:[Ee]rror|ERROR)s?\b: .*)",
        r"(?P<it>(?i:\bfatal\b).*)",
        r"(?P<it>(?i:segmentation fault|bus error|stack overflow|out of memory|\baborted\b).*)",
        crash=False,
    ),
)
