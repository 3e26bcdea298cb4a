"""Answers as JSON documents, limited to what a disclosure layer may see.

Refuses to show results or specifications in the agent's layer: there the verdict's sentence is all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from probatum.app.answers import FunctionAnswer, ProgramAnswer
from probatum.core.decision import Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer, disclose
from probatum.core.errors import ProbatumError

JsonDocument = dict[str, object]


def program_document(answer: ProgramAnswer, layer: Layer = Layer.PROOF) -> JsonDocument:
    """Return the document of one program.

    One function: ``verdict``, ``result``, ``specification``. Otherwise ``verdict`` and ``functions`` by qualified name.
    """
    if len(answer.functions) == 1:
        return _function_document(answer.functions[0], layer)
    functions = {each.qualname: _function_document(each, layer) for each in answer.functions}
    return {"verdict": disclose(answer.verdict, layer), "functions": functions}


def files_document(
    answers: Sequence[tuple[str, ProgramAnswer]], layer: Layer = Layer.PROOF, blank: Sequence[str] = ()
) -> JsonDocument:
    """Return the document of several programs: the weakest verdict, and each program's document by path.

    ``blank`` are the paths of files without anything to verify, which have no part in the verdict.
    """
    verdict = weakest_answer([answer for _, answer in answers]).verdict
    files = {name: program_document(answer, layer) for name, answer in answers}
    return {"verdict": disclose(verdict, layer), "files": files, "nothing_to_verify": list(blank)}


def answer_line(request_id: str, answer: ProgramAnswer, layer: Layer = Layer.PROOF) -> JsonDocument:
    """Return the batch line of one answer.

    ``result`` is the function's own where the request is about one function, else each function's by qualified name.
    """
    line: JsonDocument = {"id": request_id, "verdict": disclose(answer.verdict, layer)}
    if layer is not Layer.AGENT:
        results = {each.qualname: each.result for each in answer.functions}
        one = len(answer.functions) == 1
        line["result"] = answer.functions[0].result if one else _several(answer, results)
    return line


def error_document(error: ProbatumError) -> JsonDocument:
    """Return the document of a command that ended with a named error."""
    shown = {"code": error.code, "sentence": error.sentence, "hint": error.hint}
    return {"error": shown, "exit_code": error.exit_code}


def weakest_answer(answers: Sequence[ProgramAnswer]) -> ProgramAnswer:
    """Return the answer that counts among several.

    Raises:
        ValueError: there are none; nothing is not success.
    """
    if not answers:
        raise ValueError("no answer to choose from: nothing is not success")
    return min(answers, key=lambda answer: _rank(answer.verdict))


def _rank(verdict: DiagnosticResult) -> int:
    return Outcome(verdict.outcome).rank if verdict.outcome else 0


def _several(answer: ProgramAnswer, results: Mapping[str, object]) -> JsonDocument:
    return {"passed": answer.verdict.is_verified, "functions": results}


def _function_document(answer: FunctionAnswer, layer: Layer) -> JsonDocument:
    document: JsonDocument = {"verdict": disclose(answer.verdict, layer)}
    if layer is not Layer.AGENT:
        document.update(result=answer.result, specification=answer.specification)
    return document
