"""The forms of criteria: each is a pattern over a whole criterion, and what decides it.

A criterion is understood where one form matches all of it, or where it is two such criteria joined by *and*. Refuses
everything else: a word that no form accounts for, such as a hedge, an exception or a quantifier, changes the meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import re2  # type: ignore[import-untyped]  # it comes without types

from probatum.core.outside import is_seen
from probatum.judge.criteria.reading import OutputView
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis, CheckState

Decide = Callable[[OutputView, CriteriaTools, Mapping[str, str]], CriterionRuling]
MOST_CHARACTERS: Final = 300
"""Of a criterion in words; what is executed may be longer."""
_MARK: Final = re.compile(r"(?:[-*•]\s+)?(?:\[[ xX]?\]\s+)?(?:(?:AC|C)[-_ ]?\d{1,3}[:.)]\s+|\d{1,3}[.)]\s+)?")
_QUOTES: Final = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "`": "'", "≤": "<=", "≥": ">="})
_NUMBERS: Final = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
}
_MUST: Final = r"(?:(?:must|should|shall|needs? to|has to|have to) )"
_N: Final = r"(?:-?\d[\d,]{0,12}(?:\.\d{1,12})?|" + "|".join(_NUMBERS) + r"|an?)"
_OPENING: Final = re.compile(rf"(.{{0,60}}?\b(?:{_MUST}?(?:has|have|contains?|includes?|provides?)) )", re.IGNORECASE)
_NEGATION: Final = re.compile(r"\b(?:not|no|never|free)\b|n't\b", re.IGNORECASE)
# What may stand in a pattern as <NAME>.
PARTS: Final[Mapping[str, str]] = {
    "HAVE": rf"(?:{_MUST}?(?:has|have|contains?|includes?|provides?))",
    "HAVE_NOT": rf"(?:(?:does not|do not|doesn't|don't|must not|should not|shall not|never|must never|should never)"
    r" (?:have|contain|include|contains|includes)(?: any)?|(?:has|have|contains?|includes?) no|is free of|"
    rf"{_MUST}(?:have|contain|include) no)",
    "IS": rf"(?:is|are|{_MUST}be)",
    "MUST": f"{_MUST}?",
    "NOT": "(?:does not|do not|doesn't|don't|must not|should not|shall not|must never|should never|never)",
    "CODE": r"(?:(?:the |this |all |its )?(?:generated |submitted |returned |python )?"
    r"(?:code|function|implementation|solution|program|module|script|output|file|class) )",
    "TEXT": r"(?:(?P<text>(?:(?:the|this|your|its) )?(?:(?:final|generated|whole|entire) )?(?:output|response|answer|reply|"
    r"text|result|content|document|report|article|essay|email|letter|readme|story|poem|message|completion|post|blog post|"
    r"summary|abstract|title|introduction|conclusion)|the [a-z_][\w -]{1,30}?(?: field)?|'[\w .-]{1,40}') )",
    "BOUND": rf"(?P<bound>at least|at most|no more than|not more than|no fewer than|no less than|more than|over|"
    rf"fewer than|less than|under|below|exactly|up to|a minimum of|a maximum of|min\.?|max\.?|>=|<=|>|<|"
    rf"not exceed|within|only|between|from)? ?(?P<low>{_N})(?:(?: to | and |-|–)(?P<high>{_N}))?(?P<after> or (?:more|fewer|less))?",
    "QUOTED": r"""(?:"(?P<double>[^"]{1,200})"|'(?P<single>[^']{1,200})')""",
    "NAME": r"'?(?P<name>[A-Za-z_][A-Za-z0-9_]{0,60})(?:\(\))?'?",
}


