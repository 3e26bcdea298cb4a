"""An order of arguments that the documentation speaks of in words which were not read as a requirement.

Where the words say that something is in order and the documented arguments all are, a call with others may lie outside
of what is specified: it refutes nothing. Refuses to presume an order that an example does without, that a requirement
states already, or that the words give to the result alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from probatum.programs.specification import FunctionSpec, Parameter

__all__ = ["TacitOrder", "admitted", "tacit_orders"]

_WAYS = r"ascending|descending|increasing|decreasing|monoton\w*"
_SORTS = rf"{_WAYS}|sorted|sort|numerical|numeric|alphabetical|lexicographic(?:al)?|chronological|rising|falling"
_ORDER = re.compile(
    rf"(?<![\w.-])(?:sorted|ordered|{_WAYS}|(?:{_SORTS}) order|in order(?! (?:to|of|that|for)\b)"
    r"|binary[- ]search|bisect(?:s|ion)?)(?![\w(])",
    re.IGNORECASE,
)
_NEEDLESS = re.compile(
    r"\b(?:need not|needn't|not necessarily|(?:not|n't) (?:need|have) to|not)(?: be)?(?: in)? "
    rf"(?:sorted|ordered|{_WAYS})\b",
    re.IGNORECASE,
)
_OF_WHAT_IS_GIVEN = re.compile(
    r"\b(?:of|from|in|into|to|both|two|three|these|given)(?: (?:an?|the|two|three|both|already|given|input|non-empty))*"
    rf" (?:sorted|ordered|{_WAYS})(?! (?:(?:\w+ )?order|by|in|from)\b|\s*(?:[.,;]|$))",
    re.IGNORECASE,
)
_DOWNWARDS = re.compile(r"\b(?:descending|decreasing)\b", re.IGNORECASE)
_UPWARDS = re.compile(r"\b(?:ascending|increasing)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TacitOrder:
    """An order that arguments for a parameter are presumed to have; None where nothing is presumed."""

    parameter: str
    falls: bool | None
    """Whether the argument's own items fall, else they rise."""
    inner_falls: bool | None
    """The same of each list in it."""
    is_shown: bool
    """True where a documented argument has several items in that order, not the words alone."""

    def admits(self, values: Mapping[str, object]) -> bool:
        """True when the argument among the values is no list, or in order."""
        value = values.get(self.parameter)
        if not isinstance(value, list | tuple):
            return True
        if self.falls is not None and not _is_in_order(value, falls=self.falls):
            return False
        falls = self.inner_falls
        return falls is None or all(_is_in_order(each, falls=falls) for each in _lists_in(value))


def admitted(orders: Iterable[TacitOrder], values: Mapping[str, object]) -> bool:
    """True when no argument lacks an order that it is presumed to have."""
    return all(each.admits(values) for each in orders)


def tacit_orders(
    function: FunctionSpec, parameters: Iterable[Parameter], documented: Sequence[Mapping[str, object]]
) -> tuple[TacitOrder, ...]:
    """Return the orders that arguments are presumed to have, from the words and the arguments of documented calls."""
    words = _unexplained(function)
    if _ORDER.search(words) is None:
        return ()
    down, up = _DOWNWARDS.search(words) is not None, _UPWARDS.search(words) is not None
    ways = (False, True) if down == up else (down,)
    required = [each.expression for each in function.preconditions if "sorted(" in each.expression]
    found: list[TacitOrder] = []
    for name in (each.name for each in parameters):
        if not any(re.search(rf"\b{re.escape(name)}\b", each) for each in required):
            given = [values[name] for values in documented if name in values]
            found.extend(_presumed(name, given, ways))
    return tuple(found)


def _unexplained(function: FunctionSpec) -> str:
    """Return the words of the documentation without the sentences that were read as the order of the result."""
    text = _plain("\n".join((function.document, function.further)))
    for each in function.properties:
        sentence = _plain(each.text)
        orders = "sorted(" in each.expression or each.form in {"reordered", "ordered_by_key"}
        if sentence and orders and _OF_WHAT_IS_GIVEN.search(sentence) is None:
            text = text.replace(sentence, " ").replace(sentence.rstrip("."), " ")
    return _NEEDLESS.sub(" ", text)


def _plain(text: str) -> str:
    lines = (line for line in text.split("\n") if not line.lstrip().startswith((">>>", "...")))
    return " ".join(" ".join(lines).split())


def _presumed(name: str, given: Iterable[object], ways: Sequence[bool]) -> Iterable[TacitOrder]:
    """Yield the order of the arguments of one parameter, nothing where a documented one is in none."""
    lists = [each for each in given if isinstance(each, list | tuple)]
    inner = [part for each in lists for part in _lists_in(each)]
    own, parts = _way(lists, ways), _way(inner, ways)
    is_shown = (own is not None and _tells(lists)) or (parts is not None and _tells(inner))
    if own is not None or is_shown:
        yield TacitOrder(name, own, parts, is_shown)


def _way(lists: Sequence[Sequence[object]], ways: Sequence[bool]) -> bool | None:
    """Return the first of the ways (falling or not) in which all of some lists are in order, None where none is."""
    return next((way for way in ways if all(_is_in_order(each, falls=way) for each in lists)), None)


def _tells(lists: Iterable[Sequence[object]]) -> bool:
    return any(each[0] != each[-1] for each in lists if each)


def _lists_in(value: Iterable[object]) -> list[Sequence[object]]:
    return [each for each in value if isinstance(each, list | tuple)]


def _is_in_order(items: Sequence[object], *, falls: bool) -> bool:
    pairs = pairwise(items[::-1] if falls else items)
    try:
        return all(bool(first <= second) for first, second in pairs)  # type: ignore[operator]  # TypeError tells
    except (TypeError, RecursionError):
        return False
