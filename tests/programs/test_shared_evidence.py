"""Readings about what cannot cross a process border: the program's own objects, doubles, files, arrays.

Each pair is a right program and a wrong twin under one reader's readings. The right one is verified and the wrong one
refuted where evidence is shared; apart from the program, nothing of it counts, and it is named.
"""

from __future__ import annotations

import inspect
import io
import itertools
import sys
import threading
import types
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import pytest

from probatum.core.diagnostics import DiagnosticResult
from probatum.kinds.program.request import ProgramRequest
from probatum.programs.decide import EvidencePolicy, ProgramPolicy
from probatum.programs.judging.reading_trials import tried
from probatum.programs.loading import read_source
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.source import Source
from probatum.programs.units import find_function
from probatum.proof.stores import MemoryStore
from probatum.readings.recorded import record_of
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from probatum.sandbox import Program
from probatum.sandbox.inside.asserted import Clause, results
from tests.programs.readers import asked
from tests.services import Service


def _read(function: str, inputs: list[str], *statements: tuple[str, ...]) -> dict[str, object]:
    """Return what a reader says of results and, where an exception is named, of when it is due."""
    rows = [
        {
            "text": text,
            "kind": "raises" if exception else "result",
            "clause": clause,
            **({"exception": exception[0]} if exception else {}),
        }
        for text, clause, *exception in statements
    ]
    return {"function": function, "inputs": inputs, "statements": rows}


