"""What a reader answers to a card, as records of readings: clauses by the ids of sentences.

A clause has its kind as a prefix; the words are never sent back. Refuses, with a code, an id that no sentence has, one
whose sentence has changed since (with its new words), and anything in another shape; the rest of the answer is read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.errors import nearest
from probatum.core.shape import shown
from probatum.kinds.program.asking import Sentence, sentences_of, whole_sentences
from probatum.programs.parsing.expressions import last_name
from probatum.programs.running.exception_names import CONSTRUCTING
from probatum.programs.source import expression_of, module_or_none
from probatum.programs.specification import FunctionSpec
from probatum.readings.recorded import record_of
from probatum.readings.refusals import Why
from probatum.readings.rules import bound_by
from probatum.readings.values import Reading, ReadingKind, ReadingRecord

NARRATIVE, CANNOT = "-", "?"
_PREFIX: Final = re.compile(r"\s*(?:(result|effect|requires|session)|raises\s+([\w.]+))\s*:(?!=)[ \t]*(.*)", re.DOTALL)
_INPUTS, _HELPERS, _REFERENCE = "inputs", "helpers", "reference"
_CONSTRUCTOR: Final = "__init__"
_BESIDE: Final = (_INPUTS, _HELPERS, _REFERENCE)


@dataclass(frozen=True, slots=True)
class Said:
    """One clause, of which words of which sentence."""

    sentence: Sentence
    words: str
    reading: Reading
    """Of the words, with the name of their entry or method where others have them too."""


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """What one card's answer holds."""

    said: tuple[Said, ...]
    records: tuple[ReadingRecord, ...]
    refused: Mapping[str, tuple[Why, ...]]
    """By id of a sentence, or by another member of the answer."""
    not_said: tuple[str, ...]
    """The ids of sentences that cannot be put into code, as the reader says."""


class _RefusedError(ValueError):
    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


def read_answer(
    answer: object,
    unit: FunctionSpec,
    methods: Sequence[FunctionSpec],
    own: Sequence[ReadingRecord],
    reader: str,
) -> CardAnswer:
    """Return what a reader answers to the card of a unit, a class with its methods; ``own`` are readings of it.

    What belongs to all clauses, such as inputs, is that of the reader's last answer where this one has none.
    """
    said, not_said = list[Said](), list[str]()
    refused: dict[str, tuple[Why, ...]] = {}
    if not isinstance(answer, dict):
        why = Why("wrong_shape", "the answer to a card is an object", expected="{ID: CLAUSE, ...}", got=shown(answer))
        return CardAnswer((), (), {"": (why,)}, ())
    known = {each.id: each for each in (*whole_sentences(unit), *sentences_of(unit, own))}
    helpers = "\n".join([str(answer.get(_HELPERS, "")), *(each.helpers for each in own if each.reader == reader)])
    for name, value in answer.items():
        if name in _BESIDE:
            continue
        try:
            sentence = _sentence(name, known)
            clauses = [_about_its_method(each, sentence, helpers) for each in _clauses(sentence, sentence.text, value)]
            read = (each for each in clauses if isinstance(each, Reading))
            said += [Said(sentence, each.statement, _placed(each, sentence, [*known.values()])) for each in read]
            not_said += [name] if None in clauses else []
            if reasons := tuple(each for each in clauses if isinstance(each, Why)):
                refused[name] = reasons
        except _RefusedError as error:
            refused[name] = (error.why,)
    records = []
    found = _by_function(unit, said)
    for function in dict.fromkeys((*found, *_with_inputs(answer, unit, methods))):
        try:
            beside = _beside(answer, function, unit, methods, own, reader)
            record = record_of({"function": function, "statements": [], **beside})
            records.append(replace(record, readings=found.get(function, ())))
        except ValueError as error:
            refused[function] = (Why("wrong_shape", str(error), said=str(error)),)
    if unknown := _without_method(answer, methods):
        refused[_INPUTS] = unknown
    return CardAnswer(tuple(said), tuple(records), refused, tuple(not_said))


def _sentence(name: str, known: Mapping[str, Sentence]) -> Sentence:
    if name in known:
        return known[name]
    place = name.partition("-")[0]
    now = next((each for each in known.values() if each.id.partition("-")[0] == place), None)
    if now is None or "-" not in name:
        hint = nearest(name, known)
        raise _RefusedError(Why("unknown_id", f"there is no sentence {name!r}", **({"hint": hint} if hint else {})))
    raise _RefusedError(Why("stale", "the sentence has other words now", id=now.id, now=now.shown))


