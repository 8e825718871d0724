"""Several files at once: whole folders and files first, then what is in them, each in its own language."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from minrepro.core.edits import Cut, Cuts
from minrepro.core.units import Unit
from minrepro.documents.file_references import references, roots_of
from minrepro.documents.files_snapshot import FilesSnapshot
from minrepro.documents.packed_files import Span
from minrepro.documents.snapshot import Snapshot
from minrepro.passes import Pass

_MOST_REFERENCES = 50
"""A file of which more lines speak is not worth a coupled deletion."""
_LARGEST_INLINED, _MOST_INLINED = 10_000, 3
"""How large a file may be, and in how many places it is tried, to stand where it is included."""


def whole_files(subject: Snapshot) -> list[list[Unit]]:
    """Propose to delete folders, and files with the lines of others that speak of them."""
    assert isinstance(subject, FilesSnapshot)
    spoken = references(subject.files, subject.content)
    return _below(subject, spoken, list(subject.spans), 0)


def _below(
    subject: FilesSnapshot, spoken: dict[int, list[tuple[int, int]]], spans: list[Span], depth: int
) -> list[list[Unit]]:
    """Return the files and folders at a depth as one list."""
    folders: dict[str, list[Span]] = {}
    units = []
    for span in spans:
        parts = PurePath(span.name).parts
        if len(parts) > depth + 1:
            folders.setdefault(parts[depth], []).append(span)
        elif len(spans) > 1 or len(subject.spans) > 1:
            units.append(_file(subject, span, spoken.get(span.number, [])))
    if len(folders) == 1 and not units:
        return _below(subject, spoken, spans, depth + 1)
    for inside in folders.values():
        cuts = tuple(Cut(span.begin, span.end) for span in inside)
        below = partial(_below, subject, spoken, inside, depth + 1)
        units.append(Unit((cuts,), sum(span.end - span.begin for span in inside), below))
    return [units] if units else []


def _file(subject: FilesSnapshot, span: Span, spoken: list[tuple[int, int]]) -> Unit:
    """Return how a file may go: with what speaks of it, alone, or into the place of a line that includes it."""
    gone = Cut(span.begin, span.end)
    weight = span.end - span.begin
    if not spoken or len(spoken) > _MOST_REFERENCES:
        return Unit(((gone,),), weight)
    with_references = tuple(sorted({gone, *(Cut(start, end) for start, end in spoken)}))
    inlined: list[Cuts] = []
    if weight <= _LARGEST_INLINED:
        text = subject.content[span.start : span.end].rstrip(b"\n") + b"\n"
        inlined = [tuple(sorted((gone, Cut(start, end, text)))) for start, end in spoken[:_MOST_INLINED]]
    return Unit((with_references, (gone,), *inlined), weight)


def passes_for_files(tree: Sequence[Pass], plain: Sequence[Pass]) -> list[Pass]:
    """Return passes that do in each file what suits it: one list for files with a grammar, one for those without."""
    names = [each.name for each in tree]
    names += [each.name for each in plain if each.name not in names]
    with_tree, without = ({each.name: each for each in passes} for passes in (tree, plain))
    combined = [Pass("files", whole_files)]
    for name in names:
        model = with_tree.get(name) or without[name]
        combined.append(replace(model, propose=partial(_in_each, with_tree.get(name), without.get(name))))
    return combined


def in_roots(each: Pass) -> Pass:
    """Return a pass that does only in the files of which no other speaks what another pass does in all."""
    return replace(each, name=f"{each.name}-in-roots", propose=partial(_in_roots, each))


def _in_roots(each: Pass, subject: Snapshot) -> list[list[Unit]]:
    assert isinstance(subject, FilesSnapshot)
    roots = roots_of(subject.files, subject.content)
    only = copy(subject)
    only.spans = [span for span in subject.spans if span.number in roots]
    return each.propose(only)


def _in_each(tree: Pass | None, plain: Pass | None, subject: Snapshot) -> list[list[Unit]]:
    assert isinstance(subject, FilesSnapshot)
    lists = []
    for span in subject.spans:
        part = subject.parts[span.number]
        each = tree if part.language else plain
        if each is not None and part.content:
            lists += [[unit.moved(span.start) for unit in units] for units in each.propose(part)]
    return lists
