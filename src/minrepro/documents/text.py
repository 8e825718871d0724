"""Text and bytes as lists of units: lines, characters, bytes. What is kept is kept byte for byte, whatever it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from minrepro.search import Reduction, embed

ListMinimizer = Callable[[Sequence[int]], Reduction[tuple[int, ...]]]


class Text:
    """A sequence of byte strings, its units; a configuration is the positions of those that are kept."""

    def __init__(self, units: Sequence[bytes]) -> None:
        self.units = units

    def __len__(self) -> int:
        return len(self.units)

    def render(self, config: Sequence[int]) -> bytes:
        """Return the units that are kept, one behind the other."""
        if len(config) == len(self.units):
            return b"".join(self.units)
        return b"".join(map(self.units.__getitem__, config))


class Bytes:
    """Bytes whose units are the single bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __len__(self) -> int:
        return len(self.data)

    def render(self, config: Sequence[int]) -> bytes:
        """Return the bytes that are kept."""
        return self.data if len(config) == len(self.data) else bytes(map(self.data.__getitem__, config))


def lines(data: bytes) -> Text:
    """Cut behind each line feed; a carriage return stays with its line, a last line needs no end."""
    units = data.split(b"\n")
    ended = [unit + b"\n" for unit in units[:-1]]
    return Text([*ended, units[-1]] if units[-1] else ended)


def characters(data: bytes) -> Text:
    """Cut into UTF-8 characters; a byte that is part of none is a unit of its own."""
    text = data.decode("utf-8", "surrogateescape")
    return Text([character.encode("utf-8", "surrogateescape") for character in text])


Cutter = Callable[[bytes], Text | Bytes]

CUTTERS: dict[str, Cutter] = {"lines": lines, "characters": characters, "bytes": Bytes}


def reduce_text(data: bytes, minimize: ListMinimizer, cutters: Sequence[Cutter]) -> Reduction[bytes]:
    """Minimise by the units of each cutter in turn, the result of one being the input of the next."""
    for cut in cutters:
        document = cut(data)
        kept = yield from embed(minimize(range(len(document))), into=document.render)
        data = document.render(kept)
    return data
