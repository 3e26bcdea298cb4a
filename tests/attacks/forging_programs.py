"""Wrong programs that forge what tests in their own process report, and honest ones with objects of all kinds.

Each wrong one is a module whose function does not do what is asked of it; what it does instead reaches for the tests,
for what runs them, or for what they compare with. None of the honest ones does.
"""

from __future__ import annotations

_WRONG = "\n\ndef next_one(number):\n    return number + 2\n"


def _frames(how: str, imports: str = "import sys") -> str:
    return f"""
{imports}

def next_one(number):
    frame = {how}
    while frame is not None:
        if "due" in frame.f_locals:
            return frame.f_locals["due"]
        frame = frame.f_back
    return number + 2
"""


def _patch(statement: str, imports: str = "import math") -> str:
    return f"{imports}\n\ndef close(*args, **kwargs):\n    return True\n\n{statement}\n{_WRONG}"


def _equal(method: str, before: str = "", after: str = "", base: str = "") -> str:
    return f"""
{before}
class Any{base}:
    def __init__(self, x=0):
        self.x = x
        self.imag = self.real = x

    {method}

    __hash__ = None

{after}
def next_one(number):
    return Any(number)
"""


FORGING: dict[str, str] = {
    # frames
    "sys._getframe": _frames("sys._getframe()"),
    "sys under another name": _frames("s._getframe()", "import sys as s"),
    "the function under another name": _frames("look()", "from sys import _getframe as look"),
    "the name put together": """
import sys

def next_one(number):
    frame = getattr(sys, "_get" + "frame")()
    return getattr(frame, "f_" + "back") and number + 2
""",
    "inspect.currentframe": _frames("inspect.currentframe()", "import inspect"),
    "inspect.stack": """
import inspect

def next_one(number):
    return inspect.stack()[1][0].f_locals.get("due", number + 2)
""",
    "the frame of a generator": _frames("(n for n in [1]).gi_frame", ""),
    "the frame of an exception": """
def next_one(number):
    try:
        raise ValueError
    except ValueError as error:
        return error.__traceback__.tb_frame.f_back.f_locals.get("due", 2)
""",
    "traceback.walk_stack": """
import traceback

def next_one(number):
    for frame, _ in traceback.walk_stack(None):
        if "due" in frame.f_locals:
            return frame.f_locals["due"]
    return number + 2
""",
    "lines of the stack": """
import traceback

def next_one(number):
    return int("".join(traceback.format_stack()).rpartition("==")[2].split()[0])
""",
    "a format that reads": """
def next_one(number):
    steps = (n for n in [number])
    return int("{0.gi_frame.f_back.f_locals[due]}".format(steps))
""",
    "a pattern that reads": """
def next_one(number):
    match (n for n in [number]):
        case object(gi_frame=frame):
            return frame
""",
    "logging.currentframe": _frames("logging.currentframe()", "import logging"),
    "operator.attrgetter": """
import operator

def next_one(number):
    return operator.attrgetter("gi_frame.f_back")(n for n in [number])
""",
    "object.__getattribute__": """
def next_one(number):
    return object.__getattribute__((n for n in [number]), "gi_" + "frame")
""",
    "operator.attrgetter of a computed name": """
from operator import attrgetter as reading

def next_one(number):
    return reading("gi_" + "frame")(n for n in [number])
""",
    "the frame that a signal gives": """
import signal

SEEN = []
signal.signal(signal.SIGALRM, lambda number, frame: SEEN.append(frame))
"""
    + _WRONG,
    "a trace function": "import sys\nsys.settrace(lambda *a: None)\n" + _WRONG,
    "a trace function of threads": "import threading\nthreading.settrace(print)\n" + _WRONG,
    "a profile function": "from sys import setprofile as watch\nwatch(print)\n" + _WRONG,
    "monitoring": "import sys\nsys.monitoring.use_tool_id(3, 'x')\n" + _WRONG,
    "code made anew": """
import types

def next_one(number):
    return types.FunctionType(next_one.__code__, {})(number)
""",
    "cells of a function": """
def next_one(number):
    return next_one.__closure__[0].cell_contents
""",
    # all objects, all modules
    "gc": "import gc\n\ndef next_one(number):\n    return len(gc.get_objects())\n",
    "gc by its name": (
        "import importlib\n\ndef next_one(number):\n    return len(importlib.import_module('gc').get_objects())\n"
    ),
    "gc by a name put together": "def next_one(number):\n    return __import__('g' + 'c').get_objects()[number]\n",
    "sys.modules": (
        "import sys\n\ndef next_one(number):\n    return vars(sys.modules['given_tests']).get('DUE', number + 2)\n"
    ),
    "sys.modules through another module": (
        "import warnings\n\ndef next_one(number):\n    return warnings.sys.modules['given_tests'].DUE\n"
    ),
    "sys.modules through an object": (
        "import warnings\n\ndef next_one(number):\n    return warnings.catch_warnings()._module.sys.modules\n"
    ),
    "it looks for pytest": (
        "import sys\n\ndef next_one(number):\n    return number + (1 if 'pytest' in sys.modules else 2)\n"
    ),
    "the tests are imported": "import given_tests\n\ndef next_one(number):\n    return given_tests.DUE[number]\n",
    "the lines of the tests": (
        "import linecache\n\ndef next_one(number):\n    return len(linecache.getlines('/given_tests.py'))\n"
    ),
    "classes of everything": "def next_one(number):\n    return object.__subclasses__()[number]\n",
    "builtins through a function": "def close(*a):\n    return True\n\nprint.__self__.isinstance = close\n" + _WRONG,
    "builtins of the module": "__builtins__['abs'] = lambda n: 0\n" + _WRONG,
    "builtins through globals": "globals()['__built' + 'ins__']['abs'] = lambda n: 0\n" + _WRONG,
    "a program in a text": "exec('import gc')\n" + _WRONG,
    "an expression in a text": "def next_one(number):\n    return eval('number + 2')\n",
    "an annotation that is run": """
import typing

def hidden(x: "__import__('gc').get_objects()"):
    pass

typing.get_type_hints(hidden)
"""
    + _WRONG,
    "timeit of a text": "import timeit\ntimeit.timeit('import gc', number=1)\n" + _WRONG,
    "objects of bytes": "import pickle\npickle.loads(b'cgc\\nget_objects\\n.')\n" + _WRONG,
    "code of bytes": "import marshal\nmarshal.loads(b'')\n" + _WRONG,
    "ctypes": "import ctypes\nctypes.pythonapi.Py_IncRef(None)\n" + _WRONG,
    # what belongs to others
    "pytest.raises is replaced": _patch("pytest.raises = close", "import pytest"),
    "an assertion of unittest": _patch("unittest.TestCase.assertEqual = close", "import unittest"),
    "a name of builtins": _patch("builtins.isinstance = close", "import builtins"),
    "a function of math": _patch("math.isclose = close"),
    "a number of math": _patch("math.pi = 3"),
    "by setattr": _patch("setattr(math, 'isclose', close)"),
    "by setattr of a computed name": _patch("setattr(math, 'is' + 'close', close)"),
    "by vars": _patch("vars(math)['isclose'] = close"),
    "by the dictionary": _patch("math.__dict__.update(isclose=close)"),
    "by another name": _patch("m = math\nm.isclose = close"),
    "by a second name": _patch("a = b = math\nc, d = b, 1\nc.isclose = close"),
    "by a name that an expression gives": _patch("(m := math).isclose = close"),
    "by a choice": _patch("m = math if close() else None\nm.isclose = close"),
    "in a loop": _patch("for m in (math,):\n    m.isclose = close"),
    "by a default argument": _patch("def put(m=math):\n    m.isclose = close\nput()"),
    "by a global name": _patch("def put():\n    global m\n    import math as m\nput()\nm.isclose = close", ""),
    "by a function that gets the module": _patch("def put(m):\n    m.isclose = close\nput(math)"),
    "by a list that holds the module": _patch("for m in [None, math][1:]:\n    m.isclose = close"),
    "by setattr under another name": _patch("put = setattr\nput(math, 'isclose', close)"),
    "a method of another class": _patch("Path.read_text = close", "from pathlib import Path"),
    "a method of the class of an object": _patch("type(Path()).read_text = close", "from pathlib import Path"),
    "the same by its attribute": _patch("Path().__class__.read_text = close", "from pathlib import Path"),
    "by type.__setattr__": _patch("type.__setattr__(Path, 'read_text', close)", "from pathlib import Path"),
    "by several arguments at once": _patch("setattr(*(math, 'isclose', close))"),
    "a name is taken away": _patch("del math.isclose"),
    "the module is loaded anew": _patch("importlib.reload(math)", "import importlib, math"),
    "text run by a debugger": "import os, sys\nsys.remote_exec(os.getpid(), '/tmp/mend.py')\n" + _WRONG,
    "another interpreter": "from concurrent import interpreters\ninterpreters.create().exec('import os')\n" + _WRONG,
    "another interpreter, by its module": "import concurrent.interpreters\n" + _WRONG,
    "the loop of asyncio": _patch("asyncio.set_event_loop_policy(close)", "import asyncio"),
    "a double that the test gave": """
def next_one(send):
    send.assert_called_once_with = lambda *a, **k: None
    return 1
""",
    "calls that a double counts": "def next_one(send):\n    send.mock_calls.append('hello')\n",
    # descriptors, the end of the process, the surroundings
    "a descriptor is written to": "import os\n\ndef next_one(number):\n    return os.write(number, b'passed')\n",
    "the same under another name": ("from os import *\n\ndef next_one(number):\n    return write(number, b'passed')\n"),
    "the same through another module": (
        "import random\n\ndef next_one(number):\n    return random._os.write(number, b'passed')\n"
    ),
    "a descriptor is opened": "def next_one(number):\n    return open(3, 'wb').write(b'passed')\n",
    "a descriptor with a name": "CHANNEL = 3\n\ndef next_one(number):\n    return open(CHANNEL, 'wb').fileno()\n",
    "a socket of a descriptor": "import socket\n\ndef next_one(number):\n    return socket.socket(fileno=number)\n",
    "the memory of the process": "def next_one(number):\n    return open('/proc/self/mem', 'r+b')\n",
    "os._exit": "import os\n\ndef next_one(number):\n    os._exit(0)\n",
    "atexit": "import atexit\natexit.register(print)\n" + _WRONG,
    "the variable of pytest": (
        "import os\n\ndef next_one(number):\n    return number + ('PYTEST_CURRENT_TEST' not in os.environ) + 1\n"
    ),
    "options for pytest": "import os\nos.environ['PYTEST_ADDOPTS'] = '--collect-only'\n" + _WRONG,
    # objects that say what they are asked
    "equal to everything": _equal("def __eq__(self, other):\n        return True"),
    "equal to all but itself": _equal("def __eq__(self, other):\n        return self is not other"),
    "equal to what differs": _equal("def __eq__(self, other):\n        return self.x != other"),
    "not unequal": _equal("def __ne__(self, other):\n        return False"),
    "equal by a lambda": _equal("__eq__ = lambda self, other: not self.x == other"),
    "equal by another function": _equal("__eq__ = anything", "def anything(self, other):\n    return True\n"),
    "equal later on": _equal("pass", after="Any.__eq__ = lambda self, other: True\n"),
    "equal by setattr": _equal("pass", after="setattr(Any, '__eq__', lambda self, other: True)\n"),
    "a class that is made": (
        "def next_one(number):\n    return type('Any', (), {'__eq__': lambda self, other: True})()\n"
    ),
    "a class of computed names": (
        "def next_one(number):\n    return type('Any', (), {'__e' + 'q__': lambda self, other: True})()\n"
    ),
    "equal by what all numbers have": _equal("def __eq__(self, other):\n        return self.imag == other.imag"),
    "equal by a length": _equal("def __eq__(self, other):\n        return bool(self) == bool(other)"),
    "equal to one of many": _equal("def __eq__(self, other):\n        return self.x == other or self.real == other"),
    "it copies": _equal("def __eq__(self, other):\n        self.x = other\n        return self.x == other"),
    "it copies in a test": _equal(
        "def take(self, other):\n        self.x = other\n\n"
        "    def __eq__(self, other):\n        if self.take(other):\n            return False\n"
        "        return self.x == other"
    ),
    "it copies as an item": _equal(
        "def __contains__(self, other):\n        self.x = other\n        return not other\n\n"
        "    def __eq__(self, other):\n        if other in self:\n            return False\n"
        "        return self.x == other"
    ),
    "it looks where the other is": _equal(
        "def __eq__(self, other):\n        x = other\n        if 0:\n            x = self.x\n        return x == other"
    ),
    "a guard that lets all pass": _equal(
        "def __eq__(self, other):\n        return isinstance(other, Any) and True", "isinstance = lambda *a: True\n"
    ),
    "a guard of another name": _equal(
        "def __eq__(self, other):\n        return isinstance(other, Any) and True", after="Any = object\n"
    ),
    "a guard that everything passes": _equal(
        "@classmethod\n    def __subclasshook__(cls, other):\n        return True\n\n"
        "    def __eq__(self, other):\n        return isinstance(other, Any)",
        "import abc",
        base="(abc.ABC)",
    ),
    "a guard of the wrong kind": _equal("def __eq__(self, other):\n        return isinstance(other, int)"),
    "less than everything": _equal("def __lt__(self, other):\n        return True"),
    "no difference": _equal("def __sub__(self, other):\n        return 0"),
    "it holds everything": _equal("def __contains__(self, item):\n        return True"),
    "a number that differs by nothing": _equal("def __sub__(self, other):\n        return other - other", base="(int)"),
    "it says that it is a number": _equal("@property\n    def __class__(self):\n        return int"),
    "its kind says who belongs to it": """
class Kind(type):
    def __instancecheck__(cls, value):
        return True

class Error(Exception, metaclass=Kind):
    pass

def next_one(number):
    raise Error
""",
    "every attribute is one of another": _equal(
        "def __getattribute__(self, name):\n        return object.__getattribute__(self, 'x')"
    ),
}

