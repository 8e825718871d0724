"""Which of all that a failing command prints is the failure, found by its shape and by comparison.

The command is run on the input, and on a few probes: nothing, a blank line, each half of the input, its lines
in another order. What the empty input shows as well is not about the input; what the probes print too is less
specific than what the input alone prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from minrepro.core.invocations import ProcessEnd
from minrepro.oracles.command import reason_of
from minrepro.oracles.comparing import told_by_failing
from minrepro.oracles.diagnostics import INPUT, Context, Fragment, merged
from minrepro.oracles.failure import FailureSpec, crash_of
from minrepro.oracles.failure_shapes import FailureText, Frame, telling_of
from minrepro.oracles.headlines import is_excerpt, is_specific, is_told_again, with_details
from minrepro.oracles.kinds import Kind, Line, lines_of

EMPTY = ("empty", "blank", "good")
"""Probes with nothing in them, or without the failure: what they show is never the failure."""
MOST_SHOWN = 200
_SCORES = {"crash": 100, "error": 60, "place": 60, "words": 40, "warning": 20, "note": 5, "other": 10, "summary": 0}


@dataclass(frozen=True)
class Possible:
    """Something that could be meant: what must be printed, and how it is shown."""

    required: tuple[Fragment, ...]
    shown: str
    score: float
    why: str
    kept: frozenset[str] = frozenset()
    """Numbers of the input that the message speaks of."""
    kind: Kind = "error"
    """What kind of line it is."""
    excluded: tuple[str, ...] = ()
    """Its first line as the empty input shows it, at another place."""


@dataclass(frozen=True)
class Observed:
    """What a failing command did on the input, each time, and on the probes by their names."""

    runs: Sequence[ProcessEnd]
    probes: Mapping[str, ProcessEnd]

    @property
    def empties(self) -> list[ProcessEnd]:
        """What it did on nothing."""
        return [ending for name, ending in self.probes.items() if name in EMPTY]


def probes_of(content: bytes) -> dict[str, bytes]:
    """Return contents that show what a command prints for other inputs, the most telling first."""
    lines = content.splitlines(keepends=True)
    if len(lines) < 4:
        lines = [content[start : start + 8] for start in range(0, len(content), 8)]
    half = len(lines) // 2
    shuffled = lines.copy()
    Random(0).shuffle(shuffled)
    return {
        "empty": b"",
        "blank": b"\n",
        "first half": b"".join(lines[:half]),
        "second half": b"".join(lines[half:]),
        "shuffled": b"".join(shuffled),
    }


def possible_failures(seen: Observed, context: Context) -> list[Possible]:
    """Return all that could be the failure, the most likely first; nothing that the empty input shows as well."""
    found = [*_crashes(seen, context), *_lines(seen, context)]
    specific = [each for every in found if (each := _told_from_nothing(every, seen, context)) is not None]
    unique: dict[tuple[str, ...], Possible] = {}
    for each in specific:
        unique.setdefault(tuple(fragment.text for fragment in each.required), each)
    return sorted(unique.values(), key=lambda each: -each.score)


def failure_of(seen: Observed, chosen: Possible | None, context: Context, *, allow_others: bool = False) -> FailureSpec:
    """Return what must be seen of a candidate, given which of the possible failures is meant."""
    runs = seen.runs
    signals, statuses = {crash_of(ending.status) for ending in runs}, {ending.status for ending in runs}
    signal = signals.pop() if len(signals) == 1 else ""
    status = None if signal or len(statuses) > 1 else runs[0].status
    context = replace(context, kept=chosen.kept, level=chosen.kind) if chosen else context
    in_stdout = chosen is not None and _is_in_stdout(chosen, runs[0], context)
    errors = None if allow_others else _errors(runs, context, in_stdout)
    end = signal or (f"exit status {status}" if status is not None else "any exit status but 0")
    return FailureSpec(
        signal,
        status,
        unsuccessful=not signal and status is None and 0 not in statuses,
        required=chosen.required if chosen else (),
        errors=errors,
        lines=context.lines_in(_printed(runs[0])),
        leads=errors is not None and chosen is not None and _leads(chosen, runs[0], context, in_stdout),
        in_stdout=in_stdout,
        excluded=chosen.excluded if chosen else (),
        context=replace(context, text=""),
        shown=f"{chosen.shown[:MOST_SHOWN]} ({end}; {chosen.why})" if chosen else end,
    )


def _is_in_stdout(chosen: Possible, ending: ProcessEnd, context: Context) -> bool:
    """Tell whether the failure is printed on standard output, and not on standard error."""
    return not _shows(chosen, replace(ending, stdout=b""), context)


def _leads(chosen: Possible, ending: ProcessEnd, context: Context, in_stdout: bool) -> bool:
    """Tell whether a failure is the first error that a run prints."""
    lines = (line for line in lines_of(ending.stdout, ending.stderr) if context.is_error(line, in_stdout))
    first = next((context.normalised(line.text) for line in lines), "")
    return any(fragment.is_in(first) for fragment in chosen.required)


def _errors(runs: Sequence[ProcessEnd], context: Context, in_stdout: bool) -> tuple[Fragment, ...]:
    """Return the errors that the input shows, as often as it shows them; what varies between runs may vary on."""
    printed = [
        [line.text for line in lines_of(run.stdout, run.stderr) if context.is_error(line, in_stdout)] for run in runs
    ]
    first = printed[0]
    normal = [[context.normalised(text) for text in texts] for texts in printed]
    found = [context.fragment(text) for text in first]
    for others, texts in zip(normal[1:], printed[1:], strict=True):
        rest = others.copy()
        for number, mine in enumerate(normal[0]):
            if mine in rest:
                rest.remove(mine)
            else:
                both = next((each for other in rest if (each := merged(mine, other))), None)
                found[number] = both or found[number]
        if len(normal[0]) < len(others):
            found += [context.fragment(text) for text in texts[len(first) :]]
    return tuple(found)


def _shows(possible: Possible, ending: ProcessEnd, context: Context) -> bool:
    """Tell whether a run prints all that a possible failure is known by."""
    context = replace(context, kept=possible.kept)
    normal = [context.normalised(line.text) for line in lines_of(ending.stdout, ending.stderr)]
    return all(any(fragment.is_in(line) for line in normal) for fragment in possible.required)


def _told_from_nothing(possible: Possible, seen: Observed, context: Context) -> Possible | None:
    """Return a possible failure if the empty input does not show it, or only at another place; else None."""
    showing = [ending for ending in seen.empties if _shows(possible, ending, context)]
    if not showing:
        return possible
    context = replace(context, kept=possible.kept)
    excluded = tuple(dict.fromkeys(text for ending in showing for text in _placed(possible, ending, context)))
    if all(set(_placed(possible, run, context)).isdisjoint(excluded) for run in seen.runs):
        return replace(possible, excluded=excluded, score=possible.score - 30)
    return None


def _placed(possible: Possible, ending: ProcessEnd, context: Context) -> list[str]:
    """Return the first line that a possible failure is known by, with its positions, as often as a run prints it."""
    lines = [line.text for line in lines_of(ending.stdout, ending.stderr)]
    return [context.placed(text) for text in lines if possible.required[0].is_in(context.normalised(text))]


def _crashes(seen: Observed, context: Context) -> Iterator[Possible]:
    """Yield the exception, panic, assertion or the like that ended the command."""
    tellings = [telling_of(_printed(ending)) for ending in seen.runs]
    first = tellings[0]
    if first is None or not first.crash or (first.kind == "exception" and not first.frames and len(first.message) == 1):
        return  # an exception without a stack is a line like others
    stable = [message for message in first.message if all(t and message in t.message for t in tellings)]
    texts = stable or [
        message
        for message in first.message
        if all(t and context.normalised(message) in map(context.normalised, t.message) for t in tellings)
    ]
    if not texts:
        return
    places = [
        frame.text
        for frame in _frames(first, context)
        if all(t and frame.text in [other.text for other in t.frames] for t in tellings)
    ]
    kept = context.keeping(texts)
    required = [*(kept.fragment(text) for text in texts), *(kept.fragment(place) for place in places)]
    shown = " … ".join([*texts, *(kept.normalised(place) for place in places)])
    yield Possible(
        tuple(required), shown, _SCORES["crash"], _WHY.get(first.kind, f"the {first.kind}"), kept.kept, "crash"
    )


_WHY = {"exception": "the uncaught exception", "internal error": "the internal error"}


def _frames(telling: FailureText, context: Context) -> list[Frame]:
    """Return the frames that count: the innermost, and the innermost of the user's own program, unless they are
    in the candidate or behind it, where everything may change."""
    found: list[Frame] = []
    for number, frame in enumerate(telling.frames):
        if context.is_own(frame.file):
            break
        in_project = any(frame.file.startswith(f"{root}/") for root in context.roots) or (
            bool(frame.file) and not frame.file.startswith(("/", "<", "node:"))
        )
        if number == 0 or in_project:
            found.append(frame)
        if in_project:
            break
    return found


def _lines(seen: Observed, context: Context) -> Iterator[Possible]:
    """Yield each line that the input prints in every run, with how likely it is meant."""
    printed = [list(lines_of(ending.stdout, ending.stderr)) for ending in seen.runs]
    stable = set.intersection(*({context.normalised(line.text) for line in lines} for lines in printed))
    elsewhere = {
        name: {context.normalised(line.text) for line in lines_of(ending.stdout, ending.stderr)}
        for name, ending in seen.probes.items()
    }
    numbered = [(n, line) for n, line in enumerate(printed[0]) if line.kind and _says_something(line)]
    errors = [line for _, line in numbered if line.kind in ("error", "place", "words")]
    on_both = len({line.stderr for line in errors}) == 2
    special = told_by_failing(printed[0], seen.probes.values(), context)
    rank = 0
    for number, line in numbered:
        normal = context.normalised(line.text)
        if is_excerpt(line, context) or is_told_again(line, printed[0][number + 1 :]):
            continue
        if normal not in stable:
            if line.kind in ("error", "place", "words") and (common := _common(normal, printed[1:], context)):
                yield Possible(
                    (common,),
                    " ".join(line.text.split()),
                    _SCORES[line.kind],
                    "the error, as far as it stays",
                    kind=line.kind,
                )
            continue
        also = [name for name, lines in elsewhere.items() if normal in lines]
        score = _SCORES[line.kind]
        if is_specific(line.text, context):
            wordy = line.kind == "words" and (line.stderr or not on_both)
            score += _SCORES["error"] - _SCORES["words"] if wordy else 0
        elif len(also) > 2:
            score -= 10
        if on_both and not line.stderr:
            score += 1 if INPUT in normal and line.kind in ("error", "place") else -5
        alone = not also and (line.stderr or number + 1 == len(printed[0]))
        if line.kind == "other" and not alone and number not in special:
            continue  # what is neither an error nor the input's alone says nothing
        if line.kind == "summary" and (errors or (also and INPUT not in normal)):
            continue  # only what a summary says of the input says something
        texts = _steady(with_details(printed[0], number, context), line.text, printed[1:], context)
        kept = context.keeping(texts)
        why = "the only line that is specific to the input" if number not in special else "printed only when it fails"
        if line.kind in ("error", "place", "words"):
            rank += 1
            why = f"the first error of {len(errors)}" if rank == 1 and len(errors) > 1 else "the error"
            why = why if rank == 1 else f"error {rank} of {len(errors)}"
        shown = " … ".join(" ".join(text.split()) for text in texts)
        yield Possible(tuple(map(kept.fragment, texts)), shown, score, why, kept.kept, line.kind)


def _steady(texts: list[str], headline: str, runs: Sequence[Sequence[Line]], context: Context) -> list[str]:
    """Return a headline with those of its details that every run prints."""
    if len(texts) == 1 or not runs:
        return texts
    kept = context.keeping(texts)
    normal = [[kept.normalised(line.text) for line in lines] for lines in runs]
    steady = [text for text in texts if all(any(map(kept.fragment(text).is_in, lines)) for lines in normal)]
    return steady if headline in steady else [headline]


def _common(normal: str, runs: Sequence[Sequence[Line]], context: Context) -> Fragment | None:
    """Return what a line that is another in every run has in common with one of each other run."""
    found = None
    for lines in runs:
        others = (merged(normal, context.normalised(line.text)) for line in lines)
        found = next((each for each in others if each is not None and _is_name(each.parts[0])), None)
        if found is None:
            return None
    return found


def _is_name(text: str) -> bool:
    return bool(re.search(r"\w{3}", text))


def _says_something(line: Line) -> bool:
    return any(character.isalpha() for character in line.text)


def seen_in(ending: ProcessEnd) -> str:
    """Return in a line how a run ended, with what it printed first."""
    lines = [line for line in lines_of(ending.stdout, ending.stderr) if line.kind]
    errors = [line for line in lines if Context().is_error(line)]
    first = next((line.text.strip() for line in (*errors, *lines)), "")
    how = crash_of(ending.status) or reason_of(ending.status)
    return f"{how}, “{first[:MOST_SHOWN]}”" if first else how


def _printed(ending: ProcessEnd) -> str:
    return ending.stderr.decode("utf-8", "replace") + "\n" + ending.stdout.decode("utf-8", "replace")
