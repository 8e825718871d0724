"""Tests in local processes: right verdicts, and nothing of any check left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from minrepro.core.invocations import Invocation, ProcessEnd
from minrepro.core.protocols import Job
from minrepro.core.verdicts import Outcome, Verdict
from minrepro.errors import CheckError
from minrepro.executors.local.process_pool import Processes
from minrepro.oracles.command import CommandOracle
from tests.executors.hostile import PATIENCE, eventually, running, script
from tests.started import started

pytestmark = pytest.mark.processes


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    """A mark that everything started from here on carries in its environment."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv("MINREPRO_MARK", mark)
    return mark


@pytest.fixture
def place(tmp_path: Path, mark: str) -> Iterator[Path]:
    """Where the checks' folders are made; at the end of a test no process and no folder may be left."""
    place = tmp_path / "place"
    place.mkdir()
    yield place
    assert eventually(lambda: not running(mark)), "processes are left"
    assert list(place.iterdir()) == [], "folders are left"


class Plain:
    """An oracle that runs one and the same invocation and hands on how it ended."""

    def __init__(self, *argv: str, files: dict[str, bytes] | None = None, stdin: bytes = b"") -> None:
        self.run = Invocation(argv, files or {}, stdin)
        self.endings: list[ProcessEnd] = []

    def invocation(self, case: object) -> Invocation:
        return self.run

    def judge(self, ending: ProcessEnd) -> Verdict:
        self.endings.append(ending)
        return Verdict(Outcome.PASS, ending.trouble, ending.seconds, ending.limit)


def ending_of(place: Path, oracle: Plain, timeout: float | None = None) -> ProcessEnd:
    with Processes(oracle, timeout=timeout, place=place) as executor:
        assert executor.wait([executor.start(b"")], PATIENCE)
    return oracle.endings[0]


def verdict_of(place: Path, check: str, case: bytes = b"case", timeout: float | None = None) -> Verdict:
    with Processes(CommandOracle([check], "input.txt"), timeout=timeout, place=place) as executor:
        job = executor.start(case)
        return executor.wait([job], PATIENCE)[job]


def all_verdicts(executor: Processes, jobs: list[Job]) -> dict[Job, Verdict]:
    verdicts: dict[Job, Verdict] = {}
    while len(verdicts) < len(jobs):
        finished = executor.wait([job for job in jobs if job not in verdicts], PATIENCE)
        assert finished, "nothing finished"
        verdicts |= finished
    return verdicts


# What a check is given


def test_a_check_finds_its_files_its_input_and_its_folder(place: Path) -> None:
    files = {"a.txt": b"\0\xff", "sub/b.txt": b"two"}
    words = "cat; cat a.txt sub/b.txt; test $PWD = {folder} && ls -A && echo ok >&2"
    ending = ending_of(place, Plain("/bin/sh", "-c", words, files=files, stdin=b"zero"))
    assert (ending.status, ending.stdout, ending.stderr) == (0, b"zero\0\xfftwoa.txt\nsub\n", b"ok\n")


def test_a_case_of_many_megabytes_arrives_whole(place: Path) -> None:
    case = bytes(range(256)) * 20_000
    ending = ending_of(place, Plain("/bin/sh", "-c", "wc -c <big; wc -c", files={"big": case}, stdin=case))
    assert ending.stdout.split() == [b"5120000", b"5120000"]


def test_every_check_starts_in_an_empty_folder(place: Path) -> None:
    with Processes(
        Plain("/bin/sh", "-c", "ls -A; touch left; mkdir -p d/e; exit $(ls -A | wc -l)"), place=place
    ) as one:
        for _ in range(4):
            one.wait([one.start(b"")], PATIENCE)
        oracle = one._oracle
    assert isinstance(oracle, Plain)
    assert [ending.stdout for ending in oracle.endings] == [b""] * 4
    assert [ending.status for ending in oracle.endings] == [2] * 4


def test_a_file_name_that_leads_out_of_the_folder_is_refused(place: Path) -> None:
    assert "leads out" in ending_of(place, Plain("/bin/true", files={"../x": b""})).trouble


