"""What a sentence speaks of: parameters, their lengths and elements, nouns that can only mean one of them.

Refuses nouns that could mean more than one parameter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from probatum.programs.reading.scanning import word_set
from probatum.programs.requirements.phrases import Scope, Tokens
from probatum.programs.requirements.vocabulary import COLLECTION_NOUNS, SCALAR_NOUNS, TEXT_NOUNS

__all__ = [
    "ARTICLES",
    "PLURALS",
    "SEVERAL",
    "Subject",
    "holds_numbers",
    "kind_of",
    "listed_subject",
    "parameter_for_noun",
    "subject_at",
]

_BEFORE_SUBJECT = word_set(
    "the input given parameter argument value values of variable passed provided supplied both either"
)
ARTICLES = word_set("the a an this given input provided passed supplied your")
_ANNOTATED = re.compile(r"(?:typing\.|t\.)?(?:Optional\[)?\s*([A-Za-z_]\w*)")
_NUMBERS = re.compile(
    r"(?:typing\.|t\.|abc\.)?(?:[Ll]ist|[Tt]uple|[Ss]et|[Ff]rozen[Ss]et|Sequence|Iterable|Collection)"
    r"\[(?:int|float|Decimal|Fraction)(?:, ?\.\.\.)?\]"
)
_ONE_BY_ONE = word_set("any each every")
_TEXT_ANNOTATIONS = word_set("str Text AnyStr")
_NUMBER_ANNOTATIONS = word_set("int float complex Decimal Fraction Number Real")
SEVERAL = {
    **dict.fromkeys(("inputs", "arguments", "parameters"), ""),
    **dict.fromkeys(("numbers", "integers"), "number"),
    **dict.fromkeys(("strings", "words", "texts"), "text"),
    **dict.fromkeys(("lists", "arrays", "sequences"), "many"),
}
PLURALS = {"numbers": "number", "integers": "integer", "values": "value", "floats": "float"}


@dataclass(frozen=True, slots=True)
class Subject:
    """What a clause speaks of: expressions, and whether it says so of all or of any of them."""

    expressions: tuple[str, ...]
    end: int
    any: bool = False
    element_of: str | None = None
    """The quantifier where the elements are meant: ``all`` or ``any``."""
    lengths: bool = False


def subject_at(tokens: Tokens, at: int) -> Subject | None:
    for reader in (_lengths, _elements, listed_subject):
        found = reader(tokens, at)
        if found is not None:
            return found
    return None


def _lengths(tokens: Tokens, at: int) -> Subject | None:
    """Read "the lengths (of a and b)"."""
    start = tokens.after(at, "the lengths", "lengths", "the sizes", "their lengths")
    if start < 0:
        return None
    of = tokens.after(start, "of the", "of")
    if of > 0:
        named = listed_subject(tokens, of)
        if named is None:
            return None
        sized, end = named.expressions, named.end
    else:
        sized, end = _sized_parameters(tokens.scope), start
    return Subject(sized, end, lengths=True) if len(sized) == 2 else None


def _sized_parameters(scope: Scope) -> tuple[str, ...]:
    sized = tuple(name for name in scope.parameters if kind_of(name, scope) in {"text", "many"})
    return sized or (scope.parameters if len(scope.parameters) == 2 and not scope.annotations else ())


def _elements(tokens: Tokens, at: int) -> Subject | None:
    """Read "all elements of xs", "any number in xs", "every element of the list", "the elements of xs"."""
    quantifier = tokens.after(at, "all of the", "all the", "all", "each", "every", "any of the", "any", "some", "no")
    word = tokens.low(at)
    if word == "no" and quantifier > 0:
        return None
    start = quantifier if quantifier > 0 else tokens.skip(at, word_set("the"))
    many = word_set(
        "elements items numbers values entries integers element item number value entry integer strings string"
    )
    if tokens.low(start) not in many or tokens.name(start) is not None:
        plural = _plural_parameter(tokens, start) if quantifier == start and word in _ONE_BY_ONE else None
        return Subject((plural,), start + 1, element_of="any" if word == "any" else "all") if plural else None
    of = tokens.after(start + 1, "of", "in")
    if of < 0:
        if quantifier < 0 or len(tokens.scope.parameters) != 1:
            return None
        owner: tuple[str, int] = (tokens.scope.parameters[0], start + 1)
    else:
        single = _single(tokens, tokens.skip(of, ARTICLES), article=True)
        if single is None:
            return None
        owner = single
    return Subject((owner[0],), owner[1], element_of="any" if word in {"any", "some"} else "all")


def _plural_parameter(tokens: Tokens, at: int) -> str | None:
    """Return the parameter whose elements a singular names: "weight" where there is a collection ``weights``."""
    word = tokens.low(at)
    if tokens.name(at) is not None or tokens.all[at : at + 1] == [] or tokens.all[at].kind != "word":
        return None
    plurals = {f"{word}s", f"{word}es", f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"}
    found = [name for name in tokens.scope.parameters if name in plurals and holds_numbers(name, tokens.scope)]
    return found[0] if len(found) == 1 else None


def holds_numbers(name: str, scope: Scope) -> bool:
    """True for a parameter that is annotated as a collection with numbers as elements."""
    return _NUMBERS.match(scope.annotations.get(name, "").strip("'\" ")) is not None


def listed_subject(tokens: Tokens, at: int) -> Subject | None:
    """Read "n", "the length of xs", "a, b or c", "the list", "both a and b", "the two strings"."""
    plural = at
    while tokens.low(plural) in _BEFORE_SUBJECT | {"two", "all"} and tokens.name(plural) is None:
        plural += 1
    if plural > at and tokens.low(plural) in SEVERAL and tokens.name(plural) is None:
        meant = _all_of_kind(tokens.low(plural), tokens.scope)
        return Subject(meant, plural + 1) if len(meant) > 1 else None
    start = at
    while tokens.low(start) in _BEFORE_SUBJECT and tokens.name(start) is None:
        start += 1
    article = start > at and tokens.low(start - 1) in ARTICLES
    found: list[str] = []
    is_any = tokens.low(start - 1) == "either" if start > at else False
    while True:
        single = _single(tokens, tokens.skip(start, word_set("the")), article=article)
        if single is None and start > at and not found:
            single = _single(tokens, start - 1, article=True)
        if single is None:
            return None
        found.append(single[0])
        joined = tokens.after(single[1], ", or", ", and", "or", "and", ",", "nor")
        if joined < 0 or _single(tokens, joined, article=False) is None or _begins_clause(tokens, joined):
            return Subject(tuple(found), single[1], any=is_any and len(found) > 1)
        is_any = is_any or tokens.low(joined - 1) == "or"
        start = joined


def _all_of_kind(plural: str, scope: Scope) -> tuple[str, ...]:
    """Return all parameters when each can be what a plural means."""
    kind = SEVERAL[plural]
    return scope.parameters if all(kind_of(name, scope) in {kind, ""} or not kind for name in scope.parameters) else ()


def _begins_clause(tokens: Tokens, at: int) -> bool:
    """True when the name at ``at`` is the subject of a clause of its own and the clause before is complete."""
    return (
        False
        if at < 0
        else bool(tokens.comparison(at + 1)) and any(tokens.comparison(index) for index in range(max(0, at - 4), at))
    )


def _single(tokens: Tokens, at: int, *, article: bool) -> tuple[str, int] | None:
    if (
        tokens.after(at, "length of", "size of", "number of elements in", "the length of") > 0
        or tokens.low(at) == "len"
    ):
        text, end = tokens.amount(at)
        if text:
            return text, end
        of = tokens.after(at, "length of", "size of", "number of elements in", "the length of")
        inner = _single(tokens, tokens.skip(of, ARTICLES), article=True) if of > 0 else None
        return (f"len({inner[0]})", inner[1]) if inner is not None else None
    name = tokens.name(at)
    if name is not None:
        return name, at + 1
    word = tokens.low(at)
    if article or word in {"it", "input", "argument"}:
        noun = parameter_for_noun(word, tokens.scope)
        if noun is not None:
            return noun, at + 1
    return None


def kind_of(name: str, scope: Scope) -> str:
    annotation = scope.annotations.get(name, "").strip("'\" ")
    match = _ANNOTATED.match(annotation)
    if match is None:
        return ""
    head = match.group(1)
    if head in _TEXT_ANNOTATIONS:
        return "text"
    return "number" if head in _NUMBER_ANNOTATIONS else "many"


def parameter_for_noun(word: str, scope: Scope) -> str | None:
    """Return the only parameter that "the list", "the string", "the number" can mean, or None."""
    if word in scope.parameters:
        return word
    singular = PLURALS.get(word, word)
    kinds = {
        "text": singular in TEXT_NOUNS,
        "number": singular in SCALAR_NOUNS,
        "many": singular in COLLECTION_NOUNS,
    }
    anything = word in {"it", "input", "argument", "parameter"}
    if not anything and not any(kinds.values()):
        return None
    if len(scope.parameters) == 1:
        [only] = scope.parameters
        kind = kind_of(only, scope)
        return only if anything or not kind or kinds[kind] else None
    if anything:
        return None
    fitting = [name for name in scope.parameters if not kind_of(name, scope) or kinds[kind_of(name, scope)]]
    return fitting[0] if len(fitting) == 1 and kind_of(fitting[0], scope) else None
