"""Examples whose result is no plain data: asked as an equality, then by the text that is shown."""

from __future__ import annotations

import pytest

from probatum.core.decision import Outcome
from tests.services import Answer, Service, tolerant

VECTOR = '''
class Vector:
    """A vector.

    >>> v = Vector([1, 2])
    {example}
    {output}
    """

    def __init__(self, numbers):
        self.numbers = list(numbers)

    def __add__(self, other):
        return Vector(a {sign} b for a, b in zip(self.numbers, other.numbers))

    def __eq__(self, other):
        return self.numbers == (other.numbers if isinstance(other, Vector) else other)

    def __repr__(self):
        return str(self.numbers)
'''
COMPARED = ("'>>> v + Vector([1, 1]) == [2, 3]'", "True")
SHOWN = ("'>>> v + Vector([1, 1])'", "[2, 3]")


def verified(service: Service, example: str, output: str, sign: str) -> Answer:
    source = VECTOR.replace("{example}", example.strip("'")).replace("{output}", output).replace("{sign}", sign)
    return service.verify_program(tolerant(source.encode(), "vector.py"))


@pytest.mark.parametrize(("example", "output"), [COMPARED, SHOWN], ids=["compared", "shown"])
def test_an_object_that_equals_or_shows_it_speaks_for_itself(service: Service, example: str, output: str) -> None:
    answer = verified(service, example, output, "+")
    assert _results(answer)[0]["state"] == "unchecked"
    assert answer.verdict.constraint_id == "program.own_word"


def test_a_module_that_is_missing_does_not_keep_it_from_being_asked(service: Service) -> None:
    source = VECTOR.format(example=">>> v + Vector([1, 1])", output="[2, 3]", sign="+").encode()
    optional = b"try:\n    import not_there_at_all\nexcept ImportError:\n    pass\n"
    answer = service.verify_program(tolerant(optional + source, "vector.py"))
    assert answer.verdict.constraint_id == "program.own_word"


def test_a_comparison_that_the_document_makes_and_the_object_denies_refutes(service: Service) -> None:
    answer = verified(service, *COMPARED, "-")
    assert answer.verdict.developer_fields["outcome"] == Outcome.REFUTED.value


def test_output_that_no_way_of_asking_confirms_is_never_a_pass(service: Service) -> None:
    answer = verified(service, *SHOWN, "-")
    assert answer.verdict.developer_fields["outcome"] in {Outcome.UNDECIDED.value, Outcome.REFUTED.value}


def _results(answer: Answer) -> list[dict[str, object]]:
    [function] = answer.parts
    results = function.details["result"]["test_results"]
    assert isinstance(results, dict)
    rows = results["test_results"]
    assert isinstance(rows, list)
    return rows


def test_a_name_that_a_session_rebinds_to_a_foreign_module_is_not_the_modules_own(service: Service) -> None:
    source = '''
class ns:
    """Options.

    >>> import elsewhere as ns
    >>> ns.order([2, 1]) == ns.order([1, 2])
    True
    """

    FIRST = 1
'''
    answer = service.verify_program(tolerant(source.encode(), "options.py"))
    assert answer.verdict.developer_fields["outcome"] == Outcome.UNDECIDED.value


def test_a_function_with_too_many_branches_to_measure_keeps_its_other_findings(service: Service) -> None:
    branches = "\n".join(f"    if n == {number}:\n        return {number}" for number in range(450))
    source = (
        f'def f(n):\n    """\n    >>> f(3)\n    3\n    """\n{branches}\n    return n\n\n\n'
        'def g(n):\n    """\n    >>> g(3)\n    4\n    """\n    return n\n'
    )
    answer = service.verify_program(tolerant(source.encode(), "many.py"))
    constraints = {each.name: each.verdict.developer_fields["constraint_id"] for each in answer.parts}
    assert constraints == {"f": "program.strength_not_measured", "g": "program.counterexample"}


BACKWARDS = '''
def backwards(letters):
    """Return the letters from the last to the first.

    >>> {example}
    """
    return {result}
'''
OF_A_GENERATOR = {
    "printed": "print(*backwards(each for each in 'abc'))\n    c b a",
    "raised": "sorted(backwards(n for n in 5))\n    Traceback (most recent call last):\n        ...\n    TypeError: no",
}


@pytest.mark.parametrize("name", OF_A_GENERATOR)
def test_an_argument_that_cannot_travel_is_made_where_the_program_is(service: Service, name: str) -> None:
    states = {}
    for result in ("list(letters)[::-1]", "[]"):
        source = BACKWARDS.replace("{example}", OF_A_GENERATOR[name]).replace("{result}", result)
        answer = service.verify_program(tolerant(source.encode(), "backwards.py"))
        states[result] = _results(answer)[0]["state"]
        if states[result] != "holds":
            assert answer.verdict.constraint_id in {"program.clause_undecided", "program.counterexample"}
    assert states["list(letters)[::-1]"] == "holds"
    assert name == "raised" or states["[]"] != "holds"
