"""Criteria about the structure of Python code in the output, decided by its syntax tree.

Refuses where the tree does not say enough: code that reaches names by text may use anything, a docstring here and none
there is neither, and a name can follow every convention and still say nothing.
"""

from __future__ import annotations

import ast
import keyword
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Final

from probatum.judge.criteria.forms import Decide, within
from probatum.judge.criteria.reading import FoundCode, Function, OutputView, plain_name
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis
from probatum.programs.source import module_or_none

_TEST_MARK: Final = re.compile(r"(?i)test|spec|assert|expect|describe|should|>>>")
_DYNAMIC: Final = frozenset(
    [
        "getattr",
        "setattr",
        "globals",
        "locals",
        "vars",
        "eval",
        "exec",
        "compile",
        "__import__",
        "importlib",
        "builtins",
        "__builtins__",
        "__dict__",
        "__class__",
        "__subclasses__",
        "__globals__",
        "pickle",
        "ctypes",
        "operator",
        "sys",
    ]
)
_SNAKE: Final = re.compile(r"_{0,2}[a-z][a-z0-9_]*|_+")
_CAPITALS: Final = re.compile(r"_{0,2}[A-Z][A-Za-z0-9]*")
_EMPTY_NAMES: Final = re.compile(
    r"(?i)_?(.{1,2}|foo|bar|baz|qux|func(tion)?|method|temp|tmp|thing|stuff|do_?it|my_.*|test)\d*"
)
_TODO: Final = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK|TBD)\b")
_NODES: Final[Mapping[str, tuple[type[ast.AST], ...]]] = {
    "global": (ast.Global,),
    "lambda": (ast.Lambda,),
    "list comprehension": (ast.ListComp,),
    "comprehension": (ast.ListComp, ast.SetComp, ast.DictComp),
    "generator expression": (ast.GeneratorExp,),
    "f string": (ast.JoinedStr,),
    "while loop": (ast.While,),
    "for loop": (ast.For, ast.AsyncFor),
    "loop": (ast.For, ast.AsyncFor, ast.While),
    "assert statement": (ast.Assert,),
    "try except": (ast.Try,),
    "class": (ast.ClassDef,),
    "decorator": (),
}


def _of_code(decide: Callable[[FoundCode, Mapping[str, str]], CriterionRuling]) -> Decide:
    @wraps(decide)
    def whole(view: OutputView, _tools: CriteriaTools, told: Mapping[str, str]) -> CriterionRuling:
        return (
            unknown("the output has no Python code that is certain to be meant")
            if view.code is None
            else decide(view.code, told)
        )

    return whole


def _judged(holds: bool | None, why: str, **evidence: object) -> CriterionRuling:
    return ruled(holds, Basis.STRUCTURE, why, **evidence)


def _all_some_none(have: Iterable[bool | None], what: str, *, every: bool) -> CriterionRuling:
    """Return whether all functions have something; where some have, only a criterion about every one is decided."""
    told = list(have)
    count = sum(each is True for each in told)
    why = f"{count} of {len(told)} functions have {what}"
    if not told:
        return unknown("the code has no function")
    if count == len(told):
        return _judged(True, why)
    return _judged(False if (every or not count) and False in told and None not in told else None, why)


