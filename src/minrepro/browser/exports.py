"""Sessions as tests and scripts of other tools; an exported test fails as long as the bug is there.

A test acts with real mouse and keyboard events and waits as a replay does. It fails with the message of the failure
and the functions that it is thrown in, and with nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from minrepro.browser.failure_patterns import functions_in, pattern
from minrepro.browser.package_files import script
from minrepro.browser.page_failures import PageFailure
from minrepro.browser.recording import Recording
from minrepro.browser.script_calls import PLAYWRIGHT, PUPPETEER, SELENIUM, Address, Tool, base_of, calls
from minrepro.browser.side_export import side
from minrepro.browser.step_descriptions import as_text
from minrepro.browser.waiting import LONG_TIMER
from minrepro.errors import UsageError

FAILURE = "minreproFailure"
"""The key under which a recording keeps the signature of its failure."""


@dataclass(frozen=True)
class Replayed:
    """What a replay of the session showed, for a test that does the same."""

    failure: PageFailure | None = None
    timer: float = LONG_TIMER
    """How long timers of the page are that are waited for after each step, in seconds."""
    late: float = 0.5
    """How long the failure is waited for after the last step, in seconds."""


def export(recording: Recording, to: str, replayed: Replayed | None = None) -> str:
    """Return a session in another form."""
    if to not in EXPORTS:
        raise UsageError(f"unknown export {to!r}; choose from {', '.join(EXPORTS)}")
    return EXPORTS[to](recording, replayed or Replayed())


def failure_of(recording: Recording) -> str:
    """Return the signature of the failure that a recording was reduced for; empty when it does not say."""
    return str(recording.head.get(FAILURE, ""))


def predicate_of(recording: Recording) -> str | None:
    """Return the JavaScript expression that is true where a recording fails, if that is its failure."""
    kind, _, expression = failure_of(recording).partition(": ")
    return expression if kind == "predicate" else None


@dataclass(frozen=True)
class Language:
    """A test of some tool: its template, and how values and calls are written there."""

    template: str
    tool: Tool
    watches: Mapping[str, str]
    """The line that watches for each kind of failure."""
    python: bool

    def literal(self, value: Any) -> str:
        """Return a value as the language writes it."""
        if isinstance(value, Address):
            inside = value.path.startswith(("/", "?")) or not value.path
            return f"BASE + {self.literal(value.path)}" if inside else self.literal(value.path)
        if isinstance(value, tuple) and not self.python:
            value = list(value)
        return repr(value) if self.python else json.dumps(value, ensure_ascii=False)

    def call(self, name: str, args: tuple[Any, ...]) -> str:
        """Return the line that calls a helper."""
        given = ", ".join(map(self.literal, args))
        if self.python:
            return f"            user.{name}({given})"
        if name == "answers.append":
            return f"    user.answers.push({given});"
        return f"    await user.{name}({given});"

    def written(self, recording: Recording, replayed: Replayed) -> str:
        """Return the test for a session."""
        signature = failure_of(recording)
        kind = signature.partition(":")[0] or "error"
        made = calls(recording, self.tool)
        used = {name for name, _ in made} | {"asked" if kind == "predicate" else kind}
        title = " ".join(str(recording.head.get("title") or "A recorded session.").split())
        rest = _uncommented(script("rest.js") + script("requests.js"))
        size = next((step for step in recording.opening if step["type"] == "setViewport"), {})
        touch = {"has_touch" if self.python else "hasTouch": True} if size.get("hasTouch") else {}
        context = ", ".join(f"{key}={value}" for key, value in touch.items()) if self.python else json.dumps(touch)
        values = {
            "title_literal": self.literal(title),
            "title": title.replace("\\", "/").replace('"""', "'''"),
            "base": self.literal(base_of(recording)),
            "failure": self.literal(pattern(signature, replayed.failure)),
            "functions": str(functions_in(signature)),
            "asked": self.literal(signature.partition(": ")[2]),
            "rest_literal": f"String.raw`{rest}`",
            "rest": rest,
            "prepare": _uncommented(script("prepare.js")),
            "paste": script("paste.js").strip(),
            "watch_in_page": self.watches.get(kind, self.watches["error"]),
            "watch": self.watches.get(kind, self.watches["error"]),
            "timer": str(round(replayed.timer * 1000)),
            "late_ms": str(round(replayed.late * 1000)),
            "late": f"{replayed.late:g}",
            "context": context,
            "calls": "\n".join(self.call(name, args) for name, args in made),
        }
        names = "|".join(values)
        return re.sub(rf"\$({names})\b", lambda found: values[found[1]], _with(script(self.template), used))


