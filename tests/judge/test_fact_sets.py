"""What alignment finds on public sets, where they are at hand: name their folder in ``PROBATUM_SUITES``."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from probatum.core.validation import ClaimStatus
from probatum.judge.facts.alignment import aligned
from probatum.judge.facts.passages import Passages, sentences
from probatum.judge.request import TrustedSource

SUITES = Path(os.environ.get("PROBATUM_SUITES", ""))

pytestmark = pytest.mark.skipif(
    not (SUITES / "bump-task1.jsonl").is_file(), reason="PROBATUM_SUITES names no folder with the suites"
)


def _rows(name: str) -> Iterator[dict[str, object]]:
    with (SUITES / f"{name}.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _of_claims(name: str) -> Iterator[tuple[bool, ClaimStatus]]:
    for row in _rows(name):
        evidence = row["evidence"]
        texts = [evidence] if isinstance(evidence, str) else evidence
        assert isinstance(texts, list)
        passages = Passages([TrustedSource(f"evidence {number}", text) for number, text in enumerate(texts)])
        yield row["label"] == "SUPPORTS", aligned(str(row["claim"]), passages).status


@cache
def _passages(article: str) -> Passages:
    return Passages([TrustedSource("article", article)])


@cache
def _of_summary(summary: str, article: str) -> ClaimStatus:
    """Return the worst of what is said of its sentences."""
    found = {
        aligned(summary[start:end], _passages(article), opens=not start).status for start, end in sentences(summary)
    }
    order = (ClaimStatus.CONTRADICTED, ClaimStatus.UNSUPPORTED, ClaimStatus.SUPPORTED)
    return next(status for status in order if status in found)


def _of_summaries() -> Iterator[tuple[bool, ClaimStatus]]:
    for row in _rows("bump-task1"):
        for name in ("reference_summary", "edited_summary"):
            yield name == "reference_summary", _of_summary(str(row[name]), str(row["article"]))


def _figures(rulings: Iterable[tuple[bool, ClaimStatus]]) -> tuple[float, float, float]:
    """Return the balanced accuracy, and of contradicted its precision and its recall."""
    count = Counter(rulings)
    right, wrong = (sum(count[truth, status] for status in ClaimStatus) for truth in (True, False))
    contradicted = count[False, ClaimStatus.CONTRADICTED]
    supported = count[True, ClaimStatus.SUPPORTED] / right
    accuracy = (supported + 1 - count[False, ClaimStatus.SUPPORTED] / wrong) / 2
    return accuracy, contradicted / (contradicted + count[True, ClaimStatus.CONTRADICTED]), contradicted / wrong


@pytest.mark.parametrize(
    ("name", "least_accuracy"), [("fever-symmetric-dev", 0.72), ("fool-me-twice-dev", 0.65), ("bump-task1", 0.58)]
)
def test_figures_on_public_sets(name: str, least_accuracy: float) -> None:
    accuracy, precision, recall = _figures(_of_summaries() if name == "bump-task1" else _of_claims(name))
    assert accuracy >= least_accuracy
    assert precision >= 0.9
    assert recall >= 0.15