BASKET = '''
class Basket:

    def __init__(self):
        self.lines = []

    def add(self, price, count=1):
        self.lines.append((price, count))


def total(basket: Basket, rate: int = 10) -> int:
    """Return the sum of all prices and rate percent more, rounded down."""
    return sum(price * count for price, count in basket.lines) * (100 + rate) // 100


def cheapest(baskets: list[Basket]) -> Basket:
    """Return the basket with the lowest sum of prices, the first of several."""
    return min(baskets, key=lambda each: sum(price * count for price, count in each.lines))


def found(baskets: list[Basket]) -> list[Basket]:
    """Return those that hold something."""
    return [each for each in baskets if each.lines]
'''
MADE = """def made(*prices):
    basket = Basket()
    for each in prices:
        basket.add(each)
    return basket
"""
TOTAL = {
    "function": "total",
    "helpers": MADE,
    "inputs": ["(made(1, 2, 3),)", "(made(), 5)", "(made(50, 70), 7)", "(made(9), 0)", "(made(33, 66, 1), 100)"],
    "statements": [
        {
            "text": "Return the sum of all prices and rate percent more, rounded down.",
            "kind": "result",
            "clause": "result == sum(price * count for price, count in basket.lines) * (100 + rate) // 100",
        }
    ],
}
CHEAPEST = {
    "function": "cheapest",
    "helpers": MADE,
    "inputs": ["([made(3, 4), made(5), made(2, 3)],)", "([made(1)],)", "([made(7), made(1, 1), made(9)],)"],
    "statements": [
        {
            "text": "Return the basket with the lowest sum of prices, the first of several.",
            "kind": "result",
            "clause": "result is sorted(baskets, key=lambda each: sum(price for price, _ in each.lines))[0]",
        }
    ],
}
ITEMS = '''
class Item:
    def __init__(self, price: int) -> None:
        self.price = price


def total_of(items: list[Item], fee: int = 0) -> int:
    """Return the sum of the prices of all items, and the fee."""
    return sum(each.price for each in items) + fee
'''
BORDERS_TOO = _read(
    "total_of",
    ["([],)", "([], 3)", "([Item(2), Item(3)],)", "([Item(5), Item(1)], 1)"],
    (
        "Return the sum of the prices of all items, and the fee.",
        "result == sum(each.price for each in items) + fee",
    ),
)
MADE_BY_HELPERS = {
    **BORDERS_TOO,
    "helpers": "def priced(*prices):\n    return [Item(each) for each in prices]\n",
    "inputs": ["([],)", "([], 3)", "(priced(2, 3),)", "(priced(5, 1), 1)"],
}
CAPPED = '''
class Item:
    def __init__(self, price: int) -> None:
        self.price = price


def capped(items: list[Item]) -> list[int]:
    """Return the prices, the highest first.

    Raises:
        ValueError: if one is negative.
    """
    prices = [each.price for each in items]
    if min(prices, default=0) < 0:
        raise ValueError("negative")
    return sorted(prices, reverse=True)
'''
CONDITIONS_TOO = _read(
    "capped",
    ["([],)", "([Item(2), Item(3)],)", "([Item(5), Item(1), Item(4)],)", "([Item(5), Item(-1)],)"],
    ("Return the prices, the highest first.", "result == sorted((each.price for each in items), reverse=True)"),
    ("if one is negative.", "any(each.price < 0 for each in items)", "ValueError"),
)
GAUGE = '''
class Gauge:
    def __init__(self, litres: int) -> None:
        self.litres = litres


def drawn(gauge: Gauge, amount: int) -> int:
    """Return what is left, raises LookupError if there are fewer litres than that."""
    if amount > gauge.litres:
        raise LookupError(amount)
    return gauge.litres - amount
'''
DRAWN = _read(
    "drawn",
    ["(Gauge(5), 3)", "(Gauge(5), 5)", "(Gauge(5), 6)", "(Gauge(0), 1)"],
    ("Return what is left,", "result == gauge.litres - amount"),
    ("raises LookupError if there are fewer litres than that.", "amount > gauge.litres", "LookupError"),
)
WIDTHS = '''
from dataclasses import dataclass


@dataclass
class Box:
    width: int


def widest(boxes: list[Box]) -> int:
    """Return the largest width. The boxes are not changed."""
    found = 0
    for box in boxes:
        found = max(found, box.width)
    return found
'''
LEFT_ALONE = {
    "function": "widest",
    "inputs": ["([Box(2), Box(3)],)", "([Box(5), Box(1)],)", "([],)"],
    "statements": [
        {
            "text": "Return the largest width.",
            "kind": "result",
            "clause": "result == max([each.width for each in boxes], default=0)",
        },
        {"text": "The boxes are not changed.", "kind": "effect", "clause": "boxes__after == boxes"},
    ],
}
LINES = '''
import io


def write(out: io.StringIO, lines: list[str]) -> None:
    """Write each of the lines with a line end."""
    for line in lines:
        out.write(line + "\\n")
'''
WRITTEN = {
    "function": "write",
    "inputs": [f"(__import__('io').StringIO(), {lines})" for lines in ("['a', 'b']", "['']", "['x']")],
    "statements": [
        {
            "text": "Write each of the lines with a line end.",
            "kind": "effect",
            "clause": "out__after.getvalue() == ''.join(line + chr(10) for line in lines)",
        }
    ],
}
FETCH = '''
def fetch_all(client, path: str) -> list[dict]:
    """Return the items of all pages; each answer names the next path under "next", the last one None."""
    found = []
    while path is not None:
        page = client.get(path)
        found.extend(page["items"])
        path = page["next"]
    return found
'''
PAGES = {
    "function": "fetch_all",
    "statements": [
        {
            "text": 'Return the items of all pages; each answer names the next path under "next", the last one None.',
            "kind": "session",
            "clause": """class Client:
    def __init__(self):
        self.asked = []
    def get(self, path):
        self.asked.append(path)
        last = path == '/c'
        return {'items': [{'at': path}], 'next': None if last else {'/a': '/b', '/b': '/c'}[path]}
client = Client()
assert fetch_all(client, '/a') == [{'at': '/a'}, {'at': '/b'}, {'at': '/c'}]
assert client.asked == ['/a', '/b', '/c']
assert fetch_all(Client(), '/c') == [{'at': '/c'}]""",
        }
    ],
}
SAVE = '''
import json


def save(path, settings: dict) -> None:
    """Write the settings as JSON with sorted keys."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump(settings, file, sort_keys=True)
'''
SAVED = {
    "function": "save",
    "statements": [
        {
            "text": "Write the settings as JSON with sorted keys.",
            "kind": "session",
            "clause": """save(tmp_path / 's.json', {'b': 1, 'a': [2]})
assert (tmp_path / 's.json').read_text() == '{"a": [2], "b": 1}'""",
        }
    ],
}
COUNTER = '''
class Counter:

    def __init__(self, start: int = 0) -> None:
        self.value = start

    def raised_by(self, step: int) -> int:
        """Return the value with step added."""
        return self.value + step
'''
RAISED = {
    "function": "Counter.raised_by",
    "inputs": ["(Counter(3), 4)", "(Counter(), 1)", "(Counter(-2), 2)"],
    "statements": [
        {
            "text": "Return the value with step added.",
            "kind": "session",
            "clause": "assert Counter(3).raised_by(4) == 7 and Counter(-1).raised_by(3) == 2",
        }
    ],
}
RAISED_BY_ITSELF = {
    **RAISED,
    "statements": [
        {"text": "Return the value with step added.", "kind": "result", "clause": "result == self.value + step"}
    ],
}
FOREIGN = '''
import http
import re

def status(code: int) -> http.HTTPStatus:
    """Return the status with a code, for other codes that of an error of the server."""
    found = http.HTTPStatus(500)
    for each in http.HTTPStatus:
        if each.value == code:
            found = each
    return found

def pattern(word: str) -> re.Pattern:
    """Return a pattern that matches the word alone."""
    text = ""
    for sign in word:
        text += re.escape(sign)
    return re.compile(text)
'''
STATUS = {
    "function": "status",
    "inputs": ["(404,)", "(200,)", "(1,)", "(500,)"],
    "statements": [
        {
            "text": "Return the status with a code, for other codes that of an error of the server.",
            "kind": "result",
            "clause": "repr(result).startswith('<HTTPStatus') and result in (code, 500)"
            " and (result == code) == (code in (404, 200, 500))",
        }
    ],
}
PATTERN = {
    "function": "pattern",
    "inputs": ["('a.b',)", "('a',)", "('(',)", "('x+y',)"],
    "statements": [
        {
            "text": "Return a pattern that matches the word alone.",
            "kind": "result",
            "clause": "result.fullmatch(word) is not None and result.fullmatch('axb') is None",
        }
    ],
}


