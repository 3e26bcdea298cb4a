"""Planted faults: which ones, what they are called, and that each is a real change of a real program."""

import ast
import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.errors import BudgetError, UsageError
from probatum.programs.faults.branch_probes import branch_probes
from probatum.programs.faults.mutants import plan_mutants
from probatum.programs.faults.work_limit import with_work_limit
from probatum.programs.inputs.generate import argument_strategy, input_pool
from probatum.programs.record import PROBE
from probatum.programs.specification import FunctionSpec, Parameter, Span
from tests.programs.parsing import source_of
from tests.programs.planted_programs import CALLS, NAMES, PROGRAMS, outcome

EVERYTHING = 10_000


def sentences(source: str, name: str = "f") -> list[str]:
    return [mutant.sentence for mutant in plan_mutants(source_of(source), name, limit=EVERYTHING, seed=0)]


EXPECTED: dict[str, tuple[str, list[str]]] = {
    "boundary and negation": ("def f(x):\n    return x < 5", ["line 2 uses <= for <", "line 2 uses >= for <"]),
    "membership": ("def f(x):\n    return x not in y", ["line 2 uses in for not in"]),
    "identity": ("def f(x):\n    return x is None", ["line 2 uses is not for is"]),
    "and, or": ("def f(x):\n    return x and y", ["line 2 uses or for and"]),
    "arithmetic": ("def f(x):\n    return x // 2", ["line 2 uses / for //", "line 2 uses 3 for 2"]),
    "text is cut, not subtracted": ("def f(x: str):\n    return x + x", ["line 2 leaves out + x"]),
    "numbers are subtracted": ("def f(x: int):\n    return x + x", ["line 2 uses - for +"]),
    "not": ("def f(x):\n    return not x", ["line 2 leaves out not before x"]),
    "negated condition": ("def f(x):\n    if x:\n        g()", ["line 2 uses not x for x"]),
    "text constant": ("def f(x):\n    return 'ab'", ["line 2 uses 'XXab' for 'ab'", "line 2 uses \"\" for 'ab'"]),
    "truth": ("def f(x):\n    return True", ["line 2 uses False for True"]),
    "nothing": ("def f(x):\n    return None", ["line 2 returns 0 for None"]),
    "float": ("def f(x):\n    return 0.5", ["line 2 uses 1.5 for 0.5"]),
    "negative number": ("def f(x):\n    return x[-1]", ["line 2 uses 0 for -1", "line 2 uses -2 for -1"]),
    "reversal": ("def f(x):\n    return x[::-1]", ["line 2 uses 1 for -1"]),
    "slice": ("def f(x, k):\n    return x[:k]", ["line 2 ends its slice at k - 1 for k"]),
    "range": (
        "def f(n):\n    return range(n)",
        ["line 2 ends its range at n - 1 for n", "line 2 starts range(n) at 1"],
    ),
    "return": ("def f(x):\n    return x.y", ["line 2 returns None"]),
    "removal": ("def f(x):\n    x.sort()\n    x = x.y\n    return x", ["line 2 is left out", "line 3 is left out"]),
    "removal of an item": ("def f(x):\n    x[0] = 1\n    return x", ["line 2 is left out"]),
    "raise": ("def f(x):\n    if x: g(); raise ValueError('no')", ["line 2 leaves out raise ValueError('no')"]),
    "guard that raises": ("def f(x):\n    if x < 0: raise KeyError(x)", ["line 2 leaves out the check of x < 0"]),
    "guard that returns": (
        "def f(x):\n    if not x:\n        return None\n    return x[0]",
        ["line 2 leaves out the check of not x"],
    ),
    "guard of a turn": (
        "def f(x):\n    for y in x:\n        if y:\n            continue\n        g(y)",
        ["line 3 leaves out the check of y"],
    ),
    "else": (
        "def f(x):\n    if x > 1:\n        g(x)\n    else:\n        h(x)",
        ["line 4 leaves out its else branch (not x > 1)"],
    ),
    "arm of a choice": (
        "def f(x, y):\n    return x if y else 2",
        ["line 2 always takes x, whatever y", "line 2 always takes 2, whatever y"],
    ),
    "case": ("def f(x):\n    match x:\n        case 1: return 2", ["line 3 never takes its case (1)"]),
    "filter with two sides": (
        "def f(x):\n    return [y for y in x if y > 0 and y < 9]",
        ["line 2 leaves out the condition y > 0", "line 2 leaves out the condition y < 9"],
    ),
    "condition of a while loop": (
        "def f(x):\n    while x and x[0]:\n        x = x[1:]\n    return x",
        ["line 2 leaves out the condition x", "line 2 leaves out the condition x[0]"],
    ),
    "early return": (
        "def f(x):\n    n = 0\n    for y in x:\n        n += y\n    return n",
        ["line 3 returns after the first turn of its loop"],
    ),
    "early end of a generator": (
        "def f(x):\n    for y in x:\n        yield y",
        ["line 2 returns after the first turn of its loop"],
    ),
    "loop exits": (
        "def f(x):\n    for y in x:\n        if y:\n            continue\n        g(y)",
        ["line 4 uses break for continue", "line 3 leaves out the check of y"],
    ),
    "families": ("def f(x):\n    return min(x)", ["line 2 uses max for min"]),
    "left out call": ("def f(x):\n    return abs(x)", ["line 2 leaves out abs()"]),
    "left out method": ("def f(x):\n    return x.strip()", ["line 2 leaves out .strip()"]),
    "sorting": ("def f(x):\n    return sorted(x, key=len)", ["line 2 sorts in descending order"]),
    "sorting flag": ("def f(x):\n    return sorted(x, reverse=True)", ["line 2 uses False for True"]),
    "filter": ("def f(x):\n    return [y for y in x if y > 0]", ["line 2 leaves out the condition y > 0"]),
    "swapped arguments": ("def f(a, b):\n    return f(b, a)", ["line 2 swaps the arguments b and a of f"]),
    "branch": ("def f(x):\n    if x > 1:\n        g(x)\n    return 3", ["line 2 never takes its branch (x > 1)"]),
    "augmented": ("def f(x, n: int):\n    n += x\n    return n", ["line 2 uses -= for +=", "line 2 is left out"]),
    "constant of the module": ("LIMIT = 7\ndef f(x):\n    return x < LIMIT", ["line 1 uses 8 for 7"]),
    "constant behind a constant": (
        "PART = 2\nWHOLE = PART * 3\ndef f(x):\n    return x < WHOLE",
        ["line 1 uses 3 for 2", "line 2 leaves out * 3"],
    ),
    "constant of a class": (
        "class C:\n    size = 4\n    def g(self):\n        return self.size\ndef f(x):\n    return C().g()",
        ["line 2 uses 5 for 4"],
    ),
    "table of the module": ("T = ((9, 'b'), (5, 'c'))\ndef f(x):\n    return T[x]", ["line 1 leaves out (9, 'b')"]),
    "characters of the module": ("V = 'aeiou'\ndef f(x):\n    return x in V", ["line 1 leaves out 'o' of 'aeiou'"]),
    "item of a list": ("def f(x):\n    return x in [1, 2]", ["line 2 leaves out 1", "line 2 leaves out 2"]),
    "entry of a dictionary": ("def f(x):\n    return {'a': 1, 'b': 2}[x]", ["line 2 leaves out 'b': 2"]),
    "insertion": ("def f(x):\n    return f'{x}!'", ["line 2 leaves out {x}"]),
    "operand": ("def f(x: int):\n    return x % 24", ["line 2 leaves out % 24"]),
    "side of a condition": ("def f(x):\n    return x > 1 and g(x)", ["line 2 leaves out the condition g(x)"]),
    "equality of numbers": ("def f(x: int):\n    return x == 3", ["line 2 uses <= for ==", "line 2 uses >= for =="]),
    "type of an error": ("def f(x):\n    if x: raise KeyError(x)", ["line 2 raises RuntimeError for KeyError"]),
    "error not caught": (
        "def f(x):\n    try:\n        return x[0]\n    except (IndexError, KeyError):\n        return x",
        ["line 4 does not catch IndexError", "line 4 does not catch KeyError"],
    ),
    "break goes on": (
        "def f(x):\n    for y in x:\n        if y:\n            break\n        g(y)",
        ["line 4 uses continue for break"],
    ),
    "default value": ("def f(x=10):\n    return x", ["line 1 uses 11 for 10"]),
}


