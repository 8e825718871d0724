"""The default reducer beside the simple ways on input without structure: random bytes that upset programs of Debian.

    python -m benchmarks.flat [--sizes 1000,10000,100000] [--programs sparse,troff,mawk,m4,cpp]

Checks until the end and bytes of the result: the default reducer, ddmin and group testing by bytes, ddmin by lines and
then by bytes, and the method of halfempty (chunks of half the size each time, from the front to the back). A check
fails while the program says at least so often what it says of the whole. Writes benchmarks/results/flat.txt.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from math import exp, log
from pathlib import Path, PurePath

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.algorithms.lists.group_testing import grouping
from minrepro.core.search import solve
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

    def outcome(self, case: Sequence[int] | Sequence[bytes]) -> Outcome:
        """Return what an algorithm for lists is told, of bytes or of lines."""
        content = bytes(case) if not case or isinstance(case[0], int) else b"".join(case)  # type: ignore[arg-type]
        return Outcome.FAIL if self(content) else Outcome.PASS


def by_default(content: bytes, check: Checked) -> bytes:
    """Reduce as `minrepro reduce` does."""
    executor = SimulatedExecutor(lambda case: Outcome.FAIL if check(case) else Outcome.PASS)
    run: Run[bytes] = Run(executor)
    return run.reduce_by_edits(content, default_reducer(PurePath("input"), content), empty=b"").case


def by_ddmin(content: bytes, check: Checked) -> bytes:
    """Reduce by the published ddmin on bytes."""
    return bytes(solve(ddmin(tuple(content)), check.outcome))


def by_lines_and_bytes(content: bytes, check: Checked) -> bytes:
    """Reduce by ddmin on lines, then on bytes."""
    return by_ddmin(b"".join(solve(ddmin(tuple(content.splitlines(keepends=True))), check.outcome)), check)


def by_groups(content: bytes, check: Checked) -> bytes:
    """Reduce by group testing on bytes."""
    return bytes(solve(grouping(tuple(content)), check.outcome))


def by_halves(content: bytes, check: Checked) -> bytes:
    """Reduce as halfempty does: chunks of half the size each time, from the front to the back, until none goes."""
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


WAYS: dict[str, Callable[[bytes, Checked], bytes]] = {
    "default": by_default,
    "ddmin": by_ddmin,
    "lines, then bytes": by_lines_and_bytes,
    "group testing": by_groups,
    "halves": by_halves,
}


def main() -> None:
    """Run every way on every input and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    options = parser.parse_args()
    lines = [
        "checks / bytes of the result; share: the checks of the default by the fewest of those with no smaller result"
    ]
    lines.append(f"{'program':10}{'bytes':>9}" + "".join(f"{way:>20}" for way in WAYS) + f"{'share':>8}")
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
            ours = found.pop("default")
            shares.append(ours[1] / min(checks for _, checks in found.values()))
            cells = "".join(f"{f'{checks} / {left}':>20}" for left, checks in (ours, *found.values()))
            lines.append(f"{program:10}{size:>9}{cells}{shares[-1]:8.2f}")
            print(lines[-1], flush=True)
    lines.append(
        f"geometric mean of the shares: {exp(sum(map(log, shares)) / len(shares)):.2f}, most {max(shares):.2f}"
    )
    print(lines[-1])
    TABLE.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
