"""Outputs, sources and readers for tests of claim readings."""

from __future__ import annotations

from collections.abc import Mapping

from probatum.core.canonical import JsonValue
from probatum.core.errors import UsageError
from probatum.readings.claims import claim_records
from probatum.readings.formal import ClaimProof
from probatum.readings.grounding import Grounding, grounding
from probatum.readings.paths import CitableSource, CitableTable

TABLE = CitableTable(
    ("region", "year", "units"),
    (("North", "2023", "1,200"), ("North", "2024", "1,300"), ("South", "2024", "900")),
)
SALE: JsonValue = {
    **{"region": "North", "units": 1200, "share": 0.2, "state": "closed"},
    **{"code": "12", "days": 3, "audited": True},
}
DATA: JsonValue = {"sales": [SALE]}


def prove(engine: str, statement: str, _given: Mapping[str, JsonValue]) -> ClaimProof:
    """Decide a comparison of sums and products."""
    if engine != "math":
        raise UsageError("claim.unknown_engine", f"There is no engine {engine!r}.", "Engines: math.")
    if not set(statement) <= set("0123456789.+-*/()=<> ,maxsuequrt"):
        return ClaimProof("undecided", "It is not read.")
    holds = eval(statement.replace("=", "=="), {"__builtins__": {}}, {"max": max, "sum": sum, "sqrt": lambda x: x**0.5})
    return ClaimProof("proved" if holds else "refuted", f"The statement is {holds}.")


def grounded_by(
    output: str, source: str, *claims: dict[str, object], policy: str = "proposed", readers: int = 1
) -> Grounding:
    """Return what claims of readers who all say the same come to."""
    records = [{"reader": f"model-{number}", "claims": list(claims)} for number in range(1, readers + 1)]
    return grounding(output, [CitableSource("doc", source, DATA, (TABLE,))], claim_records(records), prove, policy)


def open_in(output: str, found: Grounding) -> list[str]:
    """Return the words of an output that are open."""
    return [output[start:end] for start, end in found.open]
