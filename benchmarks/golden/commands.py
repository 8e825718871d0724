"""Golden cases that run the command line, in folders of their own, with checks that are small scripts."""

from __future__ import annotations

import io
import json
import os
import random
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.golden import traces
from benchmarks.golden.engine import FOLDER
from benchmarks.golden.inputs import SAMPLES, Sample
from benchmarks.golden.names import Command, Key, Option
from benchmarks.golden.records import Broken, Case, Record, merged, of_content, of_files, steps_text

EXAMPLES = Path(__file__).parents[2] / "examples"
DEADLINE = 600.0
"""Seconds after which something is given up that should have happened; no result depends on it."""
STATE = "state"
ALONE = (Option.JOBS, "1")


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    status: int
    stdout: str
    stderr: str

    @property
    def summary(self) -> dict[str, Any]:
        """What it printed for machines, as its last line."""
        if self.status != 0:
            raise Broken(f"exit status {self.status}: {self.stderr[-500:]}")
        summary: dict[str, Any] = json.loads(self.stdout.splitlines()[-1])
        return summary


class Place:
    """A folder in which commands are run, with their temporary files beside it."""

    def __init__(self, whole: Path) -> None:
        self.folder = whole / "here"
        self._temporary = whole / "temporary"
        self.folder.mkdir()
        self._temporary.mkdir()
        (whole / "bin").mkdir()
        (whole / "bin" / "python3").symlink_to(sys.executable)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("MINREPRO")},
            "TMPDIR": str(self._temporary),
            "COLUMNS": "200",
            "PATH": f"{whole / 'bin'}:{os.environ['PATH']}",
        }

    def write(self, name: str, content: bytes | str, mode: int = 0o644) -> Path:
        """Write a file, with the folders above it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        path.chmod(mode)
        return path

    def check(self, script: str, name: str = "check.sh") -> str:
        """Write a check, and return what it is called by."""
        self.write(name, script if script.startswith("#!") else f"#!/bin/sh\n{script}\n", 0o755)
        return f"./{name}"

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start the command, and go on."""
        return subprocess.Popen(
            [sys.executable, "-m", "minrepro", *words],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str) -> Done:
        """Run the command to its end."""
        with self.start(*words) as process:
            stdout, stderr = process.communicate(timeout=DEADLINE)
        return Done(process.returncode, stdout, stderr)

    def files(self, folder: str) -> dict[str, bytes]:
        """Return all files below a folder."""
        top = self.folder / folder
        return {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}

    def content(self, name: str) -> Record:
        """Return what stands for a result: a file, or a folder of files."""
        path = self.folder / name
        return of_files(self.files(name)) if path.is_dir() else of_content(path.read_bytes())

    def steps(self, state: str = STATE) -> str:
        """Return the accepted steps that a journal tells of."""
        story = self.run(*Command.SHOW, state, Option.JSON).summary
        return steps_text((step[Key.LABEL], step[Key.SIZE]) for step in story[Key.ACCEPTED])


