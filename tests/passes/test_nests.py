"""The default reducer on deep nests."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from minrepro.core.verdicts import Outcome
from minrepro.engine.default_reducer import default_reducer
from minrepro.engine.tester import Tester
from minrepro.testing import SimulatedExecutor


@pytest.mark.parametrize(
    ("name", "text", "needed"),
    [
        ("a.json", b"[" * 20_000 + b"1" + b"]" * 20_000, b"1"),
        ("a.js", b"a = " + b"(" * 2000 + b"x" + b")" * 2000 + b";\n", b"x"),
        ("a.xml", b"<a>" * 300 + b"x" + b"</a>" * 300, b"<a>x"),
    ],
)
def test_a_deep_nest_goes_in_a_few_dozen_tests(name: str, text: bytes, needed: bytes) -> None:
    cases: set[bytes] = set()

    def fails(case: bytes) -> Outcome:
        cases.add(case)
        return Outcome.FAIL if needed in case else Outcome.PASS

    result = default_reducer(PurePath(name), text, deterministic=True)(
        text, Tester(SimulatedExecutor(fails)), lambda case, label, verdict: None
    )
    assert len(result) <= len(needed) + len(b"</a>")
    assert len(cases) < 100
