"""Sentence forms for lists that come out: filtered, sorted, reversed, without duplicates, mapped, running values."""

from __future__ import annotations

import re

from probatum.programs.results.nouns import Scene, item_guard, kind_guard
from probatum.programs.results.sentence_form import Claim, Form, form, listed
from probatum.programs.results.worded_items import Items, items_of, repeated_items

__all__ = ["LISTS", "ascending"]

ORDER = (
    r"(?:,? ?(?:sorted )?(?:in |from |by )?(?:an? |the )?(?P<order>ascending|descending|increasing|decreasing"
    r"|non-decreasing|non-increasing|smallest to largest|lowest to highest|largest to smallest|highest to lowest)"
    r"(?: order| value)?)"
)
_UP = frozenset({"ascending", "increasing", "non-decreasing", "smallest to largest", "lowest to highest"})
_HASHED = "all(v_.__hash__ is not None for v_ in {0})"


def ascending(words: str | None) -> bool:
    """Return whether words for an order mean that the smallest comes first; it is the usual order."""
    return words is None or words in _UP


def _sortable(items: Items) -> tuple[str, ...]:
    kind = items.kind if items.kind in {"int", "number", "text"} else ""
    if kind:
        return (*items.guards, item_guard(items.source, kind))
    return (*items.guards, f"({item_guard(items.source, 'number')} or {item_guard(items.source, 'text')})")


def _filter(scene: Scene, match: re.Match[str]) -> Claim | None:
    repeated = repeated_items(scene, match["items"])
    if repeated is not None:
        items, is_more = repeated
        operator = ">" if is_more else "=="
        source = items.source
        return listed(f"[v_ for v_ in {source} if list({source}).count(v_) {operator} 1]", *items.guards)
    items_found = items_of(scene, match["items"])
    if items_found is None or not items_found.is_filtered or items_found.kind == "letter" or items_found.is_distinct:
        return None
    return listed(f"[{items_found.chosen}]", *items_found.guards)


def _filter_split(scene: Scene, match: re.Match[str]) -> Claim | None:
    """Read "filter the list of strings for ones that …": the source and the filter stand apart."""
    items = items_of(scene, match["items"])
    if items is None or items.is_filtered:
        return None
    if match["kind"] is not None:
        plain = f"all(type(v_) is not bool for v_ in {items.source})"
        wanted = f"[v_ for v_ in {items.source} if type(v_) is int]"
        return listed(wanted, kind_guard(items.parameter, "list"), plain)
    noun = {"int": "integers", "number": "numbers", "text": "strings"}.get(items.kind, "elements")
    chosen = items_of(scene, f"{noun} in {items.parameter} {match['relation']}")
    return listed(f"[{chosen.chosen}]", *chosen.guards) if chosen is not None and chosen.is_filtered else None


def _removed(scene: Scene, match: re.Match[str]) -> Claim | None:
    repeated = repeated_items(scene, match["items"])
    if repeated is not None:
        items, is_more = repeated
        operator = "<=" if is_more else "!="
        source = items.source
        return listed(f"[v_ for v_ in {source} if list({source}).count(v_) {operator} 1]", *items.guards)
    found = items_of(scene, match["items"])
    if found is None or not found.is_filtered or found.is_distinct:
        return None
    test = " and ".join(f"({each})" for each in found.conditions)
    kept = f"[v_ for v_ in {found.source} if not ({test})]"
    if found.kind == "letter":
        return Claim(f"result == ''.join({kept})", found.guards, is_whole=True)
    return listed(kept, *found.guards)


def _sorted(scene: Scene, match: re.Match[str]) -> Claim | None:
    items = items_of(scene, match["items"])
    if items is None or items.kind == "letter":
        return None
    groups = match.groupdict()
    is_distinct = items.is_distinct or groups.get("unique") is not None
    source = f"{{{items.chosen}}}" if is_distinct else f"[{items.chosen}]"
    reverse = "" if ascending(groups.get("order")) else ", reverse=True"
    guards = (*_sortable(items), *((_HASHED.format(items.source),) if is_distinct else ()))
    return listed(f"sorted({source}{reverse})", *guards)


def _sorted_copy(scene: Scene, match: re.Match[str]) -> Claim | None:
    """Read "sorted …" and, only where an order is named, "list of …"."""
    if match.group().startswith("return list of") and match["order"] is None:
        return None
    return _sorted(scene, match)


