"""The shortest string of every symbol of a context-free grammar, and of the regular expressions of its terminals.

Misherghi, *Hierarchical Delta Debugging* (2007), sections 5.1 and 5.3: begin with nothing known about the nonterminals
and take for each the shortest of its productions, again and again. A shortest string has a derivation no higher than
there are nonterminals, so that many rounds suffice; who has no string then derives none.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

# The standard library's own parser of regular expressions has no stubs: whether a checker of types sees the modules
# differs from one to the next.
codes: Any = import_module("re._constants")
regexes: Any = import_module("re._parser")

TokenTexts = tuple[str, ...]
"""A string as the texts of its terminals."""

Productions = Mapping[str, Sequence[Sequence[str]]]
"""For each nonterminal the sequences of symbols that it may become."""


def minimal_strings(productions: Productions, terminals: Mapping[str, str]) -> dict[str, TokenTexts]:
    """Return a shortest string of each symbol that derives any: fewest characters, then fewest tokens."""
    shortest: dict[str, TokenTexts] = {symbol: (text,) if text else () for symbol, text in terminals.items()}
    for _ in range(len(productions)):
        before = dict(shortest)
        for symbol, bodies in productions.items():
            known = [before[symbol]] if symbol in before else []
            strings = (_concatenated(body, before) for body in bodies)
            known += [string for string in strings if string is not None]
            if known:
                shortest[symbol] = min(known, key=_length)
        if shortest == before:
            break
    return shortest


def underivable(productions: Productions, shortest: Mapping[str, TokenTexts]) -> list[str]:
    """Return the nonterminals that derive no finite string."""
    return [symbol for symbol in productions if symbol not in shortest]


def stand_ins(productions: Productions, shortest: Mapping[str, TokenTexts]) -> dict[str, list[TokenTexts]]:
    """Return for each symbol what may stand where it stands: the shortest strings of all that may become it alone.

    A sum may stand wherever an expression may, so that its place takes the shortest expression, not the shortest sum.
    """
    becomes: dict[str, set[str]] = {}
    for symbol, bodies in productions.items():
        for body in bodies:
            solid = [part for part in body if shortest.get(part) != ()]
            for part in solid if len(solid) == 1 else body if not solid else ():
                becomes.setdefault(part, set()).add(symbol)
    found: dict[str, list[TokenTexts]] = {}
    for symbol in shortest:
        above, waiting = {symbol}, [symbol]
        while waiting:
            fresh = becomes.get(waiting.pop(), set()) - above
            above |= fresh
            waiting += fresh
        strings = {shortest[other] for other in above if shortest.get(other)}
        found[symbol] = sorted(strings, key=_length)
    return found


def spelled(tokens: Sequence[str], join: Callable[[bytes, bytes], bytes]) -> bytes:
    """Write tokens one behind the other, kept apart where they would become one; between quotes nothing is."""
    text, quote = b"", b""
    for token in filter(None, tokens):
        piece = token.encode()
        text += (join(text, piece) if text and not quote else b"") + piece
        if piece in _QUOTES and quote in (b"", piece):
            quote = b"" if quote else piece
    return text


_QUOTES = (b'"', b"'", b"`")


def _concatenated(body: Iterable[str], shortest: Mapping[str, TokenTexts]) -> TokenTexts | None:
    tokens: list[str] = []
    for symbol in body:
        string = shortest.get(symbol)
        if string is None:
            return None
        tokens += string
    return tuple(tokens)


def _length(tokens: TokenTexts) -> tuple[int, int, tuple[int, ...]]:
    """Return what is compared: how long a string is, of how many tokens, and how plain its characters are."""
    plainness = tuple(_PLAINNESS.get(letter, 1000 + ord(letter)) for token in tokens for letter in token)
    return len(plainness), len(tokens), plainness


_WELCOME = "0a1bcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ23456789_ .-+*/=<>!#$%&'(),:;?@[]^`{|}~\"\\\t\n"
"""The characters to choose from where any of a set will do, the plainest first."""

_PLAINNESS = {letter: place for place, letter in enumerate(_WELCOME)}

_CATEGORIES: dict[Any, str] = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def shortest_match(pattern: str, flags: int = 0) -> str | None:
    """Return a shortest string that a regular expression matches, or None where that cannot be told."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about notations that other engines than Python's read alike
        try:
            found = _shortest(regexes.parse(pattern, flags), {})
            whole = re.compile(pattern, flags)
        except (re.error, OverflowError, RecursionError, KeyError):
            return None
    # What the parts do not tell of each other (lookarounds, references) shows only when all is together.
    return found if found is not None and whole.fullmatch(found) else None


def _shortest(parsed: Iterable[tuple[Any, Any]], groups: dict[int, str]) -> str | None:
    text = ""
    for code, value in parsed:
        part = _shortest_of(code, value, groups)
        if part is None:
            return None
        text += part
    return text


def _shortest_of(code: Any, value: Any, groups: dict[int, str]) -> str | None:
    """Return the shortest string of one element; patterns nest little, unlike inputs, so that this may recurse."""
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.NOT_LITERAL:
        return next(character for character in _WELCOME if ord(character) != value)
    if code is codes.ANY:
        return "0"
    if code is codes.IN:
        return next((character for character in _characters(value) if _is_in(character, value)), None)
    if code is codes.BRANCH:
        strings = [_shortest(branch, groups) for branch in value[1]]
        return min((string for string in strings if string is not None), key=len, default=None)
    if code is codes.SUBPATTERN:
        found = _shortest(value[3], groups)
        if value[0] is not None and found is not None:
            groups[value[0]] = found
        return found
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        once = _shortest(value[2], groups) if value[0] else ""
        return None if once is None else once * value[0]
    if code is codes.ATOMIC_GROUP:
        return _shortest(value, groups)
    if code is codes.GROUPREF:
        return groups.get(value)
    return "" if code in (codes.AT, codes.ASSERT, codes.ASSERT_NOT) else None


def _characters(members: Sequence[tuple[Any, Any]]) -> Iterable[str]:
    yield from _WELCOME
    for code, value in members:
        if code is codes.LITERAL:
            yield chr(value)
        elif code is codes.RANGE:
            yield chr(value[0])


def _is_in(character: str, members: Sequence[tuple[Any, Any]]) -> bool:
    negated = members[0][0] is codes.NEGATE
    for code, value in members:
        if (
            (code is codes.LITERAL and ord(character) == value)
            or (code is codes.RANGE and value[0] <= ord(character) <= value[1])
            or (code is codes.CATEGORY and re.match(_CATEGORIES[value], character))
        ):
            return not negated
    return negated
