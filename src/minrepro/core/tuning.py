"""The numbers that steer the default reducer, in one place, each with what is known of how it was chosen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """What the reducer, its plans, its merger and its first passes are steered by."""

    # Plans: which edits are tried together.
    hopeless: float = 0.1
    """A heavy unit that may go with less than this chance is not tried before what is below it. Not measured."""
    worker_share: float = 1.5
    """How much of its share of all that is undecided a worker may try at once: smaller groups at the end of a list keep
    more workers busy, larger ones go in fewer tests. Of 0.7, 1.5, 3 and 8 this one was the fastest with 2 and 8 workers
    on eight of the inputs of benchmarks/speedup_real, and as fast as 3 with 16; single inputs vary much more."""
    enough_units: int = 64
    """A list of so many units is not waited for to grow. Not measured."""
    most_sharing: int = 2000
    """For more workers groups become no smaller: one coordinator could not send so many tests.
    Scaling with it is in benchmarks/results/cluster_model.txt; other bounds were not measured."""

    # Merging: when is asked what the tests were worth, and what is pending doubted.
    stretch: int = 24
    """After so many tests it is asked whether they were worth it. Not measured."""
    doubts: int = 3
    """After so many refusals on top of what is pending it is tested by itself; until then a success may prove it free.
    Not measured."""

    guesses: float = 0.2
    """So many of all tests may be of what another outcome may make needless, times the logarithm of the workers. Not
    measured."""

    # The reducer: when a grammar is a guide.
    width: int = 16
    """How many tests of a deterministic run may be under way at once, whatever the number of workers. Not measured."""
    mostly_broken: float = 0.5
    """From this share of bytes in errors on, a grammar is no help. Not measured."""
    somewhat_broken: float = 0.02
    """From this share on, it is not help enough. Not measured."""
    slow_parsing: float = 0.5
    """Parsing is worth its while as long as it takes less than this share of a test. Not measured."""
    fading: float = 0.97
    """By this factor the time of parsing is forgotten with each test without it, so that it is tried again. Not
    measured."""
    leak: int = 30
    """One in so many candidates that parse worse is tested all the same: the failure may live in broken syntax. Not
    measured."""

    # The reducer: how passes take turns.
    rounds: int = 8
    """How often at most what goes before all else is tried again because it found something. Not measured."""
    much: float = 0.9
    """When the content is smaller than this share of what a pass left of it, the pass may find more there than before.
    Not measured."""
    most_worth: float = 0.5
    """More than this share of the content no stretch of tests must save, however much others saved. Not measured."""
    stuck: float = 0.8
    """When less than the rest of a long program goes at once, what stands at its end may keep all else in place. Not
    measured."""
    small: int = 2000
    """Up to this many bytes it can be afforded to try what the grammar does not allow. Not measured."""
    shortest_look: int = 6
    """So many tests a pass always has to find something, however often it found nothing. Not measured."""
    stale: float = 0.7
    """When the content is smaller than this share of what it was, what was refused is tried again. Not measured."""

    # Several files.
    files_worth: float = 0.02
    """The share of all files that a stretch of tests must save at first. Not measured."""
    small_roots: float = 0.25
    """Files of which no other speaks are reduced before the others if they have no more than this share of all. Not
    measured."""

    # What goes before all else.
    small_own_code: float = 0.25
    """Own code is reduced before its headers if it has no more than this share of all. That it is reduced first was
    measured on one preprocessed program of 2.2 MB, other shares were not."""
    own_code_worth: float = 0.05
    """The share of the own code that a stretch of tests must save for it to go on before headers do. On a preprocessed
    program of 1 MB, 72 of 96 tests had saved 21 bytes of own code before the headers had their turn."""
    header_worth: float = 0.02
    """The share of the content that a stretch of tests must save for headers to go on first, and a round of own code
    and headers for another one. Not measured."""
    long: int = 20_000
    """From how many bytes on a program may be worth a look at its end first. That its end goes first was measured on
    one preprocessed program of 407 KB, other lengths were not."""
    end_share: float = 0.01
    """Which part of a long program counts as its end. Not measured apart from `long`."""
    end_least: int = 2000
    """How many bytes at least count as its end. Not measured apart from `long`."""

    huge: int = 1_000_000
    """From how many bytes on blocks are cut before anything is parsed: a tree of a megabyte of dense code takes some
    two seconds and 200 MB. Other lengths were not measured."""
    first_look: int = 8
    """So many tests a way of cutting blocks has to earn something before the other has its turn. Not measured."""
    block_worth: float = 0.1
    """The share of the content that a stretch of tests must save for blocks to go on. Not measured."""

    # Snapshots.
    large: int = 60_000
    """From how many bytes on it takes too long to ask the parser of every part whether it may go. Not measured."""


TUNING = Tuning()
"""What all modules read."""
