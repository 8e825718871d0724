"""Where tests run, and wrappers that stand before an executor."""
