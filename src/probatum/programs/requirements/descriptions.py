"""Descriptions of arguments: "a non-empty list of integers xs and a positive integer k" as conditions on xs and k.

Refuses descriptions that leave an alternative open.
"""

from __future__ import annotations

from probatum.programs.reading.scanning import word_set
from probatum.programs.requirements.noun_phrases import noun_phrase, qualified
from probatum.programs.requirements.phrases import Scope, Token, Tokens, tokens_of
from probatum.programs.requirements.subjects import PLURALS, SEVERAL, listed_subject, parameter_for_noun
from probatum.programs.requirements.vocabulary import COLLECTION_NOUNS, COLLECTIVE, SCALAR_NOUNS, TEXT_NOUNS, Read

__all__ = [
    "described_values",
    "named_values",
]

_INDEFINITE = word_set("a an two given")


def described_values(text: str, scope: Scope) -> list[tuple[str, int]]:
    """Read "a non-empty list of integers xs and a positive integer k": the conditions, and where each one ends.

    What no noun phrase begins is not read; a noun phrase that states nothing only carries the list on.
    """
    tokens = Tokens(tokens_of(text), scope)
    found: list[tuple[str, int]] = []
    at = 0
    while at < len(tokens.all):
        read = noun_phrase(tokens, at)
        if read is None:
            break
        subjects, after = _named_after(tokens, at, read)
        further = qualified(tokens, after, is_scalar=False) if after > read.end else Read((), after)
        after = further.end
        if tokens.low(after) == "or" or tokens.after(after, ", or", "and / or", "/") > 0:
            break
        said = Read((*read.conditions, *further.conditions), after)
        if said.conditions:
            found.extend((said.of(each), tokens.all[after - 1].end) for each in subjects)
        at = tokens.after(after, ", and", "and", ",")
        if at < 0:
            break
    return found


def _named_after(tokens: Tokens, begin: int, read: Read) -> tuple[tuple[str, ...], int]:
    """Return the parameters that a noun phrase describes, and the place after their names."""
    plural = any(token.low in PLURALS or token.low in SEVERAL for token in tokens.all[begin : read.end])
    if tokens.name(read.end) is None:
        return _meant(tokens, begin, read.end), read.end
    listed = listed_subject(tokens, read.end) if plural else None
    if listed is not None:
        return listed.expressions, listed.end
    return (tokens.all[read.end].text.strip("`*'\""),), read.end + 1


def named_values(text: str, scope: Scope) -> list[str]:
    """Return the conditions of noun phrases directly before a parameter's name, anywhere: "of a positive integer n"."""
    tokens = Tokens(tokens_of(text), scope)
    found: list[str] = []
    at = 0
    while at < len(tokens.all):
        read = noun_phrase(tokens, at) if tokens.low(at) in _INDEFINITE else None
        name = tokens.name(read.end) if read is not None else None
        if read is None or name is None:
            at += 1
            continue
        if read.conditions and not COLLECTIVE.intersection(read.conditions) and tokens.low(read.end + 1) != "or":
            found.append(read.of(name))
        at = read.end + 1
    return found


def _meant(tokens: Tokens, begin: int, end: int) -> tuple[str, ...]:
    """Return the parameters that a noun phrase without a name can only mean."""
    nouns = SCALAR_NOUNS | TEXT_NOUNS | COLLECTION_NOUNS | frozenset(PLURALS)
    noun: Token | None = next((token for token in tokens.all[begin:end] if token.low in nouns), None)
    if noun is None:
        return ()
    if noun.low in PLURALS:
        counted = {"two": 2, "three": 3}.get(tokens.low(begin), 0)
        return tokens.scope.parameters if counted == len(tokens.scope.parameters) else ()
    only = parameter_for_noun(noun.low, tokens.scope)
    return (only,) if only is not None else ()
