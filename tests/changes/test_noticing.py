"""Would the tests notice? Parts of a change that are undone, and faults on its lines."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from probatum.changes.observing import ObservedChange
from tests.changes.repositories import observed, said

_BASE = {
    "src/shop/__init__.py": "",
    "src/shop/prices.py": """
        import logging

        LIMIT = 10
        log = logging.getLogger(__name__)


        def price(count):
            return count * 3


        class Basket:
            least = 1

            def __init__(self):
                self.counts = []

            def add(self, count):
                self.counts.append(count)
    """,
    "tests/test_prices.py": """
        from shop.prices import Basket, price


        def test_price():
            assert price(2) == 6


        def test_basket():
            basket = Basket()
            basket.add(1)
            assert basket.counts == [1]
    """,
}
_HEAD = {
    "src/shop/prices.py": """
        import logging

        LIMIT = 20
        log = logging.getLogger(__name__)


        def price(count):
            log.debug("asked for %s", count)
            if count < 0:
                raise ValueError("no such count")
            if count >= LIMIT:
                return count * 2
            return count * 3


        def unused(count):
            return count + 1


        class Basket:
            least = 2

            def __init__(self):
                self.counts = []

            def add(self, count):
                self.counts.append(max(count, 0))

            def total(self):
                result = 0
                for count in self.counts:
                    result += price(count)
                return result
    """,
    "tests/test_prices.py": """
        import pytest
        from shop.prices import Basket, price


        def test_price():
            assert price(2) == 6


        def test_many():
            assert price(19) == 57
            assert price(20) == 40


        def test_negative():
            with pytest.raises(ValueError):
                price(-1)


        def test_basket():
            basket = Basket()
            basket.add(1)
            assert basket.counts == [1]


        def test_total():
            basket = Basket()
            basket.add(1)
            basket.add(2)
            assert basket.total() == 9
    """,
}


@pytest.fixture(scope="module")
def change(tmp_path_factory: pytest.TempPathFactory) -> ObservedChange:
    return observed(tmp_path_factory.mktemp("shop"), _BASE, _HEAD)


_UNDONE = {
    "src/shop/prices.py": "noticed",
    "src/shop/prices.py::price": "noticed",
    "src/shop/prices.py::unused": "unrun",
    "src/shop/prices.py::Basket": "survived",
    "src/shop/prices.py::Basket.add": "survived",
    "src/shop/prices.py::Basket.total": "noticed",
}


@pytest.mark.parametrize("name", _UNDONE)
def test_each_part_of_the_change_is_undone(change: ObservedChange, name: str) -> None:
    units = {each.name: each for each in change.record.units}
    assert units.keys() == _UNDONE.keys()
    undone = units[name].undone
    assert undone is not None
    assert undone.end == _UNDONE[name]


def test_what_no_test_notices_is_a_question_at_its_line(change: ObservedChange) -> None:
    asked = {each.what for each in said(change) if each.constraint == "change.no_witness"}
    assert any("unused" in each for each in asked)
    assert any("Basket" in each for each in asked)
    assert not any("price" in each.rpartition("`")[0] for each in asked if "no test fails" in each)


def test_faults_are_planted_on_changed_lines_alone(change: ObservedChange) -> None:
    head = _HEAD["src/shop/prices.py"].strip().splitlines()
    base = {line.strip() for line in _BASE["src/shop/prices.py"].splitlines()}
    planted = {head[each.line - 1].strip() for each in change.record.faults}
    assert planted
    assert planted.isdisjoint(base - {"return count * 3"})
    assert not any(line.startswith("log.") for line in planted)


def test_a_fault_is_told_as_one_sentence(change: ObservedChange) -> None:
    ends = {each.sentence: each for each in change.record.faults}
    noticed = [each for each in ends.values() if each.is_noticed]
    assert len(noticed) >= 5
    assert all(each.by.startswith("tests/test_prices.py::") for each in noticed if each.end == "noticed")
    assert all(str(each.line) in each.sentence for each in ends.values())


def test_a_fix_that_no_test_shows_is_not_verified(tmp_path: Path) -> None:
    head = {"src/shop/prices.py": _BASE["src/shop/prices.py"].replace("count * 3", "count * 3 + 0 * LIMIT")}
    first = said(observed(tmp_path, _BASE, head))[0]
    assert (first.constraint, first.path) == ("change.no_witness", "src/shop/prices.py")


def test_a_test_that_looks_at_the_text_notices_everything_and_shows_nothing(tmp_path: Path) -> None:
    pinned = """

        def test_text():
            from pathlib import Path
            from shop import prices

            assert prices.price(0) == 0
            assert sum(Path(prices.__file__).read_bytes()) % 1000 == {}
    """
    source = _BASE["src/shop/prices.py"].replace("count * 3", "count * 3 if count > 1 else count")
    total = sum(textwrap.dedent(source).lstrip().encode()) % 1000
    head = {"src/shop/prices.py": source, "tests/test_prices.py": _BASE["tests/test_prices.py"] + pinned.format(total)}
    change = observed(tmp_path, _BASE, head)
    assert all(each.undone is not None and each.undone.is_noticed for each in change.record.units)
    first = said(change)[0]
    assert (first.constraint, "any other text of src/shop/prices.py" in first.what) == ("change.not_run", True)


def test_a_changed_line_that_no_test_runs_is_a_question(tmp_path: Path) -> None:
    source = _BASE["src/shop/prices.py"].replace(
        "return count * 3", "if count > 100:\n                return 0\n            return count * 3 + 0 * (count > 1)"
    )
    asked = said(observed(tmp_path, _BASE, {"src/shop/prices.py": source}))
    assert ("change.no_witness", "no test runs line 9 of src/shop/prices.py") in {(e.constraint, e.what) for e in asked}


def test_in_a_reformatted_file_nothing_that_runs_differs(tmp_path: Path) -> None:
    text = _BASE["src/shop/prices.py"].replace("count * 3", "(count  *  3)  # three each")
    change = observed(tmp_path, _BASE, {"src/shop/prices.py": text})
    assert said(change) == ()
    assert change.record.inert == ("src/shop/prices.py",)


def test_what_a_decorator_does_while_tests_are_collected_every_test_may_notice(tmp_path: Path) -> None:
    source = """
        def times(function):
            factor = {}

            def inner(count):
                return function(count) * factor

            return inner
    """
    test = """
        from shop.times import times


        @times
        def one(count):
            return count
    """
    base = {"src/shop/__init__.py": "", "src/shop/times.py": source.format(1), "tests/test_times.py": test}
    shown = test + "\n\n        def test_one():\n            assert one(3) == 6\n"
    change = observed(tmp_path, base, {"src/shop/times.py": source.format(2), "tests/test_times.py": shown})
    assert said(change) == ()
    assert {each.by for each in change.record.faults} == {"tests/test_times.py::test_one"}
