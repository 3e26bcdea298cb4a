"""Reads the mechanical claims out of a text about a change: an agent's last message, a pull request, a commit message.

The table is closed. A pattern takes a whole sentence, a whole list item or a commit's subject line; a sentence that
says one word more is left alone. Refuses what is negated, conditional, planned, hedged, asked, quoted, struck out,
fenced or an unticked box, and whatever stands under a heading or after a line that announces plans, wishes or words of
others. Time is linear in the text.

Read each commit message by itself: its first line is the subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from probatum.changes.claims.claim_table import (
    ANNOUNCED,
    COMMAND,
    FIXED_NAME,
    NUMBER_WORDS,
    PATH,
    REPORTED,
    SUPPOSED,
    TABLE,
    TAKEN_BACK,
    TOOL,
    TRAILER,
    TYPE_CHECKERS,
    ChangeClaimKind,
    ClaimPattern,
)

__all__ = ["ChangeClaim", "ChangeClaimKind", "claims_in", "says_fix", "says_nothing_changes"]


@dataclass(frozen=True, slots=True)
class ChangeClaim:
    """One claim: `quote` stands verbatim at `start` in the text.

    `names` holds what the claim is about: files, functions, old and new name, the version, the tool. `exact` tells that
    the words leave no other reading, so that contrary evidence may contradict them; otherwise it leaves them unproven.
    """

    kind: ChangeClaimKind
    quote: str
    start: int
    names: tuple[str, ...] = ()
    count: int | None = None
    exact: bool = True


def claims_in(text: str) -> tuple[ChangeClaim, ...]:
    """The claims of `text`, in its order. A sentence of several parts counts only if each part is a claim."""
    sentences = list(_Blocks(text.replace("\r", " ")).sentences())
    claims: list[ChangeClaim] = []
    for sentence, after in zip_longest(sentences, sentences[1:]):
        # What a commit's body says after the subject explains it and limits nothing.
        explained = after is not None and sentence.subject and "\n" in text[sentence.start : after.start]
        if after is None or explained or not TAKEN_BACK.match(after.words):
            claims += _claims_of(sentence)
    files = tuple(dict.fromkeys(_paths_of(text)))
    return tuple(
        replace(
            claim,
            quote=text[claim.start : claim.start + len(claim.quote)],
            names=files if claim.kind is ChangeClaimKind.NOTHING_ELSE else claim.names,
        )
        for claim in claims
    )


def says_fix(claims: Iterable[ChangeClaim]) -> bool:
    """Whether a fix is claimed, so that the base is stated to be wrong. `Closes #12` alone claims none."""
    return any(claim.kind is ChangeClaimKind.FIXES and claim.exact for claim in claims)


def says_nothing_changes(claims: Iterable[ChangeClaim]) -> bool:
    """Whether it is claimed that no behaviour changes. The label `refactor:` alone promises no such thing."""
    return any(claim.kind is ChangeClaimKind.REFACTORING and claim.exact for claim in claims)


_FILE_LIKE = re.compile(r"[\w./-]+")
_CLAUSES = re.compile(r", and |[,;] | [—–+-] ")
_SYMBOLS = "✅✔☑✓🎉✨🚀👍💚🟢🔧🐛♻🔖⬆📝🏷\ufe0f"
_MARKS_BEFORE = re.compile(rf"(?:[\s*{_SYMBOLS}]|[-+•]\s|\d{{1,3}}[.)]\s|\[[xX]\]|:\w{{1,30}}:\s)*")
_MARKS_AFTER = re.compile(rf"(?:\s*\(#\d+\))?[\s*.!{_SYMBOLS}]*\Z")
_STOP = re.compile(
    r"""`[^`]*(?:`|\Z)|"[^"]*(?:"|\Z)|“[^”]*(?:”|\Z)|\([^()]*\)|~~.*?(?:~~|\Z)|(?P<stop>[.!?])[*)]{0,3}\s+(?=[^a-z\s])""",
    re.DOTALL,
)
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_UNTICKED = re.compile(r"(?:[-*+•]|\d{1,3}[.)])?\s*\[\s?\]")
_TICKED = re.compile(r"(?:[-*+•]|\d{1,3}[.)])?\s*\[[xX]\]")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s|\s*\*\*[^*]+\*\*:?\s*\Z")
_RULE = re.compile(r"\s*([-=*_])\1{2,}\s*\Z")
_LONGEST = 300
_DEEPEST = 8
_NARROWEST_WRAP = 60


@dataclass(frozen=True, slots=True)
class _Sentence:
    words: str
    quote: str
    start: int
    subject: bool
    reported: bool
    believed: bool


class _Blocks:
    """Cuts a text into its paragraphs, list items and headings, and keeps what each of them stands under."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.heading = ""
        self.intro = ""
        self.parents: list[tuple[int, str]] = []
        self.first = True
        self.in_list = False
        self.start = -1
        self.end = -1

    def sentences(self) -> Iterator[_Sentence]:
        fence, comment, quoted, at = "", False, False, 0
        for line in self.text.split("\n"):
            begin, at = at, at + len(line) + 1
            bare = line.strip()
            if fence:
                fence = "" if bare.startswith(fence) and not bare.strip(fence[0]) else fence
            elif comment or bare.startswith("<!--"):
                yield from self._close()
                comment = "-->" not in bare
            elif bare.startswith(("```", "~~~")):
                yield from self._close()
                fence = bare[:3]
            elif not bare:
                yield from self._close()
                quoted = False
            elif quoted or bare.startswith((">", "|", "<")):
                yield from self._close()
                quoted = quoted or bare.startswith(">")
            elif _RULE.match(line):
                self.heading = self.text[self.start : self.end][:_LONGEST] if self.start >= 0 else self.heading
                self.start = -1
            elif self.start < 0 and not self.in_list and line.startswith(("    ", "\t")):
                continue
            else:
                yield from self._take(line, begin)
        yield from self._close()

    def _take(self, line: str, begin: int) -> Iterator[_Sentence]:
        if self.start >= 0 and (self._begins_anew(line, begin) or _HEADING.match(line)):
            yield from self._close()
        if self.start < 0:
            self.start = begin
        self.end = begin + len(line)
        if _HEADING.match(line):
            self.heading, self.intro, self.parents = "", "", []
            yield from self._close()
            self.heading, self.intro = line[:_LONGEST], ""

    def _begins_anew(self, line: str, begin: int) -> bool:
        if _ITEM.match(line) or TRAILER.match(line):
            return True
        before = self.text[self.text.rfind("\n", 0, begin - 1) + 1 : begin - 1]
        bare = line.strip()
        wrapped = len(before) + 1 + len(bare.split(maxsplit=1)[0]) > _NARROWEST_WRAP
        return not bare[0].islower() and (
            not wrapped or before.rstrip().endswith((".", "!", "?", ":")) or _odd(bare[0])
        )

    def _close(self) -> Iterator[_Sentence]:
        if self.start < 0:
            return
        start, block = self.start, self.text[self.start : self.end]
        bare = block.strip()
        item, unticked = _ITEM.match(block) is not None, _UNTICKED.match(bare) is not None
        indent = len(block) - len(block.lstrip())
        while self.parents and (self.parents[-1][0] >= indent or not item):
            self.parents.pop()
        above = " ".join([self.heading, self.intro, *(parent for _, parent in self.parents)])
        announced = ANNOUNCED.search(above) is not None and not _TICKED.match(bare)
        believed = not unticked and not announced and not SUPPOSED.match(bare)
        subject = self.first and not item and "\n" not in bare
        reported = item and (REPORTED.match(self.heading) or REPORTED.match(self.intro)) is not None
        for begin, end in _cut(block):
            words, quote, offset = _without_marks(block[begin:end])
            yield _Sentence(words, quote, start + begin + offset, subject and begin == 0, reported, believed)
        if item:
            if unticked or bare.endswith(":"):
                self.parents = [*self.parents[-_DEEPEST:], (indent, "todo" if unticked else bare[-_LONGEST:])]
        else:
            announces = bare.endswith(":") or (len(bare) <= _NARROWEST_WRAP and not bare.endswith((".", "!")))
            self.intro = bare[-_LONGEST:] if announces else ""
        self.start, self.first, self.in_list = -1, False, item


def _without_marks(piece: str) -> tuple[str, str, int]:
    """The words of a sentence without its markup, its verbatim text, and where that starts in `piece`."""
    before = _MARKS_BEFORE.match(piece)
    offset = before.end() if before else 0
    quote = piece[offset:].rstrip().rstrip("*")
    if len(quote) > _LONGEST:
        return "", quote, offset
    words = _MARKS_AFTER.sub("", quote).replace("**", "").replace("’", "'")
    return " ".join(words.split()), quote, offset


def _odd(character: str) -> bool:
    return not character.isalnum() and character not in "`'\"(*_[/.-@#$&<{"


def _cut(block: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for match in _STOP.finditer(block):
        if match["stop"]:
            yield begin, match.end()
            begin = match.end()
    yield begin, len(block)


def _claims_of(sentence: _Sentence) -> list[ChangeClaim]:
    if not sentence.believed:
        return []
    claims = _claims_in_part(sentence, sentence.words)
    if not claims:
        parts = [_claims_in_clause(sentence, part) for part in _CLAUSES.split(sentence.words)]
        claims = [claim for part in parts for claim in part] if all(parts) else []
    return list(dict.fromkeys(claims))


def _claims_in_clause(sentence: _Sentence, words: str) -> list[ChangeClaim]:
    whole = _claims_in_part(sentence, words)
    parts = [_claims_in_part(sentence, part) for part in words.split(" and ")] if not whole else []
    return whole or ([claim for part in parts for claim in part] if all(parts) else [])


def _claims_in_part(sentence: _Sentence, words: str) -> list[ChangeClaim]:
    if COMMAND.match(words) and not (sentence.subject or sentence.reported):
        return []
    for row in TABLE:
        if row.subject_only and not sentence.subject:
            continue
        match = row.pattern.fullmatch(words)
        if match and not (row.refused and row.refused.search(words)):
            return list(_claims_from(row, sentence, match))
    return []


def _claims_from(row: ClaimPattern, sentence: _Sentence, match: re.Match[str]) -> Iterator[ChangeClaim]:
    groups = match.groupdict()
    claim = ChangeClaim(row.kind, sentence.quote, sentence.start, exact=row.exact)
    if groups.get("tools"):
        for tool in TOOL.findall(groups["tools"].lower()):
            kind = ChangeClaimKind.TYPES_CLEAN if tool in TYPE_CHECKERS else ChangeClaimKind.LINT_CLEAN
            yield replace(claim, kind=kind, names=(tool,))
        return
    names = [groups[key].strip("`") for key in ("one", "old", "new", "version") if groups.get(key)]
    if groups.get("several"):
        names = list(_paths_of(groups["several"]))
    elif row.kind is ChangeClaimKind.FIXES and not names:
        names = FIXED_NAME.findall(match.string)[:1]
    yield replace(claim, names=tuple(name.strip("`") for name in names), count=_number(groups.get("count")))


def _paths_of(text: str) -> Iterator[str]:
    for match in _FILE_LIKE.finditer(text):
        word = match.group().rstrip(".")
        if len(word) <= _LONGEST and PATH.fullmatch(word):
            yield word.removeprefix("./")


def _number(words: str | None) -> int | None:
    if words is None:
        return None
    word = words.lower().replace(",", "")
    return NUMBER_WORDS.index(word) + 1 if word in NUMBER_WORDS else int(word)
