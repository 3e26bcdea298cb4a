"""What another bar would have meant: the rule asked again from rows, as a table and as a drawing."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from benchmarks.strength_bar import BARS, Row, drawn, line_of, rows_of, table_of

STRONG = Row(True, "program.tested", noticed=17, planted=20, aside=0, idle=0)
CASES: dict[str, tuple[Row, list[float]]] = {
    "strong": (STRONG, [bar for bar in BARS if bar <= 0.8]),
    "everything noticed": (replace(STRONG, noticed=2, planted=2), list(BARS)),
    "one fault alone": (replace(STRONG, noticed=1, planted=1), []),
    "nothing noticed": (replace(STRONG, noticed=0, planted=0), []),
    "weak": (replace(STRONG, constraint="program.weak_checks", noticed=11), [0.5]),
    "an idle statement": (replace(STRONG, idle=1), []),
    "most faults set aside": (replace(STRONG, aside=21), []),
    "half of the faults set aside": (replace(STRONG, aside=20), [bar for bar in BARS if bar <= 0.8]),
    "refuted": (replace(STRONG, constraint="program.counterexample"), []),
    "special-cased": (replace(STRONG, constraint="program.special_cased"), []),
}


@pytest.mark.parametrize("name", CASES)
def test_the_rule_is_asked_again_with_every_bar(name: str) -> None:
    row, expected = CASES[name]
    assert [point.bar for point in line_of("rule", [row]).points if point.verified] == expected


def test_parts_of_the_rule_can_be_left_out() -> None:
    rows = [replace(STRONG, idle=1), replace(STRONG, aside=21)]
    counts = [line_of("x", rows, half=half, idle=idle).points[0].verified for half in (True, False) for idle in (1, 0)]
    assert counts == [0, 1, 1, 2]


def test_precision_and_coverage_are_shares() -> None:
    line = line_of("rule", [STRONG, replace(STRONG, is_right=False), *[replace(STRONG, noticed=0)] * 2])
    assert (line.points[0].precision, line.points[0].coverage) == (0.5, 0.5)
    assert line.points[-1].precision is None
    assert "| 0.50 | 50.0% right of 2 (50.0%) |" in table_of([line])
    assert "| 0.95 | - right of 0 (0.0%) |" in table_of([line])


def test_the_drawing_is_a_picture_with_every_line() -> None:
    lines = [line_of("one & all", [STRONG]), line_of("other", [STRONG], idle=False)]
    picture = ElementTree.fromstring(drawn("a < b", lines, bar_in_use=0.7))
    texts = [node.text for node in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a < b", "one & all", "other", "0.50", "0.95"} <= set(texts)


MALFORMED: dict[str, dict[str, object]] = {
    "no rows": {},
    "rows of something else": {"rows": [{"id": 1}]},
    "rows that are no objects": {"rows": [1]},
    "empty": {"rows": []},
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_no_run_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="row"):
        rows_of(MALFORMED[name], frozenset({"right"}))