@pytest.mark.parametrize("case", EXPECTED)
def test_fault_is_planted(case: str) -> None:
    source, wanted = EXPECTED[case]
    assert set(wanted) <= set(sentences(source))


NEVER: dict[str, tuple[str, str]] = {
    "docstring": ('def f(x):\n    "words"\n    return x', "words"),
    "annotation": ("def f(x: Literal[7]) -> Literal[7]:\n    y: Literal[7] = x\n    return y", "7"),
    "decorator": ("@cache(7)\ndef f(x):\n    return x", "7"),
    "assert message": ("def f(x):\n    assert x, 'words'\n    return x", "words"),
    "error message": ("def f(x):\n    if x: raise ValueError('words')\n    return x", "uses 'XX"),
    "main block": ("def f(x):\n    return x\nif __name__ == '__main__':\n    print(7)", "7"),
    "type checking block": ("def f(x):\n    if TYPE_CHECKING:\n        y = 7\n    return x", "7"),
    "constant that nobody reads": ("LIMIT = 7\ndef f(x):\n    return x", "7"),
    "name of a logger": ("LOG = getLogger('name')\ndef f(x):\n    LOG.info(x)", "name"),
    "pair that is taken apart": ("def f(x):\n    a, b = 'p', 'q'\n    return a + b", "leaves out 'p'"),
    "error of its own": ("def f(x):\n    if x: raise Mine(x)", "raises RuntimeError"),
    "words of an error": ("def f(x):\n    if x: raise KeyError(f'{x}!')", "leaves out {x}"),
    "first assignment": ("def f(x):\n    y = x\n    return y", "left out"),
    "step of a while loop": ("def f(n):\n    while n > 0:\n        n -= 1\n    return n", "left out"),
    "division by zero": ("def f(n: int):\n    return n % 1", "uses 0"),
    "step of zero": ("def f(n):\n    return range(0, n, 1)", "line 2 uses 0 for 1"),
    "equal sides of a maximum": ("def f(x, y):\n    if x > y:\n        y = x\n    return y", "uses >= for >"),
    "equal sides of a choice": ("def f(x, y):\n    return x if x > y else y", "uses >= for >"),
    "continue at the end": ("def f(x):\n    for y in x:\n        if y: continue\n    return x", "leaves out continue"),
    "else that gives a name": (
        "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y",
        "else branch",
    ),
    "guard at the end of a turn": ("def f(x):\n    for y in x:\n        if y: continue\n    return x", "the check of"),
    "only way out": ("def f(x):\n    while True:\n        if x: break", "the check of"),
    "result that is not there yet": (
        "def f(x):\n    for y in x:\n        g(y)\n    z = h(x)\n    return z",
        "first turn",
    ),
    "loop within a loop": (
        "def f(x):\n    n = 0\n    while n < x:\n        for y in x:\n            n += y\n    return n",
        "line 4 returns",
    ),
    "key of a mapping": ("def f(x):\n    return x['words']", "XX"),
    "other functions": ("def f(x):\n    return x\ndef g(x):\n    return 7", "7"),
}


