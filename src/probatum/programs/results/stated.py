"""Properties that documentation states in words: sentences read by the library of forms, made into clauses.

What defines the result completely counts only when nothing else in the text could change it: every other sentence is
read too, or has no word that qualifies. Two different definitions cancel each other. Refuses texts of unusual length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from probatum.programs.examples.clauses import BUILTIN_NAMES, Described
from probatum.programs.reading.documents import Document
from probatum.programs.reading.sentences import Sentence, sentences_of
from probatum.programs.results.equations import equations_of
from probatum.programs.results.forms_aggregates import AGGREGATES
from probatum.programs.results.forms_lists import LISTS
from probatum.programs.results.forms_numbers import NUMBERS
from probatum.programs.results.forms_outcomes import OUTCOMES
from probatum.programs.results.forms_results import RESULTS
from probatum.programs.results.forms_searches import SEARCHES
from probatum.programs.results.forms_texts import TEXTS
from probatum.programs.results.forms_truth import TRUTHS, says_true_or_false
from probatum.programs.results.nouns import Scene, scene_of, stated_annotations
from probatum.programs.results.outcomes import said_of_result
from probatum.programs.results.sentence_core import (
    begins_with_verb,
    core_of,
    is_harmless,
    without_article,
    without_introduction,
)
from probatum.programs.results.sentence_form import Claim, Form
from probatum.programs.results.sentinels import Sentinel, sentinels_of, split_trailing
from probatum.programs.specification import Parameter, Property

__all__ = ["EQUATION", "FORMS", "SENTINEL", "described_parameters", "stated_properties"]

FORMS: tuple[Form, ...] = (*NUMBERS, *TEXTS, *SEARCHES, *AGGREGATES, *LISTS, *TRUTHS, *RESULTS, *OUTCOMES)
SENTINEL = "fixed_result"
EQUATION = "equation"
_MOST_SENTENCES = 120
_LONGEST_SENTENCE = 400
_OPEN = frozenset({None, "list", "List", "tuple", "Sequence", "Iterable"})
"""Annotations beside which words can say more of the type."""
_LONGEST_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class _Read:
    """One claim with the sentence and the form that it was read by."""

    form: str
    claim: Claim
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class _Found:
    """A condition on the result that a document states, before it has a name and a place."""

    form: str
    expression: str
    condition: str
    sentence: Sentence
    value: str = ""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the sentences of a document say, as far as they are understood."""

    claims: list[_Read] = field(default_factory=list)
    sentinels: list[tuple[Sentinel, Sentence]] = field(default_factory=list)
    disturbing: list[Sentence] = field(default_factory=list)


def described_parameters(
    document: Document, described: Described, parameters: Iterable[Parameter]
) -> tuple[Parameter, ...]:
    """Return the parameters with what the document says in words of the types that their annotations leave open."""
    if len(document.text) > _LONGEST_TEXT:
        return tuple(parameters)
    kinds = stated_annotations(scene_of(described.name, described.parameters, sentences_of(document)))
    return tuple(
        replace(each, described=kinds.get(each.name)) if each.annotation in _OPEN and each.default is None else each
        for each in parameters
    )


def stated_properties(
    document: Document, described: Described, source: str = "docstring", first_id: int = 1
) -> tuple[Property, ...]:
    """Return the properties of the result that the document states in words, in order of appearance."""
    sentences = sentences_of(document) if len(document.text) <= _LONGEST_TEXT else ()
    if len(sentences) > _MOST_SENTENCES:
        return ()
    scene = scene_of(described.name if described.call == described.name else "", described.parameters, sentences)
    reading = _Reading()
    before = ""
    for sentence in sentences:
        if sentence.role in {"prose", "result"} and len(sentence.text) <= _LONGEST_SENTENCE:
            _read(scene, sentence, reading, before)
        before = sentence.text
    known = described.known - BUILTIN_NAMES
    equations = equations_of(document, scene, known) if document.text.count("(") > 1 else ()
    found = [*_sentinel_properties(reading), *_claimed_properties(scene, reading)]
    found += [
        _Found(EQUATION, each.expression, each.condition, Sentence("", each.begin, each.end)) for each in equations
    ]
    if described.returns_nothing:
        found = [each for each in found if "__after" in each.expression]
    properties = []
    for number, each in enumerate(found, first_id):
        span, text = document.place(each.sentence.begin, each.sentence.end)
        properties.append(
            Property(
                f"p{number}",
                each.form,
                each.expression,
                " ".join(text.split()),
                span,
                condition=each.condition,
                source=source,
                value=each.value,
            )
        )
    return tuple(properties)


