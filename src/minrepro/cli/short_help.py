"""What `-h` prints: one screen; `--help` prints everything."""

from __future__ import annotations

WHOLE = """\
Usage: minrepro COMMAND [OPTIONS] ...

Reduce a failing test case to a minimal one that still reproduces the failure.

  minrepro reduce crash.json -- python3 load.py crash.json
  minrepro reduce ./check.sh crash.json

Reduce
  reduce      Make a failing file or directory as small as possible
  isolate     Find the smallest difference between a good and a bad file
  args        Find the arguments that make a command fail
  resume      Continue an interrupted reduction
  web         Record, replay and reduce failing browser sessions
  traces      Reduce failing sequences of events

Understand and share
  explain     Show why each part of a result is needed
  report      Write an HTML or Markdown report for a bug tracker

Prepare and manage
  lint        Find common mistakes in a check, or show how a failure is recognized
  tree        Show the syntax tree of a file
  languages   List supported languages
  grammar     Check a grammar of your own
  list, show, clean    List, inspect and delete recorded reductions
  completion  Print a completion script for bash, zsh or fish

'minrepro COMMAND -h' shows the main options, '--help' shows all of them.
"""

REDUCE = """\
Usage: minrepro reduce [OPTIONS] INPUT... -- COMMAND [ARG...]
       minrepro reduce [OPTIONS] CHECK INPUT...

Make INPUT (a file, several files or a directory) as small as possible while
it still reproduces the failure. INPUT itself is not modified.

COMMAND is the failing command, as you typed it. minrepro runs it on INPUT to
learn the failure: its error message, signal or exit status. CHECK is a program
of yours: it gets the path of a candidate and exits 0 if the failure reproduces,
125 if that cannot be decided, and with any other status if it does not.

Examples:
  minrepro reduce crash.json -- python3 load.py crash.json
  minrepro reduce bug.js --expect-signal SEGV -- ./engine bug.js
  minrepro reduce ./check.sh project/ -j 8

Result:
  -o, --output PATH       Write the result to PATH [default: INPUT with .min]
      --in-place          Overwrite INPUT, keep the original as INPUT.orig
      --explain           Show why each part of the result is needed
      --report FILE       Write a report, .html or .md
      --json              Print a summary as JSON to standard output
  -q, --quiet             Print warnings and errors only (-v: print every step)

Failure, with -- COMMAND:
      --choose            List what the failure could be (then --failure N)
      --expect-exit N, --expect-signal NAME, --expect-hang SECONDS
      --expect-stdout REGEX, --expect-stderr REGEX
      --require COMMAND   Also require that COMMAND exits 0 on the candidate

Check runs:
  -j, --jobs N            Run N checks in parallel [default: number of CPUs]
      --timeout SECONDS   Kill a check run after SECONDS [default: adaptive]
      --max-time TIME     Stop after TIME (90, 10m, 2h) with the best so far
      --flaky RATE        Accept candidates that reproduce at RATE, e.g. 0.3
      --resume            Continue the last interrupted reduction

'--help' adds effort, language, limit, cache, cluster and research options.
"""

SHORT = {"minrepro": WHOLE, "minrepro reduce": REDUCE}
"""By the command; others have few options, and print all of them."""
