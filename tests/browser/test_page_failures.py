"""Signatures: what stays the same when a failure shows again, and which failure a session is about."""

from __future__ import annotations

from minrepro.browser.page_failures import PageFailure, chosen, first_watched, functions_of, normalised

STACK = """TypeError: x
    at __minrepro_call (<anonymous>:1:1)
    at Quill.fix_cursor (http://127.0.0.1:8000/quill.js:12:5)
    at new Editor (http://127.0.0.1:8000/quill.js:99:1)
    at http://127.0.0.1:8000/page.html:3:3"""


def test_numbers_and_addresses_do_not_count() -> None:
    one = PageFailure("error", "TypeError: row 17 of http://127.0.0.1:8123/a.js:12:5 is gone", ("f",))
    other = PageFailure("error", "TypeError: row 4 of http://127.0.0.1:9000/a.js:99:1 is gone", ("f",))
    assert one.signature == other.signature == "error: TypeError: row # of URL is gone in f"
    assert normalised("a\n  b") == "a b"


def test_the_innermost_named_functions_are_told_without_our_own() -> None:
    assert functions_of(STACK, 1) == ("fix_cursor",)
    assert functions_of(STACK, 5) == ("fix_cursor", "Editor")
    assert functions_of("", 3) == ()


def test_an_uncaught_error_is_preferred_to_a_message_and_that_to_a_dialog() -> None:
    dialog, console, error = (PageFailure(kind, kind) for kind in ("dialog", "console", "error"))
    assert chosen([dialog, console, error]) == error
    assert chosen([dialog, console]) == console
    assert chosen([dialog]) == dialog
    assert chosen([]) is None


def test_the_wanted_failure_is_found_by_a_part_of_its_text() -> None:
    failures = [PageFailure("error", "TypeError: a"), PageFailure("error", "RangeError: 17 is too much")]
    assert chosen(failures, "17 is too") == failures[1]
    assert chosen(failures, "nothing like it") is None


def test_only_watched_kinds_decide() -> None:
    failures = [PageFailure("dialog", "confirm: sure?"), PageFailure("http", "500 from GET URL")]
    assert first_watched(failures, ("error", "http")) == failures[1]
    assert first_watched(failures, ("error",)) is None