@dataclass(frozen=True, slots=True)
class CriterionForm:
    """One way to say a criterion, and what decides it."""

    pattern: str
    decide: Decide


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms that are known, ready to be matched."""

    known: tuple[tuple[Any, Decide], ...]

    @classmethod
    def of(cls, tables: Sequence[Sequence[tuple[str, Decide]]]) -> Forms:
        """Return the forms of some tables of patterns, in which ``<NAME>`` stands for a part."""
        options = re2.Options()
        options.case_sensitive, options.log_errors = False, False
        whole = [
            (re.sub("<([A-Z_]+)>", lambda part: PARTS[part[1]], told), decide)
            for each in tables
            for told, decide in each
        ]
        return cls(tuple((re2.compile(pattern, options=options), decide) for pattern, decide in whole))

    def ruling(self, criterion: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
        """Return what comes of a criterion in words."""
        words = " ".join(criterion.split()).translate(_QUOTES)
        words = words[len(match[0]) :] if (match := _MARK.match(words)) else words
        words = words.removesuffix(".").removesuffix("!").strip()
        if len(words) > MOST_CHARACTERS:
            return unknown(f"it has more than {MOST_CHARACTERS} characters")
        if not is_seen(words):
            return unknown("it holds characters that are not seen")
        whole = self._whole(words, view, tools)
        if whole is not None:
            return whole
        return self._parts(words, view, tools) or unknown("no form of criterion accounts for all its words")

    def _whole(self, words: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling | None:
        found: list[CriterionRuling] = []
        for pattern, decide in self.known:
            match = pattern.fullmatch(words)
            if match is not None:
                told = {name: text for name, text in match.groupdict().items() if text is not None}
                found.append(decide(view, tools, told))
        clear = [each for each in found if each.state is not CheckState.UNDECIDED]
        if len({each.state for each in clear}) > 1:
            return unknown("it can be understood in two ways, which differ")
        return next(iter(clear or found), None)

    def _parts(self, words: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling | None:
        """Return what comes of two criteria joined by *and*, where both are understood."""
        for joint in re.finditer(r",? and |; ", words):
            left, right = words[: joint.start()], words[joint.end() :]
            opening = _OPENING.match(left)
            first = self._whole(left, view, tools)
            for start in ("", opening[1] if opening else ""):
                second = self._whole(start + right, view, tools) if first else None
                if first and second:
                    return _both(first, second, is_negative=bool(start) and _NEGATION.search(start) is not None)
        return None


def _both(first: CriterionRuling, second: CriterionRuling, *, is_negative: bool) -> CriterionRuling:
    if is_negative and first.state is not second.state:
        return unknown("it can be read as neither, or as not both")
    for state in (CheckState.FAILED, CheckState.UNDECIDED):
        for each in (first, second):
            if each.state is state:
                return each
    # A judgement is as strong as its weaker part, and what ran is the weaker one.
    basis = Basis.EXECUTED if Basis.EXECUTED in (first.basis, second.basis) else first.basis
    return ruled(True, basis, f"{first.why}; {second.why}")


def number_of(text: str) -> Fraction:
    """Return the number that a part ``BOUND`` reads."""
    word = text.lower()
    return Fraction(_NUMBERS.get(word, 1) if word.isalpha() else word.replace(",", ""))


def bounds_of(told: Mapping[str, str]) -> tuple[Fraction | None, Fraction | None, bool] | None:
    """Return the least and the most that are meant, and whether a plain number was meant; None where it is unclear."""
    low, bound = number_of(told["low"]), told.get("bound", "").lower().rstrip(".")
    after = told.get("after", "").strip().lower()
    if "high" in told:
        high = number_of(told["high"])
        return None if bound not in {"", "between", "from"} or after or high < low else (low, high, False)
    if told["low"].lower() in {"a", "an"}:
        return None if bound or after else (low, None, False)
    if (bound and after) or bound in {"between", "from"}:
        return None
    if bound in {"at least", "no fewer than", "no less than", "a minimum of", "min", ">="} or after == "or more":
        return low, None, False
    if (
        bound
        in {"at most", "no more than", "not more than", "up to", "a maximum of", "max", "<=", "not exceed", "within"}
        or after
    ):
        return None, low, False
    if bound in {"more than", "over", ">"}:
        return low + Fraction(1, 10**20), None, False
    if bound in {"fewer than", "less than", "under", "below", "<"}:
        return None, low - Fraction(1, 10**20), False
    return low, low, not bound


def within(told: Mapping[str, str], least: Fraction | int, most: Fraction | int) -> bool | None:
    """Return whether a quantity that lies between two numbers keeps the bounds; None where that is not certain."""
    bounds = bounds_of(told)
    if bounds is None:
        return None
    low, high, is_plain = bounds
    if (high is not None and least > high) or (low is not None and most < low):
        # "Has three examples" may be said of four.
        return None if is_plain and low is not None and least > low else False
    return True if (low is None or least >= low) and (high is None or most <= high) else None


def quoted(told: Mapping[str, str]) -> str:
    """Return what a part ``QUOTED`` reads."""
    return told.get("double") or told.get("single") or ""
