"""Hostile inputs by shape: each function gives about so many bytes of one shape, for the readers that take its form.

A shape is small to write and dear to read: deep, wide, repeated, nearly equal, of many digits, never closed. The forms
are ``json`` (any JSON text), ``broken`` (text that is nearly JSON), ``tagged`` (a value as a proof records it),
``wire`` (a value as a sandboxed process sends it) and ``python`` (a source).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

PRIME: Final = 2**61 - 1
"""Integers that differ by a multiple of it have one hash."""
Shape = Callable[[int], str]


def repeated(part: str, head: str = "", tail: str = "", between: str = "") -> Shape:
    """Return the shape of one part written many times."""

    def made(size: int) -> str:
        count = max(1, size // (len(part) + len(between)))
        return head + between.join([part] * count) + tail

    return made


def numbered(form: Callable[[int], str], head: str = "[", tail: str = "]", between: str = ",") -> Shape:
    """Return the shape of many parts that differ by their number."""

    def made(size: int) -> str:
        parts: list[str] = []
        length = 0
        while length < size:
            parts.append(form(len(parts)))
            length += len(parts[-1]) + len(between)
        return head + between.join(parts) + tail

    return made


def nested(opening: str, closing: str, core: str = "") -> Shape:
    """Return the shape of brackets in brackets."""

    def made(size: int) -> str:
        count = max(1, size // (len(opening) + len(closing)))
        return opening * count + core + closing * count

    return made


def one(form: Callable[[int], str]) -> Shape:
    """Return the shape of one part that is as long as asked."""
    return form


JSON: Final[Mapping[str, Shape]] = {
    "empty lists": repeated("[]", "[", "]", ","),
    "empty objects": repeated("{}", "[", "]", ","),
    "lists of one": repeated("[0]", "[", "]", ","),
    "objects of one": repeated('{"":0}', "[", "]", ","),
    "lists in lists, a hundred deep": repeated("[" * 90 + "]" * 90, "[", "]", ","),
    "lists without end": nested("[", "]"),
    "objects without end": nested('{"a":', "}", "0"),
    "many keys": numbered(lambda n: f'"k{n}":{n}', "{", "}"),
    "one key many times": repeated('"a":1', "{", "}", ","),
    "short texts": numbered(lambda n: f'"{n:x}"'),
    "texts beyond ASCII": numbered(lambda n: f'"{chr(0x4E00 + n % 5000)}{n:x}"'),
    "one text beyond the plane": one(lambda size: '["' + "a" * size + '\U0001f600"]'),
    "escapes": one(lambda size: '"' + "\\u0061" * (size // 6) + '"'),
    "half pairs": one(lambda size: '"' + "\\ud83d" * (size // 6) + '"'),
    "pairs": one(lambda size: '"' + "\\ud83d\\ude00" * (size // 12) + '"'),
    "backslashes": one(lambda size: '"' + "\\\\" * (size // 2) + '"'),
    "one number of many digits": one(lambda size: "1" * size),
    "one fraction of many digits": one(lambda size: "0." + "1" * size),
    "one exponent of many digits": one(lambda size: "1e" + "1" * size),
    "zeros before a point": one(lambda size: "0." + "0" * size + "1"),
    "numbers of 4300 digits": repeated("7" * 4300, "[", "]", ","),
    "numbers that are nearly whole": repeated("9007199254740993.0000000000000000001", "[", "]", ","),
    "large exponents": repeated("1e308", "[", "]", ","),
    "whole floats": numbered(lambda n: f"{n}.0"),
    "numbers with one hash": numbered(lambda n: f"{(n + 1) * PRIME}"),
    "small numbers": repeated("0", "[", "]", ","),
    "true": repeated("true", "[", "]", ","),
    "spaces": one(lambda size: "[" + " " * size + "]"),
    "lines": one(lambda size: "[" + "\n" * size + "]"),
    "brackets in a text": one(lambda size: '"' + "[" * size + '"'),
}
BROKEN: Final[Mapping[str, Shape]] = {
    "only brackets": one(lambda size: "[" * size),
    "only braces": one(lambda size: "{" * size),
    "objects that never close": repeated('{"a":'),
    "only quotes": one(lambda size: '"' * size),
    "quotes with backslashes": repeated('"\\'),
    "fences": repeated("```json\n"),
    "fences with objects": repeated("```json\n{\n"),
    "ticks": one(lambda size: "`" * size),
    "tildes": repeated("~~~\n"),
    "lines with a brace": repeated("{\n"),
    "a brace and spaces": repeated("{ " + " " * 30),
    "trailing commas": repeated("1,", "[", "]"),
    "trailing commas in lists": repeated("[1,]", "[", "]", ","),
    "sentences with braces": repeated("Here is it: {a} "),
    "nearly objects": repeated('{"a": 1, "b": [1, 2, }\n'),
    "spaces alone": one(lambda size: " " * size),
    "think marks": repeated("<think>"),
    "closed think marks": repeated("<think></think>"),
    "text that never ends": one(lambda size: '["' + "a" * size),
    "comments": repeated("// a\n"),
    "open comments": repeated("/*"),
    "NaN": repeated("NaN", "[", "]", ","),
    "control characters": one(lambda size: '"' + "\x01" * size + '"'),
    "values one after the other": repeated("{} "),
    "lists one after the other": repeated("[1] "),
}
TAGGED: Final[Mapping[str, Shape]] = {
    "a set of nearly equal floats": numbered(lambda n: f'{{"$float":"{(1.0 + n * 2**-52).hex()}"}}', '{"$set":[', "]}"),
    "a set of floats": numbered(lambda n: f'{{"$float":"{(n + 1.0).hex()}"}}', '{"$set":[', "]}"),
    "a set of tuples of floats": numbered(
        lambda n: f'{{"$tuple":[{{"$float":"{(n + 1.0).hex()}"}}]}}', '{"$set":[', "]}"
    ),
    "a set of one hash": numbered(lambda n: f'{{"$int":"{hex((n + 2) * PRIME)}"}}', '{"$set":[', "]}"),
    "keys of one hash": numbered(lambda n: f'[{{"$int":"{hex((n + 2) * PRIME)}"}},0]', '{"$dict":[', "]}"),
    "tuples of one hash as keys": numbered(
        lambda n: f'[{{"$tuple":[{{"$int":"{hex((n + 2) * PRIME)}"}}]}},0]', '{"$dict":[', "]}"
    ),
    "fractions of one hash": numbered(
        lambda n: f'{{"$fraction":"{(n + 2) * PRIME + 1}/{(n + 2) * PRIME + 2}"}}', '{"$set":[', "]}"
    ),
    "one long fraction": one(lambda size: f'{{"$fraction":"{hex(3**size)}/{hex(2 ** (size * 2) + 1)}"}}'),
    "a long fraction of ones": one(
        lambda size: '{"$fraction":"0x' + "f" * (size // 2) + "/0x" + "e" * (size // 2) + '"}'
    ),
    "one long whole number": one(lambda size: '{"$int":"0x' + "7" * size + '"}'),
    "one long decimal": one(lambda size: '{"$decimal":"' + "7" * size + '"}'),
    "a decimal with a large exponent": repeated('{"$decimal":"1E+999999999"}', "[", "]", ","),
    "decimals and whole numbers": numbered(lambda n: f'{{"$decimal":"{n}E+{n * 1000}"}}', '{"$set":[', "]}"),
    "long bytes": one(lambda size: '{"$bytes":"' + "ab" * (size // 2) + '"}'),
    "code points": repeated("55357", '{"$text":[', "]}", ","),
    "tuples in tuples": repeated('{"$tuple":[' * 40 + "]}" * 40, "[", "]", ","),
    "frozen sets in frozen sets": repeated('{"$frozenset":[' * 40 + "]}" * 40, "[", "]", ","),
    "ranges": repeated('{"$range":[0,9007199254740991,1]}', "[", "]", ","),
    "floats": repeated('{"$float":"0x1.8000000000000p+0"}', "[", "]", ","),
    "times": repeated('{"$datetime":"2020-01-01T00:00:00+00:00"}', "[", "]", ","),
    "keys with dollars": numbered(lambda n: f'"$$k{n}":0', "{", "}"),
    "sets in sets": numbered(lambda n: f'{{"$frozenset":[{n},{n + 1}]}}', '{"$set":[', "]}"),
    "complex": repeated('{"$complex":[{"$float":"0x1.0p+0"},{"$float":"0x1.0p+0"}]}', "[", "]", ","),
}


def _doubled(size: int) -> str:
    """Return lists of which each holds the one before it twice."""
    count = min(size // 14, 90)
    text = '["l"]'
    for level in range(count):
        text = f'["l",{text},["r",{count - level}]]'
    return text


WIRE: Final[Mapping[str, Shape]] = {
    "lists that hold themselves twice": _doubled,
    "tuples shared in rows": one(
        lambda size: '["l",["t",' + ",".join("0" for _ in range(size // 4)) + "]" + ',["r",1]' * (size // 16) + "]"
    ),
    "a shared tuple as keys": one(
        lambda size: (
            '["d",["t",' + ",".join("0" for _ in range(size // 4)) + "],0" + ',["t",["r",1],0],0' * (size // 40) + "]"
        )
    ),
    "a shared text in rows": one(
        lambda size: '["l",["l","' + "a" * (size // 2) + '"]' + ',["r",1]' * (size // 16) + "]"
    ),
    "a list that holds itself": one(lambda size: '["l"' + ',["r",0]' * (size // 8) + "]"),
    "lists that hold each other": one(
        lambda size: (
            "".join('["l",' for _ in range(80)) + "0" + "".join(f',["r",{n}]' for n in range(80)) + "]" * 80 + "" * size
        )
    ),
    "whole numbers of one hash": numbered(lambda n: f'["i","{(n + 2) * PRIME * 2**20:x}"]', '["s",'),
    "long whole number": one(lambda size: '["i","' + "7" * size + '"]'),
    "long decimal": one(lambda size: '["D","' + "7" * size + '"]'),
    "decimals": numbered(lambda n: f'["D","{n}E+999999999"]', '["s",'),
    "long fraction": one(lambda size: '["Q","' + "f" * (size // 2) + '","' + "e" * (size // 2) + '"]'),
    "fractions": numbered(lambda n: f'["Q","{n + 1:x}","{n * 3 + 7:x}"]', '["s",'),
    "nearly equal floats": numbered(lambda n: f'["f","{(1.0 + n * 2**-52).hex()}"]', '["s",'),
    "empty lists": repeated('["l"]', '["l",', "]", ","),
    "empty dictionaries": repeated('["d"]', '["l",', "]", ","),
    "counters": repeated('["co"]', '["l",', "]", ","),
    "brackets in a text": one(lambda size: '"' + "[" * size + '"'),
    "quotes without end": one(lambda size: '["' + '\\"[' * (size // 3)),
    "lists without end": nested("[", "]"),
    "declared": repeated('["o","artifact.A","x",0]', '["l",', "]", ","),
    "deques": repeated('["q",9007199254740990]', '["l",', "]", ","),
    "named zones": repeated('["tz",[0,1,0,"aaaa"]]', '["l",', "]", ","),
}


def _function(doc: Shape, head: str = "", tail: str = "") -> Shape:
    def made(size: int) -> str:
        return f'def f(x: int) -> int:\n    r"""{head}{doc(size)}{tail}\n    """\n    return x\n'

    return made


PYTHON: Final[Mapping[str, Shape]] = {
    "tuples of one": repeated("(1,)", "x = (", ",)\n", ","),
    "empty lists": repeated("[]", "x = [", "]\n", ","),
    "sums": repeated("1", "x = ", "\n", "+"),
    "signs": one(lambda size: "x = " + "-" * size + "1\n"),
    "nots": repeated("not ", "x = ", "1\n"),
    "brackets": nested("(", ")", "1"),
    "attributes": repeated(".a", "x = a", "\n"),
    "calls": repeated("()", "x = a", "\n"),
    "subscripts": repeated("[0]", "x = a", "\n"),
    "comparisons": repeated("a", "x = ", "\n", "<"),
    "lambdas": repeated("lambda:", "x = ", "1\n"),
    "conditions": repeated("1 if 1 else ", "x = ", "1\n"),
    "indents": one(lambda size: "".join(" " * n + "if 1:\n" for n in range(min(95, size))) + " " * 96 + "pass\n"),
    "one digit string": one(lambda size: "x = " + "1" * size + "\n"),
    "hexadecimal": one(lambda size: "x = 0x" + "f" * size + "\n"),
    "one long text": one(lambda size: "x = '" + "a" * size + "'\n"),
    "texts one after the other": repeated("''", "x = (", ")\n", " "),
    "formatted": repeated("{x}", "x = f'", "'\n"),
    "formatted in formatted": one(lambda size: "x = f'" + "{x:" * (size // 8) + "}" * (size // 8) + "'\n"),
    "lines of nothing": one(lambda size: "\n" * size),
    "continued lines": repeated("\\\n", "x = 1 ", "\n"),
    "semicolons": repeated("x=1", "", "\n", ";"),
    "assignments": numbered(lambda n: f"x{n} = {n}", "", "\n", "\n"),
    "targets": repeated("x", "", " = 1\n", "="),
    "comments": repeated("# a\n"),
    "functions": numbered(lambda n: f"def f{n}(x): return x\n", "", "", ""),
    "documented functions": numbered(
        lambda n: f'def f{n}(x: int) -> int:\n    """Add.\n\n    >>> f{n}(1)\n    2\n    """\n    return x + 1\n',
        "",
        "",
        "",
    ),
    "classes": numbered(lambda n: f"class C{n}: pass\n", "", "", ""),
    "parameters": numbered(lambda n: f"a{n}", "def f(", "): pass\n"),
    "decorators": repeated("@a\n", "", "def f(): pass\n"),
    "branches": repeated("    if x: x = 1\n", "def f(x):\n", "    return x\n"),
    "else ifs": repeated("    elif x: x = 1\n", "def f(x):\n    if x: x = 2\n", "    return x\n"),
    "prompts": _function(repeated("    >>> f(1)\n    1\n", "\n")),
    "prompts alone": _function(repeated(">>> \n", "\n")),
    "prompts in a line": _function(repeated(">>> ")),
    "continued prompts": _function(repeated("    ... a\n", "\n    >>> f(1)\n")),
    "spaces in a document": _function(one(lambda size: " " * size)),
    "lines in a document": _function(one(lambda size: "\n" * size)),
    "ticks in a document": _function(one(lambda size: "`" * size)),
    "ticks and spaces": _function(repeated("` ")),
    "double ticks": _function(repeated("``a`` ")),
    "colons in a document": _function(one(lambda size: ":" * size)),
    "fields in a document": _function(repeated("    :param x: a\n", "\n")),
    "sections in a document": _function(repeated("    Returns:\n        int: a\n", "\n")),
    "underlined sections": _function(repeated("    Returns\n    -------\n    int\n", "\n")),
    "raises in a document": _function(repeated("        ValueError: if x < 0\n", "\n    Raises:\n")),
    "dots in a document": _function(one(lambda size: "." * size)),
    "dots and spaces": _function(repeated(". ")),
    "brackets in a document": _function(one(lambda size: "(" * size)),
    "calls in a document": _function(repeated("f(")),
    "equations in a document": _function(repeated("f(1) == 1 ")),
    "equations in lines": _function(repeated("    f(1) == 1\n", "\n")),
    "arrows in a document": _function(repeated("f(1) -> 1 ")),
    "equal signs": _function(one(lambda size: "=" * size)),
    "dashes": _function(one(lambda size: "-" * size)),
    "dashed lines": _function(repeated("---\n")),
    "quotes in a document": _function(one(lambda size: "'" * size)),
    "words": _function(repeated("returns the value of x ")),
    "one word": _function(one(lambda size: "a" * size)),
    "sentences": _function(repeated("Returns x. ")),
    "conditions in words": _function(repeated("x must be positive. ")),
    "if in a document": _function(repeated("if x ")),
    "commas in a document": _function(repeated("a, ")),
    "numbers in a document": _function(repeated("1 ")),
    "one number in a document": _function(one(lambda size: "1" * size)),
    "pipes": _function(repeated("| a | b |\n")),
    "stars": _function(one(lambda size: "*" * size)),
    "assertions in a document": _function(repeated("    assert f(1) == 1\n", "\n")),
    "tabs in a document": _function(one(lambda size: "\t" * size)),
    "code blocks": _function(repeated("    .. code-block:: python\n\n        f(1)\n\n", "\n")),
    "fenced blocks": _function(repeated("```python\nf(1)\n```\n")),
    "open fences": _function(repeated("```python\n")),
    "pep 316": _function(repeated("    post: __return__ > 0\n", "\n")),
    "backslashes in a document": _function(repeated("\\\\")),
    "braces in a document": _function(one(lambda size: "{" * size)),
    "less than": _function(one(lambda size: "<" * size)),
    "value lists": _function(repeated("[1, [2, ")),
    "non-ASCII": _function(repeated("é→")),
    "examples in words": _function(repeated("For example, f(1) returns 1. ")),
    "e.g.": _function(repeated("e.g. ")),
    "annotations": one(
        lambda size: "def f(x: " + "list[" * (size // 6) + "int" + "]" * (size // 6) + ") -> int: return 1\n"
    ),
    "unions": repeated("int", "def f(x: ", ") -> int: return 1\n", "|"),
    "defaults": repeated("1", "def f(x=[", "]) -> int: return x\n", ","),
    "returns": repeated("    return x\n", "def f(x):\n", ""),
    "imports": numbered(lambda n: f"import a{n}", "", "\n", "\n"),
    "globals": numbered(lambda n: f"g{n}", "def f(x):\n    global ", "\n    return x\n", ","),
    "matches": repeated("        case 1: pass\n", "def f(x):\n    match x:\n", ""),
    "dictionary": numbered(lambda n: f"{n}: {n}", "x = {", "}\n"),
    "comprehensions": one(lambda size: "x = " + "[a for a in " * (size // 13) + "b" + "]" * (size // 13) + "\n"),
    "walrus": one(lambda size: "x = " + "(a := " * (size // 7) + "1" + ")" * (size // 7) + "\n"),
    "strings with prefix": repeated("rb''", "x = (", ")\n", " "),
    "type comments": repeated("x = 1 # type: ignore\n"),
    "an encoding": one(lambda size: "# coding: idna\nx = '" + "a" * size + "'\n"),
    "another encoding": one(lambda size: "# coding: punycode\n" + "a" * size + "\n"),
    "utf-7": one(lambda size: "# coding: utf-7\nx = '" + "+AGE-" * (size // 5) + "'\n"),
    "form feeds": one(lambda size: "\f" * size + "x = 1\n"),
    "carriage returns": one(lambda size: "\r" * size + "x = 1\n"),
    "quotes that never end": one(lambda size: "x = '''" + "a" * size),
    "names that never end": one(lambda size: "a" * size + " = 1\n"),
    "names beyond ASCII": one(lambda size: "ａ" * (size // 3) + " = 1\n"),
}
