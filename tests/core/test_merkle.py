"""Merkle trees: known vectors, the recursive definition of RFC 6962 as the oracle, and every way to bend a proof."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.merkle import (
    EMPTY_ROOT,
    Frontier,
    Node,
    consistency_proof,
    frontier_of,
    inclusion_proof,
    is_consistent,
    is_included,
    leaf_hash,
)

KNOWN_ENTRIES = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
KNOWN_ROOTS = {
    0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    4: "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    6: "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    7: "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}
"""The vectors that implementations of Certificate Transparency share."""


def defined_root(leaves: Sequence[bytes]) -> bytes:
    """RFC 6962, section 2.1, word for word."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\x01" + defined_root(leaves[:split]) + defined_root(leaves[split:])).digest()


def nodes_of(leaves: Sequence[bytes]) -> Node:
    return lambda level, position: defined_root(leaves[position << level : (position + 1) << level])


def leaves_of(size: int) -> list[bytes]:
    return [leaf_hash(str(number).encode()) for number in range(size)]


@pytest.mark.parametrize("size", KNOWN_ROOTS)
def test_known_roots(size: int) -> None:
    tree = Frontier()
    for entry in KNOWN_ENTRIES[:size]:
        tree, _ = tree.with_leaf(leaf_hash(entry))
    assert tree.root().hex() == KNOWN_ROOTS[size]
    assert tree.root() == defined_root([leaf_hash(entry) for entry in KNOWN_ENTRIES[:size]])


def test_the_empty_tree_has_the_hash_of_nothing() -> None:
    assert Frontier().root() == EMPTY_ROOT


@given(st.integers(1, 70), st.data())
def test_every_leaf_is_shown_to_be_included(size: int, data: st.DataObject) -> None:
    leaves = leaves_of(size)
    index = data.draw(st.integers(0, size - 1))
    path = inclusion_proof(index, size, nodes_of(leaves))
    root = defined_root(leaves)
    assert is_included(leaves[index], index, size, path, root)
    other = data.draw(st.integers(0, size - 1).filter(lambda number: number != index)) if size > 1 else index + 1
    assert not is_included(leaves[index], other, size, path, root)
    assert not is_included(leaf_hash(b"another"), index, size, path, root)
    assert not is_included(leaves[index], index, size, (*path, root), root)
    assert not path or not is_included(leaves[index], index, size, path[:-1], root)


@given(st.integers(1, 70), st.data())
def test_every_beginning_is_shown_to_be_consistent(size: int, data: st.DataObject) -> None:
    leaves = leaves_of(size)
    earlier = data.draw(st.integers(1, size))
    path = consistency_proof(earlier, size, nodes_of(leaves))
    old, new = defined_root(leaves[:earlier]), defined_root(leaves)
    assert is_consistent(earlier, size, path, old, new)
    assert not is_consistent(earlier, size, path, leaf_hash(b"another"), new)
    assert not is_consistent(earlier, size, path, old, leaf_hash(b"another"))
    assert not is_consistent(earlier, size, (*path, old), old, new)
    if earlier < size:
        assert not is_consistent(earlier, size, path[:-1], old, new)


@given(st.integers(2, 40), st.data())
def test_a_rewritten_beginning_is_not_consistent(size: int, data: st.DataObject) -> None:
    leaves = leaves_of(size)
    earlier = data.draw(st.integers(1, size - 1))
    changed = data.draw(st.integers(0, earlier - 1))
    rewritten = [leaf_hash(b"rewritten") if number == changed else leaf for number, leaf in enumerate(leaves)]
    path = consistency_proof(earlier, size, nodes_of(rewritten))
    assert not is_consistent(earlier, size, path, defined_root(leaves[:earlier]), defined_root(rewritten))


@given(st.integers(0, 70))
def test_the_frontier_follows_from_the_whole_subtrees(size: int) -> None:
    leaves = leaves_of(size)
    tree = Frontier()
    stored: dict[tuple[int, int], bytes] = {}
    for leaf in leaves:
        tree, completed = tree.with_leaf(leaf)
        stored |= {(level, position): whole for level, position, whole in completed}
    assert tree.root() == defined_root(leaves)
    assert frontier_of(size, lambda level, position: stored[level, position]) == tree
    assert all(nodes_of(leaves)(level, position) == whole for (level, position), whole in stored.items())


@pytest.mark.parametrize(
    ("index", "size", "path"),
    [(0, 0, ()), (-1, 3, ()), (3, 3, ()), (0, 2, (b"short",)), (0, 1, (EMPTY_ROOT,)), (2, 5, ())],
)
def test_what_is_no_proof_is_refused(index: int, size: int, path: tuple[bytes, ...]) -> None:
    assert not is_included(EMPTY_ROOT, index, size, path, EMPTY_ROOT)


@pytest.mark.parametrize(("earlier", "size"), [(0, 3), (-1, 3), (4, 3), (0, 0)])
def test_there_is_no_consistency_with_such_a_tree(earlier: int, size: int) -> None:
    with pytest.raises(ValueError, match="beginning"):
        consistency_proof(earlier, size, nodes_of(leaves_of(3)))
    assert not is_consistent(earlier, size, (), EMPTY_ROOT, EMPTY_ROOT)


def test_a_frontier_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="whole subtrees"):
        Frontier(3, (EMPTY_ROOT,))
