"""Decides whether Python code may be run in a sandbox to see what it gives; it is not run here.

Code is refused that imports what is not on a short list, names what opens files or runs other code, or reaches for the
inside of Python by special names. The list is no wall: the sandbox is one. What code gives is never proved, for a run
shows one run; there is no certificate. Refuses code that does not parse.
"""

from __future__ import annotations

import ast
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
            case ast.Name(id=name) if name in _REFUSED_NAMES and names.bindings(node) is None:
                yield node.lineno, "uses a built-in function that is not allowed"
            case ast.Name(id=name) | ast.Attribute(attr=name) if name.startswith("__") and name not in _SPECIAL:
                yield node.lineno, "uses a special name"
    for finding in calls_among(names, OUTSIDE):
        yield finding.line, finding.why
