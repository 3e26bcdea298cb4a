"""Generated inputs: fixed by text and seed, shaped like the documented ones, plain data only."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.programs.inputs.fingerprints import fingerprint
from probatum.programs.inputs.generate import (
    Call,
    CallSource,
    accepts,
    argument_strategy,
    input_pool,
)
from probatum.programs.inputs.smallest import find_smallest
from probatum.programs.running.checks import DirectCall, pasteable
from probatum.programs.specification import FunctionSpec, Parameter, Span
from probatum.sandbox import SourceArgument

Examples = list[tuple[tuple[object, ...], dict[str, object]]]


def function(*parameters: str | Parameter, kind: str = "function") -> FunctionSpec:
    """Write a parameter as ``name: annotation = default``."""
    return FunctionSpec("f", kind, Span(1, 0, 2, 0), tuple(map(parameter, parameters)))


def parameter(text: str | Parameter) -> Parameter:
    if isinstance(text, Parameter):
        return text
    before, _, default = text.partition(" = ")
    name, _, annotation = before.partition(": ")
    return Parameter(name, "positional_or_keyword", annotation or None, default or None)


def called(*arguments: object) -> Examples:
    return [((argument,), {}) for argument in arguments]


def pool(spec: FunctionSpec, examples: Examples, source: str = "", count: int = 100) -> tuple[Call, ...]:
    strategy = argument_strategy(spec, examples, ast.parse(source))
    assert strategy is not None
    return input_pool(strategy, count=count, seed=0)


def first_arguments(spec: FunctionSpec, examples: Examples, source: str = "") -> list[object]:
    return [call.args[0] for call in pool(spec, examples, source) if call.args]


HINTS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "int": ("int", lambda value: type(value) is int),
    "float": ("float", lambda value: type(value) in {int, float}),
    "bool": ("bool", lambda value: type(value) is bool),
    "str": ("str", lambda value: type(value) is str),
    "bytes": ("bytes", lambda value: type(value) is bytes),
    "optional": ("Optional[int]", lambda value: value is None or type(value) is int),
    "union operator": ("int | str | None", lambda value: value is None or type(value) in {int, str}),
    "union": ("typing.Union[int, str]", lambda value: type(value) in {int, str}),
    "literal": ("Literal['up', 3]", lambda value: value in {"up", 3}),
    "list": ("list[int]", lambda value: type(value) is list and all(type(item) is int for item in value)),
    "old list": ("List[str]", lambda value: type(value) is list and all(type(item) is str for item in value)),
    "iterable": ("collections.abc.Iterable[int]", lambda value: type(value) is list),
    "tuple": ("tuple[int, str]", lambda value: type(value) is tuple and list(map(type, value)) == [int, str]),
    "open tuple": ("Tuple[int, ...]", lambda value: type(value) is tuple and all(type(item) is int for item in value)),
    "set": ("set[int]", lambda value: type(value) is set),
    "mapping": ("Mapping[str, int]", lambda value: type(value) is dict and all(type(key) is str for key in value)),
    "forward reference": ("'list[int]'", lambda value: type(value) is list),
    "bounds": ("Annotated[int, Ge(3), Le(5)]", lambda value: value in {2, 3, 4, 5}),
    "nested": ("list[list[int]]", lambda value: all(type(item) is list for item in value)),
    "any": ("Any", lambda value: True),
    "date": ("datetime.date", lambda value: type(value).__name__ == "date"),
}


@pytest.mark.parametrize("case", HINTS)
def test_hint_gives_values_of_its_type(case: str) -> None:
    annotation, is_right = HINTS[case]
    values = first_arguments(function(f"x: {annotation}"), [])
    assert values
    assert all(is_right(value) for value in values)
    assert all(accepts(annotation, value) is not False for value in values)


NOTHING_KNOWN: dict[str, tuple[FunctionSpec, Examples]] = {
    "no hint and no example": (function("x"), []),
    "callable that gives something unknown": (function("x: Callable[[int], Point]"), []),
    "unknown name": (function("x: Point"), []),
    "not plain": (function("x"), called(object())),
    "no parameters": (function(), [((), {})]),
    "unparsable hint": (function("x: list["), []),
}


@pytest.mark.parametrize("case", NOTHING_KNOWN)
def test_nothing_known_gives_no_inputs(case: str) -> None:
    spec, examples = NOTHING_KNOWN[case]
    assert argument_strategy(spec, examples, ast.parse("")) is None


DECLARED = """
import abc, enum
from dataclasses import InitVar, dataclass, field
from typing import Annotated, Callable, ClassVar, Iterator, NamedTuple, NewType
from typing import NotRequired, Protocol, TypedDict, TypeVar

