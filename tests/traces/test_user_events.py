from __future__ import annotations

from minrepro.traces.user_events import Event, numbered, positions


def test_events_are_equal_by_name_and_arguments_only() -> None:
    one = Event("add", ({"b": 1, "a": 2},), position=1, extra={"time": 3})
    other = Event("add", ({"a": 2, "b": 1},), position=5)
    assert one == other
    assert hash(one) == hash(other)
    assert one != Event("add", (1,))


def test_a_number_and_its_text_are_different_arguments() -> None:
    assert Event("add", (1,)) != Event("add", ("1",))


def test_an_event_reads_as_a_call() -> None:
    assert str(Event("add", (1, "x"))) == 'add(1, "x")'
    assert str(Event("open")) == "open"


def test_numbered_events_know_where_they_stood() -> None:
    assert positions(numbered([Event("a"), Event("b")])[1:]) == [1]