def _sort_in_place(scene: Scene, match: re.Match[str]) -> Claim | None:
    items = items_of(scene, match["items"])
    if items is None or not items.is_named_plainly:
        return None
    reverse = "" if ascending(match["order"]) else ", reverse=True"
    after = f"{items.parameter}__after"
    wanted = f"sorted({items.source}{reverse})"
    return Claim(
        f"list({after} if result is None else result) == {wanted}",
        (*_sortable(items), kind_guard(items.parameter, "list")),
        is_whole=True,
    )


def _unique(scene: Scene, match: re.Match[str]) -> Claim | None:
    items = items_of(scene, match["items"])
    if items is None or items.kind == "letter" or items.is_filtered:
        return None
    kept = f"len(list(result)) == len(set(result)) and set(result) == set({items.source})"
    return Claim(kept, (*items.guards, _HASHED.format(items.source)))


def _reversed(scene: Scene, match: re.Match[str]) -> Claim | None:
    sequence = scene.sequence(match["items"])
    if sequence is None or scene.kind(sequence) == "text":
        return None
    after = f"{sequence}__after"
    return Claim(
        f"list({after} if result is None else result) == list({sequence})[::-1]",
        (kind_guard(sequence, "list"),),
        is_whole=True,
    )


def _common(scene: Scene, match: re.Match[str]) -> Claim | None:
    lists = [name for name in scene.parameters if scene.kind(name).startswith("list")]
    if len(lists) != 2 or len(scene.parameters) != 2:
        return None
    first, second = lists
    guards = tuple(f"{kind_guard(name, 'list')} and {_HASHED.format(name)}" for name in lists)
    operator = "|" if match["which"] == "union" else "&"
    wanted = f"(set({first}) {operator} set({second}))"
    if match["order"] is None:
        return Claim(f"set(result) == {wanted}", guards)
    unique = "len(list(result)) == len(set(result)) and " if match["unique"] else ""
    kind = f"({item_guard(first, 'number')} and {item_guard(second, 'number')})"
    return Claim(f"{unique}set(result) == {wanted} and list(result) == sorted(result)", (*guards, kind))


def _mapped(scene: Scene, match: re.Match[str]) -> Claim | None:
    items = items_of(scene, match["items"])
    amount = scene.number(match["n"]) if match["n"] else None
    if items is None or items.is_filtered or items.kind not in {"", "int", "number"}:
        return None
    if match["n"] and amount is None:
        return None
    change = match["how"] or "incremented"
    operator = {"incremented": "+", "increased": "+", "decremented": "-", "decreased": "-", "multiplied": "*"}[change]
    guards = (*items.guards, item_guard(items.source, "number"))
    if amount in scene.parameters and amount is not None:
        guards = (*guards, kind_guard(amount, "number"))
    return listed(f"[v_ {operator} {amount or '1'} for v_ in {items.source}]", *guards)


def _powers(scene: Scene, match: re.Match[str]) -> Claim | None:
    items = items_of(scene, match["items"])
    if items is None or items.is_filtered or items.kind not in {"", "int", "number"} or items.is_distinct:
        return None
    change = {"squares": "v_ * v_", "cubes": "v_ ** 3", "absolute values": "abs(v_)"}[match["how"]]
    return listed(f"[{change} for v_ in {items.source}]", *items.guards, item_guard(items.source, "int"))


def _running(scene: Scene, match: re.Match[str]) -> Claim | None:
    lists = [name for name in scene.parameters if scene.kind(name).startswith("list")]
    if len(lists) != 1:
        return None
    source = lists[0]
    function = "sum" if match["what"] in {"sum", "sums", "total", "totals"} else match["what"][:3]
    wanted = f"[{function}({source}[: i_ + 1]) for i_ in range(len({source}))]"
    return listed(wanted, kind_guard(source, "list"), item_guard(source, "int"))


def _between(scene: Scene, match: re.Match[str]) -> Claim | None:
    sequence = scene.sequence(match["items"])
    words = [word.strip("'\"") for word in match["what"].split()]
    inserted = next((name for word in reversed(words) if (name := scene.named(word)) is not None), None)
    if sequence is None or inserted is None or inserted == sequence or len(words) > 4:
        return None
    woven = f"[w_ for v_ in {sequence} for w_ in ({inserted}, v_)][1:]"
    return listed(woven, kind_guard(sequence, "list"))


