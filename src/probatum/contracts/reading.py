"""What a model wrote, read as JSON: every repair is reported, and what has two readings is not repaired.

Models put JSON into fences and between sentences, and leave a comma behind the last item. Those three are repaired
where only one value can be meant, each with a warning. Two values in one text are an error, and so is a value that is
broken or ends too early: no part of something broken is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.finding import Finding, Location, Severity
from probatum.core.frozen import FrozenDict
from probatum.readers.json_schema.parsing import (
    BYTE_ORDER_MARK,
    MAX_BYTES,
    NotJsonError,
    Parsed,
    decoded,
    parse,
    parse_at,
)
from probatum.readers.json_schema.paths import path_text

_FENCE_NAME: Final = re.compile(r"[\w+.-]{0,40}")
_OPENING_FENCE: Final = re.compile(r"(?:`{3,}|~{3,})[ \t]*[\w+.-]*\s*\Z")
_CLOSING_FENCE: Final = re.compile(r"\s*(?:`{3,}|~{3,})")
_BRACKET: Final = re.compile(r"[\[\]{}]")
_PROSE_GROUP: Final = re.compile(r"""[\[{][^\[\]{}":,\n]{0,200}[\]}]""")
_NEXT_ENTRY: Final = re.compile(r'\s*,\s*["\[{]')
_MAX_PROSE_GROUPS: Final = 10_000
_MAX_TOLD: Final = 100
_ONE_VALUE: Final = "Answer with one JSON value and nothing else."
_EDGE: Final = 500
"""How much of the text around a value is looked at for fences."""


@dataclass(frozen=True, slots=True)
class ReadOutput:
    """What an output says, and what had to be overlooked to read it."""

    value: JsonValue
    findings: tuple[Finding, ...] = ()

    @property
    def is_readable(self) -> bool:
        """False where the output is not JSON: ``value`` is None then and says nothing."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)


def read_output(content: bytes, max_bytes: int = MAX_BYTES) -> ReadOutput:
    """Return the value that an output holds.

    The findings are warnings for repairs and duplicate keys, or one error (``output.not_json``,
    ``output.ambiguous``) where it holds none that can be meant.

    Raises BudgetError where larger, deeper or with longer numbers than the budget allows.
    """
    told: list[Finding] = []
    text = ""
    try:
        text = decoded(content, max_bytes)
        if text.startswith(BYTE_ORDER_MARK):
            text = text[1:]
            told.append(_warning("output.byte_order_mark", "The output begins with a byte order mark; it was skipped."))
        try:
            parsed = parse(text)
        except NotJsonError as flaw:
            parsed = _repaired(text, flaw, told)
    except _AmbiguousError as error:
        return ReadOutput(None, (*told, _ambiguous(text, error)))
    except NotJsonError as flaw:
        return ReadOutput(None, (*told, _not_json(text, flaw)))
    return ReadOutput(parsed.value, (*told, *_duplicates(parsed)))


class _AmbiguousError(Exception):
    """Two values stand in one text; ``position`` is where the second begins."""

    def __init__(self, position: int) -> None:
        super().__init__()
        self.position = position


def _repaired(text: str, flaw: NotJsonError, told: list[Finding]) -> Parsed:
    """Return the one value that a text can mean, and tell what was overlooked; raises for none or several."""
    if not text.strip():
        raise NotJsonError("the output is empty")
    fenced = _inside_fence(text.strip())
    if fenced is not None:
        try:
            parsed = parse(fenced, allow_trailing_commas=True)
        except NotJsonError:
            pass
        else:
            told.append(_FENCED)
            return _commas_told(parsed, told)
    try:
        parsed, begin, end = _only_value(text, flaw)
    except NotJsonError as inner:
        raise (inner if inner.position else flaw) from None
    if begin == 0 and not text[end:].strip():
        return _commas_told(parsed, told)
    before, after = text[:begin], text[end:]
    opening = _OPENING_FENCE.search(before[-_EDGE:])
    if opening is not None:
        told.append(_FENCED)
        before = before[: len(before) - len(opening.group())]
        closing = _CLOSING_FENCE.match(after)
        after = after[closing.end() :] if closing else after
    if before.strip() or after.strip():
        told.append(_prose(before.strip(), after.strip()))
    return _commas_told(parsed, told)


def _inside_fence(text: str) -> str | None:
    """Return what stands in a fence that is the whole text; None where the text is none."""
    mark = text[:3]
    line_end = text.find("\n")
    if mark not in {"```", "~~~"} or line_end < 0 or not text.endswith(mark) or line_end > len(text) - 3:
        return None
    name = text[:line_end].lstrip(mark[0]).strip()
    return text[line_end:].rstrip(mark[0]) if _FENCE_NAME.fullmatch(name) else None


def _only_value(text: str, flaw: NotJsonError) -> tuple[Parsed, int, int]:
    """Return the one list or object in a text, with its begin and end."""
    found: tuple[Parsed, int, int] | None = None
    position = groups = 0
    while (bracket := _BRACKET.search(text, position)) is not None:
        begin = bracket.start()
        # "[1]" is a value; "[see below]" is prose that happens to have brackets.
        prose = _PROSE_GROUP.match(text, begin)
        if prose is not None and not _is_json(prose.group()):
            groups += 1
            if groups > _MAX_PROSE_GROUPS:
                raise NotJsonError("too many brackets around a value", begin)
            position = prose.end()
            continue
        if bracket.group() in "]}":
            raise NotJsonError("a bracket closes that never opened", begin)
        parsed, end = parse_at(text, begin, allow_trailing_commas=True)
        if found is not None:
            raise _AmbiguousError(begin)
        if _is_behind_key(text[:begin]) or _NEXT_ENTRY.match(text, end):
            raise NotJsonError("the value is a part of something that does not begin or end", begin)
        found = parsed, begin, end
        position = end
    if found is None:
        raise flaw
    return found


def _is_behind_key(before: str) -> bool:
    key, colon, space = before.rpartition(":")
    return bool(colon) and not space.strip() and key.rstrip().endswith('"')


def _is_json(text: str) -> bool:
    try:
        parse(text)
    except NotJsonError:
        return False
    return True


def _commas_told(parsed: Parsed, told: list[Finding]) -> Parsed:
    count = parsed.trailing_commas
    if count:
        where = "trailing commas were" if count > 1 else "trailing comma was"
        told.append(_warning("output.trailing_comma", f"{count} {where} skipped."))
    return parsed


def _prose(before: str, after: str) -> Finding:
    where = "before and after" if before and after else "before" if before else "after"
    message = f"There is text {where} the JSON; it was skipped."
    return _warning("output.text_around", message, before=before[:80], after=after[:80])


def _duplicates(parsed: Parsed) -> list[Finding]:
    told = [
        _warning("output.duplicate_key", f"{path} is given twice; the last one counts.", path=path)
        for path in map(path_text, parsed.duplicates[:_MAX_TOLD])
    ]
    beyond = len(parsed.duplicates[_MAX_TOLD:]) + parsed.duplicates_beyond
    if beyond:
        told.append(_warning("output.duplicate_key", f"… and {beyond} more keys are given twice."))
    return told


def _not_json(text: str, flaw: NotJsonError) -> Finding:
    location = None if flaw.position is None else _location(text, flaw.position)
    place = f"line {location.line}, column {location.column + 1}" if text and location is not None else ""
    inside = f" (in {path_text(flaw.steps)})" if flaw.steps else ""
    message = f"The output is not JSON: {flaw.reason}{f' at {place}' if place else ''}{inside}."
    return Finding(Severity.ERROR, "output.not_json", message, location, _ONE_VALUE)


def _ambiguous(text: str, error: _AmbiguousError) -> Finding:
    location = _location(text, error.position)
    message = f"The output holds more than one JSON value; a second one begins in line {location.line}."
    return Finding(Severity.ERROR, "output.ambiguous", message, location, _ONE_VALUE)


def _location(text: str, position: int) -> Location:
    line_begin = text.rfind("\n", 0, position) + 1
    return Location(text.count("\n", 0, position) + 1, position - line_begin)


def _warning(kind: str, message: str, **evidence: object) -> Finding:
    return Finding(Severity.WARNING, kind, message, evidence=FrozenDict(evidence))


_FENCED: Final = _warning("output.fenced", "The JSON is in a code fence; the fence was skipped.")
