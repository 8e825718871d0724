"""What a user can get wrong about the language of a file: each is refused, or worked around and told."""

from __future__ import annotations

import pytest

from tests.cli.command_line import CommandLine

SUM = "1 + 2 * 5\n"
GRAMMAR = """\
start: e
e: e "+" t | t
t: t "*" f | f
f: NUMBER | "(" e ")"
NUMBER: /[0-9]+/
%ignore /[ \\n]/
"""


@pytest.fixture
def ready(shell: CommandLine) -> CommandLine:
    """Return a command line with a check, some inputs and a grammar that work."""
    shell.check('grep -q 5 "$1"')
    shell.write("in.txt", SUM)
    shell.write("in.json", '[1, 5, {"a": 2}]')
    shell.write("good.lark", GRAMMAR)
    return shell


@pytest.mark.parametrize("words", [(), ("--units", "tree"), ("--algorithm", "hdd")])
def test_a_file_in_no_known_language_is_reduced_as_plain_text_which_is_told(
    ready: CommandLine, words: tuple[str, ...]
) -> None:
    done = ready.run("reduce", "./check.sh", "in.txt", *words)
    assert done.status == 0
    assert "the language of in.txt is unknown" in done.stderr
    assert "--language" in done.stderr
    assert (ready.folder / "in.min.txt").read_text().strip() == "5"


def test_who_wants_quiet_is_not_told(ready: CommandLine) -> None:
    assert ready.run("reduce", "./check.sh", "in.txt", "--quiet").stderr == ""


@pytest.mark.parametrize("words", [(), ("--units", "tree")])
def test_a_file_that_is_hardly_what_its_language_allows_is_reduced_all_the_same(
    ready: CommandLine, words: tuple[str, ...]
) -> None:
    ready.write("in.c", "#include <stdio.h>\nint main(void) { return f(5); }\nstruct a { int b; };\n")
    done = ready.run("reduce", "./check.sh", "in.c", "--language", "json", *words)
    assert done.status == 0
    assert "most of in.c" in done.stderr
    assert (ready.folder / "in.min.c").read_text().strip() == "5"


def test_broken_syntax_is_reduced_as_far_as_it_makes_sense(ready: CommandLine) -> None:
    ready.write("broken.json", '{"a": [1, 2, {"b": 5}, 7, "x": }]} trailing {"c": 3}')
    done = ready.run("reduce", "./check.sh", "broken.json", "--units", "tree")
    assert done.status == 0
    assert (ready.folder / "broken.min.json").read_text().strip() == "5"


@pytest.mark.parametrize(
    ("grammar", "words", "said"),
    [
        (None, ["--language", "jsn"], ["unknown language 'jsn'; did you mean json?", "minrepro languages"]),
        (None, ["--language", "jsn", "--units", "tree"], ["unknown language 'jsn'"]),
        (None, ["--start", "e"], ["--start e", "--grammar"]),
        (GRAMMAR, ["--language", "json"], ["--grammar own.lark cannot be combined with --language json"]),
        (GRAMMAR, ["--units", "lines"], ["--grammar cannot be combined with --units lines"]),
        (GRAMMAR, ["--algorithm", "ddmin"], ["ddmin works on lists"]),
        (GRAMMAR, ["--start", "nothing"], ["own.lark", "no rule 'nothing'", "--start"]),
        ('start: "a"\nx: : y\n', [], ["own.lark", "line 2"]),
        ("", [], ["own.lark", "no rule 'start'"]),
        ('start: missing "a"\n', [], ["own.lark", "missing"]),
        ('start: "5" | loop\nloop: "a" loop\n', [], ["no finite string", "loop"]),
        (b"\xff\xfe", [], ["own.lark", "UTF-8"]),
        ('start: "5"\n', [], ["at line 1, column 1"]),
        ('start: "1" " " "+" " " "3"\n', [], ["at line 1, column 5"]),
    ],
)
def test_what_cannot_be_meant_is_refused_before_any_check_is_run(
    ready: CommandLine, grammar: str | bytes | None, words: list[str], said: list[str]
) -> None:
    ready.check("echo run >>ran; exit 0")
    if grammar is not None:
        ready.write("own.lark", grammar)
        words = [*words, "--grammar", "own.lark"]
    done = ready.run("reduce", str(ready.folder / "check.sh"), "in.txt", *words)
    assert done.status == 2
    assert all(text in done.stderr for text in said), done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 3
    assert not any(name.startswith(("ran", "in.min")) for name in ready.names())


def test_a_grammar_that_is_missing_is_named(ready: CommandLine) -> None:
    done = ready.run("reduce", "./check.sh", "in.txt", "--grammar", "none.lark")
    assert done.status == 2
    assert "cannot read grammar none.lark: No such file or directory" in done.stderr


def test_a_grammar_of_ones_own_may_start_with_any_of_its_rules(ready: CommandLine) -> None:
    done = ready.run("reduce", "./check.sh", "in.txt", "--grammar", "good.lark", "--start", "e")
    assert done.status == 0
    assert (ready.folder / "in.min.txt").read_text().strip() == "5"
