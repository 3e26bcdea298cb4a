"""Which statements a quote lies in, and what no quote covers.

A quote is verbatim up to white space; it may begin with the name of its entry, or of its method. Where the same words
are in several places, those of the method that a quote is about come first, and quotes are taken in order: each is
looked for from where the one before it was found. Refuses to let a quote end within a word, and to count one that is
nowhere. A statement that is there twice, as where a contract repeats the docstring, is covered twice, and so
is one that is a part of another word for word, as where an entry repeats what the first sentence says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from probatum.readings.documented import Quotable
from probatum.readings.markup import says_something
from probatum.readings.values import Reading, ReadingRecord

_WORD = re.compile(r"\w+")
_SIGNS = re.compile(r"(?:^|(?<=\s))(?:[-*+•](?=\s)|\*\*[A-Z][a-z]+:?\*\*:?(?=\s))")
"""What is before an item of a list, or begins a paragraph in place of a heading."""
_HEAD = re.compile(
    r"(?:(?:[:@]\w+|returns?|yields?|raises?|result)\b[ \t]*)?(?P<about>[^:]{0,80}?)(?:\([^()]*\)| : [^:]*)?:\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that somebody quotes from a documentation."""

    id: str
    text: str
    reader: str = ""
    """Quotes of one reader are in the order in which they were read."""
    owner: str = ""
    """The method that the reader speaks of: its own words come before the same words elsewhere."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What quotes cover of statements."""

    touched: Mapping[str, tuple[str, ...]]
    """By statement: the quotes that lie in it, in order."""
    left_over: Mapping[str, tuple[str, ...]]
    """By statement that a quote touches: the words that none covers."""
    missing: tuple[str, ...]
    """The quotes that are in no statement, nor elsewhere in what is documented."""


def quotes_of(record: ReadingRecord, whole: str) -> Iterator[tuple[Reading, Quote]]:
    """Yield each reading of a record with what it quotes from the documentation of ``whole``, a function or class."""
    reader, owner = f"{record.function} {record.reader}", record.function.removeprefix(f"{whole}.")
    for each in record.readings:
        yield each, Quote(record.id_of(each), each.statement, reader, "" if owner == whole else owner)


def covered(statements: Sequence[Quotable], quotes: Iterable[Quote], elsewhere: str = "") -> Coverage:
    """Return what quotes cover; ``elsewhere`` may be quoted and is not a statement, such as a signature."""
    text = _Joined(statements)
    touched: dict[str, tuple[str, ...]] = {}
    masks = {each.id: bytearray(len(each.text)) for each in statements}
    missing = []
    cursors: dict[str, int] = {}
    other = "".join(elsewhere.split())
    same: dict[tuple[str, str, str], list[Quotable]] = {}
    for each in statements:
        same.setdefault((each.text, each.about, each.owner), []).append(each)
    for quote in quotes:
        found = text.find(quote, cursors.get(quote.reader, 0))
        if found is None:
            words = "".join(quote.text.split())
            missing += [] if words and words in other else [quote.id]
            continue
        cursors[quote.reader] = found[0]
        parts = [*text.parts(*found)]
        for index, begin, end in parts:
            whole = statements[index]
            part = whole.text[begin:end]
            alike = {part: 0, whole.text: begin} if len(parts) == 1 else {whole.text: begin}
            for words, first in alike.items():
                for statement in same.get((words, whole.about, whole.owner), ()):
                    touched[statement.id] = (*touched.get(statement.id, ()), quote.id)
                    masks[statement.id][first : first + len(part)] = b"x" * len(part)
    left_over = {each.id: _rest(each.text, masks[each.id]) for each in statements if each.id in touched}
    return Coverage(touched, left_over, tuple(missing))


def _rest(text: str, mask: bytearray) -> tuple[str, ...]:
    found = []
    begin = 0
    while (begin := mask.find(0, begin)) >= 0:
        end = mask.find(b"x", begin)
        end = len(text) if end < 0 else end
        words = text[begin:end].strip(" ,;:.")
        if says_something(words):
            found.append(words)
        begin = end
    return tuple(found)


class _Joined:
    """All statements as one text without white space, and where its characters come from."""

    def __init__(self, statements: Sequence[Quotable]) -> None:
        self._statements = statements
        self._origin = [
            (index, at) for index, each in enumerate(statements) for at, sign in enumerate(each.text) if sign != " "
        ]
        self._text = "".join(statements[index].text[at] for index, at in self._origin)

    def find(self, quote: Quote, cursor: int) -> tuple[int, int] | None:
        """Return where a quote is, in its owner if it does, at the cursor or behind it if it does, else anywhere."""
        of_owner = self._find(quote, cursor, quote.owner) if quote.owner else None
        return self._find(quote, cursor) if of_owner is None else of_owner

    def _find(self, quote: Quote, cursor: int, owner: str = "") -> tuple[int, int] | None:
        plain = _SIGNS.sub(" ", quote.text)
        for text in (quote.text, plain) if plain.split() else ():
            words = "".join(text.split())
            for begin in (cursor, 0):
                found = self._at(words, begin, owner=owner)
                if found >= 0:
                    return found, found + len(words)
        head = _HEAD.match(quote.text)
        rest = "".join(quote.text[head.end() :].split()) if head is not None else ""
        named = frozenset(_WORD.findall(head["about"])) if head is not None else frozenset()
        # The method of a name comes before an entry of that name.
        of_owner = [(place, True) for place in (cursor, 0)] if named else []
        for begin, is_owner in [*of_owner, (cursor, False), (0, False)] if rest else ():
            found = self._at(rest, begin, named, owner, is_owner=is_owner)
            if found >= 0:
                return found, found + len(rest)
        return None

    def _at(
        self, words: str, begin: int, about: frozenset[str] = frozenset(), owner: str = "", *, is_owner: bool = False
    ) -> int:
        while (begin := self._text.find(words, begin)) >= 0:
            statement = self._statements[self._origin[begin][0]]
            names = statement.owner if is_owner else f"{statement.about} {statement.owner}"
            if (
                (not about or not about.isdisjoint(_WORD.findall(names)))
                and owner in {"", statement.owner}
                and self._is_edge(begin)
                and self._is_edge(begin + len(words))
            ):
                return begin
            begin += 1
        return -1

    def _is_edge(self, at: int) -> bool:
        if not 0 < at < len(self._origin):
            return True
        (first, before), (second, behind) = self._origin[at - 1], self._origin[at]
        is_joined = first == second and behind == before + 1
        return not (is_joined and self._text[at - 1].isalnum() and self._text[at].isalnum())

    def parts(self, begin: int, end: int) -> list[tuple[int, int, int]]:
        """Return the part of each statement that a range of the joined text is: its index, begin and end."""
        found: list[tuple[int, int, int]] = []
        for index, at in self._origin[begin:end]:
            if found and found[-1][0] == index:
                found[-1] = index, found[-1][1], at + 1
            else:
                found.append((index, at, at + 1))
        return found
