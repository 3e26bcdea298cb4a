"""The validation cascade: syntax, lint, type, import, and last what the program does; the first failure ends it.

    artifact → program → gates in their order → deep verification → result, and what a caller makes of it: a repair

A repair goes through the whole cascade again. Refuses one that was tried already, and one that adds, drops or changes
a docstring or a clause: what the program is held to is not the repairer's to mend. A gate that could not run is not
repaired either.
"""

from __future__ import annotations

import ast
import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from inspect import isawaitable
from pathlib import Path
from typing import Final

from probatum.core.arguments import bytes_of
from probatum.core.decision import Decision, Outcome, decide, decision_of
from probatum.core.errors import BudgetError, UsageError
from probatum.core.messages import writable
from probatum.programs.deep.types import ArtifactSpec, DeepVerificationResult
from probatum.programs.gate_tools import MOST_ERRORS, TOOLS, step_of_tool
from probatum.programs.gates import (
    CascadeResult,
    GateArtifact,
    GateResult,
    GateType,
    ValidationGate,
    Verify,
    gates_named,
)
from probatum.programs.loading import load_failure, read_source
from probatum.programs.projects.project import project_of
from probatum.programs.result import specification_of
from probatum.programs.running.execute import Benches, benches_of
from probatum.programs.source import Source, module_or_none
from probatum.sandbox import Program, own_environment
from probatum.verification.files import GateStepResult, ValidationError

MOST_REPAIRS: Final = 20
_NOTHING_DECIDED: Final = decide(Outcome.UNDECIDED, "program.no_specification", {"name": "it"})
_CLAUSE: Final = ("kind", "text", "expression", "expected", "exception")
Repair = Callable[[CascadeResult], str | None]
"""Returns another source for what did not pass, None where it has none."""


def gates_before(
    gates: Collection[GateType], program: Program, shown: str, open_benches: Callable[[], Benches]
) -> tuple[GateStepResult, ...]:
    """Run the gates that come before deep verification, in their order, until one of them ends the cascade.

    ``shown`` is what the file is called in errors.
    """
    read: Source | Decision | None = None
    ran: list[GateStepResult] = []
    for gate in GateType:
        if gate in gates and gate is not GateType.SEMANTIC and all(step.may_go_on for step in ran):
            try:
                read = read or read_source(program)
                ran.append(_step(gate, read, shown, open_benches))
            except Exception as error:  # noqa: BLE001  # what broke says nothing about the artifact
                ran.append(_broken(gate, error, shown))
    return tuple(ran)


def _step(gate: GateType, read: Source | Decision, shown: str, open_benches: Callable[[], Benches]) -> GateStepResult:
    if isinstance(read, Decision):
        return _decided(gate, read, shown)
    if gate in TOOLS:
        return step_of_tool(gate, read, shown)
    if gate is GateType.SYNTAX:
        return GateStepResult(gate.value, Outcome.TESTED, "it compiles")
    failure = load_failure(read.program, open_benches())
    return _decided(gate, failure, shown) if failure else GateStepResult(gate.value, Outcome.TESTED, "it is imported")


def _decided(gate: GateType, decision: Decision, shown: str) -> GateStepResult:
    """Return the step of a decision that is never VERIFIED."""
    detail, line = decision.fields.get("detail"), decision.fields.get("line")
    told = detail if isinstance(detail, str) and detail else decision.agent_message
    error = ValidationError(gate.value, told, shown, line if isinstance(line, int) and line > 0 else None)
    return GateStepResult(gate.value, decision.outcome, decision.agent_message, (error,))


def _broken(gate: GateType, error: Exception, shown: str) -> GateStepResult:
    """Return the step of a gate that gave no answer; raises what says that it was asked wrongly."""
    if isinstance(error, UsageError):
        raise error
    return _decided(gate, decision_of(error, "program.too_large"), shown)


def _verified(found: DeepVerificationResult) -> GateStepResult:
    """Return the last step: what deep verification found, whose decision counts."""
    decision = found.decision or _NOTHING_DECIDED
    step = GateStepResult(GateType.SEMANTIC.value, decision.outcome, decision.agent_message)
    if step.passed and found.passed is True:
        return step
    issues = [str(getattr(each, "description", each)) for each in found.issues[:MOST_ERRORS]]
    told = (writable(each)[:300] for each in issues or [decision.agent_message])
    errors = tuple(ValidationError(step.step, each) for each in told)
    return replace(step, outcome=Outcome.UNDECIDED if step.passed else step.outcome, errors=errors)


