"""One change put back: small pairs of files with the text that comes of each undoing, and what cannot be undone."""

# ruff: noqa: E501 - texts of small programs stand in one line

from __future__ import annotations

import ast
import sysconfig
from pathlib import Path

import pytest

from probatum.changes.syntax.definitions import differences_of
from probatum.changes.syntax.undoing import Undoing, undoings_of


def _undoings(base: bytes, head: bytes) -> tuple[dict[str, Undoing], tuple[str, ...]]:
    old, new = {"src/a.py": base}, {"src/a.py": head}
    made, left_out = undoings_of(differences_of(old, new), old, new)
    assert len({each.id for each in made}) == len(made)
    return {each.id.removeprefix("src/a.py"): each for each in made}, left_out


_UNDONE = {
    "changed function": (
        "def f(a):\n    return a\nX = 1\n",
        "def f(a):\n    # new\n    return -a\nX  =  1\n",
        {"::f": "def f(a):\n    return a\nX  =  1\n"},
    ),
    "decorator": ("def f():\n    return 1\n", "@ cache\ndef f():\n    return 1\n", {"::f": "def f():\n    return 1\n"}),
    "added function": (
        "x = 1\n",
        'x = 1\nasync def f(a):\n    """doc"""\n    return a\n',
        {"::f": "x = 1\nasync def f(a):\n    raise NotImplementedError\n"},
    ),
    "added generator": (
        "",
        "def f(a):\n    for b in a:\n        yield b\n",
        {"::f": "def f(a):\n    raise NotImplementedError; yield\n"},
    ),
    "added function in one line": ("", "def f(a): return a\n", {"::f": "def f(a): raise NotImplementedError\n"}),
    "added stub": ("", "def f(a): ...\n", {}),
    "removed function": ("def f(): return 1\n", "", {}),
    "method, other indentation": (
        "class A:\n  def f(self):\n    if self:\n      return '''\n  x'''\n",
        "class A:\n    def f(self):\n        return 2\n",
        {"::A.f": "class A:\n    def f(self):\n      if self:\n        return '''\n  x'''\n"},
    ),
    "tabs": (
        "class A:\n\tdef f(self):\n\t\treturn 1\n",
        "class A:\n\tdef f(self):\n\t\treturn 2\n",
        {"::A.f": "class A:\n\tdef f(self):\n\t\treturn 1\n"},
    ),
    "line ends": (
        "def f(a):\n    b = 1\n    return b\n",
        "def f(a):\r\n    return 2\r\nx = 1\r\n",
        {"::f": "def f(a):\r\n    b = 1\r\n    return b\r\nx = 1\r\n", "@1": "def f(a):\r\n    return 2\r\npass\r\n"},
    ),
    "byte order mark": ("def f(): return 1\n", "\ufeffdef f(): return 2\n", {"::f": "\ufeffdef f(): return 1\n"}),
    "setter": (
        "class A:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, v): self.v = v\n",
        "class A:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, v): self.v = 1\n",
        {
            "::A.x#2": "class A:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, v): self.v = v\n"
        },
    ),
    "two hunks": (
        "def f(a):\n    b = 1\n    c = 2\n    if a:\n        d = 1\n    else:\n        d = 2\n    return b\n",
        "def f(a):\n    b = 2\n    c = 2\n    if a:\n        d = 1\n    return b\n",
        {
            "::f": "def f(a):\n    b = 1\n    c = 2\n    if a:\n        d = 1\n    else:\n        d = 2\n    return b\n",
            "::f@1": "def f(a):\n    b = 1\n    c = 2\n    if a:\n        d = 1\n    return b\n",
            "::f@2": "def f(a):\n    b = 2\n    c = 2\n    if a:\n        d = 1\n    else:\n        d = 2\n    return b\n",
        },
    ),
    "hunk that needs another one": (
        "def f(a):\n    c = 2\n    return c\n",
        "def f(a):\n    b = 1\n    c = 2\n    return b\n",
        {"::f": "def f(a):\n    c = 2\n    return c\n", "::f@2": "def f(a):\n    b = 1\n    c = 2\n    return c\n"},
    ),
    "constants": (
        "import a\nA = 1\nB = 2\ndef f(): return 1\nC = f()\n",
        "import b\nA = 2\nD = 3\ndef f(): return 1\n",
        {
            "@1": "import b\nA = 1\nD = 3\ndef f(): return 1\n",
            "@2": "import b\nA = 2\nB = 2\npass\ndef f(): return 1\nC = f()\n",
        },
    ),
    "constant that is gone": (
        "def f(): return 1\nC = f()\n",
        "def f(): return 1\n",
        {"@1": "def f(): return 1\nC = f()\n"},
    ),
    "class body": (
        "class A(B):\n    x = 1\n    def f(self): return 1\n",
        "class A(C):\n    x = 2\n    def f(self): return 1\n",
        {
            "::A@1": "class A(B):\n    x = 2\n    def f(self): return 1\n",
            "::A@2": "class A(C):\n    x = 1\n    def f(self): return 1\n",
        },
    ),
    "added class": (
        "",
        "@dataclass\nclass A(B):\n    x: int = 1\n    def f(self): return 1\n",
        {
            "::A": "class A:\n    pass\n    def f(self): return 1\n",
            "::A.f": "@dataclass\nclass A(B):\n    x: int = 1\n    def f(self): raise NotImplementedError\n",
        },
    ),
    "what was used is put back": (
        "import json\ndef _help(a):\n    return json.dumps(a)\ndef f(a):\n    return _help(a)\n",
        "def f(a):\n    return str(a)\n",
        {"::f": "import json\ndef _help(a):\n    return json.dumps(a)\ndef f(a):\n    return _help(a)\n"},
    ),
    "method that was used is put back": (
        "class A:\n    def f(self):\n        return self._g()\n    def _g(self):\n        return 1\n",
        "class A:\n    def f(self):\n        return 1\n    x = 1\n",
        {
            "::A@1": "class A:\n    def f(self):\n        return 1\n    pass\n",
            "::A.f": "class A:\n    def f(self):\n        return self._g()\n    def _g(self):\n        return 1\n    x = 1\n",
        },
    ),
    "imports alone": ("import a\nx = 1\n", "import b\nx = 1\n", {}),
}


