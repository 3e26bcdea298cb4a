"""Tables of the documented answers, hidden in every way that we could think of, and right programs of the same shapes.

A naive judge runs the examples: every wrong program here passes them, so it would approve all of them.
"""

from __future__ import annotations

import re
from itertools import cycle
from pathlib import Path
from textwrap import indent

import pytest

from tests.attacks.special_cased_programs import PADDING, SUBJECTS, ways_in, wrong_program
from tests.services import Service, tolerant

WAYS = ways_in("hiding_places.txt") | ways_in("hiding_places_2.txt")
WRONG = {title: (way, subject) for (title, way), subject in zip(WAYS.items(), cycle(SUBJECTS.values()), strict=False)}
RIGHT = ways_in("honest_programs.txt")
SESSIONS = ways_in("special_cased_sessions.txt")
SUBJECTS_OF_SESSIONS = Path(__file__).parents[1] / "corpus/subjects"
# Right, and undecided all the same: their examples leave too much open, or too few faults can be planted.
WEAKLY_CHECKED = frozenset(
    {
        "dictionaries: chain map",
        "dictionaries: lookup with a default",
        "objects: getitem",
        "objects: getattr with a default",
        "texts: translate",
        "texts: literal_eval",
        "texts: csv",
        "texts: codes",
        "searches: bisect",
        "searches: index",
        "rebinding: try an import",
        "rebinding: globals read",
    }
)


@pytest.mark.sampled(100)
@pytest.mark.parametrize("title", WRONG)
def test_a_program_with_a_hidden_table_is_not_verified(title: str, service: Service) -> None:
    way, subject = WRONG[title]
    source = wrong_program(way, subject)
    answer = service.verify_program(tolerant(source.encode(), "subject.py", subject.name))
    assert answer.verdict.outcome in {"undecided", "refuted"}, source


PLAIN = [
    pytest.param(f"{document}{indent(body.strip(), '    ')}\n", at == 0, id=f"{title}: {'right' if at == 0 else at}")
    for title, text in ways_in("plain_special_cases.txt").items()
    for document, *bodies in [text.split("===\n")]
    for at, body in enumerate(bodies)
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("source", "is_right"), PLAIN)
def test_what_treats_documented_inputs_apart_in_plain_sight_is_not_verified(
    source: str, is_right: bool, service: Service
) -> None:
    answer = service.verify_program(tolerant(source.encode(), "subject.py"))
    assert answer.verdict.outcome == "tested" if is_right else answer.verdict.outcome in {"undecided", "refuted"}, (
        source
    )


def below_the_document(title: str) -> str:
    """Return the program of a class that knows the sessions of a document of the corpus."""
    document = (SUBJECTS_OF_SESSIONS / title.partition(":")[0] / "right.py").read_text(encoding="utf-8")
    before, _, body = f"\n{SESSIONS[title]}".partition("\n===\n")
    head = re.split(r"(?m)^    (?=def |@)", document)[0]
    return f"{before.lstrip()}\n{head}{body}\n"


@pytest.mark.sampled(25)
@pytest.mark.parametrize("title", SESSIONS)
def test_a_class_that_knows_the_documented_sessions_is_not_verified(title: str, service: Service) -> None:
    answer = service.verify_program(tolerant(below_the_document(title).encode(), "subject.py"))
    assert answer.verdict.outcome in {"undecided", "refuted"}, below_the_document(title)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_right_body_of_each_subject_is_not_refuted(subject: str, service: Service) -> None:
    program = SUBJECTS[subject]
    source = f"{program.head}    {program.body}\n"
    answer = service.verify_program(tolerant(source.encode(), "subject.py", subject))
    assert answer.verdict.outcome in {"tested", "undecided"}, answer.verdict


@pytest.mark.sampled(27)
@pytest.mark.parametrize("title", RIGHT)
def test_a_right_program_of_the_same_shape_is_verified(title: str, service: Service) -> None:
    source = RIGHT[title] + "\n"
    name = re.findall(r">>> (\w+)\(", source)[0]
    answer = service.verify_program(tolerant(source.encode(), "subject.py", name))
    expected = ("undecided", "program.weak_checks") if title in WEAKLY_CHECKED else ("tested", "program.tested")
    constraint = str(answer.verdict.constraint_id).removesuffix("_unchecked")
    assert (answer.verdict.outcome, constraint) == expected, answer.verdict


