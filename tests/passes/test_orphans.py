"""A part goes with what only it used."""

from __future__ import annotations

from collections.abc import Iterator

from minrepro.core.edits import apply
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.passes.orphans import orphans

PROGRAM = b"""package main
import (
\t"fmt"
\t"strings"
)
type list []string
func split(line string) list {
\treturn strings.Split(line, ",")
}
func main() {
\tfmt.Println("a")
}
"""


def bare(text: bytes) -> bytes:
    """Return a text without white space."""
    return b"".join(text.split())


def proposed(content: bytes, language: str = "go") -> list[bytes]:
    def walk(lists: list[list[Unit]]) -> Iterator[Unit]:
        for units in lists:
            for unit in units:
                yield unit
                yield from walk(unit.below()) if unit.below else ()

    return [bare(apply(content, unit.edits[0])) for unit in walk(orphans(Snapshot(content, language)))]


def test_an_import_goes_with_the_function_that_used_it_and_so_does_its_type() -> None:
    expected = b'package main\nimport (\n\t"fmt"\n)\nfunc main() {\n\tfmt.Println("a")\n}\n'
    assert bare(expected) in proposed(PROGRAM)


def test_an_import_goes_with_the_statement_that_used_it() -> None:
    expected = PROGRAM.replace(b'\n\t"fmt"', b"").replace(b'fmt.Println("a")\n', b"")
    assert bare(expected) in proposed(PROGRAM)


def test_what_only_an_orphan_used_goes_as_well() -> None:
    content = b"a = 1\nb = a\nc = b\nprint(c)\nprint(2)\n"
    assert b"print(2)" in proposed(content, "python")


def test_what_others_use_too_stays() -> None:
    content = b"a = 1\nprint(a)\nprint(a + 1)\n"
    assert proposed(content, "python") == []


def test_nothing_is_proposed_where_nothing_is_shared() -> None:
    assert proposed(b"a = 1\nb = 2\n", "python") == []


def test_nothing_is_proposed_without_a_grammar() -> None:
    assert orphans(Snapshot(b"a b a")) == []
