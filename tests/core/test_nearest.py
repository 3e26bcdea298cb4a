"""What a hint says is meant: near names, and none where nothing is near."""

from __future__ import annotations

import pytest

from probatum.core.errors import meant_by, nearest
from probatum.core.outside import folded

FORMATS = ("text", "json", "junit", "sarif")
LAYERS = ("agent", "developer", "proof")
MEANT = {
    "agents": (LAYERS, "agent"),
    "dev": (LAYERS, "developer"),
    "junti": (FORMATS, "junit"),
    "JSON": (FORMATS, "json"),
    "\uff4ason": (FORMATS, "json"),
    "xml": (FORMATS, ""),
    "t": (FORMATS, ""),
    "": (FORMATS, ""),
    "humaneval": (("humanevalfix", "corpus"), "humanevalfix"),
    "llm": (("llm-programs", "llm-outputs"), ""),
    "contarct": (("contract", "output"), "contract"),
    "llm_bolean_gate": (("llm_boolean_gate", "llm_text"), "llm_boolean_gate"),
    "net_prise": (("net_price", "gross_price"), "net_price"),
    "nte_price": (("net_price",), "net_price"),
    "program": (("output", "judge"), ""),
    "v9": (("v1", "v2"), ""),
    "f": (("g", "h", "fast"), ""),
    "ap": (("app", "main"), "app"),
    "audit": (("edit", "admit"), ""),
    "x" * 100_000: (("x",), ""),
    "known": (("known",), ""),
    "alpha": ((), ""),
}


@pytest.mark.parametrize(("name", "row"), MEANT.items(), ids=[name[:20] for name in MEANT])
def test_only_what_is_near_is_meant(name: str, row: tuple[tuple[str, ...], str]) -> None:
    known, meant = row
    assert meant_by(name, known) == meant
    assert nearest(name, known) == (f"Did you mean {meant!r}?" if meant else "")


def test_a_thousand_long_names_are_compared_in_their_beginning() -> None:
    known = [f"{'a' * 79}{number}{'b' * 10_000}" for number in range(1000)]
    assert meant_by("a" * 100_000, known) != ""


def test_folding_is_stable() -> None:
    for text in ("Stra\u00dfe", "\ufb01", "\u0130", "A\u030a", "\u1e9e"):
        assert folded(folded(text)) == folded(text)
