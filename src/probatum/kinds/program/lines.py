"""Request lines of kind ``program``: a source as text, and what a command would give with it.

Refuses unknown fields, a module name that cannot be imported, and more modules than a run may have.
"""

from __future__ import annotations

from collections.abc import Mapping

from probatum.core.errors import UsageError, nearest
from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.kinds.program.acceptance import OPTION, Acceptance, acceptance_told
from probatum.kinds.program.request import ProgramRequest, evidence_of, level_of, parse_level, readings_policy_of
from probatum.kinds.program.sources import refusal, with_readings
from probatum.programs.projects.import_names import importable
from probatum.programs.projects.project import UNNAMED, imported_of, require_within_budget
from probatum.readings.recorded import reading_records
from probatum.readings.values import ReadingRecord
from probatum.verification.kind import RequestLine
from probatum.verification.observed import Refusal

_FIELDS = (
    *("id", "kind", "source", "function", "contract", "tests", "against", "refactor", "readings", "level"),
    *("module", "siblings", OPTION),
)


def program_request(line: RequestLine) -> ProgramRequest | Refusal:
    """Return what a line asks for, at the level of its defaults unless it names one.

    Raises UsageError where it makes no sense, BudgetError where it brings more modules than a run may have.
    """
    fields = line.fields
    for key in fields:
        if key not in _FIELDS:
            raise UsageError("request.invalid", f"Unknown field {key!r}.", nearest(key, _FIELDS))
    source = _bytes(fields, "source")
    if source is None:
        raise UsageError("request.invalid", "A request of kind 'program' needs 'source'.")
    level = _text(fields, "level")
    tests, against = _bytes(fields, "tests"), _bytes(fields, "against")
    siblings = _siblings(fields)
    modules = [content for _, content in siblings]
    if max(len(content or b"") for content in (source, tests, against, *modules)) > MAX_SOURCE_BYTES:
        reason = f"A source of this request is larger than {MAX_SOURCE_BYTES:,} bytes."
        return refusal(line.id, "program.too_large", reason)
    require_within_budget(dict(siblings))
    dotted = _text(fields, "module")
    module = "" if dotted is None else importable(dotted, "module")
    asked = ProgramRequest(
        content=source,
        # The path that the program's module has in its project.
        name=f"{module.replace('.', '/')}.py" if module else line.id,
        function=_text(fields, "function"),
        contract=_text(fields, "contract"),
        tests=tests,
        against=against,
        level=level_of(line.defaults) if level is None else parse_level(level),
        evidence=evidence_of(line.defaults),
        refactor=_flag(fields, "refactor", default=against is not None and line.defaults.flag("refactor")),
        readings_policy=readings_policy_of(line.defaults),
        allow_unchecked=line.defaults.flag("allow-unchecked"),
        # What it cannot import takes no part, and is no part of the proof.
        siblings=imported_of(module, source, siblings) if siblings else (),
        # What a request is called is no name of a module.
        module=module or UNNAMED,
    )
    return with_readings(asked, _acceptance(line).of(_readings(fields), None))


def _acceptance(line: RequestLine) -> Acceptance:
    """Return whose acceptance counts: what is given for all lines, else what the line says."""
    told, given = _text(line.fields, OPTION), line.defaults.text(OPTION)
    if told is not None and given is not None:
        raise UsageError("request.invalid", f"{OPTION!r} is given with --{OPTION} for all requests.")
    return acceptance_told(told if given is None else given)


def _readings(fields: Mapping[str, object]) -> tuple[ReadingRecord, ...]:
    told = fields.get("readings")
    try:
        return () if told is None else reading_records(told, "readings")
    except ValueError as error:
        raise UsageError("request.invalid", f"'readings' are not records of readings: {error}.") from None


def _siblings(fields: Mapping[str, object]) -> tuple[tuple[str, bytes], ...]:
    """Return the modules beside the program by dotted name, in order of name."""
    modules = fields.get("siblings")
    if modules is None:
        return ()
    if not isinstance(modules, dict):
        raise UsageError("request.invalid", f"'siblings' must be an object, got {type(modules).__name__}.")
    return tuple((importable(dotted, "siblings"), _bytes(modules, dotted) or b"") for dotted in sorted(modules))


def _flag(fields: Mapping[str, object], key: str, *, default: bool) -> bool:
    value = fields.get(key, default)
    if isinstance(value, bool):
        return value
    raise UsageError("request.invalid", f"{key!r} must be true or false, got {type(value).__name__}.")


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
