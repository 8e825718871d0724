"""Where words end: what a cut takes of the space around it, and what must stand between pieces that it brings together.

Two tokens must never become one because what stood between them is gone; where space is enough it is what was there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from minrepro.core.edits import Cut, Join
from minrepro.documents.syntax.tree import NO_NODE, Tree

_SPACE = frozenset(b" \t\r\n\f\v")
_BLANK = frozenset(b" \t")
_LINE_END = frozenset(b"\r\n")
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") | frozenset(range(0x80, 0x100))
_DIGIT = frozenset(b"0123456789")
_QUOTE = frozenset(b"\"'`")
_BEFORE_STRING = _SPACE | frozenset(b"([{,;:=")
_BEHIND_STRING = _SPACE | frozenset(b")]},;:/>")
_SIGIL = frozenset(b"$@#\\%&~?!")
_BRACKET = frozenset(b"()[]{},;")
_COMMENTS = frozenset(b"// /* */ (* *) -- {- -} <! <? ?> #! #{ ${ {# {%".split())


def separator_for(tokens: Iterable[str]) -> Join:
    """Return the rule that keeps pieces apart in a language with these fixed tokens."""
    texts = [token.encode() for token in tokens]
    pairs = {text[i : i + 2] for text in texts for i in range(len(text) - 1)} | _COMMENTS
    pairs = {pair for pair in pairs if not (pair[0] in _WORD and pair[1] in _WORD)}
    # Where there are tags, space between them would be text.
    apart = {b"><"} - pairs if b"</" in texts else set()

    def separator(left: bytes, right: bytes) -> bytes:
        """Return a space where the last byte of one piece and the first of the next could be read as one token."""
        before, behind = left[-1], right[0]
        pair = bytes((before, behind))
        if pair == b'""' and _is_empty_string(left, right):
            return b""
        return b" " if pair in pairs or (_one_token(before, behind) and pair not in apart) else b""

    return separator


def _is_empty_string(left: bytes, right: bytes) -> bool:
    """Tell whether a quote at the end of one piece and one at the begin of the next are the two ends of one string."""
    opens = len(left) == 1 or left[-2] in _BEFORE_STRING
    closes = len(right) == 1 or right[1] in _BEHIND_STRING
    line_begins = b"\n" in left
    return opens and closes and not (line_begins and left.rpartition(b"\n")[2].count(b'"') % 2 == 0)


def _one_token(before: int, behind: int) -> bool:
    if before in _SPACE or behind in _SPACE:
        return False
    if before in _WORD:
        # A word takes in what follows: a letter, a quote (r"…"), the point of a number.
        return behind in _WORD or behind in _QUOTE or behind == 0x24 or (before in _DIGIT and behind == 0x2E)
    if before in _BRACKET or behind in _BRACKET:
        return False
    if behind in _WORD:
        return before in _SIGIL or (before == 0x2E and behind in _DIGIT)
    # Two signs: quotes meet quotes ('a''b') and what may stand before them, and operators make longer operators.
    if before in _QUOTE or behind in _QUOTE:
        return behind in _QUOTE and (before in _QUOTE or before in _SIGIL)
    return True


def stripped(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Return a span without the space at its ends."""
    while start < end and data[start] in _SPACE:
        start += 1
    while start < end and data[end - 1] in _SPACE:
        end -= 1
    return start, end


def with_space(tree: Tree, node: int) -> Cut:
    """Return the cut of a node together with the space on one side of it, so that one gap stays where there were two.

    A line end on either side stays: in many languages it ends something.
    """
    return span_with_space(tree, tree.start[node], tree.end[node], tree.leaf_before(node), tree.leaf_behind(node))


def span_with_space(tree: Tree, start: int, end: int, leaf_before: int, leaf_behind: int) -> Cut:
    """Return the cut of a span together with the space on one side of it, given the leaves around it."""
    data = tree.data
    low = tree.end[leaf_before] if leaf_before != NO_NODE else 0
    high = tree.start[leaf_behind] if leaf_behind != NO_NODE else len(data)
    left, right = start, end
    while left > low and data[left - 1] in _SPACE:
        left -= 1
    while right < high and data[right] in _SPACE:
        right += 1
    if end > start and data[end - 1] in _LINE_END:  # it brings its own line end: what stands before it ends another
        return Cut(start, end)
    breaks_left = left == 0 or not _LINE_END.isdisjoint(data[left:start])
    breaks_right = right == len(data) or not _LINE_END.isdisjoint(data[end:right])
    if left < start and left > 0 and (breaks_right or not breaks_left):
        return Cut(left, end)
    if breaks_right and not breaks_left:
        return Cut(start, end)
    return Cut(start, right)


def with_blanks(data: bytes, start: int, end: int) -> Cut:
    """Return the cut of a span with the blanks on one side of it, so that one gap and a line's indentation stay."""
    left, right = start, end
    while left and data[left - 1] in _BLANK:
        left -= 1
    while right < len(data) and data[right] in _BLANK:
        right += 1
    begins_line = left == 0 or data[left - 1] in _LINE_END
    ends_line = right == len(data) or data[right] in _LINE_END
    if ends_line:
        return Cut(start, end) if begins_line else Cut(left, right)
    return Cut(start, right) if begins_line or left < start else Cut(start, end)


def without_blank_line(tree: Tree, cut: Cut) -> Cut:
    """Return a cut that also takes the line end before it, where nothing but space would be left of its first line."""
    data, leaves = tree.data, tree.leaves
    before = bisect_left(leaves, cut.start, key=tree.start.__getitem__) - 1
    behind = bisect_left(leaves, cut.end, key=tree.start.__getitem__)
    low = tree.end[leaves[before]] if before >= 0 else 0
    high = tree.start[leaves[behind]] if behind < len(leaves) else len(data)
    left, right = cut.start, cut.end
    while left > low and data[left - 1] in _BLANK:
        left -= 1
    while right < high and data[right] in _BLANK:
        right += 1
    ends_file = right == len(data) and data[right - 1] not in _LINE_END  # else it takes the last line end itself
    ends_line = ends_file or (right < high and data[right] in _LINE_END)
    if cut.text or not ends_line or left <= low or data[left - 1] not in _LINE_END:
        return cut
    left -= 1
    if left > low and data[left - 1 : left + 1] == b"\r\n":
        left -= 1
    return Cut(left, cut.end)
