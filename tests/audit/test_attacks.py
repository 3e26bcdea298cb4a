"""Attacks on the auditor, by family: nothing here may be VERIFIED as what it does not say.

Each case is a question with evidence that a careful person would not answer so, or would not answer at all.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

import pytest

from probatum.audit import ClaimSet, EvidenceBundle, EvidenceItem, PromptSpec
from probatum.audit.auditor import concluded
from probatum.audit.canonical import dumps_canonical
from probatum.audit.conclusion import AuditRecord
from probatum.core.canonical import canonical_bytes, parse_canonical
from probatum.core.digest import digest_of
from probatum.core.frozen import thaw
from probatum.core.subject import JSON, Subject
from probatum.kinds.audit.decision import decide_audit
from probatum.kinds.audit.proof import audit_account, audit_rechecker
from probatum.proof.account import proof_of
from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from tests.audit.cases import INSIDE, audit, bundle, failed, is_written, item, price, requirement, spec

LATER = "2026-01-15T12:00:01Z"
Asked = tuple[PromptSpec, EvidenceBundle]


def established(asked: PromptSpec, evidence: EvidenceBundle) -> bool | None:
    """Return the event that a VERIFIED verdict tells; None where the verdict is another."""
    conclusion = concluded(asked, AuditRecord.of(asked, evidence))
    if decide_audit(conclusion).outcome.value != "proved":
        return None
    return conclusion.weighed.evaluation.value


def reading(text: str, event: str = "price > 100000", content_type: str = "text", **field: object) -> Asked:
    """Return a question about one field, by default what is labelled "price", with one item."""
    label = {} if {"pattern", "path"} & field.keys() else {"label": "price"}
    fields = {"fields": {"price": {**label, **field}}} if content_type != "json" or field else {}
    asked = requirement(extra=fields, expected_fields=None if fields else ["price"])
    return spec(asked, event=event), bundle(item("ev_1", text, content_type=content_type))


# Sentences with "price" and 105,000 that do not say that the price is, at the time in question, above 100,000.
SAYINGS = {
    "of before": "Previous price: 105,000 USD",
    "former": "former price: 105,000",
    "hyphenated": "old-price: 105,000",
    "forecast": "Forecast price: 105,000 USD",
    "target": "Target price: 105,000",
    "maximum": "Max. price: 105,000",
    "of something else": "ETH price: 105,000",
    "an example": "Example: price: 105,000",
    "estimated": "price: 105,000 (estimated)",
    "expected": "price: 105,000 (expected)",
    "asked": "Is the price 105,000?",
    "doubted": "price: 105,000?",
    "a condition": "If the price is 105,000, we pay.",
    "a rumour": "Rumour: price: 105,000",
    "untrue": "It is untrue that the price is 105,000.",
    "called false": "The price is 105,000 is a false statement.",
    "denied behind": "price: 105,000 (denied)",
    "cancelled behind": "price: 105,000 CANCELLED",
    "not confirmed": "Not confirmed: price: 105,000",
    "negated, inserted word": "It is not the case, however, that the price is 105,000.",
    "negated, inserted clause": "Never, and we mean it, was the price 105,000.",
    "negated, invisible sign": "It is n\u200bot true that the price is 105,000",
    "negated, modifier apostrophe": "The market didn\u02bct say price is 105,000",
    "negated, no apostrophe": "They didnt find that the price is 105,000",
    "struck out in Markdown": "~~price: 105,000~~",
    "quoted and called false": 'The headline "price: 105,000" was false.',
    "of another year": "In 2021 the price was 105,000.",
    "dated behind": "price: 105,000 on 2025-06-01",
    "as of": "price: 105,000 (as of 1 June 2024)",
    "a time stamp in another line": "price: 105,000\ntimestamp: 2020-01-01",
    "a date in another line": "Date: 2020-01-01\nprice: 105,000",
    "minus": "price: 105,000 minus 10,000",
    "less": "price: 105,000 less 10%",
    "plus or minus": "price: 105,000 ± 10,000",
    "or less": "price: 105,000 or less",
    "at most": "price: 105,000 at most",
    "a distance": "price is 105,000 below its record",
    "a change": "price is 105,000 higher",
    "a number of people": "price\n105,000 people came",
    "two by and": "price: 105,000 and 95,000",
    "two by or": "price: 105,000 or 95,000",
    "two by a comma": "price: 105,000, 95,000",
    "two by to": "price: 105,000 to 95,000",
    "two by an arrow": "price: 105,000 → 95,000",
    "two by a bar": "price | 105,000 | 95,000",
    "two cells": "price\t105,000\t95,000",
    "the cell below is of another column": "volume\tprice\n105,000\t95,000",
    "denied later": "price: 105,000\nCorrection: the price is not 105,000.",
    "corrected later": "price: 105,000\nCorrection: the price actually was 95,000.",
    "corrected roughly": "price: 105,000\nCorrection: price is about 95,000.",
    "fell later": "price: 105,000. Later the price fell to 95,000.",
    "one number, two currencies": "price: 105,000 USD\nprice: 105,000 JPY",
    "a dissenting label with a zero-width space": "price: 105,000\npri\u200bce: 95,000",
    "a dissenting label with a Cyrillic letter": "price: 105,000\npr\u0456ce: 95,000",
}
OTHER_LINES = {
    "a denial before": "The following is not true:\nprice: 105,000",
    "a denial after": "price: 105,000\nNone of this ever happened.",
    "a negated word": "No doubt:\n\nprice: 105,000\n\nNobody denies it.",
}
# None of these is a number below 100,000 (or it is not plain that it is one).
NUMBERS = {
    **{
        f"105 {name} 000": f"105{sign}000"
        for name, sign in (
            ("zero-width space", "\u200b"),
            ("joiner", "\u200d"),
            ("figure space", "\u2007"),
            ("hair space", "\u200a"),
            ("punctuation space", "\u2008"),
            ("em space", "\u2003"),
            ("Arabic separator", "\u066c"),
            ("wide comma", "\uff0c"),
            ("low mark", "\u201a"),
            ("override and comma", "\u202e,"),
            ("comma, space", ", "),
            ("comma, line", ",\n"),
        )
    },
    "struck out by combining marks": "1\u03360\u03365\u0336",
    **{
        word: word
        for word in (
            "105 k",
            "105 K",
            "$105 M",
            "$1.5 B",
            "$1.5 Billion",
            "1.5 Million",
            "USD 2 BILLION",
            "$105 MM",
            "105 mln",
            "105 Tsd.",
            "105 Thousand",
            "105 thousands",
            "105 hundred thousand",
            "105 grand",
            "2 lacs",
            "2 milliards",
            "10**6",
            "105 times 1000",
            "105 ± 500000",
            "105...",
        )
    },
}
UNITS = ("105,000 cents", "105,000 yuan", "105,000 ¢", "105,000 rubles", "105,000 pence", "105,000 Euro")
HIDING = (
    "opacity:.0",
    "opacity:00",
    "opacity:0.001",
    r"d\69splay:none",
    r"display:\6eone",
    "position:absolute;left:-9999px",
    "text-indent:-9999px",
    "height:0;overflow:hidden",
    "max-width:0;overflow:hidden",
    "clip-path:inset(100%)",
    "clip:rect(0,0,0,0);position:absolute",
    "color:transparent",
    "transform:scale(0)",
    "content-visibility:hidden",
    "filter:opacity(0)",
    "font:0/0 a",
    "font-size:.0px",
    "font-size:00px",
)
SAID = "<p>price: 105,000</p>"
PAGES = {
    **{f"hidden by {style}": f'<div style="{style}">price: 105,000</div>' for style in HIDING},
    "a popover": "<div popover>price: 105,000</div>",
    "closed details": "<details><summary>More</summary>price: 105,000</details>",
    "SVG, display": "<svg><text display=none>price: 105,000</text></svg>",
    "SVG, visibility": "<svg><text visibility=hidden>price: 105,000</text></svg>",
    "what a shadow root replaces": "<div><template shadowrootmode=open></template>price: 105,000</div>",
    "what a bar replaces": "<progress>price: 105,000</progress>",
    "quoted and called wrong": "<blockquote>price: 105,000</blockquote><p>This is wrong.</p>",
    "called wrong": f"{SAID}<p>The price above is wrong.</p>",
    "two years in a row": "<table><tr><th><th>Last year<th>Now<tr><th>price<td>105,000<td>95,000</table>",
    "columns": "<table><tr><th>volume<th>price<tr><td>105,000<td>95,000</table>",
    "people": "<h2>Price</h2><p>105,000 people asked about it</p>",
    "negated, joined by an empty element": "<p>It is n<b></b>ot true that price: 105,000</p>",
    "negated, joined by a sign": "<p>It is n&zwnj;ot true that the price is 105,000</p>",
    "dissent shown after all": f'{SAID}<p style="display:none;display:block">price: 95,000</p>',
    "dissent shown by its style": f'{SAID}<p hidden style="display:block">price: 95,000</p>',
    "dissent shown by the inner": f'{SAID}<div style="visibility:hidden"><p style="visibility:visible">price: 95,000',
    "dissent with a word that CSS has not": f'{SAID}<p style="display:nonesuch">price: 95,000</p>',
    "dissent with a text of CSS": f"{SAID}<p style=\"content:';display:none'\">price: 95,000</p>",
    "dissent of full opacity": f'{SAID}<p style="opacity:0;opacity:1">price: 95,000</p>',
    "dissent, not struck out": f'{SAID}<s style="text-decoration:none">price: 95,000</s>',
    "dissent in a field": f"{SAID}<textarea>price: 95,000</textarea>",
    "dissent that is chosen": f"{SAID}<select><option selected>price: 95,000</select>",
    "dissent with a sign": f"{SAID}<p>pri&zwnj;ce: 95,000</p>",
    "dissent with its unit": f"{SAID}<p>price (USD): 95,000</p>",
    "dissent of now": f"{SAID}<p>price now: 95,000</p>",
}
INVERTED = (
    "Nobody denies that the launch happened.",
    "Not surprisingly, the launch happened",
    "Without delay the launch happened.",
    "No one was hurt as the launch happened.",
    "Not a minute too soon the launch happened.",
    "I cannot believe the launch happened!",
    "There is no question that the launch happened",
    "Nor was anyone surprised that the launch happened",
    "Not until noon was it known that the launch happened",
    "It failed to rain when the launch happened",
    "Few deny the launch happened",
    "It is not false that the launch happened",
    "Unable to wait, they cheered as the launch happened",
)
NOT_SAID = (
    "The launch happened? No.",
    "It is a myth that the launch happened",
    "They falsely claim the launch happened",
    "If the launch happened, we pay",
    "Had the launch happened, we would know",
    "Not true: the launch happened",
    "It remains to be seen whether the launch happened",
    "Whether the launch happened is unknown",
    "It is doubtful that the launch happened",
    "Reports say the launch happened; they are wrong",
    "He didn\u02bct say the launch happened",
    "Fake news: 'the launch happened'",
    "launch happened: no",
    "Before the launch happened it was cancelled",
    "The claim that the launch happened is false",
    "Contrary to reports that the launch happened, it was scrubbed",
    "launch happened [ ] yes [x] no",
)


def test_the_evidence_of_the_tables_can_be_verified_where_it_says_so() -> None:
    assert established(*reading("price: 105,000")) is True
    assert established(*reading("price: 95,000")) is False
    assert established(*reading(SAID, content_type="html")) is True
    assert (
        established(*reading("The launch happened.", "price", pattern=r"^The launch happened\.$", value=True)) is True
    )
    assert established(*reading("The launch has not happened.", "price", pattern="happened", value=True)) is not True


@pytest.mark.parametrize("name", SAYINGS)
def test_text_that_does_not_say_it(name: str) -> None:
    assert established(*reading(SAYINGS[name])) is not True


@pytest.mark.parametrize("name", OTHER_LINES)
def test_words_in_other_lines_are_not_read(name: str) -> None:
    """Who declares a key takes its line as it is: no word before or after it is read, neither for nor against it."""
    assert established(*reading(OTHER_LINES[name])) is True


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_read_whole_or_not_at_all(name: str) -> None:
    assert established(*reading(f"price: {NUMBERS[name]}", "price < 100000")) is not True


@pytest.mark.parametrize("reference", ["numsp", "hairsp", "emsp", "zwnj", "zwj", "lrm", "ic"])
def test_a_reference_inside_a_number(reference: str) -> None:
    assert established(*reading(f"price: 105&{reference};000", "price < 100000", "html")) is not True


@pytest.mark.parametrize("text", ["price at 10 UTC: 105,000", "price at 1500 GMT was 105,000"])
def test_an_hour_is_no_price(text: str) -> None:
    assert established(*reading(text, "price < 100000")) is not True


@pytest.mark.parametrize("unit", ["", "USD"])
@pytest.mark.parametrize("text", UNITS)
def test_an_unknown_unit_is_not_the_declared_one(text: str, unit: str) -> None:
    assert established(*reading(f"price: {text}", "price > $100000", unit=unit)) is not True


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_does_not_show_it(name: str) -> None:
    assert established(*reading(PAGES[name], content_type="html")) is not True


@pytest.mark.parametrize("hidden", ['<div hidden="hidden"/>', '<script src="x"/>'])
def test_an_element_of_xhtml_that_closes_itself_hides_nothing(hidden: str) -> None:
    page = f"{SAID}{hidden}<p>price: 95,000</p>"
    assert established(*reading(page, content_type="application/xhtml+xml")) is not True


@pytest.mark.parametrize("element", ["bdo dir=rtl", 'span style="direction:rtl;unicode-bidi:bidi-override"'])
def test_digits_that_are_shown_from_the_right(element: str) -> None:
    page = f"<p>price: <{element}>599,501</{element.split(maxsplit=1)[0]}></p>"
    assert established(*reading(page, "price > 200000", "html")) is not True


@pytest.mark.parametrize("text", INVERTED)
def test_a_negation_of_something_else_does_not_refute(text: str) -> None:
    assert established(*reading(text, "price", pattern="(?i)launch happened", value=True)) is not False


@pytest.mark.parametrize("text", NOT_SAID)
def test_words_that_match_and_do_not_say_it(text: str) -> None:
    assert established(*reading(text, "price", pattern="(?i)launch happened", value=True)) is not True


@pytest.mark.parametrize(
    ("text", "pattern", "event"),
    [
        ("price: 105,000", r"price: (\d+)", "price < 1000"),
        ("price: 1,105,000", r"(\d+,\d+)$", "price < 1000000"),
        ("price: $1.5 million", r"price: \$([\d.]+)", "price < 1000"),
        ("price: -105,000", r"([\d,]+)", "price > 0"),
        ("price: 99.5%", r"price: (\d)", "price < 50"),
    ],
)
def test_a_group_that_cuts_a_number(text: str, pattern: str, event: str) -> None:
    assert established(*reading(text, event, pattern=pattern)) is not True


def test_a_pattern_that_matches_nothing_at_all_says_nothing() -> None:
    assert established(*reading("something", "price", pattern="$", value=True)) is None


TIMED = {"fields": {"price": {"label": "price"}, "timestamp": {"label": "timestamp"}}}


@pytest.mark.parametrize(
    "times", [("2020-01-01", "2020-01-01T12:00:00Z"), ("01/02/2020",), ("last year",)], ids=lambda times: times[-1]
)
def test_a_time_stamp_in_text_that_is_not_one_time(times: tuple[str, ...]) -> None:
    text = "\n".join(("price: 105,000", *(f"timestamp: {each}" for each in times)))
    asked = spec(requirement(extra=TIMED, expected_fields=None))
    assert established(asked, bundle(item("ev_1", text, content_type="text"))) is None


# By name: content of one JSON item, event, what is declared of the field, and the wrong answer.
VALUES: Mapping[str, tuple[str, str, dict[str, object], bool]] = {
    "another currency than declared": ('{"price":"¥105,000"}', "price > 100000", {"unit": "USD"}, True),
    "another currency beside it": ('{"price":105000,"currency":"EUR"}', "price > $100000", {}, True),
    "a percentage for a fraction": ('{"price":"0.5 %"}', "price > 0.02", {}, True),
    "basis points for percent": ('{"price":"3 bp"}', "price > 2", {"unit": "%"}, True),
    "minutes for seconds": ('{"price":90}', "price < 100 seconds", {"kind": "duration", "unit": "minutes"}, True),
    "version 1.10": ('{"price":1.10}', "price < 1.2.0", {"kind": "version"}, True),
    "more digits than a float": ('{"price":100000.000000000001}', "price > 100000", {}, False),
    "less than a float": ('{"price":1e-400}', "price > 0", {}, False),
    "a long text": (f'{{"price":"{"a" * 500}X"}}', f"price == '{'a' * 500}'", {}, True),
    "a power": ('{"price":"5²"}', "price == '52'", {}, True),
    "a key that looks like a path": ('{"price":95000,"$.price":105000}', "price > 100000", {"path": "$.price"}, True),
    "a row that is not read": ('[{"price":105000},{"price":"about 90k"}]', "price > 100000", {"kind": "number"}, True),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_of_json(name: str) -> None:
    text, event, field, wrong = VALUES[name]
    path = {"path": "price", **field} if field else {}
    assert established(*reading(text, event, "json", **path)) is not wrong


def test_more_digits_than_a_float_in_text() -> None:
    assert established(*reading("price: 100,000.000000000001")) is not False


def one(
    content: object, *, req: Mapping[str, Any] | None = None, of: Mapping[str, Any] | None = None, **more: Any
) -> Asked:
    """Return a question with one item: arguments of the requirement, of the item, and of the question."""
    return spec(requirement(**(req or {})), **more), bundle(item("ev_1", content, **(of or {})))


def several(*items: EvidenceItem, event: str = "price > 100000", **more: Any) -> Asked:
    names = sorted({each.provenance.source_id for each in items})
    return spec(requirement(**{"sources": names, **more}), event=event), bundle(*items)


def extra(**declared: object) -> dict[str, object]:
    return {"extra": declared}


def at_one_place(evidence_id: str, source: str) -> EvidenceItem:
    return price(105000, evidence_id, source=source, provenance={"source_uri": "https://a.example/api"})


FULL = {"price": 105000, "timestamp": INSIDE}
BARE = {"price": 105000}
QUORUM = {"strategy": "multi_source_quorum", "quorum": 2}
LATEST = {"expected_fields": None, **extra(fields={"price": {"path": "price", "select": "latest"}})}
OLD = "2025-06-01T00:00:00Z"
BEFORE = (spec(), bundle(item("ev_1", BARE, fetched_at=OLD), collected_at=OLD))
STATUS = requirement("req_2", expected_fields=["status"])
PAIR = requirement("req_2", ("a", "b"), ["status"], **QUORUM)
WON = {"expected_fields": ["won"], "event": "won"}
UNSOUND: dict[str, Asked] = {
    "entity: another one than the question's": one({"symbol": "ETH_USD", **BARE}, req=extra(entity_field="symbol")),
    "entity: declared otherwise": one(FULL, req=extra(entity="ETH_USD")),
    "entity: the field is a path": one(
        {"meta": {"symbol": "ETH"}, **BARE}, req=extra(entity_field="meta.symbol"), event="price(BTC_USD) > 100000"
    ),
    "entity: the field is missing": one(BARE, req=extra(entity_field="symbol"), event="price(BTC_USD) > 100000"),
    "entity: the latest of several": one(
        [
            {"symbol": "BTC_USD", "price": 95000, "timestamp": INSIDE},
            {"symbol": "ETH_USD", "price": 105000, "timestamp": LATER},
        ],
        req={
            "expected_fields": None,
            **extra(entity_field="symbol", fields={"price": {"path": "price", "select": "latest"}}),
        },
    ),
    "time: fetched before the window began": BEFORE,
    "time: the age is bounded and unknown": one(BARE, req=extra(max_age_seconds=60)),
    "time: the declared field is missing": one(BARE, req=extra(timestamp_field="as_of")),
    "time: the declared field is a path": one(
        {"meta": {"at": "2020-01-01"}, **BARE}, req=extra(timestamp_field="meta.at")
    ),
    "time: the declared field begins with $": one({"at": "2020-01-01", **BARE}, req=extra(timestamp_field="$.at")),
    "time: a range that leaves the window": one(
        {**BARE, "timestamp": "1-31 January 2026"}, window=("2026-01-01T00:00:00Z", "2026-01-01T23:59:59Z")
    ),
    "time: the latest, of a day and a moment of it": one(
        [FULL, {"price": 95000, "timestamp": "2026-01-15"}], req=LATEST
    ),
    "time: a cache of unknown age": (
        spec(),
        bundle(price(105000, fetched_at=None, provenance={"cache_hit": True, "ttl_seconds": 1})),
    ),
    "item: another content than its hash": one(FULL, of={"provenance": {"content_hash": "0x" + "00" * 32}}),
    "item: not found": one(FULL, of={"status_code": 404}),
    "item: an error of the server": one(FULL, of={"status_code": 500}),
    "item: from another place than the source's": one(FULL, of={"provenance": {"source_uri": "https://evil.example"}}),
    "item: no confidence": one(FULL, of={"confidence": 0.0}),
    "item: extracted otherwise": one(FULL, of={"extracted_fields": {"price": 95000}}),
    "item: parsed and extracted otherwise": (
        spec(),
        bundle(item("ev_1", parsed_value=FULL, extracted_fields={"price": 95000})),
    ),
    "item: parsed otherwise than the text": one(
        "price: 105,000", of={"content_type": "text", "parsed_value": {"price": 95000}}
    ),
    "bundle: no weight": (spec(), bundle(price(105000), weight=0)),
    "bundle: the requirement is called unfulfilled": (
        spec(),
        bundle(price(105000), requirements_unfulfilled=["req_price"]),
    ),
    "bundle: of an unknown version": (spec(), bundle(price(105000), schema_version="v99")),
    "policy: no source is named": one(FULL, req={"sources": ()}),
    "policy: two names of one place": several(at_one_place("ev_1", "a"), at_one_place("ev_2", "b"), **QUORUM),
    "policy: two names that look the same": several(
        price(105000, "ev_1", source="a"), price(105000, "ev_2", source="a\u200b"), sources=(), **QUORUM
    ),
    "policy: a second source that says nothing": several(
        price(105000, "ev_1", source="a"), item("ev_2", {}, source="b"), min_sources=2
    ),
    "policy: everything agrees": several(
        price(105000, "ev_1", source="a"), price(200000, "ev_2", source="b"), **QUORUM, **extra(tolerance=1e9)
    ),
    "coverage: an expected field is missing": one(BARE, req={"expected_fields": ["price", "volume"]}),
    "coverage: an expected field is null": one({**BARE, "volume": None}, req={"expected_fields": ["price", "volume"]}),
    "coverage: a requirement about which nothing is said": (
        spec(requirement(), STATUS),
        bundle(price(105000), item("ev_2", {"x": 1}, of="req_2")),
    ),
    "coverage: a requirement without its quorum": (
        spec(requirement(), PAIR),
        bundle(
            price(105000),
            *(
                item(f"ev_{name}", {"status": name, "timestamp": at}, of="req_2", source=name)
                for name, at in (("a", INSIDE), ("b", LATER))
            ),
        ),
    ),
    "dissent: in words": several(price(105000, "ev_1", source="a"), price("below 100,000", "ev_2", source="b")),
    "dissent: in words, of one in three": several(
        *(
            price(value, f"ev_{name}", source=name)
            for name, value in zip("abc", (105000, 105000, "below 100,000"), strict=True)
        ),
        **QUORUM,
    ),
    "dissent: not read": several(
        price(105000, "ev_1", source="a"),
        price("about 90k", "ev_2", source="b"),
        expected_fields=None,
        **extra(fields={"price": {"path": "price", "kind": "number"}}),
    ),
    "dissent: no": several(item("ev_1", {"won": True}, source="a"), item("ev_2", {"won": "no"}, source="b"), **WON),
    "dissent: false as a text": several(
        item("ev_1", {"won": True}, source="a"), item("ev_2", {"won": "false"}, source="b"), **WON
    ),
    "dissent: zero": several(item("ev_1", {"won": True}, source="a"), item("ev_2", {"won": 0}, source="b"), **WON),
    "dissent: in another currency, a second later": several(
        price("$105,000", "ev_1", source="a"), price("1,000 EUR", "ev_2", source="b", at=LATER), event="price > $100000"
    ),
    "dissent: about two fields, a second later": several(
        *(
            item(f"ev_{name}", {"home": goals, "away": goals, "timestamp": at}, source=name)
            for name, goals, at in (("a", 10, INSIDE), ("b", 1, LATER))
        ),
        event="home > 5 or away > 5",
        expected_fields=["home", "away"],
    ),
    "dissent: without an entity": several(
        item("ev_1", {**FULL, "s": "BTC_USD"}),
        item("ev_2", {"price": 95000, "timestamp": LATER}),
        event="price(BTC_USD) > 100000",
        **extra(entity_field="s"),
    ),
    "question: a name with two meanings": (
        spec(requirement("data"), requirement("x", expected_fields=["data.price"]), event="data.price > 100000"),
        bundle(price(105000, of="data"), item("ev_2", {"data": {"price": 95000}}, of="x")),
    ),
    "question: the predicate contradicts the definition": one(
        FULL, event="price < 100000", extra={"predicate": "price > 100000"}
    ),
    "question: the threshold has another currency than the value": one({"price": "105,000 JPY"}, threshold="$100,000"),
    "question: the threshold has another currency than the event": one(
        {"price": "$105,000"}, event="price > $100000", threshold="100,000 EUR"
    ),
    "question: money against mass": one({"price": "105,000 kg"}, threshold="$100,000"),
    **{
        f"question: misspelt {key}": one(FULL, req=extra(**{key: value}))
        for key, value in (("entity_path", "s"), ("ts_field", "as_of"), ("max_age_minutes", 1))
    },
    **{f"question: misspelt {key}": one(FULL, extra={key: "price < 1"}) for key in ("predicates", "Predicate")},
}
VACUOUS: dict[str, str | None] = {
    "price > 200000 or threshold > 0": "100k",
    "price > 200000 or deadline > 2020-01-01": None,
    "price > 200000 or window.end > window.start": None,
    "price > threshold or price < 200": "100",
    "not (price > threshold and price < 50)": "100",
    "price > 5 km or price < 10000 m": None,
    "price > 5 kg or price <= 5000 g": None,
    "at_least(1, price > 1) or at_least(1, price < 200000)": None,
    "price > b or price < b or price == b": None,
}


@pytest.mark.parametrize("name", UNSOUND)
def test_what_is_unsound_is_not_verified(name: str) -> None:
    assert established(*UNSOUND[name]) is None


@pytest.mark.parametrize("event", VACUOUS)
def test_an_event_that_holds_whatever_is_found_is_not_verified(event: str) -> None:
    told = one({**BARE, "b": 2}, req={"expected_fields": ["price", "b"]}, event=event, threshold=VACUOUS[event])
    assert established(*told) is None


@pytest.mark.parametrize(
    ("kind", "event", "value"),
    [
        ("version", "price > 1.2.3 or price < 2.0.0", "1.5.0"),
        ("timestamp", "price > 2026-01-01 or price < window.end", INSIDE),
        ("percentage", "price > 1 % or price < 500 bp", "3 %"),
    ],
)
def test_an_event_of_another_kind_that_always_holds(kind: str, event: str, value: str) -> None:
    declared = {"expected_fields": None, **extra(fields={"price": {"path": "price", "kind": kind}})}
    assert established(*one({"price": value}, req=declared, event=event)) is None


FIRST, LAST = "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"


@pytest.mark.parametrize(
    "made",
    [
        lambda: (spec(window=(FIRST, "2026-01-31T00:00:00Z")), bundle(price(105000))),
        lambda: (spec(window=("2026-01-01T00:00:00Z", LAST)), bundle(price(105000))),
        lambda: (spec(market={"resolution_deadline": LAST}), bundle(price(105000))),
        lambda: (spec(), bundle(price(105000, fetched_at=FIRST))),
        lambda: one(FULL, req=extra(tolerance=10**400)),
    ],
    ids=["window start", "window end", "deadline", "fetched", "tolerance"],
)
def test_what_is_out_of_range_is_no_exception(made: Callable[[], Asked]) -> None:
    try:
        told = made()
    except ValueError:
        return  # the model says so
    assert is_written(*audit(*told))


def test_a_declared_unit_is_a_name_and_not_a_calculation() -> None:
    """`10**10**10` would be calculated, by whoever converts units."""
    declared = {"expected_fields": None, **extra(fields={"price": {"path": "price", "unit": "10**3"}})}
    _, verification = audit(*one(FULL, req=declared))
    assert any(check.check_id.startswith("declaration") for check in failed(verification.checks))


def many_requirements(count: int) -> Asked:
    return spec(*(requirement(f"r{n}") for n in range(count))), bundle(
        *(price(105000, f"e{n}", of=f"r{n}") for n in range(count))
    )


def many_requirements_of_two_fields(count: int) -> Asked:
    asked = (requirement(f"r{n}", expected_fields=["price", "b"]) for n in range(count))
    return spec(*asked, event="price > 100000 and b > 1"), bundle(
        *(item(f"e{n}", {**BARE, "b": 2}, of=f"r{n}") for n in range(count))
    )


def many_sources_in_a_quorum(count: int) -> Asked:
    items = (price(105000, f"e{n}", source=f"s{n}") for n in range(count))
    return several(*items, event="price > 100000 and at_least(2, price > 100000)", **QUORUM, max_sources=count)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("made", "small"),
    [
        (many_requirements, 500),
        (many_requirements_of_two_fields, 40),
        (many_sources_in_a_quorum, 40),
    ],
)
def test_the_work_grows_with_the_evidence_and_no_faster(made: Callable[[int], Asked], small: int) -> None:
    """Four times the evidence makes about four times the calls, not sixteen times."""
    counts = []
    established(*made(3))
    for count in (small, 4 * small):
        calls = 0

        def noted(_frame: FrameType, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event in {"call", "c_call"}

        told = made(count)
        sys.setprofile(noted)
        try:
            established(*told)
        finally:
            sys.setprofile(None)
        counts.append(calls)
    assert counts[1] < 6 * counts[0]


# What was tried in vain, and has to stay in vain.
IN_VAIN: dict[str, Asked] = {
    "the first of a chain contradicts itself": several(
        price(105000, "e1", source="a"),
        price(95000, "e2", source="a", at="2026-01-14"),
        price(105000, "e3", source="b"),
        strategy="fallback_chain",
    ),
    "the first of a chain says it in words": several(
        price("n/a", "e1", source="a"), price(105000, "e2", source="b"), strategy="fallback_chain"
    ),
    "the dissenter is beyond max_sources": several(
        *(
            price(value, f"e{name}", source=name, at=at)
            for name, value, at in (("a", 105000, INSIDE), ("b", 105000, INSIDE), ("c", 95000, LATER))
        ),
        max_sources=2,
        **QUORUM,
    ),
    "one source counted for two requirements": (
        spec(requirement(), requirement("r2"), event="at_least(2, price > 100000)"),
        bundle(price(105000, "e1"), price(105000, "e2", of="r2")),
    ),
    "the most recent decides": several(
        price(105000, "e1", source="a"), price(95000, "e2", source="b", at="2026-01-14"), tie_breaker="most_recent"
    ),
    "a key twice": one('{"price":105000,"pri\\u0063e":95000}'),
    "two documents": one('{"price":105000} {"price":95000}'),
    "a ragged table": one("price\n105,000\n", of={"content_type": "csv"}),
    "infinite slack": one(FULL, req=extra(slack_seconds=float("inf"))),
}


@pytest.mark.parametrize("name", IN_VAIN)
def test_attacks_in_vain(name: str) -> None:
    assert established(*IN_VAIN[name]) is None


ASKED = spec(requirement(sources=("a", "b", "c"), **QUORUM))
HONEST = bundle(
    *(price(value, f"e{name}", source=name) for name, value in zip("abc", (95000, 105000, 105000), strict=True))
)
TRUE = bundle(price(105000, "e1", source="a"), price(105000, "e2", source="b"))


def forged(record: AuditRecord, of: EvidenceBundle, mutate: Callable[[Any], object] = lambda _: None) -> bool:
    """Return whether a proof that was made of such a record holds when the evidence is read again."""
    content = dumps_canonical(of).encode()
    proof = proof_of("audit", audit_account(concluded(ASKED, record)), Subject(content, JSON, "evidence.json"))
    artifact = thaw(parse_canonical(proof))
    mutate(artifact)
    changed = canonical_bytes(artifact)
    store = MemoryStore()
    store.retain_all([content, changed])
    return recheck(digest_of(changed), store, {"audit": audit_rechecker(ASKED)}, replay=True).holds


def test_no_forged_record_outlives_a_replay() -> None:
    honest, true = AuditRecord.of(ASKED, HONEST), AuditRecord.of(ASKED, TRUE)
    assert forged(true, TRUE)

    def claiming(record: AuditRecord, **change: Any) -> AuditRecord:
        return dataclasses.replace(
            record, claims=ClaimSet(dataclasses.replace(each, **change) for each in record.claims)
        )

    assert not forged(claiming(honest, value=105000), HONEST)
    assert not forged(dataclasses.replace(honest, claims=ClaimSet(list(honest.claims)[1:])), HONEST)
    assert not forged(true, HONEST)
    assert not forged(claiming(true, start=0, end=1), TRUE)
    assert not forged(
        dataclasses.replace(true, evidence=dataclasses.replace(true.evidence, leaves=(bytes(32),) * 2)), TRUE
    )


@pytest.mark.parametrize(
    "mutate",
    [
        lambda each: each["observations"].reverse(),
        lambda each: each["observations"].append({"form": "bundle"}),
        lambda each: each["observations"][-1].update(value=99),
        lambda each: each["observations"][-1].update(span=[9, 1]),
        lambda each: each["observations"][-1].update(value={"$float": "nan"}),
        lambda each: each["observations"][0].update(zz=1),
        lambda each: each["contract"]["content"]["market"].update(event_definition="price > 1"),
        lambda each: each["verifiers"].pop(),
        lambda each: each["assumptions"].clear(),
        lambda each: each.update(seed=5),
    ],
)
def test_no_edited_artifact_holds(mutate: Callable[[Any], object]) -> None:
    assert not forged(AuditRecord.of(ASKED, TRUE), TRUE, mutate)
