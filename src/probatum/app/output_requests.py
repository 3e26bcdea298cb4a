"""Request lines of kind ``output``: what was answered, by which contract, and what the task was given.

Text under ``output`` is what a model wrote, character for character; anything else is the answer itself. A contract is
named by id, never by a path: a request may come from anywhere and shall open no file. Refuses unknown fields and a
key that stands twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

from probatum.app.identified_lines import Identified, require_unambiguous
from probatum.app.output_answers import OutputAnswer, OutputRequest
from probatum.app.output_service import not_judged_by_contract
from probatum.app.output_sources import contract_by_id
from probatum.app.verdicts import verdict_without_proof, writable
from probatum.contracts.loading import FORMATS, contract_of
from probatum.contracts.specification import ContractSpec
from probatum.core.decision import Outcome, decide
from probatum.core.errors import NotAttemptedError, UsageError, nearest

_FIELDS = ("id", "kind", "output", "input", "contract")
_FORMAT = "contract_spec_format"


def output_request(line: Identified) -> OutputRequest | OutputAnswer:
    """Return what a line asks for, or the answer that refuses it."""
    try:
        require_unambiguous(line)
        return _parsed(line.fields, line.id)
    except UsageError as error:
        return _refused(line.id, error)


def _parsed(fields: Mapping[str, object], name: str) -> OutputRequest | OutputAnswer:
    for key in fields:
        if key not in _FIELDS:
            raise UsageError("request.invalid", f"Unknown field {key!r}.", nearest(key, _FIELDS))
    for key in ("output", "contract"):
        if key not in fields:
            raise UsageError("request.invalid", f"A request of kind 'output' needs {key!r}.")
    output = fields["output"]
    content = _encoded(output, "output") if isinstance(output, str) else _encoded(_spelt(output, "output"), "output")
    given = _encoded(_spelt(fields["input"], "input"), "input") if "input" in fields else None
    try:
        spec = _contract(fields["contract"])
    except NotAttemptedError as error:
        return not_judged_by_contract(name, _shown(fields["contract"]), error)
    return OutputRequest(content, name, spec, given)


def _refused(name: str, error: UsageError) -> OutputAnswer:
    fields = {"reason": writable(error.sentence), "hint": writable(error.hint)}
    decision = decide(Outcome.NOT_ATTEMPTED, "request.invalid", fields=fields)
    return OutputAnswer(name, "", verdict_without_proof(decision), decision.exit_code)


def _contract(stated: object) -> ContractSpec:
    if isinstance(stated, str):
        return _named(stated)
    if not isinstance(stated, (dict, bool)):
        raise UsageError("request.invalid", "'contract' must be text (ID[:VERSION]) or a contract's JSON.")
    return _inline(_spelt(stated, "contract"))


@lru_cache(maxsize=64)
def _named(text: str) -> ContractSpec:
    return contract_by_id(text)


@lru_cache(maxsize=64)
def _inline(text: str) -> ContractSpec:
    stated = json.loads(text)
    if isinstance(stated, dict) and _FORMAT not in stated and "output_schema" in stated:
        stated = {_FORMAT: FORMATS[-1], **stated}
    return contract_of(stated)


def _spelt(value: object, key: str) -> str:
    """Return a value as compact JSON, keys in their order."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (ValueError, RecursionError) as error:
        raise UsageError("request.invalid", f"{key!r} has no JSON form: {str(error)[:100]}.") from None


def _encoded(text: str, key: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError("request.invalid", f"{key!r} holds a lone surrogate, which no file can hold.") from None


def _shown(contract: object) -> str:
    return contract[:80] if isinstance(contract, str) else "given in the request"
