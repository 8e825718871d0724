"""One run, from the check to the result on disk, the same for everything that can be reduced."""
