"""Golden cases that run the command line, in folders of their own, with checks that are small scripts."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.golden import traces
from benchmarks.golden.containers import pdf_content, png_content, zip_content
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
    counts = {Key.PAPERS.get(name, name): count for name, count in summary.get(Key.OUTCOMES, {}).items()}
    outcomes = " ".join(f"{name}:{count}" for name, count in sorted(counts.items()))
    fields = {"finished": Key.FINISHED, "tests": Key.TESTS, "remembered": Key.REMEMBERED}
    return {**{field: summary[key] for field, key in fields.items()}, **({"outcomes": outcomes} if outcomes else {})}


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


def failing_command_case(contents: Mapping[str, bytes], failing: str, tests: int, *command: str) -> Record:
    """Reduce an input by the failing command alone, with a budget where it is slow."""
    with new_place() as place:
        for name, content in contents.items():
            place.write(name, content, 0o755)
        how = (*ALONE, Option.DETERMINISTIC, Option.BUDGET, str(tests), Option.OUTPUT, "out")
        return reduced(place, *how, failing, "--", *command)


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
        rules = [" ".join(line.split()) for line in mined]
        return {"rules": rules, **of_content(done.stdout.encode())}


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
    reads = ("python3", "-S", "settings.py", "shop.conf")
    yield "command/failing/settings", partial(failing_command_case, settings, "shop.conf", 30, *reads)
    tool = b'#!/bin/sh\nif grep -q "3.*cart" "$1"; then echo "tool.c:3: internal error: bad state 17" >&2; exit 3; fi\n'
    with_tool = {"tool": tool, "log.txt": text.content}
    yield "command/failing/message", partial(failing_command_case, with_tool, "log.txt", 1000, "./tool", "@@")
    crash = b"#!/bin/sh\n! grep -q HAVING || kill -SEGV $$\n"
    with_crash = {"crash": crash, "shop.sql": SAMPLES["shop.sql"].content}
    yield "command/failing/signal", partial(failing_command_case, with_crash, "shop.sql", 1000, "./crash")
    in_folder = {f"project/{name}": content for name, content in FOLDER.items()}
    looks = "grep -q 'return hash(' src/list.c && grep -q 'struct list' include/list.h && grep -q three docs/notes.txt"
    yield "command/folder", partial(files_case, in_folder, ["project"], looks, Option.DETERMINISTIC)
    several = {name: SAMPLES[name].content for name in ("settings.toml", "log.txt", "table.csv")}
    looks = "grep -q 'retry = {' settings.toml && grep -q twice table.csv"
    yield "command/several", partial(files_case, several, list(several), looks, Option.DETERMINISTIC)
    for name, content, words in (
        ("all.zip", zip_content(), "grep -aq orders {0} && grep -aq name {0}"),
        ("picture.png", png_content(), "grep -aq IDAT {0} && grep -aq broken {0}"),
        ("paper.pdf", pdf_content(), "grep -aq /Catalog {0} && grep -aq 'the broken' {0}"),
    ):
        looks = words.format('"$1"')
        yield f"command/container/{name}", partial(files_case, {name: content}, [name], looks, Option.DETERMINISTIC)
    yield "command/isolate/default", isolate_case
    for units in ("lines", "lines-then-characters"):
        yield f"command/isolate/{units}", partial(isolate_case, Option.UNITS, units)
    yield "traces/command/rules", rules_case
    for algorithm in ("default", "rddmin", "ddmin", "grouping"):
        yield f"traces/command/{algorithm}", partial(trace_case, Option.ALGORITHM, algorithm, *MINED)
    yield "traces/command/without-rules", trace_case
    yield "traces/command/judged-at-end", partial(trace_case, Option.JUDGED_AT_END, *MINED)
    yield "traces/command/no-arguments", partial(trace_case, Option.NO_ARGUMENTS, *MINED)
