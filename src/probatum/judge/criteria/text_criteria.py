"""Criteria about the text of an output: its parts, how much of what it has, its format, what it says and does not say.

A field that the criterion names is judged by itself. Refuses to tell a topic from a word: that a text speaks of
something in other words is not seen.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date
from functools import wraps
from typing import Final

from probatum.core.json_text import JsonTextError, read_json
from probatum.judge.criteria.counting import DASHED, ITEM, NUMBERED, counted, headings
from probatum.judge.criteria.forms import Decide, number_of, quoted, span_told, strings, within
from probatum.judge.criteria.languages import PROFILES, languages_of
from probatum.judge.criteria.reading import OutputView, fenced_blocks, plain_name, unfenced
from probatum.judge.criteria.table import WHOLE_TEXT
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis, CheckOutcome

Told = Mapping[str, str]
_WHOLE: Final = frozenset(WHOLE_TEXT.split("|"))
_ARTICLE: Final = re.compile(r"^(?:(?:the|this|your|its) )?(?:(?:final|generated|whole|entire) )?")
_UNCERTAIN: Final = re.compile(
    r"\b(?:\w+thing|important|relevant|key|main|other|more|"
    r"and|or|all|each|every|any|not|no|at least|both|either|how|why|what|that|which)\b"
)
_KINDS: Final[Mapping[type, str]] = {
    dict: "an object", list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number",
    type(None): "null",
}  # fmt: skip
_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "summary": ("summary", "executive summary", "tl;dr", "tldr"),
    "conclusion": ("conclusion", "conclusions"),
    "introduction": ("introduction", "intro"),
    "references": ("references", "bibliography", "works cited", "sources"),
    "table of contents": ("table of contents", "contents"),
}
_ALIKE: Final[Mapping[str, tuple[str, ...]]] = {
    "summary": ("overview", "abstract", "in short", "brief", "takeaway", "highlights", "sum up", "key "),
    "executive summary": ("overview", "abstract", "in short", "brief", "takeaway", "highlights", "key "),
    "abstract": ("overview", "summary", "in short", "brief"),
    "conclusion": ("closing", "final", "in short", "summary", "outlook", "takeaway", "wrap", "end", "overall", "next"),
    "introduction": ("overview", "background", "about", "welcome", "context", "purpose", "motivation", "start"),
    "references": ("http", "[1]", "(19", "(20", "cite", "et al", "literature", "further reading", "footnote", "doi"),
    "bibliography": ("http", "[1]", "(19", "(20", "cite", "et al", "literature", "further reading", "reference"),
    "table of contents": ("](#", "content", "outline", "index", "toc"),
}
"""What else such parts are called, or how they begin."""
_MIXED: Final = re.compile(r"[A-Za-z][\u0370-\u03ff\u0400-\u04ff]|[\u0370-\u03ff\u0400-\u04ff][A-Za-z]")
_ENGLISH: Final = re.compile(r"\b(?:the|of|and|is|was|in|to|a|for|with)\b")
_FEWEST_ENGLISH: Final = 2
_FEWEST_CHARACTERS: Final = 20
_UNNAMED: Final = frozenset({"summary", "conclusion", "introduction", "abstract"})
"""Parts that a text of more than a few lines may have without a heading."""
_SHORT: Final = 200
_EMAIL: Final = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,5}\.[A-Za-z]{2,24}")
_NEAR_EMAIL: Final = re.compile(r"(?i)@|\b(?:at|dot)\b\W{0,5}\w{1,40}\W{0,5}\b(?:dot|com|org|net)\b|%40|&#64;|＠")
_PHONE: Final = re.compile(
    r"(?<![\w+])(?:\+\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,4}\d{2,4}|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})(?!\w)"
)
_DIGITS: Final = re.compile(r"\d(?:[ .()/-]{0,2}\d){6,30}")
_PLACEHOLDER: Final = re.compile(
    r"(?i)lorem ipsum|\[(?:(?:insert|your|enter)\b[^\]\n]{0,60}|tbd|name|date|company)\](?!\()"
    r"|<(?:insert|your)[^>\n]{0,60}>|\btbd\b"
)
_NEAR_PLACEHOLDER: Final = re.compile(
    r"(?i)\[[^\]\n]{1,60}\](?!\()|<[a-z_ ]{2,40}>|\{|_{3,}|\.{3}|…|\bx{3,}\b|placeholder"
    r"|\b(?:example|sample|dummy|your|foo|bar)\b"
)


def _judged(holds: bool | None, why: str, **evidence: object) -> CriterionRuling:
    return ruled(holds, Basis.STRUCTURE, why, **evidence)


def _exact(holds: bool | None, why: str) -> CriterionRuling:
    return ruled(holds, Basis.EXACT, why)


def _scoped(decide: Decide) -> Decide:
    """Return the same about the field that a criterion names, where it names one."""

    @wraps(decide)
    def whole(view: OutputView, tools: CriteriaTools, told: Told) -> CriterionRuling:
        name = _ARTICLE.sub("", told.get("text", "output").lower()).removesuffix(" field").strip("' ")
        fields = view.called(name)
        if len(fields) > 1:
            return unknown(f"{name[:60]!r} stands in several places")
        if fields:
            inner = OutputView(fields[0].value)
            return (
                unknown("the field has characters that look like others")
                if _is_disguised(inner)
                else (decide(inner, tools, told))
            )
        if _is_disguised(view):
            return unknown("the output has characters that are not seen, or that look like others")
        is_part = name in {"summary", "abstract"} and view.text is not None and not headings(view.text)
        return decide(view, tools, told) if name in _WHOLE or is_part else unknown(f"there is no field {name[:60]!r}")

    return whole


def _is_disguised(view: OutputView) -> bool:
    """Return whether an output has signs that are not seen, or letters that look like those of another script."""
    if view.everything.isascii():
        return False
    strange = {sign for sign in set(view.everything) if sign > "\x7f" and sign.isalpha() and _plain(sign) is not None}
    hidden = any(unicodedata.category(sign) in {"Cf", "Co", "Cs"} for sign in set(view.everything) - {"\ufeff"})
    return bool(strange) or hidden or _MIXED.search(view.everything) is not None


def _plain(sign: str) -> str | None:
    """Return the plain letter that a wide, bold or otherwise written one stands for."""
    folded = unicodedata.normalize("NFKC", sign)
    return folded if len(folded) == 1 and folded != sign and folded.isascii() else None


def _of_text(decide: Callable[[str, Told], CriterionRuling]) -> Decide:
    @wraps(decide)
    def whole(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
        is_data = isinstance(view.output, str) and view.data is not None
        return unknown("the output is not one text") if view.text is None or is_data else decide(view.text, told)

    return whole


def _section(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    exact = quoted(told) or told.get("title", "")
    topic = plain_name((exact or told.get("topic") or told["part"]).strip(" '\""))
    if _UNCERTAIN.search(topic):
        return unknown("which sections are meant is not certain")
    names = _PARTS.get(topic, (topic,)) if "part" in told else (topic,)
    fields = [each.value for name in names for each in view.called(name)]
    if any(each.strip() if isinstance(each, str) else isinstance(each, dict | list) and each for each in fields):
        return _judged(True, f"a field of the name {topic[:60]!r} is not empty")
    found = [each for text in view.texts for each in headings(text)]
    held = [body for title, body in found if title in names]
    if any(re.search(r"\w", body) and not _PLACEHOLDER.fullmatch(body.strip(" \n.-*")) for body in held):
        return _judged(True, f"below the heading {topic[:60]!r} stands something")
    words = [word[:5] for word in re.findall(r"\w+", " ".join(names)) if len(word) > 3]
    words += _ALIKE.get(names[0], ())
    everything = view.everything.lower()
    if held or fields or not words or any(word in everything for word in words):
        return unknown(f"something in the output may be such a part, but none is called {topic[:60]!r}")
    if topic in _UNNAMED and any(len(text) > _SHORT for text in view.texts):
        return unknown(f"a text may have such a part that is not called {topic}")
    if not exact and isinstance(view.output, str) and len(_ENGLISH.findall(everything)) < _FEWEST_ENGLISH:
        return unknown("the output may be in another language")
    others = {title for title, _ in found[1:]} - {name for names in _PARTS.values() for name in names}
    if not exact and "part" not in told and others:
        return unknown(f"{min(others)[:60]!r}, or another section, may be about {topic[:60]!r} in other words")
    is_parted = bool(found) or (isinstance(view.output, dict) and bool(view.entries))
    return _judged(False if is_parted else None, f"no heading and no field is {topic[:60]!r}, and no text speaks of it")


def _sections(view: OutputView, tools: CriteriaTools, told: Told) -> CriterionRuling:
    names = [each.strip(" '\"") for each in re.split(r",? and |, ", told["names"]) if each.strip(" '\"")]
    rulings = [_section(view, tools, {"topic": each}) for each in names]
    worst = [each for state in (CheckOutcome.FAILED, CheckOutcome.UNDECIDED) for each in rulings if each.state is state]
    return worst[0] if worst else _judged(True, f"below each of {len(names)} headings stands something")


def _counts(text: str, told: Told) -> CriterionRuling:
    unit = told["unit"].lower()
    span = counted(unit, text)
    if span is None:
        return unknown(f"the {unit} of this text cannot be counted with certainty")
    low, high = min(span), max(span)
    if unit.startswith("character") and number_of(told.get("low", "0")) < _FEWEST_CHARACTERS:
        return unknown("so few characters may be those of a story")
    shown = span_told(low, high, unit.removesuffix("s"))
    # Without a number it is one, or none.
    bound = told if "low" in told else {"bound": "exactly", "low": "zero" if unit.endswith("s") else "one"}
    return _judged(within(bound, low, high), f"the text has {shown}", least=low, most=high)


def _language(text: str, told: Told) -> CriterionRuling:
    wanted = told["language"].lower()
    found = languages_of(text) if wanted in PROFILES else None
    if found is None:
        return unknown("the language of the text cannot be told: it is short or mixed, or the language has no profile")
    holds = True if found == {wanted} else None if wanted in found else False
    return _judged(holds, f"the text is written in {', '.join(sorted(found))}")


def _format(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    name, text = told["format"].lower(), view.output
    if name.startswith("json"):
        return _json(view, dict if "object" in name else list if "array" in name else object)
    if not isinstance(text, str):
        return unknown("the output is no text")
    has_marks = bool(headings(text) or ITEM.search(text) or fenced_blocks(text))
    return _judged(True if has_marks else None, "looked for headings, lists and code of Markdown")


def _json(view: OutputView, kind: type) -> CriterionRuling:
    if not isinstance(view.output, str):
        return _exact(isinstance(view.output, kind), "the output is a JSON value")
    try:
        return _exact(isinstance(value := read_json(view.output), kind), f"the text is JSON: {_KINDS[type(value)]}")
    except (JsonTextError, ValueError) as error:
        # JSON in a fenced block is JSON for some readers, and so is an object that holds a key twice.
        is_open = view.data is not None or "same key" in str(error)
        return _exact(None if is_open else False, f"the text is not JSON: {error}"[:200])


def is_iso_date(text: str) -> bool:
    """Return whether a text is a day that exists, as ISO 8601 writes it."""
    try:
        return re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _listed(text: str, told: Told) -> CriterionRuling:
    pattern = NUMBERED if told["list"].lower().startswith("number") else DASHED
    lines = [line for line in unfenced(text).split("\n") if line.strip()]
    found = sum(pattern.match(line) is not None for line in lines)
    wanted = len(lines) if "whole" in told else 2
    has_none = not ITEM.search(text) and "<li" not in text
    return _judged(True if found >= max(2, wanted) else False if has_none else None, f"{found} lines are items")


def _ends(text: str, told: Told) -> CriterionRuling:
    wanted = quoted(told)
    is_start = told["end"].lower().startswith(("start", "begin"))
    bare = text.strip()
    tests = [
        each.startswith(wanted) if is_start else each.endswith(wanted) for each in (text, bare, bare.strip("\"'*_# `"))
    ]
    near = bare[: len(wanted) + 9] if is_start else bare[-len(wanted) - 9 :]
    cut = bare[len(wanted) : len(wanted) + 1] if is_start else bare[-len(wanted) - 1 : -len(wanted)]
    is_cut = cut.isalnum() and wanted[-1 if is_start else 0].isalnum()
    doubtful = any(tests) or wanted.strip().lower() in near.lower()
    return _exact(
        True if all(tests[:2]) and not is_cut else None if doubtful else False,
        f"the text begins with {bare[: len(wanted) + 9][:80]!r}" if is_start else f"the text ends with {near[-80:]!r}",
    )


def _choice(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    if not isinstance(view.output, str):
        return unknown("the output is no text")
    return _exact(among(view.output, strings(told["names"])), f"the text is {view.output[:60]!r}")


def among(text: str, choices: list[str]) -> bool | None:
    """Return whether a text is one of some; None where only case, space or a full stop differs."""
    folded = {each.strip().strip(".").lower() for each in choices}
    return True if text in choices else None if text.strip().strip(".").lower() in folded else False


def _mentions(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    listed = strings(told["names"])
    names = listed or [each for each in re.split(r",? and |, ", told["names"]) if each]
    if "no" in told and len(names) > 1 and " and " in told["names"]:
        return unknown("it can be read as each of them, or as all of them together")
    if "no" not in told and " or " in re.sub(r"\"[^\"]*\"|'[^']*'", "", told["names"]):
        return unknown("it can be read as one of them, or as any of them")
    if not view.texts or any(not re.search(r"\w", each) for each in names):
        return unknown("the output has no text")
    if listed and re.sub(r"\"[^\"]*\"|'[^']*'|,? and |,? or |, ", "", told["names"]):
        return unknown("more than the words in quotes is meant")
    if not listed and any(not re.fullmatch(r"[A-Z][\w.+#-]*(?: [A-Z0-9][\w.+#-]*){0,3}", each) for each in names):
        return unknown("what is to be mentioned stands neither in quotes nor is it a name")
    # What is written with marks, entities or other quotes is there for a reader.
    bare = html.unescape(re.sub(r"[*_~`]|<[^<>\n]{0,200}>", "", view.everything)).translate(_QUOTES)
    everything = f"{view.everything}\n{bare}".translate(_QUOTES).lower()
    inside = [each for each in names if each.lower() in everything]
    # Apple is no apple: a name counts as it is written, a quotation in any case.
    flags = re.IGNORECASE if listed else re.NOFLAG
    found = [each for each in inside if any(_holds(text, each, flags) for text in view.texts)]
    if "no" in told:
        return _exact(
            False if found else None if inside else True,
            f"the output says {repr(found[0][:80]) if found else 'none of them'}",
        )
    missing = [each for each in names if each.translate(_QUOTES).lower() not in everything]
    holds = True if len(found) == len(names) else False if missing and listed else None
    return _exact(holds, f"the output does not say {missing[0][:80]!r}" if missing else "the output says all of them")


_QUOTES: Final = str.maketrans("‘’“”", "''\"\"")


def _holds(text: str, wanted: str, flags: re.RegexFlag) -> bool:
    words = r"\s+".join(map(re.escape, wanted.split()))
    return re.search(rf"(?<!\w){words}(?!\w)", text, flags) is not None


def _personal(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    kind = told["kind"].lower()
    everything = view.everything
    runs = [re.sub(r"\D", "", run) for run in _DIGITS.findall(everything)]
    cards = any(13 <= len(each) <= 19 and each[0] in "3456" and len(set(each)) > 1 and _luhn(each) for each in runs)
    emails, phones = _EMAIL.search(everything) is not None, _PHONE.search(everything) is not None
    known = {
        "e": (emails, _NEAR_EMAIL.search(everything) is not None),
        "ph": (phones, bool(runs)),
        "c": (cards, any(len(each) > 11 for each in runs)),
    }
    # Of personal data in general only what is found is certain: a name is none for a pattern.
    found, doubtful = next(
        (value for begin, value in known.items() if kind.startswith(begin)), (emails or phones or cards, True)
    )
    doubtful = doubtful or any(sign.isdigit() and not sign.isascii() for sign in everything)
    return _judged(
        False if found else None if doubtful else True,
        f"{'something looks like' if found else 'nothing looks like'} {kind}",
    )


def _luhn(digits: str) -> bool:
    doubled = (int(sign) * 2 for sign in digits[-2::-2])
    return (sum(int(sign) for sign in digits[::-2]) + sum(each - 9 * (each > 9) for each in doubled)) % 10 == 0


def _https(view: OutputView, _tools: CriteriaTools, _told: Told) -> CriterionRuling:
    everything = "\n".join(view.texts)
    plain = re.search(r"(?i)(?<![\w=/?&%])http://\w", everything) is not None
    secure = re.search(r"(?i)\bhttps://\w", everything) is not None
    rest = re.sub(r"(?i)\bhttps://[\w.:-]{1,300}", "", everything)
    other = re.search(r"(?i)//\w|\w\w\.[a-z]{2,9}\b|http:|\]\((?=[^)])(?!/)|href=[\"']?\w", rest)
    return _judged(
        False if plain else True if secure and not other else None,
        "a link begins with http://" if plain else "every link was looked at",
    )


def _placeholders(view: OutputView, _tools: CriteriaTools, _told: Told) -> CriterionRuling:
    everything = "\n".join(view.texts)
    found = _PLACEHOLDER.search(everything)
    doubtful = not everything.strip() or _NEAR_PLACEHOLDER.search(everything)
    return _judged(
        False if found else None if doubtful else True,
        f"the output says {found[0][:80]!r}" if found else "none of the usual marks of a placeholder was found",
    )


def _not_empty(view: OutputView, _tools: CriteriaTools, _told: Told) -> CriterionRuling:
    value = view.output.strip() if isinstance(view.output, str) else view.output
    if isinstance(value, str) and value and not any(sign.isprintable() for sign in value):
        return unknown("nothing of the text is seen")
    return _exact(
        bool(value) if isinstance(value, str | list | dict) else False if value is None else None,
        "the output is empty" if not value else "the output is not empty",
    )


_DECIDERS: Final[Mapping[str, Decide]] = {
    "section": _section,
    "sections": _sections,
    "counts": _of_text(_counts),
    "language": _of_text(_language),
    "format": _format,
    "listed": _of_text(_listed),
    "ends": _of_text(_ends),
    "choice": _choice,
    "mentions": _mentions,
    "personal": _personal,
    "https": _https,
    "placeholders": _placeholders,
    "not_empty": _not_empty,
}
TEXT_DECIDERS: Final[Mapping[str, Decide]] = {name: _scoped(decide) for name, decide in _DECIDERS.items()}
