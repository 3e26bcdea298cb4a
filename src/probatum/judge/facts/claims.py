"""The claims of an output: every scalar of JSON, every cell of a table, every sentence and line of text.

Cutting only splits: each character that is not white space belongs to one claim. Refuses to drop what looks like no
statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from probatum.judge.facts.sources import SUMMARY, Way
from probatum.judge.facts.structured import cells_of, leaves_in, table_of
from probatum.judge.outputs import Leaf, OutputView

LONGEST: Final = 1_200
"""Characters of one claim."""
_MOST_WORDS: Final = 12
_PIECE: Final = re.compile(
    rf"\S(?:[^\n]{{0,{LONGEST - 1}}}?(?:[.!?…][\"'”’)\]*_]{{0,4}}(?=\s)|(?=\n|\Z))|[^\n]{{0,{LONGEST - 1}}})"
)


@dataclass(frozen=True, slots=True)
class OutputClaim:
    """One claim: its text, the path of the text that holds it, and where it stands there.

    ``steps`` lead to a scalar that is compared as a whole; they are empty for a sentence of a text.
    """

    text: str
    place: str
    start: int
    end: int
    steps: Way = ()
    value: object = None

    @property
    def location(self) -> str:
        """Where it stands as an issue names it."""
        if len(self.steps) == 2 and self.steps[0] == SUMMARY:
            return f"{SUMMARY}:{self.steps[1]}"
        return self.place or "root"


def claims_of(view: OutputView) -> tuple[OutputClaim, ...]:
    """Return the claims of an output, in order."""
    if view.data is not None:
        return tuple(claim for leaf in leaves_in(view.data) for claim in _of_leaf(leaf))
    text = view.output if isinstance(view.output, str) else ""
    table = table_of(text)
    if table is not None:
        return tuple(claim for leaf in cells_of(table) for claim in _of_leaf(leaf))
    return tuple(_sentences(text, ""))


def _of_leaf(leaf: Leaf) -> Iterator[OutputClaim]:
    if isinstance(leaf.value, str) and (len(leaf.value.split()) > _MOST_WORDS or "\n" in leaf.value):
        yield from _sentences(leaf.value, leaf.path)
    else:
        text = leaf.value if isinstance(leaf.value, str) else repr(leaf.value)
        yield OutputClaim(text, leaf.path, 0, len(text), leaf.steps, leaf.value)


def _sentences(text: str, place: str) -> Iterator[OutputClaim]:
    for match in _PIECE.finditer(text):
        said = match[0].rstrip()
        yield OutputClaim(said, place, match.start(), match.start() + len(said))
