"""The sentences of the sources, each with its offsets, and which of them can speak of a claim.

With few sentences every one is looked at; of many, those that BM25 ranks first. Refuses nothing: a text without
sentences has one, and a sentence that is too long is cut at a space.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from probatum.core.errors import NotAttemptedError
from probatum.judge.facts.claims import spans_of
from probatum.judge.facts.words import Word, words_of
from probatum.judge.request import TrustedSource

MOST_EXHAUSTIVE: Final = 400
"""So many sentences are each compared with a claim."""
CANDIDATES: Final = 40
_MOST_PLACES: Final = 8
"""So many places of one key in a sentence are looked at."""


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


class _Ranking(Protocol):
    def retrieve(
        self, queries: list[list[str]], k: int, show_progress: bool
    ) -> tuple[Sequence[Sequence[int]], ...]: ...


class Passages:
    """Every sentence of the sources of one request, made once and asked for each claim."""

    def __init__(self, sources: Sequence[TrustedSource]) -> None:
        self.all: tuple[Passage, ...] = tuple(
            _passage(number, source.text, span.start, span.end)
            for number, source in enumerate(sources)
            for span in spans_of(source.text, with_code=True)
        )
        words = [word for passage in self.all for word in passage.words]
        self.stems = Counter(word.stem for word in words)
        """How often each stem is said."""
        self.names = frozenset(word.stem for word in words if word.is_name).difference(
            word.stem for word in words if not word.is_name
        )
        """Stems that the sources write as names alone."""
        self._ranking: _Ranking | None = None

    def candidates(self, claim: Sequence[Word]) -> Sequence[int]:
        """Return the numbers of the sentences that a claim is to be compared with, in order.

        Raises NotAttemptedError where there are many and the package that ranks them is missing.
        """
        if len(self.all) <= MOST_EXHAUSTIVE:
            return range(len(self.all))
        if self._ranking is None:
            self._ranking = self._ranked()
        stems = [word.stem for word in claim if word.weight] or [""]
        return sorted(map(int, self._ranking.retrieve([stems], k=CANDIDATES, show_progress=False)[0][0]))

    def _ranked(self) -> _Ranking:
        try:
            import bm25s  # type: ignore[import-untyped]  # it has none
        except ImportError as error:
            raise NotAttemptedError(
                "judge.retrieval_missing",
                f"The sources have {len(self.all):,} sentences; more than {MOST_EXHAUSTIVE} need an index.",
                "Install it: pip install 'probatum[retrieval]'",
            ) from error
        ranking = bm25s.BM25()
        corpus = [[word.stem for word in passage.words if word.weight] or [""] for passage in self.all]
        ranking.index(corpus, show_progress=False)
        return ranking  # type: ignore[no-any-return]  # it has no types


def _passage(source: int, text: str, start: int, end: int) -> Passage:
    said = text[start:end]
    words = words_of(said)
    where: dict[str, list[tuple[int, float]]] = {}
    for position, word in enumerate(words):
        for key, worth in word.keys:
            places = where.setdefault(key, [])
            if len(places) < _MOST_PLACES:
                places.append((position, worth))
    return Passage(source, start, end, said, words, where)
