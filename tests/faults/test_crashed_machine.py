"""What a crash of the machine can leave of a journal and of a result: every end and every hole that a disk may have."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from minrepro.runs.history.record_file import RecordFile, read_records
from minrepro.targets.result_file import ResultFile

SECTOR = 64
"""Bytes that reach the disk together; real ones are larger, which leaves fewer states."""


def journal(path: Path, rng: random.Random) -> tuple[list[Any], int, int]:
    """Write records, with the disk waited for once; return them, how many are on the disk, and their bytes."""
    file = RecordFile(path)
    records: list[Any] = [[number, "x" * rng.randint(0, 90)] for number in range(rng.randint(6, 12))]
    synced = rng.randint(0, len(records) - 4)
    for record in records[:synced]:
        file.append(record)
    file.sync()
    size = path.stat().st_size
    for record in records[synced:]:
        file.append(record)
    file.close()
    return records, synced, size


@pytest.mark.parametrize("seed", range(8))
def test_a_journal_cut_anywhere_behind_what_was_synced_loses_only_its_end(tmp_path: Path, seed: int) -> None:
    records, synced, size = journal(tmp_path / "journal", random.Random(seed))
    whole = (tmp_path / "journal").read_bytes()
    for end in range(size, len(whole) + 1):
        (tmp_path / "torn").write_bytes(whole[:end])
        found, length = read_records(tmp_path / "torn")
        assert found == records[: len(found)]
        assert len(found) >= synced
        assert length <= end


@pytest.mark.parametrize("seed", range(8))
def test_a_journal_with_holes_behind_what_was_synced_loses_only_what_follows(tmp_path: Path, seed: int) -> None:
    records, synced, size = journal(tmp_path / "journal", random.Random(seed))
    whole = (tmp_path / "journal").read_bytes()
    sectors = range(size, len(whole), SECTOR)
    for lost in itertools.product((False, True), repeat=min(len(sectors), 9)):
        torn = bytearray(whole)
        for start, is_lost in zip(sectors, lost, strict=False):
            if is_lost:
                torn[start : start + SECTOR] = bytes(len(torn[start : start + SECTOR]))
        (tmp_path / "torn").write_bytes(torn)
        found, length = read_records(tmp_path / "torn")
        assert found == records[: len(found)]
        assert len(found) >= synced
        file = RecordFile(tmp_path / "torn", new=False)
        file.cut(length)
        file.append(["more"])
        file.close()
        assert read_records(tmp_path / "torn")[0] == [*found, ["more"]]


def failing_at(call: Callable[..., Any], number: int, error: OSError | MemoryError) -> Callable[..., Any]:
    """Return a function that fails when it is called so often."""
    left = itertools.count(number, -1)

    def called(*args: Any, **named: Any) -> Any:
        if not next(left):
            raise error
        return call(*args, **named)

    return called


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), OSError(28, "No space left on device")])
@pytest.mark.parametrize("name", ["write", "ftruncate", "fdatasync"])
@pytest.mark.parametrize("number", range(4))
def test_a_journal_whose_disk_fails_at_any_call_holds_what_came_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, number: int, error: OSError
) -> None:
    file = RecordFile(tmp_path / "journal")
    monkeypatch.setattr(os, name, failing_at(getattr(os, name), number, error))
    written = []
    for serial in range(6):
        try:
            file.append([serial])
            written.append([serial])
            file.sync()
        except OSError:
            break
    monkeypatch.undo()
    file.close()
    assert read_records(tmp_path / "journal")[0] == written


CALLS = [(os, "fdopen"), (os, "fchmod"), (os, "fdatasync"), (Path, "replace")]


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), MemoryError()])
@pytest.mark.parametrize(("place", "name"), CALLS, ids=[name for _, name in CALLS])
def test_a_result_whose_disk_fails_at_any_call_is_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Any, name: str, error: OSError | MemoryError
) -> None:
    store = ResultFile(tmp_path / "result")
    store.write(b"before")
    monkeypatch.setattr(place, name, failing_at(getattr(place, name), 0, error))
    with pytest.raises((Exception, MemoryError)):
        store.write(b"after")
    monkeypatch.undo()
    assert {path.name for path in tmp_path.iterdir()} == {"result"}
    assert (tmp_path / "result").read_bytes() == b"before"
    store.write(b"after")
    assert (tmp_path / "result").read_bytes() == b"after"


def test_a_result_is_on_the_disk_before_it_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def noted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any) -> Any:
            done.append(name)
            return call(*args)

        return called

    monkeypatch.setattr(os, "fdatasync", noted("sync", os.fdatasync))
    monkeypatch.setattr(Path, "replace", noted("replace", Path.replace))
    store = ResultFile(tmp_path / "result")
    for content in (b"one", b"two"):
        store.write(content)
    assert done == ["sync", "replace"] * 2
