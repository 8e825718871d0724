"""A derived failure as a check script that a person can read, edit and run without this package."""

from __future__ import annotations

import shlex

from minrepro.oracles.failure import Failure
from minrepro.oracles.scenario import Scenario

_BOTH = '"$out/stdout" "$out/stderr"'
_COMPLAINT = "^([^: ]+:[0-9]+:([0-9]+:)? )?(fatal )?error: "


def check_script(scenario: Scenario, failure: Failure, name: str) -> str:
    """Return a script that exits with 0 while the failure shows in the file given as its argument."""
    return "\n".join([*_head(scenario, failure, name), *_body(scenario, failure), "exit 0", ""])


def _head(scenario: Scenario, failure: Failure, name: str) -> list[str]:
    return [
        "#!/bin/sh",
        "# Exits with 0 while the failure shows, 125 when it cannot tell, and 1 when it does not show.",
        *_comment(f"What is run:  {scenario.text}"),
        *_comment(f"The failure:  {failure.shown}"),
        f'MINREPRO_CASE=$(realpath -- "${{1:-{name or "."}}}") || exit 125  # the candidate',
        "out=$(mktemp -d) || exit 125",
        "trap 'rm -rf \"$out\"' EXIT",
        "",
    ]


def _body(scenario: Scenario, failure: Failure) -> list[str]:
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
    lines += [_search(text, _BOTH) for text in failure.messages]
    lines += [_search(text, '"$out/stdout"') for text in failure.stdout]
    lines += [_search(text, '"$out/stderr"') for text in failure.stderr]
    if failure.clean:
        lines.append(f"! grep -aEq -e {shlex.quote(_COMPLAINT)} {_BOTH} || exit 125")
    for command in scenario.whiles:
        lines.append(f"{scenario.run_in_shell(command)} >/dev/null 2>&1 || exit 125  # must still succeed")
    return lines


def _end(failure: Failure) -> list[str]:
    status = failure.exact_status
    if status is not None:
        meaning = failure.signal or ("still running when time was up" if failure.hangs else "")
        return [f"[ $? -eq {status} ] || exit 1" + (f"  # {meaning}" if meaning else "")]
    return ["[ $? -ne 0 ] || exit 1"] if failure.unsuccessful else []


def _search(pattern: str, where: str) -> str:
    return f"grep -aEq -e {shlex.quote(pattern)} {where} || exit 1"


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in text.splitlines()]
