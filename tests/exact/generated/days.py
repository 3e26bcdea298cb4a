"""Claims about dates and times: days are counted one by one, and clocks are turned by the published rules."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from tests.exact.generated.claim import Made, families, related

Day = tuple[int, int, int]
_WEEK: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ZONES: Final = {
    **{"America/New_York": ("us", -300), "America/Chicago": ("us", -360), "America/Los_Angeles": ("us", -480)},
    **{"Europe/Berlin": ("eu", 60), "Europe/London": ("eu", 0), "Europe/Athens": ("eu", 120), "UTC": ("", 0)},
    **{"Asia/Tokyo": ("", 540), "Asia/Kolkata": ("", 330), "Asia/Kathmandu": ("", 345)},
}


def _is_leap(year: int) -> bool:
    return year % 400 == 0 or (year % 4 == 0 and year % 100 != 0)


def _length(year: int, month: int) -> int:
    return 29 if month == 2 and _is_leap(year) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _count(day: Day) -> int:
    """Return how many days there are from the first of January 1600 on, a Saturday, to this one."""
    years = sum(366 if _is_leap(year) else 365 for year in range(1600, day[0]))
    return years + sum(_length(day[0], month) for month in range(1, day[1])) + day[2] - 1


def _day(count: int) -> Day:
    year, month = 1600, 1
    while count >= (366 if _is_leap(year) else 365):
        count -= 366 if _is_leap(year) else 365
        year += 1
    while count >= _length(year, month):
        count -= _length(year, month)
        month += 1
    return year, month, count + 1


def _weekday(day: Day) -> int:
    return (_count(day) + 5) % 7


def _random(random: Random, low: int = 1900, high: int = 2099) -> Day:
    year = random.choice([random.randint(low, high), random.choice([1900, 2000, 2024, 2023, 2100])])
    month = random.choice([random.randint(1, 12), 2])
    last = _length(year, month)
    return year, month, random.choice([random.randint(1, last), last, 1])


def _iso(day: Day) -> str:
    return f"{day[0]:04}-{day[1]:02}-{day[2]:02}"


def _shown(day: Day) -> str:
    return f"date({day[0]}, {day[1]}, {day[2]})"


def _time(minutes: int, zone: str = "") -> str:
    year, month, number = _day(minutes // 1440)
    named = f", {zone!r}" if zone else ""
    return f"datetime({year}, {month}, {number}, {minutes // 60 % 24}, {minutes % 60}{named})"


def _another(random: Random, day: Day) -> Day:
    """Return a day that is easily taken for this one."""
    return random.choice(
        [*(_day(_count(day) + step) for step in (-7, -1, 1, 7)), (day[0] + 1, day[1], min(day[2], 28))]
    )


def _day_of_the_week(random: Random, truth: bool) -> Made:
    day = _random(random)
    right = _weekday(day)
    other = random.choice([(right + 1) % 7, (right + 6) % 7])
    good, bad = (_WEEK[each] for each in ((right, other) if truth else (other, right)))
    forms = ("weekday({0}) == '{1}'", "weekday({0}) != '{2}'", "not weekday({0}) == '{2}'", "'{1}' == weekday({0})")
    return random.choice(forms).format(_shown(day), good, bad), {}


def _days_between(random: Random, truth: bool) -> Made:
    one = _random(random)
    apart = random.randint(1, random.choice([10, 400, 30000]))
    first, second = _shown(one), _shown(_day(_count(one) + apart))
    told = apart + (0 if truth else random.choice([-1, 1, 7]))
    rows = [
        f"{second} - {first} == days({told})",
        f"{first} + days({told}) == {second}",
        f"{second} - days({told}) == {first}",
        f"{first} - {second} == days(-{told})",
        f"hours({24 * told}) == {second} - {first}",
        f"{second} - {first} == weeks({Fraction(told, 7)})",
    ]
    return random.choice(rows), {}


def _months_and_years_later(random: Random, truth: bool) -> Made:
    day, number = _random(random), random.randint(1, 30)
    unit, months = random.choice([("months", number), ("years", 12 * number), ("quarters", 3 * number)])
    at, given = day[0] * 12 + day[1] - 1 + months, dict[str, object]()
    year, month = at // 12, at % 12 + 1
    result, last = (year, month, day[2]), _length(year, month)
    if day[2] > last:
        given = {"month-end": random.choice(["last", "next"])}
        result = (year, month, last) if "last" in given.values() else _day(_count((year, month, last)) + 1)
    told = result if truth else _another(random, result)
    return f"{_shown(day)} + {unit}({number}) == {_shown(told)}", given


def _parts_of_a_date(random: Random, truth: bool) -> Made:
    day = _random(random)
    date, wrong = _shown(day), 0 if truth else random.choice([-1, 1])
    # The ISO week is the week of its Thursday, counted in the year of that Thursday.
    thursday = _day(_count(day) - _weekday(day) + 3)
    week = (_count(thursday) - _count((thursday[0], 1, 1))) // 7 + 1
    rows = [
        f"iso_week({date}) == {week + wrong}",
        f"iso_year({date}) == {thursday[0] + wrong}",
        f"day_of_year({date}) == {_count(day) - _count((day[0], 1, 1)) + 1 + wrong}",
        f"quarter({date}) == {(day[1] + 2) // 3 + wrong}",
        f"year({date}) == {day[0] + wrong} and month({date}) == {day[1]}",
        f"day({date}) == {day[2] + wrong}",
    ]
    if truth:
        rows.append(f"week_date({thursday[0]}, {week}, {_weekday(day) + 1}) == {date}")
    return random.choice(rows), {}


def _age(random: Random, truth: bool) -> Made:
    born = _random(random, 1900, 2000)
    born = (born[0], born[1], min(born[2], 28))
    anniversary = (born[0] + random.randint(1, 90), born[1], born[2])
    day = _day(_count(anniversary) + random.choice([-1, 0, 1, random.randint(0, 364)]))
    years = day[0] - born[0] - (day[1:] < born[1:])
    told = years if truth else years + random.choice([-1, 1] if years else [1])
    months = 12 * (day[0] - born[0]) + day[1] - born[1] - (day[2] < born[2]) + told - years
    forms = ("complete_years({0}, {1}) == {2}", "complete_months({0}, {1}) == {3}")
    return random.choice(forms).format(_shown(born), _shown(day), told, months), {}


def _python(sign: str) -> str:
    return {"=": "==", "≠": "!=", "≤": "<=", "≥": ">="}.get(sign, sign)


def _order(random: Random, truth: bool) -> Made:
    one = _random(random)
    two = random.choice([one, _another(random, one), _random(random)])
    sign = _python(related(random, Fraction(_count(one)), Fraction(_count(two)), truth))
    return f"{_shown(one)} {sign} {_shown(two)}", {}


def _intervals(random: Random, truth: bool) -> Made:
    """Two intervals of days overlap where each begins before the other one ends."""
    start = _count(_random(random))
    points = [start + random.choice([0, 1, 3, 3, 9, random.randint(0, 40)]) for _ in range(4)]
    (a, b), (c, d) = sorted(points[:2]), sorted(points[2:])
    is_overlapping = bool(set(range(a, b + 1)) & set(range(c, d + 1)))
    one, two, three, four = (_shown(_day(each)) for each in (a, b, c, d))
    text = f"{one} <= {four} and {three} <= {two}"
    return text if is_overlapping is truth else f"not ({text})", {}


def _offset(zone: str, minutes: int) -> int:
    """Return by how many minutes a zone is ahead at so many minutes of universal time since 1600."""
    kind, standard = _ZONES[zone]
    year = _day(minutes // 1440)[0]

    def sunday(month: int, nth: int) -> int:
        last = _count((year, month, _length(year, month)))
        first = _count((year, month, 1))
        return first + (6 - (first + 5)) % 7 + 7 * nth if nth >= 0 else last - (last + 6) % 7

    if kind == "us":
        begin, end = sunday(3, 1) * 1440 + 120 - standard, sunday(11, 0) * 1440 + 60 - standard
    elif kind == "eu":
        begin, end = sunday(3, -1) * 1440 + 60, sunday(10, -1) * 1440 + 60
    else:
        return standard
    return standard + 60 * (begin <= minutes < end)


def _is_shown_once(zone: str, minutes: int) -> bool:
    local, standard = minutes + _offset(zone, minutes), _ZONES[zone][1]
    return sum(_offset(zone, local - ahead) == ahead for ahead in (standard, standard + 60)) == 1


def _zones(random: Random, truth: bool) -> Made:
    one, two = random.sample(list(_ZONES), 2)
    later = random.randint(1, 40)
    while True:
        # Near the days on which clocks change, but not at a time that they show twice.
        at = _count((random.randint(2008, 2036), random.choice([1, 3, 3, 7, 10, 11]), random.randint(1, 31))) * 1440
        at += random.choice([random.randrange(96) * 15, 12 * 60])
        if all(_is_shown_once(zone, each) for zone in (one, two) for each in (at, at + later * 60)):
            break
    wrong = 0 if truth else random.choice([-60, 60, 30, 1440])
    first, second = at + _offset(one, at), at + _offset(two, at) + wrong
    if random.random() < 0.4:
        return f"in_zone({_time(first, one)}, '{two}') == {_time(second)}", {}
    if random.random() < 0.5:
        end = at + later * 60
        then = _time(end + _offset(one, end) + (0 if truth else random.choice([-60, 60])), one)
        forms = ("{0} + hours({1}) == {2}", "elapsed({0}, {2}) == hours({1})")
        return random.choice(forms[: 1 + truth]).format(_time(first, one), later, then), {}
    sign = random.choice(["==", "<=", ">="] if truth else ["==", "<" if wrong < 0 else ">"])
    return f"{_time(first, one)} {sign} {_time(second, two)}", {}


def _business_days(random: Random, truth: bool) -> Made:
    start = _count(_random(random, 1990, 2060))
    holidays = sorted({start + random.randint(0, 30) for _ in range(random.randint(0, 4))})
    weekend = random.choice([(5, 6), (5, 6), (4, 5), (6,)])
    given: dict[str, object] = {"weekend": ", ".join(_WEEK[each] for each in weekend)}
    if holidays:
        given["holiday"] = [_iso(_day(each)) for each in holidays]

    def works(day: int) -> bool:
        return (day + 5) % 7 not in weekend and day not in holidays

    while not works(start):
        start += 1
    end = next(each for each in range(start + random.randint(1, 40), start + 90) if works(each))
    apart, wrong = sum(map(works, range(start, end))), 0 if truth else random.choice([-1, 1, 2])
    first, last = _shown(_day(start)), _shown(_day(end))
    day = start + random.randint(0, 20)
    rows = [
        f"business_days_in({first}, {last}) == {apart + wrong}",
        f"{first} + business_days({apart}) == {_shown(_day(end + (not truth)))}",
        f"{last} - business_days({apart}) == {_shown(_day(start - (not truth)))}",
        f"{'' if works(day) is truth else 'not '}is_business_day({_shown(_day(day))})",
    ]
    return random.choice(rows), given


FAMILIES: Final = families(
    "dates",
    *(_day_of_the_week, _days_between, _months_and_years_later, _parts_of_a_date, _age),
    *(_order, _intervals, _zones, _business_days),
)
