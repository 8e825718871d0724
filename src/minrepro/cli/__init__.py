"""The command line: words to settings, results to text."""
