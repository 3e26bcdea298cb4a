"""The docstring that a method without one inherits from a base class of its file or of another file of the project.

Found by reading: names are followed through imports, never imported. Refuses to look into installed packages, and into
a base that is computed: what they document is not found.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from probatum.programs.parsing.documents import SourceText, docstring_of
from probatum.programs.parsing.further_texts import (
    FurtherText,
    docstring_literal,
    further_texts,
    other_definitions,
)
from probatum.programs.parsing.signatures import Definition, fields_of, parameters_of
from probatum.programs.parsing.surface import IMPORTS, definitions, in_scope
from probatum.programs.source import UNPARSABLE, decoded, parsed
from probatum.programs.specification import Parameter

_DEEPEST = 20
"""How many imports are followed from one name, and how many bases lie above one another."""


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """One file: its syntax, its text, and the package that its relative imports count from."""

    tree: ast.Module
    source: SourceText
    package: str
    label: str
    """The source that its documentation is reported under."""


@dataclass(frozen=True, slots=True)
class Heritage:
    """The files of a project, read when a name leads there."""

    siblings: Mapping[str, bytes] = field(default_factory=dict)
    """By dotted name; a package is named ``pkg.__init__``."""
    _read: dict[str, ProjectFile | None] = field(default_factory=dict)

    def inherited(self, scope: ProjectFile, owner: ast.ClassDef, method: str) -> FurtherText | None:
        """Return the docstring that a method of a class inherits, None where none is found."""
        for where, _, node in self.methods(scope, owner):
            if node.name == method and (literal := docstring_literal(node)) is not None:
                return FurtherText(docstring_of(where.source, literal, str(literal.value)), where.label)
        return None

    def methods(
        self, scope: ProjectFile, owner: ast.ClassDef
    ) -> Iterator[tuple[ProjectFile, ast.ClassDef, Definition]]:
        """Yield every method of a base class of a class, with the file and the class that it is from."""
        for where, base in self.above(scope, owner):
            for node in in_scope(base.body):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield where, base, node

    def parameters(self, scope: ProjectFile, owner: ast.ClassDef) -> tuple[Parameter, ...]:
        """Return what the constructor takes that a class has from the nearest of its bases."""
        for where, base in self.above(scope, owner):
            makers = [each for each in definitions(base.body) if not isinstance(each, ast.ClassDef)]
            maker = next((each for each in reversed(makers) if each.name == "__init__"), None)
            taken = fields_of(where.source, base) if maker is None else parameters_of(where.source, maker)[1:]
            # What decorates a class may make a constructor for it.
            if maker is not None or taken or base.decorator_list:
                return taken
        return ()

    def above(self, scope: ProjectFile, owner: ast.ClassDef) -> Iterator[tuple[ProjectFile, ast.ClassDef]]:
        """Yield every base class of a class that can be read, with its file."""
        yield from self._above(scope, owner, {id(owner)}, 0)

    def _above(
        self, scope: ProjectFile, owner: ast.ClassDef, seen: set[int], depth: int
    ) -> Iterator[tuple[ProjectFile, ast.ClassDef]]:
        for expression in owner.bases if depth < _DEEPEST else ():
            found = self._class_of(scope, expression)
            if found is not None and id(found[1]) not in seen:
                seen.add(id(found[1]))
                yield found
                yield from self._above(*found, seen, depth + 1)

    def _class_of(self, scope: ProjectFile, expression: ast.expr) -> tuple[ProjectFile, ast.ClassDef] | None:
        if isinstance(expression, ast.Subscript):
            expression = expression.value
        match expression:
            case ast.Name(id=name):
                return self._named(scope, name, 0)
            case ast.Attribute(value=module, attr=name):
                where = self._module(scope, ast.unparse(module))
                return None if where is None else self._named(where, name, 0)
        return None

    def _named(self, scope: ProjectFile, name: str, depth: int) -> tuple[ProjectFile, ast.ClassDef] | None:
        for node in in_scope(scope.tree.body):
            if isinstance(node, ast.ClassDef) and node.name == name:
                return scope, node
            if isinstance(node, ast.ImportFrom) and depth < _DEEPEST:
                taken = [each.name for each in node.names if (each.asname or each.name) in {name, "*"}]
                where = self._scope(_absolute(scope, node)) if taken else None
                found = None if where is None else self._named(where, name if taken[0] == "*" else taken[0], depth + 1)
                if found is not None:
                    return found
        return None

    def _module(self, scope: ProjectFile, name: str) -> ProjectFile | None:
        """Return the file that a name in another file means as a module."""
        first, _, rest = name.partition(".")
        for node in in_scope(scope.tree.body):
            for alias in node.names if isinstance(node, IMPORTS) else ():
                if (alias.asname or alias.name.partition(".")[0]) != first:
                    continue
                dotted = alias.name if alias.asname else first
                if isinstance(node, ast.ImportFrom):
                    dotted = f"{_absolute(scope, node)}.{alias.name}"
                return self._scope(f"{dotted}.{rest}" if rest else dotted)
        return None

    def _scope(self, dotted: str) -> ProjectFile | None:
        if dotted not in self._read:
            self._read[dotted] = self._parsed(dotted)
        return self._read[dotted]

    def _parsed(self, dotted: str) -> ProjectFile | None:
        package = f"{dotted}.__init__" in self.siblings
        content = self.siblings.get(f"{dotted}.__init__" if package else dotted)
        if content is None:
            return None
        try:
            text = decoded(content)[1]
            tree = parsed(text)
        except (*UNPARSABLE, LookupError):
            return None
        return ProjectFile(tree, SourceText(text), dotted if package else dotted.rpartition(".")[0], dotted)


def _absolute(scope: ProjectFile, node: ast.ImportFrom) -> str:
    steps = scope.package.split(".") if scope.package else []
    kept = steps[: len(steps) - node.level + 1] if node.level else []
    return ".".join([*kept, *([node.module] if node.module else [])])


@dataclass(frozen=True, slots=True)
class FurtherTexts:
    """Everything that documents the definitions of one file besides their docstrings."""

    scope: ProjectFile
    heritage: Heritage

    def about(
        self, node: Definition | ast.ClassDef, owner: ast.ClassDef | None, *, is_documented: bool
    ) -> Iterator[FurtherText]:
        """Yield the texts that document a definition besides its docstring, an inherited one where it has none."""
        source = self.scope.source
        for other in other_definitions(owner or self.scope.tree, node):
            if (literal := docstring_literal(other)) is not None:
                is_documented = True
                yield FurtherText(docstring_of(source, literal, str(literal.value)))
            yield from further_texts(source, other)
        yield from further_texts(source, node)
        if owner is not None and not is_documented:
            inherited = self.heritage.inherited(self.scope, owner, node.name)
            if inherited is not None:
                yield inherited
