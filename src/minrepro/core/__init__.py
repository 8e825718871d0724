"""The words that everything is said in: candidates, verdicts, edits, events."""
