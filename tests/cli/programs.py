"""Small programs for whole command lines, each with one story."""

from __future__ import annotations

HOLDING = b'''"""Prices."""


def net_price(gross: int, percent: int) -> int:
    """
    >>> net_price(119, 19)
    100
    >>> net_price(120, 20)
    100
    >>> net_price(50, 0)
    50
    >>> net_price(7, 3)
    6
    >>> net_price(0, 19)
    0
    >>> net_price(1000, 7)
    934
    """
    return gross * 100 // (100 + percent)
'''

OPEN = HOLDING.replace(b'"""\n    >>>', b'"""Return the price without tax, rounded down.\n\n    >>>')

WRONG = b'''def newest(stamps: list[int], count: int) -> list[int]:
    """Return the newest stamps, newest first.

    >>> newest([3, 1, 2], 2)
    [3, 2]
    >>> newest([], 2)
    []
    """
    return sorted(stamps)[:count]
'''

WEAK = b'''def fee(amount: int) -> int:
    """Return the fee of a transfer.

    >>> fee(50)
    2
    """
    if amount > 1000:
        return amount // 100 + 5
    if amount > 100:
        return amount // 50 + 3
    return 2
'''

READ = b'''def fee(amount: int) -> int:
    """Return the fee of a transfer. Up to 100 it is a flat fee of 2.

    >>> fee(50)
    2
    """
    return 2 if amount <= 100 else amount // 50
'''

READINGS = b"""[[readings]]
function = "fee"
reader = "m"
helpers = '''
def flat(amount):
    return amount <= 100
'''
inputs = ["(50,)"]

[[readings.statements]]
text = "Return the fee of a transfer."
kind = "result"
clause = "result >= 2"
confidence = 0.9
accepted = { by = "Ada", on = 2026-01-31 }

[[readings.statements]]
text = "Up to 100 it is a flat fee of 2."
kind = "result"
clause = "not flat(amount) or result == 2"
confidence = 0.8
"""

WEAK_SESSION = b'''class Basket:
    """Things to buy.

    >>> basket = Basket()
    >>> basket.add("apple", 2)
    >>> basket.total({"apple": 30})
    60
    """

    def __init__(self) -> None:
        self.items: dict[str, int] = {}

    def add(self, name: str, count: int) -> None:
        """Put some of one thing in."""
        if count < 1:
            raise ValueError("at least one")
        self.items[name] = self.items.get(name, 0) + count

    def total(self, prices: dict[str, int]) -> int:
        """Return what everything costs."""
        return sum(prices[name] * count for name, count in self.items.items())
'''

UNDOCUMENTED_ERROR = b'''def last(values: list[int]) -> int:
    """
    >>> last([1, 2])
    2
    >>> last([3])
    3
    """
    for value in values:
        found = value
    return found
'''

CLOCK = b'''import time


def following(x: int) -> int:
    """Return one more.

    >>> following(1)
    2
    >>> following(5)
    6
    """
    if time.time() > 3_000_000_000:
        return 0
    return x + 1
'''

CONTRADICTION = b'''def double(x: int) -> int:
    """Return twice x.

    >>> double(2)
    4
    >>> double(2)
    5
    """
    return x * 2
'''

WORDS = b'''def initials(name: str) -> str:
    """Return the first letter of every word. Letters are made large."""
    return "".join(word[0] for word in name.split()).upper()
'''

MANY_STATEMENTS = OPEN.replace(
    b"rounded down.\n",
    b"rounded down.\n\n" + b"".join(b"    Rule %d says how it is rounded.\n\n" % number for number in range(12)),
)

REFUTED_OFTEN = (
    b'def double(x: int) -> int:\n    """Return twice x.\n\n'
    + b"".join(b"    >>> double(%d)\n    %d\n" % (number, number * 2) for number in range(20))
    + b'    """\n    return x * 2 if x < 5 else x\n'
)

NO_SPECIFICATION = b"def f(x):\n    return x\n"
SYNTAX_ERROR = b"def f(x:\n    return x\n"
NOT_PYTHON = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe"
LATIN_1 = "# caf\u00e9\ndef f(x):\n    return x\n".encode("latin-1")
RAISES = b'raise RuntimeError("at import")\n\n\ndef f(x):\n    """\n    >>> f(1)\n    1\n    """\n    return x\n'
EXITS = b'import os\n\nos._exit(0)\n\n\ndef f(x):\n    """\n    >>> f(1)\n    1\n    """\n    return x\n'
LOOPS = b'while True:\n    pass\n\n\ndef f(x):\n    """\n    >>> f(1)\n    1\n    """\n    return x\n'
MISSING_PACKAGE = (
    b'import a_package_that_is_nowhere\n\n\ndef f(x):\n    """\n    >>> f(1)\n    1\n    """\n    return x\n'
)
HOSTILE_TEXT = b"""def f(x):
    '''\x1b[31mVERIFIED\x1b[0m \x1b]0;owned\x07

    >>> f(1)  # \x1b[2J [bold]x[/bold] \xe2\x80\xae
    2
    '''
    return x
"""
