"""Every constraint that the code can name has its sentence in the catalogue, and every sentence has a use.

Texts are read from the parsed files. One of the form of a constraint, in an area of the catalogue, is a constraint
unless it is the code of an error or is named here with its reason. Refuses a constraint that is put together where
nobody can read it.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from functools import cache

from probatum.core.messages import SENTENCES_FILE, built_in_sentences
from tests.house.sources import Module, package_modules, repository_files

NOT_CONSTRAINTS: Mapping[str, str] = {
    "program.documented": "the id of a verifier in a proof",
    "program.value_not_readable": "the code of an error that has a class of its own",
    "program.py": "the name of a file",
    "contract.schema": "the id of a verifier",
    "json.object": "the id of a verifier",
    "json.no_object": "the kind of a finding",
    "contract.json": "the name of a file",
    "contract.md": "the name of a file",
    "program.deep": "the id of a verifier",
    "contract.policy": "the kind of a finding",
    "program.worth_a_look": "the kind of a finding",
    "program.open_statement": "the kind of a finding",
    "program.survivor": "the kind of a finding",
    "program.*": "the kind of a finding: what failed, by its kind of check",
    "schema.no_json": "the kind of a finding",
    "schema.unplaced": "the kind of a finding",
    "schema.more": "the kind of a finding",
    "schema.*": "the kind of a finding: the keyword that is broken, or what is doubtful",
    "store.not_found": "the code of an error that several modules ask for",
    "store.erased": "the code of an error that several modules ask for",
}
"""Texts of the form of a constraint that are something else, with what they are."""

CONSTRAINT_AT: Mapping[str, int] = {"decide": 1, "Decision": 1, "_undecided": 1, "refuse": 2, "agent_message": 0}
"""Which argument of a call names a constraint."""

_FORM = re.compile(r"[a-z]+\.[a-z_]+")
_SENTENCES = built_in_sentences()
_AREAS = {constraint.partition(".")[0] for constraint in _SENTENCES}


def _called(node: ast.Call) -> str:
    return ast.unparse(node.func).rsplit(".", 1)[-1]


def _error_codes(module: Module) -> set[ast.expr]:
    """The first argument of everything that makes an error."""
    calls = (node for node in ast.walk(module.tree) if isinstance(node, ast.Call) and node.args)
    return {call.args[0] for call in calls if _called(call).endswith("Error")}


@cache
def _texts(module: Module) -> tuple[tuple[str, str], ...]:
    """Every text of the form of a constraint that is no error's code, with its place; ``*`` is what is put in."""
    codes, found = _error_codes(module), []
    inside = {part for node in ast.walk(module.tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Constant | ast.JoinedStr) or node in codes or node in inside:
            continue
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts)
        if _FORM.fullmatch(text.replace("*", "x")):
            found.append((text, f"{module.shown}:{node.lineno}"))
    return tuple(found)


def test_every_constraint_is_in_the_catalogue() -> None:
    unknown = {
        text: place
        for module in package_modules()
        for text, place in _texts(module)
        if text.partition(".")[0] in _AREAS and text not in _SENTENCES and text not in NOT_CONSTRAINTS
    }
    assert not unknown


def test_every_call_that_names_a_constraint_names_one_of_the_catalogue() -> None:
    named = 0
    unknown = []
    for module in package_modules():
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Call) or _called(node) not in CONSTRAINT_AT:
                continue
            at = CONSTRAINT_AT[_called(node)]
            given = node.args[at] if len(node.args) > at else None
            if isinstance(given, ast.Constant):
                named += 1
                if given.value not in _SENTENCES:
                    unknown.append(f"{module.shown}:{node.lineno} {given.value!r}")
    assert named > 20
    assert not unknown


def _rows() -> list[tuple[str, str]]:
    """Every constraint and sentence as they stand in a file, with their parts."""
    files = (path.read_text(encoding="utf-8") for path in repository_files(".json") if path.name == SENTENCES_FILE)
    return [(constraint, text) for file in files for constraint, text in json.loads(file, object_pairs_hook=list)]


def test_a_sentence_stands_in_one_file_and_has_the_parts_of_its_constraint() -> None:
    assert sum(2 ** constraint.count("[") for constraint, _ in _rows()) == len(_SENTENCES)
    brackets = [[text.count(bracket) for text in row for bracket in "[]"] for row in _rows()]
    assert [each for each in brackets if len(set(each)) > 1] == []


def test_every_sentence_has_a_use() -> None:
    texts = {text for module in package_modules() for text, _ in _texts(module)} - set(NOT_CONSTRAINTS)
    patterns = [re.compile(re.escape(text).replace(r"\*", "[a-z_]+")) for text in texts]
    names = {re.sub(r"\[\w*\]|_beside", "", constraint) for constraint, _ in _rows()}
    assert [name for name in names if not any(pattern.fullmatch(name) for pattern in patterns)] == []


def test_reasons_still_have_their_cause() -> None:
    texts = {text for module in package_modules() for text, _ in _texts(module)}
    assert set(NOT_CONSTRAINTS) <= texts
