"""Decides whether Python code may be run in a sandbox to see what it gives; it is not run here.

Code is refused that imports what is not on a short list, names what opens files or runs other code, or reaches for the
inside of Python by special names. The list is no wall: the sandbox is one. What code gives is never proved, for a run
shows one run; there is no certificate. Refuses code that does not parse.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from typing import Final, NoReturn

from probatum.core.errors import NotAttemptedError
from probatum.exact.claim import ExactClaim, Ruling, undecided
from probatum.exact.code.findings import calls_among
from probatum.exact.code.names import Names, parsed
from probatum.exact.code.tables import OUTSIDE, RUNNABLE_MODULES, words

_REFUSED_NAMES: Final = words(
    "open eval exec compile breakpoint input help exit quit globals locals vars getattr setattr delattr"
)
_SPECIAL: Final = words("__name__ __doc__ __init__ __repr__ __str__ __len__ __eq__ __lt__ __hash__ __all__")


def decide(claim: ExactClaim) -> Ruling:
    """Return that code may be run, undecided as to what it gives; raises NotAttemptedError where it is refused."""
    try:
        tree, _ = parsed(claim.inputs.text("code"))
    except NotAttemptedError as error:
        raise NotAttemptedError("execute.syntax", error.sentence) from error
    refused = next(_refused(Names(tree)), None)
    if refused is not None:
        line, why = refused
        raise NotAttemptedError("execute.refused", f"The code is not run: in line {line} it {why}.")
    return undecided("execute.not_run", "The code may be run; nothing is known of what it gives.", {"allowed": True})


def check(_claim: ExactClaim, _certificate: Mapping[str, object]) -> NoReturn:
    """Raise ValueError: what code gives is never proved."""
    raise ValueError("there is no certificate for what code gives")


def _is_inner(name: str) -> bool:
    """Return whether a part of a module is another module, or one that is not meant for others."""
    return name.startswith("_") or (name in sys.stdlib_module_names and name not in RUNNABLE_MODULES)


def _is_own(names: Names, name: ast.Name) -> bool:
    """Return whether a name surely is one of the code's own, where it could be Python's as long as it is not bound."""
    scope, found = names.scope_of.get(name), names.bindings(name)
    while scope is not None and (found is None or scope.bindings.get(name.id) is not found):
        scope = scope.parent
    if scope is None or found is None:
        return False
    if scope is not names.module:
        return not isinstance(scope.node, ast.ClassDef)
    before = [each for each in names.tree.body if each.lineno < name.lineno]
    makers = [each for each in before if isinstance(each, ast.FunctionDef | ast.ClassDef | ast.Assign)]
    made = {getattr(each, "name", "") for each in makers}
    made |= {
        one.id for each in makers if isinstance(each, ast.Assign) for one in each.targets if isinstance(one, ast.Name)
    }
    return name.id in made and len(found) == 1


def _refused(names: Names) -> Iterator[tuple[int, str]]:
    for node in ast.walk(names.tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                modules = (
                    [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
                )
                is_relative = isinstance(node, ast.ImportFrom) and node.level > 0
                if is_relative or not all(module in RUNNABLE_MODULES for module in modules):
                    yield node.lineno, "imports a module that is not on the list"
                elif isinstance(node, ast.ImportFrom) and any(_is_inner(each.name) for each in node.names):
                    yield node.lineno, "reaches for the inside of a module"
            case ast.Attribute(value=ast.Name() as top, attr=name) if names.qualified(top) and _is_inner(name):
                yield node.lineno, "reaches for the inside of a module"
            case ast.Name(id=name, ctx=ast.Load()) if name in _REFUSED_NAMES and not _is_own(names, node):
                yield node.lineno, "uses a built-in function that is not allowed"
            case ast.Name(id=name) | ast.Attribute(attr=name) if name.startswith("__") and name not in _SPECIAL:
                yield node.lineno, "uses a special name"
    for finding in calls_among(names, OUTSIDE):
        yield finding.line, finding.why
