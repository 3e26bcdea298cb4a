"""Programs of one kind each that bend what a judge in their own process reads, and right ones of the same shape."""

from __future__ import annotations

from tests.attacks.values import Row

_SESSION = '''
{helper}

class Account:
    """An account.

    >>> a = Account()
    >>> a.add(3)
    >>> a.total() {shown}
    >>> a.add(4)
    >>> a.total() {shown_again}
    >>> a.count()
    2
    """

    def __init__(self):
        self.amounts = []

    def add(self, amount):
        self.amounts.append(amount)

    def total(self):
        return {total}

    def count(self):
        return len(self.amounts)
'''


def _session(helper: str, total: str, shown: str = "== 3\n    True", again: str = "== 7\n    True") -> str:
    return _SESSION.format(helper=helper, total=total, shown=shown, shown_again=again)


_YES = "class _Yes:\n    def __eq__(self, other): return True\n    __hash__ = None\n"
_COPY = """import sys

class _Copy:
    def __eq__(self, other):
        self.held = other
        return True
    def __repr__(self): return repr(self.held)
    __hash__ = None
"""
_FRAMES = """import sys

class _Looks:
    def __eq__(self, other):
        frame = sys._getframe(1)
        return other in frame.f_code.co_consts or True
    __hash__ = None
"""
_LOOKING = """import sys

def _look(amounts):
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename.startswith("<doc"):
            found = [each for each in frame.f_code.co_consts if type(each) is int]
            if found:
                return found[-1]
        frame = frame.f_back
    return -1
"""
_TEXT = """class _Text:
    def __init__(self, text): self.text = text
    def __repr__(self): return self.text
"""
_SHOWN = {"shown": "\n    3", "again": "\n    7"}

SESSIONS = [
    Row("an answer that equals everything", _session(_YES, "_Yes()"), False),
    Row("an answer that copies what it is compared with", _session(_COPY, "_Copy()"), False),
    Row("an answer that looks into frames", _session(_FRAMES, "_Looks()"), False),
    Row("a number found in the frames of the document", _session(_LOOKING, "_look(self.amounts)"), False, naive=False),
    Row("an answer whose text is right", _session(_TEXT, "_Text(str(sum(self.amounts)))", **_SHOWN), False),
    Row(
        "an answer whose text comes from a table",
        _session(_TEXT, "_Text({3: '3'}.get(self.amounts[-1], '7'))", **_SHOWN),
        False,
    ),
    Row("an answer of an int that equals everything", _session(_YES.replace("_Yes", "_Yes(int)"), "_Yes(0)"), False),
    Row(
        "an int with another text",
        _session(
            ("class _I(int):\n    def __repr__(self): return '3' if self < 1 else '7'\n"),
            "_I(len(self.amounts) - 1)",
            **_SHOWN,
        ),
        False,
    ),
    Row("a plain answer, compared", _session("", "sum(self.amounts)"), True, due="tested"),
    Row("a plain answer, shown", _session("", "sum(self.amounts)", **_SHOWN), True, due="tested"),
    Row(
        "an int of an own class",
        _session(("class _Cents(int):\n    def euros(self): return self / 100\n"), "_Cents(sum(self.amounts))"),
        True,
        due="tested",
    ),
    Row(
        "an int of an own class, shown",
        _session("class _Cents(int):\n    pass\n", "_Cents(sum(self.amounts))", **_SHOWN),
        True,
        due="tested",
    ),
    Row(
        "an int of an own class with an honest equality",
        _session(
            (
                "class _Cents(int):\n"
                "    def __eq__(self, other): return int(self) == int(other)\n"
                "    def __hash__(self): return hash(int(self))\n"
            ),
            "_Cents(sum(self.amounts))",
        ),
        True,
    ),
    Row(
        "a number that is no built-in type",
        _session(
            (
                "class _N:\n"
                "    def __init__(self, n): self.n = n\n"
                "    def __eq__(self, other): return self.n == other\n"
                "    __hash__ = None\n"
            ),
            "_N(sum(self.amounts))",
        ),
        True,
    ),
    Row(
        "a number whose text is its own",
        _session(
            ("class _N:\n    def __init__(self, n): self.n = n\n    def __repr__(self): return str(self.n)\n"),
            "_N(sum(self.amounts))",
            **_SHOWN,
        ),
        True,
    ),
    Row(
        "a bool that is an answer",
        _session("", "sum(self.amounts) == 3", "\n    True", "\n    False"),
        True,
        due="tested",
    ),
]