def test_a_command_that_does_not_exist_is_trouble_not_an_exit_status(place: Path) -> None:
    assert ending_of(place, Plain("/no/such/command")).trouble.startswith("ENOENT")


def test_a_check_has_the_usual_signals(place: Path) -> None:
    ending = ending_of(place, Plain("/bin/sh", "-c", "grep SigIgn /proc/self/status; kill -TERM $$"))
    assert ending.status == -signal.SIGTERM
    assert int(ending.stdout.split()[1], 16) & 0x7FFFFFFF == 0  # the C library keeps 32 and 33 to itself


def test_a_check_has_only_its_standard_descriptors(place: Path, tmp_path: Path) -> None:
    text = f"#!{sys.executable}\nimport os\nprint(*[n for n in range(100) if os.path.exists(f'/proc/self/fd/{{n}}')])\n"
    assert ending_of(place, Plain(script(tmp_path, text))).stdout == b"0 1 2\n"


# Verdicts, several at once


def test_verdicts_belong_to_their_cases_when_many_run_at_once(place: Path, tmp_path: Path) -> None:
    check = script(tmp_path, '#!/bin/sh\ngrep -q 7 "$1"\n')
    with Processes(CommandOracle([check], "n.txt"), 3, place=place) as executor:
        jobs: dict[Job, int] = {}
        verdicts: dict[Job, Verdict] = {}
        for number in range(30):
            job = executor.start(b"%d" % number)
            jobs[job] = number
            if len(jobs) - len(verdicts) == executor.capacity:
                verdicts |= executor.wait(set(jobs) - set(verdicts), PATIENCE)
        verdicts |= all_verdicts(executor, [job for job in jobs if job not in verdicts])
    assert {jobs[job] for job, verdict in verdicts.items() if verdict.outcome is Outcome.FAIL} == {7, 17, 27}


def test_never_more_checks_than_slots_run_at_once_even_right_after_cancelling(place: Path, tmp_path: Path) -> None:
    crowd = tmp_path / "crowd"
    crowd.mkdir()
    check = script(
        tmp_path,
        f"#!/bin/sh\ncd {crowd}\ntouch $$\nfor pid in *; do kill -0 $pid 2>/dev/null || rm -f $pid; done\n"
        f"echo $(ls | wc -l) >>{tmp_path}/seen\nsleep 0.02\nrm -f $$\n",
    )
    with Processes(CommandOracle([check], "n.txt"), 2, place=place) as executor:
        jobs = []
        for number in range(12):
            job = executor.start(b"")
            if number % 2:
                executor.cancel(job)
            else:
                jobs.append(job)
        all_verdicts(executor, jobs)
    assert max(map(int, (tmp_path / "seen").read_text().split())) <= 2


def test_waiting_ends_when_the_timeout_passes(place: Path) -> None:
    with Processes(Plain("/bin/sleep", "1000"), place=place) as executor:
        job = executor.start(b"")
        assert executor.wait([job], 0.05) == {}
        assert executor.wait([], None) == {}


def test_waiting_returns_all_that_are_finished(place: Path, tmp_path: Path) -> None:
    check = script(tmp_path, f'#!/bin/sh\ntouch {tmp_path}/ran-$(cat "$1")\n')
    with Processes(CommandOracle([check], "n.txt"), 2, place=place) as executor:
        jobs = [executor.start(b"1"), executor.start(b"2")]
        all_verdicts(executor, jobs)
        assert executor.wait(jobs, PATIENCE) == {}


def test_a_cancelled_check_ends_and_its_slot_is_used_again(place: Path, tmp_path: Path, mark: str) -> None:
    check = script(tmp_path, '#!/bin/sh\ngrep -q quick "$1" || exec sleep 1000\n')
    with Processes(CommandOracle([check], "n.txt"), place=place) as executor:
        slow = executor.start(b"slow")
        executor.cancel(slow)
        quick = executor.start(b"quick")
        assert executor.wait([slow, quick], PATIENCE)[quick].outcome is Outcome.FAIL
        assert executor.wait([slow]) == {}


