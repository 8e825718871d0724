from __future__ import annotations

from pathlib import Path

import pytest

from minrepro.errors import InputError, OutputError
from minrepro.traces import trace_formats
from minrepro.traces.user_events import Event

TRACE = (Event("open"), Event("add", (1,)))


@pytest.mark.parametrize("kind", ["jsonl", "xml", "log"])
def test_every_format_is_known_by_its_content(kind: trace_formats.Format) -> None:
    log, found = trace_formats.parse(trace_formats.rendered(TRACE, kind), "a trace")
    assert found == kind
    assert log.trace == TRACE


def test_a_recording_is_known_by_its_steps() -> None:
    log, found = trace_formats.parse('{"title": "x", "steps": [{"type": "click", "selectors": [["#a"]]}]}', "r.json")
    assert (found, str(log.trace[0])) == ("recorder", "click #a")
    assert trace_formats.parse(trace_formats.rendered(log.trace, found, log), "again")[0].head == {"title": "x"}


def test_a_file_that_is_missing_or_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name, message in (("missing", "cannot read"), ("binary", "not UTF-8 text")):
        with pytest.raises(InputError, match=message):
            trace_formats.read(tmp_path / name)


def test_a_result_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot write"):
        trace_formats.write(tmp_path / "no folder" / "x", "")
