"""Criteria about the text of an output: its parts, how much of what it has, its format, what it says and does not say.

A field that the criterion names is judged by itself. Refuses to tell a topic from a word: that a text speaks of
something in other words is not seen.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Final

from probatum.core.json_text import JsonTextError, read_json
from probatum.judge.criteria.counting import ITEM, counted, headings
from probatum.judge.criteria.forms import Decide, number_of, quoted, span_told, strings, within
from probatum.judge.criteria.languages import PROFILES, languages_of
from probatum.judge.criteria.reading import OutputView, fenced_blocks, plain_name
from probatum.judge.criteria.table import STANDARD_PARTS, WHOLE_TEXT
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis, CheckOutcome

Told = Mapping[str, str]
_WHOLE: Final = frozenset(WHOLE_TEXT.split("|"))
_ARTICLE: Final = re.compile(r"^(?:(?:the|this|your|its) )?(?:(?:final|generated|whole|entire) )?")
_UNCERTAIN: Final = re.compile(
    r"\b(?:\w+thing|important|relevant|key|main|other|more|"
    r"and|or|all|each|every|any|not|no|at least|both|either|how|why|what|that|which)\b"
)
_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "summary": ("summary", "executive summary", "tl;dr", "tldr"),
    "conclusion": ("conclusion", "conclusions"),
    "introduction": ("introduction", "intro"),
    "references": ("references", "bibliography", "works cited", "sources"),
    "table of contents": ("table of contents", "contents"),
}
_MIXED: Final = re.compile(r"[A-Za-z][\u0370-\u03ff\u0400-\u04ff]|[\u0370-\u03ff\u0400-\u04ff][A-Za-z]")
_ENGLISH: Final = re.compile(r"\b(?:the|of|and|is|was|in|to|a|for|with)\b")
_FEWEST_ENGLISH: Final = 2
_FEWEST_CHARACTERS: Final = 20
_NAME: Final = re.compile(r"[A-Z][\w.+#-]*(?: [A-Z0-9][\w.+#-]*){0,3}")
_STANDARD: Final = frozenset(STANDARD_PARTS.split("|"))
_QUOTES: Final = str.maketrans("‘’“”", "''\"\"")
_PLACEHOLDER: Final = (
    r"(?i)lorem ipsum|\[(?:(?:insert|your|enter)\b[^\]\n]{0,60}|tbd|name|date|company)\](?!\()"
    r"|<(?:insert|your)[^>\n]{0,60}>|\btbd\b"
)
_NEAR_PLACEHOLDER: Final = (
    r"(?i)\[[^\]\n]{1,60}\](?!\()|<[a-z_ ]{2,40}>|\{|_{3,}|\.{3}|…|\bx{3,}\b|placeholder"
    r"|\b(?:example|sample|dummy|your|foo|bar)\b"
)
_EMAIL: Final = r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,5}\.[A-Za-z]{2,24}"
_NEAR_EMAIL: Final = r"(?i)@|\b(?:at|dot)\b\W{0,5}\w{1,40}\W{0,5}\b(?:dot|com|org|net)\b|%40|&#64;|＠"
_PHONE: Final = (
    r"(?<![\w+])(?:\+\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,4}\d{2,4}|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})(?!\w)"
)
_FORBIDDEN: Final[Mapping[str, tuple[str, str]]] = {
    "placeholder": (_PLACEHOLDER, _NEAR_PLACEHOLDER),
    "e": (_EMAIL, _NEAR_EMAIL),
    "phone": (_PHONE, r"\d(?:[ .()/-]{0,2}\d){6,30}"),
    "p": (f"{_EMAIL}|{_PHONE}", ""),
}
"""How what is forbidden begins, how it looks, and what may be such; of personal data in general all may be."""


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
        meant = OutputView(fields[0].value) if fields else view
        is_part = name in {"summary", "abstract"} and view.text is not None and not headings(view.text)
        if not fields and name not in _WHOLE and not is_part:
            return unknown(f"there is no field {name[:60]!r}")
        if _is_disguised(meant):
            return unknown("the output has characters that are not seen, or that look like others")
        return decide(meant, tools, told)

    return whole


def _is_disguised(view: OutputView) -> bool:
    """Return whether an output has signs that are not seen, or letters that look like those of another script."""
    signs = set() if view.everything.isascii() else set(view.everything) - {"\ufeff"}
    strange = any(sign > "\x7f" and sign.isalpha() and unicodedata.normalize("NFKC", sign).isascii() for sign in signs)
    hidden = any(unicodedata.category(sign) in {"Cf", "Co", "Cs"} for sign in signs)
    return strange or hidden or _MIXED.search(view.everything) is not None


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
    found = [each for text in view.texts for each in headings(text)]
    held: list[object] = [body for title, body in found if title in names]
    held += [each.value for name in names for each in view.called(name)]
    if any(map(_says_something, held)):
        return _judged(True, f"below the heading, or in the field, {topic[:60]!r} stands something")
    words = [word[:5] for word in re.findall(r"\w+", " ".join(names)) if len(word) > 3]
    everything = view.everything.lower()
    if held or not words or any(word in everything for word in words):
        return unknown(f"something in the output may be such a part, but none is called {topic[:60]!r}")
    if topic in _STANDARD and not exact:
        return unknown(f"a part of the output may be such a part under another name than {topic}")
    if not exact and isinstance(view.output, str) and len(_ENGLISH.findall(everything)) < _FEWEST_ENGLISH:
        return unknown("the output may be in another language")
    others = {title for title, _ in found[1:]} - _STANDARD.union(*_PARTS.values())
    if not exact and others:
        return unknown(f"{min(others)[:60]!r}, or another section, may be about {topic[:60]!r} in other words")
    is_parted = bool(found) or (isinstance(view.output, dict) and bool(view.entries))
    return _judged(False if is_parted else None, f"no heading and no field is {topic[:60]!r}, and no text speaks of it")


def _says_something(value: object) -> bool:
    if isinstance(value, str):
        return re.search(r"\w", value) is not None and not re.fullmatch(_PLACEHOLDER, value.strip(" \n.-*"))
    return isinstance(value, dict | list) and bool(value)


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
    bound = {"bound": "at least", "low": "two"} if "uses" in told else bound
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
        value = read_json(view.output)
        return _exact(isinstance(value, kind), f"the text is JSON, of type {type(value).__name__}")
    except (JsonTextError, ValueError) as error:
        # JSON in a fenced block is JSON for some readers, and so is an object that holds a key twice.
        is_open = view.data is not None or "same key" in str(error)
        return _exact(None if is_open else False, f"the text is not JSON: {error}"[:200])


def _ends(text: str, told: Told) -> CriterionRuling:
    is_start = told["end"].lower().startswith(("start", "begin"))
    # The end of a text is the beginning of its mirror image.
    way = slice(None, None, 1 if is_start else -1)
    wanted, text, bare = quoted(told)[way], text[way], text.strip()[way]
    near = bare[: len(wanted) + 9]
    is_cut = wanted[-1].isalnum() and bare[len(wanted) : len(wanted) + 1].isalnum()
    holds = text.startswith(wanted) and bare.startswith(wanted) and not is_cut
    is_like = wanted.strip().lower() in near.lower()
    return _exact(holds or (None if is_like else False), f"the text {told['end'].lower()}s with {near[:80][way]!r}")


def _mentions(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    listed = strings(told["names"])
    names = listed or [each for each in re.split(r",? and |, ", told["names"]) if each]
    bare = re.sub(r"\"[^\"]*\"|'[^']*'", "", told["names"])
    if (" and " if "no" in told else " or ") in bare:
        return unknown("it can be read as each of them, or as all of them together")
    is_clear = not re.sub(r",? and |,? or |, ", "", bare) if listed else all(map(_NAME.fullmatch, names))
    if not is_clear or not view.texts or any(not re.search(r"\w", each) for each in names):
        return unknown("there is no text, or what is to be mentioned stands neither in quotes nor is it a name")
    # What is written with marks, entities or other quotes is there for a reader.
    plain = html.unescape(re.sub(r"[*_~`]|<[^<>\n]{0,200}>", "", view.everything))
    everything = f"{view.everything}\n{plain}".translate(_QUOTES).lower()
    inside = [each for each in names if each.translate(_QUOTES).lower() in everything]
    # Apple is no apple: a name counts as it is written, a quotation in any case.
    flags = re.IGNORECASE if listed else re.NOFLAG
    found = [each for each in inside if any(_holds(text, each, flags) for text in view.texts)]
    if "no" in told:
        observed = f"the output says {repr(found[0][:80]) if found else 'none of them'}"
        return _exact(False if found else None if inside else True, observed)
    missing = [each for each in names if each not in inside]
    observed = f"the output does not say {missing[0][:80]!r}" if missing else "the output says all of them"
    return _exact(True if len(found) == len(names) else False if missing and listed else None, observed)


def _holds(text: str, wanted: str, flags: re.RegexFlag) -> bool:
    words = r"\s+".join(map(re.escape, wanted.split()))
    return re.search(rf"(?<!\w){words}(?!\w)", text, flags) is not None


def _forbidden(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    kind = told["kind"].lower()
    certain, near = next(patterns for begin, patterns in _FORBIDDEN.items() if kind.startswith(begin))
    found = re.search(certain, view.everything)
    is_open = re.search(near, view.everything) or not view.everything.strip()
    observed = f"{found[0][:80]!r} looks like {kind}" if found else f"nothing looks like {kind}"
    return _judged(False if found else None if is_open else True, observed)


_DECIDERS: Final[Mapping[str, Decide]] = {
    "section": _section,
    "sections": _sections,
    "counts": _of_text(_counts),
    "language": _of_text(_language),
    "format": _format,
    "ends": _of_text(_ends),
    "mentions": _mentions,
    "forbidden": _forbidden,
}
TEXT_DECIDERS: Final[Mapping[str, Decide]] = {name: _scoped(decide) for name, decide in _DECIDERS.items()}
