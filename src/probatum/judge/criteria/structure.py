"""Criteria about the structure of Python code in the output, decided by its syntax tree.

Refuses where the tree does not say enough: code that reaches names by text may use anything, a docstring here and none
there is neither, and a name can follow every convention and still say nothing.
"""

from __future__ import annotations

import ast
import re
import tokenize
import warnings
from collections.abc import Iterable, Mapping
from contextlib import suppress
from io import StringIO
from typing import Final

from probatum.judge.criteria.forms import Decide, every, span_told, within
from probatum.judge.criteria.reading import FoundCode, Function, OutputView
from probatum.judge.criteria.testing import tests_that_check
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, unknown
from probatum.judge.criteria.usage import NO_CODE, USAGE_DECIDERS, imports_of, judged, names_in, of_code

Told = Mapping[str, str]
_FOREIGN: Final = re.compile(r"(?:visit|leave|depart|do|on)_\w+|(?:setUp|tearDown)\w*|[A-Z]")
_TEST_MARK: Final = re.compile(r"(?i)test|spec|assert|expect|describe|should|>>>")
_SNAKE: Final = re.compile(r"_{0,2}[a-z][a-z0-9_]*|_+")
_CAPITALS: Final = re.compile(r"_{0,2}[A-Z][A-Za-z0-9]*")
_SAYS_NOTHING: Final = re.compile(
    r"(?i)_?(.{1,2}|foo|bar|baz|qux|func(tion)?|method|temp|tmp|thing|stuff|do_?it|my_.*|test)\d*"
)
_UNFINISHED: Final = re.compile(r"\b(TO" r"DO|FIX" r"ME|TBD)s?\b")
_MARK: Final = re.compile(r"(?i)\b(to[ -]?do|fix[ -]?me|tbd|xx" r"x|ha" r"ck)s?\b")


def _share(have: Iterable[bool | None], what: str, told: Told) -> CriterionRuling:
    """Return whether all functions have something; where some have, only a criterion about every one is decided."""
    states = list(have)
    if not states:
        return unknown("the code has no function")
    is_open = "every" not in told and len(set(states)) > 1
    return judged(None if is_open else every(states), f"{states.count(True)} of {len(states)} functions have {what}")


def _parses(view: OutputView, _tools: CriteriaTools, _told: Told) -> CriterionRuling:
    text = view.declared_python() if view.code is None else view.code.source
    if text is None:
        return unknown(NO_CODE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "code", "exec", dont_inherit=True)
    except SyntaxError as error:
        is_session = re.search(r"(?m)^\s*>>>", text) is not None
        return judged(None if is_session else False, f"line {error.lineno or 0}: {error.msg}")
    except (ValueError, RecursionError, MemoryError):
        return unknown("the code is too large")
    return judged(True if view.code else None, "Python compiles the code")


