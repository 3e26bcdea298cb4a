"""Every code that the source can give is explained, and every explanation is of a code of the source.

Codes are read from the parsed files: constraints are those of the catalogue, errors the first argument of whatever is
called like an error. Codes that are put together are listed here. Refuses an error whose explanation tells another exit
code than its class has.
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from probatum.app.explaining import ERRORS, REFUSALS, Meaning, built_in_meanings, meanings_of
from probatum.core.messages import SENTENCES_FILE
from scripts.codes import PAGE, page
from tests.house.sources import PACKAGE, Module, package_modules

PUT_TOGETHER: Mapping[str, tuple[str, ...]] = {
    "acceptance.{}": ("no_repository", "no_revision", "revision", "nested"),
    "against.{}": ("no_repository", "no_revision", "revision"),
    "change.{}": ("no_repository", "no_revision", "revision", "nested"),
    "advisor.{}": (
        *("unreachable", "not_a_reply", "too_large", "rate_limited", "server_failed", "not_allowed", "redirects"),
        *("refused", "cut_off", "declined", "empty", "tells_key", "wrong_form", "no_advice"),
    ),
    "{}.unknown": ("assurance", "evidence", "format", "layer", "level"),
    "token.{}": ("issuer", "audience"),
    "source.{}": ("unreachable", "redirected", "private_address", "encoded", "not_text", "too_large"),
    "{}.foreign": ("store", "ledger"),
    "{}.busy": ("store", "ledger"),
    "{}.full": ("store", "ledger"),
    "{}.read_only": ("store", "ledger"),
    "{}.unknown_kind": ("store", "ledger"),
    "judge.{}": (
        *("invalid", "schema_invalid", "schema_remote", "schema_reference", "schema_circular", "schema_draft"),
        *("schema_too_deep", "pattern_not_linear", "pattern_too_large"),
    ),
}
"""Codes of which a part is put in when the error is made, by their form."""
IN_THEIR_CLASS = {"program.value_not_readable": "undecided", "service.error": "cannot be attempted"}
"""Codes that a class of errors gives itself, with what they come with."""
UNDECIDED_ERRORS = {"CannotDecideError", "RefutedError"}
"""Inside an engine these become rulings; their codes are constraints."""

_FORM = re.compile(r"[a-z_]+\.[a-z_]+")


@cache
def _constants() -> Mapping[str, Mapping[str, str]]:
    """Texts that stand at the top of a module, by the module and the name."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for module in package_modules():
        for node in module.tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            match targets, getattr(node, "value", None):
                case [ast.Name(id=name)], ast.Constant(value=str() as text):
                    found[module.name][name] = text
    return found


def _texts_of(module: Module) -> dict[str, str]:
    texts = dict(_constants()[module.name])
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            there = _constants().get(node.module or "", {})
            texts |= {alias.asname or alias.name: there[alias.name] for alias in node.names if alias.name in there}
    return texts


@cache
def _bases() -> Mapping[str, str]:
    classes = (node for module in package_modules() for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef))
    return {each.name: ast.unparse(each.bases[0]) for each in classes if each.bases}


def _words_for(name: str) -> str:
    """What an error of this class is, in words: of a class of its own, that of its base."""
    words = {error.__name__: words for words, error in ERRORS.items()}
    while name not in words and name in _bases():
        name = _bases()[name]
    return words.get(name, "")


def _errors() -> Iterator[tuple[str, str, str]]:
    """Every code that is the first argument of an error, with its class and its place."""
    for module in package_modules():
        texts = _texts_of(module)
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = ast.unparse(node.func).rsplit(".", 1)[-1]
            match node.args[0]:
                case ast.Constant(value=str() as code):
                    pass
                case ast.Name(id=name) if name in texts:
                    code = texts[name]
                case _:
                    continue
            if called.endswith("Error") and _FORM.fullmatch(code):
                yield code, called, f"{module.shown}:{node.lineno}"


@cache
def _constraints() -> frozenset[str]:
    files = (json.loads(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob(SENTENCES_FILE))
    return frozenset(re.sub(r"\[\w*\]", "", constraint) for file in files for constraint in file)


def _put_together() -> set[str]:
    return {form.format(part) for form, parts in PUT_TOGETHER.items() for part in parts}


def _explained() -> Mapping[str, Meaning]:
    return {code: each for code, each in built_in_meanings().items() if each.area != REFUSALS}


def test_every_code_is_explained() -> None:
    assert {code: place for code, _, place in _errors() if code not in _explained()} == {}
    assert (_constraints() | _put_together() | set(IN_THEIR_CLASS)) - set(_explained()) == set()


def test_every_explanation_is_of_a_code() -> None:
    codes = {code for code, _, _ in _errors()} | _constraints() | _put_together() | set(IN_THEIR_CLASS)
    assert set(_explained()) - codes == set()


def test_an_error_comes_with_what_its_class_says() -> None:
    classes: dict[str, set[str]] = defaultdict(set)
    for code, called, _ in _errors():
        if code not in _constraints() and called not in UNDECIDED_ERRORS:
            classes[code].add(_words_for(called))
    assert {code: words for code, words in classes.items() if set(_explained()[code].ends) != words} == {}


def test_every_constraint_has_an_outcome_an_example_and_what_to_do() -> None:
    told = [_explained()[constraint] for constraint in _constraints()]
    assert [each.code for each in told if not (each.ends and each.example and each.do)] == []


@pytest.mark.parametrize("forbidden", ["/tmp/", "  ", "TODO"])
def test_texts_are_of_no_machine_and_in_one_line(forbidden: str) -> None:
    told = built_in_meanings().values()
    assert [each.code for each in told if forbidden in f"{each.means}|{each.came}|{each.case}|{each.do}"] == []


def test_every_explained_error_of_an_example_is_its_own() -> None:
    shown = {each.code: each.came for each in _explained().values() if each.came.startswith("error[")}
    assert len(shown) > 100
    assert {code: came for code, came in shown.items() if not came.startswith(f"error[{code}]: ")} == {}


def test_the_page_is_what_the_command_tells() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "make docs writes it again"


def test_the_page_has_an_anchor_for_every_code() -> None:
    assert re.findall(r'<a id="([\w.]+)"></a>', page()) == [each.code for each in meanings_of("")]
