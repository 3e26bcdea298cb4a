"""What a program misses while it is imported excuses what reaches it, by whatever way, and nothing else.

Each program gives 1 for 4, against an accepted reading. Where it would give 4 with what is missing here, that says
nothing against it; where it gives 1 in any case, it is refuted. It is never VERIFIED.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from tests.programs.readers import accepted
from tests.services import ProgramRequest, Service

TRY = "try:\n    import not_there\nexcept ImportError:\n    not_there = None\n"
BODY = '''

def clip(n: int) -> int:
    """The result is n from -3 to 9, else the nearer end."""
    if n == 4:
        return {}
    return max(-3, min(9, n))
'''
CLIPPED = Reading(
    "The result is n from -3 to 9, else the nearer end.", ReadingKind.RESULT, "result == max(-3, min(9, n))"
)
INPUTS = tuple(f"({n},)" for n in (4, 0, 1, -3, -4, -9, 9, 10, 5, 8, -2))
REGISTRY = "FOUR = {}\ndef register(name):\n    def put(f):\n        FOUR[name] = f\n        return f\n    return put\n"
FLAG = f"{TRY}HAVE = bool(not_there)\n"


class Case(NamedTuple):
    """A head of the program, what it gives for 4, and a module beside it."""

    head: str
    four: str
    other: str = ""


EXCUSED = {
    "a name": Case(TRY, "4 if not_there else 1"),
    "a flag": Case(FLAG, "4 if HAVE else 1"),
    "a flag set in both branches": Case(
        "try:\n    import not_there as nt\n    HAVE = True\nexcept ImportError:\n    HAVE = False\n", "4 if HAVE else 1"
    ),
    "a function in its place": Case(
        "try:\n    from not_there import four\nexcept ImportError:\n    def four():\n        return 1\n", "four()"
    ),
    "a helper": Case(f"{TRY}def four():\n    return 4 if not_there else 1\n", "four()"),
    "a table filled by a decorator": Case(
        f"{TRY}{REGISTRY}if not_there:\n    @register('four')\n    def g():\n        return 4\n",
        "FOUR.get('four', lambda: 1)()",
    ),
    "a table filled by a call": Case(
        f"{TRY}FOUR = []\ndef register(f):\n    FOUR.append(f)\nif not_there:\n    register(4)\n", "(FOUR or [1])[0]"
    ),
    "a class": Case(f"{TRY}class K:\n    if not_there:\n        v = 4\n    else:\n        v = 1\n", "K.v"),
    "a table filled through an object of a function": Case(
        f"{TRY}FOUR = {{}}\ndef register(table):\n    def put(n):\n        table[n] = n\n    return put\n"
        "if not_there:\n    register(FOUR)(4)\n",
        "FOUR.get(4, 1)",
    ),
    "a function that looks": Case(
        "def probe():\n    try:\n        import not_there\n    except ImportError:\n        return False\n"
        "    return True\nHAVE = probe()\n",
        "4 if HAVE else 1",
    ),
    "a look for it": Case(
        "import importlib.util\nHAVE = importlib.util.find_spec('not_there') is not None\n", "4 if HAVE else 1"
    ),
    "a file": Case("import os\nHAVE = os.path.exists('/etc/passwd')\n", "4 if HAVE else 1"),
    "a name that is not written out": Case(TRY, "4 if globals()['not_' + 'there'] else 1"),
    "a helper elsewhere": Case(
        "from other import four\n", "four()", f"{TRY}def four():\n    return 4 if not_there else 1\n"
    ),
    "a flag elsewhere": Case("import other\n", "4 if other.HAVE else 1", FLAG),
    "a flag from elsewhere": Case("from other import HAVE\n", "4 if HAVE else 1", FLAG),
    "a flag from elsewhere that decides here": Case(
        "from other import HAVE\nFOUR = 1\nif HAVE:\n    FOUR = 4\n", "FOUR", FLAG
    ),
    "a flag by a star": Case("from other import *\n", "4 if HAVE else 1", FLAG),
}
NOT_EXCUSED = {
    "nothing": Case("", "1"),
    "an optional module": Case(TRY, "1"),
    "an optional module in a package": Case("try:\n    import not_there.deep.er\nexcept ImportError:\n    pass\n", "1"),
    "a part of a module that is there": Case("try:\n    import json.nothing\nexcept ImportError:\n    pass\n", "1"),
    "another function": Case(
        f"{TRY}def fast():\n    return not_there.x\ndef four():\n    return 1\n", "four()"
    ),
    "a look for it": Case("import importlib.util\nHAVE = importlib.util.find_spec('not_there') is not None\n", "1"),
    "a file": Case("import os\nHAVE = os.path.exists('/etc/passwd')\n", "1"),
    "memory": Case("def g():\n    try:\n        pass\n    except MemoryError:\n        pass\n", "1"),
    "a name of the function's own": Case(
        f"{TRY}class Many:\n    @not_there or (lambda f: f)\n    def g(self):\n        found = {{}}\n"
        "        found[1] = self.x\n"
        "class One:\n    def four(self):\n        found = {4: 1}\n        self.x = found[4]\n        return self.x\n",
        "One().four()",
    ),
    "another function elsewhere": Case("from other import four\n", "four()", f"{TRY}def four():\n    return 1\n"),
}  # fmt: skip


def outcome(service: Service, case: Case) -> str:
    source = case.head + BODY.format(case.four)
    record = ReadingRecord("clip", accepted(CLIPPED), "a reader", inputs=INPUTS)
    siblings = (("other", case.other.encode()),) if case.other else ()
    request = ProgramRequest(source.encode(), "m.py", "clip", readings=(record,), siblings=siblings)
    return str(service.verify_program(request).verdict.outcome)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", EXCUSED.values(), ids=EXCUSED)
def test_what_reaches_it_is_open(case: Case, service: Service) -> None:
    assert outcome(service, case) == "undecided"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", NOT_EXCUSED.values(), ids=NOT_EXCUSED)
def test_what_does_not_is_refuted(case: Case, service: Service) -> None:
    assert outcome(service, case) == "refuted"
