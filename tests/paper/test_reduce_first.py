"""Elyasov, Prasetya, Hage & Nikas, *Reduce first, debug later* (2014): figures 1 to 3 and algorithm 1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.algorithms.lists.rddmin import rddmin
from minrepro.core.search import Reduction, solve
from minrepro.core.verdicts import Outcome
from minrepro.traces.app_replay import ReplayOracle
from minrepro.traces.prefix_memory import PrefixMemory
from minrepro.traces.rewriting import rewrite
from minrepro.traces.state_abstraction import Abstraction
from minrepro.traces.trace_api import learn_rules
from minrepro.traces.trace_reduction import restarted
from minrepro.traces.user_events import Event, Trace, positions
from tests.traces.cart import FAILING, FIGURE_2, R1_TO_R4, R5, Cart, event, rules, says_the_same

ONE_WITNESS = 0.5
"""The confidence that a single witness gives: the log of figure 2 has no more for each rule."""


@pytest.mark.parametrize("rule", R1_TO_R4)
def test_the_log_of_figure_2_gives_rules_r1_to_r4(rule: str) -> None:
    mined = learn_rules([FIGURE_2], confidence=ONE_WITNESS)
    assert any(says_the_same(found, rule) for found in mined)


def test_the_log_of_figure_2_gives_nothing_at_the_usual_confidence() -> None:
    assert learn_rules([FIGURE_2], confidence=0.9) == ()


def test_r5_comes_out_only_without_the_variable_c() -> None:
    with_c = learn_rules([FIGURE_2], confidence=ONE_WITNESS)
    without_c = learn_rules([FIGURE_2], confidence=ONE_WITNESS, abstraction=Abstraction(drop=["C"]))
    assert not any(says_the_same(found, R5) for found in with_c)
    assert all(any(says_the_same(found, rule) for found in without_c) for rule in (*R1_TO_R4, R5))


def test_sequence_1_is_rewritten_to_open_and_the_last_empty() -> None:
    by_hand = rewrite(FAILING, rules(*R1_TO_R4))
    mined = rewrite(FAILING, learn_rules([FIGURE_2], confidence=ONE_WITNESS))
    assert by_hand.kept == mined.kept == (event("open"), event("empty"))
    assert positions(by_hand.kept) == [0, 7]


def test_sequence_1_is_rewritten_to_empty_with_r5() -> None:
    mined = learn_rules([FIGURE_2], confidence=ONE_WITNESS, abstraction=Abstraction(drop=["C"]))
    assert rewrite(FAILING, rules(*R1_TO_R4, R5)).kept == rewrite(FAILING, mined).kept == (event("empty"),)


def test_each_step_of_rewriting_names_its_rule() -> None:
    steps = [(str(step.rule), positions(step.removed)) for step in rewrite(FAILING, rules(*R1_TO_R4)).applications]
    r1, r2, r3, _ = R1_TO_R4
    assert steps == [(r1, [1]), (r2, [3, 5]), (r2, [4, 6]), (r3, [2])]


class Debugger:
    """Counts as figure 3 does: the different sequences that were asked for, and those that were replayed."""

    def __init__(self) -> None:
        self.required: set[Trace] = set()
        self.executed: list[int] = []
        self._memory = PrefixMemory()
        self._oracle = ReplayOracle.of(Cart(), failure="the cart is empty")

    def test(self, trace: Trace) -> Outcome:
        self.required.add(trace)
        verdict = self._memory.recall(trace)
        if verdict is None:
            verdict = self._oracle(trace)
            assert verdict.stopped_at is not None
            self.executed.append(verdict.stopped_at)
            self._memory.remember(trace, verdict)
        return verdict.outcome

    def minimize(self, config: Sequence[Event]) -> Reduction[Trace]:
        """The standard procedure as the figure draws it: complements before subsets, all behind a failure dropped."""
        standard = partial(ddmin, reduce="complements first")
        return restarted(tuple(config), standard, self._memory.shortest_failing)


def test_figure_3a_standard_ddmin_takes_14_steps_of_which_9_are_executed() -> None:
    debugger = Debugger()
    result = solve(debugger.minimize(FAILING), debugger.test)
    assert result == (event("open"), event("empty"))
    assert (len(debugger.required), len(debugger.executed)) == (14, 9)
    assert debugger.executed == [1, 4, 1, 4, 5, 6, 1, 1, 2]  # column T


def test_figure_3b_the_improved_procedure_takes_8_steps_of_which_5_are_executed() -> None:
    debugger = Debugger()
    reduction = rddmin(FAILING, [7], minimize=debugger.minimize, reduce="complements first")
    assert solve(reduction, debugger.test) == (event("open"), event("empty"))
    assert (len(debugger.required), len(debugger.executed)) == (8, 5)


Units = tuple[int, ...]


def run_algorithm_1(needed: set[int], guess: list[int]) -> tuple[Units, list[Units], Units]:
    """Return the result, what was tested, and what the minimiser was called with."""
    tested: list[Units] = []
    calls: list[Units] = []

    def minimize(config: Sequence[int]) -> Reduction[Units]:
        calls.append(tuple(config))
        return (yield from ddmin(config))

    def test(config: Units) -> Outcome:
        if not calls:
            tested.append(config)
        return Outcome.FAIL if needed <= set(config) else Outcome.PASS

    result = solve(rddmin(range(8), guess, minimize=minimize), test)
    (handed_over,) = calls
    return result, tested, handed_over


def test_algorithm_1_line_2_an_empty_reduction_leaves_all_to_ddmin() -> None:
    assert run_algorithm_1({3, 5}, []) == ((3, 5), [], tuple(range(8)))


def test_algorithm_1_line_4_a_reduction_that_fails_is_minimised() -> None:
    assert run_algorithm_1({3, 5}, [3, 5, 6]) == ((3, 5), [(3, 5, 6)], (3, 5, 6))


def test_algorithm_1_line_13_a_part_of_the_rest_makes_it_fail() -> None:
    result, tested, handed_over = run_algorithm_1({1, 7}, [7])
    assert (result, tested, handed_over) == ((1, 7), [(7,), (0, 1, 2, 7)], (0, 1, 2, 7))


def test_algorithm_1_line_16_a_complement_makes_it_fail() -> None:
    result, tested, handed_over = run_algorithm_1({0, 2, 5, 7}, [7])
    assert result == (0, 2, 5, 7)
    assert handed_over == tested[-1] == (0, 1, 2, 5, 6, 7)


def test_algorithm_1_line_17_the_rest_is_cut_finer() -> None:
    _, tested, _ = run_algorithm_1({0, 2, 5, 7}, [7])
    parts_of_two = [(7,), (0, 1, 2, 7), (3, 4, 5, 6, 7)]
    assert tested[:3] == parts_of_two
    assert len(tested) > 5


def test_algorithm_1_line_19_a_rest_that_never_fails_leaves_all_to_ddmin() -> None:
    result, tested, handed_over = run_algorithm_1({0, 1, 2, 3, 4, 5, 6, 7}, [7])
    assert (result, handed_over) == (tuple(range(8)), tuple(range(8)))
    assert min(map(len, tested[1:])) == 2  # cut into four, and no finer: line 9 asks for n < |C|


def test_any_minimiser_can_be_inside() -> None:
    complements_only = partial(ddmin, reduce="complements only")
    oracle = {2, 6}
    reduction = rddmin(range(10), [6], minimize=complements_only)
    assert solve(reduction, lambda c: Outcome.FAIL if oracle <= set(c) else Outcome.PASS) == (2, 6)
