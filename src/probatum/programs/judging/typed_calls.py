"""Calls that certainly satisfy the declared types, and what may not come of them, documented or not.

A result of another type than the declared one refutes, and so does an argument that changed although its declared type
has no way to change it, unless examples or words that nobody has read may say otherwise. An exception that only a
mistake gives on such a call, and that nothing announces, is told: it keeps VERIFIED away and refutes nothing. Refuses
to ask where a parameter's type could mean less than it says, where a decorator or another definition may stand between,
and where a requirement is not known to be met.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from probatum.programs.faults.targets import definitions_of
from probatum.programs.inputs.generate import CallSource, argument_strategy, input_pool, passable
from probatum.programs.inputs.hinted_shapes import shape_of_annotation
from probatum.programs.inputs.source_literals import literals_of
from probatum.programs.judging.claims import read_stated
from probatum.programs.judging.reading_checks import ReadingRun
from probatum.programs.judging.round_trips import not_restored
from probatum.programs.parsing.annotations import name_of
from probatum.programs.parsing.expressions import last_name
from probatum.programs.parsing.signatures import own_nodes
from probatum.programs.parsing.sure_types import SureTypes, sure_types
from probatum.programs.parsing.value_texts import pasteable_text
from probatum.programs.record import CheckKind, CheckRecord, CheckState, FunctionRecord
from probatum.programs.running.binding import argument_places, declared_arguments, misfit
from probatum.programs.running.checks import DirectCall, PlannedCheck, Statements, pasteable
from probatum.programs.running.compare import describe
from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.execute import MUTANT_LIMITS, Benches, run_actions, run_alone
from probatum.programs.running.generated import Legality, anything, steadily_answered
from probatum.programs.running.predicates import Predicates
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.recording import claim_record
from probatum.programs.running.shrinking import smallest_failing
from probatum.programs.running.stability import steadied
from probatum.programs.source import expression_of
from probatum.programs.specification import Example, FunctionSpec, Parameter, RaisesError
from probatum.readings.coverage import covered, quotes_of
from probatum.readings.values import ReadingKind
from probatum.sandbox import Raised, Reply, Returned, SourceArgument

_CRASHES = frozenset({"TypeError", "AttributeError", "UnboundLocalError", "NameError"})
_TRANSPARENT = frozenset({"staticmethod", "classmethod", "override", "final"})
_OF_SOME_TEXTS = frozenset(
    {
        *("ord", "bidirectional", "category", "combining", "decimal", "digit", "east_asian_width", "mirrored"),
        *("numeric", "loads", "load", "safe_load", "literal_eval", "eval"),
    }
)
"""What takes single characters alone, or gives what the text says, of whatever type."""
_NAME = re.compile(r"\w+")
_MOST_METHODS = 12


@dataclass(frozen=True, slots=True)
class TypedFunction:
    """A function or method of which every argument that it is given has a certain type, its object included."""

    spec: FunctionSpec
    sure: SureTypes
    source: CallSource

    def claims(self, call: DirectCall, reply: Reply) -> Mapping[CheckKind, tuple[str, str]]:
        """Return what a reply contradicts, by the kind of check: the declaration, and what is so instead."""
        found: dict[CheckKind, tuple[str, str]] = {}
        if not isinstance(reply, Returned) or reply.denied:
            return found
        result = self.spec.returns
        if result is not None and not reply.is_drained and self.sure.contradicts(result.annotation, reply.value):
            found[CheckKind.RETURN_TYPE] = (f"-> {result.annotation}", f"gives {describe(reply)}")
        before: dict[int | str, object] = {**dict(enumerate(call.args)), **dict(call.kwargs)}
        after: dict[int | str, object] = {**dict(enumerate(reply.arguments)), **dict(reply.keyword_arguments)}
        declared = {each.name: each.annotation or "" for each in self.spec.taken}
        for name, place in argument_places(self.spec.taken, call).items():
            if place not in after or isinstance(before[place], SourceArgument) or name not in declared:
                continue
            if self.sure.forbids(declared[name], before[place], after[place]):
                told = f"changes {name} to {describe(Returned(after[place]))}"
                found[CheckKind.ARGUMENT] = (f"{name}: {declared[name]}", told)
        return found

    def is_exact(self, call: DirectCall) -> bool:
        """Tell whether no whole number stands for a float: it has other attributes."""
        for parameter, value in declared_arguments(self.spec.taken, call):
            words = self.sure.words(parameter.annotation or "") or ()
            written = expression_of(pasteable_text(value)) if "float" in words and "int" not in words else None
            numbers = (each for each in ast.walk(written) if isinstance(each, ast.Constant)) if written else ()
            if any(type(each.value) is int for each in numbers):
                return False
        return True


def held_against_types(
    record: FunctionRecord,
    question: FunctionQuestion,
    planned: Sequence[PlannedCheck],
    read: ReadingRun,
    benches: Benches,
) -> FunctionRecord:
    """Hold a function, or the methods of a class without stated requirements, against what the code declares."""
    if not question.policy.generated_inputs:
        return record
    functions = typed_functions(question)
    if functions and not (read.judges and question.function.kind == "class"):
        with Predicates(benches.first, question.program) as predicates:
            stated = read_stated(question.function, question.module, planned, predicates)
            if stated.requirements_are_read:
                legal = read.restriction(stated, benches.first)
                record = _with_typed(record, question, functions, legal, benches)
    return replace(record, suspicions=(*record.suspicions, *not_restored(question, benches)))


def _with_typed(
    record: FunctionRecord,
    question: FunctionQuestion,
    functions: Sequence[TypedFunction],
    legal: Legality,
    benches: Benches,
) -> FunctionRecord:
    share = max(8, question.policy.generated_inputs // (2 * len(functions)))
    owners = [(each, call) for each in functions for call in legal(_calls(each, share, question.policy.seed))]
    made = _makeable(question, [call for _, call in owners], benches)
    by_text = {pasteable(call): (each, call) for each, call in owners if pasteable(call) in made}
    answered = steadily_answered(question, [call for _, call in by_text.values()], benches)
    tried: dict[tuple[str, CheckKind], CheckRecord | None] = {}
    told: dict[str, str] = {}
    # An example may show that the declared type is the mistake.
    is_doubted = any(each.kind is CheckKind.RETURN_TYPE for each in record.checks)
    are_words_read = _are_words_read(question) and not is_doubted
    for call, reply in zip(answered.actions, answered.replies, strict=True):
        assert isinstance(call, DirectCall)
        typed, _ = by_text[pasteable(call)]
        search = _TypedSearch(question, typed, benches, typed.source if legal is anything else None)
        for kind in typed.claims(call, reply):
            if (call.target, kind) not in tried:
                is_open = not are_words_read or _means_some_texts(typed.spec, question.source.tree)
                is_open = is_open or (kind is CheckKind.ARGUMENT and _shows_effects(question))
                state = CheckState.DOUBTFUL if is_open else CheckState.FAILS
                tried[call.target, kind] = search.contradiction(call, reply, kind, state)
        if call.target not in told and _is_crash(reply, question, typed.spec) and typed.is_exact(call):
            told[call.target] = search.crash(call, reply)
    found = [each for each in tried.values() if each is not None]
    doubtful = [each for each in found if each.state is CheckState.DOUBTFUL]
    return replace(
        record,
        checks=(*record.checks, *(each for each in found if each.state is CheckState.FAILS)),
        unexpected=tuple(told.values()),
        suspicions=(*record.suspicions, *(f"{each.note}; {each.text} is declared" for each in doubtful)),
    )


def _are_words_read(question: FunctionQuestion) -> bool:
    """Tell whether no word of the documentation can ask for more of calls than is known."""
    name = question.function.qualname
    quotes = (quote for record in question.counted for _, quote in quotes_of(record, name))
    left_over = covered(question.function.words, quotes).left_over
    return all(left_over.get(each.id) == () for each in question.function.words)


def _shows_effects(question: FunctionQuestion) -> bool:
    """Tell whether an example of several steps, or a reading, may say what becomes of arguments."""
    kinds = {each.kind for record in question.counted for each in record.readings}
    return ReadingKind.EFFECT in kinds or any(each.setup for each in question.function.examples)


def typed_functions(question: FunctionQuestion) -> tuple[TypedFunction, ...]:
    """Return the function, or the public methods of the class, without the parameters that no type describes."""
    unit, tree = question.function, question.source.tree
    sure = sure_types(tree)
    members = [_with_object(unit, unit.qualname.rpartition(".")[0])]
    if unit.kind == "class":
        own = (e for e in question.module.functions if e.qualname.rpartition(".")[0] == unit.qualname)
        shown = (e for e in own if e.kind != "class" and not e.qualname.rpartition(".")[2].startswith("_"))
        members = [_with_object(each, unit.qualname) for each in shown if not each.preconditions]
    found = (_typed(each, sure, tree) for each in members[:_MOST_METHODS])
    return tuple(each for each in found if each is not None)


def _with_object(method: FunctionSpec, owner: str) -> FunctionSpec:
    """Return a method as a function of its object, anything else as it is."""
    if method.kind != "method" or not method.parameters:
        return method
    first = replace(method.parameters[0], annotation=owner)
    return replace(method, kind="function", parameters=(first, *method.parameters[1:]))


def _typed(function: FunctionSpec, sure: SureTypes, tree: ast.Module) -> TypedFunction | None:
    if function.is_async or not _is_its_own(function, tree):
        return None
    literals = literals_of(tree, function.qualname)

    def is_sure(each: Parameter) -> bool:
        # What has no shape would be drawn from its default, of whatever type that is.
        if each.annotation is None or sure.words(each.annotation) is None:
            return False
        return shape_of_annotation(each.annotation, literals, sure.declared) is not None

    if not all(is_sure(each) or each.may_be_left_out for each in function.taken):
        return None
    kept = passable(function.taken, is_sure)
    first = function.parameters[: len(function.parameters) - len(function.taken)]
    spec = replace(function, parameters=(*first, *kept))
    source = argument_strategy(spec, (), tree)
    return None if source is None else TypedFunction(spec, sure, replace(source, by_type=True))


def _is_its_own(function: FunctionSpec, tree: ast.Module) -> bool:
    """Tell whether a call by its parameters runs this very definition: nothing wraps, replaces or overloads it."""
    found = definitions_of(tree)
    owner, _, name = function.qualname.rpartition(".")
    node, within = found.get(function.qualname), found.get(owner, tree)
    if not isinstance(node, ast.FunctionDef) or node not in getattr(within, "body", ()):
        return False
    if not {last_name(each) for each in node.decorator_list} <= _TRANSPARENT or _is_sent_to(node):
        return False
    return _bindings(within)[name] == 1


def _is_sent_to(node: ast.FunctionDef) -> bool:
    """Tell whether a generator uses what its caller sends, which no parameter declares; an iterator is sent nothing."""
    own = list(own_nodes(node))
    unused = {id(each.value) for each in own if isinstance(each, ast.Expr)}
    is_iterator = node.returns is not None and name_of(node.returns) in {"Iterator", "Iterable"}
    return not is_iterator and any(isinstance(each, ast.Yield) and id(each) not in unused for each in own)


@lru_cache(maxsize=8)
def _bindings(within: ast.AST) -> Counter[str]:
    """Return how often code binds each name, by a definition or in another way."""
    nodes = list(ast.walk(within))
    defined = [each.name for each in nodes if isinstance(each, ast.FunctionDef | ast.ClassDef)]
    return Counter([*defined, *(e.id for e in nodes if isinstance(e, ast.Name) and not isinstance(e.ctx, ast.Load))])


def _calls(typed: TypedFunction, count: int, seed: int) -> list[DirectCall]:
    pool = input_pool(typed.source, count=count, seed=seed)
    calls = [DirectCall(typed.spec.qualname, call.args, call.kwargs) for call in pool]
    return [*calls, *(each for call in calls for each in _with_key(call) if not misfit(typed.spec.taken, each))]


def _with_key(call: DirectCall) -> Iterator[DirectCall]:
    """Yield the call with a key of an argument in the place of another argument: drawn alone they never meet."""
    keys = [key for value in call.args if isinstance(value, dict) for key in list(value)[:1]]
    for place, value in enumerate(call.args):
        if keys and type(value) is type(keys[0]) and value != keys[0]:
            yield replace(call, args=(*call.args[:place], keys[0], *call.args[place + 1 :]))


def _makeable(question: FunctionQuestion, calls: Sequence[DirectCall], benches: Benches) -> set[str]:
    """Return the texts of the calls whose arguments can all be made."""
    making = {each: None for call in calls for each in _making(call)}
    replies = run_actions(benches.first, question.program, list(making))
    made = {each for each, reply in zip(making, replies, strict=True) if isinstance(reply, Returned)}
    return {pasteable(call) for call in calls if made.issuperset(_making(call))}


def _making(call: DirectCall) -> list[Statements]:
    values = (*call.args, *(value for _, value in call.kwargs))
    return [Statements((), f"({each.text}) is None") for each in values if isinstance(each, SourceArgument)]


def _is_crash(reply: Reply, question: FunctionQuestion, function: FunctionSpec) -> bool:
    """Tell whether a reply is an exception of a mistake's kind that neither documentation nor code announces."""
    if not isinstance(reply, Raised) or reply.type_name not in _CRASHES or reply.denied:
        return False
    tree = question.source.tree
    raised = [each.exc for each in ast.walk(tree) if isinstance(each, ast.Raise) and each.exc is not None]
    written = {last_name(each.func if isinstance(each, ast.Call) else each) for each in raised}
    announced = written | named_exceptions(function) | named_exceptions(question.function)
    return reply.type_name not in announced and not _means_some_texts(function, tree)