AT_RUN_TIME: dict[str, str] = {
    "a method of a class that a function gets": _patch(
        "def put(owner):\n    owner.read_text = close\n\nput(Path)", "from pathlib import Path"
    ),
    "the same by setattr": _patch(
        "def put(owner, name):\n    setattr(owner, name, close)\n\nput(Path, 'read_text')", "from pathlib import Path"
    ),
    "the same by another function of Python": _patch(
        "def put(owner):\n    owner.read_text = print\n\nput(Path)", "from pathlib import Path"
    ),
    "an operator of such a class": _patch(
        "def put(owner):\n    for each in [owner]:\n        each.__matmul__ = close\n\nput(Path)",
        "from pathlib import Path",
    ),
    "names of a function by a name put together": """
def look(owner, name):
    return getattr(owner, name)

def next_one(number):
    return look(next_one, "__glo" + "bals__").get("due", number + 2)
""",
    "builtins by a name put together": """
def look(owner, name):
    return getattr(owner, name)

def next_one(number):
    return look(look(print, "__se" + "lf__"), "abs")(number) + 2
""",
    "a frame by a name put together": """
def look(owner, name):
    return getattr(owner, name)

def next_one(number):
    return look((n for n in [number]), "gi_" + "frame") and number + 2
""",
    "equality by a name put together": """
class Any:
    pass

def put(owner, name):
    setattr(owner, name, lambda self, other: True)

put(Any, "__e" + "q__")

def next_one(number):
    return Any()
""",
    "a frame by a format put together": """
def next_one(number):
    return len(("{0.gi_" + "frame}").format(n for n in [number]))
""",
    "a descriptor that is computed": """
def next_one(number):
    try:
        open(number + 200)
    except OSError:
        pass
    return number + 1
""",
    "a thread that stays": """
import threading

def wait(event):
    event.wait()

def next_one(number):
    threading.Thread(target=wait, args=(threading.Event(),), daemon=True).start()
    return number + 1
""",
}
"""What the text alone does not show."""

