"""The laws that classes are under which define equality, hashing or order, and the checks of them.

Python's own data model states them. They run inside the candidate, so that they never make a program VERIFIED by
themselves. No law applies where a comparison gives no truth value (an expression builder), where comparing raises, and
where the document itself asks for what breaks the law.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from probatum.programs.parsing.expressions import last_name, names_in
from probatum.programs.record import CheckKind
from probatum.programs.running.checks import Action, DirectCall, PlannedCheck, Statements, pasteable
from probatum.programs.source import expression_of, module_or_none
from probatum.programs.specification import Example, FunctionSpec, Origin, Span, ValueIs

_OBJECTS, _OTHERS = "objects", "others"
_NAMES = ("a", "b", "c")
_ORDER = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
_COMPARING = _ORDER | {"__eq__"}
_GIVEN_EQUALITY = "equality of a dataclass"


@dataclass(frozen=True, slots=True)
class Law:
    """A condition on one, two or three objects of a class."""

    id: str
    text: str
    needs: frozenset[str]
    """The operations that the class itself must define for the law to be about it."""
    condition: str
    compared: tuple[str, ...]
    """The comparisons that the condition makes: each must give a truth value for the law to apply."""

    @property
    def places(self) -> int:
        """How many objects the condition is about."""
        return max(place for place, name in enumerate(_NAMES, 1) if name in names_in(ast.parse(self.condition)))


def _law(id: str, text: str, needs: str, condition: str, *compared: str) -> Law:
    return Law(id, text, frozenset(needs.split()), condition, compared)


_LAWS = (
    _law("equal_to_itself", "an object equals itself", "__eq__", "a == a", "a == a"),
    _law("equality_is_mutual", "if a equals b, then b equals a", "__eq__", "(a == b) == (b == a)", "a == b"),
    _law("unequal_is_not_equal", "!= is the opposite of ==", "__eq__", "(a != b) == (not a == b)", "a == b", "a != b"),
    _law(
        "equal_hashes",
        "equal objects have equal hashes",
        "__eq__ __hash__",
        "hash(a) == hash(b) if a == b else True",
        "a == b",
    ),
    _law("stranger", "an object does not equal an object of another kind", "__eq__", "not a == object()", "a == b"),
    _law("not_below_itself", "no object is less than itself", "__lt__", "not a < a", "a < a"),
    _law("order_is_one_way", "if a < b, then not b < a", "__lt__", "not b < a if a < b else True", "a < b"),
    _law(
        "order_carries_over", "if a < b and b < c, then a < c", "__lt__", "a < c if a < b and b < c else True", "a < b"
    ),
    _law("at_most_itself", "an object is at most itself", "__le__", "a <= a", "a <= a"),
    _law("more_mirrors_less", "a > b exactly if b < a", "__lt__ __gt__", "(a > b) == (b < a)", "a > b", "a < b"),
)


def laws_of(tree: ast.Module, function: FunctionSpec) -> tuple[Law, ...]:
    """Return the laws that a class of the file is under through what its own body defines."""
    node = class_node(tree, function.qualname) if function.kind == "class" else None
    if node is None:
        return ()
    written = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
    defined = {name for name in written if name not in _COMPARING or compares_own_kind(node, name)}
    makers = {last_name(each.func if isinstance(each, ast.Call) else each) for each in node.decorator_list}
    if "total_ordering" in makers and "__eq__" in defined and defined & _ORDER:
        defined |= _ORDER
    if "dataclass" in makers and "__eq__" not in written:
        defined.add(_GIVEN_EQUALITY)
    return tuple(law for law in _LAWS if law.needs <= defined or _is_of_dataclass(law, defined))


def _is_of_dataclass(law: Law, defined: set[str]) -> bool:
    # The class defines its hash, a decorator its equality.
    return "__hash__" in law.needs and {"__hash__", _GIVEN_EQUALITY} <= defined


def compares_own_kind(node: ast.ClassDef, name: str, depth: int = 0) -> bool:
    """True where a comparing method shows that it is meant for objects of its own class.

    One that is compared with others only (an approximate value, a matcher) is under no law.
    """
    method = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == name), None)
    places = method.args.posonlyargs + method.args.args if method is not None else []
    if method is None or len(places) < 2 or depth > 2:
        return False
    me, other = places[0].arg, places[1].arg
    read: dict[str, set[str]] = {me: set(), other: set()}
    for part in ast.walk(method):
        match part:
            case ast.Name(id=named) if named == node.name and isinstance(part.ctx, ast.Load):
                return True
            case ast.Attribute(value=ast.Name(id=owner), attr=attribute) if owner in read:
                read[owner].add(attribute)
            case ast.Call(func=ast.Name(id=called), args=[ast.Name(id=owner)]) if owner in read:
                read[owner].add(f"{called}()")
            case ast.Compare(left=ast.Name(id=left), comparators=[ast.Name(id=right)]) if {left, right} == {me, other}:
                return not all(isinstance(each, ast.Is | ast.IsNot) for each in part.ops)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=called), args=[ast.Name(id=given), *_]) if (
                owner == me and given == other and called != name and compares_own_kind(node, called, depth + 1)
            ):
                return True
            case _:
                continue
    return bool((read[me] & read[other]) | (read[me] & {"type()", "__class__"}))


def class_node(tree: ast.Module, name: str) -> ast.ClassDef | None:
    """Return the definition of a class at the top of a file."""
    return next((each for each in reversed(tree.body) if isinstance(each, ast.ClassDef) and each.name == name), None)


def minds_strangers(node: ast.ClassDef) -> bool:
    """True where the class's equality asks whether it is given an object of the class before it uses it."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__eq__":
            names = {last_name(part) for part in ast.walk(each) if isinstance(part, ast.Name | ast.Attribute)}
            return bool(names & {node.name, "type", "NotImplemented", "__class__"})
    return False


