"""What a document says about calls in code: conditions that they meet, and the names of exceptions.

Conditions are read where a parameter's entry, a list of constraints or a sentence of its own is one in Python from end
to end. Refuses everything in words: when an exception is due, and what arguments must be, is a reading's matter.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass

from probatum.programs.parsing.section_parts import TextRange, sentence_ranges
from probatum.programs.parsing.sections import Sections, running_sentences
from probatum.programs.requirements.written_conditions import Scope, python_condition

_MOST_SENTENCES = 400
"""How many sentences, and entries of a section, of one document are read."""
_LONGEST_SENTENCE = 600


@dataclass(frozen=True, slots=True)
class Demand:
    """A condition on the parameters that ``text[begin:end]`` of a document states."""

    begin: int
    end: int
    expression: str


@dataclass(frozen=True, slots=True)
class Threat:
    """An exception that ``text[begin:end]`` of a document names."""

    begin: int
    end: int
    type_name: str


_BULLET = re.compile(r"(?:[-*+•·]|\(?[0-9]{1,3}[.)])\s+")
_BOUND_SIGN = re.compile(r"<|>|≤|≥")
_ANYTHING = re.compile("")
_CHAINED = re.compile(r"^[-\d.^*]{1,12}\s*(?:<=?|≤)\s*[^\W\d][\w.()\[\]]{0,40}\s*(?:<=?|≤)")
"""``1 <= n <= …``, which is about nothing but the arguments."""
EXCEPTION_ENDINGS = ("Error", "Exception", "Warning", "Interrupt", "Exit", "Iteration")
BUILTIN_EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)


def is_exception_name(name: str, known: frozenset[str]) -> bool:
    """True for the name of a built-in exception, or one that says so itself, or a class of the module in that style."""
    last = name.rpartition(".")[2]
    return last in BUILTIN_EXCEPTIONS or last.endswith(EXCEPTION_ENDINGS) or (last in known and last[:1].isupper())


def threats(sections: Sections, known: frozenset[str]) -> Iterator[Threat]:
    """Yield the exceptions that the sections of a document name; ``known`` are the names of the module."""
    for note in sections.raises[:_MOST_SENTENCES]:
        if is_exception_name(note.type_name, known):
            yield Threat(note.whole.begin, note.whole.end, note.type_name)


def demands(text: str, sections: Sections, scope: Scope) -> Iterator[Demand]:
    """Yield the conditions on the arguments that a document writes in Python."""
    for note in sections.parameters[:_MOST_SENTENCES]:
        yield from _written(text, note.text, scope, _BOUND_SIGN)
    for part in sections.requires[:_MOST_SENTENCES]:
        yield from _written(text, part, scope, _ANYTHING)
    for sentence in running_sentences(text, sections, _MOST_SENTENCES, _LONGEST_SENTENCE):
        yield from _written(text, sentence, scope, _CHAINED)


def _written(text: str, part: TextRange, scope: Scope, form: re.Pattern[str]) -> Iterator[Demand]:
    """Read the sentences of a part that are a condition in Python from end to end."""
    for sentence in sentence_ranges(text, part):
        bullet = _BULLET.match(text, sentence.begin, sentence.end)
        begin = bullet.end() if bullet is not None else sentence.begin
        words = text[begin : sentence.end].replace("`", "").rstrip(".!;: ")
        if len(words) <= _LONGEST_SENTENCE and form.search(words):
            expression = python_condition(" ".join(words.split()), scope)
            if expression is not None:
                yield Demand(begin, sentence.end, expression)
