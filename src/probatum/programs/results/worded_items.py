"""Phrases for some or all items of a parameter: "all positive numbers in the list", "strings that start with prefix".

Refuses phrases with a word that is not understood: a filter that is read by half would be another filter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from probatum.programs.results.nouns import Scene, item_guard, kind_guard
from probatum.programs.results.worded_predicates import ADJECTIVES, Predicate, predicate_of

__all__ = ["Items", "items_of", "names_texts_of_words", "repeated_items"]


@dataclass(frozen=True, slots=True)
class Items:
    """What a phrase for items means: a source and the conditions that its items ``v_`` meet."""

    source: str
    """A Python expression: a parameter's name, or its words."""
    parameter: str
    kind: str
    """``int``, ``number``, ``text``, ``letter`` or empty."""
    conditions: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    is_distinct: bool = False
    is_named_plainly: bool = False
    """True when the phrase names no items but the whole: "the list"."""

    @property
    def chosen(self) -> str:
        """Return the items as the inside of a generator: ``v_ for v_ in xs if v_ > 0``."""
        return f"v_ for {self.drawn}"

    @property
    def drawn(self) -> str:
        """Return where the items come from, as the end of a generator: ``v_ in xs if v_ > 0``."""
        test = " and ".join(f"({each})" for each in self.conditions)
        drawn = f"i_, v_ in enumerate({self.source})" if "i_ %" in test else f"v_ in {self.source}"
        return drawn + (f" if {test}" if test else "")

    @property
    def is_filtered(self) -> bool:
        """Return whether the phrase chooses among the items."""
        return bool(self.conditions)


_QUANTIFIERS = re.compile(
    r"^(?:(?:only|just|all|each|every|any|of|the|those|these|its|given|input|supplied|provided)\s+)+"
)
_NOUNS = (
    r"(?P<noun>numbers?|integers?|ints|floats|values?|elements?|items?|entries|members|strings?|words?|characters?"
    r"|letters?|chars|ones|vowels?|consonants?|digits?|spaces?)"
)
_PHRASE = rf"(?P<distinct>(?:distinct|unique|different) )?(?P<adjectives>(?:(?:{ADJECTIVES}),? (?:and )?)*){_NOUNS}"
_RELATION = (
    r"(?P<relation>(?:that|which|are|with|whose|starting|ending|containing|greater|less|larger|smaller|bigger|divisible"
    r"|at (?:even|odd)|in (?:even|odd)|between|above|below|of length|having|equal|occurring|appearing)\b.*?)"
)
_INSIDE = r"(?:in|of|from|within|inside|contained in|present in|found in)"
_SHAPES = (
    re.compile(rf"{_PHRASE}"),
    re.compile(rf"{_PHRASE} {_INSIDE} (?P<place>.+?)"),
    re.compile(rf"{_PHRASE} {_RELATION}"),
    re.compile(rf"{_PHRASE} {_INSIDE} (?P<place>.+?) {_RELATION}"),
    re.compile(rf"{_PHRASE} {_RELATION} {_INSIDE} (?P<place>.+)"),
)
_PART = re.compile(
    r"(?:the )?(?P<end>first|last) (?P<n>\w+) (?:numbers?|integers?|values?|elements?|items?|entries|strings?|words) "
    rf"{_INSIDE} (?P<whole>.+)"
)
_KINDS = {
    "number": "number", "numbers": "number", "integer": "int", "integers": "int", "ints": "int", "floats": "number",
    "string": "text", "strings": "text", "word": "text", "words": "text",
}  # fmt: skip
_SORTS_OF_LETTERS = {
    "vowel": "v_ in 'aeiouAEIOU'", "consonant": "v_.isalpha() and v_ not in 'aeiouAEIOU'", "digit": "v_ in "
    "'0123456789'",
    "space": "v_ == ' '",
}  # fmt: skip
_LETTERS = frozenset({"character", "characters", "letter", "letters", "chars"}) | {
    noun + ending for noun in _SORTS_OF_LETTERS for ending in ("", "s")
}
_TEXTS_OF_WORDS = re.compile(
    r"(?:lines|sentences|texts|rows|paragraphs|documents|docs|messages|phrases|titles|pages|files)\b"
)
_REPEATED = re.compile(
    r"(?:that |which )?(?:are |is )?(?:occur|appear|occurs|appears|occurring|appearing|repeated|present) "
    r"(?P<times>more than once|(?:exactly |only )once|more than one time|multiple times|at least twice)"
)


def items_of(scene: Scene, phrase: str) -> Items | None:
    """Return what a phrase for items means, None when it is not understood."""
    phrase = _QUANTIFIERS.sub("", phrase.strip())
    for shape in _SHAPES:
        match = shape.fullmatch(phrase)
        found = _read(scene, match) if match is not None else None
        if found is not None:
            return found
    part = _part(scene, phrase, "")
    if part is not None:
        return part
    parameter = scene.sequence(phrase)
    return _of_sequence(scene, parameter, "", plainly=True) if parameter is not None else None


