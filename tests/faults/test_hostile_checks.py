"""Checks that try to destroy what is not theirs; `python -m benchmarks.faults.hostile` tries many more."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from benchmarks.faults.hostile import CAGED, DIRECT, INDIRECT, PLACES, Attack, attacks, survived

from minrepro.core.containment import OFF, ON

pytestmark = pytest.mark.processes

ALL = list(attacks(144, random.Random(1)))
INSIDE = {attack.name: attack for number, attack in enumerate(ALL) if attack.mode == ON and number % len(PLACES) == 0}
INSIDE |= {attack.name: attack for attack in ALL if attack.mode == ON and attack.name not in INSIDE}
OUTSIDE = {attack.name: attack for attack in ALL if attack.mode == OFF}


def test_every_way_is_tried() -> None:
    assert INSIDE.keys() == {*DIRECT, *CAGED, *INDIRECT}
    assert OUTSIDE.keys() == set(INDIRECT)


@pytest.mark.usefixtures("sandboxes")
@pytest.mark.parametrize("attack", INSIDE.values(), ids=INSIDE.keys())
def test_in_a_sandbox_nothing_is_lost_to_a_check_that(attack: Attack, tmp_path: Path) -> None:
    assert survived(attack, tmp_path) == ""


@pytest.mark.parametrize("attack", OUTSIDE.values(), ids=OUTSIDE.keys())
def test_without_a_sandbox_minrepro_itself_does_no_harm_for_a_check_that(attack: Attack, tmp_path: Path) -> None:
    assert survived(attack, tmp_path) == ""
