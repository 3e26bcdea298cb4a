"""Merkle trees over a growing list of entries, with RFC 6962 hashing: roots, and proofs that a stranger can check.

A tree of *size* leaves has one root. An inclusion proof shows that a leaf is in it; a consistency proof shows that an
earlier tree is its beginning. `Frontier` computes roots while entries come, with memory that grows with the logarithm
of their number. Source: RFC 6962, section 2.1; RFC 9162, sections 2.1.3 and 2.1.4.

A proof that does not fit (too long, too short, of another leaf) gives False, never an exception.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

HASH_BYTES: Final = 32
# The root of the tree without leaves.
EMPTY_ROOT: Final = hashlib.sha256(b"").digest()

# Gives the hash of the whole subtree of 2 ** level leaves at a position: ``node(level, position)``.
Node = Callable[[int, int], bytes]


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of one entry."""
    # The prefixes 0 and 1 keep leaves and inner nodes apart: else two hashes could be passed off as an entry.
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Frontier:
    """The right edge of a tree: what is needed to add leaves and to know the root.

    ``peaks`` are the roots of its whole subtrees, the largest first: one for each bit that is set in ``size``.
    """

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        if self.size < 0 or len(self.peaks) != self.size.bit_count():
            raise ValueError(f"a tree of {self.size} leaves does not have {len(self.peaks)} whole subtrees")

    def with_leaf(self, leaf: bytes) -> tuple[Frontier, tuple[tuple[int, int, bytes], ...]]:
        """Return the tree with one more leaf, and the subtrees that became whole: level, position, hash."""
        peaks = list(self.peaks)
        level, position, whole = 0, self.size, leaf
        completed = [(level, position, whole)]
        while position & 1:
            whole = node_hash(peaks.pop(), whole)
            level, position = level + 1, position >> 1
            completed.append((level, position, whole))
        return Frontier(self.size + 1, (*peaks, whole)), tuple(completed)

    def root(self) -> bytes:
        """Return the root of the whole tree."""
        return reduce(lambda root, peak: node_hash(peak, root), reversed(self.peaks)) if self.peaks else EMPTY_ROOT


def frontier_of(size: int, node: Node) -> Frontier:
    """Return the right edge of the tree of this size from the hashes of its whole subtrees."""
    peaks = []
    start = 0
    for level in range(size.bit_length() - 1, -1, -1):
        if size >> level & 1:
            peaks.append(node(level, start >> level))
            start += 1 << level
    return Frontier(size, tuple(peaks))


def inclusion_proof(index: int, size: int, node: Node) -> tuple[bytes, ...]:
    """Return the hashes that lead from a leaf up to the root; raises ValueError if there is no such leaf."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _largest_power_below(end - start)
        if index < middle:
            path.append(_root_of(middle, end, node))
            end = middle
        else:
            path.append(_root_of(start, middle, node))
            start = middle
    return tuple(reversed(path))


def consistency_proof(earlier: int, size: int, node: Node) -> tuple[bytes, ...]:
    """Return the hashes that show that a tree of ``earlier`` leaves is the beginning of the one of ``size``.

    Raises ValueError if the earlier tree is empty or larger.
    """
    if not 0 < earlier <= size:
        raise ValueError(f"a tree of {earlier} leaves cannot be shown to be the beginning of one of {size}")
    path: list[bytes] = []
    start, end, is_whole = 0, size, True
    while earlier != end:
        middle = start + _largest_power_below(end - start)
        if earlier <= middle:
            path.append(_root_of(middle, end, node))
            end = middle
        else:
            path.append(_root_of(start, middle, node))
            start, is_whole = middle, False
    if not is_whole:
        path.append(_root_of(start, end, node))
    return tuple(reversed(path))


def is_included(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """True when the path leads from this leaf, at this place, to this root of a tree of this size."""
    if not 0 <= index < size or not _are_hashes((leaf, root, *path)):
        return False
    reached = _climbed(leaf, index, size - 1, path)
    return reached is not None and reached[1] == root


def is_consistent(earlier: int, size: int, path: Sequence[bytes], earlier_root: bytes, root: bytes) -> bool:
    """True when the path shows that the tree with the earlier root is the beginning of the one with this root."""
    if not 0 < earlier <= size or not _are_hashes((earlier_root, root, *path)):
        return False
    if earlier == size:
        return not path and earlier_root == root
    hashes = list(path)
    if earlier & (earlier - 1) == 0:
        # RFC 9162, 2.1.4.2: the root of a whole subtree is known and left out of the proof.
        hashes.insert(0, earlier_root)
    if not hashes:
        return False
    position, last = earlier - 1, size - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    return _climbed(hashes[0], position, last, hashes[1:]) == (earlier_root, root)


def _climbed(start: bytes, position: int, last: int, path: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """Return the root of the tree that ends here and the root of the whole; None where the path is too long or short.

    ``position`` is the place of the first hash on its level, ``last`` the last place there.
    """
    old = new = start
    for sibling in path:
        if last == 0:
            return None
        if position & 1 or position == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        position, last = position >> 1, last >> 1
    return (old, new) if last == 0 else None


def _root_of(start: int, end: int, node: Node) -> bytes:
    """Return the root of the leaves from start to end, where start is a multiple of the next power of two."""
    width = end - start
    if width & (width - 1) == 0:
        level = width.bit_length() - 1
        return node(level, start >> level)
    middle = start + _largest_power_below(width)
    return node_hash(_root_of(start, middle, node), _root_of(middle, end, node))


def _largest_power_below(width: int) -> int:
    """Return the largest power of two that is smaller than a width of at least 2."""
    return 1 << (width - 1).bit_length() - 1


def _are_hashes(values: Sequence[bytes]) -> bool:
    return all(type(value) is bytes and len(value) == HASH_BYTES for value in values)
