"""What is kept of runs: journals, and verdicts that runs share."""