_EVENS = '''
from collections import Counter, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from enum import Enum, IntEnum, StrEnum
from typing import NamedTuple

{helper}

def f(n):
    """Return it.

{lines}
    """
    return {result}
'''


def _function(helper: str, result: str, *lines: str) -> str:
    return _EVENS.format(helper=helper, result=result, lines="\n".join(f"    {line}" for line in lines))


_LIST = (">>> f(4)", "[0, 2, 4]", ">>> f(1)", "[0]", ">>> f(7)", "[0, 2, 4, 6]")
_SAME = (">>> f(4) == [0, 2, 4]", "True", ">>> f(1) == [0]", "True", ">>> f(7) == [0, 2, 4, 6]", "True")
_POINT = (">>> f(2)", "_P(x=2, y=4)", ">>> f(5)", "_P(x=5, y=10)", ">>> f(-3)", "_P(x=-3, y=-6)")
_POINTS = (">>> f(2)", "[_P(x=2, y=4)]", ">>> f(5)", "[_P(x=5, y=10)]")
_EQUAL_POINT = (">>> f(2) == _P(2, 4)", "True", ">>> f(5) == _P(5, 10)", "True", ">>> f(5) == _P(5, 11)", "False")
_FIELD = (">>> f(2).x", "2", ">>> f(5).x, f(5).y", "(5, 10)", ">>> f(-3).y", "-6")
_KEYS = (">>> f(2) == {2: 4}", "True", ">>> f(5) == {5: 10}", "True")
_SHOWN_KEYS = (">>> f(2)", "{2: 4}", ">>> f(5)", "{5: 10}")
_COLOUR = (
    ">>> f(2)",
    "<_C.RED: 1>",
    ">>> f(-1)",
    "<_C.BLUE: 2>",
    ">>> f(0)",
    "<_C.BLUE: 2>",
    ">>> f(1)",
    "<_C.RED: 1>",
)
_LEVEL = (">>> f(2) == 1", "True", ">>> f(-1) == 2", "True", ">>> f(0) == 2", "True", ">>> f(1) == 1", "True")
_RIGHT = "range(0, n + 1, 2)"


_ZEROS = "00000000-0000-0000-0000-0000000000"
_WORDED = (
    ("pathlib", "PurePosixPath", "PurePosixPath('a') / str(n * 2)", "PurePosixPath('a')", ("a/4", "a/10")),
    (
        "pathlib",
        "PureWindowsPath",
        "PureWindowsPath('c:/a') / str(n * 2)",
        "PureWindowsPath('a')",
        ("c:/a/4", "c:/a/10"),
    ),
    ("pathlib", "PosixPath", "PosixPath('a') / str(n * 2)", "PosixPath('a')", ("a/4", "a/10")),
    ("uuid", "UUID", "UUID(int=n * 2)", "UUID(int=0)", (f"{_ZEROS}04", f"{_ZEROS}0a")),
    ("ipaddress", "IPv4Address", "IPv4Address(n * 2)", "IPv4Address(4)", ("0.0.0.4", "0.0.0.10")),
    ("ipaddress", "IPv6Address", "IPv6Address(n * 2)", "IPv6Address(4)", ("::4", "::a")),
    ("ipaddress", "IPv4Network", "IPv4Network(n * 2)", "IPv4Network(4)", ("0.0.0.4/32", "0.0.0.10/32")),
    ("ipaddress", "IPv6Network", "IPv6Network(n * 2)", "IPv6Network(4)", ("::4/128", "::a/128")),
)


def _worded(module: str, name: str, result: str, texts: tuple[str, str], notation: str) -> str:
    lines: list[str] = []
    for number, text in zip((2, 5), texts, strict=True):
        made = f"{name}({text!r})"
        lines += [f">>> f({number})", made] if notation == "text" else [f">>> f({number}) == {made}", "True"]
    return _function(f"from {module} import {name}\n", result, *lines)


def _list(members: str) -> str:
    return "class _L(list):\n" + "".join(f"    {line}\n" for line in members.splitlines())


