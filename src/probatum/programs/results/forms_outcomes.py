"""Sentence forms whose subject is the result: "The result is never negative", "It has the same length as xs".

They are matched against statements of `outcomes.said_of_result`, read to the last word. Refuses sentences with a
condition, a key or an exception in them.
"""

from __future__ import annotations

import re
from dataclasses import replace

from probatum.programs.requirements.vocabulary import BOUNDS, SIGNS
from probatum.programs.results.forms_lists import ORDER, ascending
from probatum.programs.results.nouns import COUNTS, Scene, kind_guard
from probatum.programs.results.sentence_form import Claim, Form, form

__all__ = ["OUTCOMES"]

_IS = r"(?:is|are|(?:should|must|will|shall|is guaranteed to|are guaranteed to)(?: always)? be)(?: always)?"
_HAS = r"(?:has|have|contains?|(?:should|must|will|shall)(?: always)? (?:have|contain))(?: always)?"
_UNITS = r"(?:elements?|items?|entries|entry|values?|numbers?|strings?|words?|characters?|letters?|digits?)"
_SIZED = "type({0}) in (list, tuple, str, dict, set, frozenset)"
_HELD = "(list(result.values()) if type(result) is dict else list(result))"
_MANY = "type(result) in (list, tuple, set, frozenset)"
_ROUNDED = (
    "(lambda f_: f_(f_, result))(lambda f_, r_: all(f_(f_, v_) for v_ in (r_.values() if type(r_) is dict else r_)) "
    "if type(r_) in (list, tuple, set, frozenset, dict) else type(r_) is not float or r_ - r_ != 0 or "
    "abs(r_ - round(r_, {0})) <= 1e-9 * max(1, abs(r_)))"
)
_SIGNS = {**{word: f"{sign} 0" for word, sign in SIGNS.items()}, "greater than zero": "> 0", "zero": "== 0"}
_DENIED = {"> 0": "<= 0", "< 0": ">= 0", ">= 0": "< 0", "<= 0": "> 0", "!= 0": "== 0", "== 0": "!= 0"}
_OPERATORS = {
    **dict(BOUNDS), "up to": "<=", "longer than": ">", "shorter than": "<", "no longer than": "<=",
    "no shorter than": ">=", "as long as": "==", "at most as long as": "<=", "at least as long as": ">=",
}  # fmt: skip
_BOUNDS = "|".join(re.escape(words) for words, sign in BOUNDS if sign != "==" and "fewer" not in words)
_OPPOSITE = {">": "<=", "<": ">="}
_MEASURES = (
    r"(?:milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|per cent|%|degrees?|radians?"
    r"|met(?:re|er)s?|kilomet(?:re|er)s?|pixels?|bytes?|dollars?|euros?|cents?)"
)
"""Units of the result itself; "5 digits" or "3 words" would say how many of them it has."""
_LITERAL = r"(?:'[^']*'|\"[^\"]*\"|-?\d+(?:\.\d+)?|none|true|false)"


def _operator(words: str) -> str | None:
    """Return the operator that "never greater than", "at most", "more than" stand for."""
    words = words.strip().lower()
    if words in _OPERATORS:
        return _OPERATORS[words]
    denied = re.match(r"(?:never|not) ", words)
    words = words[denied.end() if denied else 0 :]
    found = _OPERATORS.get(words) or _OPERATORS.get(f"{words} than")
    return _OPPOSITE.get(found) if found and denied else found


def _over(match: re.Match[str], condition: str) -> str:
    """Return a condition on ``v_`` as one on the result, or on each of its elements where the sentence says so."""
    if match.string.startswith("result"):
        return f"(lambda v_: {condition})(result)"
    return f"not {_MANY} or all({condition} for v_ in result)"


def _sized(scene: Scene, phrase: str) -> str | None:
    phrase = phrase.strip()
    return scene.sequence(phrase) or scene.text(phrase) or scene.named(re.sub(r"^(?:the |input )+", "", phrase))


