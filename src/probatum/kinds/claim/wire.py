"""How a claim comes in: from a command line, where ``@FILE`` stands for what a file holds, and from a request line.

Refuses an engine that nobody knows, what it does not take, and a number that reading would change. A request line names
no file.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Final

from probatum.core.canonical import canonical_bytes
from probatum.core.command import STANDARD_INPUT, Given
from probatum.core.errors import BudgetError, NotAttemptedError, UsageError
from probatum.core.frozen import frozen_dict
from probatum.core.json_text import exact_number, read_json
from probatum.core.ports import SourceReader
from probatum.core.shape import Shape
from probatum.exact.claim import ExactClaim
from probatum.exact.engines import Input, engine_named, require_inputs
from probatum.kinds.claim.request import MAX_CLAIM_BYTES, ClaimRequest, claim_request
from probatum.verification.kind import RequestLine

ENGINE: Final = "engine"
STATEMENT: Final = "statement"
_FILE: Final = "@"
_SHOWN: Final = 60


def commanded(given: Given, sources: SourceReader) -> ClaimRequest:
    """Return what a command line asks for.

    Raises UsageError where it makes no sense or names nothing, NotAttemptedError for a file that is not text,
    BudgetError for one that is too large.
    """
    entry = engine_named(given.text(ENGINE) or "")
    known = {each.name: each for each in entry.inputs}
    words, found = list[str](), dict[str, object]()
    for name in given.options:
        if name in (ENGINE, "store"):
            continue
        if name not in known:
            # Refused below, with what the engine takes.
            found[name] = ""
            continue
        taken = known[name]
        told = given.texts(name) if taken.is_repeated else (given.text(name) or "",)
        words += [word for each in told for word in (f"--{name}", each)]
        values = [_value(taken, each, sources) for each in told]
        found[name] = values if taken.is_repeated else values[0]
    statement = _text(f"@{given.subject}" if given.subject == STANDARD_INPUT else given.subject, sources, STATEMENT)
    is_like_an_option = given.subject.startswith("-") and given.subject != STANDARD_INPUT
    repeated = (entry.name, *words, "--", given.subject) if is_like_an_option else (entry.name, given.subject, *words)
    return claim_request(_claim(entry.name, statement, found), named(statement), repeated)


def requested(line: RequestLine) -> ClaimRequest:
    """Return what a request line asks for; raises as `commanded` does."""
    if line.inexact:
        raise UsageError("request.invalid", line.inexact, "Write the number as text.")
    return claim_request(claim_of(line.fields), line.id)


def claim_named(engine: str, statement: str, given: Mapping[str, object]) -> ClaimRequest:
    """Return what a Python caller asks for; raises as `commanded` does."""
    return claim_request(_claim(engine, statement, given), named(statement))


def claim_of(fields: object) -> ExactClaim:
    """Return the claim that JSON states: engine, statement and what is given; raises UsageError where it is none."""
    shape = Shape(fields)
    given = {name: value for name, value in shape.raw_object().items() if name not in ("id", "kind", ENGINE, STATEMENT)}
    try:
        engine, statement = shape.text(ENGINE), shape.text(STATEMENT)
    except ValueError as error:
        raise UsageError("request.invalid", f"A claim has an engine and a statement, as text: {error}.") from error
    return _claim(engine, statement, given)


def demanded_claim(path: str, sources: SourceReader) -> ExactClaim:
    """Return the claim in a JSON file; raises UsageError where there is none."""
    content = sources.read_whole(path, MAX_CLAIM_BYTES, "claim")
    try:
        return claim_of(read_json(content, MAX_CLAIM_BYTES, fraction=exact_number))
    except ValueError as error:
        raise UsageError("request.invalid", f"{path} does not hold a claim as JSON: {error}.") from error
    except BudgetError as error:
        raise UsageError("request.invalid", f"{path} cannot be read. {error.sentence}", error.hint) from error


def _claim(engine: str, statement: str, given: Mapping[str, object]) -> ExactClaim:
    try:
        claim = ExactClaim(engine, statement, frozen_dict(given))
        canonical_bytes(claim.to_json())
    except (TypeError, ValueError) as error:
        raise UsageError("request.invalid", f"What is given with a claim must be JSON: {error}.") from error
    require_inputs(claim)
    return claim


def _value(taken: Input, told: str, sources: SourceReader) -> str:
    if not taken.is_binary:
        return _text(told, sources, taken.name)
    return b64encode(_read(told.removeprefix(_FILE), sources, taken.name)).decode("ascii")


def _text(told: str, sources: SourceReader, name: str) -> str:
    if not told.startswith(_FILE):
        return told
    try:
        return _read(told.removeprefix(_FILE), sources, name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        sentence = f"{told.removeprefix(_FILE)} is not UTF-8 at byte {error.start}."
        raise NotAttemptedError("engine.invalid", sentence) from error


def _read(path: str, sources: SourceReader, name: str) -> bytes:
    content = sources.read(path, MAX_CLAIM_BYTES, name)
    if len(content) > MAX_CLAIM_BYTES:
        raise BudgetError("engine.too_large", f"{path} has more than {MAX_CLAIM_BYTES:,} bytes.")
    return content


def named(statement: str) -> str:
    """Return what a claim is called: what it says, on one line and not without end."""
    words = " ".join(statement.split()) or "claim"
    return words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…"
