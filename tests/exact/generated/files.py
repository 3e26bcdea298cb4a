"""Claims about images that Pillow writes, and about code: what was put in is known."""

from __future__ import annotations

import base64
import hashlib
import io
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Final

from PIL import Image

from tests.exact.generated.claim import Family, Made, Maker, decimal_places, families, fixed, related

_FORMATS: Final = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
_MODULES: Final = ("math", "json", "re", "random", "statistics", "string", "itertools")
_SUBJECTS: Final = ("", "", "the image ", "it ", "this picture ")
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


def _measured(random: Random, content: bytes, kind: str, mode: str, width: int, height: int) -> list[tuple[str, str]]:
    """Return clauses about a picture: what is true, and what is nearly so."""
    other = random.choice([each for each in _FORMATS if each != kind])
    near, far = width + random.choice([-1, 1, 10]), height + random.choice([-1, 1, 10])
    size, digest = len(content), hashlib.sha256(content).hexdigest()
    rows = [
        (f"{width}x{height} pixels", f"{near}x{height} pixels"),
        (f"is {width}x{height} pixels", f"is {width}x{far} pixels"),
        (f"is {width} by {height}", f"is {width} by {far}"),
        (f"is {width} × {height} px", f"is {near} × {height} px"),
        (f"is a {kind}", f"is a {other}"),
        (f"is not a {other}", f"is not a {kind}"),
        (f"is in {kind} format", f"is in {other} format"),
        (f"is not {near}x{height} pixels", f"is not {width}x{height} pixels"),
        (f"is {width} pixels wide", f"is {near} pixels wide"),
        (f"is {height} pixels high", f"is {far} pixels tall"),
        (f"is a {width}x{height} {kind}", f"is a {width}x{height} {other}"),
        (f"has 1 frame{'' if size % 2 else 's'}", "has 2 frames"),
        ("is static", "is animated"),
    ]
    rows += [
        (f"width = {width}", f"width = {near}"),
        (f"the format is {kind}", f"the format is {other}"),
        (f"the height is at least {height}", f"the height is more than {height}"),
        (f"the width is less than {width + 1}", f"the width is less than {width}"),
        (f"the file size is {size} bytes", f"the file size is {size + 1} bytes"),
        (f"the file size is at most {size} bytes", f"the file size is less than {size} bytes"),
        (f"the SHA-256 is {digest}", f"the SHA-256 is {digest[:-1]}{'0' if digest[-1] != '0' else '1'}"),
    ]
    if width != height:
        rows += [(f"{width}x{height} pixels", f"{height}x{width} pixels"), ("is not square", "is square")]
        rows.append(("is landscape", "is portrait") if width > height else ("is portrait", "is landscape"))
    if kind == "PNG":
        wrong = random.choice([each for each in ("RGB", "RGBA", "L") if each != mode])
        rows.append((f"the mode is {mode}", f"the mode is {wrong}"))
        alpha = ("has an alpha channel", "has no alpha channel")
        rows.append(alpha if mode == "RGBA" else (alpha[1], alpha[0]))
    return rows


def _said(random: Random, rows: list[tuple[str, str]], truth: bool) -> str:
    """Return a clause as told, or several that are true together as told, or the denial of the opposite."""
    kind = random.randrange(6)
    if kind == 0:
        return f"it is false that {_clause(random, rows, not truth)}"
    if kind == 1:
        return _both(random, rows, [truth, random.random() < 0.5 or truth], "and")
    if kind == 2:
        return _both(random, rows, [truth, random.random() < 0.5 and truth], "or")
    return _clause(random, rows, truth) + random.choice(["", "", "."])


def _clause(random: Random, rows: list[tuple[str, str]], truth: bool) -> str:
    text = random.choice(rows)[not truth]
    return random.choice(_SUBJECTS) + text if text.startswith(("is ", "has ")) else text


def _both(random: Random, rows: list[tuple[str, str]], parts: list[bool], word: str) -> str:
    random.shuffle(parts)
    one, two = (_clause(random, rows, each) for each in parts)
    return f"{one} {word} {f'it is {two}' if two[0].isdigit() else two}"


def _measures_and_formats(random: Random, truth: bool) -> Made:
    picture = _picture(random)
    return _said(random, _measured(random, *picture), truth), _given(picture[0])


