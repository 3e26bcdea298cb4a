"""Alternatives of a schema that decide nothing: always true, never true, or shadowed by another.

Reported only where the engine's canonical form proves it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

import jsonschema_rs

from probatum.core.canonical import JsonValue
from probatum.core.finding import Finding
from probatum.readers.json_schema.graph import Steps, all_schemas
from probatum.readers.json_schema.keywords import DEFINITIONS
from probatum.readers.json_schema.meaning import accepts_everything, canonical, covers, is_empty
from probatum.readers.json_schema.review import concern

_MAX_SCHEMAS: Final = 100
_MAX_BRANCHES: Final = 20
_Form = jsonschema_rs.CanonicalSchema | None


def branch_concerns(schema: JsonValue, draft: str, formats: bool, authored: Callable[[Steps], Steps]) -> list[Finding]:
    """Return what is certain about the alternatives in a schema; ``authored`` tells a place in its author's words."""
    if not isinstance(schema, dict):
        return []
    shared: dict[str, JsonValue] = {str(key): schema[key] for key in (*DEFINITIONS, "$schema") if key in schema}
    everything = canonical(True, draft, formats)

    def form_of(part: JsonValue) -> _Form:
        # A part may name the definitions of the whole.
        return canonical({**part, **shared} if isinstance(part, dict) else part, draft, formats)

    found: list[Finding] = []
    for steps, each in islice(all_schemas(schema), _MAX_SCHEMAS):
        for keyword in ("anyOf", "oneOf"):
            branches = each.get(keyword)
            if isinstance(branches, list) and len(branches) <= _MAX_BRANCHES:
                forms = [form_of(branch) for branch in branches]
                around = form_of({key: value for key, value in each.items() if key != keyword})
                found += _of_branches((*authored(steps), keyword), keyword, forms, around, everything)
    return found


def _of_branches(steps: Steps, keyword: str, forms: list[_Form], around: _Form, everything: _Form) -> Iterator[Finding]:
    for index, form in enumerate(forms):
        here = (*steps, index)
        if form is None:
            continue
        if is_empty(form) or is_empty(form, around):
            yield concern(here, "unreachable_branch", "nothing can satisfy this alternative here.")
        elif len(forms) > 1 and accepts_everything(form, everything):
            does = "so that the others do nothing" if keyword == "anyOf" else "so that none of the others may fit"
            yield concern(here, "vacuous_branch", f"this alternative accepts every value, {does}.")
        else:
            yield from _shadowed(here, keyword, index, forms, everything)


def _shadowed(here: Steps, keyword: str, index: int, forms: list[_Form], everything: _Form) -> Iterator[Finding]:
    form = forms[index]
    assert form is not None
    for other_index, other in enumerate(forms):
        if other is None or other_index == index or is_empty(other) or accepts_everything(other, everything):
            continue
        # Of two that accept the same, the first is the one that counts.
        is_twin = covers(form, other) and other_index > index
        if covers(other, form) and not is_twin:
            does = "does nothing" if keyword == "anyOf" else "never counts"
            message = f"alternative {other_index} accepts all that this one accepts, so that this one {does}."
            yield concern(here, "unreachable_branch", message)
            return
