"""The one place that speaks to jsonschema-rs: compiling a schema, with every refusal named.

Patterns run in an engine whose time is linear in the text, with a bounded size. Nothing is ever fetched: what a
``$ref`` names stands in the schema, in the given resources, or is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn

import jsonschema_rs
from jsonschema_rs import ValidationErrorKind as Kind

from probatum.core.canonical import JsonValue
from probatum.core.errors import NotAttemptedError, nearest
from probatum.core.shape import shown
from probatum.readers.json_schema.paths import path_text

DEFAULT_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
DRAFTS: Final[Mapping[str, str]] = {
    DEFAULT_DRAFT: "2020-12",
    "https://json-schema.org/draft/2019-09/schema": "2019-09",
    "http://json-schema.org/draft-07/schema": "draft-07",
    "http://json-schema.org/draft-06/schema": "draft-06",
    "http://json-schema.org/draft-04/schema": "draft-04",
}
PATTERN_BYTES: Final = 1_000_000
LINEAR: Final = jsonschema_rs.RegexOptions(size_limit=PATTERN_BYTES, dfa_size_limit=PATTERN_BYTES)
_BACKTRACKING: Final = jsonschema_rs.FancyRegexOptions(backtrack_limit=1000)
_SHOWN: Final = 200


def refuse_schema(what: str, sentence: str, hint: str = "") -> NoReturn:
    """Raise the named error for a schema that cannot be used."""
    raise NotAttemptedError(f"contract.{what}", sentence, hint)


def draft_of(schema: JsonValue, resources: Mapping[str, JsonValue], default: str) -> str:
    """Return the draft that ``$schema`` names, such as ``2020-12``, and the default where it names none.

    A meta-schema of one's own stands among the resources, and names a draft itself.

    Raises NotAttemptedError where it names something else.
    """
    seen: set[str] = set()
    while isinstance(schema, dict) and "$schema" in schema:
        stated = schema["$schema"]
        if not isinstance(stated, str):
            refuse_schema("schema_invalid", "The schema's '$schema' is not text.")
        bare = stated.removesuffix("#")
        if bare in DRAFTS:
            return DRAFTS[bare]
        if bare not in resources or bare in seen:
            known = list(DRAFTS)
            sentence = f"The schema's '$schema' names {stated[:_SHOWN]!r}; known are {', '.join(known)}."
            refuse_schema("schema_draft", sentence, nearest(bare, known))
        seen.add(bare)
        schema = resources[bare]
    return default


def compile_schema(
    schema: JsonValue, draft: str, formats: bool, resources: Mapping[str, JsonValue], authored: Mapping[str, str]
) -> jsonschema_rs.Validator:
    """Return the compiled schema; ``draft`` is what a schema that names none is read as, and
    ``authored`` has the author's pattern for each.

    Raises NotAttemptedError: ``contract.schema_invalid``, ``contract.schema_remote``, ``contract.schema_draft``,
    ``contract.pattern_not_linear``, ``contract.pattern_too_large`` or ``contract.schema_too_deep``.
    """
    if not isinstance(schema, (dict, bool)):
        refuse_schema("schema_invalid", f"A JSON Schema is an object, or true or false; this is {shown(schema)}.")
    try:
        make = jsonschema_rs.validator_for if isinstance(schema, dict) and "$schema" in schema else _MAKERS[draft]
        given = _retriever(resources, draft)
        return make(schema, validate_formats=formats, pattern_options=LINEAR, retriever=given)
    except jsonschema_rs.ValidationError as error:
        _refuse_compiled(error, authored)
    except jsonschema_rs.ReferencingError as error:
        _refuse_reference(str(error))
    except (ValueError, TypeError) as error:
        if "Recursion limit" in str(error):
            refuse_schema("schema_too_deep", "The schema is nested too deep.")
        refuse_schema("schema_invalid", f"The schema is not JSON: {str(error)[:_SHOWN]}.")


_MAKERS: Final = {
    "2020-12": jsonschema_rs.Draft202012Validator,
    "2019-09": jsonschema_rs.Draft201909Validator,
    "draft-07": jsonschema_rs.Draft7Validator,
    "draft-06": jsonschema_rs.Draft6Validator,
    "draft-04": jsonschema_rs.Draft4Validator,
}
_ADDRESSES: Final = {draft: address for address, draft in DRAFTS.items()}


def _retriever(resources: Mapping[str, JsonValue], draft: str) -> Callable[[str], JsonValue]:
    """Return what answers for the engine where it would fetch: the given resources and nothing else."""

    def given(address: str) -> JsonValue:
        found = resources.get(address, resources.get(address.removesuffix("#")))
        if found is None:
            raise LookupError("it is not given, and nothing is ever fetched")
        if isinstance(found, dict) and "$schema" not in found:
            return {"$schema": _ADDRESSES[draft], **found}
        return found

    return given


def _refuse_compiled(error: jsonschema_rs.ValidationError, authored: Mapping[str, str]) -> NoReturn:
    if isinstance(error.kind, Kind.Referencing):
        _refuse_reference(error.message)
    place = path_text([authored.get(str(step), step) for step in error.instance_path])
    if isinstance(error.kind, Kind.Format) and error.kind.format == "regex":
        pattern = str(error.instance)
        _refuse_not_run(place, authored.get(pattern, pattern), pattern)
    if "not present in a registry" in error.message or "meta-schema" in error.message:
        _refuse_reference(error.message)
    refuse_schema("schema_invalid", f"The schema is not valid at {place}: {_own(error.message, authored)[:_SHOWN]}.")


def _own(text: str, authored: Mapping[str, str]) -> str:
    """Return a sentence of the engine with the patterns that the author wrote."""
    for said, own in authored.items():
        text = text if said == own else text.replace(json.dumps(said)[1:-1], json.dumps(own)[1:-1])
    return text


def _refuse_reference(message: str) -> NoReturn:
    first = message.splitlines()[0][:_SHOWN]
    if "retrieving it failed" in message or "not fetched" in message or "Retrieval is disabled" in message:
        hint = "Put the schema that it names under '$defs', or into the folder 'schemas' beside contract.json."
        refuse_schema(
            "schema_remote", f"A '$ref' names a schema that is not here, and nothing is ever fetched: {first}.", hint
        )
    refuse_schema("schema_invalid", f"A '$ref' of the schema leads nowhere: {first}.")


def refuse_pattern(steps: Sequence[str | int], pattern: str, problem: str) -> NoReturn:
    """Raise the named error for a pattern that ECMA-262 cannot read from ``problem`` on."""
    told = f"{repr(pattern)[:_SHOWN]} is not a regular expression of ECMA-262, at {problem!r}"
    hint = next((hint for start, hint in _WRITTEN.items() if problem.startswith(start)), "")
    refuse_schema("schema_invalid", f"The schema is not valid at {path_text(steps)}: {told}.", hint)


_WRITTEN: Final = {
    "(?P<": "A named group is written '(?<name>…)'.",
    "(?i": "Small and capital letters alike are written '(?i:…)'.",
    r"\A": "The beginning is written '^'.",
    r"\z": "The end is written '$'.",
    r"\Z": "The end is written '$'.",
}


def _refuse_not_run(place: str, own: str, pattern: str) -> NoReturn:
    told = repr(own)[:_SHOWN]
    # The engine says of every pattern that it cannot run that it is not valid: a second one tells which it is.
    try:
        jsonschema_rs.validator_for({"pattern": pattern}, pattern_options=_BACKTRACKING, offline=True)
    except (jsonschema_rs.ValidationError, ValueError):
        refuse_schema("schema_invalid", f"The schema is not valid at {place}: {told} is not a regular expression.")
    if any(mark in pattern for mark in ("(?=", "(?!", "(?<=", "(?<!")):
        missing = "looks ahead or behind"
    elif _has_back_reference(pattern):
        missing = "refers back to what it matched"
    else:
        sentence = f"The pattern at {place} is too large to be run in bounded memory: {told}."
        refuse_schema("pattern_too_large", sentence, "Use smaller repetitions, or 'maxLength'.")
    sentence = f"The pattern at {place} {missing}, which cannot be done in linear time: {told}."
    refuse_schema("pattern_not_linear", sentence, "State it without, for example with 'allOf', 'not' and two patterns.")


def _has_back_reference(pattern: str) -> bool:
    # An escaped backslash before a digit is not a reference.
    return re.search(r"(?<!\\)(?:\\\\)*\\[1-9k]", pattern) is not None
