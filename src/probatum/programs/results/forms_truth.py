"""Sentence forms for results that are true or false: "Return True if all numbers are below t, False otherwise"."""

from __future__ import annotations

import re
from collections.abc import Callable

from probatum.programs.reading.scanning import word_set
from probatum.programs.results.forms_lists import ORDER, ascending
from probatum.programs.results.nouns import Scene, item_guard, kind_guard
from probatum.programs.results.sentence_form import Claim, Form, boolean, form
from probatum.programs.results.worded_items import items_of
from probatum.programs.results.worded_predicates import Predicate, predicate_of

__all__ = ["TRUTHS", "says_true_or_false"]

_EVERY = re.compile(
    r"(?P<how>all|every|each|any|at least one|some)(?: one)?(?: of)? (?P<items>.+?) (?:are|is|were) (?P<what>.+)"
)
_EXISTS = re.compile(
    r"(?:there (?:is|are) )(?:any|at least one|an?|some) (?P<items>.+? (?:that|which|greater|less|divisible).+)"
)
_ITSELF = re.compile(
    r"(?P<what>.+?) (?:is|are)(?: an?)? (?P<how>.+)|(?P<subject>.+?) (?P<verb>(?:starts|begins|ends|contains) .+)"
)
_SORTED = re.compile(rf"(?P<items>.+?) (?:is|are) (?:already )?sorted{ORDER}?")
_MONOTONIC = re.compile(
    r"(?P<items>.+?)(?: elements)? (?:is|are) (?:monotonically )?(?:increasing or decreasing|monotonic)"
)
_MEMBER = re.compile(r"(?P<part>\w+) (?:is|occurs|appears|exists|is present|is contained)(?: in) (?P<items>.+)")
_PAIRS = re.compile(
    r"(?:there (?:are|is|exist) )?(?:any )?(?P<n>two|three) (?:distinct |different )?(?:elements|numbers|integers"
    r"|values)"
    r"(?: (?:in|of|from) (?:the )?(?:given )?(?:list|array|\w+))? (?:that |which |whose )?(?:sum|add up|sums?) (?:up "
    r")?to "
    r"(?P<total>.+)"
)
_BRACKETS = re.compile(
    r"(?:every|each) opening (?:bracket|parenthesis) has a (?:corresponding|matching) closing (?:bracket|parenthesis"
    r"|one)"
    r"|(?:the )?(?:brackets|parentheses)(?: in .+)? are balanced"
)
_TRIANGLE = re.compile(
    r"(?:.*?\b(?:sides|lengths|numbers|values) |(?P<names>\w+, ?\w+,? (?:and )?\w+) |it )"
    r"(?:can |could )?(?:forms?|makes?(?: up)?|be the sides of|are the sides of|are sides of|represents?) an? "
    r"(?P<kind>valid |right |right[- ]angled |equilateral |isosceles |scalene )?triangle"
    r"|(?:the |a )?triangle (?:with .+ )?is (?:an? )?"
    r"(?P<sort>valid|right|right[- ]angled|equilateral|isosceles|scalene)(?: triangle)?"
)
_TRIANGLES = {
    "valid": "s_[0] + s_[1] > s_[2]",
    "right": "s_[0] ** 2 + s_[1] ** 2 == s_[2] ** 2",
    "equilateral": "s_[0] == s_[2]",
    "isosceles": "len(set(s_)) == 2",
    "scalene": "len(set(s_)) == 3",
}
"""Conditions on the three sides in ascending order; of the lengths that documents disagree about, none is asked."""
_TELL_SIDES_APART = word_set("hypotenuse hyp longest largest leg legs cathetus catheti sorted order ordered ascending")
_ANAGRAMS = re.compile(r"(?:.+ )?are anagrams(?: of each other)?|.+ is an anagram of .+")
_OTHERWISE = (
    r"(?:,? ?(?:and|or|else)?,? ?(?:it |the function |should |must )*(?:returns? )?false"
    r"(?:,? (?:otherwise|if not|in (?:any )?other cases|else))?)?(?:,? (?:else|otherwise)(?: (?:returns? )?false)?)?"
)


_TRUE_OR_FALSE = re.compile(
    r"return true (?:if|when) .+?,? (?:and |or |else |otherwise |, )*(?:it |the function |should )*(?:returns? )?false"
    r"(?: otherwise| if not| in (?:any )?other cases)?|return true (?:if|when) .+ (?:or|and) false (?:if|when) .+"
)


