"""Sentences about the parameters as Python conditions: "n is negative", "a or b is zero", "k is not between 1 and n".

A condition is read only when every word of it is understood; subjects are parameters, their lengths and elements,
or nouns that can only mean one parameter. Refuses the rest with None: a condition that is not read says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from probatum.programs.reading.scanning import word_set
from probatum.programs.requirements.adjectives import predicate
from probatum.programs.requirements.noun_phrases import contents, noun_phrase
from probatum.programs.requirements.phrases import Scope, Tokens, python_condition, tokens_of
from probatum.programs.requirements.subjects import ARTICLES, Subject, holds_numbers, subject_at
from probatum.programs.requirements.vocabulary import COLLECTIVE, Read, compared

__all__ = [
    "assumption_of",
    "condition_of",
    "demand_on",
    "statement_of",
]

_PLAIN_VERBS: tuple[tuple[str, bool], ...] = (
    ("is not", True),
    ("are not", True),
    ("isn't", True),
    ("aren't", True),
    ("does not have", True),
    ("do not have", True),
    ("doesn't have", True),
    ("is", False),
    ("are", False),
    ("was", False),
    ("were", False),
    ("does not contain", True),
    ("do not contain", True),
    ("contains", False),
    ("contain", False),
    ("has", False),
    ("have", False),
)
_MODAL_VERBS: tuple[tuple[str, bool], ...] = (
    ("must not be", True),
    ("cannot be", True),
    ("can not be", True),
    ("can't be", True),
    ("must never be", True),
    ("should not be", True),
    ("should never be", True),
    ("will never be", True),
    ("is never", True),
    ("is guaranteed not to be", True),
    ("must always be", False),
    ("must be", False),
    ("must have", False),
    ("must not contain", True),
    ("should not contain", True),
    ("should contain", False),
    ("will only contain", False),
    ("must only contain", False),
    ("must contain", False),
    ("must consist", False),
    ("must lie", False),
    ("should be", False),
    ("should have", False),
    ("has to be", False),
    ("have to be", False),
    ("needs to be", False),
    ("need to be", False),
    ("is required to be", False),
    ("are required to be", False),
    ("is guaranteed to be", False),
    ("are guaranteed to be", False),
    ("is guaranteed to have", False),
    ("is guaranteed to contain", False),
    ("will always be", False),
    ("will always have", False),
    ("is always", False),
    ("are always", False),
    ("always has", False),
    ("is assumed to be", False),
    ("are assumed to be", False),
    ("is expected to be", False),
    ("are expected to be", False),
    ("consists", False),
)
_FUTURE_VERBS: tuple[tuple[str, bool], ...] = (
    ("will not be", True),
    ("will be", False),
    ("will have", False),
    ("will contain", False),
    ("will only contain", False),
)
_HOLDS = ("contain", "contains", "consist", "consists", "has", "have")
_WISHES = word_set("should")
_EACH = word_set("each every")
_ELEMENTS = word_set("element item value number entry one of them")
_TYPES = {
    **dict.fromkeys(("int", "integer"), "int"),
    **dict.fromkeys(("str", "string"), "str"),
    "list": "list",
    "tuple": "tuple",
    **dict.fromkeys(("dict", "dictionary"), "dict"),
    "float": "float",
    "set": "set",
    **dict.fromkeys(("bool", "boolean"), "bool"),
    "bytes": "bytes",
}
_DIFFERENT = ("differ", "do not match", "don't match", "are different", "are not equal", "are unequal",
              "are not the same", "mismatch", "do not agree", "aren't equal")  # fmt: skip
_ALIKE = ("match", "are equal", "are the same", "agree", "must match", "must be equal", "must be the same")
_SAME_LENGTH = ("of the same length", "of equal length", "the same length", "equal length", "equal lengths",
                "of the same size", "the same size", "the same number of elements", "equal in length")  # fmt: skip
_OTHER_LENGTH = ("of different lengths", "of different length", "different lengths", "different length",
                 "of unequal length", "of different sizes", "unequal lengths")  # fmt: skip
_MAX_CLAUSES = 8


@dataclass(frozen=True, slots=True)
class _Clause:
    condition: str
    end: int
    subject: Subject
    negated: bool


def condition_of(text: str, scope: Scope) -> str | None:
    """Return the condition that a text states as a fact ("n is negative or greater than 10"), or None."""
    return _condition(Tokens(tokens_of(text), scope), 0, _PLAIN_VERBS) or _python(text, scope)


def assumption_of(text: str, scope: Scope) -> str | None:
    """Return the condition that a text takes for granted ("the lists will be non-empty"), or None."""
    verbs = (*_MODAL_VERBS, *_FUTURE_VERBS, *_PLAIN_VERBS)
    return _condition(Tokens(tokens_of(text), scope), 0, verbs) or _python(text, scope)


def statement_of(text: str, scope: Scope) -> str | None:
    """Return the condition that a text demands ("n must be positive", "`k` should be at most n"), or None."""
    tokens = Tokens(tokens_of(text), scope)
    if any(token.low in _WISHES for token in tokens.all) and tokens.name(0) is None and tokens.low(0) != "both":
        return None
    return _condition(tokens, 0, _MODAL_VERBS)


def demand_on(tokens: Tokens, at: int, name: str) -> tuple[str, int] | None:
    """Read what is said of a parameter without naming it ("must be positive", "at least 1", "> 0") at a place.

    Returns the condition and the place after it.
    """
    if tokens.low(at) in _EACH and holds_numbers(name, tokens.scope):
        return _demand_on_each(tokens, tokens.skip(at + 1, _ELEMENTS), name)
    subject = Subject((name,), at)
    read = _said_of(tokens, subject, _MODAL_VERBS)
    if read is not None and tokens.after(at, "in", "not in") < 0:
        return read.condition, read.end
    found = predicate(tokens, at)
    return (found.of(name), found.end) if found is not None else None


def _demand_on_each(tokens: Tokens, at: int, name: str) -> tuple[str, int] | None:
    """Read "each positive", "each between -1 and 1", "every value must be at least 0": of the elements."""
    subject = Subject((name,), at, element_of="all")
    read = _said_of(tokens, subject, _MODAL_VERBS) or _said(tokens, subject, at, negated=False)
    return (read.condition, read.end) if read is not None else None


def _python(text: str, scope: Scope) -> str | None:
    stripped = text.strip().rstrip(".;,").strip()
    bare = stripped.strip("`")
    if "`" in bare or not (stripped.startswith("`") or any(sign in bare for sign in "<>=!([≤≥≠")):
        return None
    return python_condition(bare, scope)


def _condition(tokens: Tokens, at: int, verbs: tuple[tuple[str, bool], ...]) -> str | None:
    """Read clauses joined by one connective up to the end of the sentence."""
    parts: list[str] = []
    joints: set[str] = set()
    last: _Clause | None = None
    for _ in range(_MAX_CLAUSES):
        clause = _clause(tokens, at, verbs, last)
        if clause is None:
            return None
        parts.append(clause.condition)
        if tokens.is_end(clause.end):
            return _joined(parts, joints)
        joined = tokens.after(clause.end, ", or", ", and", "or", "and", "but")
        if joined < 0:
            return None
        joints.add("or" if tokens.low(joined - 1) == "or" else "and")
        at, last = tokens.after(joined, "if", "when", "it is", "it"), clause
        at = joined if at < 0 else at
    return None


def _joined(parts: list[str], joints: set[str]) -> str | None:
    if len(joints) > 1:
        return None
    word = f" {joints.pop()} " if joints else ""
    return word.join(part if len(parts) == 1 or " or " not in part else f"({part})" for part in parts)


def _clause(tokens: Tokens, at: int, verbs: tuple[tuple[str, bool], ...], last: _Clause | None) -> _Clause | None:
    code = tokens.all[at] if at < len(tokens.all) else None
    if code is not None and code.kind == "code" and tokens.name(at) is None:
        written = python_condition(code.text, tokens.scope)
        if written is not None:
            subject = Subject((written,), at + 1)
            return _Clause(written, at + 1, subject, negated=False)
    begun = subject_at(tokens, at)
    if begun is not None:
        read = _said_of(tokens, begun, verbs)
        if read is not None:
            return read
    if last is None:
        return None
    again = _said_of(tokens, replace(last.subject, end=at), verbs)
    if again is not None or last.negated:
        return again
    denied = tokens.low(at) == "not"
    return _said(tokens, last.subject, at + denied, negated=denied)


def _said_of(tokens: Tokens, subject: Subject, verbs: tuple[tuple[str, bool], ...]) -> _Clause | None:
    """Read the verb and the predicate after a subject."""
    at = subject.end
    if subject.lengths:
        return _of_lengths(tokens, subject)
    if tokens.comparison(at) or tokens.after(at, "not in", "in") > 0:
        return _said(tokens, subject, at, negated=False)
    for phrase, negated in (("equals", False), ("exceeds", False), ("exceed", False)):
        if (after := tokens.after(at, phrase)) > 0:
            amount, end = tokens.amount(after)
            sign = "==" if phrase == "equals" else ">"
            return _made(subject, Read((compared(sign, amount),), end), negated) if amount else None
    for phrase, negated in verbs:
        if (after := tokens.after(at, phrase)) > 0:
            if phrase.endswith(_HOLDS):
                read = contents(tokens, after)
                return _made(subject, read, negated) if read is not None else _alike(tokens, subject, after, negated)
            return _said(tokens, subject, after, negated=negated)
    return None


def _said(tokens: Tokens, subject: Subject, at: int, *, negated: bool) -> _Clause | None:
    """Read a predicate that stands at ``at``, and apply it."""
    at = tokens.skip(at, word_set("only always also themselves all"))
    if (alike := _alike(tokens, subject, at, negated)) is not None:
        return alike
    if (member := _membership(tokens, subject, at, negated)) is not None:
        return member
    if (typed := _type_test(tokens, subject, at, negated)) is not None:
        return typed
    end = tokens.after(at, "equal", "the same", "identical")
    if end > 0 and len(subject.expressions) == 2 and tokens.low(end) not in {"to", "length", "size"}:
        return _Clause(_denied(" == ".join(subject.expressions), negated), end, subject, negated)
    read = predicate(tokens, at) or noun_phrase(tokens, at) or _equal_amount(tokens, at)
    if read is None or not read.conditions:
        return None
    return _made(subject, read, negated)


def _alike(tokens: Tokens, subject: Subject, at: int, negated: bool) -> _Clause | None:
    """Read "the same length", "different lengths" of two subjects."""
    for phrases, sign in ((_SAME_LENGTH, "=="), (_OTHER_LENGTH, "!=")):
        end = tokens.after(at, *phrases)
        if end > 0 and len(subject.expressions) == 2 and subject.element_of is None:
            first, second = subject.expressions
            return _Clause(_denied(f"len({first}) {sign} len({second})", negated), end, subject, negated)
    return None


def _equal_amount(tokens: Tokens, at: int) -> Read | None:
    amount, end = tokens.amount(at)
    return Read((compared("==", amount),), end) if amount else None


def _membership(tokens: Tokens, subject: Subject, at: int, negated: bool) -> _Clause | None:
    denied = tokens.after(at, "not in", "not present in", "not a member of")
    after = denied if denied > 0 else tokens.after(at, "in", "present in", "a member of")
    if after < 0 or len(subject.expressions) != 1:
        return None
    name = tokens.name(tokens.skip(after, ARTICLES))
    if name is None:
        return None
    end = tokens.skip(after, ARTICLES) + 1
    return _made(subject, Read((compared("in", name),), end), negated or denied > 0)


def _type_test(tokens: Tokens, subject: Subject, at: int, negated: bool) -> _Clause | None:
    """Read "an int", "a string", "an instance of str" after "is not"; only the denial is a condition worth having."""
    start = tokens.after(at, "an instance of", "of type", "instance of", "a", "an")
    start = at if start < 0 else start
    names: list[str] = []
    while (name := _TYPES.get(tokens.low(start))) is not None and tokens.name(start) is None:
        names.append(name)
        following = tokens.after(start + 1, "or a", "or an", "or")
        if following < 0 or tokens.low(following) not in _TYPES:
            break
        start = following
    if not names or not negated:
        return None
    types = names[0] if len(names) == 1 else f"({', '.join(names)})"
    made = _made(subject, Read((lambda each: f"not isinstance({each}, {types})",), start + 1), negated=False)
    return replace(made, negated=True)


def _made(subject: Subject, read: Read, negated: bool) -> _Clause:
    if subject.element_of is not None and not COLLECTIVE.intersection(read.conditions):
        inner = _denied(read.of("each_"), negated)
        parts = [f"{subject.element_of}({inner} for each_ in {each})" for each in subject.expressions]
    else:
        parts = [_denied(read.of(each), negated) for each in subject.expressions]
    return _Clause(_quantified(subject, parts), read.end, subject, negated)


def _quantified(subject: Subject, parts: list[str]) -> str:
    word = " or " if subject.any else " and "
    return word.join(f"({part})" if len(parts) > 1 and (" or " in part or " and " in part) else part for part in parts)


def _denied(condition: str, denied: bool) -> str:
    return f"not ({condition})" if denied else condition


def _of_lengths(tokens: Tokens, subject: Subject) -> _Clause | None:
    first, second = subject.expressions
    for phrases, sign in ((_DIFFERENT, "!="), (_ALIKE, "==")):
        if (end := tokens.after(subject.end, *phrases)) > 0:
            return _Clause(f"len({first}) {sign} len({second})", end, subject, negated=False)
    return None
