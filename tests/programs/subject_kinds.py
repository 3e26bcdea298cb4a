"""Small programs, one for each kind of subject, each with a wrong twin: a table that tests and people can read.

`RIGHT` is the text of the program, `WRONG` replaces one piece of it by another that breaks what the document says.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SUBJECTS", "Subject"]


@dataclass(frozen=True, slots=True)
class Subject:
    """A right program and the one replacement that makes it wrong."""

    right: str
    old: str
    new: str
    name: str | None = None
    """What of it is verified; None for the whole file."""

    @property
    def wrong(self) -> str:
        """The program with its mistake."""
        assert self.right.count(self.old) == 1, self.old
        return self.right.replace(self.old, self.new)


SUBJECTS: dict[str, Subject] = {
    "method": Subject(
        '''
class Account:
    """A bank account.

    >>> a = Account(10)
    >>> a.deposit(5)
    15
    >>> a.withdraw(3)
    12
    >>> a.withdraw(100)
    Traceback (most recent call last):
        ...
    ValueError: not enough money
    >>> a.balance
    12
    """

    def __init__(self, balance=0):
        self.balance = balance

    def deposit(self, amount):
        self.balance += amount
        return self.balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("not enough money")
        self.balance -= amount
        return self.balance
''',
        "self.balance -= amount",
        "self.balance -= amount + 1",
    ),
    "property": Subject(
        '''
class Rectangle:
    """A rectangle.

    >>> Rectangle(3, 4).area
    12
    >>> r = Rectangle(2, 5)
    >>> r.area
    10
    >>> r.width = 4
    >>> r.area
    20
    >>> r.width
    4
    """

    def __init__(self, width, height):
        self._width = width
        self.height = height

    @property
    def width(self):
        return self._width

    @width.setter
    def width(self, value):
        self._width = value

    @property
    def area(self):
        return self._width * self.height
''',
        "return self._width * self.height",
        "return self._width + self.height",
    ),
    "class method as constructor": Subject(
        '''
class Temperature:
    """A temperature in degrees Celsius.

    >>> Temperature.from_fahrenheit(212).celsius
    100.0
    >>> Temperature.from_fahrenheit(32).celsius
    0.0
    >>> Temperature.from_fahrenheit(-40).celsius
    -40.0
    >>> Temperature(5).celsius
    5
    """

    def __init__(self, celsius):
        self.celsius = celsius

    @classmethod
    def from_fahrenheit(cls, degrees):
        return cls((degrees - 32) * 5 / 9)
''',
        "* 5 / 9",
        "* 9 / 5",
    ),
    "static method": Subject(
        '''
class Numbers:
    """Facts about numbers."""

    @staticmethod
    def clamp(value: int, low: int, high: int) -> int:
        """Move a value into a range.

        >>> Numbers.clamp(5, 1, 9)
        5
        >>> Numbers.clamp(0, 1, 9)
        1
        >>> Numbers.clamp(12, 1, 9)
        9
        """
        return max(low, min(value, high))
''',
        "max(low, min(value, high))",
        "min(low, max(value, high))",
    ),
    "async function": Subject(
        '''
import asyncio


async def total(values: list[int]) -> int:
    """Add the values, giving way to others in between.

    >>> asyncio.run(total([1, 2, 3]))
    6
    >>> asyncio.run(total([]))
    0
    >>> asyncio.run(total([5, -5, 2]))
    2
    """
    found = 0
    for value in values:
        await asyncio.sleep(0)
        found += value
    return found
''',
        "found += value",
        "found = value",
    ),
    "async function called plainly": Subject(
        '''
async def longest(words: list[str]) -> str:
    """The longest word, the first of several.

    >>> await longest(["a", "bcd", "efg"])
    'bcd'
    >>> await longest([])
    ''
    >>> await longest(["xx", "y"])
    'xx'
    >>> await longest(["x", "zzz"])
    'zzz'
    >>> await longest(["abc", "d", "e", "f", "ghij"])
    'ghij'
    """
    best = ""
    for word in words:
        if len(word) > len(best):
            best = word
    return best
''',
        "len(word) > len(best)",
        "len(word) >= len(best)",
    ),
    "generator": Subject(
        '''
def chunks(items: list[int], size: int):
    """Yield slices of the given size.

    >>> list(chunks([1, 2, 3, 4, 5], 2))
    [[1, 2], [3, 4], [5]]
    >>> list(chunks([], 3))
    []
    >>> next(chunks([7, 8, 9], 2))
    [7, 8]
    >>> list(chunks([1, 2], 1))
    [[1], [2]]
    >>> list(chunks([1], -1))
    Traceback (most recent call last):
        ...
    ValueError: size
    """
    if size < 1:
        raise ValueError("size")
    for start in range(0, len(items), size):
        yield items[start:start + size]
''',
        "start + size]",
        "start + size - 1]",
    ),
    "async generator": Subject(
        '''
async def countdown(start: int):
    """Count down to one.

    >>> [n async for n in countdown(3)]
    [3, 2, 1]
    >>> [n async for n in countdown(0)]
    []

    countdown(2) == [2, 1]
    """
    while start > 0:
        yield start
        start -= 1
''',
        "while start > 0",
        "while start > 1",
    ),
    "context manager": Subject(
        '''
class Trace:
    """Collects what happens inside.

    >>> with Trace() as trace:
    ...     trace.add("a")
    ...     trace.add("b")
    >>> trace.events
    ['enter', 'a', 'b', 'exit']
    >>> with Trace() as other:
    ...     other.add("x")
    >>> other.events
    ['enter', 'x', 'exit']
    """

    def __init__(self):
        self.events = []

    def __enter__(self):
        self.events.append("enter")
        return self

    def __exit__(self, *exc):
        self.events.append("exit")
        return False

    def add(self, event):
        self.events.append(event)
''',
        'self.events.append("exit")',
        "pass",
    ),
    "context manager function": Subject(
        '''
from contextlib import contextmanager


@contextmanager
def changed(mapping: dict[str, int], key: str, value: int):
    """Change an entry for a while.

    >>> d = {"a": 1}
    >>> with changed(d, "a", 5):
    ...     print(d["a"])
    5
    >>> d
    {'a': 1}
    >>> with changed(d, "b", 7):
    ...     print(d)
    {'a': 1, 'b': 7}
    >>> d
    {'a': 1}
    """
    had = key in mapping
    old = mapping.get(key)
    mapping[key] = value
    try:
        yield mapping
    finally:
        if had:
            mapping[key] = old
        else:
            del mapping[key]
''',
        "mapping[key] = old",
        "mapping[key] = value",
    ),
    "keyword-only": Subject(
        '''
def join(*parts: str, sep: str = ", ", last: str | None = None) -> str:
    """Join parts.

    >>> join("a", "b", "c")
    'a, b, c'
    >>> join("a", "b", sep="-")
    'a-b'
    >>> join("a", "b", "c", last=" and ")
    'a, b and c'
    >>> join("a", last=" and ")
    'a'
    >>> join()
    ''
    """
    if last is None or len(parts) < 2:
        return sep.join(parts)
    return sep.join(parts[:-1]) + last + parts[-1]
''',
        "last + parts[-1]",
        "sep + parts[-1]",
    ),
    "positional-only": Subject(
        '''
def scale(value: int, /, factor: int = 2, *, offset: int = 0) -> int:
    """Scale and move a number.

    >>> scale(3)
    6
    >>> scale(3, 5)
    15
    >>> scale(3, factor=4, offset=1)
    13
    """
    return value * factor + offset
''',
        "+ offset",
        "- offset",
    ),
    "keyword variadics": Subject(
        '''
def query(**options: int) -> str:
    """Write options as a query.

    >>> query(b=2, a=1)
    'a=1&b=2'
    >>> query()
    ''
    >>> query(z=0)
    'z=0'
    """
    return "&".join(f"{name}={options[name]}" for name in sorted(options))
''',
        "in sorted(options)",
        "in options",
    ),
    "overloads": Subject(
        '''
from typing import overload


@overload
def double(x: int) -> int: ...
@overload
def double(x: str) -> str: ...
def double(x):
    """Twice.

    >>> double(3)
    6
    >>> double("ab")
    'abab'
    >>> double(-1)
    -2
    """
    return x + x
''',
        "return x + x",
        "return x + x if isinstance(x, str) else x * x",
    ),
    "overloads without examples of their types": Subject(
        '''
from typing import overload


@overload
def size(x: list[int]) -> int: ...
@overload
def size(x: str) -> int: ...
def size(x):
    """The number of parts.

    size([1, 2]) == 2
    size([]) == 0
    size("abc") == 3
    """
    found = 0
    for _ in x:
        found += 1
    return found
''',
        "found = 0",
        "found = 1",
    ),
    "closure returned": Subject(
        '''
def make_adder(n: int):
    """Return a function that adds n.

    >>> make_adder(2)(3)
    5
    >>> add = make_adder(10)
    >>> add(1)
    11

    make_adder(0)(7) == 7
    """
    def add(x):
        return x + n
    return add
''',
        "return x + n",
        "return x + n + (n > 5)",
    ),
    "takes a callable": Subject(
        '''
from collections.abc import Callable


def apply_times(f: Callable[[int], int], x: int, times: int = 2) -> int:
    """Apply f several times.

    >>> apply_times(lambda x: x + 1, 3)
    5
    >>> apply_times(lambda x: x * x, 3)
    81
    >>> apply_times(abs, -3, 1)
    3
    >>> apply_times(lambda x: x * 2, 1, 5)
    32
    """
    for _ in range(times):
        x = f(x)
    return x
''',
        "range(times)",
        "range(times - 1)",
    ),
    "takes a callable, examples in prose": Subject(
        '''
from typing import Callable


def count_if(predicate: Callable[[int], bool], items: list[int]) -> int:
    """Count the items that meet the predicate.

    count_if(lambda x: x > 2, [1, 2, 3, 4]) == 2
    count_if(lambda x: x % 2 == 0, [2, 4, 5]) == 2
    count_if(bool, []) == 0
    count_if(bool, [0, 1]) == 1
    """
    return sum(1 for item in items if predicate(item))
''',
        "if predicate(item)",
        "if not predicate(item)",
    ),
    "decorator that changes the signature": Subject(
        '''
import functools


def with_log(f):
    @functools.wraps(f)
    def wrapper(*args):
        log = []
        return f(log, *args), log
    return wrapper


@with_log
def area(log, width, height):
    """The area, and what was done.

    >>> area(2, 3)
    (6, ['2x3'])
    >>> area(5, 5)
    (25, ['5x5'])
    """
    log.append(f"{width}x{height}")
    return width * height
''',
        "return width * height",
        "return width * height + (width > 4)",
        "area",
    ),
    "metaclass": Subject(
        '''
class Labelled(type):
    """Gives its classes a label."""

    def __new__(mcs, name, bases, body):
        return super().__new__(mcs, name, bases, {**body, "label": name.lower()})


class Shape(metaclass=Labelled):
    """A shape with sides.

    >>> Shape(3).perimeter(2)
    6
    >>> Shape(4).perimeter(5)
    20
    >>> Shape(4).described(5)
    'shape of 20'
    >>> Shape(3).described(1)
    'shape of 3'
    """

    def __init__(self, sides):
        self.sides = sides

    def perimeter(self, length):
        return self.sides * length

    def described(self, length):
        return f"{self.label} of {self.perimeter(length)}"
''',
        "return self.sides * length",
        "return self.sides + length + 1",
        "Shape",
    ),
    "getattr tricks": Subject(
        '''
class Record:
    """A dictionary whose entries are attributes.

    >>> r = Record({"a": 1, "b": 2})
    >>> r.a
    1
    >>> r.b
    2
    >>> r.c
    Traceback (most recent call last):
        ...
    AttributeError: c
    """

    def __init__(self, data):
        self._data = dict(data)

    def __getattr__(self, name):
        data = self.__dict__.get("_data", {})
        if name in data:
            return data[name]
        raise AttributeError(name)
''',
        "return data[name]",
        "return name",
    ),
    "shadows a builtin": Subject(
        '''
def sum(list):
    """Add the numbers of a list.

    >>> sum([1, 2, 3])
    6
    >>> sum([])
    0
    >>> sum([4, -1])
    3
    """
    total = 0
    for int in list:
        total += int
    return total
''',
        "total = 0",
        "total = 1",
    ),
    "enum argument": Subject(
        '''
import enum


class Direction(enum.Enum):
    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3


def turn(direction: Direction, quarters: int) -> Direction:
    """Turn clockwise.

    >>> turn(Direction.NORTH, 1)
    <Direction.EAST: 1>
    >>> turn(Direction.WEST, 1)
    <Direction.NORTH: 0>
    >>> turn(Direction.SOUTH, -1) is Direction.EAST
    True
    >>> turn(Direction.EAST, 4).name
    'EAST'
    """
    return Direction((direction.value + quarters) % 4)
''',
        "direction.value + quarters",
        "direction.value - quarters",
    ),
    "dataclass argument": Subject(
        '''
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


def manhattan(a: Point, b: Point) -> int:
    """The distance along the axes.

    >>> manhattan(Point(0, 0), Point(3, 4))
    7
    >>> manhattan(Point(5, 1), Point(2, 9))
    11
    >>> manhattan(Point(1), Point(-1))
    2
    """
    return abs(a.x - b.x) + abs(a.y - b.y)
''',
        "abs(a.y - b.y)",
        "abs(a.y + b.y)",
    ),
    "dataclass result": Subject(
        '''
from dataclasses import dataclass, replace


@dataclass
class Money:
    amount: int
    currency: str = "EUR"


def add(a: Money, b: Money) -> Money:
    """Add amounts of one currency.

    >>> add(Money(1), Money(2))
    Money(amount=3, currency='EUR')
    >>> add(Money(5, "USD"), Money(-2, "USD"))
    Money(amount=3, currency='USD')
    >>> add(Money(1), Money(1, "USD"))
    Traceback (most recent call last):
        ...
    ValueError: currencies differ
    """
    if a.currency != b.currency:
        raise ValueError("currencies differ")
    return Money(a.amount + b.amount, a.currency)
''',
        "Money(a.amount + b.amount, a.currency)",
        "Money(a.amount - b.amount, a.currency)",
    ),
    "named tuple argument": Subject(
        '''
from typing import NamedTuple


class Interval(NamedTuple):
    low: int
    high: int


def overlap(a: Interval, b: Interval) -> bool:
    """Do two closed intervals share a number?

    >>> overlap(Interval(0, 5), Interval(5, 9))
    True
    >>> overlap(Interval(0, 4), Interval(5, 9))
    False
    >>> overlap(Interval(6, 7), Interval(1, 9))
    True
    >>> overlap(Interval(8, 9), Interval(1, 2))
    False
    """
    return a.low <= b.high and b.low <= a.high
''',
        "a.low <= b.high",
        "a.low < b.low",
    ),
    "typed dictionary argument": Subject(
        '''
from typing import TypedDict


class Item(TypedDict):
    name: str
    price: int
    count: int


def total(items: list[Item]) -> int:
    """What all of it costs.

    >>> total([{"name": "a", "price": 3, "count": 2}, {"name": "b", "price": 1, "count": 5}])
    11
    >>> total([])
    0
    >>> total([{"name": "c", "price": 10, "count": 1}])
    10
    """
    return sum(item["price"] * item["count"] for item in items)
''',
        '* item["count"]',
        '+ item["count"]',
    ),
    "literal argument": Subject(
        '''
from typing import Literal


def trim(text: str, side: Literal["left", "right", "both"] = "both") -> str:
    """Take blanks away.

    >>> trim("  a ")
    'a'
    >>> trim("  a ", "left")
    'a '
    >>> trim("  a ", "right")
    '  a'
    """
    if side == "left":
        return text.lstrip()
    if side == "right":
        return text.rstrip()
    return text.strip()
''',
        "return text.lstrip()",
        "return text.rstrip()",
    ),
    "new type and annotated": Subject(
        '''
from typing import Annotated, NewType

Cents = NewType("Cents", int)


class Ge:
    def __init__(self, limit):
        self.limit = limit


Percent = Annotated[int, Ge(0)]


def discount(price: Cents, percent: Percent) -> Cents:
    """Take some percent off, rounded down.

    discount(1000, 10) == 900
    discount(999, 0) == 999
    discount(50, 50) == 25
    """
    return Cents(price - price * percent // 100)
''',
        "price - price * percent // 100",
        "price - price * percent // 1000",
        "discount",
    ),
    "iterator argument": Subject(
        '''
from collections.abc import Iterator


def every_second(items: Iterator[int]) -> list[int]:
    """Take every second item, beginning with the first.

    >>> every_second(iter([1, 2, 3, 4, 5]))
    [1, 3, 5]
    >>> every_second(iter([]))
    []
    """
    taken = []
    for item in items:
        taken.append(item)
        next(items, None)
    return taken
''',
        "taken.append(item)",
        "taken.insert(0, item)",
    ),
    "class of the file as argument": Subject(
        '''
class Vector:
    """A vector in the plane.

    >>> Vector(1, 2).dot(Vector(3, 4))
    11
    """

    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y

    def dot(self, other: "Vector") -> int:
        return self.x * other.x + self.y * other.y


def parallel(a: Vector, b: Vector) -> bool:
    """Do two vectors lie on one line?

    parallel(Vector(1, 2), Vector(2, 4)) == True
    parallel(Vector(1, 2), Vector(2, 1)) == False
    parallel(Vector(0, 0), Vector(5, 1)) == True
    parallel(Vector(1, 0), Vector(0, 1)) == False
    """
    return a.x * b.y == a.y * b.x
''',
        "a.x * b.y == a.y * b.x",
        "a.x * b.y == b.y * b.x",
    ),
    "async method and async context manager": Subject(
        """
