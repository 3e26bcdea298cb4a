"""Cuts a text into words with offsets, and says by which keys a word can be met again in another text.

A key is a stem, a number, or what a word shares with words that are meant alike. Refuses to be a grammar: a word is a
name where it is written as one, and nothing here knows what a verb is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from probatum.judge.facts.lexicon import ALIKE, FUNCTION, IRREGULAR, KINDS_OF, LIGHT, OPPOSITES

MOST_LETTERS: Final = 60
"""Of a longer word only the beginning is compared."""
_WORD: Final = re.compile(
    r"(?:[A-Z]\.){2,8}|[0-9]++(?:,[0-9]{3})*+(?:\.[0-9]++)?+|[^\W\d_]++(?:['’‐-](?=[^\W\d_])[^\W\d_]++)*+|[^\W_]"
)
_DIGITS: Final = re.compile(r"[0-9]{1,40}(?:\.[0-9]{1,20})?")
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_UNITS: Final = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_ORDINALS: Final = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS: Final = {
    **{word: number for number, word in enumerate(_UNITS.split(), 1)},
    **{word: number for number, word in enumerate(_TENS.split(), 2) for number in (number * 10,)},
    **{word: 1 for word in ()},
}
ORDINAL_WORDS: Final = {word: number for number, word in enumerate(_ORDINALS.split(), 1)}
SCALES: Final = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "m": 6, "bn": 9, "k": 3}
_SUFFIXES: Final = (
    ("ational", "ate"), ("ization", "ize"), ("isation", "ize"), ("fulness", "ful"), ("iveness", "ive"), ("ousness", "ous"),
    ("ically", "ic"), ("ation", "ate"), ("ators", "ate"), ("ator", "ate"), ("ising", "ize"), ("ised", "ize"), ("ise", "ize"),
    ("ments", ""), ("ment", ""), ("ness", ""), ("ists", "y"), ("ist", "y"), ("ably", ""), ("able", ""), ("ible", ""),
    ("ities", ""), ("ity", ""), ("ance", ""), ("ence", ""), ("ions", ""), ("ion", ""), ("fully", ""), ("ful", ""), ("less", "less"),
    ("ings", ""), ("ing", ""), ("edly", ""), ("ed", ""), ("ically", "ic"), ("ical", "ic"), ("ally", ""), ("al", ""), ("ily", "y"), ("ly", ""),
    ("ers", ""), ("er", ""), ("ors", ""), ("or", ""), ("ies", "y"), ("ians", ""), ("ian", ""), ("ans", ""), ("an", ""),
    ("ese", ""), ("ish", ""), ("ives", ""), ("ive", ""), ("ous", ""), ("ses", "s"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", ""),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    """One word: where it stands, its stem, what it weighs, and the keys by which it is met, each with its quality."""

    text: str
    start: int
    end: int
    stem: str
    weight: float
    keys: tuple[tuple[str, float], ...]
    is_name: bool = False
    number: Decimal | None = None

    @property
    def is_content(self) -> bool:
        """Tell whether it says something by itself."""
        return self.weight > 0


def folded(text: str) -> str:
    """Return a word without case, accents and characters that are not seen."""
    plain = unicodedata.normalize("NFKD", _UNSEEN.sub("", text[:MOST_LETTERS])).casefold()
    return "".join(each for each in plain if not unicodedata.combining(each)).replace("’", "'").replace("‐", "-")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return what the forms of a folded English word have in common."""
    if word.endswith("'s"):
        word = word[:-2]
    word = word.rstrip("'")
    if word in IRREGULAR:
        return stem(IRREGULAR[word]) if IRREGULAR[word] not in IRREGULAR else IRREGULAR[word]
    if len(word) < 4:
        return word
    if word[-1] == "s" and word[-2] not in "sui":
        singular = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
        if singular in IRREGULAR:
            return stem(IRREGULAR[singular])
        word = singular
    for _ in range(2):
        for ending, instead in _SUFFIXES:
            if word.endswith(ending) and len(word) - len(ending) >= 3 and re.search("[aeiouy]", word[: -len(ending)]):
                word = word[: -len(ending)] + instead
                break
        else:
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]
    if len(word) > 3 and word[-1] in "ey":
        word = word[:-1] + ("i" if word[-1] == "y" else "")
    return word