def _placed(reading: Reading, sentence: Sentence, known: Sequence[Sentence]) -> Reading:
    """Return a reading of words that other sentences have too with the name of their entry, or of their method."""
    words, own = " ".join(reading.statement.split()), (sentence.about, sentence.owner)
    alike = [each for each in known if words in each.text and (each.about, each.owner) != own]
    if _is_of_method(sentence, reading):
        alike = [each for each in alike if each.owner == sentence.owner]
    if not alike:
        return reading
    # With (), a name means a method and no entry.
    owners, abouts = {each.owner for each in alike}, {each.about for each in alike}
    head = "" if sentence.about in owners else sentence.about
    if sentence.owner and sentence.owner not in owners and (not head or head in abouts):
        head = f"{sentence.owner}()"
    return replace(reading, statement=f"{head}: {words}") if head else reading


def _about_its_method(said: Reading | Why | None, sentence: Sentence, helpers: str) -> Reading | Why | None:
    """Return what is said, and of a session that never names the method of its sentence why it is refused."""
    name = sentence.owner
    if not isinstance(said, Reading) or said.kind is not ReadingKind.SESSION or not name or name.startswith("_"):
        return said
    if re.search(rf"\b{name}\b", f"{said.clause}\n{helpers}"):
        return said
    return Why("another_method", f"the sentence is about {name}, which the session never names", method=name)


def _is_of_method(sentence: Sentence, reading: Reading) -> bool:
    # A session is about the class.
    return sentence.owner not in {"", *CONSTRUCTING} and reading.kind is not ReadingKind.SESSION


def _clauses(sentence: Sentence, words: str, value: object) -> Iterator[Reading | Why | None]:
    """Yield what is said of some words; None where they cannot be put into code, why for what are none of them."""
    match value:
        case [] | {} if not value:
            raise _RefusedError(_wrong(value))
        case dict():
            for part, inner in value.items():
                if isinstance(inner, dict):
                    raise _RefusedError(_wrong(inner))
                own = " ".join(part.split()).removeprefix(f"{sentence.about}: ")
                if not own or own not in " ".join(words.split()):
                    yield Why("not_quoted", "these words are not in the sentence", words=part[:200])
                else:
                    yield from _clauses(sentence, own, inner)
        case list():
            if len(value) > 1 and not {CANNOT, NARRATIVE}.isdisjoint(each for each in value if isinstance(each, str)):
                said = "some of the words have a clause and others none: say which, by {'its words': CLAUSE}"
                raise _RefusedError(Why("part_open", said, expected="{'its words': CLAUSE, 'other words': '?'}"))
            for each in value:
                yield _clause(words, each)
        case _:
            yield _clause(words, value)


def _clause(words: str, value: object) -> Reading | None:
    if not isinstance(value, str) or not value.strip():
        raise _RefusedError(_wrong(value))
    text = value.strip()
    if text == CANNOT:
        return None
    if text == NARRATIVE:
        return Reading(words, ReadingKind.NARRATIVE)
    if (found := _PREFIX.fullmatch(value)) is None:
        return _checked(Reading(words, ReadingKind.RESULT, text))
    kind, error, code = found.groups()
    # The lines of a session keep their indentation.
    code = code.strip("\n").rstrip() if kind == ReadingKind.SESSION.value else code.strip()
    return _checked(Reading(words, ReadingKind(kind or ReadingKind.RAISES.value), code, error or ""))


def _checked(reading: Reading) -> Reading:
    """Return a reading that recorded ones may hold; raises for one that is too long or cannot be written."""
    row = {"text": reading.statement, "kind": reading.kind.value, "clause": reading.clause}
    try:
        if not reading.clause:
            raise ValueError("the clause is empty")
        [checked] = record_of(
            {"function": "f", "statements": [{**row, "exception": reading.exception}]}, "answer"
        ).readings
    except ValueError as error:
        raise _RefusedError(Why("wrong_shape", str(error), said=str(error))) from error
    return checked


def _wrong(value: object) -> Why:
    sentence = f"a clause is text, or a list of texts, or an object from words to clauses, got {shown(value)}"
    return Why("wrong_shape", sentence, expected="CLAUSE, [CLAUSE, ...] or {'its words': CLAUSE}", got=shown(value))


def _by_function(unit: FunctionSpec, said: Sequence[Said]) -> dict[str, tuple[Reading, ...]]:
    """Return the readings by what they are about: of a class, clauses about a method are the method's."""
    found: dict[str, tuple[Reading, ...]] = {}
    for each in said:
        is_of_method = _is_of_method(each.sentence, each.reading)
        function = f"{unit.qualname}.{each.sentence.owner}" if is_of_method else unit.qualname
        found[function] = (*found.get(function, ()), each.reading)
    return found


