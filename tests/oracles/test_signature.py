"""What is the same about a failure from one candidate to the next, and what tells two failures apart."""

from __future__ import annotations

import pytest

from minrepro.core.invocations import ProcessEnd
from minrepro.oracles.command import CommandOracle
from minrepro.oracles.signature import Signed, normalised, signal_of, signature_of


def said(text: str, status: int = 0) -> str:
    return signature_of(ProcessEnd(status, 0.1, stderr=text.encode()))


SAME = {
    "addresses": ("crash at 0x7ffd1200", "crash at 0x55aa00ff"),
    "folders": ("/tmp/a1/in.c: parse error", "/var/b2/c3/in.c: parse error"),
    "positions": ("in.c:12:3: error: expected ';'", "in.c:7:19: error: expected ';'"),
    "numbers": ("error: index 12 out of range 10", "error: index 3 out of range -1"),
    "process ids": (
        "==123==ERROR: AddressSanitizer: heap-use-after-free on address 0x61",
        "==9==ERROR: AddressSanitizer: heap-use-after-free on address 0x7200aa",
    ),
    "what else was said": ("warning: unused x\nFatal: oops\n", "Fatal: oops\nbye\n"),
    "a traceback's frames": (
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: bad 1',
        'Traceback (most recent call last):\n  File "b.py", line 9, in g\nValueError: bad 22',
    ),
    "colours": ("\x1b[31merror\x1b[0m: no", "error: no"),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME.keys())
def test_what_varies_makes_no_difference(one: str, other: str) -> None:
    assert said(one) == said(other) != ""


def test_the_signal_tells_failures_apart() -> None:
    assert said("", -11) == "SIGSEGV"
    assert said("", -6) == "SIGABRT"
    assert said("", 139) == "SIGSEGV"
    assert said("x", -11) == "SIGSEGV: x"


def test_the_message_tells_failures_apart() -> None:
    assert said("TypeError: f") != said("ValueError: f")
    assert said("in.c:1:1: error: expected ';'") != said("in.c:1:1: error: unknown type name 'y'")


def test_silence_has_no_signature() -> None:
    assert said("") == ""
    assert said("\n \n", 1) == ""


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert signature_of(ProcessEnd(0, 0.1, stderr=b"\xff\xfe error 3"))


def test_a_status_that_is_no_signal_has_no_name() -> None:
    assert [signal_of(status) for status in (0, 1, 128, 255)] == [""] * 4


def test_a_normalised_line_is_its_own_normal_form() -> None:
    for one, other in SAME.values():
        for line in (one + "\n" + other).splitlines():
            once = normalised(line)
            assert normalised(once) == once


def test_a_failure_is_signed_and_nothing_else_is() -> None:
    signed = Signed(CommandOracle(["true"], "case"))

    def signature(text: str, status: int = 0) -> str:
        return signed.judge(ProcessEnd(status, 0.1, stderr=text.encode())).signature

    assert signature("in.c:3: error: bad") == signature("in.c:9: error: bad") != ""
    assert signature("in.c:3: error: bad", 1) == ""
    assert signature("in.c:3: error: worse") != signature("in.c:3: error: bad")  # whatever was signed before