def _tests(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    code = view.code
    tests = [] if code is None else code.test_functions()
    told = {"low": "1", "bound": "at least", **told}
    if code is not None and tests:
        states = tests_that_check(code)
        least, most = states.count(True), len(states) - states.count(False)
        why = f"{least} of {len(tests)} tests compare what a call of the code gives"
        return judged(within(told, least, most), why if least == most else f"{why}; of others it is not certain")
    marked = any(_TEST_MARK.search(text) for text in view.texts)
    if marked or any(each.value for each in view.entries if _TEST_MARK.search(each.key)):
        return unknown("the output speaks of tests, and has none that could be read as Python tests")
    return judged(within(told, 0, 0), "the output has no tests")


def _docstrings(code: FoundCode, told: Told) -> CriterionRuling:
    have = [bool((ast.get_docstring(each) or "").strip()) for each in code.functions()]
    if "every" not in told and ast.get_docstring(code.tree) and not any(have):
        return unknown("only the module has a docstring")
    named = zip(have, code.functions(), strict=True)
    return _share([None if not has and each.name.startswith("_") else has for has, each in named], "a docstring", told)


def _hinted(function: Function) -> bool | None:
    asked = [each for each in ast.walk(function.args) if isinstance(each, ast.arg) and each.arg not in {"self", "cls"}]
    hinted = [each.annotation for each in asked if each.annotation is not None]
    if any(isinstance(each, ast.Constant) and not isinstance(each.value, str) for each in hinted):
        return None
    if len(hinted) == len(asked) and (function.returns is not None or (function.name == "__init__" and asked)):
        return True
    return None if hinted or function.returns is not None else False


def _naming(code: FoundCode, told: Told) -> CriterionRuling:
    functions, nodes = code.functions(), list(ast.walk(code.tree))
    wrong = [each.name for each in functions if not _SNAKE.fullmatch(each.name)]
    if "only" not in told:
        wrong += [each.name for each in nodes if isinstance(each, ast.ClassDef) and not _CAPITALS.fullmatch(each.name)]
        wrong += [each.arg for each in nodes if isinstance(each, ast.arg) and not _SNAKE.fullmatch(each.arg)]
    if wrong:
        # A framework demands some names, and mathematics writes capital letters.
        holds = None if all(map(_FOREIGN.fullmatch, wrong)) else False
        return judged(holds, f"{wrong[0][:80]!r} does not follow PEP 8", names=wrong[:20])
    if not functions or ("proper" in told and any(_SAYS_NOTHING.fullmatch(each.name) for each in functions)):
        return unknown("whether its names say enough is a matter of judgement")
    return judged(True, f"{len(functions)} functions are named as PEP 8 has it")


def _defines(code: FoundCode, told: Told) -> CriterionRuling:
    kind, name = told["kind"].lower(), told["name"].strip("'").removesuffix("()")
    if "named" not in told and name == told["name"] and "_" not in name and name == name.lower():
        return unknown(f"{name[:60]} may be a word and no name")
    nodes = list(ast.walk(code.tree))
    if any(
        isinstance(each, ast.ClassDef if kind == "class" else Function) and each.name == name for each in code.tree.body
    ):
        # "The function is named f" may be said of the only one.
        is_only = len(code.public_functions()) < 2 or not re.search(r"\b(?:is|be)\b", told.get("named", ""))
        return judged(True if is_only else None, f"the code defines {name}")
    bound = names_in(code.tree) | {each.name for each in nodes if isinstance(each, Function | ast.ClassDef)}
    bound |= {part.rpartition(".")[2] for part in imports_of(code.tree)}
    return judged(None if name in bound else False, f"the code defines no {kind} {name}")


def _lines(code: FoundCode, told: Told) -> CriterionRuling:
    lines = [line.strip() for line in code.source.split("\n")]
    spans = [lines[each.lineno - 1 : each.end_lineno] for each in code.functions()] or [lines]
    # "The function" may be all of the code, or the function alone.
    least = max(sum(bool(line) and not line.startswith("#") for line in span) for span in spans)
    most = len(code.source.strip("\n").split("\n"))
    return judged(within(told, least, most), f"the code has {span_told(least, most, 'line')}", lines=most)


def _line_length(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    texts = view.texts if view.code is None else (view.code.source, view.code.tests)
    lines = [line.rstrip("\r") for text in texts for line in text.split("\n")]
    longest = max((len(line.expandtabs(8)) for line in lines), default=0)
    least = max((sum(sign.isprintable() for sign in line) for line in lines), default=0)
    bound = {"bound": "at most", **told}
    return judged(within(bound, least, longest) if longest else None, f"the longest line has {longest} characters")


def _unfinished(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    wanted = {each.upper() for each in _MARK.findall(told["marks"])}
    named = {each.upper() for text in view.texts for each in _MARK.findall(text)}
    certain = wanted.intersection(*[_UNFINISHED.findall("\n".join(_comments(view)))])
    if certain:
        return judged(False, f"the output says {min(certain)}")
    is_open = named or not any(text.strip() for text in view.texts)
    return judged(None if is_open else True, "no such mark was found" if not named else f"it says {min(named)}")


def _comments(view: OutputView) -> list[str]:
    """Return the comments of the code, or all texts where there is no code."""
    if view.code is None:
        return list(view.texts)
    with suppress(tokenize.TokenError, SyntaxError):
        tokens = tokenize.generate_tokens(StringIO(view.code.source).readline)
        return [each.string for each in tokens if each.type == tokenize.COMMENT]
    return []


CODE_DECIDERS: Final[Mapping[str, Decide]] = {
    **USAGE_DECIDERS,
    "parses": _parses,
    "tests": _tests,
    "unfinished": _unfinished,
    "docstrings": of_code(_docstrings),
    "type_hints": of_code(lambda code, told: _share(map(_hinted, code.functions()), "type hints throughout", told)),
    "naming": of_code(_naming),
    "defines": of_code(_defines),
    "line_length": _line_length,
    "lines": of_code(_lines),
}
