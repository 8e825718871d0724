"""What is worth knowing about a grammar before it is used: what no text needs, and what is ambiguous."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from minrepro.documents.grammars.earley_parser import EarleyParser
from minrepro.documents.grammars.given_grammar import GivenGrammar, Notion
from minrepro.documents.grammars.lalr_parser import Conflict, Node, Token
from minrepro.documents.grammars.productions import Bnf, Production


@dataclass(frozen=True)
class Ambiguity:
    """A part of a text that a rule can be in more than one way."""

    rule: str
    line: int
    text: str


@dataclass
class Findings:
    """What was found out about a grammar."""

    start: str
    rules: int
    tokens: int
    shortest: Mapping[str, str]
    unreachable: Sequence[str]
    """Rules that no text of the grammar needs."""
    undecided: Sequence[str]
    """Where one token ahead does not tell how to go on."""
    nodes: int | None = None
    ambiguous: Sequence[Ambiguity] = field(default_factory=list)


def check_grammar(grammar: GivenGrammar, data: bytes | None = None) -> Findings:
    """Return what is worth knowing about a grammar, and about how it parses a text."""
    notion = grammar.notion
    shown = [name for name in notion.bodies if _is_shown(notion, name)]
    findings = Findings(
        grammar.start,
        len(shown),
        sum(not token.skip for token in notion.tokens),
        {name: grammar.minimal(name).decode("utf-8", "replace") for name in shown},
        sorted(set(shown) - _reached(notion)),
        _undecided(notion.conflicts),
    )
    if data is not None:
        findings.nodes = len(grammar.parse(data))
        findings.ambiguous = _ambiguous(notion, data.decode("utf-8", "surrogateescape"))
    return findings


def _is_shown(notion: Notion, name: str) -> bool:
    return name not in notion.hidden and not name.startswith(("_", '"'))


def _reached(notion: Notion) -> set[str]:
    found, waiting = {notion.start}, [notion.start]
    while waiting:
        for body in notion.bodies.get(waiting.pop(), ()):
            fresh = set(body) - found
            found |= fresh
            waiting += fresh
    return found


def _undecided(conflicts: Sequence[Conflict]) -> list[str]:
    """Return the rules between which a token does not decide, with the tokens."""
    tokens: dict[str, dict[str, None]] = {}
    for each in conflicts:
        rules = dict.fromkeys(production.left for production in each.productions if production.left[:1] != "_")
        tokens.setdefault(" or ".join(list(rules)[:3]) or "a repetition", {})[each.token] = None
    return [
        f"{rules} before {', '.join(list(found)[:3])}{f' and {len(found) - 3} more' if len(found) > 3 else ''}"
        for rules, found in tokens.items()
    ]


def _ambiguous(notion: Notion, text: str) -> list[Ambiguity]:
    """Return which parts of a text can be parsed in more than one way, the smallest first, each rule once."""
    productions = [Production(name, body) for name, bodies in notion.bodies.items() for body in bodies]
    tokens = _tokens(notion.parse(text))
    parser = EarleyParser(Bnf(notion.start, productions, []))
    parser.parse(tokens, len(text))
    found: dict[str, Ambiguity] = {}
    for rule, first, behind in sorted(parser.ambiguous, key=lambda each: each[2] - each[1]):
        start, end = tokens[first].start, tokens[behind - 1].end
        if _is_shown(notion, rule) and rule not in found and rule not in notion.ranked:
            found[rule] = Ambiguity(rule, text.count("\n", 0, start) + 1, " ".join(text[start:end].split())[:60])
    return list(found.values())


def _tokens(root: Node) -> list[Token]:
    found: list[Token] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.parts is None:
            found.append(Token(node.symbol, node.start, node.end))
        else:
            waiting += reversed(node.parts)
    return found
