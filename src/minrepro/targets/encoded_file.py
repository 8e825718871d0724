"""A text file in another encoding than UTF-8: reduced as UTF-8, and shown to checks in its own encoding."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minrepro.errors import InputError, UsageError
from minrepro.targets.file import FileLayout, FileTarget
from minrepro.targets.reading import read_input


@dataclass(frozen=True)
class EncodedLayout(FileLayout):
    """A file of this name in an encoding."""

    encoding: str

    def files(self, case: Any) -> Mapping[str, Any]:
        """Return the only file."""
        return {self.name: encoded(case, self.encoding)}


@dataclass(frozen=True)
class EncodedFileTarget(FileTarget):
    """One input file in an encoding."""

    encoding: str = "utf-8"

    @classmethod
    def read_as(cls, path: Path, encoding: str) -> EncodedFileTarget:
        """Return a file, read in an encoding, or say what is wrong with it."""
        try:
            codecs.lookup(encoding)
            data = read_input(path)
            case = data.decode(encoding).encode("utf-8", "surrogatepass")
        except LookupError:
            raise UsageError(f"--encoding {encoding}: no such encoding\nhint: utf-16, latin-1, shift_jis …") from None
        except UnicodeError as error:
            raise InputError(f"{path} cannot be read as {encoding}: {error}") from None
        if encoded(case, encoding) != data:
            raise InputError(
                f"{path} would not be the same when it is written as {encoding} again\n"
                "hint: name the order of bytes, such as utf-16-le, or leave --encoding out"
            )
        return cls(path, case, encoding=encoding)

    @property
    def layout(self) -> EncodedLayout:
        """How a candidate is laid out for a check."""
        return EncodedLayout(self.name, self.encoding)

    def written(self, case: bytes) -> bytes:
        """Return a case in the encoding of the file."""
        return encoded(case, self.encoding)

    def measures(self, case: bytes) -> dict[str, int]:
        """Return how many bytes a candidate has in its encoding."""
        return {"bytes": len(self.written(case))}


def encoded(case: bytes, encoding: str) -> bytes:
    """Return a case in an encoding; what is no character any more, or has no place in it, becomes a question mark."""
    return case.decode("utf-8", "replace").encode(encoding, "replace")
