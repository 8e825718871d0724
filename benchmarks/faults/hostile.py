"""Checks that try to destroy what is not theirs: each in a playground of its own, in which nothing may be lost.

    python -m benchmarks.faults.hostile [NUMBER] [--seed SEED] [--in DIR] [--keep]

Attacks are made of a way to do harm and of what it is done to, with links, mounts, signals and daemons; each runs
twice, followed by a harmless check that must be answered. All of them run in a sandbox; those that try to make
minrepro itself do the harm, by its clean-up or its supervision, also run without one.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import keep, machine, table
from minrepro.core.containment import OFF, ON, Containment
from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import MinreproError
from minrepro.executors.local.process_pool import Processes

FILES, CLEANING, SUPERVISION, LEFTOVERS = (
    "files outside its directory are as they were",
    "clean-up removes nothing of the user's",
    "a stopped or killed part of ours goes on",
    "nothing of a check is left",
)
PATIENCE = 120.0
"""Seconds after which a check that should have been answered long ago is given up."""
PLACES = ("home", "project", "elsewhere")

DIRECT = {
    "removes it": 'rm -rf "$T"',
    "removes all in it by a variable that was reduced away": 'cd "$T" && rm -rf "$UNSET"./*',
    "removes what find finds": 'find "$T" -delete',
    "appends to a file": 'echo more >> "$T/file"',
    "empties a file": ': > "$T/file"',
    "writes over a file": 'dd if=/dev/zero of="$T/file" bs=1 count=3 conv=notrunc',
    "edits a file in place": 'sed -i s/precious/gone/ "$T/file"',
    "moves it away": 'mv "$T" "$T.moved"',
    "moves a file into its directory": 'mv "$T/file" .',
    "takes all rights away": 'chmod -R 000 "$T"',
    "puts a link in the place of a file": 'ln -sf /dev/null "$T/file"',
    "puts a link in the place of a directory": 'rm -rf "$T/sub" && ln -s /tmp "$T/sub"',
    "writes through a hard link": 'ln "$T/file" hard && echo more >> hard',
    "writes through a link": 'ln -s "$T/file" soft && echo more >> soft',
    "fills it with files": 'for n in 1 2 3 4 5 6 7 8 9; do echo junk > "$T/$n"; mkdir "$T/d$n"; done',
    "sets another time": 'touch -t 200001010000 "$T/file"',
    "copies over it": 'cp /etc/passwd "$T/file"',
    "unpacks over it": '(mkdir x && cd x && echo bad > file && tar cf ../a.tar file); tar xf a.tar -C "$T"',
}
INDIRECT = {
    "links the place where its input is written": ('ln -s "$T/file" ../stdin; ln -s "$T/file" stdin', CLEANING),
    "links into its directory": ('ln -s "$T" link; mkdir -p a/b; ln -s "$T" a/b/link; ln "$T/file" a/hard', CLEANING),
    "puts a link in the place of its directory": ('d="$PWD"; cd /; rm -rf "$d"; ln -s "$T" "$d"', CLEANING),
    "puts a link in the place of the directory above": (
        'd="$PWD"; cd /; up=$(dirname "$d"); mkdir -p "$T/$(basename "$d")"; mv "$up" "$up.moved"; ln -s "$T" "$up"',
        CLEANING,
    ),
    "puts a link two directories above": (
        'd=$(dirname "$(dirname "$PWD")"); cd /; mv "$d" "$d.moved"; ln -s "$T" "$d"',
        CLEANING,
    ),
    "mounts it inside its directory": ('mkdir -p m; mount --bind "$T" m', CLEANING),
    "mounts it deep inside its directory": ('mkdir -p a/b/m c; mount --bind "$T" a/b/m; mount --bind "$T" c', CLEANING),
    "mounts a file of it": ('echo > f; mount --bind "$T/file" f', CLEANING),
    "removes all directories above": ('d=$(dirname "$(dirname "$PWD")"); cd /; rm -rf "$d"', CLEANING),
    "leaves odd files": (
        "mkfifo pipe; mkdir -p d/e; touch d/e/f; chmod 0 d/e d; touch \"$(printf 'new\\nline\\377')\"; cp /bin/true .s",
        LEFTOVERS,
    ),
    "leaves directories too deep for a path": (
        "n=$(printf '%0200d' 0); for i in $(seq 60); do mkdir $n && cd $n || break; done; touch end",
        LEFTOVERS,
    ),
    "leaves a daemon that waits": ('setsid sh -c "sleep 2; rm -rf \\"$T\\"" >/dev/null 2>&1 &', LEFTOVERS),
    "leaves a daemon that ignores signals": (
        "setsid sh -c \"trap '' TERM HUP INT; sleep 1000\" >/dev/null 2>&1 & exec 1>&- 2>&-",
        LEFTOVERS,
    ),
    "leaves a daemon that writes into its directory": (
        'setsid sh -c "while :; do echo x > $PWD/\\$\\$; sleep 0.01; done" >/dev/null 2>&1 &',
        LEFTOVERS,
    ),
    "stops its parent": ("kill -STOP $PPID; sleep 0.1", SUPERVISION),
    "stops the parent of its parent": (
        "up=$(cut -d' ' -f4 /proc/$PPID/stat); [ \"$up\" -le 1 ] || kill -STOP $up; sleep 0.1",
        SUPERVISION,
    ),
    "stops both": (
        "up=$(cut -d' ' -f4 /proc/$PPID/stat); [ \"$up\" -le 1 ] || kill -STOP $up; kill -STOP $PPID; sleep 0.1",
        SUPERVISION,
    ),
    "stops itself": ("(sleep 0.2; kill -KILL $$) & kill -STOP $$", SUPERVISION),
    "kills its parent once": ('[ -e "$W/once" ] || { echo > "$W/once"; kill -KILL $PPID; sleep 0.1; }', SUPERVISION),
}
CAGED = {
    "kills everything that it can": ("kill -KILL -1; sleep 0.1", SUPERVISION),
    "stops everything that it can": ("kill -STOP -1; sleep 0.1", SUPERVISION),
    "kills whatever carries our mark": (
        "for p in /proc/[0-9]*; do grep -q $MINREPRO_MARK $p/environ && kill -KILL ${p#/proc/}; done; true",
        SUPERVISION,
    ),
    "takes the layer of its home away": ('umount -l "$HOME"; umount -l /tmp; rm -rf "$T"', FILES),
    "makes the machine writable": ('mount -o remount,rw /; mount -o remount,bind,rw "$T"; rm -rf "$T"', FILES),
    "makes itself a superuser elsewhere": ('unshare -Urm sh -c "mount -o remount,rw /; rm -rf \\"$T\\""', FILES),
    "goes through another root": ('rm -rf "/proc/1/root/$T" "/proc/$PPID/cwd/../../../../$T"', FILES),
}
"""What only a sandbox stands."""


@dataclass(frozen=True)
class Attack:
    """A check that does harm to a folder of the user's."""

    name: str
    script: str
    place: str
    promise: str
    mode: str


