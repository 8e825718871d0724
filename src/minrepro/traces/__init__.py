"""Sequences of user events: logs, rules mined from them, rewriting, and reduction by replay."""

from minrepro.traces.abstraction import Abstraction
from minrepro.traces.events import Entry, Event, Log, Trace
from minrepro.traces.library import learn_rules, reduce_events
from minrepro.traces.memory import PrefixMemory
from minrepro.traces.reduction import Reason, TraceReduction, TraceResult, reduce_trace
from minrepro.traces.replay import CannotFire, IsolatedReplay, Replay, ReplayOracle
from minrepro.traces.rewrite import Application, Rewriting, rewrite
from minrepro.traces.rules import Kind, Rule

__all__ = [
    "Abstraction",
    "Application",
    "CannotFire",
    "Entry",
    "Event",
    "IsolatedReplay",
    "Kind",
    "Log",
    "PrefixMemory",
    "Reason",
    "Replay",
    "ReplayOracle",
    "Rewriting",
    "Rule",
    "Trace",
    "TraceReduction",
    "TraceResult",
    "learn_rules",
    "reduce_events",
    "reduce_trace",
    "rewrite",
]
