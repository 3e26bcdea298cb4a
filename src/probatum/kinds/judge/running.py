"""Runs what criteria ask for, in the sandbox, and asks the verifier of programs: the tools of the criteria layer.

A program is run in a process of its own, and only what it answers is taken from it. Refuses to run anything without
isolation, and to take a lost process for an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.errors import NotAttemptedError
from probatum.core.frozen import frozen_dict, thaw
from probatum.core.limits import JobLimits
from probatum.core.ports import Executor
from probatum.exact.claim import ExactClaim, Ruling
from probatum.exact.engines import require_inputs
from probatum.exact.evaluation import ruling_of
from probatum.judge.criteria.expressions import OUTPUT
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, Outcomes, RunEnd, RunReply, ruled
from probatum.judge.layers import Basis
from probatum.programs.running.evaluator import outcomes
from probatum.programs.running.reading_judge import ReadingJudge, judge_with
from probatum.programs.specification import Parameter
from probatum.readings.values import ReadingRecord
from probatum.sandbox import (
    Derived,
    Handle,
    Lost,
    LostReason,
    NotPlain,
    Program,
    Raised,
    Reply,
    Returned,
    Sandbox,
    answering,
    plain,
    refused,
)
from probatum.sandbox.outcome import Declared
from probatum.verification.kind import Host
from probatum.verification.results import Fault, VerificationResult, VerificationStatus
from probatum.verification.verifier import Verifier

PROGRAM_VERIFIER: Final = "program.deep"
_LIMITS: Final = JobLimits(cpu_seconds=3, wall_seconds=20.0)
_SEEDS: Final = (0, 1)
_PARAMETERS: Final = (Parameter(OUTPUT, "positional_or_keyword"),)
_MOST_PARTS: Final = 10_000
_WELL: Final = ("0", "None", "False")
"""The status of an exit that is a success."""
_FAULTS_OF_OURS: Final = (LostReason.SETUP,)


class SandboxRunner:
    """Runs Python for criteria; sandboxes are opened for the first of them."""

    def __init__(self) -> None:
        """Open nothing yet."""
        self._sandboxes: dict[int, Sandbox] = {}

    def evaluated(self, clauses: ReadingRecord, outputs: Sequence[object]) -> list[Outcomes | RunReply]:
        """Return for each JSON value what clauses over ``output`` give under both hash seeds."""
        judge = judge_with(clauses, _PARAMETERS)
        if isinstance(judge, str):
            return [RunReply(RunEnd.LOST, detail=judge[:200])] * len(outputs)
        found: list[Outcomes | RunReply] = []
        for output in outputs:
            is_lost = isinstance(found[-1], RunReply) if found else False
            # Whoever ends one process ends the others as well.
            found.append(found[-1] if is_lost else self._outcomes(replace(judge, limits=_LIMITS), thaw(output)))
        return found

    def called(self, source: str, function: str, calls: Sequence[tuple[object, ...]]) -> tuple[RunReply, ...]:
        """Return what a function of a program gives for each of these arguments, in order."""
        replies: list[RunReply] = []
        program = Program(source.encode("utf-8", "surrogatepass"))
        while len(replies) < len(calls):
            begun = len(replies)
            with self._opened().candidate(program, _LIMITS) as candidate:
                loaded = candidate.load()
                if not isinstance(loaded, Returned):
                    return (*replies, *[_reply(loaded)] * (len(calls) - begun))
                for given in calls[begun:]:
                    replies.append(_reply(candidate.call(function, given)))
                    if candidate.is_gone:
                        break
            # Whoever ends two processes ends the others as well.
            if sum(each.end is RunEnd.LOST for each in replies) > 1:
                lost = next(each for each in replies if each.end is RunEnd.LOST)
                return (*replies, *[lost] * (len(calls) - len(replies)))
        return tuple(replies)

    def loaded(self, source: str) -> RunReply:
        """Return how a program ends that is run as a module."""
        with self._opened().candidate(Program(source.encode("utf-8", "surrogatepass")), _LIMITS) as candidate:
            reply = candidate.load()
            return RunReply(RunEnd.RETURNED) if isinstance(reply, Returned) else _reply(reply)

    def tested(self, source: str, tests: str, modules: Sequence[str]) -> Mapping[str, str]:
        """Return how each test of a file ended; the tests never share a process with the program."""
        program = Program(source.encode("utf-8", "surrogatepass"))
        sandbox = self._opened()
        with sandbox.candidate(program, _LIMITS) as candidate, sandbox.clerk(_LIMITS) as clerk:
            loaded = candidate.load()
            if not isinstance(loaded, Returned):
                return {"the code": f"error: {_reply(loaded).detail}"}
            names = [name for name in loaded.value if isinstance(name, str)] if isinstance(loaded.value, list) else []
            text = tests if modules else f"from artifact import *\n{tests}"
            found = clerk.run_tests(
                text.encode("utf-8", "surrogatepass"), answering(candidate), names, [*modules, "artifact"]
            )
        return {
            each.name: str(each.outcome) if not each.message else f"{each.outcome}: {each.message}" for each in found
        }

    def close(self) -> None:
        """Close what is open."""
        for each in self._sandboxes.values():
            each.close()
        self._sandboxes.clear()

    def _outcomes(self, judge: ReadingJudge, output: object) -> Outcomes | RunReply:
        row = ({OUTPUT: output}, range(len(judge.clauses)))
        one, other = (outcomes(judge, [row], self._opened(seed))[0] for seed in _SEEDS)
        if isinstance(one, Lost):
            return _reply(one)
        if isinstance(other, Lost):
            return _reply(other)
        return one if one == other else ["it has another value each time"] * len(one)

    def _opened(self, hash_seed: int = 0) -> Sandbox:
        if hash_seed not in self._sandboxes:
            self._sandboxes[hash_seed] = Sandbox.open(hash_seed=hash_seed)
        return self._sandboxes[hash_seed]


def _reply(reply: Reply) -> RunReply:
    match reply:
        case Returned(denied=denied) | Raised(denied=denied) if refused(denied):
            return RunReply(RunEnd.LOST, detail=f"the sandbox does not have {denied[0]}"[:200])
        case Returned():
            value = plain(reply.value)
            if not _is_plain(value):
                return RunReply(RunEnd.LOST, detail="the value is none of built-in types")
            return RunReply(RunEnd.RETURNED, value)
        case Raised() if "MemoryError" in reply.bases:
            return RunReply(RunEnd.LOST, detail="it uses more memory than it may")
        case Raised():
            end = RunEnd.LEFT if reply.type_name == "SystemExit" and reply.text in _WELL else RunEnd.RAISED
            return RunReply(end, names=reply.bases, detail=f"{reply.type_name}: {reply.text}"[:200])
        case Lost(reason=reason) if reason in _FAULTS_OF_OURS:
            raise NotAttemptedError("judge.sandbox_failed", f"The sandbox failed: {reply.detail}.")
        case Lost():
            return RunReply(RunEnd.LOST, detail=reply.detail[:200])


def _is_plain(value: object) -> bool:
    """Return whether a value is of built-in types all the way down, and no larger than can be compared."""
    stack, seen = [value], 0
    while stack:
        each = stack.pop()
        seen += 1
        if isinstance(each, Handle | NotPlain | Declared | Derived) or seen > 20 * _MOST_PARTS:
            return False
        if isinstance(each, dict):
            stack += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple | set | frozenset):
            stack += list(each)
    return True


class HostProgramJudge:
    """Asks the verifier of programs that the host offers."""

    def __init__(self, verifier: Verifier) -> None:
        """Keep the verifier."""
        self._verifier = verifier

    def judged(self, source: str) -> CriterionRuling:
        """Return whether the program does what its documentation says; open where it could not be attempted."""
        result = self._verifier.verify(None, source)
        fails = result.status is VerificationStatus.FAIL and result.fault is Fault.SUBJECT
        holds = True if result.status is VerificationStatus.PASS else False if fails else None
        why = result.summary[:300] or "the verifier of programs says nothing"
        return ruled(holds, Basis.EXECUTED, why, **_counts(result))


def _counts(result: VerificationResult) -> Mapping[str, int]:
    verdict = result.evidence.get("verdict")
    fields = verdict.get("developer_fields") if isinstance(verdict, dict) else None
    if not isinstance(fields, dict):
        return {}
    wanted = {"checks": "executed_checks", "noticed": "noticed_faults", "planted": "planted_faults"}
    return {name: value for name, key in wanted.items() if type(value := fields.get(key)) is int}


def criteria_tools(runner: SandboxRunner, host: Host, engines: Executor) -> CriteriaTools:
    """Return everything that a judgement may need; without the verifier where the host offers none."""
    programs = None
    with suppress(KeyError):
        programs = HostProgramJudge(host.verifier(PROGRAM_VERIFIER))

    def exact(engine: str, statement: str, given: Mapping[str, JsonValue]) -> Ruling:
        claim = ExactClaim(engine, statement, frozen_dict(given))
        require_inputs(claim)
        return ruling_of(claim, engines.evaluate)

    return CriteriaTools(runner, programs, exact)
