"""Names: all that speaks of a name goes at once; something stands in place of a name; long names become short.

A file of settings or a schema speaks of its own parts in texts, as in `"$ref": "#/definitions/price"`: words that recur
there are names too.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from itertools import count, islice, product
from string import ascii_lowercase

from minrepro.core.edits import Cut, Cuts, removed, unite
from minrepro.core.units import Unit
from minrepro.documents.snapshot import Snapshot
from minrepro.documents.syntax.tree import ROOT, Tree
from minrepro.documents.syntax.tree_document import TreeDocument

_NAME = re.compile(rb"[A-Za-z_$][\w$]*")
_MOST_OCCURRENCES = 200
_MOST_INLINED = 8
_MOST_PARTS = 6
_MOST_NAMED = 3


Places = dict[bytes, list[tuple[int, int]]]
"""Where each name occurs."""


def names(subject: Snapshot) -> Places:
    """Return where each name of a content occurs: words that are not fixed text of the grammar."""
    found: Places = {}
    document = subject.document
    if document is None:
        for match in _NAME.finditer(subject.content):
            found.setdefault(match.group(), []).append(match.span())
        return found
    tree = document.tree
    for text, leaves in leaves_of_names(tree).items():
        found[text] = [(tree.start[leaf], tree.end[leaf]) for leaf in leaves]
    return found


def words(subject: Snapshot) -> Places:
    """Return where words occur that recur and are part of a longer text somewhere, as when a text refers to a key."""
    document = subject.document
    if document is None:
        return {}  # there every word is a name
    tree = document.tree
    found: Places = {}
    parts: set[bytes] = set()
    for leaf in tree.leaves:
        if tree.is_named(leaf):
            text, start = tree.text(leaf), tree.start[leaf]
            for match in _NAME.finditer(text):
                found.setdefault(match.group(), []).append((start + match.start(), start + match.end()))
                if match.group() != text:
                    parts.add(match.group())
    return {word: places for word, places in found.items() if len(places) > 1 and word in parts}


def all_of_a_name(subject: Snapshot) -> list[list[Unit]]:
    """Propose for each name that everything goes which speaks of it: the least around each occurrence that may go."""
    document = subject.document
    if document is None or subject.is_large:
        return []
    units = []
    for places in leaves_of_names(document.tree).values():
        if 2 <= len(places) <= _MOST_OCCURRENCES:
            edits = [_gone(document, places, skip) for skip in (0, 1)]
            distinct = tuple(dict.fromkeys(edit for edit in edits if edit))
            if distinct:
                units.append(Unit(distinct, weight=len(places)))
    return [units] if units else []


def in_place_of_names(subject: Snapshot) -> list[list[Unit]]:
    """Propose to put a part of a definition, or a plain number, where its name is used, and to drop the definition.

    A type takes the place of its alias, a value that of its variable, whatever the language calls them.
    """
    document = subject.document
    if document is None or subject.is_large:
        return []
    tree = document.tree
    units: list[Unit] = []
    for definition, leaves in _definitions(document):
        texts = _parts(tree, definition, leaves)
        texts += [text for text in document.texts_in_place_of(leaves[-1]) if text.isdigit()][:1]
        units += _replaced(document, definition, leaves, dict.fromkeys(texts))
    return [units] if units else []


def another_definition(subject: Snapshot) -> list[list[Unit]]:
    """Propose to use in place of something another that is defined alike, or is named before, and to drop the first."""
    document = subject.document
    if document is None or subject.is_large:
        return []
    tree = document.tree
    of_kind: dict[int, list[tuple[int, list[int]]]] = {}
    for definition, leaves in _definitions(document):
        of_kind.setdefault(tree.kind[definition], []).append((definition, leaves))
    units: list[Unit] = []
    for alike in of_kind.values():
        for definition, leaves in alike:
            others = (tree.text(other[0]) for another, other in alike if another != definition)
            texts = dict.fromkeys((*islice(others, _MOST_PARTS), *islice(_named_before(tree, definition), _MOST_NAMED)))
            units += _replaced(document, definition, leaves, texts)
    return [units] if units else []


def _named_before(tree: Tree, node: int) -> Iterator[bytes]:
    """Yield the names that stand before a node, the nearest first."""
    leaves = (tree.leaves[at] for at in range(tree.leaves_before[node] - 1, -1, -1))
    texts = (tree.text(leaf) for leaf in leaves if tree.is_named(leaf))
    seen: set[bytes] = set()
    for text in texts:
        if text not in seen and _NAME.fullmatch(text):
            seen.add(text)
            yield text


def _definitions(document: TreeDocument) -> Iterator[tuple[int, list[int]]]:
    """Yield for names that are used a few times what defines them, if it may go, and all places of the name."""
    tree = document.tree
    for leaves in leaves_of_names(tree).values():
        if 2 <= len(leaves) <= _MOST_INLINED:
            around = (node for node in tree.ancestors(leaves[0]) if node != ROOT and document.vanishes(node))
            definition = next(around, None)
            if definition is not None and leaves[-1] >= tree.after[definition]:
                yield definition, leaves


def _replaced(document: TreeDocument, definition: int, leaves: list[int], texts: Iterable[bytes]) -> list[Unit]:
    """Return the unit that drops a definition and puts a text where its name is used, if that is shorter."""
    tree = document.tree
    uses = [leaf for leaf in leaves if not definition <= leaf < tree.after[definition]]
    dropped = document.without([definition])
    edits = (unite(dropped, [Cut(tree.start[use], tree.end[use], text) for use in uses]) for text in texts)
    shorter = tuple(edit for edit in edits if removed(edit) > 0)
    return [Unit(shorter, weight=tree.weight(definition))] if shorter else []


def _parts(tree: Tree, definition: int, names: list[int]) -> list[bytes]:
    """Return the texts of the parts of a definition that do not hold its name, the shortest first."""
    texts = {
        tree.text(node)
        for node in tree.descendants(definition)
        if tree.is_named(node) and tree.size(node) and not any(node <= name < tree.after[node] for name in names)
    }
    return sorted(texts, key=lambda text: (len(text), text))[:_MOST_PARTS]


def leaves_of_names(tree: Tree) -> dict[bytes, list[int]]:
    """Return for each name the leaves of a tree that are it, in order."""
    leaves: dict[bytes, list[int]] = {}
    for leaf in tree.leaves:
        if tree.is_named(leaf) and _NAME.fullmatch(text := tree.text(leaf)):
            leaves.setdefault(text, []).append(leaf)
    return leaves


def _gone(document: TreeDocument, leaves: list[int], skip: int) -> Cuts:
    """Return the cuts that remove the least removable part around each leaf, or the one around that."""
    tree = document.tree
    nodes = []
    for leaf in leaves:
        around = (node for node in (leaf, *tree.ancestors(leaf)) if node != ROOT and document.removable(node))
        nearest = list(islice(around, skip + 1))
        if not nearest:
            return ()
        nodes.append(nearest[-1])
    return unite(*(document.without([node]) for node in dict.fromkeys(nodes)))


def short_names(subject: Snapshot) -> list[list[Unit]]:
    """Propose to give each long name a short one that is not in use."""
    places = names(subject)
    return _shortened(places, places)


def short_words(subject: Snapshot) -> list[list[Unit]]:
    """Propose to make each long word short wherever it stands, also in texts that refer to it."""
    return _shortened(words(subject), names(subject))


def _shortened(places: Places, in_use: Container[bytes]) -> list[list[Unit]]:
    free = (name for name in _short() if name not in places and name not in in_use)
    units = []
    for name, spans in sorted(places.items(), key=lambda item: -len(item[0]) * len(item[1])):
        if len(name) < 2:
            continue
        new = next(free)
        if len(new) >= len(name):
            break
        cuts = tuple(Cut(start, end, new) for start, end in spans)
        units.append(Unit((cuts,), weight=1.0))
    return [units[::-1]] if units else []


def _short() -> Iterator[bytes]:
    for length in count(1):
        for letters in product(ascii_lowercase, repeat=length):
            yield "".join(letters).encode()


def one_name_for_another(subject: Snapshot) -> list[list[Unit]]:
    """Propose to use one name where another stands: everywhere, or everywhere but where it stands first."""
    return _unified(names(subject))


def one_word_for_another(subject: Snapshot) -> list[list[Unit]]:
    """Propose to use one word where another stands, also in texts that refer to it."""
    return _unified(words(subject))


def _unified(places: Places) -> list[list[Unit]]:
    units = []
    for name, spans in places.items():
        others = [other for other in places if other != name and len(other) <= len(name)][:4]
        edits: list[Cuts] = []
        for other in others:
            whole = tuple(Cut(start, end, other) for start, end in spans)
            edits += [whole, whole[1:]] if len(whole) > 1 else [whole]
        if edits:
            units.append(Unit(tuple(edits)))
    return [units] if units else []