def attacks(number: int, rng: random.Random) -> Iterator[Attack]:
    """Yield so many attacks: each way once, then ways one after another at random."""
    single = [Attack(name, script, place, FILES, ON) for name, script in DIRECT.items() for place in PLACES]
    single += [Attack(name, *_first(told, place), ON) for name, told in CAGED.items() for place in PLACES[:2]]
    for mode in (ON, OFF):
        single += [Attack(name, *_first(told, place), mode) for name, told in INDIRECT.items() for place in PLACES[:2]]
    yield from single[:number]
    for _ in range(number - len(single)):
        parts = rng.sample([attack for attack in single if attack.mode == ON], 3)
        name = ", then ".join(attack.name for attack in parts)
        script = "\n".join(f"(T=$W/{part.place}; {part.script}\n)" for part in parts)
        yield Attack(name, script, rng.choice(PLACES), FILES, ON)


def _first(told: tuple[str, str], place: str) -> tuple[str, str, str]:
    script, promise = told
    return script, place, promise


class _Oracle:
    """Runs an attack, or what must be answered after it."""

    def __init__(self, script: str) -> None:
        self._script = script
        self.endings: list[ProcessEnd] = []

    def invocation(self, case: bytes) -> Invocation:
        script = self._script if case == b"attack" else 'cat in.txt; test "$PWD" = {folder} || echo lost'
        return Invocation(("/bin/sh", "-c", script), {"in.txt": case}, case)

    def judge(self, ending: ProcessEnd) -> Verdict:
        self.endings.append(ending)
        return Verdict(Outcome.PASS, ending.trouble, ending.seconds)


