"""Signals at random moments: does the command end in good order, with what it had found, and nothing left behind?

    python -m benchmarks.faults.signals [SIGNALS] [SEED]

The first moment is that in which the process handles signals: what comes before is Python's own start. A signal is
survived if the command ends with the exit status of that signal (or had ended before), without a traceback, with the
input as it was, the best so far reproducing, and neither a process nor a directory left.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import keep, machine, table

LINES = b"".join(b"line %d\n" % number for number in range(80)) + b"needle\n"
TRACE = b"".join(b'{"event": "e%d"}\n' % number for number in range(40)) + b'{"event": "needle"}\n'
COMMANDS = {
    "reduce a file": ("reduce", "./check.sh", "in.txt", "-j", "2"),
    "reduce without a sandbox": ("reduce", "./check.sh", "in.txt", "--sandbox", "off"),
    "a failing command": (
        "reduce",
        "in.txt",
        "--",
        "sh",
        "-c",
        "! grep -q needle in.txt || { echo error: needle >&2; exit 3; }",
    ),
    "reduce a directory": ("reduce", "./check.sh", "project", "-o", "project.min"),
    "isolate": ("isolate", "./check.sh", "/dev/null", "in.txt"),
    "traces reduce": ("traces", "reduce", "./check.sh", "trace.jsonl"),
    "args": ("args", "--", "ls", "-l", "no-such-file", "-a"),
    "explain": ("explain", "./check.sh", "small.txt"),
    "lint": ("lint", "./check.sh", "in.txt"),
    "--help": ("--help",),
}
SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
PATIENCE = 300.0


@dataclass(frozen=True)
class Seen:
    """How an attempt ended."""

    command: str
    status: int
    lost: str
    """What went wrong; empty if nothing."""


def attempt(rng: random.Random, folder: Path) -> Seen:
    """Send a signal, or two, to a command at a random moment."""
    for each in SIGNALS:
        if signal.getsignal(each) is signal.SIG_IGN:  # in the background, which the command would inherit
            signal.signal(each, signal.SIG_DFL)
    temporary, here = folder / "temporary", folder / "here"
    temporary.mkdir()
    (here / "project").mkdir(parents=True)
    for name, content in {
        "in.txt": LINES,
        "trace.jsonl": TRACE,
        "small.txt": b"a needle",
        "project/a.txt": LINES,
        "project/b.txt": LINES[:100],
    }.items():
        (here / name).write_bytes(content)
    (here / "check.sh").write_text('#!/bin/sh\ngrep -rq needle "$1"\n')
    (here / "check.sh").chmod(0o755)
    command, number = rng.choice(list(COMMANDS)), rng.choice(list(SIGNALS))
    process = subprocess.Popen(
        [sys.executable, "-m", "minrepro", *COMMANDS[command]],
        cwd=here,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not _handles(process.pid, max(SIGNALS)) and process.poll() is None:
        time.sleep(0.0005)
    time.sleep(rng.choice((0, 0.02, 0.2, 1.0, 3.0)) * rng.random())
    process.send_signal(number)
    if rng.random() < 0.3:
        time.sleep(rng.random() * 0.05)
        process.send_signal(number)
    try:
        said = "".join(process.communicate(timeout=PATIENCE))
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return Seen(command, 0, f"{command}: goes on after {number.name}")
    return Seen(command, process.returncode, _lost(command, process.returncode, SIGNALS[number], said, here, temporary))


def _handles(pid: int, number: int) -> bool:
    """Tell whether a process handles a signal itself."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return True
    caught = next((int(line.split()[1], 16) for line in lines if line.startswith("SigCgt")), 0)
    return bool(caught >> (number - 1) & 1)


def _lost(command: str, status: int, expected: int, said: str, here: Path, temporary: Path) -> str:
    """Return what was lost."""
    # After the last of our instructions Python leaves signals to the system, which ends the process by it.
    if status not in (0, expected, 128 - expected):
        return f"{command}: exit status {status}: {said[-300:]}"
    if "Traceback" in said or "Exception ignored" in said:
        return f"{command}: {said[-1000:]}"
    if (here / "in.txt").read_bytes() != LINES:
        return f"{command}: the input was changed"
    for name in ("in.min.txt", "trace.min.jsonl"):
        if (here / name).exists() and b"needle" not in (here / name).read_bytes():
            return f"{command}: the best so far does not reproduce"
    deadline = time.monotonic() + PATIENCE
    while left := [path.name for path in temporary.iterdir()]:
        if time.monotonic() > deadline:
            return f"{command}: left behind: {left}"
        time.sleep(0.02)
    return ""


def main() -> None:
    """Send many signals, and keep the table."""
    given = [int(word) for word in sys.argv[1:3]]
    signals, seed = [*given, *(500, 1)[len(given) :]]
    tried: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for number in range(signals):
        with tempfile.TemporaryDirectory(prefix="signals-", dir="/tmp") as name:
            seen = attempt(random.Random(seed * 1000 + number), Path(name))
        tried[seen.command] += 1
        ended[seen.command] += seen.status in SIGNALS.values()
        if seen.lost:
            lost[seen.command] += 1
            print(f"{number}: {seen.lost}", file=sys.stderr, flush=True)
    rows = [
        [name, str(tried[name]), str(ended[name]), str(tried[name] - lost[name]), str(lost[name])] for name in COMMANDS
    ]
    rows.append(
        ["all", *(str(sum(each.values())) for each in (tried, ended)), str(signals - lost.total()), str(lost.total())]
    )
    head = ["command", "tried", "ended by it", "survived", "lost"]
    keep("signals", [__doc__ or "", f"{machine()}; seed {seed}", table(head, rows)])


if __name__ == "__main__":
    main()
