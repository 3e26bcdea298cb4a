"""Claims about linters and type checkers are decided by running them, on both versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from probatum.changes.claims.claim_table import ChangeClaimKind
from probatum.changes.claims.reading import ChangeClaim
from probatum.changes.claims.tools import tools_claimed
from probatum.sandbox.environment import own_environment
from tests.changes.repositories import observed

_CLEAN = "def f(x: int) -> int:\n    return x\n"
_MORE = _CLEAN.replace("return x", "return x + 1")
_IMPORT = "import os\n\n\n"
_TEST = "from lib import f\n\n\ndef test_f() -> None:\n    assert f(2)\n"


@pytest.mark.parametrize(
    ("base", "head", "standings"),
    [
        (_CLEAN, _MORE, ["supported", "supported", "unproven"]),
        (_CLEAN, _IMPORT + _CLEAN.replace("return x", 'return "x"'), ["contradicted", "contradicted", "unproven"]),
        (_IMPORT + _CLEAN, _IMPORT + _MORE, ["unproven", "supported", "unproven"]),
    ],
    ids=["clean", "not clean", "not clean before"],
)
def test_a_tool_decides_what_is_claimed_of_it(tmp_path: Path, base: str, head: str, standings: list[str]) -> None:
    claims = "- ruff is clean\n- mypy is clean\n- pyright is clean\n"
    files = {"lib.py": base, "test_lib.py": _TEST}
    change = observed(tmp_path / "r", files, {"lib.py": head}, claims=claims, python=own_environment())
    assert [each.standing.value for each in change.record.claims] == standings, change.record.claims


def test_a_tool_that_nobody_names_is_the_usual_one() -> None:
    lint, types = (
        ChangeClaim(kind, "no errors", 0) for kind in (ChangeClaimKind.LINT_CLEAN, ChangeClaimKind.TYPES_CLEAN)
    )
    assert tools_claimed([[lint], [types, types]]) == ("ruff", "mypy")
    assert tools_claimed([]) == ()