def _between(scene: Scene, match: re.Match[str]) -> Claim | None:
    low, high = scene.number(match["low"]), scene.number(match["high"])
    if low is None or high is None:
        return None
    guards = [kind_guard(name, "number") for name in (low, high) if name in scene.parameters]
    condition = f"v_ != v_ or {_least(low)} and {_most(high)}"
    return Claim(_over(match, condition), (*guards, f"{low} <= {high}"))


def _least(low: str) -> str:
    return f"(v_ >= {low} or abs(v_ - {low}) <= 1e-9 * max(1, abs({low})))"


def _most(high: str) -> str:
    return f"(v_ <= {high} or abs(v_ - {high}) <= 1e-9 * max(1, abs({high})))"


def _sign(_scene: Scene, match: re.Match[str]) -> Claim | None:
    sign = _SIGNS[match["sign"].lower()]
    return Claim(_over(match, f"v_ != v_ or v_ {_DENIED[sign] if match['never'] else sign}"))


def _bound(scene: Scene, match: re.Match[str]) -> Claim | None:
    operator, amount = _operator(match["how"]), scene.number(match["n"])
    if operator is None or amount is None or "long" in match["how"] or "short" in match["how"]:
        return None
    near = {">=": _least(amount), "<=": _most(amount)}.get(operator, f"v_ {operator} {amount}")
    guards = (kind_guard(amount, "number"),) if amount in scene.parameters else ()
    return Claim(_over(match, f"v_ != v_ or {near}"), guards)


def _order(scene: Scene, match: re.Match[str]) -> Claim | None:
    noun = re.match(r"noun (\w+) ", match.string)
    named = scene.named(noun.group(1)) if noun is not None else None
    if named is not None and scene.kind(named) != "dict":
        return None
    words = (match["order"] or "").lower()
    reverse = "" if ascending(words or None) else ", reverse=True"
    return Claim(f"type(result) not in (list, tuple) or list(result) == sorted(result{reverse})")


