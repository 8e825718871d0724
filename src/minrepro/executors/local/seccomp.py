"""System calls that no check needs and that attack the kernel are refused: for sandboxes that are strict.

Used in the check runners, which are bare interpreters: the standard library only. The filter is a program for the
kernel's own machine, written here by hand: a list of comparisons of the number of a call, each followed by its answer.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from minrepro.executors.local.system_calls import NEWIPC, NEWNET, NEWNS, NEWPID, NEWUSER, call

_X86_64, _AARCH64 = "x86_64", "aarch64"
_ARCHITECTURES = {_X86_64: 0xC000003E, _AARCH64: 0xC00000B7}
_CLONE = {_X86_64: 56, _AARCH64: 220}
_CLONE3 = 435
_REFUSED = {
    # the kernel itself: other kernels, modules, clocks, swap, accounting, its messages, its limits
    *("kexec_load 246 104", "kexec_file_load 320 294", "reboot 169 142", "init_module 175 105", "syslog 103 116"),
    *("finit_module 313 273", "delete_module 176 106", "swapon 167 224", "swapoff 168 225", "acct 163 89"),
    *("settimeofday 164 170", "clock_settime 227 112", "clock_adjtime 305 266", "adjtimex 159 171"),
    *("quotactl 179 60", "vhangup 153 58"),
    # where most of its holes have been
    *("bpf 321 280", "perf_event_open 298 241", "userfaultfd 323 282", "io_uring_setup 425 425"),
    *("io_uring_enter 426 426", "io_uring_register 427 427", "add_key 248 217", "request_key 249 218"),
    "keyctl 250 219",
    # other processes, other namespaces, other mounts
    *("ptrace 101 117", "process_vm_readv 310 270", "process_vm_writev 311 271", "pidfd_getfd 438 438"),
    *("setns 308 268", "unshare 272 97", "pivot_root 155 41", "open_by_handle_at 304 265", "open_tree 428 428"),
    *("move_mount 429 429", "fsopen 430 430", "fsconfig 431 431", "fsmount 432 432", "fspick 433 433"),
    "mount_setattr 442 442",
}
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_OTHER_TABLE = 0x40000000
"""From here on numbers of calls on x86-64 are those of a second table of the same calls."""
_PR_SET_SECCOMP, _FILTER = 22, 2


def _filter(machine: str) -> list[tuple[int, int, int, int]]:
    """Return the program: each step is an operation, how many steps to skip if true and if not, and a value."""
    permitted, missing = _REFUSE | errno.EPERM, _REFUSE | errno.ENOSYS
    steps = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, _ARCHITECTURES[machine]), (_RETURN, 0, 0, permitted)]
    steps += [(_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _OTHER_TABLE), (_RETURN, 0, 0, permitted)]
    for line in sorted(_REFUSED):
        number = int(line.split()[1 if machine == _X86_64 else 2])
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, permitted)]
    # What cannot be looked into is said not to be there: programs then use the older call, which can.
    steps += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, missing)]
    namespaces = NEWUSER | NEWNS | NEWPID | NEWNET | NEWIPC
    steps += [(_EQUAL, 0, 3, _CLONE[machine]), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    steps += [(_ANY_BIT, 0, 1, namespaces), (_RETURN, 0, 0, permitted)]
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


def refuse_rare_calls() -> None:
    """Have the kernel refuse such calls of this process and all that it starts; raise OSError where it cannot."""
    machine = os.uname().machine
    if machine not in _ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"the system calls of {machine} are not known")
    steps = _filter(machine)
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(program)))
    call("prctl", _PR_SET_SECCOMP, ctypes.c_ulong(_FILTER), header, 0, 0)