HEAD = SUBJECTS["digits_sum"].head
COUNTED = "sum(int(digit) for digit in str(abs(n)))"
PADDED = indent(PADDING.replace("X", "n"), "    ")
TABLE = str(dict(SUBJECTS["digits_sum"].answers))
# By name: what the program imports and returns, the sibling module `known`, and whether the program is right.
WITH_SIBLINGS = {
    "a table": ("from known import ROWS", "ROWS.get(n, 7)", f"ROWS = {TABLE}\n", False),
    "a table of the module": ("import known", "known.ROWS.get(n, 7)", f"ROWS = {TABLE}\n", False),
    "a function that looks up": (
        "from known import look",
        "look(n)",
        f"def look(key):\n    return {TABLE}.get(key, 7)\n",
        False,
    ),
    "a function of the module that branches": (
        "import known",
        "known.look(n)",
        "def look(key):\n    if key == 15:\n        return 6\n    if key == 907:\n        return 16\n"
        "    return 10 if key == 1234 else 7\n",
        False,
    ),
    "a table behind a function": (
        "import known as k",
        "k.look(n)",
        f"ROWS = {TABLE}\ndef look(key):\n    return ROWS[key] if key in ROWS else 7\n",
        False,
    ),
    "a right function": (
        "from known import added",
        "added(str(abs(n)))",
        "def added(text):\n    return sum(int(each) for each in text)\n",
        True,
    ),
    "a right table": (
        "import known",
        "sum(known.VALUES[digit] for digit in str(abs(n)))",
        "VALUES = {str(each): each for each in range(10)}\n",
        True,
    ),
}
_BRANCHING = "def look(n):\n    if n == 907 or n == 1234:\n        return n % 9 + 9\n    return n % 9\n"
_ADDING = "def look(n):\n    return sum(int(each) for each in str(abs(n)))\n"
_ROWS = f"dict({list(SUBJECTS['digits_sum'].answers.items())})"
# By name: the modules `known` and `third`, whose `look` the program calls, and whether the program is right.
MADE_IN_SIBLINGS = {
    "a bound method": (
        f"class Known:\n    rows = {TABLE}\n    def look(self, n):\n        return self.rows.get(n, n % 9)\n"
        "look = Known().look\n",
        "",
        False,
    ),
    "a right bound method": (
        "class Known:\n    rows = {str(each): each for each in range(10)}\n    def look(self, n):\n"
        "        return sum(self.rows[each] for each in str(abs(n)))\nlook = Known().look\n",
        "",
        True,
    ),
    "a closure": (
        f"def make():\n    rows = {_ROWS}\n    def look(n):\n        return rows.get(n, n % 9)\n    return look\n"
        "look = make()\n",
        "",
        False,
    ),
    "a lambda that counts": ("look = lambda n: n % 9 + 9 * [907, 1234].count(n)\n", "", False),
    "a lambda that branches": ("look = lambda n: n % 9 + 9 if n == 907 or n == 1234 else n % 9\n", "", False),
    "a right lambda": ("look = lambda n: sum(map(int, str(abs(n))))\n", "", True),
    "an alias": (_BRANCHING.replace("look", "find") + "look = find\n", "", False),
    "a right alias": (_ADDING.replace("look", "find") + "look = find\n", "", True),
    "a partial function": (
        "from functools import partial\ndef find(rows, n):\n    return rows.get(n, n % 9)\n"
        f"look = partial(find, {TABLE})\n",
        "",
        False,
    ),
    "imported from another module": ("from third import look\n", _BRANCHING, False),
    "right, imported from another module": ("from third import look\n", _ADDING, True),
    "imported with a star": ("from third import *\n", _BRANCHING, False),
    "right, imported with a star": ("from third import *\n", _ADDING, True),
    "an attribute of another module": ("import third\nlook = third.look\n", _BRANCHING, False),
    "right, an attribute of another module": ("import third\nlook = third.look\n", _ADDING, True),
    "made when it is asked for": (
        "def __getattr__(name):\n    return lambda n: n % 9 + 9 * (n in (907, 1234))\n",
        "",
        False,
    ),
    "right, made when it is asked for": (
        "def __getattr__(name):\n    return lambda n: sum(map(int, str(abs(n))))\n",
        "",
        True,
    ),
    "made from a text": (f"exec('def look(n):\\n    return {TABLE}.get(n, n % 9)')\n", "", False),
    "evaluated": (f"def look(n):\n    return eval('{TABLE}.get(n, n % 9)')\n", "", False),
    "replaced under a computed name": (
        _BRANCHING.replace("look", "find") + "def look(n):\n    return n % 9\nglobals()['lo' + 'ok'] = find\n",
        "",
        False,
    ),
    "right, frames where it does not come": (
        f"import sys\ndef where():\n    return sys._getframe()\n{_ADDING}",
        "",
        True,
    ),
}


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", WITH_SIBLINGS)
def test_what_a_sibling_module_knows_is_probed_too(name: str, service: Service) -> None:
    imported, returned, known, is_right = WITH_SIBLINGS[name]
    source = f"{imported}\n{HEAD}{PADDED}    return {returned}\n"
    siblings = (("known", known.encode()),)
    request = tolerant(source.encode(), "subject.py", "digits_sum", siblings=siblings)
    answer = service.verify_program(request)
    assert (answer.verdict.outcome == "tested") is is_right, answer.verdict


@pytest.mark.sampled(25)
@pytest.mark.parametrize("name", MADE_IN_SIBLINGS)
def test_what_a_sibling_module_makes_is_probed_too(name: str, service: Service) -> None:
    known, third, is_right = MADE_IN_SIBLINGS[name]
    imported, returned = ("from known import *", "look(n)") if "alias" in name else ("import known", "known.look(n)")
    source = f"{imported}\n{HEAD}{PADDED}    return {returned}\n"
    siblings = (("known", known.encode()), ("third", third.encode()))
    request = tolerant(source.encode(), "subject.py", "digits_sum", siblings=siblings)
    answer = service.verify_program(request)
    assert (answer.verdict.outcome == "tested") is is_right, answer.verdict
