"""How many runs tell how much: against exact sums, and against what the methods promise."""

from __future__ import annotations

import random
import statistics
from math import comb

import pytest

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.flaky_statistics import Observations, Trial, bounds, runs_to_see


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.999])
def test_runs_to_see_are_just_enough(rate: float, confidence: float) -> None:
    runs = runs_to_see(rate, confidence)
    assert (1 - rate) ** runs <= 1 - confidence + 1e-9
    assert runs == 1 or (1 - rate) ** (runs - 1) > 1 - confidence


def test_what_always_happens_shows_at_once() -> None:
    assert runs_to_see(1.0) == 1


@pytest.mark.parametrize("runs", [1, 5, 20, 60])
def test_bounds_hold_every_rate_as_often_as_promised(runs: int) -> None:
    table = [bounds(hits, runs) for hits in range(runs + 1)]
    for rate in (0.01, 0.1, 0.4, 0.5, 0.7, 0.9, 0.98):
        covered = sum(
            comb(runs, hits) * rate**hits * (1 - rate) ** (runs - hits)
            for hits, (low, high) in enumerate(table)
            if low <= rate <= high
        )
        assert covered >= 0.95


def test_bounds_at_the_ends_are_closed() -> None:
    assert bounds(0, 10) == pytest.approx((0.0, 1 - 0.025 ** (1 / 10)))
    assert bounds(10, 10) == pytest.approx((0.025 ** (1 / 10), 1.0))


def outcome_of(trial: Trial, rate: float, rng: random.Random) -> tuple[bool, int]:
    hits = misses = 0
    while (decided := trial.decided(hits, misses)) is None:
        if rng.random() < rate:
            hits += 1
        else:
            misses += 1
    return decided, hits + misses


@pytest.mark.parametrize("expected", [1.0, 0.9, 0.7, 0.4])
def test_a_trial_errs_no_more_often_than_it_may(expected: float) -> None:
    rng = random.Random(1)
    trial = Trial(expected, expected / 2, lucky=0.01, missed=0.05)
    refused = sum(not outcome_of(trial, expected, rng)[0] for _ in range(2000))
    accepted = sum(outcome_of(trial, expected / 4, rng)[0] for _ in range(2000))
    # Wald's bounds, with room for four standard deviations of the sample.
    assert refused <= 2000 * 0.05 + 4 * (2000 * 0.05) ** 0.5
    assert accepted <= 2000 * 0.01 + 4 * (2000 * 0.01) ** 0.5


def test_a_case_that_never_fails_is_soon_refused() -> None:
    rng = random.Random(1)
    assert outcome_of(Trial(1.0, 0.5), 0.0, rng) == (False, 2)
    assert outcome_of(Trial(0.4, 0.2), 0.0, rng) == (False, 10)


@pytest.mark.parametrize("trial", [Trial(1.0, 0.5), Trial(0.4, 0.2), Trial(0.1, 0.3)])
def test_at_least_is_the_number_of_like_runs_that_decide(trial: Trial) -> None:
    for hits in range(4):
        for misses in range(4):
            if trial.decided(hits, misses) is None:
                more = trial.at_least(hits, misses)
                assert trial.decided(hits + more, misses) is not None or trial.decided(hits, misses + more) is not None
                assert trial.decided(hits + more - 1, misses) is None
                assert trial.decided(hits, misses + more - 1) is None


def test_evidence_of_one_run_is_its_verdict() -> None:
    evidence = Observations()
    verdict = Verdict(Outcome.FAIL, "exit 0", 0.5)
    evidence.add(verdict)
    assert evidence.verdict(True) is verdict


def test_evidence_of_several_runs_tells_how_many_failed() -> None:
    evidence = Observations()
    for outcome in (Outcome.FAIL, Outcome.PASS, Outcome.FAIL):
        evidence.add(Verdict(outcome, "seen"))
    assert evidence.verdict(True) == Verdict(Outcome.FAIL, "seen; reproduced in 2 of 3 check runs")
    assert evidence.verdict(False).outcome is Outcome.PASS


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.6, 0.9])
def test_the_number_of_runs_that_accept_a_candidate_is_known_before(rate: float) -> None:
    rng, trial = random.Random(1), Trial(rate, rate / 2)
    spent: list[int] = []
    while len(spent) < 300:
        hits = misses = 0
        while (fails := trial.decided(hits, misses)) is None:
            hit = rng.random() < rate
            hits, misses = hits + hit, misses + (not hit)
        if fails:
            spent.append(hits + misses)
    assert 0.8 < statistics.mean(spent) / trial.runs_to_accept < 1.35
