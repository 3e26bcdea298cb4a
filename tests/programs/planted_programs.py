"""Small programs of our own in which the tests plant faults: one per construct worth a look."""

PROGRAMS: dict[str, str] = {
    "search": '''"""A module."""
from __future__ import annotations

import bisect


def position(values: list[int], wanted: int) -> int:
    """Return the place of ``wanted`` in sorted ``values``, -1 when it is absent."""
    low, high = 0, len(values) - 1
    while low <= high:
        middle = (low + high) // 2
        if values[middle] == wanted:
            return middle
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1
''',
    "text": """def initials(name, sep="."):
    parts = [part.strip().upper() for part in name.split(" ") if part]
    if not parts:
        return ""
    result = ""
    for part in parts:
        if part[0] in "xyz":
            continue
        result += part[0] + sep
    return result
""",
    "helper": """def outer(n, m=2):
    if n <= 0: return 0
    return inner(n, m) + outer(n - 1, m)

def inner(a, b):
    return a ** 2 % b if b > 1 else -a

def unrelated(x):
    return x + 41
""",
    "table": """def lookup(n):
    table = {1: 1, 2: 4, 3: 9}
    try:
        return table[n]
    except Exception:
        return table.get(n, n * n)
""",
    "class": '''class Stack:
    """A stack."""

    limit = 3

    def __init__(self, items=()):
        self.items = list(items)

    def push(self, item):
        if len(self.items) >= self.limit:
            raise OverflowError("the stack is full")
        self.items.append(item)
        return self.size()

    def size(self):
        return len(self.items)

def use(values):
    stack = Stack()
    for value in values:
        stack.push(value)
    return stack.size()
''',
    "match": """def kind(value):
    match value:
        case []:
            return "empty"
        case [first, *_] if first:
            return "full"
        case _:
            pass
    return max(value, key=lambda item: item or 0) if value else None
""",
    "generator": """def countdown(n):
    while True:
        if n < 0:
            break
        yield n
        n -= 1
""",
    "nested": """def pairs(xs):
    def smaller(a, b):
        return a if a < b else b

    seen = set()
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            seen.add((smaller(xs[i], xs[j]), i != j and xs[i:j]  == xs[:j]))
    return sorted({pair[0] for pair in seen}, reverse=True)
""",
    "windows line ends": "def f(x):\r\n    if x > 1:\r\n        return x\r\n    return 1\r\n",
    "tabs and comments": "def f(x):  # doubles\n\tif x:  # yes\n\t\treturn x * 2  # here\n\t# nothing\n\treturn 0",
    "accents": 'def f(x):\n    é = "ß" + x\n    return é if é != "ßß" else x + "ü"\n',
    "one line": "def f(x): return [y for y in x if y] or None",
}
"""Name -> source. The function under test is the first definition of each."""

CALLS: dict[str, list[tuple[object, ...]]] = {
    "search": [([1, 3, 5], 5), ([], 1), ([1, 2], 7), ([4], 4)],
    "text": [("ada king lovelace",), ("",), ("xavier  ypsilon b", "-")],
    "helper": [(0,), (3,), (4, 1), (5, 3)],
    "table": [(1,), (3,), (8,), ("a",)],
    "class": [],
    "match": [([],), ([0, 2, 1],), ([3],), ((),)],
    "generator": [(3,), (-1,), (0,)],
    "nested": [([3, 1, 2],), ([],), ([1, 1, 1],)],
    "windows line ends": [(0,), (5,)],
    "tabs and comments": [(0,), (5,)],
    "accents": [("ß",), ("a",)],
    "one line": [([0, 1],), ([],)],
}
"""Arguments to call the function under test with."""

NAMES: dict[str, str] = {
    "search": "position",
    "text": "initials",
    "helper": "outer",
    "table": "lookup",
    "class": "use",
    "match": "kind",
    "generator": "countdown",
    "nested": "pairs",
    "windows line ends": "f",
    "tabs and comments": "f",
    "accents": "f",
    "one line": "f",
}


def outcome(source: bytes, name: str, arguments: tuple[object, ...]) -> tuple[str, object]:
    """Run one of our own programs in this process: its value, or the name and text of what it raised."""
    namespace: dict[str, object] = {"__name__": "artifact"}
    try:
        exec(compile(source, "artifact.py", "exec", dont_inherit=True), namespace)
        function = namespace[name]
        assert callable(function)
        value = function(*arguments)
        return "value", list(value) if hasattr(value, "__next__") else value
    except BaseException as error:
        return type(error).__name__, str(error)
