"""Syntax of a later Python is named with its version, and what no Python reads stays broken."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.changes.syntax.file_syntax import file_syntax
from probatum.core.decision import Decision, Outcome
from probatum.core.errors import NotAttemptedError
from probatum.programs.loading import read_source
from probatum.programs.newer_syntax import newer_syntax
from probatum.sandbox import Program

HERE = sys.version_info[:2]

NEWER: dict[str, tuple[int, int]] = {
    "type X = int\n": (3, 12),
    "type X[T: int, *Ts, **P] = list[T]\n": (3, 12),
    "if a: type X = int\n": (3, 12),
    "type = 3; type Y = type\n": (3, 12),
    "if a:\n\ttype\tX\t=\tint\n\tclass\tA[T]:\tpass\n": (3, 12),
    "class A:\n    type X = '''\n'''  # text\n": (3, 12),
    "def f[T](x: T) -> T: return x\n": (3, 12),
    "class A[T: (int, str), *Ts](B, m=C):\n    type Y = T\n": (3, 12),
    "@d\nasync def f[T,  # the last\n](x):\n    pass\n": (3, 12),
    'f"{x["a"]}"\n': (3, 12),
    "f'{\"\\n\".join(x)}'\n": (3, 12),
    'f"""{\n x # why\n}"""\n': (3, 12),
    "f'{\nx\n}'": (3, 12),
    'f"{f"{f"{x}"}"}"': (3, 12),
    'f"{x["a"]!r:>{w["b"]}}" "b"': (3, 12),
    'rF"\\{x["a"]=}{{}}" f"\\N{DIGIT ONE}\\{y!s}"': (3, 12),
    "def f():\n    return f'{(yield 'a')}'\n": (3, 12),
    "f'{" * 30 + "'a'" + "}'" * 30: (3, 12),
    "f'{x:{y:{z}}}' if y else u'b' f'{x:a{{z}}}'": (3, 12),
    "if a: pass\nelse: type X = int; type Y[T] = T\n": (3, 12),
    "class A[T = int]: pass\n": (3, 13),
    "def f[*Ts = *tuple[int], **P = [int]](): pass": (3, 13),
    "try:\n    pass\nexcept A, B:\n    pass\n": (3, 14),
    "try: pass\nexcept* A, b ** c, b.C(1 * 2),: pass\n": (3, 14),
    't"a{x}"': (3, 14),
    'x = tR"{x:{y}}\\d" t"" ': (3, 14),
    'f"{t"{x}"}"': (3, 14),
    "def f[T](): return t''\n": (3, 14),
    "lazy import x\nif a:\n    lazy from . import y as z\n": (3, 15),
    "[*x for x in y]": (3, 15),
    "f(*x async for x in y)": (3, 15),
    "[*[*y for y in f((x, 1))] for x in z]": (3, 15),
    "{**a, **b}\n{**a for a in b if a}": (3, 15),
    "lazy\timport x\n": (3, 15),
    "match x:\n\tcase\t+1: pass\n": (3, 15),
    "match x:\n    case +1 | [+2.5, -3]: pass\n    case {'a': +1j}: pass\n    case 1 + 2j: pass\n": (3, 15),
}

