"""Grammars for ANTLR 4: combined ones, and parsers with a lexer in a file of its own.

What ANTLR's own lexer and parser do is read: modes, fragments, channels, ranks of operators. What needs code of the
target language (predicates, actions of the lexer, tokens that only code makes) is refused with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from minrepro.documents.grammars.antlr_tokens import AntlrGrammar, LexerRule, set_of, tokens_of, without_sets
from minrepro.documents.grammars.grammar_form import (
    LAST,
    NOTHING,
    Alt,
    Chars,
    Except,
    Expr,
    GrammarForm,
    Ranked,
    Ref,
    Repeat,
    Seq,
    Text,
    alt,
    references,
    seq,
)
from minrepro.documents.grammars.grammar_text import Piece, Scanner, unescaped
from minrepro.errors import GrammarError

Load = Callable[[str], tuple[str, str]]
"""Returns the text and the source of the grammar of that name."""

_LOOSE = r"\s+|//[^\n]*|/\*.*?\*/"
_PIECES = {
    "text": r"'(?:\\.|[^'\\\n])*'",
    "set": r"\[(?:\\.|[^\]\\])*\]",
    "name": r"[^\W\d]\w*",
    "number": r"\d+",
    "option": r"<[^<>\n]*>",
    "sign": r"->|\.\.|\+=|::|[:;|()?*+~.,=#@]",
}


def read_antlr(text: str, source: str, load: Load) -> GrammarForm:
    """Read a grammar for ANTLR 4 with those that it imports."""
    found = AntlrGrammar(source)
    _Reader(text, source, load, found).read()
    if not found.rules:
        raise GrammarError(f"{source}: there are no rules of a parser in it\nhint: give the grammar of the parser")
    tokens = tokens_of(found)
    made = {token.name for token in tokens} | found.rules.keys()
    for name, expr in found.rules.items():
        for ref in references(expr):
            if ref.name in found.declared and ref.name not in made:
                raise GrammarError(
                    f"{source}:{ref.line}: only code makes the token {ref.name}, no rule of the lexer (rule {name})"
                )
    rules = {name: without_sets(expr, tokens) for name, expr in found.rules.items()}
    return GrammarForm(source, rules, tokens, found.lines)


class _Reader:
    def __init__(self, text: str, source: str, load: Load, found: AntlrGrammar) -> None:
        self._scanner = Scanner(text, source, _LOOSE, _PIECES)
        self._load, self._found = load, found
        self._source = source
        self._mode = ""

    def read(self) -> None:
        """Read all of a grammar; what it imports comes behind its own rules."""
        imported: list[str] = []
        while (piece := self._scanner.take()) is not None:
            if piece.text in ("grammar", "lexer", "parser") and self._is_header(piece):
                continue
            if piece.text == "@":
                self._skip_named_action()
            elif piece.text == "import":
                imported += self._names_until(";")
            elif piece.text in ("options", "tokens", "channels"):
                self._block(piece)
            elif piece.text == "mode":
                self._mode = self._scanner.expect("name").text
                self._scanner.expect("sign", ";")
            elif piece.kind == "name":
                self._rule(piece)
            elif piece.text != ";":
                raise self._scanner.error(f"expected a rule, not {piece.text}", piece.line)
        for name in imported:
            self._read_other(name)

    def _is_header(self, piece: Piece) -> bool:
        if piece.text != "grammar" and not self._scanner.accept("grammar"):
            return False
        self._scanner.expect("name")
        self._scanner.expect("sign", ";")
        return True

    def _read_other(self, name: str) -> None:
        text, source = self._load(name)
        _Reader(text, source, self._load, self._found).read()

    def _names_until(self, end: str) -> Iterator[str]:
        while (piece := self._scanner.take()) is not None and piece.text != end:
            if piece.kind == "name":
                yield piece.text

    def _skip_named_action(self) -> None:
        while (piece := self._scanner.peek_or_brace()) is not None and piece.text != "{":
            self._scanner.take()
        self._scanner.skip_braces()

    def _block(self, head: Piece) -> None:
        body, line = self._scanner.braces()
        if head.text == "tokens":
            for name in re.findall(r"\w+", body):
                self._found.declared.setdefault(name, line)
        elif head.text == "options":
            options = dict(re.findall(r"(\w+)\s*=\s*'?([\w.]+)", body))
            self._found.ignore_case |= options.get("caseInsensitive") == "true"
            if "tokenVocab" in options:
                self._read_other(options["tokenVocab"])

    def _rule(self, piece: Piece) -> None:
        scanner = self._scanner
        fragment = piece.text == "fragment"
        name = scanner.expect("name") if fragment else piece
        plain = True
        while not scanner.accept(":"):
            head = scanner.peek_or_brace()
            if head is None:
                raise scanner.error(f"rule {name.text} has no body", name.line)
            if head.text == "@":
                self._skip_named_action()
            elif head.text == "{":
                scanner.skip_braces()
            elif head.kind == "set" and plain:
                raise scanner.error(f"rule {name.text} has arguments, which need code", head.line)
            else:
                scanner.take()  # returns, locals, throws, options
            plain = False
        if name.text[0].isupper():
            self._lexer_rule(name, fragment)
        else:
            options = self._options(in_lexer=False)
            self._found.lines.setdefault(name.text, name.line)
            self._found.rules.setdefault(name.text, _ranked(name.text, options))
        scanner.expect("sign", ";")
        while scanner.accept("catch") or scanner.accept("finally"):
            if (argument := scanner.peek_or_brace()) is not None and argument.kind == "set":
                scanner.take()
            scanner.skip_braces()

    def _lexer_rule(self, name: Piece, fragment: bool) -> None:
        if fragment:
            self._found.fragments.setdefault(name.text, alt([option for option, _ in self._options(in_lexer=True)]))
            return
        known = {rule.name for rule in self._found.lexer}
        for option, commands in self._options(in_lexer=True):
            if name.text not in known:
                self._found.lexer.append(LexerRule(name.text, option, self._mode, name.line, commands))

    def _options(self, *, in_lexer: bool) -> list[tuple[Expr, tuple[tuple[str, str], ...]]]:
        """Return the options of a rule, each with its commands; `<assoc=right>` is one of them."""
        found: list[tuple[Expr, tuple[tuple[str, str], ...]]] = []
        while True:
            commands: list[tuple[str, str]] = []
            parts = self._sequence(in_lexer, commands)
            if self._scanner.accept("->"):
                commands += self._commands()
            if self._scanner.accept("#"):
                self._scanner.expect("name")
            found.append((seq(parts) if parts else NOTHING, tuple(commands)))
            if not self._scanner.accept("|"):
                return found

    def _commands(self) -> Iterator[tuple[str, str]]:
        scanner = self._scanner
        while True:
            command = scanner.expect("name")
            argument = ""
            if scanner.accept("("):
                argument = scanner.expect("name").text
                scanner.expect("sign", ")")
            if command.text not in ("skip", "more", "channel", "mode", "pushMode", "popMode", "type"):
                raise scanner.error(f"the command {command.text} cannot be read", command.line)
            yield command.text, argument
            if not scanner.accept(","):
                return

    def _sequence(self, in_lexer: bool, commands: list[tuple[str, str]]) -> list[Expr]:
        parts: list[Expr] = []
        while True:
            line = self._scanner.line
            actions = self._scanner.skip_braces()
            if actions and self._scanner.accept("?"):
                raise self._scanner.error("a predicate {…}? needs code and cannot be read", line)
            if actions and in_lexer:
                raise self._scanner.error("an action of the lexer needs code and cannot be read", line)
            piece = self._scanner.peek()
            if piece is None or piece.text in ("|", ";", ")", "->", "#"):
                return parts
            if piece.kind == "option":
                self._scanner.take()
                if re.fullmatch(r"<\s*assoc\s*=\s*right\s*>", piece.text):
                    commands.append(("right", ""))
                continue
            parts.append(self._element(in_lexer))

    def _element(self, in_lexer: bool) -> Expr:
        scanner = self._scanner
        piece = scanner.take()
        assert piece is not None, "who asks has looked ahead"
        if piece.kind == "name" and not in_lexer and (scanner.accept("=") or scanner.accept("+=")):
            return self._element(in_lexer)  # a label
        part = self._atom(piece, in_lexer)
        counts = {"?": (0, 1), "*": (0, None), "+": (1, None)}
        following = scanner.peek_or_brace()
        if following is not None and following.text in counts:
            scanner.take()
            least, most = counts[following.text]
            greedy = not scanner.accept("?")
            return Repeat(part, least, most, greedy)
        return part

    def _atom(self, piece: Piece, in_lexer: bool) -> Expr:
        scanner = self._scanner
        if piece.text == "(":
            part = alt([option for option, _ in self._options(in_lexer=in_lexer)])
            scanner.expect("sign", ")")
            return part
        if piece.text == "~":
            inner = scanner.take()
            if inner is None:
                raise scanner.error("nothing follows ~", piece.line)
            return Except(Chars(((0, LAST),)), self._atom(inner, in_lexer), piece.line)
        if piece.text == ".":
            return Chars(((0, LAST),))
        if piece.kind == "text":
            text = unescaped(piece.text[1:-1])
            if scanner.accept(".."):
                last = unescaped(scanner.expect("text").text[1:-1])
                return Chars(((ord(text), ord(last)),))
            return Text(text)
        if piece.kind == "set" and in_lexer:
            return Chars(set_of(piece.text[1:-1], lambda what: scanner.error(what, piece.line)))
        if piece.kind == "set":
            raise scanner.error(f"{piece.text} passes arguments to a rule, which needs code", piece.line)
        if piece.kind == "name":
            return NOTHING if piece.text == "EOF" and not in_lexer else Ref(piece.text, piece.line)
        raise scanner.error(f"cannot read {piece.text} here", piece.line)


def _ranked(name: str, options: list[tuple[Expr, tuple[tuple[str, str], ...]]]) -> Expr:
    """Return the options of a rule; where the rule begins with itself, the first binds the tightest."""
    recursive = any(isinstance(option, Seq) and option.parts[:1] == (Ref(name),) for option, _ in options)
    if not recursive:
        return alt([option for option, _ in options])
    return Alt(
        tuple(
            Ranked(option, -number, right=("right", "") in commands)
            for number, (option, commands) in enumerate(options)
        )
    )
