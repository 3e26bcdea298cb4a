"""Right programs with files of tests that plain pytest passes: by what the file needs, the program and the tests."""

from __future__ import annotations

_NET = '''
import logging
import os
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

RATE = 20
log = logging.getLogger("shop")


def net(gross):
    """Return the price without tax, in whole cents."""
    if gross < 0:
        raise ValueError("a price is not negative")
    return gross * 100 // (100 + RATE)
'''
_WELL = """
def test_values():
    assert [artifact.net(gross) for gross in (0, 1, 60, 119, 120, 600, 1234)] == [0, 0, 50, 99, 100, 500, 1028]

def test_negative():
    for gross in (-1, -7, -120):
        with pytest.raises(ValueError, match="not negative"):
            artifact.net(gross)
"""
_HEAD = "import pytest\nimport artifact\nfrom unittest import mock\n"


def _both(more: str, tests: str) -> tuple[str, str]:
    return _NET + more, _HEAD + tests + _WELL


_STACK = '''
class Empty(IndexError):
    """There is nothing to take."""

    def __init__(self, name):
        super().__init__(name)
        self.name = name


class Stack:
    """Keeps items; the last one in is the first one out."""

    def __init__(self, items=()):
        self.items = list(items)

    def push(self, item):
        self.items.append(item)
        return self

    def pop(self):
        if not self.items:
            raise Empty("stack")
        return self.items.pop()

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __contains__(self, item):
        return item in self.items

    def __getitem__(self, place):
        return self.items[place]

    def __repr__(self):
        return f"Stack({self.items!r})"

    def __eq__(self, other):
        return isinstance(other, Stack) and self.items == other.items

    __hash__ = None
'''
_STACK_WELL = """
def test_order():
    stack = Stack()
    assert len(stack) == 0
    stack.push(1)
    stack.push(2)
    assert len(stack) == 2
    assert stack.pop() == 2
    assert stack.pop() == 1
    with pytest.raises(Empty):
        stack.pop()
"""
_VECTOR = '''
class Vector:
    """A vector of two numbers."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __bool__(self):
        return bool(self.x or self.y)

    def __iter__(self):
        yield self.x
        yield self.y

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __eq__(self, other):
        return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))
'''

