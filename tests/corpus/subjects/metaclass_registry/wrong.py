"""Shapes that are read from text such as "square 2"."""

from __future__ import annotations


class _ShapeType(type):
    """Knows every shape by the lower-case name of its class; the class that has no base is none."""

    known: dict[str, _ShapeType] = {}

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, object]) -> _ShapeType:
        made = super().__new__(mcs, name, bases, body)
        mcs.known[name.lower()] = made
        return made


class Shape(metaclass=_ShapeType):
    """Something with an area.

    >>> Shape.read("square 3").area()
    9
    >>> Shape.read("Oblong 2 5").area()
    10
    >>> Shape.read("oblong 4").area()
    Traceback (most recent call last):
        ...
    TypeError: oblong needs 2 numbers
    >>> Shape.read("shape")
    Traceback (most recent call last):
        ...
    ValueError: no shape is called 'shape'
    """

    sides = 0

    def __init__(self, *numbers: int) -> None:
        if len(numbers) != self.sides:
            raise TypeError(f"{type(self).__name__.lower()} needs {self.sides} numbers")
        self.numbers = numbers

    @staticmethod
    def read(text: str) -> Shape:
        """Return the shape that a text describes."""
        name, *numbers = text.lower().split()
        if name not in _ShapeType.known:
            raise ValueError(f"no shape is called {name!r}")
        return _ShapeType.known[name](*map(int, numbers))


class Square(Shape):
    """Four equal sides.

    >>> Square(7).area()
    49
    >>> Square(7, 7)
    Traceback (most recent call last):
        ...
    TypeError: square needs 1 numbers
    """

    sides = 1

    def area(self) -> int:
        return self.numbers[0] ** 2


class Oblong(Shape):
    """Two pairs of sides.

    >>> Oblong(3, 0).area()
    0
    >>> Oblong(3, 7).area()
    21
    """

    sides = 2

    def area(self) -> int:
        return self.numbers[0] * self.numbers[1]
