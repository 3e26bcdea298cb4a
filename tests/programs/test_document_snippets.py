"""The snippets of the document about deep verification run, with the module path changed; its table is true."""

from __future__ import annotations

import asyncio
import re
from importlib import import_module
from pathlib import Path

import pytest

from probatum.core.errors import UsageError
from probatum.programs import (
    ArtifactSpec,
    BehavioralExecutor,
    ConfidenceTriangulator,
    DeepVerificationConfig,
    DeepVerificationResult,
    DeepVerifier,
    GeneratedTest,
    MultiPerspectiveAnalyzer,
    SemanticIssue,
    SpecificationExtractor,
    TestGenerator,
    VerificationEvent,
)
from tests.house.sources import ROOT

TABLE = ROOT / "docs" / "reference" / "deep-verification.md"
RECENT = """def get_recent_users(db) -> list[User]:
    return db.query(User).order_by(User.created_at).all()  # ASC not DESC!
"""
ARTIFACT = ArtifactSpec("recent", "Return users sorted by registration date, newest first", "")
HALF = 'def half(x):\n    """\n    >>> half(4)\n    2\n    """\n    return x // 2\n'


def test_components_are_tied_as_the_document_ties_them(tmp_path: Path) -> None:
    async def verify(
        model: None, artifact: ArtifactSpec, content: str, existing_tests: str | None
    ) -> DeepVerificationResult:
        spec = await SpecificationExtractor(model).extract(artifact, content, existing_tests)
        config = DeepVerificationConfig()
        tests = await TestGenerator(model).generate(artifact, content, spec, max_tests=config.max_tests)
        execution_results = await BehavioralExecutor(tmp_path).execute(content, tests)
        perspectives = await MultiPerspectiveAnalyzer(model).analyze(artifact, content, spec, execution_results, None)
        result = ConfidenceTriangulator().triangulate(spec, execution_results, perspectives)
        return DeepVerificationResult(
            passed=result.passed,
            confidence=result.confidence,
            issues=result.issues,
            generated_tests=tuple(tests),
            test_results=execution_results,
            perspective_results=result.perspective_results,
            recommendations=result.recommendations,
            duration_ms=1,
        )

    result = asyncio.run(verify(None, ARTIFACT, HALF, None))
    assert result.test_results is not None
    assert (result.test_results.pass_rate, result.passed) == (1.0, False)


def test_wrong_example_of_the_document_does_not_pass(tmp_path: Path) -> None:
    async def follow() -> DeepVerificationResult:
        verifier = DeepVerifier(None, tmp_path)
        async for event in verifier.verify(ARTIFACT, RECENT):
            if event.stage == "complete":
                verification_result = event.data["result"]
                assert isinstance(verification_result, DeepVerificationResult)
                return verification_result
        raise AssertionError("a verification is completed")

    assert not asyncio.run(follow()).passed


def test_a_verification_is_awaited_for_approval(tmp_path: Path) -> None:
    async def approved() -> bool:
        verification = await DeepVerifier(None, tmp_path, DeepVerificationConfig(level="quick")).verify(ARTIFACT, HALF)
        return verification.passed and verification.confidence >= 0.85

    assert asyncio.run(approved()) is False


def test_values_are_made_as_the_document_makes_them() -> None:
    wrong_sort_order = SemanticIssue("critical", "wrong_output", "oldest first", "recent()", None)
    assert DeepVerificationResult(False, 0.0, (wrong_sort_order,), (), None, (), (), 0).decision is None
    assert VerificationEvent(stage="start", message="Starting deep verification").data == {}
    assert GeneratedTest("1", "test_a", "", "property", "def test_a(): ...", "pass", (), 1.0).priority == 1.0
    with pytest.raises(UsageError, match="ArtifactSpec"):
        DeepVerifier().verify(None, RECENT)  # type: ignore[arg-type]  # what is tried


def _named(path: str) -> object:
    """Return what a dotted path leads to: a module, or an attribute of one."""
    module, rest = path, list[str]()
    while True:
        try:
            found: object = import_module(module)
        except ModuleNotFoundError:
            module, _, last = module.rpartition(".")
            rest.insert(0, last)
        else:
            break
    for step in rest:
        found = getattr(found, step)
    return found


def test_everything_that_the_table_names_exists() -> None:
    rows = re.findall(
        r"^\| (.+?) \| (.+) \|$", TABLE.read_text(encoding="utf-8").partition("## Where")[2], re.MULTILINE
    )
    names = [name for _, where in rows for name in re.findall(r"`(probatum\.[\w.]+)`", where)]
    assert len(rows) > 50
    assert len(names) > 35
    assert [name for name in names if _named(name) is None] == []
    adrs = [name for _, where in rows for name in re.findall(r"\(\.\./adr/([\w-]+\.md)\)", where)]
    assert [name for name in adrs if not (ROOT / "docs" / "adr" / name).is_file()] == []
