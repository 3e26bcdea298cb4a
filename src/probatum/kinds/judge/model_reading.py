"""What models say of an output that is judged: readings of what is open, each of them tried, and an opinion.

Readings are proposed: a person copies into the request what is to count. Several models do not hear each other. What
fails its trial is given back once, with the reason. Refuses to let anything of it reach a check, the verdict or its
proof; and to show a model half of a text: what does not fit is left out whole, and named.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.errors import ProbatumError
from probatum.core.frozen import thaw
from probatum.core.model_questions import ModelQuestion, NoAdvice, asked
from probatum.core.outside import fenced
from probatum.core.ports import Advisor
from probatum.core.shape import Shape
from probatum.judge.advice import MOST_SHOWN, Advice, advice_about, open_checks
from probatum.judge.criteria.layer import criteria_readings
from probatum.judge.criteria.tools import CriteriaTools
from probatum.judge.facts.layers import claims_grounding
from probatum.judge.layers import LayerReport
from probatum.judge.request import ValidationRequest, ValidationType
from probatum.readings.claims import ClaimReading, ClaimRecord, claim_records, json_of_claim
from probatum.readings.grounding import Grounding, RefusedClaim
from probatum.readings.policies import PROPOSED
from probatum.readings.values import Standing

_FACTS: Final = (ValidationType.FACTS, ValidationType.HALLUCINATION)
_TEXT: Final = {"type": "string", "minLength": 1}
_SCALAR: Final = {"type": ["string", "number", "boolean", "null"]}
_MOST_READINGS: Final = 200
_PARTS: Final = 6
"""What is open is hardly read in more; a small model that is held to the form needs an end."""


def _form(*required: str, **further: object) -> dict[str, object]:
    properties = {"passage": _TEXT, **dict.fromkeys(required, _TEXT), **further}
    needed = ["passage", *required, *further]
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


_NARRATIVE: Final = _form(narrative={"type": "boolean", "enum": [True]})
_FORMS: Final[Mapping[str, Sequence[Mapping[str, object]]]] = {
    "claims": (
        _form("source", "quote"),
        _form("source", path=_TEXT, value=_SCALAR),
        _form("engine", "statement"),
        _form("engine", "statement", "source", "quote"),
        _NARRATIVE,
    ),
    "criteria": (_form("criterion"), _NARRATIVE),
}
_PROMPT: Final = """You read an output that is judged, and say what its words rest on. A machine tries what you say.
{asked}
"passage" and "quote" are copied word for word; together the passages cover every word that is open. Where nothing
fits, leave the words out. "narrative": true is for words that state nothing that could be wrong.

