"""Right programs whose documents invite blaming them for what they did not do, each with a wrong sibling.

A naive judge, who holds every line that looks like an example against the program, refutes or accuses most of them.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ROWS", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """A right program, and the replacement that makes it wrong."""

    name: str
    group: str
    """What a naive judge would blame it for."""
    right: str
    old: str
    new: str
    contract: str | None = None
    outcome: str = "tested"
    """Of the right program: a line that nothing decides leaves it undecided."""
    is_refuted: bool = True
    """Whether the wrong sibling breaks what its own examples show."""

    @property
    def wrong(self) -> str:
        """The program with its mistake."""
        assert self.old in self.right, self.name
        return self.right.replace(self.old, self.new)


ADD = '''def add(a, b):
    """Return the sum.

    >>> add(1, 2)
    3
    >>> add(10, -4)
    6
    """
    return a + b
'''

ROWS: tuple[Row, ...] = (
    Row(
        "contract other name",
        "other name",
        ADD,
        "a + b",
        "a - b",
        "subtract(5, 3) == 2",
        outcome="undecided",
    ),
    Row(
        "contract other name arrow",
        "other name",
        ADD,
        "a + b",
        "a - b",
        "subtract(5, 3) -> 2",
        outcome="undecided",
    ),
    Row(
        "contract other name assert",
        "other name",
        ADD,
        "a + b",
        "a - b",
        "assert subtract(5, 3) == 2",
        outcome="undecided",
    ),
    Row(
        "contract other name session",
        "other name",
        ADD,
        "a + b",
        "a - b",
        ">>> subtract(5, 3)\n2\n",
        outcome="undecided",
    ),
    Row(
        "contract other name returns",
        "other name",
        ADD,
        "a + b",
        "a - b",
        "subtract(5, 3) returns 2",
        outcome="undecided",
    ),
    Row(
        "contract other and own",
        "other name",
        ADD,
        "a + b",
        "a - b",
        "add(2, 2) == 4\nmultiply(2, 3) == 6",
        outcome="undecided",
    ),
    Row(
        "contract def other",
        "other name",
        ADD,
        "a + b",
        "a - b",
        "def subtract(a, b):\n    '''\n    >>> subtract(5, 3)\n    2\n    '''\n",
        outcome="undecided",
    ),
    Row(
        "doc other name",
        "other name",
        '''def add(a, b):
    """Return the sum; see also subtract.

    add(1, 2) == 3
    add(10, -4) == 6
    subtract(5, 3) == 2
    """
    return a + b
''',
        "a + b",
        "a - b",
        outcome="tested",
    ),
    Row(
        "doc other only",
        "other name",
        '''def add(a, b):
    """Return the sum, unlike subtract.

    subtract(5, 3) -> 2
    subtract(9, 3) -> 6
    """
    return a + b
''',
        "a + b",
        "a * b",
        outcome="undecided",
        is_refuted=False,
    ),
    Row(
        "doc sibling other file",
        "other name",
        '''def to_celsius(f):
    """Turn Fahrenheit into Celsius.

    >>> to_celsius(212)
    100.0
    >>> to_celsius(32)
    0.0

    The other way round:

    to_fahrenheit(100) == 212
    """
    return (f - 32) * 5 / 9
''',
        "f - 32",
        "f + 32",
        outcome="tested",
    ),
    Row(
        "doc method of other",
        "other name",
        '''def total(items):
    """Sum up.

    >>> total([1, 2, 3])
    6
    >>> total([])
    0

    numpy.prod([1, 2, 3]) == 6
    prod([2, 3, 4]) == 24
    """
    result = 0
    for item in items:
        result += item
    return result
''',
        "result += item",
        "result -= item",
        outcome="tested",
    ),
    Row(
        "import numpy",
        "setup",
        '''def mean(values):
    """Return the mean.

    >>> mean([1, 2, 3])
    2.0
    >>> import numpy as np
    >>> mean(np.array([1, 2, 3]))
    2.0
    """
    return sum(values) / len(values)
''',
        "/ len(values)",
        "* len(values)",
        outcome="tested",
    ),
    Row(
        "from pkg",
        "setup",
        '''def mean(values):
    """Return the mean.

    >>> from mypkg.stats import mean
    >>> mean([1, 2, 3])
    2.0
    >>> mean([4])
    4.0
    """
    return sum(values) / len(values)
''',
        "/ len(values)",
        "* len(values)",
        outcome="tested",
    ),
    Row(
        "from pkg helper",
        "setup",
        '''def mean(values):
    """Return the mean.

    >>> from mypkg.data import sample
    >>> mean(sample())
    2.0
    >>> mean([4, 6])
    5.0
    """
    return sum(values) / len(values)
''',
        "/ len(values)",
        "* len(values)",
        outcome="tested",
    ),
    Row(
        "a set-up line of another after a step",
        "setup",
        '''def mean(values):
    """Return the mean.

    >>> middle = mean([1, 2, 3])
    >>> import configparser
    >>> settings = configparser.ConfigParser()
    >>> settings.set('ci', 'examples', '5')
    >>> middle
    2.0
    >>> mean([4, 6])
    5.0
    """
    return sum(values) / len(values)
''',
        "/ len(values)",
        "* len(values)",
        outcome="undecided",
    ),
    Row(
        "a set-up line on what a step has made",
        "setup",
        '''class Box:
    """Hold items.

    >>> box = Box()
    >>> box.put(3)
    >>> box.items[0]
    3
    >>> box.put(4)
    >>> box.items
    [3, 4]
    """

    def __init__(self):
        self.items = []

    def put(self, item):
        self.items.append(item)
''',
        "def put(",
        "def set(",
    ),
    Row(
        "open data",
        "setup",
        '''def count_lines(handle):
    """Count the lines that are not blank.

    >>> f = open('data.txt')
    >>> count_lines(f)
    3
    >>> count_lines(['a', '', 'b'])
    2
    """
    return sum(1 for line in handle if line.strip())
''',
        "if line.strip()",
        "if not line.strip()",
        outcome="undecided",
    ),
    Row(
        "with open",
        "setup",
        '''def count_lines(handle):
    """Count the lines that are not blank.

    >>> with open('data.txt') as f:
    ...     count_lines(f)
    3
    >>> count_lines(['a', '', 'b'])
    2
    """
    return sum(1 for line in handle if line.strip())
''',
        "if line.strip()",
        "if not line.strip()",
        outcome="undecided",
    ),
    Row(
        "helper not defined",
        "setup",
        '''def largest(values):
    """Return the largest.

    >>> data = load_fixture('x')
    >>> largest(data)
    9
    >>> largest([1, 5, 2])
    5
    """
    return max(values)
''',
        "max(values)",
        "min(values)",
        outcome="tested",
    ),
    Row(
        "stdlib import fails",
        "setup",
        '''def name_of(value):
    """Name the type of a value.

    >>> import tkinter
    >>> root = tkinter.Tk()
    >>> name_of(root)
    'Tk'
    >>> name_of(1)
    'int'
    """
    return type(value).__name__
''',
        "type(value).__name__",
        "str(type(value))",
        outcome="undecided",
    ),
    Row(
        "chdir setup",
        "setup",
        '''def stem(path):
    """Return what a path's name is without the suffix.

    >>> import os
    >>> os.chdir('/home/me/project')
    >>> stem('a/b.txt')
    'b'
    >>> stem('c.tar')
    'c'
    """
    return path.rsplit('/', 1)[-1].rsplit('.', 1)[0]
''',
        "[-1].rs",
        "[0].rs",
        outcome="undecided",
        is_refuted=False,
    ),
    Row(
        "environ setup",
        "setup",
        '''def upper(text):
    """Return it in capitals.

    >>> import os
    >>> home = os.environ['MY_PROJECT_HOME']
    >>> upper(home)
    '/SRV'
    >>> upper('ab')
    'AB'
    """
    return text.upper()
''',
        "upper()\n",
        "lower()\n",
        outcome="undecided",
    ),
    Row(
        "socket setup",
        "setup",
        '''def size(data):
    """Return how many bytes there are.

    >>> import urllib.request
    >>> page = urllib.request.urlopen('http://example.com').read()
    >>> size(page)
    1256
    >>> size(b'abc')
    3
    """
    return len(data)
''',
        "len(data)",
        "len(data) + 1",
        outcome="undecided",
    ),
    Row(
        "setup asserts",
        "setup",
        '''def double(x):
    """Double it.

    >>> import sys
    >>> assert sys.platform == 'win32'
    >>> double(2)
    4
    >>> double(5)
    10
    """
    return x * 2
''',
        "x * 2",
        "x * 3",
    ),
    Row(
        "rebinding",
        "session",
        '''class Counter:
    """Counts up.

    >>> c = Counter()
    >>> c = c.step()
    >>> c = c.step()
    >>> c.value
    2
    """

    def __init__(self, value=0):
        self.value = value

    def step(self):
        """Return the next counter.

        >>> Counter(3).step().value
        4
        """
        return Counter(self.value + 1)
''',
        "self.value + 1",
        "self.value + 2",
        outcome="undecided",
    ),
    Row(
        "rebinding function",
        "session",
        '''def make():
    """Return a function that counts.

    >>> make = make()
    >>> make()
    1
    >>> make()
    2
    """
    state = [0]

    def step():
        state[0] += 1
        return state[0]

    return step
''',
        "+= 1",
        "+= 2",
        outcome="undecided",
    ),
    Row(
        "rebinding class",
        "session",
        '''class Box:
    """Holds a value.

    >>> Box = Box(4)
    >>> Box.value
    4
    >>> Box.double()
    8
    """

    def __init__(self, value):
        self.value = value

    def double(self):
        """Return twice the value."""
        return self.value * 2
''',
        "self.value * 2",
        "self.value * 3",
        outcome="tested",
    ),
    Row(
        "rebinding value",
        "session",
        '''def succ(x):
    """Return the next number.

    >>> x = 3
    >>> x = succ(x)
    >>> x
    4
    >>> x = succ(x)
    >>> x
    5
    """
    return x + 1
''',
        "x + 1",
        "x + 2",
        outcome="tested",
    ),
    Row(
        "zoneinfo",
        "world",
        '''from datetime import datetime
from zoneinfo import ZoneInfo


def offset_hours(year, month, day, zone):
    """Return the offset from UTC at noon, in hours.

    >>> offset_hours(2024, 7, 1, 'Europe/Berlin')
    2.0
    >>> offset_hours(2024, 1, 1, 'Europe/Berlin')
    1.0
    >>> offset_hours(2024, 1, 1, 'Asia/Tokyo')
    9.0
    """
    when = datetime(year, month, day, 12, tzinfo=ZoneInfo(zone))
    return when.utcoffset().total_seconds() / 3600
''',
        "/ 3600",
        "/ 60",
        outcome="tested",
    ),
    Row(
        "calendar",
        "world",
        '''import calendar


def days(year, month):
    """Return how many days a month has.

    >>> days(2024, 2)
    29
    >>> days(2023, 2)
    28
    >>> days(2023, 12)
    31
    """
    return calendar.monthrange(year, month)[1]
''',
        "[1]",
        "[0]",
        outcome="tested",
    ),
    Row(
        "locale",
        "world",
        '''import locale


def plain(number):
    """Format a number with two digits, whatever the locale.

    >>> plain(3.14159)
    '3.14'
    >>> plain(2)
    '2.00'
    """
    return '%.2f' % number
''',
        "%.2f",
        "%.1f",
        outcome="tested",
    ),
    Row(
        "datetime utc",
        "world",
        '''from datetime import datetime, timezone


def iso(seconds):
    """Format a moment in UTC.

    >>> iso(0)
    '1970-01-01T00:00:00+00:00'
    >>> iso(86400)
    '1970-01-02T00:00:00+00:00'
    """
    return datetime.fromtimestamp(seconds, tz=timezone.utc).isoformat()
''',
        "(seconds,",
        "(seconds + 1,",
        outcome="undecided",
    ),
    Row(
        "weekday name",
        "world",
        '''import datetime


def weekday(text):
    """Return the day of the week.

    >>> weekday('2024-02-29')
    'Thursday'
    >>> weekday('2023-01-01')
    'Sunday'
    """
    return datetime.date.fromisoformat(text).strftime('%A')
''',
        "%A",
        "%B",
        outcome="tested",
    ),
    Row(
        "raises isinstance",
        "raises",
        '''def square(x):
    """Return the square.

    >>> square(3)
    9
    >>> square(-4)
    16

    Raises:
        TypeError: if x is not an int.
    """
    if not isinstance(x, int):
        raise TypeError(x)
    return x * x
''',
        "x * x",
        "x + x",
        outcome="tested",
    ),
    Row(
        "raises rebound",
        "raises",
        '''def join(values, sep=None):
    """Join texts.

    >>> join(['a', 'b'])
    'a,b'
    >>> join(['a', 'b'], '-')
    'a-b'

    Raises:
        ValueError: if values is empty.
    """
    sep = sep or ','
    values = list(values)
    if not values:
        raise ValueError('empty')
    return sep.join(values)
''',
        "sep.join(values)",
        "sep.join(values[1:])",
        outcome="undecided",
    ),
    Row(
        "raises none",
        "raises",
        '''def first(values):
    """Return the first.

    >>> first([3, 4])
    3
    >>> first('ab')
    'a'

    Raises:
        TypeError: if values is None.
        IndexError: if values is empty.
    """
    if values is None:
        raise TypeError('None')
    values = list(values)
    if not values:
        raise IndexError('empty')
    return values[0]
''',
        "values[0]",
        "values[-1]",
        outcome="tested",
    ),
    Row(
        "raises negative",
        "raises",
        '''def root(n):
    """Return the integer square root.

    >>> root(16)
    4
    >>> root(17)
    4
    >>> root(-1)
    Traceback (most recent call last):
    ValueError: negative

    Raises:
        ValueError: if n is negative.
    """
    if n < 0:
        raise ValueError('negative')
    guess = 0
    while (guess + 1) ** 2 <= n:
        guess += 1
    return guess
''',
        "<= n",
        "< n",
        outcome="tested",
    ),
    Row(
        "luhn",
        "narrow",
        '''def luhn_kind(number):
    """Tell whether a card number is valid, and which kind it is.

    >>> luhn_kind('4539578763621486')
    'visa'
    >>> luhn_kind('5500005555555559')
    'other'
    >>> luhn_kind('4539578763621487')
    'invalid'
    >>> luhn_kind('1234')
    'invalid'
    """
    total = 0
    for index, digit in enumerate(reversed(number)):
        value = int(digit)
        if index % 2:
            value = value * 2
            if value > 9:
                value -= 9
        total += value
    if total % 10:
        return 'invalid'
    if number.startswith('4'):
        return 'visa'
    return 'other'
''',
        "value -= 9",
        "value -= 8",
        outcome="tested",
    ),
    Row(
        "isbn10",
        "narrow",
        '''def is_isbn10(text):
    """Tell whether a text is a valid ISBN of ten places.

    >>> is_isbn10('0306406152')
    True
    >>> is_isbn10('0-306-40615-2')
    True
    >>> is_isbn10('0306406153')
    False
    >>> is_isbn10('080442957X')
    True
    >>> is_isbn10('12')
    False
    >>> is_isbn10('')
    False
    >>> is_isbn10('030640615Z')
    False
    """
    digits = text.replace('-', '')
    if len(digits) != 10:
        return False
    total = 0
    for index, char in enumerate(digits):
        if char == 'X' and index == 9:
            value = 10
        elif char.isdigit():
            value = int(char)
        else:
            return False
        total += value * (10 - index)
    return total % 11 == 0
''',
        "value = 10",
        "value = 9",
        outcome="tested",
    ),
    Row(
        "isbn13 checked",
        "narrow",
        '''def isbn_group(text):
    """Return the prefix of a valid ISBN-13.

    >>> isbn_group('9780306406157')
    '978'
    >>> isbn_group('9791032305690')
    '979'

    Raises:
        ValueError: if the check digit is wrong.

    >>> isbn_group('9780306406158')
    Traceback (most recent call last):
    ValueError: wrong check digit
    """
    total = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(text))
    if len(text) != 13 or total % 10:
        raise ValueError('wrong check digit')
    return text[:3]
''',
        "text[:3]",
        "text[:2]",
        outcome="tested",
    ),
    Row(
        "date string",
        "narrow",
        '''from datetime import date


def quarter(text):
    """Return the quarter of a date.

    >>> quarter('2024-01-31')
    1
    >>> quarter('2024-06-01')
    2
    >>> quarter('2024-12-24')
    4
    >>> quarter('nonsense')
    0
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return 0
    return (day.month - 1) // 3 + 1
