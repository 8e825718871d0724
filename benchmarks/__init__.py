"""Measurements, each a command: `python -m benchmarks.NAME`. Results are kept as text in `results/`."""
