"""Table 2 of *Reduce first, debug later* (2014): the relations of a fault to the reduced session, on 44 events.

The session and its rules are our own, of the shape of the study's: every event is another, and the rules leave the same
eight. What the study recorded is in test_flexstore.
"""

from __future__ import annotations

from statistics import mean

import pytest
from benchmarks.papers.reduce_first import PUBLISHED, RELATIONS, cost, costs
from benchmarks.traces import LEFT, imagined
from hypothesis import given
from hypothesis import strategies as st

from minrepro.traces.rewriting import rewrite
from minrepro.traces.user_events import positions


def test_the_rules_leave_eight_of_44_events() -> None:
    subject = imagined()
    assert len(subject.trace) == 44
    assert positions(rewrite(subject.trace, subject.rules).kept) == list(LEFT)


@pytest.mark.parametrize(("relation", "lacking", "added"), RELATIONS)
def test_the_default_takes_no_longer_than_the_better_of_the_two(relation: str, lacking: int, added: int) -> None:
    found = costs(imagined(), lacking, added)
    if relation == "disjoint":  # nothing of what the rules leave is needed: the document promises nothing there
        means = {name: mean(each.seconds for each in done) for name, done in found.items()}
        assert means["default"] <= 1.5 * min(means["ddmin"], means["rddmin"])
    else:
        for one, other, ours in zip(found["ddmin"], found["rddmin"], found["default"], strict=True):
            assert ours.seconds <= min(one.seconds, other.seconds)
            assert ours.tests <= min(one.tests, other.tests)


@given(st.sets(st.sampled_from(LEFT[:-1])))
def test_if_the_rules_leave_the_fault_no_other_way_is_quicker(kept: set[int]) -> None:
    needed = (*sorted(kept), LEFT[-1])
    ours = cost(imagined(), needed, "default")
    assert ours.seconds <= cost(imagined(), needed, "rddmin").seconds
    assert ours.tests <= cost(imagined(), needed, "rddmin").tests


@pytest.mark.parametrize(("relation", "lacking", "added"), [key for key in PUBLISHED if key[0] == "E* within R"])
def test_case_1_rddmin_is_quicker_than_ddmin_as_published(relation: str, lacking: int, added: int) -> None:
    found = costs(imagined(), lacking, added)
    assert all(r.seconds < d.seconds for r, d in zip(found["rddmin"], found["ddmin"], strict=True))
    ddmin, rddmin = PUBLISHED[relation, lacking, added]
    assert rddmin < ddmin
