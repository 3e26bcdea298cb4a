"""The validation cascade: syntax, lint, type, import, and last what the program does; the first failure ends it.

    artifact → program → gates in their order → deep verification → result, and what a caller makes of it: a repair

A repair goes through the whole cascade again. Refuses one that was tried already, and one that adds, drops or changes
a docstring or a clause: what the program is held to is not the repairer's to mend. A gate that could not run is not
repaired either.
"""

from __future__ import annotations

import ast
import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from inspect import isawaitable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from probatum.core.arguments import bytes_of
from probatum.core.decision import Decision, Outcome, blocked_by, blocked_by_defect, decide, undecided_by
from probatum.core.errors import BudgetError, ProbatumError, UsageError
from probatum.core.messages import writable
from probatum.programs.gate_tools import MOST_ERRORS, TOOLS, remarks_of
from probatum.programs.gates import (
    STATE_OF,
    CascadeResult,
    GateArtifact,
    GateResult,
    GateStepResult,
    GateType,
    StepState,
    ValidationError,
    ValidationGate,
    Verification,
    Verify,
)
from probatum.programs.loading import load_failure, read_source
from probatum.programs.projects.project import project_of
from probatum.programs.result import specification_of
from probatum.programs.running.execute import Benches
from probatum.programs.source import module_or_none
from probatum.sandbox import Opening, Program, own_environment

if TYPE_CHECKING:
    from probatum.programs.deep.types import ArtifactSpec

EVERY_GATE: Final = tuple(GateType)
MOST_REPAIRS: Final = 20
_NOTHING_DECIDED: Final = decide(Outcome.UNDECIDED, "program.no_specification", {"name": "it"})
Repair = Callable[[CascadeResult], str | None]
"""Returns another source for what did not pass, None where it has none."""


def gates_before(
    gates: Iterable[GateType], program: Program, shown: str, open_benches: Callable[[], Benches]
) -> tuple[GateResult, ...]:
    """Run the gates that come before deep verification, in their order, until one of them ends the cascade.

    ``shown`` is what the file is called in errors.
    """
    wanted, ran = set(gates), list[GateResult]()
    for gate in GateType:
        if gate in wanted and gate is not GateType.SEMANTIC:
            ran.append(GateResult(ValidationGate(gate), (_step(gate, program, shown, open_benches),)))
            if not ran[-1].may_go_on:
                break
    return tuple(ran)


def semantic_gate(found: Verification, duration_ms: int = 0) -> GateResult:
    """Return the last gate: what deep verification found, whose decision counts."""
    errors = tuple(ValidationError("semantic", _told(each)) for each in found.issues)
    decision = found.decision or _NOTHING_DECIDED
    state = STATE_OF[decision.outcome]
    if state is StepState.PASSED and found.passed is not True:
        state = StepState.UNDECIDED
    step = GateStepResult(
        GateType.SEMANTIC.value, state, decision.agent_message, errors[:MOST_ERRORS], duration_ms=duration_ms
    )
    return GateResult(ValidationGate(GateType.SEMANTIC), (step,))


def _told(issue: object) -> str:
    described = issue.get("description") if isinstance(issue, Mapping) else getattr(issue, "description", None)
    return writable(str(issue if described is None else described))[:300]


def _step(gate: GateType, program: Program, shown: str, open_benches: Callable[[], Benches]) -> GateStepResult:
    started = time.monotonic()
    try:
        step = _ran(gate, program, shown, open_benches)
    except Exception as error:  # noqa: BLE001  # what broke says nothing about the artifact
        step = _decided(gate, _without_answer(error), shown)
    return replace(step, duration_ms=_since(started))


def _since(started: float) -> int:
    return int((time.monotonic() - started) * 1000)


def _without_answer(error: Exception) -> Decision:
    """Return what follows where a gate gave no answer; raises what says that it was asked wrongly."""
    if isinstance(error, UsageError):
        raise error
    if isinstance(error, BudgetError):
        return undecided_by(error, "program.too_large")
    return blocked_by(error) if isinstance(error, ProbatumError) else blocked_by_defect(error)


