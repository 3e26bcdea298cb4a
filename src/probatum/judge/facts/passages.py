"""The sentences of the sources, each with its offsets, and which of them can speak of a claim.

With few sentences every one is looked at; of many, those that BM25 ranks first. Refuses nothing: a text without
sentences has one, and a sentence that is too long is cut at a space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.judge.facts.words import Word, words_of
from probatum.judge.request import TrustedSource


MOST_EXHAUSTIVE: Final = 400
"""So many sentences are each compared with a claim."""
CANDIDATES: Final = 40
LONGEST: Final = 1_000
"""Characters of a sentence."""
_END: Final = re.compile(
    r"(?<![\s.][A-Z])(?<!\b(?:Mr|Ms|Dr|Jr|Sr|St|vs|No))(?<!\b(?:Mrs|etc|Gen|Sen|Rep|Inc|Ltd|Col))(?<!\b(?:Prof))"
    r"[.!?][.!?]*+[\"'”’)\]]*+\s+(?=[\"'“‘(\[]*+[A-Z0-9À-Þ])|[。！？؟]\s*|\s*\n\s*(?:\n\s*|(?=[-*•#>|]|\d+[.)]\s))"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence of a source."""

    source: int
    start: int
    end: int
    text: str
    words: tuple[Word, ...]
    where: dict[str, list[tuple[int, float]]]
    """By key: the positions of the words that have it, with its worth."""


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of a text begins and ends, white space apart, in order."""
    place = 0
    for match in _END.finditer(text):
        yield from _pieces(text, place, match.end())
        place = match.end()
    yield from _pieces(text, place, len(text))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = end
        if end - start > LONGEST:
            space = text.rfind(" ", start + 1, start + LONGEST)
            stop = space if space > start else start + LONGEST
        piece = text[start:stop]
        bare = piece.strip()
        if bare:
            begin = start + len(piece) - len(piece.lstrip())
            yield begin, begin + len(bare)
        start = stop


class Passages:
    """Every sentence of the sources of one request, made once and asked for each claim."""

    def __init__(self, sources: Sequence[TrustedSource]) -> None:
        self.all: tuple[Passage, ...] = tuple(
            _passage(number, source.text, start, end)
            for number, source in enumerate(sources)
            for start, end in sentences(source.text)
        )
        self.keys: dict[str, list[int]] = {}
        for number, passage in enumerate(self.all):
            for key in passage.where:
                self.keys.setdefault(key, []).append(number)
        capital, plain = set[str](), set[str]()
        for passage in self.all:
            for word in passage.words:
                (capital if word.is_name else plain).add(word.stem)
        self.names: frozenset[str] = frozenset(capital - plain)
        """Stems that the sources write as names alone."""
        self._ranking: object = None

    def candidates(self, claim: Sequence[Word]) -> Sequence[int]:
        """Return the numbers of the sentences that a claim is to be compared with, in order."""
        if len(self.all) <= MOST_EXHAUSTIVE:
            return range(len(self.all))
        return sorted(self._ranked([word.stem for word in claim if word.weight]))

    def _ranked(self, stems: list[str]) -> list[int]:
        try:
            import bm25s
        except ImportError as error:
            raise NotAttemptedError(
                "judge.retrieval_missing",
                f"The sources have {len(self.all):,} sentences; more than {MOST_EXHAUSTIVE} need an index.",
                "Install it: pip install 'probatum[retrieval]'",
            ) from error
        if not stems:
            return []
        if self._ranking is None:
            ranking = bm25s.BM25()
            corpus = [[word.stem for word in passage.words if word.weight] or [""] for passage in self.all]
            ranking.index(corpus, show_progress=False)
            self._ranking = ranking
        found, scores = self._ranking.retrieve([stems], k=CANDIDATES, show_progress=False)
        return [int(number) for number, score in zip(found[0], scores[0], strict=True) if score > 0]


def _passage(source: int, text: str, start: int, end: int) -> Passage:
    said = text[start:end]
    words = words_of(said)
    where: dict[str, list[tuple[int, float]]] = {}
    for position, word in enumerate(words):
        for key, worth in word.keys:
            where.setdefault(key, []).append((position, worth))
    return Passage(source, start, end, said, words, where)
