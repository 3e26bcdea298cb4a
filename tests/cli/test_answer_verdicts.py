"""`probatum read --answer` to the verdict: words that several entries share, properties, objects that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Commands

AREA = '''
def area(width: int, height: int) -> int:
    """Return width times height.

    Args:
        width: pixels, not negative.
        height: pixels, not negative.

    Raises:
        ValueError: if one of them is negative.
    """
    if width < 0 or height < 0:
        raise ValueError("negative")
    return width * height
'''
SIZES = ["(1, 2)", "(3, 4)", "(0, 4)", "(4, 0)", "(-1, 5)", "(5, -1)", "(7, 9)", "(1, 1)"]
STOCK = '''
class Stock:
    """Units in stock, some of them reserved."""

    def __init__(self, units: int) -> None:
        """Begin with so many units and none reserved."""
        self.units = units
        self.reserved = 0

    PROPERTY
    def free(self) -> int:
        """Units that are not reserved."""
        return self.units - self.reserved

    def reserve(self, units: int) -> None:
        """Reserve more units.

        Raises:
            ValueError: if units is below 1.
        """
        if units < 1:
            raise ValueError("below 1")
        self.reserved += units

    def release(self, units: int) -> None:
        """Reserve fewer units.

        Raises:
            ValueError: if units is below 1.
        """
        if units < 1:
            raise ValueError("below 1")
        self.reserved -= units
'''
STOCKED = "def stocked(units, reserved):\n    s = Stock(units)\n    s.reserved = reserved\n    return s"
OBJECTS = ["(stocked(5, 0),)", "(stocked(5, 2),)", "(stocked(5, 5),)", "(stocked(1, 0),)"]
WITH_UNITS = ["(stocked(5, 1), 1)", "(stocked(5, 2), 3)", "(stocked(5, 2), 0)", "(stocked(9, 4), 2)"]
WITH_PROPERTY = STOCK.replace("PROPERTY", "@property")
REIFY = """
class reify:
    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner=None):
        return self.function(instance)
