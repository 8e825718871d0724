"""A derived failure as a check script that a person can read, edit and run without this package."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from minrepro.oracles.diagnostics import INPUT, Fragment
from minrepro.oracles.failure import FailureSpec
from minrepro.oracles.scenario import Scenario

_BOTH = '"$out/stdout" "$out/stderr"'
_COMPLAINT = r"(^|[^[:alpha:]])(fatal|error|Error|ERROR|Exception)([^[:alpha:]]|$)"
_SPECIAL = re.compile(r"[][\\.^$*+?(){}|]")
_FREE = re.compile(
    rf"(?P<input>{INPUT})|(?P<temporary><temporary>)|(?P<number>0x#|#)|(?P<blank> )"
    r"|(?P<path>(?<![\w.])[\w-][\w./-]*[/.][\w./-]*)"
)


@dataclass(frozen=True)
class Where:
    """The folder of which a script makes a copy, where in it the command runs, and where the candidate belongs."""

    root: str = ""
    """Empty: the command is run where the script is, on the path of the candidate."""
    folder: str = "."
    place: str = ""


def check_script(scenario: Scenario, failure: FailureSpec, name: str, where: Where = Where()) -> str:
    """Return a script that exits 0 if the file given as its argument still reproduces the failure."""
    return "\n".join([*_head(scenario, failure, name, where), *_body(scenario, failure), "exit 0", ""])


def _head(scenario: Scenario, failure: FailureSpec, name: str, where: Where) -> list[str]:
    lines = [
        "#!/bin/sh",
        "# Exits 0 if the candidate reproduces the failure, 125 if that cannot be decided, and 1 if it does not.",
        *_comment(f"Command:  {scenario.text}"),
        *_comment(f"Failure:  {failure.shown}"),
        f'MINREPRO_CANDIDATE=$(realpath -- "${{1:-{name or "."}}}") || exit 125  # the candidate',
        "out=$(mktemp -d) || exit 125",
        "trap 'rm -rf \"$out\"' EXIT",
    ]
    if where.root:
        target = shlex.quote(where.place)
        lines += [
            "# The command runs in a copy of the directory where it was typed, with the candidate in it.",
            f'cp -R {shlex.quote(where.root)} "$out/copy" || exit 125',
            f'rm -rf "$out/copy"/{target} && cp -R "$MINREPRO_CANDIDATE" "$out/copy"/{target} || exit 125',
            f'cd "$out/copy"/{shlex.quote(where.folder)} || exit 125',
            f'MINREPRO_CANDIDATE="$out/copy"/{target}',
            'set -- "$MINREPRO_CANDIDATE"',
        ]
    return [*lines, ""]


def _body(scenario: Scenario, failure: FailureSpec) -> list[str]:
    lines: list[str] = []
    if scenario.differs:
        for number, (command, status) in enumerate(zip(scenario.differs, failure.statuses or (0, 0), strict=True)):
            lines.append(f'{scenario.run_in_shell(command)} >"$out/{number}" 2>"$out/stderr{number}"')
            lines.append(f"[ $? -eq {status} ] || exit 1")
        lines += ['! cmp -s "$out/0" "$out/1" || exit 1  # their outputs must differ']
        lines += ['mv "$out/0" "$out/stdout"; mv "$out/stderr0" "$out/stderr"']
    else:
        limit = "" if scenario.hangs is None else f"timeout -k 1 {scenario.hangs:g} "
        lines += [f'{limit}{scenario.run_in_shell(scenario.first)} >"$out/stdout" 2>"$out/stderr"', *_end(failure)]
    lines += [_search(pattern(fragment), _BOTH) for fragment in failure.required]
    lines += [_search(text, '"$out/stdout"') for text in failure.stdout]
    lines += [_search(text, '"$out/stderr"') for text in failure.stderr]
    if failure.errors is not None:
        known = "".join(f" -e {shlex.quote(pattern(each))}" for each in dict.fromkeys(failure.errors))
        filtered = f" | grep -aEv{known}" if known else ""
        found = f"cat {_BOTH} | grep -aE -e {shlex.quote(_COMPLAINT)}{filtered}"
        lines.append(f"! {found} | grep -q . || exit 125  # no other error")
    for command in scenario.whiles:
        lines.append(f"{scenario.run_in_shell(command)} >/dev/null 2>&1 || exit 125  # must still succeed")
    return lines


def _end(failure: FailureSpec) -> list[str]:
    status = failure.exact_status
    if status is not None:
        meaning = failure.signal or ("still running at the timeout" if failure.hangs else "")
        return [f"[ $? -eq {status} ] || exit 1" + (f"  # {meaning}" if meaning else "")]
    return ["[ $? -ne 0 ] || exit 1"] if failure.unsuccessful else []


def pattern(fragment: Fragment) -> str:
    """Return what `grep -E` finds a fragment by: positions, numbers and folders may be any."""
    return ".*".join(map(_pattern, fragment.parts))


def _pattern(part: str) -> str:
    pieces, position = [], 0
    for match in _FREE.finditer(part):
        pieces.append(_literal(part[position : match.start()]))
        pieces.append(_CLASSES[str(match.lastgroup)])
        if match.lastgroup == "path":
            pieces.append(_literal(match[0]))
        position = match.end()
    return "".join(pieces) + _literal(part[position:])


_CLASSES = {
    "input": "[^[:space:]]*",
    "temporary": "[^[:space:]]+",
    "number": "[-+0-9a-fA-Fx.,]+[a-zA-Z%]*",
    "blank": "[[:space:]]+",
    "path": "([^[:space:]]*/)?",
}


def _literal(text: str) -> str:
    return _SPECIAL.sub(lambda match: "\\" + match[0], text)


def _search(text: str, where: str) -> str:
    return f"grep -aEq -e {shlex.quote(text)} {where} || exit 1"


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in text.splitlines()]
