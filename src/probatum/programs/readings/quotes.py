"""Where a reading's words stand in the documentation, and whether they still stand there as they did.

A reading quotes verbatim up to white space. What it quotes from and the signature are noted as digests when it is
added; where either says something else now, it has lapsed. Refuses to find words that only look alike.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from probatum.core.digest import digest_of
from probatum.programs.readings.values import Reading, ReadingRecord, Standing
from probatum.programs.source import expression_of
from probatum.programs.specification import FunctionSpec, Parameter, Statement
from probatum.programs.statements.quotes import Quote, covered

_STARS = {"var_positional": "*", "var_keyword": "**"}


@dataclass(frozen=True, slots=True)
class Lapse:
    """Why a reading no longer counts, with both texts."""

    id: str
    reason: str
    then: str
    """The words that it quotes."""
    now: str
    """The statement that stands there now, or the nearest; empty where there is none."""
    function: str = ""

    @property
    def sentence(self) -> str:
        """What a person is told of it."""
        return f"the reading {self.id} of {self.then!r} has lapsed: {self.reason}; now: {self.now or '(nothing)'}"


def collapsed(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def of_function(name: str, functions: Iterable[FunctionSpec]) -> tuple[FunctionSpec, ...]:
    """Return a function, and after a class its methods; nothing where it is not defined."""
    return tuple(each for each in functions if each.qualname == name or each.qualname.startswith(f"{name}."))


def signature_of(function: FunctionSpec) -> str:
    """Return the signature as a caller sees it; a default or an annotation that names something private is ``...``."""
    parts, kinds = [], [each.kind for each in function.parameters]
    for index, parameter in enumerate(function.parameters):
        if parameter.kind == "keyword_only" and not {"var_positional", "keyword_only"} & set(kinds[:index]):
            parts.append("*")
        parts.append(_said(parameter))
        if parameter.kind == "positional_only" and kinds[index + 1 : index + 2] != ["positional_only"]:
            parts.append("/")
    taken = f"({', '.join(parts)})"
    if function.kind == "class":
        return f"class {function.qualname}{taken}"
    result = f" -> {_public(function.returns.annotation)}" if function.returns else ""
    return f"{'async ' if function.is_async else ''}def {function.qualname}{taken}{result}"


def signature_digest(whole: Sequence[FunctionSpec]) -> str:
    """Return the digest of the signatures of a function, or of a class and its methods."""
    return digest_of("\n".join(sorted(map(signature_of, whole))).encode("utf-8", "surrogatepass"))


def places(quotes: Sequence[str], whole: Sequence[FunctionSpec]) -> tuple[tuple[Statement, ...] | None, ...]:
    """Return for each quote the statements that it lies in; None where its words stand nowhere.

    Words that are documented and no statement, such as a type or a signature, lie in none.
    """
    statements = _statements(whole)
    elsewhere = "\n".join(text for each in whole for text in (each.document, each.further, signature_of(each)))
    # Each is looked for by itself, so that what was noted does not depend on the others.
    told = [Quote(str(index), text, reader=str(index)) for index, text in enumerate(quotes)]
    found = covered(statements, told, elsewhere)
    lying: dict[str, tuple[Statement, ...]] = {}
    for statement in statements:
        for id_ in dict.fromkeys(found.touched.get(statement.id, ())):
            lying[id_] = (*lying.get(id_, ()), statement)
    return tuple(None if each.id in found.missing else lying.get(each.id, ()) for each in told)


def noted(record: ReadingRecord, whole: Sequence[FunctionSpec]) -> ReadingRecord:
    """Return a record with the digests of what its readings quote from and of the signature, as they are now."""
    lying = places([each.statement for each in record.readings], whole)
    pairs = zip(record.readings, lying, strict=True)
    readings = tuple(replace(reading, digest=_digest(reading, told or ())) for reading, told in pairs)
    return replace(record, readings=readings, signature=signature_digest(whole))


def lapses(record: ReadingRecord, functions: Iterable[FunctionSpec]) -> tuple[Lapse, ...]:
    """Return the readings of a record that lapsed, each with its reason; rejected ones cannot.

    ``functions`` are those of the program as it is now. What nobody noted is not compared.
    """
    whole = of_function(record.function, functions)
    texts = [each.text for each in _statements(whole)]
    changed = bool(record.signature) and record.signature != signature_digest(whole)
    lying = places([each.statement for each in record.readings], whole)
    found = []
    for reading, told in zip(record.readings, lying, strict=True):
        if not whole:
            reason, now = "its function is not defined any more", ""
        elif told is None:
            reason, now = "its words are not in the documentation any more", _nearest(reading.statement, texts)
        elif reading.digest and reading.digest != _digest(reading, told):
            reason, now = "the statement around its words has changed", " ".join(each.text for each in told)
        elif changed:
            reason, now = "the signature has changed", "; ".join(map(signature_of, whole))
        else:
            continue
        if reading.standing is not Standing.REJECTED:
            found.append(Lapse(record.id_of(reading), reason, collapsed(reading.statement), now, record.function))
    return tuple(found)


def current(
    records: Iterable[ReadingRecord], functions: Sequence[FunctionSpec]
) -> tuple[tuple[ReadingRecord, ...], tuple[Lapse, ...]]:
    """Return the records without the readings that lapsed, and those."""
    found: list[ReadingRecord] = []
    gone: list[Lapse] = []
    for record in records:
        lapsed = lapses(record, functions)
        old = {each.id for each in lapsed}
        kept = tuple(each for each in record.readings if record.id_of(each) not in old)
        found.append(replace(record, readings=kept) if old else record)
        gone += lapsed
    return tuple(record for record in found if record.readings), tuple(gone)


def _digest(reading: Reading, quoted: Sequence[Statement]) -> str:
    # Words that are no statement, such as a type, are compared by themselves.
    # What stands twice, as in a contract that repeats the docstring, is the same statement.
    text = "\n".join(dict.fromkeys(collapsed(each.text) for each in quoted)) or collapsed(reading.statement)
    return digest_of(text.encode("utf-8", "surrogatepass"))


def _nearest(words: str, texts: Sequence[str]) -> str:
    """Return the text that shares most words with a quote, empty where none shares half of them."""
    wanted = set(words.split())
    shares = {text: len(wanted & set(text.split())) for text in texts}
    nearest = max(texts, key=lambda text: shares[text], default="")
    return nearest if texts and shares[nearest] * 2 >= len(wanted) else ""


def _statements(whole: Sequence[FunctionSpec]) -> tuple[Statement, ...]:
    """The statements of a class hold those of its methods."""
    return whole[0].statements if whole else ()


def _said(parameter: Parameter) -> str:
    name = f"{_STARS.get(parameter.kind, '')}{parameter.name}"
    if parameter.annotation is not None:
        name = f"{name}: {_public(parameter.annotation)}"
    if parameter.default is None:
        return name
    return f"{name}{' = ' if parameter.annotation is not None else '='}{_public(parameter.default)}"


def _public(source: str) -> str:
    tree = expression_of(source)
    names = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)} if tree is not None else set()
    return "..." if any(name.startswith("_") for name in names) else collapsed(source)
