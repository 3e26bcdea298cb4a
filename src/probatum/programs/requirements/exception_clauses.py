"""The conditions of one documented exception, clause by clause: "If A, if B or if C" are three.

Every clause keeps its place; what is not understood is kept without a condition, so that it stays visible. Refuses to
read any part of an entry in which another sentence, or a word such as "unless" or "and", may restrict what is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from probatum.programs.parsing.section_parts import TextRange, sentence_ranges, spoken, trimmed
from probatum.programs.requirements.worded_conditions import Referents, worded_condition

_LEAD = re.compile(r"(?:raised )?(?:if|when|whenever)\s+", re.IGNORECASE)
_NEXT = re.compile(r"(?:[,;]\s+(?:or\s+)?|\s+or\s+)(?=(?:if|when|whenever)\s)", re.IGNORECASE)
_ELSE = re.compile(r",?\s+or\s+|,\s+", re.IGNORECASE)
_RESTRICTING = re.compile(
    r"\b(?:and|but|only|unless|except|instead|ignored|never|while|with|without|because|since|until|both|neither|none"
    r"|depending|whether|which|otherwise|all|each|every)\b",
    re.IGNORECASE,
)
_QUALIFYING = re.compile(r"(?:in|on|for|during|under|by|at|as|that|even|before|after|where|then|so)\b", re.IGNORECASE)
_DENIED = re.compile(r"\bnot\b|n't\b", re.IGNORECASE)
_VERB = re.compile(r"(.+?\s(?:is|was)\s)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Clause:
    """One case in which an exception is due; the condition is None where the words are not understood."""

    place: TextRange
    condition: str | None


def clauses_of(text: str, part: TextRange, referents: Referents) -> tuple[Clause, ...]:
    """Return the cases that the words about one exception name; one without a condition where they name none."""
    whole = worded_condition(_words(text, part), referents)
    if whole is not None:
        return (Clause(part, whole),)
    sentences = list(sentence_ranges(text, part))
    cases = [each for each in sentences if _LEAD.match(each.of(text))]
    asides = [each for each in sentences if each not in cases]
    if not cases or sentences[0] not in cases or any(_RESTRICTING.search(each.of(text)) for each in asides):
        return (Clause(part, None),)
    found = [
        clause for each in cases for piece in _parted(text, each, _NEXT) for clause in _case(text, piece, referents)
    ]
    return tuple(found) if any(each.condition for each in found) else (Clause(part, None),)


def _words(text: str, part: TextRange) -> str:
    words = re.sub(r"``?|(?<![\w*])\*{1,2}(?=\w)|(?<=\w)\*{1,2}(?![\w*])|\"(?=\w+\")|(?<=\w)\"", "", spoken(text, part))
    return _LEAD.sub("", words.rstrip(".!;:, "), count=1)


def _case(text: str, part: TextRange, referents: Referents) -> Iterator[Clause]:
    condition = worded_condition(_words(text, part), referents)
    pieces = _parted(text, part, _ELSE)
    if condition is not None or len(pieces) == 1 or _RESTRICTING.search(part.of(text)):
        yield Clause(part, condition)
    elif any(_QUALIFYING.match(piece.of(text)) for piece in pieces[1:]) or _shares_a_denial(text, part, pieces):
        yield Clause(part, None)
    else:
        verb = _VERB.match(_words(text, pieces[0]))
        for piece in pieces:
            words = _words(text, piece)
            continued = None if verb is None or piece is pieces[0] else worded_condition(verb[1] + words, referents)
            yield Clause(piece, worded_condition(words, referents) or continued)


def _shares_a_denial(text: str, part: TextRange, pieces: list[TextRange]) -> bool:
    # "is not a text or a number" is one condition, "is not a text or is empty" are two.
    return bool(_DENIED.search(part.of(text))) and any(_VERB.match(each.of(text)) is None for each in pieces[1:])


def _parted(text: str, part: TextRange, joint: re.Pattern[str]) -> list[TextRange]:
    found: list[TextRange] = []
    begin = part.begin
    for match in joint.finditer(text, part.begin, part.end):
        found.append(trimmed(text, begin, match.start()))
        begin = match.end()
    return [*found, trimmed(text, begin, part.end)]
