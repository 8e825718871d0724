"""`minrepro tree` and `minrepro languages`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from minrepro.cli.commands import grammar_command, languages_command, tree_command
from minrepro.errors import GrammarError, InputError, SyntaxMismatch


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers()
    tree_command.add_to(commands)
    languages_command.add_to(commands)
    grammar_command.add_to(commands)
    args = parser.parse_args(words)
    return int(args.run(args))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "a.c"
    path.write_bytes(b"static int f(int a) { while (a != 0) a--; return a; }\n")
    return path


def test_the_parts_of_a_file_are_shown_with_what_may_go(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("tree", str(program), "--depth", "9") == 0
    lines = capsys.readouterr().out.splitlines()
    shown = {line.split()[-1]: line for line in lines}
    assert "translation_unit" in lines[0]
    assert any("return_statement" in line and "optional" in line for line in lines)
    assert any("binary_expression" in line and "may be '0'" in line for line in lines)
    assert "required" in shown["f"]


def test_a_machine_gets_a_line_for_each_part(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("tree", str(program), "--json", "--tokens", "--depth", "99") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows[0] == rows[0] | {"kind": "translation_unit", "depth": 0, "status": "root", "bytes": 54}
    assert {"while", "{", ";"} <= {row["kind"] for row in rows}


def test_errors_in_a_file_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"[1, }")
    assert run("tree", str(path)) == 0
    assert "errors in" in capsys.readouterr().err


def test_a_file_in_no_known_language_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xyz"
    path.write_bytes(b"?")
    with pytest.raises(InputError, match="--language NAME"):
        run("tree", str(path))
    with pytest.raises(InputError, match="klingon"):
        run("tree", str(path), "--language", "klingon")


def test_a_grammar_of_ones_own_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grammar, path = tmp_path / "g.lark", tmp_path / "a.xyz"
    grammar.write_text('top: pair+\npair: "x" "y"?\n')
    path.write_bytes(b"xyx")
    assert run("tree", str(path), "--grammar", str(grammar), "--start", "top") == 0
    assert capsys.readouterr().out.count("pair") == 2
    with pytest.raises(GrammarError, match="no rule 'start'"):
        run("tree", str(path), "--grammar", str(grammar))
    path.write_bytes(b"xz")
    with pytest.raises(SyntaxMismatch, match="line 1, column 2"):
        run("tree", str(path), "--grammar", str(grammar), "--start", "top")


def test_the_languages_are_listed_and_searched(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("languages") == 0
    assert len(capsys.readouterr().out.splitlines()) > 165
    assert run("languages", ".pyi") == 0
    assert capsys.readouterr().out.split() == ["python", ".py", ".pyi", ".pyw"]
    assert run("languages", "klingon") == 1
    assert run("languages", "--json", "rust") == 0
    listed = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert listed == [{"language": "rust", "files": [".rs"], "stand_ins": True}]