def _ran(gate: GateType, program: Program, shown: str, open_benches: Callable[[], Benches]) -> GateStepResult:
    read = read_source(program)
    if isinstance(read, Decision):
        return _decided(gate, read, shown)
    if gate in TOOLS:
        said = remarks_of(gate, read, shown)
        if said is None:
            return GateStepResult(gate.value, StepState.SKIPPED, f"{TOOLS[gate].name} is not installed")
        state = StepState.FAILED if said.errors else StepState.PASSED
        return GateStepResult(gate.value, state, said.message, said.errors)
    failure = load_failure(program, open_benches()) if gate is GateType.IMPORT else None
    if failure is not None:
        return _decided(gate, failure, shown)
    return GateStepResult(gate.value, StepState.PASSED, "it is imported" if gate is GateType.IMPORT else "it compiles")


def _decided(gate: GateType, decision: Decision, shown: str) -> GateStepResult:
    """Return the step of a decision that is never VERIFIED."""
    detail, line = decision.fields.get("detail"), decision.fields.get("line")
    told = detail if isinstance(detail, str) and detail else decision.agent_message
    place = line if isinstance(line, int) and line > 0 else None
    error = ValidationError(gate.value, told, shown, place)
    return GateStepResult(gate.value, STATE_OF[decision.outcome], decision.agent_message, (error,))


@contextmanager
def _benches() -> Iterator[Callable[[], Benches]]:
    """Yield what opens sandboxes when the first gate needs them, and close them afterwards."""
    opened: list[Opening] = []

    def open_benches() -> Benches:
        if not opened:
            # They differ in their hash seed.
            opened.append(Opening((0, 1), own_environment()))
        return Benches(*opened[0].sandboxes())

    try:
        yield open_benches
    finally:
        for each in opened:
            each.close()


class ValidationRunner:
    """Runs single gates, by the names of the document."""

    def __init__(self, verify: Verify | None = None) -> None:
        """Keep what verifies a source for the semantic gate; None means `DeepVerifier`, by the documentation alone."""
        self._verify = verify

    async def validate_gate(self, gate: ValidationGate, artifacts: Sequence[GateArtifact]) -> GateResult:
        """Return what one gate says of these artifacts; without any, it does not pass."""
        steps: list[GateStepResult] = []
        for artifact in artifacts:
            result = await _cascade(artifact, (gate.gate_type,), self._verify or deep(artifact))
            steps += (step for each in result.gate_results for step in each.steps)
        return GateResult(gate, tuple(steps))


async def validate_with_deep_verification(
    artifact: GateArtifact,
    artifact_spec: ArtifactSpec | None = None,
    *,
    verify: Verify | None = None,
    gates: Sequence[GateType] = EVERY_GATE,
    repair: Repair | None = None,
    max_repairs: int = 3,
) -> CascadeResult:
    """Run the cascade about an artifact, and about what a caller makes of it where it does not pass.

    ``verify`` is called with the source and returns a `Verification`, which may be awaited; None means `DeepVerifier`
    with ``artifact_spec``. ``repair`` gets the result and returns another source, at most ``max_repairs`` times.
    """
    if not gates:
        raise UsageError(
            "gate.unknown", "No gate is named.", f"There are: {', '.join(each.value for each in GateType)}."
        )
    if not 0 <= max_repairs <= MOST_REPAIRS:
        raise UsageError("gate.repairs", f"'max_repairs' is 0 to {MOST_REPAIRS}, got {max_repairs!r}.")
    ask = verify or deep(artifact, artifact_spec)
    result = await _cascade(artifact, gates, ask)
    tried, held = {result.source}, _held_to(result.source)
    while repair is not None and not result.passed and result.state is not StepState.BLOCKED:
        if result.repairs == max_repairs:
            return replace(result, repair_ended=f"{max_repairs} repairs did not pass")
        source = await asyncio.to_thread(repair, result)
        if source is None:
            return replace(result, repair_ended="there is no repair")
        if source in tried:
            return replace(result, repair_ended="the repair was tried already")
        documented = _held_to(source)
        if held is not None and documented is not None and (changed := _changed(held, documented)):
            return replace(result, repair_ended=f"the repair changes what {changed} is held to")
        tried.add(source)
        held = documented if held is None else held
        result = replace(await _cascade(replace(artifact, content=source), gates, ask), repairs=result.repairs + 1)
    return result


