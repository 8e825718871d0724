"""What is sent to where a check runs: an invocation as its difference from that of the input, or whole if that is less.

Candidates are mostly the input with pieces left out, so a list of the pieces that are kept says it all in a few bytes.
The pieces are found by looking, not told by the algorithm: any two texts have such a list, and a wrong guess costs
bytes but never changes what arrives.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from minrepro.core.invocations import File, Invocation
from minrepro.core.prefixes import alike_from

_ANCHORS = ((16, None), (4, 4096))
"""How many bytes must agree for a piece to be taken up again, and how far ahead they are looked for."""
_MISSES, _MOST_PIECES = 32, 2000
"""After so many pieces that are nowhere in the base, or so many that are, the rest goes as it is: looking is slow."""
_WORTH_COMPRESSING = 256

_WHOLE, _PIECES, _SAME = b"w", b"p", b"s"


def pack(content: bytes, base: bytes) -> bytes:
    """Return the shortest of: the content, the pieces of the base that make it, and either of them compressed."""
    if content == base:
        return _SAME + b"0"
    pieces = difference(content, base)
    kind, packed = (_PIECES, pieces) if len(pieces) < len(content) else (_WHOLE, content)
    if len(packed) >= _WORTH_COMPRESSING:
        compressed = zlib.compress(packed, 1)
        if len(compressed) < len(packed):
            return kind + b"z" + compressed
    return kind + b"0" + packed


def unpack(packed: bytes, base: bytes) -> bytes:
    """Return the content that was packed with this base."""
    kind, body = packed[:1], packed[2:]
    if packed[1:2] == b"z":
        body = zlib.decompress(body)
    if kind == _SAME:
        return base
    return body if kind == _WHOLE else rebuilt(body, base)


def difference(content: bytes, base: bytes) -> bytes:
    """Return the content as pieces: where each begins in the base, how long it is, and what follows that is new."""
    out = bytearray()
    at = place = misses = found_pieces = 0
    while at < len(content):
        length = alike_from(content, at, base, place, 64)
        new = at + length
        ahead = place + length
        found_pieces += 1
        while new < len(content) and misses < _MISSES and found_pieces < _MOST_PIECES:
            found = _next_piece(content, new, base, ahead)
            if found is not None:
                ahead = found
                break
            misses += 1
            new = min(new + 8, len(content))
        else:
            new = len(content)
        for number in (place, length, new - at - length):
            _write_number(out, number)
        out += content[at + length : new]
        at, place = new, ahead
    return bytes(out)


def rebuilt(pieces: bytes, base: bytes) -> bytes:
    """Return the content that these pieces make."""
    parts = []
    at = 0
    while at < len(pieces):
        place, at = _read_number(pieces, at)
        length, at = _read_number(pieces, at)
        new, at = _read_number(pieces, at)
        parts += [base[place : place + length], pieces[at : at + new]]
        at += new
    return b"".join(parts)


def _data(file: File) -> bytes:
    return file[1] if isinstance(file, tuple) else file


def _filled(file: File, data: bytes) -> File:
    return (file[0], data) if isinstance(file, tuple) else data


@dataclass(frozen=True)
class CasePacker:
    """Packs and unpacks invocations, given that of the input."""

    base: Invocation

    def pack(self, invocation: Invocation) -> bytes:
        """Return an invocation as few bytes."""
        files = {
            name: _filled(file, pack(_data(file), _data(self.base.files.get(name, b""))))
            for name, file in invocation.files.items()
        }
        twin = _twin(invocation)
        whole = (
            None if invocation.argv == self.base.argv else invocation.argv,
            files,
            twin if twin is not None else pack(invocation.stdin, self.base.stdin),
            None if invocation.environment == self.base.environment else dict(invocation.environment),
        )
        return pickle.dumps(whole, protocol=5)

    def unpack(self, packed_case: bytes) -> Invocation:
        """Return the invocation that was packed."""
        argv, packed, stdin, environment = pickle.loads(packed_case)
        files: Mapping[str, File] = {
            name: _filled(file, unpack(_data(file), _data(self.base.files.get(name, b""))))
            for name, file in packed.items()
        }
        return Invocation(
            self.base.argv if argv is None else argv,
            files,
            _data(files[stdin]) if isinstance(stdin, str) else unpack(stdin, self.base.stdin),
            self.base.environment if environment is None else environment,
        )


def _twin(invocation: Invocation) -> str | None:
    """Return the name of the file that standard input repeats, if any."""
    same = (name for name, file in invocation.files.items() if _data(file) == invocation.stdin)
    return next(same, None) if invocation.stdin else None


def _next_piece(content: bytes, at: int, base: bytes, ahead: int) -> int | None:
    """Return where in the base the content goes on: further ahead, or else anywhere."""
    for length, window in _ANCHORS:
        anchor = content[at : at + length]
        if len(anchor) < length and length > _ANCHORS[-1][0]:
            continue
        found = base.find(anchor, ahead, len(base) if window is None else ahead + window)
        if found < 0 and window is None:
            found = base.find(anchor)
        if found >= 0:
            return found
    return None


def _write_number(out: bytearray, number: int) -> None:
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _read_number(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while data[at] > 127:
        number |= (data[at] & 127) << shift
        shift += 7
        at += 1
    return number | data[at] << shift, at + 1
