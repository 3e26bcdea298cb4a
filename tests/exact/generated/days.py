"""Claims about dates and times: days are counted one by one, and clocks are turned by the published rules."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from tests.exact.generated.claim import Made, families, related

Day = tuple[int, int, int]
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_WEEK: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ORDINALS: Final = ("first", "second", "third", "fourth")
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


def _time(minutes: int) -> str:
    return f"{_iso(_day(minutes // 1440))}T{minutes // 60 % 24:02}:{minutes % 60:02}"


def _shown(random: Random, day: Day) -> str:
    month = _MONTHS[day[1] - 1]
    others = (f"{day[2]} {month} {day[0]}", f"{month} {day[2]}, {day[0]}", f"{month[:3]} {day[2]}, {day[0]}")
    return random.choice((_iso(day), _iso(day), *others))


def _another(random: Random, day: Day) -> Day:
    """Return a day that is easily taken for this one."""
    return random.choice(
        [*(_day(_count(day) + step) for step in (-7, -1, 1, 7)), (day[0] + 1, day[1], min(day[2], 28))]
    )


def _day_of_the_week(random: Random, truth: bool) -> Made:
    day = _random(random)
    right = _weekday(day)
    other = random.choice([(right + 1) % 7, (right + 6) % 7])
    date, good, bad = _shown(random, day), *(_WEEK[each] for each in ((right, other) if truth else (other, right)))
    forms = (
        "{0} is a {1}",
        "{0} falls on {1}.",
        "{0} is not a {2}",
        "weekday of {0} = {1}",
        "the weekday of {0} is {1}",
    )
    return random.choice(forms).format(date, good, bad), {}


def _days_between(random: Random, truth: bool) -> Made:
    one = _random(random)
    apart = random.randint(1, random.choice([10, 400, 30000]))
    two = _day(_count(one) + apart)
    first, second = _shown(random, one), _shown(random, two)
    wrong = 0 if truth else random.choice([-1, 1, 7])
    told = apart + wrong
    rows = [
        f"days between {first} and {second} = {told}",
        f"the number of days between {second} and {first} is {told}",
        f"days from {first} to {second} = {told}",
        f"days between {first} and {second} inclusive = {told + 1}",
        f"{second} - {first} = {told} days",
        f"{first} + {told} days = {second}",
        f"{told} days after {first} is {second}",
        f"{second} - {told} days = {first}",
        f"{told} days before {second} is {first}",
    ]
    if apart % 7 == 0 and not wrong % 7:
        rows.append(f"weeks between {first} and {second} = {told // 7}")
    return random.choice(rows), {}


def _months_and_years_later(random: Random, truth: bool) -> Made:
    day, number = _random(random), random.randint(1, 30)
    unit, months = random.choice([("month", number), ("year", 12 * number)])
    at, given = day[0] * 12 + day[1] - 1 + months, dict[str, object]()
    year, month = at // 12, at % 12 + 1
    result, last = (year, month, day[2]), _length(year, month)
    if day[2] > last:
        given = {"month-end": random.choice(["last", "next"])}
        result = (year, month, last) if "last" in given.values() else _day(_count((year, month, last)) + 1)
    told = result if truth else _another(random, result)
    text = f"{_shown(random, day)} + {number} {unit}{'s' if number > 1 or random.random() < 0.1 else ''}"
    return f"{text} {random.choice(['=', 'is'])} {_shown(random, told)}", given


def _leap_years_and_months(random: Random, truth: bool) -> Made:
    year = random.choice([random.randint(1600, 2400), random.randint(16, 24) * 100])
    leap, month = _is_leap(year), random.randint(1, 12)
    rows = [
        f"{year} is {'' if leap is truth else 'not '}a leap year",
        f"days in February {year} = {29 if leap is truth else 28}",
        f"days in {year} = {366 if leap is truth else 365}",
        f"days in {_MONTHS[month - 1]} {year} = {_length(year, month) + (not truth)}",
        f"last day of February {year} = {year}-02-{28 + leap - (not truth)}",
    ]
    return random.choice(rows), {}


def _parts_of_a_date(random: Random, truth: bool) -> Made:
    day = _random(random)
    date, wrong = _shown(random, day), 0 if truth else random.choice([-1, 1])
    # The ISO week is the week of its Thursday, counted in the year of that Thursday.
    thursday = _day(_count(day) - _weekday(day) + 3)
    week = (_count(thursday) - _count((thursday[0], 1, 1))) // 7 + 1
    at = random.randrange(4)
    weekday = random.randrange(7)
    first = _count((day[0], day[1], 1))
    fits = [each for each in range(first, first + _length(*day[:2])) if (each + 5) % 7 == weekday]
    shown = f"{_WEEK[weekday]} of {_MONTHS[day[1] - 1]} {day[0]} = "
    rows = [
        f"ISO week of {date} = {week + wrong}",
        f"day of year of {date} = {_count(day) - _count((day[0], 1, 1)) + 1 + wrong}",
        f"the day of the year of {date} is {_count(day) - _count((day[0], 1, 1)) + 1 + wrong}",
        f"quarter of {date} = {(day[1] + 2) // 3 + wrong}",
        f"{_ORDINALS[at]} {shown}{_iso(_day(fits[at] + 7 * wrong))}",
        f"last {shown}{_iso(_day(fits[-1] + 7 * wrong))}",
    ]
    if truth:
        rows.append(f"{thursday[0]}-W{week:02}-{_weekday(day) + 1} = {_iso(day)}")
    return random.choice(rows), {}


def _age(random: Random, truth: bool) -> Made:
    born = _random(random, 1900, 2000)
    born = (born[0], born[1], min(born[2], 28))
    anniversary = (born[0] + random.randint(1, 90), born[1], born[2])
    day = _day(_count(anniversary) + random.choice([-1, 0, 1, random.randint(0, 364)]))
    years = day[0] - born[0] - (day[1:] < born[1:])
    told = years if truth else years + random.choice([-1, 1] if years else [1])
    one, two = _shown(random, born), _shown(random, day)
    months = 12 * (day[0] - born[0]) + day[1] - born[1] - (day[2] < born[2]) + told - years
    forms = (
        "age of {0} on {1} = {2}",
        "someone born on {0} is {2} years old on {1}",
        "complete years between {0} and {1} = {2}",
        "complete months between {0} and {1} = {3}",
    )
    return random.choice(forms).format(one, two, told, months), {}


def _order(random: Random, truth: bool) -> Made:
    one = _random(random)
    two = random.choice([one, _another(random, one), _random(random)])
    sign = related(random, Fraction(_count(one)), Fraction(_count(two)), truth)
    words = {"<": "is before", ">": "is after", "<=": "is on or before", ">=": "is on or after", "=": "is"}
    return f"{_shown(random, one)} {random.choice([sign, words.get(sign, sign)])} {_shown(random, two)}", {}


def _intervals(random: Random, truth: bool) -> Made:
    start = _count(_random(random))
    points = [start + random.choice([0, 1, 3, 3, 9, random.randint(0, 40)]) for _ in range(4)]
    (a, b), (c, d) = sorted(points[:2]), sorted(points[2:])
    b, d = b + 1, d + 1
    ends = [random.choice("])") for _ in range(2)]
    left, right = set(range(a, b + (ends[0] == "]"))), set(range(c, d + (ends[1] == "]")))
    one, two = (f"[{_iso(_day(low))}, {_iso(_day(high))}{end}" for low, high, end in ((a, b, ends[0]), (c, d, ends[1])))
    facts = {
        f"{one} overlaps {two}": bool(left & right),
        f"{one} does not overlap {two}": not left & right,
        f"{one} contains {two}": left >= right,
        f"{one} contains {_iso(_day(c))}": c in left,
        f"{one} contains {_iso(_day(d))}": d in left,
        f"{one} is before {two}": max(left) < min(right),
        f"{one} is after {two}": min(left) > max(right),
    }
    return random.choice([text for text, holds in facts.items() if holds is truth]), {}


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
    local = [at + _offset(one, at), at + _offset(two, at) + wrong]
    first, second = map(_time, local)
    if random.random() < 0.4:
        return f"{first} {one} in {two} = {second}", {}
    if random.random() < 0.5:
        end = at + later * 60
        then = _time(end + _offset(one, end) + (0 if truth else random.choice([-60, 60])))
        forms = ("{0} {1} + {2} hours = {3} {1}", "hours between {0} {1} and {3} {1} = {2}")
        return random.choice(forms[: 1 + truth]).format(first, one, later, then), {}
    sign = random.choice(["=", "<=", ">="] if truth else ["=", "<" if wrong < 0 else ">"])
    return f"{first} {one} {sign} {second}{random.choice([' {}', '[{}]']).format(two)}", {}


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
    # With free days at both ends it makes no difference which of them is counted.
    free = [next(each for each in range(low, low + 7) if not works(each)) for low in (start, end)]
    apart, wrong = sum(map(works, range(start, end))), 0 if truth else random.choice([-1, 1, 2])
    first, last = _iso(_day(start)), _shown(random, _day(end))
    day = start + random.randint(0, 20)
    count = sum(map(works, range(*free)))
    rows = [
        f"business days between {_iso(_day(free[0]))} and {_shown(random, _day(free[1]))} = {count + wrong}",
        f"business days between {first} and {last} inclusive = {apart + 1 + wrong}",
        f"business days in [{first}, {_iso(_day(end))}) = {apart + wrong}",
        f"{first} + {apart} business day{'s' if apart > 1 else ''} = {_iso(_day(end + (not truth)))}",
        f"{last} - {apart} working days = {_iso(_day(start - (not truth)))}",
        f"{_iso(_day(day))} is {'' if works(day) is truth else 'not '}a business day",
    ]
    return random.choice(rows), given


FAMILIES: Final = families(
    "dates",
    *(_day_of_the_week, _days_between, _months_and_years_later, _leap_years_and_months, _parts_of_a_date, _age),
    *(_order, _intervals, _zones, _business_days),
)
