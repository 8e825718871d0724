"""Misherghi, *Hierarchical Delta Debugging* (2007): tables 4.1, 4.2 and 5.1 on inputs like theirs.

The compiler and the browser of the thesis are not to be had any more. The C program and the Java class are those of
tests/paper; the stylesheet is our own, and its check is that it is well-formed and a loop in a template still names a
value twice.
"""

from __future__ import annotations

import xml.etree.ElementTree as Xml
from collections.abc import Callable

from tests.paper.test_hierarchical import (
    LIKE_FIGURE_4_1,
    crashes_the_optimiser,
    is_java_with_a_division_by_zero,
    java_with_a_division_by_zero,
)

from benchmarks.papers.plots import plot
from benchmarks.report import table
from benchmarks.trees import tokens_of
from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.algorithms.trees.tree_registry import TREE_ALGORITHMS, reduce_tree
from minrepro.core.search import Reduction, solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.syntax.open_tree import open_tree
from minrepro.documents.text import characters, lines, reduce_text

XSL = "http://www.w3.org/1999/XSL/Transform"


def stylesheet() -> bytes:
    """Return a stylesheet that lists the moves of a game, one template for each piece."""
    templates = [
        f"""  <xsl:template match="move[@piece='{piece}']">
    <xsl:param name="depth" select="{number}"/>
    <xsl:variable name="row" select="@to mod 8"/>
    <xsl:choose>
      <xsl:when test="$depth &gt; {number + 3}">
        <xsl:apply-templates select="following-sibling::move[1]"/>
      </xsl:when>
      <xsl:otherwise>
        <xsl:for-each select="../move[@to mod 8 = $row]">
          <td class="{piece}">
            <xsl:value-of select="@from"/>
            <xsl:value-of select="{"$row + $row" if piece == "rook" else "@to"}"/>
          </td>
        </xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>
"""
        for number, piece in enumerate(("king", "queen", "rook", "bishop", "knight", "pawn"))
    ]
    return (
        f'<xsl:stylesheet version="1.0" xmlns:xsl="{XSL}">\n  <xsl:output method="html" indent="yes"/>\n'
        '  <!-- The whole game as a table. -->\n  <xsl:template match="/">\n    <html>\n      <body>\n        <table>\n'
        '          <xsl:apply-templates select="game/move"/>\n        </table>\n      </body>\n    </html>\n'
        f"  </xsl:template>\n{''.join(templates)}</xsl:stylesheet>\n"
    ).encode()


def crashes_the_browser(case: bytes) -> bool:
    """Tell whether a stylesheet is well-formed and has the loop with the value that is added to itself."""
    try:
        root = Xml.fromstring(case)
    except Xml.ParseError:
        return False
    found = root.findall(f"{{{XSL}}}template//{{{XSL}}}for-each//{{{XSL}}}value-of[@select='$row + $row']")
    return root.tag == f"{{{XSL}}}stylesheet" and bool(found)


class _Enough(Exception):
    """More tests than are waited for."""


def measured(reduction: Reduction[bytes], fails: Callable[[bytes], bool], most: int) -> tuple[int, bytes | None]:
    """Return how many different candidates were tested and what is left, or None if that would be too many."""
    seen: dict[bytes, Outcome] = {}

    def test(case: bytes) -> Outcome:
        if case not in seen:
            if len(seen) >= most:
                raise _Enough
            seen[case] = Outcome.FAIL if fails(case) else Outcome.PASS
        return seen[case]

    try:
        result = solve(reduction, test)
    except _Enough:
        return len(seen), None
    return len(seen), result


def rows() -> list[list[str]]:
    """Return what each algorithm does with each input, beside what the thesis has for the input that it is like."""
    inputs: list[tuple[str, bytes, str, Callable[[bytes], bool], dict[str, str]]] = [
        (
            "C, like bug.c",
            LIKE_FIGURE_4_1,
            "c",
            crashes_the_optimiser,
            {"ddmin characters": "680/53", "hdd": "86/51", "hdd*": "164/51"},
        ),
        (
            "XSLT, like uiwrapper.xsl",
            stylesheet(),
            "xml",
            crashes_the_browser,
            {
                "ddmin characters": "5757/46 lines",
                "ddmin lines": "277/43 lines",
                "hdd": "105/15 lines",
                "hdd*": "143/15 lines",
            },
        ),
        (
            "Java, like SHA1.java",
            java_with_a_division_by_zero(),
            "java",
            is_java_with_a_division_by_zero,
            {"ddmin characters": "14817/652 characters", "hdd": "88/41 characters"},
        ),
    ]
    found: list[list[str]] = []
    for name, text, language, fails, published in inputs:
        ways: dict[str, Reduction[bytes]] = {
            "ddmin characters": reduce_text(text, ddmin, [characters]),
            "ddmin lines": reduce_text(text, ddmin, [lines]),
        }
        ways |= {
            way: reduce_tree(open_tree(text, language), TREE_ALGORITHMS[way])
            for way in ("hdd", "hdd+", "hdd*", "hoist", "tree")
        }
        for way, reduction in ways.items():
            tests, result = measured(reduction, fails, 15_000)
            if result is None:
                found.append([name, way, f"over {tests}", "-", published.get(way, "-")])
                continue
            sizes = tokens_of(result), len(result.splitlines()), len(b"".join(result.split()))
            found.append([name, way, str(tests), "/".join(map(str, sizes)), published.get(way, "-")])
    return found


def report() -> list[str]:
    """Return the table, and write the plot."""
    found = rows()
    inputs = list(dict.fromkeys(row[0] for row in found))
    plot(
        "hierarchical",
        "Misherghi 2007, tables 4.1, 4.2, 5.1: tests",
        "input",
        "tests",
        inputs,
        {
            way: [float(row[2]) if row[2].isdigit() else None for row in found if row[1] == way]
            for way in ("ddmin lines", "hdd", "hdd+", "hdd*", "hoist", "tree")
        },
    )
    head = ("input", "algorithm", "tests", "tokens/lines/characters left", "published tests/size")
    return ["Misherghi 2007, tables 4.1, 4.2 and 5.1, on inputs like theirs\n" + table(head, found)]
