"""Criteria that are decided by running the code of the output, in the sandbox and through the verifier of programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from probatum.core.errors import NotAttemptedError
from probatum.judge.criteria.layer import criteria_report
from probatum.judge.criteria.tools import CriteriaTools
from probatum.judge.layers import Basis, CheckOutcome, LayerCheck
from probatum.judge.request import ValidationRequest, ValidationType
from probatum.kinds.judge import running
from probatum.kinds.judge.running import HostProgramJudge, SandboxRunner, criteria_tools
from probatum.kinds.program.deep import DeepProgramVerifier
from probatum.proof.stores import MemoryStore
from probatum.sandbox import Lost, LostReason
from probatum.verification.results import Fault, VerificationResult, VerificationStatus
from tests.laws.programs import SOUND, WEAK, WRONG
from tests.services import Service

SORT = "def sort_list(items):\n    return sorted(items)\n"
SLOW = """def sort_list(items):
    done = list(items)
    for i in range(len(done)):
        for j in range(len(done) - 1):
            if done[j] > done[j + 1]:
                done[j], done[j + 1] = done[j + 1], done[j]
    return done
"""
LOST = "def sort_list(items):\n    return sorted(set(items))\n"
MEAN = "def mean(values):\n    return sum(values) / len(values)\n"
CAREFUL = '''def mean(values):
    """Return the mean; raises ValueError for an empty list."""
    if not values:
        raise ValueError("no values")
    return sum(values) / len(values)
'''
SEEN = """def unique(values):
    seen = []
    for value in values:
        if value not in seen:
            seen.append(value)
    return seen
"""
SET = """def unique(values):
    seen = set()
    found = []
    for value in values:
        if value not in seen:
            seen.add(value)
            found.append(value)
    return found
"""
SEARCH = """def find(items, wanted):
    low, high = 0, len(items) - 1
    while low <= high:
        mid = (low + high) // 2
        if items[mid] == wanted:
            return mid
        if items[mid] < wanted:
            low = mid + 1
        else:
            high = mid - 1
    return -1
"""
ENDLESS = "def sort_list(items):\n    while True:\n        pass\n"
PAIRS = """def count_pairs(items):
    count = 0
    for one in items:
        for other in items:
            if one < other:
                count += 1
    return count
"""
HIDDEN = """def count(items):
    ones = []
    for item in items:
        ones.append(1)
        sum(ones)
    return len(ones)
