"""Conditions that a document says in words about its parameters ("`n` is negative"), as Python.

A clause is read from its first word to its last: whose value is meant, and one of the few phrases that other people's
documentation uses and that were right wherever they were found (`docs/explanation/readings-measured.md`). A value is
meant by its parameter, or by the noun that its own description begins with ("the discount" of "percent: The discount in
percent"). Refuses every clause with a word that is not accounted for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from probatum.programs.parsing.section_parts import spoken
from probatum.programs.parsing.sections import Sections
from probatum.programs.requirements.written_conditions import Scope, python_condition

_WORD = r"[^\W\d]\w{0,60}"
_NUMBER = r"-?\d{1,18}(?:\.\d{1,18})?"
_NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}
_NAMED = re.compile(
    rf"(?:the )?(?:(?:given|passed|specified|provided) )?(?:(?:value|argument|parameter) )?(?P<name>{_WORD})"
    r"(?: (?:argument|parameter|value))?",
    re.IGNORECASE,
)
_PLAIN_WORDS = r"(?P<noun>[a-z]+(?:[- ][a-z]+){0,3}?)"
_INTRODUCED = re.compile(
    rf"(?:the|an?) {_PLAIN_WORDS}(?= (?:in|of|that|which|to|as|for|with|from|on|by|at|is|are|when|whose|where|between"
    r"|must)\b|[,.;:(]|$)",
    re.IGNORECASE,
)
_NOUN = re.compile(rf"the (?:(?:given|passed|specified|provided) )?{_PLAIN_WORDS}", re.IGNORECASE)
_MORE, _LESS = "greater|larger|higher|more", "less|smaller|lower|fewer"
_BETWEEN = r"(?P<low>.+?) (?:and|to) (?P<high>.+?)(?:,? \(?inclusive\)?)?"
_KINDS = {"string": "str", "class": "type"}
_BUILTIN_KINDS = frozenset({"str", "bytes", "int", "float", "bool", "list", "tuple", "dict", "set", "type"})


@dataclass(frozen=True, slots=True)
class Referents:
    """What the words of one document can refer to."""

    scope: Scope
    nouns: Mapping[str, str]
    """The parameter that a noun stands for; only nouns that one description alone begins with."""
    annotations: Mapping[str, str]
    """How parameters are annotated; only those that are."""

    def value(self, words: str) -> str | None:
        """Return the parameter or the number that words mean."""
        words = words.strip()
        if re.fullmatch(_NUMBER, words):
            return words
        return _NUMBERS.get(words.lower()) or self.parameter(words)

    def parameter(self, words: str) -> str | None:
        """Return the parameter that words mean."""
        named = _NAMED.fullmatch(words)
        if named is not None and named["name"] in self.scope.parameters:
            return named["name"]
        noun = _NOUN.fullmatch(words)
        return self.nouns.get(noun["noun"].lower()) if noun is not None else None


def referents_of(text: str, sections: Sections, scope: Scope, annotations: Mapping[str, str]) -> Referents:
    """Return what words can refer to, with the nouns that the descriptions of parameters introduce."""
    found: dict[str, set[str]] = {}
    for note in sections.parameters:
        match = _INTRODUCED.match(spoken(text, note.text))
        if match is not None:
            phrase = match["noun"].lower()
            for noun in {phrase, re.split("[- ]", phrase)[-1]}:
                found.setdefault(noun, set()).add(note.name)
    taken = {each.lower() for each in scope.parameters}
    nouns = {noun: min(names) for noun, names in found.items() if len(names) == 1 and noun not in taken}
    return Referents(scope, nouns, annotations)


def worded_condition(words: str, referents: Referents) -> str | None:
    """Return the condition that a clause says of the parameters, in Python or in words; None where it is not read."""
    written = python_condition(words, referents.scope, of_elements="any")
    return written if written is not None else _said(words, referents)


def _said(words: str, referents: Referents) -> str | None:
    for pattern, meaning in _PHRASES:
        match = pattern.fullmatch(words)
        name = None if match is None else referents.parameter(match["of"])
        if match is None or name is None:
            continue
        condition = meaning(name, match, referents)
        if condition is not None:
            return f"not ({condition})" if match.groupdict().get("not") else condition
    return None


_Meaning = Callable[[str, re.Match[str], Referents], str | None]


def _fixed(condition: str) -> _Meaning:
    return lambda name, match, referents: condition.format(name)


def _compared(sign: str, measure: str = "{}") -> _Meaning:
    def meaning(name: str, match: re.Match[str], referents: Referents) -> str | None:
        limit = referents.value(match["limit"])
        equal = "=" if match.groupdict().get("equal") else ""
        return None if limit is None else f"{measure.format(name)} {sign}{equal} {limit}"

    return meaning


def _in_time(sign: str) -> _Meaning:
    """Read "after" for parameters that are annotated alike: an order of places in something is no order of values."""
    compared = _compared(sign)

    def meaning(name: str, match: re.Match[str], referents: Referents) -> str | None:
        limit, kinds = referents.parameter(match["limit"]), referents.annotations
        alike = limit is not None and name in kinds and kinds[name] == kinds.get(limit)
        return compared(name, match, referents) if alike else None

    return meaning


def _within(name: str, match: re.Match[str], referents: Referents) -> str | None:
    low, high = referents.value(match["low"]), referents.value(match["high"])
    return None if low is None or high is None else f"{low} <= {name} <= {high}"


def _outside(name: str, match: re.Match[str], referents: Referents) -> str | None:
    inside = _within(name, match, referents)
    return None if inside is None else f"not ({inside})"


def _is_kind(name: str, match: re.Match[str], referents: Referents) -> str | None:
    kind = _KINDS.get(match["kind"].lower(), match["kind"].rpartition(":")[2].strip("~"))
    is_class = kind in _BUILTIN_KINDS or (kind in referents.scope.known and kind[:1].isupper())
    return f"isinstance({name}, {kind})" if is_class else None


def _phrases(table: Iterable[tuple[str, _Meaning]]) -> tuple[tuple[re.Pattern[str], _Meaning], ...]:
    return tuple((re.compile(f"(?P<of>.+?) {words}", re.IGNORECASE), meaning) for words, meaning in table)


_IS = r"(?:is|was)(?P<not> not|n't)?"
_EQUAL = r"(?P<equal> or equal to)?"
_PHRASES = _phrases(
    (
        (rf"{_IS} negative", _fixed("{} < 0")),
        (rf"{_IS} positive", _fixed("{} > 0")),
        (rf"{_IS} (?:zero|0)", _fixed("{} == 0")),
        (rf"{_IS} None", _fixed("{} is None")),
        (rf"{_IS} (?:empty|an empty sequence)", _fixed("len({}) == 0")),
        (rf"{_IS} an empty string", _fixed("{} == ''")),
        (rf"{_IS} an empty list", _fixed("{} == []")),
        (rf"{_IS} (?:{_LESS}) than{_EQUAL} (?P<limit>.+)", _compared("<")),
        (rf"{_IS} (?:{_MORE}) than{_EQUAL} (?P<limit>.+)", _compared(">")),
        (rf"{_IS} longer than (?P<limit>.+?)(?: characters?| items?)?", _compared(">", "len({})")),
        (rf"{_IS} shorter than (?P<limit>.+?)(?: characters?| items?)?", _compared("<", "len({})")),
        (rf"{_IS} (?:before|earlier than) (?P<limit>.+)", _in_time("<")),
        (rf"{_IS} (?:after|later than) (?P<limit>.+)", _in_time(">")),
        (rf"{_IS} (?:between|in the range(?: of)?) {_BETWEEN}", _within),
        (rf"{_IS} outside(?: of)?(?: the)?(?: (?:acceptable|allowed|valid))?(?: range(?: of)?)? {_BETWEEN}", _outside),
        (rf"{_IS} an? (?P<kind>[\w:~]+)(?: object)?", _is_kind),
    )
)  # fmt: skip
