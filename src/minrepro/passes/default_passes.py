"""The passes of the default reducer, in their order."""

from __future__ import annotations

from functools import partial

from minrepro.passes import Pass
from minrepro.passes.blocks import bracket_blocks, line_blocks
from minrepro.passes.clauses import clauses, inner_brackets
from minrepro.passes.constants import values
from minrepro.passes.hoists import empty_brackets, hoists, stand_ins
from minrepro.passes.inline_calls import inline_calls
from minrepro.passes.inside_tokens import inside_tokens, spans_of_texts
from minrepro.passes.literals import numbers, strings
from minrepro.passes.names import (
    all_of_a_name,
    another_definition,
    in_place_of_names,
    one_name_for_another,
    one_word_for_another,
    short_names,
    short_words,
)
from minrepro.passes.nests import levels_of_nests
from minrepro.passes.orphans import orphans
from minrepro.passes.parameters import parameters
from minrepro.passes.plain_text import (
    blank,
    characters,
    duplicates,
    indented_blocks,
    lines,
    loose_space,
    pdf_objects,
    short_spans,
    single_bytes,
    spans_between_signs,
    white_space,
)
from minrepro.passes.plain_types import plain_types
from minrepro.passes.positional_fields import positional_fields
from minrepro.passes.readable import readable
from minrepro.passes.recurring import recurring
from minrepro.passes.return_types import results
from minrepro.passes.scopes import scopes
from minrepro.passes.subtrees import comments, subtrees
from minrepro.passes.tokens import brackets, token_windows, tokens
from minrepro.passes.type_parameters import type_parameters
from minrepro.passes.zero_fill import zeros
from minrepro.plugins import brought, require

COMMENTS = Pass("comments", comments, optimism=0.1)
BLOCKS = (
    Pass("blocks-of-lines", line_blocks, glues=True),
    Pass("blocks-in-brackets", bracket_blocks, glues=True),
)
"""What goes first in a content that is too long to be parsed at once."""
SUBTREES = Pass("subtrees", subtrees, from_lists=True)

WHITE_SPACE = Pass("whitespace", white_space, tier=1, glues=True, optimism=0.2, golf=True)

TREE = [
    COMMENTS,
    SUBTREES,
    # Behind subtrees: where depth or breadth would do for a failure, a level costs less than what stands beside it.
    Pass("nesting-levels", levels_of_nests),
    Pass("empty-brackets", empty_brackets),
    Pass("blank-lines", blank, optimism=0.1),
    Pass("hoists", hoists),
    Pass("minimal-replacements", stand_ins, shortens=True),
    Pass("unused-dependencies", orphans),
    Pass("all-uses-of-a-name", all_of_a_name, tier=1),
    Pass("repeated-parts", recurring, tier=1),
    Pass("parameters", parameters, tier=1),
    Pass("scopes", scopes, tier=1),
    Pass("return-types", results, tier=1),
    Pass("inline-definitions", in_place_of_names, tier=1),
    Pass("swap-definitions", another_definition, tier=1),
    Pass("names-to-numbers", values, tier=1, golf=True),
    Pass("tokens", tokens, tier=1, beyond_syntax=True),
    Pass("brackets", brackets, tier=1),
    Pass("strings", strings, tier=1, glues=True, shortens=True),
    Pass("inside-tokens", inside_tokens, tier=1, glues=True, shortens=True),
    Pass("numbers", numbers, tier=1, shortens=True),
    Pass("short-names", short_names, tier=1, glues=True, optimism=0.2, golf=True),
    Pass("short-words", short_words, tier=1, glues=True, optimism=0.2, golf=True),
    Pass("merge-names", one_name_for_another, tier=2, glues=True, golf=True),
    Pass("merge-words", one_word_for_another, tier=2, glues=True, golf=True),
    Pass("extra-whitespace", loose_space, tier=2, glues=True, optimism=0.1),
    Pass("characters", characters, tier=2, glues=True, beyond_syntax=True, shortens=True),
    Pass("string-spans", spans_of_texts, tier=2, glues=True, shortens=True),
    # Not one of 273 checks found anything on twelve of the inputs of benchmarks/speedup_real.
    Pass("token-windows", partial(token_windows, largest=8), tier=3),
    Pass("type-parameters", type_parameters, tier=3),
    Pass("inline-calls", inline_calls, tier=3),
    Pass("plain-types", plain_types, tier=3),
    Pass("positional-fields", positional_fields, tier=3),
    Pass("spans-across-tokens", short_spans, tier=3, glues=True, shortens=True),
    WHITE_SPACE,
]

PLAIN = [
    Pass("objects", pdf_objects),
    Pass("lines", lines),
    Pass("blank-lines", blank, optimism=0.1),
    Pass("indented-blocks", indented_blocks),
    Pass("brackets", brackets),
    Pass("clauses", clauses),
    Pass("inner-brackets", inner_brackets),
    Pass("duplicates", duplicates, tier=1),
    Pass("tokens", tokens, tier=1),
    Pass("spans-between-punctuation", spans_between_signs, tier=1, glues=True, shortens=True),
    Pass("characters", characters, tier=1, glues=True, shortens=True),
    Pass("strings", strings, tier=1, glues=True, shortens=True),
    Pass("numbers", numbers, tier=1, shortens=True),
    Pass("short-names", short_names, tier=1, glues=True, optimism=0.2, golf=True),
    Pass("extra-whitespace", loose_space, tier=2, glues=True, optimism=0.1),
    Pass("token-windows", token_windows, tier=2),
    Pass("short-spans", short_spans, tier=2, glues=True, shortens=True),
    Pass("zeros", zeros, tier=2, glues=True),
    Pass("longer-spans", partial(short_spans, smallest=9, largest=16), tier=3, glues=True, shortens=True),
    Pass("all-spans", short_spans, tier=3, glues=True, shortens=True),
    Pass("zeros-in-short-files", partial(zeros, shortest=1), tier=3, glues=True),
    WHITE_SPACE,
]

NOISE = [
    Pass("bytes", single_bytes, glues=True, optimism=1.0),
    Pass("zeros", zeros, tier=2, glues=True),
    Pass("all-spans", short_spans, tier=3, glues=True),
    Pass("zeros-in-short-files", partial(zeros, shortest=1), tier=3, glues=True),
]
"""Where words, lines and brackets are there by chance, there is no better guide than which bytes were needed so far."""


def passes_for(language: str | None, golf: bool = False, *, understood: bool = True, noise: bool = False) -> list[Pass]:
    """Return the passes for a language, or for a text of none, with those that other packages bring.

    Where a grammar does not understand all of a file, what it does not understand is left to the passes for plain text.
    Unless every byte counts, they leave what a person would read.
    """
    plain = NOISE if noise else PLAIN
    own = plain if language is None else TREE if understood else _with_plain()
    passes = [*own, *(require("passes", name, Pass) for name in brought("passes"))]
    return passes if golf else [readable(each) if each.shortens else each for each in passes if not each.golf]


def _with_plain() -> list[Pass]:
    """Return the passes for trees and those for plain text, which may see more of whole parts than a broken tree."""
    known = {each.name for each in TREE}
    others = [each for each in PLAIN if each.name not in known]
    behind = TREE.index(SUBTREES) + 1
    first = [each for each in others if each.tier == 0]
    return [*TREE[:behind], *first, *TREE[behind:], *(each for each in others if each.tier > 0)]
