"""What must hold for every tree, every oracle and every program."""

from __future__ import annotations

from collections.abc import Callable
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minrepro.algorithms.trees.hdd import coarse_hdd, hdd, hdd_plus, hdd_star
from minrepro.algorithms.trees.sweeps import breadth_first
from minrepro.algorithms.trees.tree_registry import TREE_ALGORITHMS
from minrepro.algorithms.trees.within_syntax import within_syntax
from minrepro.core.edits import NONE, Cuts, unite
from minrepro.core.search import Candidate, Search, solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.bundled_grammars import badness, grammar, known_languages
from minrepro.documents.syntax.nested_chains import level
from minrepro.documents.syntax.open_tree import open_tree
from minrepro.documents.syntax.tree import NO_NODE, Mark, Tree
from minrepro.documents.syntax.tree_document import TreeDocument
from tests.properties import programs

Nested = list["Nested"]

nested: st.SearchStrategy[Nested] = st.recursive(st.just([]), lambda inner: st.lists(inner, max_size=4), max_leaves=14)


def bracketed(root: Nested) -> TreeDocument:
    """Return a document in which each node is a pair of brackets around its children, and any node may go."""
    text = bytearray()
    tree = Tree(b"", ("node",))
    waiting: list[tuple[Nested | None, int]] = [(root, NO_NODE)]
    while waiting:
        item, parent = waiting.pop()
        if item is None:
            text += b")"
            tree.end[parent] = len(text)
            tree.close(parent)
            continue
        number = tree.add(0, Mark.NAMED, parent, len(text), 0)
        text += b"("
        waiting.append((None, number))
        waiting += [(child, number) for child in reversed(item)]
    tree.data = bytes(text)
    return TreeDocument(tree)


def oracle(document: TreeDocument, seed: int, one_in: int) -> Callable[[Cuts], Outcome]:
    """Return an oracle that answers as it likes, but always alike, and fails on the whole."""

    def test(cuts: Cuts) -> Outcome:
        content = document.render(cuts)
        fails = not cuts or crc32(content, seed) % one_in == 0
        return Outcome.FAIL if fails else Outcome.PASS

    return test


@pytest.mark.parametrize("algorithm", [hdd_plus, hdd_star, TREE_ALGORITHMS["tree"]], ids=["hdd+", "hdd*", "tree"])
@given(root=nested, seed=st.integers(0, 2**32 - 1), one_in=st.integers(1, 5))
@settings(deadline=None, max_examples=150)
def test_no_single_node_of_a_result_can_go(
    algorithm: Callable[[TreeDocument], object], root: Nested, seed: int, one_in: int
) -> None:
    document = bracketed(root)
    test = oracle(document, seed, one_in)
    cuts: Cuts = solve(algorithm(document), test)  # type: ignore[arg-type]
    assert test(cuts) is Outcome.FAIL
    for node in breadth_first(document, cuts):
        assert test(document.without((node,), cuts)) is not Outcome.FAIL


@pytest.mark.parametrize("name", TREE_ALGORITHMS)
@given(root=nested, seed=st.integers(0, 2**32 - 1), one_in=st.integers(1, 5))
@settings(deadline=None, max_examples=60)
def test_every_algorithm_ends_with_something_that_fails(name: str, root: Nested, seed: int, one_in: int) -> None:
    document = bracketed(root)
    test = oracle(document, seed, one_in)
    cuts = solve(TREE_ALGORITHMS[name](document), test)
    assert test(cuts) is Outcome.FAIL
    assert len(document.render(cuts)) <= len(document.tree.data)


@given(root=nested)
@settings(deadline=None)
def test_a_tree_of_which_nothing_is_needed_goes_in_one_test(root: Nested) -> None:
    document = bracketed(root)
    tests: list[Cuts] = []

    def always(cuts: Cuts) -> Outcome:
        tests.append(cuts)
        return Outcome.FAIL

    for algorithm in (hdd, coarse_hdd):
        tests.clear()
        assert document.render(solve(algorithm(document), always)) == b"()"
        assert len(tests) <= 1


@pytest.mark.parametrize("language", programs.GENERATORS)
@pytest.mark.parametrize("name", TREE_ALGORITHMS)
@given(data=st.data())
@settings(deadline=None, max_examples=8)
def test_every_proposal_parses_no_worse_than_the_input(language: str, name: str, data: st.DataObject) -> None:
    text = data.draw(programs.GENERATORS[language]).encode()
    seed = data.draw(st.integers(0, 2**16))
    known = grammar(language)
    allowed = badness(known.parse(text))
    document = open_tree(text, language)
    reduction = within_syntax(TREE_ALGORITHMS[name](document), document, leak=0)
    answer: Candidate[Cuts] | None = None
    with pytest.raises(StopIteration):
        search: Search = next(reduction)
        for _ in range(300):
            answer = None
            for candidate in search.candidates:
                proposed = document.render(candidate.config)
                assert badness(known.parse(proposed)) <= allowed, proposed.decode()
                if crc32(proposed, seed) % 4 == 0:
                    answer = candidate
                    break
            search = reduction.send(answer)
        raise StopIteration


SAMPLES = (
    b"",
    b"\n",
    b'int main(void) { return f(1, 2) + "x"; }\n',
    b"def f(a, b):\n    if a:\n        return [b, 1]\n\n\nclass C:\n    x = 'y'\n",
    b'{"a": [1, 2.5, null], "b": {"c": "d\\n"}}',
    b'<a href="x">text<b/> &amp; more</a>\r\n<!-- c -->',
    b"SELECT a, b FROM t WHERE c = 'd' -- e\n;",
    b"))) }}} '\"` \\ \x00\xff\xfe \xf0\x9f\x98\x80 @@ ### <<<\n\tkey = value\n[section]\n",
    b"# title\n\n- item\n- other\n\n```sh\nls -l | wc\n```\n",
)


@pytest.mark.parametrize("language", sorted(known_languages()))
def test_every_byte_of_a_text_has_its_place_in_the_tree_of_every_language(language: str) -> None:
    known = grammar(language)
    for text in SAMPLES:
        tree = known.tree(text)
        assert tree.text(0) == text
        for node in range(len(tree)):
            position = tree.start[node]
            for child in tree.children(node):
                assert tree.parent[child] == node
                assert position <= tree.start[child] <= tree.end[child] <= tree.end[node]
                position = tree.end[child]
        assert TreeDocument(tree, join=known.join).render(()) == text
        assert sum(1 for node in range(len(tree)) if tree.is_leaf(node)) == len(tree.leaves)


@pytest.mark.parametrize("language", programs.GENERATORS)
@given(data=st.data())
@settings(deadline=None, max_examples=25)
def test_all_that_is_left_is_found_whatever_nodes_have_become(language: str, data: st.DataObject) -> None:
    document = open_tree(data.draw(programs.GENERATORS[language]).encode(), language)
    document.strict = False
    tree, cuts = document.tree, NONE
    for _ in range(data.draw(st.integers(1, 6))):
        alive = [node for node in range(1, len(tree)) if tree.size(node) and document.is_alive(node, cuts)]
        if not alive:
            break
        node = data.draw(st.sampled_from(alive))
        part = data.draw(st.sampled_from([part for part in range(node, tree.after[node]) if tree.size(part)]))
        cuts = unite(cuts, level(tree, node, part)) if part != node else document.without((node,), cuts)
    found = {node for node in breadth_first(document, cuts) if tree.is_leaf(node) and tree.size(node)}
    assert found == {leaf for leaf in tree.leaves if tree.size(leaf) and document.is_alive(leaf, cuts)}