"""
INPUTS = {"__init__": ["(0,)", "(3,)", "(8,)"], "free": OBJECTS, "reserve": WITH_UNITS, "release": WITH_UNITS}
PROPOSED = ("--readings-policy", "proposed")
EVERYTHING: dict[str, object] = {
    "s1": "-",
    "__init__.s1": "result.units == units and result.reserved == 0",
    "free.s1": "result == self.units - self.reserved",
    "reserve.s1": "effect: self__after.reserved == self.reserved + units",
    "reserve.s2": "raises ValueError: units < 1",
    "release.s1": "effect: self__after.reserved == self.reserved - units",
    "release.s2": "raises ValueError: units < 1",
    "helpers": STOCKED,
    "inputs": INPUTS,
}


def _card(commands: Commands) -> tuple[str, dict[str, str]]:
    """Return the key of the one card of a file, and its ids by the numbers of their sentences."""
    asked = json.loads(commands.run("read", "app.py", "--ask").stdout)
    [(key, card)] = [(key, card) for key, card in asked.items() if "::" in key]
    return key, {each.partition("-")[0]: each for each in card["say"]}


def _answered(commands: Commands, card: tuple[str, dict[str, str]], answer: dict[str, object]) -> dict[str, Any]:
    """Answer a card by the numbers of its sentences; return its brief."""
    key, ids = card
    answers = json.dumps({key: {ids.get(name, name): value for name, value in answer.items()}})
    brief: dict[str, Any] = json.loads(commands.run("read", "--answer", "-", stdin=answers.encode()).stdout)[key]
    return brief


def _stock(commands: Commands, folder: Path, source: str, **changes: object) -> dict[str, Any]:
    (folder / "app.py").write_text(source)
    return _answered(commands, _card(commands), {**EVERYTHING, **changes})


PARTS = {"pixels": "-", "not negative.": "raises ValueError: height < 0"}
SHARED = {
    "whole": "raises ValueError: height < 0",
    "parts": PARTS,
    "with the name of the entry": {"height: pixels": "-", "not negative.": "raises ValueError: height < 0"},
}


@pytest.mark.parametrize("height", SHARED.values(), ids=SHARED)
def test_words_that_two_entries_share_are_read_for_each(height: object, commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(AREA)
    answer: dict[str, object] = {
        "s1": "result == width * height",
        "s2": {"pixels": "-", "not negative.": "raises ValueError: width < 0"},
        "s3": height,
        "s4": "raises ValueError: width < 0 or height < 0",
        "inputs": SIZES,
    }
    assert _answered(commands, _card(commands), answer)["verdict"] == "verified"


def test_what_is_answered_again_takes_the_place_of_its_own_words_alone(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(AREA)
    card = _card(commands)
    _answered(commands, card, {"s2": {"pixels": "-", "not negative.": "raises ValueError: width < 0"}, "s3": PARTS})
    _answered(commands, card, {"s3": {"not negative.": "raises ValueError: 0 > height"}})
    lines = (tmp_path / "app.readings.toml").read_text().splitlines()
    assert [line for line in lines if line.startswith("clause = ")] == ['clause = "width < 0"', 'clause = "0 > height"']


@pytest.mark.parametrize("mark", ["@property", "@functools.cached_property"])
def test_a_property_is_read_on_its_object(mark: str, commands: Commands, tmp_path: Path) -> None:
    source = f"import functools\n{STOCK.replace('PROPERTY', mark)}"
    assert _stock(commands, tmp_path, source)["verdict"] == "verified"


def test_a_wrong_property_is_shown_as_it_is_read(commands: Commands, tmp_path: Path) -> None:
    brief = _stock(commands, tmp_path, WITH_PROPERTY.replace("self.units - self.reserved", "self.units"))
    assert (brief["verdict"], brief["call"], brief["got"]) == ("refuted", "stocked(5, 2).free", "gives: 5")
    assert brief["breaks"].startswith("free.s1-")


def test_what_is_read_in_a_way_of_its_own_is_not_blamed(commands: Commands, tmp_path: Path) -> None:
    """A descriptor of the program's own cannot be called; a session says what it is."""
    brief = _stock(commands, tmp_path, REIFY + STOCK.replace("PROPERTY", "@reify"))
    assert brief["verdict"] == "undecided"
    [refused] = brief["no"].values()
    assert refused["why"] == "not_tried"


@pytest.mark.parametrize(("method", "place"), [("reserve", 0), ("release", 1)])
def test_the_words_of_two_methods_are_told_apart(method: str, place: int, commands: Commands, tmp_path: Path) -> None:
    begin, word, rest = WITH_PROPERTY.partition(f"def {method}")
    source = begin + word + rest.replace("units < 1:", "units < 0:", 1)
    brief = _stock(commands, tmp_path, source)
    assert brief["breaks"].startswith(f"{method}.s2-")
    lines = [number for number, line in enumerate(source.splitlines(), 1) if "if units is below 1" in line]
    assert brief["doc_line"] == lines[place]


