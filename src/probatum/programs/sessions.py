"""The state of an interpreter session in a document: what earlier prompts bound, imported and changed.

An example's set-up is the earlier steps that concern it: imports, definitions and effects concern all, assignments
and calls those that use what they bind, and every call does where the module itself keeps state. A step that prints
is set up without printing, because the output of an example is its own. Refuses steps that the module cannot
execute, and sessions so long that each example would repeat hundreds of steps.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass

from probatum.programs.clauses import Described, require_known_names, segment
from probatum.programs.literals import NotReadableError
from probatum.programs.signatures import defined_names

__all__ = ["Session", "prints"]

_MAX_STEPS = 200
_PRINTING = frozenset({"print", "pprint", "pp"})


@dataclass(frozen=True, slots=True)
class _Step:
    """An earlier statement of the session."""

    statement: str
    concerns_all: bool
    prints: bool = False


class Session:
    """What the prompts of one document have done so far."""

    def __init__(self, described: Described) -> None:
        self._described = described
        self._steps: list[_Step] = []
        self._bound: set[str] = set()
        self._changing: set[str] = set()
        """Names bound by more than an import or a definition: expressions that use them may change them."""

    @property
    def known(self) -> frozenset[str]:
        """Names that the next expression may use."""
        return self._described.known | self._bound if self._bound else self._described.known

    def require_names(self, node: ast.AST) -> None:
        """Raise `NotReadableError` when a node uses names that neither the module nor the session has."""
        names = [each.name for each in self._described.parameters if each.name not in self._bound]
        require_known_names(node, self.known, names)

    def depends_on_state(self, node: ast.AST) -> bool:
        """True when earlier calls may matter to this node, and this node to later ones."""
        return self._described.keeps_state or self._uses_changing(node)

    def _uses_changing(self, node: ast.AST) -> bool:
        return bool(self._changing) and any(
            isinstance(part, ast.Name) and part.id in self._changing for part in ast.walk(node)
        )

    def setup_for(self, node: ast.AST, *, printing: bool) -> tuple[str, ...]:
        """Return the steps that concern an expression; raises `NotReadableError` when they cannot be repeated."""
        if len(self._steps) > _MAX_STEPS:
            raise NotReadableError(f"it stands after more than {_MAX_STEPS} steps that it may depend on")
        everything = self.depends_on_state(node)
        steps = [step for step in self._steps if everything or step.concerns_all]
        if printing and any(step.prints for step in steps):
            raise NotReadableError("what it prints cannot be told from what earlier steps print")
        return tuple(step.statement for step in steps)

    def remember(self, written: str, node: ast.AST, *, concerns_all: bool, printed: bool = False) -> None:
        """Take an expression as a step."""
        match node:
            case ast.Call(args=arguments) if prints(node, self._described.shadowed):
                written = f"[{', '.join(segment(written, argument) for argument in arguments)}]"
                printed = False
            case _:
                pass
        self._steps.append(_Step(written.strip(), concerns_all, printed))

    def execute(self, source: str, statements: list[ast.stmt], *, printed: bool = False) -> None:
        """Take statements as steps; raises `NotReadableError` when one cannot be executed in the module."""
        for statement in statements:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                self._import(source, statement)
                continue
            names = [name for name in defined_names([statement]) if name not in self._bound]
            self._bound.update(names)
            try:
                self.require_names(statement)
            except NotReadableError as error:
                self._bound.difference_update(names)
                raise NotReadableError(f"the set-up cannot be executed: {error.sentence}") from error
            fixed = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            uses_state = self._uses_changing(statement)
            if not fixed or uses_state:
                self._changing.update(defined_names([statement]))
            concerns_all = fixed or not (defined_names([statement]) or uses_state)
            self._steps.append(_Step(segment(source, statement).strip(), concerns_all, printed))

    def _import(self, source: str, statement: ast.Import | ast.ImportFrom) -> None:
        """Take an import: of what the module itself defines nothing is needed; unknown modules are refused."""
        names = defined_names([statement])
        module = statement.module or "" if isinstance(statement, ast.ImportFrom) else statement.names[0].name
        of_python = module.partition(".")[0] in sys.stdlib_module_names and not getattr(statement, "level", 0)
        if isinstance(statement, ast.ImportFrom):
            own = all(alias.name in self._described.known or alias.name == "*" for alias in statement.names)
            if own and not of_python:
                self._rename(statement)
                return
        elif not of_python and module.partition(".")[0] not in self.known:
            return  # It may be the file itself; what uses it otherwise is a doubt of its own.
        if not of_python and not self.known.issuperset(names):
            raise NotReadableError(f"it imports {module!r}, which the module itself does not")
        self._bound.update(names)
        self._steps.append(_Step(segment(source, statement).strip(), concerns_all=True))

    def _rename(self, statement: ast.ImportFrom) -> None:
        """Bind the other names under which a session imports what the file defines."""
        for alias in statement.names:
            if alias.asname is not None and alias.asname != alias.name:
                self._bound.add(alias.asname)
                self._steps.append(_Step(f"{alias.asname} = {alias.name}", concerns_all=True))


def prints(node: ast.AST, shadowed: frozenset[str]) -> bool:
    """True for ``print(…)``, ``pprint(…)`` and ``pp(…)``, also as attributes, unless the module has its own."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name.strip("_") in _PRINTING and name not in shadowed
        case _:
            return False
