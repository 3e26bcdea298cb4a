"""Quality of prose: whether it answers, ends and repeats itself, how it reads, how it is built.

How hard English is to read follows Flesch's reading ease (R. Flesch, A new readability yardstick, Journal of Applied
Psychology 32, 1948) with syllables counted as groups of vowels. Other languages are not measured by it, nor is data.
What stands in quotations is not taken for the text's own words.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Final

from probatum.exact.code.tables import words
from probatum.judge.quality.parts import OutputPart, PartKind
from probatum.judge.quality.scoring import QualityHit
from probatum.readers.passages import quoted_spans

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE_END: Final = re.compile(r"[.!?…。！？]+[\"'”’)\]*_]*(?=\s|$)|\n[ \t]*\n")
_LIST_LINE: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)]|#{1,6}|\||>)[ \t]?")
_HEADING: Final = re.compile(r"^(?:#{1,6} |\*\*[^*\n]+\*\*:?$|[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]|\|)", re.MULTILINE)
_COMMON: Final = words("the of and to in is that for it was on are as with be by this have from or not an at which")
_REFUSAL: Final = re.compile(
    r"\bI(?:['’]m| am) (?:sorry|afraid),? (?:but )?(?:I|that|this|as an)\b[^.\n]{0,40}"
    r"\b(?:can(?:no|['’])t|unable|not able|won['’]t|not possible)"
    r"|\bI (?:cannot|can['’]t|can not|won['’]t|will not|am unable to|am not able to|must decline to) "
    r"(?:help|assist|comply|fulfil|provide|answer|complete|do that|create|generate|write|discuss|share)\b",
    re.IGNORECASE,
)
_MODEL: Final = re.compile(
    r"\bas an? (?:AI|artificial intelligence|(?:large )?language model)\b"
    r"|\bmy (?:training data|knowledge cut-?off|last update)\b",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(
    r"\[(?:insert|your|add|enter|fill in|name of|placeholder|to be)\b[^\]\n]{0,60}\](?!\()"
    r"|<(?:insert|your)[ _-][^>\n]{0,60}>|\blorem ipsum\b|\{\{ ?\w{1,40} ?\}\}"
    r"|(?<![\w#])(?-i:TO" r"DO|FIX" r"ME|TBD)(?=[:)\]]|[ \t]*$)",
    re.IGNORECASE | re.MULTILINE,
)  # fmt: skip
_ELIDED: Final = re.compile(
    r"(?:#|//|--|/\*|<!--)[ \t]*(?:\.\.\.|…)?[ \t]*\(?"
    r"(?:(?:the )?rest of (?:the |your )?(?:code|implementation|function|class|file|program)\b"
    r"|(?:(?:add )?(?:your|the) )?(?:code|implementation|logic) (?:goes )?here\b"
    r"|(?:existing|previous|remaining|other|same) code (?:here|remains|as before|unchanged|above)"
    r"|(?:code |part )?omitted for brevity)[^\n]{0,60}",
    re.IGNORECASE,
)
_HIDDEN_IN_CODE: Final = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\u2060\U000e0000-\U000e007f]|(?<!^)\ufeff")
_HIDDEN_IN_PROSE: Final = re.compile("(?<![\U0001f3f4\U000e0000-\U000e007f])[\U000e0000-\U000e007f]|[\u202d\u202e]")
_FENCE_LEFT: Final = re.compile(r"^[ \t>]*+(?:`{3,}|~{3}(?!~))[^\n`]*$", re.MULTILINE)
_LINK: Final = re.compile(r"https?://[^\s)\]>]*+")
_VOWELS: Final = re.compile(r"[aeiouy]+")
_ENDS_OPEN: Final = re.compile(r"(?:[a-z],?|[a-z]['’]?-)$")
_LONGEST_PERIOD: Final = 40
_GRAM: Final = 4
"""Words that are looked up together, to find where they stood before."""
_MOST_PLACES: Final = 100
"""Places that one rule names in one text."""
_EVERYWHERE: Final = sys.maxsize
_CODE_PHRASES: Final = (("code_elided", _ELIDED, _MOST_PLACES, _EVERYWHERE),)
_PROSE_PHRASES: Final = (
    ("refusal", _REFUSAL, 1, 400),
    ("placeholder", _PLACEHOLDER, _MOST_PLACES, _EVERYWHERE),
    ("as_a_model", _MODEL, 1, _EVERYWHERE),
)
"""Rules that follow from what stands in a text: the rule, how it is found, at most how often, and up to which place."""


def basic_hits(part: OutputPart) -> Iterator[QualityHit]:
    """Yield what makes a part useless as it stands, code or prose, or hides what it is."""
    text = part.text
    if part.kind is PartKind.BROKEN_PYTHON:
        yield QualityHit("syntax", part.flaw_line, slots={"what": part.flaw})
    if part.kind is PartKind.LARGE_CODE:
        yield QualityHit("not_judged", slots={"what": f"code of {len(text):,} characters"})
    is_prose = part.kind is PartKind.PROSE
    hidden = (_HIDDEN_IN_PROSE if is_prose else _HIDDEN_IN_CODE).finditer(text)
    by_line = {_line(text, each.start()): f"U+{ord(each.group()):04X}" for each in islice(hidden, _MOST_PLACES)}
    for line, sign in by_line.items():
        yield QualityHit("hidden_text", line, slots={"what": sign})
    quoted = quoted_spans(text[:100_000]) if is_prose else ()
    for rule, pattern, most, end in _PROSE_PHRASES if is_prose else _CODE_PHRASES:
        for match in islice(pattern.finditer(text, 0, end), most):
            if not any(begin <= match.start() < end for begin, end in quoted):
                yield QualityHit(rule, _line(text, match.start()), slots={"what": match.group()})
    if is_prose and not text.strip():
        if not part.path:
            yield QualityHit("text_empty")
    elif is_prose:
        yield from _ends(text)
        yield from _loop(text)


def _ends(text: str) -> Iterator[QualityHit]:
    """Yield that a text leaves off where it does not end."""
    if _FENCE_LEFT.search(text):
        yield QualityHit("text_unclosed", slots={"what": "A block of code"})
    last = text.rstrip().rpartition("\n")[2].strip()
    opened = last.rfind("(") > last.rfind(")") and not re.search(r"[:;]-?\($", last)
    is_long = len(_WORD.findall(text)) >= 20 and len(last.split()) > 3
    is_sentence = is_long and _SENTENCE_END.search(text.rstrip()[:-1]) and not _LIST_LINE.match(last)
    if is_sentence and (_ENDS_OPEN.search(last) or opened) and "://" not in last:
        yield QualityHit("text_truncated", _line(text, len(text.rstrip())), slots={"what": f"…{last[-60:]}"})


def text_hits(text: str) -> Iterator[QualityHit]:
    """Yield how a prose reads and how it is built."""
    words = [each.lower() for each in _WORD.findall(text)]
    sentences = sentences_of(text)
    yield from _repeated(sentences)
    if len(words) >= 20 and sum(word in _COMMON for word in words) >= 0.12 * len(words):
        yield from _readability(sentences)
    yield from _structure(text, len(words))


def sentences_of(text: str) -> list[tuple[int, str]]:
    """Return the sentences of running text with their lines: not those of headings, lists, tables and quotations."""
    lines = ["" if _LIST_LINE.match(line) else line for line in _LINK.sub("", text).split("\n")]
    running, place, line, found = "\n".join(lines), 0, 1, list[tuple[int, str]]()
    for match in [*_SENTENCE_END.finditer(running), None]:
        end = len(running) if match is None else match.end()
        sentence = running[place:end]
        if sentence.strip():
            before = len(sentence) - len(sentence.lstrip())
            found.append((line + sentence.count("\n", 0, before), " ".join(sentence.split())))
        line += sentence.count("\n")
        place = end
    return found


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _loop(text: str) -> Iterator[QualityHit]:
    """Yield the first run of words that repeats at once, as output does that has lost its end."""
    found = list(_WORD.finditer(_LINK.sub(lambda match: " " * len(match[0]), text)))
    spoken = [match.group().lower() for match in found]
    last: dict[tuple[str, ...], int] = {}
    period, run = 0, 0
    for index in range(_GRAM - 1, len(spoken) + 1):
        gram = tuple(spoken[index - _GRAM + 1 : index + 1]) if index < len(spoken) else ()
        gap = index - last.get(gram, -_LONGEST_PERIOD)
        last[gram] = index
        if gap == period:
            run += 1
            continue
        same = run + _GRAM - 1
        if run and same >= max(4 * period, 12):
            begin = index - same - period
            slots = {"name": " ".join(spoken[begin : begin + period]), "what": same // period + 1}
            yield QualityHit("text_loop", _line(text, found[begin].start()), slots=slots)
            return
        period, run = (gap, 1) if gap < _LONGEST_PERIOD else (0, 0)


def _repeated(sentences: list[tuple[int, str]]) -> Iterator[QualityHit]:
    places: dict[str, list[int]] = {}
    shown: dict[str, str] = {}
    for line, sentence in sentences:
        words = [each.lower() for each in _WORD.findall(sentence)]
        if len(words) >= 6:
            places.setdefault(" ".join(words), []).append(line)
            shown.setdefault(" ".join(words), sentence)
    for key, lines in places.items():
        if len(lines) >= (2 if len(key.split()) >= 10 else 3):
            yield QualityHit("text_repeated", lines[1], slots={"what": len(lines), "name": shown[key]})


def _readability(sentences: list[tuple[int, str]]) -> Iterator[QualityHit]:
    counted = [[each.lower() for each in _WORD.findall(sentence)] for _, sentence in sentences]
    words = [word for each in counted for word in each]
    if len(sentences) >= 3 and len(words) >= 100:
        length = len(words) / len(sentences)
        # A silent e at the end makes no syllable.
        syllables = sum(max(1, len(_VOWELS.findall(word.removesuffix("e")))) for word in words)
        ease = 206.835 - 1.015 * length - 84.6 * syllables / len(words)
        if length > 30:
            yield QualityHit("text_sentences", slots={"what": round(length)})
        if ease < 10:
            yield QualityHit("text_difficult", slots={"what": round(ease)})


def _structure(text: str, words: int) -> Iterator[QualityHit]:
    line = 1
    for paragraph in re.split(r"\n[ \t]*\n", text):
        if (count := len(_WORD.findall(paragraph))) > 300 and not _HEADING.search(paragraph):
            yield QualityHit("text_wall", line + (paragraph[:1] == "\n"), slots={"what": count})
        line += paragraph.count("\n") + 2
    if words > 1000 and not _HEADING.search(text):
        yield QualityHit("text_unstructured", slots={"what": words})
