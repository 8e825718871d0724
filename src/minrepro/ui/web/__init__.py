"""The debugger as a page: a server on this machine, and the front end that it serves."""
