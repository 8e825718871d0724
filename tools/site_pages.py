"""Pages of the site that are made when it is built: the start page from the README, the reference from the parser.

A hook of mkdocs; see mkdocs.yml.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

from minrepro.cli.command_outline import Outline, outlines
from minrepro.cli.main import parser

PROJECT = Path(__file__).parents[1]
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that are not in docs/."""
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    pages = {"index.md": _LINK.sub(_from_docs, readme), "reference/commands.md": reference(list(outlines(parser())))}
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Leave no link to what is not part of the site: the words stay."""
    folder = posixpath.dirname(page.file.src_uri)

    def kept(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, match[2]))
        return match[0] if files.get_file_from_path(target) is not None else match[1]

    return _LINK.sub(kept, markdown)


def reference(found: list[Outline]) -> str:
    """Return the page about all commands and their options."""
    lines = ["# Commands and options", "", "The same as `minrepro COMMAND --help`.", ""]
    for each in found[1:]:
        lines += [f"## minrepro {' '.join(each.words)}", "", "```text", each.usage, "```", "", each.description, ""]
        for section in each.sections:
            lines += [f"**{section.title}**", "", "| option | meaning |", "|---|---|"]
            for option in section.options:
                words = f"{', '.join(option.flags)} {option.value}".strip()
                lines.append(f"| `{words.replace('|', ' or ')}` | {option.help.replace('|', ' or ')} |")
            lines.append("")
    return "\n".join(lines)


def _from_docs(match: re.Match[str]) -> str:
    return f"[{match[1]}]({match[2].removeprefix('docs/')}{match[3] or ''})"
