"""Answers as JSON documents, limited to what a disclosure layer may see.

Refuses to show results in the agent's layer: there the verdict's sentence is all.
"""

from __future__ import annotations

from collections.abc import Sequence

from probatum.app.answers import Answer
from probatum.core.disclosure import Layer, disclose, named
from probatum.core.errors import ProbatumError

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

    ``blank`` are the names of files without anything to verify, which have no part in the verdict.
    """
    verdict = weakest_answer(answers).verdict
    files = _by_name(answers, layer)
    nothing = [named(name, layer) for name in blank]
    return {"verdict": disclose(verdict, layer), "files": files, "nothing_to_verify": nothing}


def answer_line(request_id: str, answer: Answer, layer: Layer = Layer.PROOF) -> JsonDocument:
    """Return the batch line of one answer.

    ``result`` is the subject's own, or each part's by name where there are several.
    """
    line: JsonDocument = {"id": request_id, "verdict": disclose(answer.verdict, layer)}
    if layer is not Layer.AGENT:
        line["result"] = _result(answer)
    return line


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
