"""Scripts with which shells complete the words of the command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from minrepro.cli.command_outline import Option, Outline

_PATHS = re.compile(r"FILE|PATH|DIR|LOG|JOURNAL|RUN\b")
"""What the value of an option is called where it is a path."""


def bash(outlines: Sequence[Outline]) -> str:
    """Return the script for bash."""
    lines = [
        "# bash completion for minrepro; load it with: source <(minrepro completion bash)",
        "_minrepro() {",
        '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} known=" " command="" i',
        "    for ((i = 1; i < COMP_CWORD; i++)); do",
        '        [[ ${COMP_WORDS[i]} == -- ]] && { COMPREPLY=($(compgen -f -- "$word")); return; }',
        "        [[ ${COMP_WORDS[i]} == -* ]] && continue",
        '        case "$command ${COMP_WORDS[i]}" in',
        "            " + "|".join(f'" {" ".join(each.words)}"' for each in outlines if each.words) + ")",
        '                command="$command ${COMP_WORDS[i]}" ;;',
        "        esac",
        "    done",
        '    case "$command $before" in',
    ]
    for each in outlines:
        for option in each.options:
            if option.value:
                names = "|".join(f'"{_path(each)} {flag}"' for flag in option.flags)
                words = f'-W "{" ".join(option.choices)}"' if option.choices else "-f"
                lines.append(f'        {names}) COMPREPLY=($(compgen {words} -- "$word")); return ;;')
    lines += ["    esac", '    case "$command" in']
    for each in outlines:
        known = " ".join([*each.next_words, *(flag for option in each.options for flag in option.flags)])
        lines.append(f'        "{_path(each)}") known="{known}" ;;')
    lines += [
        "    esac",
        '    COMPREPLY=($(compgen -W "$known" -- "$word"))',
        '    [[ $word != -* && $command ]] && COMPREPLY+=($(compgen -f -- "$word"))',
        "}",
        "complete -o filenames -F _minrepro minrepro",
    ]
    return "\n".join(lines) + "\n"


def zsh(outlines: Sequence[Outline]) -> str:
    """Return the script for zsh."""
    lines = [
        "#compdef minrepro",
        "# zsh completion for minrepro; save it as _minrepro in a directory of $fpath",
        "_minrepro() {",
        '    local command="" word',
        "    local -a known",
        "    for word in ${words[2,CURRENT-1]}; do",
        "        [[ $word == -- ]] && { _files; return; }",
        "        [[ $word == -* ]] && continue",
        '        case "$command $word" in',
        "            " + "|".join(f'" {" ".join(each.words)}"' for each in outlines if each.words) + ")",
        '                command="$command $word" ;;',
        "        esac",
        "    done",
        '    case "$command ${words[CURRENT-1]}" in',
    ]
    for each in outlines:
        for option in each.options:
            if option.value:
                names = "|".join(f'"{_path(each)} {flag}"' for flag in option.flags)
                values = f"compadd -- {' '.join(option.choices)}" if option.choices else "_files"
                lines.append(f"        {names}) {values}; return ;;")
    lines += ["    esac", '    case "$command" in']
    for each in outlines:
        described = [f"{name}:{text}" for name, text in each.next_words.items()]
        described += [f"{flag}:{option.help}" for option in each.options for flag in option.flags]
        lines.append(f'        "{_path(each)}") known=(')
        lines += [f"            {shlex.quote(text)}" for text in described]
        lines.append("        ) ;;")
    lines += [
        "    esac",
        "    _describe -o 'minrepro' known",
        "    [[ ${words[CURRENT]} != -* && -n $command ]] && _files",
        "}",
        '[[ ${funcstack[1]} == _minrepro ]] && _minrepro "$@" || compdef _minrepro minrepro',
    ]
    return "\n".join(lines) + "\n"


def fish(outlines: Sequence[Outline]) -> str:
    """Return the script for fish."""
    paths = " ".join(_fish_quoted(f"minrepro{_path(each)}") for each in outlines if each.words)
    lines = [
        "# fish completion for minrepro; load it with: minrepro completion fish | source",
        "function __minrepro_command",
        "    set -l found minrepro",
        "    for word in (commandline -opc)[2..-1]",
        f'        contains -- "$found $word" {paths}; and set found "$found $word"',
        "    end",
        "    echo $found",
        "end",
    ]
    for each in outlines:
        condition = f"test (__minrepro_command) = 'minrepro{_path(each)}'"
        when = f"complete -c minrepro -n {_fish_quoted(condition)}"
        lines += [f"{when} -f -a {name} -d {_fish_quoted(text)}" for name, text in each.next_words.items()]
        lines += [f"{when} {_for_fish(option)}" for option in each.options]
    return "\n".join(lines) + "\n"


def _for_fish(option: Option) -> str:
    flags = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags]
    value = []
    if option.choices:
        value = ["-x", "-a", _fish_quoted(" ".join(option.choices))]
    elif option.value:
        value = ["-r", "-F"] if _PATHS.search(option.value) else ["-x"]
    return " ".join([*flags, *value, "-d", _fish_quoted(option.help)])


def _path(outline: Outline) -> str:
    return "".join(f" {word}" for word in outline.words)


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS = {"bash": bash, "zsh": zsh, "fish": fish}
