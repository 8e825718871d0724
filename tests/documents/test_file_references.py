"""Which lines speak of which file."""

from __future__ import annotations

import stat

from minrepro.documents.file_references import references, roots_of
from minrepro.documents.packed_files import PackedFiles

PLAIN = stat.S_IFREG | 0o644


def test_lines_that_speak_of_a_file_are_found() -> None:
    files = {
        "Makefile": (PLAIN, b"OBJS = main.o list.o\nall:\n\tcc $(OBJS)\n"),
        "list.c": (PLAIN, b'#include "list.h"\nint n;\n'),
        "list.h": (PLAIN, b"int n;\n"),
        "main.c": (PLAIN, b"int main(void) {}\n"),
        "use.py": (PLAIN, b"from list import n\nprint(n)\n"),
    }
    table, content = PackedFiles.packed(files)
    spoken = {
        table.names[number]: {content[start:end] for start, end in lines}
        for number, lines in references(table, content).items()
    }
    assert spoken["list.h"] == {b'#include "list.h"\n', b"from list import n\n", b"OBJS = main.o list.o\n"}
    assert b"OBJS = main.o list.o\n" in spoken["main.c"]
    assert "use.py" not in spoken


def test_what_no_other_file_speaks_of_is_a_root() -> None:
    contents = {
        "test_shop.py": b"from shop import total\n",
        "shop/__init__.py": b"from shop.cart import total\n",
        "shop/cart.py": b"total = sum\n",
    }
    table, content = PackedFiles.packed({name: (PLAIN, data) for name, data in contents.items()})
    assert [table.names[number] for number in roots_of(table, content)] == ["test_shop.py"]
