"""Sentence forms that say something of the result without defining it: order, length, bounds, membership, rounding."""

from __future__ import annotations

import re
from dataclasses import replace

from probatum.programs.results.forms_lists import ascending
from probatum.programs.results.nouns import COUNTS, Scene, item_guard, kind_guard
from probatum.programs.results.sentence_form import Claim, Form, form, same
from probatum.programs.results.worded_items import names_texts_of_words

__all__ = ["RESULTS"]

_QUALIFIED = re.compile(
    r"\b(?:if|unless|when|by|according|based|where|otherwise|each|every|rows?|columns?|initially)\b"
)
_COUNTABLE = re.compile(
    r"\b(?:characters|letters|vowels|consonants|digits|spaces|words|elements|items|numbers|integers|strings|entries)\b"
)
_ITEMS = frozenset({"elements", "items", "numbers", "integers", "entries"})
_TEXTS = frozenset({"strings", "words"})
_THINNING = re.compile(r"\b(?:remov\w+|delet\w+|filter\w*|only|unique|distinct|duplicates?|without)\b")
_SAME_ITEMS = "len(result) == len({0}) and all(list(result).count(v_) == list({0}).count(v_) for v_ in {0})"
_KEYED = "(lambda v_: v_[{0!r}] if type(v_) is dict else getattr(v_, {0!r}))"


def _list(scene: Scene) -> str | None:
    lists = [name for name in scene.parameters if scene.kind(name).startswith("list")]
    return lists[0] if len(lists) == 1 else None


def _ordered(_scene: Scene, match: re.Match[str]) -> Claim | None:
    if _QUALIFIED.search(match.string):
        return None
    orders = [value for key, value in match.groupdict().items() if key.startswith("order") and value]
    reverse = "" if ascending(orders[0] if orders else None) else ", reverse=True"
    return Claim(f"(lambda r_: type(result) is str or r_ == sorted(r_{reverse}))(list(result))")


def _ordered_by_key(_scene: Scene, match: re.Match[str]) -> Claim | None:
    key = _KEYED.format(match["key"])
    reverse = "" if match["first"] in {None, "oldest", "lowest", "smallest", "earliest"} else ", reverse=True"
    if match["direction"]:
        reverse = "" if match["direction"] in {"ascending", "increasing"} else ", reverse=True"
    return Claim(f"(lambda r_: r_ == sorted(r_{reverse}))([{key}(v_) for v_ in result])")


def _rounded(_scene: Scene, match: re.Match[str]) -> Claim | None:
    if match["whole"]:
        return Claim("type(result) is not float or result == result // 1")
    digits = COUNTS.get(match["digits"], match["digits"])
    if not digits.isdigit():
        return None
    return Claim(f"type(result) is not float or result == round(result, {digits})")


def _same_length(scene: Scene, match: re.Match[str]) -> Claim | None:
    lists = [name for name in scene.parameters if scene.kind(name).startswith("list")]
    named = scene.sequence(match["as"]) if match["as"] else (lists[0] if lists else None)
    if named is None:
        return None
    return Claim(f"len(result) == len({named})", tuple(kind_guard(name, "list") for name in lists or [named]))


def _length(scene: Scene, match: re.Match[str]) -> Claim | None:
    length = scene.number(match["n"])
    if length is None:
        return None
    guards = (kind_guard(length, "int"), f"{length} >= 0") if length in scene.parameters else ()
    lists = [name for name in scene.parameters if scene.kind(name).startswith("list")]
    enough = tuple(f"{kind_guard(name, 'list')} and {length} <= len({name})" for name in lists)
    return Claim(f"len(result) == {length}", (*guards, *enough))


def _permuted(scene: Scene, match: re.Match[str]) -> Claim | None:
    groups = match.groupdict()
    name = scene.sequence(groups.get("sorted") or groups["items"])
    if name is None or scene.kind(name) == "text" or _THINNING.search(match.string):
        return None
    after = f"({name}__after if result is None else result)"
    # Numbers can be put in any order; what texts or records are ordered by, they may lack.
    is_numeric = scene.kind(name) in {"list int", "list number"}
    guard = kind_guard(name, scene.kind(name) if is_numeric else "list")
    return Claim(
        _SAME_ITEMS.format(name).replace("result", after), (guard,), value=f"list({name})" if is_numeric else ""
    )


