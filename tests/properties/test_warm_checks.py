"""A warm check ends like a fresh process, whatever its program does, and nothing of it survives."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.limits import Limits
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.local.process_pool import Processes
from minrepro.executors.local.warm_runner import LEARN, TRY
from minrepro.executors.local.warm_trial import differing
from tests.executors.hostile import eventually, running

pytestmark = pytest.mark.processes

LOADED = (
    "import json, xml.dom.minidom, logging, email.message, decimal, argparse, random, tempfile, signal, threading\n"
)
HEAD = "import os, sys, signal\n"

PRINTING = [
    "print('a'); sys.stderr.write('b\\n'); os.write(1, b'c\\n')",
    "sys.stdout.write('no end of line')",
    "print(sys.argv, sys.path, __name__, __file__, sorted(globals()))",
    "print(sorted(sys.modules))",
    "import decimal; print(sorted(sys.modules))",
    "import xml; print(xml.dom)",
    "import xml.dom; print(sorted(vars(xml)), sorted(vars(xml.dom)))",
    "import logging; logging.warning('w'); print(logging.root.handlers)",
    "import warnings; warnings.warn('w'); print(warnings.filters)",
    "import importlib.util; print(importlib.util.find_spec('decimal'))",
    "print(sorted(os.environ.items()))",
    "print(os.getcwd(), os.listdir(), os.getpgrp() == os.getpid(), os.umask(0))",
    "print(os.getsid(0) == os.getsid(os.getppid()))",
    "print(os.open('/dev/null', os.O_RDONLY), sorted(os.listdir('/proc/self/fd')))",
    "print(repr(sys.stdin.read()), sys.stdout.encoding, sys.stdout.line_buffering, sys.flags)",
    "print([signal.getsignal(n) for n in range(1, 32)], signal.pthread_sigmask(signal.SIG_BLOCK, []))",
    "print(sys.getrecursionlimit(), sys.getswitchinterval())",
    "import traceback; traceback.print_stack()",
    "import resource; print([resource.getrlimit(n) for n in range(10)])",
    "import inspect; print(len(inspect.stack()))",
    "import threading; print(threading.enumerate()[0].name, threading.active_count())",
    "import random; random.seed(4); print(random.random())",
    "print(len(os.listdir('/proc/self/task')))",
    "open('left', 'w').write('x'); os.mkdir('d'); print(sorted(os.listdir()))",
]
CHANGING = [
    "os.chdir('/')",
    "os.environ['A'] = 'b'",
    "os.umask(0o77)",
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))",
    "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))",
    "import atexit; atexit.register(print, 'bye')",
    "sys.excepthook = lambda *words: print('hook', words[0], words[1])",
    "sys.stdout.reconfigure(line_buffering=True)",
    "class C:\n    def __del__(self): os.write(1, b'del\\n')\nkept = C()",
    "sys.path.insert(0, '/nowhere')",
    "sys.setrecursionlimit(77)",
    "os.close(1)",
    "os.setsid() if os.getpgrp() != os.getpid() else None",
]
STARTING = [
    "pid = os.fork()\nif pid:\n    print(os.waitpid(pid, 0)[1])",
    "os.fork() or os._exit(5)",
    "os.spawnlp(os.P_NOWAIT, 'sleep', 'sleep', '1000')",
    "os.fork() or (os.setsid(), os.execlp('sleep', 'sleep', '1000'))",
    "import subprocess; print(subprocess.run(['sh', '-c', 'echo $PYTHONPATH $MINREPRO_WARM; exit 3']))",
    "import subprocess; subprocess.run([sys.executable, '-c', 'import sys; print(sys.path, len(sys.modules))'])",
    "import threading, time; threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()",
    "import threading; t = threading.Thread(target=print, args=('in a thread',)); t.start(); t.join()",
    "import json; print(json.loads('{'))",
]
ENDING = [
    "sys.exit(3)",
    "sys.exit('a text')",
    "raise SystemExit",
    "raise ValueError('é\\n' + 'x' * 9)",
    "def f(): f()\nf()",
    "os._exit(4)",
    "os.abort()",
    "os.kill(os.getpid(), signal.SIGKILL)",
    "os.kill(os.getpid(), signal.SIGTERM)",
    "os.kill(os.getpid(), signal.SIGINT)",
    "os.killpg(0, signal.SIGTERM)",
    "signal.setitimer(signal.ITIMER_REAL, 0.01); signal.pause()",
    "os.execlp('sh', 'sh', '-c', 'echo shell; exit 7')",
    "import nothing_like_this",
    "def (",
    "x = 1 / 0",
    "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise KeyError('k') from error",
    "bytearray(1 << 40)",
    "import ctypes; ctypes.string_at(0)",
    "sys.stdout.close()",
]
STATEMENTS = st.lists(st.sampled_from(PRINTING + CHANGING + STARTING), max_size=4)


class Both:
    """In the place of a trial: has everything run both ways, and keeps how it ended."""

    def __init__(self) -> None:
        self.learnt: Any = None
        self.ended: list[tuple[ProcessEnd, ProcessEnd]] = []
        self.troubles: list[str] = []

    def how(self, key: object, words: object) -> int:
        return LEARN if self.learnt is None else TRY

    def compare(self, trouble: str, learnt: Any, fresh: Any, warm: Any) -> None:
        self.learnt = learnt or self.learnt
        if trouble:
            self.troubles.append(trouble)
        else:
            self.ended.append((fresh[0], warm[0]))


class Program:
    """An oracle whose candidates are Python programs."""

    def invocation(self, case: bytes) -> Invocation:
        words = (sys.executable, "program.py", "an argument", "{folder}")
        return Invocation(words, {"program.py": case}, b"read\n", {"MINREPRO_CANDIDATE": "{folder}/program.py"})

    def judge(self, ending: ProcessEnd) -> Verdict:
        return Verdict(Outcome.PASS, str(ending.status), ending.seconds, ending.limit)


class Bench:
    """Runs programs both ways."""

    def __init__(self, place: Path, limits: Limits = Limits(), timeout: float = 60.0) -> None:  # noqa: B008
        self.both = Both()
        self.warned: list[str] = []
        self.executor = Processes(
            Program(),
            1,
            timeout,
            place,
            limits,
            self.warned.append,
            warm=self.both,  # type: ignore[arg-type]
        )

    def run(self, program: str) -> tuple[ProcessEnd, ProcessEnd]:
        """Return how a program ends in a fresh process, and how in a warm check."""
        before = len(self.both.ended)
        job = self.executor.start(program.encode())
        self.executor.wait([job])
        while len(self.both.ended) == before:
            assert self.both.troubles == []
            self.executor._collect(None)
        return self.both.ended[-1]


@contextmanager
def opened(place: Path, **options: Any) -> Iterator[Bench]:
    bench = Bench(place, **options)
    try:
        bench.run(LOADED)
        yield bench
    finally:
        bench.executor.close()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    place, mark = tmp_path_factory.mktemp("warm"), uuid.uuid4().hex
    os.environ["MINREPRO_MARK"] = mark
    try:
        with opened(place) as bench:
            yield bench
        assert eventually(lambda: not running(mark)), "processes are left"
        assert list(place.iterdir()) == [], "folders are left"
    finally:
        del os.environ["MINREPRO_MARK"]


def alike(fresh: ProcessEnd, warm: ProcessEnd) -> None:
    """Demand that two ends are the same, apart from addresses and process numbers."""
    verdict = Verdict(Outcome.PASS, "")
    difference = differing((fresh, verdict), (warm, verdict))
    assert not difference, f"{difference}\n{fresh}\n{warm}"
    assert (fresh.limit is None, fresh.trouble, fresh.exceeded) == (warm.limit is None, warm.trouble, warm.exceeded)


@given(STATEMENTS, st.sampled_from(ENDING + [""] * 4))
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@example(["import decimal; print(sorted(sys.modules))"], "")
def test_a_warm_check_ends_like_a_fresh_process(bench: Bench, statements: list[str], ending: str) -> None:
    alike(*bench.run(HEAD + "\n".join([*statements, ending]) + "\n"))
    assert not any(map(is_sleeper, Path("/proc").glob("[0-9]*")))


def is_sleeper(process: Path) -> bool:
    """Tell whether a process is one that a program here has started."""
    try:
        words = (process / "cmdline").read_bytes().split(b"\0")
        mark = f"MINREPRO_MARK={os.environ['MINREPRO_MARK']}".encode()
        return words[:2] == [b"sleep", b"1000"] and mark in (process / "environ").read_bytes()
    except OSError:
        return False


@pytest.mark.parametrize("statement", PRINTING + CHANGING + STARTING + ENDING)
def test_each_thing_that_a_program_can_do_is_done_alike(bench: Bench, statement: str) -> None:
    alike(*bench.run(HEAD + statement + "\n"))


@pytest.mark.parametrize(
    "statement", ["while True: pass", "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\nsignal.pause()"]
)
def test_what_hangs_is_ended_by_the_time_limit(tmp_path: Path, statement: str) -> None:
    with opened(tmp_path, timeout=5.0) as bench:
        fresh, warm = bench.run(HEAD + statement + "\n")
        assert fresh.limit == warm.limit == 5.0
        alike(*bench.run(HEAD + "print(1)\n"))


@pytest.mark.parametrize(
    ("limits", "statement"),
    [
        (Limits(memory=1 << 30), "x = bytearray(2 << 30)"),
        (Limits(cpu=1.0), "while True: pass"),
        (Limits(files=1 << 20), "open('f', 'wb').write(bytes(2 << 20))"),
        (Limits(processes=4), "for n in range(9): os.fork() or signal.pause()\nsignal.pause()"),
        (Limits(printed=1000), "print('x' * 5000)"),
    ],
)
def test_limits_hold_in_warm_checks(tmp_path: Path, limits: Limits, statement: str) -> None:
    with opened(tmp_path, limits=limits) as bench:
        fresh, warm = bench.run(HEAD + statement + "\n")
        assert fresh.exceeded == warm.exceeded
        if not fresh.exceeded:  # else it was ended at some moment or other
            alike(fresh, warm)


def test_a_loaded_program_that_is_killed_is_replaced_and_told(tmp_path: Path) -> None:
    kill = "for p in os.listdir('/proc'):\n    try:\n        words = open(f'/proc/{p}/cmdline').read()\n"
    kill += "        if p.isdigit() and int(p) != os.getpid() and os.getcwd() in words and 'program.py' in words:\n"
    kill += "            os.kill(int(p), 9)\n    except OSError: pass\n"
    with opened(tmp_path) as bench:
        bench.run(HEAD + kill)
        ends = bench.run(HEAD + "print(1)\n")
        alike(*ends)
        told = [*bench.warned, *(end.noticed for pair in bench.both.ended for end in pair)]
        assert any("was killed, and was replaced" in text for text in told)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("print('hello')", "prints something"),
        ("import threading, time\nthreading.Thread(target=time.sleep, args=(1000,), daemon=True).start()", "threads"),
        ("import socket\nkept = socket.socket()", "opens a socket"),
        ("import os\nos.environ['A'] = 'b'", "environment"),
        ("import signal\nsignal.signal(signal.SIGUSR1, print)", "handles signals"),
        ("import os\nos.chdir('/tmp')", "working directory"),
        ("open('made-by-import', 'w').close()", "writes a file"),
        ("import subprocess\nsubprocess.run(['true'])", "starts a process"),
    ],
)
def test_a_module_that_does_more_than_load_turns_warm_checks_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, reason: str
) -> None:
    (tmp_path / "more.py").write_text(source)
    (tmp_path / "place").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    bench = Bench(tmp_path / "place")
    try:
        job = bench.executor.start(b"import more\n")
        bench.executor.wait([job])
        while not bench.both.troubles:
            assert bench.both.ended == []
            bench.executor._collect(None)
        assert reason in bench.both.troubles[0]
    finally:
        bench.executor.close()


def test_a_module_of_the_candidate_is_loaded_anew_in_each_check(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        for number in range(3):
            program = f"import sys\nopen('own.py', 'w').write('print({number})')\nimport own, json\n"
            fresh, warm = bench.run(program)
            assert warm.stdout == fresh.stdout == b"%d\n" % number
