"""No single edit of a trace goes unnoticed: its hashes tell, or where those were redone, the root at hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from pydantic import ValidationError

from probatum.audit import EvidenceBundle, PromptSpec, ReasoningTrace, TracePolicyVerifier
from probatum.audit.canonical import dumps_canonical
from probatum.audit.commitments import REASONING_ROOT, Commitment, step_commitment
from tests.audit.bundles import made
from tests.audit.cases import audit
from tests.audit.traces import EVIDENCE, SPEC

GENERATED = made(4)
Path = tuple[str | int, ...]
GONE = object()


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield where everything of plain data stands, the whole left out."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


def at(document: Any, path: Path) -> Any:
    for key in path:
        document = document[key]
    return document


def others(value: Any) -> list[Any]:
    """Return other values of about the same form, and what holds one thing more."""
    match value:
        case bool():
            return [not value]
        case int() | float():
            return [value + 1, str(value)]
        case str():
            return [f"{value}0", value[:-1], {"v1": "v2", "check": "deduce", "map": "aggregate"}.get(value, "")]
        case list():
            return [[*value, value[0] if value else "more"], value[::-1]]
        case dict():
            return [{**value, "more": None}]
    return [0]


def edits(document: Any) -> Iterator[tuple[Path, Any]]:
    """Yield every place with a copy of the document in which what stands there is another thing, or gone."""
    for path in places(document):
        for new in (*others(at(document, path)), GONE):
            edited = deepcopy(document)
            holder = at(edited, path[:-1])
            if new is GONE:
                del holder[path[-1]]
            else:
                holder[path[-1]] = new
            yield path, edited


def redone(trace: ReasoningTrace) -> ReasoningTrace:
    """Return a trace whose every hash fits what it says, as whoever edited it would write them."""
    steps = [step.model_copy(update={"hash_commitment": step_commitment(step)}) for step in trace.steps]
    trace = trace.model_copy(update={"steps": steps})
    data = json.loads(dumps_canonical(trace))
    data["policy"].setdefault("extra", {})[REASONING_ROOT] = Commitment.of_trace(trace).root
    return ReasoningTrace.model_validate(data)


def named(path: Path, document: Any) -> str:
    """Return what a challenge has to name of an edit at this place."""
    match path:
        case ("steps", int(index), *_):
            return str(document["steps"][index]["step_id"])
        case ("policy", "extra", key, *_):
            return f"policy.extra.{key}"
        case ("policy", key, *_) if key != "extra":
            return f"policy.{key}"
        case (key,) if key in ("policy", "steps"):
            return ""
    return str(path[0]) if path[0] != "policy" else "policy.extra."


def test_no_edit_of_a_trace_goes_unnoticed() -> None:
    spec, evidence = PromptSpec.model_validate(GENERATED.prompt), EvidenceBundle.model_validate(GENERATED.evidence)
    trace, _ = audit(spec, evidence)
    original, known = json.loads(dumps_canonical(trace)), Commitment.of_trace(trace)
    assert TracePolicyVerifier(reasoning=known).verify(trace, spec, evidence).ok
    assert TracePolicyVerifier(reasoning=known.root).verify(trace, spec, evidence).ok
    tried, missed, unnamed, places_of_leaves = 0, [], [], set[Path]()
    for path, document in edits(original):
        try:
            edited = ReasoningTrace.model_validate(document)
        except ValidationError:
            continue
        if dumps_canonical(edited) == dumps_canonical(trace):
            continue
        tried += 1
        places_of_leaves.add(path)
        if TracePolicyVerifier().verify(edited, spec, evidence).ok:
            missed.append(path)
        again = redone(edited)
        if dumps_canonical(again) == dumps_canonical(trace):
            # It was a hash that was edited.
            continue
        by_root = TracePolicyVerifier(reasoning=known.root).verify(again, spec, evidence)
        if by_root.ok or not any(check.check_id == "trace.commitment" for check in by_root.checks):
            missed.append((*path, "redone"))
        challenge = known.challenge(Commitment.of_trace(again))
        if challenge is None or named(path, original) not in f"{challenge.step_id} {challenge.reason}":
            unnamed.append((path, challenge))
        message = str(TracePolicyVerifier(reasoning=known).verify(again, spec, evidence).checks[-1].message)
        if challenge is not None and str(challenge.step_id or challenge.reason) not in message:
            unnamed.append((path, message))
    assert (missed, unnamed) == ([], [])
    assert tried > 150
    assert {
        ("trace_id",),
        ("evidence_refs", 0),
        ("policy", "max_steps"),
        ("policy", "decoding_policy"),
    } <= places_of_leaves


def test_steps_that_are_added_or_left_out_are_named() -> None:
    trace, _ = audit(SPEC, EVIDENCE)
    known = Commitment.of_trace(trace)
    fewer = trace.model_copy(update={"steps": list(trace.steps)[:-1]})
    more = trace.model_copy(update={"steps": [*trace.steps, trace.steps[0]]})
    last = trace.steps[-1].step_id
    for other, reason, step in ((fewer, "missing", last), (more, "added", trace.steps[0].step_id)):
        challenge = known.challenge(Commitment.of_trace(other))
        assert challenge is not None
        assert (challenge.kind, challenge.reason, challenge.step_id) == ("reasoning_leaf", reason, step)


def test_the_trace_the_result_and_the_verdict_have_one_root() -> None:
    trace, _ = audit(SPEC, EVIDENCE)
    assert trace.policy.extra[REASONING_ROOT] == Commitment.of_trace(trace).root
