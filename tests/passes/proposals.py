"""What passes propose, as text that is easy to compare."""

from __future__ import annotations

from minrepro.core.edits import apply
from minrepro.documents.snapshot import Snapshot
from minrepro.passes import Propose


def proposed(propose: Propose, text: str, language: str | None) -> list[str]:
    """Return what each alternative of each unit would leave of a text, with single spaces."""
    subject = Snapshot(text.encode(), language)
    edits = [edit for units in propose(subject) for unit in units for edit in unit.edits]
    return [" ".join(apply(subject.content, edit, subject.join).decode().split()) for edit in edits]