class Case(NamedTuple):
    """A program, how its wrong twin differs, and readings."""

    source: str
    right: str
    wrong: str
    function: str
    reading: dict[str, object]


CASES = {
    "an argument is an object": Case(
        BASKET,
        "price * count for price, count in basket.lines",
        "price for price, _ in basket.lines[:2]",
        "total",
        TOTAL,
    ),
    "the result is an object": Case(BASKET, "return min(baskets", "return max(baskets", "cheapest", CHEAPEST),
    "some inputs are plain": Case(
        ITEMS,
        "sum(each.price for each in items)",
        "(items[-1].price if items else 0)",
        "total_of",
        BORDERS_TOO,
    ),
    "some inputs are plain, others made by helpers": Case(
        ITEMS,
        "sum(each.price for each in items)",
        "(items[-1].price if items else 0)",
        "total_of",
        MADE_BY_HELPERS,
    ),
    "some inputs are plain, and conditions are not": Case(
        CAPPED, "sorted(prices, reverse=True)", "prices", "capped", CONDITIONS_TOO
    ),
    "an exception": Case(GAUGE, "amount > gauge.litres", "amount > gauge.litres + 5", "drawn", DRAWN),
    "objects are left alone": Case(
        WIDTHS, "    return found", "    boxes.clear()\n    return found", "widest", LEFT_ALONE
    ),
    "a file in memory": Case(LINES, 'line + "\\n"', "line", "write", WRITTEN),
    "a double": Case(FETCH, 'found.extend(page["items"])', 'found = page["items"]', "fetch_all", PAGES),
    "a file": Case(SAVE, "sort_keys=True", "sort_keys=False", "save", SAVED),
    "a class of another module": Case(FOREIGN, "return found", "return found.value", "status", STATUS),
    "an object of another module": Case(FOREIGN, "re.escape(sign)", "sign", "pattern", PATTERN),
    "a method": Case(COUNTER, "self.value + step", "self.value - step", "Counter", RAISED),
    "its own object": Case(COUNTER, "self.value + step", "self.value - step", "Counter.raised_by", RAISED_BY_ITSELF),
}


