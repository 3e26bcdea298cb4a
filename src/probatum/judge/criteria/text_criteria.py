"""Criteria about the text of an output: its parts, how much of what it has, its format, what it says and does not say.

Counts are bounds: what one reader counts and another does not leaves a criterion undecided where it matters. Refuses
to tell a topic from a word: that a text speaks of something in other words is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import wraps
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.json_text import JsonTextError, read_json
from probatum.judge.criteria.forms import Decide, quoted, within
from probatum.judge.criteria.languages import PROFILES, languages_of
from probatum.judge.criteria.reading import OutputView, fenced_blocks, plain_name, unfenced
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis
from probatum.readers.places import csv_table

Span = tuple[int, int]
_WHOLE: Final = frozenset(
    "output,response,answer,reply,text,result,content,document,report,article,essay,email,letter,readme,story,poem,"
    "message,completion,post,blog post".split(",")
)
_ARTICLE: Final = re.compile(r"^(?:(?:the|this|your|its) )?(?:(?:final|generated|whole|entire) )?")
_HEADING: Final = re.compile(
    r"(?m)^[ ]{0,3}#{1,6}[ \t]+(?P<hash>[^\n]{1,300})|^(?P<under>\S[^\n]{0,120})\n(?:={3,}|-{3,})[ \t]*$"
    r"|^[ ]{0,3}\*\*(?P<bold>[^*\n]{1,120})\*\*:?[ \t]*$|(?i:<h[1-6][^>]{0,200}>(?P<tag>[^<]{1,200})</h[1-6]>)"
)
_BULLET: Final = re.compile(r"(?m)^[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]+\S")
_TOP_BULLET: Final = re.compile(r"(?m)^[ ]{0,1}(?:[-*+•]|\d{1,4}[.)])[ \t]+\S")
_DASHED: Final = re.compile(r"(?m)^[ \t]*[-*+•][ \t]+\S")
_NUMBERED: Final = re.compile(r"(?m)^[ \t]*\d{1,4}[.)][ \t]+\S")
_URL: Final = re.compile(r"https?://[^\s<>()\"'\]]+")
_EMAIL: Final = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,5}\.[A-Za-z]{2,24}")
_PHONE: Final = re.compile(
    r"(?<![\w+])(?:\+\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,4}\d{2,4}|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})(?!\w)"
)
_DIGITS: Final = re.compile(r"\d(?:[ -]?\d){6,30}")
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_DOUBTFUL_MARK: Final = re.compile(
    r"(?i)\[[^\]\n]{1,60}\](?!\()|<[a-z_ ]{2,40}>|\{\{?[a-z_ ]{1,40}\}|_{3,}|\.{3}|…|\bx{3,}\b|example|sample|dummy|your "
)
_PLACEHOLDER: Final = re.compile(
    r"(?i)lorem ipsum|\[(?:insert|your|add|enter|todo|tbd|name|date|company)\b[^\]\n]{0,60}\]|<(?:insert|your)[^>\n]{0,60}>|\{\{\s*\w+\s*\}\}|\btbd\b|placeholder"
)


def _judged(holds: bool | None, why: str, **evidence: object) -> CriterionRuling:
    return ruled(holds, Basis.STRUCTURE, why, **evidence)


def _scoped(decide: Decide) -> Decide:
    """Return the same about the field that a criterion names, where it names one."""

    @wraps(decide)
    def whole(view: OutputView, tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
        name = _ARTICLE.sub("", told.get("text", "output").lower()).removesuffix(" field").strip("' ")
        fields = view.called(name)
        if fields:
            return decide(OutputView(fields[0].value), tools, told) if len(fields) == 1 else unknown(f"{name} stands in several places")
        is_part = name in {"summary", "abstract"} and view.text is not None and not _headings(view.text)
        if name not in _WHOLE and not is_part:
            return unknown(f"the output has no field {name[:60]!r}")
        return decide(view, tools, told)

    return whole


def _of_text(decide: Callable[[str, Mapping[str, str]], CriterionRuling]) -> Decide:
    @wraps(decide)
    def whole(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
        is_data = isinstance(view.output, str) and view.data is not None
        return unknown("the output is not one text") if view.text is None or is_data else decide(view.text, told)

    return whole


def _headings(text: str) -> list[tuple[str, str]]:
    """Return the headings of a text as plain words, each with what stands below it."""
    prose = unfenced(text)
    found = list(_HEADING.finditer(prose))
    ends = [*(match.start() for match in found[1:]), len(prose)]
    return [
        (_title(next(filter(None, match.groups()))), prose[match.end() : end])
        for match, end in zip(found, ends, strict=True)
    ]


def _title(text: str) -> str:
    return plain_name(re.sub(r"^[\W\d]*(?:[a-z]?[\d.]+[.):]?\s+)?|[\s:*#.]+$", "", text.strip()))


_PARTS: Final = {
    "summary": ("summary", "executive summary", "tl;dr", "tldr"),
    "conclusion": ("conclusion", "conclusions"),
    "introduction": ("introduction", "intro"),
    "abstract": ("abstract",),
    "references": ("references", "bibliography", "works cited", "sources"),
    "reference": ("references", "bibliography"),
    "table of contents": ("table of contents", "contents"),
}


def _section(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
    given = quoted(told) or told.get("topic") or told["part"]
    topic = plain_name(given.strip(" '\""))
    names = _PARTS.get(topic, (topic,)) if "part" in told else (topic,)
    if re.search(r"\b(and|or|all|each|every|any|not|no|at least|both|either|how|why|what|that|which)\b", topic):
        return unknown("which sections are meant is not certain")
    fields = [each for name in names for each in view.called(name)]
    if any(_is_full(each.value) for each in fields):
        return _judged(True, f"the output has a field {fields[0].key[:60]!r} that is not empty")
    headings = [each for text in view.texts for each in _headings(text)]
    held = [body for title, body in headings if title in names]
    if held:
        is_last = headings and headings[-1][0] in names
        return _judged(
            True if any(body.strip() for body in held) else False if is_last or len(headings) == 1 else None,
            f"it has a heading {topic[:60]!r}",
        )
    words = [word[:5] for word in re.findall(r"\w+", " ".join(names)) if len(word) > 3]
    everything = " ".join((*view.texts, *(each.key for each in view.entries))).lower()
    if fields or not words or any(word in everything for word in words):
        return unknown(f"no heading is {topic[:60]!r}, but something in the output may be such a part")
    known = bool(headings) or (isinstance(view.output, dict) and len(view.entries) > 0)
    return _judged(False if known else None, f"no heading and no field is {topic[:60]!r}, and no text speaks of it")


def _is_full(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else isinstance(value, dict | list) and bool(value)


def _has_title(view: OutputView, _tools: CriteriaTools, _told: Mapping[str, str]) -> CriterionRuling:
    fields = view.called("title")
    if fields and len(fields) == 1:
        return _judged(isinstance(fields[0].value, str) and bool(fields[0].value.strip()), "looked at the field title")
    text = view.text if isinstance(view.output, str) else None
    if text is None or fields:
        return unknown("the output has no text that is certain to be meant")
    begin = text.lstrip()
    if re.match(r"# \S|<title>[^<]|<h1[^>]{0,100}>[^<]", begin, re.IGNORECASE):
        return _judged(True, "the text begins with a heading of the first level")
    first = begin.split("\n")[0]
    return _judged(
        False if len(first) > 150 and first.rstrip().endswith(".") else None, "the text does not begin with a heading"
    )


def _words(text: str) -> Span | None:
    if _UNSPACED.search(text):
        return None
    spaced = sum(any(sign.isalnum() for sign in word) for word in text.split())
    letters = len(re.findall(r"[^\W_]+(?:['’][^\W_]+)*", text))
    return min(spaced, letters), max(spaced, letters)


def _sentences(text: str) -> Span | None:
    if _UNSPACED.search(text) or _BULLET.search(text) or _HEADING.search(text) or fenced_blocks(text):
        return None
    # A point behind a short word or a digit may belong to an abbreviation or to a number.
    ends = re.findall(r"(\w{0,30})[.!?]{1,8}[\"')\]]{0,4}(?=\s|$)", text)
    open_end = re.search(r"[.!?][\"')\]]{0,4}$", text.rstrip()[-20:]) is None and bool(text.strip())
    sure = sum(len(word) > 4 for word in ends[:-1]) + bool(ends[-1:])
    return sure + (open_end and not ends), len(ends) + open_end


def _paragraphs(text: str) -> Span:
    blocks = [each for each in re.split(r"\n[ \t]*\n", text) if each.strip()]
    prose = [
        each
        for each in blocks
        if not (_HEADING.search(each) or _BULLET.match(each) or "```" in each or "\n" in each.strip())
    ]
    lines = sum(bool(line.strip()) for line in text.split("\n"))
    return len(prose), len(blocks) if len(prose) == len(blocks) else lines


def _characters(text: str) -> Span:
    return len("".join(text.split())) if text != text.strip() else len(text), len(
        text.encode("utf-16-le", "surrogatepass")
    ) // 2


def _items(text: str) -> Span | None:
    prose = unfenced(text)
    found = len(_BULLET.findall(prose))
    return (len(_TOP_BULLET.findall(prose)), found) if found else None


def _count(pattern: re.Pattern[str]) -> Callable[[str], Span]:
    def counted(text: str) -> Span:
        found = [match[0] for match in pattern.finditer(text)]
        return len(set(found)), len(found)

    return counted


def _sections(text: str) -> Span:
    found = len(_headings(text))
    return max(0, found - 1), found


def _citations(text: str) -> Span:
    marks = set(re.findall(r"\[(\d{1,3})\](?!\()", text))
    named = set(re.findall(r"\([A-Z][^()\d]{1,60},? (?:19|20)\d\d[a-z]?\)", text))
    other = len(
        re.findall(r"(?i)\[|\(|https?://|doi|\bet al|according to|source|[\u00b9\u00b2\u00b3\u2070-\u2079]", text)
    )
    return max(len(marks), len(named)), other


def _blocks(text: str) -> Span:
    found = len(fenced_blocks(text))
    return found, max(found, len(re.findall(r"(?m)^[ ]{4,}\S|```|<code", text)) if not found else found)


_COUNTERS: Final[Mapping[str, Callable[[str], Span | None]]] = {
    "word": _words,
    "sentence": _sentences,
    "paragraph": _paragraphs,
    "character": _characters,
    "bullet point": _items,
    "bullet": _items,
    "list item": _items,
    "item": _items,
    "section": _sections,
    "heading": _sections,
    "citation": _citations,
    "link": _count(_URL),
    "url": _count(_URL),
    "code block": _blocks,
    "code example": _blocks,
    "question mark": _count(re.compile(r"\?")),
}


def _counts(text: str, told: Mapping[str, str]) -> CriterionRuling:
    unit = " ".join(told["unit"].lower().split())
    counter = _COUNTERS.get(unit) or _COUNTERS[unit.removesuffix("s")]
    span = counter(text)
    if span is None:
        return unknown(f"the {unit} of this text cannot be counted with certainty")
    low, high = min(span), max(span)
    shown = f"{low}" if low == high else f"{low} to {high}"
    return _judged(within(told, low, high), f"counted {shown} {unit}", least=low, most=high)


def _language(text: str, told: Mapping[str, str]) -> CriterionRuling:
    wanted = told["language"].lower()
    if wanted not in PROFILES:
        return unknown(f"{wanted} has no profile here")
    found = languages_of(text)
    if found is None:
        return unknown("the text is too short or too mixed to tell its language")
    shown = ", ".join(sorted(found))
    return _judged(True if found == {wanted} else None if wanted in found else False, f"the text is written in {shown}")


def _format(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
    name = told["format"].lower()
    if name.startswith("json"):
        kind = dict if "object" in name else list if "array" in name else object
        if not isinstance(view.output, str):
            return ruled(
                isinstance(view.output, kind), Basis.EXACT, f"the output is a JSON {type(view.output).__name__}"
            )
        try:
            return ruled(isinstance(read_json(view.output), kind), Basis.EXACT, "the text is JSON")
        except (JsonTextError, ValueError) as error:
            return (
                ruled(False, Basis.EXACT, f"the text is not JSON: {error}"[:200])
                if view.data is None
                else unknown("JSON stands in a fenced block")
            )
    text = view.output if isinstance(view.output, str) else None
    if text is None:
        return unknown("the output is no text")
    if name == "csv":
        return _csv(text)
    if name.startswith("markdown"):
        return _judged(
            True if _headings(text) or _BULLET.search(text) or fenced_blocks(text) else None,
            "looked for headings, lists and code of Markdown",
        )
    is_date = re.fullmatch(r"\d{4}-\d\d-\d\d", text.strip()) is not None
    try:
        return _judged(
            is_date and bool(date.fromisoformat(text.strip())),
            "the text is a date" if is_date else "the text is no date of the form 2024-01-31",
        )
    except ValueError:
        return _judged(False, "there is no such day")


def _csv(text: str) -> CriterionRuling:
    try:
        rows = csv_table(text)
    except ValueError as error:
        return _judged(False, str(error)[:200])
    except BudgetError:
        return unknown("the table is too large")
    is_table = len(rows) > 1 and len(rows[0]) > 1
    return _judged(True if is_table else None, f"a table of {len(rows)} rows", rows=len(rows))


def _listed(text: str, told: Mapping[str, str]) -> CriterionRuling:
    kind = told["list"].lower()
    pattern = _NUMBERED if kind.startswith("number") else _DASHED
    found = len(pattern.findall(unfenced(text)))
    if "whole" in told:
        lines = [line for line in text.strip().split("\n") if line.strip()]
        whole = bool(lines) and all(pattern.match(line) for line in lines)
        return _judged(
            True if whole and len(lines) > 1 else False if not found else None,
            f"{found} of {len(lines)} lines are items",
        )
    return _judged(
        True if found > 1 else False if not _BULLET.search(text) and "<li" not in text else None,
        f"{found} lines are items",
    )


def _ends(text: str, told: Mapping[str, str]) -> CriterionRuling:
    wanted = quoted(told)
    is_start = told["end"].lower().startswith(("start", "begin"))
    tests = [each.startswith(wanted) if is_start else each.endswith(wanted) for each in (text, text.strip())]
    folded = (
        text.strip().lower().startswith(wanted.lower()) if is_start else text.strip().lower().endswith(wanted.lower())
    )
    holds = True if all(tests) else None if any(tests) or folded else False
    return ruled(holds, Basis.EXACT, f"the text {'begins' if is_start else 'ends'} {'so' if holds else 'otherwise'}")


def _choice(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
    text = view.text
    choices = [double or single for double, single in re.findall(r"\"([^\"]*)\"|'([^']*)'", told["choices"])]
    if text is None:
        return unknown("the output has no text that is certain to be meant")
    same = text in choices
    close = text.strip().strip(".").lower() in {each.lower() for each in choices}
    return ruled(
        True if same else None if close else False,
        Basis.EXACT,
        "the text is one of them" if same else "the text is another one",
    )


def _holds_words(text: str, wanted: str) -> bool:
    words = r"\s+".join(map(re.escape, wanted.split()))
    return re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE) is not None


def _mentions(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
    listed = re.findall(r"\"([^\"]*)\"|'([^']*)'", told["names"]) if re.search("[\"']", told["names"]) else []
    names = [double or single for double, single in listed] or [
        each for each in re.split(r",? and |, ", told["names"]) if each
    ]
    is_quoted = bool(listed)
    if "no" in told and len(names) > 1 and " and " in told["names"]:
        return unknown("it can be read as each of them, or as all of them together")
    if not view.texts or any(not re.search(r"\w", each) for each in names):
        return unknown("the output has no text")
    if not is_quoted and any(not re.fullmatch(r"[A-Z][\w.+#-]*(?: [A-Z0-9][\w.+#-]*){0,3}", each) for each in names):
        return unknown("what is to be mentioned stands neither in quotes nor is it a name")
    found = {each for each in names if any(_holds_words(text, each) for text in view.texts)}
    inside = {
        each
        for each in names
        if each.lower() in " ".join((*view.texts, *(entry.key for entry in view.entries))).lower()
    }
    if "no" in told:
        return ruled(
            False if found else None if inside else True,
            Basis.EXACT,
            f"the output says {sorted(found)[0][:80]!r}" if found else "the output says none of them",
        )
    missing = [each for each in names if each not in inside]
    holds = True if len(found) == len(names) else False if missing and is_quoted else None
    return ruled(
        holds, Basis.EXACT, f"{missing[0][:80]!r} is not in the output" if missing else "the output says all of them"
    )


def _personal(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
    kind = told["kind"].lower()
    everything = "\n".join((*view.texts, *(each.key for each in view.entries)))
    numbers = [re.sub(r"\D", "", run) for run in _DIGITS.findall(everything)]
    cards = [each for each in numbers if 13 <= len(each) <= 19 and _luhn(each)]
    emails, phones = _EMAIL.search(everything), _PHONE.search(everything)
    found: object
    if kind.startswith(("e-mail", "email")):
        found, doubtful = (
            emails,
            "@" in everything
            or re.search(r"(?i)\b(at|dot)\b\W{0,5}\w{1,40}\W{0,5}\b(dot|com|org|net)\b|%40|&#64;|\uff20", everything),
        )
    elif kind.startswith("phone"):
        found, doubtful = phones, bool(numbers)
    elif kind.startswith("credit"):
        found, doubtful = cards, any(len(each) > 12 for each in numbers)
    else:
        found, doubtful = emails or phones or cards, True
    if not found and (doubtful or any(sign.isdigit() and not sign.isascii() for sign in everything)):
        return unknown(f"the output has no {kind} for certain, but what may be one")
    return _judged(not found, f"the output has {'such data' if found else 'none'}")


def _luhn(digits: str) -> bool:
    doubled = (int(sign) * 2 for sign in digits[-2::-2])
    return (sum(int(sign) for sign in digits[::-2]) + sum(each - 9 * (each > 9) for each in doubled)) % 10 == 0


def _https(view: OutputView, _tools: CriteriaTools, _told: Mapping[str, str]) -> CriterionRuling:
    everything = "\n".join(view.texts)
    plain = re.search(r"(?i)\bhttp://", everything)
    secure = len(re.findall(r"(?i)\bhttps://", everything))
    other = re.search(r"(?i)\b(?:ftp|file|ws)://|\bwww\.|\]\((?!https://)|href=[\"'](?!https://)", everything)
    return _judged(
        False if plain else True if secure and not other else None,
        f"{secure} links use https" if not plain else "a link uses http",
    )


def _placeholders(view: OutputView, _tools: CriteriaTools, _told: Mapping[str, str]) -> CriterionRuling:
    everything = "\n".join(view.texts)
    if not everything.strip():
        return unknown("the output has no text")
    found = _PLACEHOLDER.search(everything)
    holds = False if found else None if _DOUBTFUL_MARK.search(everything) else True
    return _judged(holds, f"the output says {found[0][:80]!r}" if found else "looked for marks of placeholders")


def _not_empty(view: OutputView, _tools: CriteriaTools, _told: Mapping[str, str]) -> CriterionRuling:
    if isinstance(view.output, str | list | dict):
        return ruled(
            bool(view.output.strip() if isinstance(view.output, str) else view.output),
            Basis.EXACT,
            "looked at the whole output",
        )
    return ruled(False if view.output is None else None, Basis.EXACT, "the output is null")


_CHOSEN: Final = (
    r"""(?P<choices>(?:"[^"]+"|'[^']+')(?:(?:, or |, | or )(?:"[^"]+"|'[^']+'))+)"""
)
_UNITS: Final = "|".join(f"{each}s?" for each in _COUNTERS)
_STANDARD: Final = "|".join(each for each in _PARTS)
_TABLE: Final[tuple[tuple[str, Decide], ...]] = (
    (
        r"(?:<TEXT>)?<HAVE> (?:a |an )?section (?:on|about|for|covering) (?:the )?(?:<QUOTED>|(?P<topic>[\w '-]{2,60}))",
        _section,
    ),
    (
        r"(?:<TEXT>)?<HAVE> (?:a |an )?section (?:titled|named|called|headed) (?:<QUOTED>|(?P<topic>[\w -]{2,60}))",
        _section,
    ),
    (r"(?:<TEXT>)?<HAVE> (?:a|an|the) (?:<QUOTED>|(?P<topic>[\w-]{2,40}(?: [\w-]{2,40})?)) section", _section),
    (rf"(?:<TEXT>)?<HAVE> (?:a |an )?(?P<part>{_STANDARD})(?: section)?", _section),
    (r"(?:<TEXT>)?<HAVE> a title", _has_title),
    (
        rf"(?:<TEXT>)?(?:<HAVE>|<IS>|(?:does|do|must|should|shall)) <BOUND> (?P<unit>{_UNITS})(?: long| in length)?",
        _of_text(_counts),
    ),
    (rf"<BOUND> (?P<unit>{_UNITS})(?: long| in length)?", _of_text(_counts)),
    (
        r"(?:<TEXT>)?<IS> a single (?P<unit>sentence|paragraph)(?P<low>)",
        lambda view, tools, told: _of_text(_counts)(view, tools, {**told, "low": "1", "bound": "exactly"}),
    ),
    (r"(?:<TEXT>)?(?:<IS> )?(?:<MUST>be )?(?:written )?in (?P<language>[a-z]{4,20})", _of_text(_language)),
    (r"(?:<TEXT>)?<IS> (?:a )?valid (?P<format>json(?: object| array)?|csv|markdown|iso(?: 8601)? date)", _format),
    (r"(?:<TEXT>)?<IS> (?:a )?(?P<format>json(?: object| array)?)", _format),
    (r"(?:<TEXT>)?<IS> (?:formatted as|in|formatted in) (?:valid )?(?P<format>json|csv|markdown)(?: format)?", _format),
    (r"valid (?P<format>json|csv)", _format),
    (
        r"(?:<TEXT>)?(?:<HAVE>|<MUST>uses?) (?:an? )?(?P<list>bullet(?:ed)?|numbered) (?:points?|lists?)",
        _of_text(_listed),
    ),
    (r"(?:<TEXT>)?(?P<whole><IS>)(?: formatted as)? an? (?P<list>bullet(?:ed)?|numbered) list", _of_text(_listed)),
    (
        r"(?:<TEXT>)?<MUST>(?P<end>starts?|begins?|ends?) with (?:the (?:words?|phrase|sentence) )?<QUOTED>",
        _of_text(_ends),
    ),
    (rf"(?:<TEXT>)?<IS> (?:either |one of |exactly one of )?:? ?{_CHOSEN}", _choice),
    (r"(?:<TEXT>)?(?:<MUST>)?(?:mentions?|names?|refers? to|cites?) (?P<names>.{2,200})", _mentions),
    (
        r"""(?:<TEXT>)?<HAVE> (?:the (?:words?|phrases?|strings?|text) )?(?P<names>(?:"[^"]+"|'[^']+')(?:(?:,? and |, )(?:"[^"]+"|'[^']+'))*)""",
        _mentions,
    ),
    (
        r"(?:<TEXT>)?(?P<no>does not|do not|doesn't|must not|should not|never|must never) (?:mentions?|names?|refers? to) (?:the (?:words?|phrase|name) )?(?P<names>.{2,200})",
        _mentions,
    ),
    (
        r"""(?:<TEXT>)?(?P<no><HAVE_NOT>) (?:the (?:words?|phrases?|strings?|text) )?(?P<names>(?:"[^"]+"|'[^']+')(?:(?:,? or |, )(?:"[^"]+"|'[^']+'))*)""",
        _mentions,
    ),
    (
        r"(?:(?:<TEXT>)?<HAVE_NOT> |no |there are no )(?P<kind>e-?mail addresses|e-?mails|phone numbers|credit[- ]card numbers|personal data|pii|personally identifiable information)(?: (?:are|is) (?:included|present|exposed|disclosed))?",
        _personal,
    ),
    (r"(?:all|every) (?:links?|urls?) (?:uses?|are|is|must use|should use|must be) https", _https),
    (r"(?:(?:<TEXT>)?<HAVE_NOT> |no )placeholders?(?: text| values?| content)?", _placeholders),
    (r"(?:<TEXT>)?(?:<IS> not|<MUST>not be|<IS> non-?) ?empty", _not_empty),
)
TEXT_FORMS: Final = tuple((pattern, _scoped(decide)) for pattern, decide in _TABLE)
