"""The default reducer on several files."""

from __future__ import annotations

import stat
from collections.abc import Callable

from minrepro.documents.packed_files import PackedFiles
from minrepro.engine.files_reducer import files_reducer
from minrepro.engine.run import Run
from minrepro.executors.inline import Inline
from minrepro.oracles.function import FunctionOracle

PLAIN = stat.S_IFREG | 0o644


def reduced(contents: dict[str, bytes], fails: Callable[[dict[str, bytes]], bool]) -> dict[str, bytes]:
    table, content = PackedFiles.packed({name: (PLAIN, data) for name, data in contents.items()})

    def test(case: bytes) -> bool:
        return fails({name: data for name, (_, data) in table.unpacked(case).items()})

    run: Run[bytes] = Run(Inline(FunctionOracle(test)))
    result = run.reduce_by_edits(content, files_reducer(table, content), empty=b"")
    return {name: data for name, (_, data) in table.unpacked(result.case).items()}


def test_files_go_and_what_is_left_shrinks_in_its_own_language() -> None:
    contents = {
        "src/a.c": b"int f(int x) {\n  return x + 1;\n}\nint g(void) { return f(2); }\n",
        "src/b.py": b"import os\n\ndef crash(x):\n    print(os.name)\n    return x\n\n",
        "docs/c.txt": b"one\ntwo\nthree\n",
        "docs/d.bin": bytes(range(256)),
    }

    def fails(files: dict[str, bytes]) -> bool:
        return b"crash" in files.get("src/b.py", b"") and b"two" in files.get("docs/c.txt", b"")

    left = reduced(contents, fails)
    assert set(left) == {"src/b.py", "docs/c.txt"}
    assert left["docs/c.txt"] == b"two\n"
    assert left["src/b.py"].strip() == b"crash"


def test_a_file_goes_with_the_line_that_includes_it() -> None:
    contents = {"a.c": b'#include "a.h"\nint crash;\n', "a.h": b"int n;\n"}

    def fails(files: dict[str, bytes]) -> bool:
        source = files.get("a.c", b"")
        return b"crash" in source and (b'#include "a.h"' in source) == ("a.h" in files) and len(source) > 6

    assert set(reduced(contents, fails)) == {"a.c"}


def test_a_file_moves_to_where_it_is_included() -> None:
    contents = {"a.py": b"from b import *\nprint(crash)\n", "b.py": b"crash = 12\n"}

    def fails(files: dict[str, bytes]) -> bool:
        source = files.get("a.py", b"").replace(b"from b import *\n", files.get("b.py", b""))
        return b"crash = 12\nprint(crash)" in source

    assert reduced(contents, fails) == {"a.py": b"crash = 12\nprint(crash)\n"}


def test_a_chain_of_modules_goes_once_the_test_needs_none_of_them() -> None:
    modules = 40
    contents = {
        f"m{n}.py": f"import m{n + 1}\n\ndef f{n}(x):\n    return m{n + 1}.f{n + 1}(x)\n".encode()
        for n in range(modules)
    }
    contents[f"m{modules}.py"] = f"def f{modules}(x):\n    return x\n".encode()
    contents["test_all.py"] = b"import m0\n\nvalue = m0.f0('text')\nprint(value)\nresult = 'text' + 1\n"
    asked = 0

    def fails(files: dict[str, bytes]) -> bool:
        nonlocal asked
        asked += 1
        if b" + 1" not in files.get("test_all.py", b""):
            return False
        needed, seen = ["test_all.py"], set()
        while needed:
            name = needed.pop()
            seen.add(name)
            if name not in files:
                return False
            text = files[name].decode()
            needed += [f"{line[7:]}.py" for line in text.splitlines() if line[:7] == "import " and line[7:].isalnum()]
            if "m0.f0" in text and "import m0" not in text:
                return False
        return True

    assert set(reduced(contents, fails)) == {"test_all.py"}
    assert asked < 150
