"""What a program uses is resolved where nothing runs it: a sure mistake is found, and nothing that may be right."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from probatum.core.decision import Decision
from probatum.core.shape import Shape
from probatum.kinds.program.observed import VerifiedFunction
from probatum.programs.loading import read_source
from probatum.programs.perspectives.fits import told_of, wrong_uses
from probatum.programs.perspectives.uses import uses_of
from probatum.programs.perspectives.versions import narrowed, removed
from probatum.programs.rejudge import decide_again
from probatum.programs.running.execute import Benches
from probatum.programs.source import Source
from probatum.sandbox import Program
from tests.services import Level, ProgramRequest, Service

HEAD = """
from __future__ import annotations
import contextlib, enum, functools, inspect, json, logging, math, os, re, sys, textwrap, types, xml
from collections import namedtuple
from dataclasses import dataclass
from typing import TYPE_CHECKING
try:
    import fast
except ImportError:
    fast = None
WINDOWS = sys.platform == "win32"
LIMIT = 3
WORD = re.compile("a+")
Pair = namedtuple("Pair", "first second")
def two(a, b=1, *, deep=False): return a
@functools.wraps(two)
def wrapped(*args, **kwargs): return two(*args, **kwargs)
@functools.lru_cache
def cached(a): return a
class Colour(enum.Enum):
    RED = 1
class Broken(Exception):
    pass
class Empty:
    pass
@dataclass
class Point:
    x: int
    y: int = 0
class Shape:
    sides: int
    def grow(self, by): return by
    def hook(self): raise NotImplementedError
    @classmethod
    def unit(cls, size): return size
    @staticmethod
    def plain(a): return a
class Square(Shape):
    def hook(self, by=1): return by
class Meta(type):
    def __call__(cls, *args): return args
class Made(metaclass=Meta):
    pass
