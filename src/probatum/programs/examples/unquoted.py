"""Examples whose texts stand without quotation marks: ``is_title(Hello) => True``, of a function that takes a string.

Refuses whatever could be meant otherwise: fewer than three different words, a word that names a parameter, a variable
or anything else that Python knows, a parameter that is not said to be a text, a call with something else in the same
place, and a document with any example that can be read as it stands.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass

from probatum.programs.examples.clauses import BUILTIN_NAMES, Described, Doubt, Findings, Found
from probatum.programs.examples.expectations import find_relation, read_expected
from probatum.programs.reading.literals import NotReadableError, read_value
from probatum.programs.reading.scanning import TextScanner
from probatum.programs.specification import Parameter

__all__ = ["UNQUOTED", "read_unquoted"]

UNQUOTED = "unquoted"
"""The notation of such an example."""
_CONFIDENCE = 0.7
_FEWEST_WORDS = 3
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]{0,60}")
_REASON = "the texts stand without quotation marks; the examples are read as if they had them"


@dataclass(frozen=True, slots=True)
class _Shown:
    """One example: where it stands, what it would be with quotation marks, and the words by place."""

    found: Found
    words: tuple[str | None, ...]


def read_unquoted(
    scanner: TextScanner, described: Described, parameters: Sequence[Parameter], findings: Findings
) -> None:
    """Put examples in the place of doubts where all calls of the document leave out quotation marks alike."""
    if findings.examples or described.call != described.name or not findings.doubts:
        return
    takes = [each for each in parameters if each.kind in {"positional_only", "positional_or_keyword"}]
    about = [each for each in findings.doubts if scanner.text.startswith(f"{described.name}(", each.begin)]
    shown = [example for doubt in about if (example := _example(scanner, described, doubt, len(takes))) is not None]
    if not shown or len(shown) != len(about) or not _are_texts(shown, takes, described):
        return
    findings.examples.extend(each.found for each in shown)
    findings.doubts[:] = [each for each in findings.doubts if each not in about]
    findings.doubt(shown[0].found.begin, shown[0].found.end, _REASON)


def _example(scanner: TextScanner, described: Described, doubt: Doubt, count: int) -> _Shown | None:
    opening = doubt.begin + len(described.name)
    close = scanner.bracket_end(opening)
    relation = find_relation(scanner, close) if close > 0 else None
    if relation is None or not relation.by_sign:
        return None
    parts = [part.strip() for part in scanner.text[opening + 1 : close - 1].split(",")]
    if len(parts) != count:
        return None
    try:
        expected = read_expected(scanner, relation)
        arguments = [repr(part) if _WORD.fullmatch(part) else repr(read_value(part)) for part in parts]
    except NotReadableError:
        return None
    if expected is None:
        return None
    expression = f"{described.call}({', '.join(arguments)})"
    found = Found(doubt.begin, expected.end, expression, expected.expectation, UNQUOTED, _CONFIDENCE)
    return _Shown(found, tuple(part if _WORD.fullmatch(part) else None for part in parts))


def _are_texts(shown: Sequence[_Shown], takes: Sequence[Parameter], described: Described) -> bool:
    """True where the same parameters, said to be texts, get words in all calls that can be nothing but texts."""
    unusable = BUILTIN_NAMES | described.known | {each.name for each in takes}
    has_words = False
    for place, parameter in enumerate(takes):
        words = {each.words[place] for each in shown}
        if words == {None}:
            continue
        said = parameter.annotation or parameter.described
        plain = {word for word in words if word is not None and word not in unusable and not keyword.iskeyword(word)}
        if said != "str" or plain != words or len(plain) < _FEWEST_WORDS or all(len(word) == 1 for word in plain):
            return False
        has_words = True
    return has_words
