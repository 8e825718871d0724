"""What the lexer of a grammar for ANTLR 4 does: its rules as tokens, and its sets of characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from minrepro.documents.grammars.grammar_form import (
    LAST,
    Alt,
    Chars,
    Except,
    Expr,
    Ranges,
    Ranked,
    Ref,
    Repeat,
    Seq,
    Text,
    TokenRule,
    all_but,
    alt,
    united,
    within,
)
from minrepro.documents.grammars.grammar_text import ESCAPES
from minrepro.documents.grammars.lexer_patterns import PatternWriter
from minrepro.errors import GrammarError


@dataclass
class LexerRule:
    """A rule of the lexer, one option with its commands."""

    name: str
    expr: Expr
    mode: str
    line: int
    commands: tuple[tuple[str, str], ...] = ()


@dataclass
class AntlrGrammar:
    """What was read so far."""

    source: str
    rules: dict[str, Expr] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    lexer: list[LexerRule] = field(default_factory=list)
    fragments: dict[str, Expr] = field(default_factory=dict)
    declared: dict[str, int] = field(default_factory=dict)
    ignore_case: bool = False


def tokens_of(found: AntlrGrammar) -> list[TokenRule]:
    """Return the tokens that the rules of the lexer make."""
    rules = {**found.fragments}
    options: dict[str, list[Expr]] = {}
    for rule in found.lexer:
        options.setdefault(rule.name, []).append(rule.expr)
    rules |= {name: alt(each) for name, each in options.items()}

    def refuse(message: str, line: int) -> GrammarError:
        return GrammarError(f"{found.source}:{line}: {message}")

    modes = {rule.mode for rule in found.lexer}
    writer = PatternWriter(rules, refuse, ignore_case=found.ignore_case)
    tokens: list[TokenRule] = []
    for rule in found.lexer:
        commands = dict(rule.commands)
        steps = [_step(step, commands[name]) for name, step in _STEPS.items() if name in commands]
        for mode in (commands[name] for name in ("mode", "pushMode") if name in commands):
            if mode not in (*modes, "DEFAULT_MODE"):
                raise refuse(f"there is no mode {mode}", rule.line)
        fixed = rule.expr.text if isinstance(rule.expr, Text) and not found.ignore_case else None
        if len(options[rule.name]) > 1:
            fixed = None
        tokens.append(
            TokenRule(
                commands.get("type", rule.name),
                writer.patterns(rule.expr),
                fixed=fixed,
                skip="skip" in commands or "channel" in commands,
                more="more" in commands,
                mode=rule.mode,
                steps=tuple(steps),
                line=rule.line,
            )
        )
    return tokens


def _step(step: str, mode: str) -> str:
    return f"{step} {'' if mode == 'DEFAULT_MODE' else mode}".strip()


_STEPS = {"mode": "to", "pushMode": "push", "popMode": "pop"}


def without_sets(expr: Expr, tokens: list[TokenRule]) -> Expr:
    """Return an expression of the parser in which `.` and `~` are all tokens that they may be."""
    if isinstance(expr, Chars | Except):
        names = dict.fromkeys(token.name for token in tokens if not token.skip and not token.more)
        texts = {token.fixed: token.name for token in tokens if token.fixed is not None}
        if isinstance(expr, Except):
            for part in within(expr.without):
                without = (
                    part.name if isinstance(part, Ref) else texts.get(part.text) if isinstance(part, Text) else None
                )
                names.pop(without or "", None)
        return Alt(tuple(map(Ref, names)))
    if isinstance(expr, Seq):
        return Seq(tuple(without_sets(part, tokens) for part in expr.parts))
    if isinstance(expr, Alt):
        return Alt(tuple(without_sets(option, tokens) for option in expr.options))
    if isinstance(expr, Repeat):
        return Repeat(without_sets(expr.part, tokens), expr.least, expr.most, expr.greedy)
    if isinstance(expr, Ranked):
        return Ranked(without_sets(expr.part, tokens), expr.level, expr.right, expr.token)
    return expr


_IN_SET = re.compile(r"\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|([pP])\{([^}]*)\}|(.))|(.)", re.DOTALL)


def set_of(text: str, refuse: Callable[[str], GrammarError]) -> Ranges:
    """Return the characters of a set as ANTLR writes it."""
    found: list[tuple[int, int]] = []
    low: int | None = None
    dash = False
    for match in _IN_SET.finditer(text):
        wide, code, sign, category, escaped, plain = match.groups()
        if sign:
            ranges = _category(category)
            if not ranges:
                raise refuse(f"the property {category} of characters is not known")
            found += ranges if sign == "p" else all_but(ranges)
            low = None
            continue
        if plain == "-" and low is not None and not dash and match.end() < len(text):
            dash = True
            continue
        value = int(wide or code, 16) if wide or code else ord(ESCAPES.get(escaped, escaped) if escaped else plain)
        if dash and low is not None:
            found[-1] = low, value
            low, dash = None, False
        else:
            found.append((value, value))
            low = value
    return united(found)


@cache
def _category(name: str) -> Ranges:
    """Return the characters of a general category of Unicode, by its short name or one of a few long ones."""
    long = {"alpha": "L", "alphabetic": "L", "letter": "L", "uppercase": "Lu", "lowercase": "Ll", "digit": "Nd"}
    short = long.get(name.lower(), name)
    return united([(code, code) for code in range(LAST + 1) if unicodedata.category(chr(code)).startswith(short)])
