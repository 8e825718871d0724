"""Keeps what a tree algorithm proposes within the syntax, and steps aside where the failure lives outside of it.

A candidate that parses worse than the input is not proposed and so costs no check. A few are let through nevertheless:
if the failure shows with one of them, it does not need valid syntax, and from then on all are proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar
from zlib import crc32

from minrepro.documents.treedocument import TreeDocument
from minrepro.search import Candidate, Reduction, Search

T = TypeVar("T")

LEAK = 50
"""One in so many of the candidates that parse worse is let through."""


def within_syntax(reduction: Reduction[T], document: TreeDocument, leak: int = LEAK) -> Reduction[T]:
    """Run a reduction of a tree, dropping candidates that parse worse than the input; a leak of 0 lets none through."""
    answer: Candidate[Any] | None = None
    try:
        search = next(reduction)
        while True:
            answer = yield Search(_admitted(search.candidates, document, leak), search.label)
            if answer is not None:
                if document.strict and not document.parses(answer.config):
                    document.strict = False
                document.settle(answer.config)
            search = reduction.send(answer)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


def _admitted(candidates: Iterable[Candidate[Any]], document: TreeDocument, leak: int) -> Iterator[Candidate[Any]]:
    for candidate in candidates:
        # Which are let through depends on their content alone, not on how many were looked at ahead.
        if document.may_be_proposed(candidate.config) or (leak and crc32(document.render(candidate.config)) % leak == 0):
            yield candidate
