"""Many neighbours as one span."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from minrepro.documents.syntax.sibling_runs import runs


@given(st.sets(st.integers(0, 60)), st.sets(st.integers(0, 60)))
def test_runs_are_the_longest_stretches_of_neighbours(nodes: set[int], others: set[int]) -> None:
    siblings = sorted(others)
    found = [list(run) for run in runs(sorted(nodes), siblings)]
    assert [node for run in found for node in run] == sorted(nodes & others)
    places = [[siblings.index(node) for node in run] for run in found]
    assert all(run == list(range(run[0], run[-1] + 1)) for run in places)
    # Two runs that touch in the list are parted by a node that is none of the siblings.
    for (*_, last), (first, *_) in pairwise(found):
        touching = siblings.index(first) == siblings.index(last) + 1
        assert not touching or any(last < node < first for node in nodes - others)