''',
        "// 3 + 1",
        "// 3",
        outcome="tested",
    ),
    Row(
        "json field",
        "narrow",
        '''import json


def field(text, name):
    """Return a field of a JSON object, None if there is none.

    >>> field('{"a": 1}', 'a')
    1
    >>> field('{"a": 1}', 'b')
    >>> field('[1]', 'a')
    >>> field('{bad', 'a')
    """
    try:
        value = json.loads(text)
    except ValueError:
        return None
    if isinstance(value, dict):
        return value.get(name)
    return None
''',
        "value.get(name)",
        "value.get(name, 0)",
        outcome="undecided",
        is_refuted=False,
    ),
    Row(
        "version",
        "narrow",
        '''import re


def major(text):
    """Return the major version, -1 for what is none.

    >>> major('1.2.3')
    1
    >>> major('v10.0.1')
    10
    >>> major('abc')
    -1
    """
    match = re.fullmatch(r'v?(\\d+)\\.(\\d+)\\.(\\d+)', text)
    if match is None:
        return -1
    return int(match.group(1))
''',
        "group(1)",
        "group(2)",
        outcome="tested",
    ),
    Row(
        "email",
        "narrow",
        '''import re


def domain(address):
    """Return the domain of an address, in small letters; an empty text where it is none.

    >>> domain('Ann@Example.com')
    'example.com'
    >>> domain('bob@site.org')
    'site.org'
    >>> domain('nobody')
    ''
    """
    match = re.fullmatch(r'[\\w.]+@([\\w.]+\\.[a-zA-Z]+)', address)
    if match is None:
        return ''
    return match.group(1).lower()
