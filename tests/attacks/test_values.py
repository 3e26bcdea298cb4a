"""Whoever bends equality, content or text earns no pass by it; who only inherits from a built-in type loses none."""

from __future__ import annotations

import doctest
import sys
from types import ModuleType

import pytest

from tests.attacks.special_values import ALONE
from tests.attacks.values import OF_KINDS, Row
from tests.services import Service, tolerant

ROWS = [*OF_KINDS, *ALONE]


def naive(source: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Tell what a judge in the program's own process says: every example is equal to what is shown, or shows it."""
    module = ModuleType("subject")
    names = vars(module)
    monkeypatch.setitem(sys.modules, "subject", module)
    exec(compile(f"{source}\nimport datetime", "subject", "exec", dont_inherit=True), names)
    documents = (getattr(each, "__doc__", None) for name, each in list(names.items()) if not name.startswith("_"))
    passed = []
    for document in documents:
        for example in doctest.DocTestParser().get_examples(document) if isinstance(document, str) else ():
            if not example.want:
                exec(example.source, names)
                continue
            value = eval(example.source, names)
            passed.append(repr(value) == example.want.strip() or _equals(value, example.want, names))
    return bool(passed) and all(passed)


def _equals(value: object, written: str, names: dict[str, object]) -> bool:
    try:
        return bool(value == eval(written, names))
    except (NameError, SyntaxError):
        return False


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_control_says_of_it_what_is_written(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    assert naive(row.source, monkeypatch) is row.naive


@pytest.mark.sampled(24)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_none_that_is_wrong_is_verified_and_none_that_is_right_refuted(row: Row, service: Service) -> None:
    # What is asked is whose equality counts: few of these programs show their main sentence by three results.
    request = tolerant(row.source.encode(), "subject.py")
    verdict = service.verify_program(request).verdict
    forbidden = {"refuted"} if row.is_right else {"tested", "proved"}
    assert verdict.outcome not in forbidden, verdict
    assert row.due in {"", verdict.outcome}, verdict


def test_there_are_as_many_right_ones_as_wrong_ones() -> None:
    right = sum(row.is_right for row in ROWS)
    assert right >= 45
    assert len(ROWS) - right >= 45