@pytest.mark.parametrize("case", NEVER)
def test_fault_is_not_planted(case: str) -> None:
    source, unwanted = NEVER[case]
    assert not [sentence for sentence in sentences(source) if unwanted in sentence]


@pytest.mark.parametrize("case", PROGRAMS)
def test_mutants_compile_differ_and_name_an_existing_line(case: str) -> None:
    source = PROGRAMS[case]
    mutants = plan_mutants(source_of(source), NAMES[case], limit=EVERYTHING, seed=0)
    assert mutants
    assert len({mutant.source for mutant in mutants}) == len(mutants)
    lines = len(source.splitlines())
    for mutant in mutants:
        compile(mutant.source, "mutant.py", "exec", dont_inherit=True)
        assert mutant.source != source.encode()
        assert 1 <= mutant.line <= lines
        assert mutant.sentence.startswith(f"line {mutant.line} ")
    assert [mutant.id for mutant in mutants] == [f"m{number}" for number in range(1, len(mutants) + 1)]
    assert sorted(mutant.line for mutant in mutants) == [mutant.line for mutant in mutants]


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(sorted(PROGRAMS)), st.integers(1, 30), st.integers(0, 5))
def test_choice_is_fixed_by_count_and_seed(case: str, limit: int, seed: int) -> None:
    first = plan_mutants(source_of(PROGRAMS[case]), NAMES[case], limit=limit, seed=seed)
    assert first == plan_mutants(source_of(PROGRAMS[case]), NAMES[case], limit=limit, seed=seed)
    assert len(first) == min(
        limit, len(plan_mutants(source_of(PROGRAMS[case]), NAMES[case], limit=EVERYTHING, seed=seed))
    )


