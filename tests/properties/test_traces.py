"""What must hold for every trace, rule set and log."""

from __future__ import annotations

import random
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from minrepro.core.verdicts import Outcome, Verdict
from minrepro.traces import fittest_logs, json_lines
from minrepro.traces.prefix_memory import PrefixMemory
from minrepro.traces.rewriting import rewrite
from minrepro.traces.rule_syntax import parse_rules, write_rules
from minrepro.traces.rules import Rule
from minrepro.traces.trace_api import learn_rules, reduce_events
from minrepro.traces.user_events import Entry, Event, Log, Trace, positions

names = st.sampled_from(["a", "b", "c"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
events = st.builds(lambda name, args: Event(name, tuple(args)), names, st.lists(st.integers(0, 2), max_size=2))


states = st.none() | st.dictionaries(st.text(max_size=3), values)
entries_with_states = st.builds(
    lambda name, args, state: Entry(Event(name, tuple(args)), state), texts, st.lists(values, max_size=3), states
)


@given(st.lists(entries_with_states))
def test_json_lines_are_read_back_as_they_were_written(entries: list[Entry]) -> None:
    again = json_lines.read(json_lines.write(entries), "log").entries
    assert [(entry.event, entry.state) for entry in again] == [(e.event, e.state) for e in entries]


@given(st.lists(st.tuples(texts, st.lists(st.integers() | texts, max_size=3))))
def test_fittest_logs_are_read_back_as_they_were_written(rows: list[tuple[str, list[object]]]) -> None:
    entries = [Entry(Event(name, tuple(args)), {"x": args}) for name, args in rows]
    for again in (
        fittest_logs.read_xml(fittest_logs.write_xml(entries), "log"),
        fittest_logs.read_raw(fittest_logs.write_raw(entries), "log"),
    ):
        assert [(entry.event, entry.state) for entry in again.entries] == [(e.event, e.state) for e in entries]


def session(seed: int, length: int) -> Log:
    """A session of a small application: two switches and a counter."""
    rng, state = random.Random(seed), _end(())
    entries = [Entry(None, dict(state))]
    for _ in range(length):
        name = rng.choice(["toggle", "set", "look"])
        args = {"toggle": (rng.choice(["on", "off"]),), "set": (rng.randrange(3),), "look": ()}[name]
        event = Event(name, args)
        _fire(state, event)
        entries.append(Entry(event, dict(state)))
    return Log(tuple(entries), f"session {seed}")


def _fire(state: dict[str, object], event: Event) -> None:
    if event.name == "toggle":
        state[event.args[0]] = not state[event.args[0]]
    elif event.name == "set":
        state["n"] = event.args[0]


def _end(trace: Trace) -> dict[str, object]:
    state: dict[str, object] = {"on": False, "off": False, "n": 0}
    for event in trace:
        _fire(state, event)
    return state


@cache
def learnt() -> tuple[Rule, ...]:
    return learn_rules([session(i, 150) for i in range(5)], confidence=0.99)


@given(st.integers(0, 10_000))
def test_rewriting_with_true_rules_keeps_the_end_state(seed: int) -> None:
    trace = session(seed, 40).trace
    rewritten = rewrite(trace, learnt())
    assert _end(rewritten.kept) == _end(trace)
    assert len(rewritten.kept) <= 4
    removed = [position for step in rewritten.applications for position in positions(step.removed)]
    assert sorted(removed + positions(rewritten.kept)) == list(range(40))


def test_mined_rules_are_read_back_as_they_were_written() -> None:
    again = parse_rules(write_rules(learnt()), "rules")
    assert {rule.statement for rule in again} == {rule.statement for rule in learnt()}


class _Automaton:
    """An application whose failure is a regular property, so that beginnings decide as they do in real replays."""

    def __init__(self, needed: list[Event]) -> None:
        self.needed = needed
        self.left: list[Event] = []

    def reset(self) -> None:
        self.left = list(self.needed)

    def fire(self, event: Event) -> None:
        if self.left and event == self.left[0]:
            self.left.pop(0)
            if not self.left:
                raise RuntimeError("whoops")


@given(st.lists(events, min_size=1, max_size=14), st.data())
def test_the_memory_never_contradicts_a_replay(trace: list[Event], data: st.DataObject) -> None:
    memory, app = PrefixMemory(), _Automaton(data.draw(st.lists(st.sampled_from(trace), min_size=1, max_size=3)))
    for _ in range(12):
        chosen = data.draw(st.lists(st.booleans(), min_size=len(trace), max_size=len(trace)))
        candidate = tuple(event for event, keep in zip(trace, chosen, strict=True) if keep)
        app.reset()
        verdict = Verdict(Outcome.PASS, stopped_at=len(candidate))
        for fired, event in enumerate(candidate, 1):
            try:
                app.fire(event)
            except RuntimeError:
                verdict = Verdict(Outcome.FAIL, stopped_at=fired)
                break
        known = memory.recall(candidate)
        assert known is None or known.outcome is verdict.outcome
        memory.remember(candidate, verdict)
        again = memory.recall(candidate)
        assert again is not None
        assert again.outcome is verdict.outcome


@given(st.lists(events, min_size=1, max_size=14), st.data())
def test_the_reduced_trace_is_1_minimal_whatever_the_rules_say(trace: list[Event], data: st.DataObject) -> None:
    picked = data.draw(st.sets(st.integers(0, len(trace) - 1), min_size=1, max_size=3))
    needed = [trace[i] for i in sorted(picked)]
    wrong = data.draw(st.lists(st.sampled_from(["[a(*p)] ≡ []", "[b(*p); c(*q)] ≡ [c(*q)]", "[a(*p); b(*q)] ≡ []"])))
    result = reduce_events(trace, _Automaton(needed), rules=parse_rules("\n".join(wrong), "r"), arguments=False)
    assert list(result.trace) == needed