def test_cancelling_a_finished_check_loses_only_its_verdict(place: Path) -> None:
    with Processes(Plain("/bin/true"), place=place) as executor:
        for _ in range(5):
            first = executor.start(b"")
            second = executor.start(b"")  # waits for the slot, so the first has finished
            executor.cancel(first)
            assert set(executor.wait([first, second], PATIENCE)) == {second}
            executor.cancel(second)


# Hostile checks


def test_a_check_that_sleeps_for_ever_is_unresolved_and_says_which_limit_ended_it(place: Path, tmp_path: Path) -> None:
    verdict = verdict_of(place, script(tmp_path, "#!/bin/sh\nsleep 1000\n"), timeout=0.3)
    assert (verdict.outcome, verdict.limit) == (Outcome.UNRESOLVED, 0.3)
    assert verdict.reason == "timed out after 0.3 s"
    assert verdict.seconds >= 0.3


def test_a_check_that_ignores_sigterm_and_starts_others_that_do_ends(place: Path, tmp_path: Path) -> None:
    check = script(tmp_path, "#!/bin/sh\ntrap '' TERM INT HUP\n(sleep 1000; sleep 1000) &\nsleep 1000\nsleep 1000\n")
    assert verdict_of(place, check, timeout=0.3).limit == 0.3


DAEMON = f"""#!{sys.executable}
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("ready", "w").close()
        time.sleep(1000)
    os._exit(0)
while not os.path.exists("ready"):
    time.sleep(0.001)
sys.exit(3)
"""


def test_a_daemon_by_double_fork_ends_with_its_check(place: Path, tmp_path: Path, mark: str) -> None:
    oracle = CommandOracle([script(tmp_path, DAEMON)], "n.txt")
    with Processes(oracle, place=place) as executor:
        job = executor.start(b"")
        assert executor.wait([job], PATIENCE)[job].reason == "exit 3"
        # When the verdict is there the daemon is gone: what runs is the supervisor and the check runner.
        assert len(running(mark)) == 2


def test_children_that_keep_the_outputs_open_do_not_delay_the_verdict(place: Path, tmp_path: Path) -> None:
    verdict = verdict_of(place, script(tmp_path, "#!/bin/sh\necho said\nsleep 1000 &\nexit 4\n"), timeout=PATIENCE)
    assert (verdict.outcome, verdict.reason) == (Outcome.PASS, "exit 4")


def test_a_check_that_closes_its_outputs_and_goes_on_is_waited_for(place: Path, tmp_path: Path) -> None:
    check = script(tmp_path, "#!/bin/sh\nexec >&- 2>&- <&-\nsleep 0.2\nexit 0\n")
    verdict = verdict_of(place, check)
    assert verdict.outcome is Outcome.FAIL
    assert verdict.seconds >= 0.2


def test_endless_output_is_ended_by_the_limit_and_kept_bounded(place: Path) -> None:
    ending = ending_of(place, Plain("/bin/sh", "-c", "echo first; exec yes"), timeout=0.5)
    assert ending.limit == 0.5
    assert ending.stdout.startswith(b"first\ny\n")
    assert b"bytes left out" in ending.stdout
    assert len(ending.stdout) < 150_000


def test_a_check_that_eats_its_memory_dies_alone(place: Path, tmp_path: Path) -> None:
    # Bounded here, since a test must not take the memory of the machine it runs on.
    bound = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))\n"
    check = script(
        tmp_path, f"#!{sys.executable}\n{bound}eaten = []\nwhile True:\n    eaten.append(b'x' * (1 << 24))\n"
    )
    assert verdict_of(place, check).reason == "exit 1"


def test_folders_that_may_not_be_read_or_written_are_removed(place: Path, tmp_path: Path) -> None:
    check = script(
        tmp_path, "#!/bin/sh\nmkdir -p a/b/c d\ntouch a/b/c/f d/g\nchmod 000 a/b/c/f a/b/c a/b a d .\nexit 0\n"
    )
    assert verdict_of(place, check).outcome is Outcome.FAIL


def test_folders_nested_deeper_than_a_path_may_be_long_are_removed(place: Path, tmp_path: Path) -> None:
    text = f"#!{sys.executable}\nimport os\nfor _ in range(300):\n    os.mkdir('x' * 50)\n    os.chdir('x' * 50)\n"
    assert verdict_of(place, script(tmp_path, text)).outcome is Outcome.FAIL


