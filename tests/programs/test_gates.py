"""The validation cascade and approval: a gate that did not run never passes, and confidence alone approves nothing."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import inf, nan
from pathlib import Path
from typing import cast

import pytest

from probatum.core.decision import Decision, DiagnosticStatus, Outcome
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.programs.cascade import ValidationRunner, validate_with_deep_verification
from probatum.programs.deep.types import DeepVerificationResult, SemanticIssue
from probatum.programs.gate_tools import heard, laid_out
from probatum.programs.gates import (
    CascadeResult,
    GateArtifact,
    GateType,
    Goal,
    ValidationGate,
    approval_of,
)
from probatum.programs.running import execute
from probatum.programs.running.execute import Benches
from probatum.sandbox import Program
from probatum.workers import code_tools

GOOD = '"""Twice."""\n\n\ndef double(x: int) -> int:\n    """double(2) == 4"""\n    return 2 * x\n'
OF_THE_OUTCOME = {each: Decision(each, "program.tested", f"It is {each.value}.") for each in Outcome}
SYNTAX, LINT, TYPE, IMPORT, SEMANTIC = GateType


def verified(
    decision: Decision | None = OF_THE_OUTCOME[Outcome.TESTED],
    *,
    passed: bool = True,
    confidence: float = 0.9,
    issues: tuple[SemanticIssue, ...] = (),
) -> DeepVerificationResult:
    """Return what a verifier says, right or wrong."""
    return DeepVerificationResult(passed, confidence, issues, (), None, (), (), 0, decision=decision)


ISSUE = SemanticIssue("critical", "wrong_output", "got 3", "", None)
REFUTED = verified(OF_THE_OUTCOME[Outcome.REFUTED], passed=False, confidence=0.0, issues=(ISSUE,))
GOAL = Goal("g", "", "", auto_approvable=True)
ARTIFACT = GateArtifact(Path("shop.py"), GOOD)


def ran(
    source: str | bytes, *gates: GateType, verify: Callable[[str], DeepVerificationResult] = lambda _source: verified()
) -> CascadeResult:
    return asyncio.run(validate_with_deep_verification(replace(ARTIFACT, content=source), verify=verify, gates=gates))


def states(result: CascadeResult) -> dict[str, str]:
    return {each.step: each.state for each in result.steps}


def approved(found: DeepVerificationResult | None) -> bool:
    return approval_of(GOAL, found).auto_approved


@pytest.fixture
def one_bench(benches: Benches, monkeypatch: pytest.MonkeyPatch) -> None:
    """Import in the sandboxes that all tests share."""
    monkeypatch.setattr(execute, "Opening", lambda *_args: _Shared(benches))


@dataclass(frozen=True)
class _Shared:
    benches: Benches

    def sandboxes(self) -> tuple[object, object]:
        return self.benches.first, self.benches.second

    def close(self) -> None:
        """Leave them to the others."""


@pytest.mark.usefixtures("one_bench")
def test_the_whole_cascade_passes_in_its_order() -> None:
    result = ran(GOOD, *reversed(GateType))
    assert states(result) == dict.fromkeys(("syntax", "lint", "type", "import", "semantic"), "passed")
    assert result.passed
    assert result.errors == ()
    assert approved(result.verification)


@pytest.mark.usefixtures("one_bench")
@pytest.mark.parametrize(
    ("source", "gate", "state", "line"),
    [
        ("def f(:\n", SYNTAX, "failed", 1),
        ("x = 1\nreturn x\n", SYNTAX, "failed", 2),
        (b"\xff\xfe", SYNTAX, "blocked", None),
        (b"x = 1\0", SYNTAX, "blocked", None),
        ("import os\n", LINT, "failed", 1),
        ("\n# ruff: noqa\nimport os\n", LINT, "failed", 3),
        ("def f() -> int:\n    return 'a'\n", TYPE, "failed", 2),
        ("# mypy: ignore-errors\ndef f() -> int:\n    return 'a'\n", TYPE, "failed", 3),
        ("# type: ignore\ndef f() -> int:\n    return 'a'\n", TYPE, "failed", 3),
        ("raise ValueError(3)\n", IMPORT, "failed", None),
        ("import no_such_module  # noqa: F401\n", IMPORT, "blocked", None),
        ("import sys\nsys.exit(0)\n", IMPORT, "failed", None),
    ],
)
def test_the_first_gate_that_does_not_pass_ends_it(
    source: str | bytes, gate: GateType, state: str, line: int | None
) -> None:
    result = ran(source, SYNTAX, gate, SEMANTIC, verify=lambda _source: pytest.fail("nothing is left to verify"))
    *before, last = states(result).items()
    assert last == (gate.value, state)
    assert {each for _, each in before} <= {"passed"}
    assert not result.passed
    assert not approved(result.verification)
    assert result.errors[0].line == line
    assert result.errors[0].file == "shop.py"


@pytest.mark.parametrize("outcome", Outcome)
@pytest.mark.parametrize("passed", [True, False])
def test_the_decision_of_deep_verification_counts(outcome: Outcome, *, passed: bool) -> None:
    result = ran(GOOD, SYNTAX, SEMANTIC, verify=lambda _source: verified(OF_THE_OUTCOME[outcome], passed=passed))
    is_verified = OF_THE_OUTCOME[outcome].status is DiagnosticStatus.VERIFIED
    assert result.passed == (is_verified and passed)
    assert (result.errors == ()) == result.passed


def test_an_issue_is_an_error_of_the_document() -> None:
    [error] = ran(GOOD, SEMANTIC, verify=lambda _source: REFUTED).errors
    assert (error.error_type, error.message) == ("semantic", "got 3")


@pytest.mark.parametrize("error", [RuntimeError("down"), NotAttemptedError("gate.tool_failed", "no"), RecursionError()])
def test_a_verifier_that_breaks_says_nothing_about_the_source(error: Exception) -> None:
    def broken(_source: str) -> DeepVerificationResult:
        raise error

    tried: list[object] = []
    run = validate_with_deep_verification(ARTIFACT, verify=broken, gates=[SEMANTIC], repair=tried.append)
    result = asyncio.run(run)
    assert (states(result), result.passed, tried) == ({"semantic": "blocked"}, False, [])


def test_what_is_awaited_is_awaited() -> None:
    async def verify(_source: str) -> DeepVerificationResult:
        return verified()

    assert asyncio.run(validate_with_deep_verification(ARTIFACT, verify=verify, gates=[SEMANTIC])).passed


@pytest.mark.parametrize("gate", [LINT, TYPE])
def test_a_tool_that_is_not_installed_is_skipped_and_passes_nothing(
    gate: GateType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_tools, "find_spec", lambda _name: None)
    monkeypatch.setattr("shutil.which", lambda _name: None)
    alone, among = ran(GOOD, gate), ran(GOOD, SYNTAX, gate, SEMANTIC)
    assert states(alone) == {gate.value: "skipped"}
    assert not alone.passed
    assert among.passed
    assert states(among) == {"syntax": "passed", gate.value: "skipped", "semantic": "passed"}
    assert not asyncio.run(ValidationRunner().validate_gate(ValidationGate(gate), [ARTIFACT])).passed


@pytest.mark.parametrize("name", ["ruff", "mypy"])
def test_a_tool_is_also_found_on_the_path_but_never_in_the_current_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / name
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(code_tools, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", ".")
    assert code_tools.tool_found(name) is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert code_tools.tool_found(name) == (str(tool),)


@pytest.mark.parametrize(
    "says",
    ["raise SystemExit(1)", "raise SystemExit(2)", "print('nonsense')", "print('[{}]')", "print('x' * (20 << 20))"],
)
@pytest.mark.parametrize("gate", [LINT, TYPE])
def test_a_tool_that_answers_nonsense_blocks(
    says: str, gate: GateType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "tool"
    script.write_text(f"#!{sys.executable}\n{says}\n")
    script.chmod(0o755)
    monkeypatch.setattr("probatum.programs.gate_tools.tool_found", lambda _name: (str(script),))
    result = ran(GOOD, gate, SEMANTIC)
    assert states(result) == {gate.value: "blocked"}
    assert "gave no answer" in result.errors[0].message


def test_settings_of_strangers_are_not_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.ruff]\nexclude = ["*"]\n[tool.mypy]\nignore_errors = true\n')
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = evil\n")
    assert states(ran("import os\n", LINT)) == {"lint": "failed"}
    assert states(ran("x: int = 'a'\n", TYPE)) == {"type": "failed"}


def test_modules_beside_it_are_read_and_not_judged(tmp_path: Path) -> None:
    package = tmp_path / "shop"
    package.mkdir()
    for name, text in {"__init__": "", "rates": "BASE: int = 'wrong'\n", "typing": "X = 1\n"}.items():
        (package / f"{name}.py").write_text(text)
    content = "from shop import rates, typing\n\n\ndef f() -> str:\n    return rates.BASE if typing.X else ''\n"
    artifact = GateArtifact(package / "sums.py", content)
    result = asyncio.run(ValidationRunner().validate_gate(ValidationGate(TYPE), [artifact]))
    assert [(each.line, each.error_type) for each in result.errors] == [(5, "type")]


@pytest.mark.parametrize("name", ["typing", "a-b", "..", "__init__", "x" * 300])
def test_tools_get_a_name_that_hides_nothing_and_leaves_no_folder(name: str) -> None:
    path, files = laid_out(Program(b"", name, (("../evil", b""), ("pkg.__init__", b""))), "x = 1\n")
    assert path == ("artifact.py" if name != "__init__" else "__init__.py")
    assert set(files) == {path, "pkg/__init__.py"}


@pytest.mark.parametrize(
    ("text", "kept", "lines"),
    [
        ("x = 1  # noqa\n", "x = 1  # noqa\n", 1),
        ("# ruff: noqa\nx = 1\n", "############\nx = 1\n", 0),
        ("x = 1  # mypy: strict\n", "x = 1  ##############\n", 0),
        ("#type: ignore\n", "#############\n", 0),
        ("x = 1  # type: ignore[a]  # noqa\n", "x = 1  # type: ignore[a]  # noqa\n", 1),
        ("x = '# noqa'\n", "x = '# noqa'\n", 0),
        ("# coding: latin-1\n", "#################\n", 0),
        ("x = '''\n", "x = '''\n", 0),
        ("x = 1\x0c\n# flake8: noqa\n", "x = 1\x0c\n##############\n", 0),
    ],
)
def test_comments_that_silence_a_file_are_not_heard_and_others_are_counted(text: str, kept: str, lines: int) -> None:
    assert heard(text) == (kept, lines)


@pytest.mark.parametrize("artifacts", [[], [ARTIFACT], [ARTIFACT, replace(ARTIFACT, content="x = (")]])
def test_a_gate_passes_where_all_artifacts_do_and_there_is_one(artifacts: list[GateArtifact]) -> None:
    result = asyncio.run(ValidationRunner().validate_gate(ValidationGate(gate_type=SYNTAX), artifacts))
    assert result.passed == (artifacts == [ARTIFACT])


CONFIDENCES = (-1.0, 0.0, 0.5, 0.849999, 0.85, 1.0, 1.1, inf, nan)


@pytest.mark.parametrize(("outcome", "passed", "auto"), list(product(Outcome, [True, False], [True, False])))
def test_approval_takes_everything_at_once(outcome: Outcome, *, passed: bool, auto: bool) -> None:
    for confidence in CONFIDENCES:
        found = verified(OF_THE_OUTCOME[outcome], passed=passed, confidence=confidence)
        result = approval_of(Goal("g", "", "", auto_approvable=auto), found)
        due = (
            OF_THE_OUTCOME[outcome].status is DiagnosticStatus.VERIFIED and passed and auto and 0.85 <= confidence <= 1
        )
        assert result.auto_approved == result.success == due
        assert result.needs_review == (not due)
        assert result.verification is found
        assert bool(result.failure_reason) == (not due)


def test_nothing_verified_approves_nothing() -> None:
    assert not approved(None)
    assert not approved(verified(decision=None))
    assert not ran(GOOD, SEMANTIC, verify=lambda _source: verified(decision=None)).passed
    assert not approved(ran(GOOD, SYNTAX).verification)


@pytest.mark.parametrize("bar", [0.49, 1.01, -1, nan, inf, True, "0.9", None])
def test_a_bar_that_would_approve_guesses_is_refused(bar: float) -> None:
    with pytest.raises(UsageError, match=r"takes 0\.5 to 1"):
        approval_of(GOAL, verified(), bar)


def repaired(sources: Iterator[str | None], start: str = "x = (", **options: int) -> tuple[CascadeResult, list[str]]:
    """Return what comes of repairs, and every source that was verified."""
    seen: list[str] = []

    def verify(source: str) -> DeepVerificationResult:
        seen.append(source)
        return verified() if "4 * x" in source else REFUTED

    run = validate_with_deep_verification(
        replace(ARTIFACT, content=start),
        verify=verify,
        gates=[SYNTAX, SEMANTIC],
        repair=lambda _: next(sources),
        **options,
    )
    return asyncio.run(run), seen


RIGHT = GOOD.replace("2 * x", "4 * x")
CONDITION = GOOD.replace('    """double', '    # post: __return__ == 2 * x\n    """double')
BARE = GOOD.replace('    """double(2) == 4"""\n', "")
UNDOCUMENTED = RIGHT.replace('    """double(2) == 4"""\n', "")


