"""The readings file: a person reads it, a command writes it, and neither surprises the other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from probatum.core.limits import MAX_READINGS_BYTES
from probatum.readings.notebook import read_notebook, write_notebook
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing
from tests.programs.recorded import records

HELPERS = 'import re\n\ndef parts(line):\n    """The parts of a "line"."""\n    return re.split(r"\\s+", line)\n'
FIRST = Reading("A price less 20 % is never negative.", ReadingKind.RESULT, "result >= 0", confidence=0.9)
SECOND = Reading('Raises if it\'s "odd".', ReadingKind.RAISES, "price % 2 == 1 and name != 'x\"'", "ValueError")
RECORD = ReadingRecord("net_price", (FIRST, SECOND), "model-1", HELPERS, inputs=("(1, 'a')", '("it\'s",)'))


@given(some.lists(records().filter(lambda each: each.readings), max_size=3))
def test_what_is_written_is_read(told: list[ReadingRecord]) -> None:
    text = write_notebook(told)
    again = read_notebook(text.encode())
    assert sorted(again, key=repr) == sorted(told, key=repr)
    assert write_notebook(again) == text


def test_what_looks_like_a_key_within_a_text_is_none() -> None:
    inputs = ("('1.2.3.4.5',)", "('a.b.c.d.e = 1',)", '("""a.b.c.d.e""",)')
    told = replace(RECORD, inputs=inputs, helpers="# a.b.c.d.e\n")
    assert read_notebook(write_notebook([told]).encode()) == (told,)


def test_a_person_can_read_it() -> None:
    text = write_notebook([RECORD])
    assert HELPERS in text
    assert text.index(FIRST.statement) < text.index(FIRST.clause)
    assert "inputs = [\n  \"(1, 'a')\",\n" in text


def test_an_acceptance_is_one_line() -> None:
    accepted = replace(FIRST, standing=Standing.ACCEPTED, by="Ada", on="2026-01-31")
    before = write_notebook([RECORD]).splitlines()
    after = write_notebook([replace(RECORD, readings=(accepted, SECOND))]).splitlines()
    assert [line for line in after if line not in before] == ['accepted = { by = "Ada", on = 2026-01-31 }']
    assert len(after) == len(before) + 1


def test_records_stand_in_one_order() -> None:
    others = [replace(RECORD, function="f"), replace(RECORD, reader="another"), RECORD]
    assert write_notebook(others) == write_notebook(reversed(others))


def test_a_sign_that_nobody_sees_is_written_as_its_number() -> None:
    hidden = replace(RECORD, readings=(replace(FIRST, clause="result >= 0 #\u202e\u200b\x00"),))
    text = write_notebook([hidden])
    assert "\\u202E\\u200B\\u0000" in text
    assert read_notebook(text.encode()) == (hidden,)


def test_a_thousand_readings() -> None:
    many = tuple(replace(FIRST, clause=f"result >= {number}") for number in range(1_000))
    record = replace(RECORD, readings=many)
    assert read_notebook(write_notebook([record]).encode()) == (record,)


def test_a_clause_that_was_changed_is_no_longer_the_one_that_was_accepted() -> None:
    text = write_notebook([RECORD]).replace("result >= 0", "result >= -1")
    with pytest.raises(ValueError, match=r"readings\[0\]\.statements\[0\]: its text is not that of 'r"):
        read_notebook(text.encode())


ATTACKS = {
    "not UTF-8": (b"\xff", "not UTF-8 at byte 0"),
    "more bytes than are read": (b"#" * (MAX_READINGS_BYTES + 1), "more than 2,097,152 bytes"),
    "lists in lists": (b"a = " + b"[" * 100_000, "nested too deeply"),
    "tables in tables": (b"a = " + b"{b = " * 100_000, "nested too deeply"),
    "a key of many parts": (b"a." * 100_000 + b"a = 1", "more than 4 parts"),
    "a key of many parts after a text that ends in a quote": (b'a = """x""""\nb.c.d.e.f = 1', "more than 4 parts"),
    "a header of many parts": (b"[" + b'"a" . ' * 100_000 + b"a]", "more than 4 parts"),
    "a huge number": (b"a = " + b"1" * 100_000, "Exceeds the limit"),
    "a key twice": (b"readings = []\nreadings = []", "Cannot overwrite a value"),
    "a table twice": (b"[a]\n[a]", "Cannot declare"),
    "an unknown key": (b"reading = []", "unknown key 'reading' (Did you mean 'readings'?)"),
    "an unknown key of a record": (b"[[readings]]\nfunctions = 1", "readings[0]: unknown key 'functions'"),
    "a record that is none": (b"readings = [1]", "readings[0]: expected an object"),
    "statements that are none": (b"[[readings]]\nfunction = 'f'\nstatements = 1", "readings[0].statements: expected"),
    "a statement that is none": (
        b"[[readings]]\nfunction = 'f'\nstatements = [1]",
        "statements[0]: expected an object",
    ),
    "a moment for a day": (
        b"[[readings]]\nfunction = 'f'\n[[readings.statements]]\ntext = 'x'\nkind = 'result'\n"
        b"accepted = {by = 'A', on = 2026-01-31T00:00:00}",
        "readings[0].statements[0].accepted.on: expected a date",
    ),
    "the end of a text left out": (b'readings = """', "Unterminated"),
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_what_is_no_readings_file_is_refused(attack: tuple[bytes, str]) -> None:
    content, said = attack
    with pytest.raises(ValueError) as told:
        read_notebook(content)
    assert said in str(told.value)
