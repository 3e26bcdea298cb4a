"""Faults that leave out a part of an expression: an operand, a side of a condition, an item, a character.

Refuses to take items out of what is taken apart again (the right side of ``a, b = …``): every run would notice that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import libcst

from probatum.programs.faults.kinds import kind_of
from probatum.programs.faults.planting import Edit, Mutation, shorten
from probatum.programs.faults.sites import Rules, Site
from probatum.programs.faults.syntax import call_name, descendants, uses_characters

_COLLECTIONS = (libcst.List, libcst.Tuple, libcst.Set, libcst.Dict)
_ITEMS = (libcst.Element, libcst.DictElement)
_WRITTEN_OUT = (
    libcst.BaseNumber, libcst.SimpleString, libcst.UnaryOperation, libcst.BaseUnaryOp, *_COLLECTIONS, *_ITEMS,
)  # fmt: skip
_BOTH_SIDES = (libcst.Add, libcst.Multiply, libcst.BitAnd, libcst.BitOr, libcst.BitXor)
_MAKES_COLLECTION = frozenset({"set", "frozenset", "list", "tuple", "sorted", "enumerate"})
_FEWEST_CHARACTERS = _FEWEST_ITEMS = 2


def _sides(site: Site, node: libcst.BooleanOperation) -> Iterator[Mutation]:
    yield _without(site, node, node.right, "condition_removed", "leaves out the condition")
    yield _without(site, node, node.left, "condition_removed", "leaves out the condition")


def _operands(site: Site, node: libcst.BinaryOperation) -> Iterator[Mutation]:
    if kind_of(node.left, site.kinds) == "text" and isinstance(node.operator, libcst.Modulo):
        return
    yield _without(site, node, node.right, "operand_removed", "leaves out")
    sides = {kind_of(node.left, site.kinds), kind_of(node.right, site.kinds)}
    if isinstance(node.operator, _BOTH_SIDES) and len(sides) == 1:
        yield _without(site, node, node.left, "operand_removed", "leaves out")


def _without(
    site: Site,
    node: libcst.BinaryOperation | libcst.BooleanOperation,
    side: libcst.BaseExpression,
    operator: str,
    words: str,
) -> Mutation:
    start, end = site.span(node)
    sign_start, sign_end = site.span(node.operator)
    cut = Edit(sign_start, end, "") if side is node.right else Edit(start, sign_end, "")
    shown = (
        site.text(side) if isinstance(node, libcst.BooleanOperation) else site.ground.source.text[cut.start : cut.end]
    )
    return site.fault(node.operator, (cut,), operator, f"{words} {shorten(shown)}")


def _items(site: Site, node: libcst.List | libcst.Tuple | libcst.Set | libcst.Dict) -> Iterator[Mutation]:
    items = [item for item in node.elements if isinstance(item, _ITEMS)]
    if len(items) < _FEWEST_ITEMS or len(items) != len(node.elements) or site.inside(*_COLLECTIONS):
        return
    if isinstance(site.parent, libcst.AssignTarget | libcst.For | libcst.CompFor) and site.node is not _source(site):
        return
    if isinstance(node, libcst.Tuple) and _is_taken_apart(site):
        return
    if not all(_is_written_out(item.value) for item in items):
        return
    for position, item in enumerate(items):
        cut = cut_out(site, items, position)
        yield site.fault(item, (cut,), "item_removed", f"leaves out {site.shown(item)}")


def _source(site: Site) -> libcst.CSTNode | None:
    return site.parent.iter if isinstance(site.parent, libcst.For | libcst.CompFor) else None


def _is_taken_apart(site: Site) -> bool:
    # A tuple is a collection only where it is searched, gone through or made into one.
    parent = site.parent
    if isinstance(parent, libcst.ComparisonTarget):
        return not isinstance(parent.operator, libcst.In | libcst.NotIn)
    if isinstance(parent, libcst.For | libcst.CompFor):
        return False
    if isinstance(parent, libcst.Assign) and len(parent.targets) == 1:
        return not isinstance(parent.targets[0].target, libcst.Name)
    return not (isinstance(parent, libcst.Arg) and call_name(site.ancestor(2)) in _MAKES_COLLECTION)


def _is_written_out(node: libcst.BaseExpression) -> bool:
    return all(
        isinstance(inner, _WRITTEN_OUT) or (isinstance(inner, libcst.Name) and inner.value in {"True", "False", "None"})
        for inner in descendants(node)
    )


def cut_out(site: Site, items: Sequence[libcst.BaseElement | libcst.DictElement], position: int) -> Edit:
    """Return the edit that takes one item out together with the comma that it no longer needs."""
    start, end = site.span(items[position])
    if position + 1 < len(items):
        return Edit(start, site.span(items[position + 1])[0], "")
    return Edit(site.span(items[position - 1])[1], end, "")


def is_character_set(site: Site, node: libcst.SimpleString) -> bool:
    """Tell whether a text stands for its characters: it is searched for one of them, or gone through."""
    text = _text_of(node)
    if len(text) < _FEWEST_CHARACTERS or " " in text.strip():
        return False
    if uses_characters(site.parent, node):
        return True
    parent = site.parent
    bound = parent.targets[0].target if isinstance(parent, libcst.Assign) and len(parent.targets) == 1 else None
    return isinstance(bound, libcst.Name) and bound.value in site.searched_names


def _text_of(node: libcst.SimpleString) -> str:
    value = ast.literal_eval(node.value)
    return value if isinstance(value, str) else ""


def _characters(site: Site, node: libcst.SimpleString) -> Iterator[Mutation]:
    text = _text_of(node) if is_character_set(site, node) else ""
    for position, character in enumerate(text):
        if character not in text[:position]:
            new = repr(text.replace(character, ""))
            yield site.replacing(node, new, "item_removed", f"leaves out {character!r} of {site.shown(node)}")


def _insertions(site: Site, node: libcst.FormattedString) -> Iterator[Mutation]:
    # The wording of an error is nobody's result.
    if site.inside(libcst.Raise):
        return
    for part in node.parts:
        if isinstance(part, libcst.FormattedStringExpression) and len(node.parts) > 1:
            yield site.replacing(part, "", "item_removed", f"leaves out {site.shown(part)}")


PART_RULES: Rules = {
    libcst.BinaryOperation: (_operands,),
    libcst.BooleanOperation: (_sides,),
    **dict.fromkeys(_COLLECTIONS, (_items,)),
    libcst.SimpleString: (_characters,),
    libcst.FormattedString: (_insertions,),
}
