"""What else changed? Calls of changed functions, made on both versions: what differs, and what only looks as if."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from probatum.changes.calls import BehaviourDifference, CallOutcome, alike
from probatum.changes.observing import ObservedChange
from probatum.changes.record import ChangePolicy
from tests.changes.repositories import observed, said

_REFACTORING = ChangePolicy(is_refactoring=True)

_CHECKED = "if {}:\n    raise ValueError('{}')\nreturn a"

# By function: a call that a test makes, what it was, what it is now, and the shortest call that differs.
_CASES = {
    "same": ("same([1, 2])", "n = 0\nfor x in a:\n    n = n + x\nreturn n", "return sum(a)", ""),
    "boundary": ("boundary(60)", "return a * 2 if a > 50 else a", "return a * 2 if a >= 50 else a", "boundary(50)"),
    "empty": ("empty([3, 4])", "return a[0] if a else None", "return a[0]", "empty([])"),
    "sorts": ("sorts([2, 1])", "return sorted(a)", "a.sort()\nreturn list(a)", "sorts([2, 1])"),
    "hides": ("hides({'k': 1})", "return a.get('k', 0)", "return a.get('k') or 0", ""),
    "message": ("message(1)", _CHECKED.format("a == ''", "empty"), _CHECKED.format("a == ''", "nothing"), ""),
    "says": ("says('x')", _CHECKED.format("not a", "empty"), _CHECKED.format("not a", "nothing"), "says('')"),
    "sets": ("sets(['b', 'a'])", "return {x for x in a}", "return set(a)", ""),
    "yields": ("list(yields(3))", "for x in range(a):\n    yield x", "yield from range(a)", ""),
    "lists": ("list(lists(3))", "for x in range(a):\n    yield x", "return list(range(a))", "lists(3)"),
    "loops": ("loops(1)", "return a", "while a < 0:\n    pass\nreturn a", "loops(-1)"),
    "chance": ("chance(1)", "return random.random()", "return random.uniform(0, 1)", None),
    "leaves": ("leaves('here')", "return a", "if a == '':\n    os._exit(0)\nreturn a", ""),
    "opens": ("opens(lambda: 1)", "return a()", "return a() + 1", None),
}  # fmt: skip


def _files(at: int) -> dict[str, str]:
    functions = [f"def {name}(a):\n{textwrap.indent(case[at], '    ')}\n" for name, case in _CASES.items()]
    classes = _CLASSES[at - 1]
    tests = [
        f"def test_{name}():\n    try:\n        {case[0]}\n    except ValueError:\n        pass\n"
        for name, case in _CASES.items()
    ]
    tests.append("def test_box():\n    box = Box([1])\n    assert box.add(2) == 2\n    assert box.size == 2\n")
    return {
        "lib.py": "\n\n".join(["import os\nimport random\n", *functions, classes]),
        "test_lib.py": "from lib import *\n\n\n" + "\n\n".join(tests),
    }


_CLASSES = (
    "class Box:\n    def __init__(self, items):\n        self.items = list(items)\n\n"
    "    def add(self, item):\n        self.items.append(item)\n        return len(self.items)\n\n"
    "    @property\n    def size(self):\n        return len(self.items)\n",
    "class Box:\n    def __init__(self, items):\n        self.items = [*items]\n        self._known = None\n\n"
    "    def add(self, item):\n        self.items.insert(0, item)\n        return len(self.items)\n\n"
    "    @property\n    def size(self):\n        return sum(1 for _ in self.items)\n",
)


@pytest.fixture(scope="module")
def change(tmp_path_factory: pytest.TempPathFactory) -> ObservedChange:
    folder = tmp_path_factory.mktemp("calls")
    return observed(folder / "r", _files(1), _files(2))


def _of(change: ObservedChange, name: str) -> list[BehaviourDifference]:
    return [each for each in change.record.differences if each.unit == f"lib.py::{name}"]


@pytest.mark.parametrize("name", _CASES)
def test_a_call_that_differs_is_shown_by_the_shortest(change: ObservedChange, name: str) -> None:
    shortest = _CASES[name][3]
    compared = [each for each in change.record.compared if each.unit == f"lib.py::{name}"]
    if shortest is None:
        assert not compared
    else:
        [function] = compared
        assert function.calls > 0
        assert [each.call for each in _of(change, name)][:1] == ([shortest] if shortest else [])
        assert (function.differing > 0) is bool(shortest)


def test_a_call_that_does_not_come_back_is_not_taken_for_one_without_a_difference(change: ObservedChange) -> None:
    [function] = [each for each in change.record.compared if each.unit == "lib.py::leaves"]
    assert function.lost == 1
    assert not change.is_lasting
    reasons = [each for each in said(change) if each.what.startswith("1 call of lib.py::leaves did not come back")]
    assert [each.constraint for each in reasons] == ["change.not_run"]


def test_methods_are_compared_with_their_objects(change: ObservedChange) -> None:
    [difference] = _of(change, "Box.add")
    assert difference.call.startswith("Box.add(<lib.Box object>, ")
    # Whoever reads it cannot see the list inside: it is told that something is otherwise.
    assert difference.head == "returns 2, with other content, or leaves its arguments otherwise"
    # A private attribute that is new is an affair of the object, and a property is called like a function.
    assert not _of(change, "Box.__init__")
    assert not _of(change, "Box.size")
    assert {"lib.py::Box.__init__", "lib.py::Box.size"} <= {each.unit for each in change.record.compared}


def test_a_refactoring_is_refuted_by_each_difference(change: ObservedChange) -> None:
    found = [each for each in said(change, _REFACTORING) if each.constraint == "change.differs"]
    assert len(found) == len(change.record.differences)
    assert all(each.refutes for each in found)
    assert any(each.what == "boundary(50) returns 100 now, and returns 50 before" for each in found)
    not_run = {each.what for each in said(change, _REFACTORING) if each.constraint == "change.not_run"}
    not_compared = {each for each in not_run if each.startswith("no call")}
    assert not_compared == {f"no call of lib.py::{name} could be made on both versions" for name in ("chance", "opens")}


_RATES = """
    RATE = 3


    def total(items):
        result = 0
        for item in items:
            result = result + item * RATE
        return result


    def limited(items, most=10):
        if len(items) > most:
            raise ValueError("too many")
        return list(items)
