"""Which parameter a noun phrase of the documentation means, and what kind of value the words say it is.

A phrase is bound by the parameter's name, else by its kind when only one parameter is of that kind. Refuses a phrase
with words that it does not know, and one that could mean two parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from probatum.programs.reading.scanning import word_set
from probatum.programs.reading.sentences import Sentence, lower
from probatum.programs.specification import Parameter

__all__ = ["COUNTS", "Kind", "Scene", "item_guard", "kind_guard", "scene_of", "stated_annotations"]

Kind = str
"""``int``, ``number``, ``text``, ``dict``, ``list`` (items unknown), ``list int``, ``list number``, ``list text``."""

COUNTS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10",
}  # fmt: skip
_SEQUENCES = word_set("list array sequence tuple collection vector iterable lists arrays sequences tuples")
_TEXTS = word_set("string text word sentence strings texts words phrase message")
_INTEGERS = word_set("integer int integers ints")
_NUMBERS = word_set("number numbers float floats value values")
_MAPPINGS = word_set("dictionary dict mapping")
_ITEM_KINDS = {
    "integers": "int", "ints": "int", "integer": "int", "int": "int", "numbers": "number", "floats": "number",
    "number": "number", "strings": "text", "words": "text", "texts": "text", "names": "text", "str": "text",
}  # fmt: skip
_FILLERS = word_set(
    "python a an the this that given input supplied provided specified passed original two both any your its whole "
    "entire "
    "argument parameter of single certain some inputs"
)
_DECLARING = word_set("positive negative non-negative nonnegative non-empty nonempty natural floating point real")
_NOUNS = (
    "list|array|sequence|tuple|lists|arrays|string|text|sentence|word|message|strings|words|integer|int|integers"
    "|number|numbers|float|floats|dictionary|dict"
)
_NAME = rf"(?!(?:{_NOUNS})\b)\w+"
_NAMES = rf"(?P<names>\w+(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+(?:an?\s+)?){_NAME})*)"
_DECLARED = re.compile(
    r"(?:(?P<mark>given|input|supplied|provided|takes?|accepts?|receives?|are|be|is|for|from|of|the|this)\s+)?"
    r"(?:(?:as|input|an?|the|(?P<number>two|three|four)|given|supplied|single|of|to)\s+)*"
    r"(?P<adjectives>(?:(?:positive|negative|non-negative|nonnegative|non-empty|nonempty|natural|floating point|real"
    r"|sorted|unsorted|valid|whole|input|given)\s+)*)"
    rf"\b(?P<noun>{_NOUNS})\b(?:\s+of\s+(?P<items>(?:[\w-]+\s+){{0,2}}?(?:integers|ints|numbers|floats|strings|words"
    rf"|names|elements|values|characters))\b)?(?:\s+(?:called\s+|named\s+)?['\"]?{_NAMES}['\"]?)?"
    r"(?:\s+of\s+(?P<after>(?:[\w-]+\s+){0,2}?(?:integers|ints|numbers|floats|strings|words))\b)?"
)
_IS_A = re.compile(r"^(?P<names>\w+) (?:is|are) (?:an? |the )?(?P<rest>.+)$")
_COUNTED = {"two": 2, "three": 3, "four": 4}
_OUTGOING = re.compile(r"(?:return(?:s|ed|ing)?|produces?|outputs?|resulting|generates?|into|as) (?:an? |the )*\S*$")
_GUARDS = {
    "int": "type({0}) is int",
    "number": "(type({0}) is int or type({0}) is float) and {0} - {0} == 0",
    "text": "type({0}) is str",
    "dict": "type({0}) is dict",
    "list": "(type({0}) is list or type({0}) is tuple)",
}
_ANNOTATIONS = {
    "int": "int", "number": "float", "text": "str", "list": "list[int]", "list int": "list[int]",
    "list number": "list[float]", "list text": "list[str]",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scene:
    """The function whose documentation is read: its parameters and what is said of each."""

    name: str
    parameters: tuple[str, ...]
    kinds: Mapping[str, Kind]
    domain: Mapping[str, tuple[str, ...]]
    """Conditions that adjectives in declarations set on a parameter: a *positive* integer."""
    words: frozenset[str] = frozenset()
    """Every word of the document's sentences, those about parameters included, in lower case."""

    def named(self, word: str) -> str | None:
        """Return the parameter of this name, case apart where that is unmistakable."""
        if word in self.parameters:
            return word
        alike = [name for name in self.parameters if lower(name) == lower(word)]
        return alike[0] if len(alike) == 1 else None

    def sequence(self, phrase: str) -> str | None:
        """Return the list-like parameter that the phrase means."""
        return self._bound(phrase, _SEQUENCES | word_set("numbers strings elements integers values"), ("list",))

    def text(self, phrase: str) -> str | None:
        """Return the text parameter that the phrase means."""
        return self._bound(phrase, _TEXTS, ("text",))

    def number(self, phrase: str) -> str | None:
        """Return the number that the phrase means: a parameter's name or a literal."""
        phrase = phrase.strip()
        if phrase in COUNTS:
            return COUNTS[phrase]
        if re.fullmatch(r"-?\d+(?:\.\d+)?", phrase):
            return phrase
        return self._bound(phrase, _INTEGERS | _NUMBERS, ("int", "number"))

    def kind(self, name: str) -> Kind:
        """Return the kind that is known of a parameter, else the empty text."""
        return self.kinds.get(name, "")

    def _bound(self, phrase: str, nouns: frozenset[str], kinds: tuple[str, ...]) -> str | None:
        words = [word.strip("'\",()") for word in phrase.split()]
        names = [name for word in words if (name := self._name_in_phrase(word, words, nouns)) is not None]
        rest = [word for word in words if self.named(word) not in names or word in nouns]
        known = nouns | _FILLERS | _DECLARING | frozenset(_ITEM_KINDS) | word_set("in from elements values characters")
        if not words or any(word not in known for word in rest):
            return None
        if len(set(names)) == 1:
            kind = self.kind(names[0]).split(" ")[0]
            return names[0] if not kind or kind in kinds else None
        if names or not any(word in nouns for word in rest):
            return None
        fitting = [name for name in self.parameters if self.kind(name).split(" ")[0] in kinds]
        if not fitting and len(self.parameters) == 1 and not self.kind(self.parameters[0]):
            fitting = list(self.parameters)
        return fitting[0] if len(fitting) == 1 else None

    def _name_in_phrase(self, word: str, words: Sequence[str], nouns: frozenset[str]) -> str | None:
        """Return the parameter that a word names; ``a`` before a noun is the article."""
        if word in {"a", "an"} and len(words) > 1 and words[-1] != word:
            return None
        return self.named(word)