def _with_inputs(answer: Mapping[str, object], unit: FunctionSpec, methods: Sequence[FunctionSpec]) -> Iterator[str]:
    """Yield what inputs are given for."""
    inputs = answer.get(_INPUTS)
    if isinstance(inputs, list):
        yield unit.qualname
    elif isinstance(inputs, dict):
        names = {_CONSTRUCTOR: unit.qualname} | {
            name: each.qualname for each in methods if (name := each.qualname.rpartition(".")[2]) != _CONSTRUCTOR
        }
        yield from (names[name] for name in inputs if name in names)


def _without_method(answer: Mapping[str, object], methods: Sequence[FunctionSpec]) -> tuple[Why, ...]:
    """Return why inputs are refused that are given for a method which the class does not have."""
    inputs = answer.get(_INPUTS)
    known = {_CONSTRUCTOR, *(each.qualname.rpartition(".")[2] for each in methods)} if methods else set()
    unknown = [name for name in inputs if name not in known] if isinstance(inputs, dict) else []
    return tuple(Why("no_such_name", f"there is no method {name!r}", name=name) for name in unknown)


def _beside(
    answer: Mapping[str, object],
    function: str,
    unit: FunctionSpec,
    methods: Sequence[FunctionSpec],
    own: Sequence[ReadingRecord],
    reader: str,
) -> dict[str, object]:
    """Return what belongs to all clauses about one function, as members of a record."""
    before = next((each for each in reversed(own) if (each.function, each.reader) == (function, reader)), None)
    told: dict[str, object] = {"reader": reader}
    if before is not None:
        earlier: dict[str, JsonValue] = {"helpers": before.helpers, "reference": before.reference}
        told |= earlier
    earlier_inputs = [] if before is None else list(before.inputs)
    inputs = answer.get(_INPUTS)
    if isinstance(inputs, dict):
        inputs = inputs.get(function.removeprefix(f"{unit.qualname}.") if function != unit.qualname else _CONSTRUCTOR)
    elif function != unit.qualname:
        inputs = None
    if isinstance(inputs, list):
        spec = next((each for each in methods if each.qualname == function), unit)
        new = [_as_arguments(each, spec) for each in inputs]
        inputs = [*earlier_inputs, *(each for each in new if each not in earlier_inputs)]
    elif inputs is None:
        inputs = earlier_inputs
    helpers = _joined("" if before is None else before.helpers, answer.get(_HELPERS))
    given = {_HELPERS: helpers, _REFERENCE: answer.get(_REFERENCE), _INPUTS: inputs}
    return {**told, **{name: value for name, value in given.items() if value is not None}}


def _by_position(call: ast.Call, function: FunctionSpec) -> str:
    """Return the arguments of a call by position as the text of a tuple; empty where that cannot be."""
    parameters = {each.name: each for each in function.parameters}
    named = {each.arg: ast.unparse(each.value) for each in call.keywords if each.arg is not None}
    given = [ast.unparse(each) for each in call.args]
    if len(named) < len(call.keywords) or not named.keys() <= parameters.keys():
        return ""
    for name, parameter in [*parameters.items()][len(given) :]:
        if not named:
            break
        value = named.pop(name, parameter.default)
        if value is None or parameter.kind.startswith("var_"):
            return ""
        given.append(value)
    return "" if named else f"({''.join(f'{each}, ' for each in given)})"


def _joined(before: str, now: object) -> object:
    """Return helpers that were given before and now; what is defined anew takes the place of the older."""
    if not isinstance(now, str) or not before.strip():
        return now
    old, new = module_or_none(before), module_or_none(now)
    if old is None or new is None:
        return now
    names = bound_by(new.body).keys()
    kept = [each for each in old.body if bound_by([each]).keys().isdisjoint(names)]
    texts = [text for each in kept if (text := ast.get_source_segment(before, each)) is not None]
    return "\n".join([*texts, now])


def _as_arguments(given: object, function: FunctionSpec) -> object:
    """Return an input as the text of a tuple: a list of arguments, a call, and the one argument are understood too."""
    if isinstance(given, list):
        return f"({''.join(f'{each!r}, ' for each in given)})"
    tree = expression_of(given) if isinstance(given, str) else None
    if tree is None and isinstance(given, str) and given.strip().startswith("("):
        # With names, as a call has them.
        tree = expression_of(f"{function.qualname.rpartition('.')[2]}{given.strip()}")
    match tree:
        case ast.Call(func=ast.Name(id=name), keywords=[_, *_]) if name == function.qualname.rpartition(".")[2]:
            return _by_position(tree, function) or given
        case ast.Call(func=func, args=arguments, keywords=[]) if last_name(func) == function.qualname.split(".")[-1]:
            if function.kind == "class" or not isinstance(func, ast.Name):
                return given
            return f"({''.join(f'{ast.unparse(each)}, ' for each in arguments)})"
        case ast.Tuple() | ast.BinOp() | None:
            return given
    return f"({given},)" if len(function.parameters) == 1 else given
