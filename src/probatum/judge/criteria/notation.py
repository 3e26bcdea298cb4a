"""Acceptance criteria that say themselves how they are decided: ``NAME: REST``, one decider for each name.

    python: EXPRESSION          of ``output``, in the sandbox; gives True or False
    jsonpath: PATH [OP VALUE]   see `paths`
    regex: PATTERN              is found in the text, in linear time (re2); ``not regex:`` is not found
    count: UNIT OP NUMBER       of characters, words (between white space), lines or paragraphs (between blank lines)
    valid: LANGUAGE             the text is JSON, YAML, Python, or one SQL query (``valid: sql mysql``)
    call: f(3) == 5             a call with literals gives this value; ``call: f(-1) raises ValueError``
    tests: pass                 all tests in the output pass, run against the program in the output
    runs: python                the program in the output runs to its end without an exception
    program: verified           the program is VERIFIED by its documentation

Refuses to read a criterion in words: whatever has no such name is open, and its reason names what to write instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import re2  # type: ignore[import-untyped]  # it comes without types

from probatum.core.errors import nearest
from probatum.core.messages import counted
from probatum.judge.criteria.expressions import python_ruling, python_rulings
from probatum.judge.criteria.formats import valid_ruling
from probatum.judge.criteria.paths import OPERATORS, path_ruling
from probatum.judge.criteria.running import call_ruling, program_ruling, run_ruling, tests_ruling
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis
from probatum.judge.outputs import OutputView

MOST_CHARACTERS: Final = 2_000
Decide = Callable[[str, OutputView, CriteriaTools], CriterionRuling]
_NAMED: Final = re.compile(r"\s*(?P<name>(?:not\s+)?[A-Za-z]{2,12})\s*:")
_TRIED: Final = frozenset({"python", "expr", "jsonpath", "regex", "not regex", "count"})
"""The notations in which a criterion can be written that holds for every output."""
_COUNT: Final = re.compile(r"(?P<unit>[a-z]+)\s*(?P<op>==|!=|<=|>=|<|>)\s*(?P<number>\d{1,9})")
_UNITS: Final[Mapping[str, Callable[[str], int]]] = {
    "characters": len,
    "words": lambda text: len(text.split()),
    "lines": lambda text: len(text.splitlines()),
    "paragraphs": lambda text: len([each for each in re.split(r"\n\s*\n", text) if each.strip()]),
}


def is_formal(criterion: str) -> bool:
    """Tell whether a criterion has a notation, rightly written or not."""
    return _named(criterion) in NOTATIONS


def notation_ruling(criterion: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
    """Return what comes of a criterion; open where it has no notation that is known."""
    name, rest = _named(criterion), criterion.partition(":")[2].strip()
    if name not in NOTATIONS:
        hint = f" ({nearest(name, NOTATIONS).rstrip('.')})" if name and nearest(name, NOTATIONS) else ""
        return unknown(f"it is in words, which only a reading can decide{hint}")
    if len(criterion) > MOST_CHARACTERS or not rest:
        return unknown(f"a formal criterion has 1 to {MOST_CHARACTERS:,} characters after its name")
    return NOTATIONS[name](rest, view, tools)


def altered_rulings(
    criterion: str, others: Sequence[object], tools: CriteriaTools
) -> tuple[CriterionRuling, ...] | None:
    """Return how a formal criterion comes out for other outputs; None where its notation shows that it can fail."""
    name, rest = _named(criterion), criterion.partition(":")[2].strip()
    if name not in _TRIED:
        return None
    if NOTATIONS[name] is python_ruling:
        return tuple(python_rulings(rest, others, tools))
    return tuple(notation_ruling(criterion, OutputView(each), tools) for each in others)


def _named(criterion: str) -> str:
    match = _NAMED.match(criterion)
    return " ".join(match["name"].lower().split()) if match else ""


def _pattern(wanted: bool) -> Decide:
    def decide(pattern: str, view: OutputView, _tools: CriteriaTools) -> CriterionRuling:
        if view.text is None:
            return unknown("the output is not one text")
        if len(pattern) > 1 and pattern[0] == pattern[-1] and pattern[0] in "/'\"`":
            return unknown("the marks around the pattern may belong to it: write it without them")
        options = re2.Options()
        options.log_errors = False
        try:
            found = re2.compile(pattern, options=options).search(view.text)
        except (re2.error, UnicodeEncodeError) as error:
            said = error.args[0] if isinstance(error, re2.error) and error.args else "it is not UTF-8"
            return unknown(f"the pattern cannot be read: {said.decode() if isinstance(said, bytes) else said}"[:200])
        observed = "the pattern is found" if found else "the pattern is not found"
        return ruled((found is not None) is wanted, Basis.EXACT, observed)

    return decide


def _count(rest: str, view: OutputView, _tools: CriteriaTools) -> CriterionRuling:
    match = _COUNT.fullmatch(rest.lower())
    if match is None or match["unit"] not in _UNITS:
        return unknown(f"a count is written as UNIT OP NUMBER, with one of {', '.join(_UNITS)}: words <= 300")
    if view.text is None:
        return unknown("the output is not one text")
    count = _UNITS[match["unit"]](view.text)
    holds = OPERATORS[match["op"]](count, int(match["number"]))
    return ruled(holds, Basis.EXACT, f"the text has {counted(count, match['unit'].removesuffix('s'))}", count=count)


NOTATIONS: Final[Mapping[str, Decide]] = {
    "python": python_ruling,
    "expr": python_ruling,
    "jsonpath": path_ruling,
    "regex": _pattern(wanted=True),
    "not regex": _pattern(wanted=False),
    "count": _count,
    "valid": valid_ruling,
    "call": call_ruling,
    "tests": tests_ruling,
    "runs": run_ruling,
    "program": program_ruling,
}
