"""Code that a claim is about runs in the sandbox: what it gave is told, and proves nothing."""

from __future__ import annotations

import pytest

from probatum import check_claim
from probatum.core.errors import NotAttemptedError
from probatum.exact.claim import ExactClaim
from probatum.kinds.claim import running
from probatum.kinds.claim.running import CodeRunner

GIVEN = {
    "the value of the last line": ("x = 20\nx + 1", "execute.ran", {"result": "21", "output": ""}),
    "what is bound to result": ("result = [1, 2.5]", "execute.ran", {"result": "[1, 2.5]", "output": ""}),
    "what is printed": ("print('hi')", "execute.ran", {"result": "None", "output": "hi\n"}),
    "a number of very many digits": ("10 ** 5000", "execute.ran", {"output": ""}),
    "an exception": ("1 / 0", "execute.raised", {"exception": "ZeroDivisionError"}),
    "an exit": ("raise SystemExit(0)", "execute.raised", {"exception": "SystemExit"}),
}


@pytest.mark.parametrize(("source", "constraint", "known"), GIVEN.values(), ids=GIVEN)
def test_what_code_gave_is_told_and_proves_nothing(source: str, constraint: str, known: dict[str, str]) -> None:
    verdict = check_claim("execute", "it gives what is expected", {"code": source})
    told = dict(verdict.developer_fields)
    assert (verdict.status, verdict.constraint_id, verdict.proof_ref) == ("UNVERIFIABLE", constraint, None)
    assert {name: told[name] for name in known} == known


BLOCKED = {
    "code that does not end": ("while True: pass", "execute.timed_out"),
    "code that imports what is not allowed": ("import os", "execute.refused"),
    "code that does not parse": ("def", "execute.syntax"),
}


@pytest.mark.parametrize(("source", "constraint"), BLOCKED.values(), ids=BLOCKED)
def test_code_that_is_not_run_to_its_end_is_blocked(source: str, constraint: str) -> None:
    verdict = check_claim("execute", "it ends", {"code": source})
    assert (verdict.status, verdict.constraint_id) == ("BLOCKED", constraint)


def test_without_isolation_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise NotAttemptedError("sandbox.none", "There is no isolation.", "Run probatum doctor")

    monkeypatch.setattr(running.Sandbox, "open", refuse)
    with pytest.raises(NotAttemptedError) as caught:
        CodeRunner().ran(ExactClaim("execute", "it gives 2", {"code": "1 + 1"}))
    assert caught.value.code == "execute.runtime_unavailable"
