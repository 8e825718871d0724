"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

# Machines have moods: how long an example takes says nothing about whether it is right.
settings.register_profile("calm", deadline=None)
settings.load_profile("calm")
