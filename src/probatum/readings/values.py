"""What a reading is: one statement said as a clause, by a reader, until somebody accepts it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from probatum.core.digest import digest_of


class ReadingKind(StrEnum):
    """What a clause says about a call."""

    RESULT = "result"
    """An expression over parameters (their values before the call) and ``result`` that holds after every legal call."""
    RAISES = "raises"
    """An expression over parameters; where it holds, the named exception is due and no other clause applies."""
    REQUIRES = "requires"
    """An expression over parameters; what lies outside of it is never held against a program."""
    EFFECT = "effect"
    """Like ``result``, with ``NAME__after`` for an argument after the call."""
    SESSION = "session"
    """A short program that ends in ``assert``, for objects."""
    NARRATIVE = "narrative"
    """The words say nothing about behaviour; there is no clause."""


class Standing(StrEnum):
    """Who vouches for a reading."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of one statement, or of a part of one."""

    statement: str
    """Quoted verbatim, up to white space."""
    kind: ReadingKind
    clause: str = ""
    """Empty where the statement could not be put into code, and for narrative."""
    exception: str = ""
    """Of ``raises``: the name of what is due."""
    confidence: float = 0.0
    """The reader's own, 0 to 1."""
    standing: Standing = Standing.PROPOSED
    by: str = ""
    """Who accepted or rejected it."""
    on: str = ""
    """When, as an ISO date."""
    digest: str = ""
    """Of the statements that it quotes from, as they were when it was added; empty where nobody noted it."""
    key: str = ""
    """Of a signed acceptance: the id of the key; empty where it is not signed."""
    signature: str = ""
    """Of a signed acceptance: the signature over all that it is about, as base64url, see `acceptances.content_of`."""

    def proposed(self) -> Reading:
        """Return it as it is before anybody accepts or rejects it."""
        return replace(self, standing=Standing.PROPOSED, by="", on="", key="", signature="")

    @property
    def check(self) -> str:
        """How it is tried: ``python``, ``session``, or ``narrative`` where it is not."""
        if self.kind is ReadingKind.NARRATIVE:
            return "narrative"
        return "session" if self.kind is ReadingKind.SESSION else "python"


@dataclass(frozen=True, slots=True)
class ReadingRecord:
    """Everything that one reader wrote about one function; helpers and inputs belong to all of its readings."""

    function: str
    """Its qualified name; a class for sessions."""
    readings: tuple[Reading, ...]
    reader: str = ""
    """The model, agent or person who read the documentation."""
    helpers: str = ""
    """Python that clauses may call: imports of the standard library and pure functions."""
    reference: str = ""
    """A function ``expected`` with the same parameters, where the documentation determines the result; may be empty."""
    inputs: tuple[str, ...] = ()
    """Legal calls as source of argument tuples, such as ``"('a', 2)"``."""
    signature: str = ""
    """Digest of the signature as it was when the record was added; empty where nobody noted it."""

    def is_about(self, name: str) -> bool:
        """Tell whether it is about what has this name, or about a member of that."""
        return is_part(self.function, name)

    def id_of(self, reading: Reading) -> str:
        """Return the id of one of its readings: ``r`` and eight hexadecimal digits, the same as long as its text is."""
        parts = (self.function, self.reader, reading.statement, reading.kind.value, reading.clause, reading.exception)
        digest = digest_of("\0".join(parts).encode("utf-8", "surrogatepass"))
        return f"r{digest.removeprefix('sha256:')[:8]}"


def is_part(name: str, whole: str) -> bool:
    """Tell whether a qualified name is that of a whole, or of a member of it."""
    return name == whole or name.startswith(f"{whole}.")