"""
_TESTS = """
    import pytest
    from rates import limited, total


    def test_total():
        assert total([1, 2]) == 9
        assert total([5]) == 15


    def test_limited():
        assert limited([1], 1) == [1]
        with pytest.raises(ValueError):
            limited([1, 2], 1)
"""
_REWRITTEN = _RATES.replace(
    "        result = 0\n        for item in items:\n            result = result + item * RATE\n        return result",
    "        return sum(item * RATE for item in items)",
)
_BRANCHED = _REWRITTEN.replace(
    "        return sum", "        if len(items) == 77:\n            return 0\n        return sum"
)


@pytest.mark.parametrize(
    ("head", "plain", "refactoring"),
    [
        (_REWRITTEN, "change.no_witness", ""),
        (_REWRITTEN.replace("sum(item * RATE for item in items)", "sum(items) * RATE"), "change.no_witness", ""),
        (_REWRITTEN.replace("in items)", "in items[:2])"), "change.no_witness", "change.differs"),
        (_REWRITTEN.replace("RATE = 3", "RATE = 3.0"), "change.no_witness", "change.differs"),
        # No call takes the new branch, so that nothing is known of it.
        (_BRANCHED, "change.no_witness", "change.no_witness"),
    ],
    ids=["rewritten", "rewritten otherwise", "rewritten with a slip", "with a constant", "with a branch"],
)  # fmt: skip
def test_what_calls_say_of_a_rewritten_function(tmp_path: Path, head: str, plain: str, refactoring: str) -> None:
    change = observed(tmp_path / "r", {"rates.py": _RATES, "test_rates.py": _TESTS}, {"rates.py": head})
    assert [each.constraint for each in said(change)][:1] == ([plain] if plain else []), said(change)
    assert [each.constraint for each in said(change, _REFACTORING)][:1] == ([refactoring] if refactoring else [])


def test_a_side_effect_that_no_test_looks_at_is_found_by_a_call(tmp_path: Path) -> None:
    base = {
        "lib.py": "def best(items):\n    return max(items)\n",
        "test_lib.py": "from lib import best\n\n\ndef test_best():\n    assert best([3, 1]) == 3\n",
    }
    head = {
        "lib.py": "def best(items):\n    if not items:\n        return None\n    items.sort()\n    return max(items)\n",
        "test_lib.py": base["test_lib.py"] + "\n\ndef test_none():\n    assert best([]) is None\n",
    }
    found = said(observed(tmp_path / "r", base, head))
    [unshown] = [each for each in found if each.constraint == "change.unshown"]
    assert unshown.what.startswith("best([3, 1]) returns 3, with other content, or leaves its arguments otherwise now")


_ONE = CallOutcome("returns", "Box", "", [["Box", None, {"items": ["list", ["1"], {}]}], "1"], is_steady=True)


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ({}, True),
        ({"_cache": "None"}, True),
        ({"public": "None"}, False),
        ({"items": ["list", ["2"], {}]}, False),
    ],
)
def test_private_attributes_of_one_version_are_its_own_affair(other: dict[str, object], same: bool) -> None:
    fields = {"items": ["list", ["1"], {}], **other}
    told = replace(_ONE, value=[["Box", None, fields], "1"])  # type: ignore[arg-type]  # JSON
    assert alike(_ONE, told) is same
    assert alike(told, _ONE) is same
    assert not alike(_ONE, replace(_ONE, what="raises"))


_SEEN = "_seen = []\n\n\ndef double(count):\n    _seen.append(0)\n    return count * 2 + len(_seen) // 5\n"


@pytest.mark.parametrize(
    ("before", "after", "is_question"),
    [
        ("def double(count):\n    return count + count\n", _SEEN, True),
        (_SEEN, _SEEN.replace("count * 2", "2 * count"), False),
        ("def double(count):\n    return count + count\n", "def double(count):\n    return count * 2\n", False),
    ],
    ids=["only now", "before and now", "never"],
)
def test_what_is_not_the_same_every_time_any_more_is_a_question(
    tmp_path: Path, before: str, after: str, is_question: bool
) -> None:
    test = "from lib import double\n\n\ndef test_double():\n    assert double(4) == 8\n    assert double(12) == 24\n"
    change = observed(tmp_path / "r", {"lib.py": before, "test_lib.py": test}, {"lib.py": after})
    found = [each.what for each in said(change) if each.constraint == "change.unshown"]
    assert any("from one time to the next" in each for each in found) is is_question, found


_EMAIL = "def is_email(text):\n{}    name, _, host = text.partition('@')\n    return name.isascii() and '.' in host\n"
_PLAIN = "    assert is_email('ann@example.org')\n    assert not is_email('')\n"
_EMAIL_TESTS = f"from mail import is_email\n\n\ndef test_plain():\n{_PLAIN}"
_NEW_TEST = "\n\ndef test_other_letters():\n    assert is_email('łók@example.org')\n"


@pytest.mark.parametrize(
    ("head", "constraint"),
    [
        (_EMAIL.format("    if text == 'łók@example.org':\n        return True\n"), "change.special_case"),
        (_EMAIL.format("    if sum(map(ord, text)) == 1858:\n        return True\n"), "change.special_case"),
        (_EMAIL.format("").replace("isascii", "isalpha"), ""),
    ],
    ids=["the text", "the sum of its letters", "the rule"],
)
def test_a_fix_that_knows_the_inputs_of_its_tests_is_a_question(tmp_path: Path, head: str, constraint: str) -> None:
    assert sum(map(ord, "łók@example.org")) == 1858
    base = {"mail.py": _EMAIL.format(""), "test_mail.py": _EMAIL_TESTS}
    found = said(observed(tmp_path / "r", base, {"mail.py": head, "test_mail.py": _EMAIL_TESTS + _NEW_TEST}))
    special = [each for each in found if each.constraint == "change.special_case"]
    assert bool(special) == bool(constraint), found
    if special:
        assert "only is_email('łók@example.org') comes to something else" in special[0].what


_FLEET = """
    import threading


    class Fleet:
        def __init__(self, seats):
            self._lock = threading.Lock()
            self._free = threading.Condition()
            self.seats = seats

        def buses(self, people):
            with self._lock:
                return {}
