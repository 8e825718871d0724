"""What holds for all tests."""

from __future__ import annotations

import signal

from hypothesis import settings

# Machines have moods: how long an example takes says nothing about whether it is right.
settings.register_profile("calm", deadline=None)
settings.load_profile("calm")

# Who runs tests in the background may have Ctrl-C ignored; processes that are to be interrupted must not inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
