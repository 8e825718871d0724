"""Keeps what a tree algorithm proposes within the syntax, and steps aside where the failure lives outside of it.

A candidate that parses worse than the input is not proposed and so costs no check. A few are let through nevertheless:
if the failure shows with one of them, it does not need valid syntax, and from then on all are proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar
from zlib import crc32

from minrepro.core.search import Candidate, Reduction, Search
from minrepro.documents.syntax.tree_document import TreeDocument

T = TypeVar("T")

LEAK = 50
"""One in so many of the candidates that parse worse is let through."""


def within_syntax(reduction: Reduction[T], document: TreeDocument, leak: int = LEAK) -> Reduction[T]:
    """Run a reduction of a tree, dropping candidates that parse worse than the input; a leak of 0 lets none through."""
    answer: Candidate[Any] | None = None
    try:
        search = next(reduction)
        while True:
            knowledge: dict[int, int] = {}
            answer = yield Search(_admitted(search.candidates, document, leak, knowledge), search.label)
            if answer is not None:
                # How far others looked ahead must not matter: what was learnt behind the answer is forgotten.
                document.forget_behind(knowledge[id(answer)])
                if not document.may_be_proposed(answer.config):
                    document.strict = False
                document.settle(answer.config)
            search = reduction.send(answer)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


def _admitted(
    candidates: Iterable[Candidate[Any]], document: TreeDocument, leak: int, knowledge: dict[int, int]
) -> Iterator[Candidate[Any]]:
    """Yield the candidates to be proposed, noting for each how much was known when it was."""
    proposed: list[Candidate[Any]] = []  # kept so that no other candidate gets the identity of one of them
    for candidate in candidates:
        cuts = candidate.config
        # Which are let through depends on their content alone, not on how many were looked at ahead.
        if document.may_be_proposed(cuts) or (leak and crc32(document.render(cuts)) % leak == 0):
            proposed.append(candidate)
            knowledge[id(candidate)] = document.knowledge
            yield candidate
