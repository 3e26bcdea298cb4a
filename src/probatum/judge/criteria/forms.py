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

from probatum.core.messages import counted
from probatum.core.outside import is_seen
from probatum.judge.criteria.reading import OutputView
from probatum.judge.criteria.table import BOUNDS, HAVING, NUMBERS, patterns
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis, CheckOutcome

Decide = Callable[[OutputView, CriteriaTools, Mapping[str, str]], CriterionRuling]
MOST_CHARACTERS: Final = 300
"""Of a criterion in words; what is executed may be longer."""
_MOST_JOINTS: Final = 4
_MARK: Final = re.compile(r"(?:[-*•]\s+)?(?:\[[ xX]?\]\s+)?(?:(?:AC|C)[-_ ]?\d{1,3}[:.)]\s+|\d{1,3}[.)]\s+)?")
_QUOTES: Final = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "≤": "<=", "≥": ">="})
_OPENING: Final = re.compile(rf"(.{{0,60}}?\b{HAVING} )", re.IGNORECASE)
_SUBJECT: Final = re.compile(
    r"((?:(?:the|this|your|its|all|every|each) [a-z_]\w{0,30}|'[^']{1,40}'|summary|abstract|title|introduction|"
    r"conclusion) )",
    re.IGNORECASE,
)
_OWN_SUBJECT: Final = re.compile(
    r"(?:the|all|every|each|no|code|output|response|answer|text|tests?|field)\b", re.IGNORECASE
)
_NEGATION: Final = re.compile(r"\b(?:not|no|never|free)\b|n't\b", re.IGNORECASE)
_AFTER: Final[Mapping[str, str]] = {"": "=", "or more": ">=", "or fewer": "<=", "or less": "<="}
_OPERATORS: Final[Mapping[str, str]] = {
    **_AFTER, **{word: operator for operator, words in BOUNDS.items() for word in words.split("|")}
}  # fmt: skip
_TINY: Final = Fraction(1, 10**20)


@dataclass(frozen=True, slots=True)
class CriterionForms:
    """The forms that are known, ready to be matched."""

    known: tuple[tuple[Any, Decide], ...]

    @classmethod
    def of(cls, deciders: Mapping[str, Decide]) -> CriterionForms:
        """Return the forms of the table, each with what decides it."""
        options = re2.Options()
        options.case_sensitive, options.log_errors = False, False
        return cls(tuple((re2.compile(pattern, options=options), deciders[name]) for name, pattern in patterns()))

    def ruling(self, criterion: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
        """Return what comes of a criterion in words."""
        words = " ".join(criterion.split()).translate(_QUOTES)
        words = words[len(match[0]) :] if (match := _MARK.match(words)) else words
        words = words.removesuffix(".").removesuffix("!").strip()
        if len(words) > MOST_CHARACTERS:
            return unknown(f"it has more than {MOST_CHARACTERS} characters")
        if not is_seen(words):
            return unknown("it holds characters that are not seen")
        # A name of code in backticks may stand for itself, or for a quotation.
        ways = dict.fromkeys((words.replace("`", "'"), words.replace("`", "")))
        found = [ruling for each in ways if (ruling := self._whole(each, view, tools))]
        if all(each.state is CheckOutcome.UNDECIDED for each in found):
            found = [ruling for each in ways if (ruling := self._parts(each, view, tools))] or found
        return _agreed(found) if found else unknown("it is not in a form whose every word is understood")

    def _whole(self, words: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling | None:
        found: list[CriterionRuling] = []
        for pattern, decide in self.known:
            match = pattern.fullmatch(words)
            if match is not None:
                told = {name: text for name, text in match.groupdict().items() if text is not None}
                found.append(decide(view, tools, told))
        return _agreed(found) if found else None

    def _parts(self, words: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling | None:
        """Return what comes of two criteria joined by *and*, where both are understood."""
        for joint in [*re.finditer(r",? and |; ", words)][:_MOST_JOINTS]:
            left, right = words[: joint.start()], words[joint.end() :]
            opening, subject = _OPENING.match(left), _SUBJECT.match(left)
            # "100 words" after "at most 5 items" is a bound too; what is said of a field is not said of the whole.
            if right.split(" ")[0].lower() in NUMBERS or right[:1].isdigit():
                continue
            starts = [] if subject and not _OWN_SUBJECT.match(right) else [""]
            starts += [match[1] for match in (subject, opening) if match]
            first = self._whole(left, view, tools)
            for start in starts if first else []:
                second = self._whole(start + right, view, tools)
                if first and second:
                    return _both(first, second, is_negative=_NEGATION.search(start) is not None)
        return None


def _agreed(found: list[CriterionRuling]) -> CriterionRuling:
    """Return what the ways to understand a criterion agree on."""
    clear = [each for each in found if each.state is not CheckOutcome.UNDECIDED]
    is_split = len({each.state for each in clear}) > 1
    return unknown("it can be understood in two ways, which differ") if is_split else (clear or found)[0]


def _both(first: CriterionRuling, second: CriterionRuling, *, is_negative: bool) -> CriterionRuling:
    if is_negative and first.state is not second.state:
        return unknown("it can be read as neither, or as not both")
    for state in (CheckOutcome.FAILED, CheckOutcome.UNDECIDED):
        for each in (first, second):
            if each.state is state:
                return each
    # A judgement is as strong as its weaker part, and what ran is the weaker one.
    basis = Basis.EXECUTED if Basis.EXECUTED in (first.basis, second.basis) else first.basis
    return ruled(True, basis, f"{first.why}; {second.why}")


def number_of(text: str) -> Fraction:
    """Return the number that a part ``BOUND`` reads."""
    word = text.lower()
    return Fraction(NUMBERS.index(word) if word in NUMBERS else 1 if word.isalpha() else word.replace(",", ""))


def bounds_of(told: Mapping[str, str]) -> tuple[Fraction | None, Fraction | None, bool] | None:
    """Return the least and the most that are meant, and whether a plain number was meant; None where it is unclear."""
    low, bound, after = number_of(told["low"]), told.get("bound", "").lower(), told.get("after", "").strip().lower()
    if "high" in told:
        high = number_of(told["high"])
        return None if bound not in {"", "between", "from"} or after or high < low else (low, high, False)
    operator, is_plain = _OPERATORS[bound or after], not bound and not after
    if (bound and after) or operator == "..":
        return None
    if told["low"].lower() in {"a", "an"}:
        return (low, None, False) if is_plain else None
    least = low + _TINY * (operator == ">") if operator in {"=", ">", ">="} else None
    most = low - _TINY * (operator == "<") if operator in {"=", "<", "<="} else None
    return least, most, is_plain


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


def every(states: Sequence[bool | None]) -> bool | None:
    """Return whether all of some states hold; None where that is not certain, or where there are none."""
    return False if False in states else None if None in states or not states else True


def span_told(least: int, most: int, unit: str) -> str:
    """Return a count in words, such as ``1 line`` or ``2 to 4 lines``."""
    return counted(most, unit) if least == most else f"{least} to {counted(most, unit)}"


def quoted(told: Mapping[str, str]) -> str:
    """Return what a part ``QUOTED`` reads."""
    return told.get("double") or told.get("single") or ""


def strings(text: str) -> list[str]:
    """Return the texts in quotes of a part such as ``CHOICES``."""
    return [double or single for double, single in re.findall(r"\"([^\"]*)\"|'([^']*)'", text)]