class Colour(enum.Enum):
    RED = 1
    GREEN = 2
    _ignore_ = []
    def mixed(self): ...
Size = enum.Enum("Size", "S M")
UserId = NewType("UserId", int)
Percent = Annotated[int, Ge(10), Le(12)]
T = TypeVar("T", bound=str)
Word = str
@dataclass
class Point:
    x: int
    y: int = 0
    z: int = field(init=False, default=3)
    kinds: ClassVar[int] = 1
    seed: InitVar[int] = 5
@dataclass
class Deep(Point):
    depth: Colour = Colour.RED
@dataclass
class Node:
    value: int
    children: list["Node"]
class Interval(NamedTuple):
    low: int
    high: int
class Item(TypedDict):
    colour: Colour
    count: NotRequired[int]
class ValueShape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
class Circle(ValueShape):
    def __init__(self, radius: int): ...
class Square(ValueShape):
    def __init__(self, side: int, /, *, colour: Colour = Colour.RED): ...
class Sender(Protocol):
    host: str
    def send(self, text: str, *, again: bool = False) -> bool: ...
    def close(self) -> None: ...
class Counting(Sender, Protocol[T]):
    @property
    def count(self) -> int: ...
class Key(Protocol):
    def __call__(self, item: str) -> int: ...
class Table(abc.ABC):
    @abc.abstractmethod
    def get(self, key: str) -> list[int]: ...
    def has(self, key: str) -> bool: ...
class Waiting(Protocol):
    async def fetch(self, key: str) -> int: ...
class Strange(Protocol):
    def thing(self) -> Mystery: ...
class Mystery:
    def __init__(self, thing): ...
class Decimal:
    def __init__(self, thing): ...
