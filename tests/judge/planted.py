"""Makes answers from sources and plants one false detail in each; shares no code with what has to find it.

A source is a few paragraphs of templates of many fields, or documentation installed with Python. The answer says
parts of it in other words, order and formats: of numbers, dates, titles of people, and quotations.
"""

from __future__ import annotations

import calendar
import inspect
import json
import random
import re
import statistics
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from importlib import metadata

PEOPLE = [
    "Ada Lovelace",
    "Alan Turing",
    "Grace Hopper",
    "Emmy Noether",
    "Carl Gauss",
    "Sofia Kovalevskaya",
    "Leonhard Euler",
    "Mary Somerville",
    "Henri Poincaré",
    "Srinivasa Ramanujan",
    "Katherine Johnson",
    "Kurt Gödel",
    "Alonzo Church",
    "John Backus",
    "Barbara Liskov",
    "Edsger Dijkstra",
    "Donald Knuth",
    "Tony Hoare",
    "Robin Milner",
    "Niklaus Wirth",
    "Frances Allen",
    "Hedy Lamarr",
    "Maria Agnesi",
]
BODIES = [
    "Lisbon Water Board",
    "Oslo Transit Authority",
    "Ghent Medical Centre",
    "Turin Robotics",
    "Porto Steelworks",
    "Kyoto Optical",
    "Bremen Shipyard",
    "Quito Airlines",
    "Dakar Mining",
    "Tallinn Software",
    "Galway Fisheries",
    "Lyon Textiles",
    "Utrecht Rail",
    "Malmo Foods",
]
PLACES = [
    "Lisbon",
    "Oslo",
    "Ghent",
    "Turin",
    "Porto",
    "Kyoto",
    "Bremen",
    "Quito",
    "Dakar",
    "Tallinn",
    "Galway",
    "Lyon",
    "Utrecht",
    "Malmo",
    "Cork",
    "Graz",
]
PRODUCTS = [
    "Larkspur",
    "Quillbase",
    "Ferrite",
    "Marlin",
    "Tessera",
    "Copperleaf",
    "Hearthstone",
    "Driftnet",
    "Sundial",
    "Waxwing",
]
SAYINGS = (
    "the river will not wait for another committee to finish its work",
    "every engineer here knew that the old bridge could not carry trams",
    "we measured the same loss in each of the northern reservoirs",
    "nobody asked for a faster engine until the slow one broke",
    "our patients recover sooner when the windows face the garden",
    "a small library with honest tests is worth more than a large one",
    "this harvest was smaller than any that my family remembers",
    "the new timetable gives the islands their first night ferry",
)
WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@dataclass(frozen=True, slots=True)
class Planted:
    """An answer with one false detail, its true twin, and the sources; the span is that of the false detail."""

    sources: tuple[str, ...]
    answer: str
    twin: str
    kind: str
    start: int
    end: int
    true: str


@dataclass(frozen=True, slots=True)
class Slot:
    """One value: its forms in a source, its forms in an answer, and false forms of it."""

    kind: str
    given: tuple[str, ...]
    told: tuple[str, ...]
    false: tuple[str, ...]


