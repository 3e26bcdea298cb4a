"""What the judge finds on public sets, where they are at hand: name their folder in ``PROBATUM_SUITES``."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from probatum.core.validation import ClaimStatus
from probatum.judge import Judge

SUITES = Path(os.environ.get("PROBATUM_SUITES", ""))

pytestmark = pytest.mark.skipif(
    not (SUITES / "bump-task1.jsonl").is_file(), reason="PROBATUM_SUITES names no folder with the suites"
)


def _rows(name: str) -> Iterator[dict[str, object]]:
    with (SUITES / f"{name}.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@cache
def _statuses(text: str, *sources: str) -> frozenset[ClaimStatus]:
    found = Judge().validate(text, ["facts", "hallucination"], trusted_sources=[*sources])
    return frozenset(each.status for each in found.claims)


def _of_claims(name: str) -> Iterator[tuple[bool, frozenset[ClaimStatus]]]:
    for row in _rows(name):
        evidence = row["evidence"]
        text = evidence if isinstance(evidence, str) else " ".join(evidence)  # type: ignore[arg-type]  # a list of text
        yield row["label"] == "SUPPORTS", _statuses(str(row["claim"]), text)


def _of_summaries() -> Iterator[tuple[bool, frozenset[ClaimStatus]]]:
    for row in _rows("bump-task1"):
        for name in ("reference_summary", "edited_summary"):
            yield name == "reference_summary", _statuses(str(row[name]), str(row["article"]))


def _figures(rulings: Iterable[tuple[bool, frozenset[ClaimStatus]]]) -> tuple[float, float, float]:
    """Return the balanced accuracy of supported, and of contradicted its precision and its recall."""
    count: Counter[tuple[str, bool]] = Counter()
    for truth, statuses in rulings:
        count.update((each, truth) for each in ("all", *statuses))
        count["supported alone", truth] += statuses == {ClaimStatus.SUPPORTED}
    supported = count["supported alone", True] / count["all", True]
    accuracy = (supported + 1 - count["supported alone", False] / count["all", False]) / 2
    right, wrong = (count[ClaimStatus.CONTRADICTED, truth] for truth in (False, True))
    return accuracy, right / (right + wrong), right / count["all", False]


@pytest.mark.parametrize(
    ("name", "least_accuracy"), [("fever-symmetric-dev", 0.72), ("fool-me-twice-dev", 0.60), ("bump-task1", 0.57)]
)
def test_figures_on_public_sets(name: str, least_accuracy: float) -> None:
    accuracy, precision, recall = _figures(_of_summaries() if name == "bump-task1" else _of_claims(name))
    assert accuracy >= least_accuracy
    assert precision >= 0.9
    assert recall >= 0.15