''',
        ".lower()",
        ".upper()",
        outcome="tested",
    ),
    Row(
        "uuid",
        "narrow",
        '''import uuid


def version(text):
    """Return the version of a UUID, 0 for other texts.

    >>> version('f47ac10b-58cc-4372-a567-0e02b2c3d479')
    4
    >>> version('6ba7b810-9dad-11d1-80b4-00c04fd430c8')
    1
    >>> version('x')
    0
    """
    try:
        return uuid.UUID(text).version or 0
    except ValueError:
        return 0
''',
        "version or 0",
        "version or 1",
        outcome="undecided",
        is_refuted=False,
    ),
    Row(
        "magic bytes",
        "narrow",
        '''def kind(data):
    """Tell a file's kind from its first bytes.

    >>> kind(b'\\\\x89PNG\\\\r\\\\n')
    'png'
    >>> kind(b'GIF89a')
    'gif'
    >>> kind(b'%PDF-1.7')
    'pdf'
    >>> kind(b'')
    'unknown'
    """
    if data.startswith(b'\\x89PNG'):
        return 'png'
    if data.startswith(b'GIF8'):
        return 'gif'
    if data.startswith(b'%PDF'):
        return 'pdf'
    return 'unknown'
''',
        "return 'gif'",
        "return 'png'",
        outcome="tested",
    ),
    Row(
        "roman",
        "narrow",
        '''def from_roman(text):
    """Return a Roman numeral's value.

    >>> from_roman('XIV')
    14
    >>> from_roman('MCMXCIV')
    1994
    >>> from_roman('IIII')
    Traceback (most recent call last):
    ValueError: not Roman
    """
    import re
    if not re.fullmatch(r'M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})', text):
        raise ValueError('not Roman')
    values = {'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100, 'D': 500, 'M': 1000}
    total = 0
    for here, after in zip(text, text[1:] + 'I'):
        value = values[here]
        total += -value if value < values[after] else value
    return total
''',
        "'C': 100",
        "'C': 10",
        outcome="tested",
    ),
    Row(
        "float rounding",
        "values",
        '''def add(a, b):
    """Add.

    >>> add(0.1, 0.2)
    0.3
    >>> add(1.5, 2)
    3.5
    """
    return a + b
''',
        "a + b",
        "a - b",
        outcome="tested",
    ),
    Row(
        "shortened float",
        "values",
        '''import math


def hypot(a, b):
    """Return the length of the hypotenuse.

    >>> hypot(3, 4)
    5.0
    >>> hypot(1, 1)
    1.4142
    """
    return math.sqrt(a * a + b * b)
''',
        "a * a + b",
        "a * a - b",
        outcome="undecided",
    ),
    Row(
        "ellipsis directive",
        "directives",
        '''def many(n):
    """Return the first n numbers.

    >>> many(30)  # doctest: +ELLIPSIS
    [0, 1, ..., 29]
    >>> many(3)
    [0, 1, 2]
    """
    return list(range(n))
''',
        "range(n)",
        "range(1, n)",
        outcome="tested",
    ),
    Row(
        "skip directive",
        "directives",
        '''def many(n):
    """Return the first n numbers.

    >>> many(2)  # doctest: +SKIP
    [7, 8]
    >>> many(3)
    [0, 1, 2]
    >>> many(0)
    []
    """
    return list(range(n))
''',
        "range(n)",
        "range(1, n)",
        outcome="tested",
    ),
    Row(
        "normalize",
        "directives",
        '''def many(n):
    """Return the first n numbers.

    >>> many(5)  # doctest: +NORMALIZE_WHITESPACE
    [0,  1,
     2,  3, 4]
    >>> many(0)
    []
    """
    return list(range(n))
''',
        "range(n)",
        "range(1, n)",
        outcome="tested",
    ),
    Row(
        "exception detail",
        "directives",
        '''def parse(text):
    """Parse a number.

    >>> parse('12')
    12
    >>> parse('x')  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    mypkg.errors.ValueError: cannot read it
    """
    return int(text)
''',
        "int(text)",
        "int(text) + 1",
        outcome="undecided",
    ),
    Row(
        "blankline",
        "directives",
        '''def show(items):
    """Print items.

    >>> show(['a', 'b'])
    a
    <BLANKLINE>
    b
    <BLANKLINE>
    """
    for item in items:
        print(item)
        print()
''',
        "print(item)",
        "print(item * 2)",
        outcome="tested",
    ),
    Row(
        "placeholder",
        "values",
        '''def scale(values, factor):
    """Multiply.

    >>> scale(..., 2)
    [...]
    >>> scale([1, 2], 2)
    [2, 4]
    >>> scale([], 5)
    []
    """
    return [value * factor for value in values]
''',
        "value * factor",
        "value + factor + 1",
        outcome="tested",
    ),
    Row(
        "wrong call",
        "marked",
        '''def parse_flag(text):
    """Read yes or no.

    Good:
        parse_flag('yes') == True
        parse_flag('no') == False

    Bad:
        parse_flag(1) == True

    Example of a wrong call (do not do this):
        parse_flag('si') == True
    """
    if text == 'yes':
        return True
    if text == 'no':
        return False
    raise ValueError(text)
''',
        "== 'yes'",
        "== 'no'",
        outcome="undecided",
    ),
    Row(
        "deprecated example",
        "marked",
        '''def area(w, h):
    """Return the area.

    >>> area(2, 3)
    6
    >>> area(4, 5)
    20

    Old behaviour (before 2.0, deprecated):

    >>> area(2, 3)  # returned the perimeter  # doctest: +SKIP
    10
    """
    return w * h
''',
        "w * h",
        "w + h",
        outcome="tested",
    ),
    Row(
        "version changed",
        "marked",
        '''def area(w, h):
    """Return the area.

    >>> area(2, 3)
    6
    >>> area(4, 5)
    20

    .. versionchanged:: 2.0
       Before, area(2, 2) == 8.
    """
    return w * h
''',
        "w * h",
        "w + h",
        outcome="undecided",
    ),
    Row(
        "comment after value",
        "values",
        '''def pct(a, b):
    """Return a share in percent.

    >>> pct(1, 4)  # a quarter
    25.0
    >>> pct(1, 2)
    50.0  # a half
    """
    return a / b * 100
''',
        "* 100",
        "* 10",
        outcome="tested",
    ),
    Row(
        "seeded",
        "values",
        '''import random


def pick(values, seed):
    """Pick one, always the same for a seed.

    >>> pick([1, 2, 3, 4], 1)
    2
    >>> pick(['a'], 5)
    'a'
    """
    return random.Random(seed).choice(values)
''',
        ".choice(values)",
        ".choice(values * 2 + [0])",
        outcome="undecided",
    ),
    Row(
        "short repr",
        "values",
        '''def squares(n):
    """Return squares.

    >>> squares(100)
    [0, 1, 4, 9, ...]
    >>> squares(3)
    [0, 1, 4]
    """
    return [x * x for x in range(n)]
''',
        "x * x",
        "x + x",
        outcome="tested",
    ),
    Row(
        "set order",
        "values",
        '''def letters(text):
    """Return the letters.

    >>> letters('hello')
    {'h', 'e', 'l', 'o'}
    >>> letters('')
    set()
    """
    return set(text)
''',
        "set(text)",
        "set(text[1:])",
        outcome="undecided",
    ),
    Row(
        "set text",
        "values",
        '''def letters(text):
    """Show the letters.

    >>> print(letters('hello'))
    {'h', 'e', 'l', 'o'}
    >>> letters('')
    set()
    """
    return set(text)
''',
        "set(text)",
        "set(text[1:])",
        outcome="undecided",
        is_refuted=False,
    ),
    Row(
        "dict order",
        "values",
        '''def count(text):
    """Count letters.

    >>> count('aab')
    {'b': 1, 'a': 2}
    >>> count('')
    {}
    """
    found = {}
    for char in text:
        found[char] = found.get(char, 0) + 1
    return found
''',
        "+ 1",
        "+ 2",
        outcome="tested",
    ),
    Row(
        "address",
        "values",
        '''class Node:
    """A node.

    >>> Node(3)
    <Node object at 0x7f3c2a1b4d90>
    >>> Node(3).value
    3
    """

    def __init__(self, value):
        self.value = value
''',
        "= value",
        "= value + 1",
        outcome="undecided",
    ),
    Row(
        "func address",
        "values",
        '''def adder(n):
    """Return a function that adds n.

    >>> adder(3)
    <function adder.<locals>.inner at 0x7f3c2a1b4d90>
    >>> adder(3)(4)
    7
    """
    def inner(x):
        return x + n
    return inner
''',
        "x + n",
        "x - n",
        outcome="tested",
    ),
    Row(
        "path repr",
        "values",
        '''from pathlib import Path


def beside(path, name):
    """Return the path of a sibling.

    >>> beside('/a/b.txt', 'c.txt')
    PosixPath('/a/c.txt')
    >>> beside('x', 'y')
    WindowsPath('y')
    """
    return Path(path).with_name(name)
''',
        ".with_name(name)",
        ".with_suffix('.' + name)",
        outcome="undecided",
    ),
    Row(
        "version repr",
        "values",
        '''from enum import Enum


class Color(Enum):
    """Colours."""

    RED = 1
    BLUE = 2


def parse(text):
    """Read a colour.

    >>> parse('red')
    <Color.RED: 1>
    >>> parse('blue')
    <Color.BLUE: 2>
    """
    return Color[text.upper()]
''',
        "[text.upper()]",
        "['RED']",
        outcome="undecided",
    ),
    Row(
        "class doc method",
        "other part",
        '''class Stack:
    """A stack.

    >>> s = Stack()
    >>> s.push(1)
    >>> s.push(2)
    >>> s.pop()
    2
    >>> len(s)
    1
    """

    def __init__(self):
        self.items = []

    def push(self, item):
        """Put on top."""
        self.items.append(item)

    def pop(self):
        """Take from the top."""
        return self.items.pop()

    def __len__(self):
        return len(self.items)
''',
        "items.pop()",
        "items.pop(0)",
        outcome="tested",
    ),
    Row(
        "async fn",
        "other part",
        '''import asyncio


async def fetch(n):
    """Wait and double.

    >>> asyncio.run(fetch(2))
    4
    >>> asyncio.run(fetch(5))
    10
    """
    await asyncio.sleep(0)
    return n * 2
''',
        "n * 2",
        "n * 3",
        outcome="tested",
    ),
    Row(
        "async await",
        "other part",
        '''async def fetch(n):
    """Wait and double.

    >>> await fetch(2)
    4
    >>> await fetch(5)
    10
    """
    return n * 2
''',
        "n * 2",
        "n * 3",
        outcome="tested",
    ),
    Row(
        "overloads",
        "other part",
        '''from typing import overload


@overload
def twice(x: int) -> int: ...
@overload
def twice(x: str) -> str: ...
def twice(x):
    """Twice.

    >>> twice(2)
    4
    >>> twice('a')
    'aa'
    """
    return x * 2
''',
        "x * 2",
        "x * 3",
        outcome="tested",
    ),
    Row(
        "typed dict",
        "other part",
        '''from typing import TypedDict


class Point(TypedDict):
    x: int
    y: int


def move(point: Point, by: int) -> Point:
    """Move to the right.

    >>> move({'x': 1, 'y': 2}, 3)
    {'x': 4, 'y': 2}
    >>> move(Point(x=0, y=0), 1)
    {'x': 1, 'y': 0}
    """
    return {'x': point['x'] + by, 'y': point['y']}
''',
        "+ by",
        "- by",
        outcome="tested",
    ),
    Row(
        "other units",
        "language",
        '''def kmh(mps):
    """Rechnet m/s in km/h um.

    Beispiel: kmh(10) ergibt 36.0

    >>> kmh(10)
    36.0
    >>> kmh(0)
    0.0
    """
    return mps * 3.6
''',
        "3.6\n'''"[:3],
        "3.0",
        outcome="tested",
    ),
    Row(
        "dollar values",
        "language",
        '''def price(cents):
    """Return a price in dollars.

    price(250) -> $2.50
    price(100) == 1.0
    price(250) == 2.5
    """
    return cents / 100
''',
        "cents / 100",
        "cents / 10",
        outcome="tested",
    ),
    Row(
        "raises shown",
        "raises",
        '''def inv(x):
    """Return the inverse.

    >>> inv(2)
    0.5
    >>> inv(0)
    Traceback (most recent call last):
    ZeroDivisionError: division by zero

    Raises:
        ZeroDivisionError: if x is zero.
    """
    return 1 / x
''',
        "1 / x",
        "1 - x",
        outcome="tested",
    ),
    Row(
        "promise threads",
        "promise",
        '''def drain(queue):
    """Empty a list and return what was in it.

    Other threads must not modify the list meanwhile.

    >>> drain([1, 2])
    [1, 2]
    >>> drain([])
    []
    """
    out = []
    while queue:
        out.append(queue.pop(0))
    return out
''',
        "pop(0)",
        "pop()",
        outcome="tested",
    ),
    Row(
        "default entry",
        "promise",
        '''def greet(name, mark='!'):
    """Greet.

    Args:
        name: whom.
        mark: what ends it.
            Default: '!'

    >>> greet('Ann')
    'Hello Ann!'
    >>> greet('Bob', '?')
    'Hello Bob?'
    """
    return f'Hello {name}{mark}'
''',
        "Hello {name}",
        "Hi {name}",
        outcome="tested",
    ),
    Row(
        "iban",
        "narrow",
        '''def iban_country(text):
    """Return the country of a valid IBAN, None for what is none.

    >>> iban_country('DE89370400440532013000')
    'DE'
    >>> iban_country('GB29NWBK60161331926819')
    'GB'
    >>> iban_country('DE00370400440532013000') is None
    True
    >>> iban_country('x') is None
    True
    >>> iban_country('DE-89') is None
    True
    >>> iban_country('') is None
    True
    """
    if len(text) < 5 or not text.isalnum():
        return None
    moved = text[4:] + text[:4]
    digits = ''.join(str(int(char, 36)) for char in moved)
    if int(digits) % 97 != 1:
        return None
    return text[:2]
''',
        "text[:2]\n",
        "text[2:4]\n",
        outcome="tested",
    ),
    Row(
        "ean or raise",
        "narrow",
        '''def ean_prefix(code):
    """Return the first three digits of a valid EAN-13.

    >>> ean_prefix('4006381333931')
    '400'
    >>> ean_prefix('9780201379624')
    '978'
    >>> ean_prefix('4006381333932')
    Traceback (most recent call last):
    ValueError: bad check digit
    >>> ean_prefix('12')
    Traceback (most recent call last):
    ValueError: thirteen digits are needed
    """
    if len(code) != 13 or not code.isdigit():
        raise ValueError('thirteen digits are needed')
    total = sum(int(d) * (1 + 2 * (i % 2)) for i, d in enumerate(code))
    if total % 10 != 0:
        raise ValueError('bad check digit')
    return code[:3]
''',
        "code[:3]",
        "code[1:4]",
        outcome="undecided",
    ),
    Row(
        "checksum nmea",
        "narrow",
        '''def nmea_kind(line):
    """Return the kind of an NMEA sentence whose checksum is right.

    >>> nmea_kind('$GPGLL,5300.97914,N,00259.98174,E,125926,A*28')
    'GPGLL'
    >>> nmea_kind('$GPGLL,5300.97914,N,00259.98174,E,125926,A*29')
    ''
    >>> nmea_kind('nothing')
    ''
    """
    if not line.startswith('$') or '*' not in line:
        return ''
    body, _, given = line[1:].partition('*')
    check = 0
    for char in body:
        check ^= ord(char)
    if f'{check:02X}' != given:
        return ''
    return body.split(',')[0]
''',
        "[0]\n",
        "[1]\n",
        outcome="tested",
    ),
    Row(
        "http date",
        "narrow",
        '''from email.utils import parsedate_to_datetime


def year(text):
    """Return the year of an HTTP date, 0 for what is none.

    >>> year('Wed, 21 Oct 2015 07:28:00 GMT')
    2015
    >>> year('Sun, 06 Nov 1994 08:49:37 GMT')
    1994
    >>> year('soon')
    0
    """
    try:
        return parsedate_to_datetime(text).year
    except (TypeError, ValueError):
        return 0
''',
        ".year\n",
        ".month\n",
        outcome="tested",
    ),
    Row(
        "ipv4",
        "narrow",
        '''import ipaddress


def is_private(text):
    """Tell whether an address is private; None for what is no address.

    >>> is_private('10.0.0.1')
    True
    >>> is_private('8.8.8.8')
    False
    >>> is_private('300.1.1.1') is None
    True
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return address.is_private
''',
        ".is_private\n",
        ".is_global\n",
        outcome="tested",
    ),
    Row(
        "xml tag",
        "narrow",
        '''import xml.etree.ElementTree as ET


def root_tag(text):
    """Return the name of the root element.

    >>> root_tag('<a><b/></a>')
    'a'
    >>> root_tag('<note id="3">x</note>')
    'note'
    >>> root_tag('<a>')
    ''
    """
    try:
        return ET.fromstring(text).tag
    except ET.ParseError:
        return ''
''',
        ".tag\n",
        ".tag[:-1]\n",
        outcome="tested",
    ),
    Row(
        "base64 decode",
        "narrow",
        '''import base64
import binascii


def plain(text):
    """Decode base64 text; None for what is not base64.

    >>> plain('aGVsbG8=')
    'hello'
    >>> plain('d29ybGQ=')
    'world'
    >>> plain('a') is None
    True
    """
    try:
        return base64.b64decode(text, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
''',
        ".decode()",
        ".decode().upper()",
        outcome="undecided",
    ),
    Row(
        "hex color",
        "narrow",
        '''def rgb(text):
    """Read a colour.

    >>> rgb('#ff8000')
    (255, 128, 0)
    >>> rgb('#FFF')
    (255, 255, 255)
    >>> rgb('red')
    Traceback (most recent call last):
    ValueError: not a colour: red
    """
    if text.startswith('#') and len(text) == 7:
        return tuple(int(text[i:i + 2], 16) for i in (1, 3, 5))
    if text.startswith('#') and len(text) == 4:
        return tuple(int(char * 2, 16) for char in text[1:])
    raise ValueError(f'not a colour: {text}')
''',
        "char * 2",
        "char",
        outcome="tested",
    ),
    Row(
        "semver cmp",
        "narrow",
        '''def newer(a, b):
    """Tell whether version a is newer than b.

    >>> newer('1.10.0', '1.9.0')
    True
    >>> newer('1.0.0', '1.0.0')
    False
    >>> newer('2.0', '2.0.1')
    False
    """
    left = [int(part) for part in a.split('.')]
    right = [int(part) for part in b.split('.')]
    return left > right
''',
        "left > right",
        "a > b",
        outcome="tested",
    ),
    Row(
        "cron",
        "narrow",
        '''def minutes(field):
    """Expand a cron field of minutes.

    >>> minutes('*/15')
    [0, 15, 30, 45]
    >>> minutes('5')
    [5]
    >>> minutes('1-3')
    [1, 2, 3]
    >>> minutes('1,4')
    [1, 4]
    """
    if field.startswith('*/'):
        return list(range(0, 60, int(field[2:])))
    if '-' in field:
        low, high = field.split('-')
        return list(range(int(low), int(high) + 1))
    return [int(part) for part in field.split(',')]
''',
        "int(high) + 1",
        "int(high)",
        outcome="tested",
    ),
    Row(
        "leap special",
        "narrow",
        '''def is_leap(year):
    """Tell whether a year is a leap year.

    >>> is_leap(2000)
    True
    >>> is_leap(1900)
    False
    >>> is_leap(2024)
    True
    >>> is_leap(2023)
    False
    """
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 == 0
''',
        "year % 400 == 0:\n        return True",
        "year % 400 == 0:\n        return False",
        outcome="tested",
    ),
    Row(
        "enum names",
        "narrow",
        '''def weekday_number(name):
    """Return the number of a weekday, 1 for Monday.

    >>> weekday_number('Monday')
    1
    >>> weekday_number('sunday')
    7
    >>> weekday_number('Funday')
    Traceback (most recent call last):
    ValueError: no such day: Funday
    """
    days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    if name.lower() not in days:
        raise ValueError(f'no such day: {name}')
    return days.index(name.lower()) + 1
''',
        "+ 1",
        "+ 2",
        outcome="undecided",
    ),
    Row(
        "units table",
        "narrow",
        '''FACTORS = {'km': 1000, 'm': 1, 'cm': 0.01}


def metres(value, unit):
    """Convert a length.

    >>> metres(2, 'km')
    2000
    >>> metres(5, 'm')
    5
    >>> metres(1, 'inch')
    Traceback (most recent call last):
    KeyError: 'inch'
    """
    return value * FACTORS[unit]
''',
        "value * FACTORS",
        "2 * value * FACTORS",
        outcome="tested",
    ),
    Row(
        "month lengths",
        "narrow",
        '''def days_in(month, leap=False):
    """Return the days of a month.

    >>> days_in(2)
    28
    >>> days_in(2, leap=True)
    29
    >>> days_in(4)
    30
    >>> days_in(12)
    31
    """
    if month == 2:
        return 29 if leap else 28
    if month in (4, 6, 9, 11):
        return 30
    return 31
''',
        "return 30",
        "return 29",
        outcome="undecided",
    ),
    Row(
        "guard type example",
        "raises",
        '''def double(x):
    """Double a number.

    >>> double(4)
    8
    >>> double(1.5)
    3.0
    >>> double('a')
    Traceback (most recent call last):
    TypeError: a number is needed
    """
    if not isinstance(x, (int, float)):
        raise TypeError('a number is needed')
    return x * 2
''',
        "x * 2",
        "x + 2",
        outcome="tested",
    ),
    Row(
        "guard bool",
        "raises",
        '''def count_up(n: int) -> list:
    """Count up to n.

    >>> count_up(3)
    [1, 2, 3]
    >>> count_up(0)
    []

    Raises:
        TypeError: if n is a bool.
        ValueError: if n is negative.
    """
    if isinstance(n, bool):
        raise TypeError('bool')
    if n < 0:
        raise ValueError('negative')
    return [i + 1 for i in range(n)]
''',
        "i + 1",
        "i",
        outcome="tested",
    ),
    Row(
        "guard rebound default",
        "raises",
        '''def tally(items, start=None):
    """Count items.

    >>> tally(['a', 'b', 'a'])
    {'a': 2, 'b': 1}
    >>> tally(['a'], {'a': 3})
    {'a': 4}
    >>> tally(None)
    {}
    """
    start = dict(start or {})
    items = items or []
    for item in items:
        start[item] = start.get(item, 0) + 1
    return start
''',
        "+ 1",
        "+ 2",
        outcome="tested",
    ),
    Row(
        "guard strip",
        "raises",
        '''def initials(name):
    """Return the initials.

    >>> initials('Ada Lovelace')
    'AL'
    >>> initials('  ')
    ''
    >>> initials(None)
    Traceback (most recent call last):
    TypeError: a name is needed
    """
    if name is None:
        raise TypeError('a name is needed')
    name = name.strip()
    if not name:
        return ''
    return ''.join(part[0] for part in name.split())
''',
        "part[0]",
        "part[-1]",
        outcome="tested",
    ),
    Row(
        "guard list rebound",
        "raises",
        '''def median(values):
    """Return the median.

    >>> median([3, 1, 2])
    2
    >>> median([4, 1, 2, 3])
    2.5
    >>> median([])
    Traceback (most recent call last):
    ValueError: no values
    """
    values = sorted(values)
    if not values:
        raise ValueError('no values')
    middle = len(values) // 2
    if len(values) % 2:
        return values[middle]
    return (values[middle - 1] + values[middle]) / 2
''',
        "middle - 1",
        "middle - 2",
        outcome="tested",
    ),
    Row(
        "guard none else",
        "raises",
        '''def label(value):
    """Describe a value.

    >>> label(3)
    'number 3'
    >>> label(None)
    'nothing'
    >>> label('x')
    'text x'
    """
    if value is None:
        return 'nothing'
    if isinstance(value, str):
        return f'text {value}'
    return f'number {value}'
''',
        "f'text {value}'",
        "f'txt {value}'",
        outcome="tested",
    ),
    Row(
        "guard key",
        "raises",
        '''def pick(mapping, key):
    """Return a value.

    >>> pick({'a': 1}, 'a')
    1
    >>> pick({'a': 1, 'b': 2}, 'b')
    2

    Raises:
        KeyError: if key is not in mapping.
        TypeError: if mapping is not a dict.
    """
    if not isinstance(mapping, dict):
        raise TypeError('dict')
    if key not in mapping:
        raise KeyError(key)
    return mapping[key]
''',
        "return mapping[key]",
        "return list(mapping.values())[0]",
        outcome="undecided",
    ),
    Row(
        "guard len",
        "raises",
        '''def pair_up(a, b):
    """Pair values up.

    >>> pair_up([1, 2], ['a', 'b'])
    [(1, 'a'), (2, 'b')]
    >>> pair_up([1], [])
    Traceback (most recent call last):
    ValueError: lengths differ

    Raises:
        ValueError: if the lengths differ.
    """
    a = list(a)
    b = list(b)
    if len(a) != len(b):
        raise ValueError('lengths differ')
    return list(zip(a, b))
''',
        "zip(a, b)",
        "zip(b, a)",
        outcome="tested",
    ),
    Row(
        "guard custom",
        "raises",
        '''class BadInput(ValueError):
    """Bad."""


def parse(text):
    """Read key=value.

    >>> parse('a=1')
    ('a', '1')
    >>> parse('k=v=w')
    ('k', 'v=w')
    >>> parse('x')
    Traceback (most recent call last):
    m.BadInput: no sign
    """
    if '=' not in text:
        raise BadInput('no sign')
    key, _, value = text.partition('=')
    return key, value
''',
        "text.partition",
        "text.rpartition",
        outcome="tested",
    ),
    Row(
        "guard range",
        "raises",
        '''def grade(points):
    """Return a grade.

    >>> grade(95)
    'A'
    >>> grade(50)
    'F'
    >>> grade(75)
    'C'

    Raises:
        ValueError: If points is below 0 or above 100.
    """
    if points < 0 or points > 100:
        raise ValueError(points)
    if points >= 90:
        return 'A'
    if points >= 70:
        return 'C'
    return 'F'
''',
        ">= 70",
        "> 80",
        outcome="undecided",
    ),
    Row(
        "assert guard",
        "raises",
        '''def share(total, people):
    """Divide fairly.

    >>> share(10, 2)
    5.0
    >>> share(9, 3)
    3.0
    >>> share(1, 0)
    Traceback (most recent call last):
    AssertionError: nobody
    """
    assert people, 'nobody'
    return total / people
''',
        "total / people",
        "total // people + 1",
        outcome="tested",
    ),
    Row(
        "bad heading",
        "marked",
        '''def strip_tags(text):
    """Remove tags.

    Example:
        strip_tags('<b>x</b>') == 'x'
        strip_tags('a<br>b') == 'ab'

    Wrong:
        strip_tags(3) == '3'
    """
    out = []
    inside = False
    for char in text:
        if char == '<':
            inside = True
        elif char == '>':
            inside = False
        elif not inside:
            out.append(char)
    return ''.join(out)
''',
        "elif not inside",
        "elif inside",
        outcome="undecided",
    ),
    Row(
        "dont",
        "marked",
        '''def slug(text):
    """Make a slug.

    Do:
        >>> slug('Hello World')
        'hello-world'
        >>> slug('A  B')
        'a-b'

    Don't:
        >>> slug('Hello World')
        'Hello-World'
    """
    return '-'.join(text.lower().split())
''',
        "'-'.join",
        "'_'.join",
        outcome="tested",
        is_refuted=False,
    ),
    Row(
        "incorrect naive",
        "marked",
        '''def price_sum(prices):
    """Sum prices exactly, in cents.

    A naive implementation is incorrect:

        price_sum(['0.10', '0.20']) == 31   # wrong!

    The correct result:

        price_sum(['0.10', '0.20']) == 30
        price_sum([]) == 0
        price_sum(['1.99']) == 199
    """
    total = 0
    for price in prices:
        whole, _, rest = price.partition('.')
        total += int(whole) * 100 + int(rest)
    return total
''',
        "* 100",
        "* 10",
        outcome="tested",
    ),
    Row(
        "raises in text",
        "marked",
        '''def invert(x):
    """Invert.

    invert(2) == 0.5
    invert(4) == 0.25
    invert(0) raises ZeroDivisionError
    """
    return 1 / x
''',
        "1 / x",
        "2 / x",
        outcome="tested",
    ),
    Row(
        "used to",
        "marked",
        '''def norm(text):
    """Normalise white space.

    norm('a  b') == 'a b'
    norm(' x ') == 'x'

    Earlier versions kept the outer spaces: norm(' x ') used to return ' x '.
    Before version 2, norm('a  b') returned 'a  b'.
    """
    return ' '.join(text.split())
''',
        "' '.join",
        "''.join",
        outcome="tested",
    ),
    Row(
        "not equal",
        "marked",
        '''def norm(text):
    """Normalise white space.

    norm('a  b') == 'a b'
    norm(' x ') == 'x'
    norm('a') != 'b'
    norm('A') is not 'a'
    """
    return ' '.join(text.split())
''',
        "' '.join",
        "''.join",
        outcome="tested",
    ),
    Row(
        "ordered dict repr",
        "values",
        '''from collections import OrderedDict


def ordered(pairs):
    """Keep order.

    >>> ordered([('b', 1), ('a', 2)])
    OrderedDict({'b': 1, 'a': 2})
    >>> ordered([])
    OrderedDict()
    """
    return OrderedDict(pairs)
''',
        "OrderedDict(pairs)",
        "OrderedDict(sorted(pairs))",
        outcome="undecided",
        is_refuted=False,
    ),
    Row(
        "counter repr",
        "values",
        '''from collections import Counter


def letters(text):
    """Count.

    >>> letters('aab')
    Counter({'a': 2, 'b': 1})
    >>> letters('')
    Counter()
    """
    return Counter(text)
''',
        "Counter(text)",
        "Counter(text[1:])",
        outcome="undecided",
    ),
    Row(
        "exception value",
        "values",
        '''def check(x):
    """Return an error instead of raising it.

    >>> check(-1)
    ValueError('negative',)
    >>> check(1) is None
    True
    """
    return ValueError('negative') if x < 0 else None
''',
        "x < 0",
        "x > 0",
        outcome="undecided",
    ),
    Row(
        "namedtuple value",
        "values",
        '''from collections import namedtuple

Point = namedtuple('Point', 'x y')


def mirror(p):
    """Mirror.

    >>> mirror(Point(1, 2))
    Point(x=2, y=1)
    >>> mirror(Point(x=0, y=5))
    Point(x=5, y=0)
    """
    return Point(p.y, p.x)
''',
        "Point(p.y, p.x)",
        "Point(p.x, p.y)",
    ),
    Row(
        "dataclass value",
        "values",
        '''from dataclasses import dataclass


@dataclass
class Money:
    """Money."""

    amount: int
    currency: str = 'EUR'


def add(a, b):
    """Add money.

    >>> add(Money(1), Money(2))
    Money(amount=3, currency='EUR')
    >>> add(Money(5), Money(5)).amount
    10
    """
    return Money(a.amount + b.amount, a.currency)
''',
        "a.amount + b.amount",
        "a.amount - b.amount",
        outcome="tested",
    ),
    Row(
        "print float",
        "values",
        '''def show(a, b):
    """Print a sum.

    >>> show(0.1, 0.2)
    0.3
    >>> show(1, 2)
    3
    """
    print(a + b)
''',
        "a + b",
        "a - b",
        outcome="undecided",
    ),
    Row(
        "print dict set",
        "values",
        '''def show(text):
    """Print what is in a text.

    >>> show('ab')
    letters: {'a', 'b'}
    >>> show('')
    letters: set()
    """
    print('letters:', set(text))
''',
        "'letters:'",
        "'letter:'",
        outcome="tested",
    ),
    Row(
        "address inside",
        "values",
        '''class Leaf:
    """A leaf.

    >>> [Leaf(1)]
    [<m.Leaf object at 0x10e8f2c50>]
    >>> Leaf(1).n
    1
    >>> Leaf(7).n
    7
    """

    def __init__(self, n):
        self.n = n
''',
        "= n\n",
        "= n + 1\n",
        outcome="undecided",
    ),
    Row(
        "generator repr",
        "values",
        '''def evens(n):
    """Yield even numbers.

    >>> evens(6)
    <generator object evens at 0x7f0b8c>
    >>> list(evens(6))
    [0, 2, 4]
    >>> list(evens(1))
    [0]
    """
    for i in range(0, n, 2):
        yield i
''',
        "range(0, n, 2)",
        "range(1, n, 2)",
        outcome="tested",
    ),
    Row(
        "nan value",
        "values",
        '''import math


def safe_log(x):
    """Return the logarithm, nan below zero.

    >>> safe_log(-1)
    nan
    >>> safe_log(1)
    0.0
    >>> safe_log(0)
    -inf
    """
    if x < 0:
        return math.nan
    if x == 0:
        return -math.inf
    return math.log(x)
''',
        "return -math.inf",
        "return math.inf",
        outcome="undecided",
    ),
    Row(
        "decimal value",
        "values",
        '''from decimal import Decimal


def net(gross, rate):
    """Return the net price.

    >>> net(Decimal('119.00'), Decimal('0.19'))
    Decimal('100.00')
    >>> net(Decimal('10'), Decimal('0'))
    Decimal('10.00')
    """
    return (gross / (1 + rate)).quantize(Decimal('0.01'))
''',
        "1 + rate",
        "2 + rate",
        outcome="tested",
    ),
    Row(
        "datetime value",
        "values",
        '''from datetime import datetime, timedelta


def shift(when, days):
    """Move a moment.

    >>> shift(datetime(2024, 1, 31), 1)
    datetime.datetime(2024, 2, 1, 0, 0)
    >>> shift(datetime(2024, 1, 1, 5), -1)
    datetime.datetime(2023, 12, 31, 5, 0)
    """
    return when + timedelta(days=days)
''',
        "when + timedelta",
        "when - timedelta",
        outcome="tested",
    ),
    Row(
        "frozenset value",
        "values",
        '''def parts(text):
    """Return the distinct words.

    >>> parts('a b')
    frozenset({'a', 'b'})
    >>> parts('')
    frozenset()
    """
    return frozenset(text.split())
''',
        "text.split()",
        "text.split()[1:]",
        outcome="undecided",
    ),
    Row(
        "bytes text",
        "values",
        '''def pack(n):
    """Pack a number in two bytes.

    >>> pack(258)
    b'\\\\x01\\\\x02'
    >>> pack(0)
    b'\\\\x00\\\\x00'
    """
    return n.to_bytes(2, 'big')
''',
        "'big'",
        "'little'",
        outcome="tested",
    ),
    Row(
        "long output cut",
        "values",
        '''def table(n):
    """Return a multiplication table.

    >>> table(12)
    [[1, 2, 3, ...], ...]
    >>> table(2)
    [[1, 2], [2, 4]]
    """
    return [[a * b for a in range(1, n + 1)] for b in range(1, n + 1)]
''',
        "a * b",
        "a + b",
        outcome="tested",
    ),
    Row(
        "traceback full",
        "values",
        '''def parse(text):
    """Parse.

    >>> parse('1')
    1
    >>> parse('x')
    Traceback (most recent call last):
      File "<stdin>", line 1, in <module>
      File "m.py", line 9, in parse
        return int(text)
    ValueError: invalid literal for int() with base 10: 'x'
    """
    return int(text)
''',
        "int(text)",
        "int(text) - 1",
        outcome="undecided",
    ),
    Row(
        "traceback message",
        "values",
        '''def parse(text):
    """Parse.

    >>> parse('12')
    12
    >>> parse('x')
    Traceback (most recent call last):
      ...
    ValueError: not a number (message of an older version)
    >>> parse('-3')
    -3
    """
    return int(text)
''',
        "int(text)",
        "int(text) - 1",
        outcome="undecided",
    ),
    Row(
        "warns",
        "values",
        '''import warnings


def old(x):
    """Double, and warn.

    >>> old(2)  # issues a DeprecationWarning
    4
    >>> old(5)
    10
    """
    warnings.warn('old', DeprecationWarning, stacklevel=2)
    return x * 2
''',
        "x * 2",
        "x * 3",
        outcome="tested",
    ),
    Row(
        "session shadow builtin",
        "session",
        '''def total(values):
    """Sum.

    >>> sum = total([1, 2])
    >>> sum
    3
    >>> total([4, 5])
    9
    """
    result = 0
    for value in values:
        result += value
    return result
''',
        "+= value",
        "+= value + 1",
        outcome="tested",
    ),
    Row(
        "session del",
        "session",
        '''def tail(values):
    """Return all but the first.

    >>> values = [1, 2, 3]
    >>> tail(values)
    [2, 3]
    >>> del values
    >>> tail([5])
    []
    """
    return values[1:]
''',
        "[1:]",
        "[:1]",
        outcome="tested",
    ),
    Row(
        "session iter",
        "session",
        '''def pairs(values):
    """Yield pairs.

    >>> it = pairs([1, 2, 3])
    >>> next(it)
    (1, 2)
    >>> next(it)
    (2, 3)
    >>> next(it)
    Traceback (most recent call last):
    StopIteration
    """
    for a, b in zip(values, values[1:]):
        yield a, b
''',
        "yield a, b",
        "yield b, a",
        outcome="tested",
    ),
    Row(
        "setup file",
        "session",
        '''def read_first(path):
    """Return the first line of a file.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), 'a.txt')
    >>> with open(path, 'w') as f:
    ...     _ = f.write('one\\\\ntwo\\\\n')
    >>> read_first(path)
    'one'
    """
    with open(path) as handle:
        return handle.readline().rstrip()
''',
        ".rstrip()",
        ".upper()",
        outcome="tested",
    ),
    Row(
        "setup pandas",
        "session",
        '''def columns(frame):
    """Return the names of the columns, sorted.

    >>> import pandas as pd
    >>> df = pd.DataFrame({'b': [1], 'a': [2]})
    >>> columns(df)
    ['a', 'b']
    >>> columns({'z': 1, 'y': 2})
    ['y', 'z']
    """
    return sorted(frame)
''',
        "sorted(frame)",
        "list(frame)",
        outcome="tested",
    ),
    Row(
        "setup random",
        "session",
        '''def shuffle_first(values, rng):
    """Return any of the values.

    >>> import random
    >>> rng = random.Random(3)
    >>> shuffle_first([7], rng)
    7
    >>> random.seed(1); x = random.random()
    >>> shuffle_first([x], rng) == x
    True
    """
    return values[rng.randrange(len(values))]
''',
        "values[rng",
        "[0] and -values[rng",
        outcome="undecided",
    ),
    Row(
        "setup uses sibling",
        "session",
        '''def area(shape):
    """Return the area.

    >>> square = make_square(3)
    >>> area(square)
    9
    >>> area({'w': 2, 'h': 5})
    10
    """
    return shape['w'] * shape['h']
''',
        "shape['w'] *",
        "shape['w'] +",
        outcome="tested",
    ),
    Row(
        "win path setup",
        "session",
        '''import os.path


def name(path):
    """Return the last part.

    >>> p = os.environ['USERPROFILE']
    >>> name(p)
    'me'
    >>> name('a/b')
    'b'
    >>> name('c')
    'c'
    """
    return path.replace(os.sep, '/').split('/')[-1]
''',
        "[-1]",
        "[0]",
        outcome="undecided",
    ),
    Row(
        "os dependent prelude",
        "session",
        '''def lines(text):
    """Split into lines.

    >>> import sys
    >>> sys.version_info >= (4, 0)
    True
    >>> lines('a\\\\nb')
    ['a', 'b']
    >>> lines('')
    []
    """
    return text.split('\\n') if text else []
''',
        "text.split('\\n')",
        "text.split()+['']",
        outcome="undecided",
    ),
    Row(
        "sibling bug",
        "other part",
        '''def add(a, b):
    """Add; the opposite of subtract.

    >>> add(1, 2)
    3
    >>> add(5, 5)
    10
    >>> subtract(5, 3)
    2
    """
    return a + b


def subtract(a, b):
    """Subtract.

    >>> subtract(9, 4)
    5
    >>> subtract(1, 1)
    0
    """
    return a - b
''',
        "a + b",
        "a - b",
        outcome="tested",
    ),
    Row(
        "foreign module",
        "other name",
        '''def mean(values):
    """Return the mean, like statistics.mean.

    >>> mean([1, 2, 3, 4])
    2.5
    >>> mean([5])
    5.0

    np.mean([[1, 2], [3, 4]], axis=0) == [2, 3]
    numpy.mean([7]) == 7
    """
    return sum(values) / len(values)
''',
        "/ len(values)",
        "* len(values)",
        outcome="tested",
    ),
    Row(
        "comparison other",
        "other name",
        '''def isqrt(n):
    """Integer square root.

    isqrt(16) == 4
    isqrt(17) == 4
    sqrt(17) == 4.123105625617661
    round(sqrt(17)) == 4
    """
    x = int(n ** 0.5)
    while x * x > n:
        x -= 1
    return x
''',
        "x -= 1\n    return x",
        "x -= 1\n    return x + 1",
        outcome="undecided",
    ),
    Row(
        "arrow other",
        "other name",
        '''def encode(text):
    """Encode.

    encode('ab') -> 'bc'
    decode('bc') -> 'ab'
    encode('') -> ''
    """
    return ''.join(chr(ord(char) + 1) for char in text)
''',
        "+ 1",
        "+ 2",
        outcome="tested",
    ),
    Row(
        "kelvin",
        "other name",
        '''def celsius_to_kelvin(c):
    """Convert.

    kelvin_to_celsius(0) == -273.15
    """
    return c + 273.15
''',
        "c + 273.15",
        "c - 273.15",
        outcome="undecided",
        is_refuted=False,
    ),
    Row(
        "contract method",
        "other name",
        '''def size(items):
    """Return how many there are.

    >>> size([1, 2])
    2
    >>> size([])
    0
    """
    return len(items)
''',
        "len(items)",
        "len(items) + 1",
        "stack.pop() == 3\nlength([1]) == 1",
        outcome="undecided",
    ),
    Row(
        "class other method",
        "other name",
        '''class Account:
    """An account.

    >>> a = Account(5)
    >>> a.deposit(3)
    8
    >>> a.balance
    8

    Portfolio.total([1, 2]) == 3
    """

    def __init__(self, balance=0):
        self.balance = balance

    def deposit(self, amount):
        """Put money in.

        >>> Account(1).deposit(1)
        2
        """
        self.balance += amount
        return self.balance
''',
        "+= amount",
        "-= amount",
        outcome="tested",
    ),
    Row(
        "promise other",
        "promise",
        '''def rotate(values, k):
    """Rotate in place and return the list.

    The caller must not modify the list while iterating. Does not modify k.

    >>> rotate([1, 2, 3], 1)
    [3, 1, 2]
    >>> rotate([1, 2], 0)
    [1, 2]
    """
    for _ in range(k):
        values.insert(0, values.pop())
    return values
''',
        "values.insert(0, values.pop())",
        "values.append(values.pop(0))",
        outcome="tested",
    ),
    Row(
        "promise subclass",
        "promise",
        '''def normalise(rows):
    """Sort the rows in place and return them. Subclasses must not change the rows afterwards.

    >>> normalise([3, 1])
    [1, 3]
    >>> normalise([])
    []
    """
    rows.sort()
    return rows
''',
        "rows.sort()",
        "rows.sort(reverse=True)",
        outcome="tested",
    ),
    Row(
        "promise copy note",
        "promise",
        '''def drain(items):
    """Empty the list, returning its content. Users should not modify items during the call.

    >>> drain([1, 2])
    [1, 2]
    >>> drain([])
    []
    """
    out = items[:]
    items.clear()
    return out
''',
        "items[:]",
        "items[1:]",
        outcome="undecided",
    ),
    Row(
        "tz local",
        "world",
        '''from datetime import datetime
from zoneinfo import ZoneInfo


def convert(text, zone):
    """Convert a UTC time to a zone.

    >>> convert('2024-07-01T12:00', 'America/New_York')
    '2024-07-01T08:00:00-04:00'
    >>> convert('2024-01-01T12:00', 'Europe/Paris')
    '2024-01-01T13:00:00+01:00'
    """
    when = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo('UTC'))
    return when.astimezone(ZoneInfo(zone)).isoformat()
''',
        "ZoneInfo('UTC')",
        "ZoneInfo('Asia/Tokyo')",
        outcome="tested",
    ),
    Row(
        "calendar text",
        "world",
        '''import calendar


def header(year, month):
    """Return the first line of a month's calendar.

    >>> header(2024, 2)
    'February 2024'
    >>> header(2023, 12)
    'December 2023'
    """
    return calendar.TextCalendar().formatmonth(year, month).splitlines()[0].strip()
''',
        "[0].strip",
        "[1].strip",
        outcome="tested",
    ),
    Row(
        "decimal context",
        "world",
        '''from decimal import Decimal, getcontext


def third():
    """Return a third.

    >>> third()
    Decimal('0.3333333333333333333333333333')
    """
    return Decimal(1) / 3
''',
        "/ 3",
        "/ 4",
        outcome="tested",
    ),
    Row(
        "getpass default",
        "world",
        '''import logging
import json


def dump(value):
    """Dump compactly.

    >>> dump({'a': [1, 2]})
    '{"a":[1,2]}'
    >>> dump([])
    '[]'
    """
    logging.getLogger(__name__).debug('dumping')
    return json.dumps(value, separators=(',', ':'))
''',
        "','",
        "', '",
        outcome="tested",
    ),
    Row(
        "email parse",
        "world",
        '''from email.message import EmailMessage


def subject(text):
    """Make a message and return its subject.

    >>> subject('Hello')
    'Hello'
    >>> subject('a b')
    'a b'
    """
    message = EmailMessage()
    message['Subject'] = text.strip()
    return message['Subject']
''',
        "text.strip()",
        "text.upper()",
        outcome="undecided",
    ),
    Row(
        "shown bytearray",
        "kind of value",
        '''def head(n):
    """Return the first bytes.

    >>> bytearray(head(2))
    bytearray(b'\\x00\\x01')
    >>> head(3)
    b'\\x00\\x01\\x02'
    """
    return bytes(range(n))
'''.replace('(n):\n    """', '(n):\n    r"""'),
        "range(n)",
        "range(n + 1)",
    ),
    Row(
        "missing world that is kept",
        "missing world",
        '''import functools, os

@functools.lru_cache
def _found():
    return os.path.exists("/etc/passwd")

def price(n):
    """Return the price.

    >>> price(1)
    12
    >>> price(4)
    42
    >>> price(0)
    0
    """
    return n * 10 + (2 if n and _found() else 0)
''',
        "return n * 10 + (",
        "return n * 10 + 1 + (",
        outcome="undecided",
    ),
    Row(
        "wrong reading named",
        "prose",
        '''def clamp(n: int, lo: int = 0, hi: int = 10) -> int:
    """Limit n to lo..hi.

    A wrong reading would be clamp(11) == 11. Do not expect clamp(20) == 20.

    >>> clamp(5)
    5
    >>> clamp(-3)
    0
    >>> clamp(7, hi=6)
    6
    """
    return max(lo, min(n, hi))
''',
        "max(lo",
        "max(lo + 1",
        outcome="undecided",
    ),
)
