"""How a request to judge comes in: from a file that a command names, from a request line, from Python.

Sources can be files and folders on a command line alone: a request line opens no file. Refuses a folder that cannot be
read whole; a file in it that is no text counts as no source, and the request says which were read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from probatum.core.command import Given
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError, reason_of
from probatum.core.json_text import exact_number, read_json
from probatum.core.ports import Fetched, SourceReader
from probatum.core.subject import shown_path
from probatum.judge.request import MAX_REQUEST_BYTES, MAX_SOURCES, TrustedSource, ValidationRequest, validation_request
from probatum.kinds.judge.request import JudgeRequest
from probatum.readers.markup import visible_text
from probatum.verification.kind import RequestLine

SOURCE: Final = "source"
_REPEATED: Final = (SOURCE, "allow-source", "linter")
_OWN: Final = ("id", "kind")
_HTML: Final = ("text/html", "application/xhtml+xml")
_PAGES: Final = (".html", ".htm", ".xhtml")


def commanded(given: Given, sources: SourceReader) -> JudgeRequest:
    """Return what a command line asks for.

    Raises UsageError where it makes no sense or names nothing, NotAttemptedError for a file that is not JSON,
    BudgetError where it is too large.
    """
    fields = asked_in(given.subject, sources)
    added = [each for path in given.texts(SOURCE) for each in _read_sources(path, sources)]
    words = [word for name in _REPEATED for value in given.texts(name) for word in (f"--{name}", value)]
    name = shown_path(given.subject)
    return JudgeRequest.of(_asked(fields, added), name, (given.subject, *words))


def requested(line: RequestLine) -> JudgeRequest:
    """Return what a request line asks for; raises as `commanded` does."""
    if line.inexact:
        raise UsageError("request.invalid", line.inexact, "Write the number as text.")
    fields = {name: value for name, value in line.fields.items() if name not in _OWN}
    return JudgeRequest.of(validation_request(fields), line.id)


def asked_in(path: str, sources: SourceReader) -> Mapping[str, object]:
    """Return the fields of a request in a JSON file; raises as `commanded` does."""
    content = sources.read(path, MAX_REQUEST_BYTES, "request")
    if len(content) > MAX_REQUEST_BYTES:
        raise BudgetError("judge.too_large", f"{path} has more than {MAX_REQUEST_BYTES:,} bytes.")
    try:
        fields = read_json(content, MAX_REQUEST_BYTES, fraction=exact_number)
    except ValueError as error:
        raise NotAttemptedError("judge.unreadable", f"{shown_path(path)} is not JSON: {error}.") from error
    if not isinstance(fields, dict):
        raise NotAttemptedError("judge.unreadable", f"{shown_path(path)} holds no JSON object.")
    return {name: value for name, value in fields.items() if name not in _OWN}


def _asked(fields: Mapping[str, object], added: list[dict[str, str]]) -> ValidationRequest:
    if not added:
        return validation_request(fields)
    given = fields.get("trusted_sources") or []
    if not isinstance(given, list):
        # Refused by name below.
        return validation_request(fields)
    return validation_request({**fields, "trusted_sources": [*given, *added]})


def _read_sources(path: str, sources: SourceReader) -> Iterator[dict[str, str]]:
    if not os.path.isdir(path):
        yield _told(path, sources.read_whole(path, MAX_REQUEST_BYTES, "source"))
        return
    found = 0
    for file in _files(Path(path)):
        content = sources.read_whole(str(file), MAX_REQUEST_BYTES, "source")
        if _is_text(content):
            found += 1
            yield _told(str(file), content)
    if not found:
        raise UsageError("source.none", f"There is no text below {path!r}.", "Name files or folders with text.")


def _files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for place, folders, files in os.walk(folder, onerror=_refuse):
        folders[:] = [each for each in folders if not each.startswith(".")]
        found += [Path(place) / each for each in files if not each.startswith(".")]
        if len(found) > MAX_SOURCES:
            raise UsageError("path.too_many", f"{str(folder)!r} holds more than {MAX_SOURCES:,} files.")
    return sorted(found)


def _refuse(error: OSError) -> None:
    sentence = f"The folder {error.filename!r} cannot be listed: {reason_of(error)}."
    raise NotAttemptedError("path.unreadable", sentence) from error


def _is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False


def _told(path: str, content: bytes) -> dict[str, str]:
    if not _is_text(content):
        raise NotAttemptedError("judge.unreadable", f"The source {shown_path(path)} is not UTF-8 text.")
    media_type = _HTML[0] if path.lower().endswith(_PAGES) else ""
    return {"name": shown_path(path), "text": source_text(Fetched(content, media_type))}


def source_text(fetched: Fetched) -> str:
    """Return what a source says: of a page, what is to be seen; raises ValueError for bytes that are no text."""
    text = fetched.content.decode("utf-8-sig")
    return visible_text(text).text if fetched.media_type in _HTML else text


def fetched_source(address: str, fetched: Fetched) -> TrustedSource:
    """Return what stands at an address as a source; raises ValueError as `source_text` does."""
    return TrustedSource(address, source_text(fetched))
