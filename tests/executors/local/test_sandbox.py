"""What a check in a sandbox sees, may write and may do, as the superuser and as anybody."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from minrepro.core.containment import OFF, ON, STRICT, Containment
from minrepro.core.limits import Limits
from minrepro.core.view import View
from minrepro.errors import UsageError
from minrepro.executors.local.process_pool import Processes
from tests.executors.sandboxes import Shell, endings

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("sandboxes")]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """Where the checks' folders are made, none of which may be left."""
    place = tmp_path / "place"
    place.mkdir()
    yield place
    assert list(place.iterdir()) == []


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    (home / "sub").mkdir(parents=True)
    (home / "file").write_text("mine\n")
    monkeypatch.setenv("HOME", str(home))
    return home


def printed(place: Path, *lines: str, mode: str = ON, writable: tuple[Path, ...] = ()) -> list[str]:
    return [(end.stdout + end.stderr).decode() for end in endings(place, *lines, mode=mode, writable=writable)]


def test_a_check_finds_its_folder_empty_and_under_its_path(place: Path) -> None:
    line = 'cat in.txt; ls; test "$PWD" = "$1" && touch made && mkdir -p a/b && chmod 0 a'
    assert [(end.status, end.stdout) for end in endings(place, line, line, line)] == [(0, b"casein.txt\n")] * 3


def test_the_machine_is_read_only(place: Path) -> None:
    (end,) = endings(place, "touch /usr/x || touch /x || echo nothing; rm -f /etc/passwd; cat /etc/passwd")
    assert end.stdout.startswith(b"nothing\nroot:")
    assert b"Read-only file system" in end.stderr


def test_what_is_written_at_home_and_in_temporary_folders_is_seen_by_this_check_alone(place: Path, home: Path) -> None:
    new = uuid4()
    line = f"cat ~/file; ls ~; echo x >>~/file; rm -r ~/sub; touch ~/made /tmp/{new} /dev/shm/{new} && ls ~"
    assert printed(place, line, line) == ["mine\nfile\nsub\nfile\nmade\n"] * 2
    assert sorted(path.name for path in home.iterdir()) == ["file", "sub"]
    assert (home / "file").read_text() == "mine\n"
    assert not Path(f"/tmp/{new}").exists() and not Path(f"/dev/shm/{new}").exists()


