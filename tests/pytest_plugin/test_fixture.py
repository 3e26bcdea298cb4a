"""The fixture `probatum`: verdicts in a test, with and without ``--probatum``."""

from __future__ import annotations

from tests.pytest_plugin.conftest import GOOD, WRONG, Project

TESTS = """\
import functools
import json

import prices
import pytest

from probatum.core.errors import UsageError


def test_a_function(probatum):
    verdict = probatum.verify(prices.clamp)
    assert verdict.is_verified
    assert verdict.proof_ref


def test_a_path(probatum, tmp_path):
    assert probatum.verify(f"{prices.__file__}::clamp").is_verified
    assert probatum.verify(prices.__file__).outcome == "refuted"
    (tmp_path / "empty.py").write_text("")
    assert probatum.verify(tmp_path / "empty.py").outcome == "undecided"


def test_a_contract(probatum):
    verdict = probatum.verify(prices.clamp, contract="clamp(1, 2, 3) == 3", level="quick")
    assert verdict.outcome == "refuted"
    assert not verdict.is_verified


def test_an_output(probatum, tmp_path):
    contract = tmp_path / "point.json"
    schema = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    contract.write_text(json.dumps(schema))
    assert probatum.check({"x": 1}, str(contract)).is_verified
    assert probatum.check('{"x": "1"}', str(contract)).outcome == "refuted"
    assert not probatum.check(b"", str(contract)).is_verified


def local(n):
    def inside():
        return n
    return inside


@functools.wraps(prices.clamp)
def another(*arguments):
    return None


NOWHERE = [len, local(1), another, functools.partial(local, 1), "none.py", "prices.py::no", "."]


@pytest.mark.parametrize("subject", NOWHERE)
def test_what_stands_in_no_file(probatum, subject):
    with pytest.raises(UsageError):
        probatum.verify(subject)


def test_an_unknown_level(probatum):
    with pytest.raises(UsageError):
        probatum.verify(prices.clamp, level="fast")
"""


def test_verdicts_in_a_test(project: Project) -> None:
    project.write({"prices.py": f"{GOOD}\n\n{WRONG}", "test_prices.py": TESTS})
    ran = project.run("-q", "-o", "pythonpath=.")
    assert (ran.code, ran.last_line.split(" in ")[0]) == (0, "12 passed"), ran.text


def test_a_verdict_that_is_asserted_is_shown(project: Project) -> None:
    one = "import prices\n\ndef test_it(probatum):\n    assert probatum.verify(prices.double).is_verified\n"
    project.write({"prices.py": WRONG, "test_prices.py": one})
    ran = project.run("-q", "-o", "pythonpath=.")
    assert ran.last_line.startswith("1 failed")
    assert "double does not do what its do" in ran.text
