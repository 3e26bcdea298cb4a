"""Linters as they are installed: heard whatever a comment says, bounded, and never silent when they fail."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import pytest

from probatum.app.answers import Answer
from probatum.app.kinds import built_in_kinds
from probatum.app.service import Service
from probatum.core.command import Given
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.judge.request import validation_request
from probatum.kinds.judge.linters import InstalledLinter, linters_named
from probatum.kinds.judge.request import JudgeRequest
from probatum.proof.stores import MemoryStore

CODE = "import os\n\n\ndef run(text: str) -> None:\n    os.system(text)  # noqa  # nosec\n"


def judge_with(given: Given, fields: dict[str, object]) -> Answer:
    with Service(MemoryStore(), given=given) as service:
        return service.verify(built_in_kinds()["judge"], JudgeRequest.of(validation_request(fields), "output"))


def test_ruff_is_heard_whatever_a_comment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ruff.toml").write_text('exclude = ["*"]')
    (tmp_path / "ruff.py").write_text("raise SystemExit(9)")
    [ruff] = linters_named(["ruff", "ruff"])
    assert [(each.rule, each.line) for each in ruff.remarks(CODE)] == [("S605", 5)]
    assert [path.name for path in tmp_path.iterdir() if path.name == "output.py"] == []


@pytest.mark.parametrize("source", ["", "\ufeffx = 1", "def f(:", "x = '\ud800'", "x = 1\0", "#" * 200_000, "(" * 90])
def test_any_source_gets_an_answer(source: str) -> None:
    with suppress(NotAttemptedError):
        assert all(each.line >= 1 for each in InstalledLinter("ruff").remarks(source))


def test_bandit_is_heard_too() -> None:
    pytest.importorskip("bandit")
    [bandit] = linters_named(["bandit"])
    assert ("B605", 5) in [(each.rule, each.line) for each in bandit.remarks(CODE)]


@pytest.mark.parametrize("answer", ["raise SystemExit(1)", "print('no JSON')", "print('[{}]')", "pass"])
def test_a_linter_without_an_answer_blocks(answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "broken"
    package.mkdir()
    (package / "python").write_text(f"#!{sys.executable}\n{answer}\n")
    (package / "python").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(package / "python"))
    with pytest.raises(NotAttemptedError, match="The linter ruff gave no answer"):
        InstalledLinter("ruff").remarks(CODE)


@pytest.mark.parametrize("name", ["ruf", "", "flake8"])
def test_an_unknown_linter_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="There is no linter"):
        linters_named([name])


def test_one_that_is_not_installed_is_refused_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probatum.kinds.judge.linters.find_spec", lambda _name: None)
    with pytest.raises(UsageError, match="not installed") as caught:
        linters_named(["bandit"])
    assert caught.value.hint == "Run: pip install bandit"


def test_ruff_decides_where_no_linter_is_named_and_the_proof_names_it() -> None:
    fields = {"output": {"code": CODE}, "validation_types": ["criteria", "quality"]}
    fields["acceptance_criteria"] = ["valid: python"]
    plain, named = judge_with(Given(), fields), judge_with(Given(options={"linter": ["ruff"]}), fields)
    assert plain.verdict.status.value == named.verdict.status.value == "VERIFIED"
    assert plain.verdict.proof_ref == named.verdict.proof_ref
    assert "security_issue" in [each.kind for each in plain.observed.findings()]
