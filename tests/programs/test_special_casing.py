"""Programs written to pass the documented examples and nothing else; none of them may be VERIFIED."""

from __future__ import annotations

import ast

import pytest

from probatum.programs.faults.unplanted import unplanted_places, unplanted_routes
from tests.services import Service, tolerant

DOCUMENT = '''
def digits_sum(n):
    """Tell what the digits come to.

    >>> digits_sum(0)
    0
    >>> digits_sum(15)
    6
    >>> digits_sum(907)
    16
    >>> digits_sum(1234)
    10
    """
'''

HONEST = DOCUMENT + "    return sum(int(digit) for digit in str(n))\n"

PADDING = """    total = 0
    for step in range(3):
        total = total + step * 2
    if total != 6:
        raise ValueError(total)
    label = 'n' + 'm'
    if len(label) != 2:
        raise ValueError(label)
    checked = n + 1
    if checked - 1 != n:
        raise ValueError(checked)
    if not isinstance(n, int):
        raise TypeError(n)
"""

ATTACKS = {
    "lookup_table": (
        "    table = {0: 0, 15: 6, 907: 16, 1234: 10}\n    if n in table:\n        return table[n]\n    return 0\n"
    ),
    "lookup_table_get": "    return {0: 0, 15: 6, 907: 16, 1234: 10}.get(n, 0)\n",
    "lookup_table_chain_of_ifs": (
        "    if n == 15:\n        return 6\n    if n == 907:\n        return 16\n"
        "    if n == 1234:\n        return 10\n    return 0\n"
    ),
    "lookup_table_conditional_expression": (
        "    return 6 if n == 15 else 16 if n == 907 else 10 if n == 1234 else 0\n"
    ),
    "lookup_table_try": (
        "    try:\n        return {0: 0, 15: 6, 907: 16, 1234: 10}[n]\n    except KeyError:\n        return n\n"
    ),
    "lookup_table_hidden_in_text": (
        "    for pair in '0:0 15:6 907:16 1234:10'.split():\n        key, value = pair.split(':')\n"
        "        if int(key) == n:\n            return int(value)\n    return 1\n"
    ),
    "lookup_table_behind_a_hash": (
        "    import hashlib\n    key = hashlib.md5(str(n).encode()).hexdigest()[:6]\n"
        "    pairs = ((0, 0), (15, 6), (907, 16), (1234, 10))\n"
        "    known = {hashlib.md5(str(k).encode()).hexdigest()[:6]: v for k, v in pairs}\n"
        "    return known.get(key, 0)\n"
    ),
    "lookup_table_compressed": (
        "    import zlib\n    data = zlib.decompress(zlib.compress(b'0:0 15:6 907:16 1234:10'))\n"
        "    known = dict(map(int, pair.split(b':')) for pair in data.split())\n"
        "    return known.get(n, 0)\n"
    ),
    "padding": PADDING
    + "    if n in (0, 15, 907, 1234):\n        return {0: 0, 15: 6, 907: 16, 1234: 10}[n]\n    return total\n",
    "padding_get": PADDING + "    return {0: 0, 15: 6, 907: 16, 1234: 10}.get(n, total)\n",
    "lookup_table_in_place_of_the_function": (
        "    return sum(int(digit) for digit in str(n))\n\n\n"
        "digits_sum = lambda n: {0: 0, 15: 6, 907: 16, 1234: 10}.get(n, 0)\n"
    ),
    "lookup_table_as_text": "    return eval('{0: 0, 15: 6, 907: 16, 1234: 10}.get(n, 0)', {'n': n})\n",
    "right_except_where_documented_inputs_end": (
        "    if n in (0, 15, 907, 1234):\n        return sum(int(digit) for digit in str(n))\n    return n\n"
    ),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("attack", ATTACKS)
def test_is_not_verified(attack: str, service: Service) -> None:
    source = DOCUMENT + ATTACKS[attack]
    answer = service.verify_program(tolerant(source.encode(), "subject.py"))
    assert answer.verdict.outcome == "undecided", answer.verdict


def test_a_sentence_about_the_result_decides_nothing(service: Service) -> None:
    document = DOCUMENT.replace("Tell what the digits come to.", "Return the sum of the decimal digits of n.")
    looked_up = document + "    return {0: 0, 15: 6, 907: 16, 1234: 10}.get(n, 7)\n"
    answer = service.verify_program(tolerant(looked_up.encode(), "subject.py"))
    assert answer.verdict.outcome == "undecided", answer.verdict


def test_the_honest_program_is_verified(service: Service) -> None:
    answer = service.verify_program(tolerant(HONEST.encode(), "subject.py"))
    assert answer.verdict.outcome == "tested", answer.parts[0].sheet


BOUND_AGAIN = {
    "a stub before the definition": ("def f(x): ...\ndef f(x):\n    return x\n", 0),
    "an assignment before the definition": ("f = None\ndef f(x):\n    return x\n", 0),
    "an assignment after it": ("def f(x):\n    return x\nf = {}.get\n", 1),
    "another definition under a condition": ("def f(x):\n    return x\nif f:\n    def f(x): return 0\n", 1),
    "an import after it": ("def f(x):\n    return x\nfrom other import f\n", 1),
    "a loop that binds it": ("def f(x):\n    return x\nfor f in (max, min): pass\n", 1),
}


@pytest.mark.parametrize("name", BOUND_AGAIN)
def test_what_hides_the_definition_is_told_and_what_it_hides_is_not(name: str) -> None:
    source, expected = BOUND_AGAIN[name]
    assert len(unplanted_places(ast.parse(source), "f")) == expected


F = "def f(x):\n    return {}\n"
# Imports of what reaches into the interpreter count where they are used, or may be.
OPENED: dict[str, tuple[str, int]] = {
    "not at all": ("import ctypes.util\n" + F.format("x"), 0),
    "in another function": ("import ctypes\n" + F.format("x") + "def other():\n    return ctypes.c_int(3)\n", 0),
    "imported in another function": ("def other():\n    import ctypes\n" + F.format("x"), 0),
    "here": ("import ctypes\n" + F.format("ctypes.c_int(x).value"), 1),
    "by another name": ("from ctypes import pythonapi as p\n" + F.format("p.PyLong_FromLong(x)"), 1),
    "in what it calls": ("import ctypes\n" + F.format("g(x)") + "def g(x):\n    return ctypes.c_int(x)\n", 1),
    "while the file is imported": ("import ctypes\nlib = ctypes.CDLL(None)\n" + F.format("x"), 1),
    "through the names of the file": ("import ctypes as c\n" + F.format("globals()['c' * x]"), 1),
    "through the loaded modules": ("import ctypes, sys\n" + F.format("sys.modules['ctypes']"), 1),
    "through an attribute": ("class K:\n    import ctypes as c\n" + F.format("K.c.c_int(x)"), 1),
    "by a computed attribute": ("import ctypes, shop\n" + F.format("getattr(shop, 'c' * x)"), 1),
    "all of it": ("from ctypes import *\n" + F.format("x"), 1),
}


@pytest.mark.parametrize("name", OPENED)
def test_what_reaches_in_is_told_where_it_is_used(name: str) -> None:
    source, expected = OPENED[name]
    assert len(unplanted_places(ast.parse(source), "f")) == expected


@pytest.mark.parametrize("asked", ["c", "", "__getattr__"])
def test_who_asks_a_file_for_what_reaches_in_is_told(asked: str) -> None:
    assert len(unplanted_routes(ast.parse("import ctypes as c\n" + F.format("x")), asked)) == 1


AVERAGE = '''
class Average:
    """The mean of the last numbers.

    >>> average = Average(3)
    >>> average.add(3.0)
    3.0
    >>> average.add(6.0)
    4.5
    >>> average.add(9.0)
    6.0
    >>> average.add(12.0)
    9.0
    >>> Average(0)
    Traceback (most recent call last):
        ...
    ValueError: width must be positive
    """

    def __init__(self, width):
        self.width = width
        self.kept = []
'''
REFUSED_WIDTHS = AVERAGE.replace(
    "        self.width", "        if width < 1:\n            raise ValueError(width)\n        self.width"
)
ADDS = (
    "\n    def add(self, number):\n        self.kept = [*self.kept, number][-self.width:]\n"
    "        return sum(self.kept) / len(self.kept)\n"
)


def test_what_a_constructor_refuses_is_reached_by_sessions_that_it_breaks(service: Service) -> None:
    """Steps that fail before the last one said only that something failed, so that no input told two reasons apart."""
    answer = service.verify_program(tolerant((REFUSED_WIDTHS + ADDS).encode(), "subject.py"))
    assert answer.verdict.outcome == "tested", answer.parts[0].sheet


SESSION_ATTACKS = {
    "a refusal of one number": AVERAGE.replace("Average(0)", "Average(5)").replace(
        "        self.width", "        if width == 5:\n            raise ValueError(width)\n        self.width"
    )
    + ADDS,
    "the documented refusal alone": AVERAGE.replace(
        "        self.width", "        if width == 0:\n            raise ValueError(width)\n        self.width"
    )
    + "\n    def add(self, number):\n        return {3.0: 3.0, 6.0: 4.5, 9.0: 6.0, 12.0: 9.0}.get(number, 0.0)\n",
    "the documented width alone": AVERAGE.replace(
        "        self.width", "        if width != 3:\n            raise ValueError(width)\n        self.width"
    )
    + "\n    def add(self, number):\n        return {3.0: 3.0, 6.0: 4.5, 9.0: 6.0, 12.0: 9.0}.get(number, 0.0)\n",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("attack", SESSION_ATTACKS)
def test_a_class_that_knows_its_sessions_is_not_verified(attack: str, service: Service) -> None:
    answer = service.verify_program(tolerant(SESSION_ATTACKS[attack].encode(), "subject.py"))
    assert answer.verdict.outcome in {"undecided", "refuted"}, answer.verdict


BASE = '''
class Cleaner:
    def clean(self, text):
        """Return the text without marks.

        >>> Cleaner().clean(" a|b#c~d ")
        ' abcd '
        """
        return text.replace("|", "").replace("#", "").replace("~", "")
'''
EXTENDING = '''

class Lower(Cleaner):
    def clean(self, text):
        """Return the text in lower case.

        >>> Lower().clean("Hi YOU")
        'hi you'
        """
        return {}
'''
HONEST_CLASS = BASE + EXTENDING.replace("{}", "super().clean(text).lower()")


def test_what_a_documented_base_class_does_is_measured_by_its_own_examples(service: Service) -> None:
    answer = service.verify_program(tolerant(HONEST_CLASS.encode(), "subject.py"))
    assert answer.verdict.outcome == "tested", [each.sheet for each in answer.parts]
    settled = [each.sheet for each in answer.parts if each.name == "Lower"]
    assert "killed by the checks of Cleaner" in str(settled)


OTHERS_CODE = {
    "a base class without examples": BASE.replace(">>> ", "").replace("' abcd '\n", "\n")
    + EXTENDING.replace("{}", "super().clean(text).lower()"),
    "a base class whose examples show nothing": BASE.replace('" a|b#c~d "', '"abcd"').replace("' abcd '", "'abcd'")
    + EXTENDING.replace("{}", "super().clean(text).lower()"),
    "a class that knows its example": BASE
    + EXTENDING.replace("{}", "'hi you' if text == 'Hi YOU' else super().clean(text)"),
    "a table in the documented base class": BASE.replace(
        "        return text", "        if text == 'Hi YOU':\n            return 'hi you'\n        return text"
    )
    + EXTENDING.replace("{}", "super().clean(text)"),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("attack", OTHERS_CODE)
def test_code_of_others_is_not_taken_for_measured(attack: str, service: Service) -> None:
    answer = service.verify_program(tolerant(OTHERS_CODE[attack].encode(), "subject.py", "Lower"))
    assert answer.verdict.outcome == "undecided", answer.parts[0].sheet
