"""Files of which it is known, and files of which it is not, that an answer depends on nothing but the arguments."""

from __future__ import annotations

TYPES = """
from enum import Enum, Flag
from typing import Literal, Optional, Union
Side = Literal["left", "right"]
class Colour(Enum):
    RED = 1
    GREEN = 2
    BLUE = (3, 4)
    def shout(self):
        return self.name.upper()
class Right(Flag):
    READ = 1
    WRITE = 2
class Hidden(Enum):
    _ignore_ = ["each"]
    A = 1
    for each in range(3):
        locals()[f"B{each}"] = each
"""
ENUM = TYPES.partition("class Right")[0]

CLOSED = {
    "a plain assertion": (
        "def f(a: bool) -> bool:\n    assert isinstance(a, bool) and a is not None and a >= 0, 'a'\n    return a\n"
    ),
    "an enumeration": ENUM + "def f(a: Colour) -> bool:\n    return a is Colour.RED\n",
    "a table that a call makes": "def f(a: bool) -> int:\n    return {True: 1, False: 2}[a]\n",
    "a set that is asked what it contains": "def f(a: bool) -> bool:\n    return a in {True, None}\n",
    "another function": "def g(x):\n    return not x\ndef f(a: bool) -> bool:\n    return g(a)\n",
    "a table of constants": "SIZES = ((True, 1), (False, 2))\ndef f(a: bool) -> int:\n    return dict(SIZES)[a]\n",
    "a text": "def f(a: bool) -> str:\n    return f'{a}'.lower()\n",
    "a table that is gone through": (
        "def f(a: bool) -> int:\n    for k, v in {True: 1, False: 2}.items():\n        if k == a:\n"
        "            return v\n    return 0\n"
    ),
    "an error": "def f(a: bool) -> bool:\n    if a:\n        raise ValueError(a)\n    return a\n",
}
OPEN = {
    "chance": "import random\ndef f(a: bool) -> bool:\n    return a != (random.random() < 1e-3)\n",
    "a state": "_S = {'on': 0}\ndef f(a: bool) -> bool:\n    return a or bool(_S['on'])\n",
    "a global": "_on = 0\ndef on():\n    global _on\n    _on = 1\ndef f(a: bool) -> bool:\n    return a or bool(_on)\n",
    "the mode of the interpreter": "def f(a: bool) -> bool:\n    return a != (not __debug__)\n",
    "a default that is kept": "def f(a: bool, seen=[]) -> bool:\n    seen.append(a)\n    return len(seen) > 99\n",
    "an attribute": "def f(a: bool) -> bool:\n    f.n = getattr(f, 'n', 0) + 1\n    return a\n",
    "an attribute of a member": ENUM + "def f(a: Colour):\n    a.seen = True\n    return a\n",
    "a decorator": "def once(g):\n    return g\n@once\ndef f(a: bool) -> bool:\n    return a\n",
    "an order of a set": "def f(a: bool) -> str:\n    return next(iter({'x', 'y'}))\n",
    "a place in memory": "def f(a: bool) -> bool:\n    return str(map(f, [])).endswith('77f0>') != a\n",
    "a place of a method": "def f(a: Literal['x']) -> bool:\n    return f'{a.upper}'.endswith('77f0>')\n",
    "a function with a state": (
        "def make():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    return g\n"
        "g = make()\ndef f(a: bool) -> int:\n    return g()\n"
    ),
    "a file": "def f(a: bool) -> bool:\n    return a or bool(open('/etc/hostname').read())\n",
    "the names of the module": "def f(a: bool) -> bool:\n    return a or 'x' in globals()\n",
    "another name": "def f(a: bool) -> bool:\n    return a or bool(().__class__.__subclasses__())\n",
    # What types are imported from holds other modules, and functions.
    "a module of a module for types": (
        "from typing import sys\ndef f(a: bool) -> bool:\n    return a and not sys.argv\n"
    ),
    "a module through its home": "import typing\ndef f(a: bool) -> bool:\n    return a and not typing.sys.argv\n",
    "the functions of Python by another name": (
        "from enum import bltns\ndef f(a: bool) -> int:\n    return bltns.id(a)\n"
    ),
    "a type that writes": "from typing import Text\nT = Text\ndef f(a: bool) -> bool:\n    return T(f) == 'x' or a\n",
    "flags by another name": (
        "from enum import Flag as Enum\nclass C(Enum):\n    R = 1\n    W = 2\ndef f(a: C):\n    return a\n"
    ),
    "flags as an alias": (
        "import enum\nEnum = enum.Flag\nclass C(Enum):\n    R = 1\n    W = 2\ndef f(a: C):\n    return a\n"
    ),
    "an enumeration that is another one": ENUM
    + "class C(Enum):\n    A = 1\nColour = C\ndef f(a: Colour):\n    return a\n",
    "an alias of two types": (
        "from typing import Literal\nS = Literal['x', 'y']\ndef f(a: S):\n    return a\nS = Literal['x']\n"
    ),
    "a name that an annotation binds": (
        "def g(x: (n := 1)):\n    return x\ndef f(a: bool) -> bool:\n    return a or n\n"
    ),
    "a name that is another one elsewhere": (
        "def g(open):\n    return open\ndef f(a: bool) -> bool:\n    return open('x') or a\n"
    ),
    "a function of Python that runs at import": (
        "def g(x: print(1) = 1):\n    return x\ndef f(a: bool) -> bool:\n    return a\n"
    ),
    "members that change": (
        "from enum import Enum\ndef auto():\n    return []\nclass C(Enum):\n    R = auto()\n"
        "def f(a: bool) -> int:\n    C.R.value.append(a)\n    return len(C.R.value)\n"
    ),
    "a state in an annotation": (
        "from typing import Literal\nS: (kept := []) = Literal['x']\n"
        "def f(a: S) -> int:\n    kept.append(a)\n    return len(kept)\n"
    ),
    # Equal values may be one object, or two.
    "which text it is": "def f(a: Literal['x y']) -> bool:\n    return a is 'x y'\n",
    "which number it is": "def f(a: Literal[100000], b: Literal[100000]) -> bool:\n    return a is b\n",
    "an attribute in a pattern": (
        "def f(a: bool) -> bool:\n    match a:\n        case int(real=r):\n            return r\n    return a\n"
    ),
    # Where Python is installed.
    "a module": "import math\ndef f(a: bool) -> str:\n    return f'{math}'\n",
    "a module by another name": "import math as m\ndef f(a: bool) -> str:\n    return f'{m}'\n",
    # The order of hashes.
    "what keys are joined to": "def f(a: bool) -> list:\n    return list({'x': a}.keys() | {'y': a}.keys())\n",
    "a member called keys": (
        "def keys():\n    pass\ndef f(a: bool) -> list:\n    return list({'x': a}.keys() ^ {'y': a}.keys())\n"
    ),
    # Where something lies in memory.
    "a format that reads attributes": (
        "def f(a: bool) -> bool:\n    return '{0.conjugate}'.format(1).endswith('0>') or a\n"
    ),
    "texts of all": "def f(a: bool) -> bool:\n    return ''.join(map(str, (f,))).endswith('0>') or a\n",
    "a text by a name": "def f(a: bool) -> bool:\n    t = '%s'\n    return (t % f).endswith('0>') or a\n",
    "a text by its own sign": "def f(a: bool) -> bool:\n    t = '%s'\n    t %= f\n    return t.endswith('0>') or a\n",
    "a property": "def f(a: bool) -> bool:\n    return f'{property(len)}'.endswith('0>') or a\n",
    "a method called pi": ENUM.replace("def shout", "def pi")
    + "def f(a: Colour) -> bool:\n    return f'{Colour.pi}' == 'x'\n",
    "a frame": (
        "def gi_frame():\n    pass\ndef f_lineno():\n    pass\n"
        "def f(a: bool) -> int:\n    return (x for x in ()).gi_frame.f_lineno\n"
    ),
    # How deep the stack is, how much memory there is, how numbers are written, whether Python runs with -O.
    "a depth": (
        "def f(n: bool) -> int:\n    try:\n        return f(n + 1)\n    except RecursionError:\n        return n\n"
    ),
    "a depth in silence": (
        "def f(n: bool) -> int:\n    try:\n        return f(n + 1)\n    except Exception:\n        return n\n"
    ),
    "a depth of any error": (
        "def f(n: bool) -> int:\n    try:\n        return f(n + 1)\n    except:\n        return n\n"
    ),
    "a depth that is forgotten": (
        "def g(n, seen):\n    try:\n        seen.append(n)\n        g(n + 1, seen)\n    finally:\n"
        "        return len(seen)\ndef f(a: bool) -> int:\n    return g(0, [])\n"
    ),
    "an error by another name": (
        "E = Exception\ndef f(n: bool) -> int:\n    try:\n        return f(n + 1)\n    except E:\n        return n\n"
    ),
    "memory": (
        "def f(n: bool) -> int:\n    try:\n        return [n] * 10**9\n    except MemoryError:\n        return n\n"
    ),
    "a country": "def f(a: Literal[1000]) -> str:\n    return f'{a:n}'\n",
    "a country by a name": "def f(a: Literal['n']) -> str:\n    return f'{1000:{a}}'\n",
    "an assertion that is caught": (
        "def f(a: bool) -> bool:\n    try:\n        assert a\n"
        "    except AssertionError:\n        return True\n    return a\n"
    ),
    "an assertion that binds": "def f(a: bool) -> int:\n    y = 2\n    assert (y := 1)\n    return y\n",
    "an assertion that changes": "def f(a: bool) -> list:\n    y = [1]\n    assert y.pop()\n    return y\n",
    "an assertion of which another error is caught": (
        "def f(a: bool) -> int:\n    try:\n        assert {}[a]\n    except KeyError:\n        return 2\n    return 1\n"
    ),
    "an assertion that divides": (
        "def f(a: bool) -> int:\n    try:\n        assert 1 // a\n"
        "    except ZeroDivisionError:\n        return 2\n    return 1\n"
    ),
    "an assertion that compares": (
        "def f(a: bool) -> int:\n    try:\n        assert None < a\n"
        "    except TypeError:\n        return 2\n    return 1\n"
    ),
    "an assertion that reads a number": (
        "def f(a: bool) -> int:\n    try:\n        assert int('x')\n"
        "    except ValueError:\n        return 2\n    return 1\n"
    ),
    "an assertion that goes through": (
        "def f(a: bool) -> list:\n    y = map(int, (1, 2))\n    assert 1 in y\n    return list(y)\n"
    ),
}
CONDITIONS = {
    "a clock": "result == (datetime.datetime.now().year < 2100)",
    "a hash": "result or hash('x') > -2",
    "a place in memory": "result or id(result) > 0",
    "which object it is": "result is not a",
    "an order of a set": "result or list({'x', 'y'})[0] == 'x'",
    "no expression": "result ==",
}
"""What could hold in one run and not in the next."""
FORGED = "[exec('import crosshair.core_and_libs as libs')]"
BEYOND_NUMBERS = {
    "an annotation that runs": f"def g(x: {FORGED} = 0):\n    return x\ndef f(x: int) -> int:\n    return x\n",
    "a declared result that runs": f"def f(x: int) -> {FORGED}:\n    return x\n",
    "a default that is a real number": (
        "def g(x, e=0.5):\n    return x + e - e\ndef f(x: int) -> int:\n    return g(x)\n"
    ),
    "a default that is a text": "def g(x, e='%d'):\n    return e % x\ndef f(x: int) -> int:\n    return g(x)\n",
    "a text that grows": "def f(x: int) -> int:\n    if x > 9:\n        raise ValueError('a' * x)\n    return x\n",
    "a text of a number": "def f(x: int) -> int:\n    if x > 9:\n        raise ValueError('%d' % x)\n    return x\n",
    "a range that is compared": "def f(x: int) -> bool:\n    return range(x) == range(0)\n",
    "everything is imported": "from typing import *\ndef f(x: int) -> int:\n    return x\n",
    "functions of another module": "from math import floor\ndef f(x: int) -> int:\n    return floor(x)\n",
    "a tuple of anything": "def f(x: int, y: tuple = ()) -> int:\n    return x\n",
    "a tuple of any length": "def f(x: tuple[int, ...]) -> int:\n    return 0\n",
    "a text": "from typing import Literal\ndef f(x: Literal['x']) -> int:\n    return 0\n",
    "a function within another": "def f(x: int) -> int:\n    def g():\n        return x\n    return g()\n",
}