class Session:
    '''A session that counts what is sent.

    >>> async with Session("db") as session:
    ...     first = await session.send("a")
    ...     second = await session.send("bc")
    >>> first, second
    ('db:1:a', 'db:2:bc')
    >>> session.closed
    True
    '''

    def __init__(self, name):
        self.name = name
        self.count = 0
        self.closed = False

    async def __aenter__(self):
        return self

    async def __aexit__(self, *exc):
        self.closed = True

    async def send(self, text):
        self.count += 1
        return f"{self.name}:{self.count}:{text}"
""",
        "self.count += 1",
        "self.count += 2",
    ),
    "container protocol": Subject(
        """
class Ring:
    '''A ring of items; every index is valid.

    >>> ring = Ring([1, 2, 3])
    >>> ring[4]
    2
    >>> ring[-1]
    3
    >>> len(ring)
    3
    >>> list(ring)
    [1, 2, 3]
    >>> 2 in ring
    True
    >>> ring[0] = 9
    >>> ring[3]
    9
    '''

    def __init__(self, items):
        self._items = list(items)

    def __len__(self):
        return len(self._items)

    def __getitem__(self, index):
        return self._items[index % len(self._items)]

    def __setitem__(self, index, value):
        self._items[index % len(self._items)] = value

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, item):
        return item in self._items
