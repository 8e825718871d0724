"""How much faster checks of Python programs are when the program stays loaded, and whether results are the same.

python -m benchmarks.warm FOLDER [CHECKS [PROGRAM...]]      FOLDER is a virtual environment with the programs of `CASES`
    (pip install black flake8 pylint yapf docutils sqlparse pytest sympy pandas jinja2); CHECKS are those of one
    reduction, at most
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.local.process_pool import Processes
from minrepro.executors.local.warm_runner import COLD, LEARN, WARM

RUNS, FEW = 4, 3

NEEDED = 5


@dataclass(frozen=True)
class Case:
    """A command that prints something about each of several lines of a file, and another file that it needs."""

    words: Sequence[str]
    name: str
    needed: str
    """One of the lines, with {} for the name that is printed."""
    filler: str
    """One of the other lines, with {} for a number."""
    head: str = ""
    script: str = ""

    @property
    def content(self) -> str:
        """The file."""
        lines = [self.filler.format(number) for number in range(60)]
        for number in range(NEEDED):
            lines.insert(12 * number + 5, self.needed.format(f"need{number}"))
        return self.head + "\n".join(lines) + "\n"


_PYTHON = "def f{}(a): return [a]"
CASES = {
    "black": Case(["black", "--diff", "-q", "in.py"], "in.py", "{} =  1", "a{} = 1"),
    "pylint": Case(["pylint", "-E", "in.py"], "in.py", "print({})", _PYTHON),
    "sympy": Case(["python", "in.py"], "in.py", "print(sympy.Symbol('{}') ** 2)", "x{} = 1", "import sympy\n"),
    "pandas": Case(
        ["python", "use.py", "in.csv"],
        "in.csv",
        "{},bad",
        "row{},7",
        "name,count\n",
        "import pandas, sys\ntable = pandas.read_csv(sys.argv[1])\nprint(table[table['count'] == 'bad'].to_string())\n",
    ),
    "pytest": Case(
        ["pytest", "-q", "-p", "no:cacheprovider", "test_in.py"], "test_in.py", "def test_{}(): assert 0", "x{} = 1"
    ),
    "flake8": Case(["flake8", "in.py"], "in.py", "print({})", _PYTHON),
    "docutils": Case(["rst2html", "in.rst"], "in.rst", "`{}`_\n", "line {}\n"),
    "yapf": Case(["yapf", "--diff", "in.py"], "in.py", "{} =  1", "a{} = 1"),
    "sqlparse": Case(
        ["python", "use.py", "in.sql"],
        "in.sql",
        "drop table {};",
        "select a{} from t;",
        script="import sqlparse, sys\n"
        "print([str(s) for s in sqlparse.parse(open(sys.argv[1]).read()) if s.get_type() == 'DROP'])\n",
    ),
    "jinja2": Case(
        ["python", "use.py", "in.html"],
        "in.html",
        "{{{{ '{}' | lower }}}}",
        "<p>{{{{ a{} }}}}</p>",
        script="import jinja2, sys\nprint(jinja2.Template(open(sys.argv[1]).read()).render())\n",
    ),
}


class _Program:
    """Runs the command of a case, on other and other contents."""

    def __init__(self, case: Case, words: Sequence[str]) -> None:
        self._case = case
        self._words = tuple(words)

    def invocation(self, content: bytes) -> Invocation:
        return Invocation(self._words, {self._case.name: content, "use.py": self._case.script.encode()})

    def judge(self, ending: ProcessEnd) -> Verdict:
        return Verdict(Outcome.PASS, str(ending.status), ending.seconds)


class _Stated:
    """In the place of a trial: every check is run in the same way, after the first has shown what to load."""

    def __init__(self, kind: int) -> None:
        self._kind = kind
        self._asked = kind == COLD
        self.learnt: Any = None
        self.trouble = ""

    def how(self, key: object, words: object) -> int:
        if not self._asked:
            self._asked = True
            return LEARN
        return COLD if self.learnt is None else self._kind

    def compare(self, trouble: str, learnt: Any, fresh: object, warm: object) -> None:
        self.learnt, self.trouble = learnt or self.learnt, trouble or self.trouble


def _cpu() -> float:
    """Return the CPU time of all processes that were started from here and have ended, with all theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _all(case: Case, words: Sequence[str], kind: int, runs: int) -> float:
    """Return the CPU time of so many checks, with all that is needed to run them."""
    stated, before = _Stated(kind), _cpu()
    with Processes(_Program(case, words), 1, 300.0, warm=stated) as executor:  # type: ignore[arg-type]
        for number in range(runs):
            job = executor.start(case.content.encode() + b"\n" * number)
            while not executor.wait([job]):
                pass
    if stated.trouble:
        raise SystemExit(stated.trouble)
    return _cpu() - before


def per_check(case: Case, words: Sequence[str], kind: int) -> float:
    """Return the CPU time of a check, without what is needed only once."""
    return (_all(case, words, kind, FEW + RUNS) - _all(case, words, kind, FEW)) / RUNS


def reduction(case: Case, words: Sequence[str], wish: str, most: int) -> tuple[float, bytes]:
    """Return the CPU time of a whole reduction, and its result."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / case.name).write_text(case.content)
        (place / "use.py").write_text(case.script)
        command = [sys.executable, "-m", "minrepro", "reduce", case.name, "-q", "-j", "1", "--warm", wish]
        command += ["--algorithm", "ddmin", "--units", "lines", "-o", "result", "--max-tests", str(most)]
        said = "--expect-stderr" if case.name.endswith("rst") else "--expect-stdout"
        command += [word for number in range(NEEDED) for word in (said, f"need{number}")]
        command += ["--", *words]
        before = _cpu()
        subprocess.run(command, cwd=place, check=False, capture_output=True)
        return _cpu() - before, (place / "result").read_bytes() if (place / "result").exists() else b"(none)"


def main(folder: Path, most: int, names: Sequence[str]) -> None:
    """Print the table."""
    print(
        "Checks in a second of CPU time, all processes of a check included: in fresh processes, and warm; and how many"
    )
    print(
        f"seconds of CPU time a whole reduction takes, of at most {most} checks (ddmin by lines, one worker), with the"
    )
    print("observation of the failure before it and its confirmation: --warm off, and --warm auto. Same result?")
    print(f"\n{'program':10} {'fresh':>7} {'warm':>7} {'factor':>7}   {'off':>7} {'auto':>7} {'factor':>7}  result")
    for name in names:
        case = CASES[name]
        words = [str(folder / "bin" / case.words[0]), *case.words[1:]]
        cold, warm = per_check(case, words, COLD), per_check(case, words, WARM)
        (whole, result), (quick, other) = reduction(case, words, "off", most), reduction(case, words, "auto", most)
        same = f"the same, {len(result)} bytes" if result == other else f"NOT THE SAME: {result!r} {other!r}"
        checks = f"{1 / cold:7.1f} {1 / warm:7.1f} {cold / warm:7.1f}"
        print(f"{name:10} {checks}   {whole:7.1f} {quick:7.1f} {whole / quick:7.1f}  {same}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), int([*sys.argv, "100"][2]), sys.argv[3:] or list(CASES))
