"""What only looks as if it met a criterion, or missed it: it is neither passed nor failed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from probatum.judge.criteria.layer import NO_TOOLS, criteria_report
from probatum.judge.criteria.tools import CriteriaTools
from probatum.judge.request import ValidationRequest, ValidationType
from probatum.kinds.judge.running import SandboxRunner

SORT = "def sort_list(x):\n    return sorted(x)\n"
CHECKED = "assert sort_list([2, 1]) == [1, 2]"
EMPTY_TESTS = {
    "an assertion about nothing": "def test_a():\n    sort_list([1])\n    assert 1 == 1\n",
    "what it asserts is caught": f"def test_a():\n    try:\n        {CHECKED}\n    except Exception:\n        pass\n",
    "what it asserts is suppressed": (
        f"from contextlib import suppress\ndef test_a():\n    with suppress(AssertionError):\n        {CHECKED}\n"
    ),
    "the function, not its answer": "def test_a():\n    assert sort_list\n",
    "an assertion that always holds": "def test_a():\n    assert sort_list([1]) or True\n",
    "a tuple": "def test_a():\n    assert (sort_list([1]) == [2], 'message')\n",
    "a lambda": "def test_a():\n    assert lambda: sort_list([1]) == [1]\n",
    "after the end": f"def test_a():\n    return\n    {CHECKED}\n",
    "never reached": f"def test_a():\n    if False:\n        {CHECKED}\n",
    "a loop over nothing": f"def test_a():\n    for x in []:\n        {CHECKED}\n",
    "skipped": f"import pytest\n@pytest.mark.skip\ndef test_a():\n    {CHECKED}\n",
    "compared with itself": "def test_a():\n    assert sort_list([1]) == sort_list([1])\n",
    "another function of this name": f"def sort_list(x):\n    return x\ndef test_a():\n    {CHECKED}\n",
    "a name that is taken": f"def test_a():\n    sort_list = sorted\n    {CHECKED}\n",
    "an inner function": f"def test_a():\n    def inner():\n        {CHECKED}\n",
    "defined again": f"def test_a():\n    {CHECKED}\ndef test_a():\n    pass\n",
    "a generator": f"def test_a():\n    yield\n    {CHECKED}\n",
    "a coroutine": f"async def test_a():\n    {CHECKED}\n",
}
CODE = [
    ("import numpy\ndef f(numpy):\n    return numpy\n", "Uses numpy"),
    ("import math, mathutils\ndef f(x):\n    return mathutils.a(x)\n", "Uses the math module"),
    ("def f(x):\n    def f(y):\n        return 1\n    return f(x)\n", "Uses recursion"),
    ("f = lambda n: n * f(n - 1) if n else 1\ndef h():\n    return f(3)\n", "Uses recursion"),
    ("f = lambda n: n * f(n - 1) if n else 1\ndef h():\n    return f(3)\n", "Does not use recursion"),
    ("def f(x):\n    return [y for y in x]\n", "No loops"),
    ("import os\ndef f(x):\n    os.system('python -c 1')\n", "No external dependencies"),
    (
        "try:\n    import numpy\nexcept ImportError:\n    numpy = None\ndef f(x):\n    return x\n",
        "No external dependencies",
    ),
    ("def f(x: 1) -> 2:\n    return x\n", "Has type hints"),
    ("def outer():\n    def inner():\n        pass\n", "Defines a function named inner"),
    ("def a():\n    pass\ndef b():\n    pass\n", "The function is named a"),
    ("# HACK\ndef f(x):\n    return x\n", "No FIXME comments"),
    ("def f(x):\n    return 'TODO list'\n", "No TODO comments"),
    ("def visit_Call(node):\n    pass\n", "Code follows PEP 8 naming"),
    ("# TO DO: later\ndef f(x):\n    return x\n", "No TODO comments"),
]
OUTPUTS: list[tuple[object, str]] = [
    ("# R\n\n## Risks\n\nTBD\n\n## Next\n\nx\n", "Contains a section on risks"),
    ("# R\n\n## Risks\n\n<!-- hidden -->\n\n## Next\n\nx\n", "Contains a section on risks"),
    ("# R\n\n<!--\n## Risks\n\nhidden\n-->\n\nx\n", "Contains a section on risks"),
    ("# The report of the year\n\n## Hazards\n\nIt is wet.\n", "Contains a section on risks"),
    ("# Report\n\n## Closing remarks\n\nIt is the end of the year.\n", "Has a conclusion"),
    ("# Bericht\n\n## Risiken\n\nDies.\n", "Has a conclusion"),
    ("# The paper\n\nThe text is of Smith [1].\n\n[1] Smith 2020\n", "Contains references"),
    ({"text": "hi", "overview": "x"}, "Has a summary"),
    ("<p>hi</p><!-- ten more words that are not seen at all here -->", "At least 8 words"),
    ("e\u0301" * 30, "At most 40 characters"),
    ("\u200b\u200b", "Output is not empty"),
    ("P\u0430ris is nice", "Does not mention 'Paris'"),
    ("Ber\u200blin is nice", "Does not mention 'Berlin'"),
    ("B**er**lin is nice", "Does not mention 'Berlin'"),
    ("P&#97;ris is nice", "Does not mention 'Paris'"),
    ("\uff30\uff41\uff52\uff49\uff53 is nice", "Does not mention 'Paris'"),
    ("do not, don\u2019t", 'Does not contain "don\'t"'),
    ({"a": "x", "b": 1}, "Does not contain '1'"),
    ("```\n## Risks\n\nx\n```\n", "No headings"),
    ("```python\n>>> f(1)\n2\n```\n", "Code parses"),
    ("We sell apples", "Mentions 'apples' or 'pears'"),
    ({"a": "x", "b": 1}, "not regex: a"),
    ({"a": "x", "b": 1}, "Is one word"),
    ({"phone": 5551234567}, "No phone numbers"),
    ("We use placeholder attributes", "No placeholder text"),
    ("Dear Bob", "Starts with the word 'Dea'"),
    ('{"a": 1, "a": 2}', "Is valid JSON"),
    ({"a.b": 5, "a": {"b": 7}}, "a.b is 5"),
    ("Hello", "regex: /Hello/"),
    ({"a": 1}, "jsonpath: $.b != 1"),
    ({"a": 1}, "jsonpath: $.b == null"),
]
RUN = [
    ("def sort_list(x):\n    if len(x) > 2000:\n        return x\n    return sorted(x)\n", "Code implements sorting"),
    ("import threading\ndef f(x):\n    return sorted(x)\n", "Code implements sorting"),
    ("import sys\ndef sort_list(x):\n    return sorted(x) if sys.argv else x\n", "Code implements sorting"),
    ("def search(x, y):\n    return x.index(y) if y in x else -1\n", "Code implements binary search"),
    ("def f(x):\n    return 0.1 + 0.2\n", "f(1) returns 0.3"),
    ("n = 0\ndef f(x):\n    global n\n    n += 1\n    return n\n", "f(1) == 1"),
    ("import os\ndef f(x):\n    return os.getpid()\n", "f(1) == 1"),
    ("import time\ndef f(x):\n    return time.time() > 0\n", "f(1) returns True"),
    ("import nosuch\ndef f(x):\n    return x\n", "f(1) raises ImportError"),
    ("def f(x):\n    return 1 if x < 2 else x * f(x - 1)\n", "Handles negative numbers"),
    ("def unique(x):\n    return list(x)\n", "Handles duplicates"),
    ('def f(x):\n    """Raise no TypeError for None."""\n    return x + [1]\n', "Handles None"),
    ("def f(x):\n    return x[0]\n\n\ndef _g(x):\n    return x\n", "Handles a single element correctly"),
    ("def f(x):\n    return (a for a in x for b in x)\n", "Runs in linear time"),
    ("def f(x):\n    yield from sorted(x)\n", "Runs in O(n)"),
    ("def f(x):\n    if len(x) > 2000:\n        return [0 for a in x for b in x]\n    return 0\n", "Runs in O(n)"),
    ("def f(x):\n    y = x\n    x = [int(a) for a in y]\n    return sorted(x)\n", "Runs in linear time"),
    ("def f(x):\n    return sorted(x, key=str)\n", "Runs in linear time"),
    ("def f(x):\n    abs = sorted\n    y = [a - 0 for a in x]\n    return abs(y)\n", "Runs in linear time"),
    ("def f(x):\n    y = [[a] for a in x]\n    return sum(y, [])\n", "Runs in linear time"),
    (
        "def f(x):\n    y = []\n    for a in x:\n        y.append(a - 0)\n    return a in a in y\n",
        "Runs in linear time",
    ),
    (
        "def f(x):\n    y = set()\n    y = [a - 0 for a in x]\n    return [-1 in y for a in x]\n",
        "Runs in linear time",
    ),
    ("def f(x):\n    n = 1\n    for a in x:\n        n = n - -n\n    return n\n", "Runs in linear time"),
]
EXPRESSIONS = [
    "True",
    "1 == 1",
    "str({'a', 'b'}) == \"{'a', 'b'}\" and output is not None",
    "list(set(output))[0] == 'a'",
    "[each for each in {*output}] == ['a']",
    "getattr(output, 'x', True)",
    "setattr(json, 'loads', 1) is None or output",
    "json.codecs is None or output",
    "[output := {}] == [{}]",
    "'{0.real}'.format(output) == '1'",
    "id(output) > 0",
    "[len for len in output] == ['a']",
]


def state_of(output: object, criterion: str, tools: CriteriaTools = NO_TOOLS) -> str:
    request = ValidationRequest(output, (ValidationType.CRITERIA,), (criterion,))
    return criteria_report(request, tools).checks[0].state.value


@pytest.fixture(scope="module")
def runner() -> Iterator[SandboxRunner]:
    runner = SandboxRunner()
    yield runner
    runner.close()


@pytest.mark.parametrize("name", EMPTY_TESTS)
def test_a_test_that_may_check_nothing_is_not_counted(name: str) -> None:
    assert state_of({"code": SORT, "tests": EMPTY_TESTS[name]}, "Tests are included") == "undecided"


@pytest.mark.parametrize("lines", ["x = sort_list([1])\n    assert x == [1]", f"for _ in (1, 2):\n        {CHECKED}"])
def test_a_test_of_what_the_code_gives_is_counted(lines: str) -> None:
    assert state_of({"code": SORT, "tests": f"def test_a():\n    {lines}\n"}, "Tests are included") == "passed"


@pytest.mark.parametrize(("code", "criterion"), CODE)
def test_code_that_can_be_read_in_two_ways_stays_open(code: str, criterion: str) -> None:
    assert state_of({"code": code}, criterion) == "undecided"


@pytest.mark.parametrize("code", ["return 5\ndef f():\n    pass\n", "def f(a, a):\n    pass\n"])
def test_code_that_does_not_compile_is_no_python(code: str) -> None:
    assert state_of({"code": code}, "Is valid Python") == "failed"


@pytest.mark.parametrize(("output", "criterion"), OUTPUTS)
def test_an_output_that_can_be_read_in_two_ways_stays_open(output: object, criterion: str) -> None:
    assert state_of(output, criterion) == "undecided"


@pytest.mark.parametrize(("code", "criterion"), RUN)
def test_code_that_may_answer_otherwise_elsewhere_stays_open(code: str, criterion: str, runner: SandboxRunner) -> None:
    assert state_of({"code": code}, criterion, CriteriaTools(runner)) == "undecided"


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_that_does_not_follow_from_the_output_stays_open(expression: str, runner: SandboxRunner) -> None:
    assert state_of({"a": 1}, f"python: {expression}", CriteriaTools(runner)) == "undecided"


def test_tests_that_catch_what_they_assert_do_not_pass(runner: SandboxRunner) -> None:
    for name in ("what it asserts is caught", "what it asserts is suppressed"):
        tests = EMPTY_TESTS[name].replace("[1, 2]", "[9]")
        assert state_of({"code": SORT, "tests": tests}, "All tests pass", CriteriaTools(runner)) == "undecided"


def test_an_answer_that_is_given_once_is_no_answer(runner: SandboxRunner) -> None:
    code = (
        "KEPT = []\ndef f(x):\n    if x in KEPT:\n        return []\n    KEPT.append(list(x))\n    return sorted(x)\n"
    )
    assert state_of({"code": code}, "Code implements sorting", CriteriaTools(runner)) == "failed"
