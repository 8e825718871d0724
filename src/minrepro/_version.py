"""Which version of minrepro this is."""

VERSION = "0.1.0"
