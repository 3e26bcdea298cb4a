"""Claims that a text contains some words: texts are made of words, and other words are taken from other texts."""

from __future__ import annotations

from random import Random
from typing import Final

from tests.exact.generated.claim import Made, families

_TEXT: Final = "the bridge opened in 1932 Ann sells 1,200 units of tea however none 5.2 million was not built by Rome"
_WORDS: Final = tuple(_TEXT.split())
_SPACES: Final = (" ", " ", " ", "  ", "\n", "\t")


def _text(random: Random, words: list[str]) -> str:
    return "".join(word + random.choice(_SPACES) for word in words)


def _words_of_a_text(random: Random, truth: bool) -> Made:
    words = [random.choice(_WORDS) for _ in range(random.randint(5, 40))]
    start = random.randrange(len(words))
    said = words[start : start + random.randint(1, 6)]
    if not truth:
        # Another word, another order, half of a word, or a word more.
        at = random.randrange(len(said))
        said[at] = random.choice(["elsewhere", said[at][:-1] or "elsewhere", said[at] + "s", "X" + said[at]])
        while " ".join(said) in " ".join(words) and said[at] in words:
            said[at] += "s"
    return _text(random, said).strip(), {"context": _text(random, words)}


FAMILIES: Final = families("facts", _words_of_a_text, is_false_open=True)
