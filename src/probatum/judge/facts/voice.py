"""Tells in whose voice a text says each of its sentences: its own, or one that it quotes, hides, asks or denies.

A sentence that stands word by word proves something only where the text states it by itself. Refuses to be clever: what
may be denied counts as denied.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from typing import Final

from probatum.judge.facts.claims import ClaimSpan
from probatum.judge.facts.texts import words_in
from probatum.readers.passages import quoted_spans
from probatum.readers.vocabulary import words_of


class Voice(IntEnum):
    """How a text says a sentence; what is said less plainly is more."""

    OWN = 0
    QUOTED = 1
    DENIED = 2


_DENYING: Final = words_of(
    """
    myth myths false falsehood falsehoods incorrect incorrectly wrong wrongly untrue misconception misconceptions
    fallacy fallacies debunked hoax hoaxes retracted refuted disproved disproven mistaken inaccurate nonsense fake
    disinformation misinformation
    """
)
_DOUBTING: Final = words_of(
    """
    rumor rumors rumour rumours mistake mistakes error errors erratum errata outdated obsolete superseded hypothetical
    hypothetically imagine suppose pretend fiction fictional invalid misleading kidding joke allegation allegations
    allegedly unproven unverified
    """
)
_NOT: Final = words_of("not no never don't isn't aren't doesn't neither")
_SO: Final = words_of("true so right correct case accurate")
_REPORTING: Final = words_of("say says said claim claims claimed allege alleges alleged think thinks believe believes")
_AFFIRMING: Final = words_of("fact facts truth truths true correct reality verified right")
_BACK: Final = words_of("this that it these those they above foregoing preceding previous claim statement sentence")
_ALL_BACK: Final = words_of("above all everything foregoing preceding previous these those both")
_ONWARD: Final = words_of("following below next")
_HIDING: Final = (("<!--", "-->"), ("~~", "~~"), ("<del", "</del"), ("<s>", "</s"), ("<q", "</q"), ("<bl", "</bl"))
_DEEPEST: Final = 9
_FEW: Final = 5
_FENCE: Final = ("```", "~~~")
_LABEL: Final = re.compile(r"\W{0,8}([\w' ]{1,40}):")
_POINTING: Final = re.compile(
    r"\b(?:i|me|my|mine|we|us|our|ours|you|your|yours|he|him|his|himself|she|her|hers|herself|it|its|itself|they|them"
    r"|their|theirs|themselves|this|these|those|such|here|the (?:former|latter|same)|if (?:so|not))\b"
    r"|^\W*(?:that|then|there(?!\s(?:is|are|was|were))|otherwise|so|one|both|neither|either|some|others?|another|not)\b"
    r"|\b(?:and|but|in|at|on|of|by|for|from|with|after|before|since|to|than|like) that\b",
    re.IGNORECASE,
)
_OVERRIDES: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_ENDED: Final = re.compile(r"[.!?…。！？][\"'”’»)\]*_]*(?:\[[0-9]{1,4}\])*$")


def is_ended(said: str) -> bool:
    """Return whether a span ends as a sentence does; a heading, an item or a row of a table does not."""
    return _ENDED.search(said[-40:]) is not None


def leans(said: str) -> bool:
    """Return whether what a sentence says depends on what stands before it."""
    return _POINTING.search(said) is not None or said.startswith("|")


def is_turned(said: str) -> bool:
    """Return whether signs of direction show a text in another order than it is read in."""
    return _OVERRIDES.search(said) is not None


def against(words: Collection[str]) -> Voice:
    """Return in whose voice words such as those of a heading put what belongs to them."""
    if not _DENYING.isdisjoint(words) or (not _NOT.isdisjoint(words) and not _SO.isdisjoint(words)):
        return Voice.DENIED
    return Voice.OWN if _DOUBTING.isdisjoint(words) else Voice.QUOTED


def voices(text: str, spans: Sequence[ClaimSpan]) -> list[Voice]:
    """Return in whose voice each span of a text is said."""
    found, hidden, place = [Voice.OWN] * len(spans), sorted(_hidden(text)), 0
    reach = level = taken_back = 0
    under = Voice.OWN
    for number, span in enumerate(spans):
        said = text[span.start : span.end]
        words = [*words_in(said)]
        while place < len(hidden) and hidden[place][0] < span.end:
            reach, place = max(reach, hidden[place][1]), place + 1
        depth, turns = _depth(text, span.start), against(words)
        label = _LABEL.match(said)
        named = [*words_in(label[1])] if label else [] if is_ended(said) else words
        if said.endswith(":") and not _REPORTING.isdisjoint(words):
            under, level = max(turns, Voice.QUOTED), depth or _DEEPEST
        elif against(named) is not Voice.OWN:
            under, level = against(named), depth or _DEEPEST
        elif (depth and depth <= level) or not _AFFIRMING.isdisjoint(named):
            under = Voice.OWN
        found[number] = max(under, Voice.QUOTED if reach > span.start else Voice.OWN)
        if not _ONWARD.isdisjoint(words):
            under = max(under, turns)
        if number and turns is not Voice.OWN and (len(words) < _FEW or not _BACK.isdisjoint(words)):
            found[number - 1] = max(found[number - 1], turns)
            taken_back = taken_back if _ALL_BACK.isdisjoint(words) else number
    return [max(each, Voice.QUOTED) for each in found[:taken_back]] + found[taken_back:]


def _depth(text: str, start: int) -> int:
    """Return the level of a heading, 0 where a span is none."""
    lead = text[max(0, start - 12) : start].rpartition("\n")[2].strip()
    return len(lead) if lead and set(lead) == {"#"} else 0


def _hidden(text: str) -> Iterator[tuple[int, int]]:
    """Yield what a text quotes, comments out, strikes out or shows as code; what is not closed reaches to the end."""
    yield from quoted_spans(text)
    for opens, ends in (*_HIDING, *zip(_FENCE, _FENCE, strict=True)):
        start = text.find(opens)
        while start >= 0:
            stop = text.find(ends, start + len(opens))
            yield start, len(text) if stop < 0 else stop + len(ends)
            start = -1 if stop < 0 else text.find(opens, stop + len(ends))
    # Of paragraphs that are quoted together, the last one alone may be closed.
    depth, start = 0, 0
    for mark in re.finditer("[“”]", text):
        start = mark.start() if not depth else start
        depth = 1 if mark[0] == "“" else 0
        if not depth:
            yield start, mark.end()
    if depth:
        yield start, len(text)
