"""Expected output of a session: a value, an exception, printed text or the ``repr`` of an object.

Refuses output that is abbreviated, that holds a memory address, or that could be a value without its quotes.
"""

from __future__ import annotations

import ast
import re

from probatum.programs.examples.expectations import exception_name
from probatum.programs.parsing.literals import read_value
from probatum.programs.parsing.scanning import OPENING, TextScanner, is_word_start
from probatum.programs.specification import Expectation, PrintsText, RaisesError, ReprIs, ValueIs
from probatum.readings.syntax import NotReadableError, expression_or_none

_TRACEBACK = ("Traceback (most recent call last)", "Traceback (innermost last)")
_BLANK_LINE = re.compile(r"^<BLANKLINE>[ \t]*$", re.MULTILINE)
_ADDRESS = re.compile(r"\bat 0x[0-9A-Fa-f]")
_OBJECT = re.compile(r"<[^<>\n]*\bat 0x[0-9A-Fa-f]+>")
_HOLDS_OBJECTS = re.compile(r"[^\W\d][\w.]*\(.*<.+>.*\)")
_VERSION_DEPENDENT = ("OrderedDict(",)
_NONE_WORDS = re.compile(r"\b(?:None|Optional|Any|object|NoneType|TypeVar|T|NoReturn|Never)\b")
_NONE_AMONG = re.compile(r"\b(?:None|Optional|NoneType)\b")
_EXACT = 0.95
_NOT_EXACT = 0.85


def admits_none(annotation: str | None) -> bool:
    """True when a result with this annotation may be None; without an annotation anything may."""
    return annotation is None or bool(_NONE_WORDS.search(annotation))


def names_none(annotation: str | None) -> bool:
    """True when an annotation says that None is among the results: where nothing is shown, None is meant."""
    return annotation is not None and bool(_NONE_AMONG.search(annotation))


def expectation_of(
    output: str, directives: frozenset[str], known: frozenset[str], shadowed: frozenset[str], *, printed: bool
) -> tuple[Expectation, float]:
    """Return what output documents and how sure the reading is; raises `NotReadableError`.

    ``printed`` says that it can only have been printed.
    """
    text = output.strip("\n")
    raised = _raised(text, known)
    if raised is not None:
        return raised
    if _OBJECT.search(text):
        raise NotReadableError("the output holds a memory address")
    if "ELLIPSIS" in directives and "..." in text:
        raise NotReadableError("the output is abbreviated with '...'")
    if printed:
        if "..." in text:
            raise NotReadableError("the output may be abbreviated with '...'")
        if "NORMALIZE_WHITESPACE" in directives:
            raise NotReadableError("printed text whose white space does not count is not compared")
        return PrintsText(_BLANK_LINE.sub("", text)), _EXACT
    try:
        return ValueIs(read_value(text, shadowed), text.strip()), _EXACT
    except NotReadableError as error:
        reason = error.sentence
    if _is_repr(text):
        return _repr_of(text)
    if text[:1] in OPENING or text[:1] in "\"'":
        raise NotReadableError(f"the output is not a value: {reason}")
    raise NotReadableError("the output is neither a value nor printed; are quotes missing?")


def _raised(text: str, known: frozenset[str]) -> tuple[Expectation, float] | None:
    if text.startswith(_TRACEBACK):
        for line in text.split("\n")[1:]:
            if line[:1].strip() and is_word_start(line[0]):
                name = line.partition(":")[0].strip()
                if all(part.isidentifier() for part in name.split(".")):
                    return RaisesError(name.rpartition(".")[2]), _EXACT
        raise NotReadableError("the traceback does not name its exception")
    first = text.partition("\n")[0]
    scanner = TextScanner(first)
    end = scanner.dotted_name(0)
    if end < 0 or (first[end : end + 1] not in {"", ":"}):
        return None
    raised = exception_name(scanner, 0, known)
    return None if raised is None or raised[1] != end else (RaisesError(raised[0]), _NOT_EXACT)


def _is_repr(text: str) -> bool:
    """True for text like ``Point(x=1)``, ``<Colour.RED: 1>``, or what holds such."""
    if text.startswith("<") and text.endswith(">"):
        return True
    node = expression_or_none(text)
    if node is None:
        is_container = text[:1] in OPENING and text[-1:] in ")]}" and "<" in text
        return bool(is_container or _HOLDS_OBJECTS.fullmatch(text))
    if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
        return any(isinstance(part, ast.Call) for part in ast.walk(node))
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)


def _repr_of(text: str) -> tuple[Expectation, float]:
    if _ADDRESS.search(text):
        raise NotReadableError("the output holds a memory address")
    if "..." in text:
        raise NotReadableError("the output is abbreviated with '...'")
    if "\n" in text:
        raise NotReadableError("the text of an object over several lines is not compared")
    if any(word in text for word in _VERSION_DEPENDENT):
        raise NotReadableError("this text depends on the version of Python")
    return ReprIs(_without_prefixes(text)), _NOT_EXACT


def _without_prefixes(text: str) -> str:
    """Return a text of Python 2 as Python 3 writes it: without the ``u`` before strings."""
    node = expression_or_none(text)
    if node is None:
        return text
    written = text.encode()
    strings = [part for part in ast.walk(node) if isinstance(part, ast.Constant) and part.kind == "u"]
    for at in sorted((part.col_offset for part in strings), reverse=True):
        written = written[:at] + written[at + 1 :]
    return written.decode()
