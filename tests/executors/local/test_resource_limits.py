"""Checks that want too much: each is ended, counts as unresolved, and leaves nothing."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import pytest

from minrepro.core.limits import Limits
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.executors.local.cgroups import make_group, remove_group
from minrepro.executors.local.process_pool import Processes
from minrepro.executors.local.resource_limits import why_network_stays
from minrepro.oracles.command import CommandOracle
from tests.executors.hostile import eventually, running, script

pytestmark = pytest.mark.processes

MIB = 1 << 20


def verdict_of(tmp_path: Path, text: str, limits: Limits) -> Verdict:
    place = tmp_path / "place"
    place.mkdir()
    oracle = CommandOracle([script(tmp_path, text)], "case")
    with Processes(oracle, 1, 60.0, place, limits) as executor:
        job = executor.start(b"case")
        verdict = executor.wait([job])[job]
    assert list(place.iterdir()) == []
    return verdict


def test_without_limits_nothing_is_in_the_way(tmp_path: Path) -> None:
    assert verdict_of(tmp_path, "#!/bin/sh\nexit 0\n", Limits()).outcome is Outcome.FAIL


def test_within_its_limits_a_check_is_not_disturbed(tmp_path: Path) -> None:
    limits = Limits(memory=500 * MIB, cpu=30, files=10 * MIB, printed=MIB, processes=20)
    text = "#!/bin/sh\nhead -c 100000 /dev/zero > file; echo much; sleep 0.3; exit 0\n"
    assert verdict_of(tmp_path, text, limits).outcome is Outcome.FAIL


def test_a_process_that_eats_memory_gets_no_more(tmp_path: Path) -> None:
    text = "#!/usr/bin/env python3\ntry:\n    x = bytearray(400 << 20)\nexcept MemoryError:\n    raise SystemExit(3)\n"
    verdict = verdict_of(tmp_path, text, Limits(memory=150 * MIB))
    assert verdict.outcome is not Outcome.FAIL


def test_many_processes_that_eat_memory_together_are_ended(tmp_path: Path) -> None:
    eater = "import time; x = bytearray(40 << 20); time.sleep(1000)"
    text = f"#!/bin/sh\nfor i in 1 2 3 4 5 6; do python3 -c '{eater}' & done; wait\n"
    verdict = verdict_of(tmp_path, text, Limits(memory=150 * MIB))
    assert verdict == Verdict(Outcome.UNRESOLVED, "more than 150 MiB of memory", verdict.seconds)


def test_a_check_that_computes_for_ever_is_ended(tmp_path: Path) -> None:
    verdict = verdict_of(tmp_path, "#!/bin/sh\nwhile :; do :; done\n", Limits(cpu=0.5))
    assert verdict == Verdict(Outcome.UNRESOLVED, "more than 0.5 s of CPU time", verdict.seconds)


def test_one_large_file_is_cut_off(tmp_path: Path) -> None:
    verdict = verdict_of(tmp_path, "#!/bin/sh\nexec head -c 100000000 /dev/zero > file\n", Limits(files=MIB))
    assert verdict.outcome is not Outcome.FAIL


@pytest.mark.parametrize("each", ["", "echo x > "])
def test_a_bomb_of_files_is_ended(tmp_path: Path, each: str) -> None:
    text = f"#!/bin/sh\ni=0; while :; do i=$((i+1)); {each or ': >'} f$i; done\n"
    verdict = verdict_of(tmp_path, text, Limits(files=MIB))
    assert verdict == Verdict(Outcome.UNRESOLVED, "more than 1 MiB in its directory", verdict.seconds)


def test_ten_gigabytes_of_output_are_ended(tmp_path: Path) -> None:
    text = "#!/bin/sh\nexec head -c 10000000000 /dev/zero\n"
    verdict = verdict_of(tmp_path, text, Limits(printed=MIB))
    assert verdict == Verdict(Outcome.UNRESOLVED, "more than 1,048,576 bytes printed", verdict.seconds)


def test_a_fork_bomb_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINREPRO_MARK", str(tmp_path))
    # Slow enough that this machine is safe should nothing end it.
    text = "#!/bin/sh\nbomb() { sleep 0.4; bomb & bomb & wait; }\nbomb\n"
    verdict = verdict_of(tmp_path, text, Limits(processes=12))
    assert verdict == Verdict(Outcome.UNRESOLVED, "more than 12 processes", verdict.seconds)
    assert eventually(lambda: not running(str(tmp_path)))


def test_a_fork_bomb_at_full_speed_is_held_back_and_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    group = make_group(f"minrepro-test-{os.getpid()}", 1)
    if not group:
        pytest.skip("nothing but a look would hold it back here, and other tests need the machine")
    remove_group(group)
    monkeypatch.setattr(secrets, "token_hex", lambda length: f"bomb-{os.getpid()}")
    monkeypatch.setenv("MINREPRO_MARK", str(tmp_path))
    text = "#!/bin/sh\nbomb() { bomb | bomb & }\nbomb; wait; sleep 60\n"
    verdict = verdict_of(tmp_path, text, Limits(processes=6))
    assert verdict == Verdict(Outcome.UNRESOLVED, "more than 6 processes", verdict.seconds)
    assert eventually(lambda: not running(str(tmp_path)))
    assert not list(Path(group).parent.glob(f"*bomb-{os.getpid()}*"))


def test_daemons_by_double_fork_are_counted_and_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINREPRO_MARK", str(tmp_path))
    text = "#!/bin/sh\nwhile :; do (setsid sleep 1000 &); sleep 0.02; done\n"
    verdict = verdict_of(tmp_path, text, Limits(processes=10))
    assert verdict.reason == "more than 10 processes"
    assert eventually(lambda: not running(str(tmp_path)))


@pytest.mark.skipif(bool(why_network_stays()), reason="this system does not let go of the network")
def test_without_network_there_is_only_the_loopback(tmp_path: Path) -> None:
    text = '#!/bin/sh\n[ "$(grep -c : /proc/self/net/dev)" -eq 1 ] && grep -q lo: /proc/self/net/dev\n'
    assert verdict_of(tmp_path, text, Limits(network=False)).outcome is Outcome.FAIL


@pytest.mark.skipif(bool(why_network_stays()), reason="this system does not let go of the network")
def test_without_network_a_check_can_talk_to_itself(tmp_path: Path) -> None:
    text = (
        "#!/usr/bin/env python3\nimport socket\nserver = socket.create_server(('127.0.0.1', 0))\n"
        "socket.create_connection(server.getsockname(), timeout=20).close()\n"
    )
    assert verdict_of(tmp_path, text, Limits(network=False)).outcome is Outcome.FAIL


def test_this_process_keeps_its_network() -> None:
    before = Path("/proc/self/ns/net").readlink()
    why_network_stays()
    assert Path("/proc/self/ns/net").readlink() == before


def test_a_neighbour_that_writes_into_another_folder_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    # Both check runners have their folders below the same place: this one writes into all of them.
    text = '#!/bin/sh\nfor d in "$PWD"/../../*/*/; do echo intruder > "$d/found"; done; exit 0\n'
    place = tmp_path / "place"
    place.mkdir()
    with Processes(CommandOracle([script(tmp_path, text)], "case"), 2, 60, place, warn=told.append) as executor:
        for _ in range(4):
            both = {executor.start(b"case"), executor.start(b"case")}
            while both:
                both -= executor.wait(both).keys()
            one = executor.start(b"case")
            executor.wait([one])
    assert told
    assert "another process changed the temporary directory of a check" in told[0]
    assert list(place.iterdir()) == []


def test_a_check_that_was_refused_processes_and_ended_by_itself_tells_nothing(tmp_path: Path) -> None:
    # With `exec` in the end it has no process left that anybody who looks could count.
    text = "#!/bin/bash\nfor i in {1..200}; do true | true | true & done 2>/dev/null\nexec true\n"
    group = make_group(f"minrepro-test-{os.getpid()}", 1)
    if not group:
        pytest.skip("nothing refuses processes here")
    remove_group(group)
    verdict = verdict_of(tmp_path, text, Limits(processes=2))
    assert verdict == Verdict(Outcome.UNRESOLVED, "more than 2 processes", verdict.seconds)
