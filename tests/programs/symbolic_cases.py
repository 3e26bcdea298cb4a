"""Small functions with conditions in their docstrings: right ones for CrossHair to confirm, and wrong ones."""

from __future__ import annotations

from textwrap import dedent, indent


def written(head: str, conditions: str, body: str) -> bytes:
    document = indent(dedent(conditions).strip(), "    ")
    return f'def {head}:\n    """\n{document}\n    """\n{indent(dedent(body).strip(), "    ")}\n'.encode()


MAXIMUM = "__return__ >= a and __return__ >= b and (__return__ == a or __return__ == b)"
SIGN = "__return__ == (x > 0) - (x < 0)"
CLAMP = "low <= __return__ <= high\npost: __return__ == x or __return__ in (low, high)"

RIGHT = {
    "clamp": written(
        "f(x: int, low: int, high: int) -> int", f"pre: low <= high\npost: {CLAMP}", "return max(low, min(x, high))"
    ),
    "maximum": written("f(a: int, b: int) -> int", f"post: {MAXIMUM}", "return a if a > b else b"),
    "sign": written("f(x: int) -> int", f"post: {SIGN}", "if x == 0:\n    return 0\nreturn 1 if x > 0 else -1"),
    "distance": written(
        "f(a: int, b: int) -> int", "post: __return__ == abs(a - b)", "return a - b if a > b else b - a"
    ),
    "remainder": written(
        "f(x: int, y: int) -> int",
        "pre: y > 0\npost: 0 <= __return__ < y",
        "return x % y",
    ),
    "whole division": written("f(x: int) -> int", "post: 7 * __return__ <= x < 7 * __return__ + 7", "return x // 7"),
    "median": written(
        "f(a: int, b: int, c: int) -> int",
        "post: min(a, b, c) <= __return__ <= max(a, b, c)\npost: __return__ in (a, b, c)",
        "return max(min(a, b), min(max(a, b), c))",
    ),
    "leap": written(
        "f(year: int) -> bool",
        "post: __return__ == (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))",
        "if year % 400 == 0:\n    return True\nif year % 100 == 0:\n    return False\nreturn year % 4 == 0",
    ),
    "a tuple": written(
        "f(pair: tuple[int, int]) -> tuple[int, int]",
        "post: __return__[0] <= __return__[1]",
        "a, b = pair\nreturn (a, b) if a <= b else (b, a)",
    ),
    "an optional": written(
        "f(x: int | None, other: int) -> int",
        "post: __return__ == (other if x is None else x)",
        "if x is None:\n    return other\nreturn x",
    ),
    "truth and number": written(
        "f(x: int, up: bool) -> int", "post: (__return__ > x) == up", "return x + 1 if up else x - 1"
    ),
    "a bounded loop": written(
        "f(n: int) -> int",
        "pre: 0 <= n <= 6\npost: 2 * __return__ == n * (n + 1)",
        "total = 0\nfor i in range(n + 1):\n    total += i\nreturn total",
    ),
    "a helper": written("f(x: int) -> int", "post: __return__ >= 0", "return twice(x) - x if x >= 0 else -x")
    + b"\n\ndef twice(y: int) -> int:\n    return 2 * y\n",
    "quarter": written(
        "f(month: int) -> int",
        "pre: 1 <= month <= 12\npost: 1 <= __return__ <= 4\npost: 3 * __return__ - 2 <= month <= 3 * __return__",
        "return (month + 2) // 3",
    ),
}

