"""Figures of confidence: right and wrong weigh alike, ties count half, and nothing is said of one kind alone."""

from __future__ import annotations

import pytest

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
