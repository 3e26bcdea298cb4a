"""Figures of confidence: right and wrong weigh alike, ties count half, and nothing is said of one kind alone."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from benchmarks.confidence_calibration import ASKED, counted, read, weighed, written
from benchmarks.reliability_plot import drawn
from probatum.bench.calibration import Rated, Reliability, bins_by_width, reliability

CASES: dict[str, tuple[list[tuple[float, bool]], Reliability]] = {
    "perfect": ([(1.0, True), (0.0, False)], Reliability(1.0, 0.0, 0.0, 0.0)),
    "the wrong way round": ([(0.0, True), (1.0, False)], Reliability(0.0, 1.0, 1.0, 1.0)),
    "nothing known": ([(0.5, True), (0.5, False)], Reliability(0.5, 0.25, 0.0, 0.0)),
    "three right for one wrong weigh alike": ([(0.5, True)] * 3 + [(0.5, False)], Reliability(0.5, 0.25, 0.0, 0.0)),
    "too sure": ([(0.9, True), (0.9, False)], Reliability(0.5, 0.41, 0.4, 0.4)),
    "half of the pairs": ([(0.8, True), (0.2, True), (0.4, False)], Reliability(0.5, 0.25, 0.45, 0.45)),
}


@pytest.mark.parametrize("name", CASES)
def test_figures_of_known_cases(name: str) -> None:
    pairs, expected = CASES[name]
    found = reliability([Rated(*pair) for pair in pairs])
    assert found is not None
    measured = (found.auc, found.brier, found.by_width, found.by_count)
    assert measured == pytest.approx((expected.auc, expected.brier, expected.by_width, expected.by_count))


@pytest.mark.parametrize("kind", [True, False])
def test_one_kind_alone_gives_no_figures(kind: bool) -> None:
    assert reliability([Rated(0.5, kind)]) is None
    assert reliability([]) is None


def test_a_confidence_at_the_end_of_a_tenth_begins_the_next() -> None:
    bins = bins_by_width([Rated(0.3, True), Rated(0.29, True), Rated(1.0, True)])
    assert [number for number, each in enumerate(bins) if each] == [2, 3, 9]


def test_a_plot_is_a_drawing_with_a_bar_for_each_tenth_that_has_programs() -> None:
    drawing = ElementTree.fromstring(drawn({"a < b": bins_by_width([Rated(0.3, True), Rated(0.95, False)])}))
    assert len(drawing.findall("{*}rect")) == 2


NUMBERS = {each.name: 1 for each in ASKED} | {"checks": 2}


def test_runs_are_counted_read_back_and_weighed(tmp_path: Path) -> None:
    row = {"outcome": "tested", "confidence_from": NUMBERS}
    told = [{**row, "task": f"Task/{number}", "label": "correct" if number else "buggy"} for number in range(4)]
    (tmp_path / "run.json").write_text(json.dumps({"set": "humanevalfix", "rows": told}))
    rows = counted({"humanevalfix": tmp_path / "run.json"})
    (tmp_path / "counts.csv").write_text(written(rows))
    assert read(tmp_path / "counts.csv") == rows
    even = weighed(rows)
    assert (sum(row.right for row in even), sum(row.wrong for row in even)) == pytest.approx((2, 2))


def test_counts_of_other_questions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "counts.csv").write_text("strength>=0.1\n")
    with pytest.raises(ValueError, match="other questions"):
        read(tmp_path / "counts.csv")
