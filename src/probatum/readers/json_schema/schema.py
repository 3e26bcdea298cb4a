"""A JSON Schema, compiled once: what a value breaks in it, and what is doubtful about the schema itself.

Formats are asserted. A value that passes costs one call of the engine; findings are made only for one that does not.
Refuses: a schema that is not valid, names a schema that is not here, or holds a pattern that needs more than linear
time; a value that is not JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Final

import jsonschema_rs

from probatum.core.canonical import JsonValue
from probatum.core.errors import BudgetError
from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.readers.json_schema.asking import asks, pointer_of
from probatum.readers.json_schema.branches import branch_concerns
from probatum.readers.json_schema.complaints import findings_of
from probatum.readers.json_schema.cost import Cost
from probatum.readers.json_schema.engine import DRAFTS, compile_schema, draft_of, refuse_schema
from probatum.readers.json_schema.graph import Graph, all_schemas
from probatum.readers.json_schema.meaning import (
    accepts_everything,
    canonical,
    for_readable_values,
    is_empty,
    refused_value,
)
from probatum.readers.json_schema.review import concern, keyword_concerns
from probatum.readers.json_schema.wording import Wording

MAX_SCHEMA_DEPTH: Final = 100
_NO_RESOURCES: Final[Mapping[str, JsonValue]] = FrozenDict()  # type: ignore[assignment]  # empty


class CompiledSchema:
    """One schema, ready to be asked."""

    def __init__(self, schema: JsonValue, draft: str, formats: bool, resources: Mapping[str, JsonValue]) -> None:
        self.draft: Final = draft_of(schema, resources, draft)
        self.schema: Final = schema
        self.formats: Final = formats
        self.resources: Final = resources
        graph = Graph(schema, resources, self.draft)
        self._wording: Final = Wording(graph.nodes)
        self._asked: Final = self._wording.for_engine(schema)
        given = {address: self._wording.for_engine(each) for address, each in resources.items()}
        self._validator: Final = compile_schema(self._asked, draft, formats, given, self._wording.authored)
        self._cost: Final = Cost(graph)
        self._accepts: Final[Callable[[object], bool]] = self._validator.is_valid

    def findings(self, value: object) -> tuple[Finding, ...]:
        """Return everything that a value breaks; nothing where it satisfies the schema.

        Raises BudgetError where checking the value would take more than the budget allows.
        """
        if self._cost.may_be_high:
            self._cost.check(value)
        try:
            if self._accepts(value):
                return ()
            return self._broken(value)
        except (ValueError, TypeError) as error:
            if "Recursion limit" in str(error):
                # The engine compares whole values only so deep; that says nothing about this one.
                raise BudgetError("contract.value_too_deep", "The value is nested too deep to be compared.") from error
            return (Finding(Severity.ERROR, "schema.no_json", f"$: the value is not JSON: {str(error)[:120]}"),)

    def is_satisfied_by(self, value: object) -> bool:
        """True where the value breaks nothing."""
        return not self.findings(value)

    def _broken(self, value: object) -> tuple[Finding, ...]:
        asked = self._cost.errors_told(value)
        if asked == 0:
            return (_unplaced("it is too large to say where"),)
        try:
            if asked == 1:
                first = self._findings_of(self._first(value), value)
                return (*first, _unplaced("it is too large to say what else"))
            found = self._findings_of(self._validator.iter_errors(value), value)
        except ValueError as error:
            if "Recursion limit" not in str(error):
                raise
            return (_unplaced("it is nested too deep to say where"),)
        assert found, "a value that is refused breaks something"
        return found

    def _findings_of(self, errors: Iterator[jsonschema_rs.ValidationError], value: object) -> tuple[Finding, ...]:
        return findings_of(errors, value, self.schema, self._wording.authored)

    def _first(self, value: object) -> Iterator[jsonschema_rs.ValidationError]:
        try:
            self._validator.validate(value)
        except jsonschema_rs.ValidationError as error:
            yield error

    @cached_property
    def concerns(self) -> tuple[Finding, ...]:
        """Warnings about the schema itself."""
        told = keyword_concerns(self.schema, self.draft, self.formats)
        told += branch_concerns(self._asked, self.draft, self.formats, self._wording.steps)
        if self.is_vacuous:
            message = "nothing is enforced: no value is known that this schema refuses."
            told.insert(0, concern((), "vacuous", message))
        elif self.schema is False or is_empty(self._canonical):
            told.insert(0, concern((), "unsatisfiable", "no value satisfies this schema."))
        return tuple(told)

    @cached_property
    def is_vacuous(self) -> bool:
        """True unless it is certain that the schema refuses some value: a pass of it would say nothing."""
        if refused_value(self.schema, self._accepts, self._cost.unfolded):
            return False
        everything = canonical(True, self.draft, self.formats)
        readable = canonical(for_readable_values(self._asked), self.draft, self.formats)
        return accepts_everything(readable, everything) is not False

    def looks_at(self, value: object) -> bool:
        """Whether a keyword asks something of a value that satisfies the schema: else a pass of it says nothing.

        `properties` asks nothing of an object without them, `minLength` nothing of a number, and what is under `if` is
        only asked for its answer.
        """
        if self.is_vacuous or not isinstance(self.schema, dict):
            return not self.is_vacuous
        if self.schema.get("type"):
            return True
        return any(asks(unit, self._located, value) for unit in self._validator.evaluate(value).list()["details"])

    @cached_property
    def _located(self) -> Mapping[str, dict[str, JsonValue]]:
        """Every schema object in the schema by its JSON pointer."""
        return {pointer_of(steps): each for steps, each in all_schemas(self._asked)}

    @cached_property
    def _canonical(self) -> jsonschema_rs.CanonicalSchema | None:
        return canonical(self._asked, self.draft, self.formats)


def _unplaced(why: str) -> Finding:
    return Finding(Severity.ERROR, "schema.unplaced", f"$: the value breaks the schema; {why}.")


def compiled(
    schema: JsonValue,
    *,
    formats: bool = True,
    resources: Mapping[str, JsonValue] = _NO_RESOURCES,
    draft: str = "2020-12",
) -> CompiledSchema:
    """Return a schema, compiled; the same schema is compiled once.

    Without ``formats``, ``format`` is only an annotation. A schema without ``$schema`` is read as ``draft``. A ``$ref``
    may name the resources by their addresses; nothing is ever fetched.

    Raises:
        ValueError: the draft is neither.
        NotAttemptedError: the schema cannot be used; the code says why.
    """
    # By identity first: writing a schema out to compare it costs more than the check of a small value.
    key = id(schema), id(resources), draft, formats
    known = _BY_IDENTITY.get(key)
    if known is not None and known[0] is schema and known[1] is resources:
        return known[2]
    if draft not in DRAFTS.values():
        raise ValueError(f"a draft is one of {', '.join(DRAFTS.values())}, got {draft!r}")
    named = tuple(sorted((str(address), _text(each)) for address, each in resources.items()))
    fresh = _by_content(_text(schema), draft, formats, named)
    if type(schema) is FrozenDict and type(resources) is FrozenDict:
        if len(_BY_IDENTITY) >= _MAX_KNOWN:
            _BY_IDENTITY.clear()
        _BY_IDENTITY[key] = (schema, resources, fresh)
    return fresh


_MAX_KNOWN: Final = 512
# A frozen schema cannot change, and the entry keeps it alive, so that its identity stays its own.
_BY_IDENTITY: Final[dict[tuple[int, int, str, bool], tuple[FrozenDict, FrozenDict, CompiledSchema]]] = {}


@lru_cache(maxsize=256)
def _by_content(text: str, draft: str, formats: bool, resources: tuple[tuple[str, str], ...]) -> CompiledSchema:
    given = {address: json.loads(each) for address, each in resources}
    return CompiledSchema(json.loads(text), draft, formats, given)


def _text(schema: object) -> str:
    _check(schema, 0)
    try:
        return json.dumps(schema, sort_keys=True, allow_nan=False, separators=(",", ":"))
    except ValueError as error:
        refuse_schema("schema_invalid", f"The schema is not JSON: {str(error)[:120]}.")


def _check(value: object, depth: int) -> None:
    if depth > MAX_SCHEMA_DEPTH:
        refuse_schema("schema_too_deep", f"The schema is nested deeper than {MAX_SCHEMA_DEPTH} levels.")
    if isinstance(value, dict):
        for key, item in value.items():
            if type(key) is not str:
                refuse_schema("schema_invalid", f"The schema is not JSON: a key is a {type(key).__name__}.")
            _check(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _check(item, depth + 1)
    elif value is not None and type(value) not in {bool, int, float, str}:
        refuse_schema("schema_invalid", f"The schema is not JSON: it holds a {type(value).__name__}.")