def _read_outcomes(
    scene: Scene, sentence: Sentence, reading: _Reading, before: str = "", *, begins: bool = False
) -> bool:
    """Read what a sentence says of the result, also where it allows one more value: "between 0 and 1, or None"."""
    describes = sentence.role == "result"
    main = sentence.text
    beside: tuple[Sentinel, ...] = ()
    outcomes = list(_outcomes(scene, sentence, said_of_result(main, before, describes=describes, begins=begins)))
    if not outcomes:
        main, beside = split_trailing(scene, sentence.text, allowed=True)
        statements = said_of_result(main, before, describes=describes, begins=begins) if beside else ()
        outcomes = list(_outcomes(scene, sentence, statements))
    if outcomes:
        known = [each for each, _ in reading.sentinels]
        reading.claims.extend(outcomes)
        reading.sentinels.extend((each, sentence) for each in beside if each not in known)
    return bool(outcomes)


def _outcomes(scene: Scene, sentence: Sentence, statements: Iterable[str]) -> Iterator[_Read]:
    for statement in statements:
        for each in FORMS:
            match = each.pattern.fullmatch(statement) if each.of_result else None
            claim = each.build(scene, match) if match is not None else None
            if claim is not None:
                yield _Read(each.name, claim, sentence)


def _read(scene: Scene, sentence: Sentence, reading: _Reading, before: str) -> None:
    if _read_outcomes(scene, sentence, reading, before):
        return
    text = without_introduction(scene, sentence.text)
    claims = list(_claims(scene, sentence, text))
    is_truth = says_true_or_false(core_of(text))
    if any(each.claim.is_whole for each in claims):
        reading.claims.extend(claims)
        return
    sentinels = () if is_truth else sentinels_of(scene, text)
    if sentinels:
        reading.sentinels.extend((each, sentence) for each in sentinels)
        return
    main, beside = split_trailing(scene, text)
    if beside and not claims and not is_truth:
        reading.sentinels.extend((each, sentence) for each in beside)
        claims = list(_claims(scene, sentence, main))
    reading.claims.extend(claims)
    if any(each.claim.is_whole for each in claims):
        return
    is_result = sentence.role == "result" or begins_with_verb(core_of(text))
    is_read = bool(claims) or is_truth
    if (not is_read and not is_harmless(scene, sentence.text)) or (is_read and is_result):
        reading.disturbing.append(sentence)


def _claims(scene: Scene, sentence: Sentence, text: str) -> Iterator[_Read]:
    core = core_of(text)
    if sentence.role == "result" and not core.startswith("return "):
        core = f"return {core}"
    seen_whole = False
    for each in (each for each in FORMS if not each.of_result):
        for wording in (core,) if each.keeps_article else dict.fromkeys((core, without_article(core))):
            match = each.pattern.fullmatch(wording)
            claim = each.build(scene, match) if match is not None else None
            if claim is None or (claim.is_whole and seen_whole):
                continue
            seen_whole = seen_whole or claim.is_whole
            yield _Read(each.name, claim, sentence)
            break


def _sentinel_properties(reading: _Reading) -> Iterator[_Found]:
    known = [each.condition for each, _ in reading.sentinels]
    for sentinel, sentence in reading.sentinels:
        if sentinel.condition is None:
            continue
        others = [each for each in known if each is not None and each != sentinel.condition]
        condition = " and ".join([sentinel.condition, *(f"not ({each})" for each in others)])
        yield _Found(SENTINEL, sentinel.result, condition, sentence, sentinel.value)
    unread = [(each, sentence) for each, sentence in reading.sentinels if each.condition is None]
    if len(unread) == 2 and unread[0][1] is unread[1][1] and len(reading.sentinels) == 2:
        yield _Found("one_of_two", f"{unread[0][0].result} or {unread[1][0].result}", "True", unread[0][1])


def _claimed_properties(scene: Scene, reading: _Reading) -> Iterator[_Found]:
    wholes = {each.claim.expression for each in reading.claims if each.claim.is_whole}
    is_clear = len(wholes) == 1 and not reading.disturbing
    fixed = dict.fromkeys(each.result for each, _ in reading.sentinels if each.condition is None)
    excepted = dict.fromkeys(f"not ({each.condition})" for each, _ in reading.sentinels if each.condition is not None)
    seen: set[str] = set()
    for each in reading.claims:
        if each.claim.expression in seen or (each.claim.is_whole and not is_clear):
            continue
        seen.add(each.claim.expression)
        expression = " or ".join([*fixed, f"({each.claim.expression})"]) if fixed else each.claim.expression
        domain = [each for name in scene.parameters for each in scene.domain.get(name, ())]
        condition = " and ".join(dict.fromkeys([*each.claim.guards, *domain, *excepted])) or "True"
        yield _Found(each.form, expression, condition, each.sentence, "" if fixed else each.claim.value)