def _by_stem(groups: Sequence[Sequence[str]]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for number, group in enumerate(groups):
        for word in group:
            found[stem(word)] = (*found.get(stem(word), ()), number)
    return found


_ALIKE: Final = _by_stem(ALIKE)
_KINDS: Final = _by_stem(KINDS_OF)
_OPPOSED: Final = frozenset(frozenset(map(stem, pair)) for pair in OPPOSITES)
_FUNCTION_STEMS: Final = FUNCTION
_LIGHT_STEMS: Final = frozenset(map(stem, LIGHT))


def words_of(text: str) -> tuple[Word, ...]:
    """Return the words of a text in order."""
    matches = list(_WORD.finditer(text))
    lowers = [folded(match.group()) for match in matches]
    found: list[Word] = []
    place = 0
    while place < len(matches):
        number, used = _number_at(matches, lowers, place, text)
        if number is not None:
            start, end = matches[place].start(), matches[place + used - 1].end()
            value = number.normalize()
            keys = [(f"#{value}", 1.0)]
            said = text[start:end]
            if said.isdigit() and len(said) == 4 and said[0] in "12":
                after = text[end : end + 1]
                if after == "s" and said[-1] == "0":
                    keys = [(f"#{said[:3]}x", 1.0)]
                else:
                    keys += [(f"#{said[:3]}x", 0.9), (f"#{(int(said) + 99) // 100}th", 0.9)]
            if lowers[place] in ORDINAL_WORDS or (place + used < len(matches) and used == 1 and lowers[place + 1 : place + 2] in (["st"], ["nd"], ["rd"], ["th"])):
                keys += [(f"#{value}th", 1.0)]
            weight = 1.5
            if lowers[place] in ("one", "first", "second"):
                weight = 0.4
            found.append(Word(said, start, end, lowers[place], weight, tuple(keys), number=value))
            place += used
            continue
        match, lower = matches[place], lowers[place]
        said = match.group()
        if "." in said:
            lower = lower.replace(".", "")
            found.append(Word(said, match.start(), match.end(), lower, 1.3, (("=" + lower, 1.0), *_alike(lower)), True))
            place += 1
            continue
        lower = lower or "?"
        is_name = said[0].isupper() and (bool(found) and not _begins(text, match.start()) or lower not in FUNCTION)
        for lower_part, start, end in _parts(said, lower, match.start()):
            found.append(_plain(text[start:end], lower_part, start, end, is_name, _begins(text, start)))
        place += 1
    return _with_acronyms(found)


def _parts(said: str, lower: str, start: int):
    if "-" not in lower or len(lower) != len(said):
        yield lower, start, start + len(said)
        return
    for piece in re.finditer("[^-]+", lower):
        yield piece.group(), start + piece.start(), start + piece.end()


def _begins(text: str, start: int) -> bool:
    """Tell whether a word stands where every word is written large."""
    before = text[max(0, start - 3) : start].rstrip(" \"'“‘(`")
    return not before or before[-1:] in ".!?:\n;"


def _plain(said: str, lower: str, start: int, end: int, is_name: bool, begins: bool) -> Word:
    is_acronym = said.isupper() and len(said) > 1
    if lower in FUNCTION and not (is_acronym and lower in {"us", "it", "who"}):
        return Word(said, start, end, lower, 0.0, ())
    base = stem(lower)
    keys = [("=" + base, 1.0), *_alike(base)]
    if lower.endswith("n") and is_name and base + "a" != base:
        keys.append(("=" + base.rstrip("i"), 0.9))
    if len(base) >= 5:
        keys.append(("^" + base[:5], 0.6 if not is_name else 0.3))
    weight = 1.3 if is_name and not begins else 0.5 if base in _LIGHT_STEMS else 1.0
    return Word(said, start, end, base, weight, tuple(keys), is_name)


def _alike(base: str) -> list[tuple[str, float]]:
    return [(f"~{number}", 0.75) for number in _ALIKE.get(base, ())]


def _number_at(matches, lowers, place, text):
    """Return the number that begins at a word, and of how many words it is made."""
    lower = lowers[place]
    used = 1
    digits = lower.replace(",", "")
    if _DIGITS.fullmatch(digits):
        value = Decimal(digits)
    elif lower in NUMBER_WORDS:
        value = Decimal(NUMBER_WORDS[lower])
        following = lowers[place + 1] if place + 1 < len(lowers) else ""
        if value >= 20 and following in NUMBER_WORDS and NUMBER_WORDS[following] < 10:
            value, used = value + NUMBER_WORDS[following], 2
    elif "-" in lower and lower.partition("-")[0] in NUMBER_WORDS and lower.partition("-")[2] in NUMBER_WORDS:
        tens, _, ones = lower.partition("-")
        value = Decimal(NUMBER_WORDS[tens] + NUMBER_WORDS[ones])
    elif lower in ORDINAL_WORDS:
        return Decimal(ORDINAL_WORDS[lower]), 1
    else:
        return None, 1
    while place + used < len(lowers) and lowers[place + used] in SCALES and used < 4:
        if matches[place + used].start() - matches[place + used - 1].end() > 1:
            break
        value, used = value.scaleb(SCALES[lowers[place + used]]), used + 1
    return value, used


def _with_acronyms(words: list[Word]) -> tuple[Word, ...]:
    """Return the words with the initials of each run of names as one more key of its words."""
    from dataclasses import replace
    place = 0
    while place < len(words):
        end = place
        while end < len(words) and words[end].is_name and not words[end].text.isupper() and end - place < 6:
            end += 1
        if end - place >= 2:
            initials = "=" + "".join(word.text[0] for word in words[place:end]).casefold()
            for index in range(place, end):
                words[index] = replace(words[index], keys=(*words[index].keys, (initials, 0.85)))
        place = max(end, place + 1)
    return tuple(words)


def opposed(one: str, other: str) -> bool:
    """Tell whether two stems say the opposite of each other."""
    return frozenset((one, other)) in _OPPOSED or _negates(one, other) or _negates(other, one)


def _negates(one: str, other: str) -> bool:
    return len(other) > 3 and len(one) - len(other) in (2, 3) and one in {
        prefix + other for prefix in ("un", "in", "im", "dis", "non", "ir", "mis")
    }


def kinds_of(base: str) -> tuple[int, ...]:
    """Return the kinds, of which one member excludes the others, that a stem belongs to."""
    return _KINDS.get(base, ())