def _count(rng: random.Random) -> Slot:
    number = rng.choice([rng.randint(3, 12), rng.randint(13, 99), rng.randint(101, 999), rng.randint(1_001, 98_765)])
    forms = [f"{number:,}", str(number)] if number < 1_500 or number > 2_200 else [f"{number:,}"]
    told = [*forms, WORDS[number]] if number < 13 else forms
    others = {number + rng.choice([1, 2, 3, -1, -2]), number * 10, number + max(7, number // 3), int(str(number)[::-1])}
    false = [f"{each:,}" for each in sorted(others) if each > 2 and each != number]
    return Slot("number", tuple(told), tuple(told), tuple(false))


def _percent(rng: random.Random) -> Slot:
    number = rng.choice([rng.randint(2, 98), rng.randint(21, 989) / 10])
    false = [
        each for each in {round(number + 4.5, 1), round(number * 2, 1), round(number / 2 + 9, 1)} if each != number
    ]
    forms = (f"{number}%", f"{number} percent", f"{number} per cent")
    return Slot("number", forms, forms, tuple(f"{each:g}%" for each in sorted(false)))


def _money(rng: random.Random) -> Slot:
    tenths = rng.randint(11, 949)
    sign = rng.choice(["$", "€", "£"])
    forms = (f"{sign}{tenths / 10:g} million", f"{sign}{tenths * 100_000:,}")
    false = {tenths + 7, tenths + 130, tenths * 10} - {tenths}
    return Slot("number", forms, forms, tuple(f"{sign}{each / 10:g} million" for each in sorted(false)))


def _length(rng: random.Random) -> Slot:
    metres = rng.randint(12, 480) * 100
    forms = (f"{metres / 1000:g} km", f"{metres:,} m", f"{metres / 1000:g} kilometres", f"{metres:,} metres")
    false = [f"{each / 1000:g} km" for each in (metres + 1_700, metres * 2, metres + 300)]
    return Slot("number", forms, forms, tuple(false))


def _day(rng: random.Random) -> Slot:
    day = date(rng.randint(1951, 2024), rng.randint(1, 12), rng.randint(1, 28))
    false = [day + timedelta(days=each) for each in (2, 33, 64, 366, -731)]
    return Slot(
        "date", _forms(day), (*_forms(day), f"{calendar.month_name[day.month]} {day.year}"), tuple(map(_spelled, false))
    )


def _spelled(day: date) -> str:
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"


def _forms(day: date) -> tuple[str, ...]:
    month = calendar.month_name[day.month]
    ending = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(day.day, "th")
    return (
        _spelled(day),
        f"{month} {day.day}, {day.year}",
        day.isoformat(),
        f"{day.day}{ending} of {month} {day.year}",
    )


def _year(rng: random.Random) -> Slot:
    year = rng.randint(1820, 2023)
    others = (year + rng.choice([1, -1, 2]), year + 10, year - 37)
    return Slot("date", (str(year),), (str(year),), tuple(map(str, others)))


def _version(rng: random.Random) -> Slot:
    one, two, three = rng.randint(0, 9), rng.randint(0, 30), rng.randint(1, 19)
    said = f"{one}.{two}.{three}"
    false = (f"{one}.{two}.{three + 1}", f"{one}.{two + 1}.{three}", f"{one + 1}.{two}.{three}")
    return Slot("version", (said, f"v{said}"), (said, f"v{said}", f"version {said}"), false)


def _person(rng: random.Random) -> Slot:
    name, other = rng.sample(PEOPLE, 2)
    last, title = name.split()[-1], rng.choice(["Dr.", "Professor", "Ms.", "Mr."])
    first_alone = f"{other.split()[0]} {last}"
    false = (other, other.split()[-1], f"Dr. {other.split()[-1]}", first_alone)
    return Slot("name", (name, f"{title} {name}", f"Dr. {name}"), (name, last, f"Dr. {last}", f"{title} {name}"), false)


def _of(names: Sequence[str]) -> Callable[[random.Random], Slot]:
    def slot(rng: random.Random) -> Slot:
        name, other = rng.sample(list(names), 2)
        return Slot("name", (name,), (name,), (other,))

    return slot


def _saying(rng: random.Random) -> Slot:
    said = rng.choice(SAYINGS)
    words = said.split()
    large = said[0].upper() + said[1:]
    middle = rng.choice([each for each in range(3, len(words) - 3) if words[each] != "not"])
    begin = 0 if words[0] == "nobody" else 2
    gap = " ".join([*words[:middle], "…", *words[middle + 1 :]])
    told = (f'"{large}"', f"“{said}”", f"“{gap}”", f'"{said}"', f"“{' '.join(words[begin:])}”")
    place = rng.randint(2, len(words) - 1)
    other = rng.choice(["always", "mountain", "profits", "never", "government", "cheaper"])
    false = (
        " ".join([*words[:place], other, *words[place + 1 :]]),
        " ".join([*words[: place - 1], "not", *words[place - 1 :]]),
    )
    return Slot("quotation", (f'"{large}"', f"“{large}”"), told, tuple(f'"{each}"' for each in false))


# Each field: its slots, and for each fact how a source says it and how an answer does.
FIELDS: tuple[
    tuple[dict[str, Callable[[random.Random], Slot]], tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]], ...
] = (
    (
        {"b": _of(BODIES), "y": _year, "n": _count, "m": _money, "p": _person, "g": _percent},
        (
            (
                ("{b} was founded in {y}.", "Founded in {y}, {b} is one of the oldest firms of its region."),
                (
                    "The company {b} dates from {y}.",
                    "{b} has existed since {y}.",
                    "It was in {y} that {b} was founded.",
                ),
            ),
            (
                ("The firm employs {n} people.", "It has a staff of {n} employees."),
                ("It employs {n} people.", "Its staff numbers {n}.", "{n} people work there."),
            ),
            (
                ("Annual revenue reached {m}.", "Revenue came to {m} last year."),
                ("Its revenue was {m}.", "With revenue of {m}, the firm did well.", "The firm took in {m}."),
            ),
            (
                ("Its chief executive is {p}.", "{p} has led the firm as chief executive."),
                ("The chief executive is {p}.", "It is led by {p}.", "{p} runs the firm."),
            ),
            (
                ("Exports account for {g} of sales.",),
                ("Exports make up {g} of its sales.", "{g} of what it sells is exported."),
            ),
        ),
    ),
    (
        {"x": _of(PRODUCTS), "v": _version, "d": _day, "n": _count, "p": _person, "w": _version},
        (
            (
                ("{x} {v} was released on {d}.", "Release {v} of {x} came out on {d}."),
                ("{x} {v} came out on {d}.", "On {d}, {x} {v} was published.", "The release of {x} {v} is dated {d}."),
            ),
            (("The release closes {n} reported defects.",), ("It closes {n} defects.", "{n} defects were closed.")),
            (("The maintainer of the project is {p}.",), ("{p} maintains it.", "The project is maintained by {p}.")),
            (
                ("Versions before {w} are affected by the flaw.", "All versions prior to {w} are vulnerable."),
                (
                    "Releases before {w} are affected.",
                    "The flaw affects versions prior to {w}.",
                    "Users of anything older than {w} should upgrade.",
                ),
            ),
        ),
    ),
    (
        {"c": _of(PLACES), "n": _count, "l": _length, "y": _year, "p": _person, "q": _saying},
        (
            (
                ("The bridge in {c} is {l} long.", "At {l}, the bridge of {c} is the longest in the district."),
                ("The bridge in {c} measures {l}.", "{c} has a bridge of {l}.", "Its length is {l}."),
            ),
            (
                ("It was opened in {y}.", "The mayor opened it in {y}."),
                ("It opened in {y}.", "Since {y} it has been open to traffic."),
            ),
            (
                ("About {n} vehicles cross it every day.", "Every day {n} vehicles cross it."),
                ("{n} vehicles cross it daily.", "Daily traffic comes to {n} vehicles."),
            ),
            (("The architect was {p}.", "{p} designed it."), ("{p} designed the bridge.", "It is the work of {p}.")),
            (
                ("In a speech the engineer said: {q}.",),
                ("The engineer said {q}.", "In the words of the engineer, {q}."),
            ),
        ),
    ),
    (
        {"b": _of(BODIES), "n": _count, "g": _percent, "h": _percent, "d": _day, "p": _person, "k": _count},
        (
            (
                ("The trial at {b} enrolled {n} patients.", "{n} patients were enrolled in the trial at {b}."),
                ("{b} enrolled {n} patients in its trial.", "The trial had {n} patients."),
            ),
            (
                ("Symptoms improved in {g} of the treated group.",),
                ("{g} of those treated improved.", "The treated group improved in {g} of cases."),
            ),
            (
                ("In the control group, {h} improved.",),
                ("Of the controls, {h} improved.", "The control group improved in {h} of cases."),
            ),
            (("The results were published on {d}.",), ("Publication followed on {d}.", "On {d} the results appeared.")),
            (
                ("The study was led by {p}.", "Principal investigator was {p}."),
                ("{p} led the study.", "The investigator was {p}."),
            ),
            (
                ("There were {k} serious adverse events.",),
                ("{k} serious adverse events occurred.", "It recorded {k} serious adverse events."),
            ),
        ),
    ),
    (
        {"c": _of(PLACES), "o": _of(BODIES), "n": _count, "d": _day, "m": _money, "q": _saying, "p": _person},
        (
            (
                ("The council of {c} voted on {d} to buy {n} electric buses.",),
                (
                    "On {d} the council of {c} decided to buy {n} electric buses.",
                    "{c} is buying {n} electric buses after a vote on {d}.",
                ),
            ),
            (
                ("The contract with {o} is worth {m}.", "{o} won the contract, worth {m}."),
                ("{o} receives {m} under the contract.", "The contract, worth {m}, went to {o}."),
            ),
            (("Councillor {p} said, {q}.", "{q}, said councillor {p}."), ("{p} said {q}.", "As {p} put it, {q}.")),
        ),
    ),
    (
        {"n": _count, "l": _length, "c": _of(PLACES), "y": _year, "z": _year, "g": _percent},
        (
            (
                ("The railway from the coast to {c} is {l} long.",),
                ("The line to {c} runs for {l}.", "Its length is {l}."),
            ),
            (
                ("Work on it began in {y} and ended in {z}.",),
                ("Work began in {y}.", "Construction ended in {z}.", "It was built from {y} to {z}."),
            ),
            (("The line has {n} stations.",), ("There are {n} stations on the line.", "It serves {n} stations.")),
            (("Punctuality stands at {g}.",), ("{g} of trains are on time.", "Its punctuality is {g}.")),
        ),
    ),
)


def planted(number: int, seed: int = 1, *, near: bool = False) -> list[Planted]:
    """Return so many answers, each with one false detail; a near one is true of something else in the sources."""
    rng = random.Random(seed)
    documents = _documents()
    return [
        _of_documents(rng, documents) if index % 5 == 4 else _of_templates(rng, near=near) for index in range(number)
    ]


def _of_templates(rng: random.Random, *, near: bool) -> Planted:
    kinds, facts = rng.choice(FIELDS)
    slots = {name: make(rng) for name, make in kinds.items()}
    extra_kinds, extra_facts = rng.choice(FIELDS)
    extra = {name: make(rng) for name, make in extra_kinds.items()}
    given = [_filled(rng.choice(said), slots, rng, told=False)[0] for said, _ in facts]
    second = " ".join(_filled(rng.choice(said), extra, rng, told=False)[0] for said, _ in extra_facts)
    has_second = rng.random() < 0.5
    sources = (" ".join(given), second) if has_second else (" ".join(given),)
    chosen = rng.sample(facts, rng.randint(2, len(facts)))
    forms = [rng.choice(told) for _, told in chosen]
    state = rng.random()
    twin, places = _answer(forms, slots, random.Random(state), {})
    known = " ".join(sources).casefold()
    untrue = {name: [each for each in slots[name].false if not _is_known(each, known)] for name, _, _ in places}
    name, _, _ = rng.choice([each for each in places if untrue[each[0]]])
    others = [
        rng.choice(each.told)
        for made, values in ((kinds, slots), (extra_kinds, extra if has_second else {}))
        for other, each in values.items()
        if made[other] is kinds[name] and not set(each.told) & set(slots[name].told)
    ]
    wrong = rng.choice(others if near and others else untrue[name])
    answer, places = _answer(forms, slots, random.Random(state), {name: wrong})
    start, end = next((start, end) for each, start, end in places if each == name)
    kind = f"{slots[name].kind} of something else" if near and others else slots[name].kind
    return Planted(sources, answer, twin, kind, start, end, slots[name].given[0])


def _is_known(value: str, known: str) -> bool:
    """Return whether a value, or the last name of somebody, stands in the sources."""
    return value.strip('"').casefold() in known or value.rsplit(maxsplit=1)[-1].strip('"').casefold() in known.split()


def _answer(
    forms: Sequence[str], slots: dict[str, Slot], rng: random.Random, instead: dict[str, str]
) -> tuple[str, list[tuple[str, int, int]]]:
    text, places = "", list[tuple[str, int, int]]()
    glue = rng.choice([" ", " ", "\n", "\n- "])
    text = "- " if glue == "\n- " else rng.choice(["", "", "Here is what the sources say:\n\n", "Summary\n\n"])
    for place, form in enumerate(forms):
        said, found = _filled(form, slots, rng, told=True, instead=instead)
        text += glue if place else ""
        places += [(name, start + len(text), end + len(text)) for name, start, end in found]
        text += said
    return text, places


def _filled(
    form: str, slots: dict[str, Slot], rng: random.Random, *, told: bool, instead: dict[str, str] | None = None
) -> tuple[str, list[tuple[str, int, int]]]:
    text, places = "", list[tuple[str, int, int]]()
    for literal, name in re.findall(r"([^{}]*)(?:\{(\w)\})?", form):
        text += literal
        if name:
            said = rng.choice(slots[name].told if told else slots[name].given)
            said = (instead or {}).get(name, said)
            said = said[0].upper() + said[1:] if not text else said
            places.append((name, len(text), len(text) + len(said)))
            text += said
    return text, places


def _documents() -> list[str]:
    modules = (statistics, calendar, json, random, re, textwrap, inspect)
    texts = [
        inspect.getdoc(each) or "" for module in modules for _, each in sorted(vars(module).items()) if callable(each)
    ]
    for name in ("hypothesis", "pytest", "ruff", "mypy", "typer", "jsonschema", "sympy", "pydantic"):
        try:
            texts.append(str(metadata.metadata(name).get_payload()))
        except metadata.PackageNotFoundError:
            continue
    return [text for text in texts if len(_sentences(text)) > 2]


def _sentences(text: str) -> list[str]:
    plain = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    found = re.findall(r"(?<=[.\n] )[A-Z][a-z][^.!?\n]{30,200}\.(?=\s)", " ".join(plain.split()))
    return [each for each in found if re.search(r"(?<![\w.,-])[1-9][0-9]{0,4}(?![\w.,%-])", each) and "`" not in each]


def _of_documents(rng: random.Random, documents: Sequence[str]) -> Planted:
    text = rng.choice(documents)
    sentences = rng.sample(_sentences(text), 2)
    match = rng.choice([*re.finditer(r"(?<![\w.,-])[1-9][0-9]{0,4}(?![\w.,%-])", sentences[0])])
    known = set(re.findall("[0-9]+", text))
    wrong = next(str(each) for each in iter(lambda: int(match[0]) + rng.randint(2, 60), 0) if str(each) not in known)
    before = f"{sentences[1]} " if rng.random() < 0.5 else ""
    after = "" if before else f" {sentences[1]}"
    first = sentences[0]
    answer = f"{before}{first[: match.start()]}{wrong}{first[match.end() :]}{after}"
    start = len(before) + match.start()
    return Planted((text,), answer, f"{before}{first}{after}", "number", start, start + len(wrong), match[0])
