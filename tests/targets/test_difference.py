"""The smallest difference between a passing and a failing text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from minrepro.core.search import solve
from minrepro.core.verdicts import Outcome
from minrepro.documents.differences import Changes
from minrepro.documents.text import CUTTERS
from minrepro.targets.difference import isolate_texts

texts = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\xff", b"\n"]), max_size=12).map(b"".join)


@given(texts, texts)
def test_isolation_gives_a_passing_and_a_failing_text_that_differ_by_little(passing: bytes, rest: bytes) -> None:
    passing = passing.replace(b"b", b"a")
    failing = b"b" + rest

    def test(case: bytes) -> Outcome:
        return Outcome.FAIL if b"b" in case else Outcome.PASS

    less, more = solve(isolate_texts(passing, failing, [CUTTERS["lines"], CUTTERS["bytes"]]), test)
    assert test(less) is Outcome.PASS
    assert test(more) is Outcome.FAIL
    assert len(Changes(less, more, CUTTERS["bytes"])) == 1
