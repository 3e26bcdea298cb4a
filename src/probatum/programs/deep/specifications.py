"""What a program is to do, as one value: contract, documentation, signatures, existing tests, and what a model infers.

A projection of what `probatum.programs` reads; nothing here reads prose. Sources are merged in that order, and the same
input gives the same value. Refuses to let weak sources lessen strong ones: the confidence is that of the best.
"""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from probatum.core.arguments import bytes_of
from probatum.core.decision import Decision
from probatum.core.shape import Shape
from probatum.programs.deep.advice import MODEL_SECONDS, NoAdviceError, Tell, advice, unheard
from probatum.programs.deep.types import (
    ArtifactSpec,
    GenerateOptions,
    InputSpec,
    ModelProtocol,
    OutputSpec,
    Specification,
    SpecSource,
)
from probatum.programs.examples.mined_tests import GIVEN_TESTS
from probatum.programs.loading import read_source
from probatum.programs.result import NOTHING, SIGNATURE_STRENGTH, SOURCE_STRENGTH, expected_text
from probatum.programs.source import Source, expression_of
from probatum.programs.specification import Example, FunctionSpec, Parameter, StatementKind
from probatum.programs.units import CONTRACT, units_of
from probatum.sandbox import Program

MODULE: Final = "artifact"
_INFERRED: Final = Fraction(60, 100)
_LISTS: Final = ("edge_cases", "invariants", "preconditions", "postconditions")
_FORM: Final = "{" + ", ".join(f'"{name}": ["…"]' for name in _LISTS) + "}"
_TASK: Final = "Which edge cases, invariants, preconditions and postconditions are missing in this specification?"
_MOST_INFERRED: Final = 20


def documented_units(artifact: ArtifactSpec, content: str, tests: str | None = None) -> tuple[FunctionSpec, ...]:
    """Return what is judged of a program that can be read, else nothing."""
    source = readable(content)
    if source is None:
        return ()
    given = None if tests is None else bytes_of(tests)
    return units_of(source.module, None, contract_of_artifact(artifact), given, MODULE)


def readable(content: str) -> Source | None:
    """Return a program that can be read, else None."""
    source = read_source(Program(bytes_of(content), MODULE))
    return None if isinstance(source, Decision) else source


def contract_of_artifact(artifact: ArtifactSpec) -> str | None:
    """Return the contract, None where it is blank."""
    return artifact.contract if artifact.contract.strip() else None


class SpecificationExtractor:
    """Reads the specification of a program from all of its sources."""

    def __init__(self, model: ModelProtocol | None = None) -> None:
        self.model = model

    async def extract(
        self,
        artifact: ArtifactSpec,
        content: str,
        existing_tests: str | None = None,
        *,
        seconds: float = MODEL_SECONDS,
        tell: Tell = unheard,
    ) -> Specification:
        """Return the merged specification; ``tell`` hears why a model inferred nothing, within so many seconds."""
        units = await asyncio.to_thread(documented_units, artifact, content, existing_tests)
        parts = [_part(artifact, units, source) for source in _SOURCES]
        if self.model is not None:
            try:
                parts.append(await self._infer_missing(self.model, artifact, units, seconds))
            except NoAdviceError as error:
                tell(f"The model inferred nothing of the specification: {error}.")
        merged = self._merge_specs(parts)
        return replace(merged, description=merged.description or artifact.description)

    async def _infer_missing(
        self, model: ModelProtocol, artifact: ArtifactSpec, units: Sequence[FunctionSpec], seconds: float
    ) -> Specification:
        """Ask a model that sees what is documented and never the code."""
        options = GenerateOptions(temperature=0.2, max_tokens=1000)
        return await advice(model, _TASK, _FORM, documentation(artifact, units), options, _inferred, seconds)

    def _merge_specs(self, specs: Iterable[Specification | None]) -> Specification:
        """Return everything that they say, in order and each thing once."""
        said = [each for each in specs if each is not None]
        if not said:
            return _EMPTY
        first = said[0]
        texts: dict[str, tuple[str, ...]] = {
            name: tuple(dict.fromkeys(text for each in said for text in getattr(each, name))) for name in _LISTS
        }
        return Specification(
            next((each.description for each in said if each.description), ""),
            tuple(_merged_inputs(said)),
            tuple(dict.fromkeys(each for spec in said for each in spec.outputs)),
            source=first.source,
            confidence=max(each.confidence for each in said),
            **texts,
        )


def documentation(artifact: ArtifactSpec, units: Sequence[FunctionSpec]) -> dict[str, str]:
    """Return what a model may see that must not see the code: descriptions, contract, signatures, documents."""
    told = [f"{_signature(unit)}\n{unit.document}\n{unit.further}".strip() for unit in units]
    return {
        "DESCRIPTION": f"{artifact.id}\n{artifact.description}",
        "CONTRACT": artifact.contract,
        "DOCUMENTATION": "\n\n".join(told),
    }


def _inferred(reply: Shape) -> Specification:
    given = reply.exactly(*_LISTS)

    def texts(name: str) -> tuple[str, ...]:
        return tuple(f"{each.words()} (inferred)" for each in given.items(name, 0, _MOST_INFERRED))

    edge_cases, invariants, preconditions, postconditions = map(texts, _LISTS)
    told = (preconditions, postconditions, invariants, edge_cases)
    return Specification("", (), (), *told, "inferred", float(_INFERRED))


