"""Reads statements about image files: ``is a 64x32 PNG``, ``width >= 30 and it is not animated``.

A statement is clauses joined by ``and`` or by ``or``; each is read as a whole by the forms below, or it is about what
is not measured, such as what an image shows. ``It is false that`` before joined clauses is read in both ways that
English allows. A clause without a verb after a negated one, and ``and`` beside ``or``, are unclear. Refuses digits of
other scripts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.claim import unreadable

Value = Fraction | str | bool
Measure = Callable[[str], Value | None]
CONTENT: Final = "content"
UNCLEAR: Final = "unclear"
MAX_TEXT: Final = 1000
NEAR: Final = 64
"""How far in each channel a colour may be from one that is given by its name, before it surely is another one."""
_TESTS: Final[Mapping[str, Callable[[Value, Value], bool]]] = {
    "=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge,
}  # fmt: skip
_MORE: Final = {
    "less than": "<", "smaller than": "<", "fewer than": "<", "at most": "<=", "more than": ">", "greater than": ">",
    "larger than": ">", "at least": ">=", "exactly": "=", "under": "<", "below": "<", "over": ">", "above": ">",
    "no more than": "<=", "no fewer than": ">=", "no less than": ">=",
}  # fmt: skip
_RELATIONS: Final = {
    **dict.fromkeys(("=", "==", ":", "equals", "is", "are", "of"), "="), **dict.fromkeys(("!=", "≠", "is not"), "!="),
    "isn't": "!=", "~=": "~=", "≈": "~=", "<": "<", "<=": "<=", "≤": "<=", ">": ">", ">=": ">=",
    "≥": ">=", **_MORE, **{f"is {words}": sign for words, sign in _MORE.items()},
}  # fmt: skip
_AMOUNT: Final = rf"(?:(?P<relation>{'|'.join(_MORE)}) )?"
_DIGITS: Final = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12}(?:\.[0-9]{1,12})?"
_NUMBER: Final = rf"(?P<number>{_DIGITS}|one|a single|two|three|four)"
_WORDS: Final = {"one": "1", "a single": "1", "two": "2", "three": "3", "four": "4"}
_UNITS: Final = {"kb": (1000, 1024), "mb": (1000**2, 1024**2), "kib": (1024,), "mib": (1024**2,)}
"""Some count a kilobyte as 1000 bytes and some as 1024."""
_FORMATS: Final = {
    **{name: name.upper() for name in ("png", "jpeg", "gif", "bmp", "webp", "tiff", "heic", "avif", "svg", "pdf")},
    **{"jpg": "JPEG", "tif": "TIFF"},
}
_FORMAT: Final = rf"(?P<format>{'|'.join(_FORMATS)})"
_COLOURS: Final = {
    "black": "#000000", "white": "#ffffff", "red": "#ff0000", "blue": "#0000ff", "yellow": "#ffff00",
    "cyan": "#00ffff", "magenta": "#ff00ff",
}  # fmt: skip
_COLOUR: Final = (
    rf"(?P<colour>#[0-9a-f]{{6}}(?:[0-9a-f]{{2}})?|{'|'.join(_COLOURS)}"
    r"|(?:rgb)?\((?P<r>[0-9]{1,3}), ?(?P<g>[0-9]{1,3}), ?(?P<b>[0-9]{1,3})\))"
)
_MODES: Final = "1|L|LA|P|PA|RGB|RGBA|RGBX|CMYK|YCBCR|LAB|HSV|I|F|I;16"
_STATISTICS: Final = {
    **dict.fromkeys(("minimum", "min", "lowest", "smallest"), "min"),
    **dict.fromkeys(("maximum", "max", "highest", "largest"), "max"),
    **dict.fromkeys(("mean", "average"), "mean"),
}
_OF: Final = "(?: of (?:the|this) (?:image|file))?"
_RELATED: Final = rf"{_OF} ?(?P<relation>{'|'.join(map(re.escape, sorted(_RELATIONS, key=len, reverse=True)))}) ?"
_SIZE: Final = r"(?:exactly )?(?P<width>[0-9]{1,9}) ?(?:x|×|by) ?(?P<height>[0-9]{1,9})(?: ?(?:pixels?|px))?"
_BYTES: Final = rf"{_NUMBER} ?(?P<unit>bytes?|b|kb|kib|mb|mib)"
_RATIO: Final = "(?P<over>[0-9]{1,9}) ?[:/] ?(?P<under>[1-9][0-9]{0,8})"
_TAG: Final = "exif (?:tag |field )?(?P<tag>[A-Za-z]+)"
_A: Final = "(?:an? )?(?:valid )?"
_SUBJECT: Final = r"(?:(?:(?:the |this )?(?:image|picture|photo|file)|it) )?"
_WHOSE: Final = rf"(?:{_SUBJECT}has )?(?:the |its |an? )?(?:image(?:'s)? )?"


def _compiled(*forms: tuple[str, str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((subject, re.compile(pattern, re.IGNORECASE)) for subject, pattern in forms)


_CLAUSES: Final = _compiled(
    ("numeric", rf"{_WHOSE}(?P<name>width|height){_RELATED}{_NUMBER}(?: ?(?:pixels|px))?"),
    ("bytes", rf"{_WHOSE}(?:file size|size|size in bytes){_RELATED}{_BYTES}"),
    ("bytes", rf"{_WHOSE}size in bytes{_RELATED}{_NUMBER}"),
    ("frames", rf"{_WHOSE}(?:frame count|number of frames){_RELATED}{_NUMBER}"),
    ("colours", rf"{_WHOSE}number of (?:distinct |different |unique )?colou?rs{_RELATED}{_NUMBER}"),
    ("aspect", rf"{_WHOSE}aspect ratio{_RELATED}{_RATIO}"),
    ("rounded aspect", rf"{_WHOSE}aspect ratio{_RELATED}{_NUMBER}"),
    ("size", rf"{_WHOSE}(?:dimensions|size|resolution){_RELATED}{_SIZE}"),
    ("format", rf"{_WHOSE}(?:file )?format{_RELATED}{_FORMAT}"),
    ("mode", rf"{_WHOSE}(?:colou?r )?mode{_RELATED}\"?(?P<mode>{_MODES})\"?"),
    ("sha256", rf"{_WHOSE}sha-?256{_RELATED}(?:sha256:)?(?P<sha256>[0-9a-f]{{64}})"),
    ("exif", rf"{_WHOSE}{_TAG}{_RELATED}(?:\"(?P<text>[^\"]*)\"|{_NUMBER})"),
    ("exif", rf"{_WHOSE}{_TAG}{_RELATED}{_RATIO}"),
    ("pixel", rf"{_WHOSE}pixel (?:at )?\((?P<x>[0-9]{{1,6}}), ?(?P<y>[0-9]{{1,6}})\){_RELATED}{_COLOUR}"),
    ("rounded share", rf"{_WHOSE}share of {_COLOUR}(?: pixels)?{_RELATED}{_NUMBER}(?P<percent> ?%| percent)?"),
    (
        "rounded share",
        rf"{_AMOUNT}{_NUMBER}(?P<percent> ?%| percent) of (?:the |its |all )?pixels (?:are|is) {_COLOUR}",
    ),
    ("count", rf"{_AMOUNT}{_NUMBER} (?:of the )?pixels? (?:are|is) {_COLOUR}"),
    ("all", rf"(?P<how>all|every|each|no|not all|not every)(?: of)?(?: the| its)? pixels? (?:are|is) {_COLOUR}"),
    (
        "rounded statistic",
        rf"{_WHOSE}(?P<what>{'|'.join(_STATISTICS)}) (?P<band>red|green|blue|gr[ae]y|brightness|pixel)"
        rf"(?: value| channel)*{_RELATED}{_NUMBER}",
    ),
    ("mean", rf"{_WHOSE}(?:average|mean) colou?r{_RELATED}{_COLOUR}"),
)
_PREDICATES: Final = _compiled(
    ("size", rf"{_A}{_SIZE}(?: {_FORMAT})?(?: image| file)?(?: in size| large| big)?"),
    ("size", rf"(?:dimensions|size|a size|a resolution|resolution)(?: of)? {_SIZE}"),
    ("width", rf"{_AMOUNT}{_NUMBER} ?(?:pixels|px) wide"),
    ("height", rf"{_AMOUNT}{_NUMBER} ?(?:pixels|px) (?:high|tall)"),
    ("format", rf"(?:{_A}{_FORMAT}(?:[ -]?(?:image|file|picture))?)"),
    ("format", rf"in {_FORMAT} format"),
    ("kind", rf"{_A}(?P<mode>RGB|RGBA|CMYK)(?: image)?"),
    ("mode", rf"(?:in )?(?P<mode>{_MODES}) mode"),
    ("alpha", r"(?:an |any )?alpha(?: channel)?"),
    ("transparency", r"(?:any |some )?(?:transparency|transparent pixels)"),
    ("not transparency", r"(?:fully |completely )?opaque"),
    ("gray", rf"{_A}(?:in )?gr[ae]yscale(?: image)?"),
    ("animated", rf"{_A}animated(?: image| gif)?"),
    ("not animated", rf"{_A}(?:static|still)(?: image)?"),
    ("exif", r"(?:any )?exif(?: data| metadata)?"),
    ("all", rf"(?P<how>completely|entirely|all) {_COLOUR}"),
    ("frames", rf"{_AMOUNT}{_NUMBER} frames?"),
    ("colours", rf"{_AMOUNT}{_NUMBER} (?:distinct |unique |different )?colou?rs?"),
    ("bytes", rf"{_AMOUNT}{_BYTES}(?: in size| large| long)?"),
    ("shape", rf"{_A}(?P<shape>square|landscape|portrait)(?: image| format| orientation)?"),
)
_VERB: Final = re.compile(
    rf"{_SUBJECT}(?P<verb>is not|isn't|is|does not have|doesn't have|has no|has|does not measure|measures|not)\b"
    r" ?(?P<rest>.*)",
    re.IGNORECASE,
)
_PLAIN_VERBS: Final = ("is", "has", "measures")
_FALSE: Final = re.compile(
    r"it(?: is|'s) (?P<no>false|not true|untrue|incorrect|not the case|true) that (?P<rest>.+)", re.IGNORECASE
)
_JOIN: Final = re.compile(r"(?:,? (and|or) |, )")
_HELD: Final = re.compile(r"\([^()]*\)|\"[^\"]*\"")


@dataclass(frozen=True, slots=True)
class Measurement:
    """One thing that is said: a measured subject stands in a relation to a value; or content, or unclear."""

    subject: str
    relation: str = "="
    value: Value = True
    unit: Fraction = Fraction(0)
    """What the last digit of the value is worth, where it may have been rounded to that."""

    def holds(self, measure: Measure) -> bool | None:
        """Return whether it holds; None where the image does not settle it."""
        found = None if self.subject in (CONTENT, UNCLEAR) else measure(self.subject)
        if found is None or type(found) is not type(self.value):
            return None
        if isinstance(self.value, str) and isinstance(found, str):
            if self.subject.startswith("pixel "):
                return _is_colour(found, self.value)
            return _is_kind(found, self.value) if self.relation == "~=" else found == self.value
        if self.relation in ("=", "!=", "~=") and isinstance(found, Fraction) and isinstance(self.value, Fraction):
            beyond = 2 * abs(found - self.value) - self.unit
            if self.relation == "~=":
                return beyond < 0 if beyond else None
            if self.unit and found != self.value and beyond <= 0:
                return None
        return _TESTS[self.relation](found, self.value)


@dataclass(frozen=True, slots=True)
class Joined:
    """Clauses joined by ``and`` or ``or``; ``all`` parts of one clause; ``not`` one; ``same`` if all readings agree."""

    how: str
    parts: tuple[Node, ...]

    def holds(self, measure: Measure) -> bool | None:
        """Return whether it holds; None where the image does not settle it."""
        found = [part.holds(measure) for part in self.parts]
        if self.how == "not":
            return None if found[0] is None else not found[0]
        if self.how == "same":
            return found[0] if len(set(found)) == 1 else None
        decisive = self.how == "or"
        if decisive in found:
            return decisive
        return None if None in found else not decisive


Node = Measurement | Joined


def clauses_of(node: Node) -> Iterator[Measurement]:
    """Yield every clause of a statement."""
    if isinstance(node, Measurement):
        yield node
        return
    for part in node.parts:
        yield from clauses_of(part)


def has_readings(node: Node) -> bool:
    """Return whether a statement can be read in more than one way."""
    return isinstance(node, Joined) and (node.how == "same" or any(map(has_readings, node.parts)))


def read_statement(statement: str) -> Node:
    """Return what a statement says; raises NotAttemptedError for an empty one and for digits of other scripts."""
    for place, sign in enumerate(statement):
        if not sign.isascii() and sign.isnumeric():
            raise unreadable("image.syntax", statement, place, "A digit of another script is not read as a number")
    text = re.sub(r"\s+", " ", statement).strip().removesuffix(".").strip()
    if not text:
        raise NotAttemptedError("image.no_claim", "Nothing is said of the image.")
    return _statement(text) if len(text) <= MAX_TEXT else Measurement(CONTENT)


def _statement(text: str) -> Node:
    match = _FALSE.fullmatch(text)
    if match is None:
        return _joined(text)
    inner = _statement(match["rest"])
    if match["no"].lower() == "true":
        return inner
    if isinstance(inner, Joined) and inner.how in ("and", "or"):
        narrow = Joined(inner.how, (_not(inner.parts[0]), *inner.parts[1:]))
        return Joined("same", (_not(inner), narrow))
    return _not(inner)


def _not(node: Node) -> Node:
    return Joined("not", (node,))


def _same(readings: tuple[Node, ...]) -> Node:
    return readings[0] if len(readings) == 1 else Joined("same", readings)


def _joined(text: str) -> Node:
    held = [match.span() for match in _HELD.finditer(text)]
    joins = [match for match in _JOIN.finditer(text) if not any(start <= match.start() < end for start, end in held)]
    words = {match[1].lower() for match in joins if match[1]}
    ends = [*(match.start() for match in joins), len(text)]
    texts = [text[start:end] for start, end in zip((0, *(match.end() for match in joins)), ends, strict=True)]
    parts, verb = list[Node](), ""
    for each in texts:
        if _FALSE.fullmatch(each):
            # How far a denial reaches is clear at the end alone.
            parts.append(_statement(each) if len(parts) + 1 == len(texts) else Measurement(UNCLEAR))
            continue
        found = _quantity(each)
        is_verbless = found is None and _VERB.fullmatch(each) is None
        if found is None:
            found = _predicate(f"{verb} {each}" if is_verbless and verb in _PLAIN_VERBS else each)
        # What follows a negated clause without a verb of its own may be negated as well, or not.
        is_unclear = is_verbless and verb not in ("", *_PLAIN_VERBS) and found != Measurement(CONTENT)
        parts.append(Measurement(UNCLEAR) if is_unclear else found)
        if not is_verbless:
            match = _VERB.fullmatch(each)
            verb = match["verb"].lower() if match is not None else "of its own"
    if len(parts) == 1:
        return parts[0]
    if len(words) != 1:
        return Measurement(UNCLEAR if words else CONTENT)
    return Joined(words.pop(), tuple(parts))


def _quantity(text: str) -> Node | None:
    for subject, pattern in _CLAUSES:
        match = pattern.fullmatch(text)
        if match is not None:
            return _built(subject, match)
    return None


def _predicate(text: str) -> Node:
    verb = _VERB.fullmatch(text)
    rest = verb["rest"] if verb is not None else text
    for subject, pattern in _PREDICATES:
        match = pattern.fullmatch(rest)
        if match is not None:
            found = _built(subject, match)
            return _not(found) if verb is not None and verb["verb"].lower() not in _PLAIN_VERBS else found
    return Measurement(CONTENT)


def _built(subject: str, match: re.Match[str]) -> Node:
    """Return what one form says."""
    parts = {name: text.lower() for name, text in match.groupdict().items() if text is not None}
    relation = _RELATIONS[parts.get("relation", "=")]
    if relation == "~=" and not subject.startswith("rounded "):
        return Measurement(CONTENT)
    if "number" in parts or "over" in parts:
        return _numeric(subject.removeprefix("rounded "), relation, parts, is_rounded=subject.startswith("rounded "))
    if relation not in ("=", "!="):
        return Measurement(CONTENT)
    node = _plain(subject, parts, match)
    return _not(node) if relation == "!=" else node


def _plain(subject: str, parts: Mapping[str, str], match: re.Match[str]) -> Node:
    if subject == "size":
        sides = (Measurement(side, "=", Fraction(parts[side])) for side in ("width", "height"))
        form = (Measurement("format", "=", _FORMATS[parts["format"]]),) if "format" in parts else ()
        return Joined("all", (*sides, *form))
    if subject == "shape":
        sign = {"square": "=", "landscape": ">", "portrait": "<"}[parts["shape"]]
        return Measurement("aspect", sign, Fraction(1))
    if subject in ("format", "sha256", "mode", "kind"):
        text = {"format": _FORMATS.get(parts.get("format", "")), "sha256": parts.get("sha256")}.get(subject)
        sign = "~=" if subject == "kind" else "="
        return Measurement("mode" if subject == "kind" else subject, sign, text or parts["mode"].upper())
    if "tag" in parts:
        return Measurement(f"exif {parts['tag']}", "=", match["text"])
    if "colour" in parts:
        return _coloured(subject, parts)
    name = subject.removeprefix("not ")
    return Measurement(name, "=", name == subject)


def _coloured(subject: str, parts: Mapping[str, str]) -> Node:
    colour, is_named = _colour(parts)
    if subject == "pixel" and colour:
        return Measurement(f"pixel {int(parts['x'])} {int(parts['y'])}", "=", colour + "~" * is_named)
    if len(colour) != 7:
        return Measurement(CONTENT)
    if subject == "mean":
        bands = (("red", colour[1:3]), ("green", colour[3:5]), ("blue", colour[5:]))
        one = Fraction(1)
        return Joined("all", tuple(Measurement(f"mean {band}", "=", Fraction(int(at, 16)), one) for band, at in bands))
    node = _shared("share", "=", Fraction(0 if parts["how"] == "no" else 1), Fraction(0), colour, is_named=is_named)
    return _not(node) if parts["how"].startswith("not") else node


def _numeric(subject: str, relation: str, parts: Mapping[str, str], *, is_rounded: bool) -> Node:
    written = _WORDS.get(parts.get("number", ""), parts.get("number", parts.get("over", ""))).replace(",", "")
    number = Fraction(written) / Fraction(parts.get("under", "1"))
    unit = Fraction(1, 10 ** len(written.partition(".")[2])) if is_rounded else Fraction(0)
    if "percent" in parts:
        number, unit = number / 100, unit / 100
    if "colour" in parts:
        colour, is_named = _colour(parts)
        return _shared(subject, relation, number, unit, colour, is_named=is_named)
    if subject == "bytes":
        sizes = _UNITS.get(parts.get("unit", ""), (1,))
        return _same(tuple(Measurement(subject, relation, number * each) for each in sizes))
    if subject == "statistic":
        what, band = _STATISTICS[parts["what"]], parts["band"]
        unit = unit if what == "mean" else Fraction(0)
        subject = f"{what} {band if band in ('red', 'green', 'blue') else 'gray'}"
    if relation == "~=" and not unit:
        return Measurement(CONTENT)
    names = {"numeric": parts.get("name", ""), "exif": f"exif {parts.get('tag')}"}
    return Measurement(names.get(subject, subject), relation, number, unit)


def _shared(subject: str, relation: str, number: Fraction, unit: Fraction, colour: str, *, is_named: bool) -> Node:
    """Return how many pixels have a colour; of one that is named, also how many are near it."""
    if len(colour) != 7:
        return Measurement(CONTENT)
    whats = ("", "near ") if is_named else ("",)
    return _same(tuple(Measurement(f"{subject} {what}{colour}", relation, number, unit) for what in whats))


def _colour(parts: Mapping[str, str]) -> tuple[str, bool]:
    """Return a colour in hexadecimal digits, nothing for one that there is not, and whether it was named."""
    if "r" in parts:
        numbers = [int(parts[band]) for band in "rgb"]
        return "#" + bytes(numbers).hex() if max(numbers) < 256 else "", False
    return _COLOURS.get(parts["colour"], parts["colour"]), parts["colour"] in _COLOURS


def _is_colour(found: str, claimed: str) -> bool | None:
    wanted = bytes.fromhex(claimed[1:].removesuffix("~"))
    pixel = bytes.fromhex(found[1:])
    if pixel[: len(wanted)] == wanted:
        # What is half transparent has no colour of six digits, but it lacks every other one.
        return True if len(wanted) == 4 or pixel[3] == 255 else None
    apart = max(abs(one - other) for one, other in zip(pixel, wanted, strict=False))
    return None if claimed.endswith("~") and apart <= NEAR else False


def _is_kind(found: str, claimed: str) -> bool | None:
    """A palette holds colours of some kind, and RGBA is RGB with something more."""
    return None if found != claimed and (found[0] == "P" or found[:3] == claimed[:3]) else found == claimed
