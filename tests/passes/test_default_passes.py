"""The passes are there for every language, and other packages can bring more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePath

import pytest

from minrepro import plugins
from minrepro.core.verdicts import Outcome
from minrepro.documents.snapshot import Snapshot
from minrepro.engine.default_reducer import DefaultReducer, default_reducer
from minrepro.engine.tester import Tester
from minrepro.errors import UsageError
from minrepro.passes import Pass, default_passes
from minrepro.testing import SimulatedExecutor

PAGE = Path(__file__).parents[2] / "docs" / "writing-a-pass.md"


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    plugins.forget()
    yield
    plugins.forget()


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, value: str) -> None:
    """Install a package that brings a pass."""
    about = folder / "extra-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: extra\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[minrepro.passes]\nextra = {value}\n")
    monkeypatch.syspath_prepend(folder)


def test_names_are_unique() -> None:
    for language in (None, "c"):
        names = [each.name for each in default_passes.passes_for(language, golf=True)]
        assert len(names) == len(set(names))


def test_what_a_grammar_does_not_understand_is_left_to_the_passes_for_plain_text() -> None:
    names = [each.name for each in default_passes.passes_for("sql", golf=True, understood=False)]
    assert len(names) == len(set(names))
    assert {each.name for each in (*default_passes.TREE, *default_passes.PLAIN)} <= set(names)
    assert "lines" not in [each.name for each in default_passes.passes_for("sql")]


@pytest.mark.parametrize("language", ["c", None])
def test_what_only_saves_bytes_has_its_turn_only_where_every_byte_counts(language: str | None) -> None:
    golf = {each.name for each in default_passes.passes_for(language, golf=True)}
    default = {each.name for each in default_passes.passes_for(language)}
    assert {"short-names", "whitespace"} <= golf - default
    assert "tokens" in default and default < golf


def test_an_installed_package_brings_a_pass(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "extra_pass.py").write_text(
        "from minrepro.passes import Pass\nextra = Pass('extra', lambda subject: [])\n"
    )
    install(monkeypatch, tmp_path, "extra_pass:extra")
    assert default_passes.passes_for("c")[-1].name == "extra"


def test_what_is_brought_must_be_a_pass(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, "minrepro.plugins:GROUPS")
    with pytest.raises(UsageError, match="is not a minrepro"):
        default_passes.passes_for("c")


def test_a_pass_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, "no_such_module:thing")
    with pytest.raises(UsageError, match="no_such_module"):
        default_passes.passes_for(None)


def test_the_pass_of_the_documentation_works() -> None:
    block = re.search(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert block is not None
    names: dict[str, object] = {}
    exec(block[1], names)
    dates = names["dates"]
    assert isinstance(dates, Pass)
    executor = SimulatedExecutor(lambda case: Outcome.FAIL if b"2024-02-29" in case else Outcome.PASS)
    result = DefaultReducer([dates])(
        b"from 1999-12-31 to 2024-02-29 and 2025-01-02", Tester(executor), lambda case, label, verdict: None
    )
    assert result == b"from 1970-01-01 to 2024-02-29 and 1970-01-01"


def test_where_words_are_there_by_chance_only_bytes_are_tried() -> None:
    noise = bytes(range(256))
    passes = default_reducer(PurePath("a.bin"), noise).passes
    proposing = [each.name for each in passes if each.tier <= 1 and any(each.propose(Snapshot(noise)))]
    assert proposing == ["bytes"]


def test_a_text_with_a_few_bytes_that_are_none_keeps_its_structure() -> None:
    text = b"stream (one two) \xff end\nstream (three)\n"
    passes = default_reducer(PurePath("a.bin"), text).passes
    assert "tokens" in [each.name for each in passes if any(each.propose(Snapshot(text)))]
