"""Sessions in Chromium."""
