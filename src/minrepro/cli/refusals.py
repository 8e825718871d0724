"""Why a command has no such option as another: what a user is told who tries it."""

from __future__ import annotations

_FAILURE = ("--expect-", "--require", "--compare", "--choose", "--failure", "--allow-other-errors", "--save-check")
_SEARCH = (
    *("--units", "--algorithm", "--effort", "--minify", "--deterministic", "--language", "--grammar", "--start"),
    *("--ddmin-", "--parallel-mode", "--minimality", "--monotone", "--smallest", "--all"),
)
_ENCODING = "an encoding is for one text file"
_ONE_FILE = {
    "--encoding": _ENCODING,
    "--versions": "one file is reduced with one version of a program after another",
}
_KEPT = {
    "--cache": "outcomes are remembered by events, and always",
    **dict.fromkeys(("--keep-candidates", "--no-cleanup"), "the candidates are sequences of events; see the journal"),
}
_BY_CHECK = dict.fromkeys(_FAILURE, "these describe a failing command; here CHECK replays a trace and decides")
_NO_PROCESS = "a session is replayed by a browser on this machine, not by a check of yours"
_TWO = "there are two results, GOOD and BAD, so close to each other that what differs is the explanation"

_PREFIXES = ("--expect-", "--ddmin-", "--limit-", "--cluster")

_REASONS: dict[str, dict[str, str]] = {
    "isolate": {
        **dict.fromkeys(("--explain", "--report", "--with-original", "--formatter", "--in-place"), _TWO),
        **dict.fromkeys(_SEARCH, "a difference is isolated by one algorithm, dd"),
        **_ONE_FILE,
    },
    "args": {
        **dict.fromkeys(_SEARCH, "arguments are words, whatever is in them"),
        **_ONE_FILE,
        "--compare": "COMMAND itself is what is reduced",
        "--stdin": "a check gets the path of a script that runs the command",
        **dict.fromkeys(("--formatter", "--in-place"), "this is for files; the result is a command"),
    },
    "traces reduce": {
        **_BY_CHECK,
        **dict.fromkeys(_SEARCH, "events are removed by rules and replays; the search has no such choice"),
        **dict.fromkeys(("--formatter", "--in-place"), "this is for files of text; the result is a trace of its own"),
        "--encoding": _ENCODING,
        **_KEPT,
    },
    "web reduce": {
        **dict.fromkeys(_FAILURE, "the failure is what the page shows; use --expect-failure or --expect-js"),
        **dict.fromkeys(_SEARCH, "events are removed by rules and replays; the search has no such choice"),
        **dict.fromkeys(
            ("--cluster", "--executor", "--warm", "--warm-server", "--work-dir", "--stdin", "--cache-dir"), _NO_PROCESS
        ),
        **dict.fromkeys(("--sandbox", "--writable"), _NO_PROCESS),
        **dict.fromkeys(("--limit-", "--no-network"), f"{_NO_PROCESS}; pages reach only their own host"),
        "--encoding": _ENCODING,
        **_KEPT,
        "--same-failure": "a replay counts only if it shows the same failure",
        "--flaky": "the rate is measured by replays; --initial-runs says by how many",
        **dict.fromkeys(
            ("--formatter", "--in-place"), "this is for files of text; the result is a recording of its own"
        ),
    },
}


def why_not(command: str, option: str) -> str:
    """Return why a command does not have an option that another has, or nothing."""
    reasons = _REASONS.get(command, {})
    exact = reasons.get(option)
    if exact is not None:
        return exact
    return next((why for name, why in reasons.items() if option.startswith(name) and name in _PREFIXES), "")
