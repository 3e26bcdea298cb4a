"""Criteria about what Python code uses: modules, built-in functions, recursion, loops, and what it does without.

Refuses to say that code does without something where it can reach names by text, and to take a word for a module.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Final

from probatum.judge.criteria.forms import Decide
from probatum.judge.criteria.reading import FoundCode, Function, OutputView, plain_name
from probatum.judge.criteria.tools import CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import Basis
from probatum.readers.vocabulary import words_of

Told = Mapping[str, str]
NO_CODE: Final = "the output has no Python code that is certain to be meant"
_DYNAMIC: Final = words_of(
    "getattr setattr globals locals vars eval exec compile __import__ importlib builtins __builtins__ "
    "__dict__ __class__ __subclasses__ __globals__ pickle ctypes operator sys runpy subprocess system popen"
)
_NODES: Final[Mapping[str, tuple[type[ast.AST], ...]]] = {
    "lambda": (ast.Lambda,),
    "list comprehension": (ast.ListComp,),
    "comprehension": (ast.ListComp, ast.SetComp, ast.DictComp),
    "generator expression": (ast.GeneratorExp,),
    "f string": (ast.JoinedStr,),
    "while loop": (ast.While,),
    "for loop": (ast.For, ast.AsyncFor),
    "loop": (ast.For, ast.AsyncFor, ast.While),
    "assert statement": (ast.Assert,),
}
_PACKAGES: Final = words_of(
    "numpy pandas scipy sklearn requests httpx torch tensorflow matplotlib flask django fastapi sqlalchemy "
    "pydantic pytest attrs click rich yaml bs4 lxml PIL cv2 aiohttp boto3 networkx sympy"
)
_AROUND: Final = re.compile(r"^(?:the |an? )?(?:built-?in )?(?:python )?|(?: function| statement| keyword)s?$")
_MARKS: Final = " '"
_BUILT_IN: Final = frozenset({"eval", "exec", "print", "input", "open"})


def of_code(decide: Callable[[FoundCode, Told], CriterionRuling]) -> Decide:
    """Return what decides a criterion about the Python code of an output."""

    @wraps(decide)
    def whole(view: OutputView, _tools: CriteriaTools, told: Told) -> CriterionRuling:
        return unknown(NO_CODE) if view.code is None else decide(view.code, told)

    return whole


def judged(holds: bool | None, why: str, **evidence: object) -> CriterionRuling:
    """Return a ruling that rests on the syntax of the output."""
    return ruled(holds, Basis.STRUCTURE, why, **evidence)


def names_in(node: ast.AST) -> set[str]:
    """Return every name and attribute that a piece of code uses."""
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return found | {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}


def imports_of(tree: ast.AST) -> set[str]:
    """Return the modules and names that are imported, with dots and without."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {part for each in node.names for part in (each.name, each.name.split(".")[0])}
        elif isinstance(node, ast.ImportFrom):
            module = "." if node.level else node.module or ""
            found |= {module.split(".")[0] or ".", module, *(f"{module}.{each.name}" for each in node.names)}
    return found


