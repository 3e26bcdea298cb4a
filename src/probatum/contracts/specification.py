"""The contract: what a task takes, what its answer must satisfy, and how that is verified.

One immutable value, whatever it was read or derived from. Its JSON form holds the content alone, never a path, so that
the same contract has the same digest everywhere. Refuses names that could be paths, and JSON that `to_json` does not
write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from probatum.core.canonical import JsonValue, require_json
from probatum.core.frozen import freeze, thaw
from probatum.core.json_text import DEEPEST, MAX_DEPTH, is_deeper, read_json
from probatum.core.shape import Shape

NAME: Final = re.compile(r"[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*", re.ASCII)
"""Of a task or a version: letters and digits, with dots, dashes and underscores between them; never a path."""
MAX_NAME: Final = 100
MAX_ADDRESS: Final = 1_000
MAX_VALUES: Final = 200_000
"""In one schema: in memory it is many times its text, and it is there more than once."""
_EXACT: Final = "$json"


def is_name(text: object) -> bool:
    """True for what may name a task or a version."""
    if type(text) is not str or len(text) > MAX_NAME or ".." in text:
        return False
    return NAME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class ContractSpec:
    """The contract of one version of one task."""

    task_id: str
    version: str = "v1"
    title: str = ""
    input_schema: JsonValue = field(default_factory=dict)
    """What the task takes: a JSON Schema; an empty one asks for nothing."""
    output_schema: JsonValue = field(default_factory=dict)
    """What its answer must satisfy: a JSON Schema."""
    success_criteria: tuple[str, ...] = ()
    failure_modes: tuple[str, ...] = ()
    retry_policy: Mapping[str, object] = field(default_factory=dict)
    """For callers that repair: how often, after which failures. Never changes a verdict."""
    verification_policy: Mapping[str, object] = field(default_factory=dict)
    """Which verifiers run: see `probatum.verification.policy`."""
    fallback_policy: Mapping[str, object] = field(default_factory=dict)
    """For callers that repair: what to do in the end. Never changes a verdict."""
    contract_markdown_path: str | None = None
    """Where the contract's words were read; not part of its content."""
    schemas: Mapping[str, JsonValue] = field(default_factory=dict)
    """Further schemas that the two may name in a ``$ref``, by their addresses; nothing is ever fetched."""

    def __post_init__(self) -> None:
        for name, value in (("task_id", self.task_id), ("version", self.version)):
            if not is_name(value):
                shown = repr(value)[:80]
                raise ValueError(
                    f"{name} is made of letters and digits with single '.', '_' or '-' between, got {shown}"
                )
        if type(self.title) is not str:
            raise ValueError("title is text")
        for name in ("input_schema", "output_schema"):
            object.__setattr__(self, name, _schema(getattr(self, name), name))
        for name in ("success_criteria", "failure_modes"):
            object.__setattr__(self, name, _texts(getattr(self, name), name))
        for name in ("retry_policy", "verification_policy", "fallback_policy", "schemas"):
            object.__setattr__(self, name, _entries(getattr(self, name), name))

        for address, schema in self.schemas.items():
            _check_address(address)
            _schema(schema, f"the schema {address!r}")

    def to_json(self) -> dict[str, JsonValue]:
        """Return the content as JSON that has a canonical form; equal contracts give equal JSON."""
        return {
            "task_id": self.task_id,
            "version": self.version,
            "title": self.title,
            "success_criteria": list(self.success_criteria),
            "failure_modes": list(self.failure_modes),
            **{name: _written(getattr(self, name)) for name in _ANY_JSON},
        }

    @classmethod
    def from_json(cls, data: object) -> ContractSpec:
        """Read back what `to_json` wrote; raises ValueError for anything else."""
        given = Shape(data, "contract").exactly(*_KEYS)
        read = {key: _read(given, key) if key in _ANY_JSON else value for key, value in given.raw_object().items()}
        spec = cls(**read)  # type: ignore[arg-type]  # the value itself refuses what has the wrong type
        if spec.to_json() != data:
            raise ValueError("a contract that is not spelt as probatum writes it")
        return spec


_ANY_JSON: Final = (
    *("input_schema", "output_schema", "retry_policy", "verification_policy", "fallback_policy", "schemas"),
)
_KEYS: Final = (*_ANY_JSON, "task_id", "version", "title", "success_criteria", "failure_modes")


def _check_address(address: str) -> None:
    parts = urlsplit(address)
    if not parts.scheme or not address.isascii() or address != address.strip() or len(address) > MAX_ADDRESS:
        raise ValueError(f"a schema's address is a whole one, as in 'https://example.com/a.json', got {address[:80]!r}")
    if parts.fragment or "#" in address:
        raise ValueError(f"a schema's address has no fragment, got {address[:80]!r}")


def _schema(value: object, name: str) -> object:
    if type(value) is not bool and not isinstance(value, dict):
        came = "list" if isinstance(value, list) else type(value).__name__
        raise ValueError(f"{name} is a JSON Schema (an object, or true or false), got {came}")
    return _frozen_json(value, name)


def _entries(value: object, name: str) -> object:
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} is an object, got {type(value).__name__}")
    return _frozen_json(value if isinstance(value, dict) else dict(value), name)


def _texts(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(type(text) is str for text in value):
        raise ValueError(f"{name} is a list of texts")
    return tuple(value)


def _frozen_json(value: object, name: str) -> object:
    try:
        # Before the encoder, which gives up at a depth of its own in every Python.
        if is_deeper(value, MAX_DEPTH + 1):
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
        json.dumps(value, allow_nan=False).encode("utf-8")
        count = _counted(value, 0)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{name} is not JSON: {str(error)[:120]}") from error
    if count > MAX_VALUES:
        raise ValueError(f"{name} has more than {MAX_VALUES:,} values")
    return freeze(value)


def _counted(value: object, depth: int) -> int:
    """Return how many values are in a value, itself included; raises ValueError for what is not JSON."""
    if depth > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, dict):
        for key in value:
            if type(key) is not str:
                raise ValueError(f"a key is a {type(key).__name__}; JSON keys are strings")
        return 1 + sum([_counted(item, depth + 1) for item in value.values()])
    if isinstance(value, list):
        return 1 + sum([_counted(item, depth + 1) for item in value])
    if isinstance(value, tuple):
        raise TypeError("a tuple is not JSON")
    return 1


def _written(value: object) -> JsonValue:
    """Return JSON as it is; where a number has no canonical form, as the text that spells it."""
    plain: JsonValue = thaw(value)  # type: ignore[assignment]  # checked when the contract was made
    try:
        require_json(plain)
    except ValueError:
        return {_EXACT: json.dumps(plain, allow_nan=False, sort_keys=True, separators=(",", ":"))}
    return {_EXACT: json.dumps(plain, sort_keys=True)} if isinstance(plain, dict) and set(plain) == {_EXACT} else plain


def _read(contract: Shape, key: str) -> object:
    value = contract.raw(key)
    if isinstance(value, dict) and set(value) == {_EXACT}:
        return read_json(contract.member(key).text(_EXACT), depth=DEEPEST)
    return value
