"""The debugger for browser sessions, and the page that it serves."""
