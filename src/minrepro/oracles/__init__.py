"""What tells whether a case fails: a check script, a Python function."""
