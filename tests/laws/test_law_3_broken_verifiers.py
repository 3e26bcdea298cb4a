"""Law 3, for verifiers. Whatever mix of them breaks, a broken one never passes, never refutes and never verifies, and
the others answer as they do alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.decision import Decision, DiagnosticStatus, Outcome
from probatum.verification.decide import decide_results
from probatum.verification.executors import Question, ThreadExecutor, VerifierExecutor, answer
from probatum.verification.plan import plan
from probatum.verification.policy import AtLeast, Slot, VerificationPolicy
from probatum.verification.process_executor import ProcessExecutor
from probatum.verification.registry import VerifierRegistry
from probatum.verification.results import Fault, VerificationResult, VerificationStatus
from probatum.verification.run import RunBudget, run_plan
from tests.verification.broken_verifiers import ENDLESS, FAULTS, MEGABYTE
from tests.verification.fakes import Answering

PASS, FAIL, WARN, SKIPPED = VerificationStatus
INPUT, OUTPUT = {"rows": [1, 2]}, {"answer": [3]}
SOUND: dict[str, VerificationResult] = {
    "passes": VerificationResult(PASS, "passes", "fine", {"rows": [1]}),
    "warns": VerificationResult(WARN, "warns", "fine", warnings=("look",)),
    "refutes": VerificationResult(FAIL, "refutes", "no", errors=("$.answer",)),
    "skips": VerificationResult(SKIPPED, "skips", "not today", could_have_failed=False),
    "enforces nothing": VerificationResult(PASS, "enforces nothing", "fine", could_have_failed=False),
}
IN_A_THREAD = [
    "raises",
    "interrupts",
    "asks to exit",
    "is out of memory",
    "answers with nothing",
    "answers with True",
    "answers for another",
    "changes its input",
    "hangs",
]
"""Those that end no more than themselves, so that they may run beside us."""


def registry_with(broken: Sequence[str]) -> VerifierRegistry:
    registry = VerifierRegistry()
    for name, result in SOUND.items():
        registry.register(name, Answering(lambda *_given, result=result: result))
    for name in broken:
        registry.register(name, Answering(under_its_own_id(name)))
    return registry


def under_its_own_id(name: str) -> Callable[..., object]:
    """The broken verifiers answer as ``a``: where that alone would fail one, it answers as itself."""
    work = (FAULTS | ENDLESS)[name]

    def answered(*given: object) -> object:
        said = work(*given)
        if isinstance(said, VerificationResult) and name != "answers for another":
            return replace(said, verifier_id=name) if type(said.status) is VerificationStatus else said
        return said

    return answered


@st.composite
def policies(draw: st.DrawFn, broken: Sequence[str]) -> VerificationPolicy:
    names = draw(st.lists(st.sampled_from([*SOUND, *broken]), min_size=1, max_size=4))
    names.insert(draw(st.integers(0, len(names))), draw(st.sampled_from(broken)))
    slots = tuple(Slot(name, draw(st.booleans())) for name in names)
    ids = tuple(sorted(set(draw(st.lists(st.sampled_from(names), max_size=3)))))
    groups = (AtLeast(draw(st.integers(1, len(ids))), ids),) if ids else ()
    return VerificationPolicy(slots, groups)


def without_broken(policy: VerificationPolicy) -> tuple[VerificationPolicy, list[VerificationResult]] | None:
    """What is left of a policy when its broken verifiers are left out, with the answers; None where too little is."""
    slots = tuple(slot for slot in policy.slots if slot.verifier_id in SOUND)
    groups = []
    for group in policy.at_least:
        ids = tuple(each for each in group.verifier_ids if each in SOUND)
        if group.count > len(ids):
            return None
        groups.append(AtLeast(group.count, ids))
    return (VerificationPolicy(slots, tuple(groups)), [SOUND[slot.verifier_id] for slot in slots]) if slots else None


def assert_the_law(policy: VerificationPolicy, executor: VerifierExecutor) -> None:
    broken = sorted({slot.verifier_id for slot in policy.slots} - set(SOUND))
    registry = registry_with(broken)
    results = run_plan(plan(policy, registry), INPUT, OUTPUT, {}, executor=executor, budget=RunBudget(600.0, 600.0))
    assert [result.verifier_id for result in results] == [slot.verifier_id for slot in policy.slots]
    for result in results:
        if result.verifier_id in SOUND:
            question = Question(registry.get(result.verifier_id), result.verifier_id, INPUT, OUTPUT, {})
            assert replace(result, elapsed_seconds=None) == answer(question)
        else:
            assert result.status is FAIL
            assert result.fault in {Fault.VERIFIER, Fault.ENVIRONMENT}
    assert (INPUT, OUTPUT) == ({"rows": [1, 2]}, {"answer": [3]})
    assert_decided(policy, decide_results(policy, results, dict.fromkeys(SOUND, Outcome.PROVED)))


def assert_decided(policy: VerificationPolicy, decision: Decision) -> None:
    refuted = any(slot.verifier_id == "refutes" and slot.is_mandatory for slot in policy.slots)
    assert (decision.outcome is Outcome.REFUTED) == refuted
    if refuted:
        return
    if any(slot.is_mandatory and slot.verifier_id not in SOUND for slot in policy.slots):
        assert decision.outcome is Outcome.NOT_ATTEMPTED
        return
    left = without_broken(policy)
    if left is None:
        assert decision.status is not DiagnosticStatus.VERIFIED
        return
    assert decision.outcome is decide_results(*left, dict.fromkeys(SOUND, Outcome.PROVED)).outcome


@dataclass(frozen=True, slots=True)
class PatientWithTheSound:
    """Gives ample time to all but those that never answer, however slow the machine is."""

    executor: VerifierExecutor
    endless: Collection[str]

    def ask(self, question: Question, _seconds: float) -> VerificationResult:
        return self.executor.ask(question, 0.1 if question.verifier_id in self.endless else 60.0)


@settings(max_examples=20, deadline=None)
@given(policies([*FAULTS, *ENDLESS]))
def test_any_mix_of_broken_verifiers_in_processes(policy: VerificationPolicy):
    assert_the_law(policy, PatientWithTheSound(ProcessExecutor(memory_bytes=128 * MEGABYTE), ENDLESS))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@settings(max_examples=20, deadline=None)
@given(policies(IN_A_THREAD))
def test_any_mix_of_broken_verifiers_in_threads(policy: VerificationPolicy):
    assert_the_law(policy, PatientWithTheSound(ThreadExecutor(), {"hangs", "interrupts"}))


def test_broken_ones_alone():
    policy = VerificationPolicy(tuple(Slot(name) for name in [*FAULTS, *ENDLESS]))
    assert_the_law(policy, PatientWithTheSound(ProcessExecutor(memory_bytes=128 * MEGABYTE), ENDLESS))
