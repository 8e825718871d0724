"""Which lines only a failing run prints, found by comparison with runs that succeed and with the lines beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from minrepro.core.invocations import ProcessEnd
from minrepro.oracles.diagnostics import Context
from minrepro.oracles.kinds import Line, lines_of

_MOST_ALIKE = 3
"""More lines than this of one form are what a program prints all the time, if they are a good part of its output."""
_PART_ALIKE = 0.2


def told_by_failing(lines: Sequence[Line], others: Iterable[ProcessEnd], context: Context) -> set[int]:
    """Return the numbers of the lines of no known kind that say what no run without the failure says.

    A line is compared by its form: its words that are not from the input.
    """
    passing = [ending for ending in others if ending.status == 0]
    if not passing:
        return set()
    words = frozenset(re.findall(r"\w+", context.text))
    usual = {_form(line, words, context) for ending in passing for line in lines_of(ending.stdout, ending.stderr)}
    forms = [_form(line, words, context) for line in lines]
    alike = Counter(forms)
    most = max(_MOST_ALIKE, _PART_ALIKE * len(lines))
    return {
        number
        for number, (line, form) in enumerate(zip(lines, forms, strict=True))
        if line.kind == "other" and form and form not in usual and alike[form] <= most
    }


def _form(line: Line, words: frozenset[str], context: Context) -> tuple[str, ...]:
    """Return the words of a line that are not from the input."""
    found = re.findall(r"\w+", context.normalised(line.text))
    return tuple(word for word in found if word not in words and re.search(r"[^\W\d_]{2}", word))
