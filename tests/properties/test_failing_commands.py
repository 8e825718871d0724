"""What must hold for any failing command: no result with another first error, and no failure that nothing shows too."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from minrepro.core.invocations import ProcessEnd
from minrepro.oracles.deriving import Observed, failure_of, possible_failures, probes_of
from minrepro.oracles.diagnostics import Context

WORDS = ("apple", "pear", "plum", "fig", "kiwi", "lime")
SHAPES = (
    "main.src:{line}:3: error: '{word}' is not defined",
    "error[E{code}]: cannot use `{word}` here",
    "tool: {word}: no such entry",
    "main.src({line},7): error T{code}: bad {word}",
    "main.src:{line}: {word} is never used",
    'Error: "{word}" on line {line} is unexpected',
    "main.src:{line}:3: warning: {word} is odd",
    "/opt/tool/reader.c:{code}: fatal: {word} at 0x{line}f00",
)


@dataclass(frozen=True)
class Program:
    """Reads lines of words, complains about some words, and about words that need another before them."""

    bad: dict[str, int]
    needs: dict[str, str]
    greeting: str
    closing: bool
    in_stdout: bool

    def run(self, content: bytes) -> ProcessEnd:
        printed, seen = [self.greeting] if self.greeting else [], set[str]()
        for number, line in enumerate(content.decode().splitlines(), 1):
            for word in line.split():
                if word in self.needs and self.needs[word] not in seen:
                    printed.append(f"main.src:{number}:1: error: '{self.needs[word]}' is missing for '{word}'")
                if word in self.bad:
                    code = 100 + WORDS.index(word)
                    printed.append(SHAPES[self.bad[word]].format(word=word, line=number, code=code))
                seen.add(word)
        errors = [line for line in printed if "warning" not in line and line != self.greeting]
        if self.closing:
            printed.append(f"{len(errors)} errors generated." if errors else "done")
        text = "".join(f"{line}\n" for line in printed).encode()
        return ProcessEnd(1 if errors else 0, 0.1, text if self.in_stdout else b"", b"" if self.in_stdout else text)

    def first_error(self, content: bytes) -> str:
        """The first error, without its position."""
        ending = self.run(content)
        lines = (ending.stdout + ending.stderr).decode().splitlines()
        first = next(line for line in lines if "warning" not in line and line != self.greeting)
        return CONTEXT.normalised(first)


CONTEXT = Context.of(" ".join(WORDS).encode(), ["main.src"])
programs = st.builds(
    Program,
    bad=st.dictionaries(st.sampled_from(WORDS), st.integers(0, len(SHAPES) - 1), min_size=1, max_size=4),
    needs=st.dictionaries(st.sampled_from(WORDS), st.sampled_from(WORDS), max_size=3),
    greeting=st.sampled_from(["", "tool 1.2", "warning: no settings found"]),
    closing=st.booleans(),
    in_stdout=st.booleans(),
)
inputs = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), min_size=4, max_size=12)


@settings(max_examples=400)
@given(programs, inputs, st.data())
def test_what_reproduces_has_the_first_error_of_the_input(
    program: Program, lines: list[str], data: st.DataObject
) -> None:
    content = "".join(f"{line}\n" for line in lines).encode()
    original = program.run(content)
    if original.status == 0:
        return
    observed = Observed(
        [original, program.run(content)], {name: program.run(probe) for name, probe in probes_of(content).items()}
    )
    context = Context.of(content, ["main.src"])
    possible = possible_failures(observed, context)
    assert possible
    failure = failure_of(observed, possible[0], context)
    assert failure.difference(original) == ""
    assert failure.difference(program.run(b"")) != ""
    for _ in range(8):
        kept = data.draw(st.lists(st.booleans(), min_size=len(lines), max_size=len(lines)))
        candidate = "".join(f"{line}\n" for line, keep in zip(lines, kept, strict=True) if keep).encode()
        if failure.difference(program.run(candidate)) == "":
            assert program.first_error(candidate) == program.first_error(content)