@contextmanager
def new_place() -> Iterator[Place]:
    """Give a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="golden-", ignore_cleanup_errors=True) as whole:
        yield Place(Path(whole))


def counted(summary: Mapping[str, Any]) -> Record:
    """Return what a summary counts."""
    outcomes = " ".join(f"{name}:{count}" for name, count in sorted(summary[Key.OUTCOMES].items()))
    fields = {"finished": Key.FINISHED, "tests": Key.TESTS, "remembered": Key.REMEMBERED}
    return {**{field: summary[key] for field, key in fields.items()}, "outcomes": outcomes}


def reduced(place: Place, *words: str, result: str = "out", command: Sequence[str] = Command.REDUCE) -> Record:
    """Run a reduction whose options come first, and return all that is pinned of it."""
    told = (Option.STATE, STATE, Option.JSON, Option.QUIET)
    done = place.run(*command, *told, *words)
    return {**counted(done.summary), **place.content(result), "steps": place.steps()}


def sample_case(sample: Sample, jobs: Sequence[str] = ("1", "4")) -> Record:
    """Reduce a sample by a check script; how many checks run at a time must change nothing."""
    records = {}
    for count in jobs:
        with new_place() as place:
            place.write(sample.name, sample.content)
            check = place.check(sample.script())
            words = (Option.DETERMINISTIC, Option.JOBS, count, Option.OUTPUT, "out", check, sample.name)
            records[count] = reduced(place, *words)
    return merged(records, ("sha256", "steps", "tests", "remembered"))


def options_case(sample: Sample, *words: str) -> Record:
    """Reduce a sample with other options, one check at a time."""
    with new_place() as place:
        place.write(sample.name, sample.content)
        check = place.check(sample.script())
        return reduced(place, *ALONE, *words, Option.OUTPUT, "out", check, sample.name)


def files_case(contents: Mapping[str, bytes], inputs: Sequence[str], script: str, *words: str) -> Record:
    """Reduce a file, a folder or several files that are told apart by what the script looks for."""
    with new_place() as place:
        for name, content in contents.items():
            place.write(name, content)
        return reduced(place, *ALONE, *words, Option.OUTPUT, "out", place.check(script), *inputs)


def failing_command_case(contents: Mapping[str, bytes], failing: str, *command: str) -> Record:
    """Reduce an input by the failing command alone."""
    with new_place() as place:
        for name, content in contents.items():
            place.write(name, content, 0o755)
        return reduced(place, *ALONE, Option.DETERMINISTIC, Option.OUTPUT, "out", failing, "--", *command)


def isolate_words(*words: str) -> tuple[str, ...]:
    """Return the words of an isolation of what differs in two files."""
    return (*Command.ISOLATE, *ALONE, Option.STATE, STATE, Option.JSON, Option.QUIET, Option.OUTPUT, "out.txt", *words)


WORKS, FAILS = (
    "".join(
        f"{name}{n} = {rng.randint(0, bound)}\n" if n % 7 else f"[{name}{n}]\n"
        for n, name in enumerate(["host", "port", "path", "mode", "size"] * 6)
    )
    for rng, bound in ((random.Random("works"), 9), (random.Random("fails"), 99))
)
ISOLATED = 'grep -q "port6 = {}" "$1" && ! grep -q "size19 = {}" "$1"'.format(
    *(re.search(f"{name} = (.*)", text)[1] for name, text in (("port6", FAILS), ("size19", WORKS)))  # type: ignore[index]
)


def isolated(place: Place) -> Record:
    """Return what stands for both sides of an isolated difference."""
    sides = {side: place.content(f"out.{side}.txt") for side in ("passing", "failing")}
    return {f"{side} {field}": value for side, record in sides.items() for field, value in record.items()}


def isolate_case(*words: str) -> Record:
    """Isolate what differs in two files and makes one of them fail."""
    with new_place() as place:
        place.write("works.txt", WORKS)
        place.write("fails.txt", FAILS)
        done = place.run(*isolate_words(*words, place.check(ISOLATED), "works.txt", "fails.txt"))
        return {**counted(done.summary), **isolated(place), "steps": place.steps()}


def trace_words(place: Place, *words: str) -> tuple[str, ...]:
    """Return the words that reduce the failing session of the cart, which is written into a folder with its logs."""
    place.write("replay.py", traces.CHECK)
    place.write("failing.jsonl", traces.failing_text())
    for name, text in traces.logs().items():
        place.write(name, text)
    told = (Option.JSON, Option.QUIET, Option.OUTPUT, "out")
    return (*Command.TRACES_REDUCE, "python3 replay.py", "failing.jsonl", *ALONE, *told, *words)


MINED = (Option.CONFIDENCE, "0.75", Option.LOGS, *traces.logs())


def trace_case(*words: str) -> Record:
    """Reduce a session by its replays."""
    with new_place() as place:
        summary = place.run(*trace_words(place, *words)).summary
        fields = {"fired": Key.EVENTS_FIRED, "kept": Key.KEPT, "before": Key.EVENTS_BEFORE, "after": Key.EVENTS_AFTER}
        return {**counted(summary), **place.content("out"), **{name: summary[key] for name, key in fields.items()}}


def rules_case() -> Record:
    """Mine rules from logs, and rewrite the failing session with them."""
    with new_place() as place:
        trace_words(place)
        place.run(*Command.TRACES_RULES, *traces.logs(), Option.CONFIDENCE, "0.75", Option.OUTPUT, "cart.rules")
        done = place.run(*Command.TRACES_REWRITE, "failing.jsonl", Option.RULES, "cart.rules")
        mined = [line for line in (place.folder / "cart.rules").read_text("utf-8").splitlines() if "≡" in line]
        rules = [line.split("#")[0].strip() for line in mined]
        return {"rules": rules, **of_content(done.stdout.encode())}


def zip_content() -> bytes:
    """Return an archive of several files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for n, name in enumerate(("log.txt", "orders.json", "order.py")):
            how = zipfile.ZIP_DEFLATED if n % 2 else zipfile.ZIP_STORED
            archive.writestr(zipfile.ZipInfo(name), SAMPLES[name].content[:700], compress_type=how)
    return buffer.getvalue()


