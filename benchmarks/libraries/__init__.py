"""Pages made of current component libraries, each with a bug that a released version of the library has."""