Open:
{open}
{material}
"""
_CLAIMS: Final = """In "claims", each item has a passage of the output, and one of: the "source" with the "quote" in it
that says the same; the "source" with a "path" such as sales[0].units and the "value" there; an "engine" (math, units,
dates or logic) with a formal "statement"."""
_CRITERIA: Final = """In "criteria", each item has a passage of a criterion, and the "criterion" that says it
formally: python: EXPRESSION over output; count: words <= N; regex: PATTERN; not regex: PATTERN;
jsonpath: PATH OP VALUE; valid: json; call: f(1) == 2; call: f(1) raises ValueError; tests: pass."""
_AGAIN: Final = """{prompt}
You have read this before. What was refused, and why:
{refused}
Give again what you said of these passages, corrected, and nothing else.
"""


@dataclass(frozen=True, slots=True)
class ModelSaid:
    """What one model says of one output."""

    model: str
    read: tuple[Grounding, ...] = ()
    opinion: Advice | None = None
    no_advice: NoAdvice | None = None
    """Why it gives no readings."""
    left_out: tuple[str, ...] = ()
    """The sources that it was not shown."""

    def document(self) -> dict[str, JsonValue]:
        """Return it as JSON; what is proposed has the form of the readings of a request."""
        told: dict[str, JsonValue] = {"model": self.model}
        for key, read in zip(_FORMS, self.read, strict=False):
            told[key] = [json_of_claim(each.claim) for each in read.grounded]
            told[f"refused_{key}"] = [
                {"passage": each.claim.passage, "code": each.refusal.code, "reason": each.refusal.detail}
                for each in read.refused
            ]
        if self.opinion is not None:
            told["opinion"] = _opinion_json(self.opinion)
        if self.no_advice is not None:
            told["no_advice"] = asdict(self.no_advice)
        if self.left_out:
            told["left_out"] = list(self.left_out)
        return told


def said_by(
    model: Advisor, request: ValidationRequest, reports: Sequence[LayerReport], tools: CriteriaTools, seed: int = 0
) -> ModelSaid:
    """Return what a model says of what the checks leave open; nothing is asked where nothing is open."""
    found = open_checks(reports)
    if not found:
        return ModelSaid(model.name)
    advice = advice_about(model, request, found, seed)
    said = ModelSaid(model.name, opinion=advice if isinstance(advice, Advice) else None)
    keys = [key for key, layers in _LAYERS.items() if set(layers) & {each.layer for each in reports}]
    material, left_out = _material(request)
    shown = "\n".join(f"- {each.about}" for each in found)
    if len(shown) > MOST_SHOWN or material is None:
        reason = f"The output and what is open have more than {MOST_SHOWN:,} characters."
        return replace(said, no_advice=NoAdvice("advisor.budget", reason))
    told = "\n".join({"claims": _CLAIMS, "criteria": _CRITERIA}[key] for key in keys)
    prompt = _PROMPT.format(asked=told, open=fenced(shown), material=material)
    most = min(_PARTS * len(found), _MOST_READINGS)
    question = ModelQuestion(prompt, _schema(keys, most), lambda reply: _record(model.name, reply))
    try:
        read = _read(model, question, request, tools, seed)
    except ProbatumError as error:
        read = NoAdvice(error.code, error.sentence)
    if isinstance(read, NoAdvice):
        return replace(said, no_advice=read, left_out=left_out)
    return replace(said, read=read, left_out=left_out)


def _read(
    model: Advisor,
    question: ModelQuestion[ClaimRecord],
    request: ValidationRequest,
    tools: CriteriaTools,
    seed: int,
) -> tuple[Grounding, ...] | NoAdvice:
    """Return the readings of a model after their trial; what was refused is given back once."""
    record = asked(model, question, seed=seed)
    if isinstance(record, NoAdvice):
        return record
    read = _tried(request, record, tools)
    refused = [each for grounding in read for each in grounding.refused]
    if not refused:
        return read
    prompt = _AGAIN.format(prompt=question.prompt, refused=_told(refused))
    again = asked(model, replace(question, prompt=prompt), seed=seed)
    # What it said first stands, refusals included, where it has nothing better.
    return read if isinstance(again, NoAdvice) else _tried(request, _mended(record, again, refused), tools)


_LAYERS: Final = {"claims": _FACTS, "criteria": (ValidationType.CRITERIA,)}


def _schema(keys: Sequence[str], most: int) -> Mapping[str, object]:
    lists = {key: {"type": "array", "maxItems": most, "items": {"anyOf": list(_FORMS[key])}} for key in keys}
    return {"type": "object", "properties": lists, "required": list(keys), "additionalProperties": False}


def _record(name: str, reply: JsonValue) -> ClaimRecord:
    """Return the readings of a reply; raises ValueError where it is not of their form, or accepts them itself."""
    given = Shape(reply).raw_object()
    (record,) = claim_records([{**given, "reader": name}], "the reply")
    if any(each.standing is not Standing.PROPOSED for each in (*record.claims, *record.criteria)):
        raise ValueError("a reader does not accept its own readings")
    return record


def _material(request: ValidationRequest) -> tuple[str | None, tuple[str, ...]]:
    """Return the output with criteria and sources as they are shown, and the names of sources that do not fit."""
    output = request.output if isinstance(request.output, str) else _json(thaw(request.output))
    criteria = "\n".join(request.acceptance_criteria)
    if len(output) + len(criteria) > MOST_SHOWN:
        return None, ()
    sources = [(each.name, each.text) for each in request.trusted_sources]
    sources += [(f"context.{key}", _json(thaw(value))) for key, value in request.context.items()]
    parts, left_out, room = [f"Output:\n{fenced(output)}"], list[str](), MOST_SHOWN
    if criteria:
        parts.append(f"Acceptance criteria:\n{fenced(criteria)}")
    for name, text in sources:
        if len(text) <= room:
            room -= len(text)
            named = f"{name}\n{text}"
            parts.append(f"A source, its name in the first line:\n{fenced(named)}")
        else:
            left_out.append(name)
    return "\n\n".join(parts), tuple(left_out)


def _tried(request: ValidationRequest, record: ClaimRecord, tools: CriteriaTools) -> tuple[Grounding, ...]:
    """Return what the trial says of readings of claims, then of criteria; raises ProbatumError where it cannot try."""
    alone = replace(request, readings=[_record_json(record)], readings_policy=PROPOSED)
    claims = claims_grounding(alone, tools.exact) if record.claims else Grounding(PROPOSED)
    return claims, criteria_readings(alone, tools) if record.criteria else Grounding(PROPOSED)


def _record_json(record: ClaimRecord) -> dict[str, JsonValue]:
    claims, criteria = ([json_of_claim(each) for each in some] for some in (record.claims, record.criteria))
    return {"reader": record.reader, "claims": list[JsonValue](claims), "criteria": list[JsonValue](criteria)}


def _mended(first: ClaimRecord, again: ClaimRecord, refused: Sequence[RefusedClaim]) -> ClaimRecord:
    """Return the first readings without what was refused, and what came in their place."""
    gone = [each.claim for each in refused]

    def kept(old: Sequence[ClaimReading], new: Sequence[ClaimReading]) -> tuple[ClaimReading, ...]:
        stay = tuple(each for each in old if each not in gone)
        return (*stay, *(each for each in new if each not in stay and each not in gone))

    return ClaimRecord(first.reader, kept(first.claims, again.claims), kept(first.criteria, again.criteria))


def _told(refused: Sequence[RefusedClaim]) -> str:
    rows = [
        {"passage": each.claim.passage, "refused": each.refusal.code, "why": each.refusal.detail} for each in refused
    ]
    return fenced(_json(rows)[:MOST_SHOWN])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _opinion_json(opinion: Advice) -> dict[str, JsonValue]:
    scores = {"confidence": opinion.confidence, "quality_score": opinion.quality}
    return {
        "issues": [each.to_dict() for each in opinion.issues],
        "passed_criteria": list(opinion.passed),
        "failed_criteria": list(opinion.failed),
        **{key: value for key, value in scores.items() if value is not None},
    }