def says_true_or_false(core: str) -> bool:
    """Return whether a sentence says that the result is true or false, under a condition that nobody may understand."""
    return _TRUE_OR_FALSE.fullmatch(core) is not None


def condition_read(scene: Scene, words: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the condition that the words set, with the guards of its meaning; None when it is not understood."""
    words = words.strip(" ,")
    for reader in _READERS:
        found = reader(scene, words)
        if found is not None:
            return found
    return None


def _every(scene: Scene, words: str) -> tuple[str, tuple[str, ...]] | None:
    match = _EVERY.fullmatch(words)
    if match is None:
        return None
    items = items_of(scene, match["items"])
    predicate = predicate_of(scene, match["what"])
    if items is None or predicate is None or items.is_filtered or items.kind == "letter":
        return None
    guards = _kind_guards(items.source, items.kind, predicate)
    if guards is None:
        return None
    function = "all" if match["how"] in {"all", "every", "each"} else "any"
    condition = predicate.condition.replace("{x}", "v_")
    return f"{function}({condition} for v_ in {items.source})", (*items.guards, *guards)


def _kind_guards(source: str, kind: str, predicate: Predicate) -> tuple[str, ...] | None:
    if predicate.kind in {"int", "number"} and kind in {"", "int", "number"}:
        return (*predicate.guards, item_guard(source, predicate.kind))
    if predicate.kind in {"text", "sequence"} and kind in {"", "text"}:
        return (*predicate.guards, item_guard(source, "text"))
    return None


def _exists(scene: Scene, words: str) -> tuple[str, tuple[str, ...]] | None:
    match = _EXISTS.fullmatch(words)
    items = items_of(scene, match["items"]) if match is not None else None
    if items is None or not items.is_filtered:
        return None
    return f"any(True for {items.drawn})", items.guards


def _itself(scene: Scene, words: str) -> tuple[str, tuple[str, ...]] | None:
    match = _ITSELF.fullmatch(words)
    predicate = predicate_of(scene, match["how"] or match["verb"]) if match is not None else None
    if match is None or predicate is None:
        return None
    what = match["what"] or match["subject"]
    measured = re.fullmatch(r"(?:the )?length of (?P<of>.+)|(?P<its>.+?)(?:'s)? length", what)
    if measured is not None and predicate.kind in {"int", "number"}:
        sized = scene.text(measured["of"] or measured["its"]) or scene.sequence(measured["of"] or measured["its"])
        if sized is None:
            return None
        kind = scene.kind(sized).split(" ")[0] or "text"
        return predicate.condition.replace("{x}", f"len({sized})"), (kind_guard(sized, kind), *predicate.guards)
    if predicate.kind in {"int", "number"}:
        name, kind = scene.number(what), predicate.kind
    else:
        name, kind = scene.text(what), "text"
    if name is None or name not in scene.parameters:
        return None
    limits = [predicate.domain.replace("{x}", name)] if predicate.domain else []
    limits += [f"{name} <= 100000"] if kind == "int" else []
    guards = (kind_guard(name, kind), *predicate.guards, *limits)
    return predicate.condition.replace("{x}", name), guards


def _sorted(scene: Scene, words: str) -> tuple[str, tuple[str, ...]] | None:
    match = _SORTED.fullmatch(words)
    name = scene.sequence(match["items"]) if match is not None else None
    if match is None or name is None:
        return None
    reverse = "" if ascending(match["order"]) else ", reverse=True"
    return f"list({name}) == sorted({name}{reverse})", (kind_guard(name, "list"), item_guard(name, "number"))


def _monotonic(scene: Scene, words: str) -> tuple[str, tuple[str, ...]] | None:
    match = _MONOTONIC.fullmatch(words)
    name = scene.sequence(match["items"]) if match is not None else None
    if name is None:
        return None
    condition = f"list({name}) == sorted({name}) or list({name}) == sorted({name}, reverse=True)"
    unequal = f"len(set({name})) == len({name})"
    return condition, (kind_guard(name, "list"), item_guard(name, "number"), unequal)


def _member(scene: Scene, words: str) -> tuple[str, tuple[str, ...]] | None:
    match = _MEMBER.fullmatch(words)
    part = scene.named(match["part"]) if match is not None else None
    whole = scene.sequence(match["items"]) if match is not None else None
    if part is None or whole is None or part == whole:
        return None
    return f"{part} in {whole}", (kind_guard(whole, "list"),)


def _pairs(scene: Scene, words: str) -> tuple[str, tuple[str, ...]] | None:
    match = _PAIRS.fullmatch(words)
    lists = [name for name in scene.parameters if scene.kind(name).startswith("list")]
    if not lists and len(scene.parameters) == 1:
        lists = list(scene.parameters)
    total = scene.number(match["total"]) if match is not None else None
    if match is None or total is None or len(lists) != 1:
        return None
    count = {"two": 2, "three": 3}[match["n"]]
    name = lists[0]
    condition = f"any(sum(v_) == {total} for v_ in itertools.combinations({name}, {count}))"
    distinct = f"len(set({name})) == len({name}) < 40"
    return condition, (kind_guard(name, "list"), item_guard(name, "int"), distinct)


def _brackets(scene: Scene, words: str) -> tuple[str, tuple[str, ...]] | None:
    texts = [name for name in scene.parameters if scene.kind(name) == "text"]
    if not _BRACKETS.fullmatch(words) or len(texts) != 1:
        return None
    name = texts[0]
    pairs = "('()', '[]', '{}', '<>')"
    depth = f"{name}[:i_].count(p_[0]) >= {name}[:i_].count(p_[1])"
    balanced = f"all({depth} for i_ in range(len({name}))) and {name}.count(p_[0]) == {name}.count(p_[1])"
    guards = (kind_guard(name, "text"), f"any(set({name}) <= set(p_) for p_ in {pairs})")
    return f"all({balanced} for p_ in {pairs})", guards


def _anagrams(scene: Scene, words: str) -> tuple[str, tuple[str, ...]] | None:
    if not _ANAGRAMS.fullmatch(words) or len(scene.parameters) != 2:
        return None
    first, second = scene.parameters
    guards = [f"{kind_guard(name, 'text')} and {name}.isascii() and {name}.islower() and {name}.isalpha()"
              for name in (first, second)]  # fmt: skip
    return f"sorted({first}) == sorted({second})", tuple(guards)


def _triangle(scene: Scene, words: str) -> tuple[str, tuple[str, ...]] | None:
    match = _TRIANGLE.fullmatch(words)
    if match is None or len(scene.parameters) != 3:
        return None
    named = re.split(r"\W+(?:and )?", match["names"] or "") if match["names"] else scene.parameters
    if sorted(named) != sorted(scene.parameters):
        return None
    kind = re.split(r"[ -]", match["kind"] or match["sort"] or "valid")[0]
    if kind == "right" and _TELL_SIDES_APART & (scene.words | set(scene.parameters)):
        return None
    sides = f"sorted(({', '.join(scene.parameters)}))"
    guards = [f"{kind_guard(name, 'int')} and {name} > 0" for name in scene.parameters]
    if kind not in {"valid", "right"}:
        guards.append(f"(lambda s_: {_TRIANGLES['valid']})({sides})")
    undisputed = {"valid": "s_[0] + s_[1] != s_[2]", "isosceles": "s_[0] != s_[2]"}.get(kind)
    if undisputed is not None:
        guards.append(f"(lambda s_: {undisputed})({sides})")
    return f"(lambda s_: {_TRIANGLES[kind]})({sides})", tuple(guards)


_READERS: tuple[Callable[[Scene, str], tuple[str, tuple[str, ...]] | None], ...] = (
    _pairs, _brackets, _anagrams, _triangle, _sorted, _monotonic, _every, _exists, _member, _itself,
)  # fmt: skip


def _truth(scene: Scene, match: re.Match[str]) -> Claim | None:
    found = condition_read(scene, match["condition"])
    return boolean(found[0], *found[1]) if found is not None else None


TRUTHS: tuple[Form, ...] = (
    form("true_if", "the result is true exactly when the condition holds",
         "Return True if all numbers in the list are below threshold t, False otherwise.",
         rf"return true (?:if|is|when|iff|if and only if|exactly when) (?P<condition>.+?){_OTHERWISE}", _truth),
    form("true_is", "the result is true exactly when the condition holds", "Return whether the list is sorted.",
         rf"(?:return|check|checks|test|tests|determine|determines|tells?) (?:whether(?: or not)?|if) "
         rf"(?P<condition>.+?)"
         rf"{_OTHERWISE}", _truth),
)  # fmt: skip
