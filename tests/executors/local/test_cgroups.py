"""Control groups: where they might be made on different systems, and what they hold back on this one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from minrepro.executors.local.cgroups import dam, enter_group, held_back, make_group, places, remove_group

UNIFIED = "29 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
OLD = (
    "30 25 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
    "31 25 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
    "32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
)
OTHER = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,pids\n"


def test_in_one_hierarchy_the_nearest_group_comes_first() -> None:
    own = "0::/user.slice/app.slice/terminal.scope\n"
    assert places(own, OTHER + UNIFIED) == [
        "/sys/fs/cgroup/user.slice/app.slice/terminal.scope",
        "/sys/fs/cgroup/user.slice/app.slice",
        "/sys/fs/cgroup/user.slice",
        "/sys/fs/cgroup",
    ]


def test_of_the_old_hierarchies_only_that_of_the_controller_counts() -> None:
    own = "3:cpu,cpuacct:/a\n2:pids:/b\n0::/\n"
    expected = ["/sys/fs/cgroup/pids/b", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/unified"]
    assert places(own, OLD + OTHER) == expected


def test_in_a_container_paths_begin_at_its_own_root() -> None:
    mounted = "40 30 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n"
    assert places("0::/docker/abc/inner\n", mounted) == ["/sys/fs/cgroup/inner", "/sys/fs/cgroup"]
    assert places("0::/elsewhere\n", mounted) == []


def test_without_control_groups_there_is_no_place() -> None:
    assert places("", OTHER) == []


def test_where_there_is_no_group_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    enter_group("")
    enter_group(str(tmp_path))
    remove_group("")
    assert list(tmp_path.iterdir()) == []


FORKING = """
import os, subprocess, sys
sys.path.insert(0, sys.argv[2])
from minrepro.executors.local.cgroups import enter_group
enter_group(sys.argv[1])
started = []
try:
    while len(started) < 400:
        started.append(subprocess.Popen(["sleep", "1000"]))
except OSError:
    pass
print(len(started))
for process in started:
    process.kill()
    process.wait()
"""


@pytest.mark.processes
def test_a_group_holds_back_more_processes_than_it_may_have() -> None:
    group = make_group(f"minrepro-test-{os.getpid()}", 4)
    if not group:
        pytest.skip("no control group can be made here")
    source = Path(__file__).parents[3] / "src"
    try:
        words = [sys.executable, "-c", FORKING, group, str(source)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
        assert 4 < int(done.stdout) < dam(4) == 96
    finally:
        remove_group(group)
    assert not Path(group).exists()


def test_what_a_group_has_refused_is_counted(tmp_path: Path) -> None:
    assert held_back("") == 0
    assert held_back(str(tmp_path)) == 0
    (tmp_path / "pids.events").write_text("max 3\nmax.imposed 1\n")
    assert held_back(str(tmp_path)) == 3
