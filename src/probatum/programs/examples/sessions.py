"""The state of an interpreter session in a document: what earlier prompts bound, imported and changed.

An example's set-up is the earlier steps that concern it: imports, definitions and effects concern all, assignments and
calls those that use what they bind; where the module keeps state, every call does. Steps that print are set up without
printing. Refuses steps that the module cannot execute, and sessions of hundreds of steps.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from probatum.programs.examples.clauses import Owner, require_known_names, segment
from probatum.programs.parsing.expressions import names_in
from probatum.programs.parsing.signatures import defined_names
from probatum.readings.syntax import NotReadableError, parse_statements

_MAX_STEPS = 200
_PRINTING = frozenset({"print", "pprint", "pp"})


@dataclass(frozen=True, slots=True)
class SessionStep:
    """An earlier statement of the session."""

    statement: str
    concerns_all: bool
    prints: bool = False
    binds: frozenset[str] = frozenset()
    """Names that it imports from the project and does nothing else: needed only where one of them is used."""
    place: tuple[int, int] = (0, 0)
    """Where its prompt is."""


class Session:
    """What the prompts of one document have done so far."""

    def __init__(self, described: Owner) -> None:
        self._described = described
        self.place = (0, 0)
        """Where the prompt is that is read."""
        self.imports: list[tuple[int, int]] = []
        """Where prompts are that import the file itself, by its own name."""
        self._own_names: set[str] = set()
        """By what names they did."""
        self._steps: list[SessionStep] = []
        self._history: list[str] = []
        self._bound: set[str] = set()
        self._foreign: set[str] = set()
        """Names of the module that the session has bound to something else, which cannot be had here."""
        self._changing: set[str] = set()
        """Names bound by more than an import or a definition: expressions that use them may change them."""

    @property
    def known(self) -> frozenset[str]:
        """Names that the next expression may use."""
        return self._described.known | self._bound if self._bound else self._described.known

    def require_names(self, node: ast.AST, bound: frozenset[str] = frozenset()) -> None:
        """Raise `NotReadableError` when a node uses names that neither the module nor the session has.

        ``bound`` are names that the node binds itself before it uses them.
        """
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in self._foreign:
                raise NotReadableError(f"the session has bound {part.id!r} to another module")
        names = [each.name for each in self._described.parameters if each.name not in self._bound | bound]
        require_known_names(node, self.known | bound, names)

    def depends_on_state(self, node: ast.AST) -> bool:
        """True when earlier calls may matter to this node, and this node to later ones."""
        return self._described.keeps_state or self._uses_changing(node)

    def _uses_changing(self, node: ast.AST) -> bool:
        return bool(self._changing) and not self._changing.isdisjoint(names_in(node))

    def setup_for(self, node: ast.AST, *, printing: bool) -> tuple[SessionStep, ...]:
        """Return the steps that concern an expression; raises `NotReadableError` when they cannot be repeated."""
        if len(self._steps) > _MAX_STEPS:
            raise NotReadableError(f"it follows more than {_MAX_STEPS} steps that it may depend on")
        everything = self.depends_on_state(node)
        steps = [step for step in self._steps if everything or step.concerns_all]
        if printing and any(step.prints for step in steps):
            raise NotReadableError("its output cannot be separated from that of earlier steps")
        return tuple(step for step in steps if not step.binds or _is_needed(step, names_in(node), steps))

    @property
    def history(self) -> tuple[str, ...]:
        """Everything that the session did so far, in order; nothing where that is too much to repeat."""
        return tuple(self._history) if len(self._history) <= _MAX_STEPS else ()

    def note(self, written: str) -> None:
        """Take an expression into the history alone: as far as one can see, nothing later depends on it."""
        if len(self._history) <= _MAX_STEPS:
            self._history.append(written.strip())

    def remember_raising(self, written: str, node: ast.AST) -> None:
        """Take a step that is documented to raise: it may have done something before it did."""
        indented = "\n".join(f"    {line}" for line in written.strip().splitlines())
        # The session went on after the exception, and so does the set-up.
        step = f"try:\n{indented}\nexcept Exception:\n    pass"
        if self.depends_on_state(node):
            self._steps.append(SessionStep(step, concerns_all=False, place=self.place))
        self.note(step)

    def remember(self, written: str, node: ast.AST, *, concerns_all: bool, printed: bool = False) -> None:
        """Take an expression as a step."""
        if isinstance(node, ast.Call) and prints(node, self._described.shadowed):
            written = f"[{', '.join(segment(written, argument) for argument in node.args)}]"
            printed = False
        self._steps.append(SessionStep(written.strip(), concerns_all, printed, place=self.place))

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
            # A definition that uses nothing that changes means the same in every example.
            fixed = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            uses_state = self._uses_changing(statement)
            if not fixed or uses_state:
                self._changing.update(defined_names([statement]))
            concerns_all = fixed or not (defined_names([statement]) or uses_state)
            self._steps.append(SessionStep(segment(source, statement).strip(), concerns_all, printed, place=self.place))
            self.note(segment(source, statement))

    def _import(self, source: str, statement: ast.Import | ast.ImportFrom) -> None:
        """Take an import: of what the module itself defines nothing is needed; unknown modules are refused."""
        if self._imports_itself(statement):
            self.imports.append(self.place)
            self._own_names.update(alias.asname or alias.name for alias in statement.names)
            self._foreign.update(alias.asname for alias in statement.names if alias.asname in self._described.known)
            return
        names = defined_names([statement])
        module = statement.module or "" if isinstance(statement, ast.ImportFrom) else statement.names[0].name
        of_python = module.partition(".")[0] in sys.stdlib_module_names and not getattr(statement, "level", 0)
        of_project = False
        if isinstance(statement, ast.ImportFrom):
            own = all(alias.name in self._described.known or alias.name == "*" for alias in statement.names)
            elsewhere = not statement.level and self._is_elsewhere(module)
            if own and not of_python and not elsewhere:
                if f"{self._described.module}.".startswith(f"{module}."):
                    self.imports.append(self.place)
                self._rename(statement)
                return
            of_project = module in self._described.modules and not statement.level
        elif all(alias.name in self._described.modules for alias in statement.names):
            of_project = True
        elif not of_python and module.partition(".")[0] not in self.known:
            # It may be the file itself; what uses it otherwise is a doubt of its own.
            self._foreign.update(alias.asname for alias in statement.names if alias.asname in self._described.known)
            return
        if not (of_python or of_project) and not self.known.issuperset(names):
            raise NotReadableError(f"it imports {module!r}, which the module itself does not")
        self._bound.update(names)
        binds = frozenset(names) if of_project else frozenset()
        written = segment(source, statement).strip()
        self._steps.append(SessionStep(written, concerns_all=True, binds=binds, place=self.place))
        self.note(segment(source, statement))

    def strangers(self, node: ast.AST) -> set[str]:
        """Return the names in a node that neither the session nor the file has, the name of the file aside."""
        module = self._described.module
        return names_in(node) - self.known - self._own_names - {module.partition(".")[0], module.rpartition(".")[2]}

    def _imports_itself(self, statement: ast.Import | ast.ImportFrom) -> bool:
        """True when all that is imported is the file itself, whose names an example has anyway."""
        from_package = isinstance(statement, ast.ImportFrom) and statement.module and not statement.level
        before = f"{statement.module}." if isinstance(statement, ast.ImportFrom) and from_package else ""
        return all(before + alias.name == self._described.module for alias in statement.names)

    def _is_elsewhere(self, module: str) -> bool:
        """True for another module of the project, whose names mean something else than the file's.

        The packages around the file are not: what they pass on is the file's own.
        """
        return module in self._described.modules and not f"{self._described.module}.".startswith(f"{module}.")

    def _rename(self, statement: ast.ImportFrom) -> None:
        """Bind the other names under which a session imports what the file defines."""
        for alias in statement.names:
            if alias.asname is not None and alias.asname != alias.name:
                self._bound.add(alias.asname)
                renaming = f"{alias.asname} = {alias.name}"
                self._steps.append(SessionStep(renaming, concerns_all=True))
                self.note(renaming)


def _is_needed(step: SessionStep, used: set[str], steps: Sequence[SessionStep]) -> bool:
    others = [other.statement for other in steps if other is not step]
    return any(name in used or any(name in statement for statement in others) for name in step.binds)


def prints(node: ast.AST, shadowed: frozenset[str]) -> bool:
    """True for ``print(…)``, ``pprint(…)`` and ``pp(…)``, also as attributes, unless the module has its own."""
    match node:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name.strip("_") in _PRINTING and name not in shadowed
        case _:
            return False


def showing(source: str, shadowed: frozenset[str]) -> str:
    """Return statements with every bare expression inside them showing its value, as an interpreter does.

    Raises `NotReadableError` when they are not Python.
    """
    shown = _ValuesShown(shadowed)
    made = [shown.visit(statement) for statement in parse_statements(source)]
    return "\n".join(ast.unparse(each) for each in made) if shown.is_changed else source


class _ValuesShown(ast.NodeTransformer):
    """Hands bare expressions to what shows them; the bodies of definitions show nothing."""

    def __init__(self, shadowed: frozenset[str]) -> None:
        self._shadowed = shadowed
        self.is_changed = False

    def visit(self, node: ast.AST) -> ast.AST:
        is_definition = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        return node if is_definition else super().visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if prints(node.value, self._shadowed):
            return node
        self.is_changed = True
        hook = ast.parse("__import__('sys').displayhook", mode="eval").body
        return ast.Expr(ast.Call(hook, [node.value], []))