PAIRS: dict[str, tuple[str, str]] = {
    "plain calls": _both("", ""),
    "star import": (_NET, "import pytest\nfrom artifact import *\n" + _WELL.replace("artifact.", "")),
    "import by the file's own name": (_NET, "import pytest\nimport subject as artifact\n" + _WELL),
    "parametrize": _both(
        "",
        """
@pytest.mark.parametrize(("gross", "due"), [(120, 100), (240, 200), (1, 0)], ids=["one", "two", "little"])
def test_each(gross, due):
    assert artifact.net(gross) == due
""",
    ),
    "fixtures that yield": _both(
        "",
        """
@pytest.fixture(params=[120, 240])
def gross(request):
    yield request.param

def test_fixture(gross):
    assert artifact.net(gross) * 6 == gross * 5
""",
    ),
    "classes with set-up": _both(
        "",
        """
class TestNet:
    def setup_method(self):
        self.gross = 120
    def test_it(self):
        assert artifact.net(self.gross) == 100
""",
    ),
    "unittest": (
        _NET,
        """
import unittest
import artifact

class NetTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pairs = {0: 0, 1: 0, 60: 50, 119: 99, 120: 100, 600: 500}
    def setUp(self):
        self.low = -1
    def test_values(self):
        for gross, due in self.pairs.items():
            with self.subTest(gross=gross):
                self.assertEqual(artifact.net(gross), due)
    def test_negative(self):
        with self.assertRaisesRegex(ValueError, "not negative"):
            artifact.net(self.low)
        self.assertRaises(ValueError, artifact.net, -120)
""",
    ),
    "approx": _both(
        "\ndef half(x):\n    return x / 2\n",
        """
def test_half():
    assert artifact.half(0.3) == pytest.approx(0.15)
    assert artifact.half(7) == pytest.approx(3.5)
""",
    ),
    "marked skip and xfail": _both(
        "",
        """
import sys
@pytest.mark.skip(reason="not yet")
def test_later():
    assert artifact.net("x") == 0
@pytest.mark.skipif(sys.version_info > (3, 0), reason="old")
def test_old():
    assert False
@pytest.mark.xfail
def test_wish():
    assert artifact.net(120) == 101
""",
    ),
    "tests that skip themselves": _both(
        "",
        """
@pytest.fixture
def database():
    pytest.skip("there is none")
def test_skips():
    pytest.skip("later")
def test_needs_a_package():
    assert pytest.importorskip("no_such_package").net(1) == artifact.net(1)
def test_gives_up():
    pytest.xfail("known")
def test_of_the_database(database):
    assert artifact.net(database) == 0
SKIP, XFAIL = pytest.mark.skip, pytest.mark.xfail
@pytest.mark.parametrize("gross", [120, pytest.param(1, marks=SKIP), pytest.param(2, marks=XFAIL)])
def test_marked(gross):
    assert artifact.net(gross) == 100
""",
    ),
    "tests that ask nothing": _both(
        "",
        """
def test_nothing():
    assert 1 + 1 == 2
def test_there():
    assert callable(artifact.net)
""",
    ),
    "the decimal context": _both(
        "\nimport decimal\n\ndef third(n):\n    return str(decimal.Decimal(n) / 3)\n",
        """
import decimal
def test_third():
    with decimal.localcontext() as context:
        context.prec = 5
        assert artifact.third(1) == "0.33333"
""",
    ),
    "exceptions of the standard library": _both(
        "\nimport json\n\ndef load(text):\n    return json.loads(text)\n",
        """
import json
def test_class():
    with pytest.raises(json.JSONDecodeError, match="property name"):
        artifact.load("{")
def test_attribute():
    with pytest.raises(json.JSONDecodeError) as caught:
        artifact.load("{")
    assert caught.value.pos == 1
""",
    ),
    "mock.patch of the network": _both(
        "\nimport urllib.request\n\ndef fetch(url):\n    return urllib.request.urlopen(url).read().decode()\n",
        """
def test_fetch():
    with mock.patch("urllib.request.urlopen") as opened:
        opened.return_value.read.return_value = b"net"
        assert artifact.fetch("http://shop.invalid") == "net"
""",
    ),
    "where the program lies": _both(
        "",
        """
from pathlib import Path
HERE = Path(artifact.__file__).parent
def test_place():
    assert HERE.is_absolute() and artifact.net(120) == 100
""",
    ),
    "monkeypatch of a constant": _both(
        "",
        """
def test_rate(monkeypatch):
    monkeypatch.setattr(artifact, 'RATE', 0)
    assert artifact.net(77) == 77
""",
    ),
    "monkeypatch by name": _both(
        "",
        """
def test_rate(monkeypatch):
    monkeypatch.setattr('artifact.RATE', 100)
    assert artifact.net(90) == 45
""",
    ),
    "monkeypatch of a function": _both(
        "\ndef now():\n    return time.time()\n\ndef age(born):\n    return now() - born\n",
        """
def test_age(monkeypatch):
    monkeypatch.setattr(artifact, 'now', lambda: 50)
    assert artifact.age(20) == 30
    assert artifact.age(50) == 0
""",
    ),
    "setenv": _both(
        "\ndef region():\n    return os.environ.get('REGION', 'none')\n",
        """
def test_region(monkeypatch):
    assert artifact.region() == 'none'
    monkeypatch.setenv('REGION', 'north')
    assert artifact.region() == 'north'
    monkeypatch.delenv('REGION')
    assert artifact.region() == 'none'
""",
    ),
    "environ by hand": _both(
        "\ndef region():\n    return os.environ.get('REGION', 'none')\n",
        """
import os
def test_region():
    with mock.patch.dict(os.environ, {'REGION': 'north'}):
        assert artifact.region() == 'north'
    assert artifact.region() == 'none'
""",
    ),
    "mock.patch of a name": _both(
        "",
        """
def test_rate():
    with mock.patch('artifact.RATE', 0):
        assert artifact.net(55) == 55
""",
    ),
    "mock.patch as a decorator": _both(
        "\ndef now():\n    return time.time()\n\ndef age(born):\n    return now() - born\n",
        """
@mock.patch('artifact.now', return_value=10)
def test_age(now):
    assert artifact.age(4) == 6
    assert artifact.age(10) == 0
    now.assert_called_with()
""",
    ),
    "mock.patch of the standard library": _both(
        "\ndef stamp():\n    return int(time.time()) + 1\n",
        """
def test_stamp():
    with mock.patch('time.time', return_value=99.5):
        assert artifact.stamp() == 100
    with mock.patch('time.time', return_value=0):
        assert artifact.stamp() == 1
""",
    ),
    "mock.patch.object": _both(
        "",
        """
def test_rate():
    with mock.patch.object(artifact, 'RATE', 300):
        assert artifact.net(400) == 100
""",
    ),
    "a mock as an argument": _both(
        "\ndef notify(send, name):\n    send('hello ' + name)\n    return 1\n",
        """
def test_notify():
    send = mock.Mock()
    assert artifact.notify(send, 'you') == 1
    send.assert_called_once_with('hello you')
""",
    ),
    "a callback": _both(
        "\ndef each(action, items):\n    return [action(item) for item in items]\n",
        """
def test_each():
    assert artifact.each(lambda n: n + 1, [1, 2]) == [2, 3]
    assert artifact.each(str, []) == []
""",
    ),
    "tmp_path": _both(
        "\ndef lines(path):\n    return len(Path(path).read_text().splitlines())\n",
        """
def test_lines(tmp_path):
    file = tmp_path / 'a.txt'
    file.write_text('a\\nb\\n')
    assert artifact.lines(str(file)) == 2
    file.write_text('')
    assert artifact.lines(file) == 0
""",
    ),
    "files written by the program": _both(
        """
def save(path, text):
    with open(path, 'w') as file:
        file.write(text.upper())
""",
        """
def test_save(tmp_path):
    artifact.save(tmp_path / 'x', 'abc')
    assert (tmp_path / 'x').read_text() == 'ABC'
    artifact.save(str(tmp_path / 'y'), '')
    assert (tmp_path / 'y').read_text() == ''
""",
    ),
    "chdir": _both(
        "\ndef here():\n    return sorted(os.listdir('.'))\n",
        """
def test_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert artifact.here() == []
    (tmp_path / 'b').write_text('')
    (tmp_path / 'a').write_text('')
    assert artifact.here() == ['a', 'b']
""",
    ),
    "capsys": _both(
        "\ndef greet(name):\n    print('hello', name)\n",
        """
def test_greet(capsys):
    artifact.greet('you')
    assert capsys.readouterr().out == 'hello you\\n'
    artifact.greet('')
    assert capsys.readouterr().out == 'hello \\n'
""",
    ),
    "capsys of errors": _both(
        "\ndef warn(name):\n    print('beware', name, file=sys.stderr)\n",
        """
def test_warn(capsys):
    artifact.warn('you')
    found = capsys.readouterr()
    assert (found.out, found.err) == ('', 'beware you\\n')
""",
    ),
    "capfd": _both(
        "\ndef greet(name):\n    print('hello', name)\n",
        """
def test_greet(capfd):
    artifact.greet('you')
    assert capfd.readouterr().out == 'hello you\\n'
""",
    ),
    "redirected output": _both(
        "\ndef greet(name):\n    print('hello', name)\n",
        """
import contextlib, io
def test_greet():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        artifact.greet('me')
    assert out.getvalue() == 'hello me\\n'
""",
    ),
    "caplog": _both(
        "\ndef sell(item):\n    log.warning('sold %s', item)\n    return item\n",
        """
def test_sell(caplog):
    assert artifact.sell('tea') == 'tea'
    assert 'sold tea' in caplog.text
    assert caplog.records[0].levelname == 'WARNING'
""",
    ),
    "caplog at a level": _both(
        "\ndef sell(item):\n    log.info('sold %s', item)\n    return item\n",
        """
import logging
def test_sell(caplog):
    with caplog.at_level(logging.INFO, logger='shop'):
        artifact.sell('tea')
    assert caplog.messages == ['sold tea']
""",
    ),
    "assertLogs": (
        _NET + "\ndef sell(item):\n    log.info('sold %s', item)\n    return item\n",
        """
import unittest
import pytest
import artifact
class T(unittest.TestCase):
    def test_sell(self):
        with self.assertLogs('shop', level='INFO') as seen:
            artifact.sell('tea')
        self.assertEqual(seen.output, ['INFO:shop:sold tea'])
"""
        + _WELL,
    ),
    "recwarn": _both(
        """
def old():
    warnings.warn('use net', DeprecationWarning, stacklevel=2)
    return 3
""",
        """
def test_old(recwarn):
    assert artifact.old() == 3
    assert 'use net' in str(recwarn.pop(DeprecationWarning).message)
""",
    ),
    "pytest.warns": _both(
        """
def old():
    warnings.warn('use net', DeprecationWarning, stacklevel=2)
    return 3
""",
        """
def test_old():
    with pytest.warns(DeprecationWarning, match='use'):
        assert artifact.old() == 3
""",
    ),
    "standard input": _both(
        "\ndef read_number():\n    return int(input('number: '))\n",
        """
import io
def test_read(monkeypatch):
    monkeypatch.setattr('sys.stdin', io.StringIO('12\\n'))
    assert artifact.read_number() == 12
def test_input(monkeypatch):
    monkeypatch.setattr('builtins.input', lambda _='': '7')
    assert artifact.read_number() == 7
""",
    ),
    "command line": _both(
        "\ndef main():\n    return ' '.join(sys.argv[1:]).upper()\n",
        """
import sys
def test_main(monkeypatch):
    monkeypatch.setattr(sys, 'argv', ['x', 'a', 'b'])
    assert artifact.main() == 'A B'
    monkeypatch.setattr(sys, 'argv', ['x'])
    assert artifact.main() == ''
""",
    ),
    "a program that exits": _both(
        "\ndef stop(code):\n    sys.exit(code + 1)\n",
        """
def test_stop():
    with pytest.raises(SystemExit) as left:
        artifact.stop(2)
    assert left.value.code == 3
""",
    ),
    "random numbers by seed": _both(
        "\nimport random\ndef draw(n):\n    return random.randint(1, n)\n",
        """
import random
def test_draw():
    random.seed(5)
    due = [random.randint(1, 9) for _ in range(5)]
    random.seed(5)
    assert [artifact.draw(9) for _ in range(5)] == due
""",
    ),
    "reload": _both(
        "\nPLACE = os.environ.get('PLACE', 'home')\n",
        """
import importlib
def test_reload(monkeypatch):
    monkeypatch.setenv('PLACE', 'away')
    importlib.reload(artifact)
    assert artifact.PLACE == 'away'
    monkeypatch.undo()
    importlib.reload(artifact)
    assert artifact.PLACE == 'home'
""",
    ),
    "inspect": _both(
        "",
        """
import inspect
def test_text():
    assert 'RATE' in inspect.getsource(artifact.net)
    assert list(inspect.signature(artifact.net).parameters) == ['gross']
    assert artifact.net.__doc__.startswith('Return')
    assert inspect.isfunction(artifact.net)
""",
    ),
    "identity with singletons": _both(
        """
NOTHING = object()
def find(items, wanted):
    return next((item for item in items if item == wanted), NOTHING)

def maybe(n):
    return None if n < 0 else n > 5
""",
        """
def test_singletons():
    assert artifact.find([1], 2) is artifact.NOTHING
    assert artifact.find([1, 2], 2) == 2
    assert artifact.maybe(-1) is None
    assert artifact.maybe(6) is True
    assert artifact.maybe(5) is False
    assert artifact.maybe(0) is False
""",
    ),
    "identity of arguments": _both(
        """
def same(items):
    items.append(1)
    return items

def other(items):
    return list(items)
""",
        """
def test_same():
    items = []
    assert artifact.same(items) is items
    assert items == [1]
    assert artifact.other(items) is not items
    assert artifact.other([3]) == [3]
""",
    ),
    "nested mutation": _both(
        "\ndef mark(grid, row, column):\n    grid[row][column] = 1\n",
        """
def test_mark():
    first, second = [0, 0], [0, 0]
    grid = [first, second]
    artifact.mark(grid, 1, 0)
    assert second == [1, 0]
    assert grid[1] is second
    assert first == [0, 0]
    artifact.mark(grid, 0, 1)
    assert first == [0, 1]
""",
    ),
    "enumerations": _both(
        """
import enum
class Size(enum.Enum):
    SMALL = 1
    LARGE = 2

def size(n):
    return Size.LARGE if n > 10 else Size.SMALL
""",
        """
from artifact import Size
def test_size():
    assert artifact.size(11) is Size.LARGE
    assert artifact.size(10) is Size.SMALL
    assert artifact.size(0) == Size.SMALL
    assert artifact.size(5).name == 'SMALL'
    assert isinstance(artifact.size(1), Size)
    assert Size(2) is Size.LARGE
    assert [each.value for each in Size] == [1, 2]
""",
    ),
    "dataclasses": _both(
        """
@dataclass(order=True)
class Item:
    name: str
    price: int = 1
    def total(self, n):
        return self.price * n

def cheapest(items):
    return min(items, key=lambda item: item.price)
""",
        """
from artifact import Item
import dataclasses
def test_item():
    tea, rice = Item('tea', 5), Item('rice', 3)
    assert artifact.cheapest([tea, rice]) == rice
    assert artifact.cheapest([tea, rice]).name == 'rice'
    assert tea.total(3) == 15
    assert dataclasses.asdict(tea) == {'name': 'tea', 'price': 5}
    assert artifact.cheapest([tea]).total(2) == 10
""",
    ),
    "named tuples are unpacked": _both(
        """
from collections import namedtuple
Split = namedtuple('Split', 'whole rest')

def split(n, by):
    return Split(n // by, n % by)
""",
        """
def test_split():
    whole, rest = artifact.split(17, 5)
    assert (whole, rest) == (3, 2)
    assert artifact.split(4, 2) == (2, 0)
    assert artifact.split(9, 2)[1] == 1
    assert artifact.split(9, 2).whole == 4
""",
    ),
    "methods of objects": (_STACK, "import pytest\nfrom artifact import Stack, Empty\n" + _STACK_WELL),
    "operators of containers": (
        _STACK,
        "import pytest\nfrom artifact import Stack, Empty\n"
        + _STACK_WELL
        + """
def test_operators():
    stack = Stack([1, 2, 3])
    assert 2 in stack and 5 not in stack
    assert list(stack) == [1, 2, 3]
    assert stack[0] == 1 and stack[-1] == 3
    assert repr(stack) == 'Stack([1, 2, 3])'
    first, *others = stack
    assert (first, others) == (1, [2, 3])
    assert stack and not Stack()
""",
    ),
    "equality of objects": (
        _STACK,
        "import pytest\nfrom artifact import Stack, Empty\n"
        + _STACK_WELL
        + """
def test_equality():
    assert Stack([1]) == Stack([1])
    assert Stack([1]) != Stack([2])
    assert Stack() != []
    assert Stack([1]).push(2) == Stack([1, 2])
""",
    ),
    "isinstance and subclasses": (
        _STACK,
        "import pytest\nfrom artifact import Stack, Empty\n"
        + _STACK_WELL
        + """
def test_kinds():
    assert isinstance(Stack(), Stack)
    assert not isinstance([], Stack)
    assert issubclass(Empty, IndexError)
    assert type(Stack()) is Stack
    class Loud(Stack):
        def pop(self):
            return super().pop() * 2
    assert Loud([4]).pop() == 8
""",
    ),
    "attributes of exceptions": (
        _STACK,
        "import pytest\nfrom artifact import Stack, Empty\n"
        + _STACK_WELL
        + """
def test_attribute():
    with pytest.raises(Empty) as found:
        Stack().pop()
    assert found.value.name == 'stack'
    assert found.type is Empty
    assert found.value.args == ('stack',)
""",
    ),
    "attributes are set": (
        _STACK,
        "import pytest\nfrom artifact import Stack, Empty\n"
        + _STACK_WELL
        + """
def test_set():
    stack = Stack()
    stack.items = [7, 8]
    assert stack.pop() == 8
    assert len(stack) == 1
    assert stack.items == [7]
""",
    ),
    "arithmetic of objects": (
        _VECTOR,
        """
import pytest
from artifact import Vector

def test_values():
    total = Vector(1, 2) + Vector(3, 5)
    assert (total.x, total.y) == (4, 7)
    assert tuple(2 * Vector(1, 4)) == (2, 8)
    assert tuple(Vector(1, 4) * 3) == (3, 12)
    assert abs(Vector(3, 4)) == 5
    assert tuple(-Vector(1, -2)) == (-1, 2)
    assert Vector(0, 1) and Vector(1, 0) and not Vector(0, 0)
    x, y = Vector(8, 9)
    assert (x, y) == (8, 9)
""",
    ),
    "order and sets of objects": (
        _VECTOR,
        """
import pytest
from artifact import Vector

def test_values():
    total = Vector(1, 2) + Vector(3, 5)
    assert total == Vector(4, 7) and total != Vector(4, 8) and total != Vector(5, 7)
    assert tuple(2 * Vector(1, 4)) == (2, 8)
    assert abs(Vector(3, 4)) == 5
    assert tuple(-Vector(1, -2)) == (-1, 2)
    assert Vector(0, 1) and Vector(1, 0) and not Vector(0, 0)
    assert Vector(1, 1) < Vector(3, 0) and not Vector(3, 0) < Vector(1, 1)
    assert max(Vector(0, 1), Vector(0, 9)).y == 9
    assert len({Vector(1, 2), Vector(1, 2), Vector(2, 1)}) == 2
""",
    ),
    "a cache that is looked into": _both(
        """
import functools
@functools.lru_cache(maxsize=None)
def square(n):
    return n * n
""",
        """
def test_square():
    artifact.square.cache_clear()
    assert [artifact.square(n) for n in (2, 3, 2)] == [4, 9, 4]
    assert artifact.square.cache_info().hits == 1
    assert artifact.square.__wrapped__(5) == 25
""",
    ),
    "state of the module": _both(
        "\nSEEN = []\ndef see(item):\n    SEEN.append(item)\n    return len(SEEN)\n",
        """
@pytest.fixture(autouse=True)
def fresh():
    artifact.SEEN.clear()
    yield
def test_see():
    assert artifact.see('a') == 1
    assert artifact.see('b') == 2
    assert artifact.SEEN == ['a', 'b']
def test_see_again():
    assert artifact.see('c') == 1
""",
    ),
    "coroutines": _both(
        "\nimport asyncio\nasync def later(n):\n    await asyncio.sleep(0)\n    return n + 1\n",
        """
import asyncio
def test_later():
    assert asyncio.run(artifact.later(1)) == 2
    assert asyncio.run(artifact.later(-1)) == 0
""",
    ),
    "generators": _both(
        "\ndef count(n):\n    while n > 0:\n        yield n\n        n -= 1\n",
        """
def test_count():
    steps = artifact.count(3)
    assert next(steps) == 3
    assert list(steps) == [2, 1]
    assert list(artifact.count(0)) == []
""",
    ),
    "context managers": _both(
        """
import contextlib
@contextlib.contextmanager
def rate(value):
    global RATE
    before, RATE = RATE, value
    try:
        yield value
    finally:
        RATE = before
""",
        """
def test_rate():
    with artifact.rate(0) as given:
        assert given == 0
        assert artifact.net(33) == 33
    assert artifact.net(120) == 100
""",
    ),
    "decorators": _both(
        """
import functools
def twice(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args) + function(*args)
    return inner
""",
        """
def test_twice():
    @artifact.twice
    def one(n):
        return n + 1
    assert one(1) == 4
    assert one.__name__ == 'one'
""",
    ),
    "patched under one hash seed alone": _both(
        "",
        """
def test_by_hash(monkeypatch):
    if hash("ab") % 2:
        monkeypatch.setattr(artifact, "RATE", 0)
        assert artifact.net(120) == 120
    assert artifact.net(0) == 0
""",
    ),
    "threads": _both(
        """
import threading
def add_all(numbers):
    total, lock = [0], threading.Lock()
    def add(n):
        with lock:
            total[0] += n
    threads = [threading.Thread(target=add, args=(n,)) for n in numbers]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return total[0]
""",
        """
def test_add_all():
    assert artifact.add_all([1, 2, 3]) == 6
    assert artifact.add_all([]) == 0
""",
    ),
    "pickles and copies": _both(
        "\n@dataclass\nclass Item:\n    name: str\n    price: int = 1\n",
        """
import copy, pickle
def test_item():
    item = artifact.Item('tea', 3)
    assert pickle.loads(pickle.dumps(item)) == item
    assert copy.deepcopy(item) == item and copy.copy(item) is not item
    assert item.price == 3 and artifact.Item('x').price == 1
""",
    ),
    "subtests and record_property": _both(
        "",
        """
def test_parts(subtests, record_property):
    record_property('k', 'v')
    for gross in (120, 240):
        with subtests.test(gross=gross):
            assert artifact.net(gross) * 6 == gross * 5
""",
    ),
    "request and finalizers": _both(
        "",
        """
@pytest.fixture
def price(request):
    request.addfinalizer(lambda: None)
    return 120
@pytest.fixture
def made():
    def make(n):
        return n * 120
    return make
def test_it(price, made):
    assert artifact.net(price) == 100
    assert artifact.net(made(2)) == 200
""",
    ),
    "module and class set-up": _both(
        "",
        """
GROSS = []
def setup_module(module):
    GROSS.append(120)
def teardown_module(module):
    GROSS.clear()
class TestIt:
    @classmethod
    def setup_class(cls):
        cls.due = 100
    def test_it(self):
        assert artifact.net(GROSS[0]) == self.due
""",
    ),
    "raises with a check of the text": _both(
        "\ndef pick(table, key):\n    return table[key]\n",
        """
def test_pick():
    with pytest.raises(KeyError) as found:
        artifact.pick({'a': 1}, 'b')
    assert found.value.args == ('b',)
    assert artifact.pick({'a': 1}, 'a') == 1
""",
    ),
    "usefixtures and marks of the module": _both(
        "",
        """
pytestmark = pytest.mark.usefixtures('low')
@pytest.fixture
def low(monkeypatch):
    monkeypatch.setattr(artifact, 'RATE', 20)
def test_low():
    assert artifact.net(600) == 500
""",
    ),
}
