"""What of a documented type or default the signature says as well, and which documented types are understood.

``str``, ``list of int``, ``optional``, ``default 3``: each part is compared with annotation and default. Refuses to
call confirmed what the signature contradicts, and a type that names what neither Python nor the module has.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence

from probatum.programs.parsing.annotations import KNOWN_TYPES, parse_annotation
from probatum.programs.specification import Parameter

_ROLE = re.compile(r":[a-z:]{1,20}:`~?(?:[\w.]*\.)?(\w+)`")
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
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Load, ast.Constant)
_LONGEST = 200
_CONSTANTS = frozenset({"True", "False", "None"})


def python_type(words: str, known: frozenset[str] = frozenset()) -> str | None:
    """Return a documented type as an annotation: ``list of str``, ``int or None``; None where it is not understood.

    ``known`` are the names that mean something in the module.
    """
    if len(words) > _LONGEST:
        return None
    text = " ".join(_ROLE.sub(r"\1", words).strip("`'\" .").split())
    text = _nested(text)
    text = re.sub(r"(?<![\w.])[a-z]+(?![\w.])", lambda m: _NAMES.get(m[0], m[0]), text).replace(" or ", " | ")
    node = parse_annotation(text) if text else None
    return text if node is not None and all(_is_understood(each, known) for each in ast.walk(node)) else None


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


def _is_understood(node: ast.AST, known: frozenset[str]) -> bool:
    match node:
        case ast.Constant(value=value):
            return value is None or value is Ellipsis
        case ast.Name(id=name):
            return name in KNOWN_TYPES or (name in known and isinstance(getattr(builtins, name, type), type))
        case ast.Attribute(attr=name):
            return name in KNOWN_TYPES
        case _:
            return isinstance(node, _PLAIN)


def unconfirmed(types: str, parameters: Sequence[Parameter], known: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a documented type that the signature does not say of all these parameters.

    Where a parameter has no annotation, a type that is understood is its declaration.
    """
    for begin, end in _parts(types):
        part = types[begin:end].strip()
        if not parameters or not all(_says(each, part, known) for each in parameters):
            yield begin, end


def confirmed_result(types: str, annotation: str | None) -> bool:
    """True when the annotation of the result says what a documented type says."""
    return annotation is not None and _same_type(types, annotation)


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
        return python_type(part, known) is not None
    either = f"{part} | None"
    return _same_type(part, parameter.annotation) or (
        parameter.default == "None" and _same_type(either, parameter.annotation)
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
    return _literal(default) == (_literal(bare) if bare[:1] in {"'", '"'} else bare)


def _literal(text: str) -> object:
    try:
        value: object = ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return value


def _same_type(words: str, annotation: str) -> bool:
    documented, written = _alternatives(words), _alternatives(annotation)
    bare = frozenset(each.partition("[")[0] for each in written)
    return documented in (written, bare)


def _alternatives(words: str) -> frozenset[str]:
    """Return a type in one spelling, as the set of what it may be."""
    text = _MODULE.sub("", _ROLE.sub(r"\1", words)).strip("`'\" .").lower()
    text = _nested(text)
    text = re.sub(r"\w+", lambda m: _NAMES.get(m[0], m[0]).lower(), text)
    if (inner := _OPTIONAL.fullmatch(text)) is not None:
        text = f"{inner[1]}|none"
    return frozenset("".join(each.split()) for each in re.split(r"\||\bor\b", text))
