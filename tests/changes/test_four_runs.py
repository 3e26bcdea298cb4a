"""The table of tests: one change in which a test of each standing occurs, with its neighbour that looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from probatum.changes.observing import ObservedChange
from probatum.changes.record import ChangePolicy
from probatum.changes.table import RowStanding
from tests.changes.repositories import observed, said

_SHOP = """
    def price(count):
        return count * {price}


    def discount(count):
        return {discount}


    def label(count):
        return f"{{count}} pieces"
"""
_BASE = {
    "shop.py": _SHOP.format(price="3", discount="0"),
    "test_shop.py": """
        import pytest
        from shop import discount, label, price


        def test_kept():
            assert price(0) == 0


        def test_regression():
            assert price(2) == 6


        def test_expectation():
            assert price(1) == 3


        def test_edited_and_kept():
            assert price(0) == 0


        def test_edited_and_shows():
            assert discount(1) == 0


        def test_broken_by_its_edit():
            assert price(0) == 0


        def test_removed():
            assert price(0) + 1 == 1


        def test_switched_off():
            assert price(0) == 0


        def test_marked_to_fail():
            assert price(0) == 0


        def test_failing():
            assert price(1) == 5


        @pytest.mark.skip
        def test_idle():
            assert price(1) == 3


        def test_unedited_and_shows():
            assert discount(10) == 2


        @pytest.mark.parametrize("count, total", [(0, 0), (4, 12)])
        def test_cases(count, total):
            assert price(count) == total


        def test_untouched():
            assert label(1) == "1 pieces"
    """,
}
_HEAD = {
    "shop.py": _SHOP.format(price="4", discount="2 if count > 9 else 0"),
    "test_shop.py": """
        import os
        import pytest
        from shop import discount, label, price

        seen = []


        def test_kept():
            assert price(0) == 0


        def test_regression():
            assert price(2) == 6


        def test_expectation():
            assert price(1) == 4


        def test_edited_and_kept():
            nothing = price(0)
            assert nothing == 0


        def test_edited_and_shows():
            assert discount(1) == 0
            assert discount(11) == 2


        def test_broken_by_its_edit():
            assert price(0) == 1


        @pytest.mark.skip
        def test_switched_off():
            assert price(0) == 0


        @pytest.mark.xfail
        def test_marked_to_fail():
            assert price(0) == 1


        def test_failing():
            assert price(1) == 5


        @pytest.mark.skip
        def test_idle():
            assert price(1) == 3


        def test_unedited_and_shows():
            assert discount(10) == 2


        @pytest.mark.parametrize("count, total", [(0, 0), (4, 16)])
        def test_cases(count, total):
            assert price(count) == total


        def test_untouched():
            assert label(1) == "1 pieces"


        def test_witness():
            assert discount(12) == 2


        def test_silent():
            assert discount(0) == 0


        def test_broken():
            assert discount(12) == 3


        def test_new_and_off():
            pytest.skip("later")


        def test_flaky_first():
            seen.append(discount(1))


        def test_flaky():
            assert seen and discount(1) == 0


        def test_needs_a_package():
            assert discount(1) == 0
            import surely_not_installed_here
    """,
}
_STANDINGS = {
    "test_kept": RowStanding.KEPT,
    "test_regression": RowStanding.REGRESSION,
    "test_expectation": RowStanding.EXPECTATION,
    "test_edited_and_kept": RowStanding.KEPT,
    "test_edited_and_shows": RowStanding.WITNESS,
    "test_broken_by_its_edit": RowStanding.BROKEN,
    "test_removed": RowStanding.REMOVED,
    "test_switched_off": RowStanding.SWITCHED_OFF,
    "test_marked_to_fail": RowStanding.SWITCHED_OFF,
    "test_failing": RowStanding.FAILING,
    "test_unedited_and_shows": RowStanding.WITNESS,
    "test_cases[0-0]": RowStanding.KEPT,
    "test_cases[4-12]": RowStanding.EXPECTATION,
    "test_cases[4-16]": RowStanding.WITNESS,
    "test_witness": RowStanding.WITNESS,
    "test_silent": RowStanding.SILENT,
    "test_broken": RowStanding.BROKEN,
    "test_new_and_off": RowStanding.SWITCHED_OFF,
    "test_flaky": RowStanding.FLAKY,
    "test_needs_a_package": RowStanding.LACKING,
}


@pytest.fixture(scope="module")
def change(tmp_path_factory: pytest.TempPathFactory) -> ObservedChange:
    return observed(tmp_path_factory.mktemp("shop"), _BASE, _HEAD)


@pytest.mark.parametrize("test", _STANDINGS)
def test_each_test_stands_as_it_ended(change: ObservedChange, test: str) -> None:
    rows = {row.id: row for row in change.record.rows}
    assert rows[f"test_shop.py::{test}"].standing is _STANDINGS[test], rows[f"test_shop.py::{test}"]


def test_what_runs_nothing_changed_is_counted_alone(change: ObservedChange) -> None:
    assert "test_shop.py::test_untouched" not in {row.id for row in change.record.rows}
    assert change.record.others == 2


def test_a_regression_comes_before_every_question(change: ObservedChange) -> None:
    first = said(change)[0]
    assert (first.constraint, first.what.split()[0]) == ("change.regression", "test_shop.py::test_regression")


def test_a_test_is_accepted_with_all_of_its_cases(change: ObservedChange) -> None:
    policy = ChangePolicy(accepted=("test_shop.py::test_cases", "test_shop.py::test_expectation"))
    assert "change.expectation_changed" in {each.constraint for each in said(change)}
    assert "change.expectation_changed" not in {each.constraint for each in said(change, policy)}


def test_files_that_cannot_be_collected(tmp_path: Path) -> None:
    """One in both versions, one from now on, one new; the tests of the others are run all the same."""
    base = {
        "shop.py": "def price(count):\n    return count\n",
        "test_both.py": "import surely_not_installed_here\n",
        "test_lost.py": "from shop import price\n\n\ndef test_lost():\n    assert price(0) == 0\n",
        "test_good.py": "from shop import price\n\n\ndef test_good():\n    assert price(0) == 0\n",
    }
    head = {
        "shop.py": "def price(count):\n    return count * 3\n",
        "test_lost.py": "from shop import price, prices\n\n\ndef test_lost():\n    assert price(0) == 0\n",
        "test_new.py": "from shop import price\n\nassert price(1) == 1\n\n\ndef test_new():\n    pass\n",
        "test_good.py": "from shop import price\n\n\ndef test_good():\n    assert price(1) == 3\n",
        "test_both.py": "import surely_not_installed_here\n",
        "notes.txt": "text\n",
    }
    change = observed(tmp_path, base, head)
    standings = {row.id: row.standing for row in change.record.rows}
    assert standings == {
        "test_good.py::test_good": RowStanding.WITNESS,
        "test_lost.py::test_lost": RowStanding.REGRESSION,
        "test_new.py": RowStanding.BROKEN,
    }
    assert change.record.uncollected == (
        "test_both.py cannot be collected: ModuleNotFoundError: No module named 'surely_not_installed_here'",
    )
    assert change.record.not_judged == ("notes.txt",)


@pytest.mark.parametrize("has_others", [False, True])
def test_files_called_tests_are_run_where_there_are_no_others(tmp_path: Path, has_others: bool) -> None:
    others = {"test_other.py": "def test_other():\n    pass\n"} if has_others else {}
    test = "from shop import price\n\n\ndef test_price():\n    assert price(1) == {}\n"
    base = {"shop.py": "def price(count):\n    return count\n", **others}
    head = {"shop.py": "def price(count):\n    return count * 3\n", "tests.py": test.format(3)}
    change = observed(tmp_path, {**base, "tests.py": test.format(1).replace("test_price", "test_one")}, head)
    found = (
        {}
        if has_others
        else {"tests.py::test_one": RowStanding.EXPECTATION, "tests.py::test_price": RowStanding.WITNESS}
    )
    assert {row.id: row.standing for row in change.record.rows} == found


@pytest.mark.parametrize(
    ("cases", "is_weaker"), [("[int, float]", False), ("[pytest.param(int, marks=pytest.mark.skip)]", True)]
)
def test_a_test_that_gets_parameters_is_still_there(tmp_path: Path, cases: str, is_weaker: bool) -> None:
    base = {
        "shop.py": "def price(count):\n    return int(count) * 3\n",
        "test_shop.py": "from shop import price\n\n\ndef test_price():\n    assert price(2) == 6\n",
    }
    head = {
        "shop.py": "def price(count):\n    return count * 3\n",
        "test_shop.py": f"""
            import pytest
            from shop import price


            @pytest.mark.parametrize("kind", {cases})
            def test_price(kind):
                assert price(kind(2)) == 6


            def test_half():
                assert price(0.5) == 1.5
        """,
    }
    found = {each.constraint for each in said(observed(tmp_path, base, head))}
    assert ("change.weakened" in found) is is_weaker
