"""Annotations whose every value is known to be legal, and what a call may do to an argument of a declared type.

Refuses every annotation of which a part could mean more or less than it says: names that the file gives another
meaning, type variables, new types, protocols, anything without the types of its parts.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from probatum.core.tagged import NotPlainDataError, tagged
from probatum.programs.parsing.annotations import (
    KNOWN_TYPES,
    accepts,
    alternatives_of,
    literal_values,
    name_of,
    parse_annotation,
    parts_of,
)
from probatum.programs.parsing.declared_types import DeclaredTypes, declared_types
from probatum.programs.parsing.scanning import word_set

_HOMES = word_set("typing typing_extensions collections.abc collections datetime decimal fractions")
_SCALARS = word_set("int float str Text LiteralString bytes bool None date datetime time timedelta Decimal Fraction")
_READ_ONLY = word_set("Sequence Mapping Collection Iterable Container Reversible AbstractSet")
ABSTRACT = _READ_ONLY | word_set("MutableSequence MutableSet MutableMapping Iterator")
"""The types that values of several classes satisfy."""
CHANGEABLE = word_set("list List set frozenset FrozenSet MutableSequence MutableSet dict Dict MutableMapping")
_CONTAINERS = _READ_ONLY | CHANGEABLE | word_set("Set tuple Tuple Iterator deque Deque Counter OrderedDict")
_NOT_FOR_RESULTS = word_set("Set Any object")


@dataclass(frozen=True, slots=True)
class SureTypes:
    """What the names in the annotations of one file mean, where that is certain."""

    declared: DeclaredTypes
    usual: frozenset[str]
    """The well-known names that mean in the file what they mean everywhere."""
    direct: Mapping[str, ast.expr] = field(default_factory=dict)
    """Names that stand for another annotation and no more: neither new types nor type variables."""
    home: Mapping[str, str] = field(default_factory=dict)
    """The module that a name is imported from."""

    def words(self, annotation: str) -> frozenset[str] | None:
        """Return the well-known names that a type is made of; None where not every value of it is known to be legal."""
        node = parse_annotation(annotation)
        return None if node is None else self._words(node, frozenset())

    def contradicts(self, annotation: str, value: object) -> bool:
        """Tell whether a result is certainly none of the declared type; a procedure may return what nobody uses."""
        node = parse_annotation(annotation)
        if node is None or name_of(node) == "None":
            return False
        names = _names(node)
        if names & _NOT_FOR_RESULTS or (names & KNOWN_TYPES) - self.usual:
            return False
        return accepts(annotation, value) is False

    def forbids(self, annotation: str, before: object, after: object) -> bool:
        """Tell whether a declared type has no way to change a plain value so."""
        node = parse_annotation(annotation)
        return node is not None and self._forbids(self.meant(node), before, after)

    def _words(self, node: ast.expr, within: frozenset[str]) -> frozenset[str] | None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            quoted = parse_annotation(node.value)
            return None if quoted is None else self._words(quoted, within)
        if isinstance(node, ast.Name) and node.id in self.direct:
            # What an alias that contains itself means is not followed.
            alias = f"{node.id} ="
            return None if alias in within else self._words(self.direct[node.id], within | {alias})
        name, parts = name_of(node), alternatives_of(node) or parts_of(node)
        if alternatives_of(node) is not None:
            return self._joined(parts, within)
        if name in self.declared.names:
            return self._of_declared(name, within)
        if name not in self.usual:
            return None
        if name == "Literal":
            return frozenset() if literal_values(node) else None
        if name in _SCALARS and not parts:
            return frozenset({name})
        if name == "Final" and parts:
            return self._words(parts[0], within)
        dots = parts[1:] if name in {"tuple", "Tuple"} and parts and isinstance(parts[-1], ast.Constant) else []
        inner = self._joined(parts[: len(parts) - len(dots)], within) if parts else None
        return inner | {name} if inner is not None and name in _CONTAINERS else None

    def _of_declared(self, name: str, within: frozenset[str]) -> frozenset[str] | None:
        if name in self.declared.enums or name in within:
            return frozenset()
        if name in self.declared.dictionaries:
            body = self.declared.dictionaries[name].body
            return self._joined([each.annotation for each in body if isinstance(each, ast.AnnAssign)], within | {name})
        fields = self.declared.records.get(name)
        return None if fields is None else self._joined([each.annotation for each in fields], within | {name})

    def _joined(self, nodes: Iterable[ast.expr], within: frozenset[str]) -> frozenset[str] | None:
        words = frozenset[str]()
        for each in nodes:
            found = self._words(each, within)
            if found is None:
                return None
            words |= found
        return words

    def meant(self, node: ast.expr, depth: int = 0) -> ast.expr:
        """Return the annotation that text in quotes or an alias stands for."""
        if depth < 5 and isinstance(node, ast.Constant) and isinstance(node.value, str):
            inner = parse_annotation(node.value)
            return node if inner is None else self.meant(inner, depth + 1)
        if depth < 5 and isinstance(node, ast.Name) and node.id in self.direct:
            return self.meant(self.direct[node.id], depth + 1)
        return node

    def _forbids(self, node: ast.expr | None, before: object, after: object) -> bool:
        if type(before) in {tuple, frozenset} or self._is_read_only(node):
            parts = [self.meant(each) for each in parts_of(node)] if node is not None else []
            return self._holds_other(parts, before, after)
        alternatives = alternatives_of(node) if node is not None else None
        if alternatives is not None:
            meant = [each for each in alternatives if accepts(ast.unparse(each), before) is not False]
            return bool(meant) and all(self._forbids(self.meant(each), before, after) for each in meant)
        return not isinstance(before, list | set | dict | bytearray) and _differ(before, after)

    def _is_read_only(self, node: ast.expr | None) -> bool:
        name = name_of(node) if node is not None else ""
        if name not in self.usual:
            return False
        return name in _READ_ONLY | {"Final"} or (name == "Set" and self.home.get(name) == "collections.abc")

    def _holds_other(self, parts: Sequence[ast.expr], before: object, after: object) -> bool:
        """Tell whether what cannot change holds something else now, or something that cannot change either has."""
        if type(before) is not type(after):
            return True
        if isinstance(before, dict) and isinstance(after, dict):
            values = zip(before.values(), after.values(), strict=False)
            inner = parts[1] if len(parts) == 2 else None
            return _differ(list(before), list(after)) or any(self._forbids(inner, *pair) for pair in values)
        if isinstance(before, list | tuple) and isinstance(after, list | tuple):
            inner = parts[0] if len(parts) == 1 else None
            pairs = zip(before, after, strict=False)
            return len(before) != len(after) or any(self._forbids(inner, *pair) for pair in pairs)
        return _differ(before, after)


@lru_cache(maxsize=8)
def sure_types(tree: ast.Module) -> SureTypes:
    """Return what the annotations of a file certainly mean."""
    declared = declared_types(tree)
    home: dict[str, str] = {}
    taken = {*declared.names, *(each.name for each in tree.body if isinstance(each, ast.FunctionDef))}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for each in node.names:
                is_usual = node.module in _HOMES and each.asname in {None, each.name}
                home.setdefault(each.name, node.module or "") if is_usual else taken.add(each.asname or each.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            taken.add(node.id)
    known = {name for name in vars(builtins) if name.islower()} | {"None"} | set(home)
    qualified = {each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute) and name_of(each)}
    values = [each.value for each in tree.body if isinstance(each, ast.Assign | ast.AnnAssign)]
    values += [each.value for each in tree.body if type(each).__name__ == "TypeAlias"]  # type: ignore[attr-defined]  # not a name in Python 3.11
    direct = {name: node for name, node in declared.aliases.items() if any(node is each for each in values)}
    return SureTypes(declared, frozenset((known | qualified) - taken), direct, home)


def _names(node: ast.expr) -> set[str]:
    """Return the names of an annotation, also those in quotes."""
    texts = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str))
    quoted = [inner for text in texts if (inner := parse_annotation(text)) is not None]
    return {each.id for tree in (node, *quoted) for each in ast.walk(tree) if isinstance(each, ast.Name)}


def _differ(before: object, after: object) -> bool:
    try:
        return tagged(before) != tagged(after)
    except NotPlainDataError:
        return False
