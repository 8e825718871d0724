"""Algorithms on lists."""