""",
        "return self._items[index % len(self._items)]",
        "return self._items[index % (len(self._items) - 1)]",
    ),
    "operators": Subject(
        """
class Vec:
    '''A vector.

    >>> (Vec(1, 2) + Vec(3, 4)).pair()
    (4, 6)
    >>> (Vec(1, 2) - Vec(3, 5)).pair()
    (-2, -3)
    >>> (Vec(2, 3) * 2).pair()
    (4, 6)
    >>> (-Vec(1, -1)).pair()
    (-1, 1)
    '''

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, factor):
        return Vec(self.x * factor, self.y * factor)

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def pair(self):
        return self.x, self.y
""",
        "self.y - other.y)",
        "other.y - self.y)",
    ),
    "counter closure": Subject(
        """
def make_counter(start: int = 0, step: int = 1):
    '''Return a function that counts.

    >>> count = make_counter()
    >>> count()
    0
    >>> count()
    1
    >>> by_three = make_counter(5, 3)
    >>> [by_three(), by_three(), by_three()]
    [5, 8, 11]
    '''
    current = start - step

    def count():
        nonlocal current
        current += step
        return current

    return count
""",
        "current = start - step",
        "current = start",
    ),
    "constructor that refuses": Subject(
        """
from dataclasses import dataclass


@dataclass(frozen=True)
class Ratio:
    '''A fraction.

    >>> Ratio(1, 2).value()
    0.5
    >>> Ratio(3, 4).value()
    0.75
    >>> Ratio(1, 0)
    Traceback (most recent call last):
        ...
    ValueError: zero
    '''

    top: int
    bottom: int = 1

    def __post_init__(self) -> None:
        if self.bottom == 0:
            raise ValueError("zero")

    def value(self) -> float:
        return self.top / self.bottom


