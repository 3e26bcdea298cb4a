"""Making a verdict checkable by a stranger: the artifact, the stores that keep it, and the numbered re-check.

The stores can be imported from here; each name loads what it needs when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from probatum.proof.sqlite_store import SqliteStore
    from probatum.proof.store_wrappers import MultiplexStore, ReadOnlyStore
    from probatum.proof.stores import DirectoryStore, MemoryStore, open_store

__all__ = ["DirectoryStore", "MemoryStore", "MultiplexStore", "ReadOnlyStore", "SqliteStore", "open_store"]

_HOME_OF = {
    "DirectoryStore": "probatum.proof.stores",
    "MemoryStore": "probatum.proof.stores",
    "MultiplexStore": "probatum.proof.store_wrappers",
    "ReadOnlyStore": "probatum.proof.store_wrappers",
    "SqliteStore": "probatum.proof.sqlite_store",
    "open_store": "probatum.proof.stores",
}


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'probatum.proof' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
