"""Request lines of kind ``output``: what was answered, by which contract, and what the task was given.

Text under ``output`` is what a model wrote, character for character; anything else is the answer itself. A contract is
named by id, never by a path: a request may come from anywhere and must open no file. Refuses unknown fields.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from probatum.contracts.loading import FORMATS, contract_of
from probatum.contracts.specification import ContractSpec
from probatum.core.errors import NotAttemptedError, UsageError, nearest
from probatum.kinds.output.naming import contract_by_id
from probatum.kinds.output.observed import unusable_contract
from probatum.kinds.output.request import OutputRequest
from probatum.verification.kind import RequestLine
from probatum.verification.observed import Refusal

_FIELDS = ("id", "kind", "output", "input", "contract")
_FORMAT = "contract_spec_format"


def output_request(line: RequestLine) -> OutputRequest | Refusal:
    """Return what a line asks for, or that its contract cannot be used; raises UsageError where it makes no sense."""
    fields = line.fields
    for key in fields:
        if key not in _FIELDS:
            raise UsageError("request.invalid", f"Unknown field {key!r}.", nearest(key, _FIELDS))
    for key in ("output", "contract"):
        if key not in fields:
            raise UsageError("request.invalid", f"A request of kind 'output' needs {key!r}.")
    content = answer_bytes(fields["output"])
    given = input_bytes(fields["input"]) if "input" in fields else None
    try:
        spec = _contract(fields["contract"], line.defaults.text("contracts"))
    except NotAttemptedError as error:
        shown = fields["contract"][:80] if isinstance(fields["contract"], str) else "given in the request"
        return unusable_contract(line.id, shown, error, content)
    return OutputRequest(content, line.id, spec, given)


def answer_bytes(output: object) -> bytes:
    """Return what was answered: text as it is, anything else as JSON; raises UsageError where it has no such form."""
    return _encoded(output if isinstance(output, str) else _spelt(output, "output"), "output")


def input_bytes(given: object) -> bytes:
    """Return what a task was given, as JSON; raises UsageError where it has no such form."""
    return _encoded(_spelt(given, "input"), "input")


def inline_contract(stated: object) -> ContractSpec:
    """Return the contract that JSON states, a schema or the whole; raises NotAttemptedError where it is not valid."""
    return _inline(_spelt(stated, "contract"))


def _contract(stated: object, folder: str | None) -> ContractSpec:
    if isinstance(stated, str):
        return _named(stated, folder)
    if not isinstance(stated, (dict, bool)):
        raise UsageError("request.invalid", "'contract' must be text (ID[:VERSION]) or a contract's JSON.")
    return inline_contract(stated)


@lru_cache(maxsize=64)
def _named(text: str, folder: str | None) -> ContractSpec:
    return contract_by_id(text, None if folder is None else Path(folder))


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
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError("request.invalid", f"{key!r} has no JSON form: {str(error)[:100]}.") from None


def _encoded(text: str, key: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError("request.invalid", f"{key!r} holds a lone surrogate, which no file can hold.") from None
