"""Pairs that undo each other by name: `encode` and `decode`, `dumps` and `loads`, `to_x` and `from_x` of a class.

What does not come back is told and decides nothing: names are no law, and some lose something on purpose. Refuses pairs
whose types do not fit, types that several kinds of values satisfy, and objects without an equality by value.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from probatum.programs.inputs.choices import SeededChoices
from probatum.programs.inputs.hinted_shapes import shape_of_annotation
from probatum.programs.inputs.source_literals import literals_of
from probatum.programs.inputs.source_shapes import written
from probatum.programs.judging.laws import class_node
from probatum.programs.parsing.annotations import name_of, parse_annotation
from probatum.programs.parsing.declared_types import declared_types
from probatum.programs.parsing.expressions import last_name
from probatum.programs.parsing.sure_types import ABSTRACT, sure_types
from probatum.programs.running.checks import STEP_BEFORE_FAILED, Statements
from probatum.programs.running.compare import describe
from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.execute import Benches, run_actions, run_alone
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.specification import FunctionSpec, Parameter
from probatum.sandbox import Raised, Reply, Returned

_OPPOSITES = {"encode": "decode", "dumps": "loads"}
_RECORDS = frozenset({"dataclass", "define", "frozen", "mutable", "s", "attrs"})
_NAN = re.compile(r"\bnan\b")
_MOST_VALUES = 60


@dataclass(frozen=True, slots=True)
class _Opposites:
    """Two functions that undo each other, and the type of what they are given and give back."""

    there: FunctionSpec
    back: FunctionSpec
    annotation: str

    def made(self, given: str) -> str:
        """Return the call that makes something of a value."""
        name = self.there.qualname.rpartition(".")[2]
        return f"{given}.{name}()" if self.there.kind == "method" else f"{self.there.qualname}({given})"

    def asked(self, text: str) -> Statements:
        """Return the question whether a value comes back."""
        steps = (f"given = {text}", f"same = {text}", f"made = {self.made('given')}")
        return Statements(steps, f"{self.back.qualname}(made) == same if same == given else True")

    def tells(self, reply: Reply) -> bool:
        """Tell whether a reply shows that a value was made into something that does not lead back to it."""
        if isinstance(reply, Raised):
            names = {each.rpartition(".")[2] for each in reply.bases}
            announced = named_exceptions(self.there) | named_exceptions(self.back)
            return STEP_BEFORE_FAILED not in reply.bases and not names & announced and not reply.denied
        return isinstance(reply, Returned) and reply.value is False and not reply.denied


def not_restored(question: FunctionQuestion, benches: Benches) -> tuple[str, ...]:
    """Return for each pair that a function or class belongs to a sentence with the smallest value that is lost."""
    pairs = _pairs(question) if question.policy.generated_inputs else ()
    return tuple(told for pair in pairs if (told := _lost(pair, question, benches)))


def _lost(pair: _Opposites, question: FunctionQuestion, benches: Benches) -> str:
    tree = question.source.tree
    literals = literals_of(tree, pair.there.qualname)
    shown = (*literals.texts, *literals_of(tree, pair.back.qualname).texts) if pair.annotation == "str" else ()
    shape = shape_of_annotation(pair.annotation, literals, declared_types(tree))
    if shape is None:
        return ""
    choices = SeededChoices(f"{question.policy.seed} round trips of {pair.there.qualname}")
    texts = {written(each): None for each in (*shown, *(shape.draw(choices) for _ in range(_MOST_VALUES)))}
    numbers = (text for text in texts if not _NAN.search(text))
    asked = {text: pair.asked(text) for text in sorted(numbers, key=lambda text: (len(text), text))}
    replies = run_actions(benches.first, question.program, list(asked.values()))
    for text, reply in zip(asked, replies, strict=True):
        again = run_alone(benches, question.program, asked[text]) if pair.tells(reply) else []
        if again and all(map(pair.tells, again)):
            how = describe(reply) if isinstance(reply, Raised) else f"does not give back {text}"
            return f"{pair.back.qualname}({pair.made(text)}) {how}"
    return ""


def _pairs(question: FunctionQuestion) -> Iterator[_Opposites]:
    unit = question.function
    prefix = f"{unit.qualname}." if unit.kind == "class" else ""
    known = {each.qualname: each for each in question.module.functions}
    sure = sure_types(question.source.tree)
    if prefix and not _is_compared_by_value(question.source.tree, unit.qualname):
        return
    for name, there in known.items():
        own = name.removeprefix(prefix)
        opposite = _opposite(own, in_class=bool(prefix))
        back = known.get(prefix + opposite) if name.startswith(prefix) and "." not in own and opposite else None
        if back is None or not (prefix or unit.qualname in {name, opposite}):
            continue
        pair = _in_class(there, back, unit) if prefix else _of_functions(there, back)
        words = sure.words(pair.annotation) if pair is not None else None
        if pair is not None and words is not None and not words & ABSTRACT:
            yield pair


def _opposite(name: str, *, in_class: bool) -> str:
    if in_class and name.startswith("to_"):
        return f"from_{name.removeprefix('to_')}"
    parts = name.split("_")
    swapped = [_OPPOSITES.get(part, part) for part in parts]
    return "" if swapped == parts else "_".join(swapped)


def _in_class(there: FunctionSpec, back: FunctionSpec, owner: FunctionSpec) -> _Opposites | None:
    is_pair = there.kind == "method" and back.kind in {"classmethod", "staticmethod"} and _takes(there) == []
    return _Opposites(there, back, owner.qualname) if is_pair and len(_takes(back) or ()) == 1 else None


def _of_functions(there: FunctionSpec, back: FunctionSpec) -> _Opposites | None:
    taken, given = _takes(there), _takes(back)
    if there.kind != "function" or back.kind != "function" or there.is_async or back.is_async:
        return None
    if taken is None or given is None or len(taken) != 1 or len(given) != 1 or not (there.returns and back.returns):
        return None
    ways = [_normal(each) for each in (taken[0].annotation, there.returns.annotation)]
    returns = [_normal(each) for each in (back.returns.annotation, given[0].annotation)]
    return _Opposites(there, back, str(taken[0].annotation)) if ways == returns and all(ways) else None


def _takes(function: FunctionSpec) -> list[Parameter] | None:
    """Return what has to be passed; None where it is passed by name."""
    required = [each for each in function.taken if not each.may_be_left_out]
    return None if any(each.kind == "keyword_only" for each in required) else required


def _normal(annotation: str | None) -> str:
    node = parse_annotation(annotation or "")
    return ast.unparse(node) if node is not None else ""


def _is_compared_by_value(tree: ast.Module, name: str) -> bool:
    node = class_node(tree, name)
    if node is None:
        return False
    makers = {last_name(each.func if isinstance(each, ast.Call) else each): each for each in node.decorator_list}
    made = [each for name, each in makers.items() if name in _RECORDS]
    chosen = [key.arg for each in made if isinstance(each, ast.Call) for key in each.keywords]
    own = any(isinstance(each, ast.FunctionDef) and each.name == "__eq__" for each in node.body)
    return own or (bool(made) and "eq" not in chosen) or "NamedTuple" in map(name_of, node.bases)