class ValidationRunner:
    """Runs single gates, by the names of the document."""

    def __init__(self, verify: Verify | None = None) -> None:
        """Keep what verifies a source for the semantic gate; None means `DeepVerifier`, by the documentation alone."""
        self._verify = verify

    async def validate_gate(self, gate: ValidationGate, artifacts: Sequence[GateArtifact]) -> GateResult:
        """Return what one gate says of these artifacts; without any, it does not pass."""
        asked = gates_named([gate.gate_type])
        results = [await _cascade(each, asked, self._verify or partial(_deep, each.path, None)) for each in artifacts]
        return GateResult(gate, tuple(step for each in results for step in each.steps))


async def validate_with_deep_verification(
    artifact: GateArtifact,
    artifact_spec: ArtifactSpec | None = None,
    *,
    verify: Verify | None = None,
    gates: Sequence[GateType] = tuple(GateType),
    repair: Repair | None = None,
    max_repairs: int = 3,
) -> CascadeResult:
    """Run the cascade about an artifact, and about what a caller makes of it where it does not pass.

    ``verify`` is called with the source and returns a `Verification`, which may be awaited; None means `DeepVerifier`
    with ``artifact_spec``. ``repair`` gets the result and returns another source, at most ``max_repairs`` times.
    """
    asked, ask = gates_named(gates), verify or partial(_deep, artifact.path, artifact_spec)
    if not 0 <= max_repairs <= MOST_REPAIRS:
        raise UsageError("gate.repairs", f"'max_repairs' is 0 to {MOST_REPAIRS}, got {max_repairs!r}.")
    result = await _cascade(artifact, asked, ask)
    tried, held = {result.source}, _held_to(result.source)
    while repair is not None and not result.passed and result.steps[-1].outcome is not Outcome.NOT_ATTEMPTED:
        if result.repairs == max_repairs:
            return replace(result, repair_ended=f"{max_repairs} repairs did not pass")
        source = await asyncio.to_thread(repair, result)
        if source is None:
            return replace(result, repair_ended="there is no repair")
        if source in tried:
            return replace(result, repair_ended="the repair was tried already")
        now = _held_to(source)
        if held and now is not None and (changed := [name for name in held if held[name] != now.get(name)]):
            return replace(result, repair_ended=f"the repair changes what {changed[0]} is held to")
        tried.add(source)
        held = now if held is None else held
        result = replace(await _cascade(replace(artifact, content=source), asked, ask), repairs=result.repairs + 1)
    return result


def _deep(path: Path, spec: ArtifactSpec | None, source: str) -> Awaitable[DeepVerificationResult]:
    """Verify a source with `DeepVerifier`, in the folder of its file."""
    # Deferred: it loads all that judges programs.
    from probatum.programs.deep.verifier import DeepVerifier

    wanted = replace(spec or ArtifactSpec(path.stem, "", ""), produces_file=path.name)
    return DeepVerifier(cwd=path.parent).verify(wanted, source)


def _held_to(source: str) -> Mapping[str, set[str]] | None:
    """Return by name what everything in a source is held to, docstrings and clauses; None where it cannot be read."""
    read = read_source(Program(bytes_of(source)))
    if isinstance(read, Decision):
        return None
    found, names = defaultdict[str, set[str]](set), {id(read.tree): ""}
    for node in ast.walk(read.tree):
        name = names[id(node)]
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[name or "the module"].update(filter(None, [ast.get_docstring(node, clean=False)]))
        for child in ast.iter_child_nodes(node):
            own = child.name if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else ""
            names[id(child)] = f"{name}.{own}".strip(".")
    for each in read.module.functions:
        rows = (row for row in specification_of(each) if isinstance(row, dict))
        found[each.qualname].update(str([row.get(key) for key in _CLAUSE]) for row in rows)
    return found


async def _cascade(artifact: GateArtifact, gates: Collection[GateType], verify: Verify) -> CascadeResult:
    content, shown = bytes_of(artifact.content), str(artifact.path)
    with benches_of(own_environment()) as open_benches:
        program = await asyncio.to_thread(_in_its_project, artifact.path, content)
        steps = await asyncio.to_thread(gates_before, gates, program, shown, open_benches)
    result = CascadeResult(content.decode("utf-8", "replace"), steps)
    if GateType.SEMANTIC not in gates or not all(each.may_go_on for each in steps):
        return result
    try:
        found = await asyncio.to_thread(verify, result.source)
        verification = await found if isawaitable(found) else found
        return replace(result, steps=(*steps, _verified(verification)), verification=verification)
    except Exception as error:  # noqa: BLE001  # what broke says nothing about the artifact
        return replace(result, steps=(*steps, _broken(GateType.SEMANTIC, error, shown)))


def _in_its_project(path: Path, content: bytes) -> Program:
    """Return a program with the modules of its project that it imports."""
    try:
        return project_of(path, content, module_or_none(content)).program(content)
    except (BudgetError, OSError, ValueError):
        # They are too many, or the path cannot be: what it imports is not found, and no gate passes for that.
        return Program(content)
