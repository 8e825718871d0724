"""`minrepro grammar check`, and reductions with a grammar of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minrepro.cli.main import main
from minrepro.errors import MinreproError
from minrepro.settings import SearchSettings
from minrepro.targets.file import FileTarget, language_in
from tests.cli.commands.test_tree_command import run
from tests.documents.grammars.test_yacc_reader import CALCULATOR


@pytest.fixture
def calculator(tmp_path: Path) -> Path:
    (tmp_path / "calc.y").write_text(CALCULATOR)
    (tmp_path / "in.calc").write_text("f(1, (2 + 3) * 4) // end\n")
    return tmp_path


def test_a_check_tells_about_rules_and_input(calculator: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("grammar", "check", str(calculator / "calc.y"), "--on", str(calculator / "in.calc")) == 0
    shown = capsys.readouterr().out
    assert "YACC, 3 rules, 8 tokens, starts with line" in shown
    assert "shortest input: '7'" in shown
    assert "in.calc: parsed" in shown
    assert "ambiguous" not in shown  # the ranks of the operators decide


def test_json_has_the_shortest_string_of_each_rule(calculator: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("grammar", "check", str(calculator / "calc.y"), "--json") == 0
    assert json.loads(capsys.readouterr().out)["shortest"] == {"line": "7", "sum": "7", "arguments": "7"}


def test_an_input_that_does_not_match_is_shown_with_the_place(calculator: Path) -> None:
    (calculator / "in.calc").write_text("f(1,\n2 +)")
    with pytest.raises(MinreproError, match="line 2, column 4"):
        run("grammar", "check", str(calculator / "calc.y"), "--on", str(calculator / "in.calc"))


def test_the_default_reducer_has_the_language_of_the_grammar(calculator: Path) -> None:
    settings = SearchSettings(grammar=calculator / "calc.y")
    target = FileTarget.read(calculator / "in.calc")
    reducer = target._reducer(target.data, settings)
    assert reducer.language == language_in(settings)
    assert {"subtrees", "hoists"} & {each.name for each in reducer.passes}
    document = reducer.opened(target.data).document
    assert document is not None
    assert document.allowed == (0, 0)


@pytest.mark.processes
@pytest.mark.parametrize("options", [(), ("--algorithm", "hdd*"), ("--units", "tokens")])
def test_a_reduction_uses_a_grammar(calculator: Path, options: tuple[str, ...]) -> None:
    source, out = calculator / "in.calc", calculator / "out.calc"
    check = calculator / "check.sh"
    check.write_text(
        '#!/bin/sh\ngrep -q "2.*+.*3" "$1" && test $(tr -cd "(" <"$1" | wc -c) = $(tr -cd ")" <"$1" | wc -c)\n'
    )
    check.chmod(0o755)
    words = ["reduce", str(check), str(source), "-o", str(out), "-q", "--grammar", str(calculator / "calc.y"), *options]
    assert main(words) == 0
    assert "2+3" in out.read_text().replace(" ", "")
    assert "f" not in out.read_text() or options
