from __future__ import annotations

from collections import Counter

import pytest
from benchmarks.virtual_apps import APPS, App, session

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.engine.memory import Memory
from minrepro.errors import NotFailing
from minrepro.executors.inline import Inline
from minrepro.settings import Budget
from minrepro.traces.app_replay import ReplayOracle
from minrepro.traces.trace_api import reduce_events
from minrepro.traces.trace_reduction import Algorithm, TraceReduction, reduce_trace
from minrepro.traces.user_events import Event, Trace, numbered, positions
from tests.traces.cart import FAILING, R1_TO_R4, R5, Cart, event, rules

ALGORITHMS: list[Algorithm] = ["default", "rddmin", "ddmin", "grouping"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("texts", [(), R1_TO_R4, (*R1_TO_R4, R5)])
def test_every_way_leads_to_the_shortest_trace(algorithm: Algorithm, texts: tuple[str, ...]) -> None:
    result = reduce_events(FAILING, Cart(), rules=rules(*texts), algorithm=algorithm)
    assert result.trace == (event("open"), event("empty"))


def test_true_rules_save_replays() -> None:
    with_rules = reduce_events(FAILING, Cart(), rules=rules(*R1_TO_R4))
    without = reduce_events(FAILING, Cart(), algorithm="ddmin")
    assert with_rules.events_fired < without.events_fired


def test_a_wrong_rule_costs_a_few_replays_and_never_the_result() -> None:
    padding = [event("add", i) for i in range(30)]
    trace = numbered([event("open"), *padding, event("empty"), event("empty")])
    result = reduce_events(trace, Cart(), rules=rules("[add(i)] ≡ []", R5))
    assert [str(kept) for kept in result.trace] == ["open", "empty"]
    assert result.run.tally.tests < 15


def test_every_event_has_a_reason() -> None:
    result = reduce_events([*FAILING, event("add", 9)], Cart(), rules=rules(*R1_TO_R4, R5))
    texts = [reason.text for reason in result.reasons]
    assert [reason.kept for reason in result.reasons] == [True, *[False] * 6, True, False]
    assert texts[0] == "unresolved without it (event 1: CannotFire: the catalogue is closed)"
    assert texts[1] == "removed by rule [add(i); empty] ≡ [empty]"
    assert texts[7].startswith("does not reproduce without it")
    assert texts[8] == "comes after the failure"
    assert next(str(reason.rule) for reason in result.reasons if reason.rule is not None) == R1_TO_R4[0]


def test_events_that_replays_removed_say_so() -> None:
    trace = [event("open"), event("add", 1), event("add", 2), event("empty"), event("empty")]
    result = reduce_events(trace, Cart())
    assert [str(kept) for kept in result.trace] == ["open", "empty"]
    removed = {reason.position: reason.text for reason in result.reasons if not reason.kept}
    assert removed[1] == removed[2] == "the failure reproduces without it"


def test_arguments_are_shrunk_after_the_sequence() -> None:
    class Overflow(Cart):
        def fire(self, event: Event) -> None:
            super().fire(event)
            if any(item > 4 for item in self.items):
                raise OverflowError("too dear")

    trace = [event("open"), event("add", 1), event("add", 977)]
    assert reduce_events(trace, Overflow()).trace == (event("open"), event("add", 5))
    assert reduce_events(trace, Overflow(), arguments=False).trace == (event("open"), event("add", 977))


def test_a_trace_that_does_not_fail_is_refused() -> None:
    with pytest.raises(NotFailing):
        reduce_events(FAILING[:4], Cart())


def judged_at_end(trace: Trace) -> Verdict:
    """Fails when exactly two events are left: a longer trace passes though a prefix of it fails."""
    outcome = Outcome.FAIL if len(trace) in (2, 4) else Outcome.PASS
    return Verdict(outcome, stopped_at=None)


def test_nothing_is_concluded_for_beginnings_when_the_end_decides() -> None:
    reduction = TraceReduction(memory=Memory())
    trace = [event("a"), event("b"), event("c"), event("d")]
    assert len(reduce_trace(trace, Inline(judged_at_end), reduction).trace) == 2


def test_a_budget_ends_with_the_best_so_far() -> None:
    result = reduce_trace(
        FAILING,
        Inline(lambda trace: Verdict(Outcome.FAIL if event("empty") in trace else Outcome.PASS)),
        TraceReduction(),
        budget=Budget(tests=3),
    )
    assert not result.run.finished
    assert event("empty") in result.trace


def test_positions_tell_where_the_kept_events_stood() -> None:
    assert positions(reduce_events(FAILING, Cart(), rules=rules(*R1_TO_R4)).trace) == [0, 7]


PAIRED = [event("open"), event("add", 1), event("add", 2), event("delete", 1), event("delete", 2), event("empty")]


@pytest.mark.parametrize("stops", [False, True])
def test_events_that_undo_each_other_go_together(stops: bool) -> None:
    oracle = ReplayOracle.of(Cart(), skipping=not stops)
    result = reduce_trace(PAIRED, Inline(oracle), TraceReduction(arguments=False))
    assert [str(kept) for kept in result.trace] == ["open", "empty"]


def test_an_event_that_cannot_be_fired_any_more_goes_with_the_one_it_needed_and_says_so() -> None:
    trace = [event("open"), *(event(name, i) for i in range(20) for name in ("add", "delete")), event("empty")]
    result = reduce_events(trace, Cart(), arguments=False)
    assert positions(result.trace) == [0, 41]
    assert result.run.tally.tests <= 3


@pytest.mark.parametrize("app", APPS)
def test_sessions_of_an_application_leave_no_more_events_than_ddmin_in_all_and_fire_fewer(app: type[App]) -> None:
    fired, left = Counter[str](), Counter[str]()
    for bug in range(1, app.bugs + 1):
        trace = session(app, bug, 60, seed=bug)
        for algorithm in ("default", "ddmin"):
            result = reduce_events(trace, app(bug), algorithm=algorithm, arguments=False)
            left[algorithm] += len(result.trace)
            fired[algorithm] += result.events_fired
            oracle = ReplayOracle.of(app(bug), "Bug")
            assert oracle(result.trace).outcome is Outcome.FAIL
            for i in range(len(result.trace)):
                assert oracle((*result.trace[:i], *result.trace[i + 1 :])).outcome is not Outcome.FAIL
    assert left["default"] <= left["ddmin"]
    assert fired["default"] < 0.7 * fired["ddmin"]