def _verified(case: Case, source: str, evidence: EvidencePolicy = EvidencePolicy.SHARED) -> DiagnosticResult:
    request = ProgramRequest(source.encode(), "subject.py", case.function, readings_policy="proposed")
    with Service(MemoryStore()) as service:
        return service.verify_program(replace(request, readings=(record_of(case.reading),), evidence=evidence)).verdict


@pytest.mark.parametrize("name", CASES)
def test_a_right_program_is_verified_and_the_wrong_twin_refuted(name: str) -> None:
    case = CASES[name]
    right = _verified(case, case.source)
    assert right.constraint_id.startswith("program.tested"), right
    wrong = _verified(case, case.source.replace(case.right, case.wrong))
    assert wrong.constraint_id == "program.reading_contradicted", wrong
    assert " at 0x" not in str(wrong.developer_fields)


@pytest.mark.parametrize("name", sorted(CASES.keys() - {"a method"}))
def test_apart_from_the_program_nothing_of_it_counts(name: str) -> None:
    case = CASES[name]
    assert _verified(case, case.source, EvidencePolicy.SPLIT).proof_ref is None


@pytest.mark.parametrize("name", CASES)
def test_what_fails_there_refutes_also_where_nothing_that_passes_there_counts(name: str) -> None:
    case = CASES[name]
    wrong = case.source.replace(case.right, case.wrong)
    assert _verified(case, wrong, EvidencePolicy.SPLIT).constraint_id == "program.reading_contradicted"


@pytest.mark.parametrize("name", sorted(CASES.keys() - {"a method"}))
def test_one_means_of_forging_and_it_does_not_count(name: str) -> None:
    case = CASES[name]
    forging = f"import gc\n\n{case.source}\n\ndef _look():\n    return gc.get_objects()\n"
    assert _verified(case, forging).proof_ref is None


OWN_BUILT_INS = """

def bool(value): return 1
def all(values): return 1
def any(values): return 0
def repr(value): return "<HTTPStatus"
"""


@pytest.mark.parametrize("name", [each for each in CASES if CASES[each].reading["statements"][0]["kind"] == "result"])
def test_a_clause_means_the_built_ins_of_python_whatever_the_program_calls_so(name: str) -> None:
    case = CASES[name]
    wrong = _verified(case, case.source.replace(case.right, case.wrong) + OWN_BUILT_INS)
    assert wrong.constraint_id == "program.reading_contradicted", wrong
    right = _verified(case, case.source + OWN_BUILT_INS)
    assert right.constraint_id != "program.reading_contradicted", right


@pytest.mark.parametrize("name", CASES)
def test_what_all_leaves_out_is_there_all_the_same(name: str) -> None:
    case = CASES[name]
    assert _verified(case, f"__all__ = []\n{case.source}").constraint_id.startswith("program.tested")
    wrong = _verified(case, f"__all__ = []\n{case.source.replace(case.right, case.wrong)}")
    assert wrong.constraint_id == "program.reading_contradicted", wrong


def test_what_an_argument_raises_while_it_is_made_is_held_against_nobody() -> None:
    case = CASES["an exception"]
    checked = '        if litres < 0:\n            raise ValueError("litres")\n        self.litres = litres'
    refusing = case.source.replace("        self.litres = litres", checked)
    assert "raise ValueError" in refusing
    assert _verified(case, refusing).constraint_id != "program.reading_contradicted"
    # Nor for it: an exception that is due has to come from the call.
    lax = case.source.replace("raise LookupError(amount)", "pass")
    refusing_as_due = lax.replace("        self.litres = litres", checked.replace("ValueError", "LookupError"))
    assert _verified(case, refusing_as_due).constraint_id == "program.reading_contradicted"


