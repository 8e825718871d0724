"""Candidates that parse worse are not proposed, until one that got through fails."""

from __future__ import annotations

from minrepro.algorithms.trees.hdd import hdd_star
from minrepro.algorithms.trees.within_syntax import within_syntax
from minrepro.core.edits import Cut, Cuts
from minrepro.core.search import Candidate, Reduction, first, solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.open_tree import open_tree


def proposing(*candidates: Cuts) -> Reduction[Cuts | None]:
    found = yield from first([Candidate(cuts) for cuts in candidates])
    return found.config if found else None


def test_a_candidate_with_a_new_error_is_not_proposed() -> None:
    document = open_tree(b"int f(void) { return 1; }", "c")
    asked: list[Cuts] = []

    def never(cuts: Cuts) -> Outcome:
        asked.append(cuts)
        return Outcome.PASS

    broken, fine = (Cut(5, 6),), (Cut(14, 23),)
    assert solve(within_syntax(proposing(broken, fine), document, leak=0), never) is None
    assert asked == [fine]


def test_the_filter_steps_aside_when_the_failure_needs_no_syntax() -> None:
    document = open_tree(b"int f(void) { return 1; }", "c")
    broken = (Cut(5, 6),)
    assert solve(within_syntax(proposing(broken), document, leak=1), lambda cuts: Outcome.FAIL) == broken
    assert not document.strict
    assert document.may_be_proposed((Cut(0, 3), Cut(6, 9)))


def test_a_document_that_became_better_must_not_become_worse_again() -> None:
    document = open_tree(b"int x = ]];\nint g(void) { return 1; }\n", "c")
    before = document.allowed
    document.settle((Cut(0, 12),))
    assert document.allowed == (0, 0) < before


def test_every_candidate_of_an_algorithm_is_filtered() -> None:
    text = b"void f(void) { if (a) { b(1, 2); } else c(); }\n"
    document = open_tree(text, "c")
    known = open_tree(text, "c")

    def fails(cuts: Cuts) -> Outcome:
        assert known.parses(cuts)
        return Outcome.FAIL if b"b(" in document.render(cuts) else Outcome.PASS

    result = document.render(solve(within_syntax(hdd_star(document), document, leak=0), fails))
    assert b"b(" in result
    assert len(result) < len(text) - 10


def test_where_much_is_in_errors_the_parser_has_no_say() -> None:
    assert not open_tree(b") } = = ] int ( 3 3 } ; ; return {{{ ( 1 } x y z", "c").strict
    assert open_tree(b"int x = ]];\n" + b"int g(void) { return 1; }\n" * 9, "c").strict
