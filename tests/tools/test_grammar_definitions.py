"""Definitions of tree-sitter grammars, read as context-free grammars."""

from __future__ import annotations

from typing import Any

from tools.grammar_definitions import Definition


def string(value: str) -> dict[str, Any]:
    return {"type": "STRING", "value": value}


def symbol(name: str) -> dict[str, Any]:
    return {"type": "SYMBOL", "name": name}


def seq(*members: dict[str, Any]) -> dict[str, Any]:
    return {"type": "SEQ", "members": list(members)}


def choice(*members: dict[str, Any]) -> dict[str, Any]:
    return {"type": "CHOICE", "members": list(members)}


GRAMMAR = {
    "rules": {
        "file": {"type": "REPEAT", "content": symbol("_statement")},
        "_statement": choice(symbol("block"), symbol("call")),
        "block": seq(string("{"), {"type": "REPEAT", "content": symbol("_statement")}, string("}")),
        "call": seq({"type": "FIELD", "name": "name", "content": symbol("word")}, string("("), string(")")),
        "word": {"type": "PATTERN", "value": "[a-z]+"},
        "pair": seq(symbol("word"), {"type": "ALIAS", "named": True, "value": "key", "content": symbol("word")}),
        "endless": seq(string("x"), symbol("endless")),
    },
    "externals": [symbol("_newline"), symbol("unknown_token")],
}


def found() -> dict[str, list[str]]:
    return {kind: ["".join(tokens) for tokens in strings] for kind, strings in Definition(GRAMMAR).stand_ins().items()}


def test_a_block_becomes_an_empty_one() -> None:
    assert found()["block"][0] == "{}"


def test_the_shortest_word_is_one_letter_by_its_pattern() -> None:
    assert found()["word"] == ["a"]


def test_what_may_stand_in_the_same_place_stands_in_too() -> None:
    assert "{}" in found()["call"]


def test_a_rule_without_a_finite_string_has_none() -> None:
    assert "endless" not in found()


def test_hidden_rules_are_no_kinds_and_aliases_are() -> None:
    visible = Definition(GRAMMAR).visible()
    assert "_statement" not in visible
    assert {"block", "key"} <= visible


def test_of_the_scanners_tokens_only_layout_is_known() -> None:
    terminals = Definition(GRAMMAR).terminals
    assert terminals["_newline"] == "\n"
    assert "unknown_token" not in terminals
