"""Reads the plain facts about code again, from its tokens and from what it compiles to, not from its tree."""

from __future__ import annotations

import io
import tokenize
import unicodedata
from types import CodeType
from typing import Final

from probatum.core.shape import Shape
from probatum.exact.code.bytecode import codes_in

_KEPT: Final = (tokenize.NAME, tokenize.OP, tokenize.NEWLINE, tokenize.STRING, tokenize.NUMBER)


def require_facts(source: str, compiled: CodeType, part: Shape) -> None:
    """Raise ValueError where a certificate tells another fact than the tokens or the compiled code do."""
    facts = part.exactly("form", "facts").member("facts")
    words = _words(source)
    if facts.has("imports") and list(facts.texts("imports")) != _imports(words):
        raise ValueError("the code imports something else")
    if facts.has("defined"):
        defined = {words[place + 1] for place, word in enumerate(words) if word in ("def", "class")}
        if not defined.issuperset(facts.texts("defined")):
            raise ValueError("the code defines no such name")
    if facts.has("function"):
        found = [code for code in codes_in(compiled) if code.co_name == facts.text("function")]
        if len(found) != 1:
            raise ValueError("there is not one such function")
        if facts.whole("parameters") != found[0].co_argcount + found[0].co_kwonlyargcount:
            raise ValueError("the function takes another number of arguments")


def _words(source: str) -> list[str]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source.lstrip("\ufeff")).readline))
    except (tokenize.TokenError, SyntaxError) as error:
        raise ValueError("the code cannot be read as tokens") from error
    # A text is no word, whatever it holds.
    return [_word(token) for token in tokens if token.type in _KEPT]


def _word(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.STRING:
        return "bytes" if set(token.string.lower().partition("'")[0].partition('"')[0]) & set("bf") else '"'
    return "\n" if token.type == tokenize.NEWLINE else unicodedata.normalize("NFKC", token.string)


def _imports(words: list[str]) -> list[str]:
    """Return what stands after ``import`` and ``from``, at the beginning of a statement."""
    found, place = set[str](), 0
    while place < len(words):
        is_start = place == 0 or words[place - 1] in ("\n", ";", ":")
        if is_start and words[place] == "from":
            end = words.index("import", place)
            found.add("".join(words[place + 1 : end]))
            place = end
        elif is_start and words[place] == "import":
            end = next(at for at in range(place, len(words)) if words[at] in ("\n", ";"))
            parts = " ".join(words[place + 1 : end]).split(" , ")
            found.update(part.partition(" as ")[0].replace(" ", "") for part in parts)
            place = end
        place += 1
    return sorted(found)
