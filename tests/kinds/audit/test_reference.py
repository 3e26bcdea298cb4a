"""The reference names every check that an audit makes and every key that a question may declare."""

from __future__ import annotations

import re
from itertools import chain
from typing import get_args

from probatum.audit.extras import FieldDeclaration, PromptDeclarations, Tolerance
from tests.house.sources import ROOT

PAGE = (ROOT / "docs" / "reference" / "audit.md").read_text(encoding="utf-8")
NAMED = set(chain.from_iterable(re.split(r"[^\w.]+", code) for code in re.findall(r"`([^`\n]+)`", PAGE)))
OF_OTHERS = {"strict_mode", "compiler", "assumptions", "confidence_policy", "temporal_constraint"}
_CHECK = re.compile(r'(?:CheckResult\.\w+|_failed|_Broken|tell|_note)\(\s*(?:CheckResult\.\w+,\s*)?"([a-z]+\.[a-z_]+)"')


def test_every_check_is_explained() -> None:
    told = set()
    for path in (ROOT / "src" / "probatum" / "audit").glob("*.py"):
        told |= set(_CHECK.findall(path.read_text(encoding="utf-8")))
    assert len(told) > 35
    assert sorted(told - NAMED) == []


def test_every_declaration_is_explained() -> None:
    models = (PromptDeclarations, FieldDeclaration, Tolerance)
    named = {key for model in models for key in model.model_fields}
    values = {
        value
        for model in models
        for each in model.model_fields.values()
        for value in get_args(each.annotation)
        if isinstance(value, str) and re.fullmatch(r"[\w.]+", value)
    }
    assert sorted((named | values) - NAMED - OF_OTHERS) == []