@pytest.mark.parametrize("name", _UNDONE)
def test_one_change_is_put_back_and_all_else_stays(name: str) -> None:
    base, head, expected = _UNDONE[name]
    made, left_out = _undoings(base.encode(), head.encode())
    assert ({each: made[each].source.decode() for each in made}, left_out) == (expected, ())


def test_an_encoding_stays_as_it_is() -> None:
    cookie = "# coding: latin-1\nN = 'é'\n"
    made, _ = _undoings("def f(): return 'ü'\nN = 'é'\n".encode(), (cookie + "def f(): return 'a'\n").encode("latin-1"))
    assert made["::f"].source == (cookie + "def f(): return 'ü'\n").encode("latin-1")


def test_what_cannot_be_undone_is_named() -> None:
    made, left_out = _undoings(
        "def f(): return '€'\n".encode(), "# coding: latin-1\ndef f(): return 'é'\n".encode("latin-1")
    )
    assert (made, left_out) == ({}, ("src/a.py::f",))


def test_what_needs_a_name_that_is_gone_elsewhere_cannot_be_undone() -> None:
    base = {"p/a.py": b"from p.b import old\ndef f(): return old()\n", "p/b.py": b"def old(): return 1\nX = 1\n"}
    head = {"p/a.py": b"def f(): return 1\n", "p/b.py": b"X = 1\n"}
    assert undoings_of(differences_of(base, head), base, head) == ((), ("p/a.py::f",))


def test_a_sentence_says_what_is_different() -> None:
    base = b"A = 1\nB = 1\ndef f(a):\n    b = 1\n    c = 2\n    return b\n"
    made, _ = _undoings(base, b"A = 2\ndef f(a):\n    b = 3\n    c = 2\n    return c\ndef g(): return 1\n")
    assert {name: (each.sentence, each.line) for name, each in made.items()} == {
        "@1": ("the change at line 1 of `src/a.py` is undone", 1),
        "@2": ("base line 2 is back in `src/a.py`", 1),
        "::f": ("the change to `f` is undone", 2),
        "::f@1": ("the change at line 3 of `f` is undone", 3),
        "::f@2": ("the change at line 5 of `f` is undone", 5),
        "::g": ("`g` raises NotImplementedError", 6),
    }


def _perturbed(content: bytes) -> bytes | None:
    """Return a file written anew, with something else done at the end of its last function of several statements."""
    tree = ast.parse(content)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and len(node.body) > 2]
    if not functions:
        return None
    functions[-1].body[-1:] = ast.parse("perturbed = 1\nassert perturbed").body
    return ast.unparse(tree).encode()


def test_a_function_of_an_installed_package_becomes_what_it_was() -> None:
    paths, tried = sorted(Path(sysconfig.get_path("purelib")).glob("[a-p]*/*.py"))[::40], 0
    for path in paths:
        head, base = path.read_bytes(), _perturbed(path.read_bytes())
        if base is None or len(head) > 100_000:
            continue
        tried += 1
        made, left_out = _undoings(base, head)
        (whole,) = (each for each in made.values() if "@" not in each.id)
        assert left_out == ()
        assert differences_of({"src/a.py": base}, {"src/a.py": whole.source}).units == ()
        assert [each.name for each in differences_of({"src/a.py": head}, {"src/a.py": whole.source}).units] == [
            whole.unit.name
        ]
    assert tried > 5