"""

# annotation: a pattern that every generated argument, as Python, matches whole
WRITTEN: dict[str, tuple[str, str]] = {
    "enumeration": ("Colour", r"Colour\.(RED|GREEN)"),
    "enumeration by a call": ("Size", r"Size\.(S|M)"),
    "enumeration, optional": ("Colour | None", r"Colour\.(RED|GREEN)|None"),
    "dataclass": ("Point", r"Point\(x=-?\d+(, y=-?\d+)?(, seed=-?\d+)?\)"),
    "dataclass with a base": ("Deep", r"Deep\(x=-?\d+(, y=-?\d+)?(, seed=-?\d+)?(, depth=Colour\.\w+)?\)"),
    "quoted": ("'Point'", r"Point\(.*\)"),
    "class that holds itself": (
        "Node",
        r"Node\(value=-?\d+, children=\[(Node\(value=-?\d+, children=\[\]\)(, )?)*\]\)",
    ),
    "named tuple": ("Interval", r"Interval\(low=-?\d+, high=-?\d+\)"),
    "typed dictionary": ("Item", r"\{'colour': Colour\.(RED|GREEN)(, 'count': -?\d+)?\}"),
    "abstract class": ("ValueShape", r"Circle\(radius=-?\d+\)|Square\(-?\d+(, colour=Colour\.\w+)?\)"),
    "new type": ("UserId", r"-?\d+"),
    "alias with bounds": ("Percent", r"9|10|11|12"),
    "bound type variable": ("T", r"'.*'|\".*\""),
    "alias": ("Word", r"'.*'|\".*\""),
    "list": ("list[Colour]", r"\[(Colour\.(RED|GREEN)(, )?)*\]"),
    "mapping": ("dict[str, Interval]", r"\{.*\}"),
    "tuple": ("tuple[Colour, int]", r"\(Colour\.(RED|GREEN), -?\d+\)"),
    "iterator": ("Iterator[int]", r"iter\(\[.*\]\)"),
    "function": ("Callable[[int], bool]", r"lambda .*"),
    "function of anything": ("Callable[..., Colour]", r"lambda \*args: Colour\.(RED|GREEN)"),
    "function of nothing": ("Callable[[], int]", r"lambda: -?\d+"),
    "protocol": (
        "Sender",
        r"type\('SenderDouble', \(Sender,\), \{'host': '.*', 'send': lambda self, \*args, \*\*kwargs: .*(True|False).*,"
        r" 'close': lambda self, \*args, \*\*kwargs: None\}\)\(\)",
    ),
    "protocol with a base": ("Counting", r"type\('CountingDouble', .*'host': .*'count': -?\d+, 'send': .*\)\(\)"),
    "protocol that is called": ("Key", r"type\('KeyDouble', .*'__call__': lambda self, .*\}\)\(\)"),
    "abstract class without heirs": ("Table", r"type\('TableDouble', \(Table,\), \{'get': lambda self, .*\}\)\(\)"),
    "random generator": ("random.Random", r"__import__\('random'\)\.Random\(\d\)"),
    "length": ("Annotated[list[int], Len(2, 3)]", r"\[\]|\[-?\d+(, -?\d+){1,2}\]"),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_types_of_the_file_are_written_as_expressions(case: str) -> None:
    annotation, pattern = WRITTEN[case]
    calls = pool(function(f"x: {annotation}"), [], DECLARED)
    shown = [pasteable(DirectCall("f", call.args)) for call in calls]
    assert shown
    assert all(re.fullmatch(rf"f\(({pattern})\)", text, re.DOTALL) for text in shown), shown[:5]
    assert calls == pool(function(f"x: {annotation}"), [], DECLARED)


def test_a_double_answers_by_what_it_is_asked() -> None:
    calls = pool(function("x: Sender"), [], DECLARED)
    texts = [pasteable_argument.text for call in calls for pasteable_argument in call.args]
    assert any("(False, True)[" in text for text in texts)


@pytest.mark.parametrize(
    "annotation", ["Mystery", "Decimal", "list[Mystery]", "Callable[[int], Mystery]", "Waiting", "Strange"]
)
def test_class_that_cannot_be_made_gives_no_inputs(annotation: str) -> None:
    assert argument_strategy(function(f"x: {annotation}"), [], ast.parse(DECLARED)) is None


def test_documented_expressions_have_neighbours_with_other_literals() -> None:
    documented = called(SourceArgument("Mystery(3, 'ab')"), SourceArgument("Mystery(-1, 'c')"))
    values = first_arguments(function("x"), documented)
    assert len({str(value) for value in values}) > 20
    assert all(isinstance(value, SourceArgument) and value.text.startswith("Mystery(") for value in values)


def test_further_named_arguments_get_names() -> None:
    spec = function(Parameter("options", "var_keyword"))
    calls = pool(spec, [((), {"b": 2, "a": 1}), ((), {"z": 0})])
    assert any(call.kwargs for call in calls)
    assert all(name.isidentifier() and type(value) is int for call in calls for name, value in call.kwargs)


def test_calls_show_a_signature_that_a_decorator_changed() -> None:
    calls = pool(function("log", "width", "height"), [((2, 3), {}), ((5, 5), {})])
    assert all(len(call.args) == 2 and not call.kwargs for call in calls)


LOOKS: dict[str, tuple[Examples, Callable[[list[object]], bool]]] = {
    "numbers keep their sign": (called(3, 5, 12), lambda vs: all(type(v) is int and v >= 0 for v in vs)),
    "negative numbers stay possible": (called(3, -5), lambda vs: any(v < 0 for v in vs)),
    "numbers keep their magnitude": (called(3, 5), lambda vs: all(type(v) is int and v <= 99 for v in vs)),
    "texts keep their alphabet": (called("(()())", ")("), lambda vs: all(set(str(v)) <= set("()") for v in vs)),
    "five letters open the alphabet": (
        called("hello", "world"),
        lambda vs: all(str(v).isalpha() or not v for v in vs) and len(set("".join(map(str, vs)))) > 8,
    ),
    "dates stay dates": (called("12-25-2020", "03-11-1999"), lambda vs: sum(str(v).count("-") == 2 for v in vs) > 40),
    "lists stay lists of their items": (
        called(["a", "b"], ["b", "b", "a"]),
        lambda vs: all(type(v) is list and all(type(item) is str for item in v) for v in vs),
    ),
    "sorted lists stay sorted": (called([1, 2, 5], [2, 4, 9, 11]), lambda vs: sum(v == sorted(v) for v in vs) > 95),
    "rows stay equal": (
        called([[1, 2], [3, 4]], [[1, 2, 3], [4, 5, 6]]),
        lambda vs: all(len({len(row) for row in v}) <= 1 for v in vs),
    ),
    "records keep their keys": (
        called({"name": "ann", "age": 3}, {"name": "bob", "age": 30}),
        lambda vs: all(list(v) == ["name", "age"] for v in vs),
    ),
    "mixed places keep their types": (
        called(["ann", 3], ["bob", 30]),
        lambda vs: all([type(item) for item in v] == [str, int] for v in vs),
    ),
    "lists stay short": (called([1] * 30), lambda vs: all(len(v) <= 33 for v in vs)),
    "an empty text is tried": (called("ab", "cd"), lambda vs: "" in vs),
    "an empty list is tried": (called([1], [2, 3]), lambda vs: [] in vs),
    "infinite and undefined numbers": (
        called(float("inf"), float("nan")),
        lambda vs: all(type(v) is float for v in vs),
    ),
    "enormous numbers": (called(10**5000), lambda vs: all(type(v) is int for v in vs)),
}


@pytest.mark.parametrize("case", LOOKS)
def test_inputs_look_like_the_documented_ones(case: str) -> None:
    examples, is_right = LOOKS[case]
    assert is_right(first_arguments(function("x"), examples))


HABITS: dict[str, tuple[Examples, Callable[[object, object], bool]]] = {
    "equal length": ([(([1, 2], [3, 4]), {}), (([1], [2]), {})], lambda a, b: len(a) == len(b)),
    "index": ([(([5, 6, 7], 2), {}), (([5], 0), {})], lambda a, b: 0 <= b < max(1, len(a))),
    "bounds in order": ([((1, 5), {}), ((3, 9), {}), ((2, 2), {})], lambda a, b: a <= b),
    "member": (
        [((["x", "y"], "y"), {}), ((["z"], "z"), {}), ((["y", "z"], "y"), {})],
        lambda a, b: not a or b in a,
    ),
}


@pytest.mark.parametrize("case", HABITS)
def test_most_inputs_have_the_habits_of_the_documented_ones(case: str) -> None:
    examples, has_habit = HABITS[case]
    calls = pool(function("a", "b"), examples)
    assert sum(has_habit(*call.args) for call in calls) > 0.8 * len(calls)


def test_constants_of_the_source_are_tried() -> None:
    source = "def f(x):\n    'not 998'\n    return x == 777\n"
    values = first_arguments(function("x: int"), [], source)
    assert 777 in values
    assert 998 not in values


def test_typed_dictionary_of_the_same_file() -> None:
    source = "class Row(TypedDict):\n    name: str\n    size: NotRequired[int]\ndef f(rows: list[Row]): return rows\n"
    rows = [row for rows in first_arguments(function("rows: list[Row]"), [], source) for row in rows]
    assert rows
    assert all("name" in row and set(row) <= {"name", "size"} for row in rows)


def test_documented_calls_are_not_in_the_pool() -> None:
    assert [call.args for call in pool(function("x: bool"), called(True))] == [(False,)]


def test_keywords_optional_and_variable_parameters() -> None:
    spec = function(
        "a: int",
        "b: int = 2",
        Parameter("rest", "var_positional", "int"),
        Parameter("k", "keyword_only", "str", "'x'"),
    )
    calls = pool(spec, [])
    assert all(call.args for call in calls)
    assert {name for call in calls for name, _ in call.kwargs} == {"k"}
    assert any(len(call.args) > 3 for call in calls)


@pytest.mark.parametrize("documented", [[], [((1,), {"n": 5}), ((2,), {"n": 7})]], ids=["no call", "calls by name"])
def test_what_follows_a_parameter_that_nothing_describes_is_passed_by_name(documented: Examples) -> None:
    calls = pool(function("x: int", "key = None", "n: int = 3"), documented)
    assert {len(call.args) for call in calls} == {1}
    assert any(name == "n" for call in calls for name, _ in call.kwargs)


def test_methods_leave_out_the_object() -> None:
    calls = pool(function("self", "x: int", kind="method"), [])
    assert all(len(call.args) == 1 for call in calls)


def test_examples_that_do_not_fit_the_signature_are_left_aside() -> None:
    assert pool(function("x: int"), [((1, 2), {}), ((3,), {"y": 1})])


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.frozensets(st.integers(), max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(PLAIN, PLAIN), min_size=1, max_size=4), st.integers(0, 3))
def test_any_plain_examples_give_a_fixed_pool_of_distinct_calls(pairs: list[tuple[object, object]], seed: int) -> None:
    spec = function("a", "b")
    examples: Examples = [(pair, {}) for pair in pairs]
    strategy = argument_strategy(spec, examples, ast.parse(""))
    again = argument_strategy(spec, examples, ast.parse(""))
    assert strategy is not None
    assert again is not None
    calls = input_pool(strategy, count=40, seed=seed)
    marks = [fingerprint((call.args, call.kwargs)) for call in calls]
    assert marks == [fingerprint((call.args, call.kwargs)) for call in input_pool(again, count=40, seed=seed)]
    assert len(set(marks)) == len(marks)
    assert not {fingerprint((pair, ())) for pair in pairs} & set(marks)
    assert [len(mark) for mark in marks] == sorted(len(mark) for mark in marks)


SCRIPT = """
import ast
from probatum.programs.inputs.smallest import find_smallest
from probatum.programs.running.checks import DirectCall, pasteable
from probatum.programs.inputs.fingerprints import fingerprint
from probatum.programs.inputs.generate import argument_strategy, input_pool
from probatum.programs.specification import FunctionSpec, Parameter, Span
from probatum.sandbox import SourceArgument
from tests.programs.parsing import source_of
parameter = Parameter("a", "positional_or_keyword", "set[str] | dict[str, int]")
spec = FunctionSpec("f", "function", Span(1, 0, 2, 0), (parameter,))
tree = ast.parse("def f(a): return a == 'x' or a == 'y'")
source = argument_strategy(spec, [(({"b", "a", "c"},), {}), (({"d": 1},), {})], tree)
print([fingerprint((call.args, call.kwargs)) for call in input_pool(source, count=60, seed=1)])
"""


def test_pool_does_not_depend_on_the_hash_seed() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(printed) == 1


def source_of(*parameters: str, examples: Examples | None = None) -> CallSource:
    strategy = argument_strategy(function(*parameters), examples or [], ast.parse(""))
    assert strategy is not None
    return strategy


def test_search_shrinks_what_it_finds() -> None:
    found = find_smallest(source_of("x: list[int]"), lambda call: len(call.args[0]) > 2, count=100, seed=0)
    assert found is not None
    assert len(found.args[0]) == 3


def test_search_that_finds_nothing_says_so() -> None:
    assert find_smallest(source_of("x: int"), lambda call: False, count=20, seed=0) is None


def test_search_is_the_same_for_the_same_seed() -> None:
    def refutes(call: Call) -> bool:
        return isinstance(call.args[0], int) and call.args[0] > 10

    strategy = source_of("x: int")
    assert find_smallest(strategy, refutes, count=50, seed=3) == find_smallest(strategy, refutes, count=50, seed=3)


ACCEPTED: dict[str, tuple[str, object, bool | None]] = {
    "int": ("int", 3, True),
    "text for int": ("int", "3", False),
    "bool for int": ("int", True, True),
    "int for float": ("float", 3, True),
    "float for int": ("int", 3.0, False),
    "float for complex": ("complex", 3.0, True),
    "int for bool": ("bool", 1, False),
    "none": ("None", None, True),
    "something for none": ("None", 0, False),
    "optional": ("Optional[int]", None, True),
    "union": ("int | str", 1.5, False),
    "union with unknown": ("int | Point", 1.5, None),
    "union with unknown, known to fit": ("int | Point", 1, True),
    "list": ("list[int]", [1, 2], True),
    "list with a wrong item": ("List[int]", [1, "2"], False),
    "tuple for list": ("list[int]", (1, 2), False),
    "empty list of unknown": ("list[Point]", [], True),
    "list of unknown": ("list[Point]", [1], None),
    "bare list": ("list", [1, "2"], True),
    "tuple": ("tuple[int, str]", (1, "a"), True),
    "tuple of another length": ("tuple[int, str]", (1,), False),
    "open tuple": ("tuple[int, ...]", (1, 2, 3), True),
    "empty tuple": ("tuple[()]", (), True),
    "dict": ("dict[str, int]", {"a": 1}, True),
    "dict with a wrong key": ("Dict[str, int]", {1: 1}, False),
    "text is a sequence": ("Sequence[str]", "ab", True),
    "set is no sequence": ("Sequence[int]", {1}, False),
    "iterable": ("Iterable[int]", {1}, True),
    "literal": ("Literal['a', 1]", "a", True),
    "other literal": ("Literal['a', 1]", True, False),
    "annotated": ("Annotated[int, Gt(0)]", "x", False),
    "forward reference": ("'int'", "x", False),
    "any": ("Any", object(), True),
    "object": ("object", 3, True),
    "unknown name": ("Point", 3, None),
    "iterator": ("Iterator[int]", [1], False),
    "generator": ("Generator[int, None, None]", [1], False),
    "callable": ("Callable[[int], int]", 3, False),
    "class": ("type[int]", 3, False),
    "what is awaited": ("Awaitable[int]", 3, None),
    "text for bytes that change": ("bytearray", "ab", False),
    "bytes that change": ("bytearray", bytearray(b"ab"), True),
    "not plain data": ("int", object(), None),
    "qualified name": ("typing.List[int]", ["a"], False),
    "somebody else's list": ("numpy.list[int]", ["a"], None),
    "unparsable": ("list[", [1], None),
    "deeply nested": ("list[" * 300 + "int" + "]" * 300, [1], False),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_accepts(case: str) -> None:
    annotation, value, expected = ACCEPTED[case]
    answer = accepts(annotation, value)
    assert answer is expected or (case == "deeply nested" and answer is None)
