"""What of a documented type or default the signature says as well.

``str``, ``list of int``, ``optional``, ``default 3``: each part is compared with annotation and default. Refuses to
call confirmed what the signature leaves open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from probatum.programs.parsing.scanning import word_set
from probatum.programs.specification import Parameter

_ROLE = re.compile(r":[a-z:]{1,20}:`~?(?:[\w.]*\.)?(\w+)`")
_MODULE = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])")
_DEFAULT = re.compile(r"(?:by )?defaults?(?: is| to|:|=)?\s*(?:is |to |= ?)?(.+?)[.\s]*", re.IGNORECASE)
_STATED_DEFAULT = re.compile(
    r"(?:the )?defaults?(?: is| to|:|=)? [^,;:.]+|by default,? [^,;:.]+|[^,;:.]+ by default", re.IGNORECASE
)
_LONGEST_DEFAULT = 9
_WORDS = {"string": "str", "integer": "int", "boolean": "bool", "dictionary": "dict", "number": "float", "null": "none"}
_OF = re.compile(r"\b(\w+) of (?:(\w+(?:\[[^\]]*\])?) to )?(\w+(?:\[[^\]]*\])?)")
_OPTIONAL = re.compile(r"optional\[(.*)\]")
_TYPE_WORD = re.compile(r"[\w.]+|[\[\](){},|:`~*/ -]+")
_COMMON = word_set(
    "int integer str string float number bool boolean list tuple dict dictionary set frozenset bytes bytearray object"
    " none any callable function iterable iterator generator sequence mapping array array_like type scalar"
    " hashable of or to and date datetime time timedelta decimal fraction complex path file array-like like text"
    " ints strs strings floats numbers integers bools booleans lists tuples dicts sets objects bytestring"
)


def looks_like_type(words: str) -> bool:
    """True for words that are types and what joins them: ``list of str``, ``int or None``, ``Mapping[str, int]``."""
    parts = _ROLE.sub(r"\1", words).replace("-", "_")
    if "".join(_TYPE_WORD.findall(parts)) != parts or len(words) > 200:
        return False
    named = re.findall(r"[\w.]+", parts)
    return bool(named) and all(
        word.lower() in _COMMON
        or (word == "Optional" and "[" in words)
        or "." in word.strip(".")
        or (word[:1].isupper() and "[" in words)
        for word in named
    )


def unconfirmed(types: str, parameters: Sequence[Parameter]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a documented type that the signature does not say of all these parameters."""
    for begin, end in _parts(types):
        part = types[begin:end].strip()
        if not parameters or not all(_says(each, part) for each in parameters):
            yield begin, end


def confirmed_result(types: str, annotation: str | None) -> bool:
    """True when the annotation of the result says what a documented type says."""
    return annotation is not None and _same_type(types, annotation)


def confirmed_default(sentence: str, parameter: Parameter) -> bool:
    """True for "Defaults to 3." where the signature says so."""
    match = _DEFAULT.fullmatch(sentence.strip(" ()"))
    return match is not None and _same_value(match[1], parameter.default)


def states_default(sentence: str) -> bool:
    """True for a short sentence that only says what a default is: "Defaults to a week.", "Monday by default."."""
    return len(sentence.split()) <= _LONGEST_DEFAULT and _STATED_DEFAULT.fullmatch(sentence.strip(" ().")) is not None


def _says(parameter: Parameter, part: str) -> bool:
    if part.lower() == "optional":
        return parameter.default is not None or parameter.kind.startswith("var_")
    if confirmed_default(part, parameter):
        return True
    if parameter.annotation is None:
        return False
    either = f"{part} | None"
    return _same_type(part, parameter.annotation) or (
        parameter.default == "None" and _same_type(either, parameter.annotation)
    )


def _parts(types: str) -> Iterator[tuple[int, int]]:
    depth = begin = 0
    for at, character in enumerate(types):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth <= 0:
            yield begin, at
            begin = at + 1
    yield begin, len(types)


def _same_value(words: str, default: str | None) -> bool:
    return default is not None and words.strip("`'\" ").lower() == default.strip("'\" ").lower()


def _same_type(words: str, annotation: str) -> bool:
    documented, written = _alternatives(words), _alternatives(annotation)
    bare = frozenset(each.partition("[")[0] for each in written)
    return documented in (written, bare)


def _alternatives(words: str) -> frozenset[str]:
    """Return a type in one spelling, as the set of what it may be."""
    text = _MODULE.sub("", _ROLE.sub(r"\1", words)).strip("`'\" .").lower()
    text = _OF.sub(lambda m: f"{m[1]}[{m[2]},{m[3]}]" if m[2] else f"{m[1]}[{m[3]}]", text)
    text = re.sub(r"\w+", lambda m: _WORDS.get(m[0], m[0]), text)
    if (inner := _OPTIONAL.fullmatch(text)) is not None:
        text = f"{inner[1]}|none"
    return frozenset("".join(each.split()) for each in re.split(r"\||\bor\b", text))
