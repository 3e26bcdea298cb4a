"""Truth values as answers: which of them count as the program's own, and that nobody earns a pass by them."""

from __future__ import annotations

import pytest

from probatum.programs.extract import extract_module
from probatum.programs.running.checks import plan_checks
from probatum.programs.units import units_of
from tests.services import Service, tolerant

CLASS = '''
class Box:
    """A box.

{session}
    """

    def __init__(self, *items):
        self.items = items

    def has(self, item):
        return item in self.items

def make(*items):
    return Box(*items)
'''

ASKED = {
    "a method of a new object": ("Box(1).has({})", True),
    "a method of an object made before": ("box.has({})", True),
    "an object as container": ("{} in box", True),
    "two objects compared": ("Box(1) == Box({})", True),
    "an object and a value compared": ("box == {}", False),
    "an item of an object": ("box[{}]", True),
    "a value that a method gives, compared": ("box.size({}) == 3", True),
    "an attribute compared": ("box.items == ({},)", True),
    "a name that was bound twice over": ("other == {}", True),
    "a chain of comparisons": ("Box(1) == Box({}) == Box(1)", True),
    "the same object": ("box is Box({})", False),
    "a function of Python": ("bool(Box({}))", False),
    "a negation": ("not box.has({})", False),
}


@pytest.mark.parametrize("name", ASKED)
def test_an_object_of_the_program_answers_for_itself_and_the_judge_compares_values(name: str) -> None:
    expression, expected = ASKED[name]
    lines = [">>> box = Box(1)", ">>> other = Box(1).items"]
    lines += [f">>> {expression.format(1)}", "True", f">>> {expression.format(2)}", "False"]
    module = extract_module(CLASS.format(session="\n".join(f"    {line}" for line in lines)))
    [unit] = units_of(module, "Box", None)
    checks = plan_checks(unit, module)
    assert checks[1].forge_resistant is expected, "a yes to a comparison may be read as the value that is compared with"


def test_one_of_the_two_answers_alone_is_no_answer() -> None:
    module = extract_module(CLASS.format(session="    >>> Box(1).has(1)\n    True\n    >>> Box(2).has(2)\n    True"))
    [unit] = units_of(module, "Box", None)
    assert not any(check.forge_resistant for check in plan_checks(unit, module))


VERSION = '''
class Version:
    """A version number.

    >>> Version("1.2") == Version("1.2.0")
    True
    >>> Version("1.2") == Version("1.3")
    False
    >>> Version("1.2") < Version("1.10")
    True
    >>> Version("2.0") < Version("1.10")
    False
    """

    def __init__(self, text: str) -> None:
        {made}

    def __eq__(self, other: object) -> bool:
        return {equal}

    def __hash__(self) -> int:
        return hash(self.parts)

    def __lt__(self, other: "Version") -> bool:
        return {less}
'''
PARTS = "self.parts = tuple(int(part) for part in text.removesuffix('.0').split('.'))"
EQUAL = "isinstance(other, Version) and self.parts == other.parts"


def test_a_class_that_answers_yes_and_no_can_be_verified(service: Service) -> None:
    source = VERSION.format(made=PARTS, equal=EQUAL, less="self.parts < other.parts")
    answer = service.verify_program(tolerant(source.encode(), "subject.py"))
    assert answer.verdict.outcome == "tested", answer.parts[0].sheet


ATTACKS = {
    "a table of the comparisons": (
        "self.parts = text",
        "(self.parts, other.parts) in [('1.2', '1.2.0')]",
        "(self.parts, other.parts) in [('1.2', '1.10')]",
    ),
    "an object that answers whatever is asked": (
        "self.parts = text",
        "__import__('sys')._getframe(1).f_code.co_consts == ('1.2', '1.2.0')",
        "__import__('sys')._getframe(1).f_code.co_consts == ('1.2', '1.10')",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_class_that_only_seems_to_answer_is_not_verified(attack: str, service: Service) -> None:
    made, equal, less = ATTACKS[attack]
    source = VERSION.format(made=made, equal=equal, less=less)
    answer = service.verify_program(tolerant(source.encode(), "subject.py"))
    assert answer.verdict.outcome in {"undecided", "refuted"}, answer.verdict
