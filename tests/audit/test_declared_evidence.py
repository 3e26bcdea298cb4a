"""Missing codes, freshness, status, entity, dialects, units and periods: as declared, and as attacked."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.audit import CheckResult, ClaimExtractor, EvidenceBundle, PromptSpec
from probatum.audit.auditor import concluded
from probatum.audit.conclusion import AuditRecord
from probatum.kinds.audit.decision import decide_audit
from tests.audit.cases import INSIDE, audit, bundle, item, reported, requirement, spec, variables

Asked = tuple[PromptSpec, EvidenceBundle]


def one(
    content: object,
    event: str = "level > 100",
    *,
    form: str = "json",
    field: Mapping[str, Any] | None = None,
    **extra: Any,
) -> Asked:
    """Return a question about a level, with one item, and what is declared of the field and of its records."""
    asked = requirement(expected_fields=None, extra={"fields": {"level": {"path": "level", **(field or {})}}, **extra})
    return spec(asked, event=event), bundle(item("ev_1", content, content_type=form))


def established(asked: PromptSpec, evidence: EvidenceBundle) -> bool | None:
    """Return the event that a VERIFIED verdict tells; None where the verdict is another."""
    conclusion = concluded(asked, AuditRecord.of(asked, evidence))
    proved = decide_audit(conclusion).outcome.value == "proved"
    return conclusion.weighed.evaluation.value if proved else None


def told(asked: PromptSpec, evidence: EvidenceBundle) -> dict[str, str]:
    """Return the checks that fail or warn, by id."""
    return {each.check_id: each.message for each in reported(audit(asked, evidence)[1].checks)}


def record(level: object, at: str = INSIDE, **more: object) -> dict[str, object]:
    return {"level": level, "timestamp": at, **more}


MONTHS = "month,level\n2026-01,120\n"
GERMAN = {"number_format": "1.234,5"}
LATEST = {"select": "latest"}
KEYED = {"label": "level"}
FINAL = {"status_field": "state", "accepted_status": ["final", "official"]}
WITHHELD = {"status_field": "state", "withheld_status": ["preliminary", "cancelled"]}
STATIONS = {"entity_field": "station"}
NORTH = "level('North') > 100"
# What is declared, what the evidence says, and what a VERIFIED verdict tells of the event.
CASES: dict[str, tuple[Asked, bool | None]] = {
    "missing: nothing declared, no code": (one(record(120)), True),
    "missing: -999 is a warning": (one(record(-999)), None),
    "missing: -9999 as a text": (one(record("-9999")), None),
    "missing: 9999 in a table": (one(f"level,timestamp\n9999,{INSIDE}\n", form="csv"), None),
    "missing: 9999.0": (one(record(9999.0)), None),
    "missing: 9999 with a unit": (one(record("9999 cm"), "level > 1 m"), None),
    "missing: declared to be a value": (one(record(9999), missing=[]), True),
    "missing: declared otherwise": (one(record(9999), missing=[-1]), True),
    "missing: a declared code claims nothing": (one(record(-1), "level < 100", missing=[-1]), None),
    "missing: a declared word": (one(record("n/a"), "level < 100", missing=["n/a"]), None),
    "missing: a declared code of the field": (one(record(-1), "level < 100", field={"missing": [-1]}), None),
    "missing: the field before the rest": (one(record(-1), "level < 100", field={"missing": []}, missing=[-1]), True),
    "missing: a code among values": (
        one([record(-1), record(120, "2026-01-16")], missing=[-1], field={"select": "lowest"}),
        True,
    ),
    "missing: -999.00 is the code -999": (one(record("-999.00"), "level < 100", missing=[-999]), None),
    "missing: -999.0 is the code '-999'": (one(record(-999.0), "level < 100", missing=["-999"]), None),
    "missing: a code in a field of text": (
        one(record("-999.00"), "level == '-999.00'", missing=[-999], field={"kind": "text"}),
        None,
    ),
    "number: hexadecimal is none": (one(record("0x104"), "level < 100"), None),
    "missing: true is not the code 1": (one(record(True), "level", missing=[1]), True),
    "fresh: at the limit": (one(record(120, "2026-01-31T12:00:00Z"), max_age_seconds=43_199), True),
    "fresh: a second too old": (one(record(120, "2026-01-31T12:00:00Z"), max_age_seconds=43_198), None),
    "fresh: no time": (one({"level": 120}, max_age_seconds=10**9), None),
    "fresh: at a declared time": (
        one(record(120, "2026-01-10T00:00:00Z"), max_age_seconds=86_400, age_at="2026-01-11T00:00:00Z"),
        True,
    ),
    "fresh: stale at a declared time": (
        one(record(120, "2026-01-10T00:00:00Z"), max_age_seconds=86_400, age_at="2026-01-11T00:00:01Z"),
        None,
    ),
    "fresh: stale at the deadline": (
        one(record(120, "2026-01-31T00:00:00Z"), max_age_seconds=86_400, age_at="deadline"),
        None,
    ),
    "fresh: a stale row beside a fresh one that is empty": (
        one([record(120, "2026-01-02"), record(None, "2026-01-31", other=1)], max_age_seconds=86_400 * 2),
        None,
    ),
    "fresh: a stale field beside a fresh one": (
        one(
            [record(120, "2026-01-02"), {"flow": 7, "timestamp": "2026-01-31"}],
            "level > 100 and flow > 1",
            fields={"level": {"path": "level"}, "flow": {"path": "flow"}},
            max_age_seconds=86_400 * 2,
        ),
        None,
    ),
    "status: accepted": (one(record(120, state="Final"), **FINAL), True),
    "status: not accepted": (one(record(120, state="preliminary"), **FINAL), None),
    "status: unknown to the question": (one(record(120, state="under review"), **FINAL), None),
    "status: missing": (one(record(120), **FINAL), None),
    "status: null": (one(record(120, state=None), **FINAL), None),
    "status: cancelled": (one(record(120, state="cancelled"), **WITHHELD), None),
    "status: cancelled with a zero-width space": (one(record(120, state="can\u200bcelled"), **WITHHELD), None),
    "status: cancelled with a soft hyphen": (one(record(120, state="can\u00adcelled\ufeff"), **WITHHELD), None),
    "status: CANCELLED with spaces": (one(record(120, state=" CANCELLED "), **WITHHELD), None),
    "status: several, one of them withheld": (one(record(120, state=["live", "cancelled"]), **WITHHELD), None),
    "status: within another object": (one(record(120, state={"code": "cancelled"}), **WITHHELD), None),
    "status: blank": (one(record(120, state=" "), **WITHHELD), None),
    "status: of the whole, beside another of the record": (
        one({"state": "cancelled", "rows": [record(120, state="live")]}, field={"path": "rows[*].level"}, **WITHHELD),
        None,
    ),
    "status: neither": (one(record(120, state="live"), **WITHHELD), True),
    "status: further out": (
        one({"state": "cancelled", "rows": [record(120)]}, field={"path": "rows[*].level"}, **WITHHELD),
        None,
    ),
    "status: the latest row is preliminary": (
        one([record(130, state="final"), record(120, "2026-01-16", state="draft")], field=LATEST, **FINAL),
        None,
    ),
    "status: a row outside of the window is preliminary": (
        one([record(130, state="final"), record(120, "2025-12-01", state="preliminary")], **FINAL),
        True,
    ),
    "status: nothing declared": (one(record(120, state="cancelled", status="cancelled")), True),
    "status: of a text": (one("level: 120\nstate: final", form="text", field=KEYED, **FINAL), True),
    "status: cancelled in a text": (one("level: 120\nstate: cancelled", form="text", field=KEYED, **WITHHELD), None),
    "status: two in a text": (
        one("level: 120\nstate: final\nstate: official", form="text", field=KEYED, **FINAL),
        None,
    ),
    "status: none in a text": (one("level: 120", form="text", field=KEYED, **FINAL), None),
    "status: a column": (one("level,state,timestamp\n120,final," + INSIDE, form="csv", **FINAL), True),
    "entity: the one that is asked for": (one(record(120, station="North"), NORTH, **STATIONS), True),
    "entity: another station": (one(record(120, station="South"), NORTH, **STATIONS), None),
    "entity: another station, not asked for by name": (one(record(120, station="South"), **STATIONS), None),
    "entity: of two stations, one": (
        one([record(120, station="North"), record(20, station="South")], NORTH, **STATIONS),
        True,
    ),
    "entity: the station is missing": (one(record(120), NORTH, **STATIONS), None),
    "entity: the question's target": (one(record(120, station="btc_usd"), **STATIONS), True),
    "entity: of a text": (one("station: North\nlevel: 120", NORTH, form="text", field=KEYED, **STATIONS), True),
    "entity: another one in a text": (
        one("station: South\nlevel: 120", NORTH, form="text", field=KEYED, **STATIONS),
        None,
    ),
    "unit: degC": (one(record("21 degC"), "level > 20 °C"), True),
    "unit: degC against K": (one(record("21 degC"), "level > 290 K"), True),
    "unit: K against degC": (one(record("273.15 K"), "level < 1 degC", field={"unit": "K"}), True),
    "unit: K without a space, declared": (one(record("280K"), "level < 281 K", field={"unit": "K"}), True),
    "unit: K, declared, of a bare number": (one(record(280), "level > 0 degC", field={"unit": "K"}), True),
    "unit: K without a space may be thousands": (one(record("280K"), "level > 281 K"), None),
    "unit: K may be thousands": (one(record("105 K"), "level < 100000"), None),
    "unit: one that no list knows": (one(record("12 ppm"), "level > 10", field={"unit": "ppm"}), True),
    "unit: another than the declared one": (one(record("12 ppb"), "level > 10", field={"unit": "ppm"}), None),
    "period: a month in the window": (one(MONTHS, form="csv", timestamp_field="month"), True),
    "period: a month outside": (one("month,level\n2026-02,120\n", form="csv", timestamp_field="month"), None),
    "period: a month that no year has": (one("month,level\n2026-13,120\n", form="csv", timestamp_field="month"), None),
    "period: compared": (one(record("2026-01"), "level == 2026-01", field={"kind": "timestamp"}), True),
    "period: before another one": (one(record("2026-01"), "level < 2026-02", field={"kind": "timestamp"}), True),
    "period: before a day after it": (one(record("2026-01"), "level < 2026-02-01", field={"kind": "timestamp"}), True),
    "period: and a day in it leave both open": (
        one(record("2026-01"), "level < 2026-01-15", field={"kind": "timestamp"}),
        None,
    ),
    "dialect: semicolons and a decimal comma": (
        one("day;level\n10/01/2026;120,5\n", form="csv", timestamp_field="day", date_order="DMY", **GERMAN),
        True,
    ),
    "dialect: tabs": (one(f"level\ttimestamp\n120\t{INSIDE}\n", form="text/tab-separated-values"), True),
    "dialect: bars": (one(f"level|timestamp\n120|{INSIDE}\n", form="csv"), True),
    "dialect: two at once": (one("a;level,b\n1;120,3\n", form="csv"), None),
    "dialect: two at once, one declared": (one("a;b,level\n1;2,120\n", form="csv", delimiter=","), True),
    "dialect: declared": (one("level:b\n120:1\n", form="csv", delimiter=":"), True),
    "dialect: declared, and another one": (one("level;b\n120;1\n", form="csv", delimiter=","), None),
    "dialect: single quotes, declared": (one("'level';'b'\n'120';'1'\n", form="csv", delimiter=";", quote="'"), True),
    "dialect: single quotes, not declared": (one("'level','b'\n'120','1'\n", form="csv"), None),
    "dialect: one column": (one("level\n120\n", form="csv"), True),
    "dialect: a row of three cells is no number": (
        one("place,level,flow\nNorth,1200,36000\n", "level == 1200 and flow == 36000", form="csv",
            fields={"level": {"path": "level"}, "flow": {"path": "flow"}}),
        True,
    ),
    "dialect: cells that look like thousands": (
        one("level,flow,depth\n1,200,360\n", "level == 1 and flow == 200", form="csv",
            fields={"level": {"path": "level"}, "flow": {"path": "flow"}}),
        True,
    ),
    "text: a row of a table is no value of a key": (one("level: 1200,36000", form="text", field=KEYED), None),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_declared_decides(name: str) -> None:
    asked, expected = CASES[name]
    assert established(*asked) is expected, told(*asked)


# Which check says so, and the words that help.
SAYS: dict[str, tuple[Asked, str, str]] = {
    "a missing code": (one(record(-999)), "claim.missing_code", "Declare missing: [-999], or [] if not."),
    "a status": (one(record(120, state="cancelled"), **WITHHELD), "status.withheld", "'cancelled'"),
    "an entity": (one(record(120, station="South"), **STATIONS), "entity.other", "'South'"),
    "an age": (one(record(120, "2026-01-02"), max_age_seconds=60), "time.stale", "60 s older"),
    "a dialect": (one("a;level,b\n1;120,3\n", form="csv"), "content.unreadable", "declare its delimiter"),
    "a key in a sentence": (
        one("The level was 120 m.", form="text", field=KEYED),
        "claim.context",
        "needs a pattern: docs/how-to/audit-evidence.md",
    ),
    "prose as an event": (
        one(record(120), "The level rises above 100."),
        "event.definition",
        "docs/reference/audit.md",
    ),
}


@pytest.mark.parametrize("name", SAYS)
def test_the_check_says_what_to_do(name: str) -> None:
    asked, check_id, words = SAYS[name]
    assert words in told(*asked)[check_id]


UNKNOWN = {
    "of a requirement": ({"entity_fild": "s"}, "entity_fild is an unknown key. Did you mean 'entity_field'?"),
    "of a field": ({"fields": {"a": {"pth": "a"}}}, "fields.a.pth is an unknown key. Did you mean 'path'?"),
    "of a tolerance": (
        {"tolerance": {"relativ": 0.1}},
        "tolerance.relativ is an unknown key. Did you mean 'relative'?",
    ),
    "like none": ({"zzz": 1}, "zzz is an unknown key. Known are expected_fields, fields,"),
    "a status without its list": ({"status_field": "s"}, "status_field needs accepted_status or withheld_status"),
    "an age at no time": ({"age_at": "noon"}, "age_at: a time such as 2026-01-31T12:00:00Z, window.end or deadline"),
    "a delimiter of two signs": ({"delimiter": ";;"}, "delimiter: "),
    "a code that is a truth value": ({"missing": [True]}, "missing"),
    "a list of fields": ({"fields": ["a"]}, "fields: "),
}


@pytest.mark.parametrize("where", ["requirement", "prompt"])
@pytest.mark.parametrize("name", UNKNOWN)
def test_what_cannot_be_declared_is_refused_with_the_nearest_match(name: str, where: str) -> None:
    extra, words = UNKNOWN[name]
    asked = requirement(extra=extra if where == "requirement" else {})
    question = spec(asked, extra=extra if where == "prompt" else {})
    checks = ClaimExtractor().extract(question, bundle(item("ev_1", {"price": 1}))).checks
    assert [each for each in checks if not each.ok and words in each.message]


TABLES = st.lists(
    st.tuples(
        st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=12).map(str.strip),
        st.integers(-(10**6), 10**6),
    ),
    min_size=1,
    max_size=6,
)


@given(
    TABLES,
    st.sampled_from(",;\t|"),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    st.booleans(),
    st.booleans(),
)
def test_a_table_in_any_dialect_is_read_as_it_was_written_or_not_at_all(
    rows: list[tuple[str, int]], delimiter: str, ending: str, quoting: Any, is_declared: bool, mark: bool
) -> None:
    """No dialect makes another value of a cell: a guess that does not fit the table is no table."""
    written = io.StringIO()
    writer = csv.writer(written, delimiter=delimiter, lineterminator=ending, quoting=quoting)
    writer.writerows([("note", "level"), *rows])
    text = "\ufeff" * mark + written.getvalue()
    declared = {"delimiter": delimiter} if is_declared else {}
    asked, evidence = one(text, form="csv", missing=[], **declared)
    claims = ClaimExtractor().extract(asked, evidence)
    read = [claim.value for claim in claims]
    assert read == [level for _, level in rows] or (not is_declared and _is_refused(claims.checks))
    for claim, (_, level) in zip(claims, rows, strict=False):
        assert text.encode()[claim.start : claim.end].decode().strip('"') == str(level)


def _is_refused(checks: tuple[CheckResult, ...]) -> bool:
    return any(each.check_id in {"content.unreadable", "claim.none", "claim.unread"} for each in checks)


@given(st.text(alphabet=",;\t|\n\"' ab1", max_size=60))
def test_any_table_is_read_or_refused(text: str) -> None:
    trace, _ = audit(*one(text, form="csv"))
    assert variables(trace)["event_observed"] in {True, False, None}


@pytest.mark.parametrize("sign", ['"', "'", ";", '";"', "\"'", "a;\n", '"\n'])
def test_a_dialect_is_found_out_in_bounded_time(sign: str) -> None:
    trace, _ = audit(*one(sign * (1_000_000 // len(sign)), form="csv"))
    assert variables(trace)["event_observed"] is None