def _with(template: str, used: set[str]) -> str:
    """Return a template with those of its optional parts that are used."""
    lines: list[str] = []
    wanted = True
    for line in template.splitlines(keepends=True):
        if line.startswith("%%"):
            names = line[2:].split()
            wanted = not names or bool(used.intersection(names))
        elif wanted:
            lines.append(line)
    return "".join(lines)


def _uncommented(source: str) -> str:
    lines = (line for line in source.splitlines() if not line.lstrip().startswith("//"))
    return "\n".join(re.sub(r"; // .*$", ";", line) for line in lines).strip()


_PYTHON = {
    "error": 'page.on("pageerror", self.thrown)',
    "console": 'page.on("console", lambda said: self.seen.append(said.text if said.type == "error" else ""))',
    "http": 'page.on("response", lambda r: self.seen.append(f"{r.status} from {r.request.method} {r.url}"))',
    "crash": 'page.on("crash", lambda page: self.seen.append("the page crashed"))',
}
_NODE = {
    "error": "page.on('pageerror', (error) => this.thrown(error));",
    "console": "page.on('console', (said) => this.seen.push(said.type() === 'error' ? said.text() : ''));",
    "http": "page.on('response', (r) => this.seen.push(`${r.status()} from ${r.request().method()} ${r.url()}`));",
}
_IN_PAGE = {
    "error": "addEventListener('error', (event) => thrown(event.error || event.message));"
    " addEventListener('unhandledrejection', (event) => thrown(event.reason));",
    "console": "const said = console.error; console.error = (...words) => { say(words.join(' ')); said(...words); };",
    "http": "const get = fetch; window.fetch = async (...given) => { const r = await get(...given);"
    " say(`${r.status} from ${new Request(...given).method} ${r.url}`); return r; };"
    " const { open } = XMLHttpRequest.prototype; XMLHttpRequest.prototype.open = function (method, ...given) {"
    " this.addEventListener('load', () => say(`${this.status} from ${method} ${this.responseURL}`));"
    " return open.call(this, method, ...given); };",
}
NOTHING = {"dialog": "", "predicate": "", "hang": ""}
LANGUAGES: Mapping[str, Language] = {
    "pytest": Language("templates/pytest.txt", PLAYWRIGHT, {**_PYTHON, **dict.fromkeys(NOTHING, "pass")}, True),
    "playwright": Language(
        "templates/playwright.txt",
        PLAYWRIGHT,
        {**_NODE, **NOTHING, "crash": "page.on('crash', () => this.seen.push('the page crashed'));"},
        False,
    ),
    "puppeteer": Language(
        "templates/puppeteer.txt",
        PUPPETEER,
        {**_NODE, **NOTHING, "crash": "page.on('error', () => this.seen.push('the page crashed'));"},
        False,
    ),
    "selenium": Language("templates/selenium.txt", SELENIUM, {**_IN_PAGE, **NOTHING}, True),
}
"""The forms that are tests, which can be run."""


def _written(name: str) -> Callable[[Recording, Replayed], str]:
    return lambda recording, replayed: LANGUAGES[name].written(recording, replayed)


EXPORTS: Mapping[str, Callable[[Recording, Replayed], str]] = {
    "recorder": lambda recording, replayed: recording.text(),
    **{name: _written(name) for name in LANGUAGES},
    "side": lambda recording, replayed: side(recording),
    "text": lambda recording, replayed: as_text(recording.url, recording.trace, failure_of(recording)),
}
"""The forms that there are."""