def double(ratio: Ratio) -> float:
    '''Twice its value.

    >>> double(Ratio(1, 4))
    0.5
    >>> double(Ratio(3))
    6.0
    >>> double(Ratio(1, 0))
    Traceback (most recent call last):
        ...
    ValueError: zero
    '''
    return ratio.value() * 2
""",
        "return ratio.value() * 2",
        "return ratio.value() ** 2",
    ),
    "generic class": Subject(
        """
from typing import Generic, TypeVar

T = TypeVar("T")


class Queue(Generic[T]):
    '''First in, first out.

    >>> q = Queue[int]()
    >>> q.put(1)
    >>> q.put(2)
    >>> q.get()
    1
    >>> q.size
    1
    >>> q.get()
    2
    >>> q.get()
    Traceback (most recent call last):
        ...
    IndexError: empty
    '''

    def __init__(self) -> None:
        self._items: list[T] = []

    def put(self, item: T) -> None:
        self._items.append(item)

    def get(self) -> T:
        if not self._items:
            raise IndexError("empty")
        return self._items.pop(0)

    @property
    def size(self) -> int:
        return len(self._items)
""",
        "self._items.pop(0)",
        "self._items.pop()",
    ),
    "iterator class": Subject(
        """
class Countdown:
    '''Counts down to one.

    >>> list(Countdown(3))
    [3, 2, 1]
    >>> list(Countdown(0))
    []
    >>> it = Countdown(2)
    >>> next(it)
    2
    >>> next(it)
    1
    >>> next(it)
    Traceback (most recent call last):
        ...
    StopIteration
    '''

    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left <= 0:
            raise StopIteration
        self.left -= 1
        return self.left + 1
