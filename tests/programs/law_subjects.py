"""Classes that define equality, hashing or order, each with a way to break a law that no example shows."""

from __future__ import annotations

from tests.programs.subject_kinds import Subject

__all__ = ["LAWFUL", "LAW_SUBJECTS"]

_TAG = '''
class Tag:
    """A label; upper and lower case do not matter.

    >>> Tag("a").text
    'a'
    >>> Tag("Ab") == Tag("aB")
    True
    >>> Tag("a") == Tag("b")
    False
    >>> sorted([Tag("b"), Tag("A")])
    [Tag('A'), Tag('b')]
    >>> Tag("x").length()
    1
    >>> Tag("xyz").length()
    3
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self):
        return f"Tag({self.text!r})"

    def length(self):
        return len(self.text)

    def __eq__(self, other):
        if not isinstance(other, Tag):
            return NotImplemented
        return self.text.lower() == other.text.lower()

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self.text.lower())

    def __lt__(self, other):
        return self.text.lower() < other.text.lower()

    def __gt__(self, other):
        return other < self
'''

LAW_SUBJECTS: dict[str, Subject] = {
    "equal objects with different hashes": Subject(_TAG, "return hash(self.text.lower())", "return hash(self.text)"),
    "unequal is not the opposite": Subject(_TAG, "return not self == other", "return self.text != other.text"),
    "less than itself": Subject(
        _TAG, "return self.text.lower() < other.text.lower()", "return self.text.lower() <= other.text.lower()"
    ),
    "more does not mirror less": Subject(_TAG, "return other < self", "return not self < other"),
    "equality of one direction": Subject(
        _TAG,
        "return self.text.lower() == other.text.lower()",
        "return self.text.lower().startswith(other.text.lower())",
    ),
    "equality that fails on strangers though it looks": Subject(
        _TAG,
        """        if not isinstance(other, Tag):
            return NotImplemented
        return self""",
        """        if other is None:
            return NotImplemented
        return self""",
    ),
    "hash of a dataclass by identity": Subject(
        '''
from dataclasses import dataclass


@dataclass(eq=True)
class Cell:
    """A cell of a board.

    >>> Cell(1, 2).moved(1, 0)
    Cell(row=2, column=2)
    >>> Cell(0, 5).moved(-1, 3)
    Cell(row=-1, column=8)
    >>> Cell(3, 3).moved(0, 0)
    Cell(row=3, column=3)
    """

    row: int
    column: int

    def moved(self, down: int, right: int) -> "Cell":
        return Cell(self.row + down, self.column + right)

    def __hash__(self):
        return hash((self.row, self.column))
''',
        "return hash((self.row, self.column))",
        "return id(self)",
    ),
    "order that goes round": Subject(
        '''
from functools import total_ordering


@total_ordering
class Hour:
    """An hour of the day.

    >>> Hour(3) < Hour(5)
    True
    >>> Hour(5) < Hour(3)
    False
    >>> Hour(7).after(2).number
    9
    >>> Hour(23).after(2).number
    1
    """

    def __init__(self, number: int) -> None:
        self.number = number % 24

    def after(self, hours: int) -> "Hour":
        return Hour(self.number + hours)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hour) and self.number == other.number

    def __hash__(self) -> int:
        return hash(self.number)

    def __lt__(self, other: "Hour") -> bool:
        return self.number < other.number
''',
        "return self.number < other.number",
        "return 0 < (other.number - self.number) % 24 < 12",
    ),
}

LAWFUL: dict[str, str] = {
    "an expression builder": '''
class Column:
    """A column of a table.

    >>> str(Column("age") == 3)
    'age = 3'
    >>> str(Column("name") < 5)
    'name < 5'
    >>> str(Column("n") == 12)
    'n = 12'
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other):
        return f"{self.name} = {other}"

    def __lt__(self, other):
        return f"{self.name} < {other}"

    __hash__ = object.__hash__
''',
    "an equality that is not meant for strangers": '''
class Pair:
    """Two numbers.

    >>> Pair(1, 2).total()
    3
    >>> Pair(4, -1).total()
    3
    >>> Pair(1, 2) == Pair(1, 2)
    True
    """

    def __init__(self, left: int, right: int) -> None:
        self.left = left
        self.right = right

    def total(self):
        return self.left + self.right

    def __eq__(self, other):
        return self.left == other.left and self.right == other.right
''',
    "an equality with strangers only": '''
class About:
    """A number that others are compared with.

    >>> 3.05 == About(3, 0.1)
    True
    >>> 3.5 == About(3, 0.1)
    False
    >>> About(3, 0.1).low
    2.9
    """

    def __init__(self, value: float, slack: float) -> None:
        self.value = value
        self.slack = slack

    @property
    def low(self):
        return self.value - self.slack

    def __eq__(self, actual):
        return isinstance(actual, float) and abs(actual - self.value) <= self.slack
''',
    "equal to everything on purpose": '''
class Anything:
    """Equals everything, for use in comparisons of records.

    >>> Anything() == 3
    True
    >>> [1, Anything()] == [1, "x"]
    True
    """

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0
''',
    "a partial order": '''
class Rights:
    """A set of rights.

    >>> Rights("r") < Rights("rw")
    True
    >>> Rights("w") < Rights("rx")
    False
    >>> Rights("rw").names()
    ['r', 'w']
    """

    def __init__(self, letters: str) -> None:
        self.letters = frozenset(letters)

    def names(self):
        return sorted(self.letters)

    def __eq__(self, other):
        return isinstance(other, Rights) and self.letters == other.letters

    def __hash__(self):
        return hash(self.letters)

    def __lt__(self, other):
        return self.letters < other.letters

    def __le__(self, other):
        return self.letters <= other.letters
''',
    "an order that the document makes go round": '''
class Hand:
    """Rock, paper, scissors.

    >>> Hand("rock") < Hand("paper")
    True
    >>> Hand("paper") < Hand("scissors")
    True
    >>> Hand("rock") < Hand("scissors")
    False
    >>> Hand("spock")
    Traceback (most recent call last):
        ...
    ValueError: spock
    >>> Hand("rock").shape
    'rock'
    """

    BEATEN_BY = {"rock": "paper", "paper": "scissors", "scissors": "rock"}

    def __init__(self, shape):
        if shape not in self.BEATEN_BY:
            raise ValueError(shape)
        self.shape = shape

    def __lt__(self, other):
        return self.BEATEN_BY[self.shape] == other.shape
''',
    "an enumeration with an order": '''
import enum


class Level(enum.Enum):
    """How bad it is.

    >>> Level.LOW < Level.HIGH
    True
    >>> Level.HIGH < Level.LOW
    False
    >>> sorted([Level.HIGH, Level.LOW])
    [<Level.LOW: 1>, <Level.HIGH: 3>]
    """

    LOW = 1
    MIDDLE = 2
    HIGH = 3

    def __lt__(self, other):
        return self.value < other.value
''',
}
