"""No list of English words decides: what is formal does. The lists that a package may have are named, with their use.

A list is looked for where one would stand: in patterns, sets and tables of a module. Its words are told by those that
say when and whether (`must`, `never`, `unless`), which code and messages for people have no tables of.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.house.sources import Module, package_modules

MAY_HAVE: Mapping[str, Mapping[str, str]] = {
    "programs": {
        "probatum.programs.demands": "a contract whose line demands something and gives no clause withholds VERIFIED",
        "probatum.programs.examples.disowned": "an example that the document calls wrong refutes nothing",
        "probatum.programs.parsing.sections": "the keywords of docstring formats, and where the name of an entry ends",
        "probatum.programs.examples.outputs": "names of types that admit None",
    },
}
"""By package that is held to the rule: the modules that have such a list, and why none of them refutes or proves."""

_TELLING = frozenset(
    [
        "must",
        "shall",
        "should",
        "may",
        "might",
        "can",
        "cannot",
        "never",
        "always",
        "none",
        "neither",
        "nor",
        "unless",
        "except",
        "when",
        "whenever",
        "until",
        "otherwise",
        "without",
        "ignored",
        "optional",
        "modified",
        "unchanged",
        "positive",
        "negative",
        "greater",
        "returned",
        "raised",
    ]
)
_TABLES = (ast.Set, ast.Dict, ast.Tuple, ast.List)
_MAKERS = {"compile", "word_set", "frozenset", "set", "dict", "fromkeys"}
_FEWEST = 2


def word_lists(module: Module) -> Iterator[str]:
    """Yield the names of what a module binds to a pattern or a table with words that tell when or whether."""
    for node in module.tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _is_table(node.value):
            texts = (each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant))
            words = {word.lower() for text in texts if isinstance(text, str) for word in re.findall(r"[A-Za-z]+", text)}
            sentences = any(
                isinstance(each, ast.Constant) and _is_sentence(each.value) for each in ast.walk(node.value)
            )
            if len(words & _TELLING) >= _FEWEST and not sentences:
                yield ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)


def _is_table(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return _is_table(value.left) or _is_table(value.right)
    if isinstance(value, ast.Call):
        name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
        return name in _MAKERS
    return isinstance(value, _TABLES)


def _is_sentence(value: object) -> bool:
    # What is said to people, or planted into programs, is no list.
    return isinstance(value, str) and re.search(r"(?:^|\s)(?:the|a|an) \w+ \w+", value) is not None


@pytest.mark.parametrize("package", MAY_HAVE)
def test_a_package_has_no_other_list_of_english_words(package: str) -> None:
    modules = [each for each in package_modules() if each.part == package]
    found = {each.name: list(word_lists(each)) for each in modules}
    assert {name for name, lists in found.items() if lists} == MAY_HAVE[package].keys()


@pytest.mark.parametrize(
    ("source", "lists"),
    [
        ('_A = word_set("if when must never")', ["_A"]),
        ('_A = re.compile(r"(?:must|should) be")', ["_A"]),
        ('_A = frozenset({"unless", "except"}) | _B', ["_A"]),
        ('_A = {"never": 1, "always": 2}', ["_A"]),
        ('_A = word_set("int str list")', []),
        ('_A = "It must never be empty."', []),
        ('_A = {"x": "it must never change the list itself"}', []),
    ],
)
def test_a_list_is_found(source: str, lists: list[str]) -> None:
    tree = ast.parse(source)
    assert list(word_lists(Module("probatum.x", Path("x.py"), False, tree, source))) == lists
