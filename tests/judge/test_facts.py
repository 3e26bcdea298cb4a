"""Claims beside their sources: exact at a path, a warning for what is in no source, and open for everything else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.finding import Finding, Severity
from probatum.core.validation import ClaimStatus
from probatum.judge.facts.agreement import agreement
from probatum.judge.facts.claims import claims_of
from probatum.judge.facts.layers import facts_reports
from probatum.judge.facts.structured import SourceTable, table_of
from probatum.judge.judging import decide_checks
from probatum.judge.layers import LayerReport
from probatum.judge.outputs import OutputView
from probatum.judge.request import TrustedSource, ValidationRequest, ValidationType

FACTS, HALLUCINATION = ValidationType.FACTS, ValidationType.HALLUCINATION
CVE = {"cvss_score": 7.5, "affected_versions": "prior to 1.24.1", "discovery_date": "February 2024"}
SUMMARY = {
    "cvss_score": 9.8,
    "affected_versions": "prior to 1.24.0",
    "discoverer": "Alice Smith",
    "discovery_date": "March 2024",
}
CSV = "region,units,revenue\nNorth,1200,36000\nSouth,800,24000\n"
MARKDOWN = "| region | units |\n|---|--:|\n| North | 1,200 |\n| South | 800 |\n"
HTML = "<table><tr><th>region<th>units</tr><tr><td>North<td>1200</tr><tr><td>South<td>800</tr></table>"


def request_of(
    output: object,
    sources: Sequence[str] = (),
    context: Mapping[str, object] | None = None,
    layers: tuple[ValidationType, ...] = (FACTS,),
    unread: tuple[str, ...] = (),
) -> ValidationRequest:
    named = tuple(TrustedSource(f"source {number}", text) for number, text in enumerate(sources))
    return ValidationRequest(output, layers, trusted_sources=named, unread_sources=unread, context=context or {})  # type: ignore[arg-type]  # a plain dictionary


def reports_of(request: ValidationRequest) -> list[LayerReport]:
    return list(facts_reports(request).values())


def issues_of(request: ValidationRequest) -> list[Finding]:
    return [each for report in reports_of(request) for each in report.issues]


def statuses(output: object, *sources: str) -> list[str]:
    (report,) = reports_of(request_of(output, sources))
    return [each.status.value for each in report.claims]


def test_wrong_values_of_an_object_are_hallucinations_and_an_unknown_name_is_a_warning() -> None:
    found = issues_of(request_of({"summary": SUMMARY}, context={"facts": CVE}, layers=(HALLUCINATION,)))
    told = [(each.severity.value, each.kind, each.location.name if each.location else "") for each in found]
    assert told == [
        ("error", "hallucination", "summary:cvss_score"),
        ("error", "hallucination", "summary:affected_versions"),
        ("warning", "fact_mismatch", "summary:discovery_date"),
        ("warning", "unsupported_claim", "summary:discoverer"),
    ]
    assert found[0].message == "Cvss score stated as '9.8' but context.facts says '7.5'"


def test_the_layer_of_facts_alone_reports_a_mismatch() -> None:
    found = issues_of(request_of(SUMMARY, [json.dumps(CVE)]))
    assert [each.kind for each in found if each.severity is Severity.ERROR] == ["fact_mismatch", "fact_mismatch"]


def test_both_layers_report_once() -> None:
    request = request_of({"summary": SUMMARY}, [json.dumps(CVE)], {"facts": CVE}, (FACTS, HALLUCINATION))
    assert {each.kind for each in issues_of(request) if each.severity is Severity.ERROR} == {"hallucination"}


REPEATED = "name,year,score\nNorth,2023,24 - 7\nNorth,2024,7 - 24\n,2024,3\n"


def test_rows_that_share_their_first_cell_are_named_by_further_ones() -> None:
    assert statuses([], REPEATED) == []
    changed = REPEATED.replace("North,2024,7 - 24", "North,2024,7 - 25")
    assert statuses(changed, REPEATED) == ["supported"] * 5 + ["contradicted"] + ["supported"] * 3


PROSE = {
    "half of a value": ("Half of the units, 600 units, were returned.", '{"units": 1200}'),
    "denied in the next sentence": (
        "The bridge opened in 1932.",
        "The bridge opened in 1932. However, none of this happened.",
    ),
    "verbatim": ("The bridge opened in 1932.", "The bridge opened in 1932."),
    "contradicted in words": ("The bridge opened in 1932.", "The bridge opened in 1933."),
    "a row in words": ("North sold 1200 units for 36000.", CSV),
    "negated": ("The service is not available.", "The service is available."),
    "a total": ("The regions sold 2000 units.", CSV),
}


@pytest.mark.parametrize("name", PROSE)
def test_prose_is_neither_refuted_nor_verified(name: str) -> None:
    output, source = PROSE[name]
    reports = reports_of(request_of(output, [source], layers=(FACTS, HALLUCINATION)))
    assert decide_checks(reports).outcome.value == "undecided"
    assert [each.severity for report in reports for each in report.issues if each.severity is Severity.ERROR] == []


def test_a_row_of_a_table_is_three_cells() -> None:
    assert table_of(CSV) == SourceTable(
        ("region", "units", "revenue"), (("North", "1200", "36000"), ("South", "800", "24000"))
    )
    assert statuses("North sold 1200 units for 36000.", CSV) == ["open"]
    assert statuses("North sold 1200 units for 120036000.", CSV) == ["unsupported"]


STATUSES: list[tuple[object, str, list[str]]] = [
    ({"cvss_score": 7.5}, json.dumps(CVE), ["supported"]),
    ({"cvss_score": "7.5"}, json.dumps(CVE), ["supported"]),
    ({"cvss_score": 7.50001}, json.dumps(CVE), ["open"]),
    ({"cvssScore": 7.5}, json.dumps(CVE), ["open"]),
    ({"old": {"cvss_score": 9.8}}, json.dumps(CVE), ["unsupported"]),
    ({"summary": {"a": 1}, "a": 2}, '{"a": 3}', ["unsupported", "unsupported"]),
    ({"a": True}, '{"a": false}', ["contradicted"]),
    ({"a": None}, '{"a": 1}', ["open"]),
    ({"a": "Smith"}, '{"a": "Alice Smith"}', ["open"]),
    # Units, codes, versions and dates that may mean two things are neither equal nor different for certain.
    ({"a": "5 mW"}, '{"a": "5 MW"}', ["open"]),
    ({"a": "5 Mb"}, '{"a": "5 MB"}', ["open"]),
    ({"a": "3.10"}, '{"a": "3.1"}', ["open"]),
    ({"a": "Python 3.10"}, '{"a": "Python 3.1"}', ["open"]),
    ({"a": "01234"}, '{"a": "1234"}', ["open"]),
    ({"a": "Secret"}, '{"a": "secret"}', ["open"]),
    ({"a": "13/05/2024"}, '{"a": "05/13/2024"}', ["open"]),
    ({"a": "10-11-2024"}, '{"a": "11-10-2024"}', ["open"]),
    ({"a": "1,234"}, '{"a": 1.234}', ["open"]),
    ({"a": "1.234"}, '{"a": "1,234"}', ["open"]),
    ({"a": "1,300"}, '{"a": 1200}', ["contradicted"]),
    ({"a": "5 km"}, '{"a": "5000 m"}', ["supported"]),
    ({"a": "opened in 1932"}, '{"a": "Opened in 1932"}', ["open"]),
    ({"a": "opened in 1932"}, '{"a": "opened in 1933"}', ["contradicted"]),
    ({"a": "opened in 1932"}, '{"a": "not opened in 1932"}', ["open"]),
    ({"a": [1, 2]}, '{"a": [2, 1]}', ["open", "open"]),
    ({"a": [1, 2]}, '{"a": [1, 2]}', ["supported", "supported"]),
    ([{"region": "North", "units": 1200}], CSV, ["supported", "supported"]),
    ([{"region": "North", "units": 1300}], MARKDOWN, ["supported", "contradicted"]),
    ("region,units\nSouth,800\n", HTML, ["supported", "supported"]),
    (MARKDOWN, CSV, ["supported"] * 4),
    (HTML, json.dumps([{"region": "North", "units": 1200}]), ["supported", "supported", "unsupported", "unsupported"]),
    ('{"cvss_score": 7.5}', json.dumps(CVE), ["supported"]),
    # Numbers that no float keeps apart.
    ({"a": 1234567890123456.8}, '{"a": 1234567890123456.79}', ["open"]),
    ({"a": 0.1}, '{"a": 0.1000000000000000055}', ["open"]),
    ({"a": 5}, '{"a": 1e400}', ["open"]),
    ({"a": 1e308}, '{"a": 1e308}', ["supported"]),
    ({"a": 10**400}, json.dumps({"a": 10**400 + 1}), ["contradicted"]),
    ('Here: {"cvss_score": 7.5}', json.dumps(CVE), ["open"]),
]


@pytest.mark.parametrize(("output", "source", "expected"), STATUSES)
def test_a_value_is_compared_at_its_path(output: object, source: str, expected: list[str]) -> None:
    assert statuses(output, source) == expected


def test_sources_that_disagree_leave_a_value_open() -> None:
    (report,) = reports_of(request_of({"a": 1}, ['{"a": 1}', '{"a": 2}']))
    assert [each.status for each in report.claims] == [ClaimStatus.OPEN]
    assert report.claims[0].reason == "the sources have different values there"


WARNED = [
    ("It weighs 7 kg.", "It weighs 5 kg.", ["7 kg"]),
    ("It is 5 km long.", "It is 5,000 m long.", []),
    ("It opened on 5 March 2024.", "It opened on 2024-03-05.", []),
    ("It opened on 6 March 2024.", "It opened on 2024-03-05.", ["6 March 2024"]),
    ("Version v1.24.0 is affected.", "Versions before v1.24.1 are affected.", ["v1.24.0"]),
    ('She said "we will win".', "She said “We will win”, and left.", []),
    ('She said "we have won".', "She said “We will win”, and left.", ["we have won"]),
    ("The share is 3.5.", "The share is 3.", ["3.5"]),
    ("The code is AB-12.", "The code is AB-13.", ["AB-12"]),
    ("See CVE-2021-44228.", "See CVE-2021-45046 of 2021.", ["CVE-2021-44228"]),
    ("It has three parts.", "It has parts.", []),
]


@pytest.mark.parametrize(("output", "source", "expected"), WARNED)
def test_a_value_that_is_in_no_source_is_a_warning(output: str, source: str, expected: list[str]) -> None:
    found = issues_of(request_of(output, [source]))
    assert {(each.severity.value, each.kind) for each in found} <= {("warning", "unsupported_claim")}
    assert [each.message.split("'")[1] for each in found] == expected


def test_the_nearest_value_is_named() -> None:
    (found,) = issues_of(request_of("It weighs 7 kg.", ["Models weigh 50 kg, 8 kg or 3 m."]))
    assert "'8 kg'" in found.suggestion


def test_an_address_that_is_no_source_is_named() -> None:
    source = "See https://example.org/a for more."
    assert issues_of(request_of("As https://example.org/a says.", [source])) == []
    (found,) = issues_of(request_of("As https://example.org/b says.", [source]))
    assert (found.severity.value, found.kind) == ("warning", "source_missing")


def test_an_unread_source_and_none_at_all_are_named() -> None:
    (found,) = issues_of(request_of("x", unread=("https://example.org/",)))
    assert found.kind == "source_missing"
    (found,) = issues_of(request_of("It weighs 7 kg.", layers=(HALLUCINATION,)))
    assert "no source" in found.message


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=400))
def test_cutting_only_splits(text: str) -> None:
    """Every character that is not white space belongs to exactly one claim."""
    covered = [False] * len(text)
    for each in claims_of(OutputView(text)):
        if each.steps:
            return
        assert text[each.start : each.end] == each.text
        for place in range(each.start, each.end):
            assert not covered[place]
            covered[place] = True
    assert all(covered[place] or sign.isspace() for place, sign in enumerate(text))


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.text(max_size=30))
def test_a_value_never_contradicts_itself(value: object) -> None:
    assert agreement(value, value) is not False


STRANGE: list[object] = [
    None,
    "",
    [],
    {},
    "[" * 5_000,
    "a,b\n" * 3_000,
    "|a|b|\n|-|-|\n" + "|c|d|\n" * 1_000,
    "<table>" * 500,
    "<table>" + "<tr><td>a<td>b" * 2_000 + "</table>",
    "9" * 10_000,
    "1 " * 3_000,
    "'" * 20_000,
    '"a" ' * 3_000,
    "https://" * 1_000,
    ". " * 5_000,
    {"a": {"a": [{"a": [1, {"a": 2}]}]}},
    [{"a": 1}, {"a": 1}],
    [{"a": [1]}, 2],
]


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
def test_strange_outputs_and_sources_have_an_answer(text: object) -> None:
    source = text if isinstance(text, str) else json.dumps(text)
    for output in (text, "It weighs 7 kg."):
        for report in reports_of(request_of(output, [source], {"facts": text}, (FACTS, HALLUCINATION))):
            assert report.checks
