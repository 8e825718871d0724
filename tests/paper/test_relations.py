"""Table 2 of *Reduce first, debug later* (2014): the relations of a fault to the reduced session, on 44 events.

The session and its rules are our own, of the shape of the study's: every event is another, and the rules leave the same
eight. What the study recorded is in test_flexstore.
"""

from __future__ import annotations

from statistics import mean

import pytest
from benchmarks.papers.reduce_first import PUBLISHED, RELATIONS, costs
from benchmarks.traces import LEFT, imagined

from minrepro.traces.rewriting import rewrite
from minrepro.traces.user_events import positions


def test_the_rules_leave_eight_of_44_events() -> None:
    subject = imagined()
    assert len(subject.trace) == 44
    assert positions(rewrite(subject.trace, subject.rules).kept) == list(LEFT)


@pytest.mark.parametrize(("relation", "lacking", "added"), RELATIONS)
def test_the_default_takes_no_longer_than_the_better_of_the_two(relation: str, lacking: int, added: int) -> None:
    found = {name: mean(each.seconds for each in done) for name, done in costs(imagined(), lacking, added).items()}
    if relation == "disjoint":  # nothing of what the rules leave is needed: the document promises nothing there
        assert found["default"] <= 1.5 * min(found["ddmin"], found["rddmin"])
    else:
        assert found["default"] <= 1.02 * min(found["ddmin"], found["rddmin"])


@pytest.mark.parametrize(("relation", "lacking", "added"), [key for key in PUBLISHED if key[0] == "E* within R"])
def test_case_1_rddmin_is_quicker_than_ddmin_as_published(relation: str, lacking: int, added: int) -> None:
    found = costs(imagined(), lacking, added)
    assert all(r.seconds < d.seconds for r, d in zip(found["rddmin"], found["ddmin"], strict=True))
    ddmin, rddmin = PUBLISHED[relation, lacking, added]
    assert rddmin < ddmin
