"""A document as a tree that can be pruned: which parts may go, and what a part takes along when it goes.

What of a tree is optional, repeated, required or a separator is not guessed but asked of the parser: a part may go if
the text without it parses no worse than the input, and what is left of the part around it is still one node.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, filterfalse, groupby, islice

from minrepro.core.edits import NONE, Cut, Cuts, Join, unite
from minrepro.documents.syntax.parsed_tree import MANY, ParsedTree, Syntax, start_of
from minrepro.documents.syntax.sibling_runs import SHORTEST, cuts_of, runs
from minrepro.documents.syntax.spacing import with_space, without_blank_line
from minrepro.documents.syntax.tree import ROOT, Badness, Tree

Replacements = Callable[[str], Sequence[bytes]]
"""The texts that may be able to stand where a node of this kind stands, the shortest first."""

_LISTED, _ALONE, _REPLACED = 0, 1, 2
"""The ways in which a node goes: with its separator, alone, or replaced by the first, second, … shorter text."""

_WINDOW = 3
"""How many siblings on each side are part of a shape."""


class TreeDocument(ParsedTree):
    """A parsed tree from which nodes are taken, each in the way that is right at its place."""

    def __init__(
        self,
        tree: Tree,
        syntax: Syntax | None = None,
        *,
        join: Join | None = None,
        replacements: Replacements = lambda kind: (),
    ) -> None:
        super().__init__(tree, syntax, join=join)
        self.collapsing = False
        """Whether, when all but one part of a node go, that part may take the place of the node."""
        self._replacements = replacements
        self._uniform: dict[int, bool] = {}
        self._last_runs: tuple[list[int], list[Sequence[int]]] | None = None

    def without(self, nodes: Iterable[int], cuts: Cuts = NONE) -> Cuts:
        """Return the cuts with some nodes cut or replaced as well, each in the way that is right at its place.

        Where a node may not lose all of its children, the lightest stays in its shortest form.
        """
        added: list[Cut] = []
        for parent, gone in self._by_parent(list(nodes)).items():
            added += self._removal_from(parent, gone, cuts)
        united, before = unite(cuts, added), set(cuts)
        return unite(cut if cut in before else without_blank_line(self.tree, cut) for cut in united)

    def _by_parent(self, nodes: list[int]) -> dict[int, list[int]]:
        """Return the nodes by their parents; thousands that are all neighbours are not looked at one by one."""
        parent_of = self.tree.parent
        if len(nodes) >= MANY and parent_of[nodes[0]] == parent_of[nodes[-1]]:
            parent = parent_of[nodes[0]]
            if sum(map(len, self._runs(parent, nodes))) == len(nodes):
                return {parent: nodes}
        by_parent: dict[int, list[int]] = {}
        for node in nodes:
            by_parent.setdefault(parent_of[node], []).append(node)
        return by_parent

    def _runs(self, parent: int, nodes: list[int]) -> list[Sequence[int]]:
        """Return the runs of neighbours, among the elements of a list or the children of a node, that nodes make up."""
        if self._last_runs is None or self._last_runs[0] is not nodes:
            self._last_runs = nodes, list(runs(sorted(nodes), self._elements(parent)))
        return self._last_runs[1]

    def _one_of_each_kind(self, nodes: Sequence[int]) -> list[int]:
        """Return the first and the last of some neighbours, and one of each kind."""
        parent = self.tree.parent[nodes[0]]
        if parent not in self._uniform:
            kinds = set(map(self.tree.kind.__getitem__, self._elements(parent)))
            self._uniform[parent] = len(kinds) == 1
        if self._uniform[parent]:
            return [nodes[0], nodes[-1]]
        kinds_of = dict(zip(map(self.tree.kind.__getitem__, nodes), nodes, strict=True))
        return [nodes[0], nodes[-1], *kinds_of.values()]

    def _elements(self, parent: int) -> Sequence[int]:
        separated = self.separated(parent)
        return self.tree.children_of(parent) if separated is None else separated.elements

    def removable_of(self, nodes: Iterable[int], cuts: Cuts) -> tuple[int, ...]:
        """Return those nodes that may go or be replaced; of very many siblings one of each kind is asked about."""
        return self._those(nodes, lambda node: self.removable(node, cuts))

    def vanishing_of(self, nodes: Iterable[int], cuts: Cuts) -> tuple[int, ...]:
        """Return those nodes that may go without anything in their place, asking as `removable_of` does."""
        return self._those(nodes, lambda node: self.vanishes(node, cuts))

    def _those(self, nodes: Iterable[int], holds: Callable[[int], bool]) -> tuple[int, ...]:
        found: list[int] = []
        kind = self.tree.kind
        for _, group in groupby(nodes, key=self.tree.parent.__getitem__):
            siblings = list(group)
            if len(siblings) < MANY:
                found += filter(holds, siblings)
                continue
            examples = dict(zip(map(kind.__getitem__, siblings), siblings, strict=True))
            examples |= {kind[siblings[-1]]: siblings[-1]}
            free = {of: holds(node) for of, node in examples.items()}
            found += [node for node in siblings if free[kind[node]]]
        return tuple(found)

    def removable(self, node: int, cuts: Cuts = NONE) -> bool:
        """Tell whether a node may go or be replaced by something shorter."""
        return self.tree.size(node) > 0 and self._form(node, cuts) is not None

    def vanishes(self, node: int, cuts: Cuts = NONE) -> bool:
        """Tell whether a node may go without anything in its place."""
        form = self._form(node, cuts) if self.tree.size(node) else None
        return form is not None and form < _REPLACED

    def without_stand_ins(self, cuts: Cuts) -> Iterator[Cuts]:
        """Yield the cuts with one text less that stands in for a node, where it need not stand there any more."""
        tree = self.tree
        for cut in reversed(cuts):
            node = bisect_left(tree.start, cut.start) if cut.text else len(tree)
            while node < len(tree) and tree.start[node] == cut.start:
                if tree.end[node] == cut.end:
                    parent = tree.parent[node]
                    forms = (form for form in self._possible(node) if form < _REPLACED)
                    fewer = (unite(cuts, self._cuts_for(parent, {node: form}, cuts)) for form in forms)
                    yield from islice(filter(self.parses, fewer), 1)
                    break
                node += 1

    def _removal_from(self, parent: int, gone: list[int], cuts: Cuts) -> list[Cut]:
        """Return the cuts that take some children from one parent."""
        spans, others = self._spans(parent, gone, cuts)
        forms = {node: self._form(node, cuts) for node in others if self.tree.size(node) and self.is_alive(node, cuts)}
        added = self._cuts_for(parent, forms, cuts, spans)
        replaced = any(form is not None and form >= _REPLACED for form in forms.values())
        if len(gone) - len(others) + len(forms) < 2 or replaced or not self.strict:
            return added
        left = islice(self.alive_children(parent, unite(cuts, added)), _WINDOW)
        if any(self.tree.is_named(child) for child in left):
            return added
        small = self.asked_about(gone[0], cuts)
        if self.no_worse(unite(small, added), self.badness_of(small)):
            return added
        staying = {node for node in others if forms.get(node) is None}
        spared = min(filterfalse(staying.__contains__, gone), key=self.tree.size)
        forms[spared] = next((form for form in self._fitting(spared, cuts) if form >= _REPLACED), None)
        spans, _ = self._spans(parent, [node for node in gone if node != spared], cuts)
        return self._cuts_for(parent, forms, cuts, spans)

    def _spans(self, parent: int, gone: list[int], cuts: Cuts) -> tuple[list[Cut], list[int]]:
        """Return the cuts that take many neighbours from a parent at once, and those of the nodes that are in none."""
        if len(gone) < SHORTEST or (len(gone) < MANY and not self.is_very_large(cuts)):
            return [], gone
        spans: list[Cut] = []
        spanned: list[Sequence[int]] = []
        separated = self.separated(parent)
        way = _ALONE if separated is None else _LISTED
        for run in self._runs(parent, gone):
            whole = self.is_untouched(self.tree.start[run[0]], self.tree.end[run[-1]], cuts)
            if len(run) < SHORTEST or not whole:
                continue
            if all(self._form(node, cuts) == way for node in self._one_of_each_kind(run)):
                spans += cuts_of(self.tree, run, separated)
                spanned.append(run)
        if sum(map(len, spanned)) == len(gone):
            return spans, []
        return spans, list(filterfalse(set(chain.from_iterable(spanned)).__contains__, gone))

    def _cuts_for(
        self, parent: int, forms: dict[int, int | None], cuts: Cuts, spans: Sequence[Cut] = NONE
    ) -> list[Cut]:
        """Return the cuts that take children from a parent in their ways, besides spans of neighbours."""
        added = list(spans)
        listed: set[int] = set()
        for node, form in forms.items():
            if form is None:
                continue
            if form >= _REPLACED:
                added.append(self._replacing(node, form))
                continue
            added.append(with_space(self.tree, node))
            if form == _LISTED:
                listed.add(node)
        separated = self.separated(parent) if listed or spans else None
        if separated is not None:
            separators = separated.separators_to_cut(listed, cuts, self.tree, spans)
            added += [with_space(self.tree, separator) for separator in separators]
        return added

    def _replacing(self, node: int, form: int) -> Cut:
        text = self.shorter_texts(node)[form - _REPLACED]
        return Cut(self.tree.start[node], self.tree.end[node], text)

    def shorter_texts(self, node: int) -> Sequence[bytes]:
        """Return the texts that might stand in place of a node and are shorter than it, the shortest first."""
        size = self.tree.size(node)
        return [text for text in self.texts_in_place_of(node) if len(text) < size]

    def texts_in_place_of(self, node: int) -> Sequence[bytes]:
        """Return the shortest texts of all that its grammar may allow in place of a node, the shortest first."""
        return self._replacements(self.tree.name(node))

    def _possible(self, node: int) -> Iterator[int]:
        """Yield the ways in which a node may go, the most welcome first."""
        parent = self.tree.parent[node]
        separated = self.separated(parent) if parent >= 0 and self.tree.is_named(node) else None
        if separated is not None:
            place = bisect_left(separated.elements, node)
            if place < len(separated.elements) and separated.elements[place] == node:
                yield _LISTED
        yield _ALONE
        if not self.tree.is_leaf(node):
            yield from range(_REPLACED, _REPLACED + len(self.shorter_texts(node)))

    def _form(self, node: int, cuts: Cuts) -> int | None:
        """Return how a node may go, asking the parser once for each shape of its surroundings."""
        if node == ROOT:
            return _ALONE
        if not self.strict:
            return next(self._possible(node))
        place = node, self.collapsing
        return self.learn(place, cuts, lambda: self._shape(node, cuts), lambda: next(self._fitting(node, cuts), None))

    def _fitting(self, node: int, cuts: Cuts) -> Iterator[int]:
        """Yield the ways in which a node may go as the parser sees it."""
        cuts = self.asked_about(node, cuts)
        parent, allowed = self.tree.parent[node], self.badness_of(cuts)
        for form in self._possible(node):
            if self._fits(node, unite(cuts, self._cuts_for(parent, {node: form}, cuts)), allowed):
                yield form

    def _fits(self, node: int, cuts: Cuts, allowed: Badness) -> bool:
        """Tell whether the document parses with these cuts, and what is left of the part around a node is a part still.

        Without the second, the body of a loop could go wherever a statement happens to follow and take its place.
        """
        if not self.no_worse(cuts, allowed):
            return False
        tree = self.tree
        parent = tree.parent[node]
        while parent != ROOT and not self.is_alive(parent, cuts):
            parent = tree.parent[parent]
        if parent == ROOT:
            return True
        kinds = self.kinds_in_place_of(parent, cuts)
        if self.collapsing and tree.is_named(node):
            return bool(kinds)
        return kinds.count(tree.name(parent)) > self.only_child_kinds(parent, cuts).count(tree.name(parent))

    def _shape(self, node: int, cuts: Cuts) -> object:
        """Return what decides whether a node may go: its kind and place, and the kinds around it."""
        tree = self.tree
        parent = tree.parent[node]
        siblings = tree.children_of(parent)
        at = bisect_left(siblings, node)
        before = tuple(islice((tree.kind[c] for c in self._around(siblings, at, -1, cuts)), _WINDOW))
        behind = tuple(islice((tree.kind[c] for c in self._around(siblings, at, 1, cuts)), _WINDOW))
        texts = 0 if tree.is_leaf(node) else len(self.shorter_texts(node))
        above = tree.kind[tree.parent[parent]] if parent != ROOT else tree.kind[parent]
        place = above, tree.kind[parent], tree.field[parent], tree.kind[node], tree.field[node]
        return place, before, behind, texts, self.collapsing

    def _around(self, siblings: Sequence[int], place: int, step: int, cuts: Cuts) -> Iterator[int]:
        """Yield the siblings on one side of a place that are not cut, the nearest first, stepping over whole cuts."""
        tree = self.tree
        place += step
        while 0 <= place < len(siblings):
            node = siblings[place]
            if not self.is_alive(node, cuts):
                cut = cuts[bisect_right(cuts, tree.start[node], key=start_of) - 1]
                if step < 0:
                    place = min(place, bisect_left(siblings, cut.start, key=tree.start.__getitem__))
                else:
                    place = max(place, bisect_left(siblings, cut.end, key=tree.start.__getitem__) - 1)
            elif not tree.is_extra(node):
                yield node
            place += step
