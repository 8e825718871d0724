"""Sequences of user events: logs, rules mined from them, rewriting, and reduction by replay."""
