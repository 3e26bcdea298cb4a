"""Request lines: one JSON object that asks for one verdict, as `batch` reads them.

A line with an id but otherwise unusable gets an answer of its own (``request.invalid``), so that one bad request stops
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from probatum.app.answers import Level, ProgramAnswer, ProgramRequest, parse_level
from probatum.app.identified_lines import Identified, identify, require_unambiguous
from probatum.app.imports import require_within_budget
from probatum.app.refusals import refuse, refuse_for
from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, UsageError, nearest
from probatum.core.limits import MAX_SOURCE_BYTES

if TYPE_CHECKING:
    from probatum.app.output_answers import OutputAnswer, OutputRequest

__all__ = ["Answer", "Identified", "Request", "identify", "request_of"]

PROGRAM = "program"
OUTPUT = "output"
_FIELDS = ("id", "kind", "source", "function", "contract", "tests", "against", "level", "module", "siblings")
_KINDS = (PROGRAM, OUTPUT)


Request: TypeAlias = "ProgramRequest | OutputRequest"
Answer: TypeAlias = "ProgramAnswer | OutputAnswer"


def request_of(line: Identified, level: Level) -> Request | Answer:
    """Return what the line asks for, at this level unless it names one; or the answer that refuses it."""
    if line.fields.get("kind") == OUTPUT:
        # Deferred, so that commands which judge no output need not load what does.
        from probatum.app.output_requests import output_request

        return output_request(line)
    try:
        require_unambiguous(line)
        return _parsed(line.fields, line.id, level)
    except UsageError as error:
        return refuse(line.id, Outcome.NOT_ATTEMPTED, "request.invalid", error.sentence, error.hint)
    except BudgetError as error:
        return refuse_for(line.id, error)


def _parsed(fields: Mapping[str, object], name: str, level: Level) -> ProgramRequest | ProgramAnswer:
    kind = fields.get("kind")
    if kind not in _KINDS:
        raise UsageError("request.invalid", f"Unknown kind {kind!r}; expected {' or '.join(_KINDS)}.")
    for key in fields:
        if key not in _FIELDS:
            raise UsageError("request.invalid", f"Unknown field {key!r}.", nearest(key, _FIELDS))
    source = _bytes(fields, "source")
    if source is None:
        raise UsageError("request.invalid", "A request of kind 'program' needs 'source'.")
    asked = _text(fields, "level")
    tests, against = _bytes(fields, "tests"), _bytes(fields, "against")
    siblings = _siblings(fields)
    modules = [content for _, content in siblings]
    if max(len(content or b"") for content in (source, tests, against, *modules)) > MAX_SOURCE_BYTES:
        reason = f"A source of this request is larger than {MAX_SOURCE_BYTES:,} bytes."
        return refuse(name, Outcome.UNDECIDED, "program.too_large", reason)
    require_within_budget(dict(siblings))
    return ProgramRequest(
        source=source,
        name=_file_name(fields) or name,
        function=_text(fields, "function"),
        contract=_text(fields, "contract"),
        tests=tests,
        against=against,
        level=level if asked is None else parse_level(asked),
        siblings=siblings,
        module=_text(fields, "module") or "",
    )


def _file_name(fields: Mapping[str, object]) -> str:
    """Return the path that the program's module has in its project, or nothing."""
    dotted = _text(fields, "module")
    return "" if dotted is None else f"{_importable(dotted, 'module').replace('.', '/')}.py"


def _importable(dotted: str, key: str) -> str:
    if not all(part.isidentifier() for part in dotted.split(".")):
        raise UsageError("request.invalid", f"{key!r} names a module {dotted!r}, which cannot be imported.")
    return dotted


def _siblings(fields: Mapping[str, object]) -> tuple[tuple[str, bytes], ...]:
    """Return the modules beside the program by dotted name, in order of name."""
    modules = fields.get("siblings")
    if modules is None:
        return ()
    if not isinstance(modules, dict):
        raise UsageError("request.invalid", f"'siblings' must be an object, got {type(modules).__name__}.")
    read: list[tuple[str, bytes]] = []
    for dotted in sorted(modules):
        read.append((_importable(dotted, "siblings"), _bytes(modules, dotted) or b""))
    return tuple(read)


def _text(fields: Mapping[str, object], key: str) -> str | None:
    value = fields.get(key)
    if value is None or isinstance(value, str):
        return value
    raise UsageError("request.invalid", f"{key!r} must be text, got {type(value).__name__}.")


def _bytes(fields: Mapping[str, object], key: str) -> bytes | None:
    text = _text(fields, key)
    try:
        return None if text is None else text.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError("request.invalid", f"{key!r} holds a lone surrogate, which no file can hold.") from None