def png_content() -> bytes:
    """Return a small picture with texts in it."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = b"".join(b"\0" + bytes((x * y) % 256 for x in range(16)) for y in range(16))
    texts = [(b"tEXt", b"Comment\0%s %d" % (word, n)) for n, word in enumerate((b"hello", b"broken", b"there"))]
    image = (b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 0, 0, 0, 0)), *texts, (b"IDAT", zlib.compress(rows, 0))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, content) for name, content in (*image, (b"IEND", b"")))


def pdf_content() -> bytes:
    """Return a document of a few objects and streams."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"]
    objects += [b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>"]
    for words in (b"hello there", b"the broken one", b"unused words"):
        stream = b"BT /F1 12 Tf (%s) Tj ET\n" % words * 3
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    body, offsets = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    return body + table + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(body))


_READ_ZIP = (
    "import sys, zipfile\n"
    "try:\n    with zipfile.ZipFile(sys.argv[1]) as a: texts = [a.read(n) for n in a.namelist()]\n"
    "except Exception: sys.exit(125)\n"
    "sys.exit(not any(b'orders' in t and b'name' in t for t in texts))\n"
)
_READ_PNG = (
    "import sys, struct, zlib\n"
    "d, p, names = open(sys.argv[1], 'rb').read(), 8, []\n"
    "try:\n    while p < len(d):\n"
    "        n, = struct.unpack_from('>I', d, p); c = d[p+4:p+8+n]; names.append(c[:4])\n"
    "        if struct.unpack_from('>I', d, p+8+n) != (zlib.crc32(c),): sys.exit(125)\n"
    "        p += 12 + n\n"
    "except struct.error: sys.exit(125)\n"
    "sys.exit(not (b'IDAT' in names and b'broken' in d))\n"
)
_READ_PDF = (
    "import re, sys\n"
    "d = open(sys.argv[1], 'rb').read()\n"
    "starts = re.findall(rb'startxref\\s+(\\d+)', d)\n"
    "if not starts or not d[int(starts[-1]):].startswith(b'xref'): sys.exit(125)\n"
    "sys.exit(not (b'/Catalog' in d and b'(the broken' in d))\n"
)


def container_case(name: str, content: bytes, reader: str) -> Record:
    """Reduce what is in a container, by a check that reads it as one."""
    with new_place() as place:
        place.write(name, content)
        place.write("reader.py", reader)
        check = f"python3 {place.folder / 'reader.py'}"
        return reduced(place, *ALONE, Option.DETERMINISTIC, Option.OUTPUT, "out", check, name)


class Killed:
    """A run that is killed in its middle, as often as it is told, and resumed."""

    def __init__(self, place: Place, script: str) -> None:
        self._place = place
        self._runs = place.folder.parent / "runs"
        self._runs.touch()
        self.check = place.check(f"#!/bin/sh\nprintf x >> {shlex.quote(str(self._runs))}\n{script}\n")

    @property
    def runs(self) -> int:
        """How many checks were begun."""
        return self._runs.stat().st_size

    def kill(self, after: int, *words: str) -> None:
        """Start a run and kill it, as no program can prevent, when so many checks were begun."""
        with self._place.start(*words) as process:
            end = time.monotonic() + DEADLINE
            while self.runs < after and process.poll() is None and time.monotonic() < end:
                time.sleep(0.005)
            if process.poll() is not None:
                raise Broken(f"it was over before it could be killed: {process.communicate()[1][-500:]}")
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=DEADLINE)


SHARES = (0.2, 0.5, 0.85)
"""When runs are killed: after these shares of the checks that they take."""


def _interrupted(words: Callable[[str], Sequence[str]], inputs: Mapping[str, bytes], script: str, result: Any) -> Record:
    """Run undisturbed, and killed at three moments; what comes out and how must be the same."""
    records = {}
    with new_place() as place:
        for name, content in inputs.items():
            place.write(name, content)
        calm = Killed(place, script)
        done = place.run(*words(calm.check))
        records["calm"] = {**counted(done.summary), **result(place), "steps": place.steps()}
        all_runs = calm.runs
    with new_place() as place:
        for name, content in inputs.items():
            place.write(name, content)
        killed = Killed(place, script)
        again: Sequence[str] = words(killed.check)
        for share in SHARES:
            killed.kill(int(share * all_runs), *again)
            again = (*Command.RESUME, STATE)
        done = place.run(*again)
        if done.status != 0:
            raise Broken(f"resumed with exit status {done.status}: {done.stderr[-500:]}")
        records["killed"] = {**records["calm"], **result(place), "steps": place.steps()}
        if killed.runs > all_runs + 3 * len(SHARES) + 3:
            raise Broken(f"{killed.runs} runs of the check after three kills, {all_runs} undisturbed")
    return merged(records, tuple(records["killed"]))


