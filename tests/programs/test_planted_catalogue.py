"""The catalogue of planted faults is what the code does: the same kinds and meanings, and every example is planted."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from probatum.kinds.program.levels import PLANTED_FAULTS
from probatum.programs.faults.mutants import plan_mutants
from probatum.programs.faults.planting import FAULT_KINDS
from tests.programs.parsing import source_of
from tests.services import Level

PAGE = (Path(__file__).parents[2] / "docs/reference/mutants.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^## `(\w+)`\n(.+?)\n\n((?:```diff\n.*?\n```\s*)+)", re.MULTILINE | re.DOTALL)
HEAD = "def f(x, y, n: int, s: str, xs: list[int]):\n"


def sections() -> list[tuple[str, str, list[str]]]:
    return [(kind, meaning, re.findall(r"```diff\n(.*?)\n```", text, re.DOTALL)) for kind, meaning, text in found()]


def found() -> list[tuple[str, str, str]]:
    return [(match[1], match[2], match[3]) for match in SECTION.finditer(PAGE)]


EXAMPLES = [(kind, diff) for kind, _, diffs in sections() for diff in diffs]


def one_side(diff: str, sign: str) -> str:
    lines = [line[1:] for line in diff.splitlines() if line[:1] in {" ", sign}]
    return HEAD + textwrap.indent("\n".join(lines), "    ") + "\n"


def spaced(text: str) -> str:
    return "\n".join(re.sub(r"(?<=\S) +", " ", line).rstrip() for line in text.splitlines())


def test_the_page_has_every_kind_with_its_meaning() -> None:
    assert {kind: meaning for kind, meaning, _ in sections()} == dict(FAULT_KINDS)
    assert all(diffs for _, _, diffs in sections())


@pytest.mark.parametrize(("kind", "diff"), EXAMPLES, ids=[f"{kind}-{n}" for n, (kind, _) in enumerate(EXAMPLES)])
def test_every_example_is_planted(kind: str, diff: str) -> None:
    before, after = one_side(diff, "-"), one_side(diff, "+")
    planted = [
        m.source.decode() for m in plan_mutants(source_of(before), "f", limit=10_000, seed=0) if m.operator == kind
    ]
    assert spaced(after) in [spaced(text) for text in planted]


def test_the_page_has_the_counts_of_the_levels() -> None:
    standard, thorough = PLANTED_FAULTS[Level.STANDARD], PLANTED_FAULTS[Level.THOROUGH]
    assert f"at most {standard} for a function at level standard, {thorough} at thorough, none at quick" in PAGE
    assert PLANTED_FAULTS[Level.QUICK] == 0