def survived(attack: Attack, folder: Path) -> str:
    """Run an attack in an empty folder; return what was lost, or nothing."""
    for name in PLACES:
        for file in ("file", "sub/deep", "0/kept", "1/kept", "1/0/kept"):
            (folder / name / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / name / file).write_text(f"precious {name} {file}\n")
    place = folder / "place"
    place.mkdir()
    before = _state(folder)
    mark = uuid.uuid4().hex
    variables = {"HOME": folder / "home", "T": folder / attack.place, "W": folder, "MINREPRO_MARK": mark}
    former = {name: os.environ.get(name) for name in variables}
    os.environ.update({name: str(value) for name, value in variables.items()})
    oracle = _Oracle(attack.script)
    try:
        with Processes(oracle, timeout=20.0, place=place, containment=Containment(attack.mode)) as executor:
            if attack.mode == ON and executor.why_open:
                return f"no sandbox: {executor.why_open}"
            for case in (b"attack", b"attack", b"after it"):
                if not executor.wait([executor.start(case)], PATIENCE):
                    return "a check was never answered"
    except MinreproError as error:
        return str(error)
    finally:
        for name, value in former.items():
            os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)
    last = oracle.endings[-1]
    if (last.status, last.stdout) != (0, b"after it"):
        return f"the check after it saw {last!r}"
    return _lost(folder, place, before, mark)


def _lost(folder: Path, place: Path, before: dict[str, object], mark: str) -> str:
    deadline = time.monotonic() + PATIENCE
    while running(mark) and time.monotonic() < deadline:
        time.sleep(0.01)
    if running(mark):
        return "processes are left"
    if left := [path.name for path in place.iterdir()]:
        return f"directories are left: {left}"
    (folder / "once").unlink(missing_ok=True)
    after = _state(folder)
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return f"changed: {changed}" if changed else ""


def _state(folder: Path) -> dict[str, object]:
    """Return all that must not change."""
    found: dict[str, object] = {}
    for path in folder.rglob("*"):
        if "place" not in path.relative_to(folder).parts:
            seen = path.lstat()
            content = path.read_bytes() if path.is_file() else path.readlink() if path.is_symlink() else None
            found[str(path.relative_to(folder))] = (seen.st_mode, seen.st_uid, content, seen.st_ino)
    return found


def running(mark: str) -> list[int]:
    """Return the processes beside this one that have a mark in their environment, as all that a check starts do."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                marked = f"MINREPRO_MARK={mark}\0".encode() in (entry / "environ").read_bytes()
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if marked and state not in "ZX":
                found.append(int(entry.name))
    return found


def tried(attack: Attack, where: Path | None = None) -> str:
    """Run an attack in a folder that is made for it; return what was lost, or nothing."""
    folder = Path(tempfile.mkdtemp(prefix="minrepro-hostile-", dir=where and where.resolve()))
    try:
        return survived(attack, folder)
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", str(folder)], check=False, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Try attacks, and print what was promised and what was kept."""
    words = argparse.ArgumentParser()
    words.add_argument("number", nargs="?", type=int, default=200)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--in", dest="where", type=Path, help="Make every other playground in DIR, outside /tmp")
    words.add_argument("--keep", action="store_true", help="Write the table to benchmarks/results")
    asked = words.parse_args()
    counts: Counter[tuple[str, str, bool]] = Counter()
    losses = []
    for number, attack in enumerate(attacks(asked.number, random.Random(asked.seed)), 1):
        lost = tried(attack, asked.where if number % 2 else None)
        counts[attack.promise, attack.mode, not lost] += 1
        if lost:
            losses.append(f"LOST {number} ({attack.mode}, {attack.place}): {attack.name}: {lost}")
            print(losses[-1], file=sys.stderr)
    rows = []
    for promise in (FILES, CLEANING, SUPERVISION, LEFTOVERS):
        for mode in (ON, OFF):
            kept, lost_ones = counts[promise, mode, True], counts[promise, mode, False]
            if kept + lost_ones:
                rows.append([promise, mode, str(kept + lost_ones), str(kept), str(lost_ones)])
    head = f"{machine()}; seed {asked.seed}, user {'root' if os.getuid() == 0 else 'without rights'}"
    parts = [head, table(["promise", "sandbox", "tried", "survived", "lost"], rows), *losses]
    if asked.keep:
        keep("hostile_checks", parts)
    else:
        print(*parts, sep="\n\n")
    sys.exit(bool(losses))


if __name__ == "__main__":
    main()
