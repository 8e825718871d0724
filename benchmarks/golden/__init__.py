"""Pins what minrepro does, so that code can be moved and renamed without changing it."""
