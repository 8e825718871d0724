"""The steps of a report, in which only the words of the result can be read."""

from __future__ import annotations

from itertools import pairwise

from minrepro.core.verdicts import Outcome
from minrepro.reports.replayed_steps import Mask, replayed_steps
from minrepro.reports.report import Report
from minrepro.reports.timeline import Timeline, TimelineStep
from minrepro.runs.history.recorded_run import AcceptedStep


def test_words_that_are_not_shown_are_hidden_in_their_length() -> None:
    assert Mask("to = x")("from: Ann, to: 𝒳y x") == "▒▒▒▒: ▒▒▒, to: ▒▒▒ x"


def test_the_steps_lead_to_the_result_and_tell_no_other_word() -> None:
    contents = [b"Ann: 1\nkey: 2\nend 3\n", b"key: 2\nend 3\n", b"key: 2\n"]
    timeline = Timeline(contents[0])
    for before, after in pairwise(contents):
        timeline.add(TimelineStep(1, 0.0, AcceptedStep.between(before, after, "lines", Outcome.FAIL, smallest=True)))
    told = replayed_steps(Report("in.txt", "./check in.txt", "", timeline, contents[-1], ""))
    text = told["first"]
    assert text == "▒▒▒: ▒\nkey: 2\n▒▒▒ ▒\n"
    for step in told["steps"]:
        text = text[: step["start"]] + step["middle"] + text[step["end"] :]
    assert text == "key: 2\n"
    open_told = replayed_steps(Report("in.txt", "", "", timeline, contents[-1], "", with_original=True))
    assert open_told["first"].encode() == contents[0]
