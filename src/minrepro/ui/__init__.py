"""What a person sees: the command line, its progress display."""
