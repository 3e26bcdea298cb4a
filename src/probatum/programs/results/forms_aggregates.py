"""Sentence forms for one value out of many: sums, products, counts, extremes, means, lengths, the longest text."""

from __future__ import annotations

import re

from probatum.programs.results.nouns import Scene, item_guard, kind_guard
from probatum.programs.results.sentence_form import Claim, Form, form, listed, number, text
from probatum.programs.results.worded_items import Items, items_of, repeated_items

__all__ = ["AGGREGATES"]

_LARGEST = r"(?:largest|maximum|max|greatest|biggest|highest|maximal)"
_SMALLEST = r"(?:smallest|minimum|min|least|lowest|minimal)"
_DIGITS = re.compile(r"(?P<sort>even|odd) (?:decimal )?digits(?: (?:of|in) (?P<of>.+))?")
_CASELESS = r"(?P<caseless>,? \(?(?:regardless of|ignoring|irrespective of) (?:the )?case\)?| \(case[- ]insensitive\))?"


def _numeric(items: Items | None) -> Items | None:
    """Return the items when they can be numbers, the guard included."""
    return items if items is not None and items.kind in {"", "int", "number"} and not items.is_distinct else None


def _number_guards(items: Items) -> tuple[str, ...]:
    return (*items.guards, item_guard(items.source, "number"))


def _sum(scene: Scene, match: re.Match[str]) -> Claim | None:
    items = _numeric(items_of(scene, match["items"]))
    if items is None:
        return None
    mapped = {"squares": "v_ * v_", "cubes": "v_ ** 3", "absolute values": "abs(v_)"}.get(match["of"] or "", "v_")
    generator = items.chosen.replace("v_ for", f"{mapped} for", 1)
    return number(f"sum({generator})", *_number_guards(items))


def _product(scene: Scene, match: re.Match[str]) -> Claim | None:
    items = _numeric(items_of(scene, match["items"]))
    if items is None or items.is_filtered:
        return None
    guards = (*_number_guards(items), f"0 < len({items.source}) < 50", f"all(abs(v_) < 1000 for v_ in {items.source})")
    return number(f"math.prod({items.source})", *guards)


def _mean(scene: Scene, match: re.Match[str]) -> Claim | None:
    items = _numeric(items_of(scene, match["items"]))
    if items is None:
        return None
    chosen = f"[{items.chosen}]"
    return number(f"(lambda c_: sum(c_) / len(c_))({chosen})", *_number_guards(items), f"len({chosen}) > 0")


def _median(scene: Scene, match: re.Match[str]) -> Claim | None:
    items = _numeric(items_of(scene, match["items"]))
    if items is None or items.is_filtered:
        return None
    middle = f"(lambda c_: (c_[(len(c_) - 1) // 2] + c_[len(c_) // 2]) / 2)(sorted({items.source}))"
    return number(middle, *_number_guards(items), f"len({items.source}) > 0")


def _deviation(scene: Scene, match: re.Match[str]) -> Claim | None:
    items = _numeric(items_of(scene, match["items"]))
    if items is None or items.is_filtered:
        return None
    inner = "(lambda m_: sum(abs(v_ - m_) for v_ in c_) / len(c_))(sum(c_) / len(c_))"
    return number(f"(lambda c_: {inner})({items.source})", *_number_guards(items), f"len({items.source}) > 0")


def _count(scene: Scene, match: re.Match[str]) -> Claim | None:
    repeated = repeated_items(scene, match["items"])
    if repeated is not None:
        return None
    items = items_of(scene, match["items"])
    if items is None or items.is_named_plainly:
        return None
    source = items.source
    if match["caseless"]:
        if items.kind != "letter" or items.is_filtered:
            return None
        source = f"{source}.lower()"
    chosen = items.chosen.replace(f"in {items.source}", f"in {source}", 1)
    if items.is_distinct:
        guards = (*items.guards, f"all(v_.__hash__ is not None for v_ in {items.source})")
        return number(f"len({{{chosen}}})", *guards)
    # What is in a list of containers may be what they hold, and not they themselves.
    plain = (
        () if items.kind else (f"all(type(v_) not in (list, tuple, dict, set, frozenset) for v_ in {items.source})",)
    )
    return number(f"sum(1 for {chosen.removeprefix('v_ for ')})", *items.guards, *plain)


def _counts(scene: Scene, match: re.Match[str]) -> Claim | None:
    """Read "the number of even and odd digits": one number for each of two sorts of the same things."""
    first, second = match["first"] or match["one"], match["second"] or match["other"]
    rest = second.split(" ")[1:]
    wordings = (" ".join((first, *rest)), " ".join((first, *rest[1:])))
    for wording in wordings:
        left, right = _counted(scene, wording), _counted(scene, second)
        if left is not None and right is not None and left[1] == right[1]:
            return listed(f"({left[0]}, {right[0]})", *left[2], *right[2])
    return None


def _counted(scene: Scene, phrase: str) -> tuple[str, str, tuple[str, ...]] | None:
    """Return how many things of a sort there are, where they are, and when the words mean that."""
    digits = _DIGITS.fullmatch(phrase)
    integer = scene.number(digits["of"] or "the number") if digits is not None else None
    if digits is not None and integer in scene.parameters and scene.kind(integer) in {"int", "number"}:
        remainder = 0 if digits["sort"] == "even" else 1
        return (
            f"sum(int(c_) % 2 == {remainder} for c_ in str(abs({integer})))",
            integer,
            (kind_guard(integer, "int"),),
        )
    items = items_of(scene, phrase)
    if items is None or items.is_named_plainly or items.is_distinct or not items.is_filtered:
        return None
    return f"sum(1 for {items.chosen.removeprefix('v_ for ')})", items.source, items.guards


