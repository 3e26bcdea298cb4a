"""Answers as JSON documents, limited to what a disclosure layer may see.

Refuses to show results in the agent's layer: there the verdict's sentence is all.
"""

from __future__ import annotations

from collections.abc import Sequence

from probatum.app.answers import Answer
from probatum.core.canonical import MAX_SAFE_INTEGER
from probatum.core.disclosure import Layer, disclose, named
from probatum.core.errors import ProbatumError
from probatum.core.json_text import read_json
from probatum.core.outside import json_text
from probatum.core.shape import Shape
from probatum.proof.steps import differences

JsonDocument = dict[str, object]


def answer_document(answer: Answer, layer: Layer = Layer.PROOF, *, line: int | None = None) -> JsonDocument:
    """Return the document of one subject: ``verdict`` and what its kind tells beside it, with its line in a stream.

    A subject with parts that have verdicts of their own has their documents by name, unless it is its only part.
    """
    if answer.only_part is not None:
        return answer_document(answer.only_part, layer, line=line)
    document: JsonDocument = {} if line is None else {"line": line}
    document["verdict"] = disclose(answer.verdict, layer)
    if answer.called:
        document[answer.called] = _by_name(answer.parts, layer)
    # What a kind tells stands beside these, never in their place.
    return document if layer is Layer.AGENT else {**document, **answer.details, **document}


def files_document(answers: Sequence[Answer], layer: Layer = Layer.PROOF, blank: Sequence[str] = ()) -> JsonDocument:
    """Return the document of several subjects: the weakest verdict, and each one's document by name.

    ``blank`` are the names of files without anything to verify, which have no part in the verdict. Where nothing was
    to be judged, there is none.
    """
    verdict = disclose(weakest_answer(answers).verdict, layer) if answers else None
    files = _by_name(answers, layer)
    nothing = [named(name, layer) for name in blank]
    return {"verdict": verdict, "files": files, "nothing_to_verify": nothing}


def answer_line(request_id: str, answer: Answer, layer: Layer = Layer.PROOF) -> JsonDocument:
    """Return the batch line of one answer.

    ``result`` is the subject's own, or each part's by name where there are several.
    """
    line: JsonDocument = {"id": request_id, "verdict": disclose(answer.verdict, layer)}
    if layer is not Layer.AGENT:
        line["result"] = _result(answer)
    return line


def difference(document: JsonDocument, answer: Answer, unbound: Sequence[tuple[str, ...]]) -> str | None:
    """Return the first place in which a document that came is not the one of this answer; None where it is.

    ``unbound`` are paths in a result of what no proof covers. A document has the form of a command's, of a line's, of a
    batch's or of a result with its verdict.
    """
    line = document.get("line")
    if document.keys() == {"verdict"}:
        return None
    if "id" in document:
        due = answer_line(str(document["id"]), answer)
    elif "result" in document or answer.called in document:
        due = answer_document(answer, line=line if type(line) is int else None)
    else:
        due = {**Shape(_result(answer)).raw_object(), "verdict": disclose(answer.verdict, Layer.PROOF)}
    called = answer.called
    around: tuple[tuple[str, ...], ...] = ((), ("result",), (called, "*", "result"), ("result", called, "*"))
    left_out = [(*outer, *path) for outer in around for path in unbound]
    told, meant = (_without(each, (), left_out) for each in (document, read_json(json_text(due))))
    found = next(differences("", told, meant), None)
    return None if found is None else f"{found[0]}: it says {found[1]}, the proof gives {found[2]}"


def _without(value: object, place: tuple[str, ...], left_out: Sequence[tuple[str, ...]]) -> object:
    """Return a document without what stands at some paths."""
    if isinstance(value, list):
        return [_without(each, (*place, "*"), left_out) for each in value]
    if not isinstance(value, dict):
        # Canonical JSON has no such number.
        return [str(value)] if type(value) is int and abs(value) > MAX_SAFE_INTEGER else value
    inner = {key: (*place, key) for key in value}
    gone = {key for key, path in inner.items() if any(_is_at(path, pattern) for pattern in left_out)}
    return {key: _without(each, inner[key], left_out) for key, each in value.items() if key not in gone}


def _is_at(path: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    return len(path) == len(pattern) and all(key in ("*", name) for name, key in zip(path, pattern, strict=True))


def _by_name(answers: Sequence[Answer], layer: Layer) -> JsonDocument:
    found: JsonDocument = {}
    for answer in answers:
        found[named(answer.name, layer, found)] = answer_document(answer, layer)
    return found


def error_document(error: ProbatumError) -> JsonDocument:
    """Return the document of a command that ended with a named error."""
    shown = {"code": error.code, "sentence": error.sentence, "hint": error.hint}
    return {"error": shown, "exit_code": error.exit_code}


def weakest_answer(answers: Sequence[Answer]) -> Answer:
    """Return the answer that counts among several; raises ValueError where there are none: nothing is not success."""
    if not answers:
        raise ValueError("no answer to choose from: nothing is not success")
    return min(answers, key=lambda each: each.rank)


def _result(answer: Answer) -> object:
    if answer.only_part is not None:
        return _result(answer.only_part)
    result = answer.details.get("result", {"passed": answer.verdict.is_verified})
    if not answer.called:
        return result
    return {"passed": answer.verdict.is_verified, answer.called: {part.name: _result(part) for part in answer.parts}}
