"""Words that say something of one value ("even", "greater than n", "starts with the prefix") as Python conditions.

Each row is a wording and the condition it stands for, with the kind of value that it is a condition of. Refuses every
wording that is not in the table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from probatum.programs.requirements.vocabulary import BOUNDS, SIGNS
from probatum.programs.results.nouns import COUNTS, Scene

__all__ = ["ADJECTIVES", "Predicate", "predicate_of"]

PRIME = "({x} > 1 and all({x} % q_ for q_ in range(2, math.isqrt(int({x})) + 1)))"


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition of one value; ``{x}`` stands for it."""

    condition: str
    kind: str
    """The kind that the value must be of: ``int``, ``number``, ``text``, or empty for any."""
    guards: tuple[str, ...] = ()
    """What must hold of the parameters for the words to mean this."""
    domain: str = ""
    """Of which values ``{x}`` people say this at all: nobody asks whether zero or a negative number is prime."""


_NUMBER = r"(?P<n>.+?)"
_TEXT = r"(?P<t>.+?)"
_PLAIN: tuple[tuple[str, str, str], ...] = (
    *((re.escape(word), f"{{x}} {sign} 0", "number") for word, sign in SIGNS.items()),
    (r"even", "{x} % 2 == 0", "int"),
    (r"odd", "{x} % 2 == 1", "int"),
    (r"prime|a prime(?: number)?|primes", PRIME, "int"),
    (r"zero|equal to zero", "{x} == 0", "number"),
    (r"not zero", "{x} != 0", "number"),
    (r"an? perfect square|perfect squares", "{x} >= 0 and round({x} ** 0.5) ** 2 == {x}", "int"),
    (r"(?:a )?powers? of (?:two|2)", "{x} > 0 and {x} & ({x} - 1) == 0", "int"),
    (r"a perfect number", "{x} > 1 and sum(q_ for q_ in range(1, {x}) if {x} % q_ == 0) == {x}", "int"),
    (r"a leap year", "{x} % 4 == 0 and ({x} % 100 != 0 or {x} % 400 == 0)", "int"),
    (r"(?:at|in) even (?:indices|indexes)", "i_ % 2 == 0", ""),
    (r"(?:at|in) odd (?:indices|indexes)", "i_ % 2 == 1", ""),
    (r"(?:in )?upper-?\s?case|capitali[sz]ed letters", "{x}.isupper()", "letter"),
    (r"(?:in )?lower-?\s?case", "{x}.islower()", "letter"),
    (r"palindromes?|a palindrome|palindromic", "{x} == {x}[::-1]", "sequence"),
    (r"(?:is |are )?empty", "len({x}) == 0", "sequence"),
    (r"non-?empty|not empty", "len({x}) > 0", "sequence"),
)
_COMPARED: tuple[tuple[str, str], ...] = (
    *((f"{'(?:strictly )?' if sign in '<>' else ''}{re.escape(wording)}", sign) for wording, sign in BOUNDS),
    (r"(?:greater|larger|bigger|higher) than or equal", ">="),
    (r"(?:less|smaller|lower) than or equal", "<="),
    (r"equals?", "=="),
    (r">=", ">="),
    (r"<=", "<="),
    (r">", ">"),
    (r"<", "<"),
)
_DIVISIBLE = re.compile(
    rf"(?:evenly )?divisible by {_NUMBER}|(?:an? )?multiples? of {_NUMBER.replace('?P<n>', '?P<multiple>')}"
)
_BETWEEN = re.compile(
    r"(?:between|in the range(?: from| of)?|from) (?P<low>.+?) (?:and|to) (?P<high>.+?),? \(?(?:both "
    r")?inclusive(?:ly)?\)?"
)
_LENGTH = re.compile(rf"(?:of|have|has|having|with) (?:a |the )?length(?: of)? {_NUMBER}")
_PRIMES = re.compile(
    r"(?:the )?(?:product|multiplication) of (?:exactly )?(?P<n>two|three|four|[2-4]) primes?(?: numbers)?"
)
_ADVERBIAL = re.compile(r"^(?:(?:that|which|who) )?(?:(?:is|are|was|were|being) )?")
_TEXT_RELATIONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"(?:starts?|starting|begins?|beginning) with {_TEXT}"), "{x}.startswith({t})"),
    (re.compile(rf"(?:ends?|ending) with {_TEXT}"), "{x}.endswith({t})"),
    (re.compile(rf"(?:contains?|containing|includes?|including) {_TEXT}"), "{t} in {x}"),
)
ADJECTIVES = (
    r"non-?negative|non-?positive|positive|negative|even|odd|prime|non-?zero|upper-?case|lower-?case|non-?empty"
)