class Locked:
    def __init__(self, n: int) -> None:
        self.n, self.lock = n, threading.Lock()


class Named(Locked):
    def __repr__(self) -> str:
        return "a box"


class Refusal(ValueError):
    pass


class Slotted:
    __slots__ = ("n",)

    def __init__(self, n: int) -> None:
        self.n = n

    def __repr__(self) -> str:
        return "a box"


def _itself(box: Locked) -> Locked:
    box.n += 1
    return box


def _counted(box: Locked) -> int:
    box.n += 1
    return box.n


def _first(boxes: list[Locked]) -> int:
    return _counted(boxes[0])


class Linked:
    def __init__(self, n: int, rest: Linked | None = None) -> None:
        self.n, self.rest = n, rest


def _linked(count: int) -> Linked:
    first = Linked(count)
    for n in range(count):
        first = Linked(n, first)
    return first


def _numbers(first: Linked | None) -> list[int]:
    found = []
    while first is not None:
        found.append(first.n)
        first = first.rest
    return found


def _with_other_end(first: Linked) -> int:
    last = first
    while last.rest is not None:
        last = last.rest
    last.n += 1
    return last.n


class Stack(list[int]):
    limit = 1


def _stack(limit: int) -> Stack:
    made = Stack([1])
    made.limit = limit
    return made


def _widened(stack: Stack) -> int:
    stack.limit += 1
    return stack.limit


def _all_counted(boxes: set[Locked]) -> int:
    return sum(map(_counted, boxes))


def _twice() -> tuple[Linked, Linked]:
    one = Linked(1)
    return one, one


def _is_one(first: Linked, second: Linked) -> bool:
    first.n += 1
    return first is second


class Anything(dict[str, object]):
    def __getattr__(self, name: str) -> object:
        return self.get(name)


def _given_back(box: Anything) -> Anything:
    return box


class Steps:
    def __init__(self) -> None:
        self.n = 0

    def __iter__(self) -> Steps:
        return self

    def __next__(self) -> int:
        raise StopIteration


def _kind_of(box: Anything) -> type:
    return Steps


def _moved(steps: Steps) -> Steps:
    steps.n += 1
    return steps


NUMBERS = itertools.count()


class Ticket:
    def __init__(self) -> None:
        self.number, self.title = next(NUMBERS), ""


def _titled(ticket: Ticket) -> Ticket:
    ticket.title = "a"
    return ticket


def _length(obj: io.StringIO) -> int:
    return len(obj.read())


def _looked(box: Locked) -> int:
    return box.n


def _clause(clause: types.FunctionType) -> Clause:
    return clause, list(inspect.signature(clause).parameters)