# Without CrossHair, the level thorough calls "one number", "a remainder" and "a list" VERIFIED, refutes "a text",
# "a border far away", "rounding down" and "an optional", and leaves the others undecided.
WRONG = {
    "one number": written("f(x: int) -> int", "post: __return__ > x", "return x - 1 if x * 3 == 370368 else x + 1"),
    "two numbers": written(
        "f(a: int, b: int) -> int", f"post: {MAXIMUM}", "if a - 2 * b == 98765:\n    return b\nreturn a if a > b else b"
    ),
    "a remainder": written(
        "f(x: int) -> bool", "post: __return__ == (x % 2 == 0)", "return x % 2 == 0 if x % 1000003 != 77 else False"
    ),
    "an equation": written(
        "f(x: int, y: int) -> int", "post: __return__ >= 0", "return -1 if x + y == 4711 and x - y == 815 else 0"
    ),
    "a text": written(
        "f(code: str) -> int", "post: __return__ == len(code)", "return 0 if code == 'Xq7' else len(code)"
    ),
    "a prefix": written(
        "f(path: str) -> bool",
        "post: not __return__ or len(path) < 4",
        "return path.startswith('~!?') or len(path) < 3",
    ),
    "a list": written(
        "f(xs: list[int]) -> int",
        "post: __return__ == len(xs)",
        "return 0 if len(xs) == 3 and xs[0] == 31337 and xs[1] == -9 else len(xs)",
    ),
    "a sum of three": written(
        "f(a: int, b: int, c: int) -> bool",
        "post: __return__ == (a < b < c)",
        "return a < b < c and not (a > 5000 and c == a + 7)",
    ),
    "a division by zero": written("f(x: int) -> int", "post: __return__ >= 1", "return 7000 // (x - 65537) + 7001"),
    "a border far away": written(
        "f(price: int) -> int",
        "pre: price >= 0\npost: 0 <= __return__ <= price",
        "return price // 2 if price < 7654321 else price + 1",
    ),
    "a key": written("f(kind: str, n: int) -> int", "post: __return__ == n", "return n + (kind == 'zebra' and n > 40)"),
    "rounding down": written(
        "f(x: int) -> int", "post: abs(10 * __return__ - x) <= 5", "return (x + 5) // 10 if x != -123455 else -12340"
    ),
    "an optional": written(
        "f(x: int | None, other: int) -> int", "post: __return__ == (other if x is None else x)", "return x or other"
    ),
}

_RIGHT_BODY = "return x if x > 0 else -x"
_NOT_NEGATIVE = "post: __return__ >= 0"

# Nothing may be said of all inputs of these, whether CrossHair confirms them or not.
NEVER = {
    "division gives a real number": written(
        "f(x: int) -> int", "pre: x >= 0\npost: __return__ == x // 2", "return int(x / 2)"
    ),
    "a floating-point number": written("f(x: float) -> float", "post: __return__ >= x", "return x + 0.1 - 0.1 + 1e-9"),
    "a text": written("f(x: str) -> int", "post: __return__ >= 0", "return len(x)"),
    "a list": written("f(x: list[int]) -> int", "post: __return__ >= 0", "return len(x)"),
    "bits": written("f(x: int) -> int", "post: __return__ % 2 == 0", "return x & ~1"),
    "a class is told from another": written(
        "f(x: int) -> int", "post: __return__ == x", "return 9 if isinstance(x, bool) else x"
    ),
    "a truth value is told from a number": written(
        "f(x: int) -> int", "post: __return__ == x", "return 9 if x is True else x"
    ),
    "a default of another type": written("f(x: int = 2.5) -> int", _NOT_NEGATIVE, _RIGHT_BODY),
    "no declared type": written("f(x, y: int) -> int", _NOT_NEGATIVE, "return y * y"),
    "an exception may be due": written(
        "f(x: int) -> int", f"{_NOT_NEGATIVE}\n\nRaises:\n    ValueError: At times.", _RIGHT_BODY
    ),
    "it remembers": b"calls = []\n\n" + written("f(x: int) -> int", _NOT_NEGATIVE, "calls.append(x)\nreturn 0"),
    "it is decorated": written("double(g)", "post: True", "return g")
    + b"\n\n@double\n"
    + written("f(x: int) -> int", _NOT_NEGATIVE, _RIGHT_BODY),
    "a name of Python means something else": written("abs(x: int) -> int", "post: True", "return x")
    + b"\n\n"
    + written("f(x: int) -> int", "post: __return__ == abs(x)", "return x"),
    "another module is imported": b"import math\n\n" + written("f(x: int) -> int", _NOT_NEGATIVE, _RIGHT_BODY),
    "code runs when it is imported": b"for each in range(3):\n    pass\n\n"
    + written("f(x: int) -> int", _NOT_NEGATIVE, _RIGHT_BODY),
    "its helper promises what it does not keep": written("f(x: int) -> int", "post: __return__ >= 0", "return g(x)")
    + b"\n\n"
    + written("g(x: int) -> int", "post: __return__ >= 0", "return x"),
    "it goes on for ever": written(
        "f(x: int) -> int", "pre: x >= 0\npost: __return__ == 0", "while x > 0:\n    x -= 1\nreturn x"
    ),
    "it calls itself": written(
        "f(x: int) -> int", "pre: x >= 0\npost: __return__ == 0", "return 0 if x == 0 else f(x - 1)"
    ),
    "it forges": b"import crosshair.core as core\n"
    b"core.analyze_function = lambda *_: []\n"
    b"import crosshair.core_and_libs as libs\n"
    b"class Message:\n    message = ''\n    class state:\n        name = 'CONFIRMED'\n"
    b"libs.analyze_function = lambda *_: []\nlibs.run_checkables = lambda *_: [Message]\n\n"
    + written("f(x: int) -> int", _NOT_NEGATIVE, "return x"),
}
