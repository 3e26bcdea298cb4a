"""Reads statements about Python code: ``does not call out``, ``imports only math, re``.

A statement is one property or several joined by ``and``; each may be negated, by ``not`` where the table has it, or by
``it is false that`` before the whole. Refuses to read a part: a statement with anything left over is no property.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from probatum.exact.code.tables import BUILTIN_NAMES, words

MAX_TEXT: Final = 1000
_NAME: Final = r"[`'\"]?([A-Za-z_][A-Za-z0-9_]*)(?:\(\))?[`'\"]?"
_DOTTED: Final = r"[`'\"]?([A-Za-z_][A-Za-z0-9_.]*)(?:\(\))?[`'\"]?"
_FALSE: Final = re.compile(r"it is (false|not true|not the case|true) that (.+)")
_SUBJECT: Final = re.compile(r"(?:(?:the|this) (?:python )?(?:code|program|source|script|module|snippet)|it) ")
_NOT: Final = "(?:does not|doesn't|never|cannot)"
_COUNT: Final = "(?:exactly )?([0-9]+|no|one|two|three) (?:parameter|argument)s?"
_FORMS: Final = (
    ("outside", "all", rf"{_NOT} calls? out(?:side)?|(?:makes|has) no (?:outside|external) calls?"),
    (
        "outside",
        "network",
        rf"{_NOT} (?:uses?|access(?:es)?) the (?:network|internet)|makes no network (?:calls|requests)",
    ),
    ("outside", "network", rf"{_NOT} makes? (?:any )?network (?:calls|requests)"),
    (
        "outside",
        "files",
        rf"{_NOT} (?:uses?|access(?:es)?) (?:any )?files|{_NOT} (?:touch|access|use) the file ?system",
    ),
    ("outside", "opened", rf"{_NOT} opens? (?:any )?files|opens no files"),
    (
        "outside",
        "processes",
        rf"{_NOT} (?:starts?|runs?) (?:any |other )?(?:sub)?processes|{_NOT} runs? shell commands",
    ),
    ("outside", "dynamic", rf"{_NOT} (?:runs?|executes?) dynamic code|runs no dynamic code"),
    ("not outside", "all", r"calls out(?:side)?"),
    ("not outside", "network", r"(?:uses|accesses) the network|makes network calls"),
    ("not outside", "files", r"(?:uses|accesses) files"),
    ("not outside", "opened", r"opens files"),
    ("not outside", "processes", r"(?:starts|runs) (?:other )?processes"),
    ("not outside", "dynamic", r"(?:runs|executes) dynamic code"),
    (
        "valid",
        "",
        r"is (?:syntactically )?valid(?: python)?(?: code)?|is syntactically correct|parses|compiles"
        "|has no syntax errors?",
    ),
    (
        "not valid",
        "",
        rf"is not (?:syntactically )?valid(?: python)?(?: code)?|{_NOT} (?:parse|compile)|has syntax errors",
    ),
    ("imports", "", rf"has no imports?|imports nothing|{_NOT} import anything"),
    ("not imports", "", r"has imports|imports something"),
    ("imports", "*", r"imports (?:only|nothing but) (.+)|only imports (.+)"),
    ("module", "*", rf"imports {_DOTTED}"),
    ("not module", "*", rf"{_NOT} imports? {_DOTTED}"),
    ("class", "*", rf"(?:defines|has|contains) (?:a |the )?class (?:named |called )?{_NAME}"),
    ("not class", "*", rf"(?:{_NOT} define|defines no|has no) (?:a )?class (?:named |called )?{_NAME}"),
    ("function", "*", rf"(?:defines|has|contains) (?:a |the )?function (?:named |called )?{_NAME}"),
    ("not function", "*", rf"(?:{_NOT} define|defines no|has no) (?:a )?function (?:named |called )?{_NAME}"),
    ("defined", "*", rf"defines {_NAME}"),
    ("not defined", "*", rf"{_NOT} define {_NAME}"),
    ("parameters", "*", rf"(?:(?:the )?function )?{_NAME} (?:takes|has|accepts) {_COUNT}"),
    ("not parameters", "*", rf"(?:(?:the )?function )?{_NAME} does not (?:take|have|accept) {_COUNT}"),
    ("uses_not", "*", rf"{_NOT} (?:calls?|contains? (?:a )?calls? (?:of|to)) {_DOTTED}"),
    (
        "uses_not",
        "*",
        rf"(?:{_NOT} (?:uses?|contains?)|(?:has|uses|contains) no) "
        r"[`'\"]?(eval|exec|open|print|compile|getattr|setattr|__import__)(?:\(\))?[`'\"]?",
    ),
    ("uses_not", "*", rf"(?:has|makes|contains) no (?:calls? (?:of|to) {_DOTTED}|{_DOTTED} calls?)"),
    ("safe", "", r"is (?:not )?(?:safe|secure|harmless|unsafe|insecure)(?: to (?:run|execute|use))?"),
    ("safe", "", r"has no (?:security )?(?:vulnerabilities|security issues|issues|dangers)"),
)
_NOUNS: Final = words(
    "a an the it any one functions function classes class methods variables constants types names anything something "
    "nothing everything modules module packages libraries things files code globals"
)
_PATTERNS: Final = tuple((sort, value, re.compile(form, re.IGNORECASE)) for sort, value, form in _FORMS)
_WORDS: Final[Mapping[str, str]] = {"no": "0", "one": "1", "two": "2", "three": "3"}


@dataclass(frozen=True, slots=True)
class CodeProperty:
    """One claimed property: its sort, what it is about, and whether it is claimed not to hold."""

    sort: str
    about: tuple[str, ...] = ()
    is_negated: bool = False


def properties_in(statement: str) -> tuple[tuple[CodeProperty, ...], bool] | None:
    """Return the properties that all are claimed, and whether it is claimed that not all of them hold.

    None where the statement as a whole is not one of the forms.
    """
    text = re.sub(r"\s+", " ", statement).strip().removesuffix(".").rstrip()
    if len(text) > MAX_TEXT:
        return None
    is_false = False
    while (match := _FALSE.fullmatch(text[:1].lower() + text[1:])) is not None:
        text, is_false = match[2], is_false if match[1] == "true" else not is_false
    found = _joined(text)
    return None if found is None else (found, is_false)


def _joined(text: str) -> tuple[CodeProperty, ...] | None:
    one = _property(text)
    if one is not None:
        return (one,)
    for place in (match.start() for match in re.finditer(r" and ", text)):
        first, rest = _property(text[:place].removesuffix(",")), _joined(text[place + 5 :])
        if first is not None and rest is not None:
            return (first, *rest)
    return None


def _property(text: str) -> CodeProperty | None:
    text = text[:1].lower() + text[1:]
    subject = _SUBJECT.match(text)
    body = text[subject.end() :] if subject is not None else text
    for sort, about, pattern in _PATTERNS:
        match = pattern.fullmatch(body)
        if match is None:
            continue
        parts = (
            tuple(_WORDS.get(each.lower(), each) for each in match.groups() if each)
            if about == "*"
            else (about,) * bool(about)
        )
        if sort == "imports" and parts:
            names = re.split(r", and |, | and ", parts[0])
            if not all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", each) for each in names):
                continue
            parts = tuple(sorted(set(names)))
        # A noun is no name: "imports modules" is not about one that is called so.
        is_noun = sort.removeprefix("not ") in ("module", "imports", "defined") and not _NOUNS.isdisjoint(parts)
        is_unknown = sort == "uses_not" and parts[0] not in BUILTIN_NAMES and "." not in parts[0]
        if is_noun or is_unknown:
            return None
        return CodeProperty(sort.removeprefix("not "), parts, sort.startswith("not "))
    return None
