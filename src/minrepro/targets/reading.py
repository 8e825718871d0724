"""Files as they are read, or what is wrong with them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from minrepro.errors import InputError


def read_input(path: Path, *, may_be_empty: bool = False) -> bytes:
    """Return the bytes of an input file, or say what is wrong with it."""
    try:
        # A device may never end, and a pipe can be read only once. The null device is the empty file.
        if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir() and path != Path(os.devnull):
            raise InputError(f"{path} is not a regular file; save its content in one")
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a directory; expected a file") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    if not data and not may_be_empty:
        raise InputError(f"{path} is empty")
    return data
