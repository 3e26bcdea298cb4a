"""What a program declares in code by types and names is held against it, documented or not, and verifies nothing."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.programs.parsing.sure_types import sure_types
from tests.services import Answer, ProgramRequest, Service

HEAD = """
from __future__ import annotations
import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final, Literal, NewType, Optional, Protocol, TypeVar, overload
T = TypeVar("T")
Even = NewType("Even", int)
class Colour(enum.Enum):
    RED = 1
    BLUE = 2
"""

REFUTED = {
    "nothing for a text": (
        "def f(n: int) -> str:\n    if n > 3:\n        return 'big'\n",
        "def f(n: int) -> str:\n    return 'big' if n > 3 else 'small'\n",
        "program.return_type",
    ),
    "a text for bytes": (
        "def f(n: int) -> bytes:\n    return str(n)\n",
        "def f(n: int) -> bytes:\n    return bytearray(n % 9)\n",
        "program.return_type",
    ),
    "a float for a decimal": (
        "from decimal import Decimal\ndef f(xs: list[Decimal]) -> Decimal:\n    return float(sum(xs))\n",
        "from decimal import Decimal\ndef f(xs: list[Decimal]) -> Decimal:\n    return sum(xs)\n",
        "program.return_type",
    ),
    "a float for an int": (
        "def f(n: int) -> int:\n    return n / 2\n",
        "def f(n: int) -> int:\n    return n // 2\n",
        "program.return_type",
    ),
    "a generator within that is sent values": (
        "def f(n: int) -> list[int]:\n    def g():\n        n = yield 1\n    return 'less' if n < 0 else [n]\n",
        "def f(n: int) -> list[int]:\n    def g():\n        n = yield 1\n    return [] if n < 0 else [n]\n",
        "program.return_type",
    ),
    "a member of another type": (
        "def f(xs: list[str]) -> dict[str, int]:\n    return {x: x for x in xs}\n",
        "def f(xs: list[str]) -> dict[str, int]:\n    return {x: len(x) for x in xs}\n",
        "program.return_type",
    ),
    "a method": (
        "@dataclass\nclass P:\n    x: int\n    def f(self, n: int) -> str:\n        return self.x + n\n",
        "@dataclass\nclass P:\n    x: int\n    def f(self, n: int) -> int:\n        return self.x + n\n",
        "program.return_type",
    ),
    "a sequence sorted in place": (
        "def f(xs: Sequence[int]) -> int:\n    xs.sort()\n    return len(xs)\n",
        "def f(xs: Sequence[int]) -> int:\n    return len(sorted(xs))\n",
        "program.argument_changed",
    ),
    "a key popped from a mapping": (
        "def f(m: Mapping[str, int], key: str) -> int:\n    return m.pop(key, 0)\n",
        "def f(m: Mapping[str, int], key: str) -> int:\n    return dict(m).pop(key, 0)\n",
        "program.argument_changed",
    ),
    "a final list": (
        "def f(xs: Final[list[int]]) -> int:\n    xs.append(1)\n    return len(xs)\n",
        "def f(xs: list[int]) -> int:\n    xs.append(1)\n    return len(xs)\n",
        "program.argument_changed",
    ),
    "a list inside a sequence of sequences": (
        "def f(rows: Sequence[Sequence[int]]) -> int:\n    for row in rows:\n        row.clear()\n    return 0\n",
        "def f(rows: Sequence[list[int]]) -> int:\n    for row in rows:\n        row.clear()\n    return 0\n",
        "program.argument_changed",
    ),
    "an optional sequence": (
        "def f(xs: Sequence[int] | None) -> int:\n    if xs:\n        del xs[0]\n    return 0\n",
        "def f(xs: Sequence[int] | list[int]) -> int:\n    if xs:\n        del xs[0]\n    return 0\n",
        "program.argument_changed",
    ),
}
FOUND = {
    "none of an optional": (
        "def f(text: Optional[str]) -> str:\n    return text.upper()\n",
        "def f(text: Optional[str]) -> str:\n    return text.upper() if text else ''\n",
        "program.unexpected_exception",
    ),
    "a member of an enum": (
        "def f(c: Colour) -> str:\n    return 'red' if c is Colour.RED else c.title\n",
        "def f(c: Colour) -> str:\n    return 'red' if c is Colour.RED else c.name\n",
        "program.unexpected_exception",
    ),
    "a literal": (
        "def f(m: Literal['a', 'b']) -> str:\n    if m == 'a':\n        r = 'x'\n    return r\n",
        "def f(m: Literal['a', 'b']) -> str:\n    r = 'x'\n    return r\n",
        "program.unexpected_exception",
    ),
    "an empty list": (
        "def f(xs: list[int]) -> int:\n    for x in xs:\n        last = x\n    return last\n",
        "def f(xs: list[int]) -> int:\n    last = 0\n    for x in xs:\n        last = x\n    return last\n",
        "program.unexpected_exception",
    ),
    "a type that does not add up": (
        "def f(n: int | None) -> int:\n    return n + 1\n",
        "def f(n: int | None) -> int:\n    return (n or 0) + 1\n",
        "program.unexpected_exception",
    ),
}
LOST = {
    "a field that is lost": (
        """
