"""Examples that call a function by a name which nothing has: the one it had before it was renamed.

Refuses whatever could be meant otherwise: fewer than two examples, prompts that do anything else than call this one
name, arguments that do not fit the signature, a name that stands elsewhere in the file, and a document that calls the
function by its own name too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from probatum.programs.examples.clauses import Described, Findings
from probatum.programs.reading.literals import NotReadableError, parse_expression
from probatum.programs.specification import Parameter

__all__ = ["FORMER_NAME", "as_formerly_called", "former_name", "under_its_own_name"]

FORMER_NAME = "former_name"
"""The notation of such an example."""
_CONFIDENCE = 0.7
_FEWEST = 2
_PROMPT = re.compile(r"^[ \t]*>>>(.*)$", re.MULTILINE)
_CONTINUED = re.compile(r"^[ \t]*\.\.\.[ \t]", re.MULTILINE)


def former_name(text: str, described: Described, file: str) -> str | None:
    """Return the name by which all examples of a document call its function, None unless that is unmistakable."""
    prompts = _PROMPT.findall(text)
    if len(prompts) < _FEWEST or described.call != described.name or _CONTINUED.search(text):
        return None
    names: set[str] = set()
    for written in prompts:
        try:
            node = parse_expression(written.strip())
        except NotReadableError:
            return None
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not _fits(node, described):
            return None
        names.add(node.func.id)
    if len(names) != 1 or names & described.known:
        return None
    [name] = names
    is_elsewhere = len(_occurrences(name, file)) != len(_occurrences(name, text))
    return None if is_elsewhere or re.search(rf"(?<![\w.]){re.escape(described.name)}\(", text) else name


def _occurrences(name: str, text: str) -> list[str]:
    return re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text)


def _fits(node: ast.Call, described: Described) -> bool:
    """True when a call gives every parameter that must be given, and no other."""
    if any(isinstance(each, ast.Starred) for each in node.args):
        return False
    parameters = described.parameters
    positional = [each for each in parameters if each.kind in {"positional_only", "positional_or_keyword"}]
    is_open = _has(parameters, "var_positional")
    if len(node.args) > len(positional) and not is_open:
        return False
    given = {each.name for each in positional[: len(node.args)]}
    for keyword in node.keywords:
        known = any(each.name == keyword.arg and each.kind != "positional_only" for each in parameters)
        if keyword.arg is None or keyword.arg in given or not (known or _has(parameters, "var_keyword")):
            return False
        given.add(keyword.arg)
    return all(each.name in given or each.default is not None or each.kind.startswith("var_") for each in parameters)


def _has(parameters: Sequence[Parameter], kind: str) -> bool:
    return any(each.kind == kind for each in parameters)


def as_formerly_called(described: Described, name: str) -> Described:
    """Return what reading needs to know of the function under its former name."""
    return replace(described, name=name, call=name, known=described.known | {name})


def under_its_own_name(findings: Findings, described: Described, former: str) -> None:
    """Let the examples that were read under the former name call the function by its own, and say so."""
    findings.examples[:] = [
        replace(
            each,
            expression=_renamed(each.expression, former, described.name),
            notation=FORMER_NAME,
            confidence=min(each.confidence, _CONFIDENCE),
            setup=(),
            before=(),
        )
        for each in findings.examples
    ]
    if findings.examples:
        first = findings.examples[0]
        reason = f"nothing is called {former!r}; the examples are read as calls of {described.name!r}"
        findings.doubt(first.begin, first.end, reason)


def _renamed(expression: str, former: str, name: str) -> str:
    tree = parse_expression(expression)
    for part in ast.walk(tree):
        if isinstance(part, ast.Name) and part.id == former:
            part.id = name
    return ast.unparse(tree)
