"""The schema layer: everything that an output breaks in the schema that was expected of it, each as one issue.

A schema that asks nothing of the output passes nothing: its check stays undecided, and a warning says so. Refuses, as
the caller's mistake, a schema that cannot be used: not valid, of an unknown draft, naming a schema that is not in it,
or holding a pattern that needs more than linear time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from probatum.contracts.validation import schema_findings
from probatum.core.digest import digest_of
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.core.outside import clipped, shortened, visible
from probatum.core.validation import IssueType
from probatum.judge.layers import NOWHERE, ROOT, Basis, CheckOutcome, LayerCheck, LayerReport, issue
from probatum.judge.request import ValidationRequest, ValidationType
from probatum.readers.json_schema.graph import all_schemas
from probatum.readers.json_schema.keywords import ANNOTATIONS
from probatum.readers.json_schema.paths import path_text
from probatum.readers.json_schema.schema import CompiledSchema, compiled

SCHEMA_CHECK: Final = "schema"
_SHOWN: Final = 200
_CONSTRAINTS: Final[Mapping[str, str]] = {
    "enum": "one of: {}",
    "const": "exactly {}",
    "minimum": "a number of at least {}",
    "maximum": "a number of at most {}",
    "exclusiveMinimum": "a number above {}",
    "exclusiveMaximum": "a number below {}",
    "multipleOf": "a multiple of {}",
    "minLength": "text of at least {} characters",
    "maxLength": "text of at most {} characters",
    "pattern": "text that matches {}",
    "format": "a valid {}",
    "minItems": "a list of at least {} items",
    "maxItems": "a list of at most {} items",
    "uniqueItems": "a list whose items all differ",
    "contains": "a list that has an item as 'contains' asks for",
    "minContains": "a list with more items as 'contains' asks for",
    "maxContains": "a list with fewer items as 'contains' asks for",
    "minProperties": "an object of at least {} fields",
    "maxProperties": "an object of at most {} fields",
    "propertyNames": "an object all of whose keys fit 'propertyNames'",
    "contentEncoding": "text encoded as {}",
    "contentMediaType": "text of the media type {}",
}
"""By keyword: what a value is to become; whatever else a schema asks for is a matter of its structure."""
_SURPLUS: Final = frozenset(
    {"additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems", "falseSchema"}
)
_FORMAT: Final = "unknown_format"
_REMOTE: Final = "Put the schema that it names under '$defs' of the expected schema."
_OPEN_API: Final = frozenset({"nullable", "discriminator"})
"""Keywords of OpenAPI that let nothing pass where they are ignored; generated schemas are full of them."""
_UNCHECKED: Final = frozenset({"unknown_keyword", "other_draft", _FORMAT})


def schema_report(request: ValidationRequest) -> LayerReport:
    """Return what the output breaks in the expected schema, ordered by place in the output.

    Raises:
        UsageError: the schema cannot be used.
        BudgetError: checking would take more than the budget allows.
    """
    try:
        ready = compiled(request.expected_schema)  # type: ignore[arg-type]  # what is not JSON is refused by name
    except NotAttemptedError as error:
        code = error.code.partition(".")[2]
        raise UsageError(f"judge.{code}", error.sentence, _REMOTE if code == "schema_remote" else error.hint) from error
    broken = sorted(schema_findings(ready, request.output), key=_order)
    issues = [_issue_of(each) for each in broken]
    is_open = not broken and not ready.looks_at(request.output)
    if is_open:
        asked = "enforces nothing" if ready.is_vacuous else "asks nothing of what is in this output"
        message = f"The expected schema {asked}, so that the output was not checked"
        advice = "State what the output must have, for example with 'type', 'required' and 'properties'."
        issues.append(issue(Severity.WARNING, IssueType.SCHEMA_VIOLATION, message, NOWHERE, advice))
    else:
        issues += _doubts(ready)
    state = CheckOutcome.FAILED if broken else CheckOutcome.UNDECIDED if is_open else CheckOutcome.PASSED
    basis = Basis.NOTHING if is_open else Basis.EXACT
    check = LayerCheck(SCHEMA_CHECK, "The output satisfies the expected schema", state, basis, _identity(ready))
    return LayerReport(ValidationType.SCHEMA, (check,), tuple(issues))


@lru_cache(maxsize=256)
def _identity(ready: CompiledSchema) -> FrozenDict:
    """Return which schema was enforced, and how many of its keywords ask for something."""
    asking = sum(key not in ANNOTATIONS for _, each in all_schemas(ready.schema) for key in each)
    text = json.dumps(ready.schema, sort_keys=True, separators=(",", ":"))
    return FrozenDict(schema=digest_of(text.encode()), draft=ready.draft, keywords=asking)


def _doubts(ready: CompiledSchema) -> Iterable[Finding]:
    """Yield a warning for each keyword that its author takes for one, and that does nothing."""
    for each in ready.concerns:
        # A keyword of one's own is legal: only one that is nearly a real one is meant to enforce something.
        is_meant = each.suggestion and not any(f"'{word}'" in each.suggestion for word in ANNOTATIONS)
        concern = each.kind.partition(".")[2]
        if each.evidence.get("keyword") in _OPEN_API:
            continue
        if concern in _UNCHECKED and (is_meant or concern == _FORMAT):
            told = f"The expected schema at {visible(each.message)}"
            yield issue(Severity.WARNING, IssueType.SCHEMA_VIOLATION, told, NOWHERE, visible(each.suggestion))


def _order(finding: Finding) -> tuple[object, ...]:
    steps = finding.evidence.get("steps")
    if not isinstance(steps, list):
        return (1, finding.message)
    # An index is told from a key, which cannot be compared with it.
    return 0, [(isinstance(step, str), step) for step in steps], finding.evidence["schema_path"], finding.message


def _issue_of(finding: Finding) -> Finding:
    evidence = finding.evidence
    keyword = str(evidence.get("keyword", "")) or finding.kind.removeprefix("schema.")
    steps = evidence.get("steps")
    location = _location(path_text(steps) if isinstance(steps, list) else str(evidence.get("path", "$")))
    place = "the output" if location == ROOT else f"'{location}'"
    said = visible(finding.message.removeprefix(f"{evidence.get('path', '$')}: "))
    message = f"{'Output' if location == ROOT else f'Field {place}'}: {said}"
    limit = _limit(evidence.get("expected"))
    if finding.kind == "schema.more":
        kind, message = IssueType.SCHEMA_VIOLATION, f"The output breaks the schema {evidence['count']} more times"
        location, advice = NOWHERE, "Correct what is listed first, and validate again."
    elif keyword == "required":
        name = f"'{visible(limit)}'"
        message = f"Missing required field {name}" + ("" if location == ROOT else f" in {location} object")
        kind, advice = IssueType.MISSING_FIELD, f"Add the field {name} to {place}."
    elif keyword == "type":
        kind, advice = IssueType.INVALID_TYPE, f"Change {place} to a value of type {limit}."
    elif keyword in _CONSTRAINTS:
        wanted = _CONSTRAINTS[keyword].format(visible(limit))
        kind, advice = IssueType.CONSTRAINT_VIOLATION, f"Change {place} to {wanted}."
    elif keyword in _SURPLUS:
        kind, advice = IssueType.SCHEMA_VIOLATION, f"Remove from {place} what the schema does not allow."
    else:
        kind, advice = IssueType.SCHEMA_VIOLATION, f"Change {place} so that the whole schema holds."
    suggestion = f"{visible(finding.suggestion)} {advice}" if finding.suggestion else advice
    told = {"keyword": keyword, "schema_path": visible(str(evidence.get("schema_path", "")), _SHOWN)}
    return issue(Severity.ERROR, kind, message, location, suggestion, **told)


def _location(path: str) -> str:
    """Return a place as the schema of results writes it: ``user.profile.email``, ``tasks[2]["first name"]``, root."""
    return clipped(visible(path.removeprefix("$").removeprefix("."))) or ROOT


def _limit(expected: object) -> str:
    """Return what a keyword asks for, in a few words."""
    if isinstance(expected, list):
        return shortened(", ".join(map(_limit, expected)), _SHOWN)
    return expected if isinstance(expected, str) else shortened(json.dumps(expected, ensure_ascii=False), _SHOWN)
