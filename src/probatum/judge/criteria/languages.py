"""Tells in which of twelve languages a text is written, by its most frequent small words.

Refuses to tell of a text that is short, mixed, or in a language without a profile here.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

PROFILES: Final = {
    name: frozenset(words.split())
    for name, words in {
        "english": "the of and to in is that it for was with as on are this be by from which at or have not they but",
        "german": "der die das und ist nicht ein eine mit von den zu dem sich auf für als auch wird sind im es werden",
        "french": "le la les des et est une que qui dans pour pas sur au avec ce sont par plus nous ou mais cette du",
        "spanish": "el los las una y que es por con para del se como más pero su al lo está son este también muy",
        "italian": "il gli di che è una per non con del della sono alla dei nel anche come più questo ma si le delle",
        "portuguese": "os uma não com para que é do da dos das em no na mais por como mas foi ao são também seu pelo",
        "dutch": "het een van en is niet dat op te zijn voor met die aan ook om maar er als bij wordt naar deze",
        "swedish": "och att det som en på är av för med den till inte om har de ett men var jag från kan",
        "polish": "i w na z się nie do to że jest jak od po przez dla są oraz ale tym być który co jego",
        "turkish": "ve bir bu için ile da de olarak çok daha gibi olan ne ama en kadar sonra her değil var",
        "danish": "og det at er en til på af for med ikke den som har de et var jeg fra kan men om blev",
        "finnish": "ja on ei se että oli joka mutta myös kun ovat hän tai niin kuin sen ole jos vain mukaan",
    }.items()
}
_WORD: Final = re.compile(r"[^\W\d_]+")
_CODE: Final = re.compile(r"`[^`\n]*`|https?://\S+")
FEWEST_WORDS: Final = 20


def languages_of(text: str) -> set[str] | None:
    """Return the languages of the paragraphs of a text that are long enough to tell; None where one cannot be told."""
    found: set[str] = set()
    short: list[str] = []
    seen = 0
    for paragraph in re.split(r"\n[ \t]*\n", _CODE.sub(" ", text)):
        words = [word.lower() for word in _WORD.findall(paragraph)]
        seen += len(words)
        if len(words) < FEWEST_WORDS:
            short += words
            continue
        language = _language(words)
        if language is None:
            return None
        found.add(language)
    if _speaks_otherwise(short, found):
        return None
    # What is too short to tell must be the smaller part: a list of short lines is judged as one text.
    whole = _language([word.lower() for word in _WORD.findall(_CODE.sub(" ", text))]) if seen >= FEWEST_WORDS else None
    return {*found, whole} if whole else None


def _speaks_otherwise(words: list[str], languages: set[str]) -> bool:
    """Return whether short paragraphs together have more small words of another language than of those found."""
    scores = {name: sum(word in known for word in words) for name, known in PROFILES.items()}
    own = max((scores[name] for name in languages), default=len(words))
    return any(score >= 2 and score > own for score in scores.values())


def _language(words: list[str]) -> str | None:
    counts = Counter(words)
    scores = sorted(((sum(counts[word] for word in known), name) for name, known in PROFILES.items()), reverse=True)
    (most, name), (next_most, _) = scores[:2]
    distinct = sum(word in counts for word in PROFILES[name])
    return name if most * 6 >= len(words) and most >= 2 * next_most and distinct >= 4 else None
