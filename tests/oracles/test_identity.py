"""What makes a check another one, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from minrepro.core.verdicts import Outcome
from minrepro.errors import CheckError
from minrepro.executors.unchanged_check import UnchangedCheck
from minrepro.oracles.command import CommandOracle
from minrepro.oracles.identity import CheckFiles, identity_of
from minrepro.testing import SimulatedExecutor, fails_if


def script(path: Path, text: str) -> str:
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_the_same_check_has_the_same_identity(tmp_path: Path) -> None:
    words = [script(tmp_path / "check", "#!/bin/sh\nexit 0\n"), "-v"]
    assert identity_of(CommandOracle(words, "case")) == identity_of(CommandOracle(words, "case"))


def test_content_words_name_and_chosen_environment_make_the_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = script(tmp_path / "check", "#!/bin/sh\nexit 0\n")
    monkeypatch.setenv("CHOSEN", "1")
    identities = [
        identity_of(CommandOracle([check], "case"), ["CHOSEN"]),
        identity_of(CommandOracle([check, "-v"], "case"), ["CHOSEN"]),
        identity_of(CommandOracle([check], "other"), ["CHOSEN"]),
        identity_of(CommandOracle([check], "case", stdin=True), ["CHOSEN"]),
    ]
    monkeypatch.setenv("CHOSEN", "2")
    identities.append(identity_of(CommandOracle([check], "case"), ["CHOSEN"]))
    script(tmp_path / "check", "#!/bin/sh\nexit 1\n")
    identities.append(identity_of(CommandOracle([check], "case"), ["CHOSEN"]))
    assert all(one != other for i, one in enumerate(identities) for other in identities[:i])


def test_a_file_among_the_words_belongs_to_the_check(tmp_path: Path) -> None:
    helper = tmp_path / "helper.py"
    helper.write_text("exit(0)")
    before = identity_of(CommandOracle(["true", str(helper)], "case"))
    helper.write_text("exit(1)")
    after = identity_of(CommandOracle(["true", str(helper)], "case"))
    assert {name for name in before if before[name] != after[name]} == {f"file {helper}"}


def test_an_edited_check_gives_no_more_verdicts(tmp_path: Path) -> None:
    check = script(tmp_path / "check", "#!/bin/sh\nexit 0\n")
    files = CheckFiles(CommandOracle([check], "case"))
    executor = UnchangedCheck(SimulatedExecutor(fails_if(lambda case: True)), files.require_unchanged)

    def outcome() -> Outcome:
        job = executor.start(b"")
        return executor.wait([job])[job].outcome

    assert outcome() is Outcome.FAIL
    (tmp_path / "check").touch()
    assert outcome() is Outcome.FAIL
    script(tmp_path / "check", "#!/bin/sh\nexit 1 # edited\n")
    with pytest.raises(CheckError, match="changed during the reduction"):
        outcome()