def kind_guard(name: str, kind: Kind) -> str:
    """Return the condition that a parameter is of a kind, its items included."""
    outer, _, inner = kind.partition(" ")
    guard = _GUARDS[outer].format(name)
    return f"{guard} and {item_guard(name, inner)}" if inner else guard


def item_guard(source: str, kind: Kind) -> str:
    """Return the condition that all items of a source are of a kind."""
    return f"all({_GUARDS[kind].format('v_')} for v_ in {source})"


def scene_of(name: str, parameters: Iterable[Parameter], sentences: Sequence[Sentence]) -> Scene:
    """Return what the annotations and the sentences say of the parameters."""
    own = tuple(each for each in parameters if each.kind not in {"var_keyword", "var_positional"})
    kinds = {each.name: _annotated(each.annotation) for each in own if each.annotation is not None}
    kinds = {key: kind for key, kind in kinds.items() if kind}
    names = tuple(each.name for each in own)
    domain: dict[str, list[str]] = {}
    bare = Scene(name, names, {}, {})
    for sentence in sentences:
        if sentence.role != "other":
            _read_declarations(bare, lower(sentence.text), kinds, domain)
    words = frozenset(re.findall(r"\w+", lower(" ".join(sentence.text for sentence in sentences))))
    return Scene(name, names, kinds, {key: tuple(dict.fromkeys(each)) for key, each in domain.items()}, words)


