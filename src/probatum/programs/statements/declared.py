"""What of a documented type or default the signature says as well, and which documented types are understood.

``str``, ``list of int``, ``optional``, ``default 3``: each part is compared with annotation and default. Refuses to
call confirmed what the signature contradicts, and a type that names what neither Python nor the module has.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from probatum.programs.examples.clauses import BUILTIN_TYPES
from probatum.programs.parsing.annotations import KNOWN_TYPES, parse_annotation
from probatum.programs.specification import Parameter, StatementKind

_ROLE = re.compile(r":(?:py:)?(?:class|exc|obj|data|type|any):`~?([\w.]+)`")
_DOTTED = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_MODULE = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])")
_DEFAULT = re.compile(r"(?:by )?defaults?(?: is| to|:|=)?\s*(?:is |to |= ?)?(.+?)[.\s]*", re.IGNORECASE)
_NAMES = {
    "string": "str", "strings": "str", "strs": "str", "text": "str", "integer": "int", "integers": "int", "ints": "int",
    "number": "float", "numbers": "float", "floats": "float", "boolean": "bool", "booleans": "bool", "bools": "bool",
    "dictionary": "dict", "dictionaries": "dict", "dicts": "dict", "lists": "list", "tuples": "tuple", "sets": "set",
    "callable": "Callable", "function": "Callable", "iterable": "Iterable", "iterator": "Iterator",
    "sequence": "Sequence", "mapping": "Mapping", "hashable": "Hashable", "null": "None", "none": "None", "any": "Any",
}  # fmt: skip
"""Names of types in docstrings, as Python has them."""
_INNER = re.compile(r"\w+(?:\[.*\])?(?: to \w+(?:\[.*\])?)?")
_OPTIONAL = re.compile(r"optional\[(.*)\]")
_PLAIN = (ast.Name, ast.Subscript, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Load, ast.Constant)
_LONGEST = 200
_OF_TYPES = frozenset({"builtins", "collections", "collections.abc", "datetime", "decimal", "fractions", "typing"})
"""The modules that the well-known types are from."""
_CONSTANTS = frozenset({"True", "False", "None"})


def type_names(tree: ast.Module, libraries: Mapping[str, str]) -> frozenset[str]:
    """Return what names types in a file, dotted where it is written so: built-in types, its classes, what it uses so.

    ``libraries`` are the names that it imports, to where they are from.
    """
    found = {name for node in ast.walk(tree) for part in _type_places(node) for name in _dotted_names(part)}
    found |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    whole = {f"{libraries[first]}{dot}{rest}" for first, dot, rest in map(_parted, found) if first in libraries}
    return BUILTIN_TYPES | found | whole


def _parted(name: str) -> tuple[str, str, str]:
    return name.partition(".")


def _type_places(node: ast.AST) -> Iterator[ast.expr | None]:
    match node:
        case ast.ClassDef(bases=bases):
            yield from bases
        case ast.FunctionDef(returns=annotation) | ast.AsyncFunctionDef(returns=annotation):
            yield annotation
        case ast.arg(annotation=annotation) | ast.AnnAssign(annotation=annotation):
            yield annotation
        case ast.ExceptHandler(type=raised) | ast.Raise(exc=ast.Call(func=raised)) | ast.Raise(exc=raised):
            yield raised


def _dotted_names(place: ast.expr | None) -> Iterator[str]:
    for node in ast.walk(place) if place is not None else ():
        if isinstance(node, ast.Name | ast.Attribute):
            yield ast.unparse(node)


def python_type(words: str, types: frozenset[str] = frozenset()) -> str | None:
    """Return a documented type as an annotation: ``list of str``, ``int or None``; None where it is not understood.

    ``types`` are what names types in the module, see `type_names`.
    """
    if len(words) > _LONGEST:
        return None
    text = " ".join(_ROLE.sub(r"\1", words).strip("`'\" .").split())
    text = _nested(_without_modules(text, types))
    text = re.sub(r"(?<![\w.])[a-z]+(?![\w.])", lambda m: _NAMES.get(m[0], m[0]), text).replace(" or ", " | ")
    node = parse_annotation(text) if text else None
    return text if node is not None and all(_is_understood(each, types) for each in ast.walk(node)) else None


def _without_modules(text: str, types: frozenset[str]) -> str:
    """Return a documented type without the modules that are known to have what is named of them."""

    def known(found: re.Match[str]) -> str:
        module, _, name = found[0].rpartition(".")
        return name if found[0] in types or (module in _OF_TYPES and name in KNOWN_TYPES) else found[0]

    return _DOTTED.sub(known, text)


def _nested(text: str) -> str:
    """Return "list of dict of str to int" with brackets, the innermost first."""
    while " of " in text:
        before, _, inner = text.rpartition(" of ")
        match = _INNER.match(inner)
        if match is None or not before[-1:].isalnum():
            return text
        held = match[0].replace(" to ", ", ")
        text = f"{before}[{held}]{inner[match.end() :]}"
    return text


def _is_understood(node: ast.AST, types: frozenset[str]) -> bool:
    match node:
        case ast.Constant(value=value):
            return value is None or value is Ellipsis
        case ast.Name(id=name):
            return name in KNOWN_TYPES or name in types
        case _:
            return isinstance(node, _PLAIN)


def confirmed_parts(
    types: str, parameters: Sequence[Parameter], known: frozenset[str]
) -> Iterator[tuple[StatementKind, int, int]]:
    """Yield the parts of a documented type that the signature says of all these parameters as well.

    Where none of them has an annotation, a type that is understood is what documented calls are held to.
    """
    for begin, end in _parts(types):
        part = types[begin:end].strip()
        if parameters and all(_says(each, part, known) for each in parameters):
            yield StatementKind.CODE, begin, end
        elif all(each.annotation is None for each in parameters) and python_type(part, known) is not None:
            yield StatementKind.TYPE, begin, end


def confirmed_result(types: str, annotation: str | None, known: frozenset[str]) -> bool:
    """True when the annotation of the result says what a documented type says."""
    return annotation is not None and _same_type(types, annotation, known)


def confirmed_default(sentence: str, parameter: Parameter) -> bool:
    """True for "Defaults to 3." where the signature says so."""
    match = _DEFAULT.fullmatch(sentence.strip(" ()"))
    return match is not None and _same_value(match[1], parameter.default)


def _says(parameter: Parameter, part: str, known: frozenset[str]) -> bool:
    if part.lower() == "optional":
        return parameter.default is not None or parameter.kind.startswith("var_")
    if confirmed_default(part, parameter):
        return True
    if parameter.annotation is None:
        return False
    either = f"{part} | None"
    return _same_type(part, parameter.annotation, known) or (
        parameter.default == "None" and _same_type(either, parameter.annotation, known)
    )


def _parts(types: str) -> Iterator[tuple[int, int]]:
    depth = begin = 0
    for at, character in enumerate(types):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth <= 0:
            yield begin, at
            begin = at + 1
    yield begin, len(types)


def _same_value(words: str, default: str | None) -> bool:
    """Tell whether words are a default: as code, or as the plain text of a string; True, False and None in any case."""
    if default is None:
        return False
    bare = words.strip("` ")
    if bare == default or (default in _CONSTANTS and bare.capitalize() == default):
        return True
    if bare in _CONSTANTS:
        return False
    value = _literal(default)
    return value is not None and value == (_literal(bare) if bare[:1] in {"'", '"'} else bare)


def _literal(text: str) -> object:
    try:
        value: object = ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return value


def _same_type(words: str, annotation: str, known: frozenset[str]) -> bool:
    documented, written = (
        _alternatives(_without_modules(_ROLE.sub(r"\1", words), known)),
        _alternatives(_MODULE.sub("", annotation)),
    )
    bare = frozenset(each.partition("[")[0] for each in written)
    return documented in (written, bare)


def _alternatives(words: str) -> frozenset[str]:
    """Return a type in one spelling, as the set of what it may be."""
    text = words.strip("`'\" .").lower()
    text = _nested(text)
    text = re.sub(r"\w+", lambda m: _NAMES.get(m[0], m[0]).lower(), text)
    if (inner := _OPTIONAL.fullmatch(text)) is not None:
        text = f"{inner[1]}|none"
    return frozenset("".join(each.split()) for each in re.split(r"\||\bor\b", text))
