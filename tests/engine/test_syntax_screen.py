"""Candidates that parse worse are not worth a test, until one of them fails."""

from __future__ import annotations

import stat

from minrepro.core.edits import Cut, apply
from minrepro.documents.packed_files import PackedFiles
from minrepro.engine.syntax_screen import FilesScreen, SyntaxScreen

PLAIN = stat.S_IFREG | 0o644


def test_the_screen_steps_aside_when_the_failure_lives_in_broken_syntax() -> None:
    screen = SyntaxScreen("json", b'{"a": [1, 2]}', lambda: 1.0)
    assert screen(b'{"a": [1]}', b'{"a": [1, 2]}')
    answers = [screen(b'{"a": [1}', b'{"a": [1, 2]}') for _ in range(60)]
    assert not all(answers)
    assert any(answers)  # now and then one is let through
    broken = b'{"a": [1'
    screen(b'{"a"', broken)  # such a one has failed and is the content now
    assert all(screen(b"{" * n, broken) for n in range(1, 20))


def test_a_candidate_in_which_a_file_parses_worse_is_turned_down() -> None:
    table, content = PackedFiles.packed({"a.c": (PLAIN, b"int f(void) { return 1; }"), "b.txt": (PLAIN, b"(((")})
    screen = FilesScreen(table, {0: "c", 1: None}, content, lambda: 1.0)
    first, second = table.spans(content)
    assert not screen(apply(content, [Cut(first.start + 12, first.start + 13)]), content)
    assert screen(apply(content, [Cut(second.start, second.start + 1)]), content)
    assert screen(apply(content, [Cut(first.begin, first.end)]), content)
