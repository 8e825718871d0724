"""Whether checks are run with what only Linux has, or with what every Unix has.

Used in the supervisor and the check runners, which are bare interpreters: the standard library only.
"""

from __future__ import annotations

import errno
import os
import sys

SWITCH = "MINREPRO_PORTABLE"
"""An environment variable with which Linux is used like any other Unix, to try what happens there."""

LINUX = sys.platform.startswith("linux") and not os.environ.get(SWITCH)

CANNOT = "only on Linux; a process that leaves its process group may outlive its check, and --limit-* have no effect"
"""What is not promised elsewhere, after `not possible here:`."""


def not_here() -> OSError:
    """Return the error of a call that only Linux has."""
    return OSError(errno.ENOSYS, CANNOT)
