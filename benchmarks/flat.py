"""The default reducer beside the simple ways on input without structure: random bytes that upset programs of Debian.

    python -m benchmarks.flat [--sizes 1000,10000,100000,1000000] [--programs sparse,troff,mawk,m4,cpp]

Checks until the end and bytes of the result: the default reducer, ddmin and group testing by bytes and by lines and
then bytes, ddmin with Picire's best options (complements only, back to front, balanced parts), and the method of
halfempty (chunks of half the size each time, from the front to the back). A check fails while the program says at least
so often what it says of the whole. The checks of the input and of the empty file count for all. The share compares with
ddmin, Picire and group testing. Writes benchmarks/results/flat.txt.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from math import exp, log
from pathlib import Path, PurePath

from minrepro.algorithms.lists.ddmin import balanced_split, ddmin
from minrepro.algorithms.lists.group_testing import grouping
from minrepro.core.search import Reduction, solve
from minrepro.core.verdicts import Outcome
from minrepro.engine.default_reducer import default_reducer
from minrepro.engine.run import Run
from minrepro.testing import SimulatedExecutor

TABLE = Path(__file__).parent / "results" / "flat.txt"
PROGRAMS: dict[str, tuple[list[str], bytes, int]] = {
    "sparse": (["sparse", "input"], b"Expected ; at the end of type declaration", 6),
    "troff": (["troff", "input"], b"can't find character", 12),
    "mawk": (["mawk", "-f", "input"], b"unexpected character", 4),
    "m4": (["m4", "input"], b"end of file in string", 1),
    "cpp": (["cpp", "-E", "-xc", "input"], b"missing terminating", 12),
}
"""What is run, what it says, and how often that is wanted at most."""
_LIMIT = 20
Minimize = Callable[[Sequence[bytes]], Reduction[tuple[bytes, ...]]]


class Checked:
    """A check of a program, which counts how often it is asked about something new."""

    def __init__(self, program: str, content: bytes) -> None:
        self._command, self._message, most = PROGRAMS[program]
        self._folder = tempfile.TemporaryDirectory()
        self._known: dict[bytes, bool] = {}
        self.wanted = min(most, self._said(content))
        self.checks = 0

    def __call__(self, content: bytes) -> bool:
        """Tell whether the program still says it as often as wanted."""
        known = self._known.get(content)
        if known is None:
            self.checks += 1
            known = self._known[content] = self._said(content) >= self.wanted
        return known

    def _said(self, content: bytes) -> int:
        (Path(self._folder.name) / "input").write_bytes(content)
        try:
            done = subprocess.run(
                self._command,
                cwd=self._folder.name,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 0
        return done.stderr.count(self._message)

    def outcome(self, case: Sequence[bytes]) -> Outcome:
        """Return what an algorithm for lists is told, of bytes or of lines."""
        return Outcome.FAIL if self(b"".join(case)) else Outcome.PASS


Way = Callable[[bytes, Checked], bytes]


def by_default(content: bytes, check: Checked) -> bytes:
    """Reduce as `minrepro reduce` does."""
    executor = SimulatedExecutor(lambda case: Outcome.FAIL if check(case) else Outcome.PASS)
    run: Run[bytes] = Run(executor)
    return run.reduce_by_edits(content, default_reducer(PurePath("input"), content), empty=b"").case


def _in_lists(*cuts: Callable[[bytes], Sequence[bytes]], minimize: Minimize) -> Way:
    """Return the way that reduces lists of what each cut makes of a content, one after the other."""

    def reduced(content: bytes, check: Checked) -> bytes:
        check(content)
        check(b"")
        for cut in cuts:
            content = b"".join(solve(minimize(tuple(cut(content))), check.outcome))
        return content

    return reduced


def _lines(content: bytes) -> list[bytes]:
    return content.splitlines(keepends=True)


def _bytes(content: bytes) -> list[bytes]:
    return [content[i : i + 1] for i in range(len(content))]


_picire = partial(ddmin, split=balanced_split, reduce="complements only", complement_order="backward")


def by_halves(content: bytes, check: Checked) -> bytes:
    """Reduce as halfempty does: chunks of half the size each time, from the front to the back, until none goes."""
    check(content)
    check(b"")
    size = max(1, len(content) // 2)
    while True:
        before, at = content, 0
        while at < len(content):
            shorter = content[:at] + content[at + size :]
            if check(shorter):
                content = shorter
            else:
                at += size
        if size == 1 and content == before:
            return content
        size = max(1, size // 2)


WAYS: dict[str, Way] = {
    "default": by_default,
    "ddmin": _in_lists(_bytes, minimize=ddmin),
    "ddmin lines": _in_lists(_lines, _bytes, minimize=ddmin),
    "picire": _in_lists(_bytes, minimize=_picire),
    "picire lines": _in_lists(_lines, _bytes, minimize=_picire),
    "groups": _in_lists(_bytes, minimize=grouping),
    "groups lines": _in_lists(_lines, _bytes, minimize=grouping),
    "halves": by_halves,
}
_NOT_COMPARED = ("default", "halves")


def main() -> None:
    """Run every way on every input and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000,1000000")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    options = parser.parse_args()
    lines = [
        "checks / bytes of the result; share: the checks of the default by the fewest of those with no larger result"
    ]
    lines.append(f"{'program':10}{'bytes':>9}" + "".join(f"{way:>14}" for way in WAYS) + f"{'share':>8}")
    shares = []
    for program in options.programs.split(","):
        for size in map(int, options.sizes.split(",")):
            content = random.Random(size).randbytes(size)
            found: dict[str, tuple[int, int]] = {}
            for way, reduce in WAYS.items():
                check = Checked(program, content)
                if check.wanted:
                    found[way] = (len(reduce(content, check)), check.checks)
            if not found:
                continue
            ours = found["default"]
            others = [found[way] for way in found if way not in _NOT_COMPARED]
            shares.append(ours[1] / min((checks for left, checks in others if left <= ours[0]), default=ours[1]))
            cells = "".join(f"{f'{checks} / {left}':>14}" for left, checks in found.values())
            lines.append(f"{program:10}{size:>9}{cells}{shares[-1]:8.2f}")
            print(lines[-1], flush=True)
    lines.append(
        f"geometric mean of the shares: {exp(sum(map(log, shares)) / len(shares)):.2f}, most {max(shares):.2f}"
    )
    print(lines[-1])
    TABLE.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
