"""Answers about outputs as JSON documents, limited to what a disclosure layer may see.

Refuses to show findings or results in the agent's layer: there the verdict's sentence is all.
"""

from __future__ import annotations

from probatum.app.output_answers import OutputAnswer
from probatum.core.disclosure import Layer, disclose
from probatum.verification.results import verification_results_to_jsonable

JsonDocument = dict[str, object]


def output_document(answer: OutputAnswer, layer: Layer = Layer.PROOF) -> JsonDocument:
    """Return the document of one output: ``verdict`` and ``result``."""
    document: JsonDocument = {"verdict": disclose(answer.verdict, layer)}
    if layer is not Layer.AGENT:
        document["result"] = output_result(answer)
    return document


def output_result(answer: OutputAnswer) -> JsonDocument:
    """Return what was found: every finding with its place, and what each verifier said."""
    result: JsonDocument = {
        "passed": answer.verdict.is_verified,
        "contract": answer.contract,
        "findings": [finding.to_dict() for finding in answer.findings],
        "verification_results": verification_results_to_jsonable(answer.results),
    }
    # Whoever reads such a text in another way than we did would act on a value that nobody judged.
    return {**result, "value": answer.repaired[0]} if answer.repaired else result
