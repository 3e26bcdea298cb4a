"""Counted work in copies of one program: what the copies have in common is parsed and given its counters once.

A mutant differs from the program in a line or two; only the blocks (statements of the file or of its classes) that
differ are read again. Where that could give other bytes than `with_work_limit`, the whole copy is read.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from probatum.core.errors import NotAttemptedError
from probatum.programs.faults.work_limit import Splicer, first_line, free_name, read_for_counting, with_work_limit
from probatum.programs.source import UNPARSABLE, Source, decoded, parsed

_HOLDER = b"class Holder:\n"
# The owner of blocks that begin a statement of the file; a class owns those that are statements of its body.
_FILE = -1


def copy_with_work_limit(copy: bytes, program: bytes | Source, limit: int, *, fresh_for: str | None = None) -> bytes:
    """Return and raise what `with_work_limit` does for ``copy``; sooner, where most of it is also in ``program``."""
    try:
        counted = _counted(program, limit, fresh_for)
    except NotAttemptedError:
        counted = None
    found = None if counted is None else counted.copy(copy)
    return with_work_limit(copy, limit, fresh_for=fresh_for) if found is None else found


@dataclass(frozen=True, slots=True)
class _Counted:
    """A program in blocks, as it is and with its counters; offsets are bytes of the UTF-8 text."""

    text: bytes
    encoding: str
    name: str
    limit: int
    fresh_for: str | None
    starts: tuple[int, ...]
    owners: tuple[int, ...]
    pieces: tuple[bytes, ...]
    room: int

    def copy(self, copy: bytes) -> bytes | None:
        """Return a copy with counters, None where it must be read as a whole."""
        text = self._text_of(copy)
        if text is None:
            return None
        first, behind = self._changed(text)
        if first <= self.room + 1:  # What stands there, and next to it, decides where the counter is defined.
            return None
        is_last = behind == len(self.starts)
        end = len(text) - (0 if is_last else len(self.text) - self.starts[behind])
        if not is_last and not text[:end].endswith((b"\n", b"\r")):
            return None
        between = self._spliced(text[self.starts[first] : end], first, is_last=is_last)
        if between is None:
            return None
        whole = b"".join([*self.pieces[:first], between, *self.pieces[behind:]])
        return whole.decode("utf-8", "surrogatepass").encode(self.encoding)

    def _text_of(self, copy: bytes) -> bytes | None:
        try:
            encoding, text = decoded(copy)
        except (SyntaxError, ValueError):
            return None
        is_like = encoding == self.encoding and free_name(text) == self.name
        return text.encode("utf-8", "surrogatepass") if is_like else None

    def _changed(self, text: bytes) -> tuple[int, int]:
        # The changed blocks are of one class, or whole statements of the file: nothing else can be read alone.
        same = _common_beginning(self.text, text)
        alike = _common_end(self.text, text, min(len(self.text), len(text)) - same)
        first = bisect_right(self.starts, same) - 1
        behind = max(bisect_left(self.starts, len(self.text) - alike), first + 1)
        if self.owners[first] == _FILE or len(set(self.owners[first:behind])) > 1:
            while self.owners[first] != _FILE:
                first -= 1
            while behind < len(self.owners) and self.owners[behind] != _FILE:
                behind += 1
        return first, behind

    def _spliced(self, text: bytes, first: int, *, is_last: bool) -> bytes | None:
        is_nested = self.owners[first] != _FILE
        holder = _HOLDER if is_nested else b""
        try:
            tree = parsed((holder + text).decode("utf-8", "surrogatepass"))
        except UNPARSABLE:
            return None
        if is_nested and not _is_body_like(tree, _indentation(self.text, self.starts[first])):
            return None
        splicer = Splicer(holder + text, self.name)
        splicer.instrument(tree)
        if is_last and self.fresh_for is not None and self.fresh_for.isidentifier():
            splicer.begin_anew_with(self.fresh_for, self.limit)
        return splicer.result().removeprefix(holder)


@lru_cache(maxsize=2)
def _counted(program: bytes | Source, limit: int, fresh_for: str | None) -> _Counted:
    encoding, shown, tree = read_for_counting(program)
    text, name = shown.encode("utf-8", "surrogatepass"), free_name(shown)
    splicer = Splicer(text, name)
    splicer.instrument(tree)
    room = splicer.add_counter(tree, limit)
    if fresh_for is not None and fresh_for.isidentifier():
        splicer.begin_anew_with(fresh_for, limit)
    begun = [(splicer.line_starts[line - 1], owner) for line, owner in _blocks(tree)]
    blocks = [(0, _FILE), *(each for each in begun if not text[: each[0]].rstrip(b"\r\n").endswith(b"\\"))]
    starts, owners = zip(*blocks, strict=True)
    place = bisect_right(starts, room) - 1
    return _Counted(text, encoding, name, limit, fresh_for, starts, owners, tuple(splicer.pieces(starts)), place)


def _blocks(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """Yield the first line and the owner of every block but the first; no two of them share a line."""
    for index, (before, statement) in enumerate(pairwise([None, *tree.body])):
        if statement is None or (before is not None and first_line(statement) <= (before.end_lineno or 0)):
            continue
        if before is not None:
            yield first_line(statement), _FILE
        if isinstance(statement, ast.ClassDef):
            for inner, following in pairwise(statement.body):
                if first_line(following) > (inner.end_lineno or 0):
                    yield first_line(following), index


def _is_body_like(tree: ast.Module, indentation: int) -> bool:
    # A change may have altered the indentation of the body; then it is another class.
    match tree.body:
        case [ast.ClassDef(body=[first, *_])]:
            return first.col_offset == indentation
        case _:
            return False


def _indentation(text: bytes, start: int) -> int:
    line = text[start : text.find(b"\n", start) + 1 or len(text)]
    return len(line) - len(line.lstrip(b" \t\f"))


def _common_beginning(one: bytes, other: bytes) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low


def _common_end(one: bytes, other: bytes, most: int) -> int:
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        is_same = one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]
        low, high = (middle, high) if is_same else (low, middle - 1)
    return low