def repeated_items(scene: Scene, phrase: str) -> tuple[Items, bool] | None:
    """Read "elements that occur more than once": the items and whether more than once is what is meant."""
    match = re.fullmatch(rf"(?P<items>.+?) {_REPEATED.pattern}(?P<place> {_INSIDE} .+)?", _QUANTIFIERS.sub("", phrase))
    items = items_of(scene, match["items"] + (match["place"] or "")) if match is not None else None
    if match is None or items is None or items.kind == "letter" or items.is_filtered:
        return None
    return items, match["times"] not in {"exactly once", "only once"}


def _read(scene: Scene, match: re.Match[str]) -> Items | None:
    groups = match.groupdict()
    noun, place = groups["noun"], groups.get("place")
    found = _source(scene, noun, place)
    if found is None:
        return None
    adjectives = [each for each in re.split(r",? and |, | ", groups["adjectives"].strip()) if each]
    wordings = [*adjectives, *([groups["relation"]] if groups.get("relation") else [])]
    for wording in wordings:
        repeated = _REPEATED.fullmatch(wording)
        if repeated is not None:
            operator = "==" if repeated["times"] in {"exactly once", "only once"} else ">"
            found = replace(found, conditions=(*found.conditions, f"list({found.source}).count(v_) {operator} 1"))
            continue
        for part in re.split(r" (?:and|that are) (?=are |is |less|greater|divisible|start|end|contain)", wording):
            predicate = predicate_of(scene, part)
            if predicate is None:
                return None
            limited = _limited(scene, found, predicate)
            if limited is None:
                return None
            found = limited
    return replace(found, is_distinct=groups["distinct"] is not None)


def _part(scene: Scene, phrase: str, kind: str) -> Items | None:
    """Read "the first k elements of the list", where there are as many."""
    match = _PART.fullmatch(phrase)
    count = scene.number(match["n"]) if match is not None else None
    parameter = scene.sequence(match["whole"]) if match is not None else None
    if match is None or count is None or parameter is None or "." in count:
        return None
    whole = _of_sequence(scene, parameter, kind)
    source = f"{parameter}[:{count}]" if match["end"] == "first" else f"{parameter}[len({parameter}) - {count}:]"
    kinds = (kind_guard(count, "int"),) if count in scene.parameters else ()
    guards = (*kinds, f"0 <= {count} <= len({parameter})")
    return replace(whole, source=source, guards=(*whole.guards, *guards))


def names_texts_of_words(place: str) -> bool:
    """True for a place whose items are themselves texts of several words: lines, sentences."""
    return _TEXTS_OF_WORDS.search(place) is not None


def _source(scene: Scene, noun: str, place: str | None) -> Items | None:
    if place is not None and noun in {"word", "words"} and names_texts_of_words(place):
        return None
    part = _part(scene, place, _KINDS.get(noun, "")) if place is not None and noun not in _LETTERS else None
    if part is not None:
        return part
    where = place if place is not None else noun if noun not in _LETTERS else ""
    sequence = scene.sequence(where) if where else None
    if sequence is None and place is None and noun not in _LETTERS:
        lists = [name for name in scene.parameters if scene.kind(name).startswith("list")]
        sequence = lists[0] if len(lists) == 1 else None
    if sequence is not None and noun not in _LETTERS:
        return _of_sequence(scene, sequence, _KINDS.get(noun, ""))
    if place is None and noun not in _LETTERS:
        return None
    texts = [name for name in scene.parameters if scene.kind(name) == "text"]
    text = scene.text(place) if place is not None else (texts[0] if len(texts) == 1 else None)
    if text is None:
        return None
    guards = (f"type({text}) is str", f"{text}.isascii()")
    if noun in {"word", "words"}:
        plain = f"all(c_.isalnum() or c_ == ' ' for c_ in {text})"
        return Items(f"{text}.split()", text, "text", (), (*guards, plain))
    if noun not in _LETTERS:
        return None
    only_letters = (f"all(c_.isalpha() for c_ in {text})",) if noun.startswith("letter") else ()
    sort = _SORTS_OF_LETTERS.get(noun.removesuffix("s"))
    return Items(text, text, "letter", (sort,) if sort else (), (*guards, *only_letters))


def _of_sequence(scene: Scene, parameter: str, kind: str, *, plainly: bool = False) -> Items:
    known = scene.kind(parameter)
    inner = known.partition(" ")[2] or kind
    if kind == "int":
        inner = "int"
    outer = kind_guard(parameter, "list" + (f" {inner}" if inner else ""))
    return Items(parameter, parameter, inner, (), (outer,), is_named_plainly=plainly)


def _limited(scene: Scene, items: Items, predicate: Predicate) -> Items | None:
    """Return the items with a condition added, None where it says nothing of items of this kind."""
    guards = list(predicate.guards)
    needed = predicate.kind
    if needed in {"int", "number"}:
        if items.kind in {"text", "letter"}:
            return None
        guards.append(item_guard(items.source, needed))
    elif needed == "text":
        if items.kind in {"int", "number"}:
            return None
        guards.append(item_guard(items.source, "text"))
    elif needed == "letter" and items.kind != "letter":
        return None
    elif needed == "sequence":
        if items.kind in {"int", "number"}:
            return None
        guards.append(item_guard(items.source, "text"))
    condition = predicate.condition.replace("{x}", "v_")
    return replace(items, conditions=(*items.conditions, condition), guards=(*items.guards, *guards))
