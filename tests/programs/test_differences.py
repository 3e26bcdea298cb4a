"""Versions compared: what changed is a question, refutes only where nothing may change, and agreement earns nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from probatum.core.decision import Decision, Outcome
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.inputs.probing import MOST_PROBES, candidate_calls
from probatum.programs.judging.alternatives import grouped
from probatum.programs.judging.differences import VersionsCompared, compare_with_earlier
from probatum.programs.loading import read_source
from probatum.programs.record import ChangeQuestion, CheckKind, FunctionRecord
from probatum.programs.rejudge import require_within
from probatum.programs.running.execute import Benches
from probatum.programs.running.probed import call_sites, probed_source
from probatum.programs.running.question import FunctionQuestion
from probatum.proof.stores import MemoryStore
from probatum.sandbox import Program
from tests.programs.refactorings import PAIRS
from tests.services import ProgramRequest, Service


def question(source: str, policy: ProgramPolicy | None = None, tests: str | None = None) -> FunctionQuestion:
    read = read_source(Program(source.encode()))
    assert not isinstance(read, Decision), read
    given = None if tests is None else tests.encode()
    return FunctionQuestion(read, read.module.functions[-1], policy or ProgramPolicy(), given)


def compared(before: str, now: str, benches: Benches, *, refactor: bool = False) -> VersionsCompared:
    policy = ProgramPolicy(refactor=refactor)
    return compare_with_earlier(question(now, policy), question(before, policy), benches)


@pytest.mark.parametrize("name", PAIRS)
def test_a_pure_refactoring_shows_no_difference(name: str, benches: Benches) -> None:
    before, now = PAIRS[name]
    assert compared(before, now, benches).questions == ()


# name: before, now, the call of the first question, both answers
CHANGES = {
    "of a hinted function": (
        "def f(n: int) -> int:\n    return n\n",
        "def f(n: int) -> int:\n    return n if n < 5 else 5\n",
        ("f(6)", "6", "5"),
    ),
    "of an untyped one": (
        "def f(s):\n    return s.strip().upper()\n",
        "def f(s):\n    return s.upper()\n",
        ("f(' ')", "''", "' '"),
    ),
    "in what is left of an argument": (
        "def f(xs: list[int]) -> int:\n    xs.append(1)\n    return len(xs)\n",
        "def f(xs: list[int]) -> int:\n    return len(xs) + 1\n",
        ("f([])", "1, leaves its arguments as [1]", "1, leaves its arguments as []"),
    ),
    "in what is printed": (
        "def f(n: int) -> None:\n    print('a')\n",
        "def f(n: int) -> None:\n    print('b')\n",
        ("f(0)", "None, prints 'a\\n'", "None, prints 'b\\n'"),
    ),
    "to an exception": (
        "def f(n: int) -> int:\n    return n\n",
        "def f(n: int) -> int:\n    if n == 0:\n        raise ValueError('zero')\n    return n\n",
        ("f(0)", "0", "raises ValueError: zero"),
    ),
    "of a documented exception": (
        'def f(n: int) -> int:\n    """Raises ValueError or KeyError."""\n    raise ValueError(str(n))\n',
        'def f(n: int) -> int:\n    """Raises ValueError or KeyError."""\n    raise KeyError(str(n))\n',
        ("f(0)", "raises ValueError: 0", "raises KeyError: '0'"),
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_a_question_with_both_answers(name: str, benches: Benches) -> None:
    before, now, (call, then, today) = CHANGES[name]
    found = compared(before, now, benches)
    assert found.checks == ()
    assert ChangeQuestion(call, then, today) in found.questions


# name: before, now
NO_CHANGES = {
    "where the document now says so": (
        'def f(n: int) -> int:\n    """Double.\n\n    >>> f(2)\n    4\n    """\n    return 5 if n == 2 else 2 * n\n',
        'def f(n: int) -> int:\n    """Double.\n\n    >>> f(2)\n    4\n    """\n    return 2 * n\n',
    ),
    "on inputs that are not legal": (
        'def f(n: int) -> int:\n    """Halve.\n\n    pre: n > 0\n    """\n    return n // 2\n',
        'def f(n: int) -> int:\n    """Halve.\n\n    pre: n > 0\n    """\n    return n // 2 if n > 0 else 7\n',
    ),
    "of a lost process": (
        "def f(n: int) -> int:\n    return n\n",
        "import os\n\n\ndef f(n: int) -> int:\n    os._exit(0)\n",
    ),
    "by the hash seed": (
        "def f(n: int) -> int:\n    return hash('a') % 2\n",
        "def f(n: int) -> int:\n    return hash('b') % 3\n",
    ),
    "of work beyond its count": (
        "def f(n: int) -> int:\n    return n\n",
        "def f(n: int) -> int:\n    while True:\n        pass\n",
    ),
}


@pytest.mark.parametrize("name", NO_CHANGES)
def test_no_question_is_asked(name: str, benches: Benches) -> None:
    before, now = NO_CHANGES[name]
    assert compared(before, now, benches).questions == ()


def test_what_probing_found_refutes_no_refactoring(benches: Benches) -> None:
    """Nothing says that the function is meant for such values."""
    found = compared("def f(s):\n    return s[:1]\n", "def f(s):\n    return s[:2]\n", benches, refactor=True)
    assert found.checks == ()
    assert found.questions


def test_where_nothing_may_change_hinted_inputs_become_checks(benches: Benches) -> None:
    source = "def f(n: int) -> int:\n    return n * n\n"
    found = compared(source, source.replace("n * n", "n ** 2"), benches, refactor=True)
    assert {check.kind for check in found.checks} == {CheckKind.DIFFERENTIAL}
    assert len(found.checks) > 50
    assert not found.questions


def test_an_open_difference_withholds_verified_only_where_nothing_may_change() -> None:
    asked = ChangeQuestion("f(1)", "1", "2")
    record = FunctionRecord("f", 1, compared=3, questions=(asked,))
    assert FunctionRecord.from_json(record.to_json()) == record
    for refactor in (False, True):
        decision = decide_function(record, ProgramPolicy(refactor=refactor))
        assert decision.outcome is Outcome.UNDECIDED


UNDOCUMENTED = "def f(n: int) -> int:\n    return n * 3 + (1 if n > 10 else 0)\n"
DOCUMENTED = UNDOCUMENTED.replace(
    "int:\n", 'int:\n    """\n    >>> f(2)\n    6\n    >>> f(11)\n    34\n    >>> f(10)\n    30\n    """\n', 1
)


def verdict(now: str, before: str, *, refactor: bool = False) -> tuple[str, int]:
    request = ProgramRequest(now.encode(), "subject.py", against=before.encode(), refactor=refactor)
    with Service(MemoryStore()) as service:
        answer = service.verify_program(request)
    [part] = answer.parts
    differences = part.details["result"]["differences"]  # type: ignore[index]  # JSON
    return answer.verdict.outcome, len(differences["questions"])


def test_agreement_alone_verifies_nothing() -> None:
    same = UNDOCUMENTED.replace("n * 3", "3 * n")
    assert verdict(same, UNDOCUMENTED) == ("undecided", 0)
    assert verdict(same, UNDOCUMENTED, refactor=True) == ("tested", 0)


def test_a_question_takes_nothing_from_a_verdict() -> None:
    before = DOCUMENTED.replace("n * 3", "n * 3 + (n > 40)")
    assert verdict(DOCUMENTED, before)[0] == "tested"
    assert verdict(DOCUMENTED, before)[1] > 0
    assert verdict(DOCUMENTED, before, refactor=True)[0] == "refuted"


def test_a_record_of_agreement_is_refused_under_a_policy_that_lets_results_change(benches: Benches) -> None:
    request = ProgramRequest(UNDOCUMENTED.encode(), "s.py", against=DOCUMENTED.encode(), refactor=True)
    with Service(MemoryStore()) as service:
        [part] = _observed(service, request)
    require_within(part, ProgramPolicy(refactor=True))
    with pytest.raises(ValueError, match="lets the program change"):
        require_within(part, ProgramPolicy())


def _observed(service: Service, request: ProgramRequest) -> Sequence[FunctionRecord]:
    from probatum.app.kinds import built_in_kinds

    observed = service.bench(built_in_kinds()["program"]).observe(request, lambda _event: None)
    return [part.record for part in observed.parts]


# name: source, a call that has to be among those drawn from what probing kept
PROBED = {
    "a text by its methods": ("def f(a):\n    return a.lower().split()\n", str),
    "a number by arithmetic": ("def f(a):\n    return a ** 2 - 1\n", int),
    "a list by a loop over numbers": ("def f(a):\n    return sum(x * 2 for x in a)\n", list),
    "a record by its keys": ("def f(a):\n    return a['width'] * a['height']\n", dict),
}


@pytest.mark.parametrize("name", PROBED)
def test_types_are_found_by_probing(name: str, benches: Benches) -> None:
    source, kind = PROBED[name]
    found = probed_source(question(source), benches)
    assert found is not None
    assert found.is_probed
    assert any(isinstance(each["a"], kind) for each in found.documented)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 9])
def test_probing_is_bounded_and_always_the_same(count: int) -> None:
    asked = question(f"def f({', '.join(f'a{n}' for n in range(count))}):\n    return 1\n")
    groups = candidate_calls(asked.function, asked.source.tree)
    assert len(groups) <= MOST_PROBES
    assert bool(groups) is (count > 0)
    assert groups == candidate_calls(asked.function, asked.source.tree)


def test_what_answers_nothing_is_not_probed_into_anything(benches: Benches) -> None:
    assert probed_source(question("def f(a):\n    return a.no_such_thing()\n"), benches) is None


def test_calls_in_the_project_and_in_tests_are_found() -> None:
    source = "def g():\n    return f(1, b='x') + f(n) + other.f(2)\n\n\ndef f(a, b=''):\n    return a\n"
    tests = "import artifact\n\n\ndef test_it():\n    artifact.f(3)\n"
    assert [call.args for call in call_sites(question(source, tests=tests))] == [(1,), (3,)]


ALTERNATIVES = {
    "median by hand": "def f(xs):\n    s = sorted(xs)\n    n = len(s)\n"
    "    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2\n",
    "median": "import statistics\n\n\ndef f(values):\n    return statistics.median(values)\n",
    "upper": "def f(xs):\n    return sorted(xs)[len(xs) // 2]\n",
}


def test_alternatives_are_grouped_by_what_they_do(benches: Benches) -> None:
    found = grouped([question(source) for source in ALTERNATIVES.values()], benches)
    assert sorted(found.groups) == [(0, 1), (2,)]
    [telling] = found.telling
    assert len(telling.answers) == 3


def test_alternatives_that_agree_are_one_group(benches: Benches) -> None:
    found = grouped([question(ALTERNATIVES["median"]), question(ALTERNATIVES["median by hand"])], benches)
    assert found.groups == ((0, 1),)
    assert found.telling == ()
    assert found.compared > 20


def test_chance_and_lost_processes_tell_nothing_apart(benches: Benches) -> None:
    sources = (
        "import random\n\n\ndef f(n: int) -> bool:\n    return random.random() > 0.5\n",
        "def f(n: int) -> bool:\n    return True\n",
    )
    found = grouped([question(source) for source in sources], benches)
    assert found.groups == ((0, 1),)
    assert found.compared == 0
    assert found.answered[0] == 0