_DATA = "@dataclass\nclass _P:\n    x: int\n    y: int\n"
_LIES = "    def __eq__(self, other): return True\n    __hash__ = None\n"
_TELLS = "    def __repr__(self): return f'_P(x={self.n}, y={self.n * 2})'\n"

RESULTS = [
    # Lists that read otherwise than what they hold.
    Row(
        "list: equal and shown as it should be",
        _function(
            _list(
                "def __eq__(self, o): return True\n"
                "def __repr__(self): return str(list(range(0, self[0] + 1, 2)))\n"
                "__hash__ = None"
            ),
            "_L([n])",
            *_LIST,
        ),
        False,
    ),
    Row(
        "list: iterated otherwise",
        _function(
            _list(
                "def __iter__(self): return iter(range(0, self[0] + 1, 2))\n"
                "def __eq__(self, o): return list(iter(self)) == o\n"
                "__hash__ = None"
            ),
            "_L([n])",
            *_SAME,
        ),
        False,
    ),
    Row(
        "list: longer than it is",
        _function(
            _list(
                "def __len__(self): return self[0] // 2 + 1\n"
                "def __getitem__(self, i): return i * 2\n"
                "def __eq__(self, o): return [self[i] for i in range(len(o))] == o\n"
                "__hash__ = None"
            ),
            "_L([n])",
            *_SAME,
        ).replace("self[0]", "list.__getitem__(self, 0)"),
        False,
    ),
    Row(
        "list: says it is an exact list",
        _function(
            _list("@property\ndef __class__(self): return list\ndef __eq__(self, o): return True\n__hash__ = None"),
            "_L([n])",
            *_SAME,
        ),
        False,
    ),
    Row(
        "list: of a class that equals list",
        _function(
            (
                "class _M(type):\n"
                "    def __eq__(cls, o): return o is list or o is cls\n"
                "    def __hash__(cls): return hash(list)\n"
                "class _L(list, metaclass=_M):\n"
                "    def __eq__(self, o): return True\n"
                "    def __iter__(self): return iter([])\n"
                "    __hash__ = None\n"
            ),
            "_L([n])",
            *_SAME,
        ),
        False,
    ),
    Row(
        "list: reached by another __getattribute__",
        _function(
            _list(
                "def __getattribute__(self, name): return (lambda *a: True)\n"
                "def __eq__(self, o): return True\n"
                "__hash__ = None"
            ),
            "_L([n])",
            *_SAME,
        ),
        False,
    ),
    Row(
        "list: reduced to another",
        _function(
            _list(
                "def __reduce__(self): return (list, (range(0, self[0] + 1, 2),))\n"
                "def __copy__(self): return list(range(9))\n"
                "def __eq__(self, o): return True\n"
                "__hash__ = None"
            ),
            "_L([n])",
            *_SAME,
        ),
        False,
    ),
    Row(
        "list: changed while it is compared",
        _function(_list("def __eq__(self, o):\n    self[:] = o\n    return True\n__hash__ = None"), "_L([n])", *_SAME),
        False,
    ),
    Row(
        "list: right content, read otherwise by everybody",
        _function(_list("def __iter__(self): return iter(())\ndef __len__(self): return 0"), f"_L({_RIGHT})", *_SAME),
        False,
    ),
    Row(
        "list: a nested one equals everything",
        _function(
            _list("def __eq__(self, o): return True\n__hash__ = None"),
            "[_L([n])]",
            ">>> f(4) == [[0, 2, 4]]",
            "True",
            ">>> f(1) == [[0]]",
            "True",
        ),
        False,
    ),
    Row(
        "list: the items equal everything",
        _function(
            ("class _N(int):\n    def __eq__(self, o): return True\n    __hash__ = None\n"),
            "[_N(0)] * (n // 2 + 1)",
            *_SAME,
        ),
        False,
    ),
    Row(
        "tuple: the items equal everything",
        _function(
            ("class _N(int):\n    def __eq__(self, o): return True\n    __hash__ = None\n"),
            "(_N(0), _N(0))",
            ">>> f(2) == (2, 4)",
            "True",
            ">>> f(5) == (5, 10)",
            "True",
        ),
        False,
    ),
    Row(
        "dict: keys that equal everything",
        _function(
            (
                "class _K(int):\n"
                "    def __eq__(self, o): return True\n"
                "    def __hash__(self): return hash(self.n)\n"
                "    n = 0\n"
                "\n"
                "def _key(n):\n"
                "    made = _K(0)\n"
                "    made.n = n\n"
                "    return made\n"
            ),
            "{_key(n): n * 2}",
            *_KEYS,
        ),
        False,
    ),
    Row(
        "dict: values that equal everything",
        _function(
            ("class _V(float):\n    def __eq__(self, o): return True\n    __hash__ = None\n"), "{n: _V(0)}", *_KEYS
        ),
        False,
    ),
    Row(
        "dict: missing items appear",
        _function(
            (
                "class _D(dict):\n"
                "    def __missing__(self, key): return key * 2\n"
                "    def __eq__(self, o): return all(self[k] == v for k, v in o.items())\n"
                "    __hash__ = None\n"
            ),
            "_D()",
            *_KEYS,
        ),
        False,
    ),
    Row(
        "dict: items that are not there",
        _function(
            (
                "class _D(dict):\n"
                "    def items(self): return [(self.n, self.n * 2)]\n"
                "    def keys(self): return [self.n]\n"
                "    def __eq__(self, o): return dict(self.items()) == o\n"
                "    __hash__ = None\n"
                "\n"
                "def _make(n):\n"
                "    made = _D()\n"
                "    made.n = n\n"
                "    return made\n"
            ),
            "_make(n)",
            *_KEYS,
        ),
        False,
    ),
    Row(
        "generator: yields what equals everything",
        _function(
            ("class _N(int):\n    def __eq__(self, o): return True\n    __hash__ = None\n"),
            "(_N(0) for _ in range(n // 2 + 1))",
            *(line.replace("f(", "list(f(").replace(") ==", ")) ==") for line in _SAME),
        ),
        False,
    ),
    # Objects that equal or show.
    Row(
        "object: equals everything",
        _function(("class _P:\n    def __init__(self, x, y): self.x = x\n") + _LIES, "_P(0, 0)", *_EQUAL_POINT[:4]),
        False,
    ),
    Row(
        "object: shows what it does not hold",
        _function(
            ("class _P:\n    def __init__(self, n): self.n = n; self.x = self.y = 0\n") + _TELLS, "_P(n)", *_POINT
        ),
        False,
    ),
    Row(
        "object: contains everything",
        _function(
            (
                "class _P:\n"
                "    def __init__(self, n): self.n = n\n"
                "    def __contains__(self, o): return True\n"
                "    def __eq__(self, o): return True\n"
                "    __hash__ = None\n"
            ),
            "_P(n)",
            *_SAME,
        ),
        False,
    ),
    Row(
        "object: greater than everything",
        _function(
            ("class _P:\n    def __gt__(self, o): return True\n    def __lt__(self, o): return True\n"),
            "_P()",
            ">>> f(3) > 2",
            "True",
            ">>> f(3) < 4",
            "True",
            ">>> 0 < f(5) < 6",
            "True",
        ),
        False,
    ),
    Row("dataclass: equals everything", _function(_DATA + _LIES, "_P(0, 0)", *_EQUAL_POINT[:4]), False),
    Row(
        "dataclass: shows what it does not hold",
        _function(
            ("@dataclass(repr=False)\nclass _P:\n    x: int\n    y: int\n    n: int = 0\n") + _TELLS,
            "_P(0, 0, n)",
            *_POINT,
        ),
        False,
    ),
    Row(
        "dataclass: in a list, shows what it does not hold",
        _function(
            ("@dataclass(repr=False)\nclass _P:\n    x: int\n    y: int\n    n: int = 0\n") + _TELLS,
            "[_P(0, 0, n)]",
            *_POINTS,
        ),
        False,
    ),
    Row(
        "dataclass: a property over its field",
        _function(
            (
                "@dataclass\n"
                "class _P:\n"
                "    x: int\n"
                "    y: int\n"
                "_P.y = property(lambda self: self.x * 2, lambda self, y: None)\n"
            )
            + ("def _eq(self, o): return True\n_P.__eq__ = _eq\n"),
            "_P(n, 0)",
            *_EQUAL_POINT[:4],
        ),
        False,
    ),
    Row(
        "dataclass: reached by another __getattribute__",
        _function(
            (
                "@dataclass(repr=False)\n"
                "class _P:\n"
                "    x: int\n"
                "    y: int\n"
                "    def __getattribute__(self, name):\n"
                "        real = object.__getattribute__\n"
                "        return real(self, 'x') * 2 if name == 'y' else real(self, name)\n"
                "    def __repr__(self): return f'_P(x={self.x}, y={self.y})'\n"
            ),
            "_P(n, 0)",
            *_POINT,
        ),
        False,
    ),
    Row(
        "dataclass: without equality of its own, said to be equal",
        _function(
            (
                "@dataclass(eq=False)\n"
                "class _P:\n"
                "    x: int\n"
                "    y: int\n"
                "    def __eq__(self, o): return True\n"
                "    __hash__ = None\n"
            ),
            "_P(0, n)",
            *_EQUAL_POINT[:4],
        ),
        False,
    ),
    Row(
        "named tuple: equals everything",
        _function(
            ("class _P(NamedTuple):\n    x: int\n    y: int\n    def __eq__(self, o): return True\n"),
            "_P(0, 0)",
            *_EQUAL_POINT[:4],
        ),
        False,
    ),
    Row(
        "named tuple: other names, other text",
        _function(
            (
                "class _P(namedtuple('_P', 'x y')):\n"
                "    def __repr__(self):\n"
                "        return f'_P(x={tuple.__getitem__(self, 1)}, y={tuple.__getitem__(self, 1) * 2})'\n"
            ),
            "_P(0, n)",
            *_POINT,
        ),
        False,
    ),
    Row(
        "enum: shows another value",
        _function(
            (
                "class _C(Enum):\n"
                "    RED = 5\n"
                "    BLUE = 6\n"
                "    def __repr__(self): return f'<_C.{self.name}: {self.value - 4}>'\n"
            ),
            "_C.RED if n > 0 else _C.BLUE",
            *_COLOUR,
        ),
        False,
    ),
    Row(
        "enum: whole numbers that equal everything",
        _function(
            (
                "class _C(IntEnum):\n"
                "    RED = 5\n"
                "    def __eq__(self, o): return True\n"
                "    def __hash__(self): return 0\n"
            ),
            "_C.RED",
            *_LEVEL,
        ),
        False,
    ),
    Row(
        "enum: a value that lies",
        _function(
            (
                "class _C(IntEnum):\n"
                "    RED = 5\n"
                "    BLUE = 6\n"
                "    @property\n"
                "    def value(self): return int(self) - 4\n"
                "    def __eq__(self, o): return self.value == o\n"
                "    def __hash__(self): return 0\n"
            ),
            "_C.RED if n > 0 else _C.BLUE",
            *_LEVEL,
        ),
        False,
    ),
    # Right ones of the same shapes.
    Row(
        "list with a method",
        _function(_list("def total(self): return sum(self)"), f"_L({_RIGHT})", *_LIST),
        True,
        due="tested",
    ),
    Row(
        "list with an honest equality",
        _function(_list("def __eq__(self, o): return list(self) == list(o)\n__hash__ = None"), f"_L({_RIGHT})", *_LIST),
        True,
    ),
    Row(
        "list with a text of its own",
        _function(_list("def __repr__(self): return f'_L({list(self)})'"), f"_L({_RIGHT})", *_SAME),
        True,
        due="tested",
    ),
    Row(
        "list read backwards on purpose",
        _function(_list("def __getitem__(self, i): return list.__getitem__(self, -i - 1)"), f"_L({_RIGHT})", *_SAME),
        True,
    ),
    Row(
        "list in a list",
        _function(
            _list("pass"),
            f"[_L({_RIGHT})]",
            ">>> f(4) == [[0, 2, 4]]",
            "True",
            ">>> f(1) == [[0]]",
            "True",
            ">>> f(6) == [[0, 2, 4, 6]]",
            "True",
        ),
        True,
        due="tested",
    ),
    Row(
        "list of own numbers",
        _function("class _N(int):\n    pass\n", f"list(map(_N, {_RIGHT}))", *_LIST),
        True,
        due="tested",
    ),
    Row("user list", _function("class _L(UserList):\n    pass\n", f"_L({_RIGHT})", *_SAME), True, due="tested"),
    Row("user dict", _function("class _D(UserDict):\n    pass\n", "_D({n: n * 2})", *_KEYS), True, due="tested"),
    Row("user dict, shown", _function("", "UserDict({n: n * 2})", *_SHOWN_KEYS), True, due="tested"),
    Row(
        "user dict that equals everything",
        _function("class _D(UserDict):\n    def __eq__(self, other): return True\n", "_D({})", *_KEYS),
        False,
    ),
    Row(
        "user dict whose text lies",
        _function(
            "class _D(UserDict):\n    def __repr__(self): return repr({self['n']: self['n'] * 2})\n",
            "_D({'n': n})",
            *_SHOWN_KEYS,
        ),
        False,
    ),
    *(
        Row(
            f"{name} by {notation}",
            _worded(module, name, result, texts, notation),
            is_right,
            is_right,
            "tested" * is_right,
        )
        for module, name, right, wrong, texts in _WORDED
        for notation in ("text", "comparison")
        for result, is_right in ((right, True), (wrong, False))
    ),
    Row(
        "dict with attributes",
        _function(("class _D(dict):\n    def __getattr__(self, name): return self[name]\n"), "_D({n: n * 2})", *_KEYS),
        True,
        due="tested",
    ),
    Row("dict with own keys", _function("class _K(int):\n    pass\n", "{_K(n): n * 2}", *_KEYS), True, due="tested"),
    Row(
        "dict without regard to case",
        _function(
            ("class _D(dict):\n    def __getitem__(self, key): return dict.__getitem__(self, abs(key))\n"),
            "_D({n: n * 2})",
            *_KEYS,
        ),
        True,
    ),
    Row("default dict", _function("", "defaultdict(int, {n: n * 2})", *_KEYS), True, due="tested"),
    Row(
        "default dict of an own class",
        _function("class _D(defaultdict):\n    pass\n", "_D(int, {n: n * 2})", *_KEYS),
        True,
        due="tested",
    ),
    Row(
        "missing items made",
        _function(("class _D(dict):\n    def __missing__(self, key): return 0\n"), "_D({n: n * 2})", *_KEYS),
        True,
        due="tested",
    ),
    Row(
        "queue",
        _function(
            "class _Q(deque):\n    pass\n",
            f"_Q({_RIGHT})",
            ">>> list(f(4))",
            "[0, 2, 4]",
            ">>> list(f(1))",
            "[0]",
            ">>> list(f(7))",
            "[0, 2, 4, 6]",
        ),
        True,
        due="tested",
    ),
    Row(
        "generator of own numbers",
        _function(
            "class _N(int):\n    pass\n",
            f"(_N(i) for i in {_RIGHT})",
            *(line.replace("f(", "list(f(").replace(") ==", ")) ==") for line in _SAME),
        ),
        True,
        due="tested",
    ),
    Row("dataclass shown", _function(_DATA, "_P(n, n * 2)", *_POINT), True, due="tested"),
    Row("dataclasses in a list", _function(_DATA, "[_P(n, n * 2)]", *_POINTS), True, due="tested"),
    Row("dataclass compared", _function(_DATA, "_P(n, n * 2)", *_EQUAL_POINT), True, due="tested"),
    Row(
        "dataclass with slots",
        _function(("@dataclass(slots=True)\nclass _P:\n    x: int\n    y: int\n"), "_P(n, n * 2)", *_POINT),
        True,
        due="tested",
    ),
    Row(
        "dataclass with a hidden field",
        _function(
            ("@dataclass\nclass _P:\n    x: int\n    y: int\n    rank: int = field(default=0, repr=False)\n"),
            "_P(n, n * 2)",
            *_POINT,
        ),
        True,
        due="tested",
    ),
    Row(
        "dataclass with a property over a field",
        _function(
            _DATA + "_P.y = property(lambda self: self._y, lambda self, y: setattr(self, '_y', y))\n",
            "_P(n, n * 2)",
            *_POINT,
        ),
        True,
    ),
    Row(
        "dataclass with a text of its own",
        _function(
            (
                "@dataclass\n"
                "class _P:\n"
                "    x: int\n"
                "    y: int\n"
                "    def __repr__(self): return f'_P(x={self.x}, y={self.y})'\n"
            ),
            "_P(n, n * 2)",
            *_POINT,
        ),
        True,
        due="tested",
    ),
    Row(
        "fields of an object",
        _function(("class _P:\n    def __init__(self, x, y): self.x, self.y = x, y\n"), "_P(n, n * 2)", *_FIELD),
        True,
        due="tested",
    ),
    Row(
        "object with a text",
        _function(("class _P:\n    def __init__(self, n): self.n = n\n") + _TELLS, "_P(n)", *_POINT),
        True,
    ),
    Row(
        "object with an equality",
        _function(
            (
                "class _P:\n"
                "    def __init__(self, x, y): self.x, self.y = x, y\n"
                "    def __eq__(self, o): return (self.x, self.y) == (o.x, o.y)\n"
                "    __hash__ = None\n"
            ),
            "_P(n, n * 2)",
            *_EQUAL_POINT,
        ),
        True,
    ),
    Row(
        "named tuple shown",
        _function(("class _P(NamedTuple):\n    x: int\n    y: int\n"), "_P(n, n * 2)", *_POINT),
        True,
        due="tested",
    ),
    Row(
        "named tuple compared with a tuple",
        _function(
            ("class _P(NamedTuple):\n    x: int\n    y: int\n"),
            "_P(n, n * 2)",
            ">>> f(2) == (2, 4)",
            "True",
            ">>> f(5) == (5, 10)",
            "True",
        ),
        True,
        due="tested",
    ),
    Row(
        "named tuple of the old kind",
        _function("_P = namedtuple('_P', 'x y')\n", "_P(n, n * 2)", *_POINT),
        True,
        due="tested",
    ),
    Row(
        "enum shown",
        _function(("class _C(Enum):\n    RED = 1\n    BLUE = 2\n"), "_C.RED if n > 0 else _C.BLUE", *_COLOUR),
        True,
        due="tested",
    ),
    Row(
        "whole-number enum compared",
        _function(("class _C(IntEnum):\n    RED = 1\n    BLUE = 2\n"), "_C.RED if n > 0 else _C.BLUE", *_LEVEL),
        True,
        due="tested",
    ),
    Row(
        "text enum compared",
        _function(
            ("class _C(StrEnum):\n    RED = 'r'\n    BLUE = 'b'\n"),
            "_C.RED if n > 0 else _C.BLUE",
            ">>> f(2) == 'r'",
            "True",
            ">>> f(-1) == 'b'",
            "True",
            ">>> f(0) == 'b'",
            "True",
            ">>> f(1)",
            "<_C.RED: 'r'>",
        ),
        True,
    ),
    Row(
        "enum that is a text as well",
        _function(
            ("class _C(str, Enum):\n    RED = 'r'\n    BLUE = 'b'\n"),
            "_C.RED if n > 0 else _C.BLUE",
            ">>> f(2) == 'r'",
            "True",
            ">>> f(-1) == 'b'",
            "True",
            ">>> f(0) == 'b'",
            "True",
            ">>> f(1) == 'r'",
            "True",
        ),
        True,
        due="tested",
    ),
]