def predicate_of(scene: Scene, words: str) -> Predicate | None:
    """Return what the words say of a value, None when they are not understood."""
    words = _ADVERBIAL.sub("", words.strip())
    denied = re.match(r"not (?=divisible|multiples?|an? |prime|equal)", words)
    if denied is not None:
        inner = predicate_of(scene, words[denied.end() :])
        return inner and Predicate(f"not ({inner.condition})", inner.kind, inner.guards)
    for reader in _READERS:
        found = reader(scene, words)
        if found is not None:
            return found
    return None


def _plain(_scene: Scene, words: str) -> Predicate | None:
    words = re.sub(r" (?:numbers?|integers?|values?|elements?|letters?|characters?|strings?|words?)$", "", words)
    for wording, condition, kind in _PLAIN:
        if re.fullmatch(wording, words):
            return Predicate(condition, kind, domain="{x} >= 1" if condition == PRIME else "")
    return None


def _compared(scene: Scene, words: str) -> Predicate | None:
    for wording, operator in sorted(_COMPARED, key=lambda row: -len(row[0])):
        match = re.fullmatch(rf"(?:{wording}) {_NUMBER}", words)
        number = scene.number(_threshold(match["n"])) if match is not None else None
        if number is not None:
            return Predicate(f"{{x}} {operator} {number}", "number", _of_number(number))
    return None


def _threshold(words: str) -> str:
    return re.sub(r"^(?:the )?(?:given )?(?:threshold|limit|bound|value|number|integer)(?: of)? (?=\S)", "", words)


def _divisible(scene: Scene, words: str) -> Predicate | None:
    match = _DIVISIBLE.fullmatch(words)
    if match is None:
        return None
    parts = [scene.number(part) for part in re.split(r"\s+(or|and)\s+", match["n"] or match["multiple"])[::2]]
    joiner = " or " if " or " in words else " and "
    known = [part for part in parts if part is not None]
    if len(known) != len(parts):
        return None
    condition = joiner.join(f"{{x}} % {part} == 0" for part in known)
    guards = tuple(guard for part in known for guard in (*_of_number(part), f"{part} != 0"))
    return Predicate(condition, "int", guards)


def _between(scene: Scene, words: str) -> Predicate | None:
    match = _BETWEEN.fullmatch(words)
    low, high = (scene.number(match["low"]), scene.number(match["high"])) if match is not None else (None, None)
    if low is None or high is None:
        return None
    return Predicate(f"{low} <= {{x}} <= {high}", "number", (*_of_number(low), *_of_number(high)))


def _length(scene: Scene, words: str) -> Predicate | None:
    match = _LENGTH.fullmatch(words)
    if match is None:
        return None
    for wording, operator in (*_COMPARED, ("", "==")):
        inner = re.fullmatch(rf"(?:{wording})\s*(.+?)", match["n"])
        number = scene.number(inner.group(1)) if inner is not None else None
        if number is not None:
            return Predicate(f"len({{x}}) {operator} {number}", "sequence", _of_number(number))
    if match["n"] in {"even", "odd"}:
        return Predicate(f"len({{x}}) % 2 == {0 if match['n'] == 'even' else 1}", "sequence")
    return None


def _of_primes(_scene: Scene, words: str) -> Predicate | None:
    """Read "the product of three primes", each counted as often as it divides."""
    match = _PRIMES.fullmatch(words)
    if match is None:
        return None
    powers = "sum({x} % q_ ** e_ == 0 for e_ in range(1, 20))"
    is_prime = "all(q_ % d_ for d_ in range(2, math.isqrt(q_) + 1))"
    count = f"sum({powers} for q_ in range(2, {{x}} + 1) if {{x}} % q_ == 0 and {is_prime})"
    return Predicate(f"{count} == {COUNTS.get(match['n'], match['n'])}", "int", domain="{x} >= 1")


def _text_relation(scene: Scene, words: str) -> Predicate | None:
    for pattern, condition in _TEXT_RELATIONS:
        match = pattern.fullmatch(words)
        text = _text_parameter(scene, match["t"]) if match is not None else None
        if text is not None:
            return Predicate(condition.replace("{t}", text), "text", (f"type({text}) is str",))
    return None


def _text_parameter(scene: Scene, phrase: str) -> str | None:
    """Return the parameter that "a given prefix" or "the substring" names."""
    words = [word for word in phrase.split() if word not in {"a", "an", "the", "given", "specified", "supplied"}]
    name = scene.named(words[-1].strip("'\"")) if words else None
    return name if name is not None and scene.kind(name) in {"text", ""} and len(words) <= 2 else None


def _of_number(number: str) -> tuple[str, ...]:
    return (f"(type({number}) is int or type({number}) is float)",) if number[0].isalpha() or number[0] == "_" else ()


_READERS: tuple[Callable[[Scene, str], Predicate | None], ...] = (
    _plain, _divisible, _between, _length, _of_primes, _compared, _text_relation,
)  # fmt: skip
