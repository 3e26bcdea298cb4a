"""The statements of a program with the readings that there are of each, as a page and as JSON.

It tells what stands in files, and why a proposal may say too little. Whether a statement is checked `verify` tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from probatum.core.canonical import JsonValue
from probatum.core.messages import counted
from probatum.core.sheet import Entry, Mark, Page, Section
from probatum.programs.specification import FunctionSpec, ModuleSpec, Span, Statement
from probatum.programs.statements.documented import documents_of
from probatum.programs.units import readable_units
from probatum.readings.documented import Documents
from probatum.readings.lapses import Lapse, lapses, places
from probatum.readings.values import Reading, ReadingRecord, Standing

_NOWHERE = Span(0, 0, 0, 0)
LAPSED = "lapsed"
NONE = "none"
_STRONGEST = (Standing.ACCEPTED.value, Standing.PROPOSED.value, LAPSED, Standing.REJECTED.value)
_MARKS = {Standing.ACCEPTED.value: Mark.HOLDS, NONE: Mark.UNDECIDED, Standing.REJECTED.value: Mark.NOTE}


@dataclass(frozen=True, slots=True)
class Listed:
    """One reading, and how it stands now."""

    id: str
    reader: str
    reading: Reading
    lapse: Lapse | None
    flag: str = ""
    """Why it may say less than its words."""

    @property
    def standing(self) -> str:
        """Proposed, accepted, rejected or lapsed."""
        return self.reading.standing.value if self.lapse is None else LAPSED

    def document(self) -> dict[str, JsonValue]:
        """Return it as JSON."""
        reading = self.reading
        told: dict[str, JsonValue] = {"id": self.id, "standing": self.standing, "reader": self.reader}
        if reading.by:
            told |= {"by": reading.by, "on": reading.on, **({"key": reading.key} if reading.key else {})}
        told |= {"text": reading.statement, "kind": reading.kind.value, "clause": reading.clause}
        if reading.exception:
            told["exception"] = reading.exception
        if self.flag:
            told["flag"] = self.flag
        if self.lapse is not None:
            told["lapse"] = {"reason": self.lapse.reason, "then": self.lapse.then, "now": self.lapse.now}
        return told

    def lines(self) -> Iterator[str]:
        """Yield what a person reads of it."""
        by = f" by {self.reading.by} on {self.reading.on}" if self.reading.by else ""
        by += f", signed with {self.reading.key[:16]}" if self.reading.key else ""
        raised = f" {self.reading.exception} where" if self.reading.exception else ""
        yield f"{self.id} {self.standing}{by}: {self.reading.kind.value}{raised}"
        yield from (f"    {line}" for line in self.reading.clause.splitlines())
        if self.flag:
            yield f"    may say too little: {self.flag}"
        if self.lapse is not None:
            yield f"    {self.lapse.reason}"
            yield f"    then: {self.lapse.then}"
            yield f"    now:  {self.lapse.now or '(nothing)'}"


@dataclass(frozen=True, slots=True)
class FunctionListing:
    """What one function is documented to do, and who has read it."""

    function: FunctionSpec
    statements: tuple[tuple[Statement, tuple[Listed, ...]], ...]
    others: tuple[Listed, ...]
    """Readings of words that stand in no statement of it, any more or at all."""

    def document(self) -> dict[str, JsonValue]:
        """Return it as JSON."""
        found = {each.id: each for _, told in self.statements for each in told}
        readings = [*found.values(), *self.others]
        return {
            "function": self.function.qualname,
            "statements": [
                {
                    **{"id": statement.id, "text": statement.text, "kind": statement.kind.value},
                    **{"line": statement.span.line, "standing": _standing(told)},
                    "readings": [each.id for each in told],
                }
                for statement, told in self.statements
            ],
            "readings": [each.document() for each in readings],
        }

    def page(self, name: str, next_step: str) -> Page:
        """Return what a person reads."""
        entries = tuple(
            Entry(_mark(_standing(told)), statement.text, statement.span.line, tuple(_lines(told)))
            for statement, told in self.statements
        )
        others = tuple(
            Entry(_mark(each.standing), each.reading.statement, None, tuple(each.lines())) for each in self.others
        )
        sections = (Section("Statements", entries), Section("Readings of other words", others))
        accepted = sum(_standing(told) == Standing.ACCEPTED.value for _, told in self.statements)
        said = f"{accepted} of {counted(len(self.statements), 'statement')} with an accepted reading."
        kept = tuple(each for each in sections if each.entries)
        closing = (("Next", next_step),) if next_step else ()
        return Page("LISTED", Mark.NOTE, f"{name}::{self.function.qualname}", (said,), kept, closing)


def listing(
    module: ModuleSpec,
    name: str | None,
    records: Sequence[ReadingRecord],
    contract: str | None,
    flags: Mapping[str, str],
) -> tuple[FunctionListing, ...]:
    """Return what each function is documented to do; with those that are gone, whose readings all lapsed.

    ``flags`` has by the id of a reading why it may say too little.
    Raises UsageError for a name that the file does not define.
    """
    units = readable_units(module, name, contract)
    documents = documents_of(module, units)
    gone = {each.function for each in records} - {each.qualname for each in module.functions} if name is None else set()
    missing = (FunctionSpec(each, "function", _NOWHERE) for each in sorted(gone))
    asked = {each.function for each in records} - gone
    asked -= {each.qualname for each in units}
    others = [each for each in module.functions if each.qualname in asked and name is None]
    return tuple(_listed(each, documents, records, flags) for each in (*units, *others, *missing))


def _listed(
    function: FunctionSpec, documents: Documents, records: Sequence[ReadingRecord], flags: Mapping[str, str]
) -> FunctionListing:
    listed = []
    documented = documents.about(function.qualname)
    for record in records:
        if record.function == function.qualname:
            lapsed = {each.id: each for each in lapses(record, documented)}
            for reading in record.readings:
                id_ = record.id_of(reading)
                flag = "" if id_ in lapsed else flags.get(id_, "")
                listed.append(Listed(id_, record.reader, reading, lapsed.get(id_), flag))
    statements = {each.id: (each, list[Listed]()) for each in function.words}
    others = []
    lying = places([each.reading.statement for each in listed], documented)
    for each, place in zip(listed, lying, strict=True):
        quoted = [statement.id for statement in place or () if statement.id in statements]
        for id_ in quoted:
            statements[id_][1].append(each)
        others += [] if quoted else [each]
    pairs = ((statement, tuple(told)) for statement, told in statements.values())
    return FunctionListing(function, tuple(pairs), tuple(others))


def _standing(told: Sequence[Listed]) -> str:
    found = {each.standing for each in told}
    return next((each for each in _STRONGEST if each in found), NONE)


def _mark(standing: str) -> Mark:
    return _MARKS.get(standing, Mark.UNDECIDED)


def _lines(told: Sequence[Listed]) -> Iterator[str]:
    for each in told:
        yield from each.lines()
