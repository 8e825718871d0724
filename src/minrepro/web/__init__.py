"""Failing sessions in a real browser: recordings, replay in Chromium, what failed, reduction, exports."""