"""
WRONG = {
    "a name that nothing binds": ("if n: raise ValueErorr(n)", "name 'ValueErorr' is not defined"),
    "a misspelled function": ("return math.sqroot(n)", "module 'math' has no attribute 'sqroot'"),
    "a misspelled submodule": ("return os.pth.join('a')", "module 'os' has no attribute 'pth'"),
    "an attribute of a submodule": ("return os.path.joined('a')", "has no attribute 'joined'"),
    "an import in a function": ("from json import lods", "module 'json' has no attribute 'lods'"),
    "a module that a function imports": ("import string\n    return string.lowercase", "has no attribute 'lowercase'"),
    "too few arguments": ("return two()", "missing a required argument: 'a'"),
    "too many arguments": ("return two(1, 2, 3)", "too many positional arguments"),
    "an argument of another name": ("return two(1, dep=True)", "unexpected keyword argument 'dep'"),
    "an argument twice": ("return two(1, a=2)", "multiple values for argument 'a'"),
    "a function of Python's library": ("return textwrap.shorten('a')", "missing a required argument: 'width'"),
    "a function of Python's own": ("return sorted(n, kee=len)", "unexpected keyword argument 'kee'"),
    "a function of a C module": ("return math.sqrt(n, 2)", "too many positional arguments"),
    "a dataclass": ("return Point()", "missing a required argument: 'x'"),
    "a named tuple": ("return Pair(1)", "missing a required argument: 'second'"),
    "a class without parameters": ("return Empty(n)", "Empty() takes no arguments"),
    "a member that is none": ("return Colour.GREEN", "type object 'Colour' has no attribute 'GREEN'"),
    "a method of a text": ("return ', '.joined(n)", "'str' object has no attribute 'joined'"),
    "a method of a formatted text": ("return f'{n}'.uper()", "'str' object has no attribute 'uper'"),
    "arguments of a method of a text": ("return ', '.join(n, n)", "too many positional arguments"),
    "a method of a pattern": ("return WORD.mtch(n)", "has no attribute 'mtch'"),
    "a method through its class": ("return Shape.unit()", "missing a required argument: 'size'"),
    "in a handler": ("try: return 1 / n\n    except ZeroDivisionError: return two()", "missing a required argument"),
    "in a lambda of a nested function": (
        "import string\n    def inner(): return lambda: string.lowercase\n    return inner",
        "has no attribute 'lowercase'",
    ),
    "a class of a pattern": ("match n:\n        case Colour.GREEN: return n", "has no attribute 'GREEN'"),
    "in a lambda": ("return lambda: two()", "missing a required argument: 'a'"),
    "in a loop without an end": ("while True: return two()", "missing a required argument: 'a'"),
    "in a comprehension": ("return [two() for _ in n]", "missing a required argument: 'a'"),
    "under a limit that is no switch": ("if n > LIMIT: return two()", "missing a required argument: 'a'"),
}
SILENT = {
    "what is right": "return two(1, 2, deep=math.isclose(n, 1.0)), Point(1), Pair(1, 2), Colour.RED, Broken(n, n)",
    "arguments that are not written out": "return two(*n), two(**n)",
    "a wrapper that takes all": "return wrapped(1, 2, 3, 4)",
    "a decorator that is no function": "return cached(1, 2)",
    "a metaclass that calls": "return Made(1, 2, 3)",
    "what is caught": "try: return two()\n    except TypeError: return None",
    "what everything catches": "try: return math.sqroot(n)\n    except: return None",
    "the fallback of what is caught": "try: return inspect.old(n)\n    except AttributeError: return inspect.older(n)",
    "what a block takes": "with contextlib.suppress(AttributeError): return math.sqroot(n)",
    "after a question": "if not hasattr(math, 'cube'): return n\n    return math.cube(n)",
    "asked by its text elsewhere": "if hasattr(n, 'cube'): return 0\n    return math.cube(n)",
    "under a version": "if sys.version_info >= (3, 99): return math.cube(n)",
    "after a version": "if sys.version_info < (3, 99): return n\n    return math.cube(n)",
    "under a switch": "return math.cube(n) if WINDOWS else n",
    "behind a switch": "return WINDOWS and math.cube(n)",
    "what may not be installed": "return fast.run(n)",
    "of another platform": "return os.startfile(n), os.O_BINARY, WindowsError",
    "what others add names to": "return sys.last_thing",
    "a submodule that is not imported": "return xml.sax.parse(n)",
    "never run": "return n\n    return two()",
    "switched off": "if False: return two()",
    "a local name": "two = n\n    return two()",
    "a parameter of that name": "return (lambda two: two())(n)",
    "a name from around": "def inner(): return later()\n    later = n\n    return inner()",
    "a name of a comprehension": "return [two() for two in n]",
    "a name of a pattern": "match n:\n        case {'a': two, **rest}: return two(), rest()",
    "a rest of a sequence": "match n:\n        case [_, *two]: return two()",
    "a name of an assignment inside": "return [two for x in n if (two := x)()]",
    "for types alone": "value: Unknown = n\n    return value",
    "what a package lacks": "import not_there_at_all\n    return not_there_at_all.x()",
    "attributes of functions": "return two.calls",
    "a partial call": "return functools.partial(two)()",
    "an instance": "return Point(1).z",
    "a default that is the sign for none": "return inspect.Signature([])",
    "a name that is set somewhere": "Colour.extra = n\n    return Colour.extra",
}
METHODS = {
    "self.grow()": "missing a required argument: 'by'",
    "self.grow(1, 2)": "too many positional arguments",
    "self.unit()": "missing a required argument: 'size'",
    "self.plain()": "missing a required argument: 'a'",
    "self.grow(1)": "",
    "self.plain(1)": "",
    "self.hook(1)": "",
    "self.anything(1)": "",
}


def read(text: str) -> Source:
    found = read_source(Program(text.encode()))
    assert not isinstance(found, Decision), found
    return found


def reasons(text: str, benches: Benches) -> list[str]:
    found = wrong_uses(read(text), benches.first)
    assert found is not None
    return [each.reason for each in found]


def function(body: str) -> str:
    return f"{HEAD}\ndef tried(n):\n    {body}\n"


@pytest.mark.parametrize("name", WRONG)
def test_a_sure_mistake_is_found(name: str, benches: Benches) -> None:
    body, due = WRONG[name]
    found = reasons(function(body), benches)
    assert len(found) == 1
    assert due in found[0]


def test_what_may_be_right_is_not_told(benches: Benches) -> None:
    # Each in a file of its own: what one file sets or asks by its text may come and go in all of it.
    assert {name: found for name, body in SILENT.items() if (found := reasons(function(body), benches))} == {}


@pytest.mark.parametrize("call", METHODS)
def test_calls_of_own_methods(call: str, benches: Benches) -> None:
    method = f"    def tried(self): return {call}\n"
    text = HEAD.replace("class Square", method + "class Square")
    assert reasons(text, benches) == [METHODS[call]] * bool(METHODS[call])


def test_an_overridden_method_is_not_told(benches: Benches) -> None:
    text = """
    class A:
        def f(self, a): return a
        def g(self): return self.f()
    class B(A):
        def f(self, a=1): return a
    """
    assert reasons(dedent(text), benches) == []


@pytest.mark.parametrize(
    "text",
    [
        "from os.path import *\ndef f(): return join('a')\n",
        "globals()['late'] = 1\ndef f(): return late\n",
        "def f(): return late\ndef g():\n    global late\n    late = 1\n",
        "def f():\n    exec('late = 1', globals())\n    return late\n",
    ],
)
def test_names_that_are_bound_without_being_named(text: str, benches: Benches) -> None:
    assert reasons(text, benches) == []


def test_a_program_without_an_answer_is_not_known(benches: Benches) -> None:
    assert wrong_uses(read("1 / 0\ndef f(): return two()\n"), benches.first) is None
    assert wrong_uses(read("x = 1\n"), benches.first) == ()


def test_a_function_is_told_of_what_it_reaches(benches: Benches) -> None:
    source = read("def used():\n    return later()\ndef f(): return used()\ndef g(): return 1\n")
    found = wrong_uses(source, benches.first)
    assert found is not None
    assert told_of(source, "f", found) == ("line 2: later: name 'later' is not defined",)
    assert told_of(source, "g", found) == ()


def test_what_runs_at_import_is_not_asked_about() -> None:
    assert uses_of(read("import math\nx = math.pi\nclass A:\n    y = math.e\n").tree) == ()


SIGNATURES = {
    "the same": ("a, b=1", "a, b=1", ()),
    "one more that may be left out": ("a", "a, b=1", ()),
    "everything is taken": ("a, b=1", "*args, **kwargs", ()),
    "one is gone": ("a, b=1", "a", ("f no longer takes b",)),
    "another name": ("a, b", "a, c", ("f no longer takes b by name",)),
    "one more": ("a", "a, b", ("f cannot be called without b",)),
    "no default": ("a, b=1", "a, b", ("f cannot be called without b, which had a default",)),
    "by name alone": ("a, b=1", "a, *, b=1", ("f no longer takes b as argument 2",)),
    "by place alone": ("a", "a, /", ("f no longer takes a by name",)),
    "another order": (
        "a, b",
        "b, a",
        ("f takes b as argument 1, where it took a", "f takes a as argument 2, where it took b"),
    ),
    "no longer any number": ("*a", "a=0", ("f no longer takes any number of arguments in a",)),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_of_two_versions(name: str) -> None:
    before, now, due = SIGNATURES[name]
    first, second = (read(f"def f({each}): return 1\n").module.functions[0] for each in (before, now))
    assert narrowed(first, second) == due


def test_what_is_gone_is_named() -> None:
    before = read("def f(): return 1\ndef g(): return 1\ndef h(): return 1\ndef _i(): return 1\n")
    assert removed(before, read("from x import g\ndef f(): return 1\n")) == (
        "h is gone, which the earlier version defines",
    )
    assert removed(before, read("from x import *\ndef f(): return 1\n")) == ()


RIGHT = '''
def plural(word: str) -> str:
    """
    >>> plural("cat")
    'cats'
    >>> plural("house")
    'houses'
    """
    try:
        return word + "s"
    except OverflowError:
        return word
'''


def asked(text: str, **parts: Any) -> ProgramRequest:
    return ProgramRequest(text.encode(), "plural.py", "plural", level=Level.QUICK, **parts)


def test_a_sure_mistake_keeps_verified_away_and_stays_in_the_record(service: Service) -> None:
    right = service.verify_program(asked(RIGHT))
    assert right.verdict.constraint_id == "program.strength_not_measured"
    wrong = service.verify_program(asked(RIGHT.replace("        return word\n", "        return wrd\n")))
    assert wrong.verdict.constraint_id == "program.wrong_use"
    result = Shape(dict(wrong.parts[0].details), "details").member("result")
    assert [each.text("category") for each in result.items("issues")] == ["integration_issue"]
    assert not result.flag("document_passed")
    views = {each.text("perspective"): each.text("verdict") for each in result.items("perspective_results")}
    assert views == {"correctness_reviewer": "correct", "integration_analyst": "incorrect"}
    observed = wrong.parts[0].observed
    assert isinstance(observed, VerifiedFunction)
    again = decide_again([observed.record.to_json()], observed.policy.to_json())
    assert again.constraint_id == "program.wrong_use"


def test_a_changed_signature_withholds_a_refactoring(service: Service) -> None:
    before = RIGHT.replace("word: str)", "word: str, end: str = 's')").encode()
    found = service.verify_program(asked(RIGHT, against=before, refactor=True))
    assert found.verdict.constraint_id == "program.difference_open"
    told = service.verify_program(asked(RIGHT, against=before))
    assert told.verdict.constraint_id == "program.strength_not_measured"
    issues = Shape(dict(told.parts[0].details), "details").member("result").items("issues")
    assert {each.text("category") for each in issues} == {"regression"}
