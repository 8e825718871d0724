"""Elements and separators."""

from __future__ import annotations

from collections.abc import Iterable

from minrepro.core.edits import NONE, Cut
from minrepro.documents.syntax.bundled_grammars import grammar
from minrepro.documents.syntax.separated_lists import SeparatedList, separated_list
from minrepro.documents.syntax.tree import NO_NODE, Mark, Tree


def list_in(text: bytes, language: str, parent: str) -> tuple[Tree, SeparatedList | None]:
    tree = grammar(language).tree(text)
    node = next(node for node in range(len(tree)) if tree.name(node) == parent)
    return tree, separated_list(tree, node)


def array(text: bytes) -> tuple[Tree, SeparatedList]:
    tree, found = list_in(text, "json", "array")
    assert found is not None
    return tree, found


def starts(tree: Tree, nodes: Iterable[int]) -> list[int]:
    return [tree.start[node] for node in nodes]


def test_elements_are_told_from_separators_and_brackets() -> None:
    tree, found = array(b"[1, 2, 3]")
    assert [tree.text(element) for element in found.elements] == [b"1", b"2", b"3"]
    assert found.separators[-1] == NO_NODE
    assert not found.leading


def test_an_element_in_the_middle_takes_the_separator_behind_it() -> None:
    tree, found = array(b"[1,2,3]")
    assert starts(tree, found.separators_to_cut({found.elements[1]}, NONE, tree)) == [4]


def test_the_last_element_takes_the_separator_before_it() -> None:
    tree, found = array(b"[1,2,3]")
    assert starts(tree, found.separators_to_cut({found.elements[2]}, NONE, tree)) == [4]


def test_where_the_last_is_cut_already_the_new_last_loses_its_separator() -> None:
    tree, found = array(b"[1,2,3]")
    assert 2 in starts(tree, found.separators_to_cut({found.elements[1]}, (Cut(4, 6),), tree))


def test_elements_of_a_span_count_as_gone_but_bring_their_own_separators() -> None:
    tree, found = array(b"[1,2,3,4]")
    assert starts(tree, found.separators_to_cut(set(), NONE, tree, [Cut(5, 8)])) == [4]


def test_separators_may_stand_before_their_elements() -> None:
    tree = Tree(b"|A|B", ("list", "|", "word"))
    root = tree.add(0, Mark.NAMED, NO_NODE, 0, 4)
    for start, kind in enumerate((1, 2, 1, 2)):
        tree.close(tree.add(kind, Mark.NAMED if kind == 2 else 0, root, start, start + 1))
    tree.close(root)
    found = separated_list(tree, root)
    assert found is not None
    assert found.leading
    assert starts(tree, found.separators_to_cut({found.elements[1]}, NONE, tree)) == [2]


def test_statements_are_no_separated_list() -> None:
    _, found = list_in(b"int a; int b;", "c", "translation_unit")
    assert found is None