def _means_some_texts(function: FunctionSpec, tree: ast.Module) -> bool:
    """Tell whether what a text says decides about types: one character, a name, a format, a document."""
    texts = {each.name for each in function.taken if {"str", "bytes"} & set(_NAME.findall(each.annotation or ""))}
    for node in ast.walk(tree) if texts else ():
        match node:
            case ast.Call(func=called) if last_name(called) in _OF_SOME_TEXTS:
                return True
            case ast.Call(func=ast.Name(id="getattr"), args=[_, wanted]) if not isinstance(wanted, ast.Constant):
                return True
            case ast.BinOp(left=ast.Name(id=name), op=ast.Mod()) if name in texts:
                return True
    return False


@dataclass(frozen=True, slots=True)
class _TypedSearch:
    """Looks for the smallest call of one function that shows the same."""

    question: FunctionQuestion
    typed: TypedFunction
    benches: Benches
    source: CallSource | None

    def contradiction(self, call: DirectCall, reply: Reply, kind: CheckKind, state: CheckState) -> CheckRecord | None:
        """Return the record of the smallest call that contradicts a declaration, None where it does not stand alone."""

        def found(call: DirectCall, reply: Reply) -> bool:
            return kind in self.typed.claims(call, reply)

        call, _ = self._smallest(call, found, reply)
        replies = run_alone(self.benches, self.question.program, call)
        if not all(found(call, reply) for reply in replies):
            return None
        text, note = self.typed.claims(call, replies[0])[kind]
        returns = self.typed.spec.returns
        span = returns.span if returns is not None and kind is CheckKind.RETURN_TYPE else self.typed.spec.span
        record = claim_record(kind, call, replies[0], span, (text, f"{pasteable(call)} {note}"))
        example = Example(record.id, pasteable(call), RaisesError(""), span, text, kind.value, kind.value)
        check = PlannedCheck(example, call, kind=kind)
        [steady] = steadied(self.question.source, [check], [record], self.benches)
        return replace(steady, state=state) if steady.state is CheckState.FAILS else None

    def crash(self, call: DirectCall, reply: Reply) -> str:
        """Return a sentence about the smallest call that ends in such an exception."""

        def found(call: DirectCall, reply: Reply) -> bool:
            return _is_crash(reply, self.question, self.typed.spec) and self.typed.is_exact(call)

        call, reply = self._smallest(call, found, reply)
        return f"{pasteable(call)} {describe(reply)}, which nothing announces"

    def _smallest(
        self, call: DirectCall, found: Callable[[DirectCall, Reply], bool], known: Reply
    ) -> tuple[DirectCall, Reply]:
        program = self.question.program

        def asked(call: DirectCall) -> Reply | None:
            *made, reply = run_actions(self.benches.first, program, [*_making(call), call], MUTANT_LIMITS)
            return reply if all(isinstance(each, Returned) for each in made) else None

        def fails(call: DirectCall) -> bool:
            reply = asked(call)
            return reply is not None and found(call, reply)

        smallest = smallest_failing(self.source, call, fails, seed=self.question.policy.seed)
        reply = asked(smallest)
        return (smallest, reply) if reply is not None and found(smallest, reply) else (call, known)
