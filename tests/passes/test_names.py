"""What is defined goes, and something else stands where it was used; words that recur in texts are names too."""

from __future__ import annotations

from minrepro.core.edits import apply
from minrepro.documents.snapshot import Snapshot
from minrepro.passes import Propose
from minrepro.passes.names import another_definition, in_place_of_names, one_word_for_another, short_words


def proposed(propose: Propose, text: str, language: str) -> list[str]:
    """Return what each alternative of each unit would leave of a text, without white space."""
    content = text.encode()
    edits = [edit for units in propose(Snapshot(content, language)) for unit in units for edit in unit.edits]
    return ["".join(apply(content, edit).decode().split()) for edit in edits]


def test_a_value_takes_the_place_of_its_variable() -> None:
    assert "g(7)" in proposed(in_place_of_names, "a = 7\ng(a)\n", "python")


def test_one_of_two_traits_is_used_where_the_other_was() -> None:
    text = "trait A {} trait B {} impl A for C {} impl B for D {}"
    assert proposed(another_definition, text, "rust") == [
        "traitB{}implBforC{}implBforD{}",
        "traitA{}implAforC{}implAforD{}",
    ]


def test_a_name_that_stands_before_is_used_where_another_was() -> None:
    text = "void f(int *count)\n{\n    struct job *last;\n    count[0] = last;\n}\n"
    assert "voidf(int*count){count[0]=count;}" in proposed(another_definition, text, "c")


def test_a_plain_number_takes_the_place_of_a_variable() -> None:
    assert "g(0)" in proposed(in_place_of_names, "total = f(7)\ng(total)\n", "python")


def test_what_would_leave_something_else_in_the_place_of_a_definition_is_no_definition() -> None:
    assert proposed(in_place_of_names, "struct queue {} pop(struct queue *q);", "c") == []


def test_a_name_that_is_used_nowhere_is_left_to_others() -> None:
    assert proposed(another_definition, "trait A {} trait B {}", "rust") == []


def test_nothing_becomes_longer_by_the_name_that_takes_the_place() -> None:
    long = "A" * 40
    text = f"trait {long} {{}} trait B {{}} impl {long} for C {{}} impl B for D {{}} impl B for E {{}}"
    assert all(long not in case for case in proposed(another_definition, text, "rust"))


def test_names_mean_nothing_without_a_grammar() -> None:
    assert another_definition(Snapshot(b"a b a b")) == []


SCHEMA = """{"$ref": "#/parts/price", "parts": {"price": {"type": "number"}}}"""


def test_a_word_becomes_short_in_the_texts_that_refer_to_it_too() -> None:
    assert set(proposed(short_words, SCHEMA, "json")) == {
        '{"$ref":"#/a/price","a":{"price":{"type":"number"}}}',
        '{"$ref":"#/parts/b","parts":{"b":{"type":"number"}}}',
    }


def test_a_word_takes_the_place_of_another_in_the_texts_that_refer_to_it_too() -> None:
    assert '{"$ref":"#/price/price","price":{"price":{"type":"number"}}}' in proposed(
        one_word_for_another, SCHEMA, "json"
    )


def test_words_that_are_no_part_of_a_text_are_left_to_the_other_passes_for_names() -> None:
    assert proposed(short_words, "price = 1\nf(price)\n", "python") == []


def test_a_word_that_does_not_recur_is_left_to_the_passes_for_texts() -> None:
    assert proposed(short_words, 'f("#/parts/price")\n', "python") == []


def test_without_a_grammar_every_word_is_a_name_already() -> None:
    assert short_words(Snapshot(b"#/parts/price parts price")) == []
