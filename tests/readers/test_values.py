"""Values in text: what is read, with its unit and place, and what is not, because it can be read in two ways."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import BudgetError
from probatum.readers.conventions import MAX_CHARACTERS
from probatum.readers.values import KINDS, Conventions, ReadValue, every_value, read_values, whole_value

NUMBERS = {
    "grouped": ("sold 95,000 copies", 95000, "", "95,000"),
    "plain": ("95000", 95000, "", "95000"),
    "Indian groups": ("12,34,567", 1234567, "", "12,34,567"),
    "scale in words": ("1.5 million people", 1500000, "", "1.5 million"),
    "scale glued": ("over 100k users", 100000, "", "100k"),
    "exact where a float is not": ("9007199254740993", 9007199254740993, "", "9007199254740993"),
    "fraction": ("a ratio of 0.1.", 0.1, "", "0.1"),
    "no digit before the point": ("hit .333", 0.333, "", ".333"),
    "scientific": ("1.5e-3", 0.0015, "", "1.5e-3"),
    "power of ten": ("5 × 10^6 cells", 5000000, "", "5 × 10^6"),
    "power of ten that lost its caret": ("5×10-6", 0.000005, "", "5×10-6"),
    "minus": ("fell to −5 that day", -5, "", "−5"),
    "hyphen as minus": ("-5", -5, "", "-5"),
    "footnote": ("95,000^[1]", 95000, "", "95,000"),
    "unit": ("ran 10 km", 10, "km", "10 km"),
    "unit in words": ("15 miles away", 15, "mile", "15 miles"),
    "unit glued": ("5GB free", 5, "GB", "5GB"),
    "compound unit": ("70 km/h winds", 70, "km/h", "70 km/h"),
    "temperature": ("at -3 °C", -3, "°C", "-3 °C"),
    "year as a unit": ("after 3 years", 3, "year", "3 years"),
    "lakh": ("5 lakh", 500000, "", "5 lakh"),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name: str) -> None:
    text, value, unit, said = NUMBERS[name]
    (read,) = read_values(text, "number")
    assert (read.value, type(read.value), read.unit, text[read.start : read.end]) == (value, type(value), unit, said)


NO_NUMBERS = """0x104 | 3×104
1.2.3 | 2026-01-31 | 12:30 | 10^6 | 5/8 | ABC-123 | 1e400 | 007 | [1] | 3 x 5 | 1,1,1,1 | 1,23 | 12,34
555-1234 | +44 20 7946 0958 | 978-3-16-148410-0 | 20 7946 0958 | 1990s | 5th | 50+ | 2½ | 2 1/2 | covid-19 | 16-year-old
3-2 | 3 - 2 | 1-2-3 | v2 | #5 | No. 5 | 5 pm | March 5 | may 5 | 5 May | January 31, 2026 | 5m | 5b | Rs 500 | 500 kr
TOP 10 | $5 | 10% | 3 days | 5'10 | 1.5.x | 192.168.0.1 | a@5 | x_5 | 10² | ٣ | (5) | 6 ft 2 | 10:30:15 | file5.txt
5.com | 3 years and 2 months | 12 000 | 1e-400 | 1234567890123456.78 | 0.1000000000000000055""".replace(
    "\n", " | "
).split(" | ")


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_part_of_something_else_is_no_number(text: str) -> None:
    assert read_values(text, "number") == ()


@pytest.mark.parametrize(
    ("text", "number_format", "value"),
    [
        ("1.234,5", "1.234,5", 1234.5),
        ("1.234", "1.234,5", 1234),
        ("1,5", "1.234,5", 1.5),
        ("1.5", "1.234,5", None),
        ("1 234,5", "1 234,5", 1234.5),
        ("12\u202f000\u202f000", "1 234,5", 12000000),
        ("1 23", "1 234,5", None),
        ("1.234", "1,234.5", 1.234),
        ("1.234,5", "1,234.5", None),
    ],
)
def test_number_formats(text: str, number_format: str, value: float | None) -> None:
    read = whole_value(text, "number", Conventions(number_format))
    assert (None if read is None else read.value) == value


OTHERS = {
    "percent": ("percentage", "up 5 %", 5, None, "%", "5 %"),
    "percent in words": ("percentage", "5 per cent", 5, None, "%", "5 per cent"),
    "points": ("percentage", "by 2 percentage points", 2, None, "pp", "2 percentage points"),
    "basis points": ("percentage", "25 bps", 25, None, "bp", "25 bps"),
    "range of percents": ("percentage", "10-12 %", 10, 12, "%", "10-12 %"),
    "range in words": ("percentage", "between 10 and 12 percent of", 10, 12, "%", "between 10 and 12 percent"),
    "a change is no range": ("percentage", "from 10 to 12 percent", 12, None, "%", "12 percent"),
    "scale": ("money", "worth $1.2bn now", 1200000000, None, "USD", "$1.2bn"),
    "m of money": ("money", "€1.5 m", 1500000, None, "EUR", "€1.5 m"),
    "code before": ("money", "USD 5m", 5000000, None, "USD", "USD 5m"),
    "code after": ("money", "5m EUR", 5000000, None, "EUR", "5m EUR"),
    "sign after": ("money", "for 5 €", 5, None, "EUR", "5 €"),
    "word after": ("money", "5 million dollars", 5000000, None, "USD", "5 million dollars"),
    "Australian": ("money", "A$5", 5, None, "AUD", "A$5"),
    "Brazilian": ("money", "R$ 5", 5, None, "BRL", "R$ 5"),
    "minus before the sign": ("money", "-$5", -5, None, "USD", "-$5"),
    "a rate": ("money", "$5/month", 5, None, "USD", "$5"),
    "loss in a table": ("money", "net\t($5m)\n", -5000000, None, "USD", "($5m)"),
    "aside in a sentence": ("money", "the fee (€5m) was", 5000000, None, "EUR", "€5m"),
    "range, one scale": ("money", "$5-6 million", 5000000, 6000000, "USD", "$5-6 million"),
    "range, two": ("money", "between $5m and $6m", 5000000, 6000000, "USD", "between $5m and $6m"),
    "words of time": ("duration", "for 90 seconds", 90, None, "s", "90 seconds"),
    "compound": ("duration", "2 h 30 min", 9000, None, "s", "2 h 30 min"),
    "compound in words": ("duration", "1 hour and 30 minutes", 5400, None, "s", "1 hour and 30 minutes"),
    "glued": ("duration", "took 2h30m", 9000, None, "s", "2h30m"),
    "ISO": ("duration", "P1DT2H", 93600, None, "s", "P1DT2H"),
    "clock": ("duration", "1:30:00", 5400, None, "s", "1:30:00"),
    "milliseconds": ("duration", "500 ms", 0.5, None, "s", "500 ms"),
    "range of time": ("duration", "10-12 minutes", 600, 720, "s", "10-12 minutes"),
    "three parts": ("version", "now 1.2.3.", "1.2.3", None, "", "1.2.3"),
    "v": ("version", "v1.2", "1.2", None, "", "v1.2"),
    "said to be": ("version", "version 3.11 of", "3.11", None, "", "3.11"),
    "release candidate": ("version", "1.2.3-rc.1+b5", "1.2.3-rc.1+b5", None, "", "1.2.3-rc.1+b5"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_kinds(name: str) -> None:
    kind, text, value, high, unit, said = OTHERS[name]
    (read,) = read_values(text, kind)
    assert (read.value, read.high, read.unit, text[read.start : read.end]) == (value, high, unit, said)


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("percentage", "5 | $5 | (5%) | 1.2.3% | 5%off"),
        ("money", "5 pounds | kr 5 | XY$5 | TOP 10 | TRY 500 | Under 21 Euro 2013 | $1.2.3 | $5-star"),
        (
            "duration",
            "1:30 | P1Y | 1990s | the 90s | Under 21s | 30m | 12:30:00 UTC | an hour and 45 minutes | 29h 50'35",
        ),
        ("version", "1.2 | 5 | V8 | v8 | 192.168.0.1 | 31.01.2026 | python-3.11.2 | 1.2.3/4"),
        ("boolean", "yes | true"),
    ],
)
def test_what_is_not_read(kind: str, texts: str) -> None:
    assert [text for text in texts.split(" | ") if read_values(text, kind)] == []


MOMENTS = {
    "2026-01-31": "2026-01-31",
    "2026-01-31T12:00:00Z": "2026-01-31T12:00:00Z",
    "2026-01-31T12:00:00+02:00": "2026-01-31T10:00:00Z",
    "2026-01-31T12:00:00-0500": "2026-01-31T17:00:00Z",
    "2026-01-31 12:00": "2026-01-31T12:00:00Z",
    "2026-01-31T12:00:00.120Z": "2026-01-31T12:00:00.120000Z",
    "2026-01-31T12:00:00.123456789Z": "2026-01-31T12:00:00.123456Z",
    "20260131T120000Z": "2026-01-31T12:00:00Z",
    "31 January 2026": "2026-01-31",
    "January 31, 2026": "2026-01-31",
    "Jan. 31st, 2026": "2026-01-31",
    "31 january 2026": "2026-01-31",
    "31. Januar 2026": "2026-01-31",
    "31 janvier 2026": "2026-01-31",
    "31 de enero de 2026": "2026-01-31",
    "Sat, 31 Jan 2026 12:00:00 GMT": "2026-01-31T12:00:00Z",
    "Sat, 31 Jan 2026 12:00:00 -0500 (EST)": "2026-01-31T17:00:00Z",
    "Saturday, January 31, 2026 at 5 pm EST": "2026-01-31T22:00:00Z",
    "31 January 2026 12:30 a.m. UTC": "2026-01-31T00:30:00Z",
}


@pytest.mark.parametrize("text", MOMENTS)
def test_moments(text: str) -> None:
    (read,) = read_values(f"On {text} it was", "timestamp")
    assert (read.value, read.start, read.end) == (MOMENTS[text], 3, 3 + len(text))
    assert whole_value(text, "timestamp") == ReadValue("timestamp", MOMENTS[text], 0, len(text))


NO_MOMENTS = """2026-02-30 | 2026-13-01 | 2026-01-31T24:00:00Z | 2026-01-31T23:59:60Z | 03/04/2026 | Fri, 31 Jan 2026
2026-01-31 12:00 XYZ | 2026-01-31 12:00 CST | January 31, 2026 5 p.m. ET | 2026-01-31 10:00-11:00 | January 2026
2026-1-31 | 12026-01-31 | 2026-01-31-5 | 20260131 | 1769860800 | 0000-01-01 | 0001-01-01T00:00:00+02:00
2026-01-31 12:00 UTC+2 | 2026-01-31T | 31 January 26 | 3-1 March 2026""".replace("\n", " | ").split(" | ")


@pytest.mark.parametrize("text", NO_MOMENTS)
def test_no_moments(text: str) -> None:
    assert read_values(text, "timestamp") == ()


@pytest.mark.parametrize(
    ("text", "conventions", "value", "high"),
    [
        ("03/04/2026", Conventions(date_order="DMY"), "2026-04-03", None),
        ("03/04/2026", Conventions(date_order="MDY"), "2026-03-04", None),
        ("2026/03/04", Conventions(date_order="YMD"), "2026-03-04", None),
        ("13/13/2026", Conventions(date_order="DMY"), None, None),
        ("2026-01-31 12:00", Conventions(timezone="+02:00"), "2026-01-31T10:00:00Z", None),
        ("1769860800", Conventions(), "2026-01-31T12:00:00Z", None),
        ("1769860800123", Conventions(), "2026-01-31T12:00:00.123000Z", None),
        ("1–3 March 2026", Conventions(), "2026-03-01", "2026-03-03"),
        ("March 1-3, 2026", Conventions(), "2026-03-01", "2026-03-03"),
    ],
)
def test_whole_moments(text: str, conventions: Conventions, value: str | None, high: str | None) -> None:
    read = whole_value(text, "timestamp", conventions)
    assert (None if read is None else (read.value, read.high)) == (None if value is None else (value, high))


def test_local_times_that_a_clock_shows_twice_or_never_are_not_read() -> None:
    try:
        berlin = Conventions(timezone="Europe/Berlin")
    except ValueError:
        pytest.skip("this system has no data of time zones")
    found = [whole_value(f"2026-{day} 02:30", "timestamp", berlin) for day in ("03-29", "10-25", "07-01")]
    assert [each and each.value for each in found] == [None, None, "2026-07-01T00:30:00Z"]


ALONE = [(" Yes ", "boolean"), ("no", "boolean"), ("1", "boolean"), ("5m", "duration"), ("90s", "duration")]
ALONE += [("($5m)", "money"), ("TRY 500", "money"), ("10-12", "number"), ("5", "version"), ("1.2.3-x.1", "version")]


def test_a_declared_kind_settles_what_a_sentence_leaves_open() -> None:
    read = {(text, kind): each.value if (each := whole_value(text, kind)) else None for text, kind in ALONE}
    assert list(read.values()) == [True, False, None, 300, 90, -5000000, 500, 10, "5", "1.2.3-x.1"]


@pytest.mark.parametrize("setting", [{"number_format": "1'234"}, {"date_order": "DYM"}, {"timezone": "Mars/Olympus"}])
def test_unknown_conventions_are_refused(setting: dict[str, str]) -> None:
    with pytest.raises(ValueError):
        Conventions(**setting)


def test_unknown_kinds_and_long_texts_are_refused() -> None:
    with pytest.raises(ValueError):
        read_values("5", "numbers")
    with pytest.raises(BudgetError) as caught:
        read_values(" " * (MAX_CHARACTERS + 1), "number")
    assert caught.value.code == "reader.too_large"


PIECES = [
    *"0123456789",
    *" .,:-–/$€%()'\"^\t\nTZkms",
    "10",
    "2026",
    "-01",
    "million",
    " km",
    " and ",
    "between ",
    " to ",
]
PIECES += [" h ", " min", " January ", "12:30", " UTC", " pm", "USD ", " EUR", "v1.", "P1D", "bn", " × 10^", "½", "−"]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_what_is_read_is_read_again_from_its_place(text: str) -> None:
    for kind in KINDS:
        end = 0
        for read in read_values(text, kind):
            again = whole_value(text[read.start : read.end], kind)
            assert again is not None
            assert (again.value, again.high, again.unit) == (read.value, read.high, read.unit)
            assert end <= read.start < read.end
            end = read.end


HOSTILE = [
    "1",
    "1,",
    "1.",
    "1-",
    "1 ",
    "1/",
    "(",
    "((5",
    "$",
    "-",
    "5 and ",
    "2 h ",
    "1:",
    '"',
    "'",
    "not ",
    "2026-01-",
    "P1D",
]
HOSTILE += [
    "1 January ",
    "5 km ",
    "v1.",
    "1e",
    "between 5 and ",
    "[1]",
    "\u00a05",
    "k",
    "10^",
    "5 %-",
    "'a ",
    "1 234 ",
    ">\n",
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_with_the_length(piece: str) -> None:
    def spent(size: int) -> float:
        text = piece * (size // len(piece))
        times = []
        for _ in range(3):
            begin = process_time()
            every_value(text)
            times.append(process_time() - begin)
        return min(times)

    # Eight times the length: quadratic work takes 64 times as long.
    assert spent(32_000) < 24 * spent(4_000) + 0.01


@pytest.mark.parametrize("text", ["-10000000000000001782142992384", "(10,000,000,000,000,001,782,142,992,384 USD)"])
def test_a_sign_costs_no_digit(text: str) -> None:
    kind = "money" if "USD" in text else "number"
    found = whole_value(text, kind)
    assert found is None or found.value == -10000000000000001782142992384
