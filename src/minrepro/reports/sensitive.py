"""What looks like a secret or like personal data in a text that is about to be handed over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

_SHOWN = 4
"""So many characters of a find are shown: enough to find it, too few to give it away in a log."""


@dataclass(frozen=True)
class Find:
    """A place that looks private."""

    where: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        hidden = f"{self.text[:_SHOWN]}…" if len(self.text) > _SHOWN else "…"
        return f"{self.where}, line {self.line}: {self.kind} {hidden}"


def finds_in(texts: Mapping[str, str]) -> list[Find]:
    """Return what looks private in each text, by its name, in order."""
    return [find for name, text in texts.items() for find in _finds(name, text)]


def _finds(where: str, text: str) -> Iterator[Find]:
    found: dict[int, tuple[int, str, str]] = {}
    for kind, pattern, is_real in _KINDS:
        for match in pattern.finditer(text):
            start, end = match.span("it" if "it" in match.re.groupindex else 0)
            overlaps = any(a < end and start < b for a, (b, _, _) in found.items())
            if not overlaps and is_real(text[start:end]):
                found[start] = end, kind, text[start:end]
    for start, (_, kind, shown) in sorted(found.items()):
        yield Find(where, text.count("\n", 0, start) + 1, kind, shown)


_TOKENS = (
    r"AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,}|glpat-[\w-]{20,}"
    r"|xox[abeprs]-[\w-]{10,}|AIza[\w-]{35}|[sr]k_live_[A-Za-z0-9]{16,}|sk-(?:proj-|ant-)?[\w-]{24,}|npm_[A-Za-z0-9]{36}"
    r"|pypi-[\w-]{50,}|SG\.[\w-]{16,}\.[\w-]{16,}|hf_[A-Za-z0-9]{30,}|dop_v1_[0-9a-f]{60,}"
)
_NAMED = r"(?i:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|credentials?)"
_PLACEHOLDER = re.compile(
    r"(?i)x+|\*+|(.)\1+|change.?me|.*(?:example|dummy|placeholder|password|secret|your|test|foo).*"
)
_NO_DOMAIN = re.compile(r"(?i)(?:.*\.)?(?:example|test|invalid|localhost|local)(?:\.(?:com|org|net|edu))?")
_NO_TOP = {"png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "py", "c", "h", "so", "css", "html", "json", "md"}
_TEST_CARDS = {"4111111111111111", "4242424242424242", "5555555555554444", "378282246310005", "4012888888881881"}
_IBAN_LENGTHS = {"AT": 20, "BE": 16, "CH": 21, "DE": 22, "DK": 18, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "IE": 22}
_IBAN_LENGTHS |= {"IT": 27, "LU": 20, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "SE": 24}


def _always(text: str) -> bool:
    return True


def _has_secret_shape(text: str) -> bool:
    kinds = sum(bool(re.search(kind, text)) for kind in ("[a-z]", "[A-Z]", "[0-9]", r"[^\w\s]"))
    return (kinds >= 3 or (kinds == 2 and len(text) >= 16)) and not _PLACEHOLDER.fullmatch(text)


def _is_mail(text: str) -> bool:
    name, _, domain = text.rpartition("@")
    top = domain.rpartition(".")[2].lower()
    return (
        name.lower() not in ("git", "noreply", "no-reply") and top not in _NO_TOP and not _NO_DOMAIN.fullmatch(domain)
    )


def _is_card(text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    if digits in _TEST_CARDS or len(set(digits)) < 4:
        return False
    doubled = [int(digit) * (1 + at % 2) for at, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "")
    number = "".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])
    return _IBAN_LENGTHS.get(plain[:2]) == len(plain) and int(number) % 97 == 1


def _is_phone(text: str) -> bool:
    digits = re.sub(r"\D", "", text)
    is_fiction = re.search(r"555[ .-]?01\d\d$", text) is not None
    return 9 <= len(digits) <= 15 and len(set(digits)) > 3 and not is_fiction


_KINDS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    ("private key", re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----"), _always),
    ("access token", re.compile(rf"(?<![\w-])(?:{_TOKENS})(?![\w-])"), _always),
    ("web token", re.compile(r"(?<![\w.])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"), _always),
    ("bearer token", re.compile(r"(?i:bearer|basic) +(?P<it>[\w.~+/-]{20,}=*)"), _has_secret_shape),
    ("password in an address", re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/:@'\"]+:(?P<it>[^\s/:@'\"$<{]{3,})@"), _always),
    (
        "password or key",
        re.compile(rf"""{_NAMED}["']?[ \t]*(?:[:=]|=>)[ \t]*["']?(?P<it>[^\s"'$<>{{}}()\[\],;]{{8,}})(?=["'\s,;]|$)"""),
        _has_secret_shape,
    ),
    (
        "e-mail address",
        re.compile(r"(?<![\w.+-])[A-Za-z0-9][\w.+-]*@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?![\w@:-])"),
        _is_mail,
    ),
    (
        "card number",
        re.compile(r"(?<![\w.-])(?:[456]\d{3}([ -]?)\d{4}\1\d{4}\1\d{4}|3[47]\d{2}[ -]?\d{6}[ -]?\d{5})(?![\w-]|\.\d)"),
        _is_card,
    ),
    ("bank account", re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)"), _is_iban),
    (
        "phone number",
        re.compile(
            r"(?<![\w)+.\]])(?:(?<=[\"':])\+\d{9,14}|\+\d{1,3}(?:[ .-]\(?\d{2,4}\)?){2,4}"
            r"|\([2-9]\d\d\) [2-9]\d\d-\d{4}|[2-9]\d\d-[2-9]\d\d-\d{4})(?![\w-]|\.\d)"
        ),
        _is_phone,
    ),
    (
        "social security number",
        re.compile(r"(?<![\w.-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|\.\d)"),
        _always,
    ),
)
