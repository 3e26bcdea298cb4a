"""Finds what a claim names and quotes, and says whether a library knows it.

A name is what is written as one where the grammar does not ask for a capital. Refuses to take the first word of a
sentence for a name by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from probatum.judge.facts.details import Detail, DetailKind
from probatum.judge.facts.library import Library
from probatum.judge.facts.texts import STOP_WORDS, WORD, normal_word, stem, words_in
from probatum.readers.passages import quoted_spans
from probatum.readers.vocabulary import MONTHS, words_of

FEWEST_QUOTED: Final = 3
"""Words of a quotation: what is shorter is a title, or irony."""
_DENYING: Final = words_of("no not nor never none without")
_TITLES: Final = words_of(
    """
    mr mrs ms miss dr prof professor sir dame lord lady president minister senator governor mayor judge justice king
    queen prince princess pope saint st captain general colonel ceo cto cfo chairman chairwoman chair director inc
    ltd llc corp co gmbh plc jr sr ph d phd md company corporation
    """
)
_NO_NAMES: Final = (
    STOP_WORDS
    | _TITLES
    | words_of(
        """
    i ok yes monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun bc ad bce ce am pm
    utc gmt note yesterday today tomorrow however overall finally also according source sources summary nobody
    everybody somebody anybody everyone someone anyone police staff nature research science industry demand traffic
    revenue
    """
    )
    | frozenset(month.casefold() for month in MONTHS)
)
_MAY_BE_NAME: Final = re.compile(
    r"(?![^\W\d_]*(?:s|ly|ing|ed|ion|ity|ment|ness|ence|ance|ism|ure)\b)[^\W\d_]{3,}"
    r"(?:[ ]?(?:\x00|v?[0-9])|[ ](?:is|was|has|had|will|said|led|won|ran|wrote|built|made|[a-z]{2,}(?:[a-rt-z]s|ed))\b)"
)
"""A word at the beginning of a sentence that acts without an article."""
_ACTS: Final = re.compile(
    r"[ ](?:said|says|told|wrote|led|leads|runs|ran|won|designed|founded|invented|discovered|argued|announced|joined"
    r"|created|developed|painted|directed|proposed|maintains|composed|married|died|was born|retired|resigned)\b"
)
"""What hardly anything but somebody does."""
_OF_PEOPLE: Final = ("s", "n", "an", "ian", "ese", "ish", "ns", "ans", "ians", "i", "y")
_JOINS: Final = re.compile(r"[ \u00a0]|-|\.[ ]?|[ ](?:(?:de|la|van|von|der|den|bin|al|du|di|da)[ ])+")
_OPENS: Final = re.compile(r"(?:^|[.!?:;•|\"“”‘(\[{>/\n]|(?<!\w)['’*_-])[\s\"“‘'(\[*_]*$")
_GAPS: Final = re.compile(r"\[[^\]]{0,80}\]|\(\s*(?:…|\.\.\.)\s*\)|…|\.\.\.+|(?:\. ){2,}\.")


def names_in(text: str, *, is_value: bool = False) -> Iterator[Detail]:
    """Yield the names of a claim, whose details are blank; of a value by key its first word counts too."""
    words = [match for match in WORD.finditer(text) if not match[0].isdigit()]
    large = [match for match in words if match[0][0].isupper()]
    if len(words) > 3 and len(large) * 5 > len(words) * 4 and not is_value:
        # A heading, in which every word is written large.
        return
    run: list[re.Match[str]] = []
    for match in [*large, None]:
        if match is not None and run and _JOINS.fullmatch(text, run[-1].end(), match.start()):
            run.append(match)
            continue
        if run:
            yield from _named(text, run, is_value=is_value)
        run = [] if match is None else [match]


def _named(text: str, run: list[re.Match[str]], *, is_value: bool) -> Iterator[Detail]:
    opens = _OPENS.search(text[max(0, run[0].start() - 12) : run[0].start()]) is not None and not is_value
    while run and normal_word(run[0][0]) in _NO_NAMES:
        run, opens = run[1:], False
    while run and normal_word(run[-1][0]) in _NO_NAMES:
        run = run[:-1]
    if not run or (
        opens and len(run) == 1 and not _is_owner(text, run[0]) and not _MAY_BE_NAME.match(text, run[0].start())
    ):
        return
    words = tuple(_without_owner(normal_word(match[0])) for match in run if len(match[0]) > 1)
    if words and any(len(word) > 1 for word in words):
        start, end = run[0].start(), run[-1].end()
        role = "" if not opens else "acts" if _ACTS.match(text, end) else "opens"
        yield Detail(DetailKind.NAME, text[start:end], start, end, words, role)


def _is_owner(text: str, match: re.Match[str]) -> bool:
    return match[0].endswith(("'s", "’s")) and normal_word(match[0]) not in {
        "it's",
        "that's",
        "what's",
        "let's",
        "here's",
        "there's",
    }


def _without_owner(word: str) -> str:
    return word.removesuffix("'s").rstrip("'")


def quotations_in(text: str) -> Iterator[Detail]:
    """Yield the quotations of a text that are long enough to be checked."""
    for start, end in quoted_spans(text):
        inner = text[start + 1 :] if text[start] == ">" else text[start + 1 : end - 1]
        inner = inner[: end - start]
        if len(inner.split()) >= FEWEST_QUOTED:
            yield Detail(DetailKind.QUOTATION, inner, start, end, tuple(words_in(inner)))


def knows_name(library: Library, words: tuple[str, ...]) -> bool:
    """Return whether every word of a name stands somewhere, or is made of initials that do."""
    return all(_knows(library, word) for word in words)


def _knows(library: Library, word: str) -> bool:
    if word in library.words or f"{word}'s" in library.words:
        return True
    if word.isalpha() and 2 <= len(word) <= 6 and word in library.initials:
        return True
    # Japan and Japanese, Italy and Italian, Germany and German.
    if len(word) < 4:
        return False
    shorter = [word.removesuffix(each) for each in _OF_PEOPLE if word.endswith(each) and len(word) - len(each) > 2]
    forms = [*(word + each for each in _OF_PEOPLE), *shorter, *(short + each for short in shorter for each in "aey")]
    return not library.words.isdisjoint(forms)


def stand_together(library: Library, words: tuple[str, ...]) -> bool:
    """Return whether a sentence holds all of these words."""
    stems = [stem(word) for word in words]
    rarest = min(stems, key=lambda each: len(library.postings.get(each, ())))
    return any(library.sentences[place].stems.issuperset(stems) for place in library.postings.get(rarest, ())[:2_000])


def quoted_in(quotation: Detail, text: str) -> bool:
    """Return whether a text says what is quoted, word by word; what is left out or put in by brackets is a gap."""
    said = f" {' '.join(_quoted_words(text))} "
    place = 0
    for part in _GAPS.split(quotation.text):
        wanted = " ".join(_quoted_words(part))
        if not wanted:
            continue
        found = said.find(f" {wanted} ", place)
        if found < 0:
            return False
        place = found + len(wanted) + 1
    return True


def _quoted_words(text: str) -> list[str]:
    """Return the words that a quotation must have: the small ones may differ, what denies may not."""
    return [word for word in words_in(text) if word not in STOP_WORDS or word in _DENYING]
