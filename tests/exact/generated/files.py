"""Claims about images that Pillow writes, and about code: what was put in is known."""

from __future__ import annotations

import base64
import io
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Final

from PIL import Image

from tests.exact.generated.claim import Family, Made, Maker, families, related

_FORMATS: Final = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
_MODULES: Final = ("math", "json", "re", "random", "statistics", "string", "itertools")
_SAFE: Final = (
    "def f(x):\n    return x + 1\n",
    "import math\ndef f(x):\n    return math.sqrt(x)\n",
    "# os.system('ls')\ndef f(x):\n    return x\n",
    "text = 'eval(1)'\n",
    "import re\np = re.compile('a')\n",
    "def evaluate(x: int) -> int:\n    total = 0\n    for y in range(x):\n        total += y * y\n    return total\n",
    "def f(words: list[str]) -> str:\n    return ', '.join(sorted(words)).upper()\n",
    "from collections import Counter\ndef f(text: str) -> dict[str, int]:\n    return dict(Counter(text.split()))\n",
    "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\n",
    "def f(a: list[int]) -> list[int]:\n    return [x for x in a if x % 2 == 0]\n",
)
_OUTSIDE: Final = (
    "import os\nos.system('ls')\n",
    "eval('1')\n",
    "from os import system as s\ns('ls')\n",
    "import subprocess\nsubprocess.run(['ls'])\n",
    "open('/etc/passwd').read()\n",
    "import io\nio.FileIO('/etc/passwd').read()\n",
    "exec('x = 1')\n",
    "getattr(__builtins__, 'ev' + 'al')('1')\n",
    "__import__('os').system('ls')\n",
    "import urllib.request as u\nu.urlopen('http://localhost')\n",
    "from pathlib import Path\nPath('x').write_text('y')\n",
    "import importlib\nimportlib.import_module('os').remove('x')\n",
    "run = eval\nrun('1')\n",
    "[c for c in ().__class__.__base__.__subclasses__()][0]('x')\n",
    "import pickle\npickle.loads(b'x')\n",
)
_OTHER: Final = (
    "def f(x):\n    print(x)\n",
    "import random\ndef f(x):\n    return random.random() + x\n",
    "import time\ndef f(x):\n    return time.time()\n",
    "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)\n",
    "count = 0\ndef f(x):\n    global count\n    count += 1\n    return count\n",
    "def f(x, held=[]):\n    held.append(x)\n    return held\n",
    "def f(xs: list[int]) -> list[int]:\n    xs.sort()\n    return xs\n",
    "def f(x):\n    return input(x)\n",
    "def f(x: str) -> int:\n    return hash(x)\n",
    "def f(x):\n    return id(x)\n",
)
_EVAL: Final = (
    "eval('1')\n",
    "x = eval\nx('1')\n",
    "import builtins\nbuiltins.eval('1')\n",
    "from builtins import eval as e\ne('1')\n",
    "def f(x):\n    return [eval(y) for y in x]\n",
    "list(map(eval, ['1']))\n",
    "exec('ev' + 'al(1)')\n",
    "ｅｖａｌ('1')\n",
    "print(__builtins__.__dict__['eval']('1'))\n",
)
_BROKEN: Final = tuple(form.format(code) for code in _SAFE for form in ("{}  x = (\n", "{}def\n", "{} = 1", "if:\n{}"))
_CALLING: Final = tuple(form.format(s, o) for s in _SAFE for o in _OUTSIDE for form in ("{0}{1}", "{1}", "{1}{0}"))