def _length(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = _sized(scene, match["as"])
    operator = "==" if match["how"] is None else _operator(match["how"])
    if name is None or operator is None:
        return None
    return Claim(f"len(result) {operator} len({name})", (_SIZED.format(name),))


def _size(scene: Scene, match: re.Match[str]) -> Claim | None:
    operator, amount = _operator(match["how"]), scene.number(match["n"])
    if operator is None or amount is None:
        return None
    guards = (kind_guard(amount, "int"), f"{amount} >= 0") if amount in scene.parameters else ()
    return Claim(f"len(result) {operator} {amount}", guards)


def _permutation(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = _sized(scene, match["items"])
    if name is None:
        return None
    same = f"len(result) == len({name}) and all(list(result).count(v_) == list({name}).count(v_) for v_ in {name})"
    return Claim(same, (f"type({name}) in (list, tuple, str)",))


def _part(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = _sized(scene, match["items"])
    if name is None:
        return None
    kind = match["part"].lower()
    if kind == "substring":
        return Claim(f"result in {name}", (f"type({name}) is str",))
    if kind == "subset":
        return Claim(f"all(v_ in {name} for v_ in result)", (f"type({name}) in (list, tuple, set, frozenset)",))
    in_order = f"(lambda i_: all(any(v_ == w_ for w_ in i_) for v_ in result))(iter({name}))"
    return Claim(in_order, (f"type({name}) in (list, tuple, str)",))


def _members(scene: Scene, match: re.Match[str]) -> Claim | None:
    groups = match.groupdict()
    name = _sized(scene, groups["items"] or groups["only"])
    if name is None or scene.kind(name) == "text":
        return None
    denied = "not " if groups["denied"] or match.string.startswith("none") else ""
    inside = f"not {_MANY} or all(v_ {denied}in {name} for v_ in result)"
    return Claim(inside, (f"type({name}) in (list, tuple, set, frozenset, dict)",))


def _distinct(_scene: Scene, _match: re.Match[str]) -> Claim | None:
    return Claim(f"not {_MANY} or len(list(result)) == len({{repr(v_) for v_ in result}})")


def _rounded(_scene: Scene, match: re.Match[str]) -> Claim | None:
    digits = "0" if match["whole"] else COUNTS.get(match["digits"].lower(), match["digits"])
    return Claim(_ROUNDED.format(digits))


def _item(scene: Scene, match: re.Match[str]) -> Claim | None:
    name = _sized(scene, match["items"])
    if name is None or scene.kind(name) == "text":
        return None
    return Claim(f"result in {name}", (f"type({name}) in (list, tuple, set, frozenset, dict)", f"len({name}) > 0"))


def _inside(scene: Scene, match: re.Match[str]) -> Claim | None:
    low, high = _amount(scene, match["low"]), _amount(scene, match["high"])
    if low is None or high is None or match["name"] in scene.parameters:
        return None
    guards = [kind_guard(name, "number") for name in (low, high) if name in scene.parameters]
    guards += [_SIZED.format(name[4:-1]) for name in (low, high) if name.startswith("len(")]
    return Claim(f"{low} {match['least']} result {match['most']} {high}", tuple(guards))


def _amount(scene: Scene, written: str) -> str | None:
    """Return the number, the parameter or the length that is written in a comparison."""
    length = re.fullmatch(r"len\((\w+)\)", written)
    if length is not None:
        return f"len({length.group(1)})" if length.group(1) in scene.parameters else None
    return scene.number(written)


def _one_of(_scene: Scene, match: re.Match[str]) -> Claim | None:
    written = re.findall(_LITERAL, match["values"], re.IGNORECASE)
    values = [each if each[0] in "'\"-" or each[0].isdigit() else each.capitalize() for each in written]
    return Claim(f"result in ({', '.join(values)},)") if len(values) > 1 else None


_MARK = r"(?P<subject>result|each) "
_RANGE = (
    rf"\[?(?P<low>-?[\w.]+)(?:,| and| to|\.\.) ?(?P<high>-?[\w.]+)\]?(?: ?{_MEASURES})?"
    r"(?:,? \(?(?:both )?(?:inclusive(?:ly)?|included)\)?)?"
)
_FORMS = (
    form("result_between", "the result (each element of it) lies between two bounds, both included",
         "The result is between 0 and 100, both inclusive.",
         rf"{_MARK}(?:{_IS}|(?:always )?lies|(?:must|should|will) lie) (?:(?:an? )?(?:number|integer|value|float) )?"
         rf"(?:between|from|in the range(?: from| of| between)?|within) {_RANGE}", _between),
    form("result_sign", "the result (each element of it) has a sign", "The result is never negative.",
         rf"{_MARK}{_IS} (?P<never>never |not )?(?:an? )?(?P<sign>{'|'.join(_SIGNS)})"
         r"(?: (?:number|integer|value|float|int)s?)?", _sign),
    form("result_bound", "the result (each element of it) is at least (at most) a number",
         "The result is never greater than limit.",
         rf"{_MARK}{_IS} (?P<how>(?:(?:never|not) )?(?:{_BOUNDS})) (?P<n>(?:the )?-?[\w.]+)(?: ?{_MEASURES})?", _bound),
    form("result_inside", "the result lies between two amounts, as comparison signs say",
         "0 <= result < len(xs).",
         r"result as (?P<name>\w+): (?P<low>-?[\w.]+(?:\(\w+\))?) ?(?P<least><=?) ?(?P=name) ?(?P<most><=?) ?"
         r"(?P<high>-?[\w.]+(?:\(\w+\))?)", _inside),
    form("result_order", "the result is in ascending (descending) order", "The result is sorted in ascending order.",
         rf"(?:result|noun \w+) {_IS} (?:sorted|ordered|(?=in |ascending|descending)){ORDER}?", _order),
    form("result_length", "the result is as long as a parameter, or no longer, or no shorter",
         "The result has the same length as captions.",
         rf"result (?:{_HAS} (?:exactly )?(?:the same (?:length|size|number of {_UNITS}) as|as many {_UNITS} as)"
         rf"|{_IS} (?:exactly )?(?:of )?(?:the same (?:length|size) as|as long as)"
         rf"|{_IS} (?P<how>(?:never |not |no )(?:longer|shorter) than|at most as long as|at least as long as)) "
         r"(?P<as>(?:the )?(?:given |input )?\w+)", _length),
    form("result_size", "the result has at most (at least, exactly) so many elements",
         "The result has at most limit elements.",
         rf"result (?:{_HAS}|{_IS}) (?P<how>at most|at least|exactly|no more than|no fewer than|no less than|up to"
         r"|(?:never |not )?(?:more|fewer|longer|shorter) than|no longer than) "
         rf"(?P<n>\w+) {_UNITS}(?: long)?", _size),
    form("result_permutation", "the result has the elements of a parameter, as often, in any order",
         "The result is a permutation of guests.",
         rf"result (?:{_IS} an? (?:permutation|rearrangement|reordering) of|{_HAS} exactly the same {_UNITS} as) "
         r"(?P<items>(?:the )?(?:given |input )?\w+)", _permutation),
    form("result_part", "the result is a subset (subsequence, substring) of a parameter",
         "The result is a subsequence of words.",
         rf"result {_IS} an? (?P<part>subset|subsequence|substring) of (?P<items>(?:the )?(?:given |input )?\w+)",
         _part),
    form("result_members", "every element of the result is (no element is) one of a parameter",
         "Every element of the result is in words.",
         rf"(?:each|none) (?:{_IS}|comes?|occurs?|appears?|stems?) (?P<denied>not )?(?:also )?(?:in|from|one of"
         rf"|contained in|taken from|an? {_UNITS} of|{_UNITS} of) (?P<items>(?:the )?(?:given |input )?\w+)"
         rf"|result {_HAS} only {_UNITS} (?:of|from|in) (?P<only>(?:the )?(?:given |input )?\w+)", _members),
    form("result_item", "the result is an element of a parameter", "The result is an element of scores.",
         rf"result {_IS} (?:an?|one|any|one of the|one of) {_UNITS} (?:of|from|in) "
         r"(?P<items>(?:the )?(?:given |input )?\w+)", _item),
    form("result_distinct", "no value is in the result twice", "The result contains no duplicates.",
         rf"result (?:{_HAS} (?:no|only unique|only distinct) (?:duplicates?|repetitions|repeats)?(?: ?{_UNITS})?"
         rf"|{_IS} (?:free of|without) duplicates|does not contain duplicates|never contains duplicates)"
         rf"|each {_IS} (?:unique|distinct|different)|each (?:occurs|appears) (?:only|exactly) once"
         rf"|none (?:occurs|appears|is|occur|appear)(?: contained)? (?:twice|more than once)"
         rf"|pair {_IS} (?:equal|the same|identical)", _distinct),
    form("result_rounded", "every float in the result has no more decimals than said",
         "Every price of the result is rounded to two decimals.",
         rf"{_MARK}{_IS} rounded to (?:(?P<whole>the nearest (?:integer|whole number)|whole numbers|integers)"
         r"|(?P<digits>\d|one|two|three|four|five|six) (?:decimals?|decimal (?:places?|points?|digits?)"
         r"|digits after the (?:decimal point|comma|point)))", _rounded),
    form("result_one_of", "the result is one of the values that are written out",
         'Return one of "low", "normal" and "high".',
         rf"result {_IS} (?:one of|either)(?: the (?:values|strings|words|following))?:? [\[({{]?"
         rf"(?P<values>{_LITERAL}(?:(?:, (?:or |and )?| or | and ){_LITERAL})+)[\])}}]?(?:,? depending on .+)?",
         _one_of),
)  # fmt: skip
OUTCOMES: tuple[Form, ...] = tuple(
    replace(each, pattern=re.compile(each.pattern.pattern, re.IGNORECASE), of_result=True) for each in _FORMS
)