def _bound_to(tree: ast.Module, module: str) -> set[str]:
    """Return the names by which code can use a module that it imports."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {
                each.asname or each.name.split(".")[0]
                for each in node.names
                if (each.name + ".").startswith(f"{module}.")
            }
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == module:
            names |= {each.asname or each.name for each in node.names}
    return names


def _dependencies(code: FoundCode, _told: Told) -> CriterionRuling:
    names = {each.split(".")[0] for each in imports_of(code.tree)}
    foreign = sorted(names - {""} - sys.stdlib_module_names)
    if foreign:
        # A neighbour is no dependency for some, and one that may be missing is none that is needed.
        tried = {part for node in ast.walk(code.tree) if isinstance(node, ast.Try) for part in imports_of(node)}
        is_open = "" in names or set(foreign) <= tried
        return judged(None if is_open else False, f"the code imports {', '.join(foreign) or 'its neighbours'}"[:200])
    if _reaches_by_text(code):
        return unknown("the code can import by text")
    return judged(True, "every import is of the standard library", imports=sorted(names)[:50])


def _no_imports(code: FoundCode, _told: Told) -> CriterionRuling:
    found = sorted(imports_of(code.tree))
    holds = None if not found and _reaches_by_text(code) else not found
    return judged(holds, f"the code imports {', '.join(found)[:150] or 'nothing'}")


def _reaches_by_text(code: FoundCode, besides: str = "") -> bool:
    return bool((names_in(code.tree) | imports_of(code.tree)) & (_DYNAMIC - {besides}))


def _uses(code: FoundCode, told: Told) -> CriterionRuling:
    states: list[bool | None] = []
    for part in re.split(r",? or |, ", told["what"]) if "no" in told else [told["what"]]:
        written = _AROUND.sub("", part.strip("' ")).strip("' ")
        word = plain_name(written.removesuffix("()"))
        is_recursion = word in {"recursion", "recursive calls"}
        used = _recursion(code) if is_recursion else _use_of(code, word, written, told)
        states.append(None if used is False and _reaches_by_text(code, word) else used)
    uses = True in states
    is_open = None in states or (uses and False in states)
    return judged(None if is_open else uses is ("no" not in told), _observed(told["what"], uses=uses))


def _observed(what: str, *, uses: bool) -> str:
    return f"the code {'uses' if uses else 'does not use'} {what[:60].strip(_MARKS)}"


def _use_of(code: FoundCode, word: str, written: str, told: Told) -> bool | None:
    nodes = list(ast.walk(code.tree))
    for name in (word, word.removesuffix("s")):
        if name in _NODES:
            is_used = any(isinstance(node, _NODES[name]) for node in nodes)
            # A comprehension is a loop for some.
            is_like = name in {"loop", "for loop"} and any(isinstance(node, ast.comprehension) for node in nodes)
            return None if is_like and not is_used else is_used
    name = written.removesuffix("()")
    if not re.fullmatch(r"[A-Za-z_][\w.]*", name):
        return None
    imports = "import" in told.get("verb", "").lower()
    if name in imports_of(code.tree):
        imported = _bound_to(code.tree, name)
        again = {each.arg for each in nodes if isinstance(each, ast.arg)}
        again |= {each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
        return True if imports or (imported - again) & names_in(code.tree) else None
    if "module" in told or imports:
        # Another word, such as "heavy", is no module.
        return False if name in sys.stdlib_module_names or name in _PACKAGES or "'" in told["what"] else None
    if name not in _BUILT_IN and name == written:
        return None
    called = any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == name for each in nodes
    )
    bound = any(isinstance(each, Function | ast.ClassDef) and each.name == name for each in nodes)
    return None if bound or (not called and name in names_in(code.tree)) else called


def _recursion(code: FoundCode) -> bool | None:
    """Return whether a function calls itself; None where it may do so by a detour."""
    functions = code.functions()
    assigned = [each.value for each in ast.walk(code.tree) if isinstance(each, ast.Assign | ast.AnnAssign)]
    if any(isinstance(each, ast.Lambda) for each in assigned) or len({each.name for each in functions}) < len(
        functions
    ):
        return None
    for each in functions:
        for node in ast.walk(each):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == each.name:
                return True
    names = {each.name for each in functions}
    reached = {each.name: names_in(each) & names for each in functions}
    for name, front in reached.items():
        seen: set[str] = set()
        while front - seen:
            seen |= front
            front = set().union(*(reached[each] for each in front))  # noqa: PLW2901  # the front moves on
        if name in seen:
            return None
    return False


USAGE_DECIDERS: Final[Mapping[str, Decide]] = {
    "uses": of_code(_uses),
    "no_imports": of_code(_no_imports),
    "dependencies": of_code(_dependencies),
}