def _extreme(scene: Scene, match: re.Match[str]) -> Claim | None:
    phrase = match["items"]
    items = items_of(scene, phrase)
    if items is None or items.is_distinct or items.kind in {"text", "letter"}:
        return None
    function = "max" if re.fullmatch(_LARGEST, match["which"]) else "min"
    return number(f"{function}({items.chosen})", *_number_guards(items), f"any(True for {items.drawn})")


def _longest(scene: Scene, match: re.Match[str]) -> Claim | None:
    items = items_of(scene, match["items"])
    if items is None or items.kind == "letter" or items.is_distinct:
        return None
    function = "max" if match["which"] == "longest" else "min"
    best = f"{function}(len(v_) for {items.drawn})"
    guards = (*items.guards, item_guard(items.source, "text"), f"any(True for {items.drawn})")
    return Claim(f"result in [{items.chosen}] and len(result) == {best}", guards, is_whole=True)


def _longest_of_all(scene: Scene, match: re.Match[str]) -> Claim | None:
    sequence = scene.sequence(match["items"])
    if sequence is None or scene.kind(sequence) not in {"list text", "list"}:
        return None
    function = "max" if match["which"] == "longest" else "min"
    guards = (kind_guard(sequence, "list text"), f"len({sequence}) > 0")
    return text(f"{function}({sequence}, key=len)", *guards)


def _length(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.text(match["what"]) or scene.sequence(match["what"])
    if name is None:
        return None
    kind = scene.kind(name).split(" ")[0] or "text"
    return number(f"len({name})", kind_guard(name, kind))


def _times(scene: Scene, match: re.Match[str]) -> Claim | None:
    words = [word for word in match["part"].split() if word not in {"a", "an", "the", "given", "number", "value"}]
    part = scene.named(words[-1]) if words and len(words) <= 2 else None
    whole = scene.text(match["whole"]) or scene.sequence(match["whole"])
    if part is None or whole is None or part == whole:
        return None
    if scene.kind(whole) == "text":
        guards = (kind_guard(whole, "text"), kind_guard(part, "text"), f"len({part}) > 0")
        most = f"sum({whole}.startswith({part}, i_) for i_ in range(len({whole})))"
        return Claim(f"{whole}.count({part}) <= result <= {most}", guards, is_whole=False)
    return number(f"list({whole}).count({part})", kind_guard(whole, "list"))


AGGREGATES: tuple[Form, ...] = (
    form("sum", "the result is the sum of the items", "Return the sum of all positive numbers in the list.",
         r"return (?:total )?sum of (?:the )?(?:(?P<of>squares|cubes|absolute values) of )?(?P<items>.+)", _sum),
    form("sum_of", "the result is the sum of the items", "Add up all numbers in the list.",
         r"(?:sums?|adds?)(?: up)?(?P<of>) (?P<items>.+)", _sum),
    form("product", "the result is the product of the items", "Return the product of all the numbers in xs.",
         r"return product of (?P<items>.+)", _product),
    form("mean", "the result is the arithmetic mean of the items", "Return the average of the numbers in the list.",
         r"return (?:arithmetic )?(?:average|mean)(?: value)? of (?P<items>.+)", _mean),
    form("median", "the result is the median of the items", "Return the median of elements in the list.",
         r"return median(?: value)? of (?P<items>.+)", _median),
    form("mean_absolute_deviation", "the result is the mean absolute deviation of the items around their mean",
         "Return the mean absolute deviation of the numbers.",
         r"return mean absolute deviation (?:around the mean )?of (?P<items>.+)", _deviation),
    form("count", "the result is the number of the items", "Count the even numbers in the list.",
         rf"return (?:total )?(?:number|count|amount) of (?P<items>.+?){_CASELESS}", _count),
    form("occurrences", "the result is how often a part occurs; overlaps are left open for texts",
         "Return the number of times x occurs in the list.",
         r"return (?:number of )?(?:times|occurrences of|count of)(?: that)? (?P<part>.+?) "
         r"(?:(?:can be found|occurs|appears|is found|is present) )?in (?P<whole>.+)", _times),
    form("counts", "the result holds two numbers: how many there are of one sort and of another",
         "Return a tuple that has the number of even and odd digits respectively.",
         r"return (?:an? |the )?(?:tuple|pair|list|array) (?:(?:that|which) (?:has|contains|holds)|with|of|containing"
         r"|holding|consisting of) (?:the )?(?:numbers?|counts?) of (?P<first>.+?) and (?:the )?(?:(?:number|count)s? "
         r"of )?(?P<second>.+?)(?:,? respectively|,? in (?:that|this) order)?"
         r"|return number of (?P<one>.+?) and (?:number of )?(?P<other>.+?)(?:,? respectively|,? in (?:that|this) "
         r"order)", _counts),
    form("extreme", "the result is the largest or smallest of the items", "Return the largest even number in the list.",
         rf"return (?P<which>{_LARGEST}|{_SMALLEST})(?: of)? (?P<items>.+)", _extreme),
    form("longest", "the result is one of the texts and none is longer (shorter)",
         "Return the longest string in the list.", r"return (?P<which>longest|shortest) (?P<items>.+)", _longest),
    form("first_longest", "the result is the first of the longest (shortest) texts",
         "Return the longest one of the strings, the first one in case of ties.",
         r"return (?P<which>longest|shortest)(?: one| string| word)? (?:of|in|from) (?P<items>.+?),? "
         r"(?:the |returning the )?first(?: one)? (?:in case of|if there are|on) (?:ties|a tie|several|multiple)",
         _longest_of_all),
    form("length", "the result is the length of a parameter", "Return the length of the given string.",
         r"return length of (?P<what>.+)", _length),
)  # fmt: skip