_ITEMS = r"(?P<items>.+?)"
_COPY = r"(?:sorted (?:version|copy) of|sorted|ordered list of|sorted list of|sorted array of|list of)"
LISTS: tuple[Form, ...] = (
    form("filtered", "the result holds exactly the items that meet the condition, in their order",
         "Return only positive numbers in the list.",
         r"return (?:a )?(?:new )?(?:list (?:of|with|containing) )?(?:only )?(?P<items>.+)", _filter),
    form("filter_for", "the result holds exactly the items that meet the condition, in their order",
         "Filter the list of strings only for ones that start with the given prefix.",
         r"(?:filters?|return filtered) (?P<items>.+?),? (?:(?:only )?(?:for|to|to keep|keeping|to include)(?: only)? "
         r"(?:(?P<kind>integers)|(?:the )?(?:ones|those|strings|elements|numbers|items|words) (?P<relation>.+)))",
         _filter_split),
    form("removed", "the result holds exactly the items that do not meet the condition, in their order",
         "Remove all negative numbers from the list.",
         r"(?:remove|removes|delete|deletes|drop|drops|filter out|filters out|exclude|discard) (?P<items>.+)",
         _removed),
    form("sorted_items", "the result is the items in ascending (descending) order",
         "Return a list of the even numbers in xs sorted in ascending order.",
         rf"return (?:new )?(?:list|array) of {_ITEMS},? (?:sorted|ordered){ORDER}?", _sorted),
    form("sorted_copy", "the result is the items in ascending (descending) order", "Return sorted unique elements in "
    "a list.",
         rf"return {_COPY} (?P<unique>unique |distinct )?{_ITEMS}{ORDER}?", _sorted_copy),
    form("sorted_after", "the result is the parameter's items in ascending (descending) order",
         "Return the given list sorted in ascending order.", rf"return {_ITEMS} (?:sorted|ordered){ORDER}?", _sorted),
    form("sort", "the list, returned or in place, is in ascending (descending) order", "Sort the list in ascending "
    "order.",
         rf"sorts? {_ITEMS}{ORDER}?", _sort_in_place),
    form("without_duplicates", "the result has every value of the list once", "Remove duplicates from the list.",
         r"(?:remove|removes|delete|eliminate)(?: all)?(?: the)? (?:duplicates|duplicate (?:elements|values|items"
         r"|entries))"
         r" (?:from|in) (?P<items>.+)", _unique),
    form("unique_items", "the result has every value of the list once", "Return the unique elements of the list.",
         r"return (?:list of )?(?:all )?(?:the )?(?:unique|distinct) (?P<items>(?:elements|values|items|numbers) .+)",
         _unique),
    form("reversed_list", "the list, returned or in place, is in reverse order", "Reverse the given list.",
         r"(?:reverses?|return reversed?(?: version of| copy of)?) (?P<items>.+)", _reversed),
    form("common_items", "the result has the values of both lists (of either)",
         "Return sorted unique common elements for two lists.",
         r"return (?:list of )?(?P<order>sorted )?(?P<unique>unique )?(?P<which>common elements|intersection|union)"
         r"(?: elements)? (?:for|of|in|between) (?:the )?(?:two |both )?(?:lists|arrays)", _common),
    form("changed_by", "the result has every item changed by an amount", "Return list with elements incremented by 1.",
         r"return list (?:with|of) (?P<items>(?:all )?elements.*?) (?P<how>incremented|increased|decremented|decreased"
         r"|multiplied) by (?P<n>\w+)", _mapped),
    form("squares", "the result has the square (cube, absolute value) of every item",
         "Return a list of the squares of the numbers.",
         r"return list of (?:the )?(?P<how>squares|cubes|absolute values) of (?P<items>.+)", _powers),
    form("running", "the result has the sum (maximum, minimum) of the items up to each place",
         "Return the running maximum of the list.",
         r"return (?:list (?:of|with) )?(?:the )?(?:running|rolling|cumulative) (?P<what>max|maximum|min|minimum"
         r"|sums?|totals?)"
         r"(?: (?:elements?|values?))?(?: (?:found )?(?:until|up to|at) (?:the )?(?:given|each|every) (?:moment|point"
         r"|position|index)(?: in (?:the )?(?:sequence|list))?| of .+)?", _running),
    form("between_items", "the result has a value inserted between every two items",
         "Insert a number 'delimiter' between every two consecutive elements of the list.",
         r"(?:insert|inserts|put|places?|intersperses?) (?P<what>.+?) between (?:every|each)(?: (?:two|pair of))?"
         r" (?:consecutive|adjacent|neighbou?ring) (?:elements|items) (?:of|in) (?P<items>.+)", _between),
)  # fmt: skip
