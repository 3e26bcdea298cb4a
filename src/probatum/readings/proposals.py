"""What becomes of readings that somebody hands in, and of those that a person accepts or rejects.

Whoever hands readings in proposes: an acceptance that comes with them does not count. Refuses, with the reason, a
reading of a function that is not there, words that are not in the documentation, and code outside of the subset; what
is left is added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from probatum.core.canonical import JsonValue
from probatum.core.errors import nearest
from probatum.readings.documented import Documentation, Documents
from probatum.readings.lapses import lapses, noted, places
from probatum.readings.policies import standing_for
from probatum.readings.refusals import Why
from probatum.readings.rules import SubsetError
from probatum.readings.subset import (
    Around,
    refusals,
    require_input,
    require_reference,
)
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing

HELPERS, REFERENCE = "the helpers", "the reference"
"""What is refused, where it is no reading and no input."""


@dataclass(frozen=True, slots=True)
class ProposalTrial:
    """How the readings of a record are tried on the program."""

    readings: Callable[[ReadingRecord], Sequence[str]]
    """Returns for each the reason why it cannot be right, or nothing."""
    inputs: Callable[[ReadingRecord], Mapping[str, str]] = lambda _: {}
    """Returns the inputs that contradict the signature, each with the reason."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that was not added, and why."""

    function: str
    what: str
    """The words of a reading, or ``reference`` or an input."""
    reason: str
    """A `Why` where it has a code."""
    clause: str = ""
    """Of a reading, what it says."""

    def document(self) -> JsonValue:
        """Return it as JSON."""
        return {"function": self.function, "what": self.what, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Added:
    """What came of handing in records."""

    records: tuple[ReadingRecord, ...]
    """All that there are now."""
    ids: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()
    known: tuple[str, ...] = ()
    """The ids of readings that were there before."""
    open: tuple[Refused, ...] = ()
    """Statements that the reader could not put into code."""

    def joined(self, later: Added) -> Added:
        """Return what came of both, of which the later one went on from the records of this one."""
        of_both = ((getattr(self, name), getattr(later, name)) for name in ("ids", "refused", "known", "open"))
        return Added(later.records, *((*first, *second) for first, second in of_both))

    def document(self) -> dict[str, JsonValue]:
        """Return it as JSON, without the records."""
        return {
            "added": list(self.ids),
            "known": list(self.known),
            "refused": [each.document() for each in self.refused],
            "not_in_code": [each.document() for each in self.open],
        }


def added(
    records: Sequence[ReadingRecord], proposal: ReadingRecord, documents: Documents, trial: ProposalTrial | None = None
) -> Added:
    """Return the records with the readings of one more; those that lapsed give way to new ones of the same text."""
    documented = documents.about(proposal.function)
    if documented is None or documented.name != proposal.function:
        hint = nearest(proposal.function, documents.names)
        sentence = f"the file does not define {proposal.function!r}{'. ' if hint else ''}{hint}"
        why = Why("no_such_name", sentence, name=proposal.function, **({"hint": hint} if hint else {}))
        return Added(tuple(records), refused=(Refused(proposal.function, "the whole record", why),))
    proposal, dropped = _supported(proposal, documented)
    misfits = trial.inputs(proposal) if trial is not None and proposal.inputs else {}
    dropped += [Refused(proposal.function, text, reason) for text, reason in misfits.items()]
    proposal = replace(proposal, inputs=tuple(text for text in proposal.inputs if text not in misfits))
    refused, left = list(dropped), list[Refused]()
    fitting = []
    reasons = refusals(proposal, documented)
    unquoted = Why("not_quoted", "its words are not in the documentation, verbatim up to white space")
    lying = places([each.statement for each in proposal.readings], documented)
    for reading, outside, place in zip(proposal.readings, reasons, lying, strict=True):
        if reason := outside if place is not None else unquoted:
            refused.append(Refused(proposal.function, reading.statement, reason, reading.clause))
        elif not reading.clause.strip() and reading.kind is not ReadingKind.NARRATIVE:
            left.append(Refused(proposal.function, reading.statement, "it was not put into code"))
        else:
            fitting.append(reading.proposed())
    proposed = noted(replace(proposal, readings=tuple(dict.fromkeys(fitting))), documented)
    old = {each.id for record in records for each in lapses(record, documents.about(record.function))}
    known = {record.id_of(each) for record in records for each in record.readings} - old
    repeated = tuple(proposed.id_of(each) for each in proposed.readings if proposed.id_of(each) in known)
    fresh = replace(proposed, readings=tuple(each for each in proposed.readings if proposed.id_of(each) not in known))
    if trial is not None and fresh.readings:
        outcome = list(zip(fresh.readings, trial.readings(fresh), strict=True))
        refused += [Refused(fresh.function, each.statement, reason, each.clause) for each, reason in outcome if reason]
        fresh = replace(fresh, readings=tuple(each for each, reason in outcome if not reason))
    ids = tuple(fresh.id_of(each) for each in fresh.readings)
    kept = (_without(record, set(ids)) for record in records)
    return Added(gathered(kept, fresh), ids, tuple(refused), repeated, tuple(left))


def gathered(records: Iterable[ReadingRecord], more: ReadingRecord) -> tuple[ReadingRecord, ...]:
    """Return records with the readings of one more, in the one that is like it where there is one."""
    found = [record for record in records if record.readings]
    if not more.readings:
        return tuple(found)
    for index, record in enumerate(found):
        if replace(record, readings=()) == replace(more, readings=()):
            found[index] = replace(record, readings=(*record.readings, *more.readings))
            return tuple(found)
    return (*found, more)


def as_one(records: Iterable[ReadingRecord], more: ReadingRecord, inputs: Iterable[str]) -> tuple[ReadingRecord, ...]:
    """Return records where those that the reader of one proposed about its function have its helpers and these inputs.

    Where somebody accepted or rejected a reading of a record, it stays as it was.
    """
    found: tuple[ReadingRecord, ...] = ()
    further = tuple(inputs)
    for record in records:
        is_own = (record.function, record.reader) == (more.function, more.reader)
        if is_own and all(each.standing is Standing.PROPOSED for each in record.readings):
            whole = tuple(dict.fromkeys((*record.inputs, *further)))
            found = gathered(found, replace(record, helpers=more.helpers, inputs=whole))
        else:
            found = gathered(found, record)
    return found


def judged(
    records: Sequence[ReadingRecord], chosen: set[str], standing: Standing, by: str, on: str, documents: Documents
) -> tuple[ReadingRecord, ...]:
    """Return the records with the chosen readings accepted or rejected by somebody.

    What is accepted is noted as it is in the documentation now; a lapsed reading so counts again. Raises ValueError
    for an id that no reading has, for an acceptance of words that are not there any more, and for one by the reading's
    own reader.
    """
    known = {record.id_of(each) for record in records for each in record.readings}
    for each in sorted(chosen - known):
        raise ValueError(f"there is no reading {each}{'. ' if (hint := nearest(each, known)) else ''}{hint}")
    old = {each.id: each for record in records for each in lapses(record, documents.about(record.function))}
    found: tuple[ReadingRecord, ...] = ()
    for record in records:
        documented = documents.about(record.function)
        plain, renewed = list[Reading](), list[Reading]()
        for reading in record.readings:
            id_ = record.id_of(reading)
            if id_ in chosen and standing_for(record.reader, standing, by) is not standing:
                raise ValueError(f"{by} proposed the reading {id_}: somebody else has to accept it")
            judged_now = replace(reading.proposed(), standing=standing, by=by, on=on)
            changed = judged_now if id_ in chosen else reading
            is_renewed = id_ in chosen and id_ in old and standing is Standing.ACCEPTED
            if is_renewed and places([reading.statement], documented) == (None,):
                raise ValueError(f"the reading {id_} cannot be accepted: {old[id_].reason}")
            (renewed if is_renewed else plain).append(changed)
        found = gathered(found, replace(record, readings=tuple(plain)))
        if renewed and documented is not None:
            found = gathered(found, noted(replace(record, readings=tuple(renewed)), documented))
    return found


def _without(record: ReadingRecord, ids: set[str]) -> ReadingRecord:
    return replace(record, readings=tuple(each for each in record.readings if record.id_of(each) not in ids))


def _supported(proposal: ReadingRecord, documented: Documentation) -> tuple[ReadingRecord, list[Refused]]:
    """Return a record with the reference and the inputs that are in the subset, and what was left out."""
    try:
        around = Around.of(documented, proposal.helpers)
    except SubsetError as error:
        bare = replace(proposal, helpers="", reference="", inputs=())
        # Readings that need none of it may still be added.
        return bare, [Refused(proposal.function, HELPERS, error.why)]
    refused, inputs = [], []
    for text in proposal.inputs:
        try:
            require_input(text, around)
            inputs.append(text)
        except SubsetError as error:
            refused.append(Refused(proposal.function, text, error.why))
    reference = proposal.reference
    try:
        if reference.strip():
            require_reference(reference, around)
    except SubsetError as error:
        refused.append(Refused(proposal.function, REFERENCE, error.why))
        reference = ""
    return replace(proposal, inputs=tuple(inputs), reference=reference), refused
