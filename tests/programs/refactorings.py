"""Pure refactorings: pairs of programs that were written to behave alike, as people change code without changing it.

Some are annotated, some have examples, some say nothing of their arguments. The last definition is the one compared.
"""

from __future__ import annotations

from collections.abc import Mapping

PAIRS: Mapping[str, tuple[str, str]] = {
    "loop to comprehension": (
        "def evens(numbers):\n    out = []\n    for n in numbers:\n        if n % 2 == 0:\n"
        "            out.append(n)\n    return out\n",
        "def evens(numbers):\n    return [n for n in numbers if n % 2 == 0]\n",
    ),
    "nested conditions to guard clauses": (
        "def grade(score: int) -> str:\n    if score >= 50:\n        if score >= 80:\n            return 'A'\n"
        "        else:\n            return 'B'\n    else:\n        return 'F'\n",
        "def grade(score: int) -> str:\n    if score < 50:\n        return 'F'\n"
        "    return 'A' if score >= 80 else 'B'\n",
    ),
    "helper extracted": (
        "def total(rows):\n    out = 0\n    for row in rows:\n        out += row['price'] * row['count']\n"
        "    return out\n",
        "def _cost(row):\n    return row['price'] * row['count']\n\n\n"
        "def total(rows):\n    return sum(_cost(row) for row in rows)\n",
    ),
    "accumulator to sum": (
        "def squares(n: int) -> int:\n    s = 0\n    for i in range(n + 1):\n        s = s + i * i\n    return s\n",
        "def squares(n: int) -> int:\n    return sum(i * i for i in range(n + 1))\n",
    ),
    "parameter renamed": (
        "def clamp(v: int, a: int, b: int) -> int:\n    if v < a:\n        return a\n    return b if v > b else v\n",
        "def clamp(value: int, low: int, high: int) -> int:\n    if value < low:\n        return low\n"
        "    return high if value > high else value\n",
    ),
    "concatenation to f-string": (
        "def label(name: str, count: int) -> str:\n    return name + ' (' + str(count) + ')'\n",
        "def label(name: str, count: int) -> str:\n    return f'{name} ({count})'\n",
    ),
    "dictionary by hand to Counter": (
        "def counts(text: str) -> dict[str, int]:\n    out: dict[str, int] = {}\n    for c in text:\n"
        "        out[c] = out.get(c, 0) + 1\n    return out\n",
        "from collections import Counter\n\n\n"
        "def counts(text: str) -> dict[str, int]:\n    return dict(Counter(text))\n",
    ),
    "while to for": (
        "def find(items, wanted):\n    i = 0\n    while i < len(items):\n        if items[i] == wanted:\n"
        "            return i\n        i += 1\n    return -1\n",
        "def find(items, wanted):\n    for i, item in enumerate(items):\n        if item == wanted:\n"
        "            return i\n    return -1\n",
    ),
    "recursion to loop": (
        'def digits(n: int) -> int:\n    """Count.\n\n    >>> digits(120)\n    3\n    """\n    n = abs(n)\n'
        "    return 1 if n < 10 else 1 + digits(n // 10)\n",
        'def digits(n: int) -> int:\n    """Count.\n\n    >>> digits(120)\n    3\n    """\n    n, out = abs(n), 1\n'
        "    while n >= 10:\n        n //= 10\n        out += 1\n    return out\n",
    ),
    "condition negated": (
        "def fee(weight: float, express: bool) -> float:\n    if not express:\n        return weight * 2\n"
        "    else:\n        return weight * 3 + 5\n",
        "def fee(weight: float, express: bool) -> float:\n    if express:\n        return 5 + 3 * weight\n"
        "    return 2 * weight\n",
    ),
    "floats summed in another order": (
        "def mean(values: list[float]) -> float:\n    return sum(values) / len(values) if values else 0.0\n",
        "import math\n\n\ndef mean(values: list[float]) -> float:\n"
        "    return math.fsum(reversed(values)) / len(values) if values else 0.0\n",
    ),
    "set to keep what was seen": (
        "def unique(items: list[str]) -> list[str]:\n    out: list[str] = []\n    for each in items:\n"
        "        if each not in out:\n            out.append(each)\n    return out\n",
        "def unique(items: list[str]) -> list[str]:\n    return list(dict.fromkeys(items))\n",
    ),
    "constants named": (
        "def price(age: int) -> int:\n    if age < 6:\n        return 0\n    return 5 if age < 18 else 9\n",
        "YOUNG, GROWN = 6, 18\n\n\ndef price(age: int) -> int:\n    if age < YOUNG:\n        return 0\n"
        "    return 5 if age < GROWN else 9\n",
    ),
    "exceptions of another kind for what no document allows": (
        'def first(items: list[int]) -> int:\n    """Return the first item."""\n    return items[0]\n',
        'def first(items: list[int]) -> int:\n    """Return the first item."""\n    return next(iter(items), *[])\n',
    ),
    "generator to list inside": (
        "def runs(text: str):\n    for i in range(len(text)):\n        yield text[: i + 1]\n",
        "def runs(text: str):\n    yield from [text[: i + 1] for i in range(len(text))]\n",
    ),
    "guards merged": (
        "def is_name(text: str) -> bool:\n    if not text:\n        return False\n    if text[0].isdigit():\n"
        "        return False\n    return text.isalnum()\n",
        "def is_name(text: str) -> bool:\n    return bool(text) and not text[0].isdigit() and text.isalnum()\n",
    ),
    "table in place of branches": (
        "def unit(kind):\n    if kind == 'm':\n        return 1\n    elif kind == 'km':\n        return 1000\n"
        "    elif kind == 'cm':\n        return 0.01\n    return None\n",
        "_UNITS = {'m': 1, 'km': 1000, 'cm': 0.01}\n\n\ndef unit(kind):\n"
        "    return next((factor for name, factor in _UNITS.items() if name == kind), None)\n",
    ),
    "sorting by key in place of pairs": (
        "def by_length(words: list[str]) -> list[str]:\n"
        "    return [w for _, _, w in sorted((len(w), i, w) for i, w in enumerate(words))]\n",
        "def by_length(words: list[str]) -> list[str]:\n    return sorted(words, key=len)\n",
    ),
    "in place and still in place": (
        "def bump(items: list[int]) -> None:\n    for i in range(len(items)):\n        items[i] = items[i] + 1\n",
        "def bump(items: list[int]) -> None:\n    items[:] = [each + 1 for each in items]\n",
    ),
    "clock and chance, as before": (
        "import random\n\n\ndef roll(sides: int) -> bool:\n    return random.random() * sides > 0.5 * sides\n",
        "import random\n\n\ndef roll(sides: int) -> bool:\n    return random.random() > 0.5\n",
    ),
}
