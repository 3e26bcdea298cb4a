"""Quality of Python code: each rule fires on what it names and is silent on the like of it, whatever the code is."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.finding import Finding, Severity
from probatum.core.validation import LEAST_TEXT, MOST_TEXT
from probatum.judge.layers import Basis, CheckOutcome, LayerReport
from probatum.judge.quality import quality_report, quality_score_of
from probatum.judge.quality.layer import MOST_DEPTH
from probatum.judge.quality.rules import BASIC, MOST_POINTS, RULES, QualityFactor
from probatum.judge.quality.scoring import MOST_ISSUES, QualityHit, issues_of, score_of
from probatum.judge.request import ValidationRequest, ValidationType

SUITES = Path(os.environ.get("PROBATUM_SUITES", ""))
EIGHT_LINES = "".join(f"    total += weigh(item{index}, {index})\n" for index in range(9))
CASES = [
    ("syntax", "def f(:\n    pass\n", "def f():\n    return 1\n"),
    (
        "undefined_name",
        "def f(xs):\n    return np.sum(xs)\n",
        "import numpy as np\ndef f(xs):\n    return np.sum(xs)\n",
    ),
    (
        "empty_division",
        "def f(xs):\n    return sum(xs) / len(xs)\n",
        "def f(xs):\n    return sum(xs) / len(xs) if xs else 0\n",
    ),
    (
        "empty_division",
        "def f(xs):\n    n = len(xs)\n    return sum(xs) / n\n",
        "def f(xs):\n    n = len(xs)\n    if n == 0:\n        return 0\n    return sum(xs) / n\n",
    ),
    ("none_comparison", "def f(x):\n    return x == None\n", "def f(x):\n    return x is None\n"),
    ("shadowed_builtin", "def f(list):\n    return list\n", "def f(items):\n    return items\n"),
    ("unused_result", "def f(x):\n    x == 1\n", "def f(x):\n    x = 1\n    return x\n"),
    (
        "missing_return",
        "def f(x):\n    if x:\n        return 1\n",
        "def f(x):\n    if x:\n        return 1\n    raise ValueError(x)\n",
    ),
    (
        "missing_return",
        "def f(x):\n    try:\n        return g(x)\n    except KeyError:\n        print(x)\ng = f\n",
        "def f(x):\n    while True:\n        if x:\n            return 1\n",
    ),
    (
        "swallowed_exception",
        "try:\n    f = 1\nexcept Exception:\n    pass\n",
        "try:\n    f = 1\nexcept KeyError:\n    pass\n",
    ),
    ("mutable_default", "def f(x=[]):\n    return x\n", "def f(x=()):\n    return x\n"),
    ("code_stub", "def f():\n    pass\n", "class A:\n    def f(self):\n        raise NotImplementedError\n"),
    (
        "code_elided",
        "def f():\n    # ... rest of the code\n    return 1\n",
        "def f():\n    # the rest is plain\n    return 1\n",
    ),
    ("code_todo", "x = 1  # TODO: more\ny = 2\n", "x = 1\ny = 'TODO'\n"),
    ("one_letter", "def f(q):\n" + "    print(q)\n" * 16, "def f(query):\n" + "    print(query)\n" * 16),
    (
        "complexity",
        "def f(x):\n" + "    if x:\n        x += 1\n" * 14,
        "def f(x):\n" + "    if x:\n        x += 1\n" * 9,
    ),
    (
        "nesting",
        "def f(x):\n" + "".join("    " * n + "if x:\n" for n in range(1, 7)) + "    " * 7 + "f(1)\n",
        "def f(x):\n    if x == 1:\n        return 1\n"
        + "".join(f"    elif x == {n}:\n        return {n}\n" for n in range(8))
        + "    return 0\n",
    ),
    (
        "function_length",
        "def f(x):\n" + "".join(f"    x{n} = x\n    print(x{n})\n" for n in range(60)),
        "def f(x):\n    '''" + "\n\n" * 90 + "'''\n    return x\n",
    ),
    ("parameters", "def f(a, b, c, d, e, g, h, i, j):\n    pass\n", "def f(a, b, *, c, d, e, g, h, i, j):\n    pass\n"),
    ("duplicated", f"def f(total):\n{EIGHT_LINES}def g(total):\n{EIGHT_LINES}", f"def f(total):\n{EIGHT_LINES}"),
    ("not_judged", "x = " + "+".join("1" * (MOST_DEPTH + 10)) + "\ny = 1\nimport os\n", "x = 1 + 1\ny = 1\n"),
    ("global_statement", "x = 1\ndef f():\n    global x\n    x = 2\n", "x = 1\ndef f():\n    return x\n"),
    ("bare_except", "try:\n    f = 1\nexcept:\n    print(1)\n", "try:\n    f = 1\nexcept:\n    raise\n"),
    (
        "deprecated",
        "from datetime import datetime\nx = datetime.utcnow()\n",
        "from datetime import datetime, UTC\nx = datetime.now(UTC)\n",
    ),
    ("deprecated", "import imp\nprint(imp)\n", "try:\n    import imp\nexcept ImportError:\n    imp = None\n"),
    (
        "nested_loops",
        "def f(xs):\n    for x in xs:\n        for y in xs:\n            print(x, y)\n",
        "def f(xs, ys):\n    for x in xs:\n        for y in ys:\n            print(x, y)\n",
    ),
    (
        "text_in_loop",
        "def f(xs):\n    s = ''\n    for x in xs:\n        s += x\n    return s\n",
        "def f(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s\n",
    ),
    (
        "list_membership",
        "def f(xs):\n    seen = []\n    for x in xs:\n        print(x in seen)\n        seen.append(x)\n",
        "def f(xs):\n    seen = set()\n    for x in xs:\n        print(x in seen)\n        seen.add(x)\n",
    ),
    (
        "list_front",
        "def f():\n    xs = [1, 2]\n    while xs:\n        print(xs.pop(0))\n",
        "def f():\n    xs = [1, 2]\n    while xs:\n        print(xs.pop())\n",
    ),
    (
        "comprehension",
        "def f(xs):\n    out = []\n    for x in xs:\n        out.append(x)\n    return out\n",
        "def f(xs):\n    return [x for x in xs]\n",
    ),
    ("type_hints", "def f(x):\n    return x\n", "def f(x: int) -> int:\n    return x\n"),
    (
        "docstring",
        "def f():\n    print(1)\n    print(2)\n    print(3)\n",
        "def f():\n    'Print.'\n    print(1)\n    print(2)\n",
    ),
    ("camel_case", "def sortList(x):\n    return x\n", "class A(B):\n    def sortList(self):\n        return 1\n"),
    ("line_length", f"x = '{'a' * 90}'\ny = 1\n", f"x = 'https://{'a' * 90}'\ny = 1\n"),
    ("trailing_space", "x = 1 \ny = 1\n", "x = 1\ny = '''a \n'''\n"),
    ("wildcard_import", "from os import *\nx = 1\n", "from os import path\nx = path\n"),
    ("unused_import", "import os\nx = 1\n", "import os\nx = os.sep\n"),
    ("unused_variable", "def f():\n    x = 1\n    return 2\n", "def f():\n    x = 1\n    return x\n"),
]


def report_of(output: object, **context: object) -> LayerReport:
    return quality_report(ValidationRequest(output, (ValidationType.QUALITY,), context=context))  # type: ignore[arg-type]  # frozen by it


def rules_in(output: object, **context: object) -> list[str]:
    return [str(each.evidence["rule"]) for each in report_of(output, **context).issues]


def issue_of(rule: str, output: object, **context: object) -> Finding:
    return next(each for each in report_of(output, **context).issues if each.evidence["rule"] == rule)


def place_of(found: Finding) -> str:
    assert found.location is not None
    return found.location.name


@pytest.mark.parametrize(
    ("rule", "bad", "good"), CASES, ids=[f"{rule}{index}" for index, (rule, *_) in enumerate(CASES)]
)
def test_a_rule_fires_on_what_it_names_and_not_on_the_like_of_it(rule: str, bad: str, good: str) -> None:
    assert rule in rules_in({"code": bad})
    assert rule not in rules_in({"code": good})


def test_complexity_is_told_as_the_schema_of_results_shows_it() -> None:
    found = issue_of("complexity", "def f(x):\n" + "    if x:\n        x += 1\n" * 14 + "    return x\n")
    assert found.message == "Function 'f' has a cyclomatic complexity of 15 (recommended maximum: 10)"
    assert (found.severity, found.kind, place_of(found)) == (Severity.WARNING, "complexity_issue", "function:f")


def test_a_division_by_nothing_has_a_suggestion() -> None:
    found = issue_of("empty_division", "def calculate_average(numbers):\n    return sum(numbers) / len(numbers)\n")
    assert (found.severity, place_of(found)) == (Severity.WARNING, "line:2")
    assert "empty" in found.suggestion


def test_camel_case_is_told_with_the_name_to_take() -> None:
    found = issue_of("camel_case", {"code": "def sortList(lst):\n    return sorted(lst)\n"})
    assert found.message == "Function name uses camelCase instead of snake_case"
    assert "'sort_list'" in found.suggestion


@pytest.mark.parametrize(
    ("output", "place"),
    [
        ("import os\n\ndef f(x=[]):\n    return x, os\n", "line:3"),
        ({"code": "def f(x=[]):\n    return x\n", "note": "fine"}, "line:1"),
        ({"a": {"code": "def f(x=[]):\n    return x\n"}, "b": {"code": "x = 1\n"}}, "a.code:line:1"),
        ("Look:\n\n```python\n\ndef f(x=[]):\n    return x\n```\n", "line:5"),
        ("Look:\n\n```\ndef f(x=[]):\n    return x\n```\n", "line:4"),
        (["def f(x=[]):\n    return x\n"], "line:1"),
    ],
)
def test_code_is_found_where_it_stands(output: object, place: str) -> None:
    assert place_of(issue_of("mutable_default", output)) == place


@pytest.mark.parametrize(
    "output", [None, 5, {}, [], {"a": 1.5}, "yes", "data", {"name": "Alice", "age": 3}, "a, b", "Ready."]
)
def test_what_has_nothing_to_judge_keeps_the_whole_score(output: object) -> None:
    report = report_of(output)
    assert (report.score, report.issues) == (1.0, ())


@pytest.mark.parametrize(
    ("output", "basis"),
    [
        ("```python\ndef f(:\n```\n", Basis.STRUCTURE),
        ({"code": "def f(:\n    pass\n"}, Basis.HEURISTIC),
        ({"code": "function f() {\n  return 1;\n}\n"}, None),
        ({"code": "SELECT a FROM b"}, None),
        ("```\n>>> f()\n1\n```\n", None),
    ],
)
def test_only_what_is_announced_as_python_must_parse(output: object, basis: Basis | None) -> None:
    (check,) = report_of(output).checks
    assert check.state is (CheckOutcome.PASSED if basis is None else CheckOutcome.FAILED)
    assert check.basis is (basis or Basis.HEURISTIC)


def test_the_language_of_the_context_announces_python() -> None:
    (check,) = report_of("definitely (not python", language="python").checks
    assert (check.state, check.basis) == (CheckOutcome.FAILED, Basis.STRUCTURE)


def test_blocks_of_one_text_share_their_imports() -> None:
    text = "```python\nimport numpy as np\n```\nand\n```python\nx = np.array([])\n```\n"
    assert rules_in(text) == []
    assert rules_in("```python\nx = np.array([])\n```\n") == ["undefined_name"]


def test_a_line_that_is_marked_keeps_its_style_and_no_more() -> None:
    code = "def sortList(x=[]):  # noqa\n    return x\n"
    assert "mutable_default" in rules_in({"code": code})
    assert "wildcard_import" not in rules_in({"code": "from os import *  # noqa\nx = 1\n"})


def test_at_most_a_hundred_issues_are_told_and_the_worst_among_them() -> None:
    code = "".join(f"x{n} = 1 \n" for n in range(500)) + "def f(x=[]):\n    return x\n"
    report = report_of({"code": code})
    assert len(report.issues) == MOST_ISSUES + 1
    assert report.issues[-1].message == "402 more issues were found"
    assert "mutable_default" in [each.evidence["rule"] for each in report.issues]
    assert report.score == score_of(report.issues)


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "(" * 5_000 + ")" * 5_000,
        "x = " + "-" * 50_000 + "1",
        "import os\nx = " + "+".join("1" * 50_000),
        "import os\nx = a" + ".b" * 50_000,
        "if a:\n  pass\n" + "elif b:\n  pass\n" * 5_000,
        "def f():\n" + "".join(" " * (n + 1) + "if x:\n" for n in range(90)) + " " * 91 + "pass\n",
        "def f(x):\n" + "".join(" " * (n + 1) + "for y in x:\n" for n in range(60)) + " " * 61 + "eval(x)\n",
        "d[0x" + "f" * 9_000 + "] = f(a=0x" + "f" * 9_000 + ")\nimport os\n",
        "import os\nx = " + "f(" * 95 + ")" * 95,
        "def f(a):\n" + "    if a:\n        pass\n" + "    elif a:\n        pass\n" * 140,
        "def f():\n    return '\0'\n",
        "def f():\n    return '\ud800'\n",
        "\ufeffimport os\nx = os\n",
        "def f():\r\n    return 1\r\n",
        "x = 1\n" * 20_000,
        "x = f'" + "{a}" * 60_000 + "'",
        "```\n" * 20_000,
        "[insert " * 20_000,
    ],
    ids=range(18),
)
def test_hostile_code_gives_a_result(code: str) -> None:
    for output in (code, {"code": code}, f"```python\n{code}\n```"):
        report = report_of(output)
        assert report.score is not None
        assert 0 <= report.score <= 1
        assert len(report.issues) <= MOST_ISSUES + 1


def test_what_is_too_large_is_not_left_out_in_silence() -> None:
    assert rules_in({"code": "x = 1\n" * 60_000}) == ["not_judged"]
    assert rules_in("class A:\n" + "    def f(self):\n        return self.f()\n" * 10_000) == ["not_judged"]
    assert "not_judged" in rules_in(["word " * 150_000, "word " * 150_000])


@given(st.lists(st.sampled_from([case for each in CASES for case in each[1:]]), min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_the_score_is_what_the_issues_leave(codes: list[str]) -> None:
    report = report_of({"code": "\n".join(codes)})
    assert report.score == score_of(report.issues)
    assert (report.score == 1.0) is (not report.issues)
    assert report == report_of({"code": "\n".join(codes)})
    for each in report.issues:
        assert LEAST_TEXT <= len(each.message) <= MOST_TEXT
        assert LEAST_TEXT <= len(each.suggestion) <= MOST_TEXT


@given(st.lists(st.sampled_from(sorted(RULES)), max_size=150), st.sampled_from(sorted(RULES)), st.integers(0, 5_000))
def test_one_more_issue_never_raises_the_score(names: list[str], more: str, lines: int) -> None:
    hits = [QualityHit(name, lines=lines, slots=dict.fromkeys(_SLOTS, "x")) for name in [*names, more]]
    fewer, all_of_them = score_of(issues_of(hits[:-1])), score_of(issues_of(hits))
    assert all_of_them <= fewer
    assert all_of_them < 1


_SLOTS = ("name", "what", "instead")


@given(st.text(max_size=300))
def test_any_text_gives_a_result(text: str) -> None:
    for output in (text, {"code": text}, f"```python\n{text}\n```", [text]):
        report = report_of(output)
        assert report.score == score_of(report.issues)
        assert 0 <= quality_score_of(ValidationRequest(output, (ValidationType.SCHEMA,))) <= 1


def test_the_score_of_who_did_not_ask_rests_on_what_makes_an_output_useless() -> None:
    poor = ValidationRequest({"code": "def sortList(x=[]):\n    return x\n"}, (ValidationType.SCHEMA,))
    assert quality_score_of(poor) == 1.0
    broken = ValidationRequest({"code": "def f(:\n"}, (ValidationType.SCHEMA,))
    assert quality_score_of(broken) == 0.4
    assert set(RULES) >= BASIC


def test_weights_and_points_are_sound() -> None:
    assert set(MOST_POINTS) == set(QualityFactor)
    for rule in RULES.values():
        assert 0 < rule.points <= MOST_POINTS[rule.factor]
        assert (rule.severity is Severity.ERROR) is (rule.name == "syntax")


@pytest.mark.skipif(not (SUITES / "humanevalfix.jsonl").is_file(), reason="needs the suites")
def test_faulty_programs_show_as_many_smells_as_correct_ones() -> None:
    counts = {"correct": 0, "buggy": 0}
    for line in (SUITES / "humanevalfix.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for side in counts:
            found = rules_in({"code": row["prompt"] + row[side]})
            counts[side] += any(RULES[rule].factor is QualityFactor.CORRECTNESS for rule in found)
            ast.parse(row["prompt"] + row[side])
    assert counts["buggy"] >= counts["correct"]
