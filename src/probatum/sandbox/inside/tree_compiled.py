"""Compiles the sources of a tree once, as importing and pytest do, before anything of the tree runs.

Runs inside the sandbox, standard library only, with the pytest of the environment. The code lies beside the sources in
memory and is told to the judge, who gives it back for further runs of the same sources. What cannot be compiled here,
or warns, is left to whoever imports it.
"""

from __future__ import annotations

import ast
import fnmatch
import importlib.util
import marshal
import os
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

_OF_TESTS = ("test_*.py", "*_test.py", "conftest.py")
_SETTINGS = ("pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "pytest.toml")
# With it pytest makes other code of the same assertions.
_HOOK = b"enable_assertion_pass_hook"
_MOST_BYTES = 2 << 20
_MOST_IN_ALL = 16 << 20
Rewrite = Callable[..., object]


def compiled(root: str, paths: Sequence[str]) -> Iterator[tuple[str, str, bytes]]:
    """Write the code of each source beside it; yields its path, the path of the code, and the code."""
    rewrite, tail = _rewriting(root)
    left = _MOST_IN_ALL
    for path in paths:
        place = os.path.join(root, path)
        with open(place, "rb") as file:
            source = file.read()
        left -= len(source)
        if len(source) > _MOST_BYTES or left < 0:
            continue
        folder, name = os.path.split(path)
        if not any(fnmatch.fnmatch(name, pattern) for pattern in _OF_TESTS):
            code, target = _code(source, place), importlib.util.cache_from_source(path)
        elif rewrite is not None:
            code, target = _code(source, place, rewrite), os.path.join(folder, "__pycache__", name[:-3] + tail)
        else:
            continue
        if code is not None:
            words = (0, int(os.stat(place).st_mtime) & 0xFFFFFFFF, len(source) & 0xFFFFFFFF)
            head = importlib.util.MAGIC_NUMBER + b"".join(word.to_bytes(4, "little") for word in words)
            written = head + marshal.dumps(code)
            os.makedirs(os.path.join(root, os.path.dirname(target)), exist_ok=True)
            with open(os.path.join(root, target), "wb") as file:
                file.write(written)
            yield path, target, written


def _code(source: bytes, place: str, rewrite: Rewrite | None = None) -> types.CodeType | None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            if rewrite is None:
                return compile(source, place, "exec", dont_inherit=True)
            tree = ast.parse(source, filename=place)
            rewrite(tree, source, place)
            return compile(tree, place, "exec", dont_inherit=True)
        except Exception:  # noqa: BLE001  whoever imports it is told
            return None


def _rewriting(root: str) -> tuple[Rewrite | None, str]:
    """Return how pytest rewrites assertions, and how it calls the file; None where that cannot be said."""
    own: Any = sys.modules.get("_pytest.assertion.rewrite")
    for name in _SETTINGS:
        if os.path.isfile(place := os.path.join(root, name)):
            with open(place, "rb") as file:
                if _HOOK in file.read():
                    own = None
    rewrite, tail = getattr(own, "rewrite_asserts", None), getattr(own, "PYC_TAIL", "")
    return (rewrite, tail) if callable(rewrite) and tail else (None, "")
