"""What the golden check calls things by: the one file to edit when modules move, or options and keys are renamed.

The cases themselves use the command line and `import minrepro`; what they need besides is imported here, under names
of their own.
"""

from __future__ import annotations

from minrepro.algorithms.algorithm_registry import LIST_ALGORITHMS as LIST_ALGORITHMS
from minrepro.algorithms.algorithm_registry import list_minimizer
from minrepro.algorithms.lists.dd import dd as isolate_list
from minrepro.algorithms.trees.tree_registry import TREE_ALGORITHMS as TREE_ALGORITHMS
from minrepro.algorithms.trees.tree_registry import reduce_tree
from minrepro.core.events import Accepted, RunEvent, Tested
from minrepro.core.search import embed
from minrepro.core.verdicts import Outcome
from minrepro.documents.packed_files import PackedFiles as PackedFiles
from minrepro.documents.syntax.open_tree import open_tree
from minrepro.engine.default_reducer import default_reducer
from minrepro.engine.files_reducer import files_reducer
from minrepro.engine.run import Run
from minrepro.settings import DdminOptions
from minrepro.testing import SimulatedExecutor
from minrepro.traces.app_replay import CannotFire
from minrepro.traces.trace_api import learn_rules, reduce_events
from minrepro.traces.trace_formats import read as read_log
from minrepro.traces.user_events import Event

__all__ = [
    "LIST_ALGORITHMS",
    "TREE_ALGORITHMS",
    "Accepted",
    "CannotFire",
    "DdminOptions",
    "Event",
    "Outcome",
    "PackedFiles",
    "Run",
    "RunEvent",
    "SimulatedExecutor",
    "Tested",
    "default_reducer",
    "embed",
    "files_reducer",
    "isolate_list",
    "learn_rules",
    "list_minimizer",
    "open_tree",
    "read_log",
    "reduce_events",
    "reduce_tree",
]


class Command:
    """The commands that the cases run, as words."""

    REDUCE = ("reduce",)
    ISOLATE = ("isolate",)
    RESUME = ("resume",)
    SHOW = ("show",)
    TRACES_REDUCE = ("traces", "reduce")
    TRACES_RULES = ("traces", "rules")
    TRACES_REWRITE = ("traces", "rewrite")
    WEB_REDUCE = ("web", "reduce")
    WEB_EXPORT = ("web", "export")


COMMANDS = (
    "reduce",
    "isolate",
    "explain",
    "report",
    "lint",
    "tree",
    "languages",
    "traces",
    "traces rules",
    "traces rewrite",
    "traces reduce",
    "web",
    "web reduce",
    "web replay",
    "web record",
    "web explore",
    "web export",
    "web ui",
    "resume",
    "list",
    "show",
    "clean",
)
"""All commands, whose options are pinned."""


class Option:
    """The options that the cases use."""

    ALGORITHM = "--algorithm"
    ALL_HELP = "--help"
    BUDGET = "--max-tests"
    CONFIDENCE = "--confidence"
    DETERMINISTIC = "--deterministic"
    DROP = "--state-drop"
    EFFORT = "--effort"
    FACTOR = "--ddmin-factor"
    GOLF = "--minify"
    IN_PLACE = "--in-place"
    JOBS = "-j"
    JSON = "--json"
    JUDGED_AT_END = "--final-state-only"
    LOGS = "--logs"
    NO_ARGUMENTS = "--keep-arguments"
    ORIGIN = "--base-url"
    OUTPUT = "-o"
    PARALLEL = "--parallel-mode"
    QUIET = "-q"
    REPRODUCTION = "--flaky"
    RULES = "--rules"
    SAME_FAILURE = "--same-failure"
    STATE = "--state-dir"
    TIMEOUT = "--timeout"
    TO = "--to"
    UNITS = "--units"
    WRITABLE = "--writable"


class Key:
    """The keys of `--json` that the cases read."""

    ACCEPTED = "accepted"
    """In what is shown of a journal: a list of records with LABEL, SIZE, OUTCOME."""
    LABEL = "label"
    SIZE = "size"
    OUTCOME = "outcome"
    FINISHED = "finished"
    TESTS = "checks"
    REMEMBERED = "cache_hits"
    OUTCOMES = "outcomes"
    PAPERS = {"reproduced": "fail", "not_reproduced": "pass"}  # noqa: RUF012 - outcomes in the words of the record
    EVENTS_BEFORE = "events_before"
    EVENTS_AFTER = "events_after"
    EVENTS_FIRED = "events_fired"
    KEPT = "kept"