def killed_reduction() -> Record:
    """Kill and resume the reduction of a file."""
    sample = SAMPLES["log.txt"]
    how = (*Command.REDUCE, *ALONE, Option.DETERMINISTIC, Option.STATE, STATE, Option.JSON, Option.QUIET)
    script = sample.script().splitlines()[1]
    return _interrupted(
        lambda check: (*how, Option.OUTPUT, "out", check, sample.name),
        {sample.name: sample.content},
        script,
        lambda place: place.content("out"),
    )


def killed_isolation() -> Record:
    """Kill and resume an isolation."""
    inputs = {"works.txt": WORKS.encode(), "fails.txt": FAILS.encode()}
    return _interrupted(lambda check: isolate_words(check, *inputs), inputs, ISOLATED, isolated)


def cases() -> Iterator[tuple[str, Case]]:
    """Yield all cases that run the command line, but for those of a browser."""
    for sample in SAMPLES.values():
        yield f"command/reduce/{sample.name}", partial(sample_case, sample)
    text, orders = SAMPLES["log.txt"], SAMPLES["orders.json"]
    for algorithm in ("grouping", "ddmin", "probdd"):
        how = (Option.ALGORITHM, algorithm, Option.UNITS, "lines-then-characters")
        yield f"command/algorithm/{algorithm}", partial(options_case, text, *how)
    for algorithm in ("tree", "perses", "hdd"):
        yield f"command/algorithm/{algorithm}", partial(options_case, orders, Option.ALGORITHM, algorithm)
    yield "command/units/tokens", partial(options_case, SAMPLES["shop.sql"], Option.UNITS, "tokens")
    yield "command/effort/fast", partial(options_case, orders, Option.DETERMINISTIC, Option.EFFORT, "fast")
    yield "command/golf", partial(options_case, SAMPLES["pointer.c"], Option.DETERMINISTIC, Option.GOLF)
    yield "command/budget", partial(options_case, text, Option.DETERMINISTIC, Option.BUDGET, "40")
    settings = {name: (EXAMPLES / "settings" / name).read_bytes() for name in ("settings.py", "shop.conf")}
    reads = ("python3", "settings.py", "shop.conf")
    yield "command/failing/settings", partial(failing_command_case, settings, "shop.conf", *reads)
    tool = b'#!/bin/sh\nif grep -q "3.*cart" "$1"; then echo "tool.c:3: internal error: bad state 17" >&2; exit 3; fi\n'
    with_tool = {"tool": tool, "log.txt": text.content}
    yield "command/failing/message", partial(failing_command_case, with_tool, "log.txt", "./tool", "@@")
    crash = b'#!/bin/sh\n! grep -q HAVING || kill -SEGV $$\n'
    with_crash = {"crash": crash, "shop.sql": SAMPLES["shop.sql"].content}
    yield "command/failing/signal", partial(failing_command_case, with_crash, "shop.sql", "./crash")
    in_folder = {f"project/{name}": content for name, content in FOLDER.items()}
    looks = "grep -q 'return hash(' src/list.c && grep -q 'struct list' include/list.h && grep -q three docs/notes.txt"
    yield "command/folder", partial(files_case, in_folder, ["project"], looks, Option.DETERMINISTIC)
    several = {name: SAMPLES[name].content for name in ("settings.toml", "log.txt", "table.csv")}
    looks = "grep -q 'retry = {' settings.toml && grep -q twice table.csv"
    yield "command/several", partial(files_case, several, list(several), looks, Option.DETERMINISTIC)
    yield "command/zip", partial(container_case, "all.zip", zip_content(), _READ_ZIP)
    yield "command/png", partial(container_case, "picture.png", png_content(), _READ_PNG)
    yield "command/pdf", partial(container_case, "paper.pdf", pdf_content(), _READ_PDF)
    yield "command/isolate/default", isolate_case
    for units in ("lines", "lines-then-characters"):
        yield f"command/isolate/{units}", partial(isolate_case, Option.UNITS, units)
    yield "traces/command/rules", rules_case
    for algorithm in ("guided", "rddmin", "ddmin", "grouping"):
        yield f"traces/command/{algorithm}", partial(trace_case, Option.ALGORITHM, algorithm, *MINED)
    yield "traces/command/without-rules", trace_case
    yield "traces/command/judged-at-end", partial(trace_case, Option.JUDGED_AT_END, *MINED)
    yield "traces/command/no-arguments", partial(trace_case, Option.NO_ARGUMENTS, *MINED)
    yield "resume/reduce", killed_reduction
    yield "resume/isolate", killed_isolation


def has(program: str) -> bool:
    """Tell whether a program is installed."""
    return shutil.which(program) is not None