def deep(artifact: GateArtifact, spec: ArtifactSpec | None = None) -> Verify:
    """Return what verifies a source with `DeepVerifier`, in the folder of its file."""

    def verify(source: str) -> Awaitable[Verification]:
        # Deferred: it loads all that judges programs.
        from probatum.programs.deep.types import ArtifactSpec
        from probatum.programs.deep.verifier import DeepVerifier

        path = artifact.path
        wanted = spec or ArtifactSpec(path.stem, "", "")
        return DeepVerifier(cwd=path.parent).verify(replace(wanted, produces_file=path.name), source)

    return verify


def _held_to(source: str) -> Mapping[str, frozenset[str]] | None:
    """Return by name what everything in a source is held to, docstrings and clauses; None where it cannot be read."""
    read = read_source(Program(bytes_of(source)))
    if isinstance(read, Decision):
        return None
    found: dict[str, frozenset[str]] = {"the module": frozenset(filter(None, [ast.get_docstring(read.tree)]))}
    pending: list[tuple[str, ast.AST]] = [("", read.tree)]
    while pending:
        prefix, node = pending.pop()
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                said = filter(None, [ast.get_docstring(child, clean=False)])
                found[prefix + child.name] = found.get(prefix + child.name, frozenset()) | frozenset(said)
                name = f"{prefix}{child.name}."
            pending.append((name, child))
    for each in read.module.functions:
        rows = (row for row in specification_of(each) if isinstance(row, dict))
        clauses = {str([row.get(key) for key in _CLAUSE]) for row in rows}
        found[each.qualname] = found.get(each.qualname, frozenset()) | clauses
    return found


_CLAUSE: Final = ("kind", "text", "expression", "expected", "exception")


def _changed(held: Mapping[str, frozenset[str]], now: Mapping[str, frozenset[str]]) -> str:
    """Return the name of something that is held to less, more or something else now; empty where there is none."""
    return next((name for name, said in held.items() if now.get(name) != said), "")


def _in_its_project(path: Path, content: bytes) -> Program:
    """Return a program with the modules of its project that it imports."""
    try:
        return project_of(path, content, module_or_none(content)).program(content)
    except (BudgetError, OSError, ValueError):
        # They are too many, or the path cannot be: what it imports is not found, and no gate passes for that.
        return Program(content)


async def _cascade(artifact: GateArtifact, gates: Sequence[GateType], verify: Verify) -> CascadeResult:
    content, asked = bytes_of(artifact.content), tuple(each for each in GateType if each in gates)
    shown = str(artifact.path)
    program = await asyncio.to_thread(_in_its_project, artifact.path, content)
    with _benches() as open_benches:
        ran = await asyncio.to_thread(gates_before, asked, program, shown, open_benches)
    result = CascadeResult(content.decode("utf-8", "replace"), ran, asked)
    if GateType.SEMANTIC not in asked or not all(each.may_go_on for each in ran):
        return result
    started = time.monotonic()
    try:
        found = await asyncio.to_thread(verify, result.source)
        verification = await found if isawaitable(found) else found
        last = semantic_gate(verification, _since(started))
    except Exception as error:  # noqa: BLE001  # what broke says nothing about the artifact
        step = _decided(GateType.SEMANTIC, _without_answer(error), shown)
        last, verification = GateResult(ValidationGate(GateType.SEMANTIC), (step,)), None
    return replace(result, gate_results=(*ran, last), verification=verification)
