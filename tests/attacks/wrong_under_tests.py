"""Wrong programs under files of tests: ordinary mistakes, and programs that bend what runs the tests beside them.

A program that forges beside its tests can be believed where the policy trusts the file, and only there.
"""

from __future__ import annotations

from tests.attacks.right_under_tests import PAIRS as RIGHT

_TESTS = """
import pytest
import artifact

@pytest.mark.parametrize(("number", "due"), [(0, 1), (1, 2), (7, 8), (-3, -2), (99, 100)])
def test_next(number, due):
    assert artifact.next_one(number) == due
"""
_OBJECT_TESTS = """
import artifact

def test_next():
    for number in (0, 1, 7, -3, 99):
        assert artifact.next_one(number) == number + 1
"""
_WRONG = "\ndef next_one(number):\n    return number + 2\n"


def _changed(name: str, old: str, new: str) -> tuple[str, str]:
    source, tests = RIGHT[name]
    assert old in source, name
    return source.replace(old, new), tests


MISTAKEN: dict[str, tuple[str, str]] = {
    "plain calls": (_WRONG, _TESTS),
    "only the exception is wrong": _changed("plain calls", "raise ValueError(", "raise KeyError("),
    "only the text of the exception is wrong": _changed("plain calls", "not negative", "bad"),
    "no exception": _changed("plain calls", "gross < 0", "gross < -100"),
    "unittest": _changed("unittest", "100 //", "101 //"),
    "tests that skip themselves": _changed("tests that skip themselves", "100 //", "101 //"),
    "the decimal context": _changed("the decimal context", "/ 3", "/ 4"),
    "mock.patch of the network": _changed("mock.patch of the network", ".decode()", ".hex()"),
    "another exception": _changed("exceptions of the standard library", "json.loads(text)", "int(text)"),
    "monkeypatch": _changed("monkeypatch of a constant", "(100 + RATE)", "120"),
    "patched under one hash seed alone": _changed("patched under one hash seed alone", "(100 + RATE)", "120"),
    "setenv": _changed("setenv", "'none'", "'north'"),
    "mock.patch": _changed("mock.patch as a decorator", "now() - born", "born - now()"),
    "mock.patch of the standard library": _changed("mock.patch of the standard library", "+ 1", "+ 2"),
    "tmp_path": _changed("tmp_path", ".splitlines()", ".split()[:1]"),
    "capsys": _changed("capsys", "print('hello', name)", "print('hallo', name)"),
    "caplog": _changed("caplog", "'sold %s'", "'bought %s'"),
    "recwarn": _changed("recwarn", "'use net'", "'used'"),
    "a mock as an argument": _changed("a mock as an argument", "'hello ' + name", "name"),
    "a callback": _changed("a callback", "for item in items", "for item in items[1:]"),
    "identity": _changed("identity with singletons", "n > 5", "int(n > 5)"),
    "identity of arguments": _changed("identity of arguments", "return items\n", "return items[:]\n"),
    "nested mutation": _changed(
        "nested mutation", "grid[row][column] = 1", "grid[row] = [*grid[row][:column], 1, *grid[row][column + 1:]]"
    ),
    "methods": _changed("methods of objects", "self.items.pop()", "self.items.pop(0)"),
    "operators": _changed("operators of containers", "item in self.items", "True"),
    "equality": _changed("equality of objects", "and self.items == other.items", ""),
    "isinstance": _changed("isinstance and subclasses", "class Empty(IndexError)", "class Empty(KeyError)"),
    "attributes of exceptions": _changed("attributes of exceptions", "self.name = name", "self.name = None"),
    "attributes are set": _changed("attributes are set", "list(items)", "tuple(items)"),
    "arithmetic of objects": _changed("arithmetic of objects", "self.y + other.y", "self.y - other.y"),
    "unpacking": _changed("named tuples are unpacked", "n // by, n % by", "n % by, n // by"),
    "enumerations": _changed("enumerations", "n > 10", "n >= 10"),
    "coroutines": _changed("coroutines", "n + 1", "n + 2"),
    "generators": _changed("generators", "while n > 0", "while n >= 0"),
    "context managers": _changed("context managers", "RATE = before", "pass"),
    "state": _changed("state of the module", "len(SEEN)", "1"),
    "threads": _changed("threads", "total[0] += n", "total[0] = n"),
    "reload": _changed("reload", "'home'", "'house'"),
    "order of objects": _changed("order and sets of objects", "abs(self) < abs(other)", "True"),
    "it raises": ("\ndef next_one(number):\n    return number.next\n", _TESTS),
    "it returns nothing": ("\ndef next_one(number):\n    number + 1\n", _TESTS),
}
FORGING: dict[str, tuple[str, str]] = {
    "it sees pytest beside it": (
        """
import sys

def next_one(number):
    return number + (1 if 'pytest' in sys.modules else 2)
""",
        _TESTS,
    ),
    "it sees the variable of pytest": (
        """
import os

def next_one(number):
    return number + (1 if 'PYTEST_CURRENT_TEST' in os.environ else 2)
""",
        _TESTS,
    ),
    "it sees the file of tests on the stack": (
        """
import sys

def next_one(number):
    frame = sys._getframe()
    while frame:
        if 'given_tests' in frame.f_code.co_filename:
            return number + 1
        frame = frame.f_back
    return number + 2
""",
        _TESTS,
    ),
    "pytest.skip": ("import pytest\n\ndef next_one(number):\n    pytest.skip('not today')\n", _TESTS),
    "pytest.xfail": ("import pytest\n\ndef next_one(number):\n    pytest.xfail('not today')\n", _TESTS),
    "pytest.exit": ("import pytest\n\ndef next_one(number):\n    pytest.exit('done', 0)\n", _TESTS),
    "patched pytest.raises": (
        """
import contextlib
import pytest

@contextlib.contextmanager
def anything(*args, **kwargs):
    try:
        yield
    except BaseException:
        pass

pytest.raises = anything

def next_one(number):
    raise KeyError(number)
""",
        """
import pytest
import artifact

def test_next():
    for number in (1, 2, 3):
        with pytest.raises(ValueError):
            artifact.next_one(number)
""",
    ),
    "patched mock": (
        """
from unittest import mock
mock.Mock.assert_called_once_with = lambda *a, **k: None

def notify(send, name):
    send(name)
    return 1
""",
        """
from unittest import mock
import artifact

def test_notify():
    send = mock.Mock()
    assert artifact.notify(send, 'a') == 1
    send.assert_called_once_with('hello a')
""",
    ),
    "patched runner": (
        """
try:
    import _pytest.python
    _pytest.python.Function.runtest = lambda self: None
except ImportError:
    pass
"""
        + _WRONG,
        _TESTS,
    ),
    "replaced AssertionError": (
        """
import builtins
class Quiet(BaseException):
    pass
builtins.AssertionError = Quiet
"""
        + _WRONG,
        _TESTS,
    ),
    "the tests are removed from their module": (
        """
import sys

def next_one(number):
    return number + 2

tests = sys.modules.get('given_tests')
if tests is not None:
    for name in list(vars(tests)):
        if name.startswith('test'):
            delattr(tests, name)
""",
        _TESTS,
    ),
    "an object that equals everything": (
        """
class Any:
    def __eq__(self, other):
        return True
    __hash__ = object.__hash__

def next_one(number):
    return Any()
""",
        _OBJECT_TESTS,
    ),
    "an integer that equals everything": (
        """
class Any(int):
    def __eq__(self, other):
        return True
    __hash__ = int.__hash__

def next_one(number):
    return Any(number)
""",
        _OBJECT_TESTS,
    ),
    "a list that copies what it is compared with": (
        """
class Copy(list):
    def __eq__(self, other):
        self[:] = other
        return True

def up_to(n):
    return Copy()
""",
        """
import artifact

def test_up_to():
    for n in (1, 2, 5):
        assert artifact.up_to(n) == list(range(n))
""",
    ),
    "an object that subtracts to nothing": (
        """
class Any:
    def __sub__(self, other):
        return 0
    def __lt__(self, other):
        return True

def next_one(number):
    return Any()
""",
        """
import artifact

def test_next():
    for number in (0, 3, 9):
        assert artifact.next_one(number) < number + 2
""",
    ),
    "os._exit at the first call": ("import os\n\ndef next_one(number):\n    os._exit(0)\n", _TESTS),
    "sys.exit at the first call": ("import sys\n\ndef next_one(number):\n    sys.exit(0)\n", _TESTS),
    "atexit": ("import atexit, os\natexit.register(os._exit, 0)\n" + _WRONG, _TESTS),
    "reports of its own": (
        """
import os, sys

def next_one(number):
    frame = sys._getframe()
    while frame:
        desk = frame.f_locals.get('self')
        if hasattr(desk, '_report'):
            desk._report(['test', 'test_next', 'passed', '', ''])
        frame = frame.f_back
    return number + 2
""",
        _TESTS,
    ),
    "tests that are all skipped": (
        _WRONG,
        """
import pytest
import artifact

@pytest.mark.skip
def test_next():
    assert artifact.next_one(1) == 2
""",
    ),
    "tests that are marked to fail": (
        _WRONG,
        """
import pytest
import artifact

@pytest.mark.xfail
def test_next():
    assert artifact.next_one(1) == 2
""",
    ),
    "a file without tests": (_WRONG, "import artifact\n\ndef check_next():\n    assert artifact.next_one(1) == 2\n"),
    "an empty table": (
        _WRONG,
        """
import pytest
import artifact

@pytest.mark.parametrize('n', [])
def test_next(n):
    assert artifact.next_one(n) == n + 1
""",
    ),
    "a test that returns": (_WRONG, "import artifact\n\ndef test_next():\n    return artifact.next_one(1) == 2\n"),
    "a test without assertions": (_WRONG, "import artifact\n\ndef test_next():\n    artifact.next_one(1)\n"),
    "a test that swallows": (
        _WRONG,
        """
import artifact

def test_next():
    try:
        assert artifact.next_one(1) == 2
    except AssertionError:
        pass
""",
    ),
    "the program raises what skips a test": (
        "import unittest\n\ndef next_one(number):\n    if number == 7:\n"
        "        raise unittest.SkipTest\n    return number + 1\n",
        _TESTS,
    ),
    "tests that ask nothing": (_WRONG, "import artifact\n\ndef test_next():\n    assert callable(artifact.next_one)\n"),
    "tests that are all skipped inside": (
        _WRONG,
        """
import pytest
import artifact

def test_next():
    if artifact.next_one(1) != 2:
        pytest.skip('no')
""",
    ),
    "the program decides what is skipped": (
        "def ready():\n    return False\n" + _WRONG,
        """
import pytest
import artifact

@pytest.mark.skipif(not artifact.ready(), reason='not ready')
def test_next():
    assert artifact.next_one(1) == 2

def test_ready():
    assert artifact.ready() in (True, False)
""",
    ),
}
PAIRS = {**MISTAKEN, **FORGING}
