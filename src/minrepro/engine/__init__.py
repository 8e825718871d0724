"""Makes a case smaller with an executor; no files, no processes."""
