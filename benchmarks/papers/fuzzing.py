"""Hildebrandt & Zeller (2000), table 4: random input on which a utility of the system crashes.

The utilities of 1998 are repaired. abc2midi (Debian's abcmidi) still overflows a buffer on some random bytes: the
inputs are the first ones of each size.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import table
from minrepro import reduce

_HEAD = b"X:1\nT:fuzz\nM:4/4\nL:1/8\nK:C\n"
_SIZES = (1_000, 10_000, 100_000)
_EACH, _SEEDS = 2, 2_000


def report() -> list[str]:
    """Return how small random input becomes, and in how many tests."""
    if shutil.which("abc2midi") is None:
        return ["Hildebrandt & Zeller 2000, table 4: abc2midi is not here (Debian's abcmidi)"]
    rows = []
    with TemporaryDirectory() as folder:
        utility = _Utility(Path(folder))
        for size in _SIZES:
            for seed, data in islice(utility.crashing(size), _EACH):
                by_bytes = reduce(data, utility.crashes, algorithm="ddmin", units="bytes")
                ours = reduce(data, utility.crashes)
                cells = [f"{len(each.reduced)} in {each.stats.checks}" for each in (by_bytes, ours)]
                rows.append([f"{len(data):,} bytes, seed {seed}", *cells])
    head = ("", "ddmin by bytes", "default")
    published = "published: crtplot 10^6 to 1 in 24, flex 10^6 to 2,122"
    return [f"Hildebrandt & Zeller 2000, table 4: bytes left and tests, abc2midi; {published}\n" + table(head, rows)]


class _Utility:
    """abc2midi, run in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._input, self._output = folder / "fuzz.abc", folder / "out.mid"

    def crashes(self, data: bytes) -> bool:
        """Tell whether it aborts on an input."""
        self._input.write_bytes(data)
        command = ["abc2midi", str(self._input), "-o", str(self._output)]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
        )
        return done.returncode == -signal.SIGABRT

    def crashing(self, size: int) -> Iterator[tuple[int, bytes]]:
        """Yield random inputs of so many bytes on which it aborts, with their seeds."""
        for seed in range(_SEEDS):
            data = _HEAD + bytes(random.Random(seed).choices(range(1, 256), k=size - len(_HEAD)))
            if self.crashes(data):
                yield seed, data
