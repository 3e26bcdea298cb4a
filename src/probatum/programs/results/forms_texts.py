"""Sentence forms for texts that come out: case, reversal, joining, prefixes, numbers in a row."""

from __future__ import annotations

import re

from probatum.programs.results.nouns import Scene, kind_guard
from probatum.programs.results.sentence_form import Claim, Form, form, listed, text

__all__ = ["TEXTS"]


def _source(scene: Scene, phrase: str | None) -> tuple[str, tuple[str, ...]] | None:
    phrase = re.sub(r"^(?:all )?(?:the )?(?:letters|characters|chars) (?:in|of) ", "", (phrase or "the string").strip())
    name = scene.text(phrase)
    return (name, (kind_guard(name, "text"), f"{name}.isascii()")) if name is not None else None


def _cased(scene: Scene, match: re.Match[str]) -> Claim | None:
    found = _source(scene, match["what"])
    methods = {"upper": "upper", "lower": "lower"}
    return text(f"{found[0]}.{methods[match['case']]}()", *found[1]) if found is not None else None


def _swapped(scene: Scene, match: re.Match[str]) -> Claim | None:
    groups = match.groupdict()
    texts = [name for name in scene.parameters if scene.kind(name) == "text"]
    found = _source(scene, groups.get("what") or (texts[0] if len(texts) == 1 else None))
    return text(f"{found[0]}.swapcase()", *found[1]) if found is not None else None


def _reversed(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.text(match["what"])
    if name is None or (not scene.kind(name) and "string" not in match["what"]):
        return None
    return text(f"{name}[::-1]", kind_guard(name, "text"))


def _joined(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.sequence(match["what"])
    if name is None or scene.kind(name) not in {"list", "list text"} or len(scene.parameters) != 1:
        return None
    return text(f"''.join({name})", kind_guard(name, "list text"))


def _prefixes(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.text(match["what"])
    if name is None:
        return None
    span = f"range(1, len({name}) + 1)" if match["first"] != "longest" else f"range(len({name}), 0, -1)"
    part = f"{name}[:i_]" if match["which"] == "prefixes" else f"{name}[len({name}) - i_ :]"
    wanted = f"[{part} for i_ in {span}]"
    if match["first"] is None:
        return Claim(f"set(result) == set({wanted})", (kind_guard(name, "text"),))
    return listed(wanted, kind_guard(name, "text"))


def _row(scene: Scene, match: re.Match[str]) -> Claim | None:
    last = scene.number(match["last"])
    if last is None:
        return None
    separator = {"space": " ", "comma": ","}[match["separator"]]
    guard = (kind_guard(last, "int"), f"0 <= {last} <= 10000") if last in scene.parameters else ()
    row = f"{separator!r}.join(str(i_) for i_ in range({match['first']}, {last} + 1))"
    return text(row, *guard)


def _without_letters(scene: Scene, match: re.Match[str]) -> Claim | None:
    texts = [name for name in scene.parameters if scene.kind(name) == "text"]
    if len(texts) != 1:
        return None
    removed = {"vowels": "aeiouAEIOU", "spaces": " ", "digits": "0123456789", "whitespace": " \t\n\r\v\f"}
    kept = f"''.join(c_ for c_ in {texts[0]} if c_ not in {removed[match['what']]!r})"
    return text(kept, kind_guard(texts[0], "text"), f"{texts[0]}.isascii()")


def _replaced(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = scene.text(match["what"])
    old, new = (scene.named(match[each]) for each in ("old", "new"))
    if name is None or old is None or new is None:
        return None
    guards = [kind_guard(each, "text") for each in (name, old, new)]
    return text(f"{name}.replace({old}, {new})", *guards, f"len({old}) > 0")


def _repeated(scene: Scene, match: re.Match[str]) -> Claim | None:
    name, times = scene.text(match["what"]), scene.number(match["n"])
    if name is None or times is None:
        return None
    guards = [kind_guard(times, "int"), f"{times} >= 0"] if times in scene.parameters else []
    return text(f"{name} * {times}", kind_guard(name, "text"), *guards)


TEXTS: tuple[Form, ...] = (
    form("case", "the result is the text in upper or lower case", "Convert the string to uppercase.",
         r"(?:converts?|changes?|transforms?|return) (?P<what>.+?) (?:converted )?(?:to|into|in) (?:all )?"
         r"(?P<case>upper|lower)[- ]?case(?: letters)?", _cased),
    form("swapped_case", "the result has upper and lower case exchanged",
         "Flip lowercase characters to uppercase and uppercase to lowercase.",
         r"(?:flip|swap|change|convert|invert)s? (?:all )?(?:lower-?case (?:characters|letters) to upper-?case and "
         r"upper-?case(?: characters| letters)? to lower-?case|upper-?case (?:characters|letters) to lower-?case and "
         r"lower-?case(?: characters| letters)? to upper-?case|(?:the )?case of (?:all |every |each )?"
         r"(?:(?:letters?|characters?) (?:in|of) )?(?P<what>.+))", _swapped),
    form("reversed_text", "the result is the text from its end to its beginning", "Return the reverse of the string.",
         r"(?:reverses?|return (?:the )?reverse(?:d)?(?: version| copy| order)?(?: of)?) (?P<what>.+)", _reversed),
    form("concatenation", "the result is the texts one after the other", "Concatenate list of strings into a single "
    "string.",
         r"(?:concatenates?|joins?|return concatenation of) (?:all )?(?:the )?(?P<what>.+?)"
         r"(?: (?:in)?to (?:a|one)(?: single| one)? string)?", _joined),
    form("prefixes", "the result is all prefixes (suffixes) of the text",
         "Return all prefixes of the string from shortest to longest.",
         r"return (?:list of )?(?:all )?(?:the )?(?P<which>prefixes|suffixes)(?:,? from (?P<first>shortest|longest) to "
         r"(?:longest|shortest))? of (?P<what>.+)", _prefixes),
    form("numbers_in_a_row", "the result is the numbers up to a last one, with a separator",
         "Return a string of space-separated numbers from 0 to n inclusive.",
         r"return string (?:of|containing|with) (?P<separator>space|comma)[- ](?:delimited|separated) (?:numbers"
         r"|integers) "
         r"(?:starting )?from (?P<first>0|1) (?:up ?)?to (?P<last>\w+),? \(?inclusive(?:ly)?\)?", _row),
    form("without_letters", "the result is the text without some characters", "Return the string without vowels.",
         r"(?:return (?:the |given |input )*(?:string|text) without (?:any )?(?P<what>vowels|spaces|digits"
         r"|whitespace))",
         _without_letters),
    form("replaced", "the result is the text with one part replaced everywhere",
         "Replace all occurrences of old with new in text.",
         r"replaces? (?:all |every )?(?:occurrences? of )?(?P<old>\w+) (?:with|by) (?P<new>\w+) in (?P<what>.+)",
         _replaced),
    form("repeated", "the result is the text several times", "Repeat the string n times.",
         r"(?:repeats?|return) (?P<what>.+?) (?:repeated )?(?P<n>\w+) times", _repeated),
)  # fmt: skip