""",
        "return self.left + 1",
        "return self.left",
    ),
    "single dispatch": Subject(
        """
from functools import singledispatch


@singledispatch
def show(value) -> str:
    '''Write a value.

    >>> show(3)
    'int 3'
    >>> show([1, 2])
    'list of 2'
    >>> show(None)
    'something'
    >>> show(-7)
    'int -7'
    >>> show([])
    'list of 0'
    >>> show("abc")
    'something'
    '''
    return "something"


@show.register
def _(value: int) -> str:
    return f"int {value}"


@show.register
def _(value: list) -> str:
    return f"list of {len(value)}"
""",
        'return f"list of {len(value)}"',
        'return f"list of {len(value) + 1}"',
    ),
    "cached function": Subject(
        """
from functools import lru_cache


@lru_cache(maxsize=None)
def ways(n: int) -> int:
    '''Ways to climb n steps by ones and twos.

    >>> ways(0)
    1
    >>> ways(1)
    1
    >>> ways(5)
    8
    >>> ways(10)
    89
    '''
    if n < 2:
        return 1
    return ways(n - 1) + ways(n - 2)
""",
        "ways(n - 1) + ways(n - 2)",
        "ways(n - 1) + ways(n - 2) + (n > 6)",
    ),
    "enum in a container": Subject(
        """
