"""What is asked of a way of testing that is quicker than a fresh process."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol


class QuickWay(Protocol):
    """A way of testing that is quicker than a fresh process, and not quite as certain."""

    @property
    def on(self) -> bool:
        """Whether tests are run that way."""
        ...

    def fresh(self) -> AbstractContextManager[None]:
        """Have the tests that are begun inside run by fresh processes."""
        ...

    def turn_off(self, why: str) -> None:
        """Have all further tests run by fresh processes."""
        ...
