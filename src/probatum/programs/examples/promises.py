"""Sentences that promise to leave the arguments alone: "does not modify the input", "the given list is unchanged".

Only explicit sentences count: a denial, a verb of changing, and the arguments as its object or subject, word by word.
Refuses sentences about a part of the arguments ("does not change the entries whose index is odd").
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from probatum.programs.parsing.documents import Document
from probatum.programs.parsing.scanning import word_set
from probatum.programs.specification import UnchangedClaim

_WORD = re.compile(r"[A-Za-z_][\w'’]*|[.;:,!?()\n-]")
_VERBS = word_set("modify modifies mutate mutates change changes alter alters")
_PARTICIPLES = word_set("modified mutated changed altered")
_GERUNDS = word_set("modifying mutating changing altering")
_DENIALS = word_set("not never don't doesn't mustn't shouldn't won't cannot don’t doesn’t mustn’t shouldn’t won’t")
_KEPT = word_set("unchanged unmodified untouched intact unaltered")
_DETERMINERS = word_set("the a an its your any given input original passed supplied provided caller's of in")
_ARGUMENTS = word_set(
    "input inputs argument arguments parameter parameters list lists array arrays sequence dict dictionary set "
    "collection data original matrix grid"
)
_ENDING = word_set(". ; : , ! ? ( ) -") | word_set(
    "and but or in itself themselves passed given when while so you at because it instead rather only should"
)
_SENTENCE_ENDS = word_set(". ; ! ?")
_RESTRICTIONS = word_set("unless except if when where until apart only")
_NONE = word_set("neither none no nor")
"""What denies before the arguments: "neither argument is modified"."""
_OTHERS = word_set(
    "caller callers user users client clients thread threads subclass subclasses callback callbacks consumer consumers "
    "implementation implementations code others you nobody anyone one"
)
"""Who is told to leave the arguments alone: then nothing is promised about the function."""
_BETWEEN = word_set("is are be must should shall may will been remains remain stays stay left kept leave leaves")


def unchanged_claim(document: Document, parameters: Iterable[str]) -> UnchangedClaim | None:
    """Return the first promise in the document to leave the arguments as they are, or None."""
    given = {name.lower(): name for name in parameters}
    objects = _ARGUMENTS | given.keys()
    matches = [match for match in _WORD.finditer(document.text) if match.group() != "\n"]
    found = [match.group().lower() for match in matches]
    for index, word in enumerate(found):
        begin, end = index, -1
        before = found[index - 1] if index else ""
        if _OTHERS.intersection(found[max(0, index - 3) : index]):
            continue
        if (word in _VERBS and before in _DENIALS) or (word in _GERUNDS and before in {"without", "not", "avoid"}):
            begin, end = index - 1, _object_after(found, index + 1, objects)
        elif word in _PARTICIPLES or word in _KEPT:
            begin, end = _subject_before(found, index, objects, denied=word in _KEPT), index
        if begin >= 0 and end >= 0 and not _has_exception(found, end, document.text, matches):
            span, text = document.place(matches[begin].start(), matches[end].end())
            words = found[begin : end + 1]
            names = () if _ARGUMENTS.intersection(words) else tuple(given[each] for each in words if each in given)
            return UnchangedClaim(text, span, names)
    return None


def _has_exception(found: list[str], end: int, text: str, matches: list[re.Match[str]]) -> bool:
    """True when the rest of the sentence takes something back: "unless in_place is true", "except when …"."""
    for index in range(end + 1, len(found)):
        if found[index] in _SENTENCE_ENDS or "\n\n" in text[matches[index - 1].end() : matches[index].start()]:
            return False
        if found[index] in _RESTRICTIONS:
            return True
    return False


def _object_after(text: list[str], at: int, objects: frozenset[str]) -> int:
    """Return the index of the arguments when they are all that the verb's object names, or -1."""
    last = -1
    while at < len(text) and (text[at] in _DETERMINERS or text[at] in objects):
        if text[at] in objects:
            last = at
        at += 1
    return last if at >= len(text) or text[at] in _ENDING or text[at] in _BETWEEN else -1


def _subject_before(text: list[str], at: int, objects: frozenset[str], *, denied: bool) -> int:
    """Return the index where "the input list is not …" begins when only known words stand between, or -1."""
    index = at - 1
    while index >= 0 and (text[index] in _BETWEEN or text[index] in _DENIALS):
        denied = denied or text[index] in _DENIALS
        index -= 1
    if index < 0 or text[index] not in objects:
        return -1
    first = index
    while first > 0 and (text[first - 1] in objects or text[first - 1] in _DETERMINERS | _NONE):
        first -= 1
        if text[first] in _NONE - {"nor"} and not denied:
            return first
    if not denied:
        return -1
    while index > 0 and (text[index - 1] in objects or text[index - 1] in _DETERMINERS - {"of", "in"}):
        index -= 1
    return index
