"""Words that look like the syntax of documentation are words, and documented names that nothing judges are listed."""

from __future__ import annotations

import pytest

from probatum.programs.extract import extract_module
from probatum.programs.specification import NO_WORDS
from probatum.programs.units import units_of

HIDDEN = {
    "a number behind a heading": ('"""Returns 5"""', "Returns 5"),
    "a number behind a warning": ('"""Warning 7\n\n    >>> f(3)\n    4\n    """', "Warning 7"),
    "a function as the type of the result": ('"""\n    Returns:\n        sum\n    """', "sum"),
    "functions as a type": ('"""\n    Returns:\n        max of list\n    """', "max of list"),
    "a field of a type that is a function": ('"""\n    :rtype: abs or None\n    """', "abs or None"),
    "a directive that doctest does not know": (
        '"""\n    >>> f(3)  # doctest: +NEVER_BELOW +ZERO\n    4\n    """',
        "# doctest: +NEVER_BELOW +ZERO",
    ),
    "a default in other letters": ('"""\n    Args:\n        n: Defaults to \'ABC\'.\n    """', "Defaults to 'ABC'."),
    "None for a text": ('"""\n    Args:\n        m: Defaults to None.\n    """', "Defaults to None."),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_looks_like_syntax_is_open(name: str) -> None:
    document, words = HIDDEN[name]
    source = f"def f(n='abc', m='None'):\n    {document}\n    return n\n"
    [unit] = units_of(extract_module(source), None, None)
    assert words in [each.text for each in unit.statements if each.kind not in NO_WORDS]


INNER = '''
class Outer:
    """
    >>> Outer().f(1)
    1
    """

    def f(self, n):
        return n

    class Inner:
        """Never negative.

        >>> Outer.Inner().g(3)
        4
        """

        def g(self, n):
            return n
'''
ALL = '''
__all__ = ["f"]
__all__.append("_hidden")


def f(n):
    """
    >>> f(1)
    1
    """
    return n


def _hidden(n):
    """
    >>> _hidden(3)
    4
    """
    return n
'''


@pytest.mark.parametrize(("source", "name"), [(INNER, "Outer.Inner"), (ALL, "_hidden")])
def test_public_names_in_other_places_are_units(source: str, name: str) -> None:
    units = {each.qualname: each for each in units_of(extract_module(source), None, None)}
    assert len(units) == 2
    assert [each.expression for each in units[name].examples]
