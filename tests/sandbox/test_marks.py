"""What a program can see of us by name: in a plain process, in a made-up world, and where it is called otherwise."""

from __future__ import annotations

import json

import pytest

from probatum.core.limits import JobLimits
from probatum.sandbox import Program, Returned, Sandbox

_HEAD = "import io, os, random, sys, time\nOURS = ('probatum', 'Watched', 'NobodyFinds', 'Capped', 'Circumstances')\n"
_ALL = (
    "def below(kind):\n    return [each for one in type.__subclasses__(kind) if one is not type"
    " for each in (one, *below(one))]\n"
)
_SEEN = (
    "def seen():\n    found = [{}]\n    return sorted({{text for text in found for each in OURS if each in text}})\n"
)
MARKS = {
    "the type of a function of the system": "repr(type(os.stat)) + type(os.stat).__module__",
    "a function of the system": "repr(os.stat) + os.stat.__name__ + str(os.stat.__module__)",
    "what standard output is": "repr(type(sys.stdout.buffer)) + repr(sys.stdout.buffer)",
    "classes of everything": "repr(each) + each.__module__ + each.__qualname__ for each in object.__subclasses__()",
    "classes below them": "repr(each) for each in below(object) if not issubclass(each, BaseException)",
    "modules": "each for each in sys.modules",
    "what finds modules": "repr(each) + repr(type(each)) for each in sys.meta_path",
    "functions of the library": (
        "str(getattr(each, '__module__', '')) + str(getattr(each, '__qualname__', ''))"
        " for module in (io, os, random, sys, time) for each in vars(module).values() if callable(each)"
    ),
}
_AROUND = {"names": [], "value": "37", "place": False, "zone": True, "listing": True}
WORLDS = {
    "here": "[]",
    "in a known world": json.dumps([["pin", {"moment": 10**18, "step": 1, "seed": 1, "around": _AROUND}]]),
    "called elsewhere": json.dumps([["called", {"names": ["thread", "error", "main"]}]]),
}


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("mark", MARKS)
def test_no_name_of_ours_is_seen(mark: str, world: str) -> None:
    shown = MARKS[mark] if " for " in MARKS[mark] else f"each for each in [{MARKS[mark]}]"
    program = Program((_HEAD + _ALL + _SEEN.format(shown)).encode(), world=WORLDS[world])
    with Sandbox.open() as sandbox, sandbox.candidate(program, JobLimits()) as candidate:
        candidate.load()
        reply = candidate.call("seen", (), {})
    assert isinstance(reply, Returned)
    assert reply.value == []


def test_functions_that_stand_in_have_the_names_of_what_they_stand_for() -> None:
    text = (
        "import os, time\ndef seen():\n    return [time.time.__name__, os.stat.__qualname__, os.listdir.__module__]\n"
    )
    with (
        Sandbox.open() as sandbox,
        sandbox.candidate(Program(text.encode(), world=WORLDS["in a known world"]), JobLimits()) as candidate,
    ):
        candidate.load()
        reply = candidate.call("seen", (), {})
    assert isinstance(reply, Returned)
    assert reply.value == ["time", "stat", "posix"]
