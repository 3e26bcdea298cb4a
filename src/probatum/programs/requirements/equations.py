"""Equations between calls that documentation writes out: "decode(encode(x)) == x", "f(f(x)) == f(x)".

Each becomes a property of the function that the document belongs to. Refuses equations with a condition, with a domain
that it does not understand, and with names that are neither parameters nor functions of the module.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterable

from probatum.programs.parsing.documents import Document
from probatum.programs.parsing.expressions import names_in
from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.section_parts import spoken
from probatum.programs.parsing.sections import read_sections, running_sentences
from probatum.programs.source import expression_of
from probatum.programs.specification import Parameter, Property

EQUATION = "equation"
"""The form of such a property."""

RESULT = "result"
_MOST_SENTENCES = 120
_LONGEST = 400
_SIDE = r"[A-Za-z_]\w*\([^=\n]{1,120}\)"
_EQUATION = re.compile(
    rf"(?P<before>.*?)(?<![\w.])(?P<left>{_SIDE}) ?== ?(?P<right>[A-Za-z_][\w()., \[\]]*?)"
    r"(?:,? for (?:every|all|any|each) (?P<domain>[\w -]+))?"
)
_BEFORE = re.compile(
    r"(?:(?:(?:this|the|it)(?: function| operation| result)? is (?:idempotent|symmetric|commutative|the inverse of \w+)"
    r"|note(?: that)?|always|that is|i\.e\.|in other words|invariant|law|property|so that|so|it holds that"
    r"|round[- ]trips?)[:,;]? ?)*",
    re.IGNORECASE,
)
_EMPTY_KINDS = "(list, tuple, str, dict, set)"
_ADJECTIVES = {
    "non-empty": f"type({{0}}) in {_EMPTY_KINDS} and len({{0}}) > 0",
    "nonempty": f"type({{0}}) in {_EMPTY_KINDS} and len({{0}}) > 0",
    "positive": "type({0}) in (int, float) and {0} > 0",
    "non-negative": "type({0}) in (int, float) and {0} >= 0",
    "whole": "type({0}) is int", "possible": "True", "finite": "True",
}  # fmt: skip
_NOUNS = word_set(
    "list lists text texts string strings number numbers integer integers value values input inputs argument arguments "
    "pair tuple sequence dictionary path paths element elements"
)


def equation_properties(
    document: Document, name: str, parameters: Iterable[Parameter], functions: Collection[str], source: str
) -> tuple[Property, ...]:
    """Return the equations that the running text of a document states about the function of that name."""
    if document.text.count("(") < 2:
        return ()
    taken = [each.name for each in parameters if not each.kind.startswith("var_")]
    sections = read_sections(document, taken)
    properties = []
    for sentence in running_sentences(document.text, sections, _MOST_SENTENCES, _LONGEST):
        found = _equation(spoken(document.text, sentence).replace("`", ""), name, taken, functions)
        if found is not None:
            span, text = document.place(sentence.begin, sentence.end)
            expression, condition = found
            words = " ".join(text.split())
            properties.append(Property("", EQUATION, expression, words, span, condition=condition, source=source))
    return tuple(properties)


def _equation(
    words: str, function: str, parameters: Collection[str], functions: Collection[str]
) -> tuple[str, str] | None:
    match = _EQUATION.fullmatch(words.rstrip(". "))
    if match is None or _BEFORE.fullmatch(match["before"]) is None:
        return None
    first, second = _parsed(match["left"]), _parsed(match["right"])
    if first is None or second is None:
        return None
    sides = (first, second)
    names = names_in(first) | names_in(second)
    called = {name for side in sides for node in ast.walk(side) if (name := _called(node))}
    known = {*functions, function}
    if function not in called or not called <= known or any(hasattr(builtins, each) for each in names - called):
        return None
    free = names - called - set(parameters)
    left, right = match["left"], match["right"]
    chosen = next(iter(free), "")
    if free and (len(free) > 1 or not _is_undone(first, second, function, chosen)):
        return None
    variable = chosen or next((name for name in parameters if name in names), "")
    domain = _domain(match["domain"], variable, parameters)
    if domain is None:
        return None
    if not chosen:
        return _same(left, right), domain
    left, right, limit = (re.sub(rf"\b{re.escape(chosen)}\b", RESULT, part) for part in (left, right, domain))
    return f"not ({limit}) or {_same(left, right)}", "True"


def _is_undone(left: ast.expr, right: ast.expr, name: str, variable: str) -> bool:
    """True for ``name(other(variable)) == variable``: then results of the function are values of the variable."""
    is_outer = isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == name
    return is_outer and isinstance(right, ast.Name) and right.id == variable


def _same(left: str, right: str) -> str:
    """Return the condition that two values are equal, floats up to rounding, and not-a-number to itself."""
    return (
        "(lambda a_, b_: a_ == b_ or repr(a_) == repr(b_) or {type(a_), type(b_)} in ({float}, {int, float}) and "
        f"abs(a_ - b_) <= 1e-6 * max(1, abs(b_)))({left}, {right})"
    )


def _called(node: ast.AST) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _parsed(text: str) -> ast.expr | None:
    """Return a side that is made of names, constants and calls of names alone."""
    node = expression_of(text)
    plain = (ast.Call, ast.Name, ast.Load, ast.Constant)
    return node if node is not None and all(isinstance(each, plain) for each in ast.walk(node)) else None


def _domain(words: str | None, variable: str, parameters: Collection[str]) -> str | None:
    """Return the condition that "non-empty list of fields" sets on the variable, None when it is not understood."""
    if words is None:
        return "True"
    conditions: list[str] = []
    head, _, tail = words.strip().lower().partition(" of ")
    *adjectives, noun = head.split()
    if tail and not re.fullmatch(r"(?:the )?\w+", tail):
        return None
    if noun not in _NOUNS and noun not in parameters and noun != variable.lower():
        return None
    for each in adjectives:
        if each in _NOUNS:
            continue
        if each not in _ADJECTIVES:
            return None
        conditions.append(_ADJECTIVES[each].format(variable))
    return " and ".join(dict.fromkeys(each for each in conditions if each != "True")) or "True"
