"""The algorithms of the papers and their successors, as generators of searches, free of execution details."""
