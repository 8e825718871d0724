"""Sequences of user events: logs, rules mined from them, rewriting, and reduction by replay."""

from minrepro.traces.app_replay import CannotFire, IsolatedReplay, Replay, ReplayOracle
from minrepro.traces.prefix_memory import PrefixMemory
from minrepro.traces.rewriting import Rewriting, RuleApplication, rewrite
from minrepro.traces.rules import Rule, RuleKind
from minrepro.traces.state_abstraction import Abstraction
from minrepro.traces.trace_api import learn_rules, reduce_events
from minrepro.traces.trace_reduction import Reason, TraceReduction, TraceResult, reduce_trace
from minrepro.traces.user_events import Entry, Event, Log, Trace

__all__ = [
    "Abstraction",
    "CannotFire",
    "Entry",
    "Event",
    "IsolatedReplay",
    "Log",
    "PrefixMemory",
    "Reason",
    "Replay",
    "ReplayOracle",
    "Rewriting",
    "Rule",
    "RuleApplication",
    "RuleKind",
    "Trace",
    "TraceReduction",
    "TraceResult",
    "learn_rules",
    "reduce_events",
    "reduce_trace",
    "rewrite",
]
