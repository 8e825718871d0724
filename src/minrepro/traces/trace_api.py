"""Traces from Python in one call: learn rules from logs, and reduce a failing trace on an application."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from minrepro.core.events import Listener, ignore
from minrepro.engine.memory import Memory
from minrepro.executors.inline import Inline
from minrepro.settings import Budget
from minrepro.traces.app_replay import Replay, ReplayOracle
from minrepro.traces.mining import NAMED, accepted, mine, witnessed
from minrepro.traces.prefix_memory import PrefixMemory
from minrepro.traces.rule_completion import complete
from minrepro.traces.rules import Rule, RuleKind
from minrepro.traces.state_abstraction import Abstraction
from minrepro.traces.trace_reduction import Algorithm, TraceReduction, TraceResult, reduce_trace
from minrepro.traces.user_events import Event, Log
from minrepro.traces.witnesses import sessions, witnesses_of


def learn_rules(
    logs: Iterable[Log],
    *,
    confidence: float = 0.9,
    kinds: Collection[RuleKind] = NAMED,
    longest: int = 3,
    abstraction: Abstraction | None = None,
    with_arguments: bool = True,
    completed: bool = True,
    implied: bool = False,
) -> tuple[Rule, ...]:
    """Return the rules that logs give reason to believe, and what follows from them without being refuted.

    With `implied` they are those that logs witness, whether they follow from each other or not, and no others.
    """
    ready = sessions(logs, abstraction, with_arguments)
    mined = mine(ready, kinds, longest)
    if implied:
        return witnessed(mined, confidence)
    rules = accepted(mined, confidence)
    if not completed:
        return rules
    return complete(rules, lambda rule: any(not witness.positive for witness in witnesses_of(rule, ready)))


def reduce_events(
    trace: Iterable[Event],
    replay: Replay,
    *,
    rules: Iterable[Rule] = (),
    failure: str | None = None,
    algorithm: Algorithm = "default",
    arguments: bool = True,
    judged_at_end: bool = False,
    budget: Budget | None = None,
    notify: Listener = ignore,
) -> TraceResult:
    """Return the smallest trace with which an application still fails; `failure` is a part of its signature.

    Events that cannot be fired are left out, unless a published algorithm is wanted.
    With `judged_at_end` a replay's end decides, and nothing is concluded for the beginnings of a trace.
    """
    memory = Memory() if judged_at_end else PrefixMemory()
    reduction = TraceReduction(tuple(rules), algorithm, arguments, memory)
    executor = Inline(ReplayOracle.of(replay, failure, skipping=reduction.skipping))
    try:
        return reduce_trace(trace, executor, reduction, budget=budget, notify=notify)
    finally:
        executor.close()
