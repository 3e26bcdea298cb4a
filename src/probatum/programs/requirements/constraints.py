"""What a document says about calls: conditions that they meet, and exceptions that they end in.

Conditions written in Python are read where a parameter's entry, a list of constraints or a sentence of its own states
them. Of the words for them, only the few phrases are read that other people's documentation uses and that were right
wherever they were found (`docs/explanation/readings-measured.md`). Refuses items of lists, which may depend on what
stands above them, and every sentence that is not understood to its last word.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass

from probatum.programs.parsing.section_parts import TextRange, sentence_ranges, spoken, trimmed
from probatum.programs.parsing.sections import ParameterNote, Sections, running_sentences
from probatum.programs.requirements.exception_clauses import clauses_of
from probatum.programs.requirements.worded_conditions import Referents
from probatum.programs.requirements.written_conditions import Scope, python_condition

_MOST_SENTENCES = 400
"""How many sentences, and entries of a section, of one document are read."""
_LONGEST_SENTENCE = 600
_WORDED, _WRITTEN, _NAMED = 0.8, 0.9, 0.7
"""How sure a condition in words, one in Python, and an exception without its condition are."""


@dataclass(frozen=True, slots=True)
class Demand:
    """A condition on the parameters that ``text[begin:end]`` of a document states."""

    begin: int
    end: int
    expression: str
    confidence: float = _WORDED


@dataclass(frozen=True, slots=True)
class Threat:
    """An exception that ``text[begin:end]`` of a document announces; the condition is None where it cannot be read."""

    begin: int
    end: int
    type_name: str
    condition: str | None
    confidence: float


_BULLET = re.compile(r"(?:[-*+•·]|\(?[0-9]{1,3}[.)])\s+")
_BOUND_SIGN = re.compile(r"<|>|≤|≥")
_CHAINED = re.compile(r"[-\d.^*]{1,12}\s*(?:<=?|≤)\s*[^\W\d][\w.()\[\]]{0,40}\s*(?:<=?|≤)")
"""``1 <= n <= …``, which is about nothing but the arguments."""
_QUOTED = r"(?:'[^'\\\n]{0,80}'|\"[^\"\\\n]{0,80}\")"
_EITHER = rf"(?:one of |either )?(?P<choices>{_QUOTED}(?:(?:,? (?:or|and) |, ){_QUOTED}){{1,30}})"
_ENTRY_CHOICE = re.compile(rf"(?P<before>[^'\":;()]{{0,80}}(?:: | ?\())?{_EITHER}\)?", re.IGNORECASE)
_AMOUNT = r"-?\d{1,18}(?:\.\d{1,18})?|[^\W\d]\w{0,60}"
_ENTRY_RANGE = re.compile(
    rf"(?P<before>[^():;]{{0,80}}\()?(?:must be )?between (?P<low>{_AMOUNT}) and (?P<high>{_AMOUNT})"
    r"(?:,? \(?inclusive\)?)?\)?",
    re.IGNORECASE,
)
_MUST_CHOOSE = re.compile(rf"(?P<name>[^\W\d]\w{{0,60}}) (?:must|should) be {_EITHER}")
_MUST_EXCEED = re.compile(
    r"(?:Note that )?(?P<name>[^\W\d]\w{0,60}) must be (?P<none>None or )?"
    r"(?:(?:a )?positive(?: integer)?|(?P<sign>[<>]=?) ?(?P<limit>-?\d{1,18}(?:\.\d{1,18})?))"
)
_OPEN = re.compile(
    r"\b(?:if|when|whenever|unless|otherwise|else|except|not|never|none|e\.g|example|such as|like|currently"
    r"|usually|typically|often|commonly|normally|for example)\b",
    re.IGNORECASE,
)
"""Words before a list or a range that make it a case, an illustration or a part of what is allowed."""

EXCEPTION_ENDINGS = ("Error", "Exception", "Warning", "Interrupt", "Exit", "Iteration")
BUILTIN_EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
_WHEN = re.compile(r"\b(?:if|for|on)\b", re.IGNORECASE)
_TYPE = r"(?::exc:|:class:)?(?:[^\W\d]\w{0,80}\.){0,5}(?P<type>[A-Z]\w{0,60})(?: exception)?"
_RAISES = re.compile(rf"raises? (?:an? )?{_TYPE} (?P<rest>(?:if|for|on) .+)", re.IGNORECASE)
_IS_RAISED = re.compile(rf"(?:an? )?{_TYPE} is raised (?P<rest>if .+)", re.IGNORECASE)


def is_exception_name(name: str, known: frozenset[str]) -> bool:
    """True for the name of a built-in exception, or one that says so itself, or a class of the module in that style."""
    last = name.rpartition(".")[2]
    return last in BUILTIN_EXCEPTIONS or last.endswith(EXCEPTION_ENDINGS) or (last in known and last[:1].isupper())


# Exceptions ----------------------------------------------------------------------------------------------------


def threats(text: str, sections: Sections, referents: Referents) -> Iterator[Threat]:
    """Yield the exceptions that a document announces, each case of one, in its sections first."""
    known = referents.scope.known
    for note in sections.raises[:_MOST_SENTENCES]:
        if is_exception_name(note.type_name, known):
            yield from _cases(text, note.type_name, note.whole, note.text, referents)
    for sentence in running_sentences(text, sections, _MOST_SENTENCES, _LONGEST_SENTENCE):
        words = _plain(spoken(text, sentence))
        match = _RAISES.fullmatch(words) or _IS_RAISED.fullmatch(words)
        if match is not None and is_exception_name(match["type"], known):
            named = text.index(match["type"], sentence.begin) + len(match["type"])
            lead = _WHEN.search(text, named, sentence.end)
            about = trimmed(text, named if lead is None else lead.start(), sentence.end)
            yield from _cases(text, match["type"], sentence, about, referents)


def _cases(text: str, type_name: str, whole: TextRange, about: TextRange, referents: Referents) -> Iterator[Threat]:
    clauses = clauses_of(text, about, referents)
    for clause in clauses:
        place = whole if len(clauses) == 1 else clause.place
        sureness = _NAMED if clause.condition is None else _WORDED
        yield Threat(place.begin, place.end, type_name, clause.condition, sureness)


def _plain(words: str) -> str:
    return words.replace("`", "").rstrip(".!;: ")


# Conditions on the arguments -----------------------------------------------------------------------------------


def demands(text: str, sections: Sections, scope: Scope) -> Iterator[Demand]:
    """Yield the conditions on the arguments that a document states."""
    for note in sections.parameters[:_MOST_SENTENCES]:
        yield from _of_parameter(text, note, scope)
    for part in sections.requires[:_MOST_SENTENCES]:
        for sentence in sentence_ranges(text, part):
            words = _BULLET.sub("", spoken(text, sentence), count=1)
            written = python_condition(_plain(words), scope)
            if written is not None:
                yield Demand(sentence.begin, sentence.end, written, _WRITTEN)
            else:
                yield from _worded(_demanded(words, scope), sentence)
    for sentence in running_sentences(text, sections, _MOST_SENTENCES, _LONGEST_SENTENCE):
        words = spoken(text, sentence)
        bullet = _BULLET.match(words)
        words = words[bullet.end() :] if bullet is not None else words
        if _CHAINED.match(_plain(words)):
            yield from _worded(python_condition(_plain(words), scope), sentence)
        elif bullet is None:
            yield from _worded(_demanded(words, scope), sentence)


def _worded(expression: str | None, place: TextRange) -> Iterator[Demand]:
    if expression is not None:
        yield Demand(place.begin, place.end, expression)


def _demanded(words: str, scope: Scope) -> str | None:
    """Read "n must be positive", "n must be > 0", "mode should be 'r' or 'w'"."""
    words = _plain(words)
    match = _MUST_CHOOSE.fullmatch(words)
    if match is not None and match["name"] in scope.parameters:
        return _chosen(match["name"], match["choices"])
    match = _MUST_EXCEED.fullmatch(words)
    if match is None or match["name"] not in scope.parameters:
        return None
    bound = f"{match['name']} {match['sign'] or '>'} {match['limit'] or '0'}"
    return f"{match['name']} is None or {bound}" if match["none"] else bound


def _of_parameter(text: str, note: ParameterNote, scope: Scope) -> Iterator[Demand]:
    for sentence in sentence_ranges(text, note.text):
        words = spoken(text, sentence)
        if _BULLET.match(words) or len(words) > _LONGEST_SENTENCE:
            continue
        written = python_condition(_plain(words), scope) if _BOUND_SIGN.search(words) else None
        if written is not None:
            yield Demand(sentence.begin, sentence.end, written, _WRITTEN)
        else:
            yield from _worded(_demanded(words, scope) or _of_value(words, note.name, scope), sentence)


def _of_value(words: str, name: str, scope: Scope) -> str | None:
    """Read what the entry of a parameter says of it: "Between 0 and 1 inclusive", "Mode: "r" or "w"."."""
    words = _plain(words)
    match = _ENTRY_CHOICE.fullmatch(words)
    if match is not None and not _OPEN.search(match["before"] or ""):
        return _chosen(name, match["choices"])
    match = _ENTRY_RANGE.fullmatch(words)
    if match is None or _OPEN.search(match["before"] or ""):
        return None
    low, high = match["low"], match["high"]
    if any(not each.lstrip("-")[0].isdigit() and each not in scope.parameters for each in (low, high)):
        return None
    return f"{low} <= {name} <= {high}"


def _chosen(name: str, choices: str) -> str:
    values = [repr(each[1:-1]) for each in re.findall(_QUOTED, choices)]
    return f"{name} in ({', '.join(values)})"
