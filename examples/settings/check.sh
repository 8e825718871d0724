#!/bin/sh
# Exits 0 if the failure reproduces: settings.py exceeds Python's recursion limit.
python3 "$(dirname "$0")/settings.py" "$1" 2>&1 | grep -q RecursionError