def _every(names: Sequence[str]) -> str:
    # The second object is always made anew, so that identity never helps.
    sources = {"a": _OBJECTS, "b": _OTHERS, "c": _OBJECTS}
    return " ".join(f"for {name} in {sources[name]}" for name in names)


def _making(texts: Sequence[str]) -> tuple[str, ...]:
    listed = ", ".join(texts)
    return (f"{_OBJECTS} = [{listed}]", f"{_OTHERS} = [{listed}]")


def comparable(law: Law, texts: Sequence[str]) -> Action:
    """Return the question whether all the comparisons of a law give truth values."""
    tests = " and ".join(f"type({each}) is bool" for each in law.compared)
    return Statements(_making(texts), f"all({tests} {_every(_NAMES[:2])})")


def has_unequal(texts: Sequence[str]) -> Action:
    """Return the question whether two of the objects differ: what equals everything is meant to."""
    return Statements(_making(texts), f"any(not a == b {_every(_NAMES[:2])})")


def breaking(law: Law, texts: Sequence[str]) -> Action:
    """Return the question which objects break a law first: their places, or None."""
    names = _NAMES[: law.places]
    loops = " ".join(f"for {name}_, {name} in enumerate({_OTHERS if name == 'b' else _OBJECTS})" for name in names)
    found = ", ".join(f"{name}_" for name in names)
    return Statements(_making(texts), f"next((({found},) {loops} if not ({law.condition})), None)")


def comparisons(laws: Sequence[Law], first: str, second: str) -> tuple[Action, ...]:
    """Return the questions that the laws are about, each asked of two objects alone."""
    further = {"equal_hashes": "hash(a) == hash(b)", "stranger": "a == object()"}
    asked = [*(part for law in laws for part in law.compared), *(further[law.id] for law in laws if law.id in further)]
    made = {"a": first, "b": second}
    written = (ast.unparse(_Put(made).visit(ast.parse(part, mode="eval").body)) for part in asked)
    return tuple(Statements((), text) for text in dict.fromkeys(written))


def aggregate(law: Law, texts: Sequence[str], span: Span) -> PlannedCheck:
    """Return the check of a law on all choices of the objects at once."""
    return _planned(law, Statements(_making(texts), f"all({law.condition} {_every(_NAMES[: law.places])})"), span)


def particular(law: Law, texts: Sequence[str], span: Span) -> PlannedCheck:
    """Return the check of a law on these objects, as short as it can be pasted."""
    setup = tuple(f"{name} = {text}" for name, text in zip(_NAMES, texts, strict=False))
    return _planned(law, Statements(setup, law.condition), span)


def _planned(law: Law, action: Statements, span: Span) -> PlannedCheck:
    example = Example(
        id=f"{CheckKind.LAW}:{law.id}",
        expression=action.expression,
        expectation=ValueIs(True, "True"),
        span=span,
        text=law.text,
        notation=CheckKind.LAW.value,
        source=CheckKind.LAW.value,
        setup=action.setup,
        origin=Origin.DERIVED,
    )
    return PlannedCheck(example, action, kind=CheckKind.LAW)


def asked_for(law: Law, texts: Sequence[str], documented: Mapping[str, bool]) -> bool:
    """True where the document states all the comparisons with which these objects break a law."""
    made = dict(zip(_NAMES, texts, strict=False))
    tree = ast.parse(law.condition)
    compared = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare) and not any(isinstance(part, ast.Compare) for part in ast.walk(node.left))
    ]
    written = [_Put(made).visit(ast.parse(ast.unparse(node), mode="eval").body) for node in compared]
    return bool(written) and all(ast.unparse(each) in documented for each in written)


class _Put(ast.NodeTransformer):
    def __init__(self, made: Mapping[str, str]) -> None:
        self._made = made

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.parse(self._made[node.id], mode="eval").body if node.id in self._made else node


def documented_truths(planned: Sequence[PlannedCheck]) -> dict[str, bool]:
    """Return the comparisons whose truth the examples state, by their normal text."""
    found: dict[str, bool] = {}
    for check in planned:
        expectation = check.example.expectation
        if not isinstance(expectation, ValueIs) or not isinstance(expectation.value, bool):
            continue
        if (tree := expression_of(check.example.expression)) is not None:
            found[ast.unparse(tree)] = expectation.value
    return found


def is_making(node: ast.AST, owner: str) -> bool:
    """True for ``Owner(…)``, ``Owner.maker(…)`` and ``Owner.MEMBER``."""
    maker = node.func if isinstance(node, ast.Call) else node
    if isinstance(maker, ast.Attribute):
        return isinstance(maker.value, ast.Name) and maker.value.id == owner
    return isinstance(node, ast.Call) and isinstance(maker, ast.Name) and maker.id == owner


def documented_objects(planned: Sequence[PlannedCheck], owner: str) -> Iterator[ast.expr]:
    """Yield the expressions in examples that make an object of a class."""
    for check in planned:
        texts = (*check.example.setup, check.example.expression)
        if isinstance(check.action, DirectCall):
            texts = (pasteable(check.action),)
        for text in texts:
            tree = module_or_none(text)
            for node in ast.walk(tree) if tree is not None else ():
                if isinstance(node, ast.Call | ast.Attribute) and is_making(node, owner):
                    yield node