def _frames(random: Random, truth: bool) -> Made:
    count, buffer = random.randint(1, 5), io.BytesIO()
    pictures = [Image.new("L", (4, 3), 40 * each) for each in range(count)]
    pictures[0].save(buffer, "GIF", save_all=True, append_images=pictures[1:])
    wrong = count + random.choice([-1, 1])
    rows = [
        (f"has {count} frames", f"has {wrong} frames"),
        (f"the number of frames is {count}", f"frame count = {wrong}"),
    ]
    rows += [("is animated", "is static") if count > 1 else ("is static", "is animated")]
    rows += [(f"it has at least {count} frames", f"it has more than {count} frames")]
    return random.choice(rows)[not truth], _given(buffer.getvalue())


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
    count, total, band = counts[colour], len(pixels), random.randrange(3)
    values, name = [each[band] for each in pixels], ("red", "green", "blue")[band]
    share = Fraction(100 * count, total)
    bound = Fraction(random.choice([count * 100 // total, 50, count * 100 // total + 1]))
    sign = related(random, share, bound, truth)
    words = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}
    rows = [
        (f"pixel ({x},{y}) is {there}", f"pixel ({x},{y}) is {wrong}"),
        (f"pixel at ({x}, {y}) is rgb{here}", f"pixel at ({x}, {y}) is rgb{(*here[:2], here[2] ^ 1)}"),
        (f"has {len(counts)} colours", f"has {len(counts) + 1} colours"),
        (f"exactly {count} pixels are {shown}", f"exactly {count + 1} pixels are {shown}"),
        (f"the minimum {name} is {min(values)}", f"the minimum {name} is {min(values) + 1}"),
        (f"the maximum {name} is {max(values)}", f"the maximum {name} is less than {max(values)}"),
        (f"at least {count} pixels are {shown}", f"more than {count} pixels are {shown}"),
    ]
    if sign in words:
        rows += [(f"{words[sign]} {bound}% of the pixels are {shown}",) * 2] * 2
    if decimal_places(share) is not None:
        exact, near = (fixed(each, decimal_places(share) or 0) for each in (share, share + 1))
        rows.append((f"the share of {shown} is {exact}%", f"the share of {shown} is {near}%"))
    if len(counts) == 1:
        rows.append((f"all pixels are {there}", f"no pixel is {there}"))
    return random.choice(rows)[not truth], _given(_saved(image, random.choice(["PNG", "BMP", "TIFF"])))


def _damaged_or_more(random: Random, truth: bool) -> Made:
    """Nothing is proved of a file that ends too early, or of more than its measures."""
    content, kind, _, width, height = _picture(random)
    statement = random.choice([f"{width}x{height} pixels", f"is a {kind}"])
    if not truth:
        if random.random() < 0.6:
            content = content[: random.randint(0, len(content) * 2 // 3)]
        else:
            statement += random.choice([" and contains a cat", " and looks nice", ", probably", " of a house"])
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
    rows = [
        (f"imports {one}", f"imports {left}"),
        (f"does not import {left}", f"does not import {one}"),
        (f"the code imports only {' and '.join(held)}", f"the code imports only {' and '.join([*held[1:], left])}"),
        (f"it is false that it imports {left}", f"it is false that it imports {one}"),
        (f"imports {one} and does not import {left}", f"imports {one} and imports {left}"),
        ("it has imports", "it has no imports"),
    ]
    return random.choice(rows)[not truth], {"code": _program(random, held)}


def _definitions(random: Random, truth: bool) -> Made:
    names = random.sample(["area", "total", "parse", "load", "is_even", "main"], 3)
    count = random.randint(0, 3)
    parameters = ", ".join(["a", "b=1", "c=None"][:count])
    code = f"# def {names[2]}(): pass\ndef {names[0]}({parameters}):\n    return 1\n"
    code += f"class {names[1].title()}:\n    pass\n"
    rows = [
        (f"defines {names[0]}", f"defines {names[2]}"),
        (f"defines a function named {names[0]}", f"defines a function called {names[2]}"),
        (f"does not define {names[2]}", f"the code does not define {names[0]}"),
        (f"the function {names[0]} takes {count} parameters", f"the function {names[0]} takes {count + 1} parameters"),
        (f"defines {names[1].title()}", f"does not define {names[1].title()}"),
    ]
    return random.choice(rows)[not truth], {"code": code}


def _of(statements: str, good: tuple[str, ...], bad: tuple[str, ...]) -> Maker:
    """Return a maker of claims that code is as it is said, where it is, and where it is not, which stays open."""

    def make(random: Random, truth: bool) -> Made:
        return random.choice(statements.split("|")), {"code": random.choice(good if truth else bad)}

    return make


FAMILIES: Final = (
    *families("image", _measures_and_formats, _frames, _colours),
    *families("image", _damaged_or_more, is_false_open=True),
    *families("code", _imports, _definitions),
    Family("code", "valid", _of("parses|is valid Python|the code compiles", _SAFE + _OTHER + _OUTSIDE, _BROKEN), True),
    Family("code", "calls out", _of("does not call out|the code does not call out.", _SAFE, _CALLING), True),
    Family("code", "no eval", _of("does not call eval|has no eval call|it does not use eval", _SAFE, _EVAL), True),
)
