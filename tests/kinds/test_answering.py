"""What a reader answers to a card: every form of a clause, of inputs and of parts, and what is refused."""

from __future__ import annotations

import pytest

from probatum.kinds.program.answering import CardAnswer, read_answer
from probatum.kinds.program.asking import sentences_of
from probatum.programs.loading import read_source
from probatum.programs.source import Source
from probatum.programs.statements.documented import of_function
from probatum.programs.units import readable_units
from probatum.readings.refusals import Why
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from probatum.sandbox import Program

TEXT = '''class Box:
    """A box of things."""

    def __init__(self, size: int) -> None:
        self._size = size

    def fits(self, thing: str, margin: int = 0) -> bool:
        """Tell whether a thing fits."""
        return len(thing) + margin <= self._size

    def empty(self) -> None:
        """Take everything out."""


def clamp(x: int, low: int) -> int:
    """Return x, and at least low."""
    return max(x, low)


def cut(text: str, width: int = 8, *, mark: str = "-") -> str:
    """Return the text, cut."""
    return text[:width] + mark


def one(xs: list[int]) -> int:
    """Return the first."""
    return xs[0]
'''
FUNCTION, KIND = "clamp", ReadingKind


def _read(answer: object, name: str = FUNCTION, own: tuple[ReadingRecord, ...] = (), reader: str = "m") -> CardAnswer:
    """Read an answer whose sentences are called by their numbers alone."""
    source = read_source(Program(TEXT.encode()))
    assert isinstance(source, Source)
    [unit] = readable_units(source.module, name)
    ids = {each.id.partition("-")[0]: each.id for each in sentences_of(unit, ())}
    told = {ids.get(key, key): value for key, value in answer.items()} if isinstance(answer, dict) else answer
    return read_answer(told, unit, of_function(name, source.module.functions)[1:], own, reader)


CLAUSES = {
    "a result": ("result >= low", KIND.RESULT, "result >= low", ""),
    "a result with its prefix": ("result: result >= low", KIND.RESULT, "result >= low", ""),
    "a lambda has a colon": ("(lambda a: a)(result) >= low", KIND.RESULT, "(lambda a: a)(result) >= low", ""),
    "an effect": ("effect: x__after == x", KIND.EFFECT, "x__after == x", ""),
    "a requirement": ("requires:low >= 0", KIND.REQUIRES, "low >= 0", ""),
    "an exception": ("raises ValueError: x < low", KIND.RAISES, "x < low", "ValueError"),
    "an exception of a module": ("raises app.NoneError: x < low", KIND.RAISES, "x < low", "app.NoneError"),
    "a session in one line": ("session: assert clamp(1, 2) == 2", KIND.SESSION, "assert clamp(1, 2) == 2", ""),
    "a session in lines": (
        "session:\nfor n in (1, 2):\n    assert n",
        KIND.SESSION,
        "for n in (1, 2):\n    assert n",
        "",
    ),
    "no behaviour": (" - ", KIND.NARRATIVE, "", ""),
}


@pytest.mark.parametrize("name", CLAUSES)
def test_a_clause_has_its_kind_as_a_prefix(name: str) -> None:
    written, kind, clause, exception = CLAUSES[name]
    read = _read({"s1": written})
    [record] = read.records
    assert record.readings == (Reading("Return x, and at least low.", kind, clause, exception),)
    assert read.refused == {}