_CHANGES = '''
{helper}

def grow(values):
    """Append the next number.

    >>> values = _Own([1, 2])
    >>> grow(values)
    >>> values == [1, 2, 3]
    True
    >>> more = _Own([5])
    >>> grow(more)
    >>> more == [5, 6]
    True
    """
    {step}
'''
_OWN = "class _Own(list):\n"
ARGUMENTS = [
    Row(
        "argument: equals everything",
        _CHANGES.format(
            helper=_OWN + ("    def __eq__(self, o): return True\n    __hash__ = None\n"), step="values.clear()"
        ),
        False,
    ),
    Row(
        "argument: copies what it is compared with",
        _CHANGES.format(
            helper=_OWN + ("    def __eq__(self, o):\n        self[:] = o\n        return True\n    __hash__ = None\n"),
            step="pass",
        ),
        False,
    ),
    Row(
        "argument: of an own class",
        _CHANGES.format(helper=_OWN + "    pass\n", step="values.append(values[-1] + 1)"),
        True,
    ),
    Row(
        "argument: of an own class with an honest equality",
        _CHANGES.format(
            helper=_OWN + ("    def __eq__(self, o): return list.__eq__(self, o)\n    __hash__ = None\n"),
            step="values.append(values[-1] + 1)",
        ),
        True,
    ),
]

ALONE = [*SESSIONS, *RESULTS, *ARGUMENTS]
