"""What becomes of readings that are handed in, and of those that a person accepts or rejects."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.programs.extract import extract_module
from probatum.programs.statements.documented import documents_of
from probatum.readings.documented import Documents
from probatum.readings.proposals import ProposalTrial, added, judged
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing

NET = '''def net(price: int) -> int:
    """Return the price without tax. It is never negative."""
'''


def _documents(text: str) -> Documents:
    return documents_of(extract_module(text))


MODULE = _documents(NET)
GOOD = Reading("It is never negative.", ReadingKind.RESULT, "result >= 0", confidence=0.9)
RECORD = ReadingRecord("net", (GOOD,), "model-1", inputs=("(1,)",))
ON = "2026-01-31"


def _ids(records: tuple[ReadingRecord, ...], standing: Standing) -> list[str]:
    return [record.id_of(each) for record in records for each in record.readings if each.standing is standing]


def test_a_reading_is_added_as_a_proposal_and_noted() -> None:
    told = added((), replace(RECORD, readings=(replace(GOOD, standing=Standing.ACCEPTED, by="X", on=ON),)), MODULE)
    [record] = told.records
    assert told.ids == (RECORD.id_of(GOOD),)
    assert record.readings[0].standing is Standing.PROPOSED
    assert record.readings[0].by == ""
    assert record.readings[0].digest
    assert record.signature


def test_what_is_there_is_not_added_again() -> None:
    first = added((), RECORD, MODULE)
    again = added(first.records, RECORD, MODULE)
    assert (again.records, again.ids, again.known) == (first.records, (), first.ids)


def test_a_rejected_reading_is_not_added_again() -> None:
    first = added((), RECORD, MODULE)
    rejected = judged(first.records, set(first.ids), Standing.REJECTED, "Ada", ON, MODULE)
    again = added(rejected, RECORD, MODULE)
    assert (again.records, again.known) == (rejected, first.ids)


def test_a_lapsed_reading_gives_way_to_a_new_proposal() -> None:
    first = added((), RECORD, MODULE)
    accepted = judged(first.records, set(first.ids), Standing.ACCEPTED, "Ada", ON, MODULE)
    changed = _documents(NET.replace("-> int", "-> float"))
    again = added(accepted, RECORD, changed)
    assert again.ids == first.ids
    assert _ids(again.records, Standing.PROPOSED) == list(first.ids)
    assert _ids(again.records, Standing.ACCEPTED) == []


REFUSED = {
    "another function": (replace(RECORD, function="nett"), "the file does not define 'nett'. Did you mean 'net'?"),
    "other words": (
        replace(RECORD, readings=(replace(GOOD, statement="It is negative."),)),
        "its words are not in the",
    ),
    "other code": (replace(RECORD, readings=(replace(GOOD, clause="open(result)"),)), "the clause uses 'open'"),
    "helpers": (replace(RECORD, helpers="import os"), "the helper code imports 'os'"),
    "an input": (replace(RECORD, inputs=("1",)), "the input is not a tuple"),
    "a reference": (replace(RECORD, reference="def wanted(): pass"), "the reference defines no function"),
}


@pytest.mark.parametrize("row", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_tells_why(row: tuple[ReadingRecord, str]) -> None:
    record, reason = row
    told = added((), record, MODULE)
    assert told.refused[0].reason.startswith(reason)


def test_what_one_part_lacks_is_not_held_against_the_others() -> None:
    bad = replace(GOOD, clause="open(result)")
    told = added((), replace(RECORD, readings=(bad, GOOD), inputs=("1", "(1,)")), MODULE)
    assert len(told.refused) == 2
    assert told.ids == (RECORD.id_of(GOOD),)
    assert told.records[0].inputs == ("(1,)",)


def test_what_was_not_put_into_code_is_told_and_not_added() -> None:
    told = added((), replace(RECORD, readings=(replace(GOOD, clause=""),)), MODULE)
    assert (told.records, told.refused) == ((), ())
    assert [each.what for each in told.open] == [GOOD.statement]


def test_a_proposal_that_fails_its_test_is_refused() -> None:
    trial = ProposalTrial(lambda record: ["it is broken by net(1)"] * len(record.readings))
    told = added((), RECORD, MODULE, trial)
    assert [each.reason for each in told.refused] == ["it is broken by net(1)"]
    assert told.records == ()


def test_an_acceptance_bears_a_name_and_a_date() -> None:
    first = added((), RECORD, MODULE)
    [record] = judged(first.records, set(first.ids), Standing.ACCEPTED, "Ada", ON, MODULE)
    assert (record.readings[0].standing, record.readings[0].by, record.readings[0].on) == (Standing.ACCEPTED, "Ada", ON)


def test_a_lapsed_reading_that_is_accepted_counts_again() -> None:
    first = added((), RECORD, MODULE)
    changed = _documents(NET.replace("-> int", "-> float"))
    [record] = judged(first.records, set(first.ids), Standing.ACCEPTED, "Ada", ON, changed)
    assert record.signature != first.records[0].signature


@pytest.mark.parametrize(
    ("ids", "text", "said"),
    [
        ({"r12345678"}, NET, "there is no reading r12345678"),
        (
            set(),
            NET.replace("never negative", "positive"),
            "cannot be accepted: its words are not in the documentation",
        ),
    ],
)
def test_what_cannot_be_accepted(ids: set[str], text: str, said: str) -> None:
    first = added((), RECORD, MODULE)
    with pytest.raises(ValueError, match=said):
        judged(first.records, ids or set(first.ids), Standing.ACCEPTED, "Ada", ON, _documents(text))
