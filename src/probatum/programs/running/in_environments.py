"""Inputs of readings in environments: what ``environment('session')`` stands for, written out before anything is asked.

Each variant of an environment becomes a helper, and the input one input for each of them. A record without inputs gets
some where every parameter that has to be filled is declared with a type of an environment; as no reader wrote these, a
clause that is broken there is a question. Refuses nothing: what cannot be made is a helper that raises, with why.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from textwrap import indent

from probatum.core.errors import NotAttemptedError, UsageError
from probatum.programs.environments.plain import CLOCK, RANDOMNESS, SCRATCH
from probatum.programs.environments.provider import (
    CannotBeMadeError,
    EnvironmentProvider,
    GivenFacts,
    MadeVariant,
    environment_of,
)
from probatum.programs.environments.session import SESSION
from probatum.programs.faults.targets import definitions_of
from probatum.programs.parsing.annotations import parse_annotation
from probatum.programs.parsing.imported_names import imported_names
from probatum.programs.running.compare import describe
from probatum.programs.running.execute import Benches, LoadFailure, loaded
from probatum.programs.running.inside import asked_beside
from probatum.programs.running.question import FunctionQuestion, MadeInput
from probatum.programs.source import expression_of, module_or_none
from probatum.readings.rules import bound_by
from probatum.readings.values import ReadingRecord
from probatum.readings.vocabulary import ENVIRONMENT
from probatum.sandbox import Returned

BUILT_IN = (SESSION, SCRATCH, CLOCK, RANDOMNESS)
_MOST_VARIANTS = 20
_UNWRITTEN = "nobody wrote this input"
_ASK = (
    "_b.__import__('json').dumps(_asked['facts'](_b.dict(_b.vars(_b.__import__('sys').modules[__name__])"
    " if __name__ in _b.__import__('sys').modules else _b.globals())))"
)
_NEEDING = frozenset({"positional_only", "positional_or_keyword"})


def with_environments(question: FunctionQuestion, benches: Benches) -> FunctionQuestion:
    """Return a question whose readings have their inputs written out."""
    kept = len(question.readings)
    question, records = in_environments(question, (*question.readings, *question.proposals), benches)
    return replace(question, readings=records[:kept], proposals=records[kept:])


def in_environments(
    question: FunctionQuestion, records: tuple[ReadingRecord, ...], benches: Benches
) -> tuple[FunctionQuestion, tuple[ReadingRecord, ...]]:
    """Return these records with their inputs written out, and the question with what was written for them."""
    writer = _Writer(question, records, benches)
    written = tuple(writer.written(record) for record in records)
    environments = {**question.environments, **writer.made}
    return (replace(question, environments=environments) if writer.made else question), written


def _recognised(question: FunctionQuestion, record: ReadingRecord) -> tuple[str, ...]:
    """Return an input of an environment for each parameter that has to be filled, none where one of them has none."""
    function = question.function
    needed = [each for each in function.taken if each.default is None]
    is_asked = any(each.clause and each.check == "python" for each in record.readings)
    if function.kind != "function" or not is_asked or not all(each.kind in _NEEDING for each in needed):
        return ()
    modules, _, _ = imported_names(question.source)
    types = {name: each.name for each in BUILT_IN for name in each.types}
    found = [types.get(_dotted(each.annotation or "", modules)) for each in needed]
    return (f"({', '.join(f'{ENVIRONMENT}({each!r})' for each in found)},)",) if found and None not in found else ()


def _dotted(annotation: str, modules: Mapping[str, str]) -> str:
    """Return what an annotation stands for, from a top module on."""
    node = parse_annotation(annotation)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = parse_annotation(node.value)
    first, rest = "" if node is None else ast.unparse(node), ""
    while first and first not in modules:
        first, _, last = first.rpartition(".")
        rest = f".{last}{rest}"
    return modules.get(first, "") + rest


class _Writer:
    """Writes the inputs of some records out; each environment is asked once."""

    def __init__(self, question: FunctionQuestion, records: Sequence[ReadingRecord], benches: Benches) -> None:
        self._question = question
        self._records = records
        self._benches = benches
        self._variants: dict[str, Sequence[MadeVariant]] = {}
        self._helpers: dict[tuple[str, bool], list[str]] = {}
        self.made: dict[str, MadeInput] = {}

    def written(self, record: ReadingRecord) -> ReadingRecord:
        """Return a record with its inputs written out."""
        is_by_reader = bool(record.inputs)
        given = record.inputs or _recognised(self._question.about(record), record)
        names = dict.fromkeys(name for text in given for name in _named(text))
        own = module_or_none(record.helpers) if is_by_reader else None
        if not names or (own is not None and ENVIRONMENT in bound_by(own.body)):
            return record
        helpers = {name: self._written(name, is_by_reader) for name in names}
        inputs = tuple(dict.fromkeys(each for text in given for each in _filled(text, helpers)))
        sources = [self.made[each].source for names in helpers.values() for each in names]
        return replace(record, inputs=inputs, helpers="\n".join([record.helpers, *sources]))

    @cached_property
    def _words(self) -> frozenset[str]:
        definition = definitions_of(self._question.source.tree).get(self._question.function.qualname)
        texts = [ast.unparse(definition)] if definition is not None else []
        texts += [each.clause for record in self._records for each in record.readings]
        texts += [text for record in self._records for text in (record.helpers, *record.inputs)]
        return frozenset(re.findall(r"[^\W\d]\w*", "\n".join(texts)))

    def _written(self, name: str, is_by_reader: bool) -> list[str]:
        """Return the names of the helpers of one environment."""
        if (name, is_by_reader) in self._helpers:
            return self._helpers[name, is_by_reader]
        found = self._helpers[name, is_by_reader] = list[str]()
        base = re.sub(r"\W", "_", name)
        for each in self._of(name):
            taken = {*self.made, *self._question.environments, *self._words, *self._question.module.defined}
            helper = next(made for number in count(1) if (made := f"{base}_{number}") not in taken)
            doubt = each.doubt if is_by_reader else each.doubt or _UNWRITTEN
            self.made[helper] = MadeInput(f"def {helper}():\n{indent(each.body.rstrip(), '    ')}\n", doubt)
            found.append(helper)
        return found

    def _of(self, name: str) -> Sequence[MadeVariant]:
        if name not in self._variants:
            try:
                if ENVIRONMENT in self._question.module.defined:
                    raise CannotBeMadeError(f"the program defines {ENVIRONMENT!r} itself")
                made = self._made(environment_of(name, BUILT_IN))
            except (CannotBeMadeError, NotAttemptedError, UsageError) as reason:
                made = [MadeVariant(f"raise LookupError({f'the environment {name!r}: {reason}'!r})")]
            self._variants[name] = made
        return self._variants[name]

    def _made(self, environment: EnvironmentProvider) -> Sequence[MadeVariant]:
        facts = _facts(self._question, environment.probe, self._benches) if environment.probe else None
        try:
            made = [*environment.variants(GivenFacts(facts, self._words, self._question.policy.seed))]
        except (CannotBeMadeError, KeyboardInterrupt):
            raise
        except BaseException as error:  # what another package does wrong is no fault of the program
            raise CannotBeMadeError(f"it fails: {type(error).__name__}: {error}") from error
        if not 0 < len(made) <= _MOST_VARIANTS:
            raise CannotBeMadeError(f"it gives {len(made)} variants, expected 1 to {_MOST_VARIANTS}")
        if any(module_or_none(f"def made():\n{indent(each.body, '    ')}\n") is None for each in made):
            raise CannotBeMadeError("it gives what is no Python")
        return made


def _facts(question: FunctionQuestion, probe: str, benches: Benches) -> object:
    """Return what a probe finds in the loaded program; raises `CannotBeMadeError` where that cannot be said."""
    with loaded(benches.first, question.program) as candidate:
        if isinstance(candidate, LoadFailure):
            raise CannotBeMadeError(f"the program cannot be loaded: {describe(candidate.reply)}")
        reply = candidate.statements(asked_beside("facts", probe), _ASK, anew=True)
    if not isinstance(reply, Returned) or not isinstance(reply.value, str):
        raise CannotBeMadeError(describe(reply))
    try:
        return json.loads(reply.value)
    except (ValueError, RecursionError) as error:
        raise CannotBeMadeError("what it found cannot be read") from error


def _environment(node: ast.AST) -> str:
    """Return the environment that a call stands for, empty where it stands for none."""
    match node:
        case ast.Call(func=ast.Name(id="environment"), args=[ast.Constant(value=str(name))], keywords=[]):
            return name
        case _:
            return ""


def _named(text: str) -> list[str]:
    """Return the environments that an input names."""
    tree = expression_of(text)
    return [name for each in ast.walk(tree) if (name := _environment(each))] if tree is not None else []


def _filled(text: str, helpers: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield one input with the helpers of each environment that it names, one after the other."""
    named = _named(text)
    if not named:
        yield text
    for place in range(max((len(helpers[each]) for each in named), default=0)):
        filling = _Filling({name: helpers[name][place % len(helpers[name])] for name in named})
        yield ast.unparse(filling.visit(ast.parse(text.strip(), mode="eval")))


class _Filling(ast.NodeTransformer):
    def __init__(self, helpers: Mapping[str, str]) -> None:
        self._helpers = helpers

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = _environment(node)
        return ast.Call(ast.Name(self._helpers[name]), [], []) if name else self.generic_visit(node)