def _parses(view: OutputView, _tools: CriteriaTools, _told: Mapping[str, str]) -> CriterionRuling:
    if view.code is not None:
        return _judged(True, "Python parses the code")
    text = view.declared_python()
    if text is None:
        return unknown("the output has nothing that is certain to be meant as Python")
    try:
        compile(text, "code", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError as error:
        return _judged(False, f"line {error.lineno or 0}: {error.msg}")
    except (ValueError, RecursionError, MemoryError):
        return _judged(False, "Python cannot read the code")
    return unknown("the code is too large, or defines nothing")


def _tests(view: OutputView, _tools: CriteriaTools, _told: Mapping[str, str]) -> CriterionRuling:
    code = view.code
    tests = [] if code is None else code.test_functions()
    if code is not None and tests:
        defined = {node.name for node in code.tree.body if isinstance(node, Function | ast.ClassDef)}
        real = [each.name for each in tests if _checks_something(each)]
        calling = [each.name for each in tests if _checks_something(each) and _names(each) & (defined - {each.name})]
        if calling:
            return _judged(True, f"{len(calling)} tests check what the code gives", tests=calling[:20])
        return _judged(
            None if real else False, "no test checks what the code gives", tests=[each.name for each in tests][:20]
        )
    marked = any(_TEST_MARK.search(text) for text in view.texts)
    keys = [each for each in view.entries if _TEST_MARK.search(each.key)]
    if marked or any(each.value for each in keys):
        return unknown("the output speaks of tests, and has none that could be read as Python tests")
    return _judged(False, "the output has no tests")


def _checks_something(test: Function) -> bool:
    for node in ast.walk(test):
        if isinstance(node, ast.Assert) and not isinstance(node.test, ast.Constant):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name == "raises" or (
                name.startswith("assert") and any(not isinstance(each, ast.Constant) for each in node.args)
            ):
                return True
    return False


def _names(node: ast.AST) -> set[str]:
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return found | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


def _docstrings(code: FoundCode, told: Mapping[str, str]) -> CriterionRuling:
    functions = code.functions()
    if told.get("whose") == "module":
        return _judged(bool((ast.get_docstring(code.tree) or "").strip()), "looked at the docstring of the module")
    have = [
        bool((ast.get_docstring(each) or "").strip()) or (None if each.name.startswith("_") else False)
        for each in functions
    ]
    if not functions or ("every" not in told and not any(have) and ast.get_docstring(code.tree)):
        return unknown("only the module could have a docstring")
    return _all_some_none(have, "a docstring", every="every" in told)


def _type_hints(code: FoundCode, told: Mapping[str, str]) -> CriterionRuling:
    return _all_some_none(map(_hinted, code.functions()), "type hints throughout", every="every" in told)


def _hinted(function: Function) -> bool | None:
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    extra = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    asked = [each for each in (*given, *extra) if each.arg not in {"self", "cls"}]
    hinted = [each for each in asked if each.annotation is not None]
    if len(hinted) == len(asked) and (function.returns is not None or (function.name == "__init__" and asked)):
        return True
    return False if not hinted and function.returns is None else None


def _naming(code: FoundCode, told: Mapping[str, str]) -> CriterionRuling:
    functions = code.functions()
    wrong = [each.name for each in functions if not _SNAKE.fullmatch(each.name)]
    if "only" not in told:
        wrong += [
            each.name
            for each in ast.walk(code.tree)
            if isinstance(each, ast.ClassDef) and not _CAPITALS.fullmatch(each.name)
        ]
        wrong += [
            each.arg for each in ast.walk(code.tree) if isinstance(each, ast.arg) and not _SNAKE.fullmatch(each.arg)
        ]
    if wrong:
        return _judged(False, f"{wrong[0][:80]!r} does not follow PEP 8", names=wrong[:20])
    empty = [each.name for each in functions if _EMPTY_NAMES.fullmatch(each.name)]
    if not functions or ("proper" in told and empty):
        return unknown("whether its names say enough is a matter of judgement")
    return _judged(True, f"{len(functions)} functions are named as PEP 8 has it")


def _defines(code: FoundCode, told: Mapping[str, str]) -> CriterionRuling:
    kinds = ast.ClassDef if told["kind"].lower() == "class" else Function
    name = told["name"]
    found = [each for each in ast.walk(code.tree) if isinstance(each, kinds) and each.name == name]
    if found or keyword.iskeyword(name):
        return _judged(
            True if found else None, f"{name} is defined in line {found[0].lineno}" if found else "it is no name"
        )
    bound = {each.id for each in ast.walk(code.tree) if isinstance(each, ast.Name)} | _imports(code.tree)
    return _judged(None if name in bound else False, f"the code defines no {told['kind'].lower()} {name}")


def _imports(tree: ast.Module) -> set[str]:
    """Return the modules that are imported, with dots and without, and the names that they are bound to."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {part for each in node.names for part in (each.name, each.name.split(".")[0])}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            found |= {
                "." if node.level else module.split(".")[0],
                module,
                *(f"{module}.{each.name}" for each in node.names),
            }
    return found


def _reaches_by_text(code: FoundCode, besides: str = "") -> bool:
    return bool((_names(code.tree) | _imports(code.tree)) & (_DYNAMIC - {besides}))


def _dependencies(code: FoundCode, _told: Mapping[str, str]) -> CriterionRuling:
    names = {each.split(".")[0] for each in _imports(code.tree) if each}
    foreign = sorted(each for each in names if each and each not in sys.stdlib_module_names)
    if foreign or "." in _imports(code.tree):
        return _judged(False if foreign else None, f"the code imports {', '.join(foreign) or 'its neighbours'}"[:200])
    if _names(code.tree) & {"__import__", "importlib", "exec", "eval", "pip", "subprocess"}:
        return unknown("the code can import by text")
    return _judged(True, "every import is of the standard library", imports=sorted(names)[:50])


def _uses(code: FoundCode, told: Mapping[str, str]) -> CriterionRuling:
    is_wanted = "no" not in told
    word = plain_name(told["what"].strip("'\"").removesuffix("()"))
    uses = (
        _recursion(code)
        if word in {"recursion", "recursive calls"}
        else _use_of(code, word, told["what"].strip("'\"()"), told)
    )
    if uses is None or (not uses and _reaches_by_text(code, word)):
        return unknown(f"whether the code uses {word[:60]} does not follow from its syntax")
    return _judged(uses is is_wanted, f"the code {'uses' if uses else 'does not use'} {word[:60]}")


def _use_of(code: FoundCode, word: str, written: str, told: Mapping[str, str]) -> bool | None:
    singular = word.removesuffix(" statement").removesuffix(" keyword").removesuffix(" variable")
    for name in (word, word.removesuffix("s"), singular, word.removesuffix(" variables")):
        if _NODES.get(name):
            return any(isinstance(node, _NODES[name]) for node in ast.walk(code.tree))
    if not re.fullmatch(r"[A-Za-z_][\w.]*", written):
        return None
    if "module" in told or written in sys.stdlib_module_names or "import" in told.get("verb", ""):
        imported = written in _imports(code.tree)
        used = written.split(".", maxsplit=1)[0] in _names(code.tree) or any(
            isinstance(each, ast.ImportFrom) for each in ast.walk(code.tree)
        )
        return imported if not imported or used or "import" in told.get("verb", "") else None
    if written not in {"eval", "exec", "print", "input", "open", "sorted", "sum", "min", "max", "map", "filter", "zip"}:
        return None
    called = any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == written
        for each in ast.walk(code.tree)
    )
    bound = any(isinstance(each, Function | ast.ClassDef) and each.name == written for each in ast.walk(code.tree))
    return None if bound or (not called and written in _names(code.tree)) else called


def _recursion(code: FoundCode) -> bool | None:
    """Return whether a function calls itself; None where it may do so by a detour."""
    functions = code.functions()
    for each in functions:
        for node in ast.walk(each):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == each.name:
                return True
    reached = {each.name: _names(each) & {other.name for other in functions} for each in functions}
    for name in list(reached):
        front, seen = set(reached[name]), set[str]()
        while front - seen:
            seen |= front
            front = set().union(*(reached[each] for each in front))
        if name in seen:
            return None
    return False


def _lines(code: FoundCode, told: Mapping[str, str]) -> CriterionRuling:
    texts = code.source.strip("\n").split("\n")
    spans = [(1, len(texts))]
    if told.get("unit", "").lower().strip() in {"function", "functions", "method", "methods"}:
        spans = [(each.lineno, each.end_lineno or each.lineno) for each in code.functions()]
        texts = code.source.split("\n")
    if not spans:
        return unknown("the code has no function")
    told_states: list[bool | None] = []
    for first, last in spans:
        lines = [line.strip() for line in texts[first - 1 : last]]
        told_states.append(within(told, sum(bool(line) and not line.startswith("#") for line in lines), len(lines)))
    holds = False if False in told_states else None if None in told_states else True
    return _judged(holds, f"the code has {len(texts)} lines", lines=len(texts))


def _unfinished(view: OutputView, _tools: CriteriaTools, _told: Mapping[str, str]) -> CriterionRuling:
    if not any(text.strip() for text in view.texts):
        return unknown("the output has no text")
    found = next((match for text in view.texts if (match := _TODO.search(text))), None)
    if found is None and any(_TODO.search(text.upper()) for text in view.texts):
        return unknown("a word of the output may be such a mark")
    return _judged(found is None, f"the output says {found[0]}" if found else "no such mark stands in the output")


def _error_handling(code: FoundCode, _told: Mapping[str, str]) -> CriterionRuling:
    handlers = [each for each in ast.walk(code.tree) if isinstance(each, ast.ExceptHandler)]
    raising = any(isinstance(each, ast.Raise) for function in code.functions() for each in ast.walk(function))
    real = [each for each in handlers if not all(isinstance(node, ast.Pass | ast.Continue) for node in each.body)]
    if real or raising:
        return _judged(
            True, f"the code has {len(real)} handlers of exceptions, and {'raises' if raising else 'raises none'}"
        )
    branches = (ast.If, ast.IfExp, ast.With, ast.Assert, ast.Try, ast.Match, ast.BoolOp)
    found = any(isinstance(each, branches) for each in ast.walk(code.tree))
    return _judged(None if found else False, "the code handles and raises no exception")


def _has_main(code: FoundCode, _told: Mapping[str, str]) -> CriterionRuling:
    guards = [each for each in code.tree.body if isinstance(each, ast.If) and "__name__" in _names(each.test)]
    return _judged(bool(guards), "looked for a test of __name__ at the top level")


def _valid_python(text: str) -> bool:
    return module_or_none(text) is not None


_EVERY: Final = r"(?:(?P<every>every|each|all) (?:public )?(?:functions?|methods?)(?: and methods?)? "
CODE_FORMS: Final[tuple[tuple[str, Decide], ...]] = (
    (
        r"(?:(?:some |the )?(?:unit |automated |python )?tests? (?:are|is|must be|should be) (?:included|provided|present|written))",
        _tests,
    ),
    (r"(?:<CODE>)?<HAVE> (?:some |at least one )?(?:a )?(?:unit |automated |python )?tests?", _tests),
    (r"(?:<CODE>)?<HAVE> (?:a )?docstrings?", _of_code(_docstrings)),
    (_EVERY + r"<HAVE> (?:a )?docstrings?)", _of_code(_docstrings)),
    (r"(?:the )?(?P<whose>module) <HAVE> a docstring", _of_code(_docstrings)),
    (
        r"docstrings? (?:are|is) (?:included|provided|present)(?: for (?P<every>every|each|all) (?:public )?(?:functions?|methods?))?",
        _of_code(_docstrings),
    ),
    (r"(?:<CODE>)?(?:<HAVE>|<MUST>uses?) type (?:hints?|annotations?)", _of_code(_type_hints)),
    (_EVERY + r"(?:<HAVE>|<MUST>uses?) type (?:hints?|annotations?))", _of_code(_type_hints)),
    (_EVERY + r"<IS> (?:fully )?(?:type[- ]hinted|annotated|typed))", _of_code(_type_hints)),
    (
        r"type (?:hints?|annotations?) (?:are|is) (?:included|provided|present|used)(?: (?:for|in|on) (?P<every>every|each|all) functions?)?",
        _of_code(_type_hints),
    ),
    (r"(?:<CODE>)?<HAVE> (?P<proper>proper) (?:naming|names?)", _of_code(_naming)),
    (r"(?:the )?(?P<only>functions?) (?:has|have|follows?|uses?) (?P<proper>proper) naming", _of_code(_naming)),
    (r"(?:<CODE>)?(?:<MUST>)?(?:follows?|uses?) (?:the )?pep ?8 naming(?: conventions?)?", _of_code(_naming)),
    (
        r"(?P<only>(?:all |the )?functions? names?) (?:are|is|follow|follows|use|uses) (?:in )?(?:snake[_ ]case|pep ?8)",
        _of_code(_naming),
    ),
    (
        r"(?:<CODE>)?(?:<MUST>)?(?:defines?|implements?|contains?|includes?|has|have|provides?|exposes?) (?:a |an |the )?(?P<kind>function|class|method) (?:named |called )?<NAME>",
        _of_code(_defines),
    ),
    (r"(?:the |a )?(?P<kind>function|class|method) <IS> (?:named|called) <NAME>", _of_code(_defines)),
    (
        r"(?:a |the )?(?P<kind>function|class|method) (?:named |called )?<NAME> (?:is defined|exists|is present)",
        _of_code(_defines),
    ),
    (
        r"(?:<CODE>)?(?P<verb><MUST>(?:uses?|imports?)) (?:the )?(?P<what>'?[a-z_][\w.() -]{0,40}?'?)(?: (?P<module>module|library|package))?",
        _of_code(_uses),
    ),
    (
        r"(?:<CODE>)?(?P<no>does not|do not|doesn't|don't|must not|should not|never|must never) (?P<verb>use|uses|import|imports|call)(?: any| the)? (?P<what>'?[a-z_][\w.() -]{0,40}?'?)(?: (?P<module>module|library|package))?",
        _of_code(_uses),
    ),
    (
        r"(?P<no>no) (?:use of )?(?P<what>eval|exec|recursion|global|globals|global variables|print|lambdas?|eval\(\)|exec\(\)|loops)(?: statements?| calls?)?(?: (?:is|are) used)?",
        _of_code(_uses),
    ),
    (
        r"(?:<CODE>)?(?:(?:<HAVE>|uses|has|with) )?(?:no) (?:external|third[- ]party) (?:dependencies|libraries|packages|imports)(?: (?:are|is) (?:used|required|needed|imported))?",
        _of_code(_dependencies),
    ),
    (
        r"(?:<CODE>)?(?:<MUST>)?(?:does not|do not|doesn't|must not|should not)? ?(?:use|uses|import|imports|have|has) (?:any )?no?n?e? ?(?:external|third[- ]party) (?:dependencies|libraries|packages)",
        _of_code(lambda code, told: unknown("it can be read in two ways")),
    ),
    (
        r"(?:<CODE>)?(?:<MUST>)?(?:only )?(?:uses?|imports?|relies on|depends on) (?:only )?(?:from )?the (?:python )?standard library(?: only)?",
        _of_code(_dependencies),
    ),
    (
        r"(?:<CODE>)?(?:<IS>|<HAVE>|<MUST>be) <BOUND> lines(?: of code)?(?: long| in length)?",
        _of_code(_lines),
    ),
    (
        r"(?:every|each|all) (?P<unit>functions?|methods?) (?:<IS>|<HAVE>) <BOUND> lines(?: of code)?(?: long)?",
        _of_code(_lines),
    ),
    (r"(?:<CODE>)?<MUST>(?:parses?|compiles?)(?: as python| without (?:any )?(?:syntax )?errors?)?", _parses),
    (r"(?:<CODE>)?<IS> (?:syntactically )?valid python(?: code| 3)?(?: syntax)?", _parses),
    (r"(?:<CODE>)?(?:<HAVE>|<IS>) (?:no|free of) (?:python )?syntax errors?", _parses),
    (
        r"(?:(?:<CODE>)?<HAVE_NOT> |no |there are no )(?:todo|fixme|tbd|todos|fixmes)(?:s)?(?: comments?| markers?| notes?| items?)?(?: (?:remain|are left|left|remaining|in the code))?",
        _unfinished,
    ),
    (r"(?:<CODE>)?<HAVE> (?:some )?(?:error|exception) handling", _of_code(_error_handling)),
    (r"(?:error|exception) handling is (?:included|present|implemented|in place)", _of_code(_error_handling)),
    (
        r"(?:<CODE>)?<HAVE> an? (?:main guard|if __name__ == '?\"?'?__main__'?\"?'? (?:guard|block))",
        _of_code(_has_main),
    ),
)
