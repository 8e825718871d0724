"""Events are told in their order: at once, or while the next tests run once something was accepted."""

from __future__ import annotations

import pytest

from minrepro.core.events import Accepted, RunEvent, Started, Warned
from minrepro.engine.publisher import Publisher

ACCEPTED = Accepted(b"a", 1, "step")


def test_what_comes_up_before_anybody_listens_is_told_first() -> None:
    publisher, heard = Publisher(), list[RunEvent]()
    publisher.warn("early")
    publisher.tell_to(heard.append)
    publisher.tell(Started(3))
    assert heard == [Warned("early"), Started(3)]


def test_what_was_accepted_and_all_after_it_waits_until_there_is_time() -> None:
    publisher, heard = Publisher(), list[RunEvent]()
    publisher.tell_to(heard.append)
    publisher.tell(ACCEPTED)
    publisher.warn("later")
    assert heard == []
    publisher.flush()
    assert heard == [ACCEPTED, Warned("later")]
    publisher.warn("at once")
    assert heard[-1] == Warned("at once")


def test_a_listener_that_breaks_hears_no_more() -> None:
    publisher, heard = Publisher(), list[RunEvent]()

    def broken(event: RunEvent) -> None:
        heard.append(event)
        raise ValueError

    publisher.tell_to(broken)
    publisher.tell(ACCEPTED)
    publisher.tell(ACCEPTED)
    with pytest.raises(ValueError):
        publisher.flush()
    publisher.flush()
    assert heard == [ACCEPTED]