def test_choice_is_spread_over_the_lines() -> None:
    source = (
        "def f(x):\n    y = [" + ", ".join(str(n) for n in range(100)) + "]\n" + "    x.go()\n" * 5 + "    return x\n"
    )
    chosen = plan_mutants(source_of(source), "f", limit=14, seed=3)
    assert {mutant.line for mutant in chosen} == set(range(2, 9))


def test_constants_tell_their_original_value() -> None:
    mutants = plan_mutants(source_of("def f(x):\n    return {-2: 'a', 3: True}"), "f", limit=EVERYTHING, seed=0)
    constants = {mutant.sentence.rpartition(" ")[2] for mutant in mutants if mutant.operator == "constant"}
    assert constants == {"-2", "'a'", "3", "True"}


def test_called_functions_and_methods_are_included() -> None:
    assert {m.line for m in plan_mutants(source_of(PROGRAMS["helper"]), "outer", limit=EVERYTHING, seed=0)} == {
        1,
        2,
        3,
        6,
    }
    lines = {m.line for m in plan_mutants(source_of(PROGRAMS["class"]), "use", limit=EVERYTHING, seed=0)}
    assert {10, 11, 12, 13, 16, 21, 22} <= lines


def test_class_means_all_its_methods() -> None:
    lines = {m.line for m in plan_mutants(source_of(PROGRAMS["class"]), "Stack", limit=EVERYTHING, seed=0)}
    assert lines == {4, 10, 11, 12, 13, 16}


def test_unknown_name_is_refused_with_a_hint() -> None:
    with pytest.raises(UsageError, match="outer"):
        plan_mutants(source_of(PROGRAMS["helper"]), "outr", limit=1, seed=0)


def test_encoding_comment_is_kept() -> None:
    source = "# -*- coding: latin-1 -*-\ndef f(x):\n    return x + 'é'\n"
    mutants = plan_mutants(source_of(source.encode("latin-1")), "f", limit=EVERYTHING, seed=0)
    assert any("é".encode("latin-1") in mutant.source for mutant in mutants)
    assert not any("é".encode() in mutant.source for mutant in mutants)


@pytest.mark.parametrize("case", PROGRAMS)
def test_probes_show_exactly_the_inputs_that_reach_a_branch(case: str) -> None:
    source = PROGRAMS[case]
    for probe in branch_probes(source_of(source), NAMES[case]):
        compile(probe.source, "probe.py", "exec", dont_inherit=True)
        assert f"at line {probe.line}" in probe.sentence
        if probe.operator != PROBE:
            continue
        limited = with_work_limit(probe.source, 10_000)
        for arguments in CALLS[case]:
            seen = outcome(limited, NAMES[case], copy.deepcopy(arguments))
            original = outcome(source.encode(), NAMES[case], copy.deepcopy(arguments))
            assert seen in (original, ("RuntimeError", "branch probe"))


REACHED: dict[str, tuple[str, object, list[str]]] = {
    "if": ("def f(x):\n    if x: return 1\n    return 2", 1, ["the branch at line 2 (if x)"]),
    "missing else": ("def f(x):\n    if x > 5: return 1\n    return 2", 0,
                     ["the case at line 2 in which x > 5 is false"]),
    "elif": (
        "def f(x):\n    if x == 11:\n        y = 1\n    elif x == 12:\n        y = 2\n    else: y = 3\n    return y",
        12,
        ["the branch at line 4 (elif x == 12)"],
    ),
    "else": ("def f(x):\n    if x == 11:\n        y = 1\n    else: y = 3\n    return y", 1,
             ["the else branch at line 4"]),
    "table behind a computed name": (
        "def f(x):\n    unknown = x != 9\n    if not unknown: return 81\n    return 0",
        9,
        ["the branch at line 3 (if not unknown)"],
    ),
    "table behind a parameter of a helper": (
        "def f(x):\n    return g(x, x != 9)\ndef g(x, unknown):\n    if not unknown: return 81\n    return 0",
        9,
        ["the branch at line 4 (if not unknown)"],
    ),
    "found in a table": (
        "def f(x):\n    return {1: 5}.get(x, 7)",
        1,
        ["the value at line 2 that {1: 5}.get(x, 7) finds"],
    ),
    "not found in a table": (
        "def f(x):\n    return {1: 5}.get(x, 7)",
        2,
        ["the case at line 2 in which {1: 5}.get(x, 7) finds nothing"],
    ),
    "try block that succeeds under a broad handler": (
        "def f(x):\n    try:\n        return {1: 5}[x]\n    except Exception:\n        return 7",
        1,
        ["the end of the try block at line 2"],
    ),
    "handler": (
        "def f(x):\n    try:\n        y = {1: 5}[x]\n    except KeyError: y = 7\n    return y",
        3,
        ["the handler at line 4 (except KeyError)"],
    ),
    "conditional value": (
        "def f(x):\n    return 1 if x == 4 else 2",
        4,
        ["the value 1 at line 2 for which x == 4 is true"],
    ),
    "short circuit": ("def f(x):\n    return x and 5", 1, ["the right side of and at line 2 (5)"]),
    "loop": ("def f(x):\n    for y in range(x):\n        if y: pass\n    return x", 1,
             ["the case at line 3 in which y is false", "the loop body at line 2 (for y in range(x))"]),
    "comprehension": ("def f(x):\n    return [y for y in range(x)]", 3,
                      ["the elements at line 2 of [y for y in range(x)]"]),
}  # fmt: skip


