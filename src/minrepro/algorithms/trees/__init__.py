"""Algorithms on syntax trees."""
