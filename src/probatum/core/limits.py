"""Budgets: how much time, memory, output and input one run may use, and what may be read of what strangers wrote.

Processor time decides where it can; wall-clock time is only the backstop that keeps a sleeping program from holding a
worker. Refuses non-positive numbers: an unlimited budget cannot be written.

Every reader of foreign input works within the same bounds, so that its time and memory grow with the size of the input
and no faster: how many parts a text has, how many digits a number, how often a hash comes again. What is beyond them is
an `ExtentError`, raised before the work that it would cause.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import Final, TypeVar

MEBIBYTE = 1024 * 1024
Keys = TypeVar("Keys", bound=Sequence[object])
Tree = TypeVar("Tree", bound=ast.mod)

MAX_PARTS: Final = 2_000_000
"""Lists, objects and their members that one JSON text may have."""
MAX_REPLY_PARTS: Final = 524_288
"""Parts of a value that a program computed, where what stands in several places counts in each of them."""
MAX_DIGITS: Final = 4_300
"""Decimal digits of a whole number: Python reads no more."""
MAX_LONG_DIGITS: Final = 100_000
"""Digits of a whole or decimal number that a program computed, which travels as text."""
MAX_TERM_DIGITS: Final = 20_000
"""Digits of both terms of a fraction: reducing it takes quadratic time."""
MAX_COLLISIONS: Final = 100
"""How many keys of a table, or members of a set, may have the hash of another one."""


class ExtentError(ValueError):
    """What was to be read is larger, once it is read, than anything that is read may be."""


def require_digits(text: str, most: int = MAX_LONG_DIGITS) -> str:
    """Return the text of a number; raises ExtentError where it is too long to compute with."""
    if len(text) > most:
        raise ExtentError(f"a number of more than {most:,} digits")
    return text


def require_few_collisions(keys: Keys) -> Keys:
    """Return keys of a table or members of a set; raises ExtentError where many have one hash, as if chosen so."""
    # A table of n keys with one hash takes n * n steps to fill.
    if len(keys) > MAX_COLLISIONS and len(keys) - len(set(map(hash, keys))) > MAX_COLLISIONS:
        raise ExtentError("too many keys with one hash")
    return keys


@dataclass(frozen=True, slots=True)
class JobLimits:
    """What one sandboxed process may use in its whole life. Sizes are bytes, times are seconds."""

    cpu_seconds: int = 5
    wall_seconds: float = 30.0
    memory_bytes: int = 512 * MEBIBYTE
    reply_bytes: int = MEBIBYTE
    output_bytes: int = 64 * 1024
    depth: int = 100

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not value > 0:
                raise ValueError(f"{field.name} must be positive, got {value!r}")


# The verdict on a larger Python source is undecided. Its syntax takes up to a kilobyte for each token.
MAX_SOURCE_BYTES = MEBIBYTE
MAX_SOURCE_TOKENS = 100_000
# Levels of its syntax: what walks it by recursion reaches them in every Python, and none reads more nested brackets.
MAX_SOURCE_DEPTH = 200
# Of a file in which differences are looked for; what looks for them gives up by itself where it recurs too deeply.
MAX_COMPARED_DEPTH = 1_000
TOO_DEEP: Final = "the source is nested deeper than {levels} levels"
# Each of them is run by itself, in processes that load the whole file.
MAX_FUNCTIONS = 1_000
# One record of readings, which is what one reader wrote about one function; a file of many, and one text in it.
MAX_READINGS = 1_000
MAX_READING_INPUTS = 1_000
MAX_READING_CHARACTERS = 20_000
MAX_HELPER_CHARACTERS = 64 * 1024
MAX_READINGS_BYTES = 2 * MEBIBYTE


def require_shallow(tree: Tree, characters: int, levels: int = MAX_SOURCE_DEPTH) -> Tree:
    """Return the syntax of a text of so many characters; raises ExtentError where it is nested too deeply."""
    # A text has no more levels than characters.
    if characters < levels:
        return tree
    level: list[ast.AST] = [tree]
    for _ in range(levels):
        parts = chain.from_iterable(vars(node).values() for node in level)
        each = chain.from_iterable(part if type(part) is list else (part,) for part in parts)
        level = [part for part in each if isinstance(part, ast.AST) and type(part) not in _LEAVES]
        if not level:
            return tree
    raise ExtentError(TOO_DEEP.format(levels=levels))


_LEAVES: Final = frozenset({ast.Constant, ast.Name, ast.Load, ast.Store, ast.Del, ast.Pass})
