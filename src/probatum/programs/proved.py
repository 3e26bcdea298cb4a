"""Whether what a record holds is known for every legal input: then a function is proved, and not only tested.

Refuses whatever rests on more than that: a check in the program's own process, a given test, an earlier version, a law,
a reading that nobody accepted, a statement that is tolerated, and one clause that is not among the established ones.
"""

from __future__ import annotations

from dataclasses import replace

from probatum.programs.established import Established, EstablishedBy
from probatum.programs.record import CheckKind, CheckRecord, CheckState, FunctionRecord
from probatum.programs.specification import Origin


def proved_by(record: FunctionRecord) -> tuple[EstablishedBy, ...]:
    """Return by what everything that decides is known for every legal input, nothing where it is not."""
    known = frozenset(clause for each in record.established for clause in each.clauses)
    if not record.established or record.rests_on_proposals or record.is_shared or record.open_statements:
        return ()
    deciding = [c for c in record.checks if c.state is CheckState.HOLDS and c.origin is not Origin.MODEL]
    if not all(_is_known(each, known) for each in deciding):
        return ()
    # What a reading requires limits the others, and is said of no call by itself.
    said = [each for each in record.readings if each.said and not each.said.startswith("requires ")]
    return () if any(each.id not in known for each in said) else tuple(each.by for each in record.established)


def asked_about(record: FunctionRecord) -> frozenset[str]:
    """Return the ids of the clauses that the checks of a record ask about."""
    return frozenset(clause for check in record.checks for clause in clauses_of(check))


def with_established(record: FunctionRecord, found: tuple[Established, ...]) -> FunctionRecord:
    """Return the record with what is known about all inputs, as far as its checks ask about each clause of that."""
    asked = asked_about(record)
    return replace(record, established=tuple(each for each in found if asked.issuperset(each.clauses)))


def _is_known(check: CheckRecord, known: frozenset[str]) -> bool:
    if check.kind is CheckKind.EXAMPLE:
        return True
    return bool(clauses := clauses_of(check)) and clauses <= known


def clauses_of(check: CheckRecord) -> frozenset[str]:
    """Return the ids of the clauses that a check asks about one call, none where it asks none."""
    if check.kind is CheckKind.PROPERTY:
        return frozenset({check.id.partition(".")[0]})
    told = check.inputs.get("readings") if check.kind is CheckKind.READING and isinstance(check.inputs, dict) else None
    return frozenset(map(str, told)) if isinstance(told, list) else frozenset()
