"""The conformance suite for verifiers: what one must do so that its answers can be relied on.

| rule                                                                                        |
|---------------------------------------------------------------------------------------------|
| it is an object with ``verify(input_obj, output_obj, context=None)`` and a ``description``    |
| it answers everything, however odd, with a result under its id, and never raises            |
| a fail says why, and no fail of an odd value is blamed on the verifier                      |
| it changes nothing that it is given                                                         |
| asked again it says the same, where it says of itself that it is deterministic              |
| its evidence is JSON, so that its answer arrives from another process as it was             |
| it passes what it should accept, and that pass could have been a fail                       |
| it fails what it should refuse, by the fault of the subject                                 |

Both kinds of examples are needed: a verifier that never fails verifies nothing.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Final

from probatum.verification.executors import Question, is_unchanged
from probatum.verification.process_executor import ProcessExecutor
from probatum.verification.results import Fault, VerificationResult, VerificationStatus
from probatum.verification.verifier import Verifier, VerifierDescription
from probatum.verification.written_results import read_result, write_result

_DEEP: Final = 200
_SHOWN: Final = 120
# A process of its own has to load the verifier, on a machine that may be busy.
_SECONDS: Final = 60.0
_EMPTY: Final[Mapping[str, object]] = {}


def _nested(depth: int) -> object:
    value: object = 0
    for _ in range(depth):
        value = [value]
    return value


# What a model may answer, and a verifier must get over.
ODD_VALUES: Final[tuple[object, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    10**400,
    0.5,
    math.inf,
    math.nan,
    "",
    "text",
    "\x00",
    "\ud800",
    "x" * 100_000,
    [],
    [[], [[]]],
    [None] * 1000,
    {},
    {"": None},
    {"a": {"a": {"a": [1, "2", None]}}},
    {str(number): number for number in range(1000)},
    _nested(_DEEP),
)


class ConformanceError(AssertionError):
    """A verifier breaks rules; ``broken`` holds one sentence for each."""

    def __init__(self, broken: Sequence[str]) -> None:
        super().__init__("\n".join(f"- {sentence}" for sentence in broken))
        self.broken = tuple(broken)


# An input with an output.
Pair = tuple[object, object]


def check_verifier(
    verifier: Verifier, *, accepts: Sequence[Pair], refuses: Sequence[Pair], context: Mapping[str, object] = _EMPTY
) -> None:
    """Check a verifier against every rule; raises ConformanceError if it breaks one.

    Args:
        verifier: the object that the plugin offers.
        accepts: pairs of input and output that it must pass.
        refuses: pairs that it must fail, each by the fault of the subject.
        context: passed to each call.
    """
    if broken := broken_rules(verifier, accepts=accepts, refuses=refuses, context=context):
        raise ConformanceError(broken)


def broken_rules(
    verifier: Verifier, *, accepts: Sequence[Pair], refuses: Sequence[Pair], context: Mapping[str, object] = _EMPTY
) -> list[str]:
    """Return one sentence for each rule that a verifier breaks, with the first case that shows it."""
    if shape := _shape(verifier):
        return shape
    subject = _VerifierUnderTest(verifier, context)
    nothing: object = {}
    odd: list[Pair] = [pair for value in ODD_VALUES for pair in ((nothing, value), (value, nothing))]
    # Each rule needs the ones before it; the first that is broken explains those after it.
    broken = (
        list(dict.fromkeys(rule))
        for rule in (
            subject.answers_everything([*odd, *accepts, *refuses]),
            subject.agrees_with_itself([*odd, *accepts, *refuses]),
            subject.decides(accepts, refuses),
            subject.travels([*accepts[:3], *refuses[:3]]),
        )
    )
    return next(filter(None, broken), [])


def _shape(verifier: object) -> list[str]:
    if isinstance(verifier, type):
        return [f"{verifier.__name__} is a class; check an object of it, as it is registered."]
    verify = getattr(verifier, "verify", None)
    if not callable(verify):
        return [f"A {type(verifier).__name__} has no method 'verify'."]
    try:
        inspect.signature(verify).bind({}, {}, context={})
    except TypeError as error:
        return [f"'verify' cannot be called as verify(input_obj, output_obj, context=...): {error}."]
    described = getattr(verifier, "description", None)
    if not isinstance(described, VerifierDescription):
        return [f"Its 'description' is a {type(described).__name__} instead of a VerifierDescription."]
    return []


@dataclass(frozen=True, slots=True)
class _VerifierUnderTest:
    """The verifier that is checked."""

    verifier: Verifier
    context: Mapping[str, object]

    @property
    def said(self) -> VerifierDescription:
        described: VerifierDescription = self.verifier.description  # type: ignore[attr-defined]  # asked before
        return described

    def ask(self, pair: Pair) -> VerificationResult:
        """Ask about a copy; raises _RuleError for what no verifier may do."""
        copies = deepcopy(pair)
        try:
            given = self.verifier.verify(*copies, context=dict(self.context))
        except Exception as error:
            raise _RuleError(f"It raises {type(error).__name__} instead of answering.") from error
        if type(given) is not VerificationResult:
            raise _RuleError(f"It answers with a {type(given).__name__} instead of a VerificationResult.")
        if given.verifier_id != self.said.id:
            raise _RuleError(f"It answers as {given.verifier_id!r}, but describes itself as {self.said.id!r}.")
        if not is_unchanged(copies, pair):
            raise _RuleError("It changes what it is given.")
        return given

    def answers_everything(self, pairs: Sequence[Pair]) -> Iterator[str]:
        for pair in pairs:
            try:
                given = self.ask(pair)
                if given.status is VerificationStatus.FAIL and not given.errors:
                    raise _RuleError("It fails without an error that says why.")
                if given.fault is Fault.VERIFIER:
                    raise _RuleError("It blames itself for a strange value of the subject.")
            except _RuleError as error:
                yield _about(str(error), pair)
                return

    def agrees_with_itself(self, pairs: Sequence[Pair]) -> Iterator[str]:
        for pair in pairs:
            first, second = (replace(self.ask(pair), elapsed_seconds=None) for _ in range(2))
            if self.said.is_deterministic and write_result(first) != write_result(second):
                yield _about("It calls itself deterministic and says two things of the same.", pair)
                return

    def decides(self, accepts: Sequence[Pair], refuses: Sequence[Pair]) -> Iterator[str]:
        if not accepts:
            yield "There is no example that it accepts."
        if not refuses:
            yield "There is no example that it refuses; what never fails verifies nothing."
        for pair in accepts:
            given = self.ask(pair)
            if given.status not in {VerificationStatus.PASS, VerificationStatus.WARN}:
                yield _about(f"It should accept, and answers {given.status.value}: {given.summary}", pair)
            elif not given.could_have_failed:
                yield _about("It should accept, and says that it could not have failed.", pair)
        for pair in refuses:
            given = self.ask(pair)
            if given.status is not VerificationStatus.FAIL:
                yield _about(f"It should refuse, and answers {given.status.value}: {given.summary}", pair)
            elif given.fault is not Fault.SUBJECT:
                yield _about(f"It should refuse by the fault of the subject, and names {given.fault}.", pair)

    def travels(self, pairs: Sequence[Pair]) -> Iterator[str]:
        for pair in pairs:
            given = replace(self.ask(pair), elapsed_seconds=None)
            if read_result(write_result(given)) != given:
                yield _about("Its evidence is not JSON and changes on its way.", pair)
                return
            question = Question(self.verifier, self.said.id, *pair, self.context)
            elsewhere = replace(ProcessExecutor().ask(question, _SECONDS), elapsed_seconds=None)
            if self.said.is_deterministic and elsewhere != given:
                yield _about(f"In another process it answers otherwise: {elsewhere.summary}", pair)
                return


class _RuleError(Exception):
    """A rule that was broken, as a sentence."""


def _about(sentence: str, pair: Pair) -> str:
    input_obj, output_obj = (_short(value) for value in pair)
    return f"{sentence} (input {input_obj}, output {output_obj})"


def _short(value: object) -> str:
    # Python writes no integers of more than 4300 digits.
    shown = "a large int" if isinstance(value, int) and abs(value) >= 10**9 else ascii(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
