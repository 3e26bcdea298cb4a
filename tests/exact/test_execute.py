"""Which code may be run in a sandbox; running it is another matter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import NotAttemptedError
from probatum.core.messages import built_in_sentences
from probatum.exact import check, decide
from tests.exact.claims import BLOCKED, UNDECIDED, claim_of, outcome_of

STATEMENT = "it prints 4"
ALLOWED = (
    "print(2 + 2)",
    "# os.system in comment\nprint(1)",
    "s = 'http://x'",
    "print('eval(x)')",
    "import math\nprint(math.sqrt(16))",
    "import json\nprint(json.dumps({'a': 1}))",
    "from collections import Counter\nprint(Counter('aab').most_common())",
    "class A:\n    def __init__(self):\n        self.x = 1\nprint(A().x)",
    "def evaluate(x):\n    return x\nprint(evaluate(4))",
    "import re\nprint(re.compile('a').findall('aa'))",
    "def compile(x):\n    return x\nprint(compile(4))",
    "import random\nprint(random.random())",
    "if __name__ == '__main__':\n    print(4)",
    "model = {}\nmodel.eval()",
    "input = [1, 2]\nprint(sum(input))",
    "def f(open):\n    return open + 1\nprint(f(1))",
    "import calendar\nprint(calendar.datetime.date(2024, 1, 1))",
)
REFUSED = (
    "import os",
    "import os.path",
    "from os import system",
    "from . import x",
    "open('/etc/passwd')",
    "f = open",
    "eval('1')",
    "ｅｖａｌ('1')",
    "exec('1')",
    "compile('1', 'x', 'eval')",
    "__import__('os')",
    "__builtins__",
    "().__class__.__bases__",
    "print.__self__",
    "def f():\n    pass\nf.__globals__",
    "getattr('', 'upper')",
    "globals()",
    "input()",
    "breakpoint()",
    "import io; io.FileIO('/etc/passwd').read()",
    "import linecache; linecache.getlines('/etc/passwd')",
    "import pandas; pandas.read_csv('/etc/passwd')",
    "import pickle",
    "import ctypes",
    "import sys",
    "import importlib",
    "import subprocess",
    "import socket",
    "if False:\n    import os",
    "def f():\n    import os",
    "x = lambda: eval('1')",
    "if False:\n    open = 1\nopen('/etc/passwd')",
    "for open in []:\n    pass\nopen('/etc/passwd')",
    "open('/etc/passwd')\ndef open(x):\n    pass",
    "open = 1\ndel open\nopen('/etc/passwd')",
    "def f():\n    global open\n    open = 1\nopen('/etc/passwd')",
    "class A:\n    if 0:\n        open = 1\n    x = open('/etc/passwd')",
    "import json\njson.codecs.open('/etc/passwd')",
    "import random\nrandom._os.system('ls')",
    "from random import _os",
    "from json import codecs as c",
)


@pytest.mark.parametrize("source", ALLOWED)
def test_code_that_may_be_run_leaves_its_result_open(source: str) -> None:
    assert outcome_of("execute", STATEMENT, code=source) == (UNDECIDED, "execute.not_run")


@pytest.mark.parametrize("source", REFUSED)
def test_code_that_imports_opens_or_evaluates_is_refused_and_what_matched_is_not_told(source: str) -> None:
    with pytest.raises(NotAttemptedError) as caught:
        decide(claim_of("execute", STATEMENT, code=source))
    assert caught.value.code == "execute.refused"
    for told in (built_in_sentences()["execute.refused"], caught.value.sentence):
        assert not any(word in told for word in ("os", "eval", "open", "passwd", "__", "pandas") if word in source)


@pytest.mark.parametrize("source", ["", "x = 1 +", "print 4", "x = '\0'"])
def test_what_does_not_parse_is_not_run(source: str) -> None:
    assert outcome_of("execute", STATEMENT, code=source) == (BLOCKED, "execute.syntax")


def test_there_is_no_certificate() -> None:
    with pytest.raises(ValueError):
        check(claim_of("execute", STATEMENT, code="print(4)"), {"allowed": True})


@given(st.text(alphabet="abeoprtxim ._()=:\n'", max_size=60))
def test_no_text_crashes(source: str) -> None:
    assert outcome_of("execute", STATEMENT, code=source)[0] in (BLOCKED, UNDECIDED)
