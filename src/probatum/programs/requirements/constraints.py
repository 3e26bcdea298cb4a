"""What a document says about calls: conditions that they meet, and exceptions that they end in.

Reads the parameter and exception sections and the sentences of the running text. A sentence counts only when it is
understood to its last word, or begins with a noun phrase that leaves nothing open. Refuses conditional demands ("must
be positive if …"), alternatives ("a positive integer or None") and everything that it cannot read whole.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass

from probatum.programs.reading.scanning import word_set
from probatum.programs.reading.sections import ParameterNote, RaiseNote, Sections, TextRange, sentence_ranges, spoken
from probatum.programs.requirements.conditions import assumption_of, condition_of, demand_on, statement_of
from probatum.programs.requirements.descriptions import described_values, named_values
from probatum.programs.requirements.phrases import MAX_SENTENCE, Scope, Tokens, python_condition, tokens_of
from probatum.programs.requirements.subjects import kind_of

__all__ = ["Demand", "Threat", "demands", "demands_beside", "is_exception_name", "threats"]

_MOST_SENTENCES = 400
"""How many sentences, and entries of a section, of one document are read."""
_SAID_CONFIDENCE = 0.8
_WRITTEN_CONFIDENCE = 0.9
_MEANT_CONFIDENCE = 0.7


@dataclass(frozen=True, slots=True)
class Demand:
    """A condition on the parameters that ``text[begin:end]`` of a document states."""

    begin: int
    end: int
    expression: str
    confidence: float = _SAID_CONFIDENCE


@dataclass(frozen=True, slots=True)
class Threat:
    """An exception that ``text[begin:end]`` of a document announces; the condition is None where it cannot be read."""

    begin: int
    end: int
    type_name: str
    condition: str | None
    confidence: float = _SAID_CONFIDENCE


_EXCEPTION = re.compile(r"(?:[^\W\d]\w{0,80}\.){0,5}(?P<name>[A-Z]\w{0,60})`?")
_EXCEPTION_ENDINGS = ("Error", "Exception", "Warning", "Interrupt", "Exit", "Iteration")
_BUILTIN_EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
_IF = re.compile(r"(?:,\s*)?(?:if and only if|if|when|whenever|in case|in the case that|where)\s+", re.IGNORECASE)
_UNLESS = re.compile(r"(?:,\s*)?unless\s+", re.IGNORECASE)
_FOR = re.compile(r"(?:for|on|given)\s+", re.IGNORECASE)
_RAISES = re.compile(
    r"(?:^|[\s,])(?:raises?|throws?|should raise|will raise|must raise)\s+(?:an?\s+|the\s+)?(?:exception\s+)?`{0,2}$",
    re.IGNORECASE,
)
_RAISED = re.compile(
    r"`{0,2}\s+(?:exception\s+)?(?:is|will be|should be|must be|gets)\s+(?:raised|thrown)\s*", re.IGNORECASE
)
_AFTER_TYPE = re.compile(r"`{0,2}(?:\s+exception)?\s*", re.IGNORECASE)
_FIRST_IF = re.compile(r"(?:if|when|whenever)\s+(?P<condition>[^,]{1,200}),\s*(?:then\s+)?", re.IGNORECASE)
_MORE = re.compile(r"(?:and|or|but)\b", re.IGNORECASE)
_REFUSALS = word_set("not never no without instead rather don't doesn't won't avoid avoids nor suppress catch catches")
_ASSUMED = re.compile(
    r"(?:note(?: that)?:?,?\s+)?(?:(?:you|we|one)\s+(?:can|may|should)\s+(?:safely\s+)?assume|assume|assuming|knowing|"
    r"it\s+is\s+(?:safe\s+to\s+assume|assumed|guaranteed|given)|it\s+can\s+be\s+assumed|we\s+assume|"
    r"guaranteed|preconditions?\s*:|pre\s*:|requires\s*:?|constraints?\s*:|assumptions?\s*:|where|with)\s*(?:that\s+)?",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"(?:^(?:for\s+an?\s+)?given|\b(?:are|being|'re)\s+given|^from|\b(?:takes?(?:\s+in)?|receives?|accepts?|expects?|inputs?\s*(?::|is|are)))\s+(?:as\s+input\s+)?",
    re.IGNORECASE,
)
_NO_INPUT = re.compile(r"^\w+ (?:==|is) |== 0$|< 0|<= 0")
"""What "given an empty list" states is a case, no condition of every call."""
_CASE = re.compile(r"^\w+ (?:==|is) |^len\(\w+\) == 0$")
"""What stands after "default:" is a value, no condition."""
_NOTE = re.compile(r"(?:please\s+)?(?:notes?|important|remember|hint)?(?:\s+that)?\s*:?,?\s*", re.IGNORECASE)
_BULLET = re.compile(r"(?:[-*+•·]|\(?[0-9]{1,3}[.)])\s+")
_SPEAKS_OF_DEMANDS = re.compile(
    r"\b(?:must|should|ha[sv]e? to|needs?|required?|guaranteed|always|never|assum\w+|expect\w*|can|cannot|will|where|"
    r"with|"
    r"given|takes?|receives?|accepts?|inputs?|from|an?|constraints?|pre|preconditions?)\b|[<>≤≥]",
    re.IGNORECASE,
)
_SPEAKS_OF_RAISING = re.compile(r"\b(?:raise|throw)\w*", re.IGNORECASE)
_MANY = ("many", "text")
_FURTHER = word_set("or and / | but")
_WILL = re.compile(r"\bwill\b")
_CHAINED = re.compile(r"[-\d.^*]{1,12}\s*(?:<=?|≤)\s*[^\W\d][\w.()\[\]]{0,40}\s*(?:<=?|≤)")
"""``1 <= n <= …``, which is about nothing but the arguments."""
_MODAL = re.compile(
    r"\b(?:must|should|ha[sv]e? to|needs?|required|guaranteed|always|assumed|expected|can|cannot|never)\b"
)
_AND = re.compile(r",?\s+and\s+(?:that\s+)?")
_CONDITIONAL = re.compile(
    r"\b(?:if|when|unless|otherwise|else|except|case|whenever|whether|checks?|tests?|validates?|verify|verifies|ensures?)\b",
    re.IGNORECASE,
)
_IN_PARENTHESES = re.compile(r"(?<![\w)])\(([^()]{3,60}(?:\([^()]{0,20}\)[^()]{0,30})?)\)")
_NAMED_IN_PARENTHESES = re.compile(r"^\(([^\W\d]\w*)\)(?= )")
"""``(n) is positive``."""
_BOUND_SIGN = re.compile(r"<|>|≤|≥")


def is_exception_name(name: str, known: frozenset[str]) -> bool:
    """True for the name of a built-in exception, or one that says so itself, or a class of the module in that style."""
    last = name.rpartition(".")[2]
    return last in _BUILTIN_EXCEPTIONS or last.endswith(_EXCEPTION_ENDINGS) or (last in known and last[:1].isupper())


# Exceptions ----------------------------------------------------------------------------------------------------


def threats(text: str, sections: Sections, scope: Scope) -> Iterator[Threat]:
    """Yield the exceptions that a document announces, in its sections first."""
    for note in sections.raises[:_MOST_SENTENCES]:
        if is_exception_name(note.type_name, scope.known):
            yield _noted(text, note, scope)
    for sentence in _running(text, sections, _SPEAKS_OF_RAISING):
        said = _sentence_threat(spoken(text, sentence), scope)
        if said is not None:
            yield Threat(sentence.begin, sentence.end, *said)


def _noted(text: str, note: RaiseNote, scope: Scope) -> Threat:
    condition = _raised_when(spoken(text, note.text).rstrip("."), scope)
    return Threat(note.whole.begin, note.whole.end, note.type_name, condition, _confidence(condition))


def _confidence(condition: str | None) -> float:
    return _SAID_CONFIDENCE if condition is not None else _MEANT_CONFIDENCE


def _raised_when(words: str, scope: Scope) -> str | None:
    """Read "if n is negative", "unless n > 0", "for an empty list", "`n` < 0" to its end."""
    words = words.strip().rstrip(".").strip()
    if (match := _UNLESS.match(words)) is not None:
        inner = condition_of(words[match.end() :], scope)
        return f"not ({inner})" if inner is not None else None
    if (match := _FOR.match(words)) is not None:
        return _whole_description(words[match.end() :], scope)
    match = _IF.match(words)
    return condition_of(words[match.end() :] if match is not None else words, scope)


def _whole_description(words: str, scope: Scope) -> str | None:
    found = described_values(words, scope)
    if len(found) != 1 or words[found[0][1] :].strip(" ."):
        return None
    return found[0][0]


def _sentence_threat(sentence: str, scope: Scope) -> tuple[str, str | None, float] | None:
    """Read "Raises ValueError if …", "A ValueError is raised when …", "If …, ValueError is raised"."""
    named = [match for match in _EXCEPTION.finditer(sentence) if is_exception_name(match.group("name"), scope.known)]
    if len(named) != 1 or any(token.low in _REFUSALS for token in tokens_of(sentence[: named[0].start()])):
        return None
    before, after = sentence[: named[0].start()], sentence[named[0].end("name") :]
    name = named[0].group("name")
    passive = _RAISED.match(after)
    if passive is None and _RAISES.search(before) is None:
        return None
    rest = after[passive.end() if passive is not None else (_AFTER_TYPE.match(after) or named[0]).end() :]
    condition = _raised_when(rest, scope) if rest.strip(" .") else None
    first = _FIRST_IF.match(sentence)
    leads = first is not None and first.end() <= named[0].start() and not _MORE.match(sentence, first.end())
    if condition is None and first is not None and leads and not rest.strip(" ."):
        condition = condition_of(first.group("condition"), scope)
    return name, condition, _confidence(condition)


# Conditions on the arguments -----------------------------------------------------------------------------------


def demands(text: str, sections: Sections, scope: Scope) -> Iterator[Demand]:
    """Yield the conditions on the arguments that a document states."""
    for demand in _all_demands(text, sections, scope):
        if _fits(demand.expression, scope):
            yield demand


def _all_demands(text: str, sections: Sections, scope: Scope) -> Iterator[Demand]:
    for note in sections.parameters[:_MOST_SENTENCES]:
        yield from _of_parameter(text, note, scope)
    for part in sections.requires[:_MOST_SENTENCES]:
        for sentence in sentence_ranges(text, part):
            expression = _demanded(spoken(text, sentence), scope)
            if expression is not None:
                yield Demand(sentence.begin, sentence.end, expression, _WRITTEN_CONFIDENCE)
    for sentence in _running(text, sections, _SPEAKS_OF_DEMANDS):
        yield from _of_sentence(text, sentence, scope)


def demands_beside(words: str, name: str, scope: Scope) -> Iterator[str]:
    """Yield the conditions that a comment beside a parameter states ("positive", "non-empty, sorted")."""
    if len(words) <= MAX_SENTENCE and not _CONDITIONAL.search(words):
        yield from (each for each in _stated_of(words, name, scope, is_type=False) if _fits(each, scope))


def _running(text: str, sections: Sections, speaks: re.Pattern[str]) -> Iterator[TextRange]:
    """Yield the sentences outside of sections that have one of the words in question, up to a fixed number."""
    found = 0
    for part in sections.running:
        for sentence in sentence_ranges(text, part):
            if sentence.end - sentence.begin <= MAX_SENTENCE and speaks.search(text, sentence.begin, sentence.end):
                found += 1
                yield sentence
            if found == _MOST_SENTENCES:
                return


def _fits(expression: str, scope: Scope) -> bool:
    """False when a condition compares a text or a collection with a number, or measures a number."""
    for part in ast.walk(ast.parse(expression, mode="eval")):
        match part:
            case ast.Compare(left=left, comparators=others):
                sides = (left, *others)
                if any(_is_number(each) for each in sides) and any(_kind(each, scope) in _MANY for each in sides):
                    return False
            case ast.BinOp(left=left):
                if _kind(left, scope) in _MANY:
                    return False
            case ast.Call(func=ast.Name(id="len"), args=[measured]) | ast.comprehension(iter=measured):
                if _kind(measured, scope) == "number":
                    return False
    return True


def _is_number(node: ast.expr) -> bool:
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _kind(node: ast.expr, scope: Scope) -> str:
    return kind_of(node.id, scope) if isinstance(node, ast.Name) else ""


def _demanded(words: str, scope: Scope) -> str | None:
    bullet = _BULLET.match(words)
    words = words[bullet.end() :] if bullet is not None else words
    whole = assumption_of(words, scope)
    if whole is not None or " or " in words:
        return whole
    parts = [assumption_of(part, scope) for part in _AND.split(words)]
    return " and ".join(part if " or " not in part else f"({part})" for part in parts if part) or None


def _of_parameter(text: str, note: ParameterNote, scope: Scope) -> Iterator[Demand]:
    if note.type is not None:
        words = spoken(text, note.type)
        for expression in _stated_of(words, note.name, scope, is_type=True):
            yield Demand(note.type.begin, note.type.end, expression)
    for sentence in sentence_ranges(text, note.text):
        words = spoken(text, sentence)
        if not _CONDITIONAL.search(words):
            for expression in _stated_of(words, note.name, scope, is_type=False):
                yield Demand(sentence.begin, sentence.end, expression)


def _stated_of(words: str, name: str, scope: Scope, *, is_type: bool) -> Iterator[str]:
    """Read the parts of a description that speak of the parameter: its noun phrase, demands, bounds in parentheses."""
    alone = Scope((name,), scope.annotations, scope.known)
    whole = statement_of(words, scope)
    if whole is not None:
        yield whole
        return
    tokens = Tokens(tokens_of(words), scope)
    if _BOUND_SIGN.search(words) and (written_so := python_condition(words, scope)) is not None:
        yield written_so
        return
    alternatives = any(token.low in {"or", "otherwise", "either"} for token in tokens.all)
    at = 0
    described = [] if alternatives else described_values(words, alone)
    if described:
        if not _NO_INPUT.search(described[0][0]):
            yield described[0][0]
        at = next((index for index, token in enumerate(tokens.all) if token.begin >= described[0][1]), len(tokens.all))
    while at < len(tokens.all):
        begins = at == 0 or tokens.low(at - 1) in {",", ";", "(", "-", ":"}
        found = demand_on(tokens, at, name) if begins else None
        if found is not None and (after := _or_none(tokens, found[1])) > 0:
            yield f"{name} is None or ({found[0]})"
            at = after
        elif found is not None and (tokens.is_end(found[1]) or tokens.low(found[1]) in {",", ")", "("}):
            if not (at == 0 and is_type and tokens.low(0) == "in") and _stands(tokens, at, found):
                yield found[0]
            at = found[1]
        elif begins and tokens.low(at - 1) == "(" and (written := _in_parentheses(words, tokens, at, alone)):
            yield written
            at += 1
        else:
            at += 1


def _or_none(tokens: Tokens, at: int) -> int:
    """Return the place after "or None" where no further alternative follows it, else -1."""
    after = tokens.after(at, ", or none", "or none")
    return -1 if tokens.low(after) in _FURTHER or tokens.low(after + 1) == "or" else after


def _stands(tokens: Tokens, at: int, found: tuple[str, int]) -> bool:
    """False for a default value ("default: 0"), a part of a list of choices, and where an alternative follows."""
    expression, end = found
    demanded = tokens.low(at) in {"must", "should", "has", "needs", "is", "cannot"}
    if not demanded and _CASE.search(expression):
        return False
    if tokens.after(end, ", or", "or", ") or") > 0:
        return False
    if " in (" not in expression:
        return True
    written = [
        token for token in tokens.all if token.kind == "string" or (token.kind == "code" and token.text[:1] in "'\"")
    ]
    none_too = any(token.low == "none" for token in tokens.all)
    whole = all(repr(token.text.strip("'\"")) in expression for token in written)
    return tokens.low(at - 1) != "," and not none_too and whole


def _in_parentheses(words: str, tokens: Tokens, at: int, scope: Scope) -> str | None:
    begin = tokens.all[at].begin
    close = words.find(")", begin)
    return python_condition(words[begin:close], scope) if close > 0 and _BOUND_SIGN.search(words[begin:close]) else None


def _of_sentence(text: str, sentence: TextRange, scope: Scope) -> Iterator[Demand]:
    words = spoken(text, sentence)
    bullet = _BULLET.match(words)
    words = words[bullet.end() :] if bullet is not None else words
    note = _NOTE.match(words)
    plain = words[note.end() :] if note is not None else words

    def demand(expression: str, confidence: float = _SAID_CONFIDENCE) -> Demand:
        return Demand(sentence.begin, sentence.end, expression, confidence)

    listed = bullet is not None or (note is not None and note.end() > 0)
    stated = None
    if listed or _MODAL.search(plain):
        stated = _listed_demand(plain, scope) if listed else statement_of(plain, scope)
    if stated is not None:
        yield demand(stated)
        return
    assumed = _ASSUMED.match(plain)
    if assumed is not None:
        expression = _demanded(_NAMED_IN_PARENTHESES.sub(r"\1", plain[assumed.end() :]), scope)
        if expression is not None:
            yield demand(expression, _WRITTEN_CONFIDENCE)
        return
    given = _GIVEN.search(plain)
    described: list[str] = []
    if given is not None and not _CONDITIONAL.search(plain[: given.start()]):
        described = [expression for expression, _ in described_values(plain[given.end() :], scope)]
        yield from (demand(each) for each in described if not _NO_INPUT.search(each))
    if not described and not _CONDITIONAL.search(words):
        named = [each for each in named_values(plain, scope) if not _NO_INPUT.search(each)]
        yield from (demand(each, _MEANT_CONFIDENCE) for each in (*named, *_bracketed(words, scope)))


def _listed_demand(words: str, scope: Scope) -> str | None:
    """Read an item of a list or a note: also what "will be", and a comparison that stands alone."""
    expression = assumption_of(words, scope)
    stands_alone = _CHAINED.match(words) is not None
    return expression if stands_alone or statement_of(words, scope) or _WILL.search(words) else None


def _bracketed(words: str, scope: Scope) -> Iterator[str]:
    """Read the one bound in parentheses of a sentence: "Return the n-th prime (n >= 1)."."""
    found = [match.group(1) for match in _IN_PARENTHESES.finditer(words) if _BOUND_SIGN.search(match.group(1))]
    if len(found) == 1:
        condition = python_condition(found[0], scope)
        if condition is not None and "==" not in condition:
            yield condition
