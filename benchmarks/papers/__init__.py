"""The tables of the five documents that this project implements, computed and beside the published figures."""
