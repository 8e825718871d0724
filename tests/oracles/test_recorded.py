"""Which line is the failure, for recorded outputs of many programs (`recorded/record.py` makes them)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from minrepro.core.invocations import ProcessEnd
from minrepro.oracles.deriving import Observed, failure_of, possible_failures
from minrepro.oracles.diagnostics import Context
from minrepro.oracles.failure import FailureSpec

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.json"))


def ending(run: dict[str, Any]) -> ProcessEnd:
    return ProcessEnd(run["status"], 0.1, run["stdout"].encode(), run["stderr"].encode())


def observed(case: dict[str, Any]) -> Observed:
    runs = case["runs"]
    probes = {name: ending(run) for name, run in runs.items() if name not in ("input", "word")}
    return Observed([ending(run) for run in runs["input"]], probes)


def derived(case: dict[str, Any]) -> tuple[str, FailureSpec]:
    """Return the failure that is derived from a recording, as it is shown and as it is judged by."""
    seen = observed(case)
    context = Context.of(case["input"].encode(), [Path(case["name"]).name], ["/home/ann/project"])
    context = context.seeing(run.stdout + run.stderr for run in seen.runs)
    possible = possible_failures(seen, context)
    assert possible, "nothing is derived"
    return possible[0].shown, failure_of(seen, possible[0], context)


def collapsed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in RECORDED])
def test_the_line_that_a_person_means_is_derived(path: Path) -> None:
    case = json.loads(path.read_text())
    shown, failure = derived(case)
    assert collapsed(case["derived"]) in collapsed(shown)
    assert collapsed(shown) not in map(collapsed, case["not"])
    seen = observed(case)
    assert [failure.difference(run) for run in seen.runs] == ["", ""]
    assert failure.difference(seen.probes["empty"]) != ""
