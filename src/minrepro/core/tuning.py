"""The numbers that steer the default reducer, in one place, each with what is known of how it was chosen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """What the reducer, its plans, its merger and its first passes are steered by."""

    # Plans: which edits are tried together.
    hopeless: float = 0.1
    """A heavy unit that may go with less than this chance is not tried before what is below it. With 0.05, 1.021
    times the checks and 0.998 times the bytes, with 0.2, 0.966 times the checks and 0.976 times the bytes
    (benchmarks/results/tuning.txt)."""
    worker_share: float = 1.5
    """How much of its share of all that is undecided a worker may try at once: smaller groups at the end of a list keep
    more workers busy, larger ones go in fewer tests. Of 0.7, 1.5, 3 and 8 this one was the fastest with 2 and 8 workers
    on eight of the inputs of benchmarks/speedup_real, and as fast as 3 with 16; single inputs vary much more."""
    enough_units: int = 64
    """A list of so many units is not waited for to grow. With 32 and 128 nothing differs in
    benchmarks/results/tuning.txt."""
    trust_in_guess: float = 0.25
    """For so many units counts the guess of how many are needed before anything is known. Of 1, 0.5 and 0.25 the last
    needed the fewest checks where 23 or 60 of 1000 to 10,000 bytes were needed, and as many where fewer were."""
    most_sharing: int = 2000
    """For more workers groups become no smaller: one coordinator could not send so many tests.
    Scaling with it is in benchmarks/results/cluster_model.txt; other bounds were not measured."""

    # Merging: when is asked what the tests were worth, and what is pending doubted.
    stretch: int = 24
    """After so many tests it is asked whether they were worth it. With 12, 1.011 times the checks and 0.983 times
    the bytes, with 48, 0.934 times the checks and 0.982 times the bytes (benchmarks/results/tuning.txt)."""
    doubts: int = 3
    """After so many refusals on top of what is pending it is tested by itself; until then a success may prove it
    free. With 2 and 6 nothing differs in benchmarks/results/tuning.txt."""

    guesses: float = 0.2
    """So many of all tests may be of what another outcome may make needless, times the logarithm of the workers.
    With 0.1, 0.956 times the checks and 0.988 times the bytes, with 0.4, 1.000 times the checks and 1.000 times
    the bytes (benchmarks/results/tuning.txt)."""

    # The reducer: when a grammar is a guide.
    width: int = 16
    """How many tests of a deterministic run may be under way at once, whatever the number of workers. With 8, 1.008
    times the checks and 1.017 times the bytes, with 32, 1.040 times the checks and 1.000 times the bytes
    (benchmarks/results/tuning.txt)."""
    mostly_broken: float = 0.5
    """From this share of bytes in errors on, a grammar is no help. Not measured."""
    somewhat_broken: float = 0.02
    """From this share on, it is not help enough. With 0.01 and 0.04 nothing differs in
    benchmarks/results/tuning.txt."""
    slow_parsing: float = 0.5
    """Parsing is worth its while as long as it takes less than this share of a test. With 0.25 and 0.75 nothing
    differs in benchmarks/results/tuning.txt."""
    fading: float = 0.97
    """By this factor the time of parsing is forgotten with each test without it, so that it is tried again. With
    0.485 and 0.985 nothing differs in benchmarks/results/tuning.txt."""
    leak: int = 30
    """One in so many candidates that parse worse is tested all the same: the failure may live in broken syntax.
    With 15, 0.989 times the checks and 0.991 times the bytes, with 60, 0.983 times the checks and 0.996 times
    the bytes (benchmarks/results/tuning.txt)."""

    # The reducer: how passes take turns.
    rounds: int = 8
    """How often at most what goes before all else is tried again because it found something. With 4 and 16 nothing
    differs in benchmarks/results/tuning.txt."""
    much: float = 0.9
    """When the content is smaller than this share of what a pass left of it, the pass may find more there than
    before. With 0.45, 1.048 times the checks and 0.985 times the bytes, with 0.95, 0.963 times the checks and
    0.988 times the bytes (benchmarks/results/tuning.txt)."""
    most_worth: float = 0.5
    """More than this share of the content no stretch of tests must save, however much others saved. With 0.25 and
    0.75 nothing differs in benchmarks/results/tuning.txt."""
    stuck: float = 0.8
    """When less than the rest of a long program goes at once, what stands at its end may keep all else in place.
    With 0.4 and 0.9 nothing differs in benchmarks/results/tuning.txt."""
    small: int = 2000
    """Up to this many bytes it can be afforded to try what the grammar does not allow. With 1000 and 4000 nothing
    differs in benchmarks/results/tuning.txt."""
    shortest_look: int = 6
    """So many tests a pass always has to find something, however often it found nothing. With 3 and 12 nothing
    differs in benchmarks/results/tuning.txt."""
    stale: float = 0.7
    """When the content is smaller than this share of what it was, what was refused is tried again. With 0.35, 0.985
    times the checks and 0.985 times the bytes, with 0.85, 1.010 times the checks and 1.001 times the bytes
    (benchmarks/results/tuning.txt)."""

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
