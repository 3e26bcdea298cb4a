"""Chains of AND and OR in the forms of queries: members in one order, each once, and bounds of a number joined.

A comparison of a number ends with the word ``numbers``: its values have one order, and a text that looks like a number
is none of them. NULL makes each of the joined bounds unknown, and so the bound that is left.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

Form = str | tuple["Form", ...]
TRUE: Final[Form] = ("true",)
_SIGNS: Final = ("lt", "lte")


def form_set(forms: Iterable[Form]) -> tuple[Form, ...]:
    """Return forms in one order, each once."""
    return tuple(sorted(set(forms), key=repr))


def form_pair(key: str, one: Form, other: Form) -> Form:
    """Return the form of two sides whose order does not matter."""
    return (key, *sorted((one, other), key=repr))


def form_chain(key: str, told: list[Form]) -> Form:
    """Return the form of AND or OR, without what makes no difference."""
    neutral, decisive = (TRUE, ("false",)) if key == "and" else (("false",), TRUE)
    members = {each for form in told for each in (form[1:] if form[0] == key else [form])}
    if decisive in members:
        return decisive
    kept = form_set(_merged(key, members - {neutral}))
    return kept[0] if len(kept) == 1 else (key, *kept) if kept else neutral


def _merged(key: str, members: set[Form]) -> set[Form]:
    """Return members where one bound is left of several for a number, and 'x < 3 OR x > 3' is 'x <> 3'."""
    best: dict[tuple[Form, int], tuple[int, bool, Form]] = {}
    kept = set[Form]()
    for each in members:
        at = next((at for at in (1, 2) if each[-1] == "numbers" and each[0] in _SIGNS and each[at][0] == "number"), 0)
        if at:
            found = (int(str(each[at][1])) * (3 - 2 * at), each[0] == "lt", each)
            best[each[3 - at], at] = (max if key == "and" else min)(best.get((each[3 - at], at), found), found)
        else:
            kept.add(each)
    kept.update(each for _, _, each in best.values())
    for each in [each for each in kept if key == "or" and each[0] == "lt" and each[-1] == "numbers"]:
        both: set[Form] = {each, ("lt", each[2], each[1], "numbers")}
        if both <= kept:
            kept -= both
            kept.add(form_pair("neq", each[1], each[2]))
    return kept
