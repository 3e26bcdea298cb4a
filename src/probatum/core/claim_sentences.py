"""The sentences that an agent may see about claims, by engine: data for the catalogue of `core.messages`.

As there, no sentence tells a rule, a matched text or how something was decided; whoever made the claim can still mend
it by what the sentence says.
"""

from __future__ import annotations

from typing import Final

_EVERY: Final = {
    "engine.extra_missing": "The claim was not judged: a package that it needs is not installed.",
    "engine.non_finite": "The claim was not judged: a value that is given with it is not a finite number.",
    "engine.out_of_budget": "The claim was not decided within its budget.",
    "engine.too_large": "The claim is larger or nested deeper than the budget allows.",
    "engine.invalid": "The claim was not judged: what is given with it cannot be read.",
}
_MATH: Final = {
    "math.holds": "The statement is true.",
    "math.fails": "The statement is false.",
    "math.no_claim": "The text states nothing that could be true or false.",
    "math.syntax": "The statement could not be read as mathematics.",
    "math.undefined": "The statement is not decided: a part of it has no value.",
    "math.currency_mixed": "The statement is not decided: it mixes amounts of unlike currencies.",
    "math.rounding_unclear": "The statement is not decided: it leaves open how it is rounded.",
    "math.beyond": "The statement is beyond what can be decided exactly.",
}
_STATS: Final[dict[str, str]] = {}
_FINANCE: Final[dict[str, str]] = {}
_LINEAR: Final[dict[str, str]] = {}
_UNITS: Final[dict[str, str]] = {}
_DATES: Final[dict[str, str]] = {}
_LOGIC: Final = {
    "logic.holds": "The statement is true.",
    "logic.fails": "The statement is false.",
    "logic.no_claim": "The claim states nothing that could be true or false.",
    "logic.syntax": "The statement or a premise could not be read.",
    "logic.type": "The statement or a premise mixes types, or a declared type does not exist.",
    "logic.declaration": "A declaration could not be read, or a name is declared twice.",
    "logic.missing_declarations": "A name is used that is not declared.",
    "logic.unsupported": "The statement or a premise uses an operation that is not supported.",
    "logic.vacuous_premises": "The statement is not decided: its premises cannot hold together.",
    "logic.undefined": "The statement is not decided: it can divide by zero.",
    "logic.supremum_not_attained": "The claimed optimum is not attained, however close it is approached.",
    "logic.beyond": "The statement is beyond what can be decided exactly.",
}
_RULES: Final[dict[str, str]] = {}
_SQL: Final[dict[str, str]] = {}
_SCHEMA: Final[dict[str, str]] = {}
_GRAPH: Final[dict[str, str]] = {}
_FACTS: Final[dict[str, str]] = {}
_IMAGE: Final[dict[str, str]] = {}
_CODE: Final[dict[str, str]] = {}
_EXECUTE: Final[dict[str, str]] = {}
_REASONING: Final[dict[str, str]] = {}
_CONSENSUS: Final[dict[str, str]] = {}

CLAIM_SENTENCES: Final = {
    **_EVERY,
    **_MATH,
    **_STATS,
    **_FINANCE,
    **_LINEAR,
    **_UNITS,
    **_DATES,
    **_LOGIC,
    **_RULES,
    **_SQL,
    **_SCHEMA,
    **_GRAPH,
    **_FACTS,
    **_IMAGE,
    **_CODE,
    **_EXECUTE,
    **_REASONING,
    **_CONSENSUS,
}
