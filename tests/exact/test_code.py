"""Statements about Python code, and what is never proved of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exact.claims import (
    ANSWERS,
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
    ruled,
)
from tests.exact.escapes import ESCAPES

OUT = "not calls_out"
PLAIN = (
    "def add(a, b):\n    return a + b\n",
    "def total(xs):\n    result = 0\n    for x in xs:\n        result += x\n    return result\n",
    "import math\ndef area(r):\n    return math.pi * r ** 2\n",
    "from math import sqrt\ndef norm(xs):\n    return sqrt(sum(x * x for x in xs))\n",
    "def squares(n):\n    out = []\n    for i in range(n):\n        out.append(i * i)\n    return out\n",
    "def count(words):\n    seen = {}\n    for w in words:\n        seen[w] = seen.get(w, 0) + 1\n    return seen\n",
    "def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\n",
    "RATE = 0.19\ndef tax(x):\n    return x * RATE\n",
    "def top(xs):\n    return sorted(xs, key=lambda x: -x)[:3]\n",
    "def shout(s: str):\n    return s.upper() + '!'\n",
    "def f(n: int):\n    while n > 1:\n        n -= 1\n    return n\n",
    "def g(x, y=None):\n    return x if y is None else y\n",
    "x = 1\ny = x + 2\n",
    "def is_vowel(c):\n    return c in {'a', 'e', 'i', 'o', 'u'}\n",
    "def distinct(xs):\n    return len(set(xs))\n",
)
QUIET = (
    *PLAIN,
    "print('hello')",
    "print('eval(x)')",
    "# eval(x)\nx = 1",
    "def evaluate(x):\n    return x\nevaluate(2)",
    "s = 'http://x'",
    "'''import os\nos.system('ls')'''\nx = 2",
    "import re\nd = re.compile('[0-9]+')\nd.findall('a1')",
    "seen = set()\ndef see(x):\n    seen.add(x)\n",
    "def f(xs: list):\n    xs.append(1)\n    return [y for y in xs if y]\n",
    "print(sorted({3, 1, 2}))",
)
CALLS_OUT = (
    "import os\nos.system('ls')",
    "import subprocess\nsubprocess.run(['ls'])",
    "from subprocess import run as go\ngo(['ls'])",
    "import os as o\no.remove('a')",
    "eval('1')",
    "ｅｖａｌ('1')",
    "f = eval\nf('1')",
    "def f(x):\n    return exec(x)",
    "open('a').read()",
    "import io\nio.FileIO('/etc/passwd').read()",
    "import linecache\nlinecache.getlines('/etc/passwd')",
    "import pandas as pd\npd.read_csv('/etc/passwd')",
    "import pickle\npickle.loads(b'')",
    "import marshal\nmarshal.loads(b'')",
    "import dill\ndill.loads(b'')",
    "import torch\ntorch.load('m')",
    "import pandas as pd\npd.read_pickle('x')",
    "import numpy as np\nnp.load('x', allow_pickle=True)",
    "import code\ncode.interact()",
    "import pdb\npdb.set_trace()",
    "import codecs\ncodecs.open('x')",
    "import platform\nplatform.popen('ls')",
    "import pip\npip.main(['install', 'x'])",
    "__import__('os')",
    "import urllib.request\nurllib.request.urlopen('http://x')",
    "import requests\nrequests.get('http://x')",
    "from pathlib import Path\nPath('a').write_text('x')",
    "import shutil\nshutil.rmtree('/')",
    "import socket\ns = socket.socket()\ns.connect(('a', 1))",
)
NEITHER = (
    "import os\nos.system = len\nos.system('ls')",
    "from somewhere import *\nopen('x')",
    "import paramiko",
    "import xmlrpc.server\nxmlrpc.server.SimpleXMLRPCServer(('', 1))",
    "import ssl\nssl._create_unverified_context()",
    "import tarfile\ndef f(t):\n    t.extractall()",
    "API_KEY = 'sk-abcdefghijklmnopqrst'\nsend(API_KEY)",
    "model.eval()",
    "import ast\nast.literal_eval('1')",
    "df.eval('a + b')",
    "class A:\n    pass",
    "if False:\n    eval('1')",
    "def f():\n    return 1\n    eval('1')",
    "import os\nlen(os.name)",
    "async def f():\n    pass",
    "import io\nio.BytesIO(b'x')",
    "import sqlite3\nsqlite3.connect(':memory:')",
    "compile('1', 'x', 'eval')",
    "def f(x: open('y')):\n    pass",
    "def f():\n    x: open('y') = 1",
    "import sys\nsys.exit()\nopen('x')",
    "exit()\nopen('x')",
    "while True:\n    pass\nopen('x')",
    "match 1:\n    case 2:\n        open('x')",
    "for _ in ():\n    open('x')",
    "[open('x') for _ in []]",
    "if []:\n    open('x')",
    "def f(x):\n    if x and False:\n        open('x')",
    "if 1 - 1:\n    open('x')",
    "globals()['open'] = len\nopen('x')",
    "__builtins__.open = len\nopen('x')",
    "import os\nsetattr(os, 'system', len)\nos.system('ls')",
    "from unittest import mock\nwith mock.patch('builtins.open'):\n    open('x')",
)
SOME = (
    '"""Text."""\nimport math\nfrom collections import Counter\n'
    "def f(a, b=1, *, c=2):\n    return math.sqrt(a)\n"
    "class Thing:\n    def method(self):\n        return Counter()\n"
)
TRUE = [
    "valid",
    "imports('math')",
    "imports('collections')",
    "not imports('os')",
    "imports_only('math', 'collections')",
    "imports_only('collections', 'math', 're')",
    "not imports_only()",
    "defines('f')",
    "defines('Thing')",
    "not defines('g')",
    "parameters('f') == 3",
    "not parameters('f') == 2",
    "valid and defines('f') and not imports('os')",
    "imports('os') or defines('f')",
    "not (defines('f') and imports('os'))",
]
FALSE = [
    "not valid",
    "imports('os')",
    "not imports('math')",
    "imports_only()",
    "imports_only('math')",
    "defines('g')",
    "not defines('f')",
    "parameters('f') == 2",
    "valid and imports('os')",
    "not (valid or imports('os'))",
]
OPEN = ["defines('method')", "not imports('math.sqrt')", "imports('OS') or imports('Math')"]
UNREAD = [
    "is safe",
    "safe",
    "parses",
    "defines f",
    "f",
    "imports(os)",
    "imports()",
    "imports('os', 're')",
    "imports('not a name')",
    "imports(5)",
    "defines('f') == 1",
    "parameters('f')",
    "parameters('f') == '3'",
    "parameters('f') > 2",
    "parameters('f') == 2.5",
    "calls('method')",
    "valid == valid",
    "1 == 1",
    "",
]


BOUND_ELSEWHERE = {
    "by a text": "exec('def f(a, b): pass')\ndef f(a): pass",
    "by the names of the module": "def f(a): pass\nglobals()['f'] = 1",
    "by an import of everything": "from m import *\ndef f(a): pass",
    "deleted": "def f(a): pass\ndel f",
    "deleted in a function": "def f(a): pass\ndef g():\n    global f\n    del f\ng()",
    "bound again": "def f(a): pass\nf = None",
}


@pytest.mark.parametrize("statement", ["defines('f')", "parameters('f') == 1"])
@pytest.mark.parametrize("name", BOUND_ELSEWHERE)
def test_nothing_is_concluded_from_a_name_that_is_bound_elsewhere(name: str, statement: str) -> None:
    assert ruled("code", statement, code=BOUND_ELSEWHERE[name]).outcome is UNDECIDED


@pytest.mark.parametrize(
    ("source", "statement"),
    [("exec('def f(): pass')", "not defines('f')"), ("@d\ndef f(a): pass", "parameters('f') == 1")],
)
def test_nothing_is_concluded_from_what_other_code_binds(source: str, statement: str) -> None:
    assert ruled("code", statement, code=source).outcome is UNDECIDED


@pytest.mark.parametrize("source", QUIET)
def test_code_in_the_subset_does_not_call_out(source: str) -> None:
    assert ruled("code", OUT, code=source).outcome is PROVED
    assert ruled("code", "calls_out", code=source).outcome is REFUTED
    assert ruled("code", "not calls('eval')", code=source).outcome is PROVED
    require_every_digit_counts(claim_of("code", OUT, code=source))


@pytest.mark.parametrize("source", CALLS_OUT)
def test_a_call_that_is_evident_refutes(source: str) -> None:
    ruling = ruled("code", OUT, code=source)
    assert ruling.outcome is REFUTED
    assert ruling.evidence["parts"][0]["findings"]  # type: ignore[index]  # a list of objects
    assert ruled("code", "calls_out", code=source).outcome is UNDECIDED


@pytest.mark.parametrize("source", NEITHER)
def test_what_is_neither_is_undecided(source: str) -> None:
    assert ruled("code", OUT, code=source).outcome is UNDECIDED


@pytest.mark.parametrize("source", ESCAPES)
@pytest.mark.parametrize("statement", [OUT, "not calls('exit')"])
def test_nothing_is_proved_of_what_reaches_outside(source: str, statement: str) -> None:
    assert outcome_of("code", statement, code=source)[0] is not PROVED


@pytest.mark.parametrize("statement", TRUE)
def test_true_facts_are_proved(statement: str) -> None:
    assert ruled("code", statement, code=SOME).outcome is PROVED
    require_every_digit_counts(claim_of("code", statement, code=SOME))


@pytest.mark.parametrize("statement", FALSE)
def test_false_facts_are_refuted(statement: str) -> None:
    assert ruled("code", statement, code=SOME).outcome is REFUTED


@pytest.mark.parametrize("statement", OPEN)
def test_what_is_not_evident_is_undecided(statement: str) -> None:
    assert ruled("code", statement, code=SOME).outcome is UNDECIDED


@pytest.mark.parametrize("statement", UNREAD)
def test_what_is_no_fact_is_blocked(statement: str) -> None:
    assert outcome_of("code", statement, code=SOME) == (BLOCKED, "code.no_claim")


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("from os import path", "not imports('os.path')"),
        ("import os", "imports('os.path')"),
        ("from . import os", "not imports('os')"),
        ("import os", "not imports('OS')"),
        ("if False:\n    import os", "imports('os')"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os", "imports('os')"),
        ("getattr(__builtins__, '__imp' + 'ort__')('os')", "not imports('os')"),
        ("import importlib\nimportlib.import_module('os')", "not imports('os')"),
        ("().__class__.__base__.__subclasses__()", "not imports('os')"),
        ("f = lambda: 1", "defines('f')"),
        ("def f(*a):\n    pass", "parameters('f') == 1"),
        ("def f():\n    pass\ndef f(a):\n    pass", "parameters('f') == 1"),
    ],
)
def test_a_fact_that_is_not_evident_is_undecided(source: str, statement: str) -> None:
    assert ruled("code", statement, code=source).outcome is UNDECIDED
    assert ruled("code", f"not ({statement})", code=source).outcome is UNDECIDED


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("", "code.empty"),
        ("  \n", "code.empty"),
        ("x = 1 +", "code.syntax"),
        ("def f(:\n  pass", "code.syntax"),
        ("return 1", "code.syntax"),
        ("x = 'a\0b'", "code.syntax"),
        ("# coding: latin-1\nx = 1", "code.encoding"),
        ("require('child_process').exec('ls')", "code.not_python"),
        ("console.log(1)", "code.not_python"),
    ],
)
def test_what_is_not_python_is_blocked(source: str, code: str) -> None:
    assert outcome_of("code", OUT, code=source) == (BLOCKED, code)


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("import os\nos.path.exists('x')", "not opens_files"),
        ("from pathlib import Path\nPath('x').mkdir()", "not opens_files"),
        ("import os\nos.kill(1, 9)", "not starts_processes"),
    ],
)
def test_a_call_of_another_kind_refutes_nothing(source: str, statement: str) -> None:
    assert ruled("code", statement, code=source).outcome is UNDECIDED


@pytest.mark.parametrize(
    "source",
    ["(" * 500 + ")" * 500, "x" + "+1" * 30_000, "-" * 3000 + "1", "x = 1\n" * 40_000, "a" + ".b" * 2000],
    ids=["parentheses", "sum", "signs", "lines", "attributes"],
)
def test_large_code_is_not_analysed(source: str) -> None:
    assert outcome_of("code", OUT, code=source)[0] in (BLOCKED, UNDECIDED)


def test_a_certificate_is_bound_to_its_code() -> None:
    from probatum.core.frozen import thaw
    from probatum.exact import check

    evidence = thaw(ruled("code", OUT, code=PLAIN[0]).evidence)
    for statement, source in ((OUT, PLAIN[1]), ("calls_out", PLAIN[0])):
        with pytest.raises(ValueError):
            check(claim_of("code", statement, code=source), evidence)


@given(st.text(alphabet="abefilmopty ()=:\n'.,#1", max_size=80))
def test_no_text_crashes(source: str) -> None:
    for statement in (OUT, "not imports('os')"):
        assert outcome_of("code", statement, code=source)[0] in ANSWERS


@given(st.text(max_size=60))
def test_no_statement_crashes(statement: str) -> None:
    assert outcome_of("code", statement, code=SOME)[0] in ANSWERS


@pytest.mark.parametrize("statement", ["valid and " * 1500 + "x", "not " * 400 + "valid", "(" * 9000])
def test_long_statements_are_not_decided(statement: str) -> None:
    assert outcome_of("code", statement, code="x = 1")[0] in (UNDECIDED, BLOCKED)