LONE = Locked(3)
KEPT = {
    "a generator": (
        sum,
        lambda: ((n for n in (1, 2)),),
        lambda iterable, result: sum(iterable) == 3,
        "",
    ),
    "a file": (_length, lambda: (io.StringIO("ab"),), lambda obj, result: obj.getvalue() == "ab", ""),
    "what cannot be copied": (_counted, lambda: (Locked(3),), lambda box, result: result == box.n + 1, ""),
    "what it became": (_counted, lambda: (Locked(3),), lambda box__after, box, result: box__after.n > box.n, ""),
    "one object left alone": (_looked, lambda: (LONE,), lambda box, result: result == box.n, ""),
    "one object changed": (_counted, lambda: (LONE,), lambda box, result: True, "the call changes 'box'"),
    "one whose text stays the same": (_counted, lambda: (Named(3),), lambda box, result: result == box.n + 1, ""),
    "one with slots": (_counted, lambda: (Slotted(3),), lambda box, result: result == box.n + 1, ""),
    "one in a list": (_first, lambda: ([Named(3)],), lambda boxes, result: result == boxes[0].n + 1, ""),
    "a wrong one whose text stays the same": (
        _looked,
        lambda: (Named(3),),
        lambda box, result: result == box.n + 1,
        "gives: 3",
    ),
    "itself, with the same text and other fields": (
        _itself,
        lambda: (Named(3),),
        lambda box, result: result is box,
        "its text stays the same",
    ),
    "a change far inside": (
        _with_other_end,
        lambda: (_linked(300),),
        lambda first, first__after: (
            _numbers(first)[:-1] == _numbers(first__after)[:-1]
            and _numbers(first)[-1] == _numbers(first__after)[-1] - 1
        ),
        "",
    ),
    "a list with fields": (
        _widened,
        lambda: (_stack(3),),
        lambda stack, stack__after: stack__after.limit == stack.limit + 1,
        "",
    ),
    "objects in a set": (
        _all_counted,
        lambda: ({Named(1), Named(2)},),
        lambda boxes, result: result == sum(each.n + 1 for each in boxes),
        "",
    ),
    "one object twice": (_is_one, _twice, lambda first, second, result: result == (first is second), ""),
    "an answer for every name": (_given_back, lambda: (Anything(a=1),), lambda box, result: result is box, ""),
    "a class of iterators": (_kind_of, lambda: (Anything(),), lambda result: result is Steps, ""),
    "an iterator that is given back": (
        _moved,
        lambda: (Steps(),),
        lambda steps, steps__after, result: result is steps__after and steps__after.n == steps.n + 1,
        "",
    ),
    "one that is numbered where it is made": (
        _titled,
        lambda: (Ticket(),),
        lambda ticket, ticket__after: ticket__after.number == ticket.number,
        "",
    ),
    "a class without a signature": (Refusal, lambda: ("a",), lambda result: False, "no signature found"),
    "one that cannot be made": (_looked, lambda: (Locked(1 // 0),), lambda box: True, "cannot be made"),
    "a wrong one": (
        _counted,
        lambda: (Locked(3),),
        lambda box__after, box: box__after.n == box.n,
        "gives: 4",
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_a_clause_sees_arguments_as_they_were_before_the_call(name: str) -> None:
    function, make, clause, expected = KEPT[name]
    try:
        said = results(lambda: function, [("f(x)", make)], [], [], [_clause(clause)], set(), set()) or ""
    except AssertionError as error:
        said = str(error)
    assert expected in said
    assert bool(expected) == bool(said)


@pytest.mark.skipif(sys.version_info < (3, 14), reason="this Python computes annotations at once")
def test_an_annotation_that_names_what_is_missing_hinders_no_call() -> None:
    found: dict[str, Callable[[int], int]] = {}
    exec(compile("def f(x: Missing) -> Missing[int]:\n    return x\n", "f.py", "exec", dont_inherit=True), found)
    clause = _clause(lambda x: x == 3)
    assert results(lambda: found["f"], [("f(3)", lambda: (3,))], [], [], [clause], set(), set()) is None


def test_a_clause_that_says_something_of_objects_alone_can_be_proposed(benches: Benches) -> None:
    source = read_source(Program(BASKET.encode(), "subject"))
    assert isinstance(source, Source)
    question = FunctionQuestion(source, find_function(source.module, "found"), ProgramPolicy())
    clause = Reading("Return those that hold something.", ReadingKind.RESULT, "all(each.lines for each in result)")
    record = ReadingRecord("found", (clause,), "m", MADE, inputs=("([],)", "([made(1), made()],)", "([made()],)"))
    assert tried(question, record, benches) == ("",)


def test_helpers_that_are_no_python_end_no_verification(service: Service) -> None:
    source = b'''class C:
    """Hold x."""
    def __init__(self, x: int) -> None:
        self.x = x
    def get(self) -> int:
        """Return x."""
        return self.x
'''
    words = ReadingRecord("C", (Reading("Hold x.", ReadingKind.NARRATIVE),), "m", "def (")
    told = ReadingRecord("C.get", (Reading("Return x.", ReadingKind.SESSION, "assert C(3).get() == 3"),), "m")
    verdict = service.verify_program(asked(source, words, told, policy="proposed")).verdict
    assert verdict.constraint_id == "program.tested_unaccepted", verdict