def stated_annotations(scene: Scene) -> dict[str, str]:
    """Return, as annotations, what the words say of the parameters' types: what generated inputs should look like."""
    return {name: _ANNOTATIONS[kind] for name, kind in scene.kinds.items() if kind in _ANNOTATIONS}


def _annotated(annotation: str | None) -> Kind:
    text = (annotation or "").replace("typing.", "").replace(" ", "").lower()
    simple = {"int": "int", "float": "number", "str": "text", "dict": "dict", "list": "list", "tuple": "list"}
    if text in simple:
        return simple[text]
    match = re.fullmatch(r"(?:list|sequence|iterable|collection)\[(.*)\]", text)
    if match is None:
        return "dict" if re.fullmatch(r"(?:dict|mapping)\[.*\]", text) else ""
    inner = simple.get(match.group(1), "")
    return f"list {inner}" if inner in {"int", "number", "text"} else "list"


def _read_declarations(scene: Scene, text: str, kinds: dict[str, Kind], domain: dict[str, list[str]]) -> None:
    whole = _IS_A.match(text)
    if whole is not None and scene.named(whole["names"]) is not None:
        text = f"{whole['rest'].split(',')[0]}"
        match = _DECLARED.match(text)
        if match is not None:
            _note(scene, match, [whole["names"]], kinds, domain)
        return
    for match in _DECLARED.finditer(text):
        names = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+(?:an?\s+)?", match["names"] or "")
        said = [each for each in names if each not in {"a", "an", "is", "as"} or len(names) > 1]
        bound = [name for each in said if (name := scene.named(each)) is not None]
        if not bound and match["names"] is None and _COUNTED.get(match["number"] or "") == len(scene.parameters):
            bound = list(scene.parameters)
        if not bound and len(scene.parameters) == 1 and _is_incoming(text, match):
            bound = list(scene.parameters)
        _note(scene, match, bound, kinds, domain)


def _is_incoming(text: str, match: re.Match[str]) -> bool:
    """True where the words introduce what the function is given, not what it gives."""
    if _OUTGOING.search(text[: match.start("noun")]):
        return False
    before = text[max(0, match.start() - 12) : match.start("noun")]
    return match["mark"] is not None or bool(re.search(r"\b(?:given|takes?|accepts?|input|in|of|the)\b", before))


def _note(
    scene: Scene, match: re.Match[str], bound: list[str], kinds: dict[str, Kind], domain: dict[str, list[str]]
) -> None:
    kind = _declared_kind(match["noun"], match["items"] or match["after"])
    for name in bound:
        known = kinds.get(name, "")
        if not known or (known == "list" and kind.startswith("list ")) or (known == "number" and kind == "int"):
            kinds[name] = kind if not (known == "number" and kind == "int") else known
        if kinds[name].split(" ")[0] == kind.split(" ")[0] or {kinds[name], kind} == {"int", "number"}:
            domain.setdefault(name, []).extend(
                _domain_of(name, kinds[name], match["adjectives"] or "", match["items"] or match["after"] or "")
            )


def _declared_kind(noun: str, items: str | None) -> Kind:
    if noun in _SEQUENCES:
        item = _ITEM_KINDS.get((items or "").split(" ")[-1], "")
        return f"list {item}" if item else "list"
    if noun in _TEXTS:
        return "text"
    if noun in _MAPPINGS:
        return "dict"
    return "int" if noun in _INTEGERS else "number"


def _domain_of(name: str, kind: Kind, adjectives: str, items: str) -> Iterable[str]:
    said = adjectives.split()
    if kind in {"int", "number"}:
        if "positive" in said or "natural" in said:
            yield f"{name} > 0"
        if "non-negative" in said or "nonnegative" in said:
            yield f"{name} >= 0"
    elif kind.startswith(("list", "text")):
        if "non-empty" in said or "nonempty" in said:
            yield f"len({name}) > 0"
        if kind in {"list int", "list number"} and "positive" in items.split():
            yield f"all(v_ > 0 for v_ in {name})"
        if kind in {"list int", "list number"} and {"non-negative", "nonnegative"} & set(items.split()):
            yield f"all(v_ >= 0 for v_ in {name})"
