"""Where verifiers run: the question that one is asked, on its own copy, and in a thread beside us.

A thread bounds how long we wait, not what a verifier does: one that hangs is left behind. Refuses to take an answer of
the wrong type or id.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Final, Protocol

from probatum.core.finding import Finding, Location
from probatum.core.frozen import FrozenDict
from probatum.verification.evidence import frozen_evidence, jsonable, type_name
from probatum.verification.results import Fault, VerificationResult, VerificationStatus, broken
from probatum.verification.verifier import Verifier

_SHOWN: Final = 300
_LONGEST_WAIT: Final = threading.TIMEOUT_MAX / 2


@dataclass(frozen=True, slots=True)
class Question:
    """What one verifier is asked."""

    verifier: Verifier
    verifier_id: str
    input_obj: object
    output_obj: object
    context: Mapping[str, object]


class VerifierExecutor(Protocol):
    """Asks one verifier, within a time."""

    def ask(self, question: Question, seconds: float) -> VerificationResult:
        """Return the answer, or the fail of a verifier that gave none; never raises for what a verifier does."""


def answer(question: Question) -> VerificationResult:
    """Return what a verifier says of a copy of its question; whatever it raises is the fail of its slot."""
    try:
        copies = deepcopy((question.input_obj, question.output_obj))
        context = {key: _own(value) for key, value in question.context.items()}
    except Exception as error:  # noqa: BLE001  objects of a caller may refuse to be copied in any way
        return broken(question.verifier_id, "What is to be judged cannot be copied.", _told(error), Fault.ENVIRONMENT)
    try:
        given = question.verifier.verify(*copies, context=context)
    except MemoryError as error:
        return broken(question.verifier_id, "The verifier ran out of memory.", _told(error), Fault.ENVIRONMENT)
    except BaseException as error:  # noqa: BLE001  law 3: a broken verifier is not a broken subject
        return broken(question.verifier_id, "The verifier raised.", _told(error))
    try:
        if not is_unchanged(copies, (question.input_obj, question.output_obj)):
            # What it says is about something else than what was to be judged.
            return broken(question.verifier_id, "The verifier changed what it was given to judge.")
        checked = checked_answer(given, question.verifier_id)
        # A result can be bent after it was made, and its maker may still hold it: what counts is a copy, made anew.
        return checked if checked is not given else made_anew(checked)
    except BaseException as error:  # noqa: BLE001  looking at an answer runs what the verifier put into it
        return broken(question.verifier_id, "The verifier's answer cannot be read.", _told(error))


def _own(value: object) -> object:
    """Return what a verifier gets of the context: plain data of its own, anything else as it is."""
    return deepcopy(value) if type(value) in {dict, list, set, tuple} else value


def is_unchanged(copies: tuple[object, object], originals: tuple[object, object]) -> bool:
    """Compare the plain data in them, however deep; whether objects of other types changed cannot be told."""
    pending: list[tuple[object, object]] = list(zip(copies, originals, strict=True))
    seen: set[tuple[int, int]] = set()
    while pending:
        copied, original = pending.pop()
        if copied is original or (id(copied), id(original)) in seen:
            continue
        if type(copied) is not type(original):
            return False
        if isinstance(copied, dict) and isinstance(original, dict):
            if copied.keys() != original.keys():
                return False
            pending.extend((value, original[key]) for key, value in copied.items())
        elif isinstance(copied, list | tuple) and isinstance(original, list | tuple):
            if len(copied) != len(original):
                return False
            pending.extend(zip(copied, original, strict=True))
        elif isinstance(copied, str | bytes | int | float) and copied != original:
            return False
        seen.add((id(copied), id(original)))
    return True


def checked_answer(given: object, verifier_id: str) -> VerificationResult:
    """Return an answer as it is where it is a result for this slot, and a fail of the slot otherwise."""
    if type(given) is not VerificationResult:
        return broken(verifier_id, f"The verifier answered with a {type_name(given)} instead of a result.")
    if type(given.verifier_id) is not str or given.verifier_id != verifier_id:
        shown = str(given.verifier_id)[:80]
        return broken(verifier_id, f"The verifier answered for {shown!r} instead of {verifier_id!r}.")
    if given.status in {VerificationStatus.PASS, VerificationStatus.WARN} and given.errors:
        return broken(verifier_id, "The verifier names errors and does not fail.", given.errors[0][:_SHOWN])
    return given


def made_anew(given: VerificationResult) -> VerificationResult:
    """Return an equal result of which nobody else holds a part; raises for one that was bent after it was made."""
    return VerificationResult(
        given.status,
        given.verifier_id,
        _writable(given.summary),
        given.evidence,
        tuple(_writable(text) for text in given.errors),
        tuple(_writable(text) for text in given.warnings),
        given.elapsed_seconds,
        given.fault,
        given.could_have_failed,
        tuple(_finding_anew(finding) for finding in given.findings),
    )


def _finding_anew(given: Finding) -> Finding:
    if type(given) is not Finding:
        raise ValueError("findings must be Finding values")
    place = given.location
    beside = jsonable(frozen_evidence(given.evidence))
    assert isinstance(beside, dict)
    return Finding(
        given.severity,
        _writable(given.kind),
        _writable(given.message),
        None if place is None else Location(int(place.line), int(place.column), _writable(place.name)),
        _writable(given.suggestion),
        FrozenDict(beside),
    )


def _writable(text: str) -> str:
    return str.encode(text, "utf-8").decode("utf-8")


def no_answer_in_time(verifier_id: str, seconds: float) -> VerificationResult:
    """Return the fail of a verifier that hangs."""
    return broken(verifier_id, f"The verifier gave no answer within {seconds:.3g} seconds.")


def _told(error: BaseException) -> str:
    lines = traceback.format_exception_only(error)
    return "".join(lines).strip()[:_SHOWN]


class ThreadExecutor:
    """Asks in a thread, and waits no longer than the time; a verifier that hangs is left behind."""

    def ask(self, question: Question, seconds: float) -> VerificationResult:
        """Return the answer, or a fail where none came in time."""
        answers: SimpleQueue[VerificationResult] = SimpleQueue()
        name = f"verifier {question.verifier_id}"
        try:
            threading.Thread(target=lambda: answers.put(answer(question)), name=name, daemon=True).start()
        except (RuntimeError, MemoryError) as error:
            # Verifiers that were left behind may have taken every thread there is.
            summary = "No thread could be started for the verifier."
            return broken(question.verifier_id, summary, _told(error), Fault.ENVIRONMENT)
        try:
            return answers.get(timeout=min(max(seconds, 0.0), _LONGEST_WAIT))
        except Empty:
            return no_answer_in_time(question.verifier_id, seconds)
