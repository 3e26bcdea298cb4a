"""Cuts the texts of an output into claims, and keeps account of what is none and so is not judged.

Nothing is dropped in silence: a question, a block of code, or what an output says of itself is named.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.outside import shortened
from probatum.judge.facts.claims import ClaimSpan, is_claim, spans_of
from probatum.judge.facts.comparison import ClaimStatement
from probatum.judge.facts.details import Detail, read_details, without_details
from probatum.judge.facts.library import Library
from probatum.judge.facts.names import names_in, quotations_in
from probatum.judge.facts.texts import OutputText, stems_of_key, words_of_key
from probatum.judge.facts.voice import Voice, voices
from probatum.readers.vocabulary import words_of

MOST_CLAIMS: Final = 5_000
MOST_CHARACTERS: Final = 1_000_000
"""Of all texts of an output together."""
REFERENCES: Final = words_of("citations sources references bibliography citation source reference urls url")
_ABOUT_ITSELF: Final = words_of("confidence certainty id model")
_SURENESS: Final = words_of("confidence certainty")
_LONGEST_KEY: Final = 5
_SAYS: Final = re.compile(r"[^\W\d_]{2,}+|[`~]{3}")
PLAIN_KEYS: Final = words_of(
    """
    text content body summary answer output result results message response reply description title claim claims
    statement statements fact facts context data sentence sentences paragraph paragraphs section sections item items
    point points key finding findings detail details note notes conclusion explanation abstract introduction overview
    """
)
"""Keys that say nothing of what stands under them."""
_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class OutputClaim:
    """One claim of an output; ``start`` and ``end`` count in its compared text."""

    of: OutputText
    start: int
    end: int
    statement: ClaimStatement
    before: str = ""
    """What stands right before it in its text."""
    is_own: bool = True
    """Whether the output states it by itself: it quotes and denies it not, and no key says something of it."""

    @property
    def said(self) -> str:
        """The claim as it was written."""
        start, end = self.of.folded.span(self.start, self.end)
        return self.of.value[start:end] if isinstance(self.of.value, str) else self.of.folded.text

    def place_of(self, detail: Detail | None = None) -> dict[str, object]:
        """Return where a detail of it stands, or all of it: the text, and from where to where."""
        start, end = (0, self.end - self.start) if detail is None else (detail.start, detail.end)
        begin, stop = self.of.folded.span(self.start + start, self.start + end)
        return {"text": self.of.place, "start": begin, "end": stop}


def claims_of(
    texts: Sequence[OutputText], names: Collection[str], library: Library
) -> tuple[list[OutputClaim], list[str], list[str]]:
    """Return the claims of texts, what is too much to be judged, and what states nothing; ``names`` are of sources."""
    claims, left_out, characters = list[OutputClaim](), list[str](), 0
    long_keys = {step for text in texts for step in text.steps if isinstance(step, str) and _is_text(step)}
    no_claims = [f"the key {step!r}" for step in sorted(long_keys)]
    for text in texts:
        is_about_itself = text.key in _ABOUT_ITSELF and frozenset(stems_of_key(text.key)) not in library.keyed
        if is_about_itself or (text.key.casefold() in REFERENCES and text.is_keyed_value):
            if text.value not in names and (text.is_string or text.key not in _SURENESS):
                no_claims.append(f"what stands under {text.key!r}")
            continue
        characters += len(text.folded.text)
        if characters > MOST_CHARACTERS or len(claims) >= MOST_CLAIMS:
            left_out.append(
                f"{text.place or 'the output'} is beyond the {MOST_CHARACTERS:,} characters that are judged"
            )
            continue
        claims.extend(_claims_in(text, no_claims))
    if len(claims) > MOST_CLAIMS:
        left_out.append(f"{len(claims) - MOST_CLAIMS:,} claims are beyond the {MOST_CLAIMS:,} that are judged")
    return claims[:MOST_CLAIMS], left_out, no_claims


def _is_text(key: str) -> bool:
    return key.count(" ") > 1 or len(words_of_key(key)) > _LONGEST_KEY


def _claims_in(text: OutputText, no_claims: list[str]) -> Iterator[OutputClaim]:
    """Yield the claims of a text, and add what is none of them to what is not judged."""
    said = text.folded.text
    details, quotations = read_details(said), [*quotations_in(said)] if text.is_string else []
    is_value = text.is_keyed_value
    key = stems_of_key(text.key) if is_value else ()
    spans = [ClaimSpan(0, len(said))] if is_value else [*spans_of(said)]
    is_open = {step for each in text.steps if isinstance(each, str) for step in words_of_key(each)} <= PLAIN_KEYS
    first = quoted = 0
    before, place = "", 0
    for span, voice in zip(spans, voices(said, spans), strict=True):
        inside, first = _inside(details, first, span)
        quotes, quoted = _inside(quotations, quoted, span)
        piece = said[span.start : span.end]
        if _SAYS.search(said, place, span.start):
            no_claims.append("what stands between the claims")
        place = span.end
        if (is_value and piece.strip()) or is_claim(piece):
            names = [*names_in(without_details(piece, inside), is_value=is_value)] if text.is_string else []
            statement = ClaimStatement.of(piece, [*inside, *quotes, *names], key)
            yield OutputClaim(text, span.start, span.end, statement, before, is_open and voice is Voice.OWN)
        elif _SAYS.search(piece):
            no_claims.append(repr(shortened(piece, _SHOWN)))
        before = piece
    if _SAYS.search(said, place):
        no_claims.append("what stands behind the claims")


def _inside(details: Sequence[Detail], first: int, span: ClaimSpan) -> tuple[list[Detail], int]:
    """Return the details that begin in a span, counted from its start, and which one comes next."""
    found = []
    while first < len(details) and details[first].start < span.end:
        each = details[first]
        first += 1
        if each.start >= span.start:
            moved = each.start - span.start, each.end - span.start
            found.append(Detail(each.kind, each.text, *moved, each.value, each.bound))
    return found, first
