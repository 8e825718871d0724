"""What is reduced, and where its result is kept: one module for each kind."""