def _saved(image: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()


def _given(content: bytes) -> dict[str, object]:
    return {"image": base64.b64encode(content).decode()}


def _picture(random: Random) -> tuple[bytes, str, str, int, int]:
    kind = random.choice(_FORMATS)
    modes = {"PNG": ["RGB", "RGBA", "L"], "GIF": ["L"], "WEBP": ["RGB"]}
    mode = random.choice(modes.get(kind, ["RGB", "L"]))
    width, height = random.randint(1, 90), random.randint(1, 90)
    colour: tuple[int, ...] = tuple(random.randint(0, 255) for _ in mode)
    image = Image.new(mode, (width, height), colour if len(colour) > 1 else colour[0])
    return _saved(image, kind), kind, mode, width, height


def _measured(random: Random, _content: bytes, kind: str, mode: str, width: int, height: int) -> list[tuple[str, str]]:
    """Return comparisons about a picture: what is true, and what is nearly so."""
    other = random.choice([each for each in _FORMATS if each != kind])
    near, far = width + random.choice([-1, 1, 10]), height + random.choice([-1, 1, 10])
    rows = [
        (f"width == {width} and height == {height}", f"width == {near} and height == {height}"),
        (f"format == '{kind}'", f"format == '{other}'"),
        (f"format != '{other}'", f"format != '{kind}'"),
        (f"not width == {near}", f"not width == {width}"),
        (f"height >= {height}", f"height > {height}"),
        (f"width < {width + 1}", f"width < {width}"),
        (f"{width - 1} < width <= {width}", f"{width} < width <= {width + 9}"),
        (f"{height} == height", f"{far} == height"),
    ]
    if width != height:
        rows.append(("width > height", "width <= height") if width > height else ("width < height", "width >= height"))
    if kind == "PNG":
        wrong = random.choice([each for each in ("RGB", "RGBA", "L") if each != mode])
        rows.append((f"mode == '{mode}'", f"mode == '{wrong}'"))
    return rows


def _said(random: Random, rows: list[tuple[str, str]], truth: bool) -> str:
    """Return a comparison as told, or several that are true together as told, or the denial of the opposite."""
    kind = random.randrange(6)
    if kind == 0:
        return f"not ({_clause(random, rows, not truth)})"
    if kind == 1:
        return _both(random, rows, [truth, random.random() < 0.5 or truth], "and")
    if kind == 2:
        return _both(random, rows, [truth, random.random() < 0.5 and truth], "or")
    return _clause(random, rows, truth)


def _clause(random: Random, rows: list[tuple[str, str]], truth: bool) -> str:
    return random.choice(rows)[not truth]


def _both(random: Random, rows: list[tuple[str, str]], parts: list[bool], word: str) -> str:
    random.shuffle(parts)
    one, two = (_clause(random, rows, each) for each in parts)
    return f"({one}) {word} ({two})"


def _measures_and_formats(random: Random, truth: bool) -> Made:
    picture = _picture(random)
    return _said(random, _measured(random, *picture), truth), _given(picture[0])


def _colours(random: Random, truth: bool) -> Made:
    """Pixels of a few colours, in a format that keeps them."""
    width, height = random.randint(1, 12), random.randint(1, 12)
    palette = [tuple(random.choice([0, 1, 127, 254, 255]) for _ in "rgb") for _ in range(random.randint(1, 4))]
    pixels = [random.choice(palette) for _ in range(width * height)]
    image = Image.new("RGB", (width, height))
    image.putdata(pixels)
    counts = Counter(pixels)
    x, y = random.randrange(width), random.randrange(height)
    here, colour = pixels[y * width + x], random.choice(palette)
    shown, there = ("#" + bytes(each).hex() for each in (colour, here))
    wrong = "#" + bytes([here[0] ^ 1, *here[1:]]).hex()
    count, total = counts[colour], len(pixels)
    share = Fraction(count, total)
    bound = Fraction(random.choice([count * 100 // total, 50, count * 100 // total + 1]), 100)
    sign = {"=": "==", "≠": "!=", "≤": "<=", "≥": ">="}.get(found := related(random, share, bound, truth), found)
    rows = [
        (f"pixel({x}, {y}) == '{there}'", f"pixel({x}, {y}) == '{wrong}'"),
        (f"pixel({x}, {y}) != '{wrong}'", f"pixel({x}, {y}) != '{there}ff'"),
        (f"count('{shown}') == {count}", f"count('{shown}') == {count + 1}"),
        (f"count('{shown}') >= {count}", f"count('{shown}') > {count}"),
        (f"share('{shown}') {sign} {bound.numerator}/{bound.denominator}",) * 2,
        (f"share('{shown}') == {share.numerator}/{share.denominator}", f"share('{shown}') == {count + 1}/{total}"),
    ]
    if len(counts) == 1:
        rows.append((f"share('{there}') == 1", f"count('{there}') == 0"))
    return random.choice(rows)[not truth], _given(_saved(image, random.choice(["PNG", "BMP", "TIFF"])))


def _damaged_or_more(random: Random, truth: bool) -> Made:
    """Nothing is proved of a file that ends too early, or of more than its measures."""
    content, kind, _, width, height = _picture(random)
    statement = random.choice([f"width == {width} and height == {height}", f"format == '{kind}'"])
    if not truth:
        if random.random() < 0.6:
            content = content[: random.randint(0, len(content) * 2 // 3)]
        else:
            statement += random.choice([" and contains('cat')", " and nice", ", probably", " of a house"])
    return statement, _given(content)


def _program(random: Random, imports: list[str]) -> str:
    lines = [random.choice(("import {0}", "import {0} as m_{0}")).format(name) for name in imports]
    text = f"text = 'import {random.choice(_MODULES)}'"
    lines.append(f"# import {random.choice(_MODULES)}")
    lines.append(f"def f(x):\n    {text}\n    return x * {random.randint(1, 9)} + len(text)")
    return "\n".join(lines) + "\n"


def _imports(random: Random, truth: bool) -> Made:
    held = random.sample(_MODULES, random.randint(1, 3))
    left = random.choice([each for each in _MODULES if each not in held])
    one = random.choice(held)
    only = ", ".join(map(repr, held))
    rows = [
        (f"imports('{one}')", f"imports('{left}')"),
        (f"not imports('{left}')", f"not imports('{one}')"),
        (f"imports_only({only})", f"imports_only({', '.join(map(repr, [*held[1:], left]))})"),
        (f"imports_only({only}, '{left}')", "imports_only()"),
        (f"imports('{one}') and not imports('{left}')", f"imports('{one}') and imports('{left}')"),
        (f"imports('{left}') or imports('{one}')", f"not (imports('{left}') or imports('{one}'))"),
    ]
    return random.choice(rows)[not truth], {"code": _program(random, held)}


def _definitions(random: Random, truth: bool) -> Made:
    names = random.sample(["area", "total", "parse", "load", "is_even", "main"], 3)
    count = random.randint(0, 3)
    parameters = ", ".join(["a", "b=1", "c=None"][:count])
    code = f"# def {names[2]}(): pass\ndef {names[0]}({parameters}):\n    return 1\n"
    code += f"class {names[1].title()}:\n    pass\n"
    rows = [
        (f"defines('{names[0]}')", f"defines('{names[2]}')"),
        (f"not defines('{names[2]}')", f"not defines('{names[0]}')"),
        (f"parameters('{names[0]}') == {count}", f"parameters('{names[0]}') == {count + 1}"),
        (f"defines('{names[1].title()}')", f"not defines('{names[1].title()}')"),
    ]
    return random.choice(rows)[not truth], {"code": code}


def _of(statements: str, good: tuple[str, ...], bad: tuple[str, ...]) -> Maker:
    """Return a maker of claims that code is as it is said, where it is, and where it is not, which stays open."""

    def make(random: Random, truth: bool) -> Made:
        return random.choice(statements.split("|")), {"code": random.choice(good if truth else bad)}

    return make


FAMILIES: Final = (
    *families("image", _measures_and_formats, _colours),
    *families("image", _damaged_or_more, is_false_open=True),
    *families("code", _imports, _definitions),
    Family("code", "valid", _of("valid", _SAFE + _OTHER + _OUTSIDE, _BROKEN), True),
    Family("code", "calls out", _of("not calls_out|not (calls_out)", _SAFE, _CALLING), True),
    Family("code", "no eval", _of("not calls('eval')|not calls('builtins.eval')", _SAFE, _EVAL), True),
)