"""
SLICES = "def total(items):\n    return 0 if not items else items[0] + total(items[1:])\n"
TESTS = "from sorter import sort_list\n\ndef test_one():\n    assert sort_list([2, 1]) == {}\n"


def fenced(source: str) -> str:
    return f"```python\n{source}```\n"


@pytest.fixture(scope="module")
def tools() -> Iterator[CriteriaTools]:
    runner = SandboxRunner()
    yield CriteriaTools(runner)
    runner.close()


def check_of(criterion: str, output: object, tools: CriteriaTools) -> LayerCheck:
    return criteria_report(ValidationRequest(output, (ValidationType.CRITERIA,), (criterion,)), tools).checks[0]


CASES = [
    (fenced(SORT), "Code implements sorting functionality", "passed"),
    (fenced(LOST), "Code implements sorting", "failed"),
    (fenced("def sort_list(items):\n    items.sort()\n"), "Code implements sorting", "passed"),
    (fenced("def sort_list(items):\n    return sorted(items, reverse=True)\n"), "Code implements sorting", "undecided"),
    (fenced(SORT), "Code implements quantum sorting", "undecided"),
    (fenced(SEARCH), "Code implements binary search", "undecided"),
    (fenced(MEAN), "Function computes the average", "passed"),
    (fenced(SET), "Code implements deduplication", "passed"),
    (fenced(SORT), "Handles the empty list", "passed"),
    (fenced(MEAN), "Handles empty lists", "failed"),
    (fenced(CAREFUL), "Handles the empty list", "passed"),
    (fenced(CAREFUL.replace("ValueError for", "for")), "Handles the empty list", "undecided"),
    (fenced(SORT), "Handles None", "failed"),
    (fenced(SORT), "Handles negative numbers correctly", "passed"),
    (
        fenced("def factorial(n):\n    return 1 if n < 2 else n * factorial(n - 1)\n"),
        "Handles negative numbers",
        "undecided",
    ),
    (
        fenced("def sort_list(items):\n    return sorted(items) if items else None\n"),
        "Handles the empty list",
        "undecided",
    ),
    (fenced(SORT), "Handles zero", "passed"),
    (fenced(CAREFUL), "Raises ValueError for an empty list", "passed"),
    (fenced(MEAN), "Raises ValueError for an empty list", "failed"),
    (fenced(SORT), "sort_list([2, 1]) == [1, 2]", "passed"),
    (fenced(SORT), "`sort_list([2, 1])` returns `[1, 2]`", "passed"),
    (fenced(SORT), "sort_list([2, 1]) returns [2, 1]", "failed"),
    (fenced(SORT), "sort_list([2, 1]) returns (1, 2)", "undecided"),
    (fenced(SORT), "sort_list(1) raises TypeError", "passed"),
    (fenced(SORT), "sort_list([1]) raises TypeError", "failed"),
    (fenced(SORT), "sort_list([2, 1]) returns about 2", "undecided"),
    (fenced(SORT), "other([1]) == [1]", "undecided"),
    (fenced("def yes(x):\n    return True\n"), "yes(0) returns 1", "undecided"),
    (fenced("def text(x):\n    return 4\n"), "text(0) returns '4'", "failed"),
    (fenced("import random\n\ndef f(x):\n    return random.random()\n"), "f(1) == 2", "undecided"),
    (fenced(SORT), "Performance is O(n log n) or better", "passed"),
    (fenced(SORT), "Runs in linear time", "failed"),
    (fenced(SLOW), "Performance is O(n log n) or better", "failed"),
    (fenced(SEEN), "Time complexity should be O(n)", "failed"),
    (fenced(SET), "Runs in O(n)", "passed"),
    (fenced(PAIRS), "Runs in O(n^2) time", "passed"),
    (fenced(PAIRS), "Runs in O(n) time", "failed"),
    (fenced(HIDDEN), "Runs in O(n) time", "undecided"),
    (fenced('def greet(name):\n    return f"Hello {name}"\n'), "Handles None", "undecided"),
    (fenced(SLICES), "Runs in O(n)", "undecided"),
    (fenced(ENDLESS), "Runs in O(n)", "undecided"),
    ({"code": SORT, "tests": TESTS.replace("{}", "[1, 2]")}, "All tests pass", "passed"),
    ({"code": SORT, "tests": TESTS}, "All tests pass", "failed"),
    ({"code": SORT, "tests": "def test_none():\n    assert 1 + 1 == 2\n"}, "All tests pass", "undecided"),
    ({"code": SORT}, "All tests pass", "undecided"),
    ({"code": ENDLESS, "tests": TESTS}, "All tests pass", "undecided"),
    ({"n": 2}, "python: output['n'] == 2", "passed"),
    ({"n": 2}, "expr: output['n'] > 2", "failed"),
    ({"n": 2}, "python: output['n']", "undecided"),
    ({"n": 2}, "python: output['m'] > 1", "undecided"),
    ({"n": 2}, "python: output[", "undecided"),
    ({"n": 2}, "python: __import__('random').random() > 0.5 or None", "undecided"),
    (None, "python: output is None", "passed"),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("output", "criterion", "state"), CASES)
def test_code_is_judged_by_its_answers(output: object, criterion: str, state: str, tools: CriteriaTools) -> None:
    check = check_of(criterion, output, tools)
    assert check.state.value == state
    expected = Basis.EXACT if criterion.startswith(("python:", "expr:")) else Basis.EXECUTED
    assert state == "undecided" or check.basis is expected


ATTACKS = {
    "it says that it is equal to everything": (
        "class Any(list):\n    def __eq__(self, other):\n        return True\n\ndef f(x):\n    return Any()\n",
        "f(1) == [1]",
    ),
    "it ends the process": ("import os\n\ndef f(x):\n    os._exit(0)\n", "f(1) == 1"),
    "it ends the process while it is imported": ("import os\nos._exit(0)\n\ndef f(x):\n    return 1\n", "f(1) == 1"),
    "it counts no steps": (
        "import sys\n\ndef f(items):\n    sys.settrace(None)\n    return [x for x in items for y in items]\n",
        "Runs in O(n)",
    ),
    "it hides its work in the library": (
        "import itertools\n\ndef f(xs):\n    return list(itertools.permutations(xs, 2))\n",
        "Runs in O(n)",
    ),
    "its tests are not its own": ("def f(x):\n    return 1\n\ndef test_f():\n    assert f(1)\n", "All tests pass"),
    "it writes a value that is too large": ("def f(x):\n    return 'a' * 10**8\n", "f(1) == 'a'"),
    "it needs more memory": ("def f(x):\n    return len('a' * 10**12)\n", "Handles zero"),
    "it recurs without end": ("def f(x):\n    return [f]\n", "f(1) == [1]"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_code_cannot_earn_a_pass(name: str, tools: CriteriaTools) -> None:
    source, criterion = ATTACKS[name]
    assert check_of(criterion, fenced(source), tools).state is not CheckOutcome.PASSED


def test_a_criterion_cannot_leave_the_sandbox(tools: CriteriaTools, tmp_path: object) -> None:
    for attempt in (
        f"python: bool(open('{tmp_path}/x', 'w').write('1')) or True",
        "python: __import__('os').system('true') == 0",
        "python: __import__('os')._exit(0)",
        "python: (lambda: [0 for _ in iter(int, 1)])() == 1",
        "python: bool(open('/etc/passwd').read())",
    ):
        assert check_of(attempt, {}, tools).state is not CheckOutcome.PASSED
    assert check_of("python: output == {}", {}, tools).state is CheckOutcome.PASSED


def test_without_tools_what_has_to_run_stays_open() -> None:
    for criterion in ("python: True", "All tests pass", "Runs in O(n)", "Code is correct", "Handles the empty list"):
        assert check_of(criterion, {"code": SORT, "tests": TESTS}, CriteriaTools()).state is CheckOutcome.UNDECIDED


def test_a_sandbox_that_fails_is_no_fault_of_the_output(tools: CriteriaTools) -> None:
    with pytest.raises(NotAttemptedError):
        running._reply(Lost(LostReason.SETUP, "no isolation"))


class _Verifier:
    description = None

    def __init__(self, result: VerificationResult) -> None:
        self._result = result

    def verify(
        self, _input: object, _output: object, _context: Mapping[str, object] | None = None
    ) -> VerificationResult:
        return self._result


VERDICT = {
    "verdict": {"developer_fields": {"executed_checks": 5, "noticed_faults": 3, "planted_faults": 3, "clause": "x"}}
}


@pytest.mark.parametrize(
    ("result", "state"),
    [
        (VerificationResult(VerificationStatus.PASS, "program.deep", "Tested.", VERDICT), "passed"),
        (
            VerificationResult(
                VerificationStatus.FAIL, "program.deep", "Wrong.", VERDICT, ("Wrong.",), fault=Fault.SUBJECT
            ),
            "failed",
        ),
        (
            VerificationResult(
                VerificationStatus.FAIL, "program.deep", "Down.", {}, ("Down.",), fault=Fault.ENVIRONMENT
            ),
            "undecided",
        ),
        (VerificationResult(VerificationStatus.SKIPPED, "program.deep", "Weak.", could_have_failed=False), "undecided"),
    ],
)
def test_a_program_is_judged_by_its_verifier(result: VerificationResult, state: str) -> None:
    judge = HostProgramJudge(_Verifier(result))  # type: ignore[arg-type]  # only verify is asked
    tools = CriteriaTools(programs=judge)
    check = check_of("Code is correct", {"code": SORT}, tools)
    assert check.state.value == state
    if state == "passed":
        assert {"checks": 5, "noticed": 3, "planted": 3}.items() <= check.evidence.items()


def test_a_host_without_the_verifier_leaves_programs_open() -> None:
    class Nobody:
        def verifier(self, verifier_id: str) -> object:
            raise KeyError(verifier_id)

    assert criteria_tools(SandboxRunner(), Nobody()).programs is None  # type: ignore[arg-type]  # only verifier is asked


@pytest.mark.parametrize(("source", "state"), [(SOUND, "passed"), (WRONG, "failed"), (WEAK, "undecided")])
def test_a_program_is_verified_by_its_documentation(source: bytes, state: str) -> None:
    with Service(MemoryStore()) as service:
        verifier = DeepProgramVerifier(lambda request: service.verify_program(request).verdict)
        tools = CriteriaTools(programs=HostProgramJudge(verifier))
        check = check_of("The code works", {"code": source.decode()}, tools)
    assert check.state.value == state
    assert state != "passed" or set(check.evidence) >= {"checks", "noticed", "planted"}
