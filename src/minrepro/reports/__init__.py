"""What is told about a result."""
