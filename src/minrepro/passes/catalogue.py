"""The passes of the default reducer, in their order."""

from __future__ import annotations

from minrepro.passes import Pass
from minrepro.passes.hoists import hoists, stand_ins
from minrepro.passes.literals import numbers, strings
from minrepro.passes.names import all_of_a_name, one_name_for_another, parameters, short_names
from minrepro.passes.plain import (
    blank,
    characters,
    duplicates,
    indented_blocks,
    lines,
    short_spans,
    spans_between_signs,
)
from minrepro.passes.subtrees import comments, subtrees
from minrepro.passes.tokens import brackets, token_windows, tokens

TREE = [
    Pass("comments", comments, optimism=0.1),
    Pass("subtrees", subtrees),
    Pass("blank", blank, optimism=0.1),
    Pass("hoists", hoists),
    Pass("stand-ins", stand_ins),
    Pass("all of a name", all_of_a_name),
    Pass("parameters", parameters),
    Pass("tokens", tokens),
    Pass("brackets", brackets),
    Pass("strings", strings),
    Pass("numbers", numbers),
    Pass("short names", short_names, optimism=0.2),
    Pass("one name for another", one_name_for_another),
    Pass("token windows", token_windows),
    Pass("characters", characters),
    Pass("short spans", short_spans),
]

PLAIN = [
    Pass("lines", lines),
    Pass("blank", blank, optimism=0.1),
    Pass("indented blocks", indented_blocks),
    Pass("duplicates", duplicates),
    Pass("brackets", brackets),
    Pass("tokens", tokens),
    Pass("spans between signs", spans_between_signs),
    Pass("characters", characters),
    Pass("strings", strings),
    Pass("numbers", numbers),
    Pass("short names", short_names, optimism=0.2),
    Pass("token windows", token_windows),
    Pass("short spans", short_spans),
]
