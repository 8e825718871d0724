"""Writes docs/minrepro.1, the manual page, from the help of all commands.

python tools/man_page.py
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from minrepro._version import VERSION
from minrepro.cli.command_outline import Option, Outline, outlines
from minrepro.cli.main import parser

PAGE = Path(__file__).parents[1] / "docs" / "minrepro.1"


def man_page(found: Sequence[Outline]) -> str:
    """Return the manual page in the language of man."""
    whole, *commands = found
    lines = [
        f'.TH MINREPRO 1 "" "minrepro {VERSION}" "User Commands"',
        ".SH NAME",
        "minrepro \\- reduce a failing test case to a minimal one",
        ".SH SYNOPSIS",
        ".nf",
        *(_text(line.strip()) for each in commands if not each.commands for line in each.usage.splitlines()),
        ".fi",
        ".SH DESCRIPTION",
        _text(whole.description),
        *_epilog(whole.epilog),
        ".SH COMMANDS",
    ]
    for each in commands:
        lines += [f".SS minrepro {' '.join(each.words)}", _text(each.description)]
        for section in each.sections:
            lines += [".PP", f"\\fB{_text(section.title)}\\fR"]
            for option in section.options:
                lines += [".TP", _named(option), _text(option.help)]
    lines += [".SH SEE ALSO", "The directory docs of the source has tutorials and how\\-to guides."]
    return "\n".join(line for line in lines if line) + "\n"


def _named(option: Option) -> str:
    flags = ", ".join(f"\\fB{_text(flag)}\\fR" for flag in option.flags)
    return f"{flags} \\fI{_text(option.value)}\\fR" if option.value else flags


def _epilog(text: str) -> list[str]:
    """Return the text after the options: a title at the margin is bold, what is indented stays as it is."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith(" "):
            lines.append(f"\\&{_text(line)}")
        elif line:
            title = line.endswith(":")
            lines += [".fi", ".PP", f"\\fB{_text(line)}\\fR" if title else _text(line), ".nf"]
    return [*lines[1:], ".fi"]


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in escaped.splitlines())


if __name__ == "__main__":
    PAGE.write_text(man_page(list(outlines(parser()))), encoding="utf-8")
    sys.exit(0)