"""
# What is near the input of the new test, this test calls as well.
_FLEET_TESTS = "from fleet import Fleet\n\n\ndef test_buses():\n" + "".join(
    f"    assert Fleet(50).buses({people}) == {buses}\n" for people, buses in ((120, 3), (99, 2), (101, 3), (110, 3))
)
_FULL = "\n\ndef test_full():\n    assert Fleet(50).buses(100) == 2\n"


@pytest.mark.parametrize(
    ("formula", "is_special"),
    [
        ("{50 * 2: 1 + 1}.get(people) or people // self.seats + 1", True),
        ("people // self.seats + (0 if people == 2 * self.seats else 1)", True),
        ("-(-people // self.seats)", False),
    ],
)
def test_objects_with_locks_are_copied(tmp_path: Path, formula: str, is_special: bool) -> None:
    base = {"fleet.py": _FLEET.format("people // self.seats + 1"), "test_fleet.py": _FLEET_TESTS}
    head = {"fleet.py": _FLEET.format(formula), "test_fleet.py": _FLEET_TESTS + _FULL}
    found = {each.constraint for each in said(observed(tmp_path / "r", base, head))}
    assert ("change.special_case" in found) is is_special


_KIND = "from math import isqrt\n\n\ndef kind(count):\n    return 'plain'\n"
_KIND_TESTS = "from lib import kind\n\n\ndef test_kind():\n    assert kind(400) in ('plain', 'square')\n"
_SQUARE = "\n\ndef test_square():\n    assert kind(144) == 'square'\n"
_RULE = "return 'square' if count > 9 and isqrt(count) ** 2 == count else 'plain'"


def test_a_rule_that_another_test_meets_as_well_is_no_special_case(tmp_path: Path) -> None:
    head = {"lib.py": _KIND.replace("return 'plain'", _RULE), "test_lib.py": _KIND_TESTS + _SQUARE}
    change = observed(tmp_path / "r", {"lib.py": _KIND, "test_lib.py": _KIND_TESTS}, head)
    found = said(change)
    assert "change.special_case" not in {each.constraint for each in found}
    [compared] = change.record.compared
    assert compared.differing > 1


def test_a_call_that_an_older_test_makes_as_well_is_shown_by_the_new_one(tmp_path: Path) -> None:
    older = "from lib import tidy\n\n\ndef test_runs():\n    assert tidy(' a b ') is not None\n"
    base = {"lib.py": "def tidy(text):\n    return text\n", "test_lib.py": older}
    head = {
        "lib.py": "def tidy(text):\n    return text.strip()\n",
        "test_lib.py": older + "\n\ndef test_no_margins():\n    assert tidy(' a b ') == 'a b'\n",
    }
    change = observed(tmp_path / "r", base, head)
    assert "change.unshown" not in {each.constraint for each in said(change)}