def test_what_is_to_be_writable_is_also_in_a_folder_with_a_layer(place: Path, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.touch()
    lines = [f"echo {number} >>{file}; echo {number} >~/sub/{number}; echo gone >~/gone" for number in (1, 2)]
    assert printed(place, *lines, writable=(home / "sub", file)) == ["", ""]
    assert file.read_text() == "1\n2\n"
    assert sorted(path.name for path in home.rglob("*")) == ["1", "2", "file", "sub"]


def test_a_check_sees_no_process_but_its_own_and_can_signal_no_other(place: Path) -> None:
    line = "ls /proc | grep -c '^[0-9]*$'; kill -KILL 1; kill -STOP 1; kill -TERM -1; echo alive $PPID"
    for ending in endings(place, line, line):
        processes, alive = ending.stdout.decode().splitlines()
        assert int(processes) < 8
        assert alive == "alive 1"


def test_a_check_can_neither_mount_nor_unmount_nor_set_the_kernel(place: Path) -> None:
    line = (
        "mount -t tmpfs none /mnt || umount -l /tmp || mount -o remount,rw / || mount -o remount,bind,rw /usr || "
        "echo 1 >/proc/sys/kernel/sysrq || mknod disk b 8 0 || echo none"
    )
    assert "none" in printed(place, line)[0]


def test_devices_and_terminals_work(place: Path) -> None:
    (end,) = endings(
        place, "echo x >/dev/null && head -c 3 /dev/zero | wc -c && script -qec 'tty; echo said' /dev/null"
    )
    assert end.stdout.split()[0] == b"3"
    assert b"/dev/pts/" in end.stdout and b"said" in end.stdout


def test_a_strict_sandbox_has_no_network_and_refuses_rare_system_calls(place: Path) -> None:
    oracle = Shell()
    limits = Limits(network=False, processes=100)
    with Processes(oracle, place=place, limits=limits, containment=Containment(STRICT)) as executor:
        assert executor.containment == "in a strict sandbox"
        for line in ("unshare -U true", "cat /proc/net/dev", "sh -c 'sh -c true | cat' && echo works"):
            assert executor.wait([executor.start(line)], 120.0)
    refused, devices, works = oracle.endings
    assert refused.status != 0 and b"not permitted" in refused.stderr
    assert [line.split(b":")[0].strip() for line in devices.stdout.splitlines()[2:]] == [b"lo"]
    assert works.stdout == b"works\n"


def test_a_view_of_the_users_folder_works_inside(place: Path, home: Path) -> None:
    oracle = Shell()
    project = home / "project"
    project.mkdir()
    (project / "in.txt").write_text("input\n")
    (project / "other").write_text("beside\n")
    view = View(str(project), (str(project),), ("in.txt",))
    line = 'cat in.txt other; echo x >>other; touch ~/made /etc/made; ls; rm -rf ~/project/* "$HOME"/*; ls'
    with Processes(oracle, place=place, view=view, containment=Containment(ON)) as executor:
        for _ in range(3):
            assert executor.wait([executor.start(line)], 120.0)
    assert [end.stdout for end in oracle.endings] == [b"casebeside\nin.txt\nother\n"] * 3
    assert sorted(path.name for path in home.rglob("*")) == ["file", "in.txt", "other", "project", "sub"]


def test_limits_hold_inside(place: Path) -> None:
    oracle = Shell()
    limits = Limits(files=1 << 20, processes=10)
    with Processes(oracle, place=place, limits=limits, containment=Containment(ON)) as executor:
        verdicts = []
        for line in ("for n in 1 2 3 4; do head -c 700000 /dev/zero >/tmp/f$n; done; sleep 5", "sleep 0.1"):
            job = executor.start(line)
            verdicts.append(executor.wait([job], 120.0)[job].reason)
    assert verdicts == ["more than 1 MiB in its directory", ""]


def test_what_ends_the_check_runner_ends_all_of_its_checks(place: Path) -> None:
    oracle = Shell()
    with Processes(oracle, place=place, containment=Containment(ON)) as executor:
        assert executor.wait([executor.start("true")], 120.0)
        executor.start("setsid sleep 1000 & setsid sleep 1000 & sleep 1000")
        (slot,) = executor._slots.values()
        os.kill(slot.check_runner, signal.SIGKILL)
        executor.cancel(next(iter(executor._under_way)))
        assert executor.wait([executor.start("ls /proc | grep -c '^[0-9]*$'")], 120.0)
    assert int(oracle.endings[-1].stdout) < 6


def test_without_a_sandbox_nothing_is_said_to_be_protected(place: Path, tmp_path: Path) -> None:
    with Processes(Shell(), place=place, containment=Containment(OFF)) as executor:
        assert executor.containment == "without a sandbox (--sandbox off)"
    with Processes(Shell(), place=place, containment=Containment(ON)) as executor:
        assert executor.containment == "in a sandbox"


DRIVER = """
import sys
from pathlib import Path
from minrepro.errors import UsageError
from tests.executors.sandboxes import Shell
from minrepro.core.containment import Containment
from minrepro.executors.local.process_pool import Processes
oracle = Shell()
with Processes(oracle, place=Path(sys.argv[1]), containment=Containment(sys.argv[2])) as executor:
    print(executor.containment)
    for _ in range(2):
        executor.wait([executor.start(sys.argv[3])], 120.0)
for ending in oracle.endings:
    print(ending.status, ending.stdout.decode(), ending.stderr.decode())
"""


def as_anybody(line: str, mode: str = ON, before: str = "") -> str:
    """Run a line twice in a sandbox of a user without rights, after a preparation in the same process."""
    if os.getuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("there is no setpriv here to give up the rights of the superuser")
    place = tempfile.mkdtemp()  # not below the folder of the tests, which only its owner may enter
    try:
        if os.getuid() == 0:
            os.chown(place, 65534, 65534)
        # Reading everything is left to it, since the interpreter may lie where only the superuser may look.
        one = "-all,+dac_read_search"
        words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        words += [f"--inh-caps={one}", f"--ambient-caps={one}", f"--bounding-set={one}"]
        command = [*(words if os.getuid() == 0 else []), sys.executable, "-c", before + DRIVER, place, mode, line]
        environment = {**os.environ, "HOME": place, "PYTHONPATH": str(Path(__file__).parents[3])}
        ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert ran.returncode == 0, ran.stderr
        assert list(Path(place).iterdir()) == []
        return ran.stdout
    finally:
        shutil.rmtree(place, ignore_errors=True)


@pytest.mark.parametrize("mode", [ON, STRICT])
def test_anybody_has_a_sandbox(mode: str) -> None:
    new = f"/tmp/{uuid4()}"
    line = f"cat ~/new; echo x >~/new && echo y >{new} && cat ~/new; touch /etc/x; kill -9 1; id -u; echo $PPID"
    said = as_anybody(line, mode)
    assert said.startswith("in a strict sandbox\n" if mode == STRICT else "in a sandbox\n")
    assert said.count("0 x\n65534\n1\n") == 2 if os.getuid() == 0 else said.count("0 x\n") == 2
    assert said.count("/etc/x") == 2 and said.count("No such file") == 2
    assert not Path(new).exists()


NO_NAMESPACES = """
import minrepro.executors.local.supervisor_process as one
one.BOOT = one.BOOT.replace("main()", '''
import minrepro.executors.local.supervisor as supervisor
def refused(mode, network):
    raise OSError(1, "Operation not permitted")
supervisor.fork_into_namespaces = refused
main()
''')
"""


def test_where_there_are_no_namespaces_checks_run_without_a_sandbox_and_that_is_told() -> None:
    said = as_anybody("cat in.txt; touch x", before=NO_NAMESPACES)
    assert said.startswith("without a sandbox (not possible here: Operation not permitted)\n0 case")


def test_a_strict_sandbox_is_not_given_up_silently() -> None:
    place = tempfile.mkdtemp()
    try:
        words = [sys.executable, "-c", NO_NAMESPACES + DRIVER, place, STRICT, "true"]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
        ran = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
        assert f"{UsageError.__name__}: --sandbox strict: not possible here: Operation not permitted" in ran.stderr
        assert list(Path(place).iterdir()) == []
    finally:
        shutil.rmtree(place, ignore_errors=True)


SOMETHING_VANISHES = """
import minrepro.executors.local.supervisor_process as one
one.BOOT = one.BOOT.replace("main()", '''
import os
listed = os.listdir
def listdir(path):
    return [*listed(path), *(["removed by others"] if str(path).startswith("/proc/self/fd/") else [])]
os.listdir = listdir
main()
''')
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only the superuser can mount something there")
@pytest.mark.parametrize("before", ["", SOMETHING_VANISHES], ids=["calm", "something vanishes meanwhile"])
def test_where_something_is_mounted_inside_anybody_sees_what_is_there_and_writes_new_files(before: str) -> None:
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    subprocess.run(["mount", "-t", "tmpfs", "none", str(folder)], check=True)
    try:
        (folder / "file").write_text("there\n")
        folder.chmod(0o777)
        new = f"/tmp/{uuid4()}"
        line = f"ls {new}; echo x >{new} && cat {folder}/file; rm -f {folder}/file; cat {new}"
        said = as_anybody(line, before=before)
        assert said.startswith("in a sandbox\n")
        assert said.count("there\nx\n") == 2
        assert said.count("No such file") == 2
        assert (folder / "file").read_text() == "there\n"
        assert not Path(new).exists()
    finally:
        subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()
