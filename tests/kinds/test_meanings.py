"""Every code that an agent can read under ``why`` has a meaning: those of refusals, and those of verdicts."""

from __future__ import annotations

import ast
import json

from probatum.kinds.program.kind import ProgramKind
from probatum.kinds.program.loop_tools import AGENT_TOOLS
from tests.house.sources import ROOT, package_modules

_CODED = {"Why": {"readings", "programs", "kinds"}, "refuse": {"readings"}}


def _codes() -> set[str]:
    """Return the first argument of every call that gives a reason a code."""
    found = set()
    for module in package_modules():
        for node in ast.walk(module.tree):
            match node:
                case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str() as code), _, *_]) if (
                    module.part in _CODED.get(name, ())
                ):
                    found.add(code)
    return found


def test_every_reason_has_a_meaning() -> None:
    meanings = {code for tool in AGENT_TOOLS for code in tool.meanings()}
    assert len(_codes()) > 25
    assert _codes() - meanings == set()


def test_every_verdict_that_is_not_verified_has_a_meaning() -> None:
    meanings = {code for tool in AGENT_TOOLS for code in tool.meanings()}
    constraints = {name.rpartition(".")[2] for name in ProgramKind.sentences if "tested" not in name}
    assert constraints - meanings == set()


def test_the_page_has_every_meaning() -> None:
    page = (ROOT / "docs/reference/agent-tools.md").read_text()
    told = json.loads((ROOT / "src/probatum/kinds/program/meanings.json").read_text())
    assert [code for code, meaning in told.items() if f"| `{code}` | {meaning} |" not in page] == []