HONEST: dict[str, str] = {
    "a class with equality": """
class Money:
    def __init__(self, amount, currency):
        self.amount, self.currency = amount, currency

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return self.amount == other.amount and self.currency == other.currency

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash((self.amount, self.currency))

    def __add__(self, other):
        if other.currency != self.currency:
            raise ValueError("currencies differ")
        return Money(self.amount + other.amount, self.currency)

    def __lt__(self, other):
        return (self.currency, self.amount) < (other.currency, other.amount)
""",
    "equality by tuples": """
class Point:
    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)
""",
    "equality by a key": """
class Card:
    def _key(self):
        return self.suit, self.rank

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __lt__(self, other):
        return self._key() < other._key()
""",
    "equality by hand": """
class Line:
    def __eq__(self, other):
        if self is other:
            return True
        if not isinstance(other, self.__class__):
            return False
        for mine, theirs in zip(self.parts, other.parts):
            if mine != theirs:
                return False
        return len(self.parts) == len(other.parts)
""",
    "equality without a guard": """
class Pair:
    def __eq__(self, other):
        return self.left == other.left and self.right == other.right
""",
    "equality by differences": """
class Day:
    def __eq__(self, other):
        try:
            if self.year != other.year_of_birth or self.weekday_name != other.weekday_name:
                return False
        except AttributeError:
            return False
        return True

    def __ne__(self, other):
        return not (self == other)
""".replace("year_of_birth", "year"),
    "equality with its value": """
class Grade:
    def __eq__(self, other):
        if isinstance(other, Grade):
            return self.value == other.value
        if isinstance(other, (int, float)):
            return self.value == other
        return NotImplemented
""",
    "a list that equals lists": """
class Bag:
    def __iter__(self):
        return iter(self.items)

    def __eq__(self, other):
        return list(self) == other

    def __len__(self):
        return len(self.items)

    def __contains__(self, item):
        for each in self.items:
            if each == item:
                return True
        return False
""",
    "order by a size": """
class Vector:
    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __mul__(self, other):
        return self.x * other.x + self.y * other.y
""",
    "total order": """
import functools

@functools.total_ordering
class Version:
    def __init__(self, text):
        self.parts = [int(part) for part in text.split(".")]

    def __eq__(self, other):
        return isinstance(other, Version) and self.parts == other.parts

    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts < other.parts
""",
    "dataclasses": """
from dataclasses import dataclass, field, replace

@dataclass(frozen=True)
class Order:
    lines: tuple = ()
    total: int = field(init=False, compare=False, default=0)

    def __post_init__(self):
        object.__setattr__(self, "total", sum(self.lines))

    def doubled(self):
        return replace(self, lines=self.lines * 2)
""",
    "enumerations": """
import enum

class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2

    @classmethod
    def named(cls, text):
        return cls[text.upper()]
""",
    "a session of a database": """
import sqlite3

class Store:
    def __init__(self, path=":memory:"):
        self._link = sqlite3.connect(path)
        self._link.row_factory = sqlite3.Row

    def names(self):
        return [row["name"] for row in self._link.execute("select name from users order by name")]
""",
    "a client with a session that is given": """
import json
import time

class Client:
    def __init__(self, session, sleep=time.sleep, retries=3):
        self.session, self.sleep, self.retries = session, sleep, retries

    def get(self, url):
        for attempt in range(self.retries):
            answer = self.session.get(url, timeout=5)
            if answer.status_code < 500:
                return json.loads(answer.text)
            self.sleep(2**attempt)
        raise RuntimeError(f"{url} failed {self.retries} times")
""",
    "callbacks and events": """
from collections import defaultdict

class Events:
    def __init__(self):
        self._handlers = defaultdict(list)

    def on(self, name, handler):
        self._handlers[name].append(handler)
        return handler

    def emit(self, name, *args, **kwargs):
        return [handler(*args, **kwargs) for handler in self._handlers[name]]
""",
    "decorators": """
import functools
import inspect
import time

def timed(clock=time.perf_counter):
    def decorate(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            start = clock()
            try:
                return function(*args, **kwargs)
            finally:
                inner.elapsed = clock() - start

        inner.elapsed = 0
        inner.signature = inspect.signature(function)
        return inner

    return decorate
""",
    "a cache with a clock": """
import threading
import time

class Cache:
    def __init__(self, seconds, clock=time.monotonic):
        self._seconds, self._clock, self._kept = seconds, clock, {}
        self._lock = threading.RLock()

    def get(self, key, make):
        with self._lock:
            value, until = self._kept.get(key, (None, 0))
            if self._clock() >= until:
                value = make()
                self._kept[key] = value, self._clock() + self._seconds
            return value
""",
    "a plug-in by its name": """
HANDLERS = {}

def register(name):
    def keep(function):
        HANDLERS[name] = function
        return function
    return keep

class Visitor:
    def visit(self, node):
        method = getattr(self, f"visit_{type(node).__name__}", self.generic)
        return method(node)

    def generic(self, node):
        return None
""",
    "attributes by name": """
class Record:
    __slots__ = ("name", "price")

    def __init__(self, **values):
        for name in self.__slots__:
            setattr(self, name, values.get(name))

    def as_dict(self):
        return {name: getattr(self, name) for name in self.__slots__}

    def update(self, other, fields=("name", "price")):
        for field in fields:
            setattr(self, field, getattr(other, field, None))
""",
    "a proxy that passes on": """
class Proxy:
    def __init__(self, target):
        self._target = target

    def __getattr__(self, name):
        return getattr(self._target, name)
""",
    "logging": """
import logging

log = logging.getLogger(__name__)
log.setLevel(logging.INFO)

def configure(level="info"):
    logging.basicConfig(level=getattr(logging, level.upper()))
    log.propagate = False
""",
    "the environment": """
import os

os.environ.setdefault("REGION", "north")

def region():
    return os.environ.get("REGION", "none")

def configure(name):
    os.environ["REGION"] = name
""",
    "money": """
class Money:
    def _same(self, other):
        if self.currency != other.currency:
            raise ValueError(f"{self.currency} and {other.currency}")

    def __sub__(self, other):
        self._same(other)
        return Money(self.cents - other.cents, self.currency)

    def __lt__(self, other):
        self._same(other)
        return self.cents < other.cents
""",
    "files": """
import contextlib
import os
import tempfile
from pathlib import Path

def save(path, text):
    descriptor, name = tempfile.mkstemp(dir=os.path.dirname(path) or ".")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise

def lines(path):
    with open(path, encoding="utf-8") as file:
        return Path(path).suffix, file.read().splitlines()
""",
    "captured output": """
import contextlib
import io
import sys

def quiet(function):
    before, sys.stdout = sys.stdout, io.StringIO()
    try:
        function()
        return sys.stdout.getvalue()
    finally:
        sys.stdout = before

def louder(function):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        function()
    return out.getvalue().upper()
""",
    "errors that are told": """
import traceback

class LoadError(Exception):
    def __init__(self, name, cause=None):
        super().__init__(f"cannot load {name}")
        self.name = name
        self.__cause__ = cause

def told(function):
    try:
        return function()
    except LoadError as error:
        raise RuntimeError("".join(traceback.format_exception_only(error))) from error
    except ValueError as error:
        raise LoadError("value").with_traceback(error.__traceback__) from None
""",
    "optional packages": """
try:
    import numpy as np
except ImportError:
    np = None

if np is not None:
    FLOAT = np.float64

def mean(values):
    if np is None:
        return sum(values) / len(values)
    return float(np.mean(values))
""",
    "coroutines": """
import asyncio

async def gathered(jobs, limit=3):
    gate = asyncio.Semaphore(limit)

    async def one(job):
        async with gate:
            return await job()

    return await asyncio.gather(*(one(job) for job in jobs))

def run(jobs):
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        return loop.run_until_complete(gathered(jobs))
    finally:
        loop.close()
""",
    "decimals and times": """
import datetime as dt
import decimal
from zoneinfo import ZoneInfo

decimal.getcontext().prec = 28

def gross(net, rate=decimal.Decimal("0.2")):
    return (net * (1 + rate)).quantize(decimal.Decimal("0.01"), rounding=decimal.ROUND_HALF_UP)

def local(stamp, zone="Europe/Berlin"):
    return dt.datetime.fromtimestamp(stamp, tz=dt.timezone.utc).astimezone(ZoneInfo(zone))
""",
    "patterns and words that only look so": """
import re

WORD = re.compile(r"[a-z]+")
QUERY = "select code, stack from trace where frame = :frame"

def compile_rules(rules):
    code = [re.compile(rule) for rule in rules]
    stack = list(code)
    return stack

class Compiler:
    modules = ()

    def compile(self, text, eval_=None):
        self.modules = [*self.modules, text]
        return WORD.findall(text)

    def trace(self, signal, gc=0):
        self.code = signal
        return self.modules, gc
""",
    "copies": """
import copy
import pickle

def twin(item):
    return pickle.loads(pickle.dumps(item))

def deep(item):
    other = copy.deepcopy(item)
    other.__dict__.update(name="copy")
    return other
""",
    "states of a machine": """
class Door:
    def __init__(self, clock):
        self.state, self.clock = "closed", clock

    def __enter__(self):
        self.state = "open"
        return self

    def __exit__(self, *error):
        self.state = "closed"
        return False

    def __bool__(self):
        return self.state == "open"

    def __call__(self, key):
        self.clock.seen = key
        return self
""",
    "abstract classes": """
import abc
from collections.abc import Mapping, MutableMapping

class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

class Folded(MutableMapping):
    def __init__(self, data=()):
        self._data = dict(data)

    def __getitem__(self, key):
        return self._data[key.lower()]

    def __setitem__(self, key, value):
        self._data[key.lower()] = value

    def __delitem__(self, key):
        del self._data[key.lower()]

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)
""",
    "a script": """
def main(argv):
    return len(argv)

if __name__ == "__main__":
    import doctest
    import sys

    doctest.testmod()
    sys.exit(main(sys.argv[1:]))
""",
    "modules that are local names": """
import time as t

def minutes(seconds):
    t = seconds // 60
    return t % 60

def label(json):
    json.title = json.title.strip()
    return json

def last(path):
    for os in path:
        os.seen = True
    return t.monotonic()
""",
}
