"""The course of a run, kept while it goes on."""

from __future__ import annotations

from functools import partial
from itertools import count
from pathlib import Path

from minrepro.algorithms.lists.ddmin import ddmin
from minrepro.core.events import tell_each
from minrepro.core.verdicts import Outcome
from minrepro.documents.text import CUTTERS, reduce_text
from minrepro.engine.run import Run
from minrepro.executors.inline import Inline
from minrepro.oracles.function import FunctionOracle
from minrepro.reports.timeline import Timeline, from_story
from minrepro.runs.history.journal import Journal
from minrepro.runs.history.recorded_run import RunQuestion, read_story

ORIGINAL = b"".join(b"line %d\n" % number for number in range(40))


def test_the_steps_lead_from_the_original_to_the_result() -> None:
    ticks = count()
    chronicle = Timeline(ORIGINAL, clock=lambda: float(next(ticks)))
    run: Run[bytes] = Run(Inline(FunctionOracle(lambda case: b"line 7\n" in case)), notify=chronicle)
    result = run.reduce(ORIGINAL, partial(reduce_text, minimize=ddmin, cutters=[CUTTERS["lines"]]), empty=b"")
    content = ORIGINAL
    for moment in chronicle.moments:
        content = moment.step.applied(content)
    assert content == result.case == chronicle.last == b"line 7\n"
    assert chronicle.tests == result.tally.tests
    sizes = [moment.step.size for moment in chronicle.moments]
    assert sizes == sorted(sizes, reverse=True)
    assert [m.tests for m in chronicle.moments] == sorted(m.tests for m in chronicle.moments)
    assert [m.seconds for m in chronicle.moments] == sorted(m.seconds for m in chronicle.moments)
    assert sum(earned.saved for earned in chronicle.earnings.values()) == len(ORIGINAL) - len(result.case)
    assert sum(earned.tests for earned in chronicle.earnings.values()) == chronicle.tests


def test_a_journal_tells_the_same_course(tmp_path: Path) -> None:
    asked = RunQuestion([], str(tmp_path), "", {}, {}, {})
    journal = Journal.begin(tmp_path / "state", asked, {Outcome.FAIL: ORIGINAL}, 1)
    kept = Timeline(ORIGINAL)
    run: Run[bytes] = Run(Inline(FunctionOracle(lambda case: b"line 7\n" in case)), notify=tell_each(journal, kept))
    run.reduce(ORIGINAL, partial(reduce_text, minimize=ddmin, cutters=[CUTTERS["lines"]]), empty=b"")
    path = journal.story.path
    journal.close()
    told = from_story(read_story(path)[0], ORIGINAL)
    assert [moment.step.size for moment in told.moments] == [moment.step.size for moment in kept.moments]
    assert told.last == kept.last
    assert told.seconds_mean == "seconds in checks"