def test_nothing_outside_is_removed_when_a_check_puts_a_link_in_the_place_of_its_folder(
    place: Path, tmp_path: Path
) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "input.txt").write_text("keep")
    check = script(tmp_path, f'#!/bin/sh\ncd /\nrm -r "${{1%/*}}"\nln -s {precious} "${{1%/*}}"\n')
    with Processes(CommandOracle([check], "input.txt"), place=place) as executor:
        for _ in range(2):
            job = executor.start(b"")
            assert executor.wait([job], PATIENCE)[job].outcome is Outcome.FAIL
    assert (precious / "input.txt").read_text() == "keep"


def test_a_check_that_deletes_or_changes_its_input_changes_only_its_copy(place: Path, tmp_path: Path) -> None:
    check = script(tmp_path, '#!/bin/sh\ngrep -q case "$1" || exit 9\necho other >"$1"\nrm "$1"\n')
    case = b"case"
    with Processes(CommandOracle([check], "input.txt"), place=place) as executor:
        for _ in range(3):
            job = executor.start(case)
            assert executor.wait([job], PATIENCE)[job].outcome is Outcome.FAIL
    assert case == b"case"


BOMB = f"""#!{sys.executable}
import os, time
for generation in range(5):  # 32 processes, each in a session of its own
    if os.fork() == 0:
        os.setsid()
time.sleep(1000)
"""


def test_a_bounded_fork_bomb_ends_by_the_limit(place: Path, tmp_path: Path) -> None:
    assert verdict_of(place, script(tmp_path, BOMB), timeout=1.0).limit == 1.0


def test_a_process_that_runs_away_by_forking_again_and_again_is_caught(place: Path, tmp_path: Path) -> None:
    text = f"#!{sys.executable}\nimport os\nwhile True:\n    if os.fork():\n        os._exit(0)\n    os.setsid()\n"
    assert verdict_of(place, script(tmp_path, text)).reason == "exit 0"


# Killed helpers, killed coordinators


def test_a_killed_keeper_is_replaced_and_its_check_run_again(place: Path, tmp_path: Path) -> None:
    check = script(
        tmp_path,
        f"#!/bin/sh\n[ -e {tmp_path}/again ] && exit 0\ntouch {tmp_path}/again\nmkdir sub\n"
        "setsid sleep 1000 &\nkill -9 $PPID\nsleep 1000\n",
    )
    with Processes(CommandOracle([check], "n.txt"), place=place) as executor:
        job = executor.start(b"")
        assert executor.wait([job], PATIENCE)[job].outcome is Outcome.FAIL


def test_a_check_that_always_kills_its_keeper_is_reported(place: Path, tmp_path: Path) -> None:
    with (
        Processes(
            CommandOracle([script(tmp_path, "#!/bin/sh\nkill -9 $PPID\nsleep 1000\n")], "n.txt"), place=place
        ) as one,
        pytest.raises(CheckError, match=r"3 times on the same candidate \(killed by SIGKILL\)"),
    ):
        one.wait([one.start(b"")], PATIENCE)


def test_a_keeper_killed_between_two_checks_costs_nothing(place: Path) -> None:
    with Processes(Plain("/bin/true"), place=place) as executor:
        assert executor.wait([executor.start(b"")], PATIENCE)
        (slot,) = executor._slots.values()
        os.kill(slot.check_runner, signal.SIGKILL)
        assert executor.wait([executor.start(b"")], PATIENCE)


def test_a_killed_warden_is_replaced(place: Path) -> None:
    with Processes(Plain("/bin/true"), 2, place=place) as executor:
        assert executor.wait([executor.start(b"")], PATIENCE)
        os.kill(executor._supervisors[0].pid, signal.SIGKILL)
        assert len(all_verdicts(executor, [executor.start(b""), executor.start(b"")])) == 2