def _signature(unit: FunctionSpec) -> str:
    taken = [
        f"{each.name}{f': {each.annotation}' if each.annotation else ''}{f' = {each.default}' if each.default else ''}"
        for each in unit.parameters
    ]
    return f"{unit.kind} {unit.qualname}({', '.join(taken)})" + (
        f" -> {unit.returns.annotation}" if unit.returns else ""
    )


_SOURCES: Final[Mapping[SpecSource, frozenset[str] | None]] = {
    "contract": frozenset({CONTRACT}),
    "docstring": frozenset(SOURCE_STRENGTH) - {CONTRACT, GIVEN_TESTS},
    # Also conditions in code: assertions, annotations, the libraries of contracts.
    "signature": None,
    "existing_tests": frozenset({GIVEN_TESTS}),
}
_EMPTY: Final = Specification("", (), (), (), (), (), (), "inferred", float(NOTHING))
_SAID: Final = frozenset().union(*(each for each in _SOURCES.values() if each is not None))


def _part(artifact: ArtifactSpec, units: Sequence[FunctionSpec], source: SpecSource) -> Specification | None:
    """Return what one kind of source says; None where it says nothing."""
    named = _SOURCES[source]
    is_one = {unit.qualname: "" if len(units) == 1 else f"{unit.qualname}." for unit in units}
    examples = [(unit, each) for unit in units for each in unit.examples if _is_of(each.source, named)]
    pre = tuple(each.expression for unit in units for each in unit.preconditions if _is_of(each.source, named))
    post = [(unit, each.expression) for unit in units for each in unit.properties if _is_of(each.source, named)]
    raising = tuple(each.text for unit in units for each in unit.raises if _is_of(each.source, named))
    description = {"contract": artifact.contract.strip(), "docstring": _document(units)}.get(source, "")
    inputs = tuple(each for unit in units for each in _inputs(unit, source, is_one[unit.qualname], examples))
    outputs = tuple(each for unit in units for each in _outputs(unit, source, examples))
    if not (description or inputs or outputs or pre or post or raising):
        return None
    declares = source == "signature" and any(unit.returns for unit in units)
    worth = [SOURCE_STRENGTH.get(each.source, NOTHING) for _, each in examples]
    return Specification(
        description,
        inputs,
        outputs,
        pre,
        tuple(text for unit, text in post if unit.kind != "class"),
        tuple(text for unit, text in post if unit.kind == "class"),
        raising,
        source,
        float(max([*worth, *([SIGNATURE_STRENGTH] if declares else [])], default=NOTHING)),
    )


def _is_of(source: str, named: frozenset[str] | None) -> bool:
    return source not in _SAID if named is None else source in named


def _document(units: Sequence[FunctionSpec]) -> str:
    documents = [unit.document.strip() for unit in units]
    return "\n\n".join(each for each in documents if each)


def _inputs(
    unit: FunctionSpec, source: SpecSource, prefix: str, examples: Sequence[tuple[FunctionSpec, Example]]
) -> Iterator[InputSpec]:
    shown = [passed for owner, each in examples if owner is unit for passed in [_arguments(unit, each)]]
    for each in unit.taken:
        values = tuple(dict.fromkeys(row[each.name] for row in shown if each.name in row))
        if source == "signature":
            yield InputSpec(f"{prefix}{each.name}", each.annotation or "", _declared(each), values)
            continue
        said = [e.text for e in unit.statements if e.kind is StatementKind.PARAMETER and e.about == each.name]
        words = tuple(said) if source == "docstring" else ()
        if values or words:
            yield InputSpec(f"{prefix}{each.name}", "", words, values)


def _declared(parameter: Parameter) -> tuple[str, ...]:
    usual = ("positional_or_keyword",)
    kind = () if parameter.kind in usual else (parameter.kind.replace("_", " "),)
    return (*kind, *((f"default {parameter.default}",) if parameter.default is not None else ()))


def _arguments(unit: FunctionSpec, example: Example) -> Mapping[str, str]:
    """Return what a plain call in an example passes, by parameter."""
    call = expression_of(example.expression)
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != unit.qualname:
        return {}
    positional = [each for each in call.args if not isinstance(each, ast.Starred)]
    by_place = zip((each.name for each in unit.taken), map(ast.unparse, positional), strict=False)
    return {**dict(by_place), **{each.arg: ast.unparse(each.value) for each in call.keywords if each.arg}}


def _outputs(
    unit: FunctionSpec, source: SpecSource, examples: Sequence[tuple[FunctionSpec, Example]]
) -> Iterator[OutputSpec]:
    values = tuple(dict.fromkeys(expected_text(e.expectation) for owner, e in examples if owner is unit))
    said = tuple(each.text for each in unit.statements if each.kind is StatementKind.RESULT)
    words = said if source == "docstring" else ()
    hint = unit.returns.annotation if source == "signature" and unit.returns else ""
    if values or words or hint:
        yield OutputSpec(hint, words, values)


def _merged_inputs(specs: Sequence[Specification]) -> Iterator[InputSpec]:
    rows = [each for spec in specs for each in spec.inputs]
    # In the order of the signature, which names all of them.
    order = [each.name for spec in specs if spec.source == "signature" for each in spec.inputs]
    for name in dict.fromkeys([*order, *(each.name for each in rows)]):
        own = [each for each in rows if each.name == name]
        yield InputSpec(
            name,
            next((each.type_hint for each in own if each.type_hint), ""),
            tuple(dict.fromkeys(text for each in own for text in each.constraints)),
            tuple(dict.fromkeys(text for each in own for text in each.examples)),
        )