from collections.abc import Mapping, Sequence
from enum import Enum, auto


class Suit(Enum):
    HEARTS = auto()
    SPADES = auto()
    CLUBS = auto()


def points(cards: Sequence[tuple[Suit, int]], trump: Suit | None = None) -> int:
    '''Add the values; those of the trump suit count twice.

    points([(Suit.HEARTS, 3), (Suit.CLUBS, 4)]) == 7
    points([(Suit.HEARTS, 3), (Suit.CLUBS, 4)], Suit.CLUBS) == 11
    points([]) == 0
    points([(Suit.SPADES, 10)], trump=Suit.SPADES) == 20
    '''
    total = 0
    for suit, value in cards:
        total += value * 2 if suit is trump else value
    return total
""",
        "if suit is trump",
        "if suit is not trump",
    ),
    "abstract argument": Subject(
        """
from abc import ABC, abstractmethod


class Discount(ABC):
    @abstractmethod
    def apply(self, price: int) -> int: ...


class Fixed(Discount):
    def __init__(self, amount: int) -> None:
        self.amount = amount

    def apply(self, price: int) -> int:
        return max(0, price - self.amount)


class Half(Discount):
    def apply(self, price: int) -> int:
        return price // 2


def total(prices: list[int], discount: Discount) -> int:
    '''What is to be paid.

    total([10, 20], Half()) == 15
    total([10, 20], Fixed(15)) == 5
    total([], Fixed(1)) == 0
    total([7], Half()) == 3
    '''
    return sum(discount.apply(price) for price in prices)
""",
        "price - self.amount",
        "price + self.amount",
        "total",
    ),
}
