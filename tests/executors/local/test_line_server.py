"""A program that stays loaded and answers a line with a line, as the page on warm checks shows it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from minrepro.executors.local.line_server import LineServer
from minrepro.executors.local.warm_server import WarmTrouble
from tests.cli.command_line import CommandLine

pytestmark = pytest.mark.processes

PAGE = Path(__file__).parents[3] / "docs" / "warm-checks.md"
LINES = "\n".join(f'["n", {number}]' for number in range(40)) + '\n["bad", 1]\n' + '["n", 99]\n' * 10

NODE_TOOL = """
const fs = require("fs");
function run(words, print) {
  for (const line of fs.readFileSync(words[0], "utf8").split("\\n").filter(Boolean)) {
    if (JSON.parse(line)[0] === "bad") throw new Error("a bad line");
  }
  print("fine");
}
module.exports = { run };
if (require.main === module) {
  try { run(process.argv.slice(2), console.log); } catch (error) { console.error(String(error)); process.exit(1); }
}
"""
JAVA_TOOL = """
import java.io.*;
import java.nio.file.*;

class Tool {
    static void run(String folder, String[] arguments, PrintStream out) throws IOException {
        for (String line : Files.readAllLines(Path.of(folder, arguments[0])))
            if (line.contains("bad")) throw new IOException("a bad line");
        out.println("fine");
    }

    public static void main(String[] arguments) {
        try { run("", arguments, System.out); } catch (Exception error) { System.err.println(error); System.exit(1); }
    }
}
"""


def shown(language: str) -> str:
    """Return the program that the page shows in a language."""
    (code,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return str(code)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_the_example_for_node_answers_in_the_place_of_the_command(shell: CommandLine) -> None:
    (shell.folder / "tool.js").write_text(NODE_TOOL)
    (shell.folder / "serve.js").write_text(shown("js"))
    (shell.folder / "in.json").write_text(LINES)
    words = ("--warm", "on", "--warm-server", "node serve.js", "-j", "1", "--", "node", "tool.js", "in.json")
    ended = shell.run("reduce", "in.json", "--algorithm", "ddmin", "--units", "lines", *words)
    assert "checks are warm: node stays loaded" in ended.stderr
    assert (shell.folder / "in.min.json").read_text() == '["bad", 1]\n'


@pytest.mark.skipif(shutil.which("javac") is None, reason="needs a JDK")
def test_the_example_for_a_jvm_answers_in_the_place_of_the_command(shell: CommandLine) -> None:
    (shell.folder / "Tool.java").write_text(JAVA_TOOL)
    (shell.folder / "Serve.java").write_text(shown("java"))
    subprocess.run(["javac", "Tool.java", "Serve.java"], cwd=shell.folder, check=True)
    (shell.folder / "in.json").write_text("\n".join(LINES.split("\n")[30:46]) + "\n")
    words = ("--warm", "on", "--warm-server", "java -cp . Serve", "-j", "1", "--", "java", "Tool", "in.json")
    ended = shell.run("reduce", "in.json", "--algorithm", "ddmin", "--units", "lines", *words)
    assert "checks are warm: java stays loaded" in ended.stderr
    assert (shell.folder / "in.min.json").read_text() == '["bad", 1]\n'


def server(tmp_path: Path, text: str) -> LineServer:
    (tmp_path / "serve.py").write_text(text)
    return LineServer([sys.executable, str(tmp_path / "serve.py")], lambda: None)


def test_words_arrive_as_they_are(tmp_path: Path) -> None:
    told = tmp_path / "told"
    keeps = f"open({str(told)!r}, 'a').write(line)"
    answering = server(tmp_path, f"import sys\nfor line in sys.stdin:\n    {keeps}\n    print(3, flush=True)")
    assert answering.ask(["a b", "tab\there", "line\nend", "back\\slash"], 60.0) == 3
    assert answering.ask(["again"], 60.0) == 3
    answering.stop()
    assert told.read_text() == "a b\ttab\\there\tline\\nend\tback\\\\slash\nagain\n"


def test_one_that_takes_too_long_is_started_again(tmp_path: Path) -> None:
    waits = "time.sleep(1000 * ('slow' in line))"
    answering = server(tmp_path, f"import sys, time\nfor line in sys.stdin:\n    {waits}\n    print(0, flush=True)")
    assert answering.ask(["slow"], 0.5) is None
    assert answering.ask(["quick"], 60.0) == 0
    answering.stop()


@pytest.mark.parametrize("text", ["", "print('hello', flush=True)\ninput()"])
def test_one_that_ends_or_says_something_else_is_trouble(tmp_path: Path, text: str) -> None:
    with pytest.raises(WarmTrouble):
        server(tmp_path, text).ask(["x"], 60.0)