@pytest.mark.parametrize(
    ("start", "sources", "passes", "ended", "verified"),
    [
        ("x = (", [RIGHT], True, "", [RIGHT]),
        (GOOD, [RIGHT], True, "", [GOOD, RIGHT]),
        (GOOD, ["x = (", RIGHT], True, "", [GOOD, RIGHT]),
        (GOOD, [None], False, "there is no repair", [GOOD]),
        (GOOD, [GOOD], False, "the repair was tried already", [GOOD]),
        (GOOD, ["x = (", GOOD], False, "the repair was tried already", [GOOD]),
        (GOOD, ["x = (", "y = (", "z = (", RIGHT], False, "3 repairs did not pass", [GOOD]),
        (GOOD, [UNDOCUMENTED], False, "the repair changes what double is held to", [GOOD]),
        (GOOD, ["x = (", UNDOCUMENTED], False, "the repair changes what double is held to", [GOOD]),
        (GOOD, [RIGHT + UNDOCUMENTED], False, "the repair changes what double is held to", [GOOD]),
        (GOOD, [RIGHT.replace("== 4", "== 8")], False, "the repair changes what double is held to", [GOOD]),
        ("x = (", [GOOD, UNDOCUMENTED], False, "the repair changes what double is held to", [GOOD]),
        (CONDITION, [RIGHT], False, "the repair changes what double is held to", [CONDITION]),
        (BARE, [RIGHT], False, "the repair changes what double is held to", [BARE]),
    ],
)
def test_a_repair_goes_through_the_whole_cascade(
    start: str, sources: list[str | None], ended: str, verified: list[str], *, passes: bool
) -> None:
    result, seen = repaired(iter(sources), start)
    assert (result.passed, result.repair_ended, seen) == (passes, ended, verified)


@pytest.mark.parametrize("count", [-1, 21])
def test_repairs_are_bounded(count: int) -> None:
    with pytest.raises(UsageError, match="0 to 20"):
        repaired(iter([]), max_repairs=count)
    assert repaired(iter([]), max_repairs=0)[0].repair_ended == "0 repairs did not pass"


def test_no_gate_is_no_question() -> None:
    with pytest.raises(UsageError, match="No gate"):
        ran(GOOD)


def test_an_unknown_gate_is_no_gate_that_passes() -> None:
    unknown = cast("GateType", "lin")
    with pytest.raises(UsageError, match="no gate 'lin'"):
        ran(GOOD, SYNTAX, unknown)
    with pytest.raises(UsageError, match="no gate 'lin'"):
        asyncio.run(ValidationRunner().validate_gate(ValidationGate(unknown), [ARTIFACT]))