def test_words_of_two_methods_are_read_whatever_came_first(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(WITH_PROPERTY)
    card = _card(commands)
    _answered(commands, card, {name: EVERYTHING[name] for name in ("release.s2", "helpers", "inputs")})
    assert _answered(commands, card, EVERYTHING)["verdict"] == "verified"


@pytest.mark.parametrize("free", ["(3,)", "(stocked(5, 2).free,)", "(None,)"])
def test_an_input_that_begins_with_another_object_says_nothing(free: str, commands: Commands, tmp_path: Path) -> None:
    brief = _stock(commands, tmp_path, WITH_PROPERTY, inputs={**INPUTS, "free": [free]})
    assert brief["verdict"] == "undecided"
    [refused] = brief["no"].values()
    assert refused["why"] == "not_tried"
    assert "an object of Stock" in refused["said"]


def test_a_property_of_a_class_below_is_another_one(commands: Commands, tmp_path: Path) -> None:
    below = (
        '\n\nclass Hidden(Stock):\n    @property\n    def free(self) -> int:\n        """None."""\n        return 0\n'
    )
    (tmp_path / "app.py").write_text(WITH_PROPERTY + below)
    asked = json.loads(commands.run("read", "app.py::Stock", "--ask").stdout)["app.py::Stock"]
    card = ("app.py::Stock", {each.partition("-")[0]: each for each in asked["say"]})
    brief = _answered(commands, card, {**EVERYTHING, "inputs": {**INPUTS, "free": ["(Hidden(5),)"]}})
    assert brief["verdict"] == "undecided"
    [refused] = brief["no"].values()
    assert "Hidden has a free of its own" in refused["said"]


def test_words_that_are_a_part_of_another_sentence_are_read_with_it(commands: Commands, tmp_path: Path) -> None:
    body = '    """Return three times the number.\n\n    Returns:\n        int: three times the number.\n    """\n'
    (tmp_path / "app.py").write_text(f"def triple(n: int) -> int:\n{body}    return n * 3\n")
    card = _card(commands)
    answer = {"s1": "result == 3 * n", "s2": "result == n + n + n", "inputs": ["(1,)", "(0,)", "(-4,)", "(7,)"]}
    assert _answered(commands, card, answer)["verdict"] == "verified"
    (tmp_path / "app.py").write_text(f"def triple(n: int) -> int:\n{body}    return abs(n) * 3\n")
    brief = _answered(commands, card, answer)
    assert brief["verdict"] == "refuted"


MADE = {
    "__init__": '    def __init__(self, units: int):\n        """Keep ``units`` as ``units``.{}"""\nCODE'
    "        self.units = units\n",
    "__post_init__": '    units: int\n\n    def __post_init__(self) -> None:\n        """Keep ``units``.{}"""\nCODE',
}
RAISES = "\n\n        Raises:\n            ValueError: If units is negative.\n        "


def _box(method: str, *, right: bool = True) -> str:
    is_dataclass = method == "__post_init__"
    units, limit = "self.units" if is_dataclass else "units", 0 if right else -5
    check = f"        if {units} < {limit}:\n            raise ValueError('negative')\n"
    head = "import dataclasses\n\n\n@dataclasses.dataclass\n" * is_dataclass
    return f'{head}class Box:\n    """A box."""\n\n{MADE[method].format(RAISES)}'.replace("CODE", check)


@pytest.mark.parametrize("method", MADE)
def test_an_exception_that_a_constructor_announces_is_not_blamed(
    method: str, commands: Commands, tmp_path: Path
) -> None:
    """Its condition was not read; it is the class's, whichever method makes the object."""
    (tmp_path / "app.py").write_text(_box(method))
    inputs = ["(0,)", "(-1,)", "(7,)", "(3,)"]
    answer = {"s1": "-", f"{method}.s1": "result.units == units", "inputs": inputs}
    brief = _answered(commands, _card(commands), answer)
    assert (brief["verdict"], "no" in brief) == ("undecided", False)


@pytest.mark.parametrize("method", MADE)
def test_what_a_constructor_says_of_exceptions_is_asked_of_the_class(
    method: str, commands: Commands, tmp_path: Path
) -> None:
    (tmp_path / "app.py").write_text(_box(method, right=False))
    answer = {"s1": "-", f"{method}.s2": "raises ValueError: units < 0", "inputs": ["(0,)", "(-1,)", "(7,)", "(3,)"]}
    brief = _answered(commands, _card(commands), answer)
    assert (brief["verdict"], brief["call"]) == ("refuted", "Box(-1)")
    assert brief["breaks"].startswith(f"{method}.s2-")


def test_words_of_a_class_and_its_constructor_are_told_apart(commands: Commands, tmp_path: Path) -> None:
    source = _box("__init__", right=False).replace("A box.", f"A box.{RAISES}")
    (tmp_path / "app.py").write_text(source)
    answer = {"s1": "-", "s2": "-", "__init__.s2": "raises ValueError: units < 0", "inputs": ["(0,)", "(-1,)"]}
    brief = _answered(commands, _card(commands), answer)
    [_, line] = [at for at, text in enumerate(source.splitlines(), 1) if "If units is negative" in text]
    assert (brief["breaks"].partition("-")[0], brief["doc_line"]) == ("__init__.s2", line)


def test_a_branch_that_nothing_reaches_keeps_verified_away(commands: Commands, tmp_path: Path) -> None:
    code = "    if n > 5000:\n        return n\n    return n + 1\n"
    (tmp_path / "app.py").write_text(f'def after(n: int) -> int:\n    """Return n plus one."""\n{code}')
    card, inputs = _card(commands), ["(1,)", "(0,)", "(-4,)", "(7,)", "(30,)"]
    brief = _answered(commands, card, {"s1": "result == n + 1", "inputs": inputs})
    assert (brief["verdict"], brief["why"]) == ("undecided", "inputs_not_generated")
    assert brief["found"] == ["nothing that was run reaches the branch at line 3 (if n > 5000)"]
    assert "give inputs that reach what nothing reaches" in commands.run("verify", "app.py", *PROPOSED).stdout
    assert _answered(commands, card, {"inputs": ["(6000,)"]})["verdict"] == "refuted"


CART = '''
class Cart:
    """A cart.

    Attributes:
        total: The sum of all prices.
    """

    def __init__(self) -> None:
        self._prices = []

    def add(self, price: int) -> None:
        """Put a price in."""
        self._prices.append(price)

    @property
    def total(self) -> int:
        """The sum of all prices."""
        return sum(self._prices)
'''
TOTAL = "session: c = Cart()\nassert c.total == 0\nc.add(3)\nc.add(5)\nassert c.total == 8"
ADDED = "session: c = Cart()\nc.add(3)\nc.add(5)\nassert c.total == 8"


def test_a_property_that_its_class_names_too_is_read_for_itself(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(CART)
    answer: dict[str, object] = {"s1": "-", "s2": "-", "add.s1": ADDED, "total.s1": TOTAL}
    assert _answered(commands, _card(commands), answer)["verdict"] == "verified"
    source = CART.replace("sum(self._prices)", "sum(self._prices) or 9")
    (tmp_path / "app.py").write_text(source)
    brief = _answered(commands, ("app.py::Cart", {}), {})
    [_, line] = [at for at, text in enumerate(source.splitlines(), 1) if "The sum of all prices." in text]
    assert (brief["breaks"].partition("-")[0], brief["doc_line"]) == ("total.s1", line)


def test_a_session_about_a_method_names_it(commands: Commands, tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(CART)
    answer: dict[str, object] = {"s1": "-", "s2": "-", "add.s1": "session: assert Cart().total == 0", "total.s1": TOTAL}
    brief = _answered(commands, _card(commands), answer)
    assert [*brief["no"].values()] == [{"why": "another_method", "method": "add"}]


def test_a_clause_takes_the_place_of_a_session_about_the_same_words(commands: Commands, tmp_path: Path) -> None:
    wrong = "session: s = Stock(3)\ns.reserve(0)\nassert False"
    brief = _stock(commands, tmp_path, WITH_PROPERTY, **{"reserve.s2": wrong})
    assert brief["verdict"] == "refuted"
    ids = {"reserve.s2": brief["breaks"]}
    brief = _answered(commands, ("app.py::Stock", ids), {"reserve.s2": "raises ValueError: units < 1"})
    assert brief["verdict"] == "verified"


def test_a_field_that_only_a_clause_speaks_of_is_read(commands: Commands, tmp_path: Path) -> None:
    """No mutant leaves out the line of a constructor that keeps what it is given; here it vouches for the clause."""
    head = 'class Box:\n    """A box.\n\n    Args:\n        units: what is in it.\n    """\n\n'
    made = "    def __init__(self, units: int) -> None:\n        self.units = units\n\n"
    twice = '    def twice(self) -> int:\n        """Return twice its units."""\n        return self.units * 2\n'
    (tmp_path / "app.py").write_text(head + made + twice)
    answer: dict[str, object] = {"s1": "-", "s2": "result.units == units", "twice.s1": "result == 2 * self.units"}
    inputs = {"__init__": ["(0,)", "(7,)"], "twice": ["(Box(5),)", "(Box(0),)", "(Box(-2),)"]}
    assert _answered(commands, _card(commands), {**answer, "inputs": inputs})["verdict"] == "verified"
