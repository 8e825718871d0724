"""Text and bytes as lists of units: lines, characters, bytes. What is kept is kept byte for byte, whatever it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from itertools import accumulate, pairwise
from typing import Protocol

from minrepro.core.search import ListMinimizer, Reduction, Refine, embed


class Text:
    """Bytes that are cut into units at their bounds; a configuration is the positions of those that are kept."""

    def __init__(self, data: bytes, bounds: Sequence[int]) -> None:
        self._data = data
        self._bounds = bounds

    def __len__(self) -> int:
        return len(self._bounds) - 1

    @property
    def units(self) -> list[bytes]:
        """The units, one by one."""
        return [self._data[start:end] for start, end in pairwise(self._bounds)]

    def render(self, config: Sequence[int]) -> bytes:
        """Return the units that are kept, one behind the other; positions must ascend."""
        return b"".join(self._runs(config))

    def _runs(self, config: Sequence[int]) -> Iterator[bytes]:
        # Most units that are kept lie beside each other: a million of them are copied in a few pieces.
        start = 0
        while start < len(config):
            end = _end_of_run(config, start)
            yield self._data[self._bounds[config[start]] : self._bounds[config[end - 1] + 1]]
            start = end


def _end_of_run(config: Sequence[int], start: int) -> int:
    """Return where the positions that follow each other without a gap from `start` on end."""
    last, step, gap = start, 1, config[start] - start
    while last + step < len(config) and config[last + step] - (last + step) == gap:
        last, step = last + step, 2 * step
    while step := step // 2:
        if last + step < len(config) and config[last + step] - (last + step) == gap:
            last += step
    return last + 1


def single_bytes(data: bytes) -> Text:
    """Cut into bytes."""
    return Text(data, range(len(data) + 1))


def lines(data: bytes) -> Text:
    """Cut behind each line feed; a carriage return stays with its line, a last line needs no end."""
    *ended, last = data.split(b"\n")
    return Text(data, _bounds([*(len(line) + 1 for line in ended), *([len(last)] if last else [])]))


def characters(data: bytes) -> Text:
    """Cut into UTF-8 characters; a byte that is part of none is a unit of its own."""
    if data.isascii():
        return single_bytes(data)
    text = data.decode("utf-8", "surrogateescape")
    return Text(data, _bounds([len(character.encode("utf-8", "surrogateescape")) for character in text]))


def text_characters(data: bytes) -> Text:
    """Cut the encoding of a text into its characters, where lone surrogates are characters too."""
    if data.isascii():
        return single_bytes(data)
    text = data.decode("utf-8", "surrogatepass")
    return Text(data, _bounds([len(character.encode("utf-8", "surrogatepass")) for character in text]))


def _bounds(lengths: list[int]) -> list[int]:
    return list(accumulate(lengths, initial=0))


Cutter = Callable[[bytes], Text]


class ListDocument(Protocol):
    """Anything that is a list of units, of which those kept are rendered."""

    def __len__(self) -> int: ...

    def render(self, config: Sequence[int]) -> bytes:
        """Return the units that are kept, one behind the other."""
        ...


CUTTERS: dict[str, Cutter] = {"lines": lines, "characters": characters, "bytes": single_bytes}


class ConfiguredText(bytes):
    """A text that is known by the units it consists of, not by its content: Picire's configuration cache."""

    memory_key: bytes

    @classmethod
    def of(cls, content: bytes, number: int, config: Sequence[int]) -> ConfiguredText:
        """Return the content that some units of the list of this number make."""
        text = cls(content)
        text.memory_key = blake2b(repr((number, tuple(config))).encode(), digest_size=24).digest()
        return text


def reduce_text(
    data: bytes,
    minimize: ListMinimizer,
    cutters: Sequence[Callable[[bytes], ListDocument]],
    refine: Refine | None = None,
    by_config: bool = False,
) -> Reduction[bytes]:
    """Minimise by the units of each cutter in turn, the result of one being the input of the next."""
    for number, cut in enumerate(cutters):
        document = cut(data)
        render = partial(_configured, document, number) if by_config else document.render
        refined = minimize if refine is None else refine(minimize, render)
        kept = yield from embed(refined(range(len(document))), into=render)
        data = document.render(kept)
    return data


def _configured(document: ListDocument, number: int, config: Sequence[int]) -> bytes:
    return ConfiguredText.of(document.render(config), number, config)