COORDINATOR = """
import sys
from pathlib import Path
from minrepro.executors.local.process_pool import Processes
from minrepro.oracles.command import CommandOracle
executor = Processes(CommandOracle([sys.argv[1]], "n.txt"), 2, place=Path(sys.argv[2]))
jobs = [executor.start(b"1"), executor.start(b"2")]
print("started", flush=True)
try:
    executor.wait(jobs)
except KeyboardInterrupt:
    executor.close()
    print("interrupted", *Path(sys.argv[2]).iterdir(), flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_when_the_coordinator_is_ended(
    place: Path, tmp_path: Path, mark: str, number: signal.Signals
) -> None:
    ready = tmp_path / "ready"
    ready.mkdir()
    check = script(tmp_path, f"#!/bin/sh\ntrap '' INT TERM\nsetsid sleep 1000 &\ntouch {ready}/$$ sub\nsleep 1000\n")
    words = [sys.executable, "-c", COORDINATOR, check, str(place)]
    with started(words, stdout=subprocess.PIPE, start_new_session=True) as coordinator:
        assert eventually(lambda: len(list(ready.iterdir())) == 2)
        # To the whole group, as a terminal does for Ctrl-C.
        os.killpg(coordinator.pid, number)
        said, _ = coordinator.communicate(timeout=PATIENCE)
    assert said.split() == (["started", "interrupted"] if number is signal.SIGINT else ["started"])
    assert eventually(lambda: not running(mark))


def test_what_a_killed_run_left_is_removed_by_the_next_one_and_what_is_in_use_is_not(place: Path, mark: str) -> None:
    words = [sys.executable, "-c", COORDINATOR, "/bin/sleep", str(place)]
    with (
        Processes(Plain("/bin/true"), place=place) as other,
        subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True) as coordinator,
    ):
        assert other.wait([other.start(b"")], PATIENCE)
        mine = set(place.iterdir())
        assert coordinator.stdout is not None and coordinator.stdout.readline() == b"started\n"
        kept = {os.getpid(), other._supervisors[0].pid, *(slot.check_runner for slot in other._slots.values())}
        for _ in range(3):  # the first to be killed may start another before it is dead itself
            for pid in set(running(mark)) - kept:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        assert eventually(lambda: set(running(mark)) <= kept)
        assert set(place.iterdir()) > mine
        with Processes(Plain("/bin/true"), place=place) as third:
            assert third.wait([third.start(b"")], PATIENCE)
            assert eventually(lambda: len(list(place.iterdir())) == 2)
        assert set(place.iterdir()) == mine
        assert other.wait([other.start(b"")], PATIENCE)


def test_a_check_runner_that_hangs_is_replaced_and_its_check_run_again(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minrepro.executors.local.process_pool.OVERDUE", -99.9)
    check = script(tmp_path, f"#!/bin/sh\n[ -e {tmp_path}/again ] && exit 0\ntouch {tmp_path}/again\nsleep 1000\n")
    told: list[str] = []
    with Processes(CommandOracle([check], "n.txt"), timeout=100.0, place=place, warn=told.append) as executor:
        job = executor.start(b"")
        assert executor.wait([job], PATIENCE)[job].outcome is Outcome.FAIL
    assert told == ["the process that supervises a check did not answer; it was replaced"]


def test_a_check_that_stops_who_supervises_it_is_told_of(place: Path) -> None:
    told: list[str] = []
    with Processes(Plain("/bin/sh", "-c", "kill -STOP $PPID; sleep 0.1"), place=place, warn=told.append) as executor:
        assert executor.wait([executor.start(b"")], PATIENCE)
    assert told == ["something stopped the process that supervises a check; it was continued"]


def test_closing_twice_and_starting_again_both_work(place: Path) -> None:
    executor = Processes(Plain("/bin/sleep", "1000"), 2, place=place)
    executor.start(b"")
    executor.close()
    executor.close()
    assert list(place.iterdir()) == []
    executor.start(b"")
    assert list(place.iterdir()) != []
    executor.close()
    assert list(place.iterdir()) == []


def test_the_limit_adapts_to_what_was_seen(place: Path) -> None:
    with Processes(Plain("/bin/true"), place=place) as executor:
        assert executor.limit == 300
        executor.wait([executor.start(b"")], PATIENCE)
        assert executor.limit < 300