REFUSED = {
    "a number": (3, "wrong_shape"),
    "nothing": (None, "wrong_shape"),
    "an empty text": ("  ", "wrong_shape"),
    "a kind without a clause": ("effect:", "wrong_shape"),
    "an object in an object": ({"Return x,": {"x": "y"}}, "wrong_shape"),
    "a number in a list": (["result == 1", 2], "wrong_shape"),
    "a clause and nothing said": (["result == 1", "?"], "part_open"),
    "a clause and no behaviour": (["-", "result == 1"], "part_open"),
    "too long": ("result == " + "1" * 20_001, "wrong_shape"),
    "a lone surrogate": ("result == '\ud800'", "wrong_shape"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_clause_is_refused_by_its_sentence(name: str) -> None:
    value, code = REFUSED[name]
    read = _read({"s1": value})
    [[why]] = read.refused.values()
    assert isinstance(why, Why)
    assert why.code == code
    assert read.records == ()


def test_a_list_has_several_clauses_and_an_object_their_words() -> None:
    [record] = _read({"s1": ["result >= low", "result >= x"]}).records
    assert [each.clause for each in record.readings] == ["result >= low", "result >= x"]
    read = _read(
        {"s1": {"Return x,": "result >= x", "and": "-", "at least low.": ["result >= low", "result in (x, low)"]}}
    )
    assert [each.statement for each in read.records[0].readings] == ["Return x,", "and", *["at least low."] * 2]


def test_what_cannot_be_said_is_told() -> None:
    read = _read({"s1": "?"})
    assert (read.records, [each[:2] for each in read.not_said]) == ((), ["s1"])


@pytest.mark.parametrize(("name", "code"), [("s1-0000", "stale"), ("s9-1234", "unknown_id"), ("x", "unknown_id")])
def test_another_id_is_refused_and_a_changed_sentence_told(name: str, code: str) -> None:
    [[why]] = _read({name: "result >= low"}).refused.values()
    assert why.code == code
    assert (why.values.get("now") == "Return x, and at least low.") is (code == "stale")


def test_clauses_about_a_method_are_its_own_and_sessions_those_of_the_class() -> None:
    answer = {
        "s1": "-",
        "fits.s1": ["result == (len(thing) <= 3)", "session: assert Box(1).fits('a')"],
        "inputs": {"__init__": ["(2,)"], "fits": ["(Box(3), 'abc')"], "empty": [["a"]]},
    }
    records = {each.function: each for each in _read(answer, "Box").records}
    assert [each.kind for each in records["Box"].readings] == [KIND.NARRATIVE, KIND.SESSION]
    assert [each.kind for each in records["Box.fits"].readings] == [KIND.RESULT]
    assert {name: each.inputs for name, each in records.items()} == {
        "Box": ("(2,)",),
        "Box.fits": ("(Box(3), 'abc')",),
        "Box.empty": ("('a', )",),
    }


INPUTS = {
    "a tuple": ("one", "([1],)", "([1],)"),
    "the one argument": ("one", "[1, 2]", "([1, 2],)"),
    "a call": ("clamp", "clamp(1, 2)", "(1, 2, )"),
    "a list of arguments": ("clamp", [1, 2], "(1, 2, )"),
    "two arguments without brackets": ("clamp", "1, 2", "1, 2"),
    "no Python": ("one", "[1", "[1"),
    "a name": ("cut", "('a', width=2)", "('a', 2, )"),
    "a name behind a default": ("cut", "('a', mark='')", "('a', 8, '', )"),
    "a call with names": ("cut", "cut(text='a', mark='')", "('a', 8, '', )"),
    "a name that is none": ("cut", "('a', wide=2)", "('a', wide=2)"),
}


@pytest.mark.parametrize("name", INPUTS)
def test_inputs_are_understood_in_several_forms(name: str) -> None:
    function, given, meant = INPUTS[name]
    [record] = _read({"inputs": [given]}, function).records
    assert record.inputs == (meant,)


def test_what_belongs_to_all_clauses_stays_where_an_answer_has_none() -> None:
    own = (
        ReadingRecord("clamp", (), "m", "import math", "", ("(1, 2)",)),
        ReadingRecord("clamp", (), "other", "import re"),
    )
    [record] = _read({"s1": "result >= low", "inputs": ["(3, 4)"]}, own=own).records
    assert (record.helpers, record.inputs) == ("import math", ("(1, 2)", "(3, 4)"))
    [joined] = _read({"s1": "result >= low", "helpers": "LOW = 1"}, own=own).records
    assert joined.helpers == "import math\nLOW = 1"
    [anew] = _read({"s1": "result >= low", "helpers": "import math as math"}, own=own).records
    assert anew.helpers == "import math as math"
    [other] = _read({"s1": "result >= low"}, own=own, reader="a third").records
    assert (other.helpers, other.inputs) == ("", ())


@pytest.mark.parametrize("answer", [[], "text", None, 3])
def test_an_answer_that_is_no_object_is_refused_whole(answer: object) -> None:
    read = _read(answer)
    assert [why.code for whys in read.refused.values() for why in whys] == ["wrong_shape"]