def _subset(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.sequence(match["place"]) if match["place"] else _list(scene)
    if name is None or not scene.kind(name).startswith("list"):
        return None
    return Claim(f"all(v_ in {name} for v_ in result)", (kind_guard(name, "list"),))


def _chosen(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = _list(scene)
    noun = match["noun"]
    if name is None or re.search(r"\b(?:not|missing|new|next|no|without|reversed?|joined)\b", match.string[:60]):
        return None
    if noun in {"word", "string"} and scene.kind(name) not in {"list text", "list"}:
        return None
    return Claim(f"result in {name}", (kind_guard(name, "list"), f"len({name}) > 0"))


def _within(scene: Scene, match: re.Match[str]) -> Claim | None:
    low, high = scene.number(match["low"]), scene.number(match["high"])
    if low is None or high is None:
        return None
    kind = "int" if "integer" in match.string else "number"
    guards = [kind_guard(name, kind) for name in (low, high) if name in scene.parameters]
    return Claim(f"{low} <= result <= {high}", (*guards, f"{low} <= {high}"))


def _signed(_scene: Scene, match: re.Match[str]) -> Claim | None:
    return Claim({"positive": "result > 0", "negative": "result < 0"}.get(match["sign"], "result >= 0"))


def _counted(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.sequence(match["place"]) or scene.text(match["place"])
    if name is None or re.search(r"\b(?:pairs?|ways?|sub\w*|combinations|times|sum)\b", match["items"]):
        return None
    kind = scene.kind(name).split(" ")[0]
    if kind not in {"list", "text"} or _COUNTABLE.search(match["items"]) is None:
        return None
    guards: tuple[str, ...] = (kind_guard(name, kind),)
    is_bounded = "total" not in scene.words
    if kind == "list" and is_bounded:
        nouns = set(_COUNTABLE.findall(match["items"]))
        if nouns <= _TEXTS and not names_texts_of_words(match["place"]):
            guards = (*guards, item_guard(name, "text"))
        elif nouns <= _ITEMS:
            guards = (*guards, item_guard(name, "number"))
        else:
            is_bounded = False
    return Claim(f"0 <= result <= len({name})" if is_bounded else "result >= 0", guards)


def _distinct(_scene: Scene, match: re.Match[str]) -> Claim | None:
    return Claim("len(list(result)) == len({repr(v_) for v_ in result})")


def _inverse(scene: Scene, match: re.Match[str]) -> Claim | None:
    other = match["other"] or match["inverse"]
    if len(scene.parameters) != 1 or not scene.name or other == scene.name:
        return None
    name = scene.parameters[0]
    plain = f"(type({name}) is not str or {name}.isascii() and {name}.isalpha() and {name}.islower())"
    return Claim(f"{scene.name}({other}({name})) == {name}", (plain,))


def _idempotent(scene: Scene, match: re.Match[str]) -> Claim | None:
    return Claim(f"{scene.name}(result) == result") if len(scene.parameters) == 1 and scene.name else None


def _symmetric(scene: Scene, _match: re.Match[str]) -> Claim | None:
    if len(scene.parameters) != 2 or not scene.name:
        return None
    first, second = scene.parameters
    if scene.kind(first) != scene.kind(second):
        return None
    return Claim(same(f"{scene.name}({second}, {first})", "result"))


_DECIMALS = r"(?P<digits>\d|one|two|three|four|five|six) (?:decimals?|decimal (?:places?|points?|digits?)|digits after)"
_FORMS = (
    form("ordered", "the result is in ascending (descending) order", "Return a sorted list of all divisors.",
         r"return (?:an? |the )?(?:new )?sorted (?:list|array|tuple|sequence)\b.*|return (?!whether|true|false"
         r"|if)\S.*?,? (?:sorted )?in "
         r"(?:an? )?(?P<order1>ascending|increasing|descending|decreasing)(?: order)?",
         _ordered),
    form("ordered_by_key", "the items of the result are in order of a key that the sentence names",
         "Return the users sorted by created_at, newest first.",
         r"return .+? (?:sorted|ordered) by (?:their )?(?P<key>[a-z]+_[a-z_]+)(?:,? \(?(?P<first>newest|latest|most "
         r"recent"
         r"|largest|highest|oldest|earliest|lowest|smallest) first\)?|,? (?:in )?(?P<direction>ascending|descending"
         r"|increasing|decreasing)(?: order)?)", _ordered_by_key),
    form("rounded", "the result has no more decimals than said", "Return the mean rounded to 2 decimals.",
         rf".*\bround(?:ed|s)?(?: the (?:result|answer|value))? to (?:(?P<whole>the nearest (?:integer|whole number))|"
         rf"{_DECIMALS})\b.*", _rounded),
    form("same_length", "the result has as many items as the list", "Return an array of the same length as xs.",
         r"return (?:an? |the )?(?:new )?(?:list|array|tuple)(?: of \w+)? (?:of|with) (?:the )?same (?:length|size)"
         r"(?: as (?P<as>(?:the )?(?:input|given)? ?\w+))?(?: .*)?", _same_length),
    form("length_is", "the result has so many items", "Return a list of length k.",
         r"return (?:an? |the )?(?:sorted |new )?(?:list|array|string) of (?:length|size) (?P<n>\w+)\b.*", _length),
    form("permutation", "the result has the same items as the list, as often", "Return a permutation of the list.",
         r"return (?:an? |the )?(?:(?:random )?(?:permutation|rearrangement) of (?P<items>.+)"
         r"|copy of (?P<sorted>.+?) after (?:sorting|shuffling|reordering)(?:,.*)?)", _permuted),
    form("reordered", "the result has the same items as the list, as often", "Sort the list by length.",
         r"(?:sorts?|reorders?|rearranges?) (?P<sorted>(?:the |an? |given |this |input )*(?:list|array)"
         r"(?: of [\w-]+(?: \w+)?)?|\w+) (?:(?:sorted )?in (?:an? )?\w+ order )?(?:according to|based on|by"
         r"|in \w+ order)\b.*|return (?P<items>(?:the |given |this )*(?:list|array)(?: of \w+)?) in \w+ order\b.*",
         _permuted),
    form("subset", "every item of the result is one of the list", "Return a list of the strings that rhyme.",
         r"return (?:an? |the )?(?:sorted |new )*(?:list|array) of (?:all )?(?:the )?(?:elements|items|strings|numbers"
         r"|integers)(?: (?:in|from|of) (?P<place>(?:the )?(?:given |input )?\w+))? (?:that|which|whose)\b.*", _subset),
    form("one_of_the_items", "the result is one of the items of the list", "Return the word with the most vowels.",
         r"return the (?:\w+ )?(?P<noun>word|string|element|item) (?:with|that|which|whose|having)\b.*", _chosen),
    form("within", "the result lies between two bounds, both included",
         "Return a number between 0 and 1.",
         r"return (?:an? |the )?(?:[\w-]+ ){0,4}(?:number|integer|value|float)(?: \w+)?(?: that is| that lies)? "
         r"(?:between|in the range) \[?(?P<low>-?[\w.]+)(?:,| and) (?P<high>-?[\w.]+)\]?(?:,? "
         r"\(?inclusive\)?)?(?:\b.*)?",
         _within),
    form("sign", "the result has a sign", "Return a non-negative integer.",
         r"return (?:an? )(?P<sign>positive|negative|non-?negative) (?:integer|number|float|int|value)", _signed),
    form("counted", "the result is not negative, and no more than the length where own items are counted",
         "Return the number of vowels in the string.",
         r"(?:return (?:the )?(?:total )?number of|counts?(?: the number of)?) (?P<items>.+?) in (?P<place>[\w' ]+)",
         _counted),
    form("distinct", "no value is in the result twice", "Return a list without duplicates.",
         r"return (?:an? |the )?(?:list|array)(?: of \w+)? without duplicates", _distinct),
    form("inverse", "calling both functions one after the other gives the argument back",
         "Takes as input a string encoded with encode_shift. Returns the decoded string.",
         r"(?:takes|accepts|receives) (?:as input )?(?:an? )?(?:string|text|value|data) (?:that was )?(?:encoded"
         r"|encrypted"
         r"|compressed|serialized|produced|created) (?:with|by|using) (?:the )?(?P<other>[a-z_]\w*)(?: function)?"
         r"(?: as input)?(?:,? and)?(?: returns? .*)?|.*?\b(?:the )?inverse of (?:the )?(?P<inverse>[a-z_]\w*)(?: "
         r"function)?",
         _inverse),
    form("idempotent", "calling it on its result changes nothing", "Normalising is idempotent.",
         r"(?:(?:\w+ ){0,3}is idempotent|.*applying it twice (?:has|gives|is) the same.*"
         r"|(?:calling|applying|running|using) (?:it|this|the function) (?:twice|again|a second time|on its own result"
         r"|to its own result) (?:changes nothing(?: more| further)?|does nothing(?: more)?"
         r"|has no (?:further |more |additional )?effect|gives the same (?:result|value)|returns the same))",
         _idempotent),
    form("symmetric", "exchanging the two arguments does not change the result",
         "The distance is the same in both directions.",
         r"(?:(?:the |its )?(?:\w+ )?(?:is|are) (?:the )?(?:same|equal) in both (?:directions|orders)"
         r"|(?:the )?order of (?:the )?(?:two )?(?:arguments|parameters|inputs) (?:does not matter|doesn't matter"
         r"|is irrelevant|makes no difference)"
         r"|(?:swapping|exchanging) (?:the )?(?:two )?(?:arguments|parameters|inputs) (?:does not change the result"
         r"|changes nothing|gives the same (?:result|value))"
         r"|(?:the |this |it )?(?:function |distance |operation )?is (?:symmetric|commutative)(?: in its "
         r"arguments)?)",
         _symmetric),
)  # fmt: skip
RESULTS: tuple[Form, ...] = tuple(replace(each, keeps_article=True) for each in _FORMS)
