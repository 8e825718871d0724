"""Which version of minrepro this is."""

VERSION = "1.0.0rc1"