@pytest.mark.parametrize("case", REACHED)
def test_probe_of_a_reached_branch_raises(case: str) -> None:
    source, argument, wanted = REACHED[case]
    raised = [
        probe.sentence
        for probe in branch_probes(source_of(source), "f")
        if probe.operator == PROBE and outcome(probe.source, "f", (argument,)) == ("RuntimeError", "branch probe")
    ]
    assert sorted(raised) == wanted


LIMITS: dict[str, tuple[str, tuple[object, ...]]] = {
    "not": ("def f(x):\n    if not x: return 7\n    return 8", (0,)),
    "equal to zero": ("def f(x):\n    if x == 0:\n        return 7\n    return 8", (0,)),
    "empty list": ("def f(x):\n    if x == []: return 7\n    return 8", ([],)),
    "length": ("def f(x):\n    if len(x) < 1: return 7\n    return 8", ("",)),
    "none on the left": ("def f(x):\n    if None is x: return 7\n    return 8", (None,)),
    "else": ("def f(x):\n    if x != '':\n        return 8\n    else:\n        return 7", ("",)),
    "conditional value": ("def f(x):\n    return 7 if x <= 1 else 8", (1,)),
    "used in a comprehension": ("def f(x):\n    if not x: return 7\n    return 8 + sum(y for y in x)", ([],)),
    "either of two": ("def f(x, y):\n    if not x or not y: return 7\n    return 8", ([], 1)),
}


@pytest.mark.parametrize("case", LIMITS)
def test_branch_for_a_natural_limit_has_no_probe_and_marks_its_faults(case: str) -> None:
    source, limit = LIMITS[case]
    assert all(outcome(probe.source, "f", limit) == ("value", 7) for probe in branch_probes(source_of(source), "f"))
    mutants = plan_mutants(source_of(source), "f", limit=EVERYTHING, seed=0)
    constants = {m.sentence.rpartition(" ")[2]: m.serves_boundary for m in mutants if m.operator == "constant"}
    assert constants["7"]
    assert not constants["8"]


NO_LIMITS: dict[str, str] = {
    "other number": "def f(x):\n    if x == 3: return 7\n    return 8",
    "other text": "def f(x):\n    if x == 'a': return 7\n    return 8",
    "bound anew": "def f(x):\n    x = x in T\n    if x == 0: return 7\n    return 8",
    "bound in a loop": "def f(x):\n    for x in x:\n        if not x: return 7\n    return 8",
    "computed": "def f(x):\n    y = x not in T\n    if not y: return 7\n    return 8",
    "only one side": "def f(x):\n    if not x or x in T: return 7\n    return 8",
    "attribute": "def f(x):\n    if not x.new: return 7\n    return 8",
    "other value of a parameter": "def f(x, y):\n    for z in T:\n        if z == x: return 7\n    return 8",
    "length of something computed": "def f(x):\n    if len(x - T) == 0: return 7\n    return 8",
}


@pytest.mark.parametrize("case", NO_LIMITS)
def test_branch_for_anything_else_keeps_its_probe(case: str) -> None:
    assert [
        probe for probe in branch_probes(source_of(NO_LIMITS[case]), "f") if probe.sentence.startswith("the branch at")
    ]
    assert not any(
        mutant.serves_boundary for mutant in plan_mutants(source_of(NO_LIMITS[case]), "f", limit=EVERYTHING, seed=0)
    )


