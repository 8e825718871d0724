"""A text as its syntax tree."""
