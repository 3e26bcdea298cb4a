"""Claims in words of public sets are open, where the sets are at hand: name their folder in ``PROBATUM_SUITES``."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from probatum.judge import Judge, needs_manual_review

SUITES = Path(os.environ.get("PROBATUM_SUITES", ""))
SETS = {
    "fever-symmetric-dev": ("claim", "evidence"),
    "fool-me-twice-dev": ("claim", "evidence"),
    "bump-task1": ("edited_summary", "article"),
    "tabfact-val-1500": ("claim", "table"),
}


@pytest.mark.parametrize("name", SETS)
def test_no_claim_in_words_is_decided_or_accepted_unseen(name: str) -> None:
    path = SUITES / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip("PROBATUM_SUITES names no folder with the suites")
    claim, source = SETS[name]
    for line in path.read_text(encoding="utf-8").splitlines()[::5]:
        row = json.loads(line)
        text = row[source] if isinstance(row[source], str) else json.dumps(row[source])
        result = Judge().validate(row[claim], ["facts"], trusted_sources=[text])
        fields = result.verdict["developer_fields"]
        assert isinstance(fields, dict)
        assert fields["outcome"] == "undecided"
        assert result.valid
        assert needs_manual_review(result)