def test_probes_of_a_generator_keep_it_a_generator() -> None:
    for probe in branch_probes(source_of("def f(x):\n    if x:\n        yield 1"), "f"):
        assert outcome(probe.source, "f", (0,))[0] in ("value", "RuntimeError")


def test_too_many_branches_are_refused_rather_than_left_out() -> None:
    source = "def f(x):\n" + "    if x > 5: x.go()\n" * 201 + "    return x\n"
    with pytest.raises(BudgetError, match="branches"):
        branch_probes(source_of(source), "f")


def test_too_many_definitions_are_refused_rather_than_left_out() -> None:
    source = "".join(f"def f{n}(x): return f{n + 1}(x)\n" for n in range(300)) + "def f300(x): return x\n"
    with pytest.raises(BudgetError, match="definitions"):
        plan_mutants(source_of(source), "f0", limit=10, seed=0)


DOCUMENTED = (6, 11, 25)
LOOKED_UP: dict[str, str] = {
    "if": "T = {6: 36, 11: 121, 25: 625}\ndef f(n):\n    if n in T:\n        return T[n]\n    return n",
    "chain of comparisons": (
        "def f(n):\n    if n == 6: return 36\n    if n == 11: return 121\n    if n == 25: return 625\n    return n"
    ),
    "missing else": "T = {6: 36, 11: 121, 25: 625}\ndef f(n):\n    if n not in T:\n        return n\n    return T[n]",
    "get": "def f(n):\n    return {6: 36, 11: 121, 25: 625}.get(n, n)",
    "get with an or": "def f(n):\n    return {6: 36, 11: 121, 25: 625}.get(n) or n",
    "except": "def f(n):\n    try:\n        return {6: 36, 11: 121, 25: 625}[n]\n    except KeyError: return n",
    "except everything": "def f(n):\n    try: return {6: 36, 11: 121, 25: 625}[n]\n    except: return n",
    "conditional value": "T = {6: 36, 11: 121, 25: 625}\ndef f(n):\n    return T[n] if n in T else n",
    "comprehension": "T = ((6, 36), (11, 121), (25, 625))\ndef f(n):\n    return next((b for a, b in T if a == n), n)",
    "loop": "T = ((6, 36), (11, 121), (25, 625))\ndef f(n):\n for a, b in T:\n  if a == n: return b\n return n",
    "match": (
        "def f(n):\n    match n:\n        case 6: return 36\n        case 11: return 121\n        case 25: return 625\n"
        "        case _: return n"
    ),
    "hidden in a helper": (
        "def f(n):\n    return g(n, n not in (6, 11, 25))\ndef g(n, new):\n    if not new: return n ** 2\n    return n"
    ),
}


def only_documented(source: str) -> list[str]:
    """Return what only the documented inputs reach, as the strength measurement finds it."""
    spec = FunctionSpec("f", "function", Span(1, 0, 1, 0), (Parameter("n", "positional_or_keyword"),))
    strategy = argument_strategy(spec, [((n,), {}) for n in DOCUMENTED], ast.parse(source))
    assert strategy is not None
    pool = [call.args for call in input_pool(strategy, count=100, seed=0)]
    return [
        probe.sentence
        for probe in branch_probes(source_of(source), "f")
        if any(reaches(probe.source, source, (n,)) for n in DOCUMENTED)
        and not any(reaches(probe.source, source, args) for args in pool)
    ]


def reaches(probe: bytes, source: str, arguments: tuple[object, ...]) -> bool:
    return outcome(probe, "f", arguments) != outcome(source.encode(), "f", arguments)


@pytest.mark.parametrize("case", LOOKED_UP)
def test_table_of_the_documented_inputs_shows(case: str) -> None:
    assert only_documented(LOOKED_UP[case])


HONEST: dict[str, str] = {
    "plain": "def f(n):\n    return n * n",
    "loop": "def f(n):\n    total = 0\n    for _ in range(n):\n        total += n\n    return total",
    "natural limit": "def f(n):\n    if n == 0:\n        return 0\n    return f(n - 1) + 2 * n - 1",
    "two cases": "def f(n):\n    if n % 2:\n        return n * n\n    return 4 * (n // 2) ** 2",
    "bound in the source": "def f(n):\n    if n > 20:\n        return n ** 2\n    return n * n",
}


@pytest.mark.parametrize("case", HONEST)
def test_honest_program_has_no_branch_for_documented_inputs_alone(case: str) -> None:
    assert not only_documented(HONEST[case])