BROKEN = (
    *("def f(:\n", "print 'x'\n", "x = 1\n  y = 2\n", "return f'{'a'}'", "def f[T](): pass\nx = (\n"),
    *("type x\n", "type x = \n", "type x = y\\\n", "type x = y = z\n", "type x = a, b\n"),
    *("type in = int\n", "x: type Y = 3", "type T = int\nmatch x:\n case f'a': pass"),
    *("type X = (yield)\n", "def f(): type X = (\n", "type X = int\nprint 'x'\n", "x = 1\n  type X = int\n"),
    *(
        "type X[\n] = int",
        "def f[]: pass\n",
        "def f[](): pass",
        "def f[T (x): pass",
        "def f[T, /](): pass",
        "def f[T, T](): pass",
    ),
    *("def f[T=1, U](): pass", "def f[*Ts: int](): pass", "def f[T.x](): pass", "class A[None]: pass"),
    *(
        "class A[*Ts = **t]: pass",
        "class A[*Ts = *not t]: pass",
        "class A[T]B: pass",
        "class A[T.B): pass",
        "type X[T] == int",
        "type X[T]",
    ),
    *("def f[T: (yield)](): pass", "async def f[T: (await x)](): pass", "def f[T:](): pass", "def f[T=](): pass"),
    *('f"{x["a"]"', 'f"{x["a"]', 'f"{"a" x}"', 'f"{}" f"{"a"}"', 'f"{"\\x1"}"', "f'{a $ b}' f'{'a'}'", 'f"{"a")}"'),
    *("f'{lambda x: 1}' f'{'a'}'", "f'{*x}' f'{'a'}'", "f'{a['b']!z}'", "f'}' f'{'a'}'", "f'{'a'}' print"),
    *('t"a" "b"', '"b" t"{x}"', "t'{x", "t'}'", 't"{x!z}"', "bt'a'", "t'a' b'a'"),
    *("try: pass\nexcept A, B as e: pass\n", "try: pass\nexcept A, *B: pass\n", "try: pass\nexcept A, B\n    pass\n"),
    *("try: pass\nexcept A, e: print e\n", "try: pass\nexcept A,, B: pass\n", "except A, B: pass\n"),
    *("def f():\n    lazy import x\n", "class A:\n    lazy import x\n", "lazy from x import *", "lazy x\n"),
    *("[*x, y for x in z]", "f(**x for x in y)", "[*x or y for x in z]", "x[*a for a in b]", "[*x for]"),
    *("match x:\n    case +y: pass", "match x:\n    case +1\n"),
    *("f'{" * 160 + "'a'" + "}'" * 160, "f'{x:{y:{z:{w}}}}'", "t'" + "{" * 5000),
    "x = " + "(" * 5000 + "t''" + ")" * 5000,
)


@pytest.mark.parametrize(("text", "version"), NEWER.items())
def test_what_a_later_python_reads_is_named_with_its_version(text: str, version: tuple[int, int]) -> None:
    found = newer_syntax(text)
    assert (found and found.version) == (version if version > HERE else None)
    if version <= HERE:
        compile(text, "program", "exec", dont_inherit=True)


@pytest.mark.parametrize("text", BROKEN)
def test_what_no_python_reads_needs_no_version(text: str) -> None:
    assert newer_syntax(text) is None


@pytest.mark.skipif(HERE > (3, 11), reason="this Python reads it")
@pytest.mark.parametrize("inner", ["a," * 100_000, ",".join(f"{n * (2**61 - 1)}" for n in range(1, 6_000))])
def test_what_is_too_large_to_be_tried_is_not_called_broken(inner: str) -> None:
    found = newer_syntax(f'x = f"{{y["a"], {{{inner}}}}}"\n')
    assert found is not None
    assert found.version == (3, 12)


def test_an_import_that_is_looked_at_from_each_colon_takes_no_quadratic_time() -> None:
    assert newer_syntax("if " + ":lazy from " * 20_000 + "import *") is None


_PIECES = st.sampled_from(
    (
        *("f'", 't"', "'", '"', "'''", "{", "}", "[", "]", "(", ")", ":", "!r", "=", "*", ",", "\\", "\n", "#", " "),
        *("x", "1", "é", "\x0c", "\\N{", "type X", "def f", "except ", "lazy import ", "case +1", " for x in y"),
    )
)


@given(st.lists(_PIECES, max_size=30).map("".join) | st.text(max_size=40))
def test_any_text_has_an_answer_and_what_this_python_reads_needs_no_other(text: str) -> None:
    found = newer_syntax(text)
    try:
        compile(text, "program", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return
    assert found is None


@pytest.mark.skipif(HERE > (3, 14), reason="this Python reads it")
def test_a_program_in_a_later_python_is_blocked_and_not_refuted() -> None:
    told = read_source(Program(b"lazy import json\n"))
    assert isinstance(told, Decision)
    assert (told.outcome, told.constraint_id) == (Outcome.NOT_ATTEMPTED, "program.needs_newer_python")
    assert "python3.15" in told.agent_message
    assert told.fields["hint"] == "Run probatum itself under Python 3.15 or later."


@pytest.mark.skipif(HERE > (3, 14), reason="this Python reads it")
def test_a_change_in_a_later_python_is_blocked() -> None:
    with pytest.raises(NotAttemptedError) as caught:
        file_syntax("shop.py", b"lazy import json\n")
    assert (caught.value.code, caught.value.sentence.partition(";")[0]) == (
        "change.needs_newer_python",
        "shop.py: a lazy import needs Python 3.15",
    )
    assert isinstance(file_syntax("shop.py", b"lazy import\n"), str)
