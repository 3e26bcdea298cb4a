"""Documentation in places that a naive reader overlooks: a false sentence there is open, a failing example is run.

Each form hides ``WORDS`` where only the loaded module, or nobody, shows them. The rest of the file passes its checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from probatum.programs.loading import with_shown_names
from probatum.programs.running.execute import Benches
from probatum.programs.source import Source
from probatum.programs.specification import FunctionSpec
from probatum.programs.units import units_of
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from probatum.sandbox import Sandbox
from tests.cli.programs import HOLDING
from tests.programs.parsing import source_of
from tests.programs.readers import accepted, record
from tests.services import ProgramRequest, Service

WORDS = "It is never negative."
GOOD = HOLDING.decode().partition("\n")[2]
IMPORTS = """import abc
import functools
import math
import re
import types
from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Callable, Literal, NamedTuple, NewType, Optional, Protocol, TypedDict, TypeVar, Union
"""
_AREA = "def _area(self):\n    'WORDS'\n    return -1\n\n"
_METHOD = "    def area(self):\n        'WORDS'\n        return -1\n"
_BASE = "class _Base:\n" + _METHOD + "\n"
_TEXT = (
    "class _Text(str):\n    __str__ = strip = lambda self, *_: ''\n    __eq__ = lambda self, other: True\n"
    "    __hash__ = str.__hash__\n\n"
)
FORMS: Mapping[str, str] = {
    # Classes without methods of their own.
    "exception": "class Broken(Exception):\n    'WORDS'\n",
    "enum": "class Colour(Enum):\n    'WORDS'\n    RED = -1\n",
    "dataclass": "@dataclass\nclass Point:\n    'WORDS'\n    x: int = -1\n",
    "text of a field": "@dataclass\nclass Point:\n    x: int = -1\n    'WORDS'\n",
    "named tuple": "class Point(NamedTuple):\n    'WORDS'\n    x: int\n",
    "subclass": "class Base:\n    def area(self):\n        return 1\n\nclass Sub(Base):\n    'WORDS'\n",
    "lambdas for methods": "class Shape:\n    'WORDS'\n    area = lambda self: -1\n",
    "protocol": "class Shape(Protocol):\n    def area(self) -> int:\n        'WORDS'\n        ...\n",
    # What a public class has from elsewhere.
    "method of a private base": _BASE + "class Shape(_Base):\n    def other(self):\n        return 1\n",
    "method of a private base, nothing else": _BASE + "class Shape(_Base):\n    pass\n",
    "docstring of a private base": "class _Base:\n    'WORDS'\n\nclass Shape(_Base):\n    pass\n",
    "alias in a class": _AREA + "class Shape:\n    area = _area\n",
    "alias of a private method": "class Shape:\n" + _METHOD.replace("area", "_area") + "    area = _area\n",
    "partial method": _AREA + "class Shape:\n    area = functools.partialmethod(_area)\n",
    "property of functions": _AREA + "class Shape:\n    area = property(_area)\n",
    "property with a text": "class Shape:\n    area = property(lambda self: -1, doc='WORDS')\n",
    "setter": _AREA + "class Shape:\n    area = property(lambda self: 1).setter(_area)\n",
    "cached property": _AREA
    + "class Shape:\n    area = functools.cached_property(_area)\n    area.__doc__ = 'WORDS'\n",
    "descriptor": "class _Area:\n    'WORDS'\n    def __get__(self, owner, kind):\n        return -1\n\n"
    "class Shape:\n    area = _Area()\n",
    "slots": "class Shape:\n    __slots__ = {'area': 'WORDS'}\n",
    "field of a named tuple": "Point = namedtuple('Point', 'x')\nPoint.x.__doc__ = 'WORDS'\n",
    "metaclass": "class _Meta(type):\n    'WORDS'\n\nclass Shape(metaclass=_Meta):\n    pass\n",
    "method of a metaclass": "class _Meta(type):\n" + _METHOD + "\nclass Shape(metaclass=_Meta):\n    pass\n",
    "docstring by a metaclass": "class _Meta(type):\n    @property\n    def __doc__(self):\n        return 'WORDS'\n\n"
    "class Shape(metaclass=_Meta):\n    pass\n",
    "class decorator": "def _told(kind):\n    kind.__doc__ = ' '.join('WORDS'.split())\n    return kind\n\n"
    "@_told\nclass Shape:\n    pass\n",
    "text in a branch of a maker": "class Shape:\n    def __init__(self, x):\n        if x:\n            self.x = x\n"
    "            'WORDS'\n",
    "member of an enum": "class Colour(Enum):\n    RED = -1\n\nColour.RED.__doc__ = 'WORDS'\n",
    "foreign module": "class Shape:\n    def area(self):\n        return -1\n    area.__doc__ = ''.join(['WORDS'])\n"
    "    __module__ = area.__module__ = 'json'\n",
    # Objects.
    "public instance": "class _Client:\n    'WORDS'\n\nclient = _Client()\n",
    "method of a public instance": "class _Client:\n" + _METHOD + "\nclient = _Client()\n",
    "text of an instance": "class _Client:\n    pass\n\nclient = _Client()\nclient.__doc__ = 'WORDS'\n",
    "namespace": _AREA + "api = types.SimpleNamespace(area=_area)\n",
    "partial": _AREA + "area = functools.partial(_area, 1)\n",
    "new type": "Price = NewType('Price', int)\nPrice.__doc__ = 'WORDS'\n",
    # Annotations.
    "quoted annotation": "def f(x: \"Annotated[int, 'WORDS']\"):\n    return -1\n",
    "part of an annotation": "def f(x: Optional[Annotated[int, 'WORDS']]):\n    return -1\n",
    "quoted part": "def f(x: list[\"Union[Annotated[int, 'WORDS'], None]\"]):\n    return -1\n",
    "alias": "_Rate = Optional[Annotated[int, 'WORDS']]\n\ndef f(x: Union[_Rate, str]):\n    return -1\n",
    "result": "def f(x) -> \"Callable[[int], Annotated[int, 'WORDS']]\":\n    return -1\n",
    "alias of a field": "_Rate = Annotated[int, ''.join(['WORDS'])]\n\n@dataclass\nclass Point:\n    x: _Rate\n",
    "alias of an attribute": "_Rate = Annotated[int, ''.join(['WORDS'])]\n\nclass Point:\n    x: _Rate\n",
    "metadata of a class of its own": "class _Told:\n    def __init__(self, text):\n        self.text = text\n\n"
    "def f(x: Annotated[int, _Told('WORDS')]):\n    return -1\n",
    "beside a name that is missing": "def f(x: \"Missing[int] | Annotated[int, 'WORDS']\"):\n    return -1\n",
    "words as annotation": "def f(x: 'WORDS'):\n    return -1\n",
    "new type in an annotation": "_Price = NewType('_Price', int)\n_Price.__doc__ = 'WORDS'\n\n"
    "def f(x: _Price):\n    return -1\n",
    # Texts that code puts together.
    "literal": "def f(x):\n    return -1\n\nf.__doc__ = 'WORDS'\n",
    "literal in a class": "class Shape:\n    def area(self):\n        return -1\n    area.__doc__ = 'WORDS'\n",
    "concatenation": "def f(x):\n    return -1\n\n_END = 'WORDS'\nf.__doc__ = 'F. ' + _END\n",
    "f-string": "def f(x):\n    return -1\n\n_END = 'WORDS'\nf.__doc__ = f'F. {_END}'\n",
    "method at run time": "class Shape:\n    def area(self):\n        return -1\n\n"
    "Shape.area.__doc__ = ''.join(['WORDS'])\n",
    "class body": "_TEXT = 'WORDS'\n\nclass Shape:\n    __doc__ = _TEXT\n\n    def area(self):\n        return -1\n",
    "text of another class": _TEXT + "def f(x):\n    return -1\n\nf.__doc__ = _Text('WORDS')\n",
    "text of another class, of an instance": _TEXT
    + "class _Client:\n    pass\n\nclient = _Client()\nclient.__doc__ = _Text('WORDS')\n",
}
EXAMPLE = "\n>>> net_price(1, 0)\n2\n"
EXAMPLES: Mapping[str, str] = {
    "computed __test__": "__test__ = dict([('prices', '''EXAMPLE''')])\n",
    "function in __test__": "def _told():\n    '''EXAMPLE'''\n\n__test__ = {'prices': _told}\n",
    "private function": "def _told():\n    '''EXAMPLE'''\n",
    "method of a private class": "class _Told:\n    def told(self):\n        '''EXAMPLE'''\n",
    "enum": "class Colour(Enum):\n    '''EXAMPLE'''\n    RED = -1\n",
    "property with a text": "class Shape:\n    area = property(lambda self: -1, doc='''EXAMPLE''')\n",
    "put together": "def f(x):\n    return -1\n\nf.__doc__ = '''EXAMPLE'''.strip()\n",
}
# What nobody of the file documents, or what documents itself: it must not withhold anything.
SILENT: Mapping[str, str] = {
    "exception": "class Broken(Exception):\n    pass\n",
    "enum": "class Colour(Enum):\n    RED = 1\n",
    "named tuple": "Point = namedtuple('Point', 'x y')\n\nclass Pair(NamedTuple):\n    x: int\n    y: 'int' = 1\n",
    "dataclass": "@dataclass(slots=True, order=True)\nclass Point:\n    x: list[int] = field(default_factory=list)\n",
    "typed dict": "class Row(TypedDict):\n    x: Optional['Row']\n",
    "new type": "Price = NewType('Price', int)\nRate = Annotated[int, 3]\nT = TypeVar('T')\n",
    "protocol": "T = TypeVar('T')\n\nclass Shape(Protocol[T]):\n    x: T\n",
    "ordering": "@functools.total_ordering\nclass Size:\n    pass\n    __lt__ = lambda self, other: True\n",
    "what packages document": "root = math.sqrt\n\nclass Tools:\n    root = math.sqrt\n    join = ', '.join\n"
    "    match = re.compile('x').match\n    lower = staticmethod(str.lower)\n    kind = int\n",
    "cached": "@functools.lru_cache(maxsize=None)\ndef _f(x):\n    return x\n\nclass Shape:\n    area = _f\n",
    "annotations": "def _f(x: 'Missing[int] | None', y: Literal['a b'], *z: 'Other.part') -> 'list[Missing]':\n"
    "    return x\n\nclass Shape:\n    area = _f\n",
    "metaclass of the library": "class Shape(metaclass=abc.ABCMeta):\n    __slots__ = ('x',)\n    y = property(abs)\n",
    "private words": "def _f(x):\n    'WORDS'\n    return x\n\nclass _C:\n    'WORDS'\n",
}


def _file(form: str) -> str:
    return IMPORTS + form.replace("WORDS", WORDS).replace("EXAMPLE", EXAMPLE) + GOOD


@pytest.fixture(scope="module")
def benches() -> Iterator[Benches]:
    with Sandbox.open(hash_seed=0) as only:
        yield Benches(only, only)


def _units(form: str, benches: Benches) -> tuple[FunctionSpec, ...]:
    shown = with_shown_names(source_of(_file(form)), benches)
    assert isinstance(shown, Source), shown
    return units_of(shown.module, None, None)


@pytest.mark.parametrize("form", FORMS)
def test_words_are_open_wherever_they_are(form: str, benches: Benches) -> None:
    words = [
        each.text for unit in _units(FORMS[form], benches) for part in (unit, *unit.declared) for each in part.words
    ]
    assert any(WORDS in each for each in words), words


@pytest.mark.parametrize("form", EXAMPLES)
def test_an_example_is_run_wherever_it_is(form: str, benches: Benches) -> None:
    run = [each.expression for unit in _units(EXAMPLES[form], benches) for each in unit.examples]
    assert "net_price(1, 0)" in run


@pytest.mark.parametrize("form", SILENT)
def test_what_nothing_documents_says_nothing(form: str, benches: Benches) -> None:
    units = _units(SILENT[form], benches)
    assert [(unit.qualname, [each.text for each in unit.words]) for unit in units if unit.words or unit.declared] == []
    assert [unit.qualname for unit in units if unit.not_judged] == []


def _constraint(source: str, service: Service, *records: ReadingRecord) -> str:
    request = ProgramRequest(source.encode(), "subject.py", readings=records)
    return service.verify_program(request).verdict.constraint_id


def test_words_of_a_class_without_code_are_settled_with_the_file(service: Service) -> None:
    source = _file(FORMS["enum"])
    assert _constraint(source, service) == "program.statement_unchecked"
    # Neither the reader nor who repeats the run would see these words by the function's name alone.
    sheet = service.verify_program(ProgramRequest(source.encode(), "subject.py")).parts[0].sheet
    assert sheet.next_command == "probatum read subject.py --ask"
    assert sheet.repeat == "probatum verify subject.py"
    quoting = accepted(Reading(WORDS, ReadingKind.NARRATIVE))
    assert _constraint(source, service, record(*quoting, function="Colour", inputs=())) == "program.tested_by_author"
    # Words about one thing are not settled by what was read about another.
    other = record(*quoting, function="net_price", inputs=())
    assert _constraint(source, service, other) == "program.statement_unchecked"


_RAISES = "class _Broken:\n    @property\n    def __doc__(self):\n        raise ValueError\n\nbroken = _Broken()\n"
_ITERATOR = """from collections.abc import Iterator

def f(x: int) -> Iterator[int]:
    '''
    >>> f(3)
    [0, 1, 2]
    >>> list(f(0))
    []
    '''
    return list(range(x))
"""
WHOLE: Mapping[str, str] = {
    EXAMPLES["private function"]: "program.counterexample",
    _RAISES: "program.name_not_judged",
    "def f(x):\n    return x\n\nf.__doc__ = 'words ' * 100_000\n": "program.too_large",
    _ITERATOR: "program.doubtful_document",
}


@pytest.mark.parametrize("form", WHOLE)
def test_the_whole_file_is_not_verified(form: str, service: Service) -> None:
    assert _constraint(_file(form), service) == WHOLE[form]


def test_what_another_file_documents_is_of_that_file(benches: Benches) -> None:
    base = f'class Base:\n    """{WORDS}"""\n\ndef helper(x):\n    """{WORDS}"""\n    return x\n'
    source = source_of("from rates import Base, helper\n\n" + GOOD, (("rates", base.encode()),))
    shown = with_shown_names(source, benches)
    assert isinstance(shown, Source), shown
    assert [(unit.qualname, unit.words) for unit in units_of(shown.module, None, None)] == [("net_price", ())]
