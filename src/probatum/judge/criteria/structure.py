"""Criteria about the structure of Python code in the output, decided by its syntax tree.

Refuses where the tree does not say enough: code that reaches names by text may use anything, a docstring here and none
there is neither, and a name can follow every convention and still say nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Final

from probatum.judge.criteria.forms import Decide, within
from probatum.judge.criteria.reading import FoundCode, Function, OutputView
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, unknown
from probatum.judge.criteria.usage import NO_CODE, USAGE_DECIDERS, imports_of, judged, names_in, of_code

Told = Mapping[str, str]
_TEST_MARK: Final = re.compile(r"(?i)test|spec|assert|expect|describe|should|>>>")
_SNAKE: Final = re.compile(r"_{0,2}[a-z][a-z0-9_]*|_+")
_CAPITALS: Final = re.compile(r"_{0,2}[A-Z][A-Za-z0-9]*")
_SAYS_NOTHING: Final = re.compile(
    r"(?i)_?(.{1,2}|foo|bar|baz|qux|func(tion)?|method|temp|tmp|thing|stuff|do_?it|my_.*|test)\d*"
)
_UNFINISHED: Final = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK|TBD)s?\b")


def _share(have: Iterable[bool | None], what: str, told: Told) -> CriterionRuling:
    """Return whether all functions have something; where some have, only a criterion about every one is decided."""
    states = list(have)
    count = states.count(True)
    why = f"{count} of {len(states)} functions have {what}"
    if not states:
        return unknown("the code has no function")
    fails = False in states and ("every" in told or (count == 0 and None not in states))
    return judged(True if count == len(states) else False if fails else None, why)


def _parses(view: OutputView, _tools: CriteriaTools, _told: Told) -> CriterionRuling:
    text = view.declared_python()
    if view.code is not None or text is None:
        return judged(True if view.code else None, "Python parses the code" if view.code else NO_CODE)
    try:
        compile(text, "code", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError as error:
        return judged(False, f"line {error.lineno or 0}: {error.msg}")
    except (ValueError, RecursionError, MemoryError):
        pass
    return unknown("the code is too large, or defines nothing")


def _tests(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    code = view.code
    tests = [] if code is None else code.test_functions()
    if code is not None and tests:
        names = {node.name for node in code.tree.body if isinstance(node, Function | ast.ClassDef)}
        real = [each for each in tests if _checks_something(each)]
        calling = [each.name for each in real if names_in(each) & (names - {each.name})]
        least, most = len(calling), len(calling if not real else tests)
        holds = within({"low": "1", "bound": "at least", **told}, least, most)
        return judged(holds, f"{least} of {len(tests)} tests check what the code gives", tests=calling[:20])
    marked = any(_TEST_MARK.search(text) for text in view.texts)
    if marked or any(each.value for each in view.entries if _TEST_MARK.search(each.key)):
        return unknown("the output speaks of tests, and has none that could be read as Python tests")
    return judged(within({"low": "1", "bound": "at least", **told}, 0, 0), "the output has no tests")


def _checks_something(test: Function) -> bool:
    for node in ast.walk(test):
        if isinstance(node, ast.Assert) and not isinstance(node.test, ast.Constant):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            says = any(not isinstance(each, ast.Constant) for each in node.args)
            if node.func.attr == "raises" or (node.func.attr.startswith("assert") and says):
                return True
    return False


def _docstrings(code: FoundCode, told: Told) -> CriterionRuling:
    of_module = bool((ast.get_docstring(code.tree) or "").strip())
    if "module" in told:
        return judged(of_module, "looked at the docstring of the module")
    functions = code.functions()
    have = [bool((ast.get_docstring(each) or "").strip()) for each in functions]
    if "every" not in told and of_module and not any(have):
        return unknown("only the module has a docstring")
    private = (
        None if not has and each.name.startswith("_") else has for has, each in zip(have, functions, strict=True)
    )
    return _share(private, "a docstring", told)


def _hinted(function: Function) -> bool | None:
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    asked = [each for each in every if each is not None and each.arg not in {"self", "cls"}]
    hinted = [each for each in asked if each.annotation is not None]
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
        return judged(False, f"{wrong[0][:80]!r} does not follow PEP 8", names=wrong[:20])
    if not functions or ("proper" in told and any(_SAYS_NOTHING.fullmatch(each.name) for each in functions)):
        return unknown("whether its names say enough is a matter of judgement")
    return judged(True, f"{len(functions)} functions are named as PEP 8 has it")


def _defines(code: FoundCode, told: Told) -> CriterionRuling:
    kind, name = told["kind"].lower(), told["name"].strip("'").removesuffix("()")
    if "named" not in told and name == told["name"] and "_" not in name and name == name.lower():
        return unknown(f"{name[:60]} may be a word and no name")
    wanted = ast.ClassDef if kind == "class" else Function
    if any(isinstance(each, wanted) and each.name == name for each in ast.walk(code.tree)):
        return judged(True, f"the code defines {name}")
    bound = names_in(code.tree) | {part.split(".")[-1] for part in imports_of(code.tree)}
    return judged(None if name in bound else False, f"the code defines no {kind} {name}")


def _takes(code: FoundCode, told: Told) -> CriterionRuling:
    functions = code.public_functions()
    if len(functions) != 1 or functions[0].args.vararg or functions[0].args.kwarg:
        return unknown("which function is meant, or how much it takes, is not certain")
    given = functions[0].args
    needed = len(given.posonlyargs) + len(given.args) - len(given.defaults) + given.kw_defaults.count(None)
    count = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
    return judged(within({"bound": "exactly", **told}, needed, count), f"it takes {needed} to {count} arguments")


def _lines(code: FoundCode, told: Told) -> CriterionRuling:
    lines = [line.strip() for line in code.source.split("\n")]
    spans = [lines[each.lineno - 1 : each.end_lineno] for each in code.functions()]
    written = [sum(bool(line) and not line.startswith("#") for line in span) for span in spans]
    if "each" in told:
        states = [within(told, least, len(span)) for least, span in zip(written, spans, strict=True)]
        holds = False if False in states else None if None in states or not states else True
        return judged(holds, f"the functions have up to {max(map(len, spans), default=0)} lines")
    # "The function" may be all of the code, or the function alone.
    most = len(code.source.strip("\n").split("\n"))
    least = sum(bool(line) and not line.startswith("#") for line in lines)
    return judged(within(told, max(written, default=least), most), f"the code has {least} to {most} lines", lines=most)


def _line_length(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
    texts = view.texts if view.code is None else (view.code.source, view.code.tests)
    longest = max((len(line.rstrip("\r")) for text in texts for line in text.split("\n")), default=0)
    bound = told if "bound" in told else {**told, "bound": "at most"}
    return judged(within(bound, longest, longest) if longest else None, f"the longest line has {longest} characters")


def _unfinished(view: OutputView, _tools: CriteriaTools, _told: Told) -> CriterionRuling:
    found = next((match for text in view.texts if (match := _UNFINISHED.search(text))), None)
    doubtful = not any(text.strip() for text in view.texts) or any(
        _UNFINISHED.search(text.upper()) for text in view.texts
    )
    return judged(
        False if found else None if doubtful else True,
        f"the output says {found[0]}" if found else "looked for such marks",
    )


def _error_handling(code: FoundCode, _told: Told) -> CriterionRuling:
    nodes = [each for function in code.functions() for each in ast.walk(function)]
    handlers = [each for each in nodes if isinstance(each, ast.ExceptHandler)]
    real = [each for each in handlers if not all(isinstance(node, ast.Pass | ast.Continue) for node in each.body)]
    if real or any(isinstance(each, ast.Raise) for each in nodes):
        return judged(True, f"the code raises exceptions, or handles them in {len(real)} places")
    branches = (ast.If, ast.IfExp, ast.With, ast.Assert, ast.Try, ast.Match, ast.BoolOp)
    found = any(isinstance(each, branches) for each in ast.walk(code.tree))
    return judged(None if found else False, "the code handles and raises no exception")


CODE_DECIDERS: Final[Mapping[str, Decide]] = {
    **USAGE_DECIDERS,
    "parses": _parses,
    "tests": _tests,
    "unfinished": _unfinished,
    "docstrings": of_code(_docstrings),
    "type_hints": of_code(lambda code, told: _share(map(_hinted, code.functions()), "type hints throughout", told)),
    "naming": of_code(_naming),
    "defines": of_code(_defines),
    "takes": of_code(_takes),
    "line_length": _line_length,
    "lines": of_code(_lines),
    "error_handling": of_code(_error_handling),
}
