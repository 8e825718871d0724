"""Which arguments of a command line the failure needs, and which of the values in them.

Hildebrandt & Zeller (2000), section 5, on the options of a compiler. No table of any program's options is used. What
looks like an option is tried away with all the words behind it, then with the next one, and only then are words tried
one by one: so a value goes with its option where both can go, and neither is left alone unless the failure says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from minrepro.core.search import Candidate, ListMinimizer, Reduction, Refine, embed, first

Words = tuple[str, ...]
Cut = Callable[[Words], list[Words]]

_LONGEST_WINDOW = 4
"""Values that look like options (`-Xclang -load -Xclang plugin.so`) go in rows of so many words at most."""
_SEPARATORS = ("\n", " ", ";", "&", ",", ":", "+")
"""What lists of values are separated by, the outermost first."""
_VALUE = re.compile(r"(--?[\w.-]+[=,:])(.+)", re.DOTALL)
"""An option with its value in one word."""


def is_option(word: str) -> bool:
    """Tell whether a word looks like an option."""
    return len(word) > 1 and word[0] in "-+"


def option_groups(words: Words, most: int | None = None) -> list[Words]:
    """Cut so that each option has the words behind it that are none: all of them, or so many at most."""
    units: list[Words] = []
    for word in words:
        if units and is_option(units[-1][0]) and not is_option(word) and (most is None or len(units[-1]) <= most):
            units[-1] = (*units[-1], word)
        else:
            units.append((word,))
    return units


def single_words(words: Words) -> list[Words]:
    """Cut into words."""
    return [(word,) for word in words]


CUTS: tuple[Cut, ...] = (option_groups, partial(option_groups, most=1), single_words)


def reduce_words(
    words: Words, minimize: ListMinimizer, refine: Refine = lambda minimize, render: minimize
) -> Reduction[Words]:
    """Return the words that are needed, with no more in them than is needed; none may be left out."""
    nothing = yield from first([Candidate(())], "no arguments")
    if nothing is not None:
        return ()
    before = None
    while words != before:
        before = words
        for cut in CUTS:
            units = cut(words)
            if len(units) > 1:
                joined = _joining(units)
                words = joined((yield from embed(refine(minimize, joined)(range(len(units))), into=joined)))
        words = yield from _without_windows(words)
        for number in range(len(words)):
            words = yield from _with_less_in(words, number, minimize, refine)
    return words


def _joining(units: Sequence[Words]) -> Callable[[Sequence[int]], Words]:
    def joined(kept: Sequence[int]) -> Words:
        return tuple(word for i in kept for word in units[i])

    return joined


def _without_windows(words: Words) -> Reduction[Words]:
    """Try to leave out short rows of words, wherever they begin."""
    while True:
        found = yield from first(_windows(words), "rows of arguments")
        if found is None:
            return words
        words = found.config


def _windows(words: Words) -> Iterator[Candidate[Words]]:
    for size in range(2, min(_LONGEST_WINDOW, len(words) - 1) + 1):
        for start in range(len(words) - size + 1):
            yield Candidate(words[:start] + words[start + size :])


def _with_less_in(words: Words, number: int, minimize: ListMinimizer, refine: Refine) -> Reduction[Words]:
    """Leave out what one of the words need not have: its value, or parts of a list."""

    def within(text: str) -> Words:
        return (*words[:number], text, *words[number + 1 :])

    word = words[number]
    head, value = _parts_of(word)
    if head and value:
        bare = yield from first([Candidate(within(head[:-1]))], "values")
        if bare is not None:
            return bare.config
    for separator in _SEPARATORS:
        parts = value.split(separator)
        if len(parts) > 1:

            def joined(kept: Sequence[int], parts: list[str] = parts, separator: str = separator) -> Words:
                return within(head + separator.join(parts[i] for i in kept))

            kept = yield from embed(refine(minimize, joined)(range(len(parts))), into=joined)
            value = separator.join(parts[i] for i in kept)
    return within(head + value)


def _parts_of(word: str) -> tuple[str, str]:
    """Return the option of a word, up to the sign behind it, and its value; of other words, all is the value."""
    match = _VALUE.fullmatch(word)
    return (match[1], match[2]) if match else ("", word)
