"""Which statements a quote lies in, and what no quote covers.

A quote is verbatim up to white space; it may begin with the name of its entry, or of its method. Where the same words
are in several places, those of the method that a quote is about come first, and quotes are taken in order: each is
looked for from where the one before it was found. Refuses to let a quote end within a word, and to count one that is
nowhere. A statement that is there twice, as where a contract repeats the docstring, is covered twice, and so
is one that is a part of another word for word, as where an entry repeats what the first sentence says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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


Fits = Callable[[Quotable], bool]


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


def _any(_statement: Quotable) -> bool:
    return True


def _ways(text: str) -> Iterator[tuple[str, Fits]]:
    """Yield the words that a quote may mean, without white space, and which statements they may be in."""
    plain = _SIGNS.sub(" ", text)
    if plain.split():
        yield "".join(text.split()), _any
        yield "".join(plain.split()), _any
    head = _HEAD.match(text)
    rest = "".join(text[head.end() :].split()) if head is not None else ""
    if head is None or not rest:
        return
    named = frozenset(_WORD.findall(head["about"]))
    if named:
        # The method of a name comes before an entry of that name.
        yield rest, lambda each: not named.isdisjoint(_WORD.findall(each.owner))
    yield rest, lambda each: not named or not named.isdisjoint(_WORD.findall(f"{each.about} {each.owner}"))


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
        ways = tuple(_ways(quote.text))
        of_owner = [each.owner == quote.owner for each in self._statements] if quote.owner else []
        for allowed in filter(any, (of_owner, [True] * len(self._statements))):
            for words, fits in ways:
                for begin in (cursor, 0):
                    found = self._at(words, begin, fits, allowed)
                    if found >= 0:
                        return found, found + len(words)
        return None

    def _at(self, words: str, begin: int, fits: Fits, allowed: Sequence[bool]) -> int:
        while (begin := self._text.find(words, begin)) >= 0:
            index = self._origin[begin][0]
            if (
                allowed[index]
                and fits(self._statements[index])
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
