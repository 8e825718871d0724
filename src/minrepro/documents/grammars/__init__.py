"""Grammars that users bring: five notations, read into one form, and the parsers that work on it."""