@dataclass
class P:
    x: int
    tag: str = ""
    def to_dict(self) -> dict[str, object]:
        return {"x": self.x}
    @classmethod
    def from_dict(cls, data: dict[str, object]) -> P:
        return cls(**data)
""",
        """
@dataclass
class P:
    x: int
    tag: str = ""
    def to_dict(self) -> dict[str, object]:
        return {"x": self.x, "tag": self.tag}
    @classmethod
    def from_dict(cls, data: dict[str, object]) -> P:
        return cls(**data)
""",
    ),
    "a text that is not escaped": (
        "def encode(text: str) -> str:\n    return text.replace(' ', '_')\n"
        "def decode(text: str) -> str:\n    return text.replace('_', ' ')\n",
        "def encode(text: str) -> str:\n    return text.encode().hex()\n"
        "def decode(text: str) -> str:\n    return bytes.fromhex(text).decode()\n",
    ),
    "nothing at all": (
        "def dumps(data: dict[str, int]) -> str:\n    return ','.join(f'{k}={v}' for k, v in data.items())\n"
        "def loads(text: str) -> dict[str, int]:\n"
        "    return {p.split('=')[0]: int(p.split('=')[1]) for p in text.split(',')}\n",
        "import json\ndef dumps(data: dict[str, int]) -> str:\n    return json.dumps(data)\n"
        "def loads(text: str) -> dict[str, int]:\n    return json.loads(text)\n",
    ),
}
SILENT = {
    "a procedure that returns something": "def f(xs: list[int]) -> None:\n    return xs.append(1) or 3\n",
    "an int for a float": "def f(x: float) -> float:\n    return 1\n",
    "a bool for an int": "def f(x: int) -> int:\n    return x > 1\n",
    "a generator": "def f(n: int) -> Iterator[int]:\n    yield n\n",
    "an alias that contains itself": (
        "Tree = dict[str, 'int | Tree']\ndef f(tree: Tree = {}) -> str:\n    return len(tree)\n"
    ),
    "aliases that contain each other": (
        "A = list['int | B']\nB = dict[str, A]\ndef f(found: A) -> str:\n    return len(found)\n"
    ),
    "an alias of a class with its name": (
        "import collections\nCounter = collections.Counter\nNONE = Counter()\n"
        "def f(counts: Counter = NONE, least: int = 1) -> dict[str, int]:\n    return counts\n"
    ),
    "a type too deep to make values of, with a default": (
        "T1 = dict[str, 'T2']\nT2 = list['T3']\nT3 = dict[str, 'T4']\nT4 = str\nNONE: T1 = {}\n"
        "def f(table: T1 = NONE, name: str = '') -> T2:\n    return table.get(name, [])\n"
    ),
    "a generator that is sent values": (
        "from collections.abc import Generator\n"
        "def f(n: int) -> Generator[int, int, None]:\n    while True:\n        n = max(n, (yield n))\n"
    ),
    "anything": "def f(x: Any) -> str:\n    return x.upper()\n",
    "a type variable": "def f(x: T) -> T:\n    return x.upper()\n",
    "a new type": "def f(x: Even) -> int:\n    return {0: 1}[x % 2 * 0] if x % 2 else [][x]\n",
    "a list of anything": "def f(xs: list) -> str:\n    return ''.join(xs)\n",
    "a protocol": "class Named(Protocol):\n    name: str\ndef f(x: Named) -> str:\n    return x.missing\n",
    "an overload": (
        "@overload\ndef f(x: int) -> int: ...\n@overload\ndef f(x: str) -> str: ...\n"
        "def f(x: int | str) -> int | str:\n    return x.upper()\n"
    ),
    "an iterator that is consumed": "def f(xs: Iterator[int]) -> int:\n    return sum(xs)\n",
    "an announced exception": (
        "def f(x: int | None) -> int:\n    if x is None:\n        raise TypeError(x)\n    return x\n"
    ),
    "a documented exception": (
        'def f(x: int | None) -> int:\n    """Add.\n\n    Raises:\n        TypeError: no\n    """\n    return x + 1\n'
    ),
    "a value that has to be a date": (
        "import datetime\ndef f(x: str) -> int:\n    return datetime.date.fromisoformat(x).year\n"
    ),
    "a single character": "def f(x: str) -> int:\n    return ord(x)\n",
    "a name": "import math\ndef f(x: str) -> float:\n    return float(getattr(math, x))\n",
    "a function of scripts alone": "if __name__ == '__main__':\n    def f(n: int) -> int:\n        return n\n",
    "a format": "def f(x: str, n: int) -> str:\n    return x % n\n",
    "a float that is whole": "def f(x: float) -> str:\n    return x.hex()\n",
    "a sequence sorted in place as words may say": (
        'def f(xs: Sequence[int]) -> None:\n    """Sort in place."""\n    xs.sort()\n'
    ),
    "a frozen object that counts its uses": (
        "@dataclass(frozen=True)\nclass P:\n    x: int\n    n: int = 0\n"
        "    def f(self) -> int:\n        object.__setattr__(self, 'n', self.n + 1)\n        return self.x\n"
    ),
    "words that nobody has read": (
        'def f(xs: list[int]) -> int:\n    """Return the last of one number or more."""\n'
        "    for x in xs:\n        return x\n"
    ),
    "a name of the file's own": ("class Text:\n    pass\ndef f(n: int) -> Text:\n    return n\n"),
    "a decorated function": (
        "def twice(f):\n    return lambda n: [f(n), f(n)]\n@twice\ndef f(n: int) -> int:\n    return n\n"
    ),
    "a pair of other types": (
        "def encode(text: str) -> bytes:\n    return text.encode()\ndef decode(text: str) -> str:\n    return text\n"
    ),
    "a pair of a sequence": (
        "def dumps(xs: Sequence[int]) -> str:\n    return repr(list(xs))\n"
        "def loads(text: str) -> Sequence[int]:\n    return tuple(eval(text))\n"
    ),
    "objects that are compared by identity": (
        "class P:\n    def __init__(self, x: int) -> None:\n        self.x = x\n"
        "    def to_int(self) -> int:\n        return self.x\n"
        "    @classmethod\n    def from_int(cls, x: int) -> P:\n        return cls(x)\n"
    ),
}


def verify(source: str, service: Service, name: str | None = None) -> Answer:
    return service.verify_program(ProgramRequest((HEAD + source).encode(), "subject.py", function=name))


def constraints(answer: Answer) -> set[str]:
    return {str(each.verdict.constraint_id) for each in (answer, *answer.parts)}


@pytest.mark.parametrize("case", REFUTED)
def test_declared_type_that_is_contradicted_refutes(case: str, service: Service) -> None:
    wrong, right, constraint = REFUTED[case]
    refuted = verify(wrong, service)
    assert (refuted.verdict.outcome, refuted.verdict.constraint_id) == ("refuted", constraint)
    compile(str(refuted.verdict.developer_fields["counterexample"]), "shown", "exec")
    assert constraints(verify(right, service)) == {"program.no_specification"}


@pytest.mark.parametrize("case", FOUND)
def test_what_nothing_announces_is_found_and_refutes_nothing(case: str, service: Service) -> None:
    wrong, right, constraint = FOUND[case]
    found = verify(wrong, service)
    assert found.verdict.outcome == "undecided"
    assert constraint in constraints(found)
    assert constraints(verify(right, service)) == {"program.no_specification"}


@pytest.mark.parametrize("words", ["", "Write it, and leave out what has no place."])
@pytest.mark.parametrize("case", LOST)
def test_what_does_not_come_back_is_told_and_decides_nothing(case: str, words: str, service: Service) -> None:
    wrong, right = (
        re.sub(r"(def (?:encode|dumps|to_dict)\(.*\n( +))", rf'\1"""{words}"""\n\2', text) if words else text
        for text in LOST[case]
    )
    found = verify(wrong, service)
    told = " ".join(finding.message for part in (found, *found.parts) for finding in part.observed.findings())
    assert "does not give back" in told or "raises" in told, told
    assert constraints(found) == constraints(verify(right, service))


@pytest.mark.parametrize("case", SILENT)
def test_nothing_is_said_where_types_do_not_tell(case: str, service: Service) -> None:
    assert constraints(verify(SILENT[case], service)) <= {"program.no_specification", "program.doubtful_document"}


def test_finding_is_told_on_the_page_in_the_document_and_as_a_finding(service: Service) -> None:
    [part] = verify(FOUND["an empty list"][0], service, "f").parts
    told = "f([]) raises UnboundLocalError"
    assert any(entry.text.startswith(told) for section in part.sheet.sections for entry in section.entries)
    assert told in str(part.details["result"])
    assert any(finding.message.startswith(told) for finding in part.observed.findings())


def test_an_example_that_shows_a_change_speaks_against_the_type(service: Service) -> None:
    shown = '"""\n    >>> xs = [3, 1]\n    >>> f(xs)\n    >>> xs\n    [1, 3]\n    """'
    sorts = f"def f(xs: Sequence[int]) -> None:\n    {shown}\n    xs.sort()\n"
    assert verify(sorts, service).verdict.outcome != "refuted"


def test_finding_keeps_verified_away(service: Service) -> None:
    documented = 'def f(xs: list[int]) -> int:\n    """\n    >>> f([1, 2])\n    2\n    >>> f([7])\n    7\n    """\n'
    right = documented + "    last = 0\n    for x in xs:\n        last = x\n    return last\n"
    assert verify(right, service).verdict.constraint_id != "program.unexpected_exception"
    wrong = right.replace("    last = 0\n", "")
    assert verify(wrong, service).verdict.constraint_id == "program.unexpected_exception"


VALUES = st.recursive(st.integers() | st.text(max_size=3), lambda inner: st.lists(inner, max_size=3), max_leaves=6)


@given(VALUES, VALUES)
def test_no_change_is_none_and_what_may_change_is_never_held_against_anyone(before: object, after: object) -> None:
    tree = ast.parse(HEAD)
    sure = sure_types(tree)
    for annotation in ("Sequence[int]", "Iterable[Any]", "Final[list[int]]", "int | Sequence[str]", "T"):
        assert not sure.forbids(annotation, before, before)
    if isinstance(before, list):
        assert not any(sure.forbids(each, before, after) for each in ("list[int]", "list", "Any", "T", "unknown"))
        assert sure.forbids("Sequence[int]", before, [*before, 1])
