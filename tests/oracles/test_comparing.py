"""Lines without a word of failure, which tell of one by comparison."""

from __future__ import annotations

from minrepro.core.invocations import ProcessEnd
from minrepro.oracles.comparing import told_by_failing
from minrepro.oracles.diagnostics import Context
from minrepro.oracles.kinds import read_lines

PLAN = [f"stop{number} weight={number}" for number in range(20)]
CONTEXT = Context.of("\n".join([*PLAN, "stop99 weight=920"]).encode(), ["plan.txt"])
PRINTED = [f"looking at stop{number}" for number in range(20)] + ["stop99 weighs 920, the van takes 100", "all seen"]


def told(passing: list[str], status: int = 0) -> list[str]:
    lines = read_lines("\n".join(PRINTED), stderr=False)
    numbers = told_by_failing(lines, [ProcessEnd(status, 0.1, "\n".join(passing).encode(), b"")], CONTEXT)
    return [PRINTED[number] for number in sorted(numbers)]


def test_what_a_run_without_the_failure_says_of_other_things_is_not_the_failure() -> None:
    assert told(["looking at stop3", "all seen"]) == ["stop99 weighs 920, the van takes 100"]


def test_what_is_said_all_the_time_is_not_the_failure() -> None:
    assert told(["all seen"]) == ["stop99 weighs 920, the van takes 100"]


def test_nothing_is_told_where_no_run_succeeds() -> None:
    assert told(["all seen"], status=1) == []
