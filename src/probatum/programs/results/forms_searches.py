"""Sentence forms for what is found in lists: indices, the k-th largest, the most frequent, sums of parts, merging."""

from __future__ import annotations

import re

from probatum.programs.results.nouns import Scene, item_guard, kind_guard
from probatum.programs.results.sentence_form import Claim, Form, form, number

__all__ = ["SEARCHES"]

_ORDINALS = {"second": "2", "third": "3", "2nd": "2", "3rd": "3"}


def _lists(scene: Scene) -> list[str]:
    return [name for name in scene.parameters if scene.kind(name).startswith("list")]


def _numbers(name: str) -> tuple[str, ...]:
    return kind_guard(name, "list"), item_guard(name, "number")


def _index(scene: Scene, match: re.Match[str]) -> Claim | None:
    words = [
        word for word in match["part"].split() if word not in {"a", "an", "the", "given", "element", "value", "item"}
    ]
    part = scene.named(words[-1]) if len(words) == 1 else None
    whole = scene.sequence(match["whole"])
    if part is None or whole is None or part == whole:
        return None
    return Claim(
        f"0 <= result < len({whole}) and {whole}[result] == {part}", (kind_guard(whole, "list"), f"{part} in {whole}")
    )


def _ranked(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.sequence(match["items"])
    rank = _ORDINALS.get(match["rank"]) or scene.number(match["rank"].removesuffix("th").rstrip("-"))
    if name is None or rank is None:
        return None
    place = f"-{rank}" if match["which"] in {"largest", "greatest", "biggest", "highest"} else f"{rank} - 1"
    guards = (*_numbers(name), f"len(set({name})) == len({name})", f"1 <= {rank} <= len({name})")
    return number(
        f"sorted({name})[{place}]", *((kind_guard(rank, "int"),) if rank in scene.parameters else ()), *guards
    )


def _frequent(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.sequence(match["items"])
    if name is None:
        return None
    most = f"max(list({name}).count(v_) for v_ in {name})"
    return Claim(f"list({name}).count(result) == {most}", (kind_guard(name, "list"), f"len({name}) > 0"), is_whole=True)


def _part_sum(scene: Scene, match: re.Match[str]) -> Claim | None:
    lists = _lists(scene)
    if len(lists) != 1 or len(scene.parameters) != 1:
        return None
    name = lists[0]
    function = "max" if match["which"] in {"maximum", "largest", "greatest", "max"} else "min"
    sign = ">" if function == "max" else "<"
    best = f"{function}(sum({name}[i_:k_]) for i_ in range(len({name})) for k_ in range(i_ + 1, len({name}) + 1))"
    guards = (
        kind_guard(name, "list"),
        item_guard(name, "int"),
        f"any(v_ {sign} 0 for v_ in {name})",
        f"len({name}) < 40",
    )
    return number(best, *guards)


def _spread(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.sequence(match["items"])
    if name is None:
        return None
    return number(f"max({name}) - min({name})", *_numbers(name), f"len({name}) > 0")


def _dot(scene: Scene, match: re.Match[str]) -> Claim | None:
    lists = _lists(scene)
    if len(lists) != 2:
        return None
    first, second = lists
    products = f"sum(a_ * b_ for a_, b_ in zip({first}, {second}))"
    return number(products, *_numbers(first), *_numbers(second), f"len({first}) == len({second})")


def _merged(scene: Scene, match: re.Match[str]) -> Claim | None:
    lists = _lists(scene)
    if len(lists) != 2 or len(scene.parameters) != 2:
        return None
    first, second = lists
    in_order = [f"list({name}) == sorted({name})" for name in lists]
    wanted = f"sorted([*{first}, *{second}])"
    return Claim(f"result is None or list(result) == {wanted}", (*_numbers(first), *_numbers(second), *in_order))


def _pair(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.sequence(re.sub(r"^all (?:the )?\w+ (?:in|of) ", "", match["items"])) or scene.sequence(match["items"])
    if name is None:
        return None
    values = {"sum": f"sum({name})", "product": f"math.prod({name})", "average": f"sum({name}) / len({name})",
              "mean": f"sum({name}) / len({name})"}  # fmt: skip
    for word in ("minimum", "smallest", "min", "lowest"):
        values[word] = f"min({name})"
    for word in ("maximum", "largest", "max", "highest"):
        values[word] = f"max({name})"
    wanted = f"({values[match['one']]}, {values[match['other']]})"
    guards = (kind_guard(name, "list"), item_guard(name, "int"), f"0 < len({name}) < 40")
    close = f"all(abs(a_ - b_) <= 1e-6 * max(1, abs(b_)) for a_, b_ in zip(result, {wanted}))"
    return Claim(f"len(result) == 2 and {close}", guards, is_whole=True)


def _of_two(scene: Scene, match: re.Match[str]) -> Claim | None:
    lists = _lists(scene)
    if len(lists) != 2 or len(scene.parameters) != 2:
        return None
    guards = tuple(kind_guard(name, "list") for name in lists)
    return Claim(f"list(result) == list({lists[0]}) or list(result) == list({lists[1]})", guards)


_ORDER = r"(?:largest|greatest|biggest|highest|smallest|lowest|least)"
_AGGREGATE = r"(?:sum|product|average|mean|minimum|maximum|smallest|largest|min|max|lowest|highest)"
SEARCHES: tuple[Form, ...] = (
    form("index_of", "the result is a place at which the list has the value, where it has it",
         "Return the index of target in the list.",
         r"return (?:index|position) of (?P<part>.+?) (?:in|within) (?P<whole>.+)", _index),
    form("ranked", "the result is the k-th largest (smallest) item, for lists without equal items",
         "Return the second largest number in the list.",
         rf"return (?P<rank>second|third|2nd|3rd|\w+-?th)[- ](?P<which>{_ORDER}) (?:number|element|value|item|integer)"
         r" (?:in|of|from) (?P<items>.+)", _ranked),
    form("most_frequent", "no item is in the list more often than the result", "Return the most common element of "
    "the list.",
         r"return (?:most (?:common|frequent)|mode)(?: (?:element|item|number|value|word))? (?:in|of|from) "
         r"(?P<items>.+)",
         _frequent),
    form("sum_of_part", "the result is the largest (smallest) sum of items that stand side by side",
         "Return the maximum sum of any contiguous subarray.",
         r"return (?P<which>maximum|largest|greatest|max|minimum|smallest|min) (?:sum of (?:any |a |all "
         r")?(?:non-?empty )?"
         r"(?:contiguous |consecutive )?(?:sub-?arrays?|sublists?)|(?:contiguous )?sub-?array sum)(?: (?:of|in) .+)?",
         _part_sum),
    form("spread", "the result is the largest item less the smallest",
         "Return the difference between the largest and smallest elements of the list.",
         r"return (?:absolute )?difference between (?:the )?(?:largest|maximum|max|biggest|highest) and (?:the "
         r")?(?:smallest"
         r"|minimum|min|lowest) (?:elements?|numbers?|values?|items?) (?:in|of) (?P<items>.+)", _spread),
    form("dot_product", "the result is the sum of the products of the items at the same places",
         "Return the dot product of two vectors.", r"return (?:dot|scalar|inner) product(?: of .+)?", _dot),
    form("merged", "the result has the items of both sorted lists in order", "Merge two sorted lists into one sorted "
    "list.",
         r"(?:merge|merges|return merge of|return merged list of) (?:the )?two sorted (?:lists|arrays|sequences)(?: "
         r".+)?", _merged),
    form("pair_of_values", "the result is two such values of the items", "Return a tuple of the minimum and maximum "
    "of xs.",
         rf"return (?:tuple|pair|list) (?:consisting of|of|containing|with) (?:an? |the )?(?P<one>{_AGGREGATE})(?: "
         rf"value)? and "
         rf"(?:an? |the )?(?P<other>{_AGGREGATE})(?: values?)? (?:of|in) (?P<items>.+)", _pair),
    form("one_of_two_lists", "the result is one of the two lists", "Return the list that has fewer elements.",
         r"return list (?:that|which|with) .+", _of_two),
)  # fmt: skip
